"""What one chunk alone can have wrong, seen against the blocks of its document."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pincite.engine.chunking import counter_of, limit_of
from pincite.model import Block, BlockKind, Chunk, Document, Span
from pincite.ports import Chunker

BLANK = re.compile(r"\s++")


@dataclass(frozen=True, slots=True)
class Flaw:
    """``message`` goes on where "chunk 3" ends: "is …", "has …"; ``cure`` is a sentence."""

    kind: str
    message: str
    cure: str


class Measure:
    """Lengths by the counter of a strategy; its ``limit`` is ``None`` where it has none."""

    def __init__(self, chunker: Chunker) -> None:
        self._counter = counter_of(chunker)
        self.limit = limit_of(chunker)
        name = self._counter.name
        self.unit = name if name in ("characters", "words") else f"tokens ({name})"
        self._prefixes: dict[str, int] = {}
        self._blocks: dict[tuple[str, Span], int] = {}

    def prefix(self, chunk: Chunk) -> int:
        """Of a prefix alone; many chunks have the same."""
        if chunk.prefix not in self._prefixes:
            self._prefixes[chunk.prefix] = self._counter.count(chunk.prefix) if chunk.prefix else 0
        return self._prefixes[chunk.prefix]

    def block(self, document: Document, span: Span) -> int:
        """Of a stretch of a document without the blanks around it; a long one is asked for by each of its chunks."""
        key = (document.id, span)
        if key not in self._blocks:
            self._blocks[key] = self._counter.count(span.of(document.text).strip())
        return self._blocks[key]

    def text(self, chunk: Chunk) -> int:
        """Of a text without its prefix, counted again only where that is most of the chunk."""
        rest = chunk.tokens - self.prefix(chunk)
        return self._counter.count(chunk.text) if chunk.prefix and rest < 2 * self.prefix(chunk) + 20 else rest


class Layout:
    """Where a document has headings, code and tables."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.outline = _Row(document.outline)
        # A file of nothing but code can only be cut inside it.
        only_code = all(block.kind in ("code", "metadata") for block in document.outline)
        self.code = _Row([] if only_code else _innermost(document, "code"))
        self.tables = _Row([block for block in _innermost(document, "table") if block.header])


class _Row:
    """Blocks in order that do not overlap."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self._blocks = blocks
        self._starts = [block.span.start for block in blocks]
        self._ends = [block.span.end for block in blocks]

    def under(self, span: Span) -> Sequence[Block]:
        return self._blocks[bisect_right(self._ends, span.start) : bisect_left(self._starts, span.end)]


def _innermost(document: Document, kind: BlockKind) -> list[Block]:
    blocks = [block for block in document.blocks if block.kind == kind]
    following: list[Block | None] = [*blocks[1:], None]
    return [
        block
        for block, after in zip(blocks, following, strict=False)
        if after is None or after.span.start >= block.span.end
    ]


def flaws(chunk: Chunk, layout: Layout, measure: Measure) -> Iterator[Flaw]:
    """All that is wrong with it, each kind at most once."""
    kinds = {block.kind for block in layout.outline.under(chunk.span)}
    headings = kinds == {"heading"}
    if headings:
        cure = "Merge it with what follows (`structure` does, where it fits), or write text under the heading."
        yield Flaw("heading-only", "has nothing but headings", cure)
    for code in layout.code.under(chunk.span):
        if _has_a_part(layout.document.text, chunk.span, code.span):
            yield _half_fence(code, layout.document, measure)
            break
    for table in layout.tables.under(chunk.span):
        if table.header and _is_headless(layout.document, chunk, table, table.header):
            yield _without_header(table, table.header, layout.document, measure)
            break
    prefix, text = measure.prefix(chunk), measure.text(chunk)
    if prefix > text and not headings:
        message = f"has a prefix of {prefix} {measure.unit} and a text of {text}"
        yield Flaw("long-prefix", message, "Merge it with a neighbour, or shorten the headings above it.")


def _has_a_part(text: str, chunk: Span, block: Span) -> bool:
    """Whether the chunk has some of the block, but not all; blanks do not count."""
    whole = _is_blank(text, block.start, chunk.start) and _is_blank(text, chunk.end, block.end)
    return not whole and not _is_blank(text, max(block.start, chunk.start), min(block.end, chunk.end))


def _is_blank(text: str, start: int, end: int) -> bool:
    """Of an empty range, too. Reads up to the first character that is not blank and copies nothing."""
    return start >= end or BLANK.fullmatch(text, start, end) is not None


def _half_fence(code: Block, document: Document, measure: Measure) -> Flaw:
    language = f" ({code.language})" if code.language else ""
    message = f"has only a part of the code block{language}{_place(code.span, document)}"
    length = measure.block(document, code.span)
    if measure.limit and length > measure.limit:
        cure = f"The block alone has {length} {measure.unit}: raise the limit of {measure.limit}, or split the block."
    else:
        cure = "Use `structure`, which keeps it whole."
    return Flaw("half-fence", message, cure)


def _is_headless(document: Document, chunk: Chunk, table: Block, header: Span) -> bool:
    """Whether the chunk has rows of the table, but their header neither in its text nor in its prefix."""
    written = header.of(document.text)
    rows = max(header.end, chunk.span.start), min(table.span.end, chunk.span.end)
    begins = header.start + len(written) - len(written.lstrip())
    names = written.strip().splitlines()[0]
    return chunk.span.start > begins and names not in chunk.prefix and not _is_blank(document.text, *rows)


def _without_header(table: Block, header: Span, document: Document, measure: Measure) -> Flaw:
    message = f"has rows of the table{_place(table.span, document)} without its header"
    length = measure.block(document, header)
    if measure.limit and 2 * length > measure.limit:
        cure = f"The header alone has {length} {measure.unit}: raise the limit of {measure.limit}."
    else:
        cure = "Use `structure`, which repeats the header in the prefix."
    return Flaw("table-without-header", message, cure)


def _place(span: Span, document: Document) -> str:
    """Where a block stands, in words after a blank; nothing where nobody knows.

    >>> _place(Span(5, 9), Document("a.md", "a.md", "text/markdown", "# A\\n\\na\\nb\\n"))
    ' in lines 3 to 4'
    """
    first, last = document.place(Span(span.start, span.start + 1)), document.place(Span(span.end - 1, span.end))
    if first.line and last.line and last.line > first.line:
        return f" in lines {first.line} to {last.line}"
    return f" at {first}" if str(first) else ""
