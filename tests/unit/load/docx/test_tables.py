"""Tables: every row stands alone, the header is found, and each text is there once."""

from __future__ import annotations

import time

import pytest
from tests.unit.load.docx.loading import load, text_of
from tools.make_golden_docx import cell, paragraph, row, run, table, text_box

from pincite.errors import LoadError
from pincite.model import Place

RESTART, BELOW = '<w:vMerge w:val="restart"/>', "<w:vMerge/>"
MARKED = "<w:tblHeader/>"
LOOK = '<w:tblLook w:val="04A0"/>'


def wide(span: int) -> str:
    return f'<w:gridSpan w:val="{span}"/>'


def rows_of(*rows: str, properties: str = "") -> list[list[str]]:
    """The cells of the table as it is written, without the line under the header."""
    lines = text_of(table(*rows, properties=properties)).splitlines()
    return [[own.strip() for own in line.strip("|").split("|")] for line in lines if not line.startswith("| ---")]


def header_of(*rows: str, properties: str = "") -> tuple[str, ...]:
    [block] = load(table(*rows, properties=properties)).blocks
    return block.columns


def test_a_cell_merged_downwards_is_repeated_and_columns_do_not_shift() -> None:
    rows = rows_of(
        row("Hall", "Machine", properties=MARKED),
        row(cell("Hall 3", RESTART), "Saw"),
        row(cell("", BELOW), "Drill"),
        row(cell("", '<w:vMerge w:val="continue"/>'), "Press"),
        row("Hall 5", "Lathe"),
        row("", "Pump"),
        row(cell("", BELOW), "Fan"),
    )
    assert rows == [
        ["Hall", "Machine"],
        *(
            [
                ["Hall 3", "Saw"],
                ["Hall 3", "Drill"],
                ["Hall 3", "Press"],
                ["Hall 5", "Lathe"],
                ["", "Pump"],
                ["", "Fan"],
            ]
        ),
    ]


def test_a_cell_merged_across_is_repeated() -> None:
    rows = rows_of(row("a", "b", "c", properties=MARKED), row(cell("x", wide(2)), "y"))
    assert rows[1] == ["x", "x", "y"]
    older = rows_of(
        row("a", "b", properties=MARKED),
        row(cell("x", '<w:hMerge w:val="restart"/>'), cell("", "<w:hMerge/>")),
    )
    assert older[1] == ["x", "x"]


def test_a_cell_merged_both_ways() -> None:
    both = wide(2)
    rows = rows_of(row(cell("x", RESTART + both), "1"), row(cell("", BELOW + both), "2"), row("a", "b", "c"))
    assert rows[1:] == [["x", "x", "1"], ["x", "x", "2"], ["a", "b", "c"]]


def test_a_row_may_begin_late_and_end_early() -> None:
    before, after = '<w:gridBefore w:val="1"/>', '<w:gridAfter w:val="1"/>'
    rows = rows_of(row("a", "b", "c", properties=MARKED), row("x", properties=before + after))
    assert rows[1] == ["", "x", ""]


def test_prose_in_a_merged_cell_is_not_repeated() -> None:
    prose = "A long sentence. " * 20
    rows = rows_of(row(cell(prose, RESTART), "1"), row(cell("", BELOW), "2"))
    assert [len(own[0]) > 0 for own in rows[1:]] == [True, False]


def test_a_header_of_two_rows_names_the_columns_together() -> None:
    columns = header_of(
        row(cell("Hall", RESTART), cell("Hours", wide(2)), properties=MARKED),
        row(cell("", BELOW), "Day", "Night", properties=MARKED),
        row("3", "8", "2"),
    )
    assert columns == ("Hall", "Hours Day", "Hours Night")


def test_a_table_whose_rows_are_all_marked_has_one_header_row() -> None:
    [block] = load(table(*(row(name, name + name, properties=MARKED) for name in "abc"))).blocks
    assert block.columns == ("a", "aa")
    assert len(block.rows) == 2


@pytest.mark.parametrize(
    ("rows", "properties", "columns"),
    [
        ([row("Hall", "Hours"), row("A", "8 h"), row("B", "14 h")], "", ("Hall", "Hours")),
        ([row("Ort", "Bonn"), row("Leitung", "Weiß")], LOOK, ("column 1", "column 2")),
        ([row("Ort", "Bonn"), row("Leitung", "Weiß")], '<w:tblStyle w:val="Blau"/>' + LOOK, ("Ort", "Bonn")),
        ([row("a", "b", "c"), row("d", "e", "f")], LOOK, ("a", "b", "c")),
        ([row("a", "b", "c"), row("d", "e", "f")], '<w:tblLook w:firstRow="1"/>', ("a", "b", "c")),
        ([row("a", "b", "c"), row("d", "e", "f")], '<w:tblLook w:val="x"/>', ("column 1", "column 2", "column 3")),
        ([row("a", "b", "c"), row("d", "e", "f")], "", ("column 1", "column 2", "column 3")),
        ([row("a", "a", "b"), row("d", "e", "f")], LOOK, ("column 1", "column 2", "column 3")),
        ([row("2023", "2024", "2025"), row("d", "e", "f")], LOOK, ("column 1", "column 2", "column 3")),
        ([row("only", "this", "row")], LOOK, ("column 1", "column 2", "column 3")),
        ([row("a"), row("8")], LOOK, ("column 1",)),
    ],
    ids=["figures", "pairs", "styled", "three", "first row", "no bits", "no look", "twice", "years", "one", "column"],
)
def test_whether_the_first_row_is_a_header(rows: list[str], properties: str, columns: tuple[str, ...]) -> None:
    assert header_of(*rows, properties=properties) == columns


@pytest.mark.parametrize(
    ("first", "second", "header"),
    [
        ("<w:b/>", "", True),
        ('<w:b w:val="0"/>', "", False),
        ("<w:b/>", "<w:b/>", False),
        ("", "", False),
    ],
)
def test_a_bold_first_row_is_a_header(first: str, second: str, header: bool) -> None:
    def bold(properties: str, *texts: str) -> str:
        return row(*(cell(paragraph(inside=run(text, properties))) for text in texts))

    columns = header_of(bold(first, "Ort", "Leitung"), bold(second, "Bonn", "Weiß"))
    assert (columns == ("Ort", "Leitung")) is header


def test_a_shaded_first_row_is_a_header() -> None:
    shade = '<w:shd w:fill="D9D9D9"/>'
    assert header_of(row(cell("Ort", shade), cell("Leitung", shade)), row("Bonn", "Weiß")) == ("Ort", "Leitung")
    white = '<w:shd w:fill="FFFFFF"/>'
    assert header_of(row(cell("Ort", white), cell("Leitung", white)), row("Bonn", "Weiß"))[0] == "column 1"


def test_rows_know_their_number_and_paragraph() -> None:
    body = paragraph("before") + table(row("a", "b", properties=MARKED), row("", ""), row("x", "y"))
    document = load(body)
    [block] = [block for block in document.blocks if block.kind == "table"]
    assert block.header
    assert document.place(block.header) == Place(paragraph=2)
    assert [document.place(span) for span in block.rows] == [Place(row=2, paragraph=6)]


def test_a_nested_table_is_there_once_after_the_one_around_it() -> None:
    inner = table(row("Höhe", "4 m"), row("Breite", "9 m"))
    text = text_of(table(row("Tor", "Maße"), row("Nord", cell(paragraph("siehe") + inner)), row("Süd", "3")))
    assert text.index("| Nord | siehe |") < text.index("| Höhe | 4 m |")
    assert text.count("4 m") == 1


def test_a_table_of_one_cell_is_a_frame() -> None:
    inner = table(row("Höhe", "4 m"), row("Breite", "9 m"))
    document = load(table(row(cell(paragraph("Achtung", style="Heading2") + inner))))
    assert [block.kind for block in document.blocks] == ["heading", "table"]


def test_several_paragraphs_and_text_boxes_of_a_cell_are_its_lines() -> None:
    inside = cell(paragraph("a|b", inside=text_box(paragraph("box"))) + paragraph() + paragraph("c"))
    assert "| x | a\\|b<br>box<br>c |" in text_of(table(row("x", inside), row("y", "z")))


def test_rows_and_cells_inside_controls_are_read() -> None:
    inner = f"<w:sdt><w:sdtContent>{row('x', 'y')}</w:sdtContent></w:sdt>"
    wrapped = f"<w:tr><w:customXml>{cell('a')}</w:customXml>{cell('b')}</w:tr>"
    alternative = f"<mc:AlternateContent><mc:Choice>{row('p', 'q')}</mc:Choice></mc:AlternateContent>"
    empty = "<mc:AlternateContent/><w:tr/>"
    assert rows_of(wrapped + inner + alternative + empty)[1:] == [["a", "b"], ["x", "y"], ["p", "q"]]


def test_a_table_without_cells_is_nothing() -> None:
    assert text_of(table() + paragraph("a")) == "a\n"
    assert text_of(table(row("", ""), row("", "")) + paragraph("a")) == "a\n"


def test_a_cell_without_paragraph_has_no_place() -> None:
    document = load("<w:tbl><w:tr><w:tc/><w:tc/></w:tr>" + row("x", "y") + "</w:tbl>")
    [block] = document.blocks
    assert [document.place(span) for span in block.rows] == [Place(row=2, paragraph=1)]


@pytest.mark.parametrize(
    "rows",
    [
        row(*(cell("x" * 200, wide(1024)) for _ in range(100))),
        row(cell("x", wide(1024))) + row(*(cell("", wide(1024)) for _ in range(50))) * 100,
        row(*[cell("", wide(1024))] * 5000),
    ],
    ids=["text", "cells", "one row"],
)
def test_spans_that_blow_up_are_refused(rows: str) -> None:
    with pytest.raises(LoadError) as caught:
        load(table(rows))
    assert caught.value.kind == "too_large"


def test_a_hostile_table_costs_little() -> None:
    blanks = "1" + "\xa0" * 200_000 + "x y z"
    start = time.process_time()
    load(table(row("a", "b", "c"), row(blanks, blanks, blanks), properties=LOOK))
    assert time.process_time() - start < 2
