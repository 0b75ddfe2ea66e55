"""Sums of counts are used only where they are the count of the whole."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite import catalogue
from pincite.chunk.atoms import Atom
from pincite.chunk.measure import Measure
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


def atoms_of(text: str, bounds: list[int], measure: Measure) -> list[Atom]:
    """The ranges between the bounds that are not blank; blank ones are left out, as the cutter does."""
    result = []
    for begin, stop in pairwise(bounds):
        start, end = graphemes.trim(text, begin, stop)
        if start < end:
            result.append(Atom(begin, start, end, stop, measure.count(begin, stop), 100))
    return result


@given(
    texts,
    st.lists(st.integers(0, 200), max_size=8),
    st.sampled_from(("", "A > B")),
    st.sampled_from(catalogue.names("counter")),
)
def test_a_row_counts_what_its_text_counts(text: str, cuts: list[int], prefix: str, counter_name: str) -> None:
    counter = catalogue.create("counter", counter_name)
    measure = Measure(text, counter)
    borders = sorted({0, len(text), *(graphemes.border_before(text, cut % (len(text) + 1)) for cut in cuts)})
    atoms = atoms_of(text, borders, measure)
    before = counter.count(f"{prefix}\n\n") if prefix else 0
    for first in range(len(atoms)):
        for last in range(first, len(atoms)):
            row = atoms[first : last + 1]
            whole = text[row[0].start : row[-1].end]
            embedded = f"{prefix}\n\n{whole}" if prefix else whole
            assert measure.embedded(prefix, before, row) == counter.count(embedded)


def test_paragraphs_are_added_up_without_counting_them_again() -> None:
    text = "Boats row slowly.\n\nOars are long; they are made of ash.\n\n- one\n- two\n"
    measure = Measure(text, TokenCounter())
    atoms = atoms_of(text, [0, 19, 57, len(text)], measure)
    assert measure.row(atoms) == TokenCounter().count(text.rstrip())


def test_an_indented_start_is_counted_without_its_blanks() -> None:
    text = "a\n    - deep\n    - deeper\n"
    measure = Measure(text, TokenCounter())
    atoms = atoms_of(text, [0, 2, 13, len(text)], measure)
    assert measure.row(atoms[1:]) == TokenCounter().count("- deep\n    - deeper")
    assert measure.row(atoms[1:2]) is None


def test_a_gap_and_a_slash_prove_nothing() -> None:
    text = "one\n\ntwo!\n\n/// three\n"
    measure = Measure(text, TokenCounter())
    atoms = atoms_of(text, [0, 5, 11, len(text)], measure)
    assert measure.row(atoms[:2]) is not None
    assert measure.row([atoms[0], atoms[2]]) is None
    assert measure.row(atoms[1:]) is None


def test_text_over_the_piece_size_is_counted_whole() -> None:
    text = "x" * PIECE_CHARACTERS + "\n\nend"
    measure = Measure(text, TokenCounter())
    atoms = atoms_of(text, [0, PIECE_CHARACTERS + 2, len(text)], measure)
    assert measure.embedded("", 0, atoms) == TokenCounter().count(text)


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
    measure = Measure(text, PairCounter())
    atoms = atoms_of(text, [0, 5, 10, 13], measure)
    assert measure.embedded("", 0, atoms) == 7
    assert not measure.surely_over(0, 13, 1)


@given(st.text(alphabet=st.sampled_from("ab /!\x1c\n\r.\u3000é漢"), max_size=80), st.integers(1, 12))
def test_what_is_surely_over_is_over(text: str, limit: int) -> None:
    measure = Measure(text, TokenCounter())
    if measure.surely_over(0, len(text), limit):
        assert TokenCounter().count(text) > limit


def test_many_words_are_surely_over() -> None:
    assert Measure("row " * 100, TokenCounter()).surely_over(0, 400, 90)
    assert not Measure("row " * 100, TokenCounter()).surely_over(0, 400, 120)


@pytest.mark.parametrize(("limit", "expected"), [(10, None), (101, 101)])
def test_a_range_far_over_the_limit_is_not_counted(limit: int, expected: int | None) -> None:
    assert Measure("row " * 100, TokenCounter()).whole(0, 400, limit) == expected
    assert Measure("a b c d e f", TokenCounter()).whole(0, 11, 5) is None
