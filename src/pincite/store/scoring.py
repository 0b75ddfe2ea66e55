"""Scores over a segment, as if the permitted rows were all there is.

Every score is computed from its own row and a few sums over the permitted rows, in an order that does not depend on
what else is stored: an index of the permitted documents alone gives the same bits.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pincite.store.segment import NO_DIMENSION, Segment

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pincite.ports import Vector, Vectors

K1 = 1.2
B = 0.75
BLOCK_ROWS = 4096


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Permitted:
    """The rows of a segment that take part: ``rows`` ascending, and the same as a ``mask`` of the segment's length.

    ``everything`` saves the masking where nothing is left out.
    """

    rows: NDArray[np.int64]
    mask: NDArray[np.bool_]
    dimensions: set[int]
    average_length: float
    everything: bool

    @classmethod
    def of(cls, segment: Segment, documents: NDArray[np.int64]) -> Permitted:
        """``documents`` are rows of the index file, in any order."""
        seen = np.zeros(len(segment.documents), dtype=np.bool_)
        seen[np.searchsorted(segment.documents, documents)] = True
        mask = seen[segment.chunk_documents]
        rows = np.flatnonzero(mask)
        length = int(segment.lengths.sum(where=mask))
        return cls(
            rows=rows,
            mask=mask,
            dimensions=set(np.unique(segment.dimensions[seen]).tolist()) - {NO_DIMENSION},
            average_length=length / max(len(rows), 1),
            everything=len(rows) == len(mask),
        )

    def among(self, rows: NDArray[np.int32], frequencies: NDArray[Any]) -> tuple[NDArray[np.int32], NDArray[Any]]:
        """Those postings whose rows take part."""
        if self.everything:
            return rows, frequencies
        kept = self.mask[rows]
        return rows[kept], frequencies[kept]


def bm25(segment: Segment, permitted: Permitted, terms: Sequence[int]) -> NDArray[np.float64]:
    """One score per row of the segment, 0 where no term occurs.

    The sum over the query's distinct terms, each counted once, of ``idf * tf / (tf + k1 * (1 - b + b * length /
    average length))``, from Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond (2009),
    with ``idf = ln(1 + (N - df + 0.5) / (df + 0.5))``, the form that Lucene uses, which is never negative.
    """
    scores = np.zeros(len(segment.lengths), dtype=np.float64)
    for term in terms:
        rows, frequencies = permitted.among(*segment.postings(term))
        if not len(rows):
            continue
        idf = math.log(1 + (len(permitted.rows) - len(rows) + 0.5) / (len(rows) + 0.5))
        occurs = frequencies.astype(np.float64)
        relative = segment.lengths[rows] / permitted.average_length
        scores[rows] += idf * occurs / (occurs + K1 * (1 - B + B * relative))
    return scores


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


def best(scores: NDArray[Any], ranks: NDArray[np.int32], limit: int) -> NDArray[np.int64]:
    """The positions of the highest scores, highest first; equal scores in the order of their ranks."""
    candidates = np.arange(len(scores))
    if 0 < limit < len(scores):
        lowest = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        candidates = np.flatnonzero(scores >= lowest)
    order = np.lexsort((ranks[candidates], -scores[candidates]))
    return candidates[order[: max(limit, 0)]]
