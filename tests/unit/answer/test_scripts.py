"""Words that look like another word by letters of another alphabet."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.answer.evidence import Evidence, has_word, terms_of
from pincite.answer.judging import judge
from pincite.answer.quotes import Page, Quote, find
from pincite.answer.scripts import disguised, is_disguised

QUOTE = "An access token is valid for 15 minutes from the start and never longer."
LOOKALIKES = dict(zip("aceopxyijs", "\u0430\u0441\u0435\u043e\u0440\u0445\u0443\u0456\u0458\u0455", strict=True))


def verdict(statement: str, quote: str = QUOTE) -> tuple[str, str]:
    judged = judge(statement, [Evidence(quote=quote, language="en")])
    return judged.verdict, judged.reason


@pytest.mark.parametrize(
    "word",
    [
        "h\u043eurs",
        "h\u03bfurs",
        "t\u043eken",
        "Minut\u0435n",
        "\u0410ccess",
        "\u210eours",
        "h\u1d0furs",
        "\U0001d5f5\U0001d5fc\U0001d602\U0001d5ff\U0001d600",
    ],
)
def test_a_disguised_word_is_told(word: str) -> None:
    assert disguised(f"valid for 15 {word} from then on") == [word]
    assert is_disguised(word)
    assert verdict(f"An access token is valid for 15 {word}.") == ("unsupported", "script")


def test_a_word_of_nothing_but_lookalikes_is_told_among_latin_ones_only() -> None:
    assert disguised("valid for 15 \u043d\u043e\u0443\u0440\u0441") == []  # the first letter is none
    assert disguised("all of the \u0441\u043e\u0440\u0443 is kept") == ["\u0441\u043e\u0440\u0443"]
    assert disguised("\u0432\u0441\u0435 \u0441\u043e\u0440\u0443 \u0442\u0443\u0442") == []


@pytest.mark.parametrize(
    "text",
    [
        "20 \u00b5s, 20 \u03bcm, 5 k\u03a9, 5 k\u2126, \u0394t, \u03b2-Test, \u03b1 and \u03bd, 3 \u212b",
        "Gr\u00f6\u00dfe, \u0141\u00f3d\u017a, na\u00efve, Ti\u1ebfng Vi\u1ec7t",
        "\u0427\u0430\u0441\u044b \u0440\u0430\u0431\u043e\u0442\u044b, IT-\u043e\u0442\u0434\u0435\u043b",
        "\u03a7\u03c1\u03cc\u03bd\u03bf\u03c2 \u03ba\u03b1\u03b9 \u03c4\u03cc\u03c0\u03bf\u03c2",
        "\u6771\u4eac 15 hours",
    ],
)
def test_honest_words_are_no_disguise(text: str) -> None:
    assert disguised(text) == []


def test_what_the_quote_has_itself_is_no_reason_to_refuse() -> None:
    quote = "The t\u043eken is valid for 15 minutes."
    assert verdict(quote, quote)[0] == "verified"
    assert verdict("The token is valid for 15 minutes.", quote)[0] != "verified"


def test_it_is_no_form_of_the_word_that_it_looks_like() -> None:
    assert not has_word("minut\u0435s", terms_of("minutes", "en"), "en")
    assert not has_word("minutes", terms_of("minut\u0435s", "en"), "en")
    assert has_word("minutes", terms_of("minutes", "en"), "en")


def test_a_quote_with_one_stands_nowhere() -> None:
    page = Page(QUOTE)
    assert find(Quote("An access tokken is valid for 15 minutes from the start"), page)
    assert not find(Quote("An access t\u043eken is valid for 15 minutes from the start"), page)


@given(st.sampled_from(QUOTE[:-1].split()), st.sampled_from(sorted(LOOKALIKES)))
def test_no_letter_can_be_exchanged_unseen(word: str, letter: str) -> None:
    other = word.replace(letter, LOOKALIKES[letter])
    statement = QUOTE.replace(f"{word} ", f"{other} ").replace(f"{word}.", f"{other}.")
    if len(word) > 1 and other != word and statement != QUOTE:
        assert verdict(statement) == ("unsupported", "script")
