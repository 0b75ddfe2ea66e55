"""How an answer came about: what was found, what a language model read and wrote, and what was made of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pincite.model.context import Context
from pincite.model.ranking import Ranking

if TYPE_CHECKING:
    from pincite.model.answer import Statement


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One question to a language model, with the retries of its requests, and its answer.

    ``output`` is what the model wrote, word for word; ``statements`` are all that it made, as they were judged, before
    any was dropped; ``problem`` says why the output was of no use, where it was not. Tokens are the server's count, or
    with ``estimated`` ours; ``cost`` is in US dollars, ``None`` where no price is known. ``seconds`` has the waits.
    """

    model: str
    api: str
    instructions: str
    prompt: str
    output: str
    statements: tuple[Statement, ...] = ()
    problem: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    estimated: bool = False
    cost: float | None = None
    attempts: int = 1
    seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        return {
            "model": self.model,
            "api": self.api,
            "instructions": self.instructions,
            "prompt": self.prompt,
            "output": self.output,
            "statements": [statement.to_json() for statement in self.statements],
            "problem": self.problem,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "estimated": self.estimated,
            "cost": self.cost,
            "attempts": self.attempts,
            "seconds": self.seconds,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Exchange:
        from pincite.model.answer import Statement

        statements = tuple(Statement.from_json(statement) for statement in data["statements"])
        return cls(**{**{name: data[name] for name in cls.__slots__}, "statements": statements})


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """``ranking`` is what the search found, ``context`` what of it the model read and what was left out, both ``None``
    where there was no such step; ``seconds`` is the time of all of it."""

    answerer: str
    ranking: Ranking | None = None
    context: Context | None = None
    exchanges: tuple[Exchange, ...] = ()
    seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        return {
            "answerer": self.answerer,
            "ranking": self.ranking.to_json() if self.ranking else None,
            "context": self.context.to_json() if self.context else None,
            "exchanges": [exchange.to_json() for exchange in self.exchanges],
            "seconds": self.seconds,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Trace:
        return cls(
            answerer=data["answerer"],
            ranking=Ranking.from_json(data["ranking"]) if data["ranking"] else None,
            context=Context.from_json(data["context"]) if data["context"] else None,
            exchanges=tuple(Exchange.from_json(exchange) for exchange in data["exchanges"]),
            seconds=data["seconds"],
        )
