from __future__ import annotations

from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.documents import hard_texts

from pincite import catalogue
from pincite.chunk.ruler import LONGEST_STRETCH, CharacterRuler, StretchRuler, TokenRuler, ruler_for
from pincite.ports import Counter
from pincite.text import graphemes
from pincite.text.counters import PIECE_CHARACTERS, TokenCounter, additive_border

COUNTERS = ("o200k_base", "cl100k_base", "words", "use", "characters")
long_texts = st.tuples(hard_texts, st.integers(1, 30)).map(lambda drawn: drawn[0] * drawn[1])


def counter_named(name: str) -> Counter:
    counter: Counter = catalogue.create("counter", name)
    return counter


def test_characters_need_no_counting() -> None:
    ruler = ruler_for("  ab  ", 0, counter_named("characters"))
    assert isinstance(ruler, CharacterRuler)
    assert (ruler.reach(2, 3), ruler.reach(5, -4)) == (5, 1)
    assert ruler.measure(0, 6) == (2, 4, 2)


@given(long_texts, st.data(), st.sampled_from(COUNTERS))
def test_a_measured_range_has_the_count_of_its_text(text: str, data: st.DataObject, name: str) -> None:
    counter = counter_named(name)
    ruler = ruler_for(text, 0, counter)
    ends = sorted(graphemes.border_before(text, data.draw(st.integers(0, len(text)))) for _ in range(2))
    start, end, tokens = ruler.measure(*ends)
    assert text[start:end] == text[slice(*graphemes.trim(text, *ends))]
    assert tokens == counter.count(text[start:end])


@given(long_texts, st.data(), st.sampled_from(COUNTERS))
def test_a_range_is_counted_with_its_blanks(text: str, data: st.DataObject, name: str) -> None:
    counter = counter_named(name)
    ruler = ruler_for(text, 0, counter)
    start, end = sorted(graphemes.border_before(text, data.draw(st.integers(0, len(text)))) for _ in range(2))
    assert ruler.count(start, end) == counter.count(text[start:end])
    if name != "use":  # whose counts do not add up
        # A cut may join what stands beside it: blanks before a word are a token less without the word.
        assert ruler.least(start, end) <= 2 * counter.count(text[start:end]) + 2


@given(long_texts, st.data(), st.sampled_from(("o200k_base", "words")))
def test_tokens_are_reached_where_they_start(text: str, data: st.DataObject, name: str) -> None:
    text = text[:LONGEST_STRETCH]
    places = [place for place in range(len(text) + 1) if additive_border(text, place)]
    place = data.draw(st.sampled_from(places))
    counter = counter_named(name)
    ruler = ruler_for(text, 0, counter)
    following = [place + offset for offset in counter.starts(text[place:])]
    for tokens, start in enumerate(following):
        reached = ruler.reach(place, tokens)
        assert reached == start or (name == "words" and text[reached:start].isspace())
    assert ruler.reach(place, len(following) + 1) == len(text)
    before = counter.starts(text[:place])
    for tokens, start in enumerate(reversed(before), start=1):
        reached = ruler.reach(place, -tokens)
        assert reached == start or (name == "words" and text[reached:start].isspace())
    assert ruler.reach(place, -len(before) - 9) == ruler.reach(0, 0)


@pytest.mark.parametrize("name", ["o200k_base", "words"])
def test_a_range_may_end_in_blanks_behind_a_border(name: str) -> None:
    text = "The boats row home. " * 12 + "\n" * 3 + "    at night"
    counter = counter_named(name)
    ruler = ruler_for(text, 0, counter)
    for start in (0, 3, 110):
        for end in range(start + 1, len(text) + 1):
            assert ruler.count(start, end) == counter.count(text[start:end])


def test_words_do_not_start_at_blanks() -> None:
    ruler = StretchRuler("one two  three", 0, counter_named("words"))
    assert [ruler.reach(0, words) for words in range(5)] == [0, 4, 9, 14, 14]
    assert (ruler.reach(7, 1), ruler.reach(9, -1)) == (14, 4)


@pytest.mark.parametrize("name", ["o200k_base", "words"])
@pytest.mark.parametrize("text", ["x1y2z3" * 2_000, "漢字返却説明" * 2_000, "word " * 20_000, " " * 3_000 + "a"])
def test_long_stretches_and_long_ranges_are_exact_all_the_same(text: str, name: str) -> None:
    counter = counter_named(name)
    ruler = ruler_for(text, 0, counter)
    for start, end in [(0, len(text)), (1, len(text)), (7, 4_321), (2_400, 2_500), (3, PIECE_CHARACTERS + 9)]:
        first, last, tokens = ruler.measure(start, min(end, len(text)))
        assert tokens == counter.count(text[first:last])


def test_reaching_goes_forward() -> None:
    text = "x1y2z3" * 1_000
    ruler = TokenRuler(text, 0, TokenCounter())
    places = [ruler.reach(0, tokens) for tokens in range(0, 7_000, 13)]
    assert all(left <= right for left, right in pairwise(places))
    assert places[-1] == len(text)


@pytest.mark.parametrize(
    "end",
    ["", ".", "!?)", "'", "s'", ".'s", "…", "。", "。）", "），", "」", " 3.", "/", ").", "e\u0301", "x/y", "." * 9],
)
@pytest.mark.parametrize("blanks", ["\n", "\n\n", " \n", "  ", "\r\n\r\n", "\u3000\n", "\x1c", ""])
@pytest.mark.parametrize("name", ["o200k_base", "cl100k_base"])
def test_blanks_at_the_end_are_taken_off_exactly(end: str, blanks: str, name: str) -> None:
    counter = counter_named(name)
    for word, following in product(("row", "5", "漢字", "ひら", "カナ", "한글"), ("", "Next")):
        text = f"Two boats {word}{end}{blanks}"
        ruler = ruler_for(text + following, 0, counter)
        for stop in range(len(text) - len(blanks), len(text) + 1):
            assert ruler.count(0, stop) == counter.count(text[:stop])


def test_a_range_before_the_start_is_counted_like_any_other() -> None:
    text = "front matter\n\nThe boats row home."
    ruler = TokenRuler(text, 14, TokenCounter())
    assert ruler.count(14, len(text)) == TokenCounter().count(text[14:])
    assert ruler.count(14, 14) == 0
    assert (ruler.reach(14, -3), ruler.reach(14, 0), ruler.reach(14, 99)) == (14, 14, len(text))


@given(long_texts, st.data())
def test_rulers_of_tokens_and_of_stretches_agree(text: str, data: st.DataObject) -> None:
    counter = TokenCounter()
    start, end = sorted(graphemes.border_before(text, data.draw(st.integers(0, len(text)))) for _ in range(2))
    assert TokenRuler(text, 0, counter).count(start, end) == StretchRuler(text, 0, counter).count(start, end)


def test_a_stretch_goes_on_over_a_place_that_proves_nothing() -> None:
    text = "word" * 30 + "\n/x" + " end"
    ruler = StretchRuler(text, 0, counter_named("words"))
    assert ruler.count(0, len(text)) == 3
    assert text[ruler.reach(0, 2) :].strip() == "end"
