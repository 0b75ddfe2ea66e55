"""The head of a table without a grid: rows of lines, each over one column or over several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from pincite.load.pdf.cells import SIGNS_BEFORE, SIGNS_BEHIND, Cell
from pincite.load.pdf.lines import Line, line_of

Columns = Sequence[tuple[float, float]]
Span = tuple[int, int]

_MOST_ROWS = 4
_WIDEST_GAP = 0.9  # of the size, between a row and the one above it
_SAME_EDGE = 0.5  # of the size
_ONE_CELL = 1.6  # of the size, between the baselines of two lines of one cell
_LARGER = 1.15
_BLANK = 0.5  # of the size
_OVER = 0.6  # of a line's width


def with_their_signs(columns: Columns, rows: Sequence[Sequence[Line]]) -> list[tuple[float, float]]:
    """The columns, those of nothing but currency signs as one with the numbers behind them, those of nothing but per
    cent signs as one with the numbers before them."""
    texts: list[set[str]] = [set() for _ in columns]
    for row in rows:
        for line in row:
            start, end = _below(line, columns)
            for column in range(start, end + 1):
                texts[column].add(line.text)
    result: list[tuple[float, float]] = []
    before = False
    for column, (x0, x1) in enumerate(columns):
        own = texts[column]
        if result and (before or (len(result) > 1 and own and own <= SIGNS_BEHIND)):
            result[-1] = (result[-1][0], x1)
        else:
            result.append((x0, x1))
        before = bool(own) and own <= SIGNS_BEFORE
    return result


def leading_rows(rows: Sequence[Sequence[Line]], columns: Columns) -> int:
    """How many rows at the head of a table have nothing in the first column, where most of the others have."""
    right = columns[0][1]
    named = [any(line.x0 < right for line in row) for row in rows]
    lead = named.index(True) if True in named else 0
    rest = named[lead:]
    return lead if lead <= _MOST_ROWS and rest and sum(rest) > 0.7 * len(rest) else 0


def rows_above(
    first: Sequence[Line], columns: Columns, lines: Sequence[Line], *, is_head: bool = False
) -> list[list[Line]]:
    """The rows of a head that stand close above the row ``first``, from above: over the columns but the first one, all
    of them together over at least half. ``is_head``: that row belongs to the head itself."""
    top, size = min(line.top for line in first), first[0].size
    ids = set(map(id, first))
    above = [line for line in lines if not line.turn and id(line) not in ids and line.bottom < top + 0.5 * size]
    covered = _covered(first, columns) if is_head else set()
    rows: list[list[Line]] = []
    found = 0
    for row in _upwards(above):
        near = top - max(line.bottom for line in row) < _WIDEST_GAP * size
        if not near or len(rows) == _MOST_ROWS or not _is_over(row, columns, size):
            break
        rows.insert(0, row)
        covered |= _covered(row, columns)
        if 2 * len(covered) >= len(columns) - 1:
            found = len(rows)
        top = min(line.top for line in row)
    return rows[len(rows) - found :]


def _covered(row: Sequence[Line], columns: Columns) -> set[int]:
    return {column for start, end in spans_of(row, columns) for column in range(start, end + 1)} - {0}


def _upwards(lines: Sequence[Line]) -> Iterator[list[Line]]:
    row: list[Line] = []
    for line in sorted(lines, key=lambda line: -line.baseline):
        if row and row[0].baseline - line.baseline > 0.45 * line.size:
            yield row
            row = []
        row.append(line)
    if row:
        yield row


def _is_over(row: Sequence[Line], columns: Columns, size: float) -> bool:
    """Whether each line of the row stands over some of the columns, none over the first one, as a title does."""
    if any(line.x1 > columns[-1][1] + 3 * size or line.size > _LARGER * size for line in row):
        return False
    if len(row) == 1 and _is_centred(row[0], (0, len(columns) - 1), columns):
        return False  # a title
    for number, (line, span) in enumerate(zip(_ordered(row), spans_of(row, columns), strict=True)):
        if span == (0, 0) and number == 0 and len(row) > 1:
            continue  # the name of the table, or of its first column
        if span[0] == 0 or line.x0 < columns[0][1] - size or not _fits(line, span, columns):
            return False
    return True


def _ordered(row: Sequence[Line]) -> list[Line]:
    """From left to right; what only a currency sign has parted is one again."""
    result: list[Line] = []
    for line in sorted(row, key=lambda line: line.x0):
        before = result[-1] if result else None
        if before is not None and 0 <= line.x0 - before.x1 < _BLANK * line.size:
            result[-1] = line_of(before.words + line.words, line.page)
        else:
            result.append(line)
    return result


def _fits(line: Line, span: Span, columns: Columns) -> bool:
    """Whether the line is over the columns for the most part, half the gaps beside them included, or shares an edge or
    the middle with them."""
    start, end = span
    x0, x1 = columns[start][0], columns[end][1]
    off = min(abs(line.x0 - x0), abs(line.x1 - x1), abs(line.x0 + line.x1 - x0 - x1) / 2)
    left = (columns[start - 1][1] + x0) / 2 if start else x0
    right = (columns[end + 1][0] + x1) / 2 if end + 1 < len(columns) else x1
    return off < _SAME_EDGE * line.size or min(line.x1, right) - max(line.x0, left) > _OVER * (line.x1 - line.x0)


def spans_of(row: Sequence[Line], columns: Columns) -> list[Span]:
    """The first and the last column that each line of the row stands over, from left to right.

    A line stands over what is below it. Where it is not flush with that and is in the middle of a few columns more that
    no other line of the row is over, it stands over all of those; so does one alone in its row, in the middle of all.
    """
    lines = _ordered(row)
    below = [_below(line, columns) for line in lines]
    spans: list[Span] = []
    least = 0
    for index, (line, (start, end)) in enumerate(zip(lines, below, strict=True)):
        start, end = max(start, least), max(end, least)
        most = below[index + 1][0] - 1 if index + 1 < len(below) else len(columns) - 1
        wider = [(a, b) for a in range(least, start + 1) for b in range(end, max(most, end) + 1)]
        centred = [span for span in wider if _is_centred(line, span, columns)]
        if len(lines) == 1 and (1, len(columns) - 1) in centred:
            start, end = 1, len(columns) - 1
        elif not _is_flush(line, (start, end), columns):
            start, end = min(centred, key=lambda span: span[1] - span[0], default=(start, end))
        spans.append((start, end))
        least = min(end + 1, len(columns) - 1)
    return spans


def _is_centred(line: Line, span: Span, columns: Columns) -> bool:
    return abs(line.x0 + line.x1 - columns[span[0]][0] - columns[span[1]][1]) / 2 < _SAME_EDGE * line.size


def _is_flush(line: Line, span: Span, columns: Columns) -> bool:
    off = min(abs(line.x0 - columns[span[0]][0]), abs(line.x1 - columns[span[1]][1]))
    return off < 0.5 * _SAME_EDGE * line.size


def _below(line: Line, columns: Columns) -> Span:
    """The columns that the line lies over, else the nearest one."""
    over = [index for index, (x0, x1) in enumerate(columns) if min(line.x1, x1) - max(line.x0, x0) > 0]
    if over:
        return over[0], over[-1]
    nearest = min(range(len(columns)), key=lambda c: max(columns[c][0] - line.x1, line.x0 - columns[c][1]))
    return nearest, nearest


def head_cells(rows: Sequence[Sequence[Line]], columns: Columns) -> list[list[Cell]]:
    """The cells of a head; a row that only goes on with the cells of the one above it is joined to that."""
    heads = [list(zip(_ordered(row), spans_of(row, columns), strict=True)) for row in rows]
    for above, below in pairwise(heads):
        _agree(above, below)
    result: list[list[Cell]] = []
    last: Line | None = None
    for head in heads:
        line = head[0][0]
        cells = [Cell(list(its.words), column=start, columns=end - start + 1) for its, (start, end) in head]
        close = last is not None and line.baseline - last.baseline < _ONE_CELL * line.size
        if close and _goes_on(result[-1], cells):
            _join(result[-1], cells)
        else:
            result.append(cells)
        last = line
    return result


def _agree(above: list[tuple[Line, Span]], below: list[tuple[Line, Span]]) -> None:
    """Lines that are centred below each other stand over the same columns: those of the one that is over more, where no
    other line is in the way."""
    for number, (line, span) in enumerate(below):
        for index, (other, its) in enumerate(above):
            off = abs(line.x0 + line.x1 - other.x0 - other.x1) / 2
            wider = max(span, its, key=lambda one: one[1] - one[0])
            if off < 0.5 * _SAME_EDGE * line.size and _is_free(wider, below, number) and _is_free(wider, above, index):
                above[index], below[number] = (other, wider), (line, wider)


def _is_free(span: Span, row: Sequence[tuple[Line, Span]], number: int) -> bool:
    return all(end < span[0] or span[1] < start for at, (_, (start, end)) in enumerate(row) if at != number)


def _goes_on(above: Sequence[Cell], cells: Sequence[Cell]) -> bool:
    """Whether each cell has all the columns of the one that it stands below, or none of them."""
    return all(
        (cell.column, cell.columns) == (other.column, other.columns) or not _overlap(cell, other)
        for cell in cells
        for other in above
    )


def _overlap(one: Cell, other: Cell) -> bool:
    return one.column < other.column + other.columns and other.column < one.column + one.columns


def _join(above: list[Cell], cells: Sequence[Cell]) -> None:
    for cell in cells:
        for other in above:
            if other.column == cell.column:
                other.words.extend(cell.words)
                break
        else:
            above.append(cell)
    above.sort(key=lambda cell: cell.column)
