"""``structure``: whole blocks under their heading path, up to a token limit.

The way of a document: sections → atoms (what is never cut; a section that fits is one) → groups (atoms that become
one chunk, ``filling.py``) → chunks. Every atom's tokens are counted once and added up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from pincite import catalogue
from pincite.chunk.assemble import Piece, assemble
from pincite.chunk.filling import merged, section_groups
from pincite.chunk.overlap import Overlap
from pincite.chunk.packing import HeadingPrefix, Packing
from pincite.chunk.sizes import check_sizes, small_below
from pincite.model import Chunk, Document
from pincite.ports import Counter

KEPT_KINDS = ("code", "table", "list", "item", "quote", "paragraph")
MOST_KEPT = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class StructureChunker:
    """Packs blocks under their heading path up to ``max_tokens``, prefix included.

    Chunks below ``min_tokens`` (a quarter of the limit unless given) join a neighbour: first within their section, then
    across siblings, from the closest relations to the farthest, never across an outermost heading; ``min_tokens=0``
    never crosses a section. Above 0, text added at the end may change chunks before the last block.
    A code block, table row, list item or sentence is cut only when it alone is over the limit. A table that is cut
    between rows has its header rows in the prefix of every further chunk. ``counter`` names the unit of all limits.

    ``overlap_tokens``: at most so many are repeated from the chunk before, in whole sentences or list items, where a
    section had to be cut. ``heading_prefix``: what of the headings stands in the prefix: the whole ``path``, the
    section's ``own`` heading, or none (``off``). ``keep_whole``: block kinds (``code``, ``table``, ``list``, ``item``,
    ``quote``, ``paragraph``) that are not cut up to a factor of the limit: ``{"code": 2.5}`` keeps code of up to
    ``2.5 * max_tokens`` in one chunk, and ``limit`` says so.
    """

    max_tokens: int = 400
    min_tokens: int | None = None
    overlap_tokens: int = 0
    counter: str = "o200k_base"
    heading_prefix: HeadingPrefix = "path"
    keep_whole: Mapping[str, float] | None = None
    name: str = "structure"
    _counter: Counter = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_sizes(self.max_tokens, min_tokens=self.min_tokens, overlap_tokens=self.overlap_tokens)
        check_keep_whole(self.keep_whole or {})
        object.__setattr__(self, "_counter", catalogue.create("counter", self.counter))

    @property
    def limit(self) -> int:
        """The size that no chunk is over: ``max_tokens``, or more for the kinds that are kept whole."""
        return max([self.max_tokens, *(int(factor * self.max_tokens) for factor in (self.keep_whole or {}).values())])

    def chunk(self, document: Document) -> Iterator[Chunk]:
        return assemble(document, self._pieces(document), self._counter)

    def _pieces(self, document: Document) -> Iterator[Piece]:
        packing = Packing(
            document,
            self._counter,
            max_tokens=self.max_tokens,
            heading_prefix=self.heading_prefix,
            keep_whole=self.keep_whole,
        )
        groups = section_groups(packing, overlap_tokens=self.overlap_tokens)
        joined = merged(packing, groups, small_below(self.max_tokens, self.min_tokens))
        pieces = (piece for group in joined for piece in packing.pieces(group))
        if not self.overlap_tokens:
            return pieces
        overlap = Overlap(document, self._counter, overlap_tokens=self.overlap_tokens, max_tokens=self.max_tokens)
        return overlap.extended(pieces)


def check_keep_whole(factors: Mapping[str, float]) -> None:
    """Raises ``ValueError`` for a kind of block that cannot be kept whole and for a factor that is none."""
    for kind, factor in factors.items():
        if kind not in KEPT_KINDS:
            raise ValueError(f"keep_whole knows the kinds {', '.join(KEPT_KINDS)}, got {kind!r}")
        if isinstance(factor, bool) or not isinstance(factor, (int, float)) or not 1 <= factor <= MOST_KEPT:
            raise ValueError(f"keep_whole takes factors from 1 to {MOST_KEPT}, got {factor!r} for {kind!r}")
