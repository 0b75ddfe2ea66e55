"""The loader as a whole: options, cases, the sample corpus and real pages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pincite import catalogue
from pincite.chunk.structure import StructureChunker
from pincite.errors import LoadError
from pincite.load.html.loader import HtmlLoader
from pincite.model import Document, Source


def load(file: Path, name: str = "") -> Document:
    return HtmlLoader().load(Source(name or file.name, file.read_bytes()))


def words(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("option", ["max_bytes", "max_elements", "max_blocks", "max_cells"])
def test_options_are_checked(option: str) -> None:
    options: dict[str, Any] = {option: 0}
    with pytest.raises(ValueError, match=option):
        HtmlLoader(**options)


def test_null_characters_go_with_a_notice() -> None:
    document = HtmlLoader().load(Source("a.html", b"<p>one\0two and <b>\0three</b>"))
    assert document.text == "onetwo and three\n"
    assert [notice.kind for notice in document.warnings] == ["nul"]


@pytest.mark.parametrize(
    ("html", "option", "limit"),
    [
        ("<p>one<p>two<p>three", "max_elements", 2),
        ("<i></i>" * 5, "max_elements", 4),
        ("<p>one<p>two<p>three", "max_blocks", 2),
        ("<ul><li>a</ul>", "max_blocks", 2),
        ("<p>one", "max_bytes", 5),
    ],
)
def test_large_pages_are_refused(html: str, option: str, limit: int) -> None:
    options: dict[str, Any] = {option: limit}
    with pytest.raises(LoadError, match=option) as caught:
        HtmlLoader(**options).load(Source("folder/a.html", html.encode()))
    assert (caught.value.kind, caught.value.file) == ("too_large", "folder/a.html")
    options = {option: limit + 2}
    HtmlLoader(**options).load(Source("a.html", html.encode()))


def test_the_document_says_where_it_is_from() -> None:
    document = HtmlLoader().load(Source("folder/a.html", b"<title>T</title><p id=x>one"))
    assert (document.id, document.source, document.media_type) == ("folder/a.html", "folder/a.html", "text/html")
    assert document.places[0].place.element == "#x"


class TestOwnTwinsOfTheCases:
    """The same traps in pages of our own."""

    def test_declared_legacy_encoding(self) -> None:
        html = "<html><head><meta charset='iso-8859-2'></head><body><p>Łódka płynie żwawo.</p></body></html>"
        document = HtmlLoader().load(Source("b.html", html.encode("iso-8859-2")))
        assert document.text == "Łódka płynie żwawo.\n"

    def test_bare_text_parent_headings_nested_tables_and_hidden_text(self) -> None:
        html = """<body><header><a href="#m">Jump to content</a></header><div id=m><h1>Lift times</h1>
        <div>Winter plan.<h2>Weekends</h2><table><tr><th rowspan=2>Stop<th colspan=2>Lift<tr><th>up<th>down
        <tr><td>Berg<wbr>tal<td>08:15<td>17:45<tr><td>See<td><table><tr><td>09:05<td>on demand</table>
        <td><ul><li>18:20<li>21:00 Sat</ul></table><h3>Dogs</h3>Leash &amp; muzzle.
        <h2>Storm</h2><p hidden>was here</p><p style="display:none">draft</p><p>No lift.</div></div>"""
        document = HtmlLoader().load(Source("c.html", html.encode()))
        chunks = list(StructureChunker(min_tokens=0).chunk(document))
        paths = {
            word: chunk.headings for chunk in chunks for word in ("Winter", "Leash", "No lift") if word in chunk.text
        }
        assert paths == {
            "Winter": ("Lift times",),
            "Leash": ("Lift times", "Weekends", "Dogs"),
            "No lift": ("Lift times", "Storm"),
        }
        for once in ("09:05", "on demand", "18:20", "21:00 Sat", "Bergtal"):
            assert document.text.count(once) == 1
        for gone in ("Jump to", "was here", "draft"):
            assert gone not in document.text

    def test_open_tags(self) -> None:
        document = HtmlLoader().load(Source("d.html", b"<p>Left <i>open <p>Next one"))
        assert document.text == "Left open\n\nNext one\n"


class TestSharedCases:
    def test_c020_declared_charset(self, shared: Path) -> None:
        document = load(shared / "cases/C020/b.html")
        assert document.text == "Tramwaj nr 5 jedzie z Łodzi do Zgierza o szóstej.\n"

    def test_c036_structure(self, shared: Path) -> None:
        case = next(
            case
            for case in map(json.loads, (shared / "cases/cases.jsonl").read_text(encoding="utf-8").splitlines())
            if case["id"] == "C036"
        )
        document = load(shared / "cases/C036.html")
        chunks = list(StructureChunker(min_tokens=0).chunk(document))
        for sentence, path in case["check"]["paths"].items():
            assert [list(chunk.headings) for chunk in chunks if sentence in chunk.text] == [path]
        for once in case["check"]["once"]:
            assert document.text.count(once) == 1
        for lacking in case["check"]["text_lacks"]:
            assert lacking not in document.text

    def test_c068_open_tags(self, shared: Path) -> None:
        text = load(shared / "cases/C068/c.html").text
        assert text == "Unclosed bold\n\nSecond para\n"


def test_quotes_from_the_sample_corpus_are_found_once(orbit: Path) -> None:
    questions = [json.loads(line) for line in (orbit / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
    quotes = {
        (part["document"], part["text"])
        for question in questions
        for part in question["relevant"]
        if part["document"].endswith(".html")
    }
    assert len(quotes) >= 10
    texts = {name: load(orbit / name, name).text for name, _ in quotes}
    for name, quote in quotes:
        assert texts[name].count(quote) == 1, (name, quote)


def test_navigation_and_feet_of_the_sample_corpus_are_left_out(orbit: Path) -> None:
    for file in sorted(orbit.rglob("*.html")):
        document = load(file)
        assert document.warnings == ()
        assert document.blocks[0].kind == "heading"
        assert document.metadata["language"] == "en"
        for gone in ("Imprint", "Orbit documentation", "billing@", "Known issues", "Maintained by"):
            assert gone not in document.text


def test_real_pages_keep_their_content_and_lose_the_rest(shared: Path) -> None:
    folder = shared / "data/files"
    entries = [json.loads(line) for line in (folder / "MANIFEST.jsonl").read_text(encoding="utf-8").splitlines()]
    pages = [entry for entry in entries if entry["file"].startswith("html/")]
    assert pages
    for entry in pages:
        document = load(folder / entry["file"])
        assert document.blocks
        text = words(document.text)
        # The strings were noted from texts without formulas.
        bare = words(" ".join(document.text.split("$")[::2]))
        for string in entry.get("truth", {}).get("must_contain", ()):
            assert string in text or string in bare, (entry["file"], string)
        for string in entry.get("truth", {}).get("must_not_contain", ()):
            assert string not in text, (entry["file"], string)


def test_the_catalogue_makes_it_when_it_has_the_row() -> None:
    rows = {row.name: row for row in catalogue.rows("load")}
    if "html" not in rows:
        pytest.skip("the catalogue has no row for HTML yet")
    assert isinstance(catalogue.create("load", "html", {"main_content": False}), HtmlLoader)
