"""A range of one document's text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True, init=False)
class Span:
    """Half-open range ``[start, end)`` of Unicode code points in one document's text; never empty.

    >>> Span(4, 9).of("The cat sat.")
    'cat s'
    """

    start: int
    end: int

    def __init__(self, start: int, end: int) -> None:
        if not 0 <= start < end:
            raise ValueError(f"a span needs 0 <= start < end, got [{start}, {end})")
        _set_start(self, start)
        _set_end(self, end)

    def __len__(self) -> int:
        return self.end - self.start

    def of(self, text: str) -> str:
        return text[self.start : self.end]

    def contains(self, other: Span) -> bool:
        return self.start <= other.start and other.end <= self.end

    def overlaps(self, other: Span) -> bool:
        return self.start < other.end and other.start < self.end


_set_start, _set_end = vars(Span)["start"].__set__, vars(Span)["end"].__set__
"""What sets the fields of a frozen span: documents have very many, and to look up each field by its name, as the
``__init__`` of a dataclass does, takes twice as long."""
