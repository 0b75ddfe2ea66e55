"""From the spans that a strategy chose to chunks: what every strategy has in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

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


def _setter(name: str) -> Callable[[Chunk, object], None]:
    """Sets one field of a frozen chunk. Ten of these take a third of the time of its ``__init__``, which reads every
    argument by name and looks up each field by its name: 5 % of the time of ``recursive``."""
    setter: Callable[[Chunk, object], None] = vars(Chunk)[name].__set__
    return setter


_new: Final = object.__new__
_set_id, _set_document, _set_number = _setter("id"), _setter("document_id"), _setter("number")
_set_span, _set_text, _set_prefix = _setter("span"), _setter("text"), _setter("prefix")
_set_headings, _set_level, _set_tokens = _setter("headings"), _setter("level"), _setter("tokens")
_set_parent = _setter("parent")


def assemble(document: Document, pieces: Iterable[Piece], counter: Counter) -> Iterator[Chunk]:
    """The chunks of those pieces, in their order, numbered from 1; blank pieces are skipped.

    Pieces are read one at a time, so a strategy may be a generator.
    """
    seen: dict[str, int] = {}
    whole, document_id = document.text, document.id
    number = 0
    for span, prefix, headings, level, parent, tokens in pieces:
        text = whole[span.start : span.end]
        if text.isspace():
            continue
        number += 1
        identity = chunk_id(document_id, prefix, text, occurrence=0)
        occurrence = seen.get(identity, 0)
        seen[identity] = occurrence + 1
        if occurrence:
            identity = chunk_id(document_id, prefix, text, occurrence=occurrence)
        if headings is None or level is None:
            headings, level = document.path_over(span)
        chunk = _new(Chunk)
        _set_id(chunk, identity)
        _set_document(chunk, document_id)
        _set_number(chunk, number)
        _set_span(chunk, span)
        _set_text(chunk, text)
        _set_prefix(chunk, prefix)
        _set_headings(chunk, headings)
        _set_level(chunk, level)
        _set_tokens(chunk, counter.count(join_prefix(prefix, text)) if tokens is None else tokens)
        _set_parent(chunk, parent)
        chunk.__post_init__()
        yield chunk


def border_within(text: str, start: int, wanted: int) -> int:
    r"""The largest grapheme border in ``(start, wanted]``, else the end of the cluster that begins at ``start``.

    ``start`` is a border itself and lies before the end of the text.

    >>> border_within("abcd", 0, 3), border_within("ab\r\n", 0, 3), border_within("e\u0301", 0, 1)
    (3, 2, 2)
    """
    border = graphemes.border_before(text, wanted, known=start)
    return border if border > start else graphemes.next_border(text, start, known=start)
