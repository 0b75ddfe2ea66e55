"""The Markdown that loaders write, and what it says of itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.load.writer import LINE_BREAK, MarkdownWriter, Run
from pincite.model import Document, Notice, Place, Placement, Span


def finish(writer: MarkdownWriter) -> Document:
    return writer.document(id="a", source="a", media_type="text/x")


def test_blocks_are_told_apart_and_nest() -> None:
    writer = MarkdownWriter()
    writer.heading("  One \n two ", level=2)
    with writer.list():
        with writer.item(marker="1."):
            writer.paragraph("first")
            with writer.list(), writer.item():
                writer.paragraph("inner")
                writer.paragraph("more")
        with writer.item(marker="2."):
            writer.code("x = 1\n\ny", language="python")
    with writer.quote():
        writer.paragraph(f"said{LINE_BREAK}so")
        writer.paragraph("twice")
    writer.note("at the foot", label="1")
    writer.caption("Figure 1")
    document = finish(writer)
    assert document.text == (
        "## One two\n\n"
        "1. first\n   - inner\n\n     more\n2. ```python\n   x = 1\n   \n   y\n   ```\n\n"
        "> said\n> so\n>\n> twice\n\n[^1]: at the foot\n\nFigure 1\n"
    )
    assert [(block.kind, block.level) for block in document.blocks] == [
        ("heading", 2),
        ("list", 0),
        ("item", 1),
        ("paragraph", 0),
        ("list", 0),
        ("item", 2),
        ("paragraph", 0),
        ("paragraph", 0),
        ("item", 1),
        ("code", 0),
        ("quote", 0),
        ("paragraph", 0),
        ("paragraph", 0),
        ("note", 0),
        ("caption", 0),
    ]
    assert document.sections[0].title == "One two"


def test_tables_know_their_columns_and_rows() -> None:
    writer = MarkdownWriter()
    writer.table(
        [["Price", "Price"], ["net", "gross|all"], ["1"], ["2", "3\n4"]],
        header_rows=2,
        row_places=[Place(row=number) for number in range(1, 5)],
    )
    document = finish(writer)
    (table,) = document.blocks
    assert document.text.splitlines() == [
        "| Price | Price |",
        "| net | gross\\|all |",
        "| --- | --- |",
        "| 1 |  |",
        "| 2 | 3<br>4 |",
    ]
    assert table.columns == ("Price net", "Price gross|all")
    assert [document.place(row).row for row in table.rows] == [3, 4]
    assert table.header == Span(0, document.text.index("| 1"[:3]) - 1)


def test_a_table_without_header_names_its_columns() -> None:
    writer = MarkdownWriter()
    writer.table([["a", "b"]], header_rows=0)
    assert finish(writer).text == "| column 1 | column 2 |\n| --- | --- |\n| a | b |\n"


def test_runs_keep_their_places() -> None:
    writer = MarkdownWriter()
    writer.paragraph([Run("Dampf", Place(line=1)), Run("kessel ist\n", Place(line=2)), Run(" heiß", Place(line=3))])
    document = finish(writer)
    assert document.text == "Dampfkessel ist heiß\n"
    lines = [document.place(Span(index, index + 1)).line for index in (0, 5, 16)]
    assert lines == [1, 2, 3]


def test_lines_of_one_place_are_one_placement() -> None:
    writer = MarkdownWriter()
    with writer.quote():
        writer.paragraph(LINE_BREAK.join(["a"] * 1000), place=Place(page=1))
    writer.paragraph("b", place=Place(page=1))
    document = writer.document(id="a", source="a", media_type="text/x")
    assert [placement.span for placement in document.places] == [Span(2, 3998 + 1), Span(4001, 4002)]


def test_a_place_of_the_block_holds_where_a_run_says_nothing() -> None:
    writer = MarkdownWriter()
    writer.heading([Run("a "), Run("b", Place(page=2))], level=1, place=Place(page=1))
    document = finish(writer)
    assert [document.place(Span(index, index + 1)).page for index in (0, 2, 4)] == [1, 1, 2]


@pytest.mark.parametrize("nothing", ["", "  \n", LINE_BREAK])
def test_nothing_is_written_for_no_text(nothing: str) -> None:
    writer = MarkdownWriter()
    writer.heading(nothing, level=1)
    writer.paragraph(nothing)
    writer.table([[nothing.replace(LINE_BREAK, "")]], header_rows=1)
    with writer.quote(), writer.list(), writer.item():
        writer.paragraph(nothing)
    if nothing != LINE_BREAK:
        writer.code(nothing)
    assert (finish(writer).text, finish(writer).blocks) == ("", ())


def test_a_fence_is_longer_than_those_inside() -> None:
    writer = MarkdownWriter()
    writer.code("````\n```")
    assert finish(writer).text == "`````\n````\n```\n`````\n"


def test_deep_headings_keep_their_level() -> None:
    writer = MarkdownWriter()
    writer.heading("deep", level=8)
    assert (finish(writer).text, finish(writer).blocks[0].level) == ("###### deep\n", 8)


def test_all_text_and_metadata_are_cleaned() -> None:
    writer = MarkdownWriter()
    writer.heading(f"Ver\xadtrag{LINE_BREAK}2", level=1)
    writer.table([["a\0|\xa0b", "\ufeff"], ["x\u2028y", "\ud800"]], header_rows=1)
    writer.code("if x:\n\xa0\xa0y\x0c", language="python")
    with writer.list(), writer.item(marker="\uf0b7"):
        writer.paragraph("one\u200b")
    with writer.list(), writer.item(marker="\xad"):
        writer.paragraph("two")
    writer.note("\x07n", label="1")
    document = writer.document(
        id="a", source="a", media_type="text/x", metadata={"title": " A\n\0B ", "authors": ("C\xad",), "pages": 3}
    )
    assert document.text == (
        "# Vertrag 2\n\n| a\\| b |  |\n| --- | --- |\n| x<br>y | \ufffd |\n\n```python\nif x:\n  y\n```\n\n"
        "• one\n\n- two\n\n[^1]: n\n"
    )
    assert (document.blocks[0].title, document.blocks[1].columns) == ("Vertrag 2", ("a| b", "column 2"))
    assert [block.marker for block in document.blocks if block.kind == "item"] == ["•", "-"]
    assert document.metadata == {"title": "A B", "authors": ("C",), "pages": 3}


def test_text_that_nobody_sees_is_no_text() -> None:
    writer = MarkdownWriter()
    writer.heading("\xad", level=1)
    writer.paragraph([Run("\u200b"), Run(" ")])
    writer.table([["\0", "\ufeff"]], header_rows=0)
    writer.code("\x07\n")
    document = finish(writer)
    assert (document.text, document.blocks) == ("", ())
    assert [(notice.kind, notice.message) for notice in document.warnings] == [("empty", "the file has no text")]
    told = Notice(kind="empty", message="no slides")
    assert writer.document(id="a", source="a", media_type="text/x", warnings=[told]).warnings == (told,)


def test_an_accent_without_a_letter_stands_on_a_sign_and_keeps_its_place() -> None:
    writer = MarkdownWriter()
    with writer.list(), writer.item():
        writer.paragraph("\u0301a", place=Place(page=3))
    writer.paragraph("\u0301b")
    document = finish(writer)
    assert document.text == "- \u25cc\u0301a\n\n\u0301b\n"
    assert document.places == (Placement(Span(3, 5), Place(page=3)),)


LINES = st.lists(st.text(st.sampled_from("ab \n\xad\u2028\u200b\0é"), max_size=6), min_size=1, max_size=6)


@given(texts=LINES)
def test_every_letter_leads_back_to_its_run(texts: list[str]) -> None:
    writer = MarkdownWriter()
    writer.paragraph([Run(text, Place(line=number)) for number, text in enumerate(texts, start=1)])
    document = finish(writer)
    written = [
        (document.place(Span(offset, offset + 1)).line, letter)
        for offset, letter in enumerate(document.text)
        if letter.isalpha()
    ]
    assert written == [
        (number, letter) for number, text in enumerate(texts, start=1) for letter in text if letter.isalpha()
    ]
    assert document.text.split() == "".join(texts).translate({0: None, 0xAD: None, 0x200B: None}).split()


words = st.text(st.sampled_from("ab .\n\t\u00a0\u2028é#|-\u0301\xad\0"), max_size=12)


@st.composite
def written(draw: st.DrawFn) -> Document:
    writer = MarkdownWriter()

    def blocks(depth: int) -> None:
        for _ in range(draw(st.integers(0, 3))):
            kind = draw(st.sampled_from(["heading", "paragraph", "code", "table", "note", "quote", "list"]))
            place = draw(st.sampled_from([None, Place(page=1), Place(page=2)]))
            if kind == "heading":
                writer.heading(draw(words), level=draw(st.integers(1, 7)), place=place)
            elif kind == "paragraph":
                writer.paragraph([Run(draw(words), place or Place()), Run(draw(words))])
            elif kind == "code":
                writer.code(draw(words), place=place)
            elif kind == "table":
                rows = draw(st.lists(st.lists(words, max_size=3), max_size=3))
                writer.table(rows, header_rows=draw(st.integers(0, len(rows))), place=place)
            elif kind == "note":
                writer.note(draw(words), label=draw(st.sampled_from(["", "1"])))
            elif depth < 3 and kind == "quote":
                with writer.quote():
                    blocks(depth + 1)
            elif depth < 3:
                with writer.list():
                    for _ in range(draw(st.integers(0, 2))):
                        with writer.item(marker=draw(st.sampled_from(["-", "1."]))):
                            blocks(depth + 1)

    blocks(0)
    return finish(writer)


@given(written())
def test_whatever_is_written_is_a_document_whose_blocks_hold_all_text(document: Document) -> None:
    covered = [False] * len(document.text)
    for block in document.outline:
        covered[block.span.start : block.span.end] = [True] * len(block.span)
    assert all(inside or character.isspace() for inside, character in zip(covered, document.text, strict=True))
    assert all(block.span.of(document.text).strip() for block in document.blocks)
