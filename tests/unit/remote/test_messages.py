"""What of a server's words may stand in a message."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.remote.messages import SHOWN_CHARACTERS, keys_in_environment, shown, without_keys
from pincite.remote.model_failures import redacted
from pincite.remote.model_failures import shown as shown_of_a_model

KEY = "sk-secret"


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("bad \x1b[31mred\x1b[0m key", "bad red key"),
        ("\x1b]0;owned\x07 title", "title"),
        ("\x1b]8;;http://127.0.0.1/\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x9b31mred\x9d0;owned\x9c!", "red!"),
        ("\x1bPq#0;2\x1b\\sixel", "sixel"),
        ("\x1bc reset \x1b(B set", "reset set"),
        ("cut off \x1b[3", "cut off"),
        ("cut off \x1b]0;ow", "cut off"),
        ("\x1b[\x1b[31m31mnested", "31mnested"),
        ("one\r\ntwo\tthree\0four", "one two three four"),
        ("right\u202eleft", "rightleft"),
    ],
)
def test_nothing_steers_the_terminal(said: str, expected: str) -> None:
    assert shown(said, []) == expected


@pytest.mark.parametrize("said", [KEY, "sk-\x1b[0msecret", "sk-\u200bsecret", "s\u00adk-secret", f"x{KEY}y"])
def test_a_key_is_taken_out_however_it_is_broken_up(said: str) -> None:
    assert shown(f"key {said} is bad", [KEY]).replace("x***y", "***") == "key *** is bad"


@pytest.mark.parametrize("key", ["k", "abc", "pass1", "a-b_c", "1234567", "a.c"])
def test_short_keys_are_taken_out_where_they_stand_alone(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", f" {key} ")
    said = f'invalid "{key}", Bearer {key}: x{key}x stays'
    assert shown_of_a_model(said) == f'invalid "***", Bearer ***: x{key}x stays'
    assert keys_in_environment() == [key]


def test_an_answer_keeps_what_is_a_short_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCAL_API_KEY", "none")
    monkeypatch.setenv("OTHER_API_KEY", KEY)
    assert redacted(f"There is none; {KEY}.") == "There is none; ***."


def test_of_keys_inside_each_other_the_longest_goes_first() -> None:
    assert without_keys(f"{KEY}-more", [KEY, f"{KEY}-more", ""]) == "***"


@given(st.text(alphabet=st.sampled_from("a;0[]m?\x1b\x9b\x9d\x9c\x07\\\n \u200bPk1"), max_size=60), st.booleans())
def test_any_words_are_short_printable_and_without_the_key(said: str, twice: bool) -> None:
    text = shown(said * (20 if twice else 1), ["k1a"])
    assert text.isprintable()
    assert len(text) <= SHOWN_CHARACTERS + 1
    assert without_keys(text, ["k1a"]) == text
