"""Kinds of faults that evaluation is reported for: the shared cases, as metrics and as figures of a comparison."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pincite.engine.evaluation.comparing import Comparison
from pincite.engine.evaluation.measuring import Asked, Measured
from pincite.evaluate.gold import Gold, GoldSpan, Passage
from pincite.evaluate.judging import judged
from pincite.evaluate.metrics import metric
from pincite.evaluate.questions import question_of
from pincite.model import Document, Span

TEXT = "0123456789"


def case_of(shared: Path, name: str) -> dict[str, Any]:
    lines = (shared / "cases" / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    case: dict[str, Any] = next(case for case in map(json.loads, lines) if case["id"] == name)
    return case


def passages(names: Sequence[str]) -> tuple[Passage, ...]:
    return tuple(Passage(name, Span(0, len(TEXT)), 5) for name in names)


def gold(names: Sequence[str]) -> Gold:
    """A part for each id; one that is listed twice is one part."""
    return tuple((GoldSpan(name, Span(0, len(TEXT))),) for name in dict.fromkeys(names))


def test_repeated_ids_fewer_results_than_k_and_the_ideal_ranking(shared: Path) -> None:
    check = case_of(shared, "C054")["check"]
    found, parts = passages(["s3", "s2", "s5"]), gold(["s1", "s1", "s2"])
    values = {
        "recall@3": metric("recall@3")(found, parts),
        "recall@5": metric("recall@5")(found, parts),
        "mrr": metric("MRR@10")(found, parts),
        "ndcg@3": metric("nDCG@3")(found, parts),
        "ndcg@5": metric("nDCG@5")(found, parts),
    }
    assert values == pytest.approx(check, abs=1e-6)
    assert metric("hit@3")(found, parts) == 1
    assert metric("precision@3")(found, parts) == pytest.approx(1 / 3)
    for name in ("recall@3", "precision@3", "MRR@10", "nDCG@3", "hit@3", "MAP@10", "IoU@3"):
        assert metric(name)((), gold(["s1"])) == 0


def test_failed_searches_ranks_beyond_k_and_questions_without_an_answer(shared: Path) -> None:
    check = case_of(shared, "C056")["check"]
    judgements = {"q1": ["a", "b"], "q2": ["c"], "q3": ["d"], "q4": [], "q5": ["e"]}
    asked = {
        "q1": ["a", "x", "y"],
        "q2": [*(f"w{number}" for number in range(11)), "c"],
        "q3": [],
        "q4": ["z"],
    }
    documents = {
        name: Document(id=name, source=name, media_type="text/plain", text=TEXT)
        for names in judgements.values()
        for name in names
    }
    questions = [
        question_of({"id": name, "question": "?", "relevant": [{"document": each, "text": TEXT} for each in names]})
        for name, names in judgements.items()
    ]
    found = {name: Asked(passages(names), (0.5,) * len(names)) for name, names in asked.items()}
    found["q5"] = Asked(error="the server is gone")
    measured = Measured(asked=found, chunks=1, tokens=1, index_bytes=1, index_seconds=0, search_seconds=0)
    names = ["MRR@10", "recall@10", "hit@10"]
    for order in (questions, questions[::-1]):
        comparison = Comparison.of(
            {"a": measured}, [judged(each, documents) for each in order], metrics=names, headline="MRR@10"
        )
        values = {name.lower(): comparison.values["a"][name].value for name in names}
        values |= {"n_scored": len(comparison.scored), "n_no_answer": len(comparison.unanswerable)}
        assert values | {"n_error": len(comparison.errors)} == pytest.approx(check)
        assert comparison.errors == [("a", "q5", "the server is gone")]
