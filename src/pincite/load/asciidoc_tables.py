"""The tables of AsciiDoc: cells to rows by the number of columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from pincite.load.lines import Lines
from pincite.load.markdown_table import column_names
from pincite.load.text_blocks import short
from pincite.model import Block, Span

_COLUMNS = re.compile(r"cols=(?:\"([^\"]*)\"|'([^']*)'|(\d+))")
_HEADER_OPTION = re.compile(r"%[\w%]*header|options=[\"']?[\w,]*header")
_CELL = re.compile(r"(?:(?<![^\s|])(?:(\d{1,4})(?:\.\d{1,4})?[+*]|\.\d{1,4}\+)?[<^>.]{0,4}[aehlmsdv]?)?(?<!\\)([|!])")
_MOST_COLUMNS = 1000


def table_block(lines: Lines, parts: tuple[int, int, int, int], settings: Sequence[str]) -> Block:
    """``parts`` are lines: the first one of the block, that of the opening mark, that of the closing one (or the end),
    and the one after it."""
    first, opening, inner, end = parts
    text, whole = lines.text, lines.span(first, end)
    filled = [number for number in range(opening + 1, inner) if not lines.blank(number)]
    mark = text[lines[opening].start]
    if not filled:
        return Block("table", whole)
    blank_below = filled[0] + 1 < inner and lines.blank(filled[0] + 1)
    blank_above = filled[0] > opening + 1
    headed = any(_HEADER_OPTION.search(line) for line in settings) or (blank_below and not blank_above)
    if mark in ",:":
        rows = [Span(lines[number].start, lines[number].end) for number in filled]
        cells = [text[rows[0].start : rows[0].end].split(mark)] if headed else []
    else:
        rows, cells = _rows(lines, filled, mark, _declared(settings), headed)
    if not headed or not rows:
        return Block("table", whole, rows=tuple(rows))
    names = [short(cell) for cell in cells[0]][:_MOST_COLUMNS]
    return Block("table", whole, header=rows[0], rows=tuple(rows[1:]), columns=column_names(names, len(names)))


def _declared(settings: Sequence[str]) -> int:
    """The number of columns that ``cols`` gives, 0 where it says nothing."""
    for line in settings:
        if match := _COLUMNS.search(line):
            value = match[1] or match[2] or match[3] or ""
            parts = [part for part in re.split("[,;]", value) if part.strip()]
            if len(parts) == 1 and value.strip().isdecimal():
                return min(int(value.strip()[:5]), _MOST_COLUMNS)
            times = (re.match(r"\s*(\d{1,4})\*", part) for part in parts)
            return min(sum(int(match[1]) if match else 1 for match in times), _MOST_COLUMNS)
    return 0


def _rows(
    lines: Lines, filled: Sequence[int], mark: str, columns: int, headed: bool
) -> tuple[list[Span], list[list[str]]]:
    """The rows, and the cells of the first one if it is the header."""
    text = lines.text
    starts: list[tuple[int, int, int]] = []  # where the cell begins, where its text does, how many columns it takes
    first_line = 0
    for number in filled:
        line = lines[number]
        found = _CELL.finditer(text, line.start, line.end)
        starts.extend((match.start(), match.end(), int(match[1] or 1)) for match in found if match[2] == mark)
        if not first_line:
            first_line = len(starts)
    if not starts:
        return [], []
    width = columns or sum(taken for _, _, taken in starts[:first_line]) or 1
    borders: list[int] = []
    count = 0
    for number, (_, _, taken) in enumerate(starts):
        if count == 0:
            borders.append(number)
        count += taken
        if count >= width:
            count = 0
    end = lines[filled[-1]].end
    rows = [Span(starts[a][0], starts[b][0]) for a, b in pairwise(borders)]
    rows.append(Span(starts[borders[-1]][0], end))
    rows = [Span(row.start, row.start + len(text[row.start : row.end].rstrip())) for row in rows]
    if not headed:
        return rows, []
    stop = borders[1] if len(borders) > 1 else len(starts)
    ends = [start for start, _, _ in starts[1:stop]] + [rows[0].end]
    return rows, [[text[begin:close] for (_, begin, _), close in zip(starts[:stop], ends, strict=True)]]
