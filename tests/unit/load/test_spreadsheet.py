"""Workbooks: sheets, tables, merged cells, limits. Cells are read in a process of their own."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from io import BytesIO
from typing import Any

import pytest
import xlsxwriter  # type: ignore[import-untyped] # ships no types
from tools.make_golden_office import archive, ole, xls

from pincite.errors import LoadError
from pincite.load.sheet_cells import Sheet, Value, shown
from pincite.load.spreadsheet import SpreadsheetLoader, _written
from pincite.load.writer import MarkdownWriter
from pincite.model import Document, Place, Source


def moment(*parts: int) -> datetime.datetime:
    """Spreadsheets know no time zones."""
    year, month, day, *rest = parts
    return datetime.datetime.combine(datetime.date(year, month, day), datetime.time(*rest))  # type: ignore[arg-type]


def workbook(fill: Callable[[Any], None]) -> bytes:
    buffer = BytesIO()
    book = xlsxwriter.Workbook(buffer, {"in_memory": True})
    fill(book)
    book.close()
    return buffer.getvalue()


def load(data: bytes, path: str = "a.xlsx", **options: Any) -> Document:
    return SpreadsheetLoader(**options).load(Source(path, data))


def refusal(data: bytes, path: str = "a.xlsx", **options: Any) -> LoadError:
    with pytest.raises(LoadError) as caught:
        load(data, path, **options)
    assert caught.value.file == path
    return caught.value


def written(*rows: Sequence[str], merged: Sequence[tuple[int, int, int, int]] = (), most: int = 1000) -> Document:
    """A sheet of those rows from the first one on; rows without cells are blank."""
    width = max(len(row) for row in rows)
    filled = [(number, [*row, *[""] * (width - len(row))]) for number, row in enumerate(rows, start=1) if row]
    writer = MarkdownWriter()
    sheet = Sheet(name="S", rows=filled, merged=tuple(merged))
    notices = list(_written(sheet, writer, most, "a"))
    return writer.document(id="a", source="a", media_type="x", warnings=notices)


def body(document: Document) -> str:
    return document.text.removeprefix("# S\n\n").rstrip("\n")


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ([["a"]], "a"),
        ([["a"], [], ["b"]], "a\n\nb"),
        ([["a", "b"], ["1", "2"]], "| a | b |\n| --- | --- |\n| 1 | 2 |"),
        ([["1", "2"], ["3", "4"]], "| column 1 | column 2 |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |"),
        ([["T"], ["a", "b"], ["1", "2"]], "T\n\n| a | b |\n| --- | --- |\n| 1 | 2 |"),
        ([["", "a", "b"], ["", "1", "2"]], "| a | b |\n| --- | --- |\n| 1 | 2 |"),
        ([["a", "b"], ["1", "2"], [], ["3", "4"]], "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |"),
        (
            [["a", "b"], ["1", "2"], [], ["c", "d"], ["3", "4"]],
            "| a | b |\n| --- | --- |\n| 1 | 2 |\n\n| c | d |\n| --- | --- |\n| 3 | 4 |",
        ),
        ([["a", "b"]], "| a | b |\n| --- | --- |"),
        ([["a", "b"], [], ["c"]], "| column 1 | column 2 |\n| --- | --- |\n| a | b |\n\nc"),
        ([["a", "2021", "2022"], ["x", "1", "2"]], "| a | 2021 | 2022 |\n| --- | --- | --- |\n| x | 1 | 2 |"),
        (
            [["a", "", "", ""], ["1", "2", "3", "4"]],
            "a\n\n| column 1 | column 2 | column 3 | column 4 |\n| --- | --- | --- | --- |\n| 1 | 2 | 3 | 4 |",
        ),
    ],
    ids=range(12),
)
def test_tables_of_a_sheet(rows: list[list[str]], text: str) -> None:
    assert body(written(*rows)) == text


def test_places_are_the_numbers_of_the_rows() -> None:
    document = written(["T"], ["a", "b"], ["1", "2"], [], ["3", "4"])
    caption, table = document.blocks[1:]
    assert caption.kind == "caption"
    assert document.place(caption.span) == Place(row=1)
    assert [document.place(row).row for row in table.rows] == [3, 5]


def test_merged_cells_say_their_value_everywhere() -> None:
    document = written(
        ["Title", "", ""],
        ["", "2023", ""],
        ["Hall", "In", "Out"],
        ["Hall 3", "1", "2"],
        ["", "3", "4"],
        merged=[(0, 0, 0, 2), (1, 1, 1, 2), (3, 0, 4, 0), (9, 9, 9, 9), (3, 1, 3, 99)],
    )
    table = document.blocks[-1]
    assert [block.kind for block in document.blocks] == ["heading", "caption", "table"]
    assert table.columns == ("Hall", "2023 In", "2023 Out")
    assert [row.of(document.text) for row in table.rows] == ["| Hall 3 | 1 | 2 |", "| Hall 3 | 3 | 4 |"]


def test_too_many_merged_cells_leave_a_notice() -> None:
    document = written(["a", "b"], ["1", ""], merged=[(0, 0, 1, 1)] * 50, most=20)
    assert "merges more cells" in document.warnings[0].message
    tall = written(["a", "b"], [], ["1", "2"], merged=[(0, 0, 2, 0)], most=1)
    assert len(tall.warnings) == 1


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.1 + 0.2, "0.3"),
        (3.0, "3"),
        (-0.0, "0"),
        (1e21, "1E+21"),
        (7, "7"),
        (True, "TRUE"),
        (False, "FALSE"),
        ("a", "a"),
        (datetime.date(2024, 5, 6), "2024-05-06"),
        (moment(2024, 5, 6, 7, 8), "2024-05-06 07:08"),
        (moment(2024, 5, 6, 7, 7, 59, 999_999), "2024-05-06 07:08"),
        (moment(9999, 12, 31, 23, 59, 59, 999_999), "9999-12-31 23:59:59"),
        (datetime.time(7, 8), "07:08"),
        (datetime.time(7, 8, 9), "07:08:09"),
        (datetime.timedelta(days=1, hours=12), "36:00:00"),
        (datetime.timedelta(minutes=-90), "-1:30:00"),
    ],
)
def test_values(value: Value, text: str) -> None:
    assert shown(value) == text


def everything(book: Any) -> None:
    sheet = book.add_worksheet("One")
    sheet.write_row(2, 1, ["a|b", "c"])
    sheet.write_row(3, 1, [1.5, "x\ny"])
    sheet.write_formula(4, 1, "=1/0", None, "#DIV/0!")
    sheet.write_formula(4, 2, "=A1", None, "")
    book.add_worksheet("Hidden").hide()
    book.add_worksheet("Also").very_hidden()
    book.worksheets()[-1].write(0, 0, "x")
    book.add_chartsheet("Chart")


def test_a_workbook() -> None:
    document = load(workbook(everything))
    assert document.text == "# One\n\n| a\\|b | c |\n| --- | --- |\n| 1.5 | x<br>y |\n\n# Also\n\nx\n"
    assert document.place(document.blocks[1].rows[0]) == Place(row=4)
    assert [notice.message for notice in document.warnings] == [
        "cells with an error such as #DIV/0! are empty here: 1",
        "formulas without a stored result are empty here: 1; save the file in its own program",
        "the sheet 'Hidden' is empty",
        "the sheet 'Also' is hidden; it was loaded all the same",
        "the sheet 'Chart' is a chart or code; left out",
    ]


def test_an_empty_workbook_warns() -> None:
    document = load(workbook(lambda book: book.add_worksheet("One")))
    assert (document.text, [notice.kind for notice in document.warnings]) == ("", ["sheet", "empty"])


def thousand(book: Any) -> None:
    sheet = book.add_worksheet("One")
    for row in range(100):
        sheet.write_row(row, 0, ["0123456789"] * 10)


@pytest.mark.parametrize(
    ("data", "path", "options", "kind", "words"),
    [
        (xls([(0, 0, 1.0), (65_535, 65_535, 2.0)]), "a.xls", {"max_memory_bytes": 10**9}, "too_large", "far apart"),
        (workbook(thousand), "a.xlsx", {"max_cells": 999}, "too_large", "max_cells"),
        (workbook(thousand), "a.xlsx", {"max_characters": 9_999}, "too_large", "max_characters"),
        (workbook(thousand), "a.xlsx", {"max_bytes": 100}, "too_large", "max_bytes"),
        (workbook(thousand), "a.xlsx", {"timeout_s": 0.001}, "too_large", "timeout_s"),
        (b"", "a.xlsx", {}, "corrupt", "empty"),
        (b"text", "a.xls", {}, "unsupported", "plain text"),
        (archive({"a.xml": "<a/>"}), "a.xlsx", {}, "corrupt", "no workbook"),
        (archive({"a.xml": b" " * 50_000_000}), "a.xlsx", {}, "unsafe", "expands"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"x" * 600, "a.xls", {}, "corrupt", "no workbook"),
        (ole("EncryptedPackage", b"x"), "a.xlsx", {}, "encrypted", "encrypted"),
        (archive({"content.xml": "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"}), "a.ods", {}, "unsafe", "document type"),
    ],
    ids=range(12),
)
def test_refusals(data: bytes, path: str, options: dict[str, Any], kind: str, words: str) -> None:
    error = refusal(data, path, **options)
    assert (error.kind, words in str(error)) == (kind, True), error


def test_an_old_workbook_with_a_password_is_encrypted() -> None:
    whole = xls([(0, 0, "a")])
    locked = whole.replace(b"\x85\x00", b"\x2f\x00", 1)  # FILEPASS in the place of the sheet's name
    assert refusal(locked, "a.xls").kind in ("encrypted", "corrupt")


@pytest.mark.parametrize("option", ["max_bytes", "max_cells", "max_characters", "max_memory_bytes", "timeout_s"])
def test_options(option: str) -> None:
    options: dict[str, Any] = {option: 0}
    with pytest.raises(ValueError, match=option):
        SpreadsheetLoader(**options)
