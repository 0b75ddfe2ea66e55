"""Quotes found in a text."""

from __future__ import annotations

import time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pincite.answer.quotes import Page, Quote, find, is_whole, turns
from pincite.text.flattened import flat

TEXT = (
    "Boats of any size must carry a horn at night, although small boats need not do so.\n"
    "The harbour office issues a permit within 15 minutes; it costs 7.50 crowns and never expires.\n"
    "Anchors are not allowed in the inner harbour, which the guide calls “the quiet basin” – for good reasons.\n"
)
WORDS = st.sampled_from(
    [
        "the", "a", "horn", "harbour", "must", "not", "never", "15", "7.50", "minutes", "permit", "**bold**", "`code`",
        "“quoted”", "…", "...", "[...]", ",", ".", "\n", "no-\nbreak", "ORB-1", "ﬁn",
    ]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=80), st.lists(WORDS, max_size=40).map(" ".join))


def found(quote: str, text: str = TEXT) -> list[tuple[str, str]]:
    return [(each.match, each.span.of(text)) for each in find(Quote(quote), Page(text))]


def test_character_for_character() -> None:
    assert found("must carry a horn") == [("exact", "must carry a horn")]
    assert found("  must carry a horn\n") == [("exact", "must carry a horn")]


def test_another_typography_is_shown_as_the_source_has_it() -> None:
    assert found('calls "the quiet basin" - for good') == [("normalised", "calls “the quiet basin” – for good")]
    assert found("need not do so. The harbour office") == [("normalised", "need not do so.\nThe harbour office")]
    assert found("MUST carry a horn") == [("normalised", "must carry a horn")]


@pytest.mark.parametrize(
    "quote",
    [
        "The harbour ofice issues a permit within 15 minutes",
        "Harbour office issues a permit within 15 minutes; it costs 7.50 crowns, and never expires",
        "Boats of any size must carry horn at night, although small boats",
    ],
)
def test_slips_and_weightless_words(quote: str) -> None:
    assert [match for match, _ in found(quote)] == ["similar"]


@pytest.mark.parametrize(
    "quote",
    [
        "The harbour office issues a permit within 50 minutes",
        "The harbour office issues a permit within 15 hours",
        "The harbour office issues a permit within 15 minutes; it costs 7.55 crowns",
        "Boats of any size may carry a horn at night",
        "Boats of some size must carry a horn at night",
        "Boats of any size must not carry a horn at night",
        "Anchors are allowed in the inner harbour",
        "Anchors are not allowed in the outer harbour",
        "The harbour office refuses a permit within 15 minutes",
        "Ships of any size must carry a horn at night",
    ],
)
def test_nothing_that_counts_may_differ(quote: str) -> None:
    assert found(quote) == []


@pytest.mark.parametrize("quote", ["", "  ", "...", "**", "the", "of the", "15", "horn", "a of"])
def test_what_proves_nothing_is_not_looked_for(quote: str) -> None:
    assert Quote(quote).weakness in ("empty", "too-short")
    assert found(quote, f"{TEXT} {quote} ") == []


@pytest.mark.parametrize("quote", ["ORB-1410", "client_credentials", "15 minutes"])
def test_a_telling_word_is_enough(quote: str) -> None:
    assert [match for match, _ in found(quote, f"It is {quote}.")] == ["exact"]


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("5 minutes", "It takes 15 minutes."),
        ("5 minutes", "It takes 1.5 minutes."),
        ("5 degrees", "It has -5 degrees."),
        ("holds 3", "It holds 3.5 litres."),
        ("port the goods", "They export the goods."),
        ("the credit", "the credits"),
        ("is 1.5", "It is 1.5.2 now"),
    ],
)
def test_no_word_or_number_is_cut(quote: str, text: str) -> None:
    assert found(quote, text) == []


def test_an_end_of_sentence_is_no_part_of_a_number() -> None:
    assert is_whole("It is 3. Then", 0, 7)
    assert found("It is 3", "It is 3.") == [("exact", "It is 3")]


def test_an_ellipsis_parts_a_quote() -> None:
    text = "Boats of any size must carry a horn at night"
    for dots in ("…", "...", "[...]", "(…)", "[…]"):
        quote = Quote(f"Boats of any size {dots} at night")
        (place,) = find(quote, Page(TEXT))
        assert (place.match, place.span.of(TEXT)) == ("ellipsis", text)
        assert [piece.of(TEXT) for piece in place.pieces] == ["Boats of any size", "at night"]


@pytest.mark.parametrize(
    "quote",
    [
        "Anchors are … allowed in the inner harbour",
        "Boats of any size must carry … need not do so",
        "a permit within 15 minutes … Boats of any size",
        "Boats of any size … never heard of",
        "Boats of any size … the",
        "the … of",
        "Boats of any size … a permit within 15 minutes",
    ],
)
def test_an_ellipsis_swallows_nothing_that_turns_the_meaning(quote: str) -> None:
    assert found(quote) == []


def test_parts_stand_near_each_other() -> None:
    text = f"Boats carry a horn. {'It is wet. ' * 100} The guide is old."
    assert found("Boats carry a horn … The guide is old", text) == []


def test_a_quote_may_hold_the_dots_themselves() -> None:
    text = "Wait for it ... and then go to the other side"
    assert [match for match, _ in found("Wait for it ... and then go", text)] == ["exact"]
    assert [match for match, _ in found("Wait for it... and tehn go to the other side of it", f"{text} of it")] == []


@pytest.mark.parametrize(
    ("omitted", "expected"),
    [(" not ", True), (" but ", True), (" außer sonntags ", True), (" only ", True), (" green and tall ", False)],
)
def test_what_turns_the_meaning(omitted: str, expected: bool) -> None:
    assert turns(flat(omitted)) is expected


def test_all_places_are_told_up_to_a_limit() -> None:
    assert len(found("carry a horn", "They carry a horn. " * 3)) == 3
    assert len(found("carry a horn", "They carry a horn. " * 100)) == 8


@given(TEXTS, TEXTS, st.data())
def test_a_span_says_what_the_quote_says(text: str, other: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    piece = text[start : data.draw(st.integers(start, len(text)))]
    page = Page(text)
    for quote in (piece, flat(piece), piece.upper(), piece.replace(" ", "\n"), other):
        for place in find(Quote(quote), page):
            assert 0 <= place.span.start < place.span.end <= len(text)
            assert all(place.span.contains(each) for each in place.pieces)
            if place.match == "exact":
                assert place.span.of(text) == quote.strip()
            if place.match == "normalised":
                assert flat(place.span.of(text)) == flat(quote)


@given(
    st.lists(
        st.sampled_from(["Alle", "Boote", "brauchen", "am", "Abend", "ein", "Horn", "und", "15", "Liter", "Wasser"]),
        min_size=4,
    )
)
def test_a_stretch_of_the_text_is_always_found(words: list[str]) -> None:
    text = " ".join(words)
    assume(not Quote(text).weakness)
    assert find(Quote(text), Page(f"Vorher. {text} danach."))


HOSTILE = ["the cat ", "ab ", "a", "15 ", "… ", "not "]


@pytest.mark.parametrize("piece", HOSTILE)
@pytest.mark.parametrize("quoted", ["the cat sat ", "ab ab ac ", "a", "the cat … "])
def test_cost_is_linear_in_hostile_texts(piece: str, quoted: str) -> None:
    def cost(characters: int) -> float:
        page = Page(piece * (characters // len(piece)))
        quote = Quote((quoted * 2000)[:2000])
        start = time.process_time()
        find(quote, page)
        return time.process_time() - start

    cost(1000)
    assert cost(400_000) < 12 * max(cost(100_000), 0.03)
