"""What holds of every loader on any input, and the Markdown loader against an independent parser."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.common.utils import unescapeAll
from markdown_it.token import Token

from pincite.errors import LoadError
from pincite.load.markdown import MarkdownLoader
from pincite.load.markdown_blocks import blocks_of
from pincite.load.plain import PlainTextLoader
from pincite.load.table import TableLoader
from pincite.model import Document, Source
from pincite.ports import Loader
from pincite.text.graphemes import is_border
from pincite.text.offsets import line_at, line_starts

LOADERS: tuple[tuple[Loader, str], ...] = (
    (MarkdownLoader(), "folder/a.md"),
    (PlainTextLoader(), "folder/a.txt"),
    (TableLoader(), "folder/a.csv"),
    (TableLoader(), "folder/a.tsv"),
)
MARKUP = (
    *("# ", "## ", "- ", "* ", "1. ", "10) ", "> ", ">", "\n", "\n\n", "\r\n", "\r", "\t", "    ", "  ", " "),
    *("```", "~~~", "```py\n", "---", "---\n", "===", "|", "| a | b |\n", "|---|---|\n", "[^a]: ", "[^a]", "[r]: x\n"),
    *(
        "![i](u)",
        "<div>\n",
        "</div>\n",
        "<!-- ",
        "-->",
        "<br>",
        "`",
        "**",
        "_",
        "~~",
        "[ ] ",
        "word",
        "a",
        "é",
        "&amp;",
    ),
    *(
        "e\u0301",
        "\u0301",
        "😀",
        "👩\u200d🌾",
        "漢字",
        "שלום",
        "\xa0",
        "\u2028",
        "\x0b",
        "\x0c",
        "\x85",
        "\u0600",
        "\ufeff",
    ),
    *("\\", "+", "...", "groups: [x]\n", "title: t\n", ",", ";", ":", '"', '""', "1,5", "12:30", "a,b\n", 'x;"y"\n'),
)
marked_up = st.lists(st.sampled_from(MARKUP), max_size=30).map("".join)


def load(loader: Loader, path: str, data: bytes) -> Document | None:
    """The document, ``None`` where the loader refuses the file as it may."""
    try:
        return loader.load(Source(path, data))
    except LoadError as error:
        refusal = error
    assert refusal.file == path
    assert refusal.kind in ("binary", "encoding", "front_matter")
    return None


def check_document(document: Document) -> None:
    text = document.text
    covered = 0
    for block in document.outline:
        assert not text[covered : block.span.start].strip()
        covered = block.span.end
    assert not text[covered:].strip()
    for block in document.blocks:
        assert is_border(text, block.span.start)
        assert is_border(text, block.span.end)
        assert block.span.of(text).strip()
        assert not block.span.of(text).endswith(("\n", "\r"))
        if block.kind == "item":
            assert block.marker
            assert text.startswith(block.marker, block.span.start)
        if block.kind == "table":
            assert block.header
            assert block.columns
    assert Document.from_json(document.to_json()) == document


@pytest.mark.parametrize(("loader", "path"), LOADERS, ids=["markdown", "text", "csv", "tsv"])
class TestAnyInput:
    @given(data=st.binary(max_size=200))
    def test_any_bytes_give_a_document_or_a_load_error(self, loader: Loader, path: str, data: bytes) -> None:
        document = load(loader, path, data)
        if document:
            check_document(document)

    @given(text=st.text(max_size=100), encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252"]))
    def test_any_text_in_any_encoding(self, loader: Loader, path: str, text: str, encoding: str) -> None:
        document = load(loader, path, text.encode(encoding, errors="ignore"))
        if document:
            check_document(document)

    @given(text=marked_up)
    @example(text=">\t1. a\n>\t2. b\n")
    @example(text=">\u0301 a")
    @example(text="\xa0\n\nb")
    @example(text="a \u0600 \n")
    def test_outermost_blocks_hold_all_text(self, loader: Loader, path: str, text: str) -> None:
        document = load(loader, path, text.encode())
        if document:
            check_document(document)
            assert document.id == document.source == path


@given(text=marked_up)
def test_text_formats_keep_the_text_as_it_is(text: str) -> None:
    for loader, path in LOADERS[:2]:
        document = load(loader, path, text.encode("utf-8-sig"))
        assert document is None or document.text == text


@given(text=marked_up)
def test_every_cell_character_is_in_the_table(text: str) -> None:
    document = load(TableLoader(), "a.csv", text.encode())
    assert document
    lost = {character for character in text if character.isalnum()} - set(document.text)
    assert not lost - set("sep=")  # a declaration is the one line that is no record
    assert [place.place.row for place in document.places if place.place.row] == list(
        range(1, len(document.blocks[0].rows) + 1 if document.blocks else 1)
    )


# The oracle: headings and code that stand outermost, with level, title or language, and line.

ORACLE = MarkdownIt("commonmark").enable("table")
Seen = list[tuple[str, int, str, int]]
# Units, not characters, where the oracle departs from CommonMark 0.31 or GFM: it looks for tables before headings and
# fences, reads link definitions before their paragraph has ended, takes `<!----->` for text, and ends a paragraph in a
# list or quote at a line that is indented by four or has a tab. The parser under test takes `\[r]` for the label of
# a link and a tab after closing `#`s for text.
COMMON = (
    *("# ", "## ", "###### ", "- ", "* ", "1. ", "10) ", "> ", ">", "\n", "\n", "\n\n", "  ", " ", "```", "~~~"),
    *("```py\n", "---", "===", "---\n", "\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n", "\n\n[r]: x\n\n", " [r]", "![i](u)"),
    *("[l](u)", "<div>\n", "</div>\n", "\n\n<!-- c -->\n\n", "<b>", "`", "``", "**", "*", "_", "word", "b", "é", "😀"),
    *("漢字", "&amp;", "\\*", "\\`", "#", "+", "-", "\n\n    code\n\n"),
)


def plain(tokens: Sequence[Token] | None) -> str:
    words = []
    for token in tokens or ():
        if token.type in ("text", "text_special", "code_inline"):
            words.append(token.content)
        elif token.type in ("softbreak", "hardbreak"):
            words.append(" ")
        elif token.type == "image":
            words.append(plain(token.children))
    return "".join(words)


def seen_by_oracle(text: str) -> Seen:
    tokens = ORACLE.parse(text)
    seen: Seen = []
    for index, token in enumerate(tokens):
        if token.level or not token.map:
            continue
        line = token.map[0] + 1
        if token.type == "heading_open":
            title = " ".join(plain(tokens[index + 1].children).split())
            seen.append(("heading", int(token.tag[1:]), title, line))
        elif token.type == "fence":
            seen.append(("code", 0, "".join(unescapeAll(token.info).split()[:1]), line))
        elif token.type == "code_block":
            seen.append(("code", 0, "", line))
    return seen


def seen_by_loader(text: str) -> Seen:
    document = Document(id="a", source="a", media_type="text/markdown", text=text, blocks=tuple(blocks_of(text)))
    starts = line_starts(text)
    return [
        (block.kind, block.level, block.title or block.language, line_at(starts, block.span.start))
        for block in document.outline
        if block.kind in ("heading", "code")
    ]


@given(text=st.lists(st.sampled_from(COMMON), max_size=25).map("".join))
@settings(max_examples=1000)
def test_headings_and_code_are_those_of_markdown_it(text: str) -> None:
    assert seen_by_loader(text) == seen_by_oracle(text)


def test_headings_and_code_of_real_documentation(shared: Path) -> None:
    files = sorted((shared / "data/httpx-docs/docs").rglob("*.md"))
    if not files:
        pytest.skip("shared/data/httpx-docs has no Markdown")
    for file in files:
        text = file.read_bytes().decode()
        assert seen_by_loader(text) == seen_by_oracle(text), file.name
