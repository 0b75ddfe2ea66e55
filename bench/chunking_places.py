"""Where the pieces of a text went: by the chunks' offsets, or by their text where offsets are missing or wrong."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

import grapheme  # type: ignore[import-untyped] # this package ships no types
from bench.chunking_rows import Cut
from bench.chunking_truth import Heading, Truth, squashed

SHORTEST_LINE = 24
"""Fewer characters do not tell where a line is, for chunkers without offsets."""


def is_border(text: str, index: int) -> bool:
    r"""Whether no grapheme cluster reaches over the index, by the package ``graphemeu``.

    It looks at the text from the last line end or blank on, or 300 characters back.

    >>> is_border("a\r\nb", 2), is_border("e\u0301", 1), is_border("ab", 1)
    (False, False, True)
    """
    if not 0 < index < len(text):
        return True
    before, after = text[index - 1], text[index]
    if before == "\r" and after == "\n":
        return False
    if before.isascii() and after.isascii():
        return True
    start = max(text.rfind(mark, max(0, index - 300), index - 1) for mark in "\n .,:") + 1
    position = start = start or max(0, index - 300)
    for cluster in grapheme.graphemes(text[start : index + 40]):
        position += len(cluster)
        if position >= index:
            return position == index
    return True


class Spans:
    """Where units are, by the chunks' offsets."""

    def __init__(self, cuts: Sequence[Cut]) -> None:
        self.starts = [cut.start or 0 for cut in cuts]
        self.ends = [cut.end or 0 for cut in cuts]

    def first(self, offset: int) -> int:
        return bisect_right(self.starts, offset) - 1

    def holder(self, start: int, end: int) -> int | None:
        index = self.first(start)
        return index if index >= 0 and self.ends[index] >= end else None

    def lost_lines(self, truth: Truth, apart: Sequence[Heading]) -> Iterator[str]:
        covered = sorted([*zip(self.starts, self.ends, strict=True), *((one.start, one.end) for one in apart)])
        position = truth.body
        for start, end in [*covered, (len(truth.text), len(truth.text))]:
            if start > position:
                yield from (line for line in truth.text[position:start].splitlines() if line.strip())
            position = max(position, end)

    def last_heading_of(self, truth: Truth, index: int, cut: Cut) -> Heading | None:
        """The last heading of a chunk that has nothing but headings."""
        start = self.starts[index] + len(cut.text) - len(cut.text.lstrip())
        heading = truth.section_at(start)
        if not heading or start >= heading.end:
            return None
        while not truth.text[heading.end : min(heading.next, self.ends[index])].strip():
            if heading.next >= self.ends[index]:
                return heading
            following = truth.section_at(heading.next)
            assert following
            heading = following
        return None

    def holders_of(self, truth: Truth, heading: Heading) -> list[int]:
        """The chunks with the first and with the last character of the section's own text."""
        own = truth.text[heading.end : heading.next]
        if not own.strip():
            return []
        first = heading.end + len(own) - len(own.lstrip())
        last = heading.end + len(own.rstrip()) - 1
        found = {self.holder(first, first + 1), self.holder(last, last + 1)}
        return sorted(index for index in found if index is not None)


class Squashed:
    """Where units are, by their text without white space."""

    def __init__(self, text: str, cuts: Sequence[Cut]) -> None:
        self.text = text
        parts = [squashed(cut.text) for cut in cuts]
        self.joined = "\0".join(parts)
        self.flat = "".join(parts)
        self.starts = [0]
        for part in parts:
            self.starts.append(self.starts[-1] + len(part) + 1)
        self.heading_lines: dict[str, Heading] | None = None

    def holder(self, start: int, end: int) -> int | None:
        place = self.joined.find(squashed(self.text[start:end]))
        return bisect_right(self.starts, place) - 1 if place >= 0 else None

    def lost_lines(self, truth: Truth, apart: Sequence[Heading]) -> Iterator[str]:  # noqa: ARG002 - as above
        for line in truth.text[truth.body :].splitlines():
            if squashed(line) and squashed(line) not in self.flat:
                yield line

    def last_heading_of(self, truth: Truth, index: int, cut: Cut) -> Heading | None:  # noqa: ARG002 - as above
        if self.heading_lines is None:
            self.heading_lines = {
                squashed(line): heading
                for heading in truth.headings
                for line in truth.text[heading.start : heading.end].splitlines()
            }
        lines = [squashed(line) for line in cut.text.splitlines() if line.strip()]
        if lines and lines[0].startswith("#") and all(line in self.heading_lines for line in lines):
            return self.heading_lines[lines[-1]]
        return None

    def holders_of(self, truth: Truth, heading: Heading) -> list[int]:
        """The chunk with the last line of the section's own text that occurs once."""
        lines = [squashed(line) for line in truth.text[heading.end : heading.next].splitlines()]
        for line in reversed(lines):
            if len(line) >= SHORTEST_LINE and self.joined.count(line) == 1:
                return [bisect_right(self.starts, self.joined.find(line)) - 1]
        return []
