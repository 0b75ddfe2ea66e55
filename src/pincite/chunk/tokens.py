"""``tokens``: windows of a fixed number of tokens."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field

from pincite import catalogue
from pincite.chunk.assemble import Piece, assemble, border_within
from pincite.model import Chunk, Document, Span
from pincite.ports import Counter
from pincite.text import graphemes


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenChunker:
    """Windows of ``max_tokens`` tokens that begin ``max_tokens - overlap_tokens`` apart in the tokens of the body.

    Windows stop with the first one that reaches the text's end. ``counter`` names the unit of both options. A border
    inside a grapheme cluster moves to the cluster's start. Each window is counted again on its own, because text that
    is cut may have more tokens than before; one that has too many ends earlier, and the next begins there at the
    latest. Only a single cluster over the limit stands alone.
    """

    max_tokens: int = 150
    overlap_tokens: int = 0
    counter: str = "o200k_base"
    name: str = "tokens"
    _counter: Counter = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.max_tokens < 1:
            raise ValueError(f"max_tokens is at least 1, got {self.max_tokens}")
        if not 0 <= self.overlap_tokens < self.max_tokens:
            raise ValueError(
                f"overlap_tokens lies between 0 and max_tokens - 1 ({self.max_tokens - 1}), got {self.overlap_tokens}"
            )
        object.__setattr__(self, "_counter", catalogue.create("counter", self.counter))

    def chunk(self, document: Document) -> Iterator[Chunk]:
        return assemble(document, self._windows(document), self._counter)

    def _windows(self, document: Document) -> Iterator[Piece]:
        """Untrimmed: a token often begins with a blank, and a window that lost one would no longer hold the tokens
        that its position says."""
        text, body_start = document.text, graphemes.border_after(document.text, document.body_start)
        starts = [body_start + offset for offset in self._counter.starts(text[body_start:])]
        if not starts:
            return
        step = self.max_tokens - self.overlap_tokens
        start = graphemes.border_before(text, starts[0], known=body_start)
        while True:
            index = bisect_left(starts, start)
            end, tokens = self._window(text, starts, start, index)
            yield Piece(Span(start, end), tokens=tokens)
            if end == len(text):
                return
            start = min(end, border_within(text, start, _at(starts, index + step, len(text))))

    def _window(self, text: str, starts: list[int], start: int, index: int) -> tuple[int, int]:
        """The end of the window that begins at ``start``, before the token ``index``, and its tokens."""
        end = border_within(text, start, _at(starts, index + self.max_tokens, len(text)))
        tokens = self._counter.count(text[start:end])
        while tokens > self.max_tokens:
            fewer = bisect_left(starts, end) - (tokens - self.max_tokens)
            wanted = min(end - 1, starts[fewer] if fewer > index else start)
            shorter = border_within(text, start, wanted)
            if shorter >= end:
                break
            end = shorter
            tokens = self._counter.count(text[start:end])
        return end, tokens


def _at(starts: list[int], index: int, end: int) -> int:
    """Where the token of that index begins, ``end`` beyond the last."""
    return starts[index] if index < len(starts) else end
