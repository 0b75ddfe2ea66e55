"""From Markdown text to blocks. The parser is pyromark; its ranges are UTF-8 bytes and are converted once.

A block begins at its first character that is not blank, indented code with its indentation; it ends after its last
character that is not blank; both are moved outwards where they would cut a grapheme cluster. A list item has its
marker in its span, a quote its ``>``, code its fences. Paragraphs inside list items are blocks where the list is
loose (a blank line between its parts), as CommonMark has it. Text that belongs to no outermost block of the parser
(link definitions) becomes a block of the kind ``other``, as HTML blocks and rules are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Literal

import pyromark

from pincite.load.markdown_titles import joined, plain_text, without_attributes
from pincite.model import Block, BlockKind, Span
from pincite.text.graphemes import FIRST_COMBINING, border_after, border_before
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

# The parser fills up short rows of a table, up to 2**18 cells in each table. Tables whose cells, with those that it
# adds, outnumber the characters of the text several times are made to exhaust the memory.
_MOST_FILLED_CELLS = 2**18
_CELLS_PER_CHARACTER = 4
_CELLS_ALLOWED_ALWAYS = 2**21
_DELIMITER_CELL = r"\|[ \t\x0b\x0c]*+:?-++:?[ \t\x0b\x0c]*+"
_DELIMITER_CELLS = re.compile(rf"{_DELIMITER_CELL}(?:{_DELIMITER_CELL}){{3,}}+")  # begins with a character to look for
_BLANK_LINE = re.compile(r"(?:\r\n|\r|\n)[ \t]*+(?=[\r\n])|\Z")


class TooWideError(Exception):
    """The tables of a text have far more cells than the text has characters."""


@dataclass(slots=True)
class _Table:
    """The end of a table's head, the extents of its body rows, the names of its columns; offsets count bytes."""

    head_end: int = 0
    rows: list[tuple[int, int]] = field(default_factory=list)
    columns: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Found:
    """The blocks as the parser reports them, in pre-order; ``starts``, ``ends`` and those in tables count bytes.

    Columns in place of objects, and what few blocks have by the block's number: there are thousands in a megabyte.
    """

    kinds: list[BlockKind] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    levels: dict[int, int] = field(default_factory=dict)
    titles: dict[int, str] = field(default_factory=dict)
    fences: dict[int, Literal["Indented"] | dict[str, str]] = field(default_factory=dict)
    tables: dict[int, _Table] = field(default_factory=dict)


def blocks_of(text: str, start: int = 0) -> list[Block]:
    """The blocks of the Markdown in ``text[start:]`` in pre-order; spans are offsets in ``text``.

    Raises ``TooWideError`` before any work on tables that would need far more memory than the text.

    >>> [(block.kind, block.span.of("# A\\n\\n- b\\n")) for block in blocks_of("# A\\n\\n- b\\n")]
    [('heading', '# A'), ('list', '- b'), ('item', '- b')]
    """
    body = text[start:] if start else text
    _refuse_wide_tables(body)
    found = _found_in(body)
    _to_code_points(found, body, start)
    return _with_gaps(text, start, _placed(text, start, found))


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


def _found_in(body: str) -> _Found:
    found = _Found()
    kinds, starts, ends = found.kinds, found.starts, found.ends
    words: list[str] | None = None  # the plain text that is being read, of a heading or a column name
    table = _Table()
    depth = 0
    events: Iterable[tuple[Any, Any]] = pyromark.events_with_range(body, options=_OPTIONS)
    for event, extent in events:  # about 50,000 in a megabyte: the frequent ones first, and no call for each
        if "Text" in event:
            if words is not None:
                words.append(event["Text"])
        elif "Start" in event:
            tag = event["Start"]
            name = tag if type(tag) is str else next(iter(tag))
            if name in _KINDS:
                if name == "Item":
                    depth += 1
                    found.levels[len(kinds)] = depth
                elif name == "Heading":
                    found.levels[len(kinds)] = int(tag[name]["level"][1:])
                    words = []
                elif name == "CodeBlock":
                    found.fences[len(kinds)] = tag[name]
                elif name == "Table":
                    table = found.tables[len(kinds)] = _Table()
                kinds.append(_KINDS[name])
                starts.append(extent["start"])
                ends.append(extent["end"])
            elif name == "TableCell":
                if not table.rows:
                    words = []
            elif name == "TableRow":
                table.rows.append((extent["start"], extent["end"]))
            elif name == "TableHead":
                table.head_end = extent["end"]
        elif "End" in event:
            tag = event["End"]
            if tag == "Item":
                depth -= 1
            elif words is None:
                continue
            elif tag == "TableCell":
                table.columns.append(joined(words))
                words = None
            elif "Heading" in tag:
                found.titles[len(kinds) - 1] = joined(words)
                words = None
        elif event == "Rule":
            kinds.append("other")
            starts.append(extent["start"])
            ends.append(extent["end"])
        elif words is not None:
            words.append(plain_text(event))
    return found


# Blocks in code points.


def _to_code_points(found: _Found, body: str, start: int) -> None:
    """Turns the byte offsets in ``body`` into offsets of the text in which it begins at ``start``."""
    encoded = body.encode()
    tables = found.tables.values()
    places: Mapping[int, int] | range
    if len(encoded) == len(body):
        places = range(len(body) + 1)
    else:
        cuts = chain.from_iterable((table.head_end, *chain.from_iterable(table.rows)) for table in tables)
        places = code_point_offsets(encoded, chain(found.starts, found.ends, cuts))
    found.starts = [start + places[byte] for byte in found.starts]
    found.ends = [start + places[byte] for byte in found.ends]
    for table in tables:
        table.head_end = start + places[table.head_end]
        table.rows = [(start + places[first], start + places[last]) for first, last in table.rows]


def _placed(text: str, start: int, found: _Found) -> list[Block]:
    ends: dict[int, int] = {}
    blocks: list[Block] = []
    levels, titles, tables = found.levels, found.titles, found.tables
    # Backwards, so that an inner block's end is known when the search for the outer one's comes by: linear in nests.
    for number in range(len(found.kinds) - 1, -1, -1):
        kind = found.kinds[number]
        span = _trimmed(text, found.starts[number], found.ends[number], ends)
        if span is None:
            continue
        if kind == "heading":
            title = titles.get(number, "")
            if title.endswith("}"):
                title = without_attributes(title, span.of(text))
            block = Block(kind, span, levels[number], title)
        elif kind == "item" or kind == "list":
            block = _listed(text, kind, span, levels.get(number, 0))
        elif kind == "code":
            block = _code(text, start, span, found.fences[number])
        elif kind == "table":
            table = tables[number]
            header, rows = _table_parts(text, found.starts[number], table, ends)
            block = Block(kind, span, header=header, rows=rows, columns=tuple(table.columns))
        else:
            block = Block(kind, span)
        blocks.append(block)
    blocks.reverse()
    return blocks


def _code(text: str, lowest: int, span: Span, fence: Literal["Indented"] | dict[str, str]) -> Block:
    """Indented code begins with its indentation, which starts at ``lowest`` or later."""
    if isinstance(fence, str):
        return Block("code", Span(_indentation(text, span.start, lowest), span.end))
    words = fence["Fenced"].split()
    return Block("code", span, language=words[0] if words else "")


def _listed(text: str, kind: BlockKind, span: Span, level: int) -> Block:
    if text[span.start] == ">":  # the parser miscounts where a tab follows the quote's marker
        quote = _QUOTE_MARKER.match(text, span.start)
        span = Span(quote.end() if quote else span.start, span.end)
    marker = _MARKER.match(text, span.start) if kind == "item" else None
    return Block(kind, span, level=level, marker=marker[0] if marker else "")


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
    # A line end is a border on both sides, and below the first combining mark there is a border between any two
    # characters of which the inner one is no blank: most blocks need no look at the clusters.
    if start and text[start - 1] != "\n" and max(text[start - 1 : start + 1]) >= FIRST_COMBINING:
        start = border_before(text, start)
    if last < len(text) and text[last] != "\n" and max(text[last - 1 : last + 1]) >= FIRST_COMBINING:
        last = border_after(text, last)
    return Span(start, last)


def _indentation(text: str, start: int, lowest: int) -> int:
    while start > lowest and text[start - 1] in " \t":
        start -= 1
    return start


def _table_parts(text: str, start: int, table: _Table, ends: dict[int, int]) -> tuple[Span | None, tuple[Span, ...]]:
    """The span of the header row with the delimiter row below it, and those of the body rows."""
    below = _LINE_END.search(text, table.head_end)
    header = _trimmed(text, start, below.start() if below else len(text), ends)
    rows = (_trimmed(text, first, last, ends) for first, last in table.rows)
    return header, tuple(row for row in rows if row is not None)


def _with_gaps(text: str, start: int, blocks: Iterable[Block]) -> list[Block]:
    """The blocks, and one of the kind ``other`` wherever text stands in none of them."""
    result: list[Block] = []
    covered = start
    for block in blocks:
        span = block.span
        if span.start >= covered:
            result.extend(_gap(text, covered, span.start))
            covered = span.end
        result.append(block)
    result.extend(_gap(text, covered, len(text)))
    return result


def _gap(text: str, start: int, end: int) -> tuple[Block, ...]:
    between = text[start:end]
    span = _trimmed(text, start, end, {}) if between and not between.isspace() else None
    return (Block("other", span),) if span else ()
