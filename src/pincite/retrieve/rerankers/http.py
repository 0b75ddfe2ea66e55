"""A reranker behind HTTP: the request that Cohere, Jina, vLLM and llama.cpp's server share, or that of TEI."""

from __future__ import annotations

import math
import re
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pincite.errors import RemoteError
from pincite.model import Notice
from pincite.remote.connection import Connection
from pincite.remote.server import Server
from pincite.remote.together import together

Shape = Literal["documents", "texts"]
BLANK = "."

_SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpReranker:
    """Query and passages go to ``base_url``/``path``; a score per passage comes back, in whatever range the model has.

    ``shape`` is what the server wants and gives: ``documents`` (``{"model", "query", "documents"}``, answered by
    ``{"results": [{"index", "relevance_score"}]}``) or ``texts`` (TEI: ``{"query", "texts"}``, answered by
    ``[{"index", "score"}]``). ``model`` may stay empty where the server has only one. At most ``batch_size`` passages
    go in one request, ``concurrency`` of them at the same time. The other options are those of
    ``remote.server.Server``.
    """

    base_url: str = ""
    model: str = ""
    path: str = "rerank"
    shape: Shape = "documents"
    api_key_variable: str = ""
    batch_size: int = 100
    concurrency: int = 2
    timeout_s: float = 30.0
    attempts: int = 4
    first_wait_s: float = 0.5
    longest_wait_s: float = 20.0
    requests_per_minute: int | None = None
    name: str = "http"
    _connection: Connection = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.base_url:
            raise ValueError("base_url is needed: the address of the server, such as http://localhost:8080")
        for name in ("batch_size", "concurrency"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is at least 1, got {getattr(self, name)}")
        server = Server(
            base_url=self.base_url,
            api_key_variable=self.api_key_variable,
            timeout_s=self.timeout_s,
            attempts=self.attempts,
            first_wait_s=self.first_wait_s,
            longest_wait_s=self.longest_wait_s,
            requests_per_minute=self.requests_per_minute,
        )
        object.__setattr__(self, "_connection", Connection(server))

    def rerank(self, query: str, passages: Sequence[str]) -> list[float]:
        """One score per passage, in their order; higher is better. Raises ``RemoteError``."""
        if not passages:
            return []
        client = self._connection.client()
        batches = list(self._batches(passages))

        def ask(batch: Sequence[str], stop: threading.Event) -> Any:
            return client.post(self.path, self._body(query, batch), stop=stop)

        scores: dict[int, list[float]] = {}
        for number, answer in together(ask, batches, concurrency=self.concurrency):
            self._connection.usage.add(answer, estimate=0)
            scores[number] = self._scores(answer, len(batches[number]))
        return [score for number in range(len(batches)) for score in scores[number]]

    def notices(self) -> list[Notice]:
        """How much was asked since the last call."""
        return self._connection.usage.notices(
            f"the reranker {self.name} ({self.model or self._connection.server.host})"
        )

    def _batches(self, passages: Sequence[str]) -> Iterator[Sequence[str]]:
        for first in range(0, len(passages), self.batch_size):
            yield passages[first : first + self.batch_size]

    def _body(self, query: str, passages: Sequence[str]) -> dict[str, Any]:
        texts = [_sent(passage) for passage in passages]
        body: dict[str, Any] = {"query": _sent(query), self.shape: texts}
        if self.shape == "documents":
            body["top_n"] = len(texts)
        else:
            body["raw_scores"] = False
        return {"model": self.model, **body} if self.model else body

    def _scores(self, answer: Any, wanted: int) -> list[float]:
        """By index: servers give the best first."""
        items = answer.get("results", answer.get("data")) if isinstance(answer, dict) else answer
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            raise self._nonsense("no list of results")
        scores: dict[Any, float] = {}
        for item in items:
            score = item.get("relevance_score", item.get("score"))
            if not _is_score(score):
                raise self._nonsense(f"the score {str(score)[:20]!r}, which is no number")
            index = item.get("index")
            scores[index if isinstance(index, int) else None] = float(score)
        if len(items) != wanted or set(scores) != set(range(wanted)):
            raise self._nonsense(f"{len(items)} results, or wrong indices, for {wanted} passages")
        return [scores[index] for index in range(wanted)]

    def _nonsense(self, problem: str) -> RemoteError:
        return RemoteError(
            f"the server {self._connection.server.host} gave {problem}",
            cure="Check the options `base_url`, `path` and `shape`.",
            kind="answer",
        )


def _is_score(value: Any) -> bool:
    try:
        return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:  # a whole number of hundreds of digits
        return False


def _sent(text: str) -> str:
    return _SURROGATES.sub("\ufffd", text) if text.strip() else BLANK
