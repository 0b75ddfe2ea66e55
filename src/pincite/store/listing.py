"""Which segments the index file has: a row for each, and the ranges of documents that no segment has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pincite.store.database import Database
from pincite.store.segment import LAST_ROW


class Listed(NamedTuple):
    """A segment with the documents of the rows from ``first`` to ``last``, both included."""

    first: int
    last: int
    name: str


def listed(database: Database) -> list[Listed]:
    """In order of rows; their ranges do not overlap."""
    return [Listed(*row) for row in database.rows("SELECT first, last, name FROM segments ORDER BY first")]


def gaps(ranges: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The ranges of rows between these, which are in order and do not overlap, and the one after the last.

    >>> list(gaps([(1, 10), (21, 30)]))
    [(11, 20), (31, 4611686018427387904)]
    """
    start = 1
    for first, last in ranges:
        if first > start:
            yield start, first - 1
        start = last + 1
    yield start, LAST_ROW


def pieces(database: Database, gap: tuple[int, int], *, chunks: int) -> Iterator[tuple[int, int]]:
    """Cuts a gap after each document with which there are at least so many chunks; the last piece has the rest."""
    start, number = gap[0], 0
    last = None
    for row, more in database.rows("SELECT row, chunks FROM documents WHERE row BETWEEN ? AND ? ORDER BY row", gap):
        last, number = row, number + more
        if number >= chunks:
            yield start, last
            start, number, last = last + 1, 0, None
    if last is not None:
        yield start, last
