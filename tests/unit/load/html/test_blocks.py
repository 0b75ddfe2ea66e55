"""From elements to blocks: every kind, and text without blanks that nobody wrote."""

from __future__ import annotations

import re

import pytest
from selectolax.lexbor import LexborHTMLParser

from pincite.load.html.loader import HtmlLoader
from pincite.model import Document, Source


def page(html: str) -> Document:
    """Everything that the page shows."""
    return HtmlLoader(main_content=False).load(Source("a.html", html.encode()))


def text(html: str) -> str:
    return page(html).text.rstrip("\n")


def kinds(document: Document) -> list[str]:
    return [block.kind for block in document.blocks]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>Norr<b>vik</b> is <i>one</i><wbr>word", "Norrvik is oneword"),
        ("<p>a\n  <b> b </b>\tc", "a b c"),
        ("<p>one<br>two<br/><br>three", "one\ntwo\nthree"),
        ("<div>bare<p>inner</p>rest</div>tail", "bare\n\ninner\n\nrest\n\ntail"),
        ("<p>&lt;b&gt; &amp;amp; &eacute;&#x1F600;&nbsp;x", "<b> &amp; é😀 x"),
        ("<p>soft\xadhyphen zero\u200bwidth", "softhyphen zerowidth"),
        ("<p>see <a href='/x'>the plan</a>.", "see the plan."),
        ("<p>He said <q>yes</q>.", "He said “yes”."),
        ("<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>字", "漢(kan)字"),
        (
            "<p>H<sub>2</sub>O, 10<sup>6</sup>, x<sup>n+1</sup>, 1<sup>st</sup>, log<sub>2</sub>",
            "H2O, 10⁶, xⁿ⁺¹, 1st, log2",
        ),
        ("<p>10<sub>2</sub> and 5<sup>2k</sup>", "10₂ and 5^(2k)"),
        ("<p>duck<sup><a href='#n1'>1</a></sup> and<sup><a href='#n2'>[2]</a></sup>", "duck[1] and[2]"),
        ("<p>a<!-- c -->b<script>x</script>c<style>y</style><template>z</template><noscript>n</noscript>", "abc"),
        ("<p>name <input value=x> <select><option>o</select><textarea>t</textarea><button>b</button> end", "name end"),
        ("<form><label>Name</label><p>kept</p></form><label>shown</label>", "kept\n\nshown"),
        ("<p>see <img src=a.png alt='a red boat'> there", "see a red boat there"),
        ("<p>fine<img alt='🙂'>!<img alt='logo.png'><img>", "fine🙂!"),
        ("<p>x <math alttext='{\\displaystyle a^{2}}'><mi>a</mi></math> y", "x $a^{2}$ y"),
        ("<math><mi>a</mi><annotation encoding='application/x-tex'>a_1</annotation></math>", "$a_1$"),
        ("<p><math><mi>a</mi><mo>+</mo><mi>b</mi></math>", "a+b"),
        ("<p>see<script type='math/tex'> a + b </script>", "see$a + b$"),
        ("<details><summary>More</summary><p>inside</p></details>", "More\n\ninside"),
        ("<address>Quay 4</address><hr><section>end</section>", "Quay 4\n\nend"),
        ("<h2><button>Can I pay?</button></h2><p>Yes.", "## Can I pay?\n\nYes."),
        ("<a href=#x>Skip to content</a><p>Body <a href='#y'>rules</a>.", "Body rules."),
        ("<p>Note <a href='#back'>↩</a>", "Note"),
        ("<p>open <b>bold <p>second", "open bold\n\nsecond"),
    ],
)
def test_running_text(html: str, expected: str) -> None:
    assert text(html) == expected


@pytest.mark.parametrize(
    ("html", "title", "level"),
    [
        ("<h1>One <em>two</em></h1>", "One two", 1),
        ("<h3>Limits<a class=headerlink href='#limits'>¶</a></h3>", "Limits", 3),
        ("<h2>Limits <a href='#limits'>#</a></h2>", "Limits", 2),
        ("<h2><a href='#limits'>Limits</a></h2>", "Limits", 2),
        ("<h2>Limits<a href='#limits' class=hash-link>\u200b</a></h2>", "Limits", 2),
        ("<h2>Limits<a href='#limits'>Link to this heading</a></h2>", "Limits", 2),
        ("<h6>a<br>b</h6>", "a b", 6),
        ("<h2><div>a</div><div>b</div></h2>", "a b", 2),
        ("<h1><img alt='Orbit'></h1>", "Orbit", 1),
        ("<h2>History<span class='mw-editsection'>[edit]</span></h2>", "History", 2),
    ],
)
def test_headings_have_plain_titles(html: str, title: str, level: int) -> None:
    (heading,) = page(html).blocks
    assert (heading.kind, heading.title, heading.level) == ("heading", title, level)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<ul><li>a<li>b</ul>", "- a\n- b"),
        ("<ol><li>a<li>b</ol>", "1. a\n2. b"),
        ("<ol start=9><li>a<li value=20>b<li>c</ol>", "9. a\n20. b\n21. c"),
        ("<ol reversed><li>a<li>b</ol>", "2. a\n1. b"),
        ("<ol type=a start=26><li>a<li>b</ol>", "z. a\naa. b"),
        ("<ol type=I start=4><li>a</ol>", "IV. a"),
        ("<ol start=x type=q><li>a</ol>", "1. a"),
        ("<ul><li>a<ol><li>b<li>c</ol><li>d</ul>", "- a\n  1. b\n  2. c\n- d"),
        ("<ul><li>a</li><ul><li>b</li></ul><li>c</li></ul>", "- a\n  - b\n- c"),
        ("<ul><li><p>a</p><p>b</p></ul>", "- a\n\n  b"),
        ("<ul><li><input type=checkbox checked> done<li><input type=checkbox> open</ul>", "- [x] done\n- [ ] open"),
        (
            "<dl><dt>oar<dd>long<dd>wet<dt>sail<dt>canvas<dd>white</dl>",
            "- oar\n\n  long\n\n  wet\n- sail\n\n  canvas\n\n  white",
        ),
        ("<dl><div><dt>oar</dt><dd>long</dd></div></dl>", "- oar\n\n  long"),
        ("<dl><dd>only</dl>", "- only"),
        ("<li>orphan</li><p>x", "orphan\n\nx"),
        ("<ul></ul><ul><li></ul><p>x", "x"),
        ("<blockquote><p>a</p>b<footer>who</footer></blockquote>", "> a\n>\n> b\n>\n> who"),
        ("<blockquote><li>orphan</blockquote>", "> orphan"),
        ("<ul><li><blockquote>a</blockquote></ul>", "- > a"),
    ],
)
def test_lists_and_quotes(html: str, expected: str) -> None:
    assert text(html) == expected


def test_nested_lists_know_their_depth_and_markers() -> None:
    document = page("<ul><li>a<ol><li>b<li>c</ol><li>d</ul>")
    items = [(block.level, block.marker) for block in document.blocks if block.kind == "item"]
    assert items == [(1, "-"), (2, "1."), (2, "2."), (1, "-")]


@pytest.mark.parametrize(
    ("html", "language", "code"),
    [
        ("<pre>a\n  b\n</pre>", "", "a\n  b"),
        ("<pre><code class='language-python'>x = 1\n\ny</code></pre>", "python", "x = 1\n\ny"),
        ("<div class='highlight-c++ notranslate'><div class=highlight><pre>int x;</pre></div></div>", "c++", "int x;"),
        ("<div class='highlight highlight-source-js'><pre>let x</pre></div>", "js", "let x"),
        ("<pre data-lang='TOML'>a = 1</pre>", "toml", "a = 1"),
        ("<pre class='brush: java; toolbar: false'>int x;</pre>", "java", "int x;"),
        ("<pre class='sourceCode haskell'><code>f x</code></pre>", "haskell", "f x"),
        ("<pre class=language-none>plain</pre>", "", "plain"),
        ("<pre><span class=linenos>1</span>a<br><span class=lineno>2</span>b</pre>", "", "a\nb"),
        ("<pre><code><div>a</div><div>b</div></code></pre>", "", "a\nb"),
        ("<pre><button>Copy</button>a <b>b</b> &lt;c&gt;</pre>", "", "a b <c>"),
        ("<pre><code>\n\n  a\n\n</code></pre>", "", "  a"),
        (
            "<table class=highlighttable><tr><td class=linenos><pre>1\n2</pre><td class=code><pre>a\nb</pre></table>",
            "",
            "a\nb",
        ),
        (
            "<table class=hljs-ln><tr><td class=hljs-ln-numbers>1<td>a<tr><td class=hljs-ln-numbers>2<td>b</table>",
            "",
            "a\nb",
        ),
    ],
)
def test_code_keeps_its_lines_and_language(html: str, language: str, code: str) -> None:
    document = page(html)
    (block,) = document.blocks
    assert (block.kind, block.language) == ("code", language)
    assert document.text == f"```{language}\n{code}\n```\n"


def test_a_figure_is_described_once() -> None:
    document = page(
        "<figure><img alt='A boat'><figcaption>A boat at night</figcaption></figure><p><img alt='Two oars'>"
    )
    assert document.text == "A boat at night\n\nTwo oars\n"
    assert kinds(document) == ["caption", "caption"]


def test_containers_that_nest_too_deep_are_written_at_the_last_depth() -> None:
    document = page("<ul><li>a" * 60)
    assert max(block.level for block in document.blocks) == 32
    assert document.text.count("a") == 60
    assert page("<blockquote>" * 60 + "x").text == "> " * 32 + "x\n"


class TestPlaces:
    def element(self, html: str, words: str) -> str:
        document = page(html)
        start = document.text.index(words)
        return next(p.place.element for p in document.places if p.span.start <= start < p.span.end)

    def test_the_nearest_id_and_the_path_from_there(self) -> None:
        html = "<div><h2 id='limits'>Limits</h2><p>one<p>two</div><section id=s><div><p>three</div>"
        assert self.element(html, "Limits") == "#limits"
        assert self.element(html, "one") == "body/div[1]/p[1]"
        assert self.element(html, "two") == "body/div[1]/p[2]"
        assert self.element(html, "three") == "#s/div[1]/p[1]"

    def test_inline_elements_take_part_in_paths_but_have_no_place(self) -> None:
        assert self.element("<p>one <b>two</b>", "two") == "body/p[1]"
        assert self.element("<span><div><i>x</i></div></span>", "x") == "body/span[1]/div[1]"

    def test_every_path_leads_to_the_block(self) -> None:
        html = "<div><p>one</p><p hidden>no</p><p>two</p><ul><li>three<li>four</ul></div><div><pre>five</pre></div>"
        document, tree = page(html), LexborHTMLParser(html)
        assert re.findall("[a-z]+", document.text) == ["one", "two", "three", "four", "five"]
        assert len(document.places) == 5
        for placement in document.places:
            path = placement.place.element.replace("/", " > ").replace("[", ":nth-of-type(").replace("]", ")")
            found = tree.css_first(path)
            assert found is not None
            assert re.findall("[a-z]+", placement.span.of(document.text)) in ([found.text()], [])

    def test_very_long_paths_are_cut(self) -> None:
        element = self.element("<div>" * 100 + "x", "x")
        assert element.startswith("…/div[1]/")
        assert element.count("/") == 64
