"""What scores in context and joined hits cost, beside the plain ranking over the same store."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pincite.config import DEFAULT_JOIN_TOKENS
from pincite.model import PUBLIC
from pincite.ports import Fusion, Store
from pincite.retrieve.fusion import ContextFusion, MinMaxFusion
from pincite.retrieve.request import Request
from pincite.retrieve.search import Tools, search

MOST_TIMES = 2.0
RANKINGS: dict[str, tuple[Fusion, int]] = {
    "plain": (MinMaxFusion(), 0),
    "in context": (ContextFusion(likeness=0, best=0), 0),
    "and compared": (ContextFusion(), 0),
    "and joined": (ContextFusion(), DEFAULT_JOIN_TOKENS),
}


@dataclass(frozen=True, slots=True)
class Given:
    """Vector and terms of a query that are known already: an embedder and an analyser that take no time."""

    vector: NDArray[np.float32]
    terms: Sequence[str]
    name: str = "given"
    fingerprint: str = "given"
    max_tokens: int | None = None

    @property
    def dimension(self) -> int:
        return len(self.vector)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.tile(self.vector, (len(texts), 1))

    def embed_query(self, _: str) -> NDArray[np.float32]:
        return self.vector

    def count(self, _: str) -> int:
        return 1

    def query_terms(self, _: str, __: str = "") -> list[str]:
        return list(self.terms)

    def document_terms(self, text: str, _: str = "") -> list[str]:
        return text.split()


def print_ranking(store: Store, queries: Sequence[tuple[list[str], NDArray[np.float32]]], rounds: int) -> float:
    """Prints medians of processor time and gives how many times as long everything takes as the plain ranking."""
    times: dict[str, list[float]] = {name: [] for name in RANKINGS}
    chance = random.Random(0)
    for number in range(rounds + 1):
        for terms, vector in queries:
            given = Given(vector, terms)
            for name in chance.sample(list(RANKINGS), len(RANKINGS)):
                fusion, join = RANKINGS[name]
                tools = Tools(embedder=given, analyser=given, fusion=fusion)
                request = Request(query=" ".join(terms), join_tokens=join)
                with store.snapshot() as snapshot:
                    start = time.process_time()
                    search(request, snapshot=snapshot, principal=PUBLIC, tools=tools)
                    if number:  # the first round reads what the others find in memory
                        times[name].append(1000 * (time.process_time() - start))
    medians = {name: float(np.median(several)) for name, several in times.items()}
    plain, *_, everything = medians.values()
    print("a whole search: " + "; ".join(f"{name} {value:.1f} ms" for name, value in medians.items()))
    return everything / plain
