"""From Markdown text to blocks. The parser is pyromark; its ranges are UTF-8 bytes and are converted once.

A block begins at its first character that is not blank, indented code with its indentation; it ends after its last
character that is not blank; both are moved outwards where they would cut a grapheme cluster. A list item has its
marker in its span, a quote its ``>``, code its fences. Paragraphs inside list items are blocks where the list is
loose (a blank line between its parts), as CommonMark has it. Text that belongs to no outermost block of the parser
(link definitions) becomes a block of the kind ``other``, as HTML blocks and rules are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pyromark

from pincite.model import Block, BlockKind, Span
from pincite.text.graphemes import border_after, border_before
from pincite.text.offsets import code_point_offsets

_OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_FOOTNOTES
    | pyromark.Options.ENABLE_STRIKETHROUGH
    | pyromark.Options.ENABLE_TASKLISTS
)
_KINDS: dict[str, BlockKind] = {
    "Paragraph": "paragraph",
    "Heading": "heading",
    "List": "list",
    "Item": "item",
    "Table": "table",
    "CodeBlock": "code",
    "BlockQuote": "quote",
    "FootnoteDefinition": "note",
    "HtmlBlock": "other",
}
_LINE_END = re.compile(r"\r\n?|\n")
_MARKER = re.compile(r"[-+*]|[0-9]{1,9}[.)]")
_QUOTE_MARKER = re.compile(r">[ \t]*")
_BREAK_TAG = re.compile(r"<br\b", re.IGNORECASE)

# The parser fills up short rows of a table, up to 2**18 cells in each table. Tables whose cells, with those that it
# adds, outnumber the characters of the text several times are made to exhaust the memory.
_MOST_FILLED_CELLS = 2**18
_CELLS_PER_CHARACTER = 4
_CELLS_ALLOWED_ALWAYS = 2**21
_DELIMITER_CELLS = re.compile(r"(?:\|[ \t\x0b\x0c]*+:?-++:?[ \t\x0b\x0c]*+){4,}+")
_BLANK_LINE = re.compile(r"(?:\r\n|\r|\n)[ \t]*+(?=[\r\n])|\Z")


class TooWideError(Exception):
    """The tables of a text have far more cells than the text has characters."""


@dataclass(slots=True)
class _Found:
    """A block as the parser reports it; ``start``, ``end`` and those of the parts are byte offsets."""

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    title: str = ""
    language: str = ""
    indented: bool = False
    head_end: int = 0
    rows: list[tuple[int, int]] = field(default_factory=list)
    columns: list[str] = field(default_factory=list)


def blocks_of(text: str, start: int = 0) -> list[Block]:
    """The blocks of the Markdown in ``text[start:]`` in pre-order; spans are offsets in ``text``.

    Raises ``TooWideError`` before any work on tables that would need far more memory than the text.

    >>> [(block.kind, block.span.of("# A\\n\\n- b\\n")) for block in blocks_of("# A\\n\\n- b\\n")]
    [('heading', '# A'), ('list', '- b'), ('item', '- b')]
    """
    body = text[start:] if start else text
    _refuse_wide_tables(body)
    found = list(_found_in(body))
    encoded = body.encode()
    offsets = code_point_offsets(encoded, _byte_offsets(found))
    places = {byte: start + code_point for byte, code_point in offsets.items()}
    return list(_with_gaps(text, start, _placed(text, start, found, places)))


def _refuse_wide_tables(body: str) -> None:
    """An upper bound of the cells: columns of the widest delimiter row times lines up to the next blank line."""
    allowed = _CELLS_PER_CHARACTER * len(body) + _CELLS_ALLOWED_ALWAYS
    cells = position = 0
    while match := _DELIMITER_CELLS.search(body, position):
        blank = _BLANK_LINE.search(body, match.end())
        end = blank.start() if blank else len(body)
        widest = 0
        while match and match.start() < end:
            widest = max(widest, match[0].count("|") + 1)
            position = match.end()
            match = _DELIMITER_CELLS.search(body, position, end)
        lines = len(_LINE_END.findall(body, position, end))
        cells += min(widest * lines, _MOST_FILLED_CELLS)
        if cells > allowed:
            raise TooWideError(f"its tables have over {allowed:,} cells, nearly all of them missing in the file")


# Parser events to blocks in bytes.


def _found_in(body: str) -> Iterator[_Found]:
    """Blocks in pre-order. They are complete only when the iterator is exhausted."""
    words: list[str] | None = None  # the plain text that is being read, of a heading or a column name
    heading = table = None
    depth = 0
    for event, extent in pyromark.events_with_range(body, options=_OPTIONS):
        if isinstance(event, str):
            if event == "Rule":
                yield _Found("other", extent["start"], extent["end"])
            elif words is not None:
                words.append(" ")
        elif "Start" in event:
            name, value = _tag(event["Start"])
            if name == "Item":
                depth += 1
            if name in _KINDS:
                block = _block(name, value, extent["start"], extent["end"], depth)
                if name == "Heading":
                    heading, words = block, []
                elif name == "Table":
                    table = block
                yield block
            elif table is not None:
                if name == "TableHead":
                    table.head_end = extent["end"]
                elif name == "TableRow":
                    table.rows.append((extent["start"], extent["end"]))
                elif name == "TableCell" and not table.rows:
                    words = []
        elif "End" in event:
            name, _ = _tag(event["End"])
            if name == "Item":
                depth -= 1
            elif name == "Heading" and heading and words is not None:
                heading.title, words = _joined(words), None
            elif name == "TableCell" and table and words is not None:
                table.columns.append(_joined(words))
                words = None
        elif words is not None:
            words.append(_plain(event))


def _tag(tag: Any) -> tuple[str, Any]:
    return (tag, None) if isinstance(tag, str) else next(iter(tag.items()))


def _block(name: str, value: Any, start: int, end: int, depth: int) -> _Found:
    block = _Found(_KINDS[name], start, end)
    if name == "Heading":
        block.level = int(value["level"][1:])
    elif name == "Item":
        block.level = depth
    elif name == "CodeBlock":
        block.indented = value == "Indented"
        words = [] if block.indented else value["Fenced"].split()
        block.language = words[0] if words else ""
    return block


def _plain(event: Mapping[str, object]) -> str:
    """What a reader sees of an inline event; the text of links and the one that describes an image are events."""
    if "Text" in event:
        return str(event["Text"])
    if "Code" in event:
        return str(event["Code"])
    return " " if _BREAK_TAG.match(str(event.get("InlineHtml", ""))) else ""


def _joined(words: list[str]) -> str:
    return " ".join("".join(words).split())


def _byte_offsets(found: list[_Found]) -> Iterator[int]:
    for block in found:
        yield from (block.start, block.end)
        if block.kind == "table":
            yield block.head_end
            for row in block.rows:
                yield from row


# Blocks in code points.


def _placed(text: str, start: int, found: list[_Found], places: dict[int, int]) -> list[Block]:
    ends: dict[int, int] = {}
    blocks: list[Block] = []
    # Backwards, so that an inner block's end is known when the search for the outer one's comes by: linear in nests.
    for block in reversed(found):
        span = _trimmed(text, places[block.start], places[block.end], ends)
        if span is None:
            continue
        if block.indented:
            span = Span(_indentation(text, span.start, start), span.end)
        elif block.kind in ("list", "item") and (quote := _QUOTE_MARKER.match(text, span.start)):
            span = Span(quote.end(), span.end)  # the parser miscounts where a tab follows the quote's marker
        marker = _MARKER.match(text, span.start) if block.kind == "item" else None
        header, rows = _table_parts(text, block, places, ends) if block.kind == "table" else (None, ())
        blocks.append(
            Block(
                block.kind,
                span,
                level=block.level,
                title=block.title,
                language=block.language,
                marker=marker[0] if marker else "",
                header=header,
                rows=rows,
                columns=tuple(block.columns),
            )
        )
    blocks.reverse()
    return blocks


def _trimmed(text: str, start: int, end: int, ends: dict[int, int]) -> Span | None:
    """The span without blanks at its ends, on borders of grapheme clusters; ``ends`` remembers ends found before."""
    while start < end and text[start].isspace():
        start += 1
    if start == end:
        return None
    last = end
    while last not in ends and text[last - 1].isspace():
        last -= 1
    last = ends[end] = ends.get(last, last)
    return Span(border_before(text, start), border_after(text, last))


def _indentation(text: str, start: int, lowest: int) -> int:
    while start > lowest and text[start - 1] in " \t":
        start -= 1
    return start


def _table_parts(
    text: str, table: _Found, places: dict[int, int], ends: dict[int, int]
) -> tuple[Span | None, tuple[Span, ...]]:
    """The span of the header row with the delimiter row below it, and those of the body rows."""
    head_end = places[table.head_end]
    below = _LINE_END.search(text, head_end)
    header = _trimmed(text, places[table.start], below.start() if below else len(text), ends)
    rows = (_trimmed(text, places[start], places[end], ends) for start, end in table.rows)
    return header, tuple(row for row in rows if row is not None)


def _with_gaps(text: str, start: int, blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks, and one of the kind ``other`` wherever text stands in none of them."""
    covered = start
    for block in blocks:
        if block.span.start >= covered:
            yield from _gap(text, covered, block.span.start)
            covered = block.span.end
        yield block
    yield from _gap(text, covered, len(text))


def _gap(text: str, start: int, end: int) -> Iterator[Block]:
    span = _trimmed(text, start, end, {})
    if span:
        yield Block("other", span)
