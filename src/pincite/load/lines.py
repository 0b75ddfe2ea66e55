"""Lines of a text with their indentation, for readers of markup that go line by line."""

from __future__ import annotations

import re
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import NamedTuple

from pincite.model import Block, BlockKind, Span

Reading = Generator[Block, None, int]
"""Blocks, and in the end the line at which the next one may begin."""

MAX_DEPTH = 12
"""Blocks inside blocks are read down to this depth."""
MAX_TITLE_CHARS = 1000
"""A longer line is no title."""
_LINE = re.compile(r"([^\S\r\n]*)([^\r\n]*)(?:\r\n?|\n|\Z)")
_TAB = 8


class Line(NamedTuple):
    """``begin`` is where the line begins, ``start`` where its text does, ``end`` where its text ends, without blanks;
    ``indent`` is the width of the blanks before it. A blank line has ``start == end``."""

    begin: int
    start: int
    end: int
    indent: int


def lines_of(text: str) -> list[Line]:
    r"""The lines in order; they end at ``\r\n``, ``\n`` or ``\r``.

    >>> [tuple(line) for line in lines_of("a\r\n\n  b ")]
    [(0, 0, 1, 0), (3, 3, 3, 0), (4, 6, 7, 2)]
    """
    lines: list[Line] = []
    position = 0
    while position < len(text):
        match = _LINE.match(text, position)
        assert match is not None  # noqa: S101 - the pattern matches anywhere
        content = match[2].rstrip()
        start = match.start(2) if content else position
        blanks = match[1] if content else ""
        indent = len(blanks.expandtabs(_TAB)) if "\t" in blanks else len(blanks)
        lines.append(Line(position, start, start + len(content), indent))
        position = match.end()
    return lines


@dataclass(frozen=True, slots=True)
class Lines:
    """A text by the numbers of its lines, from 0."""

    text: str
    _lines: list[Line] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_lines", lines_of(self.text))

    def __len__(self) -> int:
        return len(self._lines)

    def __getitem__(self, number: int) -> Line:
        return self._lines[number]

    def words(self, number: int) -> str:
        """The line without the blanks around it."""
        line = self._lines[number]
        return self.text[line.start : line.end]

    def blank(self, number: int) -> bool:
        """Also true before the first and after the last line."""
        return not 0 <= number < len(self._lines) or self._lines[number].start == self._lines[number].end

    def filled(self, first: int, end: int) -> int:
        """The last line of ``[first, end)`` that is not blank, or the first one."""
        last = end - 1
        while last > first and self.blank(last):
            last -= 1
        return max(last, first)

    def span(self, first: int, end: int) -> Span:
        """From the first line to the last one before ``end`` that is not blank; never empty for a line that is not."""
        return Span(self._lines[first].start, self._lines[self.filled(first, end)].end)

    def block(
        self,
        kind: BlockKind,
        first: int,
        end: int,
        *,
        level: int = 0,
        title: str = "",
        language: str = "",
        marker: str = "",
    ) -> Block:
        return Block(kind, self.span(first, end), level=level, title=title, language=language, marker=marker)
