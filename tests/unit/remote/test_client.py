"""The client against a real server on the loopback interface."""

from __future__ import annotations

import json
import threading
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from tests.unit.remote.model_server import Behaviour, Reply, always, serving

from pincite.errors import RemoteError
from pincite.remote.client import Client
from pincite.remote.server import Server


def post(behaviour: Behaviour, **options: Any) -> tuple[Any, int]:
    """What the client gives, and how often it asked; or its error with a note of that."""
    with serving(behaviour) as server:
        client = Client(Server(base_url=server.url, **{"first_wait_s": 0.01, "attempts": 3, **options}))
        try:
            return client.post("/thing", {"a": "ä\ud83d"}), len(server.asked)
        except RemoteError as error:
            error.add_note(str(len(server.asked)))
            raise


def refused(behaviour: Behaviour, **options: Any) -> tuple[RemoteError, int]:
    with pytest.raises(RemoteError) as caught:
        post(behaviour, **options)
    error = caught.value
    assert error.exit_code == 1
    assert "\n" not in str(error)
    assert "the server 127.0.0.1:" in str(error)
    return error, int(error.__notes__[0])


def first(*replies: Reply) -> Behaviour:
    return lambda number, _body: replies[number] if number < len(replies) else Reply({"well": True})


def test_body_and_answer() -> None:
    with serving(lambda _number, body: Reply({"got": body})) as server:
        client = Client(Server(base_url=server.url + "/"))
        assert client.post("thing", {"a": 1}) == {"got": {"a": 1}}
        assert server.asked[0].path == "/v1/thing"
        assert "Authorization" not in server.asked[0].headers


def test_a_server_on_this_machine_is_asked_without_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert post(lambda _number, _body: Reply({"well": True})) == ({"well": True}, 1)


def test_key_is_sent_and_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "sk-secret")
    said = Reply({"error": {"message": "bad key sk-secret\x1b[31m\nsk-secret"}}, status=401)
    with serving(always(said)) as server:
        client = Client(Server(base_url=server.url, api_key_variable="SOME_API_KEY"))
        with pytest.raises(RemoteError, match=r"answered 401: bad key \*\*\* \*\*\*") as caught:
            client.post("thing", {})
        assert server.asked[0].headers["Authorization"] == "Bearer sk-secret"
        assert len(server.asked) == 1
    assert caught.value.kind == "denied"
    assert "secret" not in f"{caught.value} {caught.value.__dict__} {client.server!r}"


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 529])
def test_passing_trouble_is_tried_again(status: int) -> None:
    assert post(first(Reply({"error": "later"}, status=status))) == ({"well": True}, 2)


def test_lasting_trouble_ends_after_the_last_try() -> None:
    error, asked = refused(always(Reply({"detail": "broken"}, status=500)))
    assert (error.kind, asked) == ("overloaded", 3)
    assert "answered 500: broken" in str(error)


@pytest.mark.parametrize(
    ("status", "body", "kind", "shown"),
    [
        (400, {"error": {"message": "too many inputs", "code": None}}, "refused", "answered 400: too many inputs"),
        (401, {"message": "no key"}, "denied", "Check the key"),
        (403, b"", "denied", "answered 403."),
        (404, {"error": "no such model"}, "refused", "Check the options `base_url` and `model`"),
        (413, b"<html>too large</html>", "refused", "smaller `batch_size`"),
        (422, ["odd"], "refused", 'answered 422: ["odd"]'),
        (429, {"error": {"message": "no money", "code": "insufficient_quota"}}, "refused", "limits and bills"),
        (301, b"", "refused", "answered 301"),
        (204, b"", "refused", "answered 204"),
    ],
)
def test_refusals_are_final(status: int, body: Any, kind: str, shown: str) -> None:
    error, asked = refused(always(Reply(body, status=status, headers=(("Location", "http://127.0.0.1:9/x"),))))
    assert (error.kind, asked) == (kind, 1)
    assert shown in str(error)


def test_long_refusal_is_shortened() -> None:
    error, _ = refused(always(Reply(b"x" * 100_000, status=400)))
    assert len(str(error)) < 400


@pytest.mark.parametrize(
    "body",
    [b"<html><body>Sign in</body></html>", b"", b'{"data": [', b"\xff\xfe", b"[" * 200_000],
)
def test_something_else_than_json(body: bytes) -> None:
    error, asked = refused(always(Reply(body, headers=(("Content-Type", "text/html"),))))
    assert (error.kind, asked) == ("answer", 1)
    assert "answered something else than JSON (text/html)" in str(error)


def test_truncated_body_is_tried_again_and_then_an_error() -> None:
    assert post(first(Reply({"well": False}, cut=3))) == ({"well": True}, 2)
    error, asked = refused(always(Reply({"well": False}, cut=3)))
    assert (error.kind, asked) == ("unreachable", 3)


def test_slow_server_meets_the_time_limit() -> None:
    assert post(first(Reply({}, wait_s=1.0)), timeout_s=0.3) == ({"well": True}, 2)
    error, asked = refused(always(Reply({}, wait_s=0.5)), timeout_s=0.1, attempts=2)
    assert (error.kind, asked) == ("timeout", 2)
    assert "did not answer in 0.1 seconds" in str(error)


def test_dripping_server_meets_the_time_limit_too() -> None:
    error, _ = refused(always(Reply({"a": "b" * 200}, drip_s=0.05)), timeout_s=0.2, attempts=1)
    assert error.kind == "timeout"


def test_too_much_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.remote.client.LARGEST_ANSWER_BYTES", 1 << 20)
    error, asked = refused(always(Reply(b" " * (2 << 20))))
    assert (error.kind, asked) == ("answer", 1)
    assert "sent more than 1 MiB" in str(error)


def test_nobody_there() -> None:
    with serving(always(Reply({}))) as server:
        url = server.url
    client = Client(Server(base_url=url, attempts=2, first_wait_s=0.01))
    with pytest.raises(RemoteError, match="cannot be asked") as caught:
        client.post("thing", {})
    assert caught.value.kind == "unreachable"


def test_retry_after_in_seconds_and_as_a_date() -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True)
    for header, least in (("0.3", 0.25), (soon, 0.5)):
        start = time.monotonic()
        assert post(first(Reply({}, status=429, headers=(("Retry-After", header),))))[1] == 2
        assert time.monotonic() - start >= least
    assert post(first(Reply({}, status=503, headers=(("Retry-After", "soon"),))))[1] == 2


def test_retry_after_beyond_all_patience_is_an_error_at_once() -> None:
    error, asked = refused(always(Reply({"error": "busy"}, status=429, headers=(("Retry-After", "3600"),))))
    assert (error.kind, asked) == ("overloaded", 1)
    assert "asks to wait 3600 seconds" in str(error)


def test_retry_after_holds_other_threads_back() -> None:
    with serving(first(Reply({}, status=429, headers=(("Retry-After", "0.5"),)))) as server:
        client = Client(Server(base_url=server.url, first_wait_s=0.01))
        threads = [threading.Thread(target=client.post, args=("thing", {})) for _ in range(2)]
        threads[0].start()
        while not server.asked:
            time.sleep(0.01)
        time.sleep(0.1)
        threads[1].start()
        for thread in threads:
            thread.join()
        assert len(server.asked) == 3
        assert min(asked.at for asked in server.asked[1:]) - server.asked[0].at >= 0.4


def test_rate_limit_spreads_requests() -> None:
    with serving(always(Reply({}))) as server:
        client = Client(Server(base_url=server.url, requests_per_minute=300))
        for _ in range(3):
            client.post("thing", {})
        assert server.asked[2].at - server.asked[0].at >= 0.35


def test_stop_ends_a_wait() -> None:
    stop = threading.Event()
    with serving(always(Reply({}, status=503))) as server:
        client = Client(Server(base_url=server.url, first_wait_s=60))
        threading.Timer(0.1, stop.set).start()
        with pytest.raises(RemoteError, match="was not asked any more") as caught:
            client.post("thing", {}, stop=stop)
    assert caught.value.kind == "stopped"


def test_bodies_of_lone_surrogates_are_plain_ascii() -> None:
    seen: list[str] = []

    def behaviour(_: int, body: Any) -> Reply:
        seen.append(json.dumps(body))
        return Reply({})

    assert post(behaviour)[0] == {}
    assert seen == ['{"a": "\\u00e4\\ud83d"}']
