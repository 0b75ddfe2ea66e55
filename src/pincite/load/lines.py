"""Lines of a text with their indentation, for readers of markup that go line by line."""

from __future__ import annotations

import re
from typing import NamedTuple

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
