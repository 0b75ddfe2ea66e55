"""Fusion: exact scores, order, and what an empty or lopsided list does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pincite.catalogue import create
from pincite.errors import UsageError
from pincite.model import Scored
from pincite.retrieve.fusion import MinMaxFusion, ReciprocalRankFusion


def scored(**scores: float) -> list[Scored]:
    return [Scored(name, score) for name, score in scores.items()]


def names(hits: list[Scored]) -> list[str]:
    return [hit.chunk_id for hit in hits]


def test_case_c052_repeats_do_not_count(shared: Path) -> None:
    lines = (shared / "cases" / "cases.jsonl").read_text().splitlines()
    case = next(case for case in map(json.loads, lines) if case["id"] == "C052")
    dense = [Scored(name, 0.9 - place / 10) for place, name in enumerate(["c5", "c2", "c8"])]
    lexical = [Scored("c8", 4.0), Scored("c8", 3.0), Scored("c8", 2.0), Scored("c5", 1.0)]
    fused = ReciprocalRankFusion(k=60, lexical_weight=1, dense_weight=1).fuse(lexical, dense)
    assert names(fused) == case["check"]["order"]
    for hit in fused:
        assert hit.score == pytest.approx(case["check"]["scores"][hit.chunk_id], abs=1e-6)


@pytest.mark.parametrize("fusion", [MinMaxFusion(), ReciprocalRankFusion()])
def test_equal_scores_are_ordered_by_id(fusion: MinMaxFusion | ReciprocalRankFusion) -> None:
    assert names(fusion.fuse([], scored(b=0.5, c=0.5, a=0.5)))[0] == ("a" if fusion.name == "minmax" else "b")
    assert names(MinMaxFusion().fuse(scored(b=2.0, a=2.0), [])) == ["a", "b"]
    assert fusion.fuse([], []) == []


def test_minmax_stretches_and_weighs() -> None:
    fused = MinMaxFusion(lexical_weight=0.25).fuse(scored(a=10.0, b=5.0), scored(c=0.8, b=0.5, a=0.2))
    assert {hit.chunk_id: round(hit.score, 6) for hit in fused} == {"c": 0.75, "b": 0.5, "a": 0.25}


def test_minmax_without_lexical_hits_gives_the_dense_order_its_full_scores() -> None:
    fused = MinMaxFusion().fuse(scored(a=0.0), scored(b=0.9, a=0.5, c=0.1))
    assert [(hit.chunk_id, round(hit.score, 6)) for hit in fused] == [("b", 1.0), ("a", 0.5), ("c", 0.0)]


def test_minmax_does_not_blow_up_a_small_difference() -> None:
    fused = MinMaxFusion(lexical_weight=0.3, least_spread=0.4).fuse(scored(b=2.0), scored(a=0.31, b=0.29))
    assert {hit.chunk_id: round(hit.score, 6) for hit in fused} == {"b": 0.965, "a": 0.7}


def test_minmax_of_one_candidate_and_of_equal_scores_is_one() -> None:
    assert MinMaxFusion().fuse([], scored(a=-0.2)) == scored(a=1.0)
    assert [hit.score for hit in MinMaxFusion().fuse([], scored(a=0.3, b=0.3))] == [1.0, 1.0]


def test_minmax_counts_a_missing_dense_score_as_the_lowest() -> None:
    fused = MinMaxFusion(lexical_weight=0.3).fuse(scored(x=1.0), scored(a=0.9, b=0.2))
    assert [(hit.chunk_id, round(hit.score, 6)) for hit in fused] == [("a", 0.7), ("x", 0.3), ("b", 0.0)]


def test_rrf_gives_no_rank_to_chunks_without_a_term() -> None:
    fused = ReciprocalRankFusion(k=1).fuse(scored(z=0.0, a=3.0), scored(b=0.9, z=0.1))
    assert {hit.chunk_id: hit.score for hit in fused} == {"a": 1 / 2, "b": 1 / 2, "z": 1 / 3}


def test_rrf_weights() -> None:
    fused = ReciprocalRankFusion(lexical_weight=0, dense_weight=2).fuse(scored(a=3.0), scored(b=0.9))
    assert [(hit.chunk_id, hit.score) for hit in fused] == [("b", 2 / 61), ("a", 0.0)]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("minmax", {"lexical_weight": 1.1}),
        ("minmax", {"lexical_weight": -0.1}),
        ("minmax", {"least_spread": 0.0}),
        ("rrf", {"k": 0}),
        ("rrf", {"lexical_weight": -1.0}),
        ("rrf", {"lexical_weight": 0.0, "dense_weight": 0.0}),
    ],
)
def test_options_are_checked(name: str, options: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        create("fusion", name, options)
