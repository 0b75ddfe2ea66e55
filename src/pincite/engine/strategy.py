"""A strategy and its options as they are written in one word: ``tokens:max_tokens=200,counter=words``."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pincite import catalogue
from pincite.errors import UsageError
from pincite.ports import Chunker

OPTION = re.compile(r"(\w+)=")
NEXT_OPTION = re.compile(r",(?=\w+=)")


@dataclass(frozen=True, slots=True)
class Strategy:
    """A chunker and what the user calls it: its name, with the options that were given."""

    name: str
    options: Mapping[str, Any]
    chunker: Chunker

    @property
    def label(self) -> str:
        """As `--diff` reads it: ``tokens:max_tokens=200,counter=words``."""
        given = ",".join(f"{name}={written(value)}" for name, value in self.options.items())
        return f"{self.name}:{given}" if given else self.name

    @property
    def unit(self) -> str:
        """The name of the counter of its chunks' lengths."""
        return str(getattr(self.chunker, "counter", "characters"))


def strategy(name: str, options: Mapping[str, Any]) -> Strategy:
    """Raises ``UsageError`` for an unknown name or a wrong option, before any work."""
    return Strategy(name, options, catalogue.create("chunk", name, options))


def strategy_of(written: str) -> Strategy:
    """The strategy in ``NAME`` or ``NAME:OPTION=VALUE,OPTION=VALUE``. Raises ``UsageError``.

    A value that begins as JSON does (``[``, ``{``, ``"``) ends where that ends; in another one a comma is part of it
    unless an option's name and ``=`` follow.

    >>> strategy_of("tokens:max_tokens=200,counter=words").options
    {'max_tokens': 200, 'counter': 'words'}
    >>> strategy_of('recursive:separators=["a,b=", ","],max_tokens=9').options
    {'separators': ['a,b=', ','], 'max_tokens': 9}
    """
    return strategy(*parsed(written))


def parsed(written: str) -> tuple[str, dict[str, Any]]:
    """The name and the options of ``NAME:OPTION=VALUE,…``, not checked yet. Raises ``UsageError``."""
    name, colon, rest = written.partition(":")
    options: dict[str, Any] = {}
    place = 0 if colon else len(rest) + 1
    while place <= len(rest):
        given = OPTION.match(rest, place)
        if not given:
            pair = NEXT_OPTION.split(rest[place:])[0]
            raise UsageError(
                f"the option {pair!r} of {name!r} has no value" if pair else f"no option follows {written!r}",
                cure="Write NAME:OPTION=VALUE, with a comma between options.",
            )
        end = _value_end(rest, given.end())
        options[given[1]] = read_value(rest[given.end() : end])
        place = end + 1
    return name, options


def _value_end(text: str, start: int) -> int:
    """Where the value that begins there ends: before a comma and the next option, or at the end."""
    if text[start : start + 1] in ("[", "{", '"'):
        try:
            end: int = json.JSONDecoder().raw_decode(text, start)[1]
        except (ValueError, RecursionError):
            end = start
        if end == len(text) or NEXT_OPTION.match(text, end):
            return end
    following = NEXT_OPTION.search(text, start)
    return following.start() if following else len(text)


def read_value(value: str) -> Any:
    """As JSON where it is JSON, else as text."""
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def written(value: Any) -> str:
    """The value as `strategy_of` and ``--option`` read it.

    >>> written("words"), written(None), written({"code": 1.5}), written("5"), written("a,b=c")
    ('words', 'null', '{"code":1.5}', '"5"', '"a,b=c"')
    """
    if isinstance(value, str) and read_value(value) == value and not NEXT_OPTION.search(value):
        return value
    value = dict(value) if isinstance(value, Mapping) else value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
