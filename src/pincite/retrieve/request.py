"""What one search is to find and how it is to be shown."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

from pincite.errors import UsageError
from pincite.model import MODES, Condition, Mode

Expansion = Literal["parent", "neighbours"]
EXPANSIONS: tuple[Expansion, ...] = get_args(Expansion)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """``k`` is how many hits there are at most, ``without`` lists words that a passage must not have.

    ``fold`` joins passages with nearly the same text into one hit. ``budget_tokens`` is how much all hits together may
    take with what is read around them; a passage that does not fit is left out, and smaller ones behind it are not.
    With ``join_tokens`` adjacent chunks that rank high together are one hit of at most so many ``Chunk.tokens``.
    ``min_relevance`` in [0, 1] leaves out what is less relevant. ``said`` is ``where`` as it was written.

    Raises ``UsageError`` for what cannot be.
    """

    query: str
    k: int = 5
    mode: Mode = "hybrid"
    where: Condition | None = None
    said: str = field(default="", compare=False)
    without: tuple[str, ...] = ()
    fold: bool = False
    budget_tokens: int | None = None
    join_tokens: int = 0
    expand: Expansion | None = None
    min_relevance: float = 0.0
    explain: bool = False

    def __post_init__(self) -> None:
        mode_called(self.mode)
        expansion_called(self.expand)
        if not isinstance(self.k, int) or self.k < 1:
            raise UsageError(f"k is the number of hits and at least 1, got {self.k}", cure="Ask for at least one hit.")
        if not self.query.strip():
            raise UsageError("the query is empty", cure="Ask for at least one word.")
        if self.budget_tokens is not None and not (isinstance(self.budget_tokens, int) and self.budget_tokens >= 1):
            raise UsageError(f"the budget is {self.budget_tokens} tokens", cure="Allow at least one token.")
        if not isinstance(self.join_tokens, int) or self.join_tokens < 0:
            raise UsageError(f"hits are joined up to {self.join_tokens} tokens", cure="Give a whole number from 0.")
        if not isinstance(self.min_relevance, (int, float)) or not 0 <= self.min_relevance <= 1:
            raise UsageError(f"the least relevance is {self.min_relevance}", cure="It is a number from 0 to 1.")


def is_text(given: str) -> bool:
    """Whether it can stand anywhere in a collection: bytes of a command line that are no UTF-8 arrive as halves of
    surrogate pairs, which no document, group or value has and no database looks up."""
    return not any("\ud800" <= character <= "\udfff" for character in given)


def mode_called(name: str | None) -> Mode | None:
    """Raises ``UsageError`` for another name than those of the modes."""
    found = next((mode for mode in MODES if mode == name), None)
    if name is not None and found is None:
        raise UsageError(f"no mode is called {name!r}", cure=f"There are: {', '.join(MODES)}.")
    return found


def expansion_called(name: str | None) -> Expansion | None:
    """Raises ``UsageError`` for another name than those of the expansions."""
    found = next((expansion for expansion in EXPANSIONS if expansion == name), None)
    if name is not None and found is None:
        raise UsageError(f"nothing expands by {name!r}", cure=f"There are: {', '.join(EXPANSIONS)}.")
    return found
