"""What a chunk costs in ``adaptive``, by parts: its border, what it cuts apart, its size, what it holds together.

One unit is about the worst size. The figures were chosen by looking at the cuts of several hundred pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy

from pincite.chunk.cells import Cell, CellBorder
from pincite.chunk.cohesion import CellVectors, Coherence, likeness
from pincite.chunk.segmentation import HeadingsInside, Windows

if TYPE_CHECKING:
    from numpy.typing import NDArray

CUTS = {"heading": 0.0, "block": 0.4, "item": 0.9, "row": 1.0, "sentence": 1.2, "inside": 1.6, "text": 3.0}
"""A border of that kind. To it are added:"""
DEEPER_HEADING = 0.05
DEEPER_ITEM = 0.2
MOST_LEVELS = 4
"""for each level below the outermost headings or items, at most so many;"""
LEADS = 1.0
"""behind a colon: what follows is what it announces;"""
SHOWN = 0.2
"""between a paragraph and the code, table or list that it likely speaks of;"""
CAPTION = 0.6
"""before a caption, note or picture, which belongs to what stands above it;"""
NO_BLANK_LINE = 0.2
"""between blocks that no blank line sets apart."""

HEADING_INSIDE = 0.6
"""A heading inside a chunk, divided by its depth below the outermost …"""
PART = 0.5
"""… and for each end of such a chunk that has only a part of a section."""

SMALL = 1.0
"""A chunk without any text; falls with the square to 0 at the preferred size."""
LARGE = 0.4
"""A chunk of the limit; falls with the square to 0 at the preferred size."""

ACROSS = 0.4
"""A border between equal texts."""
DISPERSED = 0.2
"""For each cell of mean size, how far it is from what its chunk says as a whole: from 0, at most 1."""


class Weights(NamedTuple):
    """What the user multiplies the parts with."""

    border: float
    size: float
    cohesion: float


class Parts(NamedTuple):
    """The costs of several chunks, an array each: of the ``border`` in front, of the likeness ``across`` it, of the
    ``size``, of what is ``inside`` though it belongs apart."""

    border: NDArray[numpy.float64]
    across: NDArray[numpy.float64]
    size: NDArray[numpy.float64]
    inside: NDArray[numpy.float64]


class Weighing:
    """The costs of all chunks that cells in a row could make. Without ``vectors`` what they would tell is 0.

    ``preferred``, ``limit``: of a chunk, and ``around``: of what is compared at both sides of a border, in tokens.
    """

    def __init__(
        self,
        cells: Sequence[Cell],
        vectors: CellVectors | None,
        weights: Weights,
        *,
        preferred: int,
        around: int,
        limit: int,
    ) -> None:
        self.windows = Windows(cells)
        self.weights = weights
        self.borders = weights.border * numpy.array([0.0 if cell.apart else cut_cost(cell.border) for cell in cells])
        self.prefixes = limit - self.windows.rooms
        largest = int(self.windows.before[-1] + self.prefixes.max(initial=0))
        self.size_costs = weights.size * size_costs(min(limit, largest), preferred, limit)
        kept = [0.0 if cell.apart else kept_cost(cell.border) for cell in cells]
        self.kept_before = weights.border * numpy.concatenate(([0.0], numpy.cumsum(kept)))
        self.headings = HeadingsInside(cells)
        self.lefts, rights = self.windows.around(around)
        self.across = numpy.zeros(len(cells))
        self.coherence = None
        if vectors is not None:
            self.across = ACROSS * weights.cohesion * likeness(vectors, self.lefts, rights)
            self.coherence = Coherence(vectors)
            self.mass_before = numpy.concatenate(([0.0], numpy.cumsum(vectors.masses)))

    def parts(self, low: int, end: int) -> Parts:
        """Of the chunks that begin at ``low``, …, ``end - 1`` and end before ``end``."""
        tokens = self.windows.sizes(low, end) + self.prefixes[low:end]
        size = self.size_costs[numpy.minimum(tokens, len(self.size_costs) - 1)]
        inside = numpy.zeros(end - low)
        if self.kept_before[end] > self.kept_before[low + 1]:  # a heading in sight: rare, and dear to look for
            parts = self.headings.parts(low, end)
            inside = self.kept_before[end] - self.kept_before[low + 1 : end + 1] + PART * self.weights.border * parts
        if self.coherence:
            mass = self.mass_before[end] - self.mass_before[low:end]
            inside = inside + DISPERSED * self.weights.cohesion * (mass - self.coherence.lengths(low, end))
        return Parts(self.borders[low:end], self.across[low:end], size, inside)

    def total(self, low: int, end: int) -> NDArray[numpy.float64]:
        border, across, size, inside = self.parts(low, end)
        return border + across + size + inside


def size_costs(most: int, preferred: int, limit: int) -> NDArray[numpy.float64]:
    """Of chunks of 0, 1, …, ``most`` tokens.

    >>> [round(float(cost), 3) for cost in size_costs(8, 4, 8)]
    [1.0, 0.562, 0.25, 0.062, 0.0, 0.025, 0.1, 0.225, 0.4]
    """
    tokens = numpy.arange(most + 1, dtype=numpy.float64) - preferred
    costs: NDArray[numpy.float64] = SMALL * (numpy.minimum(tokens, 0) / preferred) ** 2
    return costs + LARGE * (numpy.maximum(tokens, 0) / max(1, limit - preferred)) ** 2


def cut_cost(border: CellBorder) -> float:
    """
    >>> cut_cost(CellBorder("heading", level=2)), cut_cost(CellBorder("block", blank=True, leads=True))
    (0.0, 1.4)
    """
    kind = border.kind
    cost = CUTS[kind]
    if kind == "heading":
        return cost + DEEPER_HEADING * min(border.level - 2, MOST_LEVELS)  # that of level 1 is always cut
    if border.leads:
        cost += LEADS
    if kind == "item":
        return cost + DEEPER_ITEM * min(border.level - 1, MOST_LEVELS)
    if kind == "block":
        shown = border.before == "paragraph" and border.after in ("code", "table", "list") and not border.leads
        cost += (
            SHOWN * shown
            + CAPTION * (border.after in ("caption", "note", "picture"))
            + NO_BLANK_LINE * (not border.blank)
        )
    return cost


def kept_cost(border: CellBorder) -> float:
    """
    >>> [kept_cost(CellBorder("heading", level=level)) for level in (2, 3)], kept_cost(CellBorder("block"))
    ([0.6, 0.3], 0.0)
    """
    return HEADING_INSIDE / (border.level - 1) if border.kind == "heading" else 0.0
