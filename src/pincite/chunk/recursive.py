r"""``recursive``: cut at the coarsest separator that gives pieces under the limit.

The way that most splitters of this name go: separators from the coarsest to the finest, pieces between them joined
again up to the limit, a piece over it cut by the next separator.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from pincite import catalogue
from pincite.chunk.assemble import assemble
from pincite.chunk.joining import Joiner
from pincite.chunk.packer import Packer, separated
from pincite.chunk.ruler import ruler_for
from pincite.chunk.sizes import check_sizes
from pincite.model import Chunk, Document
from pincite.ports import Counter
from pincite.text import graphemes


@dataclass(frozen=True, slots=True, kw_only=True)
class RecursiveChunker:
    r"""Pieces between ``separators``, which go from the coarsest to the finest, joined up to ``max_tokens``.

    With ``counter="characters"`` the chunks are those of LangChain's RecursiveCharacterTextSplitter with the same
    separators, size and overlap, except where these break what every chunk here keeps: the limit holds whatever the
    separators (where none is left, between grapheme clusters: the empty separator at the end says no more than that);
    a separator inside a cluster cuts nothing; a blank that carries an accent is no blank; of two chunks that begin
    at the same place the longer one is left; front matter is left out.

    With other counters the counts of pieces do not add up. ``count_pieces="together"`` fills a chunk up to what it
    counts whole. ``"alone"`` goes by the sum of its pieces, each counted alone, which is often more, so that chunks are
    smaller; they are then those of that splitter with a function for lengths, except as above: where what it joined
    is over the limit whole, it is cut again. In characters both are the same.

    ``overlap_tokens`` is the most that a chunk repeats of the end of the one before, in whole pieces. A separator
    stays with the piece after it, with ``keep_separator="end"`` with the piece before. Blanks at the ends of a chunk
    are left out, but count, like a separator there, when pieces are joined.
    """

    max_tokens: int = 400
    overlap_tokens: int = 0
    counter: str = "o200k_base"
    separators: tuple[str, ...] = ("\n\n", "\n", " ", "")
    keep_separator: Literal["start", "end"] = "start"
    count_pieces: Literal["together", "alone"] = "together"
    name: str = "recursive"
    _counter: Counter = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_sizes(self.max_tokens, overlap_tokens=self.overlap_tokens)
        if "" in self.separators[:-1]:
            raise ValueError(
                f"the empty separator stands last, since nothing is left to cut after it: {self.separators}"
            )
        object.__setattr__(self, "separators", tuple(self.separators))
        object.__setattr__(self, "_counter", catalogue.create("counter", self.counter))

    def chunk(self, document: Document) -> Iterator[Chunk]:
        text = document.text
        start = graphemes.border_after(text, document.body_start)
        packer = Packer(
            text,
            ruler_for(text, start, self._counter),
            [
                separated(text, separator, behind=self.keep_separator == "end")
                for separator in self.separators
                if separator
            ],
            limit=self.max_tokens,
            overlap=self.overlap_tokens,
            keep_units=False,
        )
        cutter = Joiner(packer, clusters="" in self.separators) if self.count_pieces == "alone" else packer
        return assemble(document, cutter.pieces(start, len(text)), self._counter)
