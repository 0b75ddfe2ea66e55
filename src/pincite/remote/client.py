"""Asks a model server over HTTP: one JSON body there, one back, with retries."""

from __future__ import annotations

import json
import random
import threading
import time
import weakref
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import httpx2

from pincite.errors import RemoteError
from pincite.remote.messages import SHOWN_CHARACTERS, shown
from pincite.remote.server import Server
from pincite.remote.waiting import Pace, backoff_s, retry_after_s

TRANSIENT = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
USED_UP = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
"""What OpenAI calls an account without money: it says 429, but waiting does not help."""
LARGEST_ANSWER_BYTES = 256 * 1024 * 1024
CURES = {
    401: "Check the key and the option `api_key_variable`.",
    403: "Check the key and the option `api_key_variable`.",
    404: "Check the options `base_url` and `model`.",
    405: "Check the option `base_url`.",
    413: "Choose a smaller `batch_size`, or smaller chunks.",
}
RULES_CURE = "Check the options of that component against the server's own documentation."


@dataclass(frozen=True, slots=True)
class Failure:
    """A try that failed; ``wait_s`` is what the server asked for. Without ``again`` another one would fail, too."""

    error: RemoteError
    again: bool
    wait_s: float | None = None


class Client:
    """For several threads at once. Opens no connection before the first request."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self._key = server.key()
        headers = {"Accept": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        self._http = httpx2.Client(
            headers=headers, timeout=server.timeout_s, follow_redirects=False, trust_env=not server.is_here
        )
        weakref.finalize(self, self._http.close)  # components are values: nobody is there to close them
        self._pace = Pace(requests_per_minute=server.requests_per_minute, tokens_per_minute=server.tokens_per_minute)

    def post(self, path: str, body: Any, *, tokens: int = 0, stop: threading.Event | None = None) -> Any:
        """The JSON that the server answers. Raises ``RemoteError``; also when ``stop`` is set while it waits."""
        stop = stop or threading.Event()
        data = json.dumps(body).encode()
        attempt = 0
        while True:
            self._wait(self._pace.take(tokens), stop)
            answer = self._try(path, data)
            if not isinstance(answer, Failure):
                return answer
            attempt += 1
            if not answer.again or attempt >= self.server.attempts:
                raise answer.error
            if answer.wait_s is not None and answer.wait_s > self.server.longest_wait_s:
                raise self._error(
                    f"asks to wait {answer.wait_s:.0f} seconds ({answer.error.problem})",
                    "overloaded",
                    "Try again later, or raise `longest_wait_s`.",
                ) from answer.error
            wait_s = backoff_s(
                attempt,
                first_s=self.server.first_wait_s,
                longest_s=self.server.longest_wait_s,
                draw=random.random(),  # noqa: S311 - spreads clients, keeps no secret
            )
            if answer.wait_s is not None:
                self._pace.hold(answer.wait_s)  # the other threads would be refused, too
                wait_s = max(wait_s, answer.wait_s)
            self._wait(wait_s, stop)

    def _wait(self, seconds: float, stop: threading.Event) -> None:
        if (seconds > 0 and stop.wait(seconds)) or stop.is_set():
            raise self._error("was not asked any more", "stopped", "Start again to go on.")

    def _try(self, path: str, data: bytes) -> Any:
        url = f"{self.server.base_url.rstrip('/')}/{path.lstrip('/')}"
        try:
            with self._http.stream("POST", url, content=data, headers={"Content-Type": "application/json"}) as response:
                content = self._content(response)
        except httpx2.TimeoutException:
            problem = f"did not answer in {self.server.timeout_s:g} seconds"
            return Failure(self._error(problem, "timeout", "Try again, or raise `timeout_s`."), again=True)
        except httpx2.HTTPError as error:
            problem = f"cannot be asked ({self._shown(str(error) or type(error).__name__)})"
            return Failure(self._error(problem, "unreachable", "Check the network and `base_url`."), again=True)
        except RemoteError as error:
            return Failure(error, again=error.kind == "timeout")
        if response.status_code != httpx2.codes.OK:
            return self._refusal(response, content)
        return self._json(content, response.headers.get("content-type", ""))

    def _content(self, response: httpx2.Response) -> bytes:
        """All of the body; a server that sends it byte by byte for ever meets the time limit as well."""
        end = time.monotonic() + self.server.timeout_s
        parts: list[bytes] = []
        size = 0
        for part in response.iter_bytes():
            size += len(part)
            parts.append(part)
            if size > LARGEST_ANSWER_BYTES:
                raise self._error(
                    f"sent more than {LARGEST_ANSWER_BYTES >> 20} MiB", "answer", "Choose a smaller `batch_size`."
                )
            if time.monotonic() > end:
                raise self._error(
                    f"did not answer in {self.server.timeout_s:g} seconds",
                    "timeout",
                    "Try again, or raise `timeout_s`.",
                )
        return b"".join(parts)

    def _json(self, content: bytes, media_type: str) -> Any:
        try:
            return json.loads(content)
        except (ValueError, RecursionError):
            said = self._shown(content[: 4 * SHOWN_CHARACTERS].decode(errors="replace"))
            problem = f"answered something else than JSON ({self._shown(media_type) or 'of no type'}): {said!r}"
            return Failure(self._error(problem, "answer", CURES[405]), again=False)

    def _refusal(self, response: httpx2.Response, content: bytes) -> Failure:
        status = response.status_code
        message, code = _said(content)
        again = status in TRANSIENT and code not in USED_UP
        problem = f"answered {status}"
        if message:
            problem += f": {self._shown(message)}"
        kind = "overloaded" if again else "denied" if status in (401, 403) else "refused"
        cure = "Try again later." if again else CURES.get(status, RULES_CURE)
        if code in USED_UP:
            cure = "Look at the account's limits and bills."
        asked = response.headers.get("retry-after", "")
        return Failure(
            self._error(problem, kind, cure), again, retry_after_s(asked, now=datetime.now(UTC)) if asked else None
        )

    def _shown(self, text: str) -> str:
        return shown(text, [self._key])

    def _error(self, problem: str, kind: str, cure: str) -> RemoteError:
        return RemoteError(f"the server {self.server.host} {problem}", cure=cure, kind=kind)


def _said(content: bytes) -> tuple[str, str]:
    """The message and the code in a refusal, in the forms that servers use; else the text itself."""
    text = content[: 16 * 1024].decode(errors="replace")
    try:
        data = json.loads(content)
    except (ValueError, RecursionError):
        return text, ""
    if not isinstance(data, dict):
        return text, ""
    error = data.get("error")
    inner = error if isinstance(error, dict) else data
    message = next((inner[key] for key in ("message", "error", "detail") if isinstance(inner.get(key), str)), text)
    code = inner.get("code") or inner.get("type")
    return message, code if isinstance(code, str) else ""
