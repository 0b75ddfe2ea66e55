"""Sets of characters as ranges: sorted half-open ``(start, end)`` pairs that neither overlap nor touch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

Range: TypeAlias = tuple[int, int]


def union(ranges: Iterable[Range]) -> list[Range]:
    """
    >>> union([(5, 9), (0, 3), (2, 5), (20, 21)])
    [(0, 9), (20, 21)]
    """
    merged: list[Range] = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        elif start < end:
            merged.append((start, end))
    return merged


def intersection(first: Sequence[Range], second: Sequence[Range]) -> list[Range]:
    """Of two sets.

    >>> intersection([(0, 9), (20, 30)], [(5, 25)])
    [(5, 9), (20, 25)]
    """
    common: list[Range] = []
    left = right = 0
    while left < len(first) and right < len(second):
        start, end = max(first[left][0], second[right][0]), min(first[left][1], second[right][1])
        if start < end:
            common.append((start, end))
        if first[left][1] < second[right][1]:
            left += 1
        else:
            right += 1
    return common


def size(ranges: Iterable[Range]) -> int:
    """How many characters.

    >>> size([(0, 9), (20, 21)])
    10
    """
    return sum(end - start for start, end in ranges)
