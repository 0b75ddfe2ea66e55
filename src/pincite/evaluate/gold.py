"""What is compared: the passages that a search returned, and the spans that are relevant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pincite.evaluate.ranges import Range, intersection, size, union
from pincite.model import Span


@dataclass(frozen=True, slots=True)
class Passage:
    """One result of a search. ``tokens`` counts its text alone, without prefix, in o200k_base."""

    document_id: str
    span: Span
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class GoldSpan:
    """A relevant span of a document, with its grade from 1."""

    document_id: str
    span: Span
    grade: int = 1


Part = tuple[GoldSpan, ...]
"""One thing that has to be found: any of these spans will do."""
Gold = tuple[Part, ...]
"""All that has to be found for one question; without any part the question has no answer."""

COVERED = 0.5
"""The least share of a span that a passage holds when it counts as found by it."""


class Covered:
    """The characters that passages cover, document by document."""

    def __init__(self, passages: Iterable[Passage]) -> None:
        by_document: dict[str, list[Range]] = {}
        for passage in passages:
            by_document.setdefault(passage.document_id, []).append((passage.span.start, passage.span.end))
        self._ranges = {name: union(ranges) for name, ranges in by_document.items()}

    def of(self, gold: GoldSpan) -> int:
        """How many characters of that span."""
        return size(intersection(self._ranges.get(gold.document_id, []), [(gold.span.start, gold.span.end)]))

    def common(self, golds: Iterable[GoldSpan]) -> int:
        """How many of the characters of all these spans; one that several of them hold counts once."""
        return sum(size(intersection(self._ranges.get(name, []), ranges)) for name, ranges in grouped(golds).items())

    def characters(self) -> int:
        return sum(map(size, self._ranges.values()))


def grouped(golds: Iterable[GoldSpan]) -> dict[str, list[Range]]:
    """The characters of the spans by document."""
    by_document: dict[str, list[Range]] = {}
    for gold in golds:
        by_document.setdefault(gold.document_id, []).append((gold.span.start, gold.span.end))
    return {name: union(ranges) for name, ranges in by_document.items()}


def characters(golds: Iterable[GoldSpan]) -> int:
    return sum(map(size, grouped(golds).values()))


def chosen(gold: Gold, covered: Covered) -> list[GoldSpan]:
    """The span that stands for each part: the one of which the largest share is covered, the first of equals."""
    return [max(part, key=lambda span: covered.of(span) / len(span.span)) for part in gold]


def finds(passage: Passage, gold: GoldSpan) -> bool:
    """Whether the passage holds at least half of the span."""
    if passage.document_id != gold.document_id or not passage.span.overlaps(gold.span):
        return False
    common = min(passage.span.end, gold.span.end) - max(passage.span.start, gold.span.start)
    return common >= COVERED * len(gold.span)


def distinct(passages: Sequence[Passage]) -> list[Passage]:
    """The passages without repeats of the same span; the ranks of the others move up."""
    seen: set[tuple[str, int, int]] = set()
    found = []
    for passage in passages:
        place = (passage.document_id, passage.span.start, passage.span.end)  # hashed faster than the values
        if place not in seen:
            seen.add(place)
            found.append(passage)
    return found


def found_parts(passages: Sequence[Passage], gold: Gold) -> Iterator[tuple[int, int]]:
    """Position and grade of every part that is found, in order of positions.

    A part's position is the rank (from 1) of the first distinct passage that finds it. Where one passage finds several
    parts, the others take the positions behind it, as if they had been found one by one, so that no sum over positions
    is above that of the best order. A part's grade is that of the best span which the passage finds.
    """
    waiting = list(gold)
    position = 0
    for rank, passage in enumerate(distinct(passages), start=1):
        grades = []
        for part in list(waiting):
            found = [span.grade for span in part if finds(passage, span)]
            if found:
                grades.append(max(found))
                waiting.remove(part)
        for grade in sorted(grades, reverse=True):
            position = max(rank, position + 1)
            yield position, grade
        if not waiting:
            return
