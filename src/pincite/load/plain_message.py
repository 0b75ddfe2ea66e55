"""The plain text of a message: paragraphs, quoted replies, lists, and lines that were only wrapped."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import groupby

from pincite.load.writer import LINE_BREAK, MarkdownWriter
from pincite.model import Place

_QUOTED = re.compile(r"(?:>[ \t]?)+")
_ITEM = re.compile(r"[ \t]*(?P<marker>[-*+•‣–]|\d{1,3}[.)])[ \t]+(?=\S)")
_MOST_QUOTED = 16
_WIDEST = 80  # characters: no program wraps lines later
_NARROWEST = 50


def write_plain(text: str, writer: MarkdownWriter, *, flowed: bool = False, paragraphs: int = 0) -> int:
    """Writes the text; paragraphs are numbered from ``paragraphs`` on, and the last number is returned.

    ``flowed`` text says by a blank at its end that a line goes on (RFC 3676). In any other, a line that would have had
    room for the next word ends on purpose.
    """
    lines = [_quoted(line) for line in text.expandtabs(8).splitlines()]
    longest = min(max((len(line) for _, line in lines), default=0), _WIDEST)
    for depth, quoted in groupby(lines, key=lambda pair: pair[0]):
        with ExitStack() as stack:
            for _ in range(depth):
                stack.enter_context(writer.quote())
            for block in _blocks(line for _, line in quoted):
                paragraphs = _write_block(block, writer, longest, flowed, paragraphs)
    return paragraphs


def _quoted(line: str) -> tuple[int, str]:
    """How deep a line is quoted, and what is quoted."""
    match = _QUOTED.match(line)
    if not match:
        return 0, line
    return min(match[0].count(">"), _MOST_QUOTED), line[match.end() :]


def _blocks(lines: Iterator[str]) -> Iterator[list[str]]:
    """Runs of lines that are not blank."""
    for blank, run in groupby(lines, key=lambda line: not line.strip()):
        if not blank:
            yield list(run)


def _write_block(lines: list[str], writer: MarkdownWriter, longest: int, flowed: bool, paragraphs: int) -> int:
    """Writes lines without a blank one between them: a paragraph, a list, or the one and then the other."""
    firsts = [number for number, line in enumerate(lines) if _ITEM.match(line)]
    # A single mark in running text is as well a dash or the end of a sentence.
    if not firsts or (len(firsts) == 1 and firsts[0] > 0):
        firsts = []
    head = lines[: firsts[0]] if firsts else lines
    if head:
        paragraphs += 1
        writer.paragraph(_joined(head, longest, flowed), place=Place(paragraph=paragraphs))
    if firsts:
        with writer.list():
            for first, end in zip(firsts, [*firsts[1:], len(lines)], strict=True):
                match = _ITEM.match(lines[first])
                marker = match["marker"] if match else "-"
                own = [lines[first][match.end() if match else 0 :], *lines[first + 1 : end]]
                paragraphs += 1
                with writer.item(marker=marker):
                    writer.paragraph(_joined(own, longest, flowed), place=Place(paragraph=paragraphs))
    return paragraphs


def _joined(lines: list[str], longest: int, flowed: bool) -> str:
    pieces = []
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        pieces.append(line.strip())
        if following:
            pieces.append(" " if _goes_on(line, following, longest, flowed) else LINE_BREAK)
    return "".join(pieces)


def _goes_on(line: str, following: str, longest: int, flowed: bool) -> bool:
    if flowed:
        return line.endswith(" ") and line != "-- "
    room = len(line.rstrip()) + 1 + len(following.split()[0])
    return longest >= _NARROWEST and room > longest
