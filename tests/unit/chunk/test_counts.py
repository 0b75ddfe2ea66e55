"""Sums of counts are used only where they are the count of the whole."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite import catalogue
from pincite.chunk.counts import RangeCounts
from pincite.text import graphemes
from pincite.text.counters import PIECE_CHARACTERS, TokenCounter

texts = st.lists(
    st.sampled_from(
        (
            "Boats row.",
            "\n\n",
            "\n",
            " ",
            "/// note",
            "/",
            "!",
            "  - item",
            "漢字",
            "e\u0301",
            "👩\u200d🌾",
            "x_1",
            "\r\n",
            "\x1c",
        )
    ),
    max_size=30,
).map("".join)


@given(
    texts,
    st.lists(st.integers(0, 200), min_size=2, max_size=2),
    st.sampled_from(("", "A > B")),
    st.sampled_from(catalogue.names("counter")),
)
def test_what_is_embedded_counts_what_its_text_counts(
    text: str, cuts: list[int], prefix: str, counter_name: str
) -> None:
    counter = catalogue.create("counter", counter_name)
    counts = RangeCounts(text, 0, counter)
    start, end = sorted(graphemes.border_before(text, cut % (len(text) + 1)) for cut in cuts)
    start, end = graphemes.trim(text, start, end)
    if start == end:
        return
    whole = text[start:end]
    before = counter.count(f"{prefix}\n\n") if prefix else 0
    embedded = f"{prefix}\n\n{whole}" if prefix else whole
    assert counts.count(start, end) == counter.count(whole)
    assert counts.embedded(prefix, before, start, end) == counter.count(embedded)


@given(texts, st.lists(st.integers(0, 200), min_size=2, max_size=8), st.sampled_from(catalogue.names("counter")))
def test_ranges_that_follow_one_another_are_counted_each_by_itself(
    text: str, cuts: list[int], counter_name: str
) -> None:
    """What is kept of the range before must not change them."""
    counter = catalogue.create("counter", counter_name)
    counts = RangeCounts(text, 0, counter)
    places = sorted(graphemes.border_before(text, cut % (len(text) + 1)) for cut in cuts)
    for begin, stop in pairwise(places):
        assert counts.count(begin, stop) == counter.count(text[begin:stop])
        start, end = graphemes.trim(text, begin, stop)
        assert counts.count(start, end) == counter.count(text[start:end])
        if begin < start < end:
            whole = counter.count(text[begin:stop])
            assert counts.lead(begin, start, stop, whole) == max(0, counter.count(text[start:stop]) - whole)


def test_a_word_without_the_blank_in_front_of_it_may_have_more_tokens() -> None:
    text = "The boats. geothermal boats row geothermal"
    counts = RangeCounts(text, 0, TokenCounter())
    whole = counts.count(10, len(text))
    assert counts.lead(10, 11, len(text), whole) == 1  # one for the blank and the word, two for the word alone
    assert counts.lead(31, 32, len(text), counts.count(31, len(text))) == 1  # nothing stands behind it
    long = " " + "geothermal" * 9
    assert counts_of(long).lead(0, 1, len(long), counts_of(long).count(0, len(long))) == 1
    far = "x1" * PIECE_CHARACTERS + " geothermal boats"
    start = 2 * PIECE_CHARACTERS
    assert counts_of(far).lead(start, start + 1, len(far), counts_of(far).count(start, len(far))) == 1


def counts_of(text: str) -> RangeCounts:
    return RangeCounts(text, 0, TokenCounter())


def test_text_over_the_piece_size_is_counted_whole() -> None:
    text = "x" * PIECE_CHARACTERS + "\n\nend"
    counts = RangeCounts(text, 0, TokenCounter())
    assert counts.embedded("", 0, 0, len(text)) == TokenCounter().count(text)
    assert counts.embedded("A", 2, 0, len(text)) == TokenCounter().count(f"A\n\n{text}")


@dataclass(frozen=True)
class PairCounter:
    """Another package's counter, which rounds up: its counts do not add up."""

    name: str = "pairs"

    def count(self, text: str) -> int:
        return (len(text) + 1) // 2

    def starts(self, text: str) -> list[int]:
        return list(range(0, len(text), 2))


def test_an_unknown_counter_is_never_added_up() -> None:
    text = "abc\n\ndef\n\nghi"
    counts = RangeCounts(text, 0, PairCounter())
    assert counts.embedded("", 0, 0, 13) == 7
    assert counts.embedded("abc", 3, 0, 13) == 9
    assert not counts.surely_over(0, 13, 1)


@given(st.text(alphabet=st.sampled_from("ab /!\x1c\n\r.\u3000é漢"), max_size=80), st.integers(1, 12))
def test_what_is_surely_over_is_over(text: str, limit: int) -> None:
    counts = RangeCounts(text, 0, TokenCounter())
    if counts.surely_over(0, len(text), limit):
        assert TokenCounter().count(text) > limit


@pytest.mark.parametrize("name", ["o200k_base", "words", "characters"])
def test_far_too_many_tokens_are_seen_without_counting_again(name: str) -> None:
    counts = RangeCounts("row " * 200, 0, catalogue.create("counter", name))
    assert counts.surely_over(0, 800, 90)
    assert not counts.surely_over(0, 300, 200)
