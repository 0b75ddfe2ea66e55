"""Dense search: the scores are those of the vectors in 32 bits, and the best are the exact ones.

Vectors in 8 bits are scanned first. What a row's score can be off by is known (Cauchy and Schwarz): with ``q`` near
``t * p`` and ``v`` near ``s * c``, both in 8 bits, ``|q·v - t*s * p·c| <= |q| * |v - s*c| + |s*c| * |q - t*p|``.
Every row whose highest possible score reaches the lowest possible one of the best is then scored in 32 bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pincite.store.halves import widened
from pincite.store.quantising import quantised
from pincite.store.scoring import Found, Grouped, Part, reached_by

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pincite.ports import Vector, Vectors

numkong: Any
try:
    import numkong
except ImportError:  # there is no wheel for every platform; without it every row is scored in 32 bits, to the same end
    numkong = None

BLOCK_ROWS = 1024
APART_ROWS = 128
"""Where rows are mapped, not read, the system maps the surroundings of a page too, 64 KiB of them and more: as many
rows that lie apart are 8 MiB."""
SCANNED_FROM = 2000
"""With fewer rows than that the scan in 8 bits costs more than it saves."""
GATHERED_BELOW = 0.25
"""Up to this share of a segment's rows are copied together before they are scanned."""
FLOAT32 = float(np.finfo(np.float32).eps)


def cosines(vectors: Vectors, query: Vector) -> Vector:
    """The dot products of the query with all rows, within [-1, 1].

    ``einsum`` sums up each row by itself, always in the same order; the matrix product of a BLAS does not promise
    that, and two chunks of one text would then differ in the last bit.
    """
    result = np.empty(len(vectors), dtype=np.float32)
    for start in range(0, len(vectors), BLOCK_ROWS):
        block = slice(start, start + BLOCK_ROWS)
        result[block] = np.einsum("ij,j->i", np.ascontiguousarray(vectors[block, : len(query)]), query)
    return np.clip(result, -1, 1, out=result)


def nearest(parts: Sequence[Part], query: Vector, limit: int) -> list[Found]:
    """Rows among which are the ``limit`` best of all and whatever equals them, with their scores."""
    parts = [part for part in parts if part.number]
    if limit <= 0 or not parts:
        return []
    if numkong is None or not len(query) or sum(part.number for part in parts) < max(SCANNED_FROM, limit):
        return [_scored(part, query, np.flatnonzero(part.mask)) for part in parts]
    near = Near.of(query)
    return _exact([_estimated(part, near) for part in parts], query, limit)


def _scored(part: Part, query: Vector, rows: NDArray[np.int64]) -> Found:
    """Never has much of the mapped vectors in memory at a time."""
    segment = part.segment
    every = len(rows) == len(segment)
    scores = np.empty(len(rows), dtype=np.float32)
    step = BLOCK_ROWS if every or segment.read else APART_ROWS
    for start in range(0, len(rows), step):
        block = slice(start, start + step)
        if every:
            scores[block] = cosines(widened(segment.vectors[block]), query)
            segment.release()
        else:
            scores[block] = cosines(segment.vectors_of(rows[block]), query)
    return Found(segment, rows, scores)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Near:
    """The query in 8 bits: ``scale * codes`` is off by a vector of at most the length ``error``; ``length`` is that of
    the query."""

    codes: NDArray[np.int8]
    scale: float
    error: float
    length: float

    @classmethod
    def of(cls, query: Vector) -> Near:
        near = quantised(query[None])
        length = float(np.linalg.norm(query.astype(np.float64)))
        return cls(codes=near.codes, scale=float(near.scales[0]), error=float(near.errors[0]), length=length)

    def products(self, codes: NDArray[np.int8]) -> NDArray[np.float32]:
        """The dot products of rows in 8 bits with the query's codes: whole numbers, rounded once to 32 bits."""
        codes = np.ascontiguousarray(codes[:, : self.codes.shape[1]])
        if numkong is None or not len(codes) or not self.codes.shape[1]:
            exact: NDArray[np.float64] = codes.astype(np.float64) @ self.codes[0].astype(np.float64)
            return exact.astype(np.float32)
        # In 32 bits, and into an array of numpy's, whose memory is there already: it takes a fifth less.
        values = np.empty(len(codes), dtype=np.float32)
        numkong.cdist(self.codes, codes, "dot", out=values[None])
        return values

    def cosines(self, codes: NDArray[np.int8], scales: NDArray[np.float32]) -> NDArray[np.float32]:
        """Of rows in 8 bits, within what ``margins`` says of the exact ones."""
        values = self.products(codes)
        values *= scales
        values *= np.float32(self.scale)
        return values

    def margins(self, errors: Any, reaches: Any) -> Any:
        """How far off a score in 8 bits is at most where a row has these ``errors`` and ``reaches``. What the sum in
        32 bits is off by is included, and what the product in 8 bits is, which is rounded to 32 bits three times."""
        rounding = self.codes.shape[1] * self.length * (reaches + errors) + 2 * (self.length + self.error) * reaches + 1
        return self.length * errors + self.error * reaches + FLOAT32 * rounding


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Estimate:
    """The scores of a part's rows in 8 bits, as ``values``; ``rows`` is ``None`` where these are all of the segment."""

    part: Part
    near: Near
    rows: NDArray[np.int64] | None
    grouped: Grouped

    @property
    def values(self) -> NDArray[np.float32]:
        return self.grouped.values

    def looking(self, score: float) -> NDArray[np.int64]:
        """The rows that look at least as good."""
        return self._rows(self.grouped.reaching(score))

    def reaching(self, score: float, *, below: float) -> NDArray[np.int64]:
        """The rows whose scores may be as high as ``score``, of those that look worse than ``below``."""
        part = self.part
        possible = self.grouped.reaching(not_above(score - self.near.margins(part.error, part.reach)))
        possible = possible[self.values[possible] < below]
        rows = self._rows(possible)
        errors = part.segment.errors[rows].astype(np.float64)
        margins = self.near.margins(errors, part.segment.reaches[rows].astype(np.float64))
        reached: NDArray[np.bool_] = self.values[possible] + margins >= score
        return rows[reached]

    def _rows(self, positions: NDArray[np.int64]) -> NDArray[np.int64]:
        return positions if self.rows is None else self.rows[positions]


def _estimated(part: Part, near: Near) -> Estimate:
    segment = part.segment
    rows = None if part.everything else np.flatnonzero(part.mask)
    whole = part.number > GATHERED_BELOW * len(segment)
    codes = segment.codes if whole else segment.codes[rows]
    values = near.products(codes)
    if rows is not None and whole:
        values = values[rows]
    values *= segment.scales if rows is None else segment.scales[rows]
    values *= np.float32(near.scale)
    return Estimate(part=part, near=near, rows=rows, grouped=Grouped.of(values))


def not_above(number: float) -> np.float32:
    """In 32 bits, and no larger."""
    below: np.float32 = np.nextafter(np.float32(number), np.float32(-np.inf))
    return below


def _exact(estimates: Sequence[Estimate], query: Vector, limit: int) -> list[Found]:
    """Scores the rows that look best, and then the others that may reach the last of these."""
    looks_best = reached_by([estimate.grouped for estimate in estimates], limit)
    if looks_best == -np.inf:
        return [_scored(each.part, query, each.looking(looks_best)) for each in estimates]
    first = [_scored(each.part, query, each.looking(looks_best)) for each in estimates]
    scores = np.concatenate([found.scores for found in first])
    lowest = float(np.partition(scores, len(scores) - limit)[len(scores) - limit])
    # Scores outside [-1, 1] are cut to it, so that all beyond one end are equal.
    reach = -np.inf if lowest <= -1 else lowest
    return first + [_scored(each.part, query, each.reaching(reach, below=looks_best)) for each in estimates]
