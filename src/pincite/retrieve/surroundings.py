"""What is read around a hit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pincite.model import Chunk, Excerpt, Principal, Span
from pincite.ports import Snapshot
from pincite.retrieve.request import Expansion


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Surroundings:
    """Reads each document once, and only what the principal may see."""

    snapshot: Snapshot
    principal: Principal
    _texts: dict[str, str] = field(init=False, default_factory=dict)
    _chunks: dict[str, list[Chunk]] = field(init=False, default_factory=dict)

    def around(self, chunks: Sequence[Chunk], expand: Expansion) -> Excerpt:
        """Of adjacent chunks in their order. ``parent``: with the chunks' parents, or the chunks alone where their
        strategy made none. ``neighbours``: from the start of the chunk before to the end of the chunk after them."""
        first, last = chunks[0], chunks[-1]
        spans = [chunk.span for chunk in chunks]
        if expand == "parent":
            spans += [chunk.parent for chunk in chunks if chunk.parent]
        elif expand == "neighbours":
            near = range(first.number - 1, last.number + 2)
            spans += [other.span for other in self.chunks(first.document_id) if other.number in near]
        span = Span(min(one.start for one in spans), max(one.end for one in spans))
        return Excerpt(span=span, text=span.of(self.text(first.document_id)))

    def text(self, name: str) -> str:
        """Of a document that has a chunk which the principal may see."""
        if name not in self._texts:
            self._texts[name] = self.snapshot.text(name, principal=self.principal) or ""
        return self._texts[name]

    def chunks(self, name: str) -> list[Chunk]:
        if name not in self._chunks:
            self._chunks[name] = self.snapshot.chunks(name, principal=self.principal)
        return self._chunks[name]
