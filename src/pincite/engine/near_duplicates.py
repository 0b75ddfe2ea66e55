"""Texts that are nearly the same, found in time that grows linearly with all text.

Two texts are compared by their pairs of neighbouring words, counted as often as they occur (Dice's coefficient of the
multisets A and B; Dice, Measures of the amount of ecologic association between species, 1945)::

    sameness = 2 · |A ∩ B| / (|A| + |B|)            in [0, 1]

A word that was changed costs two pairs, so at 0.9 about one word in twenty differs, or one stretch of a tenth. That is
computed exactly for candidates only. Candidates come from MinHash (Broder, On the resemblance and containment of
documents, 1997): ``BANDS`` · ``ROWS`` hash functions keep their least value over a text's pairs, and texts that agree
in all rows of a band are candidates. Two texts with the resemblance J = |A ∩ B| / |A ∪ B| are candidates with the
probability 1 - (1 - J^ROWS)^BANDS. A sameness of 0.9 between sets is J = 0.82, of which one pair in 13,000 is missed;
of a sameness of 0.95 (J = 0.90) one in fifty million. What is reported is never wrong, because it was computed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy
from numpy.typing import NDArray

from pincite.text.sameness import sameness, words

BANDS, ROWS = 16, 4
BATCH_WORDS = 1_000_000
MOST_CANDIDATES = 8
"""Of the texts that share a band with a text, how many it is compared with: more would make many alike texts slow."""

MULTIPLIER = numpy.uint64(3)
"""Makes a pair of words another one than the same words the other way round."""


@dataclass(frozen=True, slots=True)
class Twin:
    """The text at ``index`` is nearly the earlier one at ``of``; ``sameness`` in ``(0, 1]``."""

    index: int
    of: int
    sameness: float


def near_duplicates(texts: Sequence[str], *, above: float) -> Iterator[Twin]:
    """Each text that is an earlier one again by more than ``above``, with the first such text, in order.

    Texts with the same words in the same order are always found. A text that is a twin itself is none for later ones
    to be like, so of many alike texts all name the first.

    >>> list(near_duplicates(["one two three", "four five six", "one  two three"], above=0.9))
    [Twin(index=2, of=0, sameness=1.0)]
    """
    first_of: dict[bytes, int] = {}
    buckets: dict[tuple[int, bytes], list[int]] = defaultdict(list)
    for index, (whole, signature) in enumerate(signatures(texts)):
        same = first_of.setdefault(whole, index)
        if same != index:
            yield Twin(index, same, 1.0)
            continue
        keys = [(band, row.tobytes()) for band, row in enumerate(signature)]
        twin = _best([other for key in keys for other in buckets[key]], index, texts, above)
        if twin:
            first_of[whole] = twin.of
            yield twin
            continue
        for key in keys:
            if len(buckets[key]) < MOST_CANDIDATES:
                buckets[key].append(index)


def _best(candidates: Sequence[int], index: int, texts: Sequence[str], above: float) -> Twin | None:
    """The candidate most like the text, the earliest of equals, where it is enough."""
    if not candidates:
        return None
    found: Twin | None = None
    mine = words(texts[index])
    for other, _ in sorted(Counter(candidates).most_common(MOST_CANDIDATES)):
        share = sameness(mine, words(texts[other]))
        if share > above and (found is None or share > found.sameness):
            found = Twin(index, other, share)
    return found


def signatures(
    texts: Iterable[str], *, batch_words: int = BATCH_WORDS
) -> Iterator[tuple[bytes, NDArray[numpy.uint64]]]:
    """For each text a digest of its words in order, and the least hashes of their pairs, of the shape
    ``(BANDS, ROWS)``, or ``(0, ROWS)`` where there is no pair. About ``batch_words`` are worked on at once."""
    numbers = _Numbers()
    batch: list[list[int]] = []
    size = 0
    for text in texts:
        batch.append([numbers[word] for word in words(text)])
        size += len(batch[-1])
        if size >= batch_words:
            yield from _signatures(batch)
            batch, size = [], 0
    yield from _signatures(batch)


class _Numbers(dict[str, int]):
    """A number of 64 bits for each word, the same in every process."""

    def __missing__(self, word: str) -> int:
        digest = blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        number = self[word] = int.from_bytes(digest, "little")
        return number


def _signatures(batch: Sequence[Sequence[int]]) -> Iterator[tuple[bytes, NDArray[numpy.uint64]]]:
    """The pairs of all texts of the batch lie in one array, one text after the other."""
    values = [numpy.array(text, numpy.uint64) for text in batch]
    paired = [index for index, text in enumerate(values) if len(text) > 1]
    rows = numpy.zeros((len(batch), BANDS * ROWS), numpy.uint64)
    if paired:
        pairs = _mixed(numpy.concatenate([values[index][:-1] * MULTIPLIER + values[index][1:] for index in paired]))
        starts = numpy.cumsum([0, *(len(values[index]) - 1 for index in paired[:-1])])
        seeds = numpy.random.default_rng(1997).integers(1, 2**63, BANDS * ROWS, numpy.uint64)
        for column, seed in enumerate(seeds):
            rows[paired, column] = numpy.minimum.reduceat(_mixed(pairs ^ seed), starts)
    for text, row in zip(values, rows, strict=True):
        bands = row.reshape(BANDS, ROWS)
        yield blake2b(text.tobytes(), digest_size=16).digest(), bands if len(text) > 1 else bands[:0]


def _mixed(values: NDArray[numpy.uint64]) -> NDArray[numpy.uint64]:
    """A bijection of 64 bits that spreads every bit (the finaliser of splitmix64; Steele, Lea and Flood 2014)."""
    values = (values ^ (values >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
    return values ^ (values >> numpy.uint64(31))
