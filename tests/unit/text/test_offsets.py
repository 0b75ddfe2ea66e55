import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.offsets import Edit, OffsetMap, code_point_offsets, line_at, line_starts


@pytest.mark.parametrize(
    ("text", "asked", "expected"),
    [
        ("", [], {}),
        ("", [0], {0: 0}),
        ("plain", [5, 0, 5, 2], {0: 0, 2: 2, 5: 5}),
        ("né", [0, 1, 3], {0: 0, 1: 1, 3: 2}),
        ("漢字", [6, 3], {3: 1, 6: 2}),
        ("😀\r\n\x00", [4, 6, 7], {4: 1, 6: 3, 7: 4}),
    ],
)
def test_byte_offsets_become_code_point_offsets(text: str, asked: list[int], expected: dict[int, int]) -> None:
    assert code_point_offsets(text.encode(), asked) == expected


@pytest.mark.parametrize("offset", [-1, 4, 1])
def test_a_byte_offset_that_points_at_nothing_is_an_error(offset: int) -> None:
    with pytest.raises(ValueError, match="byte"):
        code_point_offsets("é!".encode(), [offset])


def test_an_ascii_text_has_a_last_offset_too() -> None:
    with pytest.raises(ValueError, match=r"must lie in \[0, 2\], got 0 to 3"):
        code_point_offsets(b"ab", [0, 3])


def test_cost_of_offsets_is_linear() -> None:
    encoded = "漢".encode() * 500_000
    before = time.process_time()
    found = code_point_offsets(encoded, range(0, len(encoded) + 1, 3))
    assert found[len(encoded)] == 500_000
    assert time.process_time() - before < 5


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("", [0]),
        ("one", [0]),
        ("one\n", [0, 4]),
        ("\n\n", [0, 1, 2]),
        ("a\r\nb\rc\nd", [0, 3, 5, 7]),
        ("\n\r", [0, 1, 2]),
        ("a\x0bb\x0cc\x1cd\x85e\u2028f\u2029g", [0]),
    ],
)
def test_lines_end_as_in_an_editor(text: str, starts: list[int]) -> None:
    assert line_starts(text) == starts


def test_line_numbers_count_from_one() -> None:
    starts = line_starts("a\r\n\nbc")
    assert [line_at(starts, offset) for offset in range(7)] == [1, 1, 1, 2, 3, 3, 3]


@st.composite
def edits(draw: st.DrawFn) -> tuple[Edit, ...]:
    made = []
    end = 0
    for _ in range(draw(st.integers(0, 6))):
        start = end + draw(st.integers(0, 4))
        end = start + draw(st.integers(1, 4))
        made.append(Edit(start, end, draw(st.integers(0, 6))))
    return tuple(made)


def edited(text: str, made: tuple[Edit, ...]) -> str:
    """The text after the edits, each of which writes dots."""
    pieces, position = [], 0
    for edit in made:
        pieces += [text[position : edit.start], "." * edit.length]
        position = edit.end
    return "".join([*pieces, text[position:]])


LETTERS = "".join(map(chr, range(0x4E00, 0x4E40)))
"""Longer than any edit here reaches, and each character once."""


@given(made=edits())
def test_there_and_back_is_the_identity_on_kept_characters(made: tuple[Edit, ...]) -> None:
    offsets, new = OffsetMap(made), edited(LETTERS, made)
    for old_offset, letter in enumerate(LETTERS):
        if letter in new:
            assert new[offsets.there(old_offset)] == letter
            assert offsets.back(offsets.there(old_offset)) == old_offset
    for new_offset, letter in enumerate(new):
        if letter != ".":
            assert LETTERS[offsets.back(new_offset)] == letter
    assert offsets.there(len(LETTERS)) == len(new)
    assert offsets.back(len(new)) == len(LETTERS)


@given(made=edits())
def test_both_ways_are_monotone(made: tuple[Edit, ...]) -> None:
    offsets = OffsetMap(made)
    there = [offsets.there(offset) for offset in range(len(LETTERS))]
    back = [offsets.back(offset) for offset in range(len(LETTERS))]
    assert there == sorted(there)
    assert back == sorted(back)
    assert min(*there, *back) >= 0


def test_inside_an_edit_both_ways_lead_to_its_beginning() -> None:
    offsets = OffsetMap((Edit(2, 5, 3), Edit(7, 8, 0)))
    assert [offsets.there(offset) for offset in range(9)] == [0, 1, 2, 2, 2, 5, 6, 7, 7]
    assert [offsets.back(offset) for offset in range(8)] == [0, 1, 2, 2, 2, 5, 6, 8]


@pytest.mark.parametrize(
    "made", [(Edit(3, 3, 1),), (Edit(0, 1, -1),), (Edit(-1, 1, 0),), (Edit(2, 4, 0), Edit(3, 5, 0))]
)
def test_edits_that_cannot_be_are_refused(made: tuple[Edit, ...]) -> None:
    with pytest.raises(ValueError, match="edit"):
        OffsetMap(made)
