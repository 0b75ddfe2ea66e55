"""Judgements find their passage again after edits, and say how."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.evaluate.anchoring import anchor
from pincite.model import Judgement

TEXT = """# Limits

A cursor lives for 15 minutes, counted from the response that delivered it. A token lives for an hour.

## Again

A cursor lives for 15 minutes, counted from the response that delivered it. So be quick.
"""
QUOTE = "A cursor lives for 15 minutes, counted from the response that delivered it."
FIRST, SECOND = TEXT.index(QUOTE), TEXT.rindex(QUOTE)


def found(quote: str = QUOTE, text: str = TEXT, **more: object) -> tuple[str, str, int]:
    """How, the text there, and at how many places."""
    judged = Judgement.from_json({"document": "a.md", "text": quote, **more})
    where = anchor(judged, text)
    return where.how, where.span.of(text) if where.span else "", where.occurrences


def start(**more: object) -> int:
    where = anchor(Judgement.from_json({"document": "a.md", "text": QUOTE, **more}), TEXT)
    assert where.span
    return where.span.start


def test_at_its_offset() -> None:
    assert start(start=FIRST, end=FIRST + len(QUOTE)) == FIRST
    assert start(start=SECOND, end=SECOND + len(QUOTE)) == SECOND
    assert found(start=SECOND) == ("exact", QUOTE, 2)


def test_without_an_offset_the_first_of_several() -> None:
    assert start() == FIRST
    assert found() == ("exact", QUOTE, 2)


def test_context_decides() -> None:
    assert start(after=" So be quick.") == start(before="## Again\n\n") == SECOND
    assert start(start=FIRST, after="So be") == SECOND


def test_nearest_where_context_says_nothing() -> None:
    assert start(start=SECOND + 9) == SECOND
    assert found(start=SECOND + 9)[0] == "moved"


def test_blanks_around_a_quote_are_none_of_it() -> None:
    assert found(f"\n{QUOTE} ", start=FIRST - 1) == ("exact", QUOTE, 2)


@pytest.mark.parametrize(
    "text",
    [
        "It **is** said: a cursor lives\n for `15` minutes,  counted from the response that delivered it. And",
        "> a cursor_lives for 15 minutes, counted from the\n> response that delivered it.",
    ],
)
def test_other_blanks_and_marks(text: str) -> None:
    how, passage, number = found(text=text)
    assert (how, number) == ("reflowed", 1)
    assert passage.lower().startswith("a cursor")
    assert passage.endswith("delivered it.")


def test_whole_words_come_before_parts_of_words() -> None:
    judged = Judgement(document_id="a.md", text="he sat")
    span = anchor(judged, "She satin. Then he sat down.").span
    assert span
    assert span.start == 16
    assert found("he  sat", text="She satin.")[0] == "lost"


def test_another_wording() -> None:
    now = "A cursor lives for 20 minutes, counted from the reply that delivered it."
    assert found(text=f"# Limits\n\nMind: {now} A token is another thing.") == ("reworded", now, 1)


@pytest.mark.parametrize("quote", ["Tides turn twice a day in this harbour.", "No.", "…", "a cursor dies"])
def test_lost(quote: str) -> None:
    assert found(quote) == ("lost", "", 0)


@given(st.text(min_size=1).filter(str.strip), st.text(max_size=30), st.text(max_size=30))
def test_a_quote_that_is_there_is_found(quote: str, before: str, after: str) -> None:
    text = before + quote + after
    how, passage, _ = found(quote, text, start=len(before))
    assert (how, passage) in (("exact", quote.strip()), ("moved", quote.strip()))


@given(st.text(min_size=1).filter(str.strip), st.text())
def test_whatever_the_text(quote: str, text: str) -> None:
    how, passage, _ = found(quote, text)
    assert (how == "lost") == (passage == "")
