"""Vectors that were computed before, kept in a file, so that configurations that share chunks embed them once."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pincite.ports import Embedder

if TYPE_CHECKING:
    from pincite.ports import Vector, Vectors

_TOGETHER = 256
"""So many texts are embedded and kept at a time: a run that is interrupted goes on from there."""


class CachedEmbedder:
    """An embedder that remembers. ``file`` is made where there is none; a damaged one is made anew."""

    def __init__(self, embedder: Embedder, file: Path) -> None:
        self.embedder = embedder
        self.embedded = 0
        """How many texts were not known."""
        self.name, self.dimension = embedder.name, embedder.dimension
        self.max_tokens, self.fingerprint = embedder.max_tokens, embedder.fingerprint
        self._connection = _opened(file)
        self._queries: dict[str, Vector] = {}

    def embed(self, texts: Sequence[str]) -> Vectors:
        known = self._known(texts)
        new = [text for text in dict.fromkeys(texts) if text not in known]
        for start in range(0, len(new), _TOGETHER):
            batch = new[start : start + _TOGETHER]
            vectors = self.embedder.embed(batch)
            rows = [
                (self._key(text), vector.astype("<f4").tobytes()) for text, vector in zip(batch, vectors, strict=True)
            ]
            with self._connection:
                self._connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)
            known.update(zip(batch, vectors, strict=True))
            self.embedded += len(batch)
        result = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            result[row] = known[text]
        return result

    def embed_query(self, text: str) -> Vector:
        if text not in self._queries:
            self._queries[text] = self.embedder.embed_query(text)
        return self._queries[text]

    def count(self, text: str) -> int:
        return self.embedder.count(text)

    def close(self) -> None:
        self._connection.close()

    def _known(self, texts: Sequence[str]) -> dict[str, Vector]:
        keys = {self._key(text): text for text in texts}
        found: dict[str, Vector] = {}
        wanted = list(keys)
        for start in range(0, len(wanted), 500):
            several = wanted[start : start + 500]
            marks = ", ".join("?" * len(several))
            for key, data in self._connection.execute(f"SELECT key, data FROM vectors WHERE key IN ({marks})", several):  # noqa: S608 - question marks only
                if len(data) == 4 * self.dimension:
                    found[keys[key]] = np.frombuffer(data, dtype="<f4").astype(np.float32)
        return found

    def _key(self, text: str) -> bytes:
        return hashlib.sha256(f"{self.fingerprint}\0{text}".encode("utf-8", "surrogatepass")).digest()


@contextmanager
def cached(embedder: Embedder, file: Path | None) -> Iterator[Embedder]:
    """The embedder with its memory, or as it is where there is no file."""
    if file is None:
        yield embedder
        return
    remembering = CachedEmbedder(embedder, file)
    try:
        yield remembering
    finally:
        remembering.close()


def _opened(file: Path) -> sqlite3.Connection:
    file.parent.mkdir(parents=True, exist_ok=True)
    try:
        return _with_table(file)
    except sqlite3.DatabaseError:
        file.unlink(missing_ok=True)
        return _with_table(file)


def _with_table(file: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(file, timeout=60)
    try:
        connection.execute(
            "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID"
        )
        connection.execute("SELECT count(*) FROM (SELECT key FROM vectors LIMIT 1)")
    except sqlite3.DatabaseError:
        connection.close()
        raise
    return connection
