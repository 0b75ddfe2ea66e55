"""A language model server on the loopback interface that needs no model: well behaved, or bad in one of many ways.

It speaks OpenAI's Responses API and Chat Completions, whole or as a stream, and reads the passages of the prompt. In
the mode ``good`` it answers with sentences of theirs, in the others it does what real models and servers do wrong. A
model whose name ends in a mode's, such as ``fake-rambles``, has that mode whatever the server's is.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, get_args

from pincite.testing.fake_events import chat_events, chat_whole, response_events, response_whole
from pincite.testing.fake_model import Reading, answer_good, read_prompt, written

Mode = Literal[
    "good",
    "fabricates",
    "alters",
    "misplaces",
    "obeys",
    "rambles",
    "refuses",
    "garbles",
    "breaks-off",
    "stalls",
    "slow",
    "overloaded",
    "denied",
    "fails",
    "too-long",
    "empty",
    "no-json",
]
MODES: tuple[Mode, ...] = get_args(Mode)
WHAT_MODES_DO: Mapping[Mode, str] = {
    "good": "answers with sentences of the passages and true quotes",
    "fabricates": "invents quotes",
    "alters": "changes numbers and negations of true statements, with true quotes",
    "misplaces": "takes quotes from a passage that has nothing to do with the statement",
    "obeys": "does what a passage tells it",
    "rambles": "writes prose with [1] in it instead of JSON",
    "refuses": "says that the passages do not hold the answer",
    "garbles": "writes JSON of another form",
    "breaks-off": "closes the connection in the middle of the answer",
    "stalls": "stops in the middle of the answer and keeps the connection",
    "slow": "waits before each answer",
    "overloaded": "answers 429 with Retry-After at first, then well",
    "denied": "answers 401, with the key in its message",
    "fails": "answers 500",
    "too-long": "answers that the prompt is longer than its context",
    "empty": "answers with no text",
    "no-json": "answers with a web page",
}
PIECE = 24
"""So many characters are streamed at a time."""
LARGEST_REQUEST = 16 * 1024 * 1024
STALL_S = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request that the server got. ``path`` is that of the API, ``body`` the JSON."""

    path: str
    body: Mapping[str, Any]
    authorised: bool


@dataclass(kw_only=True)
class Behaviour:
    """``refusals`` of the mode ``overloaded`` come before it is good again; ``wait_s`` is how long ``slow`` waits;
    ``longest_prompt`` in characters is what ``too-long`` reads; without ``responses`` there are Chat Completions only.
    """

    mode: Mode = "good"
    refusals: int = 1
    retry_after_s: float = 0.0
    wait_s: float = 5.0
    longest_prompt: int = 0
    responses: bool = True


@dataclass
class FakeModel:
    """The server's memory; for several threads."""

    behaviour: Behaviour
    asked: list[Asked] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    closing: threading.Event = field(default_factory=threading.Event)

    def note(self, asked: Asked) -> int:
        """The number of this request, from 1."""
        with self.lock:
            self.asked.append(asked)
            return len(self.asked)

    def mode_of(self, model: str) -> Mode:
        return next((mode for mode in MODES if model.endswith(f"-{mode}")), self.behaviour.mode)


class FakeServer(ThreadingHTTPServer):
    """Bound to the loopback interface; port 0 takes a free one."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, behaviour: Behaviour, *, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.model = FakeModel(behaviour)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


@contextmanager
def fake_llm(behaviour: Behaviour | None = None, *, port: int = 0) -> Iterator[FakeServer]:
    """A running server, stopped at the end of the block."""
    server = FakeServer(behaviour or Behaviour(), port=port)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.model.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: FakeServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if self.path.rstrip("/") == "/v1/models":
            names = ["fake", *(f"fake-{mode}" for mode in MODES)]
            self._json(200, {"object": "list", "data": [{"id": name, "object": "model"} for name in names]})
        else:
            self._error(404, "there is no such path", "not_found")

    def do_POST(self) -> None:
        try:
            self._answer()
        except OSError:  # the client has left
            self.close_connection = True

    def _answer(self) -> None:
        body = self._body()
        model, behaviour = self.server.model, self.server.model.behaviour
        apis = {"/v1/chat/completions": "chat"} | ({"/v1/responses": "responses"} if behaviour.responses else {})
        api = apis.get(self.path.rstrip("/"))
        if api is None or body is None:
            self._error(404 if body is not None else 400, "no such path, or no JSON object", "invalid_request_error")
            return
        number = model.note(Asked(path=self.path, body=body, authorised="Authorization" in self.headers))
        mode = model.mode_of(str(body.get("model", "")))
        if self._refuses(mode, number, body):
            return
        text = written(mode, read_prompt(body))
        if mode == "slow":
            model.closing.wait(behaviour.wait_s)
        if body.get("stream"):
            self._stream(api, body, text, mode)
        else:
            whole = response_whole if api == "responses" else chat_whole
            self._json(200, whole(body, text), cut=mode in ("breaks-off", "stalls"))

    def _refuses(self, mode: Mode, number: int, body: Mapping[str, Any]) -> bool:
        behaviour = self.server.model.behaviour
        if mode == "overloaded" and number <= behaviour.refusals:
            headers = {"Retry-After": f"{behaviour.retry_after_s:g}"}
            self._error(429, "Rate limit reached for requests", "rate_limit_exceeded", headers)
        elif mode == "denied":
            key = self.headers.get("Authorization", "").removeprefix("Bearer ")
            self._error(401, f"Incorrect API key provided: {key}.", "invalid_api_key")
        elif mode == "fails":
            self._error(500, "The server had an error while processing your request", "server_error")
        elif mode == "too-long" and len(json.dumps(body)) > behaviour.longest_prompt:
            said = "Your input exceeds the context window of this model. Please adjust your input and try again."
            self._error(400, said, "context_length_exceeded")
        elif mode == "no-json":
            self._send(200, b"<!doctype html><title>Sign in</title>", "text/html")
        else:
            return False
        return True

    def _body(self) -> dict[str, Any] | None:
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch("[0-9]{1,12}", length) or int(length) > LARGEST_REQUEST:
            self.close_connection = True
            return None
        try:
            body = json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError):
            return None
        return body if isinstance(body, dict) else None

    def _stream(self, api: str, body: Mapping[str, Any], text: str, mode: Mode) -> None:
        pieces = [text[start : start + PIECE] for start in range(0, len(text), PIECE)]
        bad = mode in ("breaks-off", "stalls")
        events = list((response_events if api == "responses" else chat_events)(body, pieces))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for event in events[: len(events) // 2] if bad else events:
            self._chunk(event.encode())
        if mode == "stalls":
            self.server.model.closing.wait(STALL_S)
        if bad:
            self.close_connection = True  # without the last chunk, so that the client sees it
        else:
            self._chunk(b"")

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def _error(self, status: int, message: str, code: str, headers: Mapping[str, str] | None = None) -> None:
        self._json(status, {"error": {"message": message, "type": code, "code": code, "param": None}}, headers)

    def _json(self, status: int, data: Any, headers: Mapping[str, str] | None = None, *, cut: bool = False) -> None:
        self._send(status, json.dumps(data).encode(), "application/json", headers, cut=cut)

    def _send(
        self, status: int, data: bytes, kind: str, headers: Mapping[str, str] | None = None, *, cut: bool = False
    ) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(data)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data[: len(data) // 2] if cut else data)
        self.close_connection = self.close_connection or cut

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name that the base class has
        """Says nothing on stderr: what is asked may be confidential."""


__all__ = ["MODES", "Behaviour", "FakeServer", "Mode", "Reading", "answer_good", "fake_llm"]
