"""Cells far away from the rest cost neither the memory nor the sheet."""

from __future__ import annotations

import re
import zipfile
from io import BytesIO
from typing import Any

import pytest
import xlsxwriter  # type: ignore[import-untyped] # ships no types
from hypothesis import given, settings
from hypothesis import strategies as st
from tools.make_golden_office import archive, open_document, xls

from pincite.errors import LoadError
from pincite.load.sheet_gaps import close_tables, close_worksheet, column_letters
from pincite.load.spreadsheet import SpreadsheetLoader
from pincite.model import Document, Source

LAST_ROW, LAST_COLUMN = 1_048_575, 16_383
SMALL = [(0, 0, "Hall"), (0, 1, "Boats"), (1, 0, "East"), (1, 1, "3"), (2, 0, "West"), (2, 1, "4")]


def workbook(cells: list[tuple[int, int, str]], *, merged: tuple[int, int, int, int] | None = None) -> bytes:
    buffer = BytesIO()
    book = xlsxwriter.Workbook(buffer, {"in_memory": True})
    sheet = book.add_worksheet("Boats")
    for row, column, text in cells:
        sheet.write(row, column, text)
    if merged:
        sheet.merge_range(*merged, "merged")
    book.add_worksheet("Other").write(0, 0, "near")
    book.close()
    return buffer.getvalue()


def load(data: bytes, path: str = "a.xlsx", **options: Any) -> Document:
    return SpreadsheetLoader(**options).load(Source(path, data))


def places(document: Document) -> list[tuple[int | None, str]]:
    return [(document.place(block.span).row, block.span.of(document.text)) for block in document.outline]


TABLE = "| Hall | Boats |\n| --- | --- |\n| East | 3 |\n| West | 4 |"


def test_a_stray_cell_in_the_last_row_is_read_with_its_number() -> None:
    document = load(workbook([*SMALL, (LAST_ROW, 0, "stray")]), max_cells=1000)
    assert places(document)[:3] == [(None, "# Boats"), (1, TABLE), (LAST_ROW + 1, "stray")]
    (notice,) = document.warnings
    assert (notice.kind, notice.message) == (
        "sheet",
        "cells of the sheet 'Boats' lie very far apart (row 1,048,576); blank ones between them were left out",
    )
    assert document.text.endswith("# Other\n\nnear\n")


def test_a_stray_cell_in_the_last_column_is_one_more_column() -> None:
    document = load(workbook([*SMALL, (1, LAST_COLUMN, "stray")]), max_cells=1000)
    assert "| East | 3 |  | stray |\n" in document.text
    assert document.blocks[1].columns == ("Hall", "Boats", "column 3", "column 4")
    assert "(column XFD)" in document.warnings[0].message


def test_two_cells_in_far_corners() -> None:
    document = load(workbook([(0, 0, "a"), (LAST_ROW, LAST_COLUMN, "b")]), max_cells=1000)
    assert places(document)[1:3] == [(1, "a"), (LAST_ROW + 1, "b")]
    assert "(row 1,048,576, column XFD)" in document.warnings[0].message


def test_merged_cells_beyond_a_gap_are_repeated() -> None:
    cells = [*SMALL, (5000, 0, "x"), (5001, 0, "y"), (5000, 1, "1"), (5001, 1, "2")]
    document = load(workbook([*cells, (5000, 900, "z"), (5001, 900, "w")], merged=(5000, 901, 5001, 902)))
    assert document.text.count("merged") == 2
    assert (5002, "| y | 2 |  | w | merged |") in [
        (document.place(row).row, row.of(document.text)) for block in document.blocks for row in block.rows
    ]


def test_sheets_without_long_gaps_are_left_alone() -> None:
    for cells in (SMALL, [*SMALL, (100, 9, "x")], [(5000, 0, "below nothing")], [(0, 9000, "right of nothing")]):
        assert not load(workbook(cells)).warnings


def test_cells_that_do_not_say_where_they_stand_are_left_alone() -> None:
    sheet = b'<sheetData><row r="1"><c><v>1</v></c></row><row r="90000"><c r="A90000"><v>1</v></c></row></sheetData>'
    assert close_worksheet(sheet) is None
    assert close_worksheet(sheet.replace(b"<c>", b'<c r="A1">')) is not None
    assert close_worksheet(b'<sheetData><row r="90000"/></sheetData>') is None
    assert close_worksheet(b"<sheetData/>") is None


def test_a_prefix_and_what_else_is_in_a_worksheet_stay() -> None:
    sheet = (
        b'<x:worksheet><x:sheetData><x:row spans="1:1" r="1"><x:c r="A1" s="2"><x:v>1</x:v></x:c></x:row>'
        b'<x:row r="70000" ht="20"><x:c r="AAA70000"><x:v>2</x:v></x:c><x:c r="AAB70000" s="1"/></x:row></x:sheetData>'
        b'<x:rowBreaks/><x:mergeCell ref="A1:B2"/></x:worksheet>'
    )
    closed = close_worksheet(sheet)
    assert closed
    data, gaps = closed
    assert data == (sheet.replace(b'r="70000"', b'r="4"').replace(b"AAA70000", b"C4").replace(b"AAB70000", b"D4"))
    assert (gaps.last_row, gaps.last_column) == (69_999, 702)


@given(
    rows=st.lists(st.integers(0, LAST_ROW), min_size=1, max_size=6, unique=True),
    columns=st.lists(st.integers(0, LAST_COLUMN), min_size=1, max_size=4, unique=True),
)
@settings(max_examples=100)
def test_every_cell_gets_its_own_numbers_back(rows: list[int], columns: list[int]) -> None:
    text = ""
    for row in sorted(rows):
        cells = "".join(f'<c r="{column_letters(column)}{row + 1}"><v>1</v></c>' for column in sorted(columns))
        text += f'<row r="{row + 1}">{cells}</row>'
    sheet = f"<sheetData>{text}</sheetData>".encode()
    closed = close_worksheet(sheet)
    if closed is None:
        return
    data, gaps = closed
    found = [
        (gaps.rows.back(int(row) - 1), gaps.columns.back(number_of(letters.decode())))
        for letters, row in re.findall(rb'<c r="([A-Z]+)([0-9]+)"', data)
    ]
    assert found == [(row, column) for row in sorted(rows) for column in sorted(columns)]
    closed_rows = sorted({gaps.rows.there(row) for row in rows})
    assert closed_rows[-1] - closed_rows[0] <= 101 * len(rows)


def number_of(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


# OpenDocument.


def cell(text: str) -> str:
    return f'<table:table-cell office:value-type="string"><text:p>{text}</text:p></table:table-cell>'


def blank(columns: int) -> str:
    return f'<table:table-cell table:number-columns-repeated="{columns}"/>'


def row(cells: str, times: int = 1) -> str:
    return f'<table:table-row table:number-rows-repeated="{times}">{cells}</table:table-row>'


def test_far_cells_of_open_documents() -> None:
    rows = row(cell("Tide") + cell("Height")) + row(cell("high") + cell("4") + blank(16_000) + cell("stray"))
    rows += row(cell("low") + cell("2") + blank(16_001)) + row(blank(16_384), 1_000_000) + row(cell("far"))
    document = load(open_document(rows), "a.ods", max_cells=1000)
    assert "| high | 4 |  | stray |\n" in document.text
    assert places(document)[-1] == (1_000_004, "far")
    assert "(row 1,000,004, column WQM)" in document.warnings[0].message


def test_blank_rows_and_columns_at_the_end_are_no_gap() -> None:
    rows = row(cell("a") + blank(1023)) + row(blank(1024), 1_048_575)
    assert not load(open_document(rows), "a.ods").warnings
    assert close_tables(rows.encode(), path="a") is None


def test_an_old_workbook_is_still_refused() -> None:
    """Its cells cannot be moved; what is asked for is said."""
    with pytest.raises(LoadError, match="far apart") as caught:
        load(xls([(0, 0, 1.0), (65_535, 65_535, 2.0)]), "a.xls", max_memory_bytes=10**9)
    assert caught.value.kind == "too_large"


def test_a_workbook_without_relations_is_left_alone() -> None:
    data = workbook([*SMALL, (LAST_ROW, 0, "stray")])
    with zipfile.ZipFile(BytesIO(data)) as file:
        members: dict[str, str | bytes] = {
            name: file.read(name) for name in file.namelist() if name != "xl/_rels/workbook.xml.rels"
        }
    with pytest.raises(LoadError) as caught:
        load(archive(members))
    assert caught.value.kind == "corrupt"
