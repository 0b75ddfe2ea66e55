"""CSV and TSV: dialect, header, records, and where each stands in the file."""

from __future__ import annotations

import csv
import io
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import LoadError
from pincite.load.dialect import find_delimiter, has_header
from pincite.load.markdown_table import column_names
from pincite.load.records import NO_DELIMITER, records
from pincite.load.table import TableLoader
from pincite.model import Document, Source


def load(text: str, path: str = "lists/a.csv") -> Document:
    return TableLoader().load(Source(path, text.encode()))


def rows(document: Document) -> list[str]:
    return [row.of(document.text) for row in document.blocks[0].rows]


def lines(document: Document) -> list[int | None]:
    return [placement.place.line for placement in document.places]


def notices(document: Document) -> list[tuple[str, str]]:
    assert all(notice.file == document.id for notice in document.warnings)
    return [(notice.kind, notice.message) for notice in document.warnings]


def test_the_document() -> None:
    document = load("Name,Room\nVik,R4\nStorm,R5\n")
    assert document.text == "| Name | Room |\n| --- | --- |\n| Vik | R4 |\n| Storm | R5 |\n"
    (table,) = document.blocks
    assert table.header
    assert table.kind == "table"
    assert table.columns == ("Name", "Room")
    assert table.header.of(document.text) == "| Name | Room |\n| --- | --- |"
    assert rows(document) == ["| Vik | R4 |", "| Storm | R5 |"]
    assert (document.id, document.source, document.media_type) == ("lists/a.csv", "lists/a.csv", "text/csv")
    assert document.warnings == ()


def test_places_name_record_and_line() -> None:
    document = load('\nName,Note\n\nVik,"two\nlines"\nStorm,x')
    assert lines(document) == [2, 4, 6]
    assert [placement.place.row for placement in document.places] == [None, 1, 2]
    assert document.place(document.blocks[0].rows[1]).row == 2
    assert "| Vik | two<br>lines |" in document.text


@pytest.mark.parametrize("text", ["", " \n\n", ",,\n,,\n"])
def test_an_empty_file_warns(text: str) -> None:
    document = load(text)
    assert document.blocks == ()
    assert [kind for kind, _ in notices(document)] == ["empty"]


def test_a_header_alone_warns() -> None:
    document = load("Name,Room\n")
    assert document.blocks[0].columns == ("Name", "Room")
    assert notices(document) == [("empty", "the table has a header and no records")]


def test_cells_are_written_for_markdown() -> None:
    document = load('A,B\n" a|b ","x\r\ny\rz"\n')
    assert rows(document) == ["| a\\|b | x<br>y<br>z |"]


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("a,b\n1,2\n", ","),
        ("a;b\n1;2\n", ";"),
        ("a\tb\n1\t2\n", "\t"),
        ("a|b|c\n1|2|3\n", "|"),
        ("root:x:home\nvik:y:home\n", ":"),
        ("Teil;Preis;Breite\nA;1,5;2,5\nB;2,5;3,5\n", ";"),
        ("1,5;2,5\n3,5;4,5\n", ";"),
        ("Zeit,Ort\n12:30,Hof\n13:30,Tor\n", ","),
        ("10:30,11:30\n12:30,13:30\n", ","),
        ("url\nhttps://a.example/b\nhttps://a.example/c\n", NO_DELIMITER),
        ("time\n10:30\n11:30\n", NO_DELIMITER),
        ("word\nanother word\n", NO_DELIMITER),
        ('"a;b",c\n"d;e",f\n', ","),
        ("a\n", NO_DELIMITER),
        ("", NO_DELIMITER),
        ("a;b\n" * 40_000, ";"),
        ("a;b" * 40_000, ";"),
    ],
)
def test_delimiters(text: str, delimiter: str) -> None:
    assert find_delimiter(text) == delimiter


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("Name,Room\nVik,R4\n", ("Name", "Room")),
        ("Name,2019,2020\nA,1,2\n", ("Name", "2019", "2020")),
        ("Vik,2019\nStorm,2020\n", ("column 1", "column 2")),
        ("Vik,12\nStorm,13\n", ("column 1", "column 2")),
        ("Vik,12.50 €\nStorm,13\n", ("column 1", "column 2")),
        ("Vik,2025-01-02\nStorm,x\n", ("column 1", "column 2")),
        ("Vik,10:30\nStorm,x\n", ("column 1", "column 2")),
        ("Vik,vik@example.org\nStorm,x\n", ("column 1", "column 2")),
        (",Q1\nA,5\n", ("column 1", "Q1")),
        ("a,a,a,,a (2)\nx,1,2,3,4\n", ("a", "a (2)", "a (3)", "column 4", "a (2) (2)")),
        ("Name,2019\n", ("Name", "2019")),
    ],
)
def test_headers(text: str, columns: tuple[str, ...]) -> None:
    assert load(text).blocks[0].columns == columns


def test_without_a_header_every_record_is_a_row() -> None:
    document = load("Vik,12\nStorm,13\n")
    assert rows(document) == ["| Vik | 12 |", "| Storm | 13 |"]
    assert lines(document) == [1, 2]
    assert not has_header(list(records("Vik,12", ",")))
    assert document.place(document.blocks[0].header or document.blocks[0].span).line is None


def test_short_and_long_records() -> None:
    document = load("A,B\n1x\n\n2x,y,z\n3x,y,,\n4x,y,z,w\n")
    assert document.blocks[0].columns == ("A", "B", "column 3", "column 4")
    assert rows(document)[0] == "| 1x |  |  |  |"
    assert rows(document)[1] == "| 2x | y | z |  |"
    ((kind, message),) = notices(document)
    assert kind == "long_record"
    assert message.endswith("(lines 4, 6)")


def test_a_delimiter_at_every_line_end_opens_no_column() -> None:
    document = load("A,B,\n1x,2x,\n")
    assert document.blocks[0].columns == ("A", "B")
    assert document.warnings == ()


def test_the_rest_of_a_very_long_record_stays_together() -> None:
    document = load("A,B\nx,y\n" + ",".join(f"c{n}" for n in range(50)) + "\n")
    assert len(document.blocks[0].columns) == 22
    assert rows(document)[1].endswith("| c20 | " + ",".join(f"c{n}" for n in range(21, 50)) + " |")


def test_many_lines_are_named_in_part() -> None:
    document = load("A,B\n" + "x,y\n" * 30 + "x,y,z\n" * 12)
    assert notices(document)[0][1].endswith("(lines 32, 33, 34, 35, 36, 37, 38, 39, 40, 41 and 2 more)")


def test_nuls_are_taken_out_and_reported() -> None:
    """Twin of C068, a.csv."""
    document = load("Item,Note\nTar,barrel 4\nPitch,bar\0rel 5\nOil,\0can\0\n")
    assert rows(document) == ["| Tar | barrel 4 |", "| Pitch | barrel 5 |", "| Oil | can |"]
    assert notices(document) == [("nul", "NUL characters were taken out (lines 3, 4)")]


def test_an_unclosed_quote_swallows_nothing() -> None:
    document = load('Name,Note\nVik,"a ""b"" \nStorm,""\nDahl,"x"\n'.replace('"x"', "x"))
    assert lines(document) == [1, 2, 3, 4]
    assert rows(document)[0] == '| Vik | "a ""b"" |'
    assert notices(document) == [("unclosed_quote", "a quote is never closed and stands as a character (line 2)")]


def test_a_declared_delimiter() -> None:
    document = load("sep=;\r\nA;B\r\n1,5;x\r\n")
    assert document.blocks[0].columns == ("A", "B")
    assert lines(document) == [2, 3]


def test_tsv() -> None:
    document = load("A\tB, C\n1x\t2, 3\n", "a.TSV")
    assert document.media_type == "text/tab-separated-values"
    assert rows(document) == ["| 1x | 2, 3 |"]
    assert load("A,B\n1x,2x\n", "a.tsv").blocks[0].columns == ("A", "B")


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ('"a",b', ["a", "b"]),
        ('"a, ""b""", c', ['a, "b"', " c"]),
        ('a, "b, c"', ["a", "b, c"]),
        ('"a, b" c,d', ['"a, b" c', "d"]),
        ('5" pipe,6" pipe', ['5" pipe', '6" pipe']),
        ('"",x', ["", "x"]),
        ('"a" ,b', ["a", "b"]),
        ('"a\nb","c\r\nd"', ["a\nb", "c\r\nd"]),
        ('x,"a', ["x", '"a']),
        ('"a,"b,"c', ['"a,"b', '"c']),
    ],
)
def test_quotes(text: str, cells: list[str]) -> None:
    assert [record.cells for record in records(text, ",")] == [cells]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_record_lines(line_end: str) -> None:
    text = line_end.join(["a,b", "", '"c', '",d', " ", "e,f"])
    assert [(record.line, len(record.cells)) for record in records(text, ",")] == [(1, 2), (3, 2), (6, 2)]


cells = st.text(alphabet='ab,;"\n\r é', max_size=6)


@given(table=st.lists(st.lists(cells, min_size=1, max_size=4), max_size=5), delimiter=st.sampled_from(",;\t|:"))
def test_what_the_csv_module_writes_is_read_back(table: list[list[str]], delimiter: str) -> None:
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter, quoting=csv.QUOTE_ALL).writerows(table)
    expected = [row for row in table if any(cell.strip() for cell in row)]
    assert [record.cells for record in records(file.getvalue(), delimiter)] == expected


def test_column_names_are_distinct() -> None:
    assert column_names(["a (2)", "a", "a", "\n a\tb "], 4) == ("a (2)", "a", "a (3)", "a b")
    many = column_names(["x"] * 20_000, 20_000)
    assert len(set(many)) == 20_000


def test_tables_made_to_exhaust_the_memory_are_refused() -> None:
    with pytest.raises(LoadError, match="far more cells than the file has") as caught:
        load(",".join("abcdefgh") + ",x" * 3000 + "\n" + "y,z\n" * 3000)
    assert (caught.value.kind, caught.value.file) == ("too_large", "lists/a.csv")


def test_a_field_larger_than_the_csv_module_allows() -> None:
    limit = csv.field_size_limit()
    document = load(f'A,B\nx,"{"y" * 200_000}"\n')
    assert "y" * 200_000 in document.text
    assert csv.field_size_limit() == limit


def test_time_is_linear() -> None:
    def seconds(count: int) -> float:
        text = "A,B,C\n" + 'x,"y, ""z""",w\n' * count + '"never closed\n' + 'x,"""",w\n' * count
        start = time.process_time()
        load(text)
        return time.process_time() - start

    small, large = seconds(2_000), seconds(8_000)
    assert large < 10 * small + 0.5


def test_options_are_checked() -> None:
    with pytest.raises(ValueError, match="max_bytes must be at least 1, got 0"):
        TableLoader(max_bytes=0)
    with pytest.raises(LoadError, match="more than 2 "):
        TableLoader(max_bytes=2).load(Source("a.csv", b"a,b"))


def test_repeated_header_short_and_long_rows() -> None:
    """Twin of C018."""
    document = load("Who,Tel,Tel,Room\nVik,1-0,1-1,R4\nStorm,2-0\n\nDahl,3-0,3-1,R6,key below\nRuud,,4-1,R7")
    assert document.blocks[0].columns == ("Who", "Tel", "Tel (2)", "Room", "column 5")
    assert rows(document)[1:] == [
        "| Storm | 2-0 |  |  |  |",
        "| Dahl | 3-0 | 3-1 | R6 | key below |",
        "| Ruud |  | 4-1 | R7 |  |",
    ]
    assert lines(document) == [1, 2, 3, 5, 6]
    assert [kind for kind, _ in notices(document)] == ["long_record"]


def test_case_018(shared: Path) -> None:
    document = TableLoader().load(Source("C018.csv", (shared / "cases/C018.csv").read_bytes()))
    found = rows(document)
    assert len(found) == 4
    assert "11-20" in found[0]
    assert "11-21" in found[0]
    assert "spare key with porter" in found[2]
    assert found[3] == "| Una Falk |  | 14-51 | R7 |  |"
    assert "None" not in document.text
    assert "nan" not in document.text
    assert [message.endswith("(line 5)") for _, message in notices(document)] == [True]


def test_case_068(shared: Path) -> None:
    document = TableLoader().load(Source("C068/a.csv", (shared / "cases/C068/a.csv").read_bytes()))
    assert rows(document) == ["| Tar | barrel 4 |", "| Pitch | barrel 5 |"]
    assert "\0" not in document.text
    assert [message.endswith("(line 3)") for _, message in notices(document)] == [True]
