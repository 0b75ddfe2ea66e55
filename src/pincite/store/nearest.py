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

from pincite.store.quantising import quantised
from pincite.store.scoring import Found, Part, reached_by

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pincite.ports import Vector, Vectors

numkong: Any
try:
    import numkong
except ImportError:  # there is no wheel for every platform; without it every row is scored in 32 bits, to the same end
    numkong = None

BLOCK_ROWS = 4096
APART_ROWS = 512
"""The system maps the surroundings of a page too, 64 KiB of them: as many rows that lie apart are 32 MiB."""
SCANNED_FROM = 2000
"""With fewer rows than that the scan in 8 bits costs more than it saves."""
GATHERED_BELOW = 0.25
"""Up to this share of a segment's rows are copied together before they are scanned."""
FLOAT32 = float(np.finfo(np.float32).eps)


def cosines(vectors: Vectors, query: Vector, rows: NDArray[np.int64] | None = None) -> Vector:
    """The dot products of the query with those rows, or with all, within [-1, 1].

    ``einsum`` sums up each row by itself, always in the same order; the matrix product of a BLAS does not promise
    that, and two chunks of one text would then differ in the last bit.
    """
    number = len(vectors) if rows is None else len(rows)
    result = np.empty(number, dtype=np.float32)
    for start in range(0, number, BLOCK_ROWS):
        block = slice(start, start + BLOCK_ROWS)
        matrix = vectors[block] if rows is None else vectors[rows[block]]
        result[block] = np.einsum("ij,j->i", np.ascontiguousarray(matrix[:, : len(query)]), query)
    return np.clip(result, -1, 1, out=result)


def nearest(parts: Sequence[Part], query: Vector, limit: int) -> list[Found]:
    """Rows among which are the ``limit`` best of all and whatever equals them, with their scores."""
    parts = [part for part in parts if part.number]
    if limit <= 0 or not parts:
        return []
    if numkong is None or not len(query) or sum(part.number for part in parts) < max(SCANNED_FROM, limit):
        return [_scored(part, query, np.flatnonzero(part.mask)) for part in parts]
    return _exact([_estimated(part, query) for part in parts], query, limit)


def _scored(part: Part, query: Vector, rows: NDArray[np.int64]) -> Found:
    """Never has much of the mapped vectors in memory at a time."""
    segment = part.segment
    every = len(rows) == len(segment)
    scores = np.empty(len(rows), dtype=np.float32)
    for start in range(0, len(rows), BLOCK_ROWS if every else APART_ROWS):
        block = slice(start, start + (BLOCK_ROWS if every else APART_ROWS))
        scores[block] = (
            cosines(segment.vectors[block], query) if every else cosines(segment.vectors, query, rows[block])
        )
        segment.release()
    return Found(segment, rows, scores)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Estimate:
    """The scores of a part's rows in 8 bits, as ``values``, and what is needed to say how far off they are."""

    part: Part
    rows: NDArray[np.int64]
    values: NDArray[np.float64]
    length: float
    error: float

    def margins(self, positions: NDArray[np.int64]) -> NDArray[np.float64]:
        """How far off the values there are at most, what the sum in 32 bits is off by included."""
        segment, rows = self.part.segment, self.rows[positions]
        margins: NDArray[np.float64] = self._margin(
            segment.errors[rows].astype(np.float64), segment.reaches[rows].astype(np.float64)
        )
        return margins

    def _margin(self, errors: Any, reaches: Any) -> Any:
        rounding = self.part.segment.vectors.shape[1] * FLOAT32 * self.length * (reaches + errors) + FLOAT32
        return self.length * errors + self.error * reaches + rounding

    def reaching(self, score: float) -> NDArray[np.int64]:
        """The rows whose scores may be as high as that."""
        segment = self.part.segment
        largest = self._margin(float(segment.errors.max()), float(segment.reaches.max()))
        near = np.flatnonzero(self.values >= score - largest)
        return self.rows[near[self.values[near] + self.margins(near) >= score]]


def _estimated(part: Part, query: Vector) -> Estimate:
    segment = part.segment
    rows = np.flatnonzero(part.mask)
    every = part.number > GATHERED_BELOW * len(segment)
    codes = np.ascontiguousarray((segment.codes if every else segment.codes[rows])[:, : len(query)])
    near = quantised(query[None])
    values: NDArray[np.float64] = np.asarray(numkong.cdist(near.codes, codes, "dot")).ravel()
    if every and not part.everything:
        values = values[rows]
    values = values * (segment.scales if part.everything else segment.scales[rows])
    values *= float(near.scales[0])
    length = float(np.linalg.norm(query.astype(np.float64)))
    return Estimate(part=part, rows=rows, values=values, length=length, error=float(near.errors[0]))


def _exact(estimates: Sequence[Estimate], query: Vector, limit: int) -> list[Found]:
    """Scores the rows that look best, and then all that may reach the last of these."""
    looks_best = reached_by([estimate.values for estimate in estimates], limit)
    lowest = -1.0
    if looks_best > -np.inf:
        first = [_scored(each.part, query, each.rows[each.values >= looks_best]) for each in estimates]
        scores = np.concatenate([found.scores for found in first])
        lowest = float(np.partition(scores, len(scores) - limit)[len(scores) - limit])
    # Scores outside [-1, 1] are cut to it, so that all beyond one end are equal.
    reach = -np.inf if lowest <= -1 else lowest
    return [_scored(each.part, query, each.reaching(reach)) for each in estimates]
