"""CSV and TSV: one Markdown table, each row of which knows its record and its line in the file."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import islice

from pincite.errors import LoadError
from pincite.load.decoding import decode
from pincite.load.dialect import find_delimiter, has_header
from pincite.load.limits import at_least_one
from pincite.load.markdown_table import column_names, table_row
from pincite.load.notices import empty, numbered
from pincite.load.records import Record, records
from pincite.model import Block, Document, Notice, Place, Placement, Source, Span
from pincite.text.offsets import line_at, line_starts

_MOST_EXTRA_COLUMNS = 20
_CELLS_PER_CHARACTER = 2
_CELLS_ALLOWED_ALWAYS = 2**20
_LOOKED_AT = 65
"""Records that the guess about the header looks at."""
_DECLARED = re.compile(r"sep=([,;\t|:])[ \t]*(?:\r\n?|\n|\Z)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLoader:
    """Loads delimited files of at most ``max_bytes`` bytes.

    The delimiter is found (`find_delimiter`; a first line ``sep=;`` declares it, a file ``.tsv`` has tabs) and so is
    whether the first record is a header (`has_header`); without one the columns are ``column 1``, ``column 2``, ….
    Short records are filled up with empty cells, long ones open further columns, and a notice names their lines.
    Records without text are left out and not counted.
    """

    max_bytes: int = 256 * 1024 * 1024
    name: str = "csv"

    def __post_init__(self) -> None:
        at_least_one(self, "max_bytes")

    def load(self, source: Source) -> Document:
        decoded = decode(source, max_bytes=self.max_bytes, loader=self.name, nul="keep")
        text, nul_notices = _without_nuls(decoded.text, source.path)
        tabs = source.path.lower().endswith(".tsv")
        table = _look(text, tabs=tabs)
        written = _write(table, source.path) if table.first else _Written()
        return Document(
            id=source.path,
            source=source.path,
            media_type="text/tab-separated-values" if tabs else "text/csv",
            text=written.text,
            blocks=written.blocks,
            places=written.places,
            warnings=(*decoded.notices, *nul_notices, *_notices(table, written, source.path)),
        )


@dataclass(frozen=True, slots=True)
class _Written:
    """The table as Markdown; ``long`` are the lines of the file whose records are longer than the header."""

    text: str = ""
    blocks: tuple[Block, ...] = ()
    places: tuple[Placement, ...] = ()
    long: tuple[int, ...] = ()


def _without_nuls(text: str, file: str) -> tuple[str, list[Notice]]:
    if "\0" not in text:
        return text, []
    starts = line_starts(text)
    lines = numbered("line", (line_at(starts, match.start()) for match in re.finditer("\0", text)))
    message = f"NUL characters were taken out ({lines})"
    return text.replace("\0", ""), [Notice(kind="nul", message=message, file=file)]


@dataclass(frozen=True, slots=True)
class _Table:
    """A delimited text and what a first pass over its records found. They are not kept but read again: their cells
    would take ten times the memory of the text."""

    text: str
    delimiter: str
    declared: int
    first: list[Record]
    lines: array[int]
    cells: array[int]
    widths: array[int]
    unclosed: list[int]

    def records(self) -> Iterator[Record]:
        return _records(self.text, self.delimiter, self.declared)


def _records(text: str, delimiter: str, declared: int) -> Iterator[Record]:
    """``declared`` is how much of the text declares the delimiter."""
    return records(text[declared:], delimiter, line=2) if declared else records(text, delimiter)


def _look(text: str, *, tabs: bool) -> _Table:
    declared = _DECLARED.match(text)
    found = "\t" if tabs and "\t" in text else ""
    delimiter = declared[1] if declared else found or find_delimiter(text)
    skipped = declared.end() if declared else 0
    table = _Table(text, delimiter, skipped, [], array("L"), array("L"), array("L"), [])
    for record in _records(text, delimiter, skipped):
        if len(table.first) < _LOOKED_AT:
            table.first.append(record)
        table.lines.append(record.line)
        table.cells.append(len(record.cells))
        table.widths.append(_width(record.cells))
        if record.unclosed:
            table.unclosed.append(record.line)
    return table


def _write(table: _Table, file: str) -> _Written:
    headed = has_header(table.first)
    own = table.widths[1:] if headed else table.widths
    named = table.cells[0] if headed else Counter(table.cells).most_common(1)[0][0]
    width = max(table.widths[0], min(max(own, default=0), named + _MOST_EXTRA_COLUMNS))
    if width * len(table.lines) > _CELLS_PER_CHARACTER * len(table.text) + _CELLS_ALLOWED_ALWAYS:
        raise LoadError(
            f"{len(table.lines):,} records in {width:,} columns are far more cells than the file has",
            cure="Look at its longest line; split the table or leave the file out.",
            kind="too_large",
            file=file,
        )
    columns = column_names(table.first[0].cells if headed else [], width)
    head = f"{table_row(columns)}\n{table_row(['---'] * width)}"
    rows, places = [], []
    if headed:
        places.append(Placement(Span(0, len(head)), Place(line=table.lines[0])))
    written = StringIO()
    written.write(f"{head}\n")
    offset = len(head) + 1
    for number, record in enumerate(islice(table.records(), 1 if headed else 0, None), start=1):
        line = table_row(_fitted(record.cells, width, table.delimiter))
        span = Span(offset, offset + len(line))
        written.write(f"{line}\n")
        rows.append(span)
        places.append(Placement(span, Place(row=number, line=record.line)))
        offset = span.end + 1
    text = written.getvalue()
    block = Block("table", Span(0, len(text) - 1), header=Span(0, len(head)), rows=tuple(rows), columns=columns)
    lines = table.lines[1:] if headed else table.lines
    long = tuple(line for line, width in zip(lines, own, strict=True) if width > named)
    return _Written(text, (block,), tuple(places), long)


def _width(cells: Sequence[str]) -> int:
    """The number of cells up to the last one that has text."""
    width = len(cells)
    while width and not cells[width - 1].strip():
        width -= 1
    return width


def _fitted(cells: list[str], width: int, delimiter: str) -> list[str]:
    """Exactly ``width`` cells: filled up, or the rest of a very long record as it was in the last one."""
    if len(cells) < width:
        return cells + [""] * (width - len(cells))
    if _width(cells) > width:
        return [*cells[: width - 1], delimiter.join(cells[width - 1 :])]
    return cells[:width]


def _notices(table: _Table, written: _Written, file: str) -> Iterator[Notice]:
    if not table.first:
        yield empty(file)
    elif not written.blocks[0].rows:
        yield Notice(kind="empty", message="the table has a header and no records", file=file)
    if written.long:
        message = (
            f"records with more cells than there are columns opened further ones ({numbered('line', written.long)})"
        )
        yield Notice(kind="long_record", message=message, file=file)
    if table.unclosed:
        message = f"a quote is never closed and stands as a character ({numbered('line', table.unclosed)})"
        yield Notice(kind="unclosed_quote", message=message, file=file)
