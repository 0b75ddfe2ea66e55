"""How well cells hang together, by vectors: of an embedder, or of the words that they have in common."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

import numpy

from pincite.text.folding import MARKS, fold, prepare
from pincite.text.stopwords import STOP_WORDS
from pincite.text.terms import unspaced_pattern

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pincite.chunk.cells import Cell
    from pincite.ports import Embedder

COMMON_SHARE = 0.9
"""How much of the mean vector is taken away. What all cells share says nothing about where meaning turns, and it is
much with one embedder and little with another. Not all of it: cells that are all alike shall stay alike."""
MOST_WEIGHT = 2.0
"""A cell counts by the root of its size, relative to the mean cell, up to this: long code is one vector, too."""
SHORTEST = 1e-6

TERM_DIMENSION = 256
STEM_LETTERS = 5
"""The first letters of a word stand for it: the stem of many languages at no cost."""
COMMON_WORDS = STOP_WORDS["de"] | STOP_WORDS["en"]
MAX_CACHED_WORDS = 1 << 16
BLOCK_ROWS = 1 << 10
"""So many cells are worked on at once, so that a very long document needs little memory besides its stored vectors."""


class Common(NamedTuple):
    """What the cells of a document have in common: the part of their mean vector that is taken away, and their mean
    size in tokens."""

    vector: NDArray[numpy.float64]
    size: float


class CellVectors:
    """The cells' vectors, without what all of them have in common, and with their weights.

    ``stored`` has rows of any length and number type, ``which`` says for each cell which is its; a row of zeros stays
    one. ``sizes`` are the cells' tokens. ``common`` is found in these cells unless it is given.
    """

    def __init__(
        self, stored: NDArray[Any], which: Sequence[int], sizes: Sequence[int], common: Common | None = None
    ) -> None:
        self.stored = stored
        self.which = numpy.array(which, dtype=numpy.int64)
        self.dimension = stored.shape[1]
        tokens = numpy.maximum(sizes, 1)
        mean = common.size if common else float(tokens.mean())
        self.weights = numpy.minimum(numpy.sqrt(tokens / mean), MOST_WEIGHT)
        self.masses = self.weights.copy()
        """The lengths of the rows: the weights, or 0 for a row of zeros."""
        total = numpy.zeros(self.dimension)
        for first, last in self.blocks():
            rows = self.plain(first, last)
            total += self.weights[first:last] @ rows
            self.masses[first:last] *= rows.any(axis=1)
        self.common = common or Common(COMMON_SHARE * total / self.weights.sum(), mean)

    def __len__(self) -> int:
        return len(self.which)

    def blocks(self) -> Iterator[tuple[int, int]]:
        for first in range(0, len(self), BLOCK_ROWS):
            yield first, min(first + BLOCK_ROWS, len(self))

    def plain(self, first: int, last: int) -> NDArray[numpy.float64]:
        return unit(self.stored[self.which[first:last]].astype(numpy.float64))

    def rows(self, first: int, last: int) -> NDArray[numpy.float64]:
        """Those of the cells ``first`` … ``last - 1``; the length of a row is the weight of its cell."""
        rows = self.plain(first, last)
        rows[rows.any(axis=1)] -= self.common.vector
        weighted: NDArray[numpy.float64] = unit(rows) * self.weights[first:last, None]
        return weighted


def embedded(embedder: Embedder, text: str, cells: Sequence[Cell], common: Common | None = None) -> CellVectors:
    """By an embedder, in one call. Equal cells share one row: an embedder's rows differ a little with the batch."""
    places: dict[str, int] = {}
    which = [places.setdefault(cell.span.of(text), len(places)) for cell in cells]
    return CellVectors(embedder.embed(list(places)), which, [cell.tokens for cell in cells], common)


def unit(rows: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
    """The rows with length 1, those of (nearly) no length unchanged."""
    lengths = numpy.linalg.norm(rows, axis=1)
    result: NDArray[numpy.float64] = rows / numpy.where(lengths > SHORTEST, lengths, 1)[:, None]
    return result


class Coherence:
    """The length of the sum of neighbouring cells' vectors: their weights times their similarities to their mean
    direction, added up.

    From prefix sums, so that a chunk costs as much as its vectors have dimensions, however many cells it has. They are
    made block by block, so that a ``low`` before an earlier one makes them anew.
    """

    def __init__(self, vectors: CellVectors) -> None:
        self.vectors = vectors
        self.first = 0
        self.sums = numpy.zeros((1, vectors.dimension))
        """Row ``k``: the sum of the vectors from the cell ``first`` to before ``first + k``."""

    def lengths(self, low: int, end: int) -> NDArray[numpy.float64]:
        """Of the cells from ``low``, ``low + 1``, …, ``end - 1``, each to before ``end``."""
        if not self.first <= low < self.first + len(self.sums):
            self.first, self.sums = low, self.sums[:1] * 0
        if end >= self.first + len(self.sums):
            self.extend(low, end)
        sums = self.sums[end - self.first] - self.sums[low - self.first : end - self.first]
        lengths: NDArray[numpy.float64] = numpy.sqrt(numpy.einsum("ij,ij->i", sums, sums))
        return lengths

    def extend(self, low: int, end: int) -> None:
        """Lets go of what lies before ``low`` and reads on behind what is known, at least to ``end``."""
        kept = self.sums[low - self.first :] - self.sums[low - self.first]
        known = self.first + len(self.sums) - 1
        more = self.vectors.rows(known, min(len(self.vectors), max(end, known + BLOCK_ROWS)))
        self.sums = numpy.concatenate((kept, kept[-1] + numpy.cumsum(more, axis=0)))
        self.first = low


def likeness(vectors: CellVectors, lefts: Sequence[int], rights: Sequence[int]) -> NDArray[numpy.float64]:
    """For each cell the cosine, from 0, between what stands before it, from its left, and what begins with it, up to
    its right (not included): the block comparison of TextTiling (Hearst, 1997)."""
    result = numpy.zeros(len(vectors))
    for first, last in vectors.blocks():
        low, high = lefts[first], rights[last - 1]
        rows = vectors.rows(low, high)
        sums = numpy.concatenate((numpy.zeros((1, rows.shape[1])), numpy.cumsum(rows, axis=0)))
        middle = sums[first - low : last - low]
        before = unit(middle - sums[numpy.array(lefts[first:last]) - low])
        after = unit(sums[numpy.array(rights[first:last]) - low] - middle)
        result[first:last] = numpy.einsum("ij,ij->i", before, after)
    return numpy.maximum(result, 0)


class TermVectors:
    """Vectors by the words of texts: same words, near vectors.

    Feature hashing with signs (Weinberger et al., 2009) of words without their endings; without function words in
    English and German. In the scripts without spaces, pairs of characters are words.
    """

    def __init__(self) -> None:
        self.seen: dict[str, tuple[int, ...]] = {}

    def of(self, texts: Sequence[str]) -> NDArray[numpy.int8]:
        """Shape ``(len(texts), TERM_DIMENSION)``; of a text without words zeros."""
        codes: list[int] = []
        ends = [0]
        for text in texts:
            for word in words(text):
                known = self.seen.get(word)
                codes += self.codes(word) if known is None else known
            ends.append(len(codes))
        hashed = numpy.array(codes, dtype=numpy.int64)
        places = numpy.repeat(numpy.arange(len(texts)), numpy.diff(ends)) * TERM_DIMENSION + (hashed >> 1)
        rows = numpy.bincount(places, weights=1 - 2 * (hashed & 1), minlength=len(texts) * TERM_DIMENSION)
        return numpy.clip(rows, -127, 127).astype(numpy.int8).reshape(-1, TERM_DIMENSION)

    def codes(self, word: str) -> tuple[int, ...]:
        """Of each of the word's terms the bucket, doubled, with the sign in the last bit."""
        if len(self.seen) >= MAX_CACHED_WORDS:
            self.seen.clear()
        codes = tuple([crc32(term.encode()) % (2 * TERM_DIMENSION) for term in terms(word)])
        self.seen[word] = codes
        return codes


def words(text: str) -> list[str]:
    """Runs of at least two letters and digits, in lower case."""
    found: list[str] = word_pattern(text.isascii()).findall(prepare(text).lower())
    return found


def terms(word: str) -> list[str]:
    """
    >>> terms("the"), terms("chunking"), terms("漢字返")
    ([], ['chunk'], ['漢字', '字返'])
    """
    if word in COMMON_WORDS:
        return []
    if not word.isascii() and unspaced_pattern().search(word):
        return list(map("".join, pairwise(word)))
    return [fold(word)[:STEM_LETTERS]]


@cache
def word_pattern(ascii_only: bool) -> re.Pattern[str]:
    return re.compile("[a-z0-9]{2,}" if ascii_only else rf"(?:[^\W_]|[{MARKS}]){{2,}}")
