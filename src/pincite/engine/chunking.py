"""Cutting documents and counting what came out, without a collection."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pincite import catalogue
from pincite.model import Chunk, Document


def chunk_document(
    document: Document, *, strategy: str = "structure", options: Mapping[str, Any] | None = None
) -> list[Chunk]:
    """The document's chunks in reading order. Raises ``UsageError`` for an unknown strategy or option.

    >>> from pincite.model import Document
    >>> [chunk.text for chunk in chunk_document(Document("a.txt", "a.txt", "text/plain", "Hello."))]
    ['Hello.']
    """
    return list(catalogue.create("chunk", strategy, options).chunk(document))


@dataclass(frozen=True, slots=True)
class Statistics:
    """How many chunks a strategy made and how long they are, prefix included, in ``unit``; 0 without chunks."""

    strategy: str
    chunks: int
    total: int
    minimum: int
    maximum: int
    unit: str

    @property
    def mean(self) -> int:
        """Truncated, not rounded."""
        return self.total // self.chunks if self.chunks else 0

    def to_json(self) -> dict[str, Any]:
        return {
            "strategy": self.strategy,
            "chunks": self.chunks,
            "mean": self.mean,
            "min": self.minimum,
            "max": self.maximum,
            "unit": self.unit,
        }


def statistics(
    documents: Iterable[Document], *, strategy: str, options: Mapping[str, Any] | None = None, unit: str = "characters"
) -> Statistics:
    """The lengths of all chunks of all documents; ``unit`` is the name of a counter."""
    chunker = catalogue.create("chunk", strategy, options)
    counter = catalogue.create("counter", unit)
    lengths = [counter.count(chunk.embedded) for document in documents for chunk in chunker.chunk(document)]
    return Statistics(
        strategy, len(lengths), sum(lengths), min(lengths, default=0), max(lengths, default=0), counter.name
    )
