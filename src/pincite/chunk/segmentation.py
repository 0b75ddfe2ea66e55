"""The cheapest way to cut a row of cells, by dynamic programming."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pincite.chunk.cells import Cell

STEP = 10_000
"""Costs are compared in whole steps of 1/10000. Vectors differ by 1e-7 from machine to machine, and sums by less than
a step: what is equal but for such noise stays equal, and place breaks the tie, not chance."""
NEVER = 1 << 60

Cost = Callable[[int, int], "NDArray[numpy.float64]"]


class Windows:
    """Which cells in a row may share a chunk: those from a cell on whose tokens together are at most its room.

    A cell by itself always may; over the border of a cell that is ``apart`` none do. Cells count at least one token
    each, so that a chunk has at most as many as the largest room has tokens.
    """

    def __init__(self, cells: Sequence[Cell]) -> None:
        sizes = [max(1, cell.tokens) for cell in cells]
        self.before = numpy.concatenate(([0], numpy.cumsum(sizes, dtype=numpy.int64)))
        """The tokens before each cell, and those of all."""
        self.rooms = numpy.array([cell.room for cell in cells], dtype=numpy.int64)
        self.apart = numpy.array([cell.apart for cell in cells], dtype=bool)
        self.opening = numpy.maximum.accumulate(numpy.where(self.apart, numpy.arange(len(cells)), 0))
        """For each cell the last one up to it that is apart."""
        reach = numpy.searchsorted(self.before, self.before[1:] - self.rooms.max(initial=1))
        self.lows: list[int] = numpy.minimum(numpy.maximum(reach, self.opening), numpy.arange(len(cells))).tolist()
        """For each cell the first that might share a chunk with it."""

    def __len__(self) -> int:
        return len(self.rooms)

    def sizes(self, low: int, end: int) -> NDArray[numpy.int64]:
        """The tokens of the chunks that begin at ``low``, …, ``end - 1`` and end before ``end``."""
        sizes: NDArray[numpy.int64] = self.before[end] - self.before[low:end]
        return sizes

    def fitting(self, low: int, end: int) -> NDArray[numpy.bool_]:
        """Which of these chunks fit."""
        fits = self.sizes(low, end) <= self.rooms[low:end]
        fits[-1] = True
        return fits

    def around(self, tokens: int) -> tuple[list[int], list[int]]:
        """For each cell where about so many tokens before it begin, and where as many from it on end; neither reaches
        over a cell that is apart, both have a cell where there is one."""
        places = numpy.arange(len(self))
        starts = self.before[:-1]
        lefts = numpy.searchsorted(self.before, starts - tokens)
        lefts = numpy.maximum(numpy.minimum(lefts, places - 1), self.opening)
        closing = numpy.append(numpy.flatnonzero(self.apart), len(self))
        rights = numpy.searchsorted(self.before, starts + tokens, side="right") - 1
        rights = numpy.minimum(numpy.maximum(rights, places + 1), closing[numpy.searchsorted(closing, places, "right")])
        return numpy.where(self.apart, places, lefts).tolist(), rights.tolist()

    def with_tokens_after(self, tokens: int) -> int:
        """The last cell that has so many from it on, 0 where none has."""
        return max(0, int(numpy.searchsorted(self.before, self.before[-1] - tokens, side="right")) - 1)


class HeadingsInside:
    """Which chunks reach over a heading and have only a part of the section before or behind it."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        self.whole = numpy.array([*(cell.apart or cell.border.kind == "heading" for cell in cells), True])
        """For each cell, and for the end, whether a section begins there."""
        self.before = numpy.concatenate(([0], numpy.cumsum(self.whole)))

    def parts(self, low: int, end: int) -> NDArray[numpy.int64]:
        """For the chunks that begin at ``low``, …, ``end - 1`` and end before ``end``: 0 for one without a heading
        but in front, else how many of the sections at its ends (0, 1, 2) it has in part."""
        over = self.before[end] > self.before[low + 1 : end + 1]
        parts: NDArray[numpy.int64] = over * (~self.whole[low:end] + (1 - int(self.whole[end])))
        return parts


class Search:
    """The cheapest segmentations of the cells from ``first`` to before each end up to ``last``.

    ``cost(low, end)``: what the chunks cost that begin at ``low``, …, ``end - 1`` and end before ``end``. It is asked
    once per end, in order, so that the work is linear in the cells times the cells of a chunk, which the largest room
    bounds. Of equally cheap ways the one with the longest last chunk is taken, and so on to the front.
    """

    def __init__(self, windows: Windows, cost: Cost, first: int, last: int) -> None:
        self.windows = windows
        self.first = first
        self.last = last
        self.starts: list[int] = []
        """For each end where its last chunk begins."""
        best = numpy.zeros(last - first + 1, dtype=numpy.int64)
        for end in range(first + 1, last + 1):
            low = max(first, windows.lows[end - 1])
            steps = numpy.rint(cost(low, end) * STEP).astype(numpy.int64)
            totals = numpy.where(windows.fitting(low, end), best[low - first : end - first] + steps, NEVER)
            chosen = int(totals.argmin())
            best[end - first] = totals[chosen]
            self.starts.append(low + chosen)

    def cuts(self, end: int) -> list[int]:
        """The starts of the chunks before ``end``, ascending, the first ``first``; empty without cells."""
        cuts = []
        while end > self.first:
            end = self.start(end)
            cuts.append(end)
        return cuts[::-1]

    def start(self, end: int) -> int:
        return self.starts[end - self.first - 1]

    def settled(self) -> int:
        """The farthest border that every segmentation has, whatever cells follow ``last``; ``first`` without any.

        The chunk with the next cell begins somewhere in reach of it: the border is where the ways to all of these
        places last meet. There is a cell after ``last``.
        """
        places = set(range(max(self.first, self.windows.lows[self.last]), self.last + 1))
        while len(places) > 1:
            farthest = max(places)
            places.remove(farthest)
            places.add(self.start(farthest))
        return places.pop()
