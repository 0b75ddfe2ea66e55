"""Addresses and keys."""

from __future__ import annotations

from typing import Any

import pytest

from pincite.errors import UsageError
from pincite.remote.server import OPENAI_URL, Server


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("", "is an address such as"),
        ("localhost:8080", "is an address such as"),
        ("ftp://host/v1", "is an address such as"),
        ("file:///etc/passwd", "is an address such as"),
        ("http://", "is an address such as"),
        ("http://host:0/", "is an address such as"),
        ("http://host:99999/", "is no address"),
        ("http://[::1/v1", "is no address"),
        ("https://user:secret@host/v1", "has a name or password in it"),
        ("https://host/v1?key=secret", "has no query"),
        ("https://host/v1#x", "has no query"),
    ],
)
def test_wrong_addresses(url: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem) as caught:
        Server(base_url=url)
    assert "secret" not in str(caught.value)


def test_key_in_the_place_of_its_name_is_not_shown() -> None:
    with pytest.raises(ValueError, match="ends in _API_KEY") as caught:
        Server(api_key_variable="sk-secret")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("name", ["AWS_SECRET_ACCESS_KEY", "HOME", "_API_KEY", "x_API_KEY", "A_API_KEY "])
def test_only_variables_of_keys_are_read(name: str) -> None:
    with pytest.raises(ValueError, match="ends in _API_KEY"):
        Server(api_key_variable=name)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("attempts", 0),
        ("timeout_s", 0),
        ("timeout_s", float("nan")),
        ("first_wait_s", -1),
        ("longest_wait_s", float("inf")),
        ("requests_per_minute", 0),
        ("tokens_per_minute", -3),
    ],
)
def test_impossible_figures(option: str, value: Any) -> None:
    with pytest.raises(ValueError, match=option):
        Server(**{option: value})


def test_openai_gets_its_own_key_and_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", " sk-one\n")
    monkeypatch.setenv("OTHER_API_KEY", "two")
    assert Server().key() == "sk-one"
    assert Server(base_url=OPENAI_URL + "/").key() == "sk-one"
    assert Server(base_url="https://example.com/v1").key() == ""
    assert Server(base_url="https://example.com/v1", api_key_variable="OTHER_API_KEY").key() == "two"
    assert "sk-one" not in repr(Server())


def test_missing_and_broken_keys_say_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        UsageError, match=r"OPENAI_API_KEY is not set\. Set OPENAI_API_KEY, or .*: pincite --env-file FILE"
    ):
        Server().key()
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret\nX-Header: 1")
    with pytest.raises(UsageError, match="has blanks or signs") as caught:
        Server().key()
    assert "secret" not in str(caught.value)
