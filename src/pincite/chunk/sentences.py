"""``sentences``: whole sentences up to a limit."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice, pairwise

from pincite import catalogue
from pincite.chunk.assemble import assemble
from pincite.chunk.borders import blank, language_of, line_start
from pincite.chunk.packer import Packer, listed
from pincite.chunk.ruler import ruler_for
from pincite.chunk.sizes import check_sizes
from pincite.model import Chunk, Document
from pincite.ports import Counter
from pincite.text import graphemes
from pincite.text.sentences import clause_starts, sentence_starts

BEFORE_WORD = re.compile(r"\s(?=\S)")


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceChunker:
    """Sentences in a row, as many as fit into ``max_tokens``; a sentence over the limit is cut between clauses, else
    words, else grapheme clusters, and what is left of it goes with the sentences after it.

    ``overlap_tokens`` is the most that a chunk repeats of the end of the one before, in whole sentences: fewer tokens
    where the next sentence would not fit, none where no sentence is that short.

    No sentence runs over the border of a block: a heading, a list item, a table row, a line of code ends one, however
    it ends. Apart from that blocks are text like any other; ``structure`` keeps them whole. The rules for sentences
    are those of the document's language (``language`` in its metadata) where that is known.
    """

    max_tokens: int = 400
    overlap_tokens: int = 0
    counter: str = "o200k_base"
    name: str = "sentences"
    _counter: Counter = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_sizes(self.max_tokens, overlap_tokens=self.overlap_tokens)
        object.__setattr__(self, "_counter", catalogue.create("counter", self.counter))

    def chunk(self, document: Document) -> Iterator[Chunk]:
        text = document.text
        start = graphemes.border_after(text, document.body_start)
        packer = Packer(
            text,
            ruler_for(text, start, self._counter),
            [
                listed(text, lambda first, last: sentence_borders(document, first, last)),
                listed(text, lambda first, last: array("I", islice(clause_starts(text, first, last), 1, None))),
                listed(
                    text, lambda first, last: array("I", map(re.Match.end, BEFORE_WORD.finditer(text, first, last)))
                ),
            ],
            limit=self.max_tokens,
            overlap=self.overlap_tokens,
            keep_units=True,
        )
        return assemble(document, packer.pieces(start, len(text)), self._counter)


def sentence_borders(document: Document, start: int, end: int) -> array[int]:
    """Where sentences begin inside the range, in code points and ascending; blanks go with the sentence before."""
    text = document.text
    language = language_of(document)
    borders = array("I")
    last = start
    for first, stop, prose in stretches(document, start, end):
        for place in sentence_starts(text, first, stop, language) if prose else (first,):
            if place == last:
                continue
            if not blank(text, last, place):
                borders.append(place)
            elif borders:
                borders[-1] = place
            last = place
    if borders and blank(text, last, end):
        borders.pop()
    return borders


def stretches(document: Document, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
    """What no sentence runs over: half-open ranges that tile ``[start, end)``, from line start to line start.

    The third value says whether sentences are looked for: a heading and a line of code are one each.
    """
    borders = {start, end}
    whole: list[tuple[int, int]] = []
    code_end = start
    for block in document.blocks:
        span = block.span
        if span.start < code_end:  # front matter, and definitions inside definitions
            continue
        first, after = max(start, line_start(document, span.start)), _next_line_start(document, span.end)
        borders.add(first)
        borders.add(after)
        if block.kind == "code":
            lines = document.line_starts
            borders.update(lines[bisect_left(lines, first) : bisect_left(lines, after)])
            code_end = span.end
        elif block.kind == "table":
            borders.update(line_start(document, row.start) for row in block.rows)
        if block.kind in ("code", "heading"):
            whole.append((first, after))
    whole.append((end, end))
    waiting = iter(whole)
    whole_start, whole_end = next(waiting)
    for first, after in pairwise(sorted(borders)):
        while whole_end <= first:
            whole_start, whole_end = next(waiting)
        yield first, after, first < whole_start


def _next_line_start(document: Document, place: int) -> int:
    """Where the first line begins that does so at or after the place; the text's end where none does."""
    text = document.text
    if text[place : place + 1] == "\n":
        return place + 1
    if text[place - 1] == "\n":
        return place
    index = bisect_left(document.line_starts, place)
    return document.line_starts[index] if index < len(document.line_starts) else len(text)
