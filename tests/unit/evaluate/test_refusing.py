"""When to refuse: worked by hand, and true of whatever was decided."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from pincite.evaluate.refusing import Decision, RiskPoint, coverage_risk, fitted_threshold, refusals

# Three that have an answer (the last is answered wrongly), two that have none.
GOOD = (Decision(0.9, True, True), Decision(0.8, True, True), Decision(0.6, True, False))
NONE = (Decision(0.7, False, False), Decision(0.2, False, False))


def test_refusals() -> None:
    found = refusals([*GOOD, *NONE], 0.75)
    assert (found.precision, found.recall, found.answered, found.of) == (2 / 3, 1, 2, 3)
    assert found.to_json()["threshold"] == 0.75
    nothing = refusals([*GOOD, *NONE], 0)
    assert (nothing.precision, nothing.recall, nothing.answered) == (None, 0, 3)
    assert refusals(GOOD, 1).recall is None


def test_coverage_and_risk() -> None:
    assert coverage_risk([*GOOD, *NONE]) == [
        RiskPoint(0.9, 1 / 5, 0),
        RiskPoint(0.8, 2 / 5, 0),
        RiskPoint(0.7, 3 / 5, 1 / 3),
        RiskPoint(0.6, 4 / 5, 2 / 4),
        RiskPoint(0.2, 5 / 5, 3 / 5),
    ]
    assert coverage_risk([Decision(0.5, True, True), Decision(0.5, True, False)]) == [RiskPoint(0.5, 1, 0.5)]
    assert coverage_risk([]) == []


def test_the_threshold_that_tells_best() -> None:
    assert fitted_threshold([*GOOD, *NONE]) == 0.8
    assert fitted_threshold([Decision(0.9, True, True), Decision(0.3, False, False)]) == 0.9
    assert fitted_threshold(GOOD) is None
    assert fitted_threshold(NONE) is None
    assert fitted_threshold([]) is None


single = st.builds(Decision, st.floats(0, 1), st.booleans(), st.booleans())
decisions = st.lists(single.filter(lambda each: each.answerable or not each.right))


@given(decisions)
def test_whatever_was_decided(decided: Sequence[Decision]) -> None:
    points = coverage_risk(decided)
    assert [point.coverage for point in points] == sorted(point.coverage for point in points)
    assert all(0 <= point.risk <= 1 for point in points)
    assert not points or points[-1].coverage == 1
    threshold = fitted_threshold(decided)
    if threshold is not None:
        found = refusals(decided, threshold)
        assert found.answered / found.of + (found.recall or 0) >= 1  # as good as answering everything
