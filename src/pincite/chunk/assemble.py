"""From the spans that a strategy chose to chunks: what every strategy has in common."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pincite.model import Chunk, Document, Span, chunk_id, join_prefix
from pincite.ports import Counter
from pincite.text import graphemes


class Piece(NamedTuple):
    """A span that a strategy chose; a tuple, because there are very many. What is ``None`` is worked out: headings and
    level from the sections that the span touches (give both or neither), tokens by counting what is embedded."""

    span: Span
    prefix: str = ""
    headings: tuple[str, ...] | None = None
    level: int | None = None
    parent: Span | None = None
    tokens: int | None = None


def assemble(document: Document, pieces: Iterable[Piece], counter: Counter) -> Iterator[Chunk]:
    """The chunks of those pieces, in their order, numbered from 1; blank pieces are skipped.

    Pieces are read one at a time, so a strategy may be a generator.
    """
    seen: dict[str, int] = {}
    number = 0
    for piece in pieces:
        text = piece.span.of(document.text)
        if text.isspace():
            continue
        number += 1
        identity = chunk_id(document.id, piece.prefix, text, occurrence=0)
        occurrence = seen.get(identity, 0)
        seen[identity] = occurrence + 1
        if occurrence:
            identity = chunk_id(document.id, piece.prefix, text, occurrence=occurrence)
        headings, level = piece.headings, piece.level
        if headings is None or level is None:
            headings, level = document.path_over(piece.span)
        tokens = piece.tokens
        if tokens is None:
            tokens = counter.count(join_prefix(piece.prefix, text))
        yield Chunk(
            id=identity,
            document_id=document.id,
            number=number,
            span=piece.span,
            text=text,
            prefix=piece.prefix,
            headings=headings,
            level=level,
            tokens=tokens,
            parent=piece.parent,
        )


def border_within(text: str, start: int, wanted: int) -> int:
    r"""The largest grapheme border in ``(start, wanted]``, else the end of the cluster that begins at ``start``.

    ``start`` is a border itself and lies before the end of the text.

    >>> border_within("abcd", 0, 3), border_within("ab\r\n", 0, 3), border_within("e\u0301", 0, 1)
    (3, 2, 2)
    """
    border = graphemes.border_before(text, wanted, known=start)
    return border if border > start else graphemes.next_border(text, start, known=start)
