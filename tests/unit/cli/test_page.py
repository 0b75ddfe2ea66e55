"""The page of `pincite chunk --html`: read as a browser reads it."""

from __future__ import annotations

import hashlib
import json
import os
import re
from base64 import b64encode
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser, LexborNode
from tests.property.documents import markdown_document, markdown_documents, plain_document, plain_documents

from pincite.cli.loading import Loading
from pincite.cli.page import CutDocument, page, write_page
from pincite.cli.strategy import Strategy, strategy_of
from pincite.errors import LoadError, UsageError
from pincite.model import Document, Span

EVIL = '# <b>A</b> & "c"\r\n\r\n<script>alert(1)</script> &amp; &lt;\r\n\r\n\tEnd.\r'
STRATEGIES = (
    *("structure", "sections", "tokens:max_tokens=9,overlap_tokens=4"),
    "characters:max_characters=7,overlap_characters=6",
)


def parsed(document: Document, strategy: Strategy) -> LexborHTMLParser:
    return LexborHTMLParser(page([CutDocument(document, tuple(strategy.chunker.chunk(document)))], strategy))


def texts(tree: LexborHTMLParser | LexborNode, selector: str) -> list[str]:
    return [node.text() for node in tree.css(selector)]


@given(st.one_of(markdown_documents, plain_documents), st.sampled_from(STRATEGIES))
def test_the_bands_together_are_the_text(document: Document, written: str) -> None:
    tree = parsed(document, strategy_of(written))
    assert "".join(texts(tree, "section.document .text")) == document.text.replace("\0", "\ufffd")
    assert not tree.css("script, section.document :is(b, i, img, a:not([href^='#']))")


def test_text_is_never_markup() -> None:
    document = Document("<i>evil</i>.md", "x", "text/markdown", EVIL, markdown_document(EVIL).blocks)
    tree = parsed(document, strategy_of("structure"))
    assert "".join(texts(tree, ".text")) == EVIL
    assert texts(tree, "h2") == ["<i>evil</i>.md"]
    assert not tree.css("i, b, script")
    assert 'A & "c"' in texts(tree, "article .head")[0]


def test_what_html_cannot_hold_is_replaced() -> None:
    tree = parsed(plain_document("a\0b \ud800 c"), strategy_of("characters"))
    assert texts(tree, ".text") == ["a\ufffdb \ufffd c"]


def test_nothing_is_fetched_and_the_policy_allows_one_style_sheet() -> None:
    written = page([], strategy_of("structure"))
    tree = LexborHTMLParser(written)
    (style,) = tree.css("style")
    digest = b64encode(hashlib.sha256(style.text().encode()).digest()).decode()
    (policy,) = tree.css("meta[http-equiv='Content-Security-Policy']")
    assert policy.attributes["content"] == (
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )
    assert not tree.css("[style], [src], link, script")
    assert "url(" not in style.text()
    assert "@import" not in style.text()


def test_each_chunk_says_what_it_is() -> None:
    text = "# Guide\n\n## Cursors\n\nA cursor lives 15 minutes.\n\n| a | b |\n| - | - |\n" + "| 1 | 2 |\n" * 30
    strategy = strategy_of("structure:max_tokens=100")
    tree = parsed(markdown_document(text), strategy)
    articles = tree.css("article")
    assert len(articles) > 1
    for number, article in enumerate(articles, start=1):
        (link,) = article.css("a.number")
        assert (link.text(), link.attributes["href"]) == (str(number), f"#{article.attributes['id']}")
        (card,) = article.css(f"#{link.attributes['aria-describedby']}")
        assert card.css_first(".prefix, dd") is not None
    last = articles[-1]
    assert texts(last, ".prefix") == ["Guide > Cursors\n\n| a | b |\n| - | - |"]
    facts = dict(zip(texts(last, "dt"), texts(last, "dd"), strict=True))
    assert facts["Headings"] == "Guide > Cursors"
    assert facts["Place"].startswith("line ")
    assert facts["Length"].endswith("in o200k_base, prefix included")
    summary = dict(zip(texts(tree, ".summary dt"), texts(tree, ".summary dd"), strict=True))
    assert summary["Chunks"] == str(len(articles))
    assert summary["Options"].startswith("max_tokens = 100, min_tokens = null")
    assert re.fullmatch(r"mean \d+, min \d+, max \d+", summary["Length in o200k_base, prefix included"])


def test_chunks_that_overlap_are_named_together() -> None:
    strategy = strategy_of("characters:max_characters=4,overlap_characters=2")
    tree = parsed(plain_document("abcdefgh"), strategy)
    assert texts(tree, ".text") == ["ab", "cd", "ef", "gh"]
    assert texts(tree, ".head strong, .label") == ["in 1 + 2", "in 2 + 3", "in 3 + 4"]
    assert [node.attributes["href"] for node in tree.css(".head strong a")] == [
        *("#d1c1", "#d1c2", "#d1c2", "#d1c3", "#d1c3", "#d1c4"),
    ]
    many = parsed(plain_document("abcdefghij"), strategy_of("characters:max_characters=6,overlap_characters=5"))
    assert "in 2 … 7" in texts(many, ".head strong, .label")
    rest = parsed(plain_document("abcdefghi"), strategy_of("characters:max_characters=5,overlap_characters=1"))
    assert "still in 1" not in texts(rest, ".label")
    assert "still in 2" in texts(rest, ".label")


def test_text_outside_of_all_chunks_is_marked() -> None:
    tree = parsed(markdown_document("---\ntitle: x\n---\n\n# A\n\nText.\n"), strategy_of("sections"))
    assert texts(tree, ".outside .text") == ["---\ntitle: x\n---\n\n# A\n\n"]
    assert texts(tree, ".outside .label") == ["in no chunk"]
    assert texts(tree, ".blank .text") == ["\n"]


def test_parents_are_told() -> None:
    document, strategy = plain_document("abcdefgh"), strategy_of("characters")
    (chunk,) = strategy.chunker.chunk(document)
    tree = LexborHTMLParser(page([CutDocument(document, (replace(chunk, parent=Span(0, 8)),))], strategy))
    assert "characters 0 to 8" in texts(tree, ".card dd")


def test_several_documents_have_a_table_of_contents() -> None:
    strategy = strategy_of("headings")
    documents = [plain_document("one"), Document("b&c.txt", "x", "text/plain", "")]
    cuts = [CutDocument(document, tuple(strategy.chunker.chunk(document))) for document in documents]
    failed = [LoadError("is <encrypted>", cure="", file="x.pdf")]
    tree = LexborHTMLParser(page(cuts, strategy, failed))
    assert texts(tree, "nav a") == ["hard.txt", "b&c.txt"]
    assert [tree.css_first(str(link.attributes["href"])) is not None for link in tree.css("nav a")] == [True, True]
    assert texts(tree, "p.facts")[1] == "0 chunks; length: none"
    assert texts(tree, ".failed li") == ["x.pdf: is <encrypted>."]


def channel(value: int) -> float:
    share = value / 255
    return share / 12.92 if share <= 0.03928 else ((share + 0.055) / 1.055) ** 2.4


def contrast(first: str, second: str) -> float:
    """WCAG 2, relative luminance."""
    lights = []
    for colour in (first, second):
        red, green, blue = (channel(int(colour[place : place + 2], 16)) for place in (1, 3, 5))
        lights.append(0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
    return max(lights) / min(lights)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_colour_can_be_read(dark: bool) -> None:
    style = LexborHTMLParser(page([], strategy_of("structure"))).css("style")[0].text()
    light, _, rest = style.partition("prefers-color-scheme: dark")
    colours = dict(re.findall(r"(--\w+): (#\w{6})", rest if dark else light))
    assert len(colours) >= 19
    for ground in ("--page", "--card", "--outside", *(f"--t{number}" for number in range(6))):
        for ink in ("--ink", "--quiet"):
            assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)
    for number in range(6):
        assert contrast(colours["--page"], colours[f"--b{number}"]) >= 4.5, number
        assert contrast(colours[f"--t{number}"], colours[f"--b{number}"]) >= 3, number


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.md").write_text("# A\n\nText.\n")
    (tmp_path / "b.html").write_text("<p>Words.</p>")
    return tmp_path


def test_writing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = folder / "out.html"
    strategy = strategy_of("structure")
    assert write_page(target, Loading([folder], as_json=False), strategy, as_json=False) == 0
    assert capsys.readouterr().out == f"{target}: 2 chunks of 2 documents\n"
    first = target.read_bytes()
    assert write_page(target, Loading([folder], as_json=True), strategy, as_json=True) == 0
    assert target.read_bytes() == first  # its own page is no document, and the same input gives the same bytes
    out, err = capsys.readouterr()
    assert json.loads(out) == {"html": str(target), "documents": 2, "chunks": 2}
    assert json.loads(err)["kind"] == "own_page"


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_another_file_is_never_written_over(folder: Path) -> None:
    (folder / "link.html").symlink_to(folder / "a.md")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    for name in ("b.html", "a.md", "link.html"):
        for documents in (Loading([folder], as_json=False), Loading([folder / "a.md"], as_json=False)):
            with pytest.raises(UsageError, match="is there already"):
                write_page(folder / name, documents, strategy_of("structure"), as_json=False)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    (folder / "empty.html").touch()
    assert (
        write_page(
            folder / "empty.html", Loading([folder / "a.md"], as_json=False), strategy_of("structure"), as_json=False
        )
        == 0
    )


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_its_own_page_is_known_by_any_name(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    strategy = strategy_of("structure")
    write_page(folder / "out.html", Loading([folder], as_json=False), strategy, as_json=False)
    (folder / "link.html").symlink_to(folder / "out.html")
    capsys.readouterr()
    write_page(folder / "link.html", Loading([folder / "out.html"], as_json=False), strategy, as_json=False)
    assert capsys.readouterr().out == f"{folder / 'link.html'}: 0 chunks of 0 documents\n"
    documents = Loading([folder / "a.md"], as_json=False)
    (folder / "a.md").unlink()
    assert not documents.leave_out(folder / "out.html")


def test_where_nothing_can_be_written_or_read(folder: Path) -> None:
    for target in (folder, folder / "missing" / "x.html", folder / "a\0b.html"):
        with pytest.raises(UsageError, match="cannot be written"):
            write_page(target, Loading([folder], as_json=False), strategy_of("structure"), as_json=False)
    target = folder / "none.html"
    assert write_page(target, Loading([folder / "x.md"], as_json=False), strategy_of("structure"), as_json=False) == 3
    assert not target.exists()
