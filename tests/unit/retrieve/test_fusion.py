"""Fusion: exact scores, order, and what an empty or lopsided list does."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pincite.catalogue import create
from pincite.errors import UsageError
from pincite.model import Scored
from pincite.ports import CONTEXT_COLUMNS, ContextScores, Evidence, Kin
from pincite.retrieve.fusion import COMPARED, ContextFusion, MinMaxFusion, ReciprocalRankFusion


def scored(**scores: float) -> list[Scored]:
    return [Scored(name, score) for name, score in scores.items()]


def names(hits: list[Scored]) -> list[str]:
    return [hit.chunk_id for hit in hits]


def test_case_c052_repeats_do_not_count(shared: Path) -> None:
    lines = (shared / "cases" / "cases.jsonl").read_text().splitlines()
    case = next(case for case in map(json.loads, lines) if case["id"] == "C052")
    dense = [Scored(name, 0.9 - place / 10) for place, name in enumerate(["c5", "c2", "c8"])]
    lexical = [Scored("c8", 4.0), Scored("c8", 3.0), Scored("c8", 2.0), Scored("c5", 1.0)]
    fused = ReciprocalRankFusion(k=60, lexical_weight=1, dense_weight=1).fuse(Evidence(lexical=lexical, dense=dense))
    assert names(fused) == case["check"]["order"]
    for hit in fused:
        assert hit.score == pytest.approx(case["check"]["scores"][hit.chunk_id], abs=1e-6)


@pytest.mark.parametrize("fusion", [MinMaxFusion(), ReciprocalRankFusion()])
def test_equal_scores_are_ordered_by_id(fusion: MinMaxFusion | ReciprocalRankFusion) -> None:
    first = names(fusion.fuse(Evidence(dense=scored(b=0.5, c=0.5, a=0.5))))[0]
    assert first == ("a" if fusion.name == "minmax" else "b")
    assert names(MinMaxFusion().fuse(Evidence(lexical=scored(b=2.0, a=2.0), dense=[]))) == ["a", "b"]
    assert fusion.fuse(Evidence(lexical=[], dense=[])) == []


def test_minmax_stretches_and_weighs() -> None:
    fused = MinMaxFusion(lexical_weight=0.25).fuse(
        Evidence(lexical=scored(a=10.0, b=5.0), dense=scored(c=0.8, b=0.5, a=0.2))
    )
    assert {hit.chunk_id: round(hit.score, 6) for hit in fused} == {"c": 0.75, "b": 0.5, "a": 0.25}


def test_minmax_without_lexical_hits_gives_the_dense_order_its_full_scores() -> None:
    fused = MinMaxFusion().fuse(Evidence(lexical=scored(a=0.0), dense=scored(b=0.9, a=0.5, c=0.1)))
    assert [(hit.chunk_id, round(hit.score, 6)) for hit in fused] == [("b", 1.0), ("a", 0.5), ("c", 0.0)]


def test_minmax_does_not_blow_up_a_small_difference() -> None:
    fused = MinMaxFusion(lexical_weight=0.3, least_spread=0.4).fuse(
        Evidence(lexical=scored(b=2.0), dense=scored(a=0.31, b=0.29))
    )
    assert {hit.chunk_id: round(hit.score, 6) for hit in fused} == {"b": 0.965, "a": 0.7}


def test_minmax_of_one_candidate_and_of_equal_scores_is_one() -> None:
    assert MinMaxFusion().fuse(Evidence(lexical=[], dense=scored(a=-0.2))) == scored(a=1.0)
    assert [hit.score for hit in MinMaxFusion().fuse(Evidence(lexical=[], dense=scored(a=0.3, b=0.3)))] == [1.0, 1.0]


def test_minmax_counts_a_missing_dense_score_as_the_lowest() -> None:
    fused = MinMaxFusion(lexical_weight=0.3).fuse(Evidence(lexical=scored(x=1.0), dense=scored(a=0.9, b=0.2)))
    assert [(hit.chunk_id, round(hit.score, 6)) for hit in fused] == [("a", 0.7), ("x", 0.3), ("b", 0.0)]


def test_rrf_gives_no_rank_to_chunks_without_a_term() -> None:
    fused = ReciprocalRankFusion(k=1).fuse(Evidence(lexical=scored(z=0.0, a=3.0), dense=scored(b=0.9, z=0.1)))
    assert {hit.chunk_id: hit.score for hit in fused} == {"a": 1 / 2, "b": 1 / 2, "z": 1 / 3}


def test_rrf_weights() -> None:
    fused = ReciprocalRankFusion(lexical_weight=0, dense_weight=2).fuse(
        Evidence(lexical=scored(a=3.0), dense=scored(b=0.9))
    )
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


def context_of(total: float = 4.0, **columns: list[float]) -> Evidence:
    """Of the chunks a, b, …; what is not given is 0."""
    number = len(next(iter(columns.values())))
    every = {name: columns.get(name, [0.0] * number) for name in CONTEXT_COLUMNS}
    return Evidence(context=ContextScores(chunk_ids=list("abcdefgh"[:number]), **every, total=total))


def test_context_adds_up_what_stands_around_a_chunk() -> None:
    fusion = ContextFusion(words=1, window=2, neighbours=1, section=0, document=0)
    fused = fusion.fuse(context_of(lexical=[2.0, 0.0], window=[2.0, 4.0], dense=[0.5, 0.1], neighbours=[0.2, 0.7]))
    assert {hit.chunk_id: hit.score for hit in fused} == pytest.approx(
        {"a": (0.5 + 1.0 + 0.5 + 0.2) / 5, "b": (0.0 + 2.0 + 0.1 + 0.7) / 5}
    )
    assert names(fused) == ["b", "a"]


def test_words_that_occur_nowhere_leave_the_decision_to_the_cosines() -> None:
    """As in a question in another language, of which a name alone stands in a passage."""
    found = {"lexical": [0.0, 1.0], "window": [0.0, 1.0], "dense": [0.6, 0.3]}
    assert names(ContextFusion().fuse(context_of(total=1.5, **found))) == ["b", "a"]
    assert names(ContextFusion().fuse(context_of(total=20.0, **found))) == ["a", "b"]


def test_without_any_word_the_cosines_decide() -> None:
    assert names(ContextFusion().fuse(context_of(total=0.0, dense=[0.1, 0.2]))) == ["b", "a"]


def test_context_says_what_it_lacks() -> None:
    with pytest.raises(ValueError, match="needs the scores in context"):
        ContextFusion().fuse(Evidence(dense=scored(a=0.5)))
    for wrong in (-0.1, 101.0, float("nan")):
        with pytest.raises(UsageError, match="section is between 0 and 100"):
            create("fusion", "context", {"section": wrong})


def test_what_is_like_others_loses_and_the_best_of_the_document_lifts() -> None:
    fusion = ContextFusion(words=0, window=0, neighbours=0, section=0, document=0, likeness=1, best=0.5)
    kin = {"a": Kin(0, 0.8), "b": Kin(1, 0.1), "c": Kin(1, 0.3)}
    evidence = replace(context_of(dense=[0.6, 0.5, 0.2, 0.1]), kin=kin)
    own = {"a": -0.1, "b": 0.2, "c": -0.05, "d": 0.1 / 2 - 0.4 / 2}
    best = {"a": -0.1, "b": 0.2, "c": 0.2, "d": own["d"]}  # d was not compared: it has their mean likeness
    scores = {hit.chunk_id: hit.score for hit in fusion.fuse(evidence)}
    assert scores == pytest.approx({name: (own[name] + 0.5 * best[name]) / 1.5 for name in own})
    assert names(fusion.fuse(evidence)) == ["b", "c", "a", "d"]


def test_parts_add_up_to_the_score() -> None:
    columns = {name: [0.1 * number, 0.4, 0.2] for number, name in enumerate(CONTEXT_COLUMNS)}
    context = ContextScores(chunk_ids=["a", "b", "c"], **columns, total=4.0)
    evidence = Evidence(context=context, kin={"a": Kin(0, 0.5), "c": Kin(0, 0.2)})
    fusion = ContextFusion()
    parts = fusion.normalised(evidence)
    assert list(parts) == [*CONTEXT_COLUMNS, "likeness", "best"]
    for hit in fusion.fuse(evidence):
        assert hit.score == sum(part.weight * part.values[hit.chunk_id] for part in parts.values())
    assert sum(abs(part.weight) for part in parts.values()) == pytest.approx(1)


def test_the_best_are_compared_where_the_weights_ask_for_it() -> None:
    evidence = context_of(dense=[0.1, 0.3, 0.3])
    assert ContextFusion().to_compare(evidence) == ["b", "c", "a"]
    assert ContextFusion(likeness=0).to_compare(evidence) == ["b", "c", "a"]
    assert ContextFusion(likeness=0, best=0).to_compare(evidence) == []
    assert MinMaxFusion().to_compare(evidence) == ReciprocalRankFusion().to_compare(evidence) == []
    many = [f"{number:03}" for number in range(COMPARED + 5)]
    every = {name: [0.0] * len(many) for name in CONTEXT_COLUMNS}
    assert ContextFusion().to_compare(Evidence(context=ContextScores(chunk_ids=many, **every, total=1.0))) == many[:-5]
