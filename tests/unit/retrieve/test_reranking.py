"""The best candidates in the order of a reranker, and explanations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from tests.unit.retrieve.small import ask, entry_of, found, store_of

from pincite.errors import PinciteError
from pincite.model import Hit, Principal
from pincite.retrieve.fusion import ReciprocalRankFusion
from pincite.store.memory import MemoryStore


@dataclass(frozen=True, kw_only=True)
class Shortest:
    """Short passages first."""

    name: str = "shortest"

    def rerank(self, query: str, passages: Sequence[str]) -> list[float]:
        return [-float(len(passage)) for passage in passages]


@dataclass(frozen=True, kw_only=True)
class Wrong:
    scores: tuple[float, ...]
    name: str = "wrong"

    def rerank(self, query: str, passages: Sequence[str]) -> list[float]:
        return list(self.scores)


STORE = store_of(
    entry_of("a", ["the ferry leaves at noon and the ferry is late"]),
    entry_of("b", ["ferry"]),
    entry_of("c", ["ferry"]),
    entry_of("d", ["bread and butter on the table"]),
)


def test_best_candidates_are_ordered_anew() -> None:
    ranking = ask(STORE, "the ferry at noon", reranker=Shortest(), explain=True)
    assert found(ranking) == ["b", "c", "d", "a"]
    assert [hit.score for hit in ranking.hits] == [-5.0, -5.0, -29.0, -46.0]
    assert [hit.explanation and hit.explanation.reranked for hit in ranking.hits] == [1, 2, 3, 4]
    assert ranking.hits[3].explanation is not None
    assert ranking.hits[3].explanation.fused_rank == 1


def test_only_so_many_candidates_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.retrieve.search.RERANKED", 2)
    assert len(ask(STORE, "the ferry", reranker=Shortest(), k=1).hits) == 1
    assert set(found(ask(STORE, "the ferry at noon", reranker=Shortest(), k=2))) < {"a", "b", "c"}
    assert ask(MemoryStore(), "ferry", reranker=Wrong(scores=(1.0,))).hits == ()


@pytest.mark.parametrize("scores", [(), (1.0,), (1.0, 2.0, 3.0, float("nan"))])
def test_wrong_scores_are_an_error(scores: tuple[float, ...]) -> None:
    with pytest.raises(PinciteError, match="the reranker 'wrong' gave"):
        ask(STORE, "ferry", reranker=Wrong(scores=scores))


def test_an_explanation_adds_up() -> None:
    principal = Principal(frozenset({"public", "crew"}))
    for fusion in (None, ReciprocalRankFusion(lexical_weight=2.0)):
        given = {"fusion": fusion} if fusion else {}
        ranking = ask(STORE, "the ferry at dawn", explain=True, without=("butter",), principal=principal, **given)
        for hit in ranking.hits:
            why = hit.explanation
            assert why is not None
            assert why.lexical is not None
            assert why.dense is not None
            assert sum(why.terms.values(), 0.0) == hit.lexical
            assert (why.lexical.score or 0.0, why.dense.score) == (hit.lexical, hit.dense)
            parts = [(part.weight or 0) * (part.normalised or 0) for part in (why.lexical, why.dense)]
            assert sum(parts) == pytest.approx(hit.score, abs=1e-12)
            assert "dawn" in why.missing
            assert why.fused_rank == hit.rank
            assert why.filters == {
                "groups": ["crew", "public"],
                "where": None,
                "phrases": [],
                "not": ["butter"],
                "min_relevance": None,
            }
            assert Hit.from_json(hit.to_json()) == hit


def test_an_explanation_of_one_search_alone() -> None:
    [lexical, *_] = ask(STORE, '"the ferry"', mode="lexical", explain=True).hits
    assert lexical.explanation is not None
    assert lexical.explanation.dense is None
    assert lexical.explanation.fusion is None
    assert lexical.explanation.filters["phrases"] == ["the ferry"]
    [dense, *_] = ask(STORE, "the ferry", mode="dense", explain=True).hits
    assert dense.explanation is not None
    assert dense.explanation.lexical is None
    assert dense.explanation.dense is not None
    assert (dense.explanation.dense.rank, dense.explanation.dense.weight) == (1, None)
    assert "explain" not in ask(STORE, "the ferry").hits[0].to_json()
