"""Sheets whose cells lie very far apart are moved together before they are read.

The reader lays a sheet out from its first to its last cell, so that one stray cell in the last row or column of a
small table would cost the memory of millions. Long gaps of blank rows and columns are shortened in the XML of the sheet
(XLSX, ODS), and what is read gets its own numbers back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from lxml import etree

from pincite.load.xml import Element, parse_xml
from pincite.text.offsets import Edit, OffsetMap

_LONGEST_ROWS, _KEPT_ROWS = 100, 2
_LONGEST_COLUMNS, _KEPT_COLUMNS = 10, 1
_MANY_ROWS = 1000
_LONGEST_PREFIX = 20  # of a namespace

_NUMBERED = re.compile(rb'(<(?:\w+:)?(?:row|c)\b[^<>]*?\sr=")([A-Z]{0,3})(\d{1,7})(?=")')
_ROW = re.compile(rb'<(?:\w+:)?row\b[^<>]*?\sr="(\d{1,7})"')
_FILLED_CELL = re.compile(rb'<(?:\w+:)?c\b[^<>]*?\sr="([A-Z]{1,3})(\d{1,7})"[^<>]*?(?<!/)>')
_CELL = re.compile(rb"<(?:\w+:)?c[\s/>]")
_FAR_COLUMN = re.compile(rb' r="(?:[A-Z]{3}|[J-Z][A-Z]|I[W-Z])\d')  # of more than 256
_REPEATED_BEFORE_VALUE = re.compile(rb'-columns-repeated="\d{2,}"[^<>]*/>\s*<table:table-cell\b[^<>]*-type=')
_REPEATED_ROWS = re.compile(rb'-rows-repeated="\d{3,}"')
_TABLE_END = b"</table:table>"

Spans = Iterable[tuple[int, int]]
"""Half-open ranges of row or column numbers, from 0."""


@dataclass(frozen=True, slots=True)
class Gaps:
    """From the rows and columns of a sheet, counted from 0, to those without the gaps; ``last_row`` and ``last_column``
    are those of the sheet."""

    rows: OffsetMap
    columns: OffsetMap
    last_row: int
    last_column: int

    def __str__(self) -> str:
        """
        >>> str(Gaps(OffsetMap((Edit(10, 1_048_575, 2),)), OffsetMap(), 1_048_575, 3))
        'row 1,048,576'
        """
        said = [f"row {self.last_row + 1:,}"] if self.rows.edits else []
        return ", ".join([*said, f"column {column_letters(self.last_column)}"] if self.columns.edits else said)


def column_letters(column: int) -> str:
    """The name of a column, counted from 0.

    >>> column_letters(0), column_letters(16383)
    ('A', 'XFD')
    """
    text = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        text = chr(ord("A") + rest) + text
    return text


def close_worksheet(data: bytes) -> tuple[bytes, Gaps] | None:
    """A worksheet of XLSX without its gaps; ``None`` where it has no long ones, or cells that do not say where they
    stand."""
    if not _may_be_wide(data):
        return None
    rows: set[int] = set()
    columns: set[bytes] = set()
    for match in _FILLED_CELL.finditer(data):
        columns.add(match[1])
        rows.add(int(match[2]) - 1)
    numbers = {letters: _column_number(letters) for letters in columns}
    gaps = _gaps(((row, row + 1) for row in rows), ((column, column + 1) for column in numbers.values()))
    numbered = sum(bool(match[2]) for match in _NUMBERED.finditer(data))
    if gaps is None or numbered < sum(1 for _ in _CELL.finditer(data)):
        return None

    def moved(match: re.Match[bytes]) -> bytes:
        letters = match[2] and column_letters(gaps.columns.there(_column_number(match[2]))).encode()
        return b"%b%b%d" % (match[1], letters, gaps.rows.there(int(match[3]) - 1) + 1)

    return _NUMBERED.sub(moved, data), gaps


def _may_be_wide(data: bytes) -> bool:
    """Whether a closer look is worth it: a column far to the right, or a last row far below the rows that are there."""
    if _FAR_COLUMN.search(data):
        return True
    end = data.rfind(b"sheetData>")
    last = max(data.rfind(b"<row", 0, end), data.rfind(b":row ", 0, end) - _LONGEST_PREFIX, 0)
    match = _ROW.search(data, last)
    rows = data.count(b"<row") + data.count(b":row ")
    filled = data.count(b"</c>") + data.count(b":c>")
    return match is not None and int(match[1]) > _MANY_ROWS + min(rows + rows // 4, 2 * filled)


def _column_number(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - ord("A") + 1
    return number - 1


def _gaps(rows: Spans, columns: Spans) -> Gaps | None:
    row_spans, column_spans = list(_merged(rows)), list(_merged(columns))
    if not row_spans:
        return None
    row_map = OffsetMap(tuple(_shortened(row_spans, _LONGEST_ROWS, _KEPT_ROWS)))
    column_map = OffsetMap(tuple(_shortened(column_spans, _LONGEST_COLUMNS, _KEPT_COLUMNS)))
    if not row_map.edits and not column_map.edits:
        return None
    return Gaps(row_map, column_map, row_spans[-1][1] - 1, column_spans[-1][1] - 1)


def _merged(spans: Spans) -> Iterator[tuple[int, int]]:
    first = last = -1
    for start, end in sorted(spans):
        if first >= 0 and start > last:
            yield first, last
        if first < 0 or start > last:
            first = start
        last = max(last, end)
    if first >= 0:
        yield first, last


def _shortened(spans: list[tuple[int, int]], longest: int, kept: int) -> Iterator[Edit]:
    """What stands before the first span costs nothing and is left alone."""
    for (_, end), (start, _) in pairwise(spans):
        if start - end > longest:
            yield Edit(end, start, kept)


# OpenDocument: blank rows and cells stand once, with how often they are repeated.


def close_tables(data: bytes, *, path: str) -> tuple[bytes, dict[str, Gaps]] | None:
    """The content of an ODS workbook without the gaps of its tables, by their names; ``None`` where none has long ones.
    Raises ``LoadError`` as ``parse_xml`` does."""
    if not any(_may_have_gaps(table) for table in data.split(_TABLE_END)):
        return None
    root = parse_xml(data, path=path, part="content.xml")
    found: dict[str, Gaps] = {}
    for table in root.iter("{*}table"):
        if gaps := _close_table(table):
            name = next((str(text) for key, text in table.items() if str(key).endswith("}name")), "")
            found[name] = gaps
    return (etree.tostring(root, encoding="UTF-8"), found) if found else None


def _may_have_gaps(table: bytes) -> bool:
    repeated = _REPEATED_ROWS.search(table)
    return (repeated is not None and table.rfind(b"value-type=") > repeated.start()) or bool(
        _REPEATED_BEFORE_VALUE.search(table)
    )


def _close_table(table: Element) -> Gaps | None:
    blank_rows: list[tuple[Element, int, int]] = []
    blank_cells: list[tuple[Element, int, int]] = []
    rows: list[tuple[int, int]] = []
    columns: set[tuple[int, int]] = set()
    top = 0
    for row in table.iter("{*}table-row"):
        below = top + _repeats(row, "rows")
        left, filled = 0, False
        for cell in row.iterchildren("{*}table-cell", "{*}covered-table-cell"):
            right = left + _repeats(cell, "columns")
            if len(cell) or any(str(key).endswith("}value-type") for key in cell.keys()):  # noqa: SIM118 - not a dict
                columns.add((left, right))
                filled = True
            else:
                blank_cells.append((cell, left, right))
            left = right
        if filled:
            rows.append((top, below))
        else:
            blank_rows.append((row, top, below))
        top = below
    gaps = _gaps(rows, columns)
    if gaps:
        for row, start, end in blank_rows:
            _repeat(row, "rows", gaps.rows.there(end) - gaps.rows.there(start))
        for cell, start, end in blank_cells:
            _repeat(cell, "columns", gaps.columns.there(end) - gaps.columns.there(start))
    return gaps


def _attribute(element: Element, what: str) -> str:
    return str(element.tag).partition("}")[0] + "}number-" + what + "-repeated"


def _repeats(element: Element, what: str) -> int:
    text = element.get(_attribute(element, what), "1")
    return max(1, int(text)) if text.isascii() and text.isdecimal() and len(text) < 10 else 1


def _repeat(element: Element, what: str, times: int) -> None:
    parent = element.getparent()
    if times > 0:
        element.set(_attribute(element, what), str(times))
    elif parent is not None:
        parent.remove(element)
