"""Tables without a grid: cells that are aligned, with horizontal rules or without any."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from pincite.load.pdf.cells import Cell, Table, is_data, table_of
from pincite.load.pdf.hyphens import Vocabulary
from pincite.load.pdf.lines import Line, is_inside
from pincite.load.pdf.shapes import Bounds
from pincite.load.pdf.words import Page, Word

_MOST_COLUMNS = 60
_FULL = 0.6  # of the most cells that a row has: rows with fewer may have titles over several columns
_MOST_TITLES = 0.25  # of the rows


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


def _cells_of(rows: Sequence[Sequence[Word]], columns: Sequence[tuple[float, float]]) -> list[list[Cell]]:
    """Cells of words; a word belongs to the column that it covers most of, or is nearest to."""
    result = []
    for number, words in enumerate(rows):
        cells = [Cell(row=number, column=column) for column in range(len(columns))]
        for word in words:
            best = max(
                range(len(columns)),
                key=lambda c: min(word.x1, columns[c][1]) - max(word.x0, columns[c][0]),
            )
            cells[best].words.append(word)
        result.append(cells)
    return result


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
    columns = _columns([[line.box for line in row] for row in several], least=0.5 * size)
    if not 2 <= len(columns) <= _MOST_COLUMNS or not _is_aligned(rows[len(bands[0]) :], columns, size):
        return None
    whole = len(bands) >= 4 and len(bands) >= 0.5 * len(rows)
    merged: list[list[Line]] = []
    for number, band in enumerate(bands):
        if whole or number == 0:
            own = {id(line) for row in band for line in row}
            merged.append([line for line in inner if id(line) in own])
        else:
            merged.extend(_with_continuations(band, columns))
    cells = _cells_of([[word for line in row for word in line.words] for row in merged], columns)
    edges = [column[0] for column in columns]
    return table_of(page, cells, len(columns), edges, box, vocabulary), set(map(id, inner))


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


def _lines_above(
    first: Sequence[Line], columns: Sequence[tuple[float, float]], lines: Sequence[Line]
) -> list[tuple[Line, int]]:
    """Lines of the header above the first row: where its cells have several lines, each written on its own. Each is
    given with its column. A row of numbers has no further header lines unless they lie over most columns."""
    top = min(line.top for line in first)
    size = first[0].size
    ids = set(map(id, first))
    found: list[tuple[Line, int]] = []
    for line in lines:
        if id(line) in ids or line.turn or not (top - 3.6 * size < line.top and line.bottom < top + 0.5 * size):
            continue
        over = [c for c, (x0, x1) in enumerate(columns) if min(line.x1, x1) - max(line.x0, x0) > 0]
        if len(over) != 1:
            return []
        found.append((line, over[0]))
    found.sort(key=lambda item: item[0].baseline)
    covered = {column for _, column in found}
    return found if len(covered) >= max(2, 0.5 * (len(columns) - 1)) else []


def from_rows(
    page: Page, run: list[list[Line]], rest: Sequence[Line], vocabulary: Vocabulary
) -> tuple[Table, set[int]] | None:
    several = [row for row in run if len(row) > 1]
    size = sorted(line.size for row in several for line in row)[sum(map(len, several)) // 2]
    most = max(map(len, several))
    full = [row for row in several if len(row) >= _FULL * most]
    full = full if len(full) > 1 else several
    columns = _columns([[line.box for line in row] for row in full], least=0.5 * size)
    if not 2 <= len(columns) <= _MOST_COLUMNS or len(several) < 0.55 * len(run):
        return None
    known = set(map(id, full))
    over = sum(_covered(line, columns, size) > 1 for row in run if id(row) not in known for line in row)
    if over > _MOST_TITLES * len(run) or not _is_aligned(full, columns, size):
        return None
    merged = _with_continuations(run, columns)
    cells = _cells_of([[word for line in row for word in line.words] for row in merged], columns)
    lines = [line for row in run for line in row]
    above = _lines_above(run[0], columns, rest)
    if above:
        header = [Cell(row=0, column=column) for column in range(len(columns))]
        for line, column in above:
            header[column].words.extend(line.words)
        if is_data(cells[0]):
            cells.insert(0, header)
        else:
            for cell, inner in zip(header, cells[0], strict=True):
                cell.words.extend(inner.words)
            cells[0] = header
        lines = [line for line, _ in above] + lines
    box = (
        min(line.x0 for line in lines),
        min(line.top for line in lines),
        max(line.x1 for line in lines),
        max(line.bottom for line in lines),
    )
    return table_of(page, cells, len(columns), [column[0] for column in columns], box, vocabulary), set(map(id, lines))


def _covered(line: Line, columns: Sequence[tuple[float, float]], size: float) -> int:
    """How many columns the line lies over."""
    return sum(min(line.x1, x1) - max(line.x0, x0) > 0.3 * size for x0, x1 in columns)


def _is_aligned(rows: Sequence[Sequence[Line]], columns: Sequence[tuple[float, float]], size: float) -> bool:
    """Whether each column's cells share a left edge, a right edge or a middle, and no cell lies over two columns."""
    across = 0
    for x0, x1 in columns:
        cells = [line for row in rows for line in row if min(line.x1, x1) - max(line.x0, x0) > 0]
        if len(cells) < 2:
            continue
        best = 0
        for edge in (lambda line: line.x0, lambda line: line.x1, lambda line: (line.x0 + line.x1) / 2):
            values = sorted(map(edge, cells))
            middle = values[len(values) // 2]
            best = max(best, sum(abs(value - middle) < 0.6 * size for value in values))
        if best < 0.6 * len(cells):
            return False
    for row in rows:
        for line in row:
            across += _covered(line, columns, size) > 1
    return across <= 0.15 * len(rows)
