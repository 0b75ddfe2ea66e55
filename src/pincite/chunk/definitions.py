"""What code shows of its structure to a reader who has no parser: where it may be cut, where a signature stands."""

from __future__ import annotations

import re

from pincite.chunk.atoms import BLANK_LINE, CODE_BORDERS, LINE_END, Borders
from pincite.model import Block, Span

TAB_WIDTH = 4
CLOSERS = ")]}"
"""A line that begins with one of these belongs to what stands before it."""
MOST_DECORATOR_CHARS = 10_000
MOST_SIGNATURE_CHARS = 2_000

AFTER_BLANKS = re.compile(r"\S")
AFTER_INDENT = re.compile(r"[\S\r\n]")
HASH = r"#(?!\[|[^\W\d]\w*\()"
"""Begins a comment, but no attribute of Rust and no private method of JavaScript."""
COMMENT = re.compile(rf"/\*(?:[^*]|\*(?!/))*+\*/|(?://|{HASH}|--|%|;)[^\r\n]*+")
DECORATOR = re.compile(r"@[\w.$:]++[ \t]*+|#?\[")
BRACKET = re.compile(r"[()\[\]]")
WORD = re.compile(r"[^\W\d][\w$]*+")
NO_CODE = re.compile(r'"(?:[^"\\\r\n]|\\.)*+"|' rf"'(?:[^'\\\r\n]|\\.){{1,2}}+'|(?://|\s{HASH}).*")


def margin_blank_lines(text: str, start: int, end: int, language: str = "") -> list[int]:  # noqa: ARG001 - one shape
    r"""Behind those blank lines in the range after which the text is indented least: between definitions.

    >>> code = "def a():\n    one()\n\n    two()\n\ndef b():\n    three()\n"
    >>> [code[cut : cut + 5] for cut in margin_blank_lines(code, 0, len(code))]
    ['def b']
    """
    gaps = [match.span() for match in BLANK_LINE.finditer(text, start, end)]
    return _at_the_margin(text, [_line_start(text, *gap) for gap in gaps], end)


def margin_lines(text: str, start: int, end: int, language: str = "") -> list[int]:  # noqa: ARG001 - one shape for all
    """Before those lines in the range, but the first, that are indented least: between statements."""
    return _at_the_margin(text, [match.end() for match in LINE_END.finditer(text, start, end)], end)


DEFINITION_BORDERS: tuple[Borders, ...] = (
    *(margin_blank_lines, margin_blank_lines, margin_blank_lines, CODE_BORDERS[0]),
    *(margin_lines, margin_lines, CODE_BORDERS[1]),
)
"""Between definitions, those inside them twice over, at all blank lines; between statements, those inside them, at all
lines."""


def goes_on(text: str, start: int) -> bool:
    """Whether the line that begins there is indented or closes a bracket: nothing of its own begins with it."""
    first = _place(AFTER_INDENT, text, start, len(text))
    return first > start or text[first : first + 1] in CLOSERS


def is_comment(text: str, start: int, end: int) -> bool:
    """Whether the range, which begins with no blank, has nothing but comments and decorators."""
    return _behind_leaders(text, start, end) >= end


def signature(text: str, block: Block, body: int) -> Span | None:
    """Where the definition says its name and parameters: without comments and decorators, and not beyond ``body``.

    The lines from the first that is neither a comment nor a decorator to the one with the name in it on which all
    brackets are closed. ``None`` where there are none, where they are all of the definition, and where they are many.
    """
    start = position = _behind_leaders(text, block.span.start, body)
    names = WORD.findall(block.title)[-1:]
    depth = 0
    named = False
    while position < body and not (named and depth <= 0):
        match = LINE_END.search(text, position, body)
        end = match.start() if match else body
        if end - start > MOST_SIGNATURE_CHARS:
            return None
        code = NO_CODE.sub("", text[position:end])
        depth += code.count("(") + code.count("[") - code.count(")") - code.count("]")
        named = named or set(WORD.findall(code)).issuperset(names)
        position = match.end() if match else body
    end = start + len(text[start:position].rstrip())
    return Span(start, end) if named and depth <= 0 and start < end < block.span.end else None


def opening_line(text: str, start: int, end: int) -> Span | None:
    """The first line of the range that is neither comment nor decorator, where the next is indented deeper: it says
    what the lines after it are part of."""
    first = _behind_leaders(text, _place(AFTER_BLANKS, text, start, end), end)
    line = LINE_END.search(text, first, end)
    if not line or line.start() - first > MOST_SIGNATURE_CHARS:
        return None
    after = _place(AFTER_BLANKS, text, line.end(), end)
    own, inner = _width(text, start, first), _width(text, line.start(), after)
    return Span(first, first + len(text[first : line.start()].rstrip())) if inner > own and after < end else None


def _behind_leaders(text: str, start: int, end: int) -> int:
    """Behind the comments and decorators that have lines of their own."""
    while True:
        comment = COMMENT.match(text, start, end)
        after = comment.end() if comment else _behind_decorator(text, start, end)
        if after == start:
            return start
        start = _place(AFTER_BLANKS, text, after, end)


def _behind_decorator(text: str, start: int, end: int) -> int:
    """``start`` where none begins there, or where the definition goes on in its line."""
    match = DECORATOR.match(text, start, min(end, start + MOST_DECORATOR_CHARS))
    if not match:
        return start
    position = match.end()
    depth = int(match[0][-1] == "[")
    if depth or text[position : position + 1] == "(":
        for bracket in BRACKET.finditer(text, position, min(end, start + MOST_DECORATOR_CHARS)):
            depth += 1 if bracket[0] in "([" else -1
            position = bracket.end()
            if depth == 0:
                break
    line = LINE_END.search(text, position, end)
    rest = NO_CODE.sub("", text[position : line.start() if line else end])
    return start if depth or rest.strip() or not line else line.end()


def _line_start(text: str, lowest: int, place: int) -> int:
    """Where the line of that place begins, ``lowest`` at the least."""
    return max(lowest, text.rfind("\n", lowest, place) + 1, text.rfind("\r", lowest, place) + 1)


def _width(text: str, lowest: int, place: int) -> int:
    """How far the place is indented in its line, which begins at ``lowest`` or behind it."""
    return len(text[_line_start(text, lowest, place) : place].expandtabs(TAB_WIDTH))


def _at_the_margin(text: str, line_starts: list[int], end: int) -> list[int]:
    """Those of the lines that are indented least; lines that are blank or close a bracket do not count."""
    found: list[int] = []
    least = -1
    for start in line_starts:
        first = _place(AFTER_INDENT, text, start, end)
        if first == end or text[first] in CLOSERS or text[first] in "\r\n":
            continue
        width = _width(text, start, first)
        if least < 0 or width < least:
            least, found = width, []
        if width == least:
            found.append(start)
    return found


def _place(pattern: re.Pattern[str], text: str, start: int, end: int) -> int:
    """Where the pattern is found first, the end of the range where it is not."""
    match = pattern.search(text, start, end)
    return match.start() if match else end
