"""Any server with OpenAI's embeddings API: OpenAI itself, and others by their address."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy

from pincite import catalogue
from pincite.embed.unit import embedding_error, unit_rows
from pincite.errors import RemoteError
from pincite.model import Notice
from pincite.ports import Counter
from pincite.remote.connection import Connection
from pincite.remote.server import OPENAI_URL, Server
from pincite.remote.together import together

if TYPE_CHECKING:
    from pincite.ports import Vector, Vectors


class Known(NamedTuple):
    """A model's own dimension, and how many tokens it reads."""

    dimension: int
    max_tokens: int


KNOWN = {
    "text-embedding-3-small": Known(1536, 8191),
    "text-embedding-3-large": Known(3072, 8191),
    "text-embedding-ada-002": Known(1536, 8191),
}
NOTHING = "."
"""What is sent for a blank text: no server embeds nothing."""

_SURROGATES = re.compile("[\ud800-\udfff]")


class Batch(NamedTuple):
    """Texts of one request as they are sent, ``first`` being the number of the first from 0."""

    first: int
    texts: list[str]
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAIEmbedder:
    """Texts go to ``base_url``/embeddings; nothing is sent before something is embedded.

    ``dimension`` and ``max_tokens`` (what the model reads of one text, prefix included) are known for OpenAI's models
    and have to be given for any other. ``shortened`` asks the server for vectors of ``dimension``, which fewer models
    can give than not. ``query_prefix`` and ``document_prefix`` are put before each text. ``counter`` names the unit of
    ``max_tokens``; for another model than OpenAI's it only comes near, so leave some room.

    A request has at most ``batch_size`` texts and ``batch_tokens`` tokens; ``concurrency`` of them are under way at
    the same time. The other options are those of ``remote.server.Server``. ``price_per_million_tokens`` adds money to
    the notice that says what was used. The fingerprint has the model, the dimension and the prefixes, not the address:
    the same model may be served from elsewhere.
    """

    model: str = ""
    base_url: str = OPENAI_URL
    api_key_variable: str = ""
    dimension: int = 0
    max_tokens: int | None = None
    shortened: bool = False
    query_prefix: str = ""
    document_prefix: str = ""
    counter: str = "cl100k_base"
    batch_size: int = 128
    batch_tokens: int = 50_000
    concurrency: int = 4
    timeout_s: float = 60.0
    attempts: int = 6
    first_wait_s: float = 0.5
    longest_wait_s: float = 60.0
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    price_per_million_tokens: float | None = None
    name: str = "openai"
    fingerprint: str = field(default="", init=False)
    _counter: Counter = field(init=False, repr=False, compare=False)
    _connection: Connection = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.model:
            raise ValueError('a model is needed, such as model = "text-embedding-3-small"')
        known = KNOWN.get(self.model)
        for name in ("dimension", "max_tokens"):
            if not getattr(self, name):
                if known is None:
                    raise ValueError(f"{name} is needed, since {self.model!r} is not one of: {', '.join(KNOWN)}")
                object.__setattr__(self, name, getattr(known, name))
        if known and self.dimension != known.dimension and not self.shortened:
            raise ValueError(
                f"{self.model} has {known.dimension} dimensions; for {self.dimension} say shortened = true"
            )
        for name in ("dimension", "max_tokens", "batch_size", "batch_tokens", "concurrency"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is at least 1, got {getattr(self, name)}")
        if self.price_per_million_tokens is not None and not self.price_per_million_tokens >= 0:
            raise ValueError(f"price_per_million_tokens is at least 0, got {self.price_per_million_tokens}")
        prefixes = sha256(f"{self.query_prefix}\0{self.document_prefix}".encode()).hexdigest()[:8]
        prefixed = f" {prefixes}" if self.query_prefix or self.document_prefix else ""
        object.__setattr__(self, "fingerprint", f"openai {self.model} {self.dimension}{prefixed}")
        object.__setattr__(self, "_counter", catalogue.create("counter", self.counter))
        object.__setattr__(self, "_connection", Connection(self._server()))

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Shape ``(len(texts), dimension)``, unit rows in the order of the texts.

        Raises ``RemoteError``, whose ``finished`` has the vectors that came before it by their texts.
        """
        return self._embed(texts, self.document_prefix)

    def embed_query(self, text: str) -> Vector:
        vector: Vector = self._embed([text], self.query_prefix)[0]
        return vector

    def count(self, text: str) -> int:
        """Tokens of the text and the prefix that gives more of them; 0 for a blank text."""
        if not text.strip():
            return 0
        return max(self._counter.count(prefix + text) for prefix in {self.document_prefix, self.query_prefix})

    def notices(self) -> list[Notice]:
        """What was used since the last call, in requests and tokens."""
        name = f"the embedder {self.name} ({self.model})"
        return self._connection.usage.notices(name, price_per_million_tokens=self.price_per_million_tokens)

    def _server(self) -> Server:
        return Server(
            base_url=self.base_url,
            api_key_variable=self.api_key_variable,
            timeout_s=self.timeout_s,
            attempts=self.attempts,
            first_wait_s=self.first_wait_s,
            longest_wait_s=self.longest_wait_s,
            requests_per_minute=self.requests_per_minute,
            tokens_per_minute=self.tokens_per_minute,
        )

    def _embed(self, texts: Sequence[str], prefix: str) -> Vectors:
        rows = numpy.empty((len(texts), self.dimension), dtype=numpy.float32)
        if not texts:
            return rows
        batches = list(self._batches(texts, prefix))
        client = self._connection.client()

        def ask(batch: Batch, stop: threading.Event) -> Any:
            return client.post("embeddings", self._body(batch.texts), tokens=batch.tokens, stop=stop)

        finished: dict[str, Vector] = {}
        try:
            for number, answer in together(ask, batches, concurrency=self.concurrency):
                batch = batches[number]
                self._connection.usage.add(answer, estimate=batch.tokens)
                last = batch.first + len(batch.texts)
                rows[batch.first : last] = self._rows(answer, texts[batch.first : last], first=batch.first)
                finished.update(zip(texts[batch.first : last], rows[batch.first : last], strict=True))
        except RemoteError as error:
            error.finished = finished
            raise
        return rows

    def _batches(self, texts: Sequence[str], prefix: str) -> Iterator[Batch]:
        """Refuses a text that the model would not read to its end before anything is sent."""
        first, tokens = 0, 0
        batch: list[str] = []
        for number, text in enumerate(texts):
            sent = prefix + (_SURROGATES.sub("\ufffd", text) if text.strip() else NOTHING)
            size = self._counter.count(sent)
            if self.max_tokens is not None and size > self.max_tokens:
                raise embedding_error(
                    f"text {number + 1} of {len(texts)} has {size} tokens with its prefix; the embedder {self.name!r} "
                    f"reads {self.max_tokens} of it",
                    cure="Cut it into smaller chunks, or ask a shorter question.",
                )
            if batch and (len(batch) == self.batch_size or tokens + size > self.batch_tokens):
                yield Batch(first, batch, tokens)
                first, tokens, batch = number, 0, []
            batch.append(sent)
            tokens += size
        yield Batch(first, batch, tokens)

    def _body(self, texts: list[str]) -> dict[str, Any]:
        body: dict[str, Any] = {"model": self.model, "input": texts, "encoding_format": "float"}
        return {**body, "dimensions": self.dimension} if self.shortened else body

    def _rows(self, answer: Any, texts: Sequence[str], *, first: int) -> Vectors:
        """The vectors of one answer in the order of the texts, checked."""
        vectors = self._ordered(answer, len(texts))
        for number, vector in enumerate(vectors, start=first + 1):
            if not isinstance(vector, list) or len(vector) != self.dimension:
                shape = f"{len(vector)} dimensions" if isinstance(vector, list) else "no vector"
                raise self._nonsense(f"{shape} instead of {self.dimension} dimensions for text {number}")
        try:
            with numpy.errstate(over="ignore"):
                matrix = numpy.array(vectors, dtype=numpy.float64).astype(numpy.float32)
        except (ValueError, TypeError, OverflowError) as error:
            raise self._nonsense(f"vectors that are not made of numbers (texts from {first + 1} on)") from error
        for index in numpy.flatnonzero(~numpy.isfinite(matrix).all(axis=1)):
            raise self._nonsense(f"a vector with NaN or infinity for text {first + int(index) + 1}")
        return unit_rows(matrix, texts, embedder=self.name, dimension=self.dimension, first=first)

    def _ordered(self, answer: Any, wanted: int) -> list[Any]:
        items = answer.get("data") if isinstance(answer, dict) else None
        if not isinstance(items, list) or not all(isinstance(item, dict) and "embedding" in item for item in items):
            raise self._nonsense('no list "data" of embeddings')
        if len(items) != wanted:
            raise self._nonsense(f"{len(items)} vectors for {wanted} texts")
        if not any("index" in item for item in items):
            return [item["embedding"] for item in items]
        by_index = {item.get("index"): item["embedding"] for item in items if isinstance(item.get("index"), int)}
        if set(by_index) != set(range(wanted)):
            raise self._nonsense(f"an index that is wrong or there twice, among {wanted}")
        return [by_index[index] for index in range(wanted)]

    def _nonsense(self, problem: str) -> RemoteError:
        return RemoteError(
            f"the server {self._connection.server.host} gave {problem}",
            cure="Check the options `model`, `dimension` and `base_url`.",
            kind="answer",
        )
