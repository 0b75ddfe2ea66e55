"""Chunks as lines: number, length, the headings above, the first line."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.cli import output
from pincite.cli.layout import cells, padded, shortened, shortened_path
from pincite.model import Chunk, Document

PATH_SHARE = 0.4
"""Of the room for text: the most that the column of headings takes where the first lines need the rest."""
INDENT = " " * 16


def print_chunks(document: Document, chunks: Sequence[Chunk], *, unit: str, full: bool) -> None:
    lengths = [chunk.tokens for chunk in chunks]
    output.write(f"{output.safe(document.id)}: {counted(len(chunks), 'chunk')}{_range(lengths, unit)}")
    paths = [[output.safe(heading) for heading in headings_above(document, chunk)] for chunk in chunks]
    digits = max(4, len(str(len(chunks))))
    length_digits = max(5, len(str(max(lengths, default=0))))
    room = max(20, output.terminal_width() - digits - length_digits - 4)
    firsts = [output.first_line(chunk.text, room) for chunk in chunks]
    most = max(int(room * PATH_SHARE), room - 2 - max(map(cells, firsts), default=0))
    shown = [shortened_path(path, most) if path else "" for path in paths]
    width = max(map(cells, shown), default=0)
    gap = "  " if width else ""
    for chunk, path, first in zip(chunks, shown, firsts, strict=True):
        column = output.styled(path, "dim") + padded("", width - cells(path)) + gap
        line = column + shortened(first, room - width - len(gap))
        output.write(f"{chunk.number:>{digits}}  {chunk.tokens:>{length_digits}}  {line}")
        if full:
            _print_whole(chunk)


def headings_above(document: Document, chunk: Chunk) -> tuple[str, ...]:
    """The chunk's headings without those that its text begins with: the reader sees these in the text."""
    headings = chunk.headings
    start = chunk.span.start + len(chunk.text) - len(chunk.text.lstrip())
    section = next(iter(document.sections_over(chunk.span)), None)
    if section and section.heading and section.heading.start <= start < section.heading.end:
        above = section.path[:-1]
        while headings != above[: len(headings)]:
            headings = headings[:-1]
    return headings


def counted(number: int, noun: str) -> str:
    """
    >>> counted(1, "chunk"), counted(2, "chunk"), counted(12_000, "chunk")
    ('1 chunk', '2 chunks', '12000 chunks')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _range(lengths: Sequence[int], unit: str) -> str:
    if not lengths:
        return ""
    low, high = min(lengths), max(lengths)
    return f" of {low if low == high else f'{low} to {high}'} ({unit}, prefix included)"


def _print_whole(chunk: Chunk) -> None:
    for style, part in (("dim", chunk.prefix), ("", chunk.text)):
        for line in part.splitlines():
            output.write(f"{INDENT}{output.styled(output.printable(line), style)}".rstrip())
        if part and part is chunk.prefix:
            output.write()
