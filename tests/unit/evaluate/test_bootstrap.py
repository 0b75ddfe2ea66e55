"""Intervals and verdicts: on samples whose truth is known."""

from __future__ import annotations

import numpy as np
import pytest

from pincite.evaluate.bootstrap import Interval, Sample, intervals, questions_needed
from pincite.evaluate.verdicts import difference, differences, winner_of


def sample(seed: int, *, gain: float, documents: int = 40, each: int = 3, columns: int = 4) -> Sample:
    """Scores in [0, 1] of questions that are alike within their document; the first column is better by ``gain``."""
    random = np.random.default_rng(seed)
    number = documents * each
    document = np.repeat(np.arange(documents), each)
    hardness = random.normal(0, 0.15, documents)[document] + random.normal(0.6, 0.1, number)
    likes = random.normal(0, 0.08, (documents, columns))[document]
    scores = hardness[:, None] + likes + random.normal(0, 0.1, (number, columns))
    scores[:, 0] += gain
    return Sample.of(np.clip(scores, 0, 1), [str(name) for name in document])


NAMES = ["a", "b", "c", "d"]


def test_where_one_is_better_it_is_named_in_nearly_all_samples() -> None:
    winners = [winner_of(differences(NAMES, sample(seed, gain=0.12))) for seed in range(100)]
    assert winners.count("a") >= 95
    assert set(winners) <= {"a", ""}


def test_where_all_are_equal_hardly_ever_a_winner_is_named() -> None:
    found = [differences(NAMES, sample(seed, gain=0)) for seed in range(100)]
    assert sum(any(each.winner for each in several) for several in found) <= 5
    assert sum(bool(winner_of(several)) for several in found) <= 5


def test_questions_of_few_documents_are_drawn_one_by_one() -> None:
    assert not sample(0, gain=0, documents=5).clustered
    assert sample(0, gain=0).clustered
    assert sample(0, gain=0).drawn == 40


def test_documents_make_intervals_wider_than_questions_would() -> None:
    together = sample(3, gain=0)
    apart = Sample.of(together.scores, [str(number) for number in range(len(together.scores))])
    wide, narrow = intervals(together)[0], intervals(apart)[0]
    assert wide.high - wide.low > 1.2 * (narrow.high - narrow.low)
    assert wide.value == narrow.value


def test_the_same_scores_give_the_same_intervals() -> None:
    assert intervals(sample(1, gain=0)) == intervals(sample(1, gain=0))
    assert intervals(sample(1, gain=0), seed=1) != intervals(sample(1, gain=0), seed=2)


def test_more_comparisons_make_intervals_wider() -> None:
    scores = sample(1, gain=0)
    alone = intervals(scores, [1, -1, 0, 0])[0]
    among = intervals(scores, [[1, -1, 0, 0], [0, 1, -1, 0], [0, 0, 1, -1]])[0]
    assert among.high - among.low > alone.high - alone.low


def test_columns_that_are_the_same_differ_by_nothing() -> None:
    scores = Sample.of([[0.5, 0.5], [1.0, 1.0], [0.0, 0.0]], ["a", "b", "c"])
    (found,) = differences(["x", "y"], scores)
    assert (found.interval.low, found.interval.high, found.winner) == (0, 0, "")
    assert found.verdict == "x and y are a tie: they differ by 0.0 points [0.0, 0.0]"


def test_one_question_proves_nothing() -> None:
    (found,) = differences(["x", "y"], Sample.of([[1.0, 0.0]], ["a"]))
    assert (found.winner, found.interval.low, found.interval.high) == ("", -np.inf, np.inf)


def test_one_configuration_has_nothing_to_be_compared_with() -> None:
    assert differences(["x"], Sample.of([[1.0], [0.5]], ["a", "b"])) == []


@pytest.mark.parametrize(
    ("value", "low", "high", "higher", "winner", "verdict"),
    [
        (0.061, 0.029, 0.094, True, "x", "x beats y by 6.1 points [2.9, 9.4]"),
        (-0.061, -0.094, -0.029, False, "x", "x beats y by 6.1 points [2.9, 9.4]"),
        (
            *(0.03, -0.03, 0.09, True, ""),
            "no winner between x and y: 3.0 points [-3.0, 9.0]; about 300 more questions would be needed",
        ),
        (0.004, -0.03, 0.038, True, "", "x and y are a tie: they differ by 0.4 points [-3.0, 3.8]"),
    ],
)
def test_verdicts(value: float, low: float, high: float, higher: bool, winner: str, verdict: str) -> None:
    found = difference("x", "y", Interval(value, low, high, 0.01), 100, higher_is_better=higher)
    assert (found.winner, found.verdict) == (winner, verdict)
    assert found.to_json()["winner"] == (winner or None)


def test_how_many_questions_are_needed() -> None:
    assert questions_needed(Interval(0.1, 0.0, 0.2, 0.05), 50) == 50
    assert questions_needed(Interval(0.0, -0.1, 0.1, 0.05), 50) is None


@pytest.mark.parametrize("scores", [[], [[np.nan]], [[1.0], [2.0]]])
def test_scores_that_are_none(scores: list[list[float]]) -> None:
    with pytest.raises(ValueError, match="finite score"):
        Sample.of(scores, ["a"])
