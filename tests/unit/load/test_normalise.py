"""What loaders take out of the text that they write, what they change, and the way back."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pincite.load.normalise import LINE_BREAK, normalise, one_line, running, unseen_notices, verbatim

HARD = "ab .\n\r\t\v\x1c\x1f\x85\xa0\xad\0\x07\x92\x81\u200b\u2007\u2009\u2028\u2029\u2060\u3000"
HARD += "\ufeff\ufffc\ufffe\uf0b7\ue000\ud800e\u0301\u200d\u200e\ufe0f😀漢"
texts = st.text(st.one_of(st.sampled_from(HARD), st.characters()), max_size=30)


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("Ver\xadtrag", "Vertrag"),
        ("a\u200bb\u2060c\ufeffd", "abcd"),
        ("f\u2061(x)\u2064\u206ay", "f(x)y"),
        ("a\0b\x07c\x7fd\x81", "abcd"),
        ("\ufdd0\uffffa", "a"),
        ("don\x92t \x93x\x94", "don’t “x”"),
        ("\ud83d!\udc00", "\ufffd!\ufffd"),
        ("10\u202f000\xa0€", "10 000 €"),
        ("\uf0b7 a \ue000", "• a \ue000"),
        ("see \ufffc below", "see below"),
        (" a\t\v\f\x1c\x1f\x85\u2003 b\n", "a b"),
        ("a\u200b \u200b\xa0b", "a b"),
        ("می\u200cخواهم 👩\u200d🌾 \u200fא ❤\ufe0f", "می\u200cخواهم 👩\u200d🌾 \u200fא ❤\ufe0f"),
        ("\xad\0\ufeff", ""),
    ],
)
def test_running_text(text: str, clean: str) -> None:
    assert one_line(text) == running(text) == normalise(text).text == clean


def test_line_breaks_end_lines_and_nothing_else_does() -> None:
    text = f"{LINE_BREAK} one \n{LINE_BREAK}\xad{LINE_BREAK} two{LINE_BREAK}\u200b"
    assert running(text) == normalise(text).text == f"one{LINE_BREAK}two"
    assert one_line(text) == "one two"


def test_code_and_cells_keep_their_white_space() -> None:
    assert verbatim("if x:\r\n\t\xa0 return\xad  1\v\0") == "if x:\r\n\t  return  1\v"
    assert verbatim("漢\u3000字\u2028x") == "漢\u3000字\u2028x"


@given(text=texts)
@example(text=" \u200b ")
@example(text="a\u2028\xa0")
def test_what_is_clean(text: str) -> None:
    for clean in (running(text), verbatim(text)):
        assert running(clean) == running(text)
        assert verbatim(clean) == clean
        assert not re.search(
            "[\0-\x08\x0e-\x1b\x7f\xa0\xad\u200b\u2060\ufeff\ufffc-\uffff\ud800-\udfff]", clean.replace("\ufffd", "")
        )
    assert "  " not in running(text)
    assert running(text) == running(text).strip()
    assert one_line(text) == " ".join(running(text).split(LINE_BREAK))


@given(text=texts)
def test_nothing_that_people_see_is_lost(text: str) -> None:
    seen = [character for character in text if unicodedata.category(character)[0] in "LNPS" and character != "\ufffc"]
    for clean in (running(text), verbatim(text)):
        left = iter(clean)
        assert all(character in left for character in seen)


@given(text=texts)
@example(text="a \n b")
@example(text="\xad \xad")
def test_the_map_leads_there_and_back(text: str) -> None:
    found = normalise(text)
    assert found.text == running(text)
    there = [found.offsets.there(offset) for offset in range(len(text) + 1)]
    back = [found.offsets.back(offset) for offset in range(len(found.text) + 1)]
    assert there == sorted(there)
    assert back == sorted(back)
    assert (there[-1], back[-1] if found.text else len(text)) == (len(found.text), len(text))
    for offset, character in enumerate(found.text):
        assert running(text[back[offset]]) == running(character) or character == LINE_BREAK
        if not character.isspace():
            assert there[back[offset]] == offset


@given(text=texts, cuts=st.lists(st.integers(0, 30), max_size=4))
def test_pieces_of_a_text_map_to_pieces_of_the_clean_one(text: str, cuts: list[int]) -> None:
    found = normalise(text)
    borders = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    pieces = [text[start:end] for start, end in pairwise(borders)]
    mapped = [found.offsets.there(border) for border in borders]
    for piece, (start, end) in zip(pieces, pairwise(mapped), strict=True):
        assert running(found.text[start:end]) == running(piece)


def test_text_formats_are_warned_of() -> None:
    text = "one\xad\n\ufefftwo\r\nthree\0\x07\x07 four\xa0\x1b[0m\f\x1a"
    (notice,) = unseen_notices(text, "a.md")
    assert (notice.kind, notice.file) == ("characters", "a.md")
    assert notice.message == (
        "characters that nobody sees stand in the text: U+0007 (2), U+00AD (1), U+FEFF (1), U+0000 (1); lines 1, 2, 3"
    )
    assert not list(unseen_notices("plain\ttext\xa0\r\n\f", "a.md"))
    (many,) = unseen_notices("\x01\x02\x03\x04\x05\x06\x07", "a.md")
    assert many.message.endswith("and 2 others; line 1")
