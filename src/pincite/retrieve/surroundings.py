"""What is read around a hit."""

from __future__ import annotations

from dataclasses import dataclass, field

from pincite.model import Chunk, Document, Excerpt, Principal, Span
from pincite.ports import Snapshot
from pincite.retrieve.request import Expansion


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Surroundings:
    """Reads each document once, and only what the principal may see."""

    snapshot: Snapshot
    principal: Principal
    _documents: dict[str, Document | None] = field(init=False, default_factory=dict)
    _chunks: dict[str, list[Chunk]] = field(init=False, default_factory=dict)

    def around(self, chunk: Chunk, expand: Expansion) -> Excerpt:
        """``parent``: the chunk's parent, or the chunk alone where its strategy made none. ``neighbours``: from the
        start of the chunk before to the end of the chunk after it."""
        span = chunk.span
        if expand == "parent" and chunk.parent:
            span = Span(min(span.start, chunk.parent.start), max(span.end, chunk.parent.end))
        elif expand == "neighbours":
            near = [other.span for other in self.chunks(chunk.document_id) if abs(other.number - chunk.number) <= 1]
            span = Span(min([span.start, *(one.start for one in near)]), max([span.end, *(one.end for one in near)]))
        document = self.document(chunk.document_id)
        return (
            Excerpt(span=span, text=span.of(document.text)) if document else Excerpt(span=chunk.span, text=chunk.text)
        )

    def document(self, name: str) -> Document | None:
        if name not in self._documents:
            self._documents[name] = self.snapshot.document(name, principal=self.principal)
        return self._documents[name]

    def chunks(self, name: str) -> list[Chunk]:
        if name not in self._chunks:
            self._chunks[name] = self.snapshot.chunks(name, principal=self.principal)
        return self._chunks[name]
