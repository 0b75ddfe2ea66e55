"""A model server on the loopback interface that answers as it is told: well, badly, late or not at all."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from pincite.embed.hashing import HashingEmbedder

DIMENSION = 16


class Reply(NamedTuple):
    """``body`` is sent as it is when it is bytes, else as JSON. ``cut`` bytes of what is announced are left out."""

    body: Any
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    wait_s: float = 0.0
    cut: int = 0
    drip_s: float = 0.0


class Asked(NamedTuple):
    path: str
    body: Any
    headers: dict[str, str]
    at: float


Behaviour = Callable[[int, Any], Reply]
"""The reply to the request of that number, from 0, with that body."""


class ModelServer(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, behaviour: Behaviour) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.behaviour = behaviour
        self.asked: list[Asked] = []
        self.lock = threading.Lock()
        self.running = 0
        self.most_running = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: ModelServer
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            number = len(self.server.asked)
            self.server.asked.append(Asked(self.path, body, dict(self.headers), time.monotonic()))
            self.server.running += 1
            self.server.most_running = max(self.server.most_running, self.server.running)
        try:
            self._send(self.server.behaviour(number, body))
        except OSError:  # the client has left
            self.close_connection = True
        finally:
            with self.server.lock:
                self.server.running -= 1

    def _send(self, reply: Reply) -> None:
        time.sleep(reply.wait_s)
        content = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
        self.send_response(reply.status)
        headers = {"Content-Type": "application/json", "Content-Length": str(len(content)), **dict(reply.headers)}
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if reply.drip_s:
            for byte in content:
                self.wfile.write(bytes([byte]))
                self.wfile.flush()
                time.sleep(reply.drip_s)
        self.wfile.write(content[: len(content) - reply.cut] if not reply.drip_s else b"")
        if reply.cut:
            self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name that the base class has
        """Says nothing on stderr."""


@contextmanager
def serving(behaviour: Behaviour) -> Iterator[ModelServer]:
    server = ModelServer(behaviour)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def embeddings(body: Any, dimension: int = DIMENSION) -> dict[str, Any]:
    """What a good server answers: hashed words, so that like texts are near; longer than 1."""
    rows = HashingEmbedder(dimension=dimension).embed(body["input"]) * 3
    data = [{"object": "embedding", "index": index, "embedding": row.tolist()} for index, row in enumerate(rows)]
    tokens = sum(len(text.split()) for text in body["input"])
    return {
        "object": "list",
        "data": data,
        "model": body["model"],
        "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
    }


def good(_: int, body: Any) -> Reply:
    return Reply(embeddings(body))


def at_first(*replies: Reply) -> Behaviour:
    """Those replies, one for each request, and good ones after them."""

    def behaviour(number: int, body: Any) -> Reply:
        return replies[number] if number < len(replies) else good(number, body)

    return behaviour


def always(reply: Reply) -> Behaviour:
    return lambda _number, _body: reply
