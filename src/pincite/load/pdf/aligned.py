"""Tables without a grid: cells that are aligned, with horizontal rules or without any."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from pincite.load.pdf.cells import SIGNS_BEFORE, Cell, Table, is_data, table_of
from pincite.load.pdf.heads import head_cells, leading_rows, rows_above, with_their_signs
from pincite.load.pdf.hyphens import Vocabulary
from pincite.load.pdf.lines import Line, is_inside
from pincite.load.pdf.shapes import Bounds
from pincite.load.pdf.words import Page, Word

_MOST_COLUMNS = 60
_FULL = 0.6  # of the most cells that a row has: rows with fewer may have titles over several columns
_MOST_TITLES = 0.25  # of the rows
_MOST_INDENTS = 4
_SHARED_EDGES = 0.85


def _columns(rows: Sequence[Sequence[Bounds]], *, least: float) -> list[tuple[float, float]]:
    """The ranges of x that hold the boxes of the rows, parted where hardly any row has ink."""
    events: list[tuple[float, int]] = []
    for row in rows:
        for x0, _, x1, _ in row:
            events += ((x0, 1), (x1, -1))
    events.sort()
    allowed = 0.08 * len(rows)
    columns: list[tuple[float, float]] = []
    depth, start = 0, None
    for x, change in events:
        depth += change
        if start is None and depth > allowed:
            start = x
        elif start is not None and depth <= allowed:
            if columns and start - columns[-1][1] < least:
                columns[-1] = (columns[-1][0], x)
            else:
                columns.append((start, x))
            start = None
    return columns


def _cells_of(rows: Sequence[Sequence[Line]], columns: Sequence[tuple[float, float]]) -> list[list[Cell]]:
    """Cells of words. A line belongs to the column that it lies over most of, or is nearest to; one that lies over
    several is parted into its words. A currency sign is never a part of the first column."""
    result = []
    for number, row in enumerate(rows):
        cells = [Cell(row=number, column=column) for column in range(len(columns))]
        for line in row:
            if line.text in SIGNS_BEFORE:
                cells[max(_nearest(line, columns), 1)].words.extend(line.words)
                continue
            if _covered(line, columns, line.size) < 2:
                cells[_nearest(line, columns)].words.extend(line.words)
                continue
            for word in line.words:
                cells[_nearest(word, columns)].words.append(word)
        result.append(cells)
    return result


def _nearest(item: Line | Word, columns: Sequence[tuple[float, float]]) -> int:
    return max(range(len(columns)), key=lambda c: min(item.x1, columns[c][1]) - max(item.x0, columns[c][0]))


def from_bands(
    page: Page,
    ys: Sequence[float],
    x0: float,
    x1: float,
    lines: Sequence[Line],
    vocabulary: Vocabulary,
    *,
    mono: bool,
) -> tuple[Table, set[int]] | None:
    """A table that has horizontal rules only."""
    box = (x0, ys[0], x1, ys[-1])
    inner = [line for line in lines if line.turn == 0 and is_inside(line, box)]
    if len(inner) < 4 or (not mono and sum(line.mono for line in inner) > 0.5 * len(inner)):
        return None
    heights = {round(line.baseline) for line in inner}
    beside = [line for line in lines if line.turn == 0 and not x0 - 2 <= (line.x0 + line.x1) / 2 <= x1 + 2]
    if sum(round(line.baseline) in heights and ys[0] < line.top < ys[-1] for line in beside) > 2:
        return None  # the rules stand over a part of the table only
    size = sorted(line.size for line in inner)[len(inner) // 2]
    bands: list[list[list[Line]]] = []
    for top, bottom in pairwise(ys):
        within = [line for line in inner if top <= (line.top + line.bottom) / 2 < bottom]
        if within:
            bands.append(_rows_by_baseline(within))
    rows = [row for band in bands for row in band]
    several = [row for row in rows if len(row) > 1]
    if len(bands) < 2 or len(several) < 2 or len(several) < 0.4 * len(rows) or max(map(len, bands[0])) < 2:
        return None
    below = [row for row in rows[len(bands[0]) :] if len(row) > 1]
    columns = _columns([[line.box for line in row] for row in below or several], least=0.5 * size)
    if not 2 <= len(columns) <= _MOST_COLUMNS or not _is_aligned(rows[len(bands[0]) :], columns, size):
        return None
    columns = with_their_signs(columns, below)
    whole = len(bands) >= 4 and len(bands) >= 0.5 * len(rows)
    merged: list[list[Line]] = []
    for band in bands[1:]:
        if whole:
            own = {id(line) for row in band for line in row}
            merged.append([line for line in inner if id(line) in own])
        else:
            merged.extend(_with_continuations(band, columns))
    body = _cells_of(merged, columns)
    head = _cells_of(bands[0], columns)
    header_rows = None
    if not any(map(is_data, head)):
        head = head_cells(bands[0], columns)
        header_rows = len(head) if len(head) > 1 else None
    cells = head + body
    edges = [column[0] for column in columns]
    table = table_of(page, cells, len(columns), edges, box, vocabulary, header_rows=header_rows)
    return table, set(map(id, inner))


def _rows_by_baseline(lines: Sequence[Line]) -> list[list[Line]]:
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: line.baseline):
        if rows and line.baseline - rows[-1][0].baseline < 0.45 * line.size:
            rows[-1].append(line)
        else:
            rows.append([line])
    return [sorted(row, key=lambda line: line.x0) for row in rows]


def _with_continuations(rows: Sequence[list[Line]], columns: Sequence[tuple[float, float]]) -> list[list[Line]]:
    """A row without a first cell, close below the one before it, continues that one's cells."""
    result: list[list[Line]] = []
    for row in rows:
        before = result[-1] if result else None
        starts = row[0].x0 < columns[0][1] + 1
        if (
            before
            and not starts
            and len(row) < len(columns)
            and row[0].baseline - before[-1].baseline < 1.35 * row[0].size
        ):
            before.extend(row)
        else:
            result.append(list(row))
    return result


def aligned_runs(lines: Sequence[Line], *, mono: bool) -> list[list[list[Line]]]:
    """Runs of rows, most of which have several cells, each written from left to right and below the one before."""
    rows: list[list[Line]] = []
    for line in lines:
        last = rows[-1][-1] if rows else None
        if (
            last
            and line.turn == last.turn == 0
            and abs(last.baseline - line.baseline) < 0.3 * line.size
            and line.x0 > last.x1
        ):
            rows[-1].append(line)
        else:
            rows.append([line])
    runs: list[list[list[Line]]] = []
    run: list[list[Line]] = []
    for row in rows:
        drop = row[0].baseline - run[-1][0].baseline if run else 0.0
        if run and not (0 < drop < 3.2 * row[0].size and row[0].turn == 0 and (len(row) > 1 or _is_inner(row[0], run))):
            runs.append(run)
            run = []
        code = not mono and all(line.mono for line in row)
        if (run or len(row) > 1) and not code:
            run.append(row)
    runs.append(run)
    for found in runs:
        while found and len(found[-1]) == 1:
            found.pop()
    return [found for found in runs if len(found) > 2 or (len(found) == 2 and min(map(len, found)) > 2)]


def _is_inner(line: Line, run: Sequence[Sequence[Line]]) -> bool:
    """Whether a line alone in its row may stand within a table: in one of its columns, not across them."""
    cells = run[-1] if len(run[-1]) > 1 else run[-2] if len(run) > 1 and len(run[-2]) > 1 else None
    if cells is None:
        return False
    return sum(min(line.x1, cell.x1) - max(line.x0, cell.x0) > 0 for cell in cells) <= 1


def from_rows(
    page: Page, run: list[list[Line]], rest: Sequence[Line], vocabulary: Vocabulary
) -> tuple[Table, set[int]] | None:
    size = median(line.size for row in run if len(row) > 1 for line in row)
    columns = _columns_of_run(run, size)
    lead = leading_rows(run, columns) if len(columns) > 1 else 0
    if lead and any(is_data(row) for row in _cells_of(run[:lead], columns)):
        lead = 0
    rows = run[lead:]
    if lead:
        columns = _columns_of_run(rows, size)
    several = [row for row in rows if len(row) > 1]
    if not 2 <= len(columns) <= _MOST_COLUMNS or len(several) < max(2, 0.55 * len(rows)):
        return None
    full = _full_rows(rows)
    known = set(map(id, full))
    over = sum(_covered(line, columns, size) > 1 for row in rows if id(row) not in known for line in row)
    if over > _MOST_TITLES * len(rows) or not _is_aligned(full, columns, size):
        return None
    columns = with_their_signs(columns, rows)
    run = [_with_strays(run, columns, rest), *run[1:]]
    body = _cells_of(_with_continuations(run[lead:], columns), columns)
    named = lead > 0 or not is_data(body[0])
    head = rows_above(run[0], columns, rest, is_head=named) + run[:lead]
    if head and named and not lead:
        head.append(run[0])
        body = body[1:]
    cells = head_cells(head, columns) + body
    lines = list({id(line): line for row in [*head, *run] for line in row}.values())
    box = (
        min(line.x0 for line in lines),
        min(line.top for line in lines),
        max(line.x1 for line in lines),
        max(line.bottom for line in lines),
    )
    edges = [column[0] for column in columns]
    header_rows = len(cells) - len(body) or None
    table = table_of(page, cells, len(columns), edges, box, vocabulary, header_rows=header_rows)
    return table, set(map(id, lines))


def _columns_of_run(rows: Sequence[Sequence[Line]], size: float) -> list[tuple[float, float]]:
    return _columns([[line.box for line in row] for row in _full_rows(rows)], least=0.5 * size)


def _full_rows(rows: Sequence[Sequence[Line]]) -> list[Sequence[Line]]:
    """Those that have most of the cells that a row has, currency signs left aside; all with several where there is but
    one."""
    several = [row for row in rows if len(row) > 1]
    cells = [sum(line.text not in SIGNS_BEFORE for line in row) for row in several]
    most = max(cells, default=0)
    full = [row for row, count in zip(several, cells, strict=True) if count >= _FULL * most]
    return full if len(full) > 1 else several


def _with_strays(
    run: Sequence[Sequence[Line]], columns: Sequence[tuple[float, float]], rest: Sequence[Line]
) -> list[Line]:
    """The first row with what else stands on its line: the cells of a head may be written one after the other."""
    first, known = run[0], {id(line) for row in run for line in row}
    strays = [
        line
        for line in rest
        if id(line) not in known
        and not line.turn
        and abs(line.baseline - first[0].baseline) < 0.3 * line.size
        and columns[0][0] - line.size < line.x0
        and line.x1 < columns[-1][1] + line.size
    ]
    return sorted([*first, *strays], key=lambda line: line.x0)


def _covered(line: Line, columns: Sequence[tuple[float, float]], size: float) -> int:
    """How many columns the line lies over."""
    return sum(min(line.x1, x1) - max(line.x0, x0) > 0.3 * size for x0, x1 in columns)


def _is_aligned(rows: Sequence[Sequence[Line]], columns: Sequence[tuple[float, float]], size: float) -> bool:
    """Whether each column's cells share a left edge, a right edge or a middle, and no cell lies over two columns. In
    the first column the left edges may be several: names are indented below others."""
    across = 0
    for number, (x0, x1) in enumerate(columns):
        cells = [line for row in rows for line in row if min(line.x1, x1) - max(line.x0, x0) > 0]
        if len(cells) < 2:
            continue
        best = 0
        for edge in (lambda line: line.x0, lambda line: line.x1, lambda line: (line.x0 + line.x1) / 2):
            values = sorted(map(edge, cells))
            middle = values[len(values) // 2]
            best = max(best, sum(abs(value - middle) < 0.6 * size for value in values))
        if best < 0.6 * len(cells) and not (number == 0 and _is_indented(cells, size)):
            return False
    for row in rows:
        for line in row:
            across += _covered(line, columns, size) > 1
    return across <= 0.15 * len(rows)


def _is_indented(cells: Sequence[Line], size: float) -> bool:
    """Whether nearly all of the cells begin at a few edges that others begin at, too."""
    edges = Counter(round(line.x0 / (0.3 * size)) for line in cells)
    shared = sum(count for _, count in edges.most_common(_MOST_INDENTS) if count > 1)
    return shared >= _SHARED_EDGES * len(cells)
