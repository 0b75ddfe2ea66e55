"""The mutation test of the verifier over the sample corpus: what it must catch and what it must not reject."""

from __future__ import annotations

from collections import Counter

import pytest
from bench.citations import BAD, Outcome, corrupted, measure, orbit
from bench.citations_corruptions import CORRUPTIONS, swallowing_ellipsis

LEAST_CAUGHT = 0.99
MOST_REJECTED = 0.02


@pytest.fixture(scope="module")
def outcome() -> Outcome:
    return measure(*orbit())


def test_corruptions_are_caught(outcome: Outcome) -> None:
    assert sum(tally.total for tally in outcome.missed.values()) > 900
    assert outcome.share_caught >= LEAST_CAUGHT


def test_true_citations_are_not_rejected(outcome: Outcome) -> None:
    assert sum(tally.total for tally in outcome.rejected.values()) >= 300
    assert outcome.share_rejected <= MOST_REJECTED


@pytest.mark.parametrize(
    "kind",
    [
        "number",
        "negation dropped",
        "negation added",
        "date",
        "version",
        "identifier",
        "moved to another document",
        "fabricated quote",
        "ellipsis swallows a negation",
        "quantity",
        "comparative",
    ],
)
def test_of_these_kinds_none_is_missed(outcome: Outcome, kind: str) -> None:
    assert outcome.missed[kind].total
    assert outcome.missed[kind].examples == []


def test_each_kind_of_corruption_is_tried() -> None:
    documents, pairs = orbit()
    kinds = Counter(kind for kind, _ in corrupted(pairs, documents))
    assert set(CORRUPTIONS) <= set(kinds)
    assert sorted(BAD) == ["quote-not-found", "unsupported"]


@pytest.mark.parametrize(
    ("kind", "text", "corrupted"),
    [
        ("number", "It holds 15 items of ORB-1410.", "It holds 18 items of ORB-1410."),
        ("numbers exchanged", "From 15 to 60.", "From 60 to 15."),
        ("date", "On 1 March 2025.", "On 1 February 2025."),
        ("date", "On 2025-09-15.", "On 2025-09-16."),
        ("version", "In Orbit 3.0 it is.", "In Orbit 3.1 it is."),
        ("identifier", "It is ORB-1410.", "It is ORB-1411."),
        ("negation dropped", "It cannot be.", "It can be."),
        ("negation dropped", "Das ist kein Haus.", "Das ist ein Haus."),
        ("negation added", "It is so.", "It is not so."),
        ("negation added", "It is not so.", "It is not so."),
        ("modal", "It must be.", "It may be."),
        ("unit", "15 minutes", "15 hours"),
        ("comparative", "at most 3", "at least 3"),
    ],
)
def test_corruptions(kind: str, text: str, corrupted: str) -> None:
    assert CORRUPTIONS[kind](text) == corrupted


def test_an_ellipsis_in_place_of_a_negation() -> None:
    assert swallowing_ellipsis("It is said not to be so.") == "It is said … to be so."
    assert swallowing_ellipsis("It is said to be so.") == "It is said to be so."
