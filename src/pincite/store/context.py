"""Scores of chunks together with what stands around them, each computed from the rows of its own document and the
sums over the permitted rows: as if those were all there is."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pincite.ports import CONTEXT_COLUMNS, REACH, ContextScores
from pincite.store.nearest import Near, cosines
from pincite.store.scoring import Part, Permitted, damping_of, distinct, idf_of
from pincite.store.segment import Segment

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pincite.ports import Vector


@dataclass(frozen=True, slots=True, eq=False)
class InContext:
    """Rows of one segment, ascending, with the columns of ``ContextScores``."""

    segment: Segment
    rows: NDArray[np.int64]
    columns: Mapping[str, NDArray[Any]]


def with_windows(segment: Segment, rows: Iterable[int]) -> NDArray[np.int64]:
    """These rows and those of their windows, ascending, each once."""
    own = np.fromiter(rows, dtype=np.int64)
    near = (own[:, None] + np.arange(-REACH, REACH + 1)).clip(0, len(segment) - 1)
    same = segment.chunk_documents[near] == segment.chunk_documents[own][:, None]
    return distinct(np.sort(near[same]))


def idfs_of(permitted: Permitted, terms: Sequence[str], numbers: Mapping[str, int]) -> dict[str, float]:
    """The idf of each term, also of one that occurs nowhere; in the order of the terms."""
    counts = {
        term: sum(len(part.postings(numbers[term])[0]) for part in permitted.parts) if term in numbers else 0
        for term in sorted(set(terms))
    }
    return {term: idf_of(containing, permitted.number) for term, containing in counts.items()}


def in_context(
    permitted: Permitted,
    ranked: Sequence[Part],
    candidates: Mapping[int, Iterable[int]],
    query: Vector,
    idfs: Mapping[int, float],
) -> list[InContext]:
    """``candidates`` are rows by the number of their part, ``ranked`` the parts with the rows that may be found,
    ``idfs`` those of the terms by number, in the order in which scores are added up."""
    near = Near.of(query)
    found = []
    for number, rows in sorted(candidates.items()):
        segment = permitted.parts[number].segment
        chosen = with_windows(segment, rows)
        chosen = chosen[ranked[number].mask[chosen]]
        lexical, window = _words(segment, chosen, permitted.damping[number], permitted.average_window, idfs)
        neighbours, section, document = _meanings(segment, chosen, near)
        dense = cosines(segment.vectors_of(chosen), query)
        columns = (lexical, dense, window, neighbours, section, document)
        found.append(InContext(segment, chosen, dict(zip(CONTEXT_COLUMNS, columns, strict=True))))
    return found


def _words(
    segment: Segment,
    rows: NDArray[np.int64],
    damping: NDArray[np.float64],
    average_window: float,
    idfs: Mapping[int, float],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """BM25 of the rows and of their windows, with the idf of chunks for both."""
    around = with_windows(segment, rows)
    members = _members(segment, rows, around)
    own = np.searchsorted(around, rows)
    damped = damping_of(_summed(segment.lengths[around], members), average_window)
    scores, windows = np.zeros(len(rows)), np.zeros(len(rows))
    for term, idf in idfs.items():
        frequencies = _frequencies(segment, term, around)
        scores += idf * frequencies[own] / (frequencies[own] + damping[rows])
        together = _summed(frequencies, members)
        windows += idf * together / (together + damped)
    return scores, windows


def _members(
    segment: Segment, rows: NDArray[np.int64], around: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """For each row the places in ``around`` that its window may have, and which of them it has."""
    wanted = rows[:, None] + np.arange(-REACH, REACH + 1)
    inside = wanted.clip(0, max(len(segment) - 1, 0))
    has = (wanted == inside) & (segment.chunk_documents[inside] == segment.chunk_documents[rows][:, None])
    places = np.searchsorted(around, inside).clip(0, max(len(around) - 1, 0))
    return places, has


def _summed(values: NDArray[Any], members: tuple[NDArray[np.int64], NDArray[np.bool_]]) -> NDArray[np.int64]:
    """Whole numbers, so that no order of adding matters."""
    places, has = members
    result: NDArray[np.int64] = (values[places].astype(np.int64) * has).sum(axis=1)
    return result


def _frequencies(segment: Segment, term: int, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """How often each of the rows has the term."""
    having, frequencies = segment.postings(term)
    places = np.searchsorted(having, rows)
    inside = places.clip(0, max(len(having) - 1, 0))
    if not len(having):
        return np.zeros(len(rows), dtype=np.int64)
    result: NDArray[np.int64] = np.where(having[inside] == rows, frequencies[inside], 0).astype(np.int64)
    return result


def _meanings(segment: Segment, rows: NDArray[np.int64], near: Near) -> tuple[NDArray[np.float64], ...]:
    """Neighbours, section, document: from the cosines of all chunks of the documents that the rows belong to."""
    documents = distinct(segment.chunk_documents[rows])
    starts = np.searchsorted(segment.chunk_documents, documents)
    lengths = np.searchsorted(segment.chunk_documents, documents, "right") - starts
    ends = np.cumsum(lengths)
    every = np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - (ends - lengths), lengths)
    values = near.cosines(segment.codes[every], segment.scales[every]).astype(np.float64)
    places = np.searchsorted(every, rows)
    first, last = (ends - lengths), ends - 1
    of = np.searchsorted(documents, segment.chunk_documents[rows])
    before, after = np.maximum(places - 1, first[of]), np.minimum(places + 1, last[of])
    opening = segment.opens[every] != 0
    opens = np.flatnonzero(opening)
    sections = np.cumsum(opening)[places] - 1
    means = {number: _mean(values, opens, number) for number in distinct(sections).tolist()}
    best = np.maximum.reduceat(values, first) if len(first) else values
    # Summed up by `fsum`, whose result no order and no machine changes.
    neighbours = [
        math.fsum(values[start : end + 1]) / (end + 1 - start)
        for start, end in zip(before.tolist(), after.tolist(), strict=True)
    ]
    return np.array(neighbours), np.array([means[number] for number in sections.tolist()]), best[of]


def _mean(values: NDArray[np.float64], opens: NDArray[np.int64], number: int) -> float:
    """Of the section of that number."""
    end = opens[number + 1] if number + 1 < len(opens) else len(values)
    several = values[opens[number] : end]
    return math.fsum(several) / len(several)


def joined(found: Sequence[InContext], names: Sequence[Sequence[str]], total: float) -> ContextScores:
    """In order of ids; ``names`` has those of the rows of each part."""
    ids = [name for several in names for name in several]
    order = sorted(range(len(ids)), key=ids.__getitem__)
    columns = {}
    for column in CONTEXT_COLUMNS:
        values = [value for part in found for value in part.columns[column].tolist()]
        columns[column] = [values[place] for place in order]
    return ContextScores(chunk_ids=[ids[place] for place in order], **columns, total=total)
