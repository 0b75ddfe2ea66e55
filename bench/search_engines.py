"""The engines that `bench/search.py` compares: each finds the ten best by words and vector under a filter.

A result is the document's number and the chunk's, counted from 1; the texts are read, too.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from bench.search_rows import CHUNKS, DIMENSION, Rows
from numpy.typing import NDArray

from pincite.model import PUBLIC
from pincite.model.condition import Comparison, Condition
from pincite.store.sqlite import SqliteStore

Place = tuple[int, int]
Filter = tuple[str, int] | None
"""A field and the value that it has."""
POOL, TOP = 50, 10
SCANNED_BY_LANCE = 20_000
"""Up to so many rows under a filter Lance is told to look at all of them, as its makers advise."""


class Engine(Protocol):
    name: str

    def dense(self, vector: NDArray[np.float32], where: Filter) -> list[Place]: ...

    def hybrid(self, terms: Sequence[str], vector: NDArray[np.float32], where: Filter) -> list[Place]: ...


def fused(*rankings: Sequence[Any]) -> list[Any]:
    """Reciprocal ranks, as both engines are used here."""
    scores: dict[Any, float] = {}
    for ranking in rankings:
        for rank, item in enumerate(ranking, start=1):
            scores[item] = scores.get(item, 0.0) + 1 / (60 + rank)
    return sorted(scores, key=lambda item: (-scores[item], item))[:TOP]


@dataclass(eq=False)
class Pincite:
    store: SqliteStore
    name: str = "pincite"

    def dense(self, vector: NDArray[np.float32], where: Filter) -> list[Place]:
        with self.store.snapshot() as snapshot:
            found = snapshot.dense(vector, principal=PUBLIC, limit=TOP, where=condition(where))
            return self._places(snapshot, [scored.chunk_id for scored in found])

    def hybrid(self, terms: Sequence[str], vector: NDArray[np.float32], where: Filter) -> list[Place]:
        with self.store.snapshot() as snapshot:
            lexical = snapshot.lexical(terms, principal=PUBLIC, limit=POOL, where=condition(where))
            dense = snapshot.dense(vector, principal=PUBLIC, limit=POOL, where=condition(where))
            best = fused([scored.chunk_id for scored in lexical], [scored.chunk_id for scored in dense])
            return self._places(snapshot, best)

    def _places(self, snapshot: Any, ids: list[str]) -> list[Place]:
        located = snapshot.located(ids, principal=PUBLIC)
        return [(int(located[name].chunk.document_id[:-3]), located[name].chunk.number) for name in ids]


def condition(where: Filter) -> Condition | None:
    return None if where is None else Comparison(where[0], "=", where[1])


@dataclass(eq=False)
class Lance:
    """An IVF_RQ index with many probes and refinement, an index of words without any analysis, filters before search:
    the settings that `docs/decisions/0009-segments.md` refers to."""

    table: Any
    counts: dict[Filter, int] = field(default_factory=dict)
    name: str = "lancedb"

    @classmethod
    def opened(cls, folder: Path, rows: Rows, documents: int) -> Lance:
        database = importlib.import_module("lancedb").connect(str(folder))
        if "rows" in database.list_tables().tables:
            return cls(database.open_table("rows"))
        index = importlib.import_module("lancedb.index")
        table = database.create_table("rows", lance_batches(rows, documents))
        table.create_index("vector", config=index.IvfRq(distance_type="cosine"))
        options = dict.fromkeys(("with_position", "lower_case", "stem", "remove_stop_words", "ascii_folding"), False)
        table.create_index("tokens", config=index.FTS(base_tokenizer="whitespace", **options))
        for name in ("document", "tenth", "percent", "thousandth", "topic"):
            table.create_index(name, config=index.BTree())
        table.optimize()
        return cls(table)

    def _nearest(self, vector: NDArray[np.float32], where: Filter, limit: int) -> Any:
        query = self.table.search(vector, vector_column_name="vector").distance_type("cosine").limit(limit)
        query = query.select(["document", "number", "tokens", "_distance"])
        if where is None:
            return query.nprobes(2000).refine_factor(10)
        text = f"{where[0]} = {where[1]}"
        if where not in self.counts:
            self.counts[where] = self.table.count_rows(text)
        query = query.where(text, prefilter=True)
        if self.counts[where] <= SCANNED_BY_LANCE:
            return query.bypass_vector_index()
        return query.nprobes(2000).refine_factor(10 if limit == POOL else 30)

    def dense(self, vector: NDArray[np.float32], where: Filter) -> list[Place]:
        return places(self._nearest(vector, where, TOP).to_arrow())

    def hybrid(self, terms: Sequence[str], vector: NDArray[np.float32], where: Filter) -> list[Place]:
        words = self.table.search(" ".join(terms), query_type="fts", fts_columns="tokens").limit(POOL)
        words = words.select(["document", "number", "tokens", "_score"])
        if where is not None:
            words = words.where(f"{where[0]} = {where[1]}", prefilter=True)
        return fused(places(words.to_arrow()), places(self._nearest(vector, where, POOL).to_arrow()))


def places(found: Any) -> list[Place]:
    return list(zip(found["document"].to_pylist(), found["number"].to_pylist(), strict=True))


def lance_batches(rows: Rows, documents: int) -> Iterable[Any]:
    pa = importlib.import_module("pyarrow")
    for start in range(0, documents, 100):
        numbers = range(start, min(start + 100, documents))
        vectors = np.concatenate([rows.vectors(number) for number in numbers])
        each = np.repeat(np.array(numbers), CHUNKS)
        columns = {
            "document": pa.array(each),
            "number": pa.array(np.tile(np.arange(1, CHUNKS + 1), len(numbers))),
            "tokens": pa.array([text for number in numbers for text in rows.texts(number)]),
            "vector": pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), DIMENSION),
            "topic": pa.array(np.repeat([rows.topic(number) for number in numbers], CHUNKS)),
        }
        for name, modulus in (("tenth", 10), ("percent", 100), ("thousandth", 1000)):
            columns[name] = pa.array(each % modulus)
        yield pa.RecordBatch.from_pydict(columns)
