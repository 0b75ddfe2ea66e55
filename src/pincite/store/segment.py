"""What is searched: arrays derived from the index file, one row per chunk.

A segment has the chunks of the documents whose rows in the index file lie in one range, as they were when it was made,
and never changes. Rows of documents do not change either and their numbers are not used again, so a segment becomes
wrong in one way only: documents that were removed are still in it. It says nothing of groups. Which documents there
are and who may see them is asked of the index file by every query.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from pincite.ports import REACH
from pincite.store.database import Database
from pincite.store.halves import HALF, widened
from pincite.store.quantising import quantised
from pincite.store.rows import forward_from, vectors_from

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pincite.ports import Vectors
    from pincite.store.halves import Halves

NO_DIMENSION = -1
KEY_BYTES = 16
SELECT_OUTLINES = """
    SELECT document, row, id, headings FROM chunks WHERE document BETWEEN ? AND ? ORDER BY document, number"""
LAST_ROW = 2**62
"""Larger than the row of any document."""


def nothing() -> None:
    """Arrays in memory cannot be let go of."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Segment:
    """Rows are ordered by document, then number. ``n`` chunks of ``m`` documents with ``p`` postings of ``t`` terms.

    documents           (m,)    row in the index file, ascending, within ``first`` and ``last``
    dimensions          (m,)    of the document's vectors; ``NO_DIMENSION`` without chunks
    window_lengths      (m,)    terms in the windows of the document's chunks, added up over all of these
    chunk_rows          (n,)    row in the index file, ascending
    chunk_documents     (n,)    position in ``documents``
    opens               (n,)    1 where a section begins: headings that the chunk before it does not have
    keys                (n, 2)  the first bytes of the chunk's id as numbers: their order is that of ids, up to ties
    id_bytes            (n,)    how many bytes the id has; with more than ``KEY_BYTES`` the key is not all of it
    lengths             (n,)    terms in the chunk, each as often as it occurs
    vectors             (n, d)  in 16 bits; narrower ones are filled up with zeros
    codes, scales, errors, reaches   the vectors in 8 bits, see ``Codes``
    terms               (t,)    ids of the terms that occur, ascending
    offsets             (t+1,)  where each term's postings start
    posting_rows        (p,)    row in the segment, ascending within a term
    posting_frequencies (p,)    how often the term occurs in it
    """

    first: int
    last: int
    documents: NDArray[np.int64]
    dimensions: NDArray[np.int32]
    window_lengths: NDArray[np.int64]
    chunk_rows: NDArray[np.int64]
    chunk_documents: NDArray[np.int32]
    opens: NDArray[np.uint8]
    keys: NDArray[np.uint64]
    id_bytes: NDArray[np.uint8]
    lengths: NDArray[np.int32]
    vectors: Halves
    codes: NDArray[np.int8]
    scales: NDArray[np.float32]
    errors: NDArray[np.float32]
    reaches: NDArray[np.float32]
    terms: NDArray[np.int64]
    offsets: NDArray[np.int64]
    posting_rows: NDArray[np.int32]
    posting_frequencies: NDArray[Any]
    release: Callable[[], None] = nothing
    """Lets the memory go that pages of ``vectors`` take; they can be read again."""
    read: Callable[[NDArray[np.int64]], Halves] | None = None
    """Reads rows of ``vectors`` out of their file, which maps no page."""

    def vectors_of(self, rows: NDArray[np.int64]) -> Vectors:
        """``vectors[rows]`` in 32 bits, for rows that ascend. Raises ``IndexError`` when the file has become
        shorter."""
        if self.read:
            return widened(self.read(rows))
        found = widened(self.vectors[rows])
        self.release()
        return found

    def __len__(self) -> int:
        return len(self.chunk_rows)

    def postings(self, term: int) -> tuple[NDArray[np.int32], NDArray[Any]]:
        """Rows and frequencies of that term, empty when it does not occur."""
        position = int(np.searchsorted(self.terms, term))
        if position == len(self.terms) or self.terms[position] != term:
            return self.posting_rows[:0], self.posting_frequencies[:0]
        found = slice(self.offsets[position], self.offsets[position + 1])
        return self.posting_rows[found], self.posting_frequencies[found]

    def position(self, chunk_row: int) -> int:
        """Of a row of the index file. Raises ``KeyError`` when it is not here."""
        position = int(np.searchsorted(self.chunk_rows, chunk_row))
        if position == len(self.chunk_rows) or self.chunk_rows[position] != chunk_row:
            raise KeyError(chunk_row)
        return position

    def blocks(self) -> Iterator[tuple[str, NDArray[Any]]]:
        """Every array by name, as ``segment_files.write`` takes them."""
        return ((name, getattr(self, name)) for name in ARRAYS)


ARRAYS = tuple(name for name in Segment.__dataclass_fields__ if name not in ("first", "last", "release", "read"))


def keys_of(ids: list[str]) -> NDArray[np.uint64]:
    """
    >>> keys_of(["", "a", "b"]).tolist()
    [[0, 0], [6989586621679009792, 0], [7061644215716937728, 0]]
    """
    packed = b"".join(name.encode("utf-8", "replace")[:KEY_BYTES].ljust(KEY_BYTES, b"\0") for name in ids)
    return np.frombuffer(packed, dtype=">u8").reshape(-1, 2).astype(np.uint64)


def id_bytes_of(ids: list[str]) -> NDArray[np.uint8]:
    """
    >>> id_bytes_of(["", "a", "ä", "a" * 1000]).tolist()
    [0, 1, 2, 255]
    """
    return np.array([min(len(name.encode("utf-8", "replace")), 255) for name in ids], dtype=np.uint8)


def ids_from(keys: NDArray[np.uint64], id_bytes: NDArray[np.uint8]) -> list[str | None]:
    """The ids of those keys, ``None`` where one is longer than its key.

    >>> ids_from(keys_of(["", "ä", "a" * 17]), id_bytes_of(["", "ä", "a" * 17]))
    ['', 'ä', None]
    """
    packed = keys.astype(">u8").tobytes()
    numbers = enumerate(id_bytes.tolist())
    return [
        packed[at * KEY_BYTES : at * KEY_BYTES + number].decode() if number <= KEY_BYTES else None
        for at, number in numbers
    ]


def build(database: Database, first: int, last: int) -> Segment:
    """Reads the arrays of the documents of these rows, both included, inside the caller's transaction."""
    return database.decoded(_build, database, first, last)


def _build(database: Database, first: int, last: int) -> Segment:
    within = (first, last)
    documents = _integers(
        row for (row,) in database.rows("SELECT row FROM documents WHERE row BETWEEN ? AND ? ORDER BY row", within)
    )
    chunks = list(database.rows(SELECT_OUTLINES, within))
    ids = [row[2] for row in chunks]
    chunk_documents = np.searchsorted(documents, _integers(row[0] for row in chunks)).astype(np.int32)
    per_document = np.bincount(chunk_documents, minlength=len(documents))
    dimensions, vectors = _vectors(database, within, per_document)
    codes = quantised(widened(vectors))
    lengths, terms, offsets, posting_rows, posting_frequencies = _postings(database, within, per_document)
    return Segment(
        first=first,
        last=last,
        documents=documents,
        dimensions=dimensions,
        window_lengths=window_lengths(lengths, chunk_documents, len(documents)),
        chunk_rows=_integers(row[1] for row in chunks),
        chunk_documents=chunk_documents,
        opens=_opens(chunks),
        keys=keys_of(ids),
        id_bytes=id_bytes_of(ids),
        lengths=lengths,
        vectors=vectors,
        codes=codes.codes,
        scales=codes.scales,
        errors=codes.errors,
        reaches=codes.reaches,
        terms=terms,
        offsets=offsets,
        posting_rows=posting_rows,
        posting_frequencies=posting_frequencies,
    )


def _opens(chunks: Sequence[Sequence[Any]]) -> NDArray[np.uint8]:
    """Of rows of document, row, id and headings."""
    opens = [(row[0], row[3]) != (before[0], before[3]) for before, row in pairwise(chunks)]
    return np.array([True, *opens][: len(chunks)], dtype=np.uint8)


def window_lengths(lengths: NDArray[np.int32], chunk_documents: NDArray[np.int32], documents: int) -> NDArray[np.int64]:
    """
    >>> window_lengths(np.array([1, 10, 100, 1000]), np.array([0, 0, 0, 2]), 3).tolist()
    [333, 0, 1000]
    """
    weights = lengths.astype(np.int64)
    for step in range(1, REACH + 1):
        together = chunk_documents[step:] == chunk_documents[:-step]
        weights[step:] += lengths[:-step] * together
        weights[: len(lengths) - step] += lengths[step:] * together
    # The sums are whole numbers far below the 2^53 up to which `bincount` is exact.
    return np.bincount(chunk_documents, weights=weights, minlength=documents).astype(np.int64)


def _integers(numbers: Any) -> NDArray[np.int64]:
    return np.fromiter(numbers, dtype=np.int64)


def _vectors(
    database: Database, within: tuple[int, int], per_document: NDArray[np.int64]
) -> tuple[NDArray[np.int32], Halves]:
    sql = "SELECT dimension, data FROM vectors WHERE document BETWEEN ? AND ? ORDER BY document"
    stored = _integers(row[0] for row in database.rows(sql.replace(", data", ""), within))
    if len(stored) != len(per_document):
        raise ValueError(f"{len(per_document)} documents and {len(stored)} matrices of vectors")
    dimensions = np.where(per_document > 0, stored, NO_DIMENSION).astype(np.int32)
    width = max(0, int(dimensions.max(initial=0)))
    vectors = np.zeros((int(per_document.sum()), width), dtype=HALF)
    start = 0
    for count, (dimension, data) in zip(per_document.tolist(), database.rows(sql, within), strict=True):
        if dimension and count:
            matrix = vectors_from(data, dimension)
            if len(matrix) != count:
                raise ValueError(f"{count} chunks and {len(matrix)} vectors")
            vectors[start : start + count, :dimension] = matrix
        start += count
    return dimensions, vectors


def _postings(database: Database, within: tuple[int, int], per_document: NDArray[np.int64]) -> tuple[NDArray[Any], ...]:
    """Lengths, then terms, offsets, rows and frequencies: the forward lists turned round."""
    sql = "SELECT counts, terms, frequencies FROM forward WHERE document BETWEEN ? AND ? ORDER BY document"
    lists = [forward_from(*row) for row in database.rows(sql, within)]
    if [len(counts) for counts, _, _ in lists] != per_document.tolist():
        raise ValueError("the forward lists are not those of the chunks")
    counts, terms, frequencies = (_joined([row[column] for row in lists]) for column in range(3))
    rows = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
    if len(rows) != len(terms):
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
