"""Borders at separators, against all occurrences that a pattern finds."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.chunk.packer import Listed, Separated, may_cut, separated

SEPARATORS = ("\n\n", "\n", " ", "aa", "aba", "abab", "\r\n", "\u0301")


def expected(text: str, separator: str, start: int, end: int, *, behind: bool) -> list[int]:
    """The places strictly inside the range, by one pass from its start."""
    found = re.compile(re.escape(separator)).finditer(text, start, end)
    return [place for match in found if start < (place := match.end() if behind else match.start()) < end]


@given(st.text(alphabet="ab\n\r \u0301", max_size=40), st.sampled_from(SEPARATORS), st.booleans(), st.data())
def test_separators_are_found_where_a_pass_from_the_left_finds_them(
    text: str, separator: str, behind: bool, data: st.DataObject
) -> None:
    start, end = sorted((data.draw(st.integers(0, len(text))), data.draw(st.integers(0, len(text)))))
    places = expected(text, separator, start, end, behind=behind)
    borders = separated(text, separator, behind=behind)(start, end)
    cutting = [place for place in places if may_cut(text, place, start)]
    if not cutting:
        assert borders is None
        return
    assert isinstance(borders, Separated)
    reference = Listed(text, places, end)
    for known in [start, *cutting]:
        for reach in range(known, end):
            assert borders.last(known, reach) == reference.last(known, reach)
        for lowest in range(known + 1, end + 1):
            assert borders.first(lowest, known) == reference.first(lowest, known)


@pytest.mark.parametrize("behind", [False, True])
def test_a_long_run_of_one_character_is_cut_where_pairs_of_it_meet(behind: bool) -> None:
    text = "a" + "\n" * 200_001 + "a"
    borders = separated(text, "\n\n", behind=behind)(0, len(text))
    assert borders
    assert borders.last(0, 1_000) == 999
    assert borders.first(1_000, 999) == 1_001
