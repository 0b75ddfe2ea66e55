"""``adaptive``: cuts and sizes by one cost over the whole document, each of which it explains."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice, pairwise

from pincite import catalogue
from pincite.chunk.assemble import Piece, assemble
from pincite.chunk.cells import grouped
from pincite.chunk.explaining import explained
from pincite.chunk.packing import HeadingPrefix, Packing
from pincite.chunk.portions import Portions
from pincite.chunk.sizes import check_sizes
from pincite.chunk.weighing import Weights
from pincite.model import Chunk, Document
from pincite.ports import Counter, ExplainedCut

MOST_WEIGHT = 100.0


@dataclass(frozen=True, slots=True, kw_only=True)
class AdaptiveChunker:
    """Weighs where to cut and how large chunks become, over the whole document at once, and says why.

    A chunk costs the more, the worse the border in front of it (a heading is the best; then blocks, list items, table
    rows, sentences; behind a colon is bad), the more alike the texts on both sides of the border, the farther its size
    from ``preferred_tokens`` (five eighths of ``max_tokens`` unless given), and the more it joins that belongs apart
    (headings, parts of sections, text about something else). The cheapest cut of the document is found by dynamic
    programming (as in Heinonen, 1998, "Optimal multi-paragraph text segmentation by dynamic programming", and Fragkou,
    Petridis and Kehagias, 2004), in time linear in the document. ``border_weight``, ``size_weight`` and
    ``cohesion_weight`` multiply the parts.

    What texts are about is told by their words, or by the vectors of an ``embedder``. No chunk is over ``max_tokens``,
    prefix included, or reaches over an outermost heading; whole blocks, prefixes and ``heading_prefix`` are as in
    ``structure``. ``counter`` names the unit of all limits. Text added at the end may change every chunk.
    """

    max_tokens: int = 400
    preferred_tokens: int | None = None
    border_weight: float = 1.0
    size_weight: float = 1.0
    cohesion_weight: float = 1.0
    counter: str = "o200k_base"
    embedder: str = ""
    heading_prefix: HeadingPrefix = "path"
    name: str = "adaptive"
    _counter: Counter = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_sizes(self.max_tokens)
        if self.preferred_tokens is not None and not 1 <= self.preferred_tokens <= self.max_tokens:
            raise ValueError(
                f"preferred_tokens lies between 1 and max_tokens ({self.max_tokens}), got {self.preferred_tokens}"
            )
        for option in ("border_weight", "size_weight", "cohesion_weight"):
            if not 0 <= getattr(self, option) <= MOST_WEIGHT:
                raise ValueError(f"{option} lies between 0 and {MOST_WEIGHT:g}, got {getattr(self, option)}")
        if self.embedder:
            catalogue.find("embed", self.embedder)
        object.__setattr__(self, "_counter", catalogue.create("counter", self.counter))

    def chunk(self, document: Document) -> Iterator[Chunk]:
        return assemble(document, self._pieces(document), self._counter)

    def explain(self, document: Document) -> Iterator[ExplainedCut]:
        """Why each chunk but the first begins where it does: one per border between the chunks of ``chunk``, in
        order."""
        packing = self._packing(document)
        return islice((cut for portion in self._portions(packing) for cut in explained(packing, portion)), 1, None)

    def _pieces(self, document: Document) -> Iterator[Piece]:
        packing = self._packing(document)
        for portion in self._portions(packing):
            for first, end in pairwise(portion.cuts):
                yield from packing.pieces(grouped(packing, portion.cells[first:end]))

    def _packing(self, document: Document) -> Packing:
        return Packing(document, self._counter, max_tokens=self.max_tokens, heading_prefix=self.heading_prefix)

    def _portions(self, packing: Packing) -> Portions:
        preferred = self.preferred_tokens or max(1, self.max_tokens * 5 // 8)
        weights = Weights(self.border_weight, self.size_weight, self.cohesion_weight)
        return Portions(packing, weights, preferred=preferred, embedder=self.embedder)
