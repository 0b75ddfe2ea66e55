"""CSV and TSV: one Markdown table, each row of which knows its record and its line in the file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from pincite.errors import LoadError
from pincite.load.decoding import decode
from pincite.load.dialect import find_delimiter, has_header
from pincite.load.markdown_table import column_names, table_row
from pincite.load.records import Record, records
from pincite.model import Block, Document, Notice, Place, Placement, Source, Span
from pincite.text.offsets import line_at, line_starts

_MOST_EXTRA_COLUMNS = 20
_CELLS_PER_CHARACTER = 2
_CELLS_ALLOWED_ALWAYS = 2**20
_LINES_NAMED = 10
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
        if self.max_bytes < 1:
            raise ValueError(f"max_bytes must be at least 1, got {self.max_bytes}")

    def load(self, source: Source) -> Document:
        decoded = decode(source, max_bytes=self.max_bytes, loader=self.name, nul="keep")
        text, nul_notices = _without_nuls(decoded.text, source.path)
        tabs = source.path.lower().endswith(".tsv")
        table, delimiter = _read(text, tabs=tabs)
        written = _write(table, delimiter, len(text), source.path) if table else _Written()
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
    lines = sorted({line_at(starts, match.start()) for match in re.finditer("\0", text)})
    message = f"NUL characters were taken out ({_named(lines)})"
    return text.replace("\0", ""), [Notice(kind="nul", message=message, file=file)]


def _read(text: str, *, tabs: bool) -> tuple[list[Record], str]:
    """The records, and the delimiter between their cells."""
    if declared := _DECLARED.match(text):
        rest = text[declared.end() :]
        return list(records(rest, declared[1], line=2)), declared[1]
    delimiter = "\t" if tabs and "\t" in text else find_delimiter(text)
    return list(records(text, delimiter)), delimiter


def _write(table: list[Record], delimiter: str, characters: int, file: str) -> _Written:
    headed = has_header(table)
    body = table[1:] if headed else table
    named = len(table[0].cells) if headed else Counter(len(record.cells) for record in table).most_common(1)[0][0]
    widths = [_width(record.cells) for record in body]
    width = max(_width(table[0].cells), min(max(widths, default=0), named + _MOST_EXTRA_COLUMNS))
    if width * len(table) > _CELLS_PER_CHARACTER * characters + _CELLS_ALLOWED_ALWAYS:
        raise LoadError(
            f"{len(table):,} records in {width:,} columns are far more cells than the file has",
            cure="Look at its longest line; split the table or leave the file out.",
            kind="too_large",
            file=file,
        )
    columns = column_names(table[0].cells if headed else [], width)
    head = f"{table_row(columns)}\n{table_row(['---'] * width)}"
    lines, rows, places = [head], [], []
    if headed:
        places.append(Placement(Span(0, len(head)), Place(line=table[0].line)))
    offset = len(head) + 1
    for number, record in enumerate(body, start=1):
        line = table_row(_fitted(record.cells, width, delimiter))
        span = Span(offset, offset + len(line))
        lines.append(line)
        rows.append(span)
        places.append(Placement(span, Place(row=number, line=record.line)))
        offset = span.end + 1
    text = "\n".join(lines) + "\n"
    block = Block("table", Span(0, len(text) - 1), header=Span(0, len(head)), rows=tuple(rows), columns=columns)
    long = tuple(record.line for record, own in zip(body, widths, strict=True) if own > named)
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


def _notices(table: list[Record], written: _Written, file: str) -> Iterator[Notice]:
    if not table:
        yield Notice(kind="empty", message="the file has no text", file=file)
    elif not written.blocks[0].rows:
        yield Notice(kind="empty", message="the table has a header and no records", file=file)
    if written.long:
        message = f"records with more cells than there are columns opened further ones ({_named(written.long)})"
        yield Notice(kind="long_record", message=message, file=file)
    unclosed = [record.line for record in table if record.unclosed]
    if unclosed:
        message = f"a quote is never closed and stands as a character ({_named(unclosed)})"
        yield Notice(kind="unclosed_quote", message=message, file=file)


def _named(lines: Sequence[int]) -> str:
    named = ", ".join(map(str, islice(lines, _LINES_NAMED)))
    more = f" and {len(lines) - _LINES_NAMED:,} more" if len(lines) > _LINES_NAMED else ""
    return f"line{'s' if len(lines) > 1 else ''} {named}{more}"
