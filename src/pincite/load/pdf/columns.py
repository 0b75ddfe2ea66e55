"""Reading order. The order of the file is kept where it makes sense, else the page is cut into columns and bands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, Protocol, TypeVar

from pincite.load.pdf.lines import Line

_NARROWEST_GUTTER = 6.0
_WIDE = 0.6  # of a region's width: what is wider parts the region into bands
_DEEPEST = 12
_MOST_STRIPS = 200


class Boxed(Protocol):
    @property
    def x0(self) -> float: ...
    @property
    def top(self) -> float: ...
    @property
    def x1(self) -> float: ...
    @property
    def bottom(self) -> float: ...


Item = TypeVar("Item", bound=Boxed)


@dataclass(slots=True)
class Strip(Generic[Item]):
    """Items below each other that follow each other in the file."""

    items: list[Item]
    x0: float
    top: float
    x1: float
    bottom: float
    lowest: float  # the bottom of the last item

    def add(self, item: Item) -> None:
        self.items.append(item)
        self.x0, self.x1 = min(self.x0, item.x0), max(self.x1, item.x1)
        self.top, self.bottom = min(self.top, item.top), max(self.bottom, item.bottom)
        self.lowest = item.bottom


def in_reading_order(items: Sequence[Item]) -> list[Item]:
    """The items of one page. Coordinates run rightwards and downwards."""
    strips = _strips(items)
    if len(strips) > 1 and _jumps(strips):
        strips = _cut(strips, 0)
    return [item for strip in strips for item in strip.items]


def _strips(items: Sequence[Item]) -> list[Strip[Item]]:
    strips: list[Strip[Item]] = []
    for item in items:
        last = strips[-1] if strips else None
        if last is not None:
            height = item.bottom - item.top
            gap = item.top - last.lowest
            overlap = min(item.x1, last.x1) - max(item.x0, last.x0)
            narrower = min(item.x1 - item.x0, last.x1 - last.x0)
            if -0.6 * height < gap < 1.2 * height and item.top > last.items[-1].top and overlap > 0.5 * narrower:
                last.add(item)
                continue
        strips.append(Strip([item], item.x0, item.top, item.x1, item.bottom, item.bottom))
    return strips


def _jumps(strips: Sequence[Strip[Item]]) -> bool:
    """Whether something comes later in the file although it stands above, or to the left on the same height."""
    if len(strips) > _MOST_STRIPS:
        return True
    for index, later in enumerate(strips):
        for earlier in strips[:index]:
            across = min(later.x1, earlier.x1) - max(later.x0, earlier.x0)
            if across > 3:
                if later.bottom <= earlier.top + 2:
                    return True
            elif later.x1 <= earlier.x0 + 3:
                line = min(later.items[0].bottom - later.items[0].top, 20.0)
                down = min(later.bottom, earlier.bottom) - max(later.top, earlier.top)
                if down > -0.5 * line:
                    return True
    return False


def _cut(strips: list[Strip[Item]], depth: int) -> list[Strip[Item]]:
    """Cuts at gutters first, then at wide strips, then at gaps from above to below."""
    if len(strips) < 2:
        return strips
    if depth < _DEEPEST:
        columns = _parted(strips, across=True, least=_NARROWEST_GUTTER)
        if len(columns) > 1:
            return [strip for column in columns for strip in _cut(column, depth + 1)]
        bands = _bands(strips)
        if len(bands) > 1:
            return [strip for band in bands for strip in _cut(band, depth + 1)]
        rows = _parted(strips, across=False, least=0.0)
        if len(rows) > 1:
            return [strip for row in rows for strip in _cut(row, depth + 1)]
    return sorted(strips, key=lambda strip: (strip.top, strip.x0))


def _parted(strips: list[Strip[Item]], *, across: bool, least: float) -> list[list[Strip[Item]]]:
    """The groups of strips between which a straight gap of that width runs through the whole region."""
    ordered = sorted(strips, key=lambda strip: strip.x0 if across else strip.top)
    groups: list[list[Strip[Item]]] = []
    reach = float("-inf")
    for strip in ordered:
        start, end = (strip.x0, strip.x1) if across else (strip.top, strip.bottom)
        if not groups or start - reach > least:
            groups.append([])
        groups[-1].append(strip)
        reach = max(reach, end)
    return groups


def _bands(strips: list[Strip[Item]]) -> list[list[Strip[Item]]]:
    """Wide strips stand alone; what lies between two of them, from above to below, is one band."""
    width = max(strip.x1 for strip in strips) - min(strip.x0 for strip in strips)
    wide = sorted((strip for strip in strips if strip.x1 - strip.x0 > _WIDE * width), key=lambda strip: strip.top)
    narrow = sorted((strip for strip in strips if strip.x1 - strip.x0 <= _WIDE * width), key=lambda strip: strip.top)
    if not wide or not narrow:
        return [strips]
    bands: list[list[Strip[Item]]] = []
    rest = narrow
    for border in wide:
        middle = (border.top + border.bottom) / 2
        above = [strip for strip in rest if (strip.top + strip.bottom) / 2 < middle]
        rest = [strip for strip in rest if (strip.top + strip.bottom) / 2 >= middle]
        bands.extend(band for band in (above, [border]) if band)
    return [*bands, rest] if rest else bands


def gutters_of(lines: Sequence[Line]) -> list[float]:
    """Where a gutter runs through rows that the file has written across both columns.

    A row of a table looks the same, so a gutter needs six rows with several words on both of its sides, and lines
    that fill their columns.
    """
    pairs = [
        (one, other)
        for one, other in pairwise(lines)
        if one.turn == other.turn == 0
        and abs(one.baseline - other.baseline) < 0.3 * other.size
        and other.x0 > one.x1
        and len(one.words) > 2
        and len(other.words) > 2
    ]
    if len(pairs) < 6:
        return []
    edges = sorted(other.x0 for _, other in pairs)
    middle = edges[len(edges) // 2]
    fits = [
        (one, other) for one, other in pairs if one.x1 < middle + 2 and abs(other.x0 - middle) < 0.2 * other.size + 20
    ]
    if len(fits) < max(6, 0.6 * len(pairs)):
        return []
    left = max(one.x1 for one, _ in fits) - min(one.x0 for one, _ in fits)
    right = max(other.x1 for _, other in fits) - middle
    full = sum(one.x1 - one.x0 > 0.7 * left and other.x1 - other.x0 > 0.7 * right for one, other in fits)
    return [middle - 1] if full > 0.5 * len(fits) else []
