"""Foot- and endnotes, as the tools of the field write them: blocks of their own, without the way back."""

from __future__ import annotations

import pytest

from pincite.load.html.loader import HtmlLoader
from pincite.model import Document, Source

SENTENCE = "The harbour office opens at seven and lists every berth that is free on the day. "


def page(html: str, *, main_content: bool = False) -> Document:
    return HtmlLoader(main_content=main_content).load(Source("a.html", html.encode()))


def notes(document: Document) -> list[tuple[str, str]]:
    return [(block.marker, block.span.of(document.text)) for block in document.blocks if block.kind == "note"]


PANDOC = """<section id=footnotes class="footnotes" role=doc-endnotes><hr><ol>
<li id=fn1><p>One <em>note</em>.</p><p>Again.<a href=#fnref1 class=footnote-back role=doc-backlink>↩︎</a></p></li>
<li id=fn2><p>Two<ul><li>a<li>b</ul> <a href=#fnref2 class=footnote-back>return</a></li></ol></section>"""
GITHUB = """<section data-footnotes><h2 class=sr-only>Footnotes</h2><ol><li><p>One
<a href=#a class=data-footnote-backref>↩</a> <a href=#b class=data-footnote-backref>↩<sup>2</sup></a></ol></section>"""
PYTHON_MARKDOWN = """<div class=footnote><hr><ol start=3><li id=fn:1><p>Three&#160;<a class=footnote-backref
href=#fnref:1>&#8617;</a></ol></div>"""
MEDIAWIKI = """<div class=reflist><ol class=references>
<li id=n1><span class=mw-cite-backlink>^ <a href=#a><sup>a</sup></a> <a href=#b>b</a></span> <cite>One</cite>
<li><a href=#c>↑</a> <a href=#d>2004</a>, Two<li value=9>Nine</ol></div>"""
DOCUTILS = """<aside class="footnote-list brackets"><aside class="footnote brackets" role=doc-footnote>
<span class=label><span class=fn-bracket>[</span><a role=doc-backlink href=#i1>1</a><span>]</span></span><p>One</aside>
<aside class=footnote role=doc-footnote><span class=label>[<span>2</span>]</span>
<span class=backrefs>(<a role=doc-backlink href=#a>1</a>,<a href=#b>2</a>)</span><p>Two</aside></aside>"""
DOCUTILS_LISTS = """<dl class="footnote brackets"><dt class=label><a class=fn-backref href=#i1>1</a><dd><p>One
<dt class=label>[2]<dd>Two<dt>a term<dt>3</dl><aside role=doc-footnote>Bare</aside>"""
DOCUTILS_TABLES = (
    "<table class='docutils footnote'><tr><td class=label><a class=fn-backref href=#i1>[1]</a><td>One</table>"
)
ASCIIDOCTOR = "<div id=footnotes><div class=footnote id=f1><a href=#r1>1</a>. 2 berths</div></div>"
OFFICE = "<p class=MsoFootnoteText><a href=#r1><span>[1]</span></a> One<p class=sdfootnote><a href=#r2>ii</a>Two"
BOOKS = """<aside epub:type=footnote><p>* One</aside><aside epub:type='footnote x'><p><sup>12</sup> Two</aside>
<section epub:type=endnotes><h2>Notes</h2><ol><li epub:type=endnote>Three
<a epub:type=backlink href=a#b>back</a></ol></section>"""
LIST_BY_ROLES = "<ol start=4><li role=doc-endnote>Four<table><tr><th>a<td>b</table></ol><ol><li>x</ol>"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (PANDOC, [("1", "[^1]: One note.\nAgain."), ("2", "[^2]: Two\na\nb")]),
        (GITHUB, [("1", "[^1]: One")]),
        (PYTHON_MARKDOWN, [("3", "[^3]: Three")]),
        (MEDIAWIKI, [("1", "[^1]: One"), ("2", "[^2]: 2004, Two"), ("9", "[^9]: Nine")]),
        (DOCUTILS, [("1", "[^1]: One"), ("2", "[^2]: Two")]),
        (DOCUTILS_LISTS, [("1", "[^1]: One"), ("2", "[^2]: Two"), ("", "a term"), ("", "Bare")]),
        (DOCUTILS_TABLES, [("1", "[^1]: One")]),
        (ASCIIDOCTOR, [("1", "[^1]: 2 berths")]),
        (OFFICE, [("1", "[^1]: One"), ("ii", "[^ii]: Two")]),
        (BOOKS, [("*", "[^*]: One"), ("12", "[^12]: Two"), ("1", "[^1]: Three")]),
        (LIST_BY_ROLES, [("4", "[^4]: Four\na\nb")]),
        ("<ul class=references><li><a href=#r>1</a> One<li>2 Two</ul>", [("1", "[^1]: One"), ("", "2 Two")]),
        ("<p role=doc-footnote>see <pre>a\n  b</pre>", [("", "see")]),
        ("<div role=doc-footnote>see <pre>a\nb</pre></div>", [("", "see\na\nb")]),
        ("<aside role=doc-footnote>[5]</aside>", [("", "[5]")]),
        ("<aside role=doc-footnote><a href=#x>see there</a> now</aside>", [("", "see there now")]),
        ("<ul><li>a<aside role=doc-footnote>n</aside><li>b</ul>", [("", "n")]),
        ("<h2 class=footnote>No note</h2><ol><li>x<li>y</ol><aside>z</aside><ol class=references></ol>", []),
        ("<table><tr><th>a<th>b<tr><td><aside role=doc-footnote>x</aside><td>y</table>", []),
    ],
)
def test_notes(html: str, expected: list[tuple[str, str]]) -> None:
    document = page(f"<h1>Harbour</h1>{html}<p>After.")
    assert notes(document) == expected
    assert document.text.endswith("After.\n")
    assert "↩" not in document.text


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("x<a href=#n1 role=doc-noteref><sup>1</sup></a>", "x[1]"),
        ("x<sup><a href=#n1>1</a></sup>", "x[1]"),
        ("x<sup class=reference><a href=#n1>[1]</a></sup>", "x[1]"),
        ("x<a epub:type=noteref href=b#n1>1</a>", "x[1]"),
        ("x<a class=footnote-reference href=#n1>12</a>", "x[12]"),
        ("x<a class=footnote-ref href=#n1>here</a>", "xhere"),
        ("10<a href=a>10<sup>6</sup></a>", "1010⁶"),
        ("<a href=#x>10<sup>6</sup></a>", "10⁶"),
    ],
)
def test_references_stand_apart_from_the_word_before_them(html: str, expected: str) -> None:
    assert page(f"<p>{html}").text == f"{expected}\n"


def test_a_note_has_its_place() -> None:
    document = page(PANDOC)
    assert [document.place(block.span).element for block in document.blocks] == ["#fn1/p[1]", "#fn2/p[1]"]


def test_notes_beside_the_main_content_stay() -> None:
    paragraphs = "".join(f"<p>{number}. {SENTENCE * 3}" for number in range(5))
    document = page(f"<nav>GONE</nav><article><h1>A</h1>{paragraphs}</article>{PANDOC}", main_content=True)
    assert [label for label, _ in notes(document)] == ["1", "2"]
    assert "GONE" not in document.text


def test_a_long_note_of_links_is_linear() -> None:
    document = page("<aside role=doc-footnote>" + "see <a href=#x>the place</a> " * 20_000 + "</aside>")
    assert len(notes(document)) == 1
