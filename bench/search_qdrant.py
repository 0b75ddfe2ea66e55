"""Qdrant Edge as an engine of `bench/search.py`: a graph over vectors in 8 bits, scored anew in 32, and words as sparse
vectors whose weights are those of BM25."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from bench.search_engines import POOL, TOP, Filter, Place, fused
from bench.search_rows import CHUNKS, DIMENSION, WORDS, Rows
from numpy.typing import NDArray

K1, B = 1.2, 0.75
EF, OVERSAMPLING = 256, 4.0
"""The smallest of those tried that find 99 % of the ten nearest in every class of filters."""
FIELDS = ("tenth", "percent", "thousandth", "topic")


@dataclass(eq=False)
class Qdrant:
    module: Any
    shard: Any
    numbers: dict[str, int]
    name: str = "qdrant-edge"

    @classmethod
    def opened(cls, folder: Path, rows: Rows, documents: int) -> Qdrant:
        module = importlib.import_module("qdrant_edge")
        numbers = {word: number for number, word in enumerate(rows.vocabulary[0])}
        if folder.exists():
            return cls(module, module.EdgeShard.load(str(folder)), numbers)
        folder.mkdir(parents=True)
        shard = module.EdgeShard.create(
            str(folder),
            module.EdgeConfig(
                vectors={
                    "dense": module.EdgeVectorParams(
                        size=DIMENSION,
                        distance=module.Distance.Cosine,
                        quantization_config=module.ScalarQuantizationConfig(type=module.ScalarType.Int8),
                    )
                },
                sparse_vectors={"words": module.EdgeSparseVectorParams(modifier=module.Modifier.Idf)},
                hnsw_config=module.HnswIndexConfig(m=16, ef_construct=128, full_scan_threshold=10_000),
                wal_enabled=False,
            ),
        )
        for points in qdrant_points(module, rows, numbers, documents):
            shard.update(module.UpdateOperation.upsert_points(points))
        for field in FIELDS:
            kind = module.PayloadSchemaType.Integer
            shard.update(module.UpdateOperation.create_field_index(field, kind))
        while shard.optimize():
            pass
        shard.flush()
        return cls(module, shard, numbers)

    def _found(self, query: Any, where: Filter, limit: int, *, exact: bool = False) -> list[Place]:
        module, condition = self.module, None
        if where is not None:
            match = module.FieldCondition(where[0], match=module.MatchValue(where[1]))
            condition = module.Filter(must=[match])
        quantised = module.QuantizationSearchParams(rescore=True, oversampling=OVERSAMPLING)
        found = self.shard.query(
            module.QueryRequest(
                limit=limit,
                query=query,
                filter=condition,
                with_payload=["document", "number", "tokens"],
                params=module.SearchParams(hnsw_ef=EF, quantization=quantised, exact=exact),
            )
        )
        return [(point.payload["document"], point.payload["number"]) for point in found]

    def dense(self, vector: NDArray[np.float32], where: Filter) -> list[Place]:
        return self._nearest(vector, where, TOP)

    def _nearest(self, vector: NDArray[np.float32], where: Filter, limit: int) -> list[Place]:
        return self._found(self.module.Query.Nearest(vector.tolist(), using="dense"), where, limit)

    def hybrid(self, terms: Sequence[str], vector: NDArray[np.float32], where: Filter) -> list[Place]:
        indices = [self.numbers[term] for term in terms if term in self.numbers]
        sparse = self.module.SparseVector(indices, [1.0] * len(indices))
        words = self._found(self.module.Query.Nearest(sparse, using="words"), where, POOL)
        return fused(words, self._nearest(vector, where, POOL))


def qdrant_points(module: Any, rows: Rows, numbers: dict[str, int], documents: int) -> Iterator[list[Any]]:
    """A batch for every 50 documents."""
    for start in range(0, documents, 50):
        yield [
            module.Point(
                document * CHUNKS + position,
                {"dense": vector.tolist(), "words": module.SparseVector(*weights(text.split(), numbers))},
                {
                    "document": document,
                    "number": position,
                    "tokens": text,
                    "topic": rows.topic(document),
                    **{name: document % by for name, by in (("tenth", 10), ("percent", 100), ("thousandth", 1000))},
                },
            )
            for document in range(start, min(start + 50, documents))
            for position, (text, vector) in enumerate(
                zip(rows.texts(document), rows.vectors(document), strict=True), start=1
            )
        ]


def weights(words: Iterable[str], numbers: dict[str, int]) -> tuple[list[int], list[float]]:
    """What BM25 makes of each word's frequency; all chunks have about ``WORDS`` words."""
    counted = Counter(words)
    length = counted.total() / WORDS
    indices = [numbers[word] for word in counted]
    return indices, [count / (count + K1 * (1 - B + B * length)) for count in counted.values()]
