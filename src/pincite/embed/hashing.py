"""An embedder without a model: which words and letter groups a text has, hashed into a fixed number of buckets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING
from unicodedata import normalize
from zlib import crc32

import numpy

from pincite.embed.unit import unit_rows

if TYPE_CHECKING:
    from pincite.ports import Vector, Vectors

GROUP_LETTERS = 3
WORD_WEIGHT = 2.0
"""A word counts as much as two of its letter groups, so that the same word means more than a similar one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HashingEmbedder:
    """Same words, near vectors. Deterministic everywhere; knows no synonyms and no other language.

    Feature hashing with signs (Weinberger et al., 2009): CRC-32 of the feature chooses the bucket and the sign.
    A text without any word, or whose features cancel out, is the first axis.
    """

    name: str = "hashing"
    dimension: int = 256
    max_tokens: int | None = field(default=None, init=False)
    batch_invariant: bool = field(default=True, init=False)
    fingerprint: str = field(default="", init=False)

    def __post_init__(self) -> None:
        if self.dimension < 2:
            raise ValueError(f"dimension is at least 2, got {self.dimension}")
        object.__setattr__(self, "fingerprint", f"hashing 1 {self.dimension}")

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Shape ``(len(texts), dimension)``, unit rows in the order of the texts."""
        rows = numpy.zeros((len(texts), self.dimension), dtype=numpy.float32)
        for row, text in zip(rows, texts, strict=True):
            for feature, weight in _features(text):
                hashed = crc32(feature.encode())
                row[(hashed >> 1) % self.dimension] += weight if hashed & 1 else -weight
            if not row.any():
                row[0] = 1
        return unit_rows(rows, texts, embedder="hashing")

    def embed_query(self, text: str) -> Vector:
        vector: Vector = self.embed([text])[0]
        return vector

    def count(self, text: str) -> int:
        """Words; 1 for a text of signs alone, 0 for a blank one."""
        return len(_words(text)) or int(bool(text.strip()))


def _features(text: str) -> Iterator[tuple[str, float]]:
    for word in _words(text):
        yield word, WORD_WEIGHT
        framed = f"<{word}>"
        for start in range(len(framed) - GROUP_LETTERS + 1):
            yield framed[start : start + GROUP_LETTERS], 1.0


def _words(text: str) -> list[str]:
    return _word_pattern().findall(normalize("NFKD", text).casefold())


@cache
def _word_pattern() -> re.Pattern[str]:
    """Letters and digits with their accents, which decomposition sets apart; no lone surrogates."""
    return re.compile(r"(?:[^\W_][\u0300-\u036f]*)+")
