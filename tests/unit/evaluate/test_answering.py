"""Answers against expected ones, citations against relevant passages."""

from __future__ import annotations

import pytest

from pincite.evaluate.answering import citation_precision, citation_recall, words_in
from pincite.evaluate.gold import GoldSpan, Passage
from pincite.model import Span


def cited(start: int, end: int, name: str = "a.md") -> Passage:
    return Passage(name, Span(start, end))


def gold(start: int, end: int, name: str = "a.md") -> GoldSpan:
    return GoldSpan(name, Span(start, end))


GOLD = ((gold(0, 100), gold(500, 520, "b.md")), (gold(200, 240),))


@pytest.mark.parametrize(
    ("citations", "precision", "recall"),
    [
        ([], None, 0.0),
        ([cited(10, 30)], 1.0, 0.5),  # a sentence within the passage
        ([cited(90, 130)], 0.0, 0.0),  # a quarter of it only
        ([cited(500, 600, "b.md"), cited(190, 400)], 1.0, 1.0),  # an alternative; a citation around the passage
        ([cited(0, 50), cited(50, 100), cited(900, 910)], 2 / 3, 0.5),
        ([cited(0, 100, "c.md")], 0.0, 0.0),
    ],
)
def test_citations(citations: list[Passage], precision: float | None, recall: float) -> None:
    assert citation_precision(citations, GOLD) == precision
    assert citation_recall(citations, GOLD) == recall


def test_words() -> None:
    assert words_in("It lives for 15 minutes.", "Every cursor lives 15 minutes, not more.") == 1
    assert words_in("It lives for 15 minutes.", "  ") == 0
    assert words_in("It lives for 60 minutes.", "Every cursor lives 15 minutes, not more.") == pytest.approx(2 / 3)


def test_other_languages_are_not_compared() -> None:
    german = "Nein, für einen anderen Filter muss eine neue Abfragefolge begonnen werden."
    english = "Changing a filter is not allowed while the cursor is in use; begin a new one with the other filter."
    assert words_in(german, english) is None
