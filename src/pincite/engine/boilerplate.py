"""Lines that stand in many chunks: navigation, disclaimers, running heads."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pincite.engine.flaws import Flaw
from pincite.model import BlockKind, Chunk, Document, Place, Span

COUNTED: frozenset[BlockKind] = frozenset({"paragraph", "list", "item", "quote", "caption", "note", "other"})
"""Equal headings, code and rows of tables are no boilerplate: each document has its "Examples" and its imports."""
LETTERS = 8
"""A line with fewer letters says too little to be missed or to be in the way."""
SHOWN_CHARACTERS = 60

LINE = re.compile(r"[^\r\n]+")
LINE_END = re.compile(r"\r\n|\n|\r")
NO_LETTER = re.compile(r"[\W\d_]+")
# "For example:" leads on to what differs; ":::", "!!!", "///", "{{<" and tags are markup for a site generator; and a
# line that ends with an open bracket, a comma or a backslash is code that nobody marked as such.
NO_SENTENCE = re.compile(r".*[:：,({\[\\]$|([/:!%@=+~`.{-])\1|<[^>]*>$")


@dataclass(slots=True)
class _Line:
    """Where a line was met first, and in how many chunks and documents it is; one of these for each line of the corpus,
    so it is small. ``met`` is a number made of all its chunks: lines that always stand together have the same."""

    span: Span
    index: int
    last: int
    chunks: int = 0
    documents: int = 0
    met: int = 0


@dataclass(frozen=True, slots=True)
class Repeated:
    """A line at its first place, with those that always stand with it; ``index`` counts all chunks from 0."""

    index: int
    span: Span
    chunks: int
    documents: int
    others: int

    def flaw(self, chunk: Chunk) -> Flaw:
        """``chunk`` is the one at ``index``."""
        start = self.span.start - chunk.span.start
        text = " ".join(chunk.text[start : start + len(self.span)].split())
        text = text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1] + "…"
        which = f" and {self.others} more with it, which stand" if self.others else ", which stands"
        documents = "one document" if self.documents == 1 else f"{self.documents} documents"
        message = f"has the line “{text}”{which} in {self.chunks} chunks of {documents}"
        return Flaw("boilerplate", message, "Take it out of the documents, if it says nothing of its own there.")

    def place(self, chunk: Chunk, place: Place) -> Place:
        """That of the chunk, with the line's own number where only lines are known."""
        if place != Place(line=place.line):
            return place
        before = chunk.text[: self.span.start - chunk.span.start]
        return Place(line=(place.line or 1) + len(LINE_END.findall(before)))


class RepeatedLines:
    """Counts in how many chunks each line stands whole. In chunks that overlap a line counts once, in the first."""

    def __init__(self) -> None:
        self._lines: dict[int, _Line] = {}

    def read(self, document: Document, chunks: Sequence[Chunk], *, first: int) -> None:
        """``first`` is the index of the document's first chunk."""
        starts = [chunk.span.start for chunk in chunks]
        for span, text in _counted_lines(document):
            number = _first_around(chunks, span, bisect_right(starts, span.start) - 1)
            if number is None:
                continue
            index = first + number
            line = self._lines.setdefault(hash(text), _Line(span, index, last=-1))
            if line.last < index:
                line.documents += line.last < first
                line.last = index
                line.chunks += 1
                line.met = (line.met * 1_000_003 + index) % (1 << 61)

    def in_more_than(self, chunks: int) -> Iterator[Repeated]:
        """In the order in which they were met."""
        groups: dict[int, list[_Line]] = defaultdict(list)
        for line in self._lines.values():
            if line.chunks > chunks:
                groups[line.met].append(line)
        for lines in groups.values():
            line = lines[0]
            yield Repeated(line.index, line.span, line.chunks, line.documents, len(lines) - 1)


def _first_around(chunks: Sequence[Chunk], span: Span, last: int) -> int | None:
    """The index of the first chunk that has the whole span, up to the last that starts before it."""
    found = None
    for index in range(last, -1, -1):
        if chunks[index].span.end <= span.start:
            break
        if chunks[index].span.end >= span.end:
            found = index
    return found


def _counted_lines(document: Document) -> Iterator[tuple[Span, str]]:
    """The lines that count, each with its words."""
    for block in document.outline:
        if block.kind in COUNTED:
            for match in LINE.finditer(document.text, block.span.start, block.span.end):
                text = " ".join(match[0].split())
                if len(NO_LETTER.sub("", text)) >= LETTERS and not NO_SENTENCE.match(text):
                    yield Span(*match.span()), text
