"""The order in which people read what stands on a slide."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

_MOST_CUT = 400  # more shapes than people lay out by hand are read in rows
_MOST_DEPTH = 40
_OVERLAP = 0.05  # shapes may reach into each other by this share of their size and still be apart


class Box(NamedTuple):
    left: int
    top: int
    right: int
    bottom: int


def reading_order(boxes: Sequence[Box | None]) -> list[int]:
    """The indices of the boxes, top left first; those without a box come first, as they are.

    The slide is cut again and again where the gap between what stands above and below it, or left and right of it, is
    the widest, so that columns are read one after the other and rows of cards row by row.

    >>> left, right = Box(0, 10, 40, 90), Box(60, 9, 100, 50)
    >>> reading_order([right, left, Box(0, 0, 100, 8), Box(60, 51, 100, 90)])
    [2, 1, 0, 3]
    """
    lost = [index for index, box in enumerate(boxes) if box is None]
    placed = [(index, box) for index, box in enumerate(boxes) if box is not None]
    if len(placed) > _MOST_CUT:
        return lost + [index for index, _ in sorted(placed, key=lambda item: (item[1].top, item[1].left, item[0]))]
    return lost + [index for index, _ in _ordered(placed, 0)]


def _ordered(items: list[tuple[int, Box]], depth: int) -> list[tuple[int, Box]]:
    if len(items) < 2 or depth == _MOST_DEPTH:
        return sorted(items, key=lambda item: (item[1].top, item[1].left, item[0]))
    rows = _widest(items, lambda box: (box.top, box.bottom))
    columns = _widest(items, lambda box: (box.left, box.right))
    if rows is None and columns is None:
        return sorted(items, key=lambda item: (item[1].top, item[1].left, item[0]))
    if columns is None or (rows is not None and rows[0] >= columns[0]):
        assert rows is not None  # noqa: S101 - one of them is there
        _, first, second = rows
    else:
        _, first, second = columns
    return _ordered(first, depth + 1) + _ordered(second, depth + 1)


Side = Callable[[Box], tuple[int, int]]
Cut = tuple[float, list[tuple[int, Box]], list[tuple[int, Box]]]


def _widest(items: list[tuple[int, Box]], side: Side) -> Cut | None:
    """The widest gap along one direction and what stands before and after it; it may be a small overlap."""
    ordered = sorted(items, key=lambda item: side(item[1]))
    best: Cut | None = None
    first, reached = side(ordered[0][1])
    allowed = reached - (reached - first) * _OVERLAP
    for index, (_, box) in enumerate(ordered[1:], start=1):
        start, end = side(box)
        margin = (end - start) * _OVERLAP
        if start + margin >= allowed and (best is None or start - reached > best[0]):
            best = (start - reached, ordered[:index], ordered[index:])
        reached = max(reached, end)
        allowed = max(allowed, end - margin)
    return best
