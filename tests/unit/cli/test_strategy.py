"""Strategies as they are written on the command line."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from pincite.cli.strategy import strategy, strategy_of, strategy_options, written
from pincite.errors import UnknownNameError, UsageError


def test_name_and_options() -> None:
    assert strategy_of("structure").options == {}
    chosen = strategy_of("tokens:max_tokens=20,overlap_tokens=5,counter=words")
    assert chosen.options == {"max_tokens": 20, "overlap_tokens": 5, "counter": "words"}
    assert chosen.label == "tokens:max_tokens=20,overlap_tokens=5,counter=words"
    assert (chosen.unit, strategy_of("characters").unit) == ("words", "characters")


@pytest.mark.parametrize(
    "options",
    [
        {"keep_whole": {"code": 1.5, "table": 2}, "max_tokens": 9},
        {"max_tokens": 9, "keep_whole": {"code": 1.5}},
        {"counter": "words", "keep_whole": None},
    ],
)
def test_a_label_is_read_back(options: dict[str, Any]) -> None:
    made = strategy("structure", options)
    assert strategy_of(made.label).options == options


@pytest.mark.parametrize(
    "separators", [["a", "b"], [",", "max_tokens=3"], ["x,max_tokens=3", '"]', ",keep=1"], ["}", "\\", "漢,a=b"], []]
)
def test_a_value_may_have_commas_colons_and_equals_signs(separators: list[str]) -> None:
    written = f"recursive:separators={json.dumps(separators)},max_tokens=5,counter=words"
    assert strategy_of(written).options == {"separators": separators, "max_tokens": 5, "counter": "words"}
    assert strategy_of(strategy_of(written).label).options == strategy_of(written).options


def test_text_that_looks_like_another_value_or_option_is_written_in_quotes() -> None:
    for value in ("5", "null", "true", "a,b=c", '"quoted"', "[", "漢", "a,b", "x=y"):
        said = written(value)
        assert strategy_options([f"name={said}"]) == {"name": value}
    with pytest.raises(UnknownNameError, match="a,b"):
        strategy_of("tokens:counter=a,b")
    with pytest.raises(UsageError, match=re.escape("'[1,2'")):
        strategy_of("tokens:counter=words,max_tokens=[1,2")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("tokens:", "no option follows 'tokens:'"),
        ("tokens:max_tokens", "'max_tokens' of 'tokens' has no value"),
        ("tokens:=3", "'=3' of 'tokens' has no value"),
        ("tokens:size=3", "no option 'size'. It has: max_tokens"),
        ("tokens:max_tokens=many", "It takes a whole number"),
        ("tokens:max_tokens=0", "max_tokens is at least 1"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(given: str, said: str) -> None:
    with pytest.raises(UsageError) as raised:
        strategy_of(given)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_an_unknown_name_lists_the_known_ones() -> None:
    for given in ("", "nope", "nope:max_tokens=3"):
        with pytest.raises(UnknownNameError, match="There are: structure"):
            strategy_of(given)


def test_options_are_json_where_they_are_json() -> None:
    given = ["a=1", "b=true", 'c=["x"]', "d=word", "e=x=y"]
    expected = {"a": 1, "b": True, "c": ["x"], "d": "word", "e": "x=y", "max_tokens": 5}
    assert strategy_options(given, max_tokens=5, counter=None) == expected
    with pytest.raises(UsageError, match="NAME=VALUE"):
        strategy_options(["a"])
