"""Scores of rows one by one: the definitions that every store has to reach."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from pincite.model import Chunk, Scored, TermFilter
from pincite.ports import NEAREST_KIN
from pincite.store.quantising import quantised

if TYPE_CHECKING:
    from pincite.ports import Vector

K1, B = 1.2, 0.75
Text: TypeAlias = tuple[str, ...]
"""The terms of a text, each as often as it occurs."""


@dataclass(frozen=True, slots=True)
class Row:
    """A chunk that the principal may see, with what is searched in it."""

    chunk: Chunk
    terms: tuple[str, ...]
    vector: Vector


def weights_of(terms: Sequence[str], rows: Sequence[Row]) -> list[dict[str, float]]:
    """For each row what each of the terms that it has adds to its score, in the order in which they are added up."""
    idfs = idfs_of(terms, rows)
    texts = [row.terms for row in rows]
    average = average_length(texts)
    return [weights_in(text, idfs, average) for text in texts]


def idfs_of(terms: Sequence[str], rows: Sequence[Row]) -> dict[str, float]:
    """Of each term, also of one that occurs nowhere."""
    containing = {term: sum(term in row.terms for row in rows) for term in sorted(set(terms))}
    return {term: math.log(1 + (len(rows) - number + 0.5) / (number + 0.5)) for term, number in containing.items()}


def average_length(texts: Sequence[Text]) -> float:
    return sum(map(len, texts)) / max(len(texts), 1) or 1.0


def weights_in(text: Text, idfs: Mapping[str, float], average: float) -> dict[str, float]:
    """BM25 term by term."""
    damping = K1 * (1 - B + B * (len(text) / average))
    return {term: idf * text.count(term) / (text.count(term) + damping) for term, idf in idfs.items() if term in text}


def bm25(texts: Sequence[Text], idfs: Mapping[str, float]) -> list[float]:
    average = average_length(texts)
    return [sum(weights_in(text, idfs, average).values(), 0.0) for text in texts]


def texts_of(rows: Sequence[Row], windows: Sequence[Sequence[int]]) -> tuple[list[Text], list[Text]]:
    """The terms of each row, and those of its window."""
    own = [row.terms for row in rows]
    return own, [tuple(term for number in window for term in own[number]) for window in windows]


def window_of(rows: Sequence[Row], number: int, reach: int) -> list[int]:
    """The row and those up to so many places away from it in its document; rows of one document stand together."""
    near = range(max(0, number - reach), min(len(rows), number + reach + 1))
    return [other for other in near if rows[other].chunk.document_id == rows[number].chunk.document_id]


def section_of(rows: Sequence[Row], number: int) -> list[int]:
    """The row and those in a row with it that have the same headings in the same document."""

    def together(other: int) -> bool:
        one, two = rows[other].chunk, rows[number].chunk
        return (one.document_id, one.headings) == (two.document_id, two.headings)

    before = takewhile(together, range(number - 1, -1, -1))
    return [*reversed(list(before)), *takewhile(together, range(number, len(rows)))]


def coded_cosines(rows: Sequence[Row], vector: Vector) -> list[float]:
    """Cosines of the vectors in 8 bits."""
    query = quantised(np.asarray(vector, dtype=np.float32)[None])
    found = []
    for row in rows:
        codes = quantised(row.vector[None])
        product = np.float32(int(codes.codes[0].astype(np.int64) @ query.codes[0].astype(np.int64)))
        found.append(float(product * codes.scales[0] * query.scales[0]))
    return found


def likenesses(rows: Sequence[Row]) -> list[float]:
    """For each row the mean cosine, in 8 bits, with those of the others that are most like it."""
    coded = [quantised(row.vector[None]) for row in rows]
    codes = [one.codes[0].astype(np.int64) for one in coded]
    scales = [float(one.scales[0]) for one in coded]
    found = []
    for number, own in enumerate(codes):
        others = [
            float(np.float32(int(own[: len(other)] @ other[: len(own)]))) * (scales[number] * scales[place])
            for place, other in enumerate(codes)
            if place != number
        ]
        nearest = sorted(others, reverse=True)[:NEAREST_KIN]
        found.append(mean(nearest) if nearest else 0.0)
    return found


def mean(values: Iterable[float]) -> float:
    several = list(values)
    return math.fsum(several) / len(several)


def allowed(row: Row, words: TermFilter | None) -> bool:
    return words is None or words.allows(row.terms)


def best_first(found: list[Scored], limit: int) -> list[Scored]:
    return sorted(found, key=lambda scored: (-scored.score, scored.chunk_id))[: max(limit, 0)]


def cosine(row: Vector, query: Vector) -> float:
    """The dot product of two unit vectors, kept within [-1, 1] where rounding would leave it."""
    return min(1.0, max(-1.0, float(np.sum(row.astype(np.float64) * query))))
