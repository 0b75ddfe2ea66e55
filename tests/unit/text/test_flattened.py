"""The flat text of a text, and the way back."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.flattened import flat, flatten

PIECES = st.sampled_from(
    [
        " ", "\n", "\u00a0", "**", "*", "_", "`", "# ", "> ", "- ", "-", "–", "“", "’", "ﬁ", "ß", "İ", "Σ", "…",
        "\u00ad", "|",
        "\u200b", "e\u0301", "[a](b)", "<br>", "<b>", "word", "Not", "15", "3.0", "ORB-1410", "|---|", "\\_", "漢字",
        "👩\u200d🌾",
    ]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=30).map("".join))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("two  blanks\nand a line", "two blanks and a line"),
        ("no\u00a0break\u202fblank", "no break blank"),
        ("“quoted” ‘so’ „hier“ «là»", '"quoted" \'so\' "hier" "là"'),
        ("a – b — c ‑ d", "a - b - c - d"),
        ("ofﬁce ﬂoor", "office floor"),
        ("Ver\u00adtrag", "Vertrag"),
        ("a con-\ntract of em-\n  ployment", "a contract of employment"),
        ("a well-known name", "a wellknown name"),
        ("**bold**, *slanted*, `code`, ~~gone~~", "bold, slanted, code, gone"),
        ("# Heading", "heading"),
        ("> quoted\n> lines", "quoted lines"),
        ("- item\n- other", "item other"),
        ("see [the page](a/b.md#c) now", "see the page now"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "a b 1 2"),
        ("one<br>two <b>three</b>", "one two three"),
        ("`security`-object", "security-object"),
        ("Straße STRASSE", "strasse strasse"),
        ("cafe\u0301", "café"),
        ("wait…", "wait..."),
        ("ＡＢＣ", "abc"),
        (r"snake\_case", "snake_case"),
    ],
)
def test_what_only_typography_makes_is_the_same(one: str, other: str) -> None:
    assert flat(one) == flat(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ORB-1410", "ORB1410"),
        ("15 minutes", "1 5 minutes"),
        ("10²", "102"),
        ("3.0", "30"),
        ("-5 °C", "5 °C"),
        ("- 5 °C", "5 °C"),
        ("snake_case", "snakecase"),
        ("2 * 3", "2 3"),
        ("a > b", "a b"),
        ("C# code", "C code"),
        ("<device>", "<gateway>"),
        ("nicht", "nichts"),
    ],
)
def test_what_tells_things_apart_stays(one: str, other: str) -> None:
    assert flat(one) != flat(other)


def test_the_way_back_covers_what_was_replaced() -> None:
    text = "An ofﬁce\u00a0 of **five** peo-\nple."
    flattened = flatten(text)
    for said, stands in (("office", "ofﬁce"), ("of five", "of **five"), ("people", "peo-\nple"), ("fi", "ﬁ")):
        at = flattened.text.index(said)
        assert flattened.span(at, at + len(said)).of(text) == stands


def test_an_empty_text_is_flat() -> None:
    assert flatten("").text == ""


@given(TEXTS)
def test_every_range_has_a_span_in_the_text(text: str) -> None:
    flattened = flatten(text)
    assert flattened.text == flattened.text.translate({0xA0: " "})
    last = 0
    for at in range(len(flattened.text)):
        span = flattened.span(at, at + 1)
        assert 0 <= span.start < span.end <= len(text)
        assert span.start >= last
        last = span.start


@given(TEXTS)
def test_flat_text_has_no_typography_of_its_own(text: str) -> None:
    assert not set(flat(text)) & set("\u00a0\u00ad“”‘’–—\n\t")


@pytest.mark.parametrize("piece", ["\n   ", "- ", "[", "*", "a-", "<b", "\n> > >", "| --- ", "](", "e\u0301", "\u00ad"])
def test_cost_is_linear_in_hostile_texts(piece: str) -> None:
    def cost(characters: int) -> float:
        text = piece * (characters // len(piece))
        start = time.process_time()
        flatten(text)
        return time.process_time() - start

    cost(1000)
    assert cost(400_000) < 12 * max(cost(100_000), 0.02)
