"""Rules to grids: which lines on a page make up the cells of a table."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pincite.load.pdf.shapes import Bounds, Shapes

_NEAR = 3.0
_MOST_RULES = 1000


@dataclass(slots=True)
class Grid:
    """``xs`` and ``ys`` are the edges of the cells. A cell is known by its top left row and column; ``cells`` tells
    of each ``(row, column, rows, columns)``."""

    xs: list[float]
    ys: list[float]
    box: Bounds
    roots: dict[tuple[int, int], tuple[int, int]]
    cells: dict[tuple[int, int], tuple[int, int, int, int]] = field(default_factory=dict)

    def cell_at(self, x: float, y: float) -> tuple[int, int] | None:
        column, row = bisect_right(self.xs, x) - 1, bisect_right(self.ys, y) - 1
        column = min(max(column, 0), len(self.xs) - 2) if self.box[0] - 2 <= x <= self.box[2] + 2 else -1
        row = min(max(row, 0), len(self.ys) - 2) if self.box[1] - 2 <= y <= self.box[3] + 2 else -1
        return self.roots.get((row, column))


def grids_of(shapes: Shapes) -> list[Grid]:
    """Grids of at least two rows and columns, from above to below."""
    horizontal = _merged(shapes.horizontal, across=True)
    vertical = _merged(shapes.vertical, across=False)
    if not horizontal or not vertical or len(horizontal) + len(vertical) > _MOST_RULES:
        return []
    grids = []
    for lying, standing in _connected(horizontal, vertical):
        grid = _grid(lying, standing)
        if grid is not None:
            grids.append(grid)
    return sorted(grids, key=lambda grid: (grid.box[1], grid.box[0]))


def _merged(rules: Sequence[Bounds], *, across: bool) -> list[Bounds]:
    """Rules that lie in one line and touch become one; its thickness is ignored."""
    lines: dict[int, list[tuple[float, float, float]]] = defaultdict(list)
    for x0, top, x1, bottom in rules:
        middle, start, end = ((top + bottom) / 2, x0, x1) if across else ((x0 + x1) / 2, top, bottom)
        lines[round(middle)].append((start, end, middle))
    result = []
    for pieces in lines.values():
        pieces.sort()
        start, end, middle = pieces[0]
        for its_start, its_end, _ in pieces[1:]:
            if its_start > end + _NEAR:
                result.append((start, middle, end, middle) if across else (middle, start, middle, end))
                start, end = its_start, its_end
            end = max(end, its_end)
        result.append((start, middle, end, middle) if across else (middle, start, middle, end))
    return result


def _connected(horizontal: list[Bounds], vertical: list[Bounds]) -> list[tuple[list[Bounds], list[Bounds]]]:
    """Groups of rules that cross or touch each other."""
    parent = list(range(len(horizontal) + len(vertical)))

    def root(node: int) -> int:
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    vertical = sorted(vertical)
    xs = [rule[0] for rule in vertical]
    for h, (x0, y, x1, _) in enumerate(horizontal):
        for v in range(bisect_left(xs, x0 - _NEAR), bisect_right(xs, x1 + _NEAR)):
            _, top, _, bottom = vertical[v]
            if top - _NEAR <= y <= bottom + _NEAR:
                parent[root(h)] = root(v + len(horizontal))
    groups: dict[int, tuple[list[Bounds], list[Bounds]]] = defaultdict(lambda: ([], []))
    for h, rule in enumerate(horizontal):
        groups[root(h)][0].append(rule)
    for v, rule in enumerate(vertical, start=len(horizontal)):
        groups[root(v)][1].append(rule)
    return [group for group in groups.values() if group[0] and group[1]]


def _clustered(values: Iterable[float]) -> list[float]:
    result: list[float] = []
    for value in sorted(values):
        if not result or value - result[-1] > _NEAR:
            result.append(value)
    return result


def _grid(horizontal: list[Bounds], vertical: list[Bounds]) -> Grid | None:
    left, right = min(rule[0] for rule in horizontal), max(rule[2] for rule in horizontal)
    top, bottom = min(rule[1] for rule in vertical), max(rule[3] for rule in vertical)
    xs = _clustered([left, right, *(rule[0] for rule in vertical)])
    ys = _clustered([top, bottom, *(rule[1] for rule in horizontal)])
    if len(xs) < 3 or len(ys) < 3 or len(xs) * len(ys) > 20_000:
        return None
    grid = Grid(xs, ys, (xs[0], ys[0], xs[-1], ys[-1]), {})
    _span(grid, horizontal, vertical)
    return grid


def _span(grid: Grid, horizontal: list[Bounds], vertical: list[Bounds]) -> None:
    """Finds the cells that go over several rows or columns: where no rule parts them."""
    rows, columns = len(grid.ys) - 1, len(grid.xs) - 1
    standing: dict[int, list[Bounds]] = defaultdict(list)
    for rule in vertical:
        standing[_nearest(grid.xs, rule[0])].append(rule)
    lying: dict[int, list[Bounds]] = defaultdict(list)
    for rule in horizontal:
        lying[_nearest(grid.ys, rule[1])].append(rule)
    taken: dict[tuple[int, int], tuple[int, int]] = grid.roots
    for row in range(rows):
        for column in range(columns):
            if (row, column) in taken:
                continue
            width = height = 1
            y = (grid.ys[row] + grid.ys[row + 1]) / 2
            while column + width < columns and (row, column + width) not in taken:
                if any(rule[1] - 1 <= y <= rule[3] + 1 for rule in standing[column + width]):
                    break
                width += 1
            middles = [(grid.xs[c] + grid.xs[c + 1]) / 2 for c in range(column, column + width)]
            while row + height < rows:
                if any(rule[0] - 1 <= x <= rule[2] + 1 for rule in lying[row + height] for x in middles):
                    break
                height += 1
            for r in range(row, row + height):
                for c in range(column, column + width):
                    taken.setdefault((r, c), (row, column))
            grid.cells[row, column] = (row, column, height, width)


def _nearest(values: Sequence[float], value: float) -> int:
    return min(range(len(values)), key=lambda index: abs(values[index] - value))


def ruled_bands(shapes: Shapes) -> list[tuple[list[float], float, float]]:
    """Groups of at least three rules of the same width below each other: the heights of the rules, left and right.

    Shorter rules within a group (under a header over several columns) count as rules of no group.
    """
    rules = sorted(_merged(shapes.horizontal, across=True), key=lambda rule: (round(rule[0]), rule[1]))
    if len(rules) > _MOST_RULES:
        return []
    groups: list[list[Bounds]] = []
    for rule in rules:
        if rule[2] - rule[0] < 40:
            continue
        for group in groups:
            if abs(group[0][0] - rule[0]) < _NEAR and abs(group[0][2] - rule[2]) < _NEAR:
                group.append(rule)
                break
        else:
            groups.append([rule])
    result = []
    for group in groups:
        ys = _clustered(rule[1] for rule in group)
        if len(ys) > 2:
            result.append((ys, group[0][0], group[0][2]))
    return sorted(result, key=lambda item: item[0][0])
