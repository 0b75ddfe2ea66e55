"""Keys of YAML by indentation, and sections of TOML and INI by their headings."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import NamedTuple

from pincite.load.text_blocks import short
from pincite.model import Block, Span

DEEPEST = 3
"""Keys below keys get blocks of their own down to this depth …"""
LARGE_CHARS = 1_000
"""… where the value around them is larger than this."""
_YAML_LINE = re.compile(r"( *)([^\r\n]*)(?:\r\n?|\n|\Z)")
# Possessive throughout: a line of megabytes must cost no memory for ways back.
_KEY = re.compile(
    r"""(?P<dash>-(?:[ \t]+|\Z)) | (?:"(?P<double>(?:[^"\\]++|\\.)*+)" | '(?P<single>(?:[^']++|'')*+)'
    | (?P<plain>(?:[^\s#&*!|>'"%@`{}\[\],:?-]|[?:-](?=\S))(?:[^:#]++|:(?!\s|\Z)|(?<!\s)\#)*+))
    [ \t]*+:(?P<value>\s.*|\Z)""",
    re.VERBOSE,
)
_BLOCK_SCALAR = re.compile(r"\s*(?:[&!]\S*\s+)*[|>][-+0-9]*\s*(?:#.*)?\Z")
_MARKER = re.compile(r"(?:---|\.\.\.)(?:\s|\Z)")
_TABLE = re.compile(r"^[ \t]*+\[{1,2}([^\[\]\r\n]++)\]{1,2}[ \t]*+(?:[#;][^\r\n]*+)?(?=[\r\n]|\Z)", re.M)
_LONG_STRING = re.compile(r'"""|\'\'\'')


class _Line(NamedTuple):
    """``indent`` is -1 for a line that is blank or nothing but a comment; ``comment`` is the indentation of one, or
    -1."""

    start: int
    end: int
    indent: int
    comment: int


def yaml_blocks(text: str) -> Iterator[Block]:
    """A block for each document of the file, inside it one for each key or list entry, in pre-order.

    >>> found = yaml_blocks("a: 1\\nb:\\n  c: 2\\n")
    >>> [(block.title, block.span.of("a: 1\\nb:\\n  c: 2\\n")) for block in found]
    [('', 'a: 1\\nb:\\n  c: 2'), ('a', 'a: 1'), ('b', 'b:\\n  c: 2')]
    """
    lines = list(_lines(text))
    first = 0
    for number in range(len(lines) + 1):
        at_end = number == len(lines)
        if not at_end and not (lines[number].indent == 0 and _MARKER.match(text, lines[number].start)):
            continue
        yield from _document(text, lines, first, number)
        first = number


def _lines(text: str) -> Iterator[_Line]:
    position = 0
    while position < len(text):
        match = _YAML_LINE.match(text, position)
        assert match is not None  # noqa: S101 - the pattern matches anywhere
        content = match[2].rstrip()
        bare = not content or content[0] == "#"
        end = match.start(2) + len(content)
        indent = len(match[1])
        yield _Line(position, end, -1 if bare else indent, indent if content and bare else -1)
        position = match.end()


def _document(text: str, lines: list[_Line], first: int, last: int) -> Iterator[Block]:
    filled = [number for number in range(first, last) if lines[number].end > lines[number].start]
    if not any(text[lines[number].start : lines[number].end].strip() for number in filled):
        return
    yield Block("code", Span(lines[filled[0]].start, lines[filled[-1]].end), language="yaml")
    if lines[first].indent == 0 and _MARKER.match(text, lines[first].start):
        first += 1
    yield from _entries(text, lines, first, last, "", 1)


def _entries(text: str, lines: list[_Line], first: int, last: int, path: str, depth: int) -> Iterator[Block]:
    """The keys or list entries whose lines have the indentation of the first one in the range."""
    indent = next((lines[number].indent for number in range(first, last) if lines[number].indent >= 0), -1)
    if indent < 0:
        return
    heads: list[tuple[int, re.Match[str]]] = []
    listed: bool | None = None
    for number in range(first, last):
        line = lines[number]
        if line.indent != indent:
            continue
        match = _KEY.match(text, line.start + indent, line.end)
        if match is None:
            continue
        dash = match["dash"] is not None
        if listed is None:
            listed = dash
        if dash == listed:  # a list below a key may stand at the key's own indentation
            heads.append((number, match))
    for index, (number, match) in enumerate(heads):
        following = heads[index + 1][0] if index + 1 < len(heads) else last
        begin = _with_comments(lines, number, heads[index - 1][0] + 1 if index else first)
        stop = _with_comments(lines, following, number + 1) if following < last else last
        while lines[stop - 1].end <= lines[stop - 1].start:
            stop -= 1
        title = f"{path}[{index}]" if listed else _joined(path, match)
        span = Span(lines[begin].start, lines[stop - 1].end)
        yield Block("code", span, title=title, language="yaml")
        inner = depth < DEEPEST and len(span) > LARGE_CHARS and stop > number + 1
        if inner and (listed or not _BLOCK_SCALAR.match(match["value"])):
            yield from _entries(text, lines, number + 1, stop, title, depth + 1)


def _with_comments(lines: list[_Line], number: int, lowest: int) -> int:
    """The first of the comment lines right above the line, with its indentation."""
    indent = lines[number].indent
    while number > lowest and lines[number - 1].comment == indent:
        number -= 1
    return number


def _joined(path: str, match: re.Match[str]) -> str:
    key = short(next(value for value in match.group("double", "single", "plain") if value is not None))
    return f"{path}.{key}" if path else key


def section_blocks(text: str, language: str) -> Iterator[Block]:
    """A block from each ``[heading]`` to the next one; lines before the first are left to the caller."""
    heads = list(_TABLE.finditer(text))
    if language == "toml":
        heads = list(_outside(heads, _long_strings(text)))
    for index, match in enumerate(heads):
        end = heads[index + 1].start() if index + 1 < len(heads) else len(text)
        yield Block("code", Span(match.start(), end), title=short(match[1]), language=language)


def _outside(heads: list[re.Match[str]], strings: Iterator[tuple[int, int]]) -> Iterator[re.Match[str]]:
    start = end = 0
    for match in heads:
        while end <= match.start():
            start, end = next(strings, (sys.maxsize, sys.maxsize))
        if match.start() < start:
            yield match


def _long_strings(text: str) -> Iterator[tuple[int, int]]:
    """The spans of the strings in three quotes, in order; one that is never closed is none."""
    position = 0
    while opening := _LONG_STRING.search(text, position):
        closing = text.find(opening[0], opening.end())
        if closing < 0:
            return
        position = closing + 3
        yield opening.start(), position
