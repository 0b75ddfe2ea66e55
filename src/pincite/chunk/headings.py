"""``headings-naive``, ``headings``, ``headings-capped``: three ways to cut Markdown at lines that look like headings.

They read lines, not the document's blocks, and cut the whole text, front matter too. A heading is a line that starts
with one to three ``#`` and a blank. For headings as CommonMark has them there are ``sections`` and ``structure``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from pincite import catalogue
from pincite.chunk.assemble import Piece, assemble
from pincite.model import Chunk, Document, Span
from pincite.ports import Counter
from pincite.text import graphemes

HEADING_OR_FENCE: Final = r"(?:(#{1,3}[ \t])|```)"
FIRST_LINE: Final = re.compile(HEADING_OR_FENCE)
OTHER_LINES: Final = re.compile(rf"\n{HEADING_OR_FENCE}")
"""That a pattern begins with one certain character makes it ten times as fast as any other way to find a line start."""
OTHER_LINES_WITH_RETURNS: Final = re.compile(rf"[\r\n]{HEADING_OR_FENCE}")
HEADING_LINE: Final = re.compile(r"#{1,3}[ \t][^\r\n]*")
LINE_END: Final = r"(?:\r\n|\n|\r(?!\n))"
BLANK_LINE: Final = re.compile(r"\n[ \t]*\n")
BLANK_LINE_WITH_RETURNS: Final = re.compile(rf"{LINE_END}[ \t]*{LINE_END}")


@dataclass(frozen=True, slots=True, kw_only=True)
class NaiveHeadingChunker:
    """Cuts before every heading line, even inside fenced code, where comments are taken for headings."""

    name: str = "headings-naive"
    _counter: Counter = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_counter", catalogue.create("counter", "characters"))

    def chunk(self, document: Document) -> Iterator[Chunk]:
        pieces = (Piece(span) for span in heading_spans(document.text, fences=False))
        return assemble(document, pieces, self._counter)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadingChunker:
    """Cuts before every heading line outside fenced code.

    ``merge_below_characters`` joins every piece shorter than that to the next one, the last to the one before it.
    """

    merge_below_characters: int = 0
    name: str = "headings"
    _counter: Counter = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _check_not_negative(self.merge_below_characters)
        object.__setattr__(self, "_counter", catalogue.create("counter", "characters"))

    def chunk(self, document: Document) -> Iterator[Chunk]:
        pieces = (Piece(span) for span in heading_spans(document.text, fences=True))
        return assemble(document, merged(pieces, self.merge_below_characters), self._counter)


@dataclass(frozen=True, slots=True, kw_only=True)
class CappedHeadingChunker:
    """``headings`` with sections over ``max_characters`` cut at blank lines.

    A paragraph with which the piece would reach the limit begins a new one, which has the section's heading line as
    its prefix. A single paragraph may be longer than the limit, and fenced code is cut at its blank lines too.
    ``merge_below_characters`` is that of ``headings``, after the cutting; a piece is as long as what is embedded.
    """

    max_characters: int = 1500
    merge_below_characters: int = 0
    name: str = "headings-capped"
    _counter: Counter = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.max_characters < 1:
            raise ValueError(f"max_characters is at least 1, got {self.max_characters}")
        _check_not_negative(self.merge_below_characters)
        object.__setattr__(self, "_counter", catalogue.create("counter", "characters"))

    def chunk(self, document: Document) -> Iterator[Chunk]:
        text = document.text
        pieces = (
            piece
            for span in heading_spans(text, fences=True)
            for piece in capped(text, span, max_characters=self.max_characters)
        )
        return assemble(document, merged(pieces, self.merge_below_characters), self._counter)


def heading_spans(text: str, *, fences: bool) -> Iterator[Span]:
    """The text from each heading line up to the next, trimmed of blanks; blank ones are left out.

    With ``fences`` a line that starts with three backticks opens or closes code, in which no line is a heading.

    >>> [(span.start, span.end) for span in heading_spans("Hello.\\n# One\\n```\\n# no\\n```\\n", fences=True)]
    [(0, 6), (7, 25)]
    """
    start = 0
    inside_fence = False
    for place, heading in _marked_lines(text):
        if not heading:
            inside_fence = fences and not inside_fence
        elif not inside_fence and place > start:
            yield from _trimmed(text, start, place)
            start = place
    yield from _trimmed(text, start, len(text))


def _marked_lines(text: str) -> Iterator[tuple[int, bool]]:
    """Where lines begin that are headings (true) or fences (false)."""
    first = FIRST_LINE.match(text)
    if first:
        yield 0, bool(first[1])
    for match in (OTHER_LINES_WITH_RETURNS if "\r" in text else OTHER_LINES).finditer(text):
        yield match.start() + 1, bool(match[1])


def capped(text: str, section: Span, *, max_characters: int) -> Iterator[Piece]:
    """The section whole where it fits, else cut at blank lines.

    What is added up is the length of the piece so far, repeated heading and blank line included, and that of the next
    paragraph, without the blank line between them. Their reaching the limit is enough for a cut: a rule that lets
    them be equal to it gives the lesson's sixteen figures as well, but 16 chunks with half a fence instead of 14.
    """
    if len(section) <= max_characters:
        yield Piece(section)
        return
    first_line = HEADING_LINE.match(text, section.start, section.end)
    heading = first_line[0] if first_line else ""
    repeated = len(heading) + len("\n\n") if heading else 0
    prefix = ""
    before = 0
    start = end = section.start
    for paragraph_start, paragraph_end in _paragraphs(text, section):
        if end > start and before + (end - start) + (paragraph_end - paragraph_start) >= max_characters:
            yield from _stripped(text, start, end, prefix)
            prefix, before, start = heading, repeated, paragraph_start
        end = paragraph_end
    yield from _stripped(text, start, section.end, prefix)


def merged(pieces: Iterable[Piece], below_characters: int) -> Iterable[Piece]:
    """Joins every piece shorter than ``below_characters`` to the next one, the last to the one before it.

    The length of a piece is that of prefix, blank line and text; a joined piece keeps the prefix of its first part.
    """
    return _merged(pieces, below_characters) if below_characters else pieces


def _merged(pieces: Iterable[Piece], below_characters: int) -> Iterator[Piece]:
    ready: Piece | None = None
    short: Piece | None = None
    for piece in pieces:
        current = _joined(short, piece) if short else piece
        short = None
        if _length(current) < below_characters:
            short = current
            continue
        if ready:
            yield ready
        ready = current
    if short:
        ready = _joined(ready, short) if ready else short
    if ready:
        yield ready


def _joined(first: Piece, second: Piece) -> Piece:
    return Piece(Span(first.span.start, second.span.end), prefix=first.prefix)


def _length(piece: Piece) -> int:
    return len(piece.span) + (len(piece.prefix) + len("\n\n") if piece.prefix else 0)


def _paragraphs(text: str, section: Span) -> Iterator[tuple[int, int]]:
    start = section.start
    pattern = BLANK_LINE_WITH_RETURNS if text.find("\r", section.start, section.end) >= 0 else BLANK_LINE
    for match in pattern.finditer(text, section.start, section.end):
        yield start, match.start()
        start = match.end()
    yield start, section.end


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    start, end = graphemes.trim(text, start, end)
    if start < end:
        yield Span(start, end)


def _stripped(text: str, start: int, end: int, prefix: str) -> Iterator[Piece]:
    """A piece without blanks at its ends; behind a prefix the indentation of its first line stays, as in code."""
    trimmed, end = graphemes.trim(text, start, end)
    if trimmed < end:
        yield Piece(Span(start if prefix else trimmed, end), prefix=prefix)


def _check_not_negative(merge_below_characters: int) -> None:
    if merge_below_characters < 0:
        raise ValueError(f"merge_below_characters is not negative, got {merge_below_characters}")
