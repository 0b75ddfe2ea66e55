"""Chunks laid over their document: its text in bands, and the borders of two strategies side by side."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from pincite.model import Chunk, Document, Span


@dataclass(frozen=True, slots=True)
class Band:
    """A stretch of the text that belongs to the same chunks: none between chunks, several where they overlap."""

    span: Span
    chunks: tuple[Chunk, ...]


def bands(document: Document, chunks: Sequence[Chunk]) -> Iterator[Band]:
    """The whole text in bands, in order: joined they are the text. Chunks are given in order of their starts.

    >>> from pincite.engine.chunking import chunk_document
    >>> document = Document("a.txt", "a.txt", "text/plain", "abcdef ")
    >>> options = {"max_characters": 4, "overlap_characters": 2}
    >>> chunks = chunk_document(document, strategy="characters", options=options)
    >>> [(band.span.of(document.text), [chunk.number for chunk in band.chunks]) for band in bands(document, chunks)]
    [('ab', [1]), ('cd', [1, 2]), ('ef', [2, 3]), (' ', [3])]
    """
    places = {0, len(document.text)}
    for chunk in chunks:
        places.update((chunk.span.start, chunk.span.end))
    waiting = 0
    current: list[Chunk] = []
    for start, end in pairwise(sorted(places)):
        current = [chunk for chunk in current if chunk.span.end > start]
        while waiting < len(chunks) and chunks[waiting].span.start <= start:
            current.append(chunks[waiting])
            waiting += 1
        yield Band(Span(start, end), tuple(current))


@dataclass(frozen=True, slots=True, kw_only=True)
class Border:
    """Where the text of a chunk begins, by one strategy or by both.

    ``start`` is the code point of the first character there that is not blank, so that strategies which leave blanks
    at the edge of a chunk agree with those which do not. ``line`` counts from 1 in the document's text. ``first`` and
    ``second`` are the numbers of the chunks that begin there, ``None`` where that strategy does not cut; of chunks
    that differ in blanks only, the first.
    """

    start: int
    line: int
    first: int | None
    second: int | None

    def to_json(self, document: Document, names: tuple[str, str]) -> dict[str, Any]:
        numbers = (self.first, self.second)
        return {
            "document": document.id,
            "start": self.start,
            "line": self.line,
            "strategies": [name for name, number in zip(names, numbers, strict=True) if number],
            "first": self.first,
            "second": self.second,
        }


def compared(document: Document, first: Iterable[Chunk], second: Iterable[Chunk]) -> list[Border]:
    """The borders of both, in order.

    >>> from pincite.engine.chunking import chunk_document
    >>> document = Document("a.txt", "a.txt", "text/plain", "one\\n\\ntwo\\n")
    >>> whole, halves = chunk_document(document), chunk_document(
    ...     document, strategy="characters", options={"max_characters": 4, "overlap_characters": 0}
    ... )
    >>> [(border.start, border.line, border.first, border.second) for border in compared(document, whole, halves)]
    [(0, 1, 1, 1), (5, 3, None, 2)]
    """
    ours, theirs = _begins(first), _begins(second)
    return [
        Border(
            start=start,
            line=bisect_right(document.line_starts, start),
            first=ours.get(start),
            second=theirs.get(start),
        )
        for start in sorted(ours.keys() | theirs.keys())
    ]


def _begins(chunks: Iterable[Chunk]) -> dict[int, int]:
    """The number of the chunk whose first character that is not blank stands there."""
    begins: dict[int, int] = {}
    for chunk in chunks:
        begins.setdefault(chunk.span.start + len(chunk.text) - len(chunk.text.lstrip()), chunk.number)
    return begins
