"""The metrics of one question: worked by hand, against the tool of TREC, and within their bounds whatever comes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import UsageError
from pincite.evaluate.gold import Gold, GoldSpan, Passage, distinct
from pincite.evaluate.metrics import DEFAULTS, higher_is_better, metric, precision_omega, within
from pincite.model import Span


def passage(start: int, end: int, tokens: int = 10, document: str = "a") -> Passage:
    return Passage(document, Span(start, end), tokens)


def gold(*spans: tuple[int, int], grade: int = 1, document: str = "a") -> Gold:
    """A part for each span."""
    return tuple((GoldSpan(document, Span(start, end), grade),) for start, end in spans)


def named(*names: str) -> list[Passage]:
    """Whole documents of ten characters."""
    return [Passage(name, Span(0, 10), 5) for name in names]


def relevant(**grades: int) -> Gold:
    return tuple((GoldSpan(name, Span(0, 10), grade),) for name, grade in grades.items())


def score(name: str, passages: Sequence[Passage], parts: Gold) -> float:
    return metric(name)(passages, parts)


class TestBudget:
    PASSAGES = (passage(0, 100, 600), passage(100, 200, 500), passage(200, 300, 400))

    def test_a_passage_that_does_not_fit_is_passed_over(self) -> None:
        assert within(self.PASSAGES, 1000) == [self.PASSAGES[0], self.PASSAGES[2]]
        assert score("recall@1000t", self.PASSAGES, gold((50, 250))) == 100 / 200

    def test_or_is_the_end(self) -> None:
        assert score("recall@1000t-stop", self.PASSAGES, gold((50, 250))) == 50 / 200

    def test_a_repeat_costs_nothing(self) -> None:
        assert score("recall@1000t", [self.PASSAGES[0]] * 3 + [self.PASSAGES[2]], gold((200, 300))) == 1


class TestCharacters:
    def test_recall(self) -> None:
        parts = gold((0, 10), (20, 50))
        assert score("recall@1", [passage(5, 30)], parts) == 15 / 40
        assert score("recall@5", [passage(5, 30), passage(0, 50)], parts) == 1

    def test_each_relevant_span_counts_by_its_length(self) -> None:
        assert score("recall@5", [passage(0, 10)], gold((0, 10), (5, 20))) == (10 + 5) / 25

    def test_of_alternatives_the_best_covered_one_counts(self) -> None:
        parts: Gold = ((GoldSpan("a", Span(0, 100)), GoldSpan("b", Span(0, 10))),)
        assert score("recall@5", [passage(0, 50)], parts) == 0.5
        assert score("recall@5", [passage(0, 50), passage(0, 10, document="b")], parts) == 1

    def test_precision_and_iou(self) -> None:
        parts = gold((0, 10), (20, 50))
        assert score("precision@5", [passage(5, 30)], parts) == 15 / 25
        assert score("IoU@5", [passage(5, 30)], parts) == 15 / (25 + 40 - 15)
        assert score("precision@5", [], parts) == score("IoU@5", [], parts) == 0

    def test_redundancy(self) -> None:
        assert score("redundancy@5", [passage(0, 10), passage(5, 15), passage(5, 15)], ()) == 0.5
        assert score("redundancy@5", [], ()) == 0

    def test_tokens(self) -> None:
        assert score("tokens@2", [passage(0, 10, 7), passage(0, 10, 7), passage(20, 30, 4)], ()) == 11


class TestRanks:
    def test_half_of_a_span_is_found(self) -> None:
        assert score("hit@1", [passage(0, 15)], gold((10, 20))) == 1
        assert score("hit@1", [passage(0, 14)], gold((10, 20))) == 0

    def test_repeats_give_no_rank_away(self) -> None:
        assert score("MRR@10", named("x", "x", "y", "s"), relevant(s=1)) == 1 / 3

    def test_what_is_beyond_k_does_not_count(self) -> None:
        wrong = named(*map(str, range(11)))
        for name in ("MRR@10", "nDCG@10", "MAP@10", "hit@10"):
            assert score(name, [*wrong, *named("s")], relevant(s=1)) == 0

    def test_one_passage_that_finds_everything_is_the_best_there_is(self) -> None:
        parts = gold((0, 10), (20, 30), grade=2)
        for name in ("nDCG@10", "MAP@10"):
            assert score(name, [passage(0, 30)], parts) == 1

    def test_a_part_has_the_grade_of_what_was_found(self) -> None:
        parts: Gold = ((GoldSpan("a", Span(0, 10), 3), GoldSpan("b", Span(0, 10), 1)),)
        assert score("nDCG@10", named("b"), parts) == 1 / 3


@pytest.mark.parametrize(
    ("retrieved", "parts", "scores"),
    [
        (
            ("s3", "s2", "s5"),
            {"s1": 1, "s2": 1},
            {"recall@3": 0.5, "recall@5": 0.5, "precision@3": 1 / 3, "MRR@10": 0.5, "nDCG@3": 0.386853, "hit@3": 1},
        ),
        ((), {"s1": 1}, dict.fromkeys(DEFAULTS, 0.0)),
    ],
)
def test_worked_examples(retrieved: Sequence[str], parts: dict[str, int], scores: dict[str, float]) -> None:
    for name, value in scores.items():
        assert score(name, named(*retrieved), relevant(**parts)) == pytest.approx(value, abs=1e-6), name


names = st.sampled_from([f"d{number}" for number in range(15)])


@given(
    st.lists(names, max_size=12, unique=True), st.dictionaries(names, st.integers(1, 3), min_size=1), st.integers(1, 12)
)
def test_as_trec_measures(retrieved: list[str], grades: dict[str, int], k: int) -> None:
    measures = {f"ndcg_cut_{k}": f"nDCG@{k}", f"map_cut_{k}": f"MAP@{k}", f"recall_{k}": f"recall@{k}"}
    evaluator = pytrec_eval.RelevanceEvaluator(
        {"q": grades}, {f"ndcg_cut.{k}", f"map_cut.{k}", f"recall.{k}", "recip_rank"}
    )
    run = {name: float(len(retrieved) - rank) for rank, name in enumerate(retrieved)}
    theirs = evaluator.evaluate({"q": run})["q"] if run else dict.fromkeys([*measures, "recip_rank"], 0.0)
    passages = named(*retrieved)
    for name, ours in measures.items():
        assert score(ours, passages, relevant(**grades)) == pytest.approx(theirs[name], abs=1e-9)
    assert score("MRR@100", passages, relevant(**grades)) == pytest.approx(theirs["recip_rank"], abs=1e-9)


spans = st.tuples(st.integers(0, 60), st.integers(1, 30)).map(lambda pair: Span(pair[0], sum(pair)))
documents = st.sampled_from(["a", "b"])
passages = st.lists(st.builds(Passage, documents, spans, st.integers(0, 400)), max_size=8)
golds = st.lists(
    st.lists(st.builds(GoldSpan, documents, spans, st.integers(1, 3)), min_size=1, max_size=3).map(tuple),
    min_size=1,
    max_size=4,
).map(tuple)


@given(passages, golds, st.sampled_from([name for name in DEFAULTS if not name.startswith("tokens")]))
def test_values_stay_within_0_and_1_and_repeats_change_nothing(found: list[Passage], parts: Gold, name: str) -> None:
    value = score(name, found, parts)
    assert 0 <= value <= 1
    if not name.startswith("redundancy"):
        assert score(name, [each for each in found for _ in range(2)], parts) == value


@given(passages, golds)
def test_more_passages_never_cover_less(found: list[Passage], parts: Gold) -> None:
    values = [score(f"recall@{k}", found, parts) for k in range(1, 9)]
    assert all(earlier <= later + 1e-12 for earlier, later in pairwise(values))
    assert score("recall@400t-stop", found, parts) <= score("recall@99999999t", found, parts) + 1e-12
    assert score("recall@99999999t", found, parts) == values[-1]


@given(passages, golds)
def test_a_perfect_search_is_as_precise_as_the_cuts(found: list[Passage], parts: Gold) -> None:
    value = precision_omega(found, parts)
    assert 0 <= value <= 1
    assert precision_omega(found, parts, touching=True) <= value or math.isclose(value, 0)


def test_precision_omega() -> None:
    chunks = [passage(0, 10), passage(10, 20), passage(20, 30)]
    assert precision_omega(chunks, gold((12, 20))) == 0.8
    assert precision_omega(chunks, gold((12, 20)), touching=True) == 0.4
    assert precision_omega([], gold((12, 20))) == 0


def test_distinct_keeps_the_first() -> None:
    assert [each.tokens for each in distinct([passage(0, 9, 1), passage(0, 9, 2), passage(0, 8, 3)])] == [1, 3]


@pytest.mark.parametrize("name", ["recall", "recall@0", "recall@5t-go", "hit@5t", "Recall@5", "recall@x", ""])
def test_unknown_metrics_are_refused_with_the_known_ones(name: str) -> None:
    with pytest.raises(UsageError, match="MRR@5"):
        metric(name)


def test_what_is_better() -> None:
    assert [name for name in DEFAULTS if not higher_is_better(name)] == ["redundancy@5", "tokens@5"]
