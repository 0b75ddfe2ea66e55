"""The cheapest cut of a document portion by portion, so that a very long one needs little memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy

from pincite import catalogue
from pincite.chunk.cells import Cell, CellCutter
from pincite.chunk.cohesion import BLOCK_ROWS, CellVectors, Common, TermVectors, embedded
from pincite.chunk.packing import Packing
from pincite.chunk.segmentation import Search
from pincite.chunk.weighing import Weighing, Weights
from pincite.ports import Embedder

PORTION_CELLS = 1 << 12
"""What all cells have in common is found in the first portion."""
FEW_CHUNKS = 16
LEAST_SHARE = 12
"""A sentence or item is a twelfth of a chunk, or with its neighbours: nobody sees whether one of three words is before
or behind a border."""


class Portion(NamedTuple):
    """Cells in a row, and where those from ``cuts[0]`` to before ``cuts[-1]`` are cut: borders of the cheapest
    segmentation, whatever follows. ``before`` is where the chunk in front of them begins, ``cuts[0]`` if there is
    none."""

    cells: list[Cell]
    weighing: Weighing
    before: int
    cuts: list[int]


class Portions:
    """One document on its way to being cut. ``embedder`` is empty for vectors by words; ``portion_cells`` are looked at
    at once, more where they are too few to settle anything."""

    def __init__(
        self, packing: Packing, weights: Weights, *, preferred: int, embedder: str, portion_cells: int = PORTION_CELLS
    ) -> None:
        self.packing = packing
        self.weights = weights
        self.preferred = preferred
        self.portion_cells = portion_cells
        self.around = max(1, preferred // 2)
        self.terms = TermVectors()
        self.embedder: Embedder | None = catalogue.create("embed", embedder) if embedder and weights.cohesion else None
        self.common: Common | None = None

    def __iter__(self) -> Iterator[Portion]:
        remaining = CellCutter(self.packing, grain=self.preferred // 2, least=self.preferred // LEAST_SHARE).cells()
        cells: list[Cell] = []
        before = first = 0
        wanted = self.portion_cells
        while True:
            cells += islice(remaining, max(0, wanted - (len(cells) - first)))
            final = len(cells) - first < wanted
            if first == len(cells):
                return
            weighing = self.weighing(cells)
            last = len(cells) if final else weighing.windows.with_tokens_after(self.around)
            search = Search(weighing.windows, weighing.total, first, last)
            end = last if final else search.settled()
            if end == first:  # text that repeats itself has many equally good ways, which may never meet
                way = search.cuts(last)
                if len(way) < FEW_CHUNKS:
                    wanted *= 2
                    continue
                end = way[len(way) // 2]
            cuts = [*search.cuts(end), end]
            yield Portion(cells, weighing, before, cuts)
            if final:
                return
            kept = min(cuts[-2], weighing.lefts[end])  # what is looked at around the next border
            cells, first, before, wanted = cells[kept:], end - kept, cuts[-2] - kept, self.portion_cells

    def weighing(self, cells: Sequence[Cell]) -> Weighing:
        vectors = self.vectors(cells) if self.weights.cohesion else None
        return Weighing(
            cells, vectors, self.weights, preferred=self.preferred, around=self.around, limit=self.packing.max_tokens
        )

    def vectors(self, cells: Sequence[Cell]) -> CellVectors:
        text = self.packing.text
        if self.embedder:
            vectors = embedded(self.embedder, text, cells, self.common)
        else:
            blocks = [
                self.terms.of([cell.span.of(text) for cell in cells[first : first + BLOCK_ROWS]])
                for first in range(0, len(cells), BLOCK_ROWS)
            ]
            sizes = [cell.tokens for cell in cells]
            vectors = CellVectors(numpy.concatenate(blocks), range(len(cells)), sizes, self.common)
        self.common = vectors.common
        return vectors
