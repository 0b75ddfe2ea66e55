"""``characters``: windows of a fixed number of characters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from pincite import catalogue
from pincite.chunk.assemble import Piece, assemble, border_within
from pincite.model import Chunk, Document, Span
from pincite.ports import Counter


@dataclass(frozen=True, slots=True, kw_only=True)
class CharacterChunker:
    """Windows of ``max_characters`` code points that begin ``max_characters - overlap_characters`` apart.

    The whole text is cut, front matter too, and windows go on as long as they begin inside it: the last may lie
    inside the one before. Nothing is trimmed, so that lengths and starts are those of the windows. A border inside
    a grapheme cluster moves to the cluster's start; a cluster larger than the window stands alone.
    """

    max_characters: int = 800
    overlap_characters: int = 100
    name: str = "characters"
    _counter: Counter = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.max_characters < 1:
            raise ValueError(f"max_characters is at least 1, got {self.max_characters}")
        if not 0 <= self.overlap_characters < self.max_characters:
            raise ValueError(
                f"overlap_characters lies between 0 and max_characters - 1 ({self.max_characters - 1}), "
                f"got {self.overlap_characters}"
            )
        object.__setattr__(self, "_counter", catalogue.create("counter", "characters"))

    def chunk(self, document: Document) -> Iterator[Chunk]:
        return assemble(document, self._windows(document.text), self._counter)

    def _windows(self, text: str) -> Iterator[Piece]:
        step = self.max_characters - self.overlap_characters
        start = 0
        while start < len(text):
            end = border_within(text, start, start + self.max_characters)
            yield Piece(Span(start, end), tokens=end - start)
            start = border_within(text, start, start + step)
