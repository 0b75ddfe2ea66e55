"""Sums of counts are used only where they are the count of the whole."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite import catalogue
from pincite.chunk.atoms import Atom
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


def atoms_of(text: str, bounds: list[int], counts: RangeCounts) -> list[Atom]:
    """The ranges between the bounds that are not blank; blank ones are left out, as the cutter does."""
    result = []
    for begin, stop in pairwise(bounds):
        start, end = graphemes.trim(text, begin, stop)
        if start < end:
            result.append(Atom(begin, start, end, stop, counts.count(begin, stop), 100))
    return result


@given(
    texts,
    st.lists(st.integers(0, 200), max_size=8),
    st.sampled_from(("", "A > B")),
    st.sampled_from(catalogue.names("counter")),
)
def test_a_row_counts_what_its_text_counts(text: str, cuts: list[int], prefix: str, counter_name: str) -> None:
    counter = catalogue.create("counter", counter_name)
    counts = RangeCounts(text, counter)
    borders = sorted({0, len(text), *(graphemes.border_before(text, cut % (len(text) + 1)) for cut in cuts)})
    atoms = atoms_of(text, borders, counts)
    before = counter.count(f"{prefix}\n\n") if prefix else 0
    for first in range(len(atoms)):
        for last in range(first, len(atoms)):
            row = atoms[first : last + 1]
            whole = text[row[0].start : row[-1].end]
            embedded = f"{prefix}\n\n{whole}" if prefix else whole
            assert counts.embedded(prefix, before, row) == counter.count(embedded)


def test_paragraphs_are_added_up_without_counting_them_again() -> None:
    text = "Boats row slowly.\n\nOars are long; they are made of ash.\n\n- one\n- two\n"
    counts = RangeCounts(text, TokenCounter())
    atoms = atoms_of(text, [0, 19, 57, len(text)], counts)
    assert counts.row(atoms) == TokenCounter().count(text.rstrip())


def test_an_indented_start_is_counted_without_its_blanks() -> None:
    text = "a\n    - deep\n    - deeper\n"
    counts = RangeCounts(text, TokenCounter())
    atoms = atoms_of(text, [0, 2, 13, len(text)], counts)
    assert counts.row(atoms[1:]) == TokenCounter().count("- deep\n    - deeper")
    assert counts.row(atoms[1:2]) is None


def test_a_gap_and_a_slash_prove_nothing() -> None:
    text = "one\n\ntwo!\n\n/// three\n"
    counts = RangeCounts(text, TokenCounter())
    atoms = atoms_of(text, [0, 5, 11, len(text)], counts)
    assert counts.row(atoms[:2]) is not None
    assert counts.row([atoms[0], atoms[2]]) is None
    assert counts.row(atoms[1:]) is None


def test_text_over_the_piece_size_is_counted_whole() -> None:
    text = "x" * PIECE_CHARACTERS + "\n\nend"
    counts = RangeCounts(text, TokenCounter())
    atoms = atoms_of(text, [0, PIECE_CHARACTERS + 2, len(text)], counts)
    assert counts.embedded("", 0, atoms) == TokenCounter().count(text)


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
    counts = RangeCounts(text, PairCounter())
    atoms = atoms_of(text, [0, 5, 10, 13], counts)
    assert counts.embedded("", 0, atoms) == 7
    assert not counts.surely_over(0, 13, 1)


@given(st.text(alphabet=st.sampled_from("ab /!\x1c\n\r.\u3000é漢"), max_size=80), st.integers(1, 12))
def test_what_is_surely_over_is_over(text: str, limit: int) -> None:
    counts = RangeCounts(text, TokenCounter())
    if counts.surely_over(0, len(text), limit):
        assert TokenCounter().count(text) > limit


def test_many_words_are_surely_over() -> None:
    assert RangeCounts("row " * 100, TokenCounter()).surely_over(0, 400, 90)
    assert not RangeCounts("row " * 100, TokenCounter()).surely_over(0, 400, 120)


def test_many_tokens_deep_inside_are_surely_over_without_counting_again() -> None:
    text = "漢字" * 400
    counts = RangeCounts(text, TokenCounter())
    assert not counts.surely_over(0, 800, 100)
    assert counts.surely_over(0, 800, 100, deep=True)
    assert not counts.surely_over(100, 300, 90, deep=True)
    letters = RangeCounts("ab" * 400, catalogue.create("counter", "characters"))
    assert letters.surely_over(0, 800, 100, deep=True)


@pytest.mark.parametrize("end", ["", ".", "!?)", "'", "s'", "…", "。", " 3.", "/", ").", "e\u0301", "x/y"])
@pytest.mark.parametrize("blanks", ["\n", "\n\n", " \n", "  ", "\r\n\r\n", "\u3000\n"])
def test_blanks_at_the_end_are_taken_off_exactly(end: str, blanks: str) -> None:
    text = f"Two boats row{end}{blanks}"
    for name in catalogue.names("counter"):
        counter = catalogue.create("counter", name)
        counts = RangeCounts(text, counter)
        stop, last = len(text), len(text.rstrip())
        expected = counter.count(text[:last])
        assert counts.without_end(0, 0, last, stop, counter.count(text)) == expected
        assert counts.trimmed(0, 0, last, stop, counter.count(text)) == expected


@given(texts, texts)
def test_what_stands_in_front_is_taken_off_exactly(before: str, text: str) -> None:
    whole = f"{before} {text}".rstrip()
    start, _ = graphemes.trim(whole, 0, len(whole))
    counts = RangeCounts(whole, TokenCounter())
    lead = counts.lead(0, start, len(whole), len(whole), TokenCounter().count(whole))
    assert lead == TokenCounter().count(whole[start:]) - TokenCounter().count(whole)


def test_a_size_is_guessed_by_what_was_met() -> None:
    counts = RangeCounts("row " * 100, TokenCounter())
    assert counts.likely(0, 400) == 100
    counts.learn(396, 199)
    assert counts.likely(0, 400) == 200


def test_tiles_tell_what_they_make_up() -> None:
    text = "One.\n\nTwo!\n\nThree?\n"
    counts = RangeCounts(text, TokenCounter())
    atoms = atoms_of(text, [0, 6, 12, len(text)], counts)
    assert counts.tiled(atoms, 0, len(text)) == TokenCounter().count(text)
    assert counts.tiled(atoms[1:], 0, len(text)) is None
    assert counts.tiled(atoms[:2], 0, len(text)) is None
    assert counts.tiled(atoms_of(text, [0, 2, len(text)], counts), 0, len(text)) is None
    assert RangeCounts(text, PairCounter()).tiled(atoms, 0, len(text)) is None
