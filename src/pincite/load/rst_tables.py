"""The tables of reStructuredText: drawn with ``+---+``, with ``====  ====``, and as directives."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from pincite.load.lines import Lines
from pincite.load.markdown_table import column_names
from pincite.load.records import records
from pincite.load.text_blocks import short
from pincite.model import Block, Span

_GRID = re.compile(r"\+(?:[-=]+\+)+\Z")
_SIMPLE = re.compile(r"=+(?: +=+)+\Z")
_ROW = re.compile(r"[*+-][ \t]+(?=[*+-](?:[ \t]|\Z))")
_CELL = re.compile(r"[*+-](?:[ \t]+|\Z)(.*)")
_MOST_COLUMNS = 1000


@dataclass(slots=True)
class TableReader:
    lines: Lines
    _unclosed: set[int] = field(default_factory=set)

    def at(self, index: int, last: int) -> tuple[Block, int] | None:
        """The drawn table that begins at that line, and the line after it."""
        words = self.lines.words(index)
        if _GRID.match(words):
            return self.grid(index, last)
        if _SIMPLE.match(words) and last not in self._unclosed:
            return self.simple(index, last)
        return None

    def grid(self, index: int, last: int) -> tuple[Block, int] | None:
        end = index
        while end < last and self.lines.words(end)[:1] in ("+", "|"):
            end += 1
        borders = [number for number in range(index, end) if _GRID.match(self.lines.words(number))]
        if len(borders) < 2:
            return None
        closing = next((number for number in borders[1:] if "=" in self.lines.words(number)), 0)
        between = ((above + 1, below) for above, below in pairwise(borders) if above >= closing)
        rows = [self.lines.span(first, below) for first, below in between if first < below]
        header: Span | None = None
        columns: tuple[str, ...] = ()
        if closing:
            header = self.lines.span(index, closing + 1)
            starts = [match.start() for match in re.finditer(r"\+", self.lines.words(index))][:_MOST_COLUMNS]
            columns = self.names(index + 1, closing, [start + 1 for start in starts[:-1]], starts[1:])
        return self.table(index, end, header, rows, columns), end

    def simple(self, index: int, last: int) -> tuple[Block, int] | None:
        borders = [index]
        for number in range(index + 1, last):
            if not _SIMPLE.match(self.lines.words(number)):
                continue
            borders.append(number)
            if number + 1 == last or not self.lines.words(number + 1):
                break
        else:
            self._unclosed.add(last)
            return None
        end = borders[-1] + 1
        header: Span | None = None
        columns: tuple[str, ...] = ()
        first = index + 1
        if len(borders) > 2:
            header, first = self.lines.span(index, borders[1] + 1), borders[1] + 1
            found = list(re.finditer("=+", self.lines.words(index)))[:_MOST_COLUMNS]
            stops = [*(match.start() for match in found[1:]), len(self.lines.text)]
            columns = self.names(index + 1, borders[1], [match.start() for match in found], stops)
        return self.table(index, end, header, self.simple_rows(index, first, end - 1), columns), end

    def simple_rows(self, top: int, first: int, last: int) -> list[Span]:
        """A line whose first column is blank continues the row above it."""
        starts: list[int] = []
        for number in range(first, last):
            line = self.lines[number]
            if line.start < line.end and (not starts or line.indent <= self.lines[top].indent):
                starts.append(number)
        return [self.lines.span(start, end) for start, end in pairwise([*starts, last])]

    def directive(self, index: int, options: int, end: int, name: str) -> Block:
        """A ``list-table`` or ``csv-table``; ``options`` is the line after its options."""
        settings = self.settings(index + 1, options)
        if name == "csv-table":
            rows = [self.lines.span(n, n + 1) for n in range(options, end) if self.lines.words(n)]
            number, value = settings.get("header", (0, ""))
            header = self.lines.span(number, number + 1) if number else None
            cells = next((list(record.cells) for record in records(value, ",")), [])[:_MOST_COLUMNS]
            return self.table(index, end, header, rows, column_names(cells, len(cells)) if header else ())
        starts = [number for number in range(options, end) if _ROW.match(self.lines.words(number))]
        rows = [self.lines.span(start, stop) for start, stop in pairwise([*starts, end])]
        count = settings.get("header-rows", (0, "0"))[1]
        if count != "1" or not rows:
            return self.table(index, end, None, rows, ())
        cells = []
        for number in range(starts[0], starts[1] if len(starts) > 1 else end):
            words = _ROW.sub("", self.lines.words(number), count=1)
            if match := _CELL.match(words):
                cells.append(match[1])
        cells = cells[:_MOST_COLUMNS]
        return self.table(index, end, rows[0], rows[1:], column_names(list(map(short, cells)), len(cells)))

    def settings(self, first: int, last: int) -> dict[str, tuple[int, str]]:
        found: dict[str, tuple[int, str]] = {}
        for number in range(first, last):
            if match := re.match(r":([\w-]+):[ \t]*(.*)\Z", self.lines.words(number)):
                found[match[1]] = number, match[2]
        return found

    def names(self, first: int, last: int, starts: Sequence[int], stops: Sequence[int]) -> tuple[str, ...]:
        """The words of those lines, column by column."""
        base = self.lines[first - 1].indent
        cells = [""] * len(starts)
        for number in range(first, last):
            line = self.lines[number]
            words = " " * (line.indent - base) + self.lines.words(number)
            for column, (start, stop) in enumerate(zip(starts, stops, strict=True)):
                cells[column] += " " + words[start:stop]
        return column_names(list(map(short, cells)), len(cells))

    def table(self, first: int, end: int, header: Span | None, rows: Sequence[Span], columns: tuple[str, ...]) -> Block:
        return Block("table", self.lines.span(first, end), header=header, rows=tuple(rows), columns=columns)
