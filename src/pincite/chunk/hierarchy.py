"""``hierarchy``: small chunks for finding, each with a larger span around it for reading."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from pincite import catalogue
from pincite.chunk.assemble import Piece, assemble
from pincite.chunk.filling import merged, section_groups
from pincite.chunk.packing import HeadingPrefix, Packing
from pincite.chunk.parents import Parents
from pincite.chunk.sizes import MOST_TOKENS, check_sizes, small_below
from pincite.model import Chunk, Document
from pincite.ports import Counter

PARENT_FACTOR = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class HierarchyChunker:
    """The chunks of ``structure`` with a limit of ``max_tokens``, each with a ``parent`` of at most ``parent_tokens``
    (eight times that unless given).

    The parent is the span to read where the chunk was found: the widest section around it (or the whole document), with
    everything below that section, which is not over ``parent_tokens``; where that would be small or the section is
    larger, a window of whole blocks within the section. Few chunks have a parent of their own: those of one section or
    window share it, so that each is read once. Parents are in the order of their chunks and may overlap where a chunk
    lies in two blocks. A parent is text alone, without a prefix.

    ``min_tokens``, ``counter`` and ``heading_prefix`` are those of ``structure``. Text added at the end leaves chunks
    alone as there, but it may change parents.
    """

    max_tokens: int = 128
    min_tokens: int | None = None
    parent_tokens: int | None = None
    counter: str = "o200k_base"
    heading_prefix: HeadingPrefix = "path"
    name: str = "hierarchy"
    _counter: Counter = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_sizes(self.max_tokens, min_tokens=self.min_tokens)
        if self.parent_tokens is not None and not self.max_tokens <= self.parent_tokens <= MOST_TOKENS:
            raise ValueError(
                f"parent_tokens lies between max_tokens ({self.max_tokens}) and {MOST_TOKENS}, got {self.parent_tokens}"
            )
        object.__setattr__(self, "_counter", catalogue.create("counter", self.counter))

    @property
    def parent_limit(self) -> int:
        """The size that no parent is over: ``parent_tokens``, or eight times ``max_tokens``."""
        return self.max_tokens * PARENT_FACTOR if self.parent_tokens is None else self.parent_tokens

    def chunk(self, document: Document) -> Iterator[Chunk]:
        return assemble(document, self._pieces(document), self._counter)

    def _pieces(self, document: Document) -> Iterator[Piece]:
        packing = Packing(document, self._counter, max_tokens=self.max_tokens, heading_prefix=self.heading_prefix)
        groups = merged(packing, section_groups(packing), small_below(self.max_tokens, self.min_tokens))
        pieces = [piece for group in groups for piece in packing.pieces(group)]
        return iter(Parents(packing, pieces, parent_tokens=self.parent_limit))
