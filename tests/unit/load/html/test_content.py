"""What of a page is read: the main content, never nothing."""

from __future__ import annotations

import pytest

from pincite.load.html import content
from pincite.load.html.loader import HtmlLoader
from pincite.load.html.marks import marks_for
from pincite.model import Document, Source

SENTENCE = "The harbour office opens at seven and lists every berth that is free on the day. "
LINKS = "".join(f"<li><a href='/{number}'>Other page number {number}</a>" for number in range(12))


def page(html: str, *, main_content: bool = True) -> Document:
    return HtmlLoader(main_content=main_content).load(Source("a.html", html.encode()))


def article(inner: str = "") -> str:
    paragraphs = "".join(f"<p>{number}. {SENTENCE * 3}</p>" for number in range(1, 5))
    return f"<h1>Harbour</h1>{paragraphs}{inner}<p>Last. {SENTENCE}</p>"


@pytest.mark.parametrize(
    "furniture",
    [
        "<nav>GONE</nav>",
        "<div role=navigation>GONE</div>",
        "<form role=search>GONE</form>",
        "<div class='cookie-banner'><p>We use cookies: GONE</div>",
        "<div id=onetrust-consent-sdk>GONE</div>",
        "<dialog>GONE</dialog>",
        "<div id=toc class=toc><h2>Contents GONE</h2><ul><li><a href='#a'>Berths and everything</a></ul></div>",
        "<p hidden>GONE</p>",
        "<p aria-hidden=true>GONE</p>",
        "<div style='color:red; DISPLAY : none'>GONE</div>",
        "<p style='visibility:hidden'>GONE</p>",
        "<p class=sr-only>GONE</p>",
        "<a class=skip-link href='#main'>GONE</a>",
        "<noscript>GONE</noscript>",
        f"<div class=sidebar><ul>{LINKS}<li>GONE</ul></div>",
        f"<aside class=related-posts><h2>Related</h2><p>GONE {SENTENCE}</aside>",
    ],
)
def test_what_is_no_content_goes(furniture: str) -> None:
    for html in (f"<body>{furniture}<div class=page>{article()}</div>", f"<main>{article(furniture)}</main>"):
        document = page(html)
        assert "GONE" not in document.text
        assert document.text.startswith("# Harbour\n\n1. The harbour")
        assert document.text.rstrip().endswith(f"Last. {SENTENCE.strip()}")


@pytest.mark.parametrize("name", ["header", "footer", "div role=banner", "div role=contentinfo"])
def test_heads_and_feet_of_the_page_go_but_not_those_of_an_article(name: str) -> None:
    own = f"<{name}><p>GONE</p></{name.split()[0]}>"
    assert "GONE" not in page(f"<body>{own}<div>{article()}</div>").text
    if "role" not in name:
        assert "GONE" in page(f"<article>{article(own)}</article>").text


@pytest.mark.parametrize(
    "kept",
    [
        "<details><summary>More</summary><p>KEPT</details>",
        "<div role=tabpanel hidden><p>KEPT</div>",
        "<p hidden=until-found>KEPT</p>",
        "<pre><code>KEPT()</code></pre>",
        "<table><tr><th>berth<th>depth<tr><td>KEPT<td>2</table>",
        "<dl><dt>KEPT<dd>a word</dl>",
        "<blockquote>KEPT</blockquote>",
        "<aside class=admonition><p>Note: KEPT</aside>",
        "<figure><img alt=''><figcaption>KEPT</figcaption></figure>",
        "<h2>KEPT</h2><p>Short.",
        "<header><h2>KEPT</h2></header><p>Short.",
        "<dialog open>KEPT</dialog>",
        "<section><footer>KEPT</footer></section>",
        "<p>We use cookie-banner software: KEPT</p>",
        "<span style='display:none'><math alttext='KEPT'></math></span>",
    ],
)
def test_what_belongs_to_the_content_stays(kept: str) -> None:
    for html in (f"<nav>no</nav><div>{article(kept)}</div>", f"<main>{article(kept)}</main>"):
        assert "KEPT" in page(html).text


@pytest.mark.parametrize(
    "html",
    [
        "<nav>Only this</nav>",
        "<footer>Only this</footer>",
        "<div class=cookie-banner>Only this</div>",
        "<ul class=menu><li><a href=x>Only this</a></ul>",
        "<p>Only this",
        "Only this",
        "<main></main><p>Only this",
        "<div class=sidebar><p>Only this</div>",
    ],
)
def test_never_nothing(html: str) -> None:
    document = page(html)
    assert "Only this" in document.text
    assert document.warnings == ()


def test_a_page_that_hides_everything_is_read_with_a_notice() -> None:
    document = page("<body style='visibility: hidden'><div id=app style='display:none'><p>All of it</div>")
    assert document.text == "All of it\n"
    assert [notice.kind for notice in document.warnings] == ["hidden"]


@pytest.mark.parametrize(
    "html", ["", "<p>", "<script>x</script>", "<frameset><frame src=x></frameset>", "<svg>x</svg>"]
)
def test_a_page_without_text_warns(html: str) -> None:
    document = page(html)
    assert (document.text, document.blocks) == ("", ())
    assert [notice.kind for notice in document.warnings] == ["empty"]


def test_text_left_out_by_guess_is_counted_in_a_notice() -> None:
    other = "".join(f"<td><a href=x>link {n}</a> Opening hours of office {n}, quay {n}, lamp {n}." for n in range(60))
    html = f"<div id=content class=post-content>{article()}</div><table class=widget><tr>{other}</table>"
    document = page(html)
    assert [notice.kind for notice in document.warnings] == ["left_out"]
    assert "lamp 59" in page(html, main_content=False).text


def test_a_heading_goes_with_its_text() -> None:
    related = f"<h2>Elsewhere</h2><div class=related><p>{SENTENCE}</div>"
    html = f"<div>{article(f'{related}<h2>Tides</h2><p>High at noon.')}</div>"
    titles = [block.title for block in page(html).blocks if block.kind == "heading"]
    assert titles == ["Harbour", "Tides"]


def test_the_title_before_the_content_stays() -> None:
    html = (
        f"<div class=masthead><h1>Harbour rules</h1></div><div class=post-content>{article().replace('h1', 'h2')}</div>"
    )
    assert page(html).text.startswith("# Harbour rules\n")


def test_without_choice_everything_shown_is_read() -> None:
    document = page("<nav>menu</nav><main><p>text</main><footer>foot</footer><p hidden>no", main_content=False)
    assert document.text == "menu\n\ntext\n\nfoot\n"


def test_pages_too_large_for_the_choice_are_read_by_their_elements(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content, "_MOST_LEAVES", 3)
    document = page(f"<nav>no</nav><div class=x><p>Before</div><main>{article()}</main><p>After")
    assert document.text.startswith("# Harbour")
    assert "After" not in document.text


class TestMarks:
    def test_an_alphabet_that_the_text_does_not_use(self) -> None:
        braille, music = marks_for("a"), marks_for("a⠃b")
        assert braille
        assert music
        assert braille.alphabet != music.alphabet
        assert music.found_in(f"⠃{music.write(299)}") == {299: 1}
        assert marks_for("⠃\U0001d001") is None

    def test_a_text_with_all_signs_is_read_without_them(self) -> None:
        html = f"<nav>no</nav><main>{article('<p>⠃⠗⠇ and 𝀁</p>')}</main>"
        assert "⠃⠗⠇ and 𝀁" in page(html).text

    def test_braille_is_text(self) -> None:
        assert "⠃⠗⠁⠊⠇⠇⠑" in page(f"<main>{article('<p>⠃⠗⠁⠊⠇⠇⠑</p>')}</main>").text
