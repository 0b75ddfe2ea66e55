"""Several neighbouring segments, without the rows of documents that are gone, as one: block by block, so that no
more than a few blocks are in memory, however large they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pincite.store.segment import Segment

if TYPE_CHECKING:
    from numpy.typing import NDArray

BLOCK_ROWS = 8192
BLOCK_POSTINGS = 1_000_000
BY_ROW = ("chunk_rows", "opens", "keys", "id_bytes", "lengths", "scales", "errors", "reaches")
SMALLEST_MERGED = 4
"""So many segments of about one size are left alone."""
DELETED_SHARE = 0.2
LARGEST_MERGED = 80_000
"""No more rows than that come together, so that no change of one document costs more than half a second, however
large the collection is."""


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """What is kept of a segment: masks of its documents and its rows, and where the rows stand in the new one."""

    segment: Segment
    documents: NDArray[np.bool_]
    mask: NDArray[np.bool_]
    positions: NDArray[np.int32]


def chosen(sizes: Sequence[int], kept: Sequence[int]) -> tuple[int, int] | None:
    """Which neighbours to merge next, as a half-open range; ``None`` when all is well.

    ``sizes`` counts the rows of each segment, ``kept`` those whose documents are still there. First a segment with
    too many others, and with it the neighbours that are no larger; then the newest run in which no segment is larger
    than all behind it together, once that is long enough: each row is so written about once for every doubling, and
    segments stay few.

    >>> chosen([1000, 10, 10, 10, 10], [1000, 10, 10, 10, 10])
    (1, 5)
    >>> chosen([1000, 10], [1000, 10]), chosen([1000, 10], [700, 10])
    (None, (0, 2))
    """
    for number, (size, left) in enumerate(zip(sizes, kept, strict=True)):
        if size - left > DELETED_SHARE * size:
            return _with_smaller_neighbours(kept, number)
    for end in range(len(kept), SMALLEST_MERGED - 1, -1):
        start = _start_of_run(kept, end)
        if end - start >= SMALLEST_MERGED:
            return start, end
    return None


def _start_of_run(kept: Sequence[int], end: int) -> int:
    """Where the longest run before ``end`` starts in which no segment is larger than all behind it together."""
    start, together = end - 1, kept[end - 1]
    while start > 0 and kept[start - 1] <= min(together, LARGEST_MERGED - together):
        start, together = start - 1, together + kept[start - 1]
    return start


def _with_smaller_neighbours(kept: Sequence[int], number: int) -> tuple[int, int]:
    start, end, together = number, number + 1, kept[number]
    while start > 0 and kept[start - 1] <= min(together, LARGEST_MERGED - together):
        start, together = start - 1, together + kept[start - 1]
    while end < len(kept) and kept[end] <= min(together, LARGEST_MERGED - together):
        end, together = end + 1, together + kept[end]
    return start, end


def merged(segments: Sequence[Segment], documents: NDArray[np.int64]) -> Iterator[tuple[str, NDArray[Any]]]:
    """The arrays of the new segment, as ``segment_files.write`` takes them; ``documents`` are those that are still
    there, ascending."""
    kept, rows = [], 0
    for segment in segments:
        still = np.isin(segment.documents, documents, assume_unique=True)
        mask = still[segment.chunk_documents]
        positions = (rows + np.cumsum(mask) - 1).astype(np.int32)
        rows += int(np.count_nonzero(mask))
        kept.append(Kept(segment, still, mask, positions))
    yield from _documents(kept)
    for name in BY_ROW:
        for part in kept:
            yield name, getattr(part.segment, name)[part.mask]
    yield from _matrices(kept)
    yield from _postings(kept)


def _documents(kept: Sequence[Kept]) -> Iterator[tuple[str, NDArray[Any]]]:
    start = 0
    for part in kept:
        yield "documents", part.segment.documents[part.documents]
        yield "dimensions", part.segment.dimensions[part.documents]
        yield "window_lengths", part.segment.window_lengths[part.documents]
        numbers = start + np.cumsum(part.documents) - 1
        yield "chunk_documents", numbers[part.segment.chunk_documents[part.mask]].astype(np.int32)
        start += int(np.count_nonzero(part.documents))


def _matrices(kept: Sequence[Kept]) -> Iterator[tuple[str, NDArray[Any]]]:
    width = max((part.segment.vectors.shape[1] for part in kept if part.mask.any()), default=0)
    for name in ("vectors", "codes"):
        for part in kept:
            matrix = getattr(part.segment, name)
            yield name, np.zeros((0, width), dtype=matrix.dtype)
            for start in range(0, len(matrix), BLOCK_ROWS):
                block = matrix[start : start + BLOCK_ROWS][part.mask[start : start + BLOCK_ROWS], :width]
                yield name, np.pad(block, ((0, 0), (0, width - block.shape[1])))
                part.segment.release()


def _postings(kept: Sequence[Kept]) -> Iterator[tuple[str, NDArray[Any]]]:
    segments = [part.segment for part in kept]
    terms = np.unique(np.concatenate([segment.terms for segment in segments]))
    counts = np.zeros(len(terms), dtype=np.int64)
    for segment in segments:
        counts[np.searchsorted(terms, segment.terms)] += np.diff(segment.offsets)
    dtype = np.result_type(*(segment.posting_frequencies.dtype for segment in segments))
    ends = np.cumsum(counts)
    yield "terms", terms[:0]
    yield "offsets", np.zeros(1, dtype=np.int64)
    yield "posting_rows", np.zeros(0, dtype=np.int32)
    yield "posting_frequencies", np.zeros(0, dtype=dtype)
    start = written = 0
    while start < len(terms):
        before = int(ends[start - 1]) if start else 0
        end = max(start + 1, int(np.searchsorted(ends, before + BLOCK_POSTINGS, "right")))
        numbers, rows, frequencies = _postings_of(kept, terms[start:end])
        order = np.argsort(numbers, kind="stable")
        present, lengths = np.unique(numbers, return_counts=True)
        yield "terms", terms[start:end][present]
        yield "offsets", written + np.cumsum(lengths)
        yield "posting_rows", rows[order]
        yield "posting_frequencies", frequencies[order].astype(dtype)
        written += len(rows)
        start = end


def _postings_of(
    kept: Sequence[Kept], terms: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[Any]]:
    """Of these terms, segment after segment: the term's place in ``terms``, the new row, the frequency."""
    numbers, rows, frequencies = [], [], []
    for part in kept:
        segment = part.segment
        first = int(np.searchsorted(segment.terms, terms[0]))
        last = int(np.searchsorted(segment.terms, terms[-1], "right"))
        found = slice(int(segment.offsets[first]), int(segment.offsets[last]))
        lengths = np.diff(segment.offsets[first : last + 1])
        mask = part.mask[segment.posting_rows[found]]
        numbers.append(np.repeat(np.searchsorted(terms, segment.terms[first:last]), lengths)[mask])
        rows.append(part.positions[segment.posting_rows[found][mask]])
        frequencies.append(segment.posting_frequencies[found][mask])
    return np.concatenate(numbers), np.concatenate(rows), np.concatenate(frequencies)
