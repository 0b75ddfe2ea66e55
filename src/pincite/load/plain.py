"""Plain text: a blank line ends a paragraph; nothing else is read into it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pincite.load.decoding import decode
from pincite.load.front_matter import refuse_hidden_groups
from pincite.load.limits import at_least_one
from pincite.load.text_blocks import text_document
from pincite.model import Block, Document, Source, Span
from pincite.text.graphemes import trim

_LINE = re.compile(r"[^\r\n]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainTextLoader:
    """Loads text files of at most ``max_bytes`` bytes; the text is the decoded file, unchanged."""

    max_bytes: int = 64 * 1024 * 1024
    name: str = "text"

    def __post_init__(self) -> None:
        at_least_one(self, "max_bytes")

    def load(self, source: Source) -> Document:
        decoded = decode(source, max_bytes=self.max_bytes, loader=self.name)
        refuse_hidden_groups(decoded.text, source.path)
        blocks = [Block("paragraph", span) for span in paragraphs(decoded.text)]
        return text_document(source, decoded, blocks, media_type="text/plain")


def paragraphs(text: str) -> Iterator[Span]:
    r"""The runs of lines that are not blank, without the blanks at their ends, in order.

    >>> text = "  One\ntwo.\n \nThree."
    >>> [span.of(text) for span in paragraphs(text)]
    ['One\ntwo.', 'Three.']
    """
    start = end = None
    for line in _LINE.finditer(text):
        blank = line[0].isspace()
        apart = end is not None and (blank or _lines_between(text, end, line.start()) > 1)
        if start is not None and end is not None and apart:
            yield Span(*trim(text, start, end))
            start = None
        if not blank:
            start = line.start() if start is None else start
            end = line.end()
    if start is not None and end is not None:
        yield Span(*trim(text, start, end))


def _lines_between(text: str, end: int, start: int) -> int:
    """How many line ends stand in ``text[end:start]``, which holds nothing else."""
    return 1 if start - end == 1 or text[end:start] == "\r\n" else 2
