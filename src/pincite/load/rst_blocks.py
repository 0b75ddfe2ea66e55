"""From reStructuredText to blocks, line by line. Spans are settled by the caller."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from pincite.load.lines import MAX_DEPTH, MAX_TITLE_CHARS, Lines, Reading
from pincite.load.rst_tables import TableReader
from pincite.model import Block, Span

_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*\Z")
_BULLET = re.compile(r"[-+*•‣⁃](?:[ \t]+|\Z)")
_NUMBER = re.compile(
    r"(?:\(?(?:\d{1,9}|#|[A-Za-z]|[ivxlcdmIVXLCDM]{2,9})\)|(?:\d{1,9}|#|[A-Za-z]|[ivxlcdmIVXLCDM]{2,9})\.)(?:[ \t]+|\Z)"
)
_FIELD = re.compile(r":(?![: \t])((?:[^:\\\r\n]|\\.|:(?![ \t]|\Z)){1,200}):(?:[ \t]+|\Z)")
_EXPLICIT = re.compile(r"\.\.(?:[ \t]+|\Z)")
_DIRECTIVE = re.compile(r"\.\.[ \t]+(?:\|[^|\r\n]+\|[ \t]+)?([A-Za-z0-9][\w:.+-]*?)[ \t]?::(?:[ \t]+(.*))?\Z")
_NOTE = re.compile(r"\.\.[ \t]+\[([^\]\r\n]{1,80})\](?:[ \t]|\Z)")
_ROLE = re.compile(r":[\w:.+-]{1,60}:(?=`)")
_LINK = re.compile(r"[ \t]*<[^<>`]*>(?=`)")
_MARKS = re.compile(r"``|\*\*|(?<=\S)[`*|]_{0,2}|[`*|](?=\S)")
_REFERENCE = re.compile(r"(?<![^\s(])([^\W_][\w-]*?)_{1,2}(?=[\s.,;:!?)]|\Z)")


def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


_CODE = _names(
    "code code-block sourcecode parsed-literal doctest testcode testoutput ipython prompt productionlist graphviz "
    "mermaid"
)
_OTHER = _names(
    "image toctree contents include literalinclude raw highlight index meta role default-role replace unicode date "
    "currentmodule py:currentmodule module py:module tabularcolumns sectnum target-notes bibliography title header "
    "footer"
)
_ADMONITIONS = _names(
    "note warning tip hint important caution danger attention error admonition seealso todo sidebar topic epigraph "
    "highlights pull-quote deprecated versionadded versionchanged compound container"
)


@dataclass(slots=True)
class RstReader:
    """Reads one text. ``fields`` are those of the list right below the title, known once the blocks are read."""

    text: str
    fields: list[tuple[str, str]] = field(default_factory=list)
    lines: Lines = field(init=False)
    _styles: list[tuple[str, bool]] = field(default_factory=list)
    _language: str = ""
    _seen: int = 0
    _tables: TableReader = field(init=False)

    def __post_init__(self) -> None:
        self.lines = Lines(self.text)
        self._tables = TableReader(self.lines)

    def blocks(self) -> Iterator[Block]:
        """In pre-order."""
        return self.region(0, len(self.lines), 0)

    def region(self, first: int, last: int, depth: int, *, items: int = 0) -> Iterator[Block]:
        """The blocks of a range of lines; ``items`` is the number of list items around it."""
        if depth > MAX_DEPTH:
            return
        filled = (number for number in range(first, last) if not self.lines.blank(number))
        base = self.lines[next(filled, first)].indent if depth and first < last else 0
        index = first
        while index < last:
            line = self.lines[index]
            if line.start == line.end:
                index += 1
                continue
            base = min(base, line.indent)
            if depth == 0:
                heading = self.heading(index, last)
                if heading:
                    yield heading[0]
                    index = heading[1]
                    self._seen += 1
                    continue
            following = yield from self.body(index, last, base, depth, items)
            self._seen += 1
            index = max(following, index + 1)

    def body(self, index: int, last: int, base: int, depth: int, items: int) -> Reading:
        """The block at that line, and where the next one may begin."""
        line = self.lines[index]
        words = self.lines.words(index)
        if line.indent > base:
            end = self.indented_end(index, last, base)
            yield self.lines.block("quote", index, end)
            yield from self.region(index, end, depth + 1, items=items)
            return end
        if _EXPLICIT.match(words):
            return (yield from self.explicit(index, last, base, depth, items))
        if words.startswith("__ "):
            yield self.lines.block("other", index, index + 1)
            return index + 1
        table = self._tables.at(index, last)
        if table:
            yield table[0]
            return table[1]
        for pattern in (_BULLET, _NUMBER, _FIELD):
            if self.starts_item(index, last, pattern):
                return (yield from self.list(index, last, base, depth, items, pattern))
        if words.startswith(">>> "):
            end = self.paragraph_end(index, last, base)
            yield self.lines.block("code", index, end, language="python")
            return end
        if _ADORNMENT.match(words) and len(words) >= 4 and self.lines.blank(index - 1) and self.lines.blank(index + 1):
            yield self.lines.block("other", index, index + 1)
            return index + 1
        if index + 1 < last and self.lines[index + 1].indent > base and not self.lines.blank(index + 1):
            return (yield from self.definitions(index, last, base, depth, items))
        return (yield from self.paragraph(index, last, base))

    # Headings.

    def heading(self, index: int, last: int) -> tuple[Block, int] | None:
        """A title with a line of signs below it, or above and below."""
        first = self.lines.words(index)
        if index + 2 < last and (sign := _ADORNMENT.match(first)) and not self.lines.blank(index + 1):
            title, below = self.lines.words(index + 1), self.lines.words(index + 2)
            if below == first and (len(first) >= len(title) or len(first) >= 4) and not _ADORNMENT.match(title):
                return self.titled(index, index + 1, index + 3, (sign[1], True)), index + 3
        if index + 1 < last and self.lines[index].indent == 0 and self.lines[index + 1].indent == 0:
            below = self.lines.words(index + 1)
            sign = _ADORNMENT.match(below)
            long_enough = len(below) >= min(4, len(first)) and (len(below) >= 4 or len(below) >= len(first))
            if sign and long_enough and not _ADORNMENT.match(first) and below != "::" and not _EXPLICIT.match(first):
                return self.titled(index, index, index + 2, (sign[1], False)), index + 2
        return None

    def titled(self, first: int, title: int, end: int, style: tuple[str, bool]) -> Block:
        if style not in self._styles:
            self._styles.append(style)
        words = plain_title(self.lines.words(title)[:MAX_TITLE_CHARS])
        return self.lines.block("heading", first, end, level=self._styles.index(style) + 1, title=words)

    # Directives, notes, targets, comments.

    def explicit(self, index: int, last: int, base: int, depth: int, items: int) -> Reading:
        end = self.indented_end(index + 1, last, base)
        words = self.lines.words(index)
        if note := _NOTE.match(words):
            yield self.lines.block("note", index, end, marker=note[1])
            return end
        directive = _DIRECTIVE.match(words)
        if directive is None:
            yield self.lines.block("other", index, end)
            return end
        name, argument = directive[1].lower(), (directive[2] or "").strip()
        options = self.options_end(index + 1, end)
        if name == "highlight":
            self._language = argument.split()[0] if argument else ""
        if name in _CODE or name == "math":
            language = "latex" if name == "math" else argument.split()[0] if argument else self._language
            yield self.lines.block("code", index, end, language=language)
        elif name in _OTHER or words.startswith(".. |"):
            yield self.lines.block("other", index, end)
        elif name in ("list-table", "csv-table"):
            yield self._tables.directive(index, options, end, name)
        elif name in _ADMONITIONS:
            yield self.lines.block("quote", index, end)
            yield from self.region(options, end, depth + 1, items=items)
        else:  # what it says belongs to the text around it: a function's description, a captioned table
            yield self.lines.block("caption" if name == "table" else "paragraph", index, options)
            yield from self.region(options, end, depth + 1, items=items)
        return end

    def options_end(self, index: int, last: int) -> int:
        """After the argument and the options of a directive: the lines right below it, up to a blank one."""
        if index < last and not self.lines.blank(index) and not self.lines.words(index).startswith(":"):
            return index  # its text begins at once
        while index < last and not self.lines.blank(index):
            index += 1
        return index

    # Lists.

    def starts_item(self, index: int, last: int, pattern: re.Pattern[str]) -> bool:
        if not pattern.match(self.lines.words(index)):
            return False
        if pattern is not _NUMBER or index + 1 >= last or self.lines.blank(index + 1):
            return True
        # "A. Einstein was a really" with more text at the same place below is a paragraph.
        below = self.lines[index + 1]
        return below.indent > self.lines[index].indent or bool(_NUMBER.match(self.lines.words(index + 1)))

    def list(self, index: int, last: int, base: int, depth: int, items: int, pattern: re.Pattern[str]) -> Reading:
        spans: list[tuple[int, int]] = []
        at = index
        while at < last and self.lines[at].indent == base and self.starts_item(at, last, pattern):
            end = self.indented_end(at + 1, last, base)
            spans.append((at, end))
            at = end
        yield self.lines.block("list", index, at)
        outer = self._seen > 1 or depth > 0 or pattern is not _FIELD
        for start, end in spans:
            match = pattern.match(self.lines.words(start))
            assert match is not None  # noqa: S101 - it was one
            marker = match[0].rstrip()
            yield self.lines.block("item", start, end, level=items + 1, marker=marker)
            if not outer:
                value = self.text[self.lines[start].start + match.end() : self.lines[self.lines.filled(start, end)].end]
                self.fields.append((match[1], " ".join(value.split())))
            rest = start + 1
            while rest < end and not self.lines.blank(rest):
                rest += 1
            yield from self.region(rest, end, depth + 1, items=items + 1)
        return at

    def definitions(self, index: int, last: int, base: int, depth: int, items: int) -> Reading:
        """Terms with an indented text right below; the marker of such an item is its term."""
        spans: list[tuple[int, int]] = []
        at = index
        while at + 1 < last and self.lines[at].indent == base and not self.lines.blank(at):
            below = self.lines[at + 1]
            if below.start == below.end or below.indent <= base or (spans and _EXPLICIT.match(self.lines.words(at))):
                break
            end = self.indented_end(at + 1, last, base)
            spans.append((at, end))
            at = end
        yield self.lines.block("list", index, at)
        for start, end in spans:
            yield self.lines.block(
                "item", start, end, level=items + 1, marker=self.lines.words(start)[:MAX_TITLE_CHARS]
            )
            yield from self.region(start + 1, end, depth + 1, items=items + 1)
        return at

    # Paragraphs and the code below them.

    def paragraph(self, index: int, last: int, base: int) -> Reading:
        end = self.paragraph_end(index, last, base)
        words = self.lines.words(end - 1)
        yield self.lines.block("other" if words == "::" and end == index + 1 else "paragraph", index, end)
        if not words.endswith("::"):
            return end
        start = end
        while start < last and self.lines.blank(start):
            start += 1
        if start < last and self.lines[start].indent > base:
            end = self.indented_end(start, last, base)
            span = self.lines.block("code", start, end, language=self._language).span
            yield Block("code", Span(self.lines[start].begin, span.end), language=self._language)
        return end

    def paragraph_end(self, index: int, last: int, base: int) -> int:
        while index < last and not self.lines.blank(index) and self.lines[index].indent >= base:
            index += 1
        return index

    # Lines.

    def indented_end(self, index: int, last: int, base: int) -> int:
        """After the lines that are blank or indented more than ``base``, without blank ones at their end."""
        end = index
        while index < last and (self.lines.blank(index) or self.lines[index].indent > base):
            index += 1
            if not self.lines.blank(index - 1):
                end = index
        return end


def plain_title(text: str) -> str:
    """
    >>> plain_title("The :class:`~a.Loader` and ``x_y`` *now*, see `here <there>`_")
    'The ~a.Loader and x_y now, see here'
    """
    text = _LINK.sub("", _ROLE.sub("", text))
    text = _REFERENCE.sub(r"\1", text)
    return " ".join(_MARKS.sub("", text).split()) or text.strip()
