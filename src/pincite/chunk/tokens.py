"""``tokens``: windows of a fixed number of tokens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from pincite import catalogue
from pincite.chunk.assemble import Piece, assemble, border_within
from pincite.chunk.ruler import Ruler, ruler_for
from pincite.chunk.sizes import check_sizes
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
        check_sizes(self.max_tokens, overlap_tokens=self.overlap_tokens)
        object.__setattr__(self, "_counter", catalogue.create("counter", self.counter))

    def chunk(self, document: Document) -> Iterator[Chunk]:
        return assemble(document, self._windows(document), self._counter)

    def _windows(self, document: Document) -> Iterator[Piece]:
        """Untrimmed: a token often begins with a blank, and a window that lost one would no longer hold the tokens
        that its position says."""
        text, start = document.text, graphemes.border_after(document.text, document.body_start)
        if start == len(text):
            return
        ruler = ruler_for(text, start, self._counter)
        step = self.max_tokens - self.overlap_tokens
        while True:
            end, tokens = self._window(text, ruler, start)
            yield Piece(Span(start, end), tokens=tokens)
            if end == len(text):
                return
            # Without an overlap the next window begins where this one ends, and need not be looked for again.
            start = min(end, border_within(text, start, ruler.reach(start, step))) if self.overlap_tokens else end

    def _window(self, text: str, ruler: Ruler, start: int) -> tuple[int, int]:
        """The end of the window that begins at ``start``, and its tokens."""
        end = border_within(text, start, ruler.reach(start, self.max_tokens))
        tokens = ruler.count(start, end)
        while tokens > self.max_tokens:
            shorter = border_within(text, start, min(end - 1, ruler.reach(end, self.max_tokens - tokens)))
            if shorter >= end:
                break
            end = shorter
            tokens = ruler.count(start, end)
        return end, tokens
