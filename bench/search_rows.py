"""Rows for `bench/search.py`: documents of 20 chunks with words as frequent as in real text and clustered vectors.

Every document is made from its number alone, so that any of them can be made again.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pincite.model import Chunk, Document, Span, chunk_id
from pincite.ports import Entry

CHUNKS = 20
WORDS = 90
DIMENSION = 512
CLUSTERS = 500
TOPICS = 100
"""Documents of one topic have neighbouring clusters: a filter by topic keeps a corner of the space."""


@dataclass(frozen=True)
class Rows:
    """``seed`` makes other documents under the same names."""

    data: Path
    seed: int = 0

    @cached_property
    def vocabulary(self) -> tuple[list[str], NDArray[np.float64]]:
        counts: Counter[str] = Counter()
        for file in sorted(self.data.rglob("*")):
            if file.suffix in (".md", ".txt"):
                counts.update(word for word in file.read_text("utf-8", "replace").lower().split() if word.isalpha())
        words = sorted(counts)
        frequencies = np.array([counts[word] for word in words], dtype=np.float64)
        return words, np.cumsum(frequencies / frequencies.sum())

    @cached_property
    def spectrum(self) -> NDArray[np.float64]:
        """How much a direction varies; some hundred of them matter, as with real embedders."""
        return 1 / np.sqrt(1 + np.arange(DIMENSION) / 60)

    @cached_property
    def centres(self) -> NDArray[np.float64]:
        return np.random.default_rng(7).standard_normal((CLUSTERS, DIMENSION)) * self.spectrum

    def topic(self, number: int) -> int:
        return int(np.random.default_rng([3, number]).integers(TOPICS))

    def vectors(self, number: int) -> NDArray[np.float32]:
        chance = np.random.default_rng([1, self.seed, number])
        cluster = self.topic(number) * (CLUSTERS // TOPICS) + chance.integers(CLUSTERS // TOPICS)
        noise = chance.standard_normal((CHUNKS, DIMENSION)) + 0.7 * chance.standard_normal(DIMENSION)
        return unit(self.centres[cluster] + 0.8 * noise * self.spectrum)

    def texts(self, number: int) -> list[str]:
        words, cumulative = self.vocabulary
        chance = np.random.default_rng([2, self.seed, number])
        drawn = np.searchsorted(cumulative, chance.random((CHUNKS, WORDS)))
        return [" ".join(words[min(index, len(words) - 1)] for index in row) for row in drawn.tolist()]

    def entry(self, number: int) -> Entry:
        texts, name = self.texts(number), f"{number:06}.md"
        text, start, chunks = "\n\n".join(texts), 0, []
        for position, piece in enumerate(texts, start=1):
            chunks.append(
                Chunk(
                    id=chunk_id(name, "", piece, occurrence=0),
                    document_id=name,
                    number=position,
                    span=Span(start, start + len(piece)),
                    text=piece,
                    prefix="",
                    headings=(),
                    level=0,
                    tokens=WORDS,
                    parent=None,
                )
            )
            start += len(piece) + 2
        metadata = {"tenth": number % 10, "percent": number % 100, "thousandth": number % 1000}
        return Entry(
            document=Document(
                id=name,
                source=name,
                media_type="text/markdown",
                text=text,
                metadata={**metadata, "topic": self.topic(number)},
            ),
            chunks=tuple(chunks),
            embedded=tuple(texts),
            terms=tuple(tuple(piece.split()) for piece in texts),
            vectors=self.vectors(number),
            sha256=hashlib.sha256(text.encode()).hexdigest(),
        )

    def queries(self, number: int) -> Iterator[tuple[list[str], NDArray[np.float32]]]:
        """Terms of one to five words of some chunk, and a vector near another one."""
        chance = np.random.default_rng(11)
        for _ in range(number):
            document = int(chance.integers(1000))
            words = sorted(set(self.texts(document)[0].split()))
            terms = list(chance.choice(words, size=int(chance.integers(1, 6)), replace=False))
            near = self.vectors(document)[1] + 0.02 * chance.standard_normal(DIMENSION) * self.spectrum
            yield terms, unit(near[None])[0]


def unit(rows: NDArray[np.floating]) -> NDArray[np.float32]:
    result: NDArray[np.float32] = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return result
