"""Blocks of formats whose text stays as it is: what any reader found, brought in order over the whole text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from pincite.load.decoding import Decoded
from pincite.load.normalise import unseen_notices
from pincite.load.notices import empty
from pincite.model import Block, BlockKind, Document, Metadata, Notice, Source, Span
from pincite.text.graphemes import border_after, border_before

MAX_NAME_CHARS = 80
"""Longer names in titles are cut, so that the titles of nested blocks cannot outgrow the text."""
_LOOKED_AT = 1000

_LINE = re.compile(r"([^\r\n]*)(\r\n?|\n|\Z)")


def text_document(
    source: Source,
    decoded: Decoded,
    blocks: Iterable[Block],
    *,
    media_type: str,
    metadata: Metadata | None = None,
    notices: Iterable[Notice] = (),
) -> Document:
    """The document of a text format: the text as it is, with notices of what nobody sees in it, or if it is empty."""
    blocks = tuple(blocks)
    without_text = all(block.kind == "metadata" for block in blocks)
    own = (*unseen_notices(decoded.text, source.path), *((empty(source.path),) if without_text else ()))
    return Document(
        id=source.path,
        source=source.path,
        media_type=media_type,
        text=decoded.text,
        blocks=blocks,
        metadata=metadata or {},
        warnings=(*decoded.notices, *notices, *own),
    )


def groups(text: str, start: int, end: int) -> Iterator[Span]:
    r"""The runs of lines of ``text[start:end]`` that no blank line cuts, in order.

    >>> [span.of("a\nb\n\n c") for span in groups("a\nb\n\n c", 0, 7)]
    ['a\nb', ' c']
    """
    first = last = None
    position = start
    while position < end:
        match = _LINE.match(text, position, end)
        assert match is not None  # noqa: S101 - the pattern matches anywhere
        if match[1].strip():
            first = position if first is None else first
            last = match.end(1)
        elif first is not None and last is not None:
            yield Span(first, last)
            first = None
        position = match.end()
    if first is not None and last is not None:
        yield Span(first, last)


def settled(text: str, found: Iterable[Block], *, gaps: BlockKind, language: str = "") -> list[Block]:
    """The blocks as a document needs them: without blanks at their ends, on borders of grapheme clusters, nested
    properly, and a block of the kind ``gaps`` wherever text stands in none (one for each run of lines).

    ``found`` is in pre-order. Where two blocks claim the same text, the earlier one keeps it; a block that has no
    text left is dropped, with nothing lost but its structure.
    """
    settled: list[Block] = []
    floor = 0  # everything before it belongs to blocks that are complete
    open_blocks: list[tuple[int, int]] = []  # the end as found, the end as settled
    covered = 0
    for block in found:
        while open_blocks and open_blocks[-1][0] <= block.span.start:
            floor = max(floor, open_blocks.pop()[1])
        span = _trimmed(text, block.span, floor, open_blocks[-1][1] if open_blocks else len(text))
        if span is None:
            continue
        if not open_blocks:
            settled.extend(_filled(text, covered, span.start, gaps, language))
            covered = span.end
        open_blocks.append((block.span.end, span.end))
        floor = span.start
        settled.append(_moved(block, span))
    settled.extend(_filled(text, covered, len(text), gaps, language))
    return settled


def _filled(text: str, start: int, end: int, kind: BlockKind, language: str) -> Iterator[Block]:
    floor = start
    for group in groups(text, start, end):
        span = _trimmed(text, group, floor, end)
        if span:
            floor = span.end
            yield Block(kind, span, language=language)


def _trimmed(text: str, span: Span, lowest: int, highest: int) -> Span | None:
    """``lowest`` and ``highest`` are borders."""
    start, end = max(span.start, lowest), min(span.end, highest)
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start >= end:
        return None
    start = max(lowest, border_before(text, start, known=lowest))
    return Span(start, min(highest, border_after(text, end, known=start)))


def _moved(block: Block, span: Span) -> Block:
    """The block at its settled span; the rows of a table give way where they would reach out of it."""
    if span == block.span:
        return block
    if block.kind != "table":
        return replace(block, span=span)
    rows = tuple(row for row in block.rows if span.contains(row))
    header = block.header if block.header and span.contains(block.header) else None
    return replace(block, span=span, rows=rows, header=header)


def short(name: str) -> str:
    """
    >>> len(short("x" * 1000))
    80
    """
    name = " ".join(name[:_LOOKED_AT].split())
    return name if len(name) <= MAX_NAME_CHARS else name[: MAX_NAME_CHARS - 1] + "…"
