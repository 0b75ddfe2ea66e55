"""What remote calls have cost."""

from __future__ import annotations

import threading
from typing import Any

from pincite.model import Notice

MILLION = 1_000_000


class Usage:
    """Requests and tokens since they were last asked for."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._clear()

    def _clear(self) -> None:
        self.requests = 0
        self.tokens = 0
        self.estimated = False

    def add(self, answer: Any, *, estimate: int) -> None:
        """One request; its tokens by the field ``usage`` of the answer, else the estimate."""
        reported = answer.get("usage") if isinstance(answer, dict) else None
        tokens = reported.get("total_tokens", reported.get("prompt_tokens")) if isinstance(reported, dict) else None
        if not isinstance(tokens, int) or tokens < 0:
            tokens = None
        with self._lock:
            self.requests += 1
            self.tokens += estimate if tokens is None else tokens
            self.estimated = self.estimated or tokens is None

    def notices(self, name: str, *, price_per_million_tokens: float | None = None) -> list[Notice]:
        """One notice of kind ``cost``, none where nothing was asked; counts from nothing again."""
        with self._lock:
            if not self.requests:
                return []
            counted = "counted here, since the server does not say" if self.estimated else "counted by the server"
            requests = "1 request" if self.requests == 1 else f"{self.requests} requests"
            message = f"{name}: {requests}, {self.tokens} tokens ({counted})"
            if price_per_million_tokens is not None:
                cost = self.tokens / MILLION * price_per_million_tokens
                message += f", {cost:.4f} at {price_per_million_tokens:g} a million tokens"
            self._clear()
        return [Notice(kind="cost", message=message)]
