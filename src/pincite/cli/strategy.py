"""A strategy and its options as they are written on the command line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pincite import catalogue
from pincite.errors import UsageError
from pincite.ports import Chunker


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


def strategy_options(given: Iterable[str] | None, **named: Any) -> dict[str, Any]:
    """The options of a strategy from the command line; a value is read as JSON where it is JSON, else as text."""
    options = {name: value for name, value in named.items() if value is not None}
    for pair in given or ():
        name, equals, value = pair.partition("=")
        if not equals:
            raise UsageError(f"--option {pair!r} has no value", cure="Write --option NAME=VALUE.")
        options[name] = _read(value)
    return options


def strategy_of(written: str) -> Strategy:
    """The strategy in ``NAME`` or ``NAME:OPTION=VALUE,OPTION=VALUE``; a comma inside a value is part of it unless an
    option's name and ``=`` follow. Raises ``UsageError``.

    >>> strategy_of("tokens:max_tokens=200,counter=words").options
    {'max_tokens': 200, 'counter': 'words'}
    """
    name, colon, rest = written.partition(":")
    options: dict[str, Any] = {}
    for pair in re.split(r",(?=\w+=)", rest) if colon else ():
        option, equals, value = pair.partition("=")
        if not equals or not option:
            raise UsageError(
                f"the option {pair!r} of {name!r} has no value" if pair else f"no option follows {written!r}",
                cure="Write NAME:OPTION=VALUE, with a comma between options.",
            )
        options[option] = _read(value)
    return strategy(name, options)


def _read(value: str) -> Any:
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def written(value: Any) -> str:
    """The value as it is given on the command line.

    >>> written("words"), written(None), written({"code": 1.5})
    ('words', 'null', '{"code":1.5}')
    """
    if isinstance(value, str):
        return value
    value = dict(value) if isinstance(value, Mapping) else value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
