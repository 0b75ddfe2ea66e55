"""Where text may be cut when it is over the limit: places in prose and in code, by kind, the best kinds first."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from pincite.model import Document
from pincite.text import sentences

BLANK_LINE: Final = re.compile(r"(?:\r\n|\n|\r)[^\S\r\n]*(?:\r\n|\n|\r)\s*")
BLANK_LINE_WITHOUT_RETURNS: Final = re.compile(r"\n[^\S\n]*\n\s*")
"""The same, and three times as fast, where there is no carriage return."""
LINE_END: Final = re.compile(r"\r\n|\n|\r")
NON_BLANK: Final = re.compile(r"\S").search
MARKER: Final = re.compile(r"\s*(?:[-*+>]|\d{1,9}[.)])\s+")
MARKERS: Final = re.compile(r"(?:[\s>*+-]|\d{1,9}[.)])*")
"""What may stand in front of a block on its line and would say nothing without it."""
LINE: Final = re.compile(r"(?=[\r\n])((?>\r\n|\n|\r))[^\S\r\n]*+(?=[\S\r\n])")
"""A line end and the indentation of the line behind it, of which something more stands there."""
TAB_WIDTH: Final = 4
CLOSERS: Final = ")]}"
"""A line that begins with one of these belongs to what stands before it."""
NO_TEXT: Final = frozenset(f"{CLOSERS}\r\n")

PROSE: Final = ("paragraph", "caption", "note")
"""Kinds of blocks that are sentences."""

FindBorders = Callable[[str, int, int, str], list[int]]
"""Gives the borders of one kind in the range ``[start, end)`` of a text in that language, ascending, in code points."""


def blank_lines(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """Those in the range, each from the line end in front of it to the next character that is no white space."""
    pattern = BLANK_LINE if text.find("\r", start, end) >= 0 else BLANK_LINE_WITHOUT_RETURNS
    return pattern.finditer(text, start, end)


def margin_blank_lines(text: str, start: int, end: int, language: str = "") -> list[int]:  # noqa: ARG001 - one shape
    r"""Behind those blank lines in the range after which the text is indented least: between definitions.

    >>> code = "def a():\n    one()\n\n    two()\n\ndef b():\n    three()\n"
    >>> [code[cut : cut + 5] for cut in margin_blank_lines(code, 0, len(code))]
    ['def b']
    """
    gaps = [match.span() for match in blank_lines(text, start, end)]
    return _at_the_margin(text, [(line_start_in(text, *gap), gap[1]) for gap in gaps if gap[1] < end])


def margin_lines(text: str, start: int, end: int, language: str = "") -> list[int]:  # noqa: ARG001 - one shape for all
    """Before those lines in the range, but the first, that are indented least: between statements."""
    return _at_the_margin(text, [(match.end(1), match.end()) for match in LINE.finditer(text, start, end)])


def _blank_lines(text: str, start: int, end: int, language: str) -> list[int]:  # noqa: ARG001 - one shape for all
    return [match.end() for match in blank_lines(text, start, end)]


def _lines(text: str, start: int, end: int, language: str) -> list[int]:  # noqa: ARG001 - one shape for all
    return [match.end() for match in LINE_END.finditer(text, start, end)]


def _sentences(text: str, start: int, end: int, language: str) -> list[int]:
    return sentences.sentence_starts(text, start, end, language)


def _after_marker(text: str, start: int, end: int, language: str) -> list[int]:  # noqa: ARG001 - one shape for all
    match = MARKER.match(text, start, end)
    return [match.end()] if match else []


def _clauses(text: str, start: int, end: int, language: str) -> list[int]:  # noqa: ARG001 - one shape for all
    return sentences.clause_starts(text, start, end)


CODE_BORDERS: Final[tuple[FindBorders, ...]] = (
    *(margin_blank_lines, margin_blank_lines, margin_blank_lines, _blank_lines),
    *(margin_lines, margin_lines, _lines),
)
"""Between definitions, those inside them twice over, at all blank lines; between statements, those inside them, at all
lines."""
PROSE_BORDERS: Final[tuple[FindBorders, ...]] = (_sentences, _after_marker, _clauses)


def blank(text: str, start: int, end: int) -> bool:
    """Whether ``text[start:end]`` is empty or white space only.

    >>> blank("a  b", 1, 3), blank("a  b", 1, 4)
    (True, False)
    """
    return not NON_BLANK(text, start, end)


def language_of(document: Document) -> str:
    """What its metadata says of its language, for the rules of sentences; empty where that is unknown."""
    return str(document.metadata.get("language", ""))


def line_start(document: Document, place: int) -> int:
    """Where the document's line of that place begins, in code points."""
    if not place or document.text[place - 1] == "\n":
        return place
    return document.line_starts[bisect_right(document.line_starts, place) - 1]


def line_start_in(text: str, lowest: int, place: int) -> int:
    """Where the line of that place begins, ``lowest`` at the least."""
    return max(lowest, text.rfind("\n", lowest, place) + 1, text.rfind("\r", lowest, place) + 1)


def indentation(text: str, lowest: int, place: int) -> int:
    """How far the place is indented in its line, which begins at ``lowest`` or behind it."""
    return len(text[line_start_in(text, lowest, place) : place].expandtabs(TAB_WIDTH))


def first_place(pattern: re.Pattern[str], text: str, start: int, end: int) -> int:
    """Where the pattern is found first, the end of the range where it is not."""
    match = pattern.search(text, start, end)
    return match.start() if match else end


def _at_the_margin(text: str, lines: Iterable[tuple[int, int]]) -> list[int]:
    """Where those of the lines begin that are indented least, of the places where each begins and where its text does;
    lines that are blank or close a bracket do not count."""
    found: list[int] = []
    least = -1
    for start, place in lines:
        if text[place] in NO_TEXT:
            continue
        width = len(text[start:place].expandtabs(TAB_WIDTH)) if start < place else 0
        if least < 0 or width < least:
            least, found = width, []
        if width == least:
            found.append(start)
    return found
