"""What stands where in a Markdown text, read with markdown-it-py (CommonMark and tables) and not with pincite's loader.

All offsets are code points of the text, half-open. Titles and paths are compared by their letters and digits only, so
that it does not matter how a chunker writes emphasis, links or blanks.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

_PARSER = MarkdownIt("commonmark").enable("table")
_LINE_END = re.compile(r"\r\n?|\n")
_FRONT_MATTER = re.compile(
    r"---[ \t]*(?:\r\n?|\n)(?![ \t]*[\r\n])(?:.*?(?:\r\n?|\n))?(?:---|\.\.\.)[ \t]*(?:\r\n?|\n|\Z)", re.S
)
_MARKERS = re.compile(r"(?:[\s>]|[-+*](?=\s)|\d{1,9}[.)](?=\s))*")
_QUOTE_MARKERS = re.compile(r"[\s>]*")
_NO_WORD = re.compile(r"[\W_]+")
_ATTRIBUTES_OR_NOTE = re.compile(r"\{[^{}]*\}\s*\Z|\[\^[^\]]*\]")
# Where a sentence may end, and where no reader would doubt that one does.
MAYBE_AN_END = re.compile(r"[.!?…:;؟؛۔।॥]+[\"'“”‘’»«›‹)}>\]*_`]*(?=\s)|[。！？：；…]+[」』”’）)\"']*|\n")
_SURE_END = re.compile(
    r"(?<=[a-zß-ÿ]{3})(?<!\betc)[.!?]+[\"'“”‘’»«›‹)\]*_]*\s+(?=[A-ZÄÖÜ])|[。！？]+(?=[\u4e00-\u9fff])|(?P<code>`+)[^`]*(?P=code)"
)


def letters(text: str) -> str:
    """The letters and digits.

    >>> letters("`run()` *twice*")
    'runtwice'
    """
    return _NO_WORD.sub("", text)


def squashed(text: str) -> str:
    """Without white space.

    >>> squashed(" a  b\\n")
    'ab'
    """
    return "".join(text.split())


def sentence_ends(text: str, start: int, end: int) -> Iterator[int]:
    """Where a sentence ends beyond doubt; never inside code.

    >>> list(sentence_ends("It works. So `does. This` one, etc. Yes.", 0, 40))
    [10]
    """
    return (match.end() for match in _SURE_END.finditer(text, start, end) if not match["code"])


@dataclass(frozen=True, slots=True)
class Heading:
    """``titles`` are its text with and without markup, by letters; ``path`` has those of the headings above and its
    own, ``names`` the same to be read. ``next`` is where the next heading begins. ``first`` is the first block of its
    own text."""

    start: int
    end: int
    next: int
    titles: frozenset[str]
    path: tuple[frozenset[str], ...]
    names: tuple[str, ...]
    first: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Unit:
    """What is not cut where it fits. Its text for counting begins at ``outer``, with the markers in front of it."""

    kind: str
    start: int
    end: int
    outer: int


@dataclass(frozen=True, slots=True)
class Table:
    header: tuple[int, int]
    rows: tuple[tuple[int, int], ...]


@dataclass(slots=True)
class Truth:
    """``sizes`` keeps what the units of each counter measured, by the counter's name."""

    text: str
    body: int
    headings: list[Heading] = field(default_factory=list)
    units: list[Unit] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    paragraphs: list[Unit] = field(default_factory=list)
    sizes: dict[str, list[int]] = field(default_factory=dict)

    def section_at(self, offset: int) -> Heading | None:
        index = bisect_right(self.headings, offset, key=lambda heading: heading.start) - 1
        return self.headings[index] if index >= 0 else None

    def sections_over(self, start: int, end: int) -> list[Heading | None]:
        """The sections that the range touches; ``None`` stands for the text before the first heading."""
        first = bisect_right(self.headings, start, key=lambda heading: heading.start) - 1
        last = bisect_left(self.headings, end, key=lambda heading: heading.start)
        return [None] * (first < 0) + [*self.headings[max(first, 0) : last]]

    def own_text(self, section: Heading | None) -> tuple[int, int]:
        """Where the section's text lies, without its heading."""
        if section:
            return section.end, section.next
        return self.body, self.headings[0].start if self.headings else len(self.text)

    def has_text(self, heading: Heading) -> bool:
        return bool(self.text[heading.end : heading.next].strip())


class _Reader:
    def __init__(self, text: str) -> None:
        front = _FRONT_MATTER.match(text)
        self.body = front.end() if front else 0
        self.text = text
        self.starts = [0, *(match.end() for match in _LINE_END.finditer(text)), len(text)]
        # Blank lines in place of the front matter, so that the parser counts the lines of the file.
        blank = "\n" * len(_LINE_END.findall(text, 0, self.body))
        self.tokens = _PARSER.parse(blank + text[self.body :])

    def extent(self, lines: Sequence[int], markers: re.Pattern[str]) -> tuple[int, int, int]:
        """Start behind the markers, end, and start with the markers, of a range of lines; blank lines at its end and
        such with nothing but ``>`` are left out."""
        first, last = lines[0], min(lines[1], len(self.starts) - 1)
        while last > first + 1 and not self.text[self.starts[last - 1] : self.starts[last]].strip(" \t\r\n>"):
            last -= 1
        line, end = self.starts[first], self.starts[last]
        inner = markers.match(self.text, line, end)
        start = inner.end() if inner else line
        end = max(start, line + len(self.text[line:end].rstrip()))
        return start, end, line + len(self.text[line:end]) - len(self.text[line:end].lstrip())

    def line(self, number: int) -> str:
        return self.text[self.starts[number] : self.starts[number + 1]] if number >= 0 else ""

    def units(self) -> Iterator[Unit]:
        in_body = False
        for token in self.tokens:
            if token.type in ("tbody_open", "tbody_close"):
                in_body = token.type == "tbody_open"
            kind = {"fence": "fence", "code_block": "indented code", "list_item_open": "item"}.get(token.type, "")
            if token.type == "tr_open" and in_body:
                kind = "row"
            if kind == "indented code" and token.map and self.line(token.map[0] - 1).strip():
                continue  # it does not interrupt a paragraph, whatever the parser says behind a quote
            if kind and token.map:
                start, end, outer = self.extent(token.map, _MARKERS if kind != "row" else _QUOTE_MARKERS)
                if start < end:
                    yield Unit(kind, start, end, outer)

    def tables(self) -> Iterator[Table]:
        header: tuple[int, int] | None = None
        rows: list[tuple[int, int]] = []
        in_body = False
        for token in self.tokens:
            if token.type == "table_open":
                header, rows, in_body = None, [], False
            elif token.type == "tbody_open":
                in_body = True
            elif token.type == "tr_open" and token.map:
                start, end, _ = self.extent(token.map, _QUOTE_MARKERS if in_body else _MARKERS)
                if in_body:
                    rows.append((start, end))
                else:
                    header = (start, end)
            elif token.type == "table_close" and header and rows:
                yield Table(header, tuple(rows))

    def paragraphs(self) -> Iterator[Unit]:
        for token in self.tokens:
            if token.type == "paragraph_open" and token.map:
                start, end, outer = self.extent(token.map, _MARKERS)
                if start < end:
                    yield Unit("paragraph", start, end, outer)

    def headings(self) -> Iterator[Heading]:
        """Those that stand outermost."""
        outermost = [index for index, token in enumerate(self.tokens) if token.level == 0 and token.map]
        found = [index for index in outermost if self.tokens[index].type == "heading_open"]
        path: list[tuple[int, frozenset[str], str]] = []
        for index, following in pairwise([*found, -1]):
            token = self.tokens[index]
            start, end, _ = self.extent(_lines(token), _QUOTE_MARKERS)
            level = int(token.tag[1])
            inline = self.tokens[index + 1]
            name = _ATTRIBUTES_OR_NOTE.sub("", plain(inline)).strip()
            written = (inline.content, plain(inline), _ATTRIBUTES_OR_NOTE.sub("", inline.content), name)
            titles = frozenset(letters(title) for title in written)
            path = [above for above in path if above[0] < level]
            path.append((level, titles, name))
            place = bisect_right(outermost, index)
            first = None
            if place < len(outermost) and outermost[place] != following:
                block = self.extent(_lines(self.tokens[outermost[place]]), _QUOTE_MARKERS)
                first = (block[2], block[1]) if block[2] < block[1] else None
            stop = self.starts[_lines(self.tokens[following])[0]] if following >= 0 else len(self.text)
            paths, names = (tuple(column) for column in list(zip(*path, strict=True))[1:])
            yield Heading(start, end, stop, titles, paths, names, first)


def _lines(token: Token) -> list[int]:
    assert token.map
    return token.map


def plain(inline: Token) -> str:
    """The text of a heading without markup."""
    shown = (child for child in inline.children or () if child.type in ("text", "code_inline", "image"))
    return "".join(plain(child) if child.type == "image" else child.content for child in shown)


def read(text: str) -> Truth:
    reader = _Reader(text)
    return Truth(
        text,
        reader.body,
        list(reader.headings()),
        list(reader.units()),
        list(reader.tables()),
        list(reader.paragraphs()),
    )
