"""A strategy and its options as they are given to commands."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pincite.engine.strategy import Strategy, read_value, strategy, strategy_of, written
from pincite.errors import UsageError

__all__ = ["Strategy", "strategy", "strategy_of", "strategy_options", "written"]


def strategy_options(given: Iterable[str] | None, **named: Any) -> dict[str, Any]:
    """The options of a strategy from the command line; a value is read as JSON where it is JSON, else as text."""
    options = {name: value for name, value in named.items() if value is not None}
    for pair in given or ():
        name, equals, value = pair.partition("=")
        if not equals:
            raise UsageError(f"--option {pair!r} has no value", cure="Write --option NAME=VALUE.")
        options[name] = read_value(value)
    return options
