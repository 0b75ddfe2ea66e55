"""What can be quoted: the sentences, rows, items and short code blocks of the passages."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from pincite.model import Block, BlockKind, Document, Span
from pincite.text.graphemes import trim
from pincite.text.sentences import sentences
from pincite.text.stopwords import words_of

REACH = 1_000
"""A passage may cut a sentence in two; the whole one is quoted when its ends are within this many code points."""
LONGEST_CODE_LINES = 8
"""Longer code is quoted in pieces that blank lines part."""
LONGEST_LIST = 600
"""A longer list, in code points, is not quoted as a whole."""
LONGEST_LEAD = 300
"""A sentence before a list that ends with a colon explains the items, up to this length in code points."""
INTRODUCING = (":", "...", "…")
SAID_BEFORE_WORDS = 6
"""A pronoun among so many first words points back to the sentence before."""


POINTING_BACK = words_of(
    """
    it its they them their this these those such that he she er es sie ihr ihre dies diese dieser dieses diesem
    diesen das solche solcher solches dabei dafür dazu damit danach darauf
    """
)
_SILENT: frozenset[BlockKind] = frozenset({"heading", "other", "metadata"})
_MARKUP = re.compile(r"(?:[ \t]*(?:>|[-*+•](?=[ \t])|\d{1,9}[.)](?=[ \t])|\[[ xX]\](?=[ \t])))*[ \t]*")
_LINE = re.compile(r"[^\r\n]+")
_FENCE = re.compile(r"[ \t]*(?:`{3,}|~{3,})")
_WORD = re.compile(r"\w+")
_LETTER = re.compile(r"[^\W\d_]")
_RUN_IN = re.compile(r"\*\*(?:[^*\r\n]+[.:!?]\*\*|[^*\r\n]+\*\*(?:[.:]|(?=[ \t]*(?:[\r\n]|$))))\s*")
_LINE_BREAK = re.compile(r"\s*[\r\n]\s*(?:>[ \t]*)*")


@dataclass(frozen=True, slots=True)
class Unit:
    """One quotable span. ``text`` is what a person reads; ``context`` is what the page says around it: the headings
    down to it, the columns of its table, the line that introduces its list, the sentence that it points back to."""

    document: Document
    span: Span
    text: str
    kind: BlockKind
    context: tuple[str, ...]

    @property
    def quote(self) -> str:
        return self.span.of(self.document.text)

    @property
    def headings(self) -> tuple[str, ...]:
        sections = self.document.sections_over(self.span)
        return sections[0].path if sections else ()


def units_of(document: Document, passage: Span) -> Iterator[Unit]:
    """The units that the passage touches, whole, in reading order; none of headings, raw HTML and front matter."""
    position = passage.start
    for block, stretch in _stretches(document, passage):
        if stretch.start > position and document.text[position : stretch.start].strip():
            yield from _prose(document, Span(position, stretch.start), "paragraph", passage)
        position = stretch.end
        if block.kind in _SILENT:
            continue
        if block.kind == "table":
            yield from _rows(document, block, passage)
        elif block.kind == "code":
            yield from _code(document, block, passage)
        else:
            yield from _prose(document, stretch, block.kind, passage)
    if position < passage.end:
        yield from _prose(document, Span(position, passage.end), "paragraph", passage)


def _stretches(document: Document, passage: Span) -> Iterator[tuple[Block, Span]]:
    """The text of each block without that of the blocks inside it, in order, as far as it is near the passage."""
    blocks = _touched(document, passage)
    window = Span(max(0, passage.start - REACH), passage.end + REACH)
    borders: list[tuple[Block, int, int]] = []
    open_blocks: list[tuple[Block, int]] = []

    def close(until: int) -> None:
        while open_blocks and open_blocks[-1][0].span.end <= until:
            block, start = open_blocks.pop()
            borders.append((block, start, block.span.end))
            if open_blocks:
                open_blocks[-1] = (open_blocks[-1][0], block.span.end)

    for block in blocks:
        close(block.span.start)
        if open_blocks:
            outer, start = open_blocks[-1]
            borders.append((outer, start, block.span.start))
        open_blocks.append((block, block.span.start))
    close(len(document.text))
    for block, start, end in borders:
        start, end = max(start, window.start), min(end, window.end)
        if start < end and Span(start, end).overlaps(passage):
            yield block, Span(start, end)


def _touched(document: Document, passage: Span) -> list[Block]:
    """Blocks over the passage; those that begin before it are looked for among the outermost ones only."""
    outline = document.outline
    first = bisect_left(outline, passage.start, key=lambda block: block.span.end)
    if first == len(outline):
        return []
    start = bisect_left(document.blocks, outline[first].span.start, key=lambda block: block.span.start)
    stop = bisect_left(document.blocks, passage.end, key=lambda block: block.span.start)
    return [block for block in document.blocks[start:stop] if block.span.overlaps(passage)]


def _prose(document: Document, stretch: Span, kind: BlockKind, passage: Span) -> Iterator[Unit]:
    language = str(document.metadata.get("language", ""))
    around = _around(document, stretch, kind)
    before = ""
    for start, end in sentences(document.text, stretch.start, stretch.end, language):
        run_in, span = _bare(document.text, start, end)
        if run_in:
            around = (*around, run_in)
        if span is None:
            continue
        text = _LINE_BREAK.sub(" ", span.of(document.text))
        pointing = _points_back(text)
        if span.overlaps(passage):
            yield Unit(document, span, text, kind, (*around, before) if pointing and before else around)
        before = text


def _points_back(text: str) -> bool:
    first = _WORD.findall(text[:200].casefold())[:SAID_BEFORE_WORDS]
    return not POINTING_BACK.isdisjoint(first)


def _bare(text: str, start: int, end: int) -> tuple[str, Span | None]:
    """The bold words that run in before a sentence, and the sentence without them and without the marks of lists and
    quotes; ``None`` where no letter is left."""
    start = _after(_MARKUP, text, start, end)
    run_in = _RUN_IN.match(text, start, end)
    if run_in:
        start = _after(_MARKUP, text, run_in.end(), end)
    start, end = trim(text, start, end)
    said = run_in.group().strip(" *\t\r\n") if run_in else ""
    return said, Span(start, end) if start < end and _LETTER.search(text, start, end) else None


def _after(pattern: re.Pattern[str], text: str, start: int, end: int) -> int:
    match = pattern.match(text, start, end)
    return match.end() if match else start


def _rows(document: Document, table: Block, passage: Span) -> Iterator[Unit]:
    around = _around(document, table.span, "table")
    columns = [_plain(name) for name in table.columns]
    for row in table.rows:
        if row.overlaps(passage):
            start, end = trim(document.text, row.start, row.end)
            if start < end:
                span = Span(start, end)
                text = _row_in_words(span.of(document.text), columns)
                yield Unit(document, span, text, "table", (*around, " ".join(filter(None, columns))))


def _row_in_words(row: str, columns: list[str]) -> str:
    """``column: value; column: value``; a row of another shape stays as it is.

    >>> _row_in_words("| Labels | 8 |", ["", "Version 2"])
    'Labels; Version 2: 8'
    """
    if not row.startswith("|"):
        return row
    cells = [_plain(cell.replace("\\|", "|")) for cell in re.split(r"(?<!\\)\|", row.strip().strip("|"))]
    if len(cells) != len(columns):
        return row
    named = [f"{name}: {cell}" if name else cell for name, cell in zip(columns, cells, strict=True) if cell]
    return "; ".join(named) or row


def _plain(cell: str) -> str:
    return cell.replace("`", "").replace("**", "").strip()


def _code(document: Document, block: Block, passage: Span) -> Iterator[Unit]:
    """The code without its fence lines, whole when it is short, else the pieces between blank lines."""
    text = document.text
    lines = [(line.start(), line.end()) for line in _LINE.finditer(text, block.span.start, block.span.end)]
    lines = [line for line in lines if not _FENCE.match(text, *line)]
    pieces: list[list[tuple[int, int]]] = []
    for line in lines:
        parted = bool(pieces) and text.count("\n", pieces[-1][-1][1], line[0]) > 1
        if not pieces or (parted and len(lines) > LONGEST_CODE_LINES):
            pieces.append([])
        pieces[-1].append(line)
    around = _around(document, block.span, "code")
    for piece in pieces:
        start, end = trim(text, piece[0][0], piece[-1][1])
        if start < end and Span(start, end).overlaps(passage):
            yield Unit(document, Span(start, end), text[start:end], "code", around)


def _around(document: Document, span: Span, kind: BlockKind) -> tuple[str, ...]:
    sections = document.sections_over(span)
    headings = sections[0].path if sections else ()
    lead = _lead(document, span) if kind in ("item", "list", "table", "code") else ""
    return (*headings, lead) if lead else headings


def _lead(document: Document, span: Span) -> str:
    """The last sentence of the paragraph before the outermost block around the span, where it ends with a colon."""
    outline = document.outline
    index = bisect_left(outline, span.start + 1, key=lambda block: block.span.end)
    before = outline[index - 1] if 0 < index <= len(outline) else None
    if before is None or before.kind != "paragraph" or not before.span.of(document.text).rstrip().endswith(":"):
        return ""
    near = max(before.span.start, before.span.end - 2 * LONGEST_LEAD)
    start, end = sentences(document.text, near, before.span.end)[-1]
    return document.text[start:end] if end - start <= LONGEST_LEAD else ""


def with_what_follows(unit: Unit) -> Unit:
    """The unit with the short code block or list that it introduces (it ends with a colon or dots and the block is
    next): "disable timeouts like this:" answers nothing without what follows. Any other unit as it is."""
    text = unit.document.text
    if unit.kind == "code" or not unit.quote.endswith(INTRODUCING):
        return unit
    after = bisect_left(unit.document.blocks, unit.span.end, key=lambda block: block.span.start)
    block = unit.document.blocks[after] if after < len(unit.document.blocks) else None
    if block is None or block.kind not in ("code", "list") or text[unit.span.end : block.span.start].strip():
        return unit
    lines = [line.group() for line in _LINE.finditer(text, block.span.start, block.span.end)]
    if block.kind == "list" and (len(lines) < 2 or sum(map(len, lines)) > LONGEST_LIST):
        return unit
    code = [line for line in lines if not _FENCE.match(line)]
    if len(code) > LONGEST_CODE_LINES:
        return unit
    return replace(unit, span=Span(unit.span.start, block.span.end), text="\n".join([unit.text, *code]))


def without_repeats(units: Sequence[Unit]) -> list[Unit]:
    """Without those that lie inside another one."""

    def inside(one: Unit, other: Unit) -> bool:
        return one is not other and one.document.id == other.document.id and other.span.contains(one.span)

    return [unit for unit in units if not any(inside(unit, other) for other in units)]


def unique(units: Iterable[Unit]) -> list[Unit]:
    """Each span of a document once, in the order of its first appearance; passages may overlap."""
    found: dict[tuple[str, Span], Unit] = {}
    for unit in units:
        found.setdefault((unit.document.id, unit.span), unit)
    return list(found.values())
