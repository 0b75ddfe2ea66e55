"""An embedder that reads only so much of a text, and refuses what is longer instead of reading a part of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pincite import catalogue
from pincite.embed.hashing import HashingEmbedder
from pincite.ports import Vector, Vectors


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitedEmbedder:
    """Counts by the catalogue's counter ``unit``, and ``marks`` tokens more around each text that is not empty."""

    max_tokens: int | None
    unit: str = "words"
    marks: int = 0
    name: str = "limited"
    dimension: int = field(default=16, init=False)

    @property
    def fingerprint(self) -> str:
        return f"limited {self.unit} {self.marks}"

    def count(self, text: str) -> int:
        tokens: int = catalogue.create("counter", self.unit).count(text)
        return tokens + self.marks if text else 0

    def embed(self, texts: Sequence[str]) -> Vectors:
        for text in texts:
            assert self.max_tokens is None or self.count(text) <= self.max_tokens, f"too long: {text!r}"
        return HashingEmbedder(dimension=self.dimension).embed(texts)

    def embed_query(self, text: str) -> Vector:
        return HashingEmbedder(dimension=self.dimension).embed_query(text)
