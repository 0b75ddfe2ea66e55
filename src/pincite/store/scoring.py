"""Scores over segments, as if the permitted rows were all there is.

Every score is computed from its own row and a few sums over the permitted rows, in an order that does not depend on
what else is stored: an index of the permitted documents alone, however it is cut into segments, gives the same bits.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pincite.store.segment import NO_DIMENSION, Segment, ids_from

if TYPE_CHECKING:
    from numpy.typing import NDArray

K1 = 1.2
B = 0.75
GROUP = 64
GROUPS_READ = 8
"""Up to this part of the groups, one in eight, are read by themselves."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Part:
    """The rows of one segment that take part: ``mask`` has the segment's length, ``number`` counts them.

    Where all do, ``everything`` saves the masking. ``error`` and ``reach`` are the largest of the segment's ``errors``
    and ``reaches``.
    """

    segment: Segment
    mask: NDArray[np.bool_]
    number: int
    error: float
    reach: float

    @classmethod
    def of(cls, segment: Segment, mask: NDArray[np.bool_]) -> Part:
        return cls(
            segment=segment,
            mask=mask,
            number=int(np.count_nonzero(mask)),
            error=float(segment.errors.max(initial=0)),
            reach=float(segment.reaches.max(initial=0)),
        )

    @property
    def everything(self) -> bool:
        return self.number == len(self.mask)

    def postings(self, term: int) -> tuple[NDArray[np.int32], NDArray[Any]]:
        """Those postings whose rows take part."""
        rows, frequencies = self.segment.postings(term)
        if self.everything:
            return rows, frequencies
        kept = self.mask[rows]
        return rows[kept], frequencies[kept]

    def only(self, mask: NDArray[np.bool_]) -> Part:
        return replace(self, mask=mask, number=int(np.count_nonzero(mask)))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Permitted:
    """What takes part of every segment, and what follows from all of it."""

    parts: tuple[Part, ...]
    number: int
    dimensions: frozenset[int]
    average_window: float
    """Terms in the window of a chunk."""
    damping: tuple[NDArray[np.float64], ...]
    """For every part and each row of its segment that takes part ``k1 * (1 - b + b * length / average length)``."""

    @classmethod
    def of(cls, segments: Sequence[Segment], documents: NDArray[np.int64]) -> Permitted:
        """``documents`` are rows of the index file, ascending and each once; those that are in no segment are left
        out. Raises ``IndexError`` when one is missing in the segment of its range."""
        parts, length, window_length, dimensions = [], 0, 0, set()
        for segment in segments:
            seen = _positions(segment, documents)
            if len(seen) == len(segment.documents):
                mask = np.ones(len(segment), dtype=np.bool_)
            else:
                flags = np.zeros(len(segment.documents), dtype=np.bool_)
                flags[seen] = True
                mask = flags[segment.chunk_documents]
            part = Part.of(segment, mask)
            length += int((segment.lengths if part.everything else segment.lengths[mask]).sum(dtype=np.int64))
            window_length += int(segment.window_lengths[seen].sum())
            dimensions.update(distinct(np.sort(segment.dimensions[seen])).tolist())
            parts.append(part)
        number = sum(part.number for part in parts)
        average = length / max(number, 1) or 1.0
        return cls(
            parts=tuple(parts),
            number=number,
            dimensions=frozenset(dimensions - {NO_DIMENSION}),
            average_window=window_length / max(number, 1) or 1.0,
            damping=tuple(_damping(part, average) for part in parts),
        )

    def having(self, required: Sequence[int], excluded: Sequence[int]) -> tuple[Part, ...]:
        """The parts without the rows that lack a required term or have an excluded one."""
        parts = []
        for part in self.parts:
            mask = part.mask.copy()
            for term in required:
                has = np.zeros(len(mask), dtype=np.bool_)
                has[part.segment.postings(term)[0]] = True
                mask &= has
            for term in excluded:
                mask[part.segment.postings(term)[0]] = False
            parts.append(part.only(mask))
        return tuple(parts)


def distinct(ascending: NDArray[Any]) -> NDArray[Any]:
    """Each value once; ``np.unique`` takes twenty times as long for what is in order already.

    >>> distinct(np.array([1, 1, 3])).tolist(), distinct(np.array([])).tolist()
    ([1, 3], [])
    """
    first = np.ones(len(ascending), dtype=np.bool_)
    first[1:] = ascending[1:] != ascending[:-1]
    return ascending[first]


def _damping(part: Part, average: float) -> NDArray[np.float64]:
    if part.number > len(part.mask) // 4:
        damping: NDArray[np.float64] = damping_of(part.segment.lengths, average)
        return damping
    rows = np.flatnonzero(part.mask)  # nobody asks for the others
    damping = np.zeros(len(part.mask), dtype=np.float64)
    damping[rows] = damping_of(part.segment.lengths[rows], average)
    return damping


def _positions(segment: Segment, documents: NDArray[np.int64]) -> NDArray[np.int64]:
    within = documents[np.searchsorted(documents, segment.first) : np.searchsorted(documents, segment.last, "right")]
    positions = np.searchsorted(segment.documents, within)
    if (segment.documents[positions] != within).any():
        raise IndexError("a document is missing in the segment of its range")
    return positions


def idf_of(containing: int, number: int) -> float:
    """Of a term that so many of ``number`` chunks contain."""
    return math.log(1 + (number - containing + 0.5) / (containing + 0.5))


def damping_of(length: Any, average: float) -> Any:
    """What a frequency is compared with in a text of that many terms."""
    return K1 * (1 - B + B * (length / average))


def shares(permitted: Permitted, term: int) -> Iterator[tuple[NDArray[np.int32], NDArray[np.float64]]]:
    """What one term adds to the scores: for every part the rows that have it, and how much.

    ``idf * tf / (tf + k1 * (1 - b + b * length / average length))``, from Robertson and Zaragoza, The Probabilistic
    Relevance Framework: BM25 and Beyond (2009), with ``idf = ln(1 + (N - df + 0.5) / (df + 0.5))``, the form that
    Lucene uses, which is never negative.
    """
    found = [part.postings(term) for part in permitted.parts]
    idf = idf_of(sum(len(rows) for rows, _ in found), permitted.number)
    for damping, (rows, frequencies) in zip(permitted.damping, found, strict=True):
        divisors = damping[rows]
        divisors += frequencies
        values = frequencies * idf
        values /= divisors
        yield rows, values


def bm25(permitted: Permitted, terms: Sequence[int]) -> list[NDArray[np.float64]]:
    """For every part one score for each row of its segment, 0 where no term occurs: the sum over the terms."""
    scores = [np.zeros(len(part.segment), dtype=np.float64) for part in permitted.parts]
    for number, term in enumerate(terms):
        for total, (rows, share) in zip(scores, shares(permitted, term), strict=True):
            if number:
                total[rows] += share
            else:
                total[rows] = share
    return scores


@dataclass(frozen=True, slots=True, eq=False)
class Grouped:
    """Values with the highest one of each group: of ``w`` groups one has the values at ``n``, ``n + w``, ``n + 2 w``
    and so on; what is left over at the end is a group of its own."""

    values: NDArray[Any]
    maxima: NDArray[Any]

    @classmethod
    def of(cls, values: NDArray[Any]) -> Grouped:
        width = len(values) // GROUP
        left = values[width * GROUP :]
        maxima = values[: width * GROUP].reshape(GROUP, width).max(axis=0)
        return cls(values, np.append(maxima, left.max()) if len(left) else maxima)

    def reaching(self, number: Any) -> NDArray[np.int64]:
        """Where the values are at least that, ascending. Few groups have such values, and the others are not read."""
        groups = np.flatnonzero(self.maxima >= number)
        if len(groups) > len(self.maxima) // GROUPS_READ:
            return np.flatnonzero(self.values >= number)
        width = len(self.values) // GROUP
        places = (groups[groups < width] + width * np.arange(GROUP)[:, None]).ravel()
        if len(groups) and groups[-1] == width:
            places = np.append(places, np.arange(width * GROUP, len(self.values)))
        reached: NDArray[np.int64] = places[self.values[places] >= number]
        return reached


def reached_by(several: Sequence[Grouped], limit: int) -> float:
    """A number that at least ``limit`` of the values reach, and few more: the highest one that so many of the maxima
    of groups reach. Minus infinity where there are not enough groups.

    To find the last of the best exactly takes ten times as long, and where many are equal, fifty times.
    """
    together = np.concatenate([some.maxima for some in several]) if several else np.empty(0)
    if not 0 < limit <= len(together):
        return -math.inf
    return float(np.partition(together, len(together) - limit)[len(together) - limit])


def highest(scores: Sequence[NDArray[np.float64]], limit: int) -> list[NDArray[np.int64]]:
    """For every part rows among which are the ``limit`` highest scores of all and whatever equals them; none whose
    score is 0."""
    several = [Grouped.of(values) for values in scores]
    lowest = reached_by(several, limit)
    return [some.reaching(lowest) if lowest > 0 else np.flatnonzero(some.values) for some in several]


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Rows of one segment with their scores."""

    segment: Segment
    rows: NDArray[np.int64]
    scores: NDArray[Any]


@dataclass(frozen=True, slots=True)
class Best:
    """The highest scores, highest first, with the rows of their chunks in the index file and their ids: ``None`` for
    one that is longer than its key.

    Equal scores are in the order of the keys of their ids. Those whose keys are equal too with the last one that was
    asked for are all there: there may be more than that, and the ids themselves decide.
    """

    chunk_rows: list[int]
    ids: list[str | None]
    scores: list[float]


def best(found: Sequence[Found], limit: int) -> Best:
    scores = np.concatenate([part.scores for part in found]) if found else np.empty(0)
    if limit <= 0 or not len(scores):
        return Best([], [], [])
    chosen = np.arange(len(scores))
    if limit < len(scores):
        lowest = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        chosen = np.flatnonzero(scores >= lowest)
    keys, id_bytes, chunk_rows = _keys_and_rows(found, chosen)
    scores = scores[chosen]
    order = np.lexsort((keys[:, 1], keys[:, 0], -scores))
    end = min(limit, len(order))
    last = order[end - 1]
    while end < len(order) and scores[order[end]] == scores[last] and (keys[order[end]] == keys[last]).all():
        end += 1
    order = order[:end]
    return Best(chunk_rows[order].tolist(), ids_from(keys[order], id_bytes[order]), scores[order].tolist())


def _keys_and_rows(found: Sequence[Found], chosen: NDArray[np.int64]) -> tuple[NDArray[Any], ...]:
    """Keys, bytes of the ids and rows of those positions in all of the found rows, one part after another; ``chosen``
    ascends."""
    keys, id_bytes, chunk_rows, start = [], [], [], 0
    for part in found:
        here = chosen[np.searchsorted(chosen, start) : np.searchsorted(chosen, start + len(part.rows))] - start
        rows = part.rows[here]
        keys.append(part.segment.keys[rows])
        id_bytes.append(part.segment.id_bytes[rows])
        chunk_rows.append(part.segment.chunk_rows[rows])
        start += len(part.rows)
    return np.concatenate(keys), np.concatenate(id_bytes), np.concatenate(chunk_rows)
