"""``semantic``: borders where the meaning turns, by the vectors of sentences and blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy

from pincite import catalogue
from pincite.chunk.assemble import Piece, assemble
from pincite.chunk.cells import Cell, CellBorder, CellCutter, grouped
from pincite.chunk.cohesion import CellVectors, Coherence, embedded
from pincite.chunk.packing import HeadingPrefix, Packing
from pincite.chunk.segmentation import HeadingsInside, Search, Windows
from pincite.chunk.sizes import check_sizes
from pincite.model import Chunk, Document
from pincite.ports import Counter

if TYPE_CHECKING:
    from numpy.typing import NDArray

MIXED = 1e6
"""More than any number of small chunks of one section: a chunk over a heading has whole sections only."""
SMALL = 1e3
"""More than similarity can ever win."""
SHARES = {"heading": 0.2, "block": 0.85, "sentence": 1.0, "item": 1.5, "row": 2.0, "text": 4.0, "inside": 2.0}
"""Of ``border_cost``: authors have shown with headings and paragraphs where they turn."""
LEADS = 2.0
"""The share of any border behind a colon: what follows is what the colon announces."""
MOST_HEADING_SHARE = 0.6
MOST_COST = 100.0
LEAST_SHARE = 64
"""A sentence or item is at least this share of a chunk, if need be with its neighbours: one word says little of what it
is about, and the work is bounded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SemanticChunker:
    """Cuts where the meaning turns, at the best of all places together, up to ``max_tokens``, prefix included.

    The sentences and blocks of a document are embedded by ``embedder``, in one call. The cut is the one with the
    largest sum, over chunks, of the similarities of their sentences to their mean direction (content vector
    segmentation: Alemi and Ginsparg, 2015, "Text segmentation based on semantic word embeddings"), less
    ``border_cost`` for every border: so much similarity a border has to win. More gives larger chunks. What
    all sentences of the document share is taken out of their vectors before, so that the default suits any embedder.
    A border costs less before a heading, more inside a list. The optimum is found by dynamic programming
    (as in Fragkou, Petridis and Kehagias, 2004), in time linear in the document.

    A chunk over a heading has whole sections only, and none reaches over an outermost heading. Chunks below
    ``min_tokens`` (a quarter of the limit unless given) are left only where the limit and these rules allow nothing
    else. Code that fits, table rows, list items and sentences stay whole; the rest is as in ``structure``.
    ``counter`` names the unit of all limits. Text added at the end may change every chunk.
    """

    max_tokens: int = 400
    min_tokens: int | None = None
    border_cost: float = 1.2
    counter: str = "o200k_base"
    embedder: str = "use"
    heading_prefix: HeadingPrefix = "path"
    name: str = "semantic"
    _counter: Counter = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_sizes(self.max_tokens, min_tokens=self.min_tokens)
        if not 0 <= self.border_cost <= MOST_COST:
            raise ValueError(f"border_cost lies between 0 and {MOST_COST:g}, got {self.border_cost}")
        catalogue.find("embed", self.embedder)
        object.__setattr__(self, "_counter", catalogue.create("counter", self.counter))

    def chunk(self, document: Document) -> Iterator[Chunk]:
        return assemble(document, self._pieces(document), self._counter)

    def _pieces(self, document: Document) -> Iterator[Piece]:
        packing = Packing(document, self._counter, max_tokens=self.max_tokens, heading_prefix=self.heading_prefix)
        cells = list(CellCutter(packing, grain=0, least=self.max_tokens // LEAST_SHARE).cells())
        if not cells:
            return
        vectors = embedded(catalogue.create("embed", self.embedder), document.text, cells)
        costs = Costs(cells, vectors, self)
        cuts = Search(costs.windows, costs.of, 0, len(cells)).cuts(len(cells))
        for first, last in pairwise([*cuts, len(cells)]):
            yield from packing.pieces(grouped(packing, cells[first:last]))


class Costs:
    """What each chunk costs: the borders before them less the similarities inside."""

    def __init__(self, cells: Sequence[Cell], vectors: CellVectors, options: SemanticChunker) -> None:
        self.windows = Windows(cells)
        self.coherence = Coherence(vectors)
        quarter = options.max_tokens // 4
        self.min_tokens = quarter if options.min_tokens is None else options.min_tokens
        self.prefixes = options.max_tokens - self.windows.rooms
        shares = [0 if cell.apart else border_share(cell.border) for cell in cells]
        self.borders = options.border_cost * numpy.array(shares)
        self.inside = HeadingsInside(cells)

    def of(self, low: int, end: int) -> NDArray[numpy.float64]:
        """Of the chunks that begin at ``low``, …, ``end - 1`` and end before ``end``."""
        small = self.windows.sizes(low, end) + self.prefixes[low:end] < self.min_tokens
        costs = self.borders[low:end] - self.coherence.lengths(low, end)
        ruled: NDArray[numpy.float64] = costs + SMALL * small + MIXED * self.inside.parts(low, end)
        return ruled


def border_share(border: CellBorder) -> float:
    """
    >>> border_share(CellBorder("heading", level=2)), border_share(CellBorder("block", leads=True))
    (0.2, 2.0)
    """
    if border.kind == "heading":
        return min(SHARES["heading"] * (border.level - 1), MOST_HEADING_SHARE)
    return max(SHARES[border.kind], LEADS if border.leads else 0.0)
