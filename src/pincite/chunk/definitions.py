"""What code shows of its structure to a reader who has no parser: comments, signatures, first lines."""

from __future__ import annotations

import re

from pincite.chunk.borders import CLOSERS, LINE_END, first_place, indentation
from pincite.model import Block, Span

MOST_DECORATOR_CHARS = 10_000
MOST_SIGNATURE_CHARS = 2_000

INDENT = re.compile(r"[\S\r\n]")
AFTER_BLANKS = re.compile(r"\S")
HASH = r"#(?!\[|[^\W\d]\w*\()"
"""Begins a comment, but no attribute of Rust and no private method of JavaScript."""
COMMENT = re.compile(rf"/\*(?:[^*]|\*(?!/))*+\*/|(?://|{HASH}|--|%|;)[^\r\n]*+")
DECORATOR = re.compile(r"@[\w.$:]++[ \t]*+|#?\[")
BRACKET = re.compile(r"[()\[\]]")
WORD = re.compile(r"[^\W\d][\w$]*+")
NO_CODE = re.compile(r'"(?:[^"\\\r\n]|\\.)*+"|' rf"'(?:[^'\\\r\n]|\\.){{1,2}}+'|(?://|\s{HASH}).*")


def goes_on(text: str, start: int) -> bool:
    """Whether the line that begins there is indented or closes a bracket: nothing of its own begins with it."""
    first = first_place(INDENT, text, start, len(text))
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
    first = _behind_leaders(text, first_place(AFTER_BLANKS, text, start, end), end)
    line = LINE_END.search(text, first, end)
    if not line or line.start() - first > MOST_SIGNATURE_CHARS:
        return None
    after = first_place(AFTER_BLANKS, text, line.end(), end)
    own, inner = indentation(text, start, first), indentation(text, line.start(), after)
    return Span(first, first + len(text[first : line.start()].rstrip())) if inner > own and after < end else None


def _behind_leaders(text: str, start: int, end: int) -> int:
    """Behind the comments and decorators that have lines of their own."""
    while True:
        comment = COMMENT.match(text, start, end)
        after = comment.end() if comment else _behind_decorator(text, start, end)
        if after == start:
            return start
        start = first_place(AFTER_BLANKS, text, after, end)


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
