"""Strategies as they are written on the command line."""

from __future__ import annotations

import pytest

from pincite.cli.strategy import strategy_of, strategy_options
from pincite.errors import UnknownNameError, UsageError


def test_name_and_options() -> None:
    assert strategy_of("structure").options == {}
    chosen = strategy_of("tokens:max_tokens=20,overlap_tokens=5,counter=words")
    assert chosen.options == {"max_tokens": 20, "overlap_tokens": 5, "counter": "words"}
    assert chosen.label == "tokens:max_tokens=20,overlap_tokens=5,counter=words"
    assert (chosen.unit, strategy_of("characters").unit) == ("words", "characters")


def test_a_value_may_have_commas_and_colons(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    monkeypatch.setattr("pincite.catalogue.create", lambda *given: made.append(given))
    assert strategy_of('x:kept={"code":1.5,"table":2},names=["a","b"],note=a,b').label == (
        'x:kept={"code":1.5,"table":2},names=["a","b"],note=a,b'
    )
    assert made == [("chunk", "x", {"kept": {"code": 1.5, "table": 2}, "names": ["a", "b"], "note": "a,b"})]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("tokens:", "no option follows 'tokens:'"),
        ("tokens:max_tokens", "'max_tokens' of 'tokens' has no value"),
        ("tokens:=3", "'=3' of 'tokens' has no value"),
        ("tokens:size=3", "no option 'size'. It has: max_tokens"),
        ("tokens:max_tokens=many", "It takes a whole number"),
        ("tokens:max_tokens=0", "max_tokens is at least 1"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(written: str, said: str) -> None:
    with pytest.raises(UsageError) as raised:
        strategy_of(written)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_an_unknown_name_lists_the_known_ones() -> None:
    for written in ("", "nope", "nope:max_tokens=3"):
        with pytest.raises(UnknownNameError, match="There are: structure"):
            strategy_of(written)


def test_options_are_json_where_they_are_json() -> None:
    given = ["a=1", "b=true", 'c=["x"]', "d=word", "e=x=y"]
    expected = {"a": 1, "b": True, "c": ["x"], "d": "word", "e": "x=y", "max_tokens": 5}
    assert strategy_options(given, max_tokens=5, counter=None) == expected
    with pytest.raises(UsageError, match="NAME=VALUE"):
        strategy_options(["a"])
