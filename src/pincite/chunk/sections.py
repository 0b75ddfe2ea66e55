"""``sections``: one chunk per section that has text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from pincite import catalogue
from pincite.chunk.assemble import Piece, assemble
from pincite.model import PATH_SEPARATOR, Chunk, Document, Span
from pincite.ports import Counter
from pincite.text import graphemes


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionChunker:
    """The text of each section under its whole heading path, however long it is.

    The heading itself stands in ``headings`` and in the prefix only. A section without text gives no chunk; text
    before the first heading gives one with an empty path. ``counter`` names the unit of the chunks' ``tokens``.
    """

    counter: str = "o200k_base"
    name: str = "sections"
    _counter: Counter = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_counter", catalogue.create("counter", self.counter))

    def chunk(self, document: Document) -> Iterator[Chunk]:
        return assemble(document, self._pieces(document), self._counter)

    def _pieces(self, document: Document) -> Iterator[Piece]:
        for section in document.sections:
            body = section.body
            if not body:
                continue
            start, end = graphemes.trim(document.text, body.start, body.end)
            if start == end:
                continue
            path = section.path
            yield Piece(Span(start, end), prefix=PATH_SEPARATOR.join(path), headings=path, level=section.level)
