"""Greedy cuts of the units that ``semantic`` and ``adaptive`` weigh: what the search for the best cut is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from pincite import catalogue
from pincite.chunk.cells import Cell, CellCutter, grouped
from pincite.chunk.packing import Packing
from pincite.model import Document
from pincite.ports import Embedder

Spans = list[tuple[int, int, str]]
Cuts = Callable[[Sequence[Cell], Document], Sequence[bool]]
"""For each cell whether a chunk begins there although it would fit into the one before."""

MAX_TOKENS = 400
PREFERRED = MAX_TOKENS * 5 // 8
LEAST_SEMANTIC, LEAST_ADAPTIVE = MAX_TOKENS // 64, PREFERRED // 12


def spans(document: Document, cuts: Cuts, *, grain: int, least: int) -> Spans:
    """Chunks of cells in a row, as many as fit, none over a border that ``cuts`` names or an outermost heading."""
    counter = catalogue.create("counter", "o200k_base")
    packing = Packing(document, counter, max_tokens=MAX_TOKENS)
    cells = list(CellCutter(packing, grain=grain, least=least).cells())
    if not cells:
        return []
    starts = [*packed(cells, cuts(cells, document)), len(cells)]
    return [
        (piece.span.start, piece.span.end, piece.prefix)
        for first, last in pairwise(starts)
        for piece in packing.pieces(grouped(packing, cells[first:last]))
    ]


def packed(cells: Sequence[Cell], cuts: Sequence[bool]) -> Iterator[int]:
    room = 0
    for place, cell in enumerate(cells):
        if not place or cuts[place] or cell.apart or cell.tokens > room:
            yield place
            room = cell.room
        room -= cell.tokens


def packing_twin(document: Document) -> Spans:
    """Of ``adaptive``: every chunk as full as it gets."""
    return spans(document, lambda cells, _: [False] * len(cells), grain=PREFERRED // 2, least=LEAST_ADAPTIVE)


def percentile_twin(document: Document, embedder: Embedder, percentile: float) -> Spans:
    """Of ``semantic``: a border wherever two neighbours are farther apart than ``percentile`` of 100 are."""

    def cuts(cells: Sequence[Cell], document: Document) -> Sequence[bool]:
        vectors = embedder.embed([cell.span.of(document.text) for cell in cells])
        distances = 1 - (vectors[1:] * vectors[:-1]).sum(axis=1)
        if not len(distances):
            return [False]
        return [False, *(distances > np.percentile(distances, percentile)).tolist()]

    return spans(document, cuts, grain=0, least=LEAST_SEMANTIC)
