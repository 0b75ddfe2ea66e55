"""What is searched: arrays derived from the index file, one row per chunk.

A segment holds nothing that the index file does not hold, and never changes. Its arrays say nothing of groups: who may
see a document is asked of the index file by every query.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pincite.store.database import Database
from pincite.store.rows import integers_from, vectors_from
from pincite.store.schema import meta

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pincite.ports import Vectors

NO_DIMENSION = -1


class Stamp(NamedTuple):
    """Which version of the documents: the commit that touched one last, and the hash over all that did."""

    sequence: int
    state: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Segment:
    """Rows are ordered by document, then number. ``n`` chunks of ``m`` documents with ``p`` postings of ``t`` terms.

    documents           (m,)    row in the index file, ascending
    dimensions          (m,)    of the document's vectors; ``NO_DIMENSION`` without chunks
    chunk_rows          (n,)    row in the index file, ascending
    chunk_documents     (n,)    position in ``documents``
    ranks               (n,)    place of the chunk's id among all ids, from 0: settles equal scores
    lengths             (n,)    terms in the chunk, each as often as it occurs
    vectors             (n, d)  narrower ones are filled up with zeros
    terms               (t,)    ids of the terms that occur, ascending
    offsets             (t+1,)  where each term's postings start
    posting_rows        (p,)    row in the segment, ascending within a term
    posting_frequencies (p,)    how often the term occurs in it
    """

    stamp: Stamp
    documents: NDArray[np.int64]
    dimensions: NDArray[np.int32]
    chunk_rows: NDArray[np.int64]
    chunk_documents: NDArray[np.int32]
    ranks: NDArray[np.int32]
    lengths: NDArray[np.int32]
    vectors: Vectors
    terms: NDArray[np.int64]
    offsets: NDArray[np.int64]
    posting_rows: NDArray[np.int32]
    posting_frequencies: NDArray[Any]

    def postings(self, term: int) -> tuple[NDArray[np.int32], NDArray[Any]]:
        """Rows and frequencies of that term, empty when it does not occur."""
        position = int(np.searchsorted(self.terms, term))
        if position == len(self.terms) or self.terms[position] != term:
            return self.posting_rows[:0], self.posting_frequencies[:0]
        found = slice(self.offsets[position], self.offsets[position + 1])
        return self.posting_rows[found], self.posting_frequencies[found]

    def rows_of(self, chunk_rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Positions of rows of the index file, which must be there."""
        return np.searchsorted(self.chunk_rows, chunk_rows)


ARRAYS = tuple(name for name in Segment.__dataclass_fields__ if name != "stamp")


def stamp_of(database: Database) -> Stamp:
    values = meta(database)
    return Stamp(database.decoded(int, values["changed"]), str(values["state"]))


def build(database: Database) -> Segment:
    """Reads the arrays out of the index file, inside the caller's read transaction."""
    return database.decoded(_build, database)


def _build(database: Database) -> Segment:
    documents = _integers(row for (row,) in database.rows("SELECT row FROM documents ORDER BY row"))
    pairs = list(database.rows("SELECT document, row FROM chunks ORDER BY document, number"))
    chunk_rows = _integers(row for _, row in pairs)
    chunk_documents = np.searchsorted(documents, _integers(document for document, _ in pairs)).astype(np.int32)
    per_document = np.bincount(chunk_documents, minlength=len(documents))
    by_id = _integers(row for (row,) in database.rows("SELECT row FROM chunks ORDER BY id"))
    ranks = np.empty(len(chunk_rows), dtype=np.int32)
    ranks[np.searchsorted(chunk_rows, by_id)] = np.arange(len(chunk_rows), dtype=np.int32)
    dimensions, vectors = _vectors(database, per_document)
    lengths, terms, offsets, posting_rows, posting_frequencies = _postings(database, per_document)
    return Segment(
        stamp=stamp_of(database),
        documents=documents,
        dimensions=dimensions,
        chunk_rows=chunk_rows,
        chunk_documents=chunk_documents,
        ranks=ranks,
        lengths=lengths,
        vectors=vectors,
        terms=terms,
        offsets=offsets,
        posting_rows=posting_rows,
        posting_frequencies=posting_frequencies,
    )


def _integers(numbers: Any) -> NDArray[np.int64]:
    return np.fromiter(numbers, dtype=np.int64)


def _vectors(database: Database, per_document: NDArray[np.int64]) -> tuple[NDArray[np.int32], Vectors]:
    stored = _integers(row for (row,) in database.rows("SELECT dimension FROM vectors ORDER BY document"))
    if len(stored) != len(per_document):
        raise ValueError(f"{len(per_document)} documents and {len(stored)} matrices of vectors")
    dimensions = np.where(per_document > 0, stored, NO_DIMENSION).astype(np.int32)
    width = max(0, int(dimensions.max(initial=0)))
    vectors = np.zeros((int(per_document.sum()), width), dtype=np.float32)
    start = 0
    matrices = database.rows("SELECT dimension, data FROM vectors ORDER BY document")
    for count, (dimension, data) in zip(per_document.tolist(), matrices, strict=True):
        if dimension and count:
            matrix = vectors_from(data, dimension)
            if len(matrix) != count:
                raise ValueError(f"{count} chunks and {len(matrix)} vectors")
            vectors[start : start + count, :dimension] = matrix
        start += count
    return dimensions, vectors


def _postings(database: Database, per_document: NDArray[np.int64]) -> tuple[NDArray[Any], ...]:
    """Lengths, then terms, offsets, rows and frequencies: the forward lists turned round."""
    lists: list[tuple[NDArray[np.int32], ...]] = [
        tuple(map(integers_from, row))
        for row in database.rows("SELECT counts, terms, frequencies FROM forward ORDER BY document")
    ]
    if [len(counts) for counts, _, _ in lists] != per_document.tolist():
        raise ValueError("the forward lists are not those of the chunks")
    counts, terms, frequencies = (_joined([row[column] for row in lists]) for column in range(3))
    rows = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
    if not len(rows) == len(terms) == len(frequencies):
        raise ValueError("the forward lists have unequal lengths")
    lengths = np.bincount(rows, weights=frequencies, minlength=len(counts)).astype(np.int32)
    order = np.argsort(terms, kind="stable")
    distinct, starts = np.unique(terms[order], return_index=True)
    narrow = np.min_scalar_type(int(frequencies.max(initial=0)))
    return (
        lengths,
        distinct.astype(np.int64),
        np.append(starts, len(terms)).astype(np.int64),
        rows[order],
        frequencies[order].astype(narrow),
    )


def _joined(arrays: list[NDArray[np.int32]]) -> NDArray[np.int32]:
    return np.concatenate(arrays) if arrays else np.empty(0, dtype=np.int32)
