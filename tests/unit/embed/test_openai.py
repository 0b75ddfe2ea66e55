"""The embedder over HTTP, against a real server on the loopback interface."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy
import pytest
from tests.unit.remote.model_server import DIMENSION, Behaviour, Reply, always, at_first, embeddings, good, serving

from pincite import catalogue
from pincite.embed.openai import NOTHING, OpenAIEmbedder
from pincite.errors import PinciteError, RemoteError, UsageError
from pincite.testing.embedders import check_embedder

TEXTS = [f"text number {number} of the harbour" for number in range(10)]


def embedder(url: str, **options: Any) -> OpenAIEmbedder:
    given = {"model": "tide", "base_url": url, "dimension": DIMENSION, "max_tokens": 512, "first_wait_s": 0.01}
    made: OpenAIEmbedder = catalogue.create("embed", "openai", {**given, **options})
    return made


def test_conformance() -> None:
    with serving(good) as server:
        options = {"model": "tide", "base_url": server.url, "dimension": DIMENSION, "max_tokens": 4096}
        check_embedder("openai", options)


def test_nothing_is_asked_before_something_is_embedded() -> None:
    with serving(good) as server:
        made = embedder(server.url)
        assert made.embed([]).shape == (0, DIMENSION)
        assert made.count("two words") == 2
        assert server.asked == []
        assert made.notices() == []


def test_request_has_what_the_api_wants(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIDE_API_KEY", "sk-secret")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-other")
    with serving(good) as server:
        made = embedder(server.url, api_key_variable="TIDE_API_KEY", query_prefix="q: ", document_prefix="d: ")
        made.embed(["one \ud800", " "])
        made.embed_query("two")
        first, second = server.asked
        embedder(server.url, shortened=True).embed_query("three")
        assert server.asked[2].body["dimensions"] == DIMENSION
        assert "Authorization" not in server.asked[2].headers
    assert first.path == "/v1/embeddings"
    assert first.body == {"model": "tide", "input": ["d: one \ufffd", "d: " + NOTHING], "encoding_format": "float"}
    assert second.body["input"] == ["q: two"]
    assert first.headers["Authorization"] == "Bearer sk-secret"
    assert "secret" not in made.fingerprint + repr(made)


def test_batches_by_count_and_by_tokens() -> None:
    with serving(good) as server:
        whole = embedder(server.url).embed(TEXTS)
        assert (embedder(server.url, batch_size=3).embed(TEXTS) == whole).all()
        assert sorted(len(asked.body["input"]) for asked in server.asked[1:]) == [1, 3, 3, 3]
        count = embedder(server.url).count(TEXTS[0])
        del server.asked[:]
        assert (embedder(server.url, batch_tokens=2 * count).embed(TEXTS) == whole).all()
        assert [len(asked.body["input"]) for asked in server.asked] == [2] * 5
        del server.asked[:]
        assert (embedder(server.url, batch_tokens=1).embed(TEXTS) == whole).all()
        assert len(server.asked) == len(TEXTS)


def test_several_requests_at_a_time_but_no_more_than_allowed() -> None:
    def behaviour(_: int, body: Any) -> Reply:
        return Reply(embeddings(body), wait_s=0.1)

    with serving(behaviour) as server:
        rows = embedder(server.url, batch_size=1, concurrency=3).embed(TEXTS)
        assert 2 <= server.most_running <= 3
    with serving(good) as server:
        assert (rows == embedder(server.url).embed(TEXTS)).all()


def shuffled(_: int, body: Any) -> Reply:
    answer = embeddings(body)
    answer["data"].reverse()
    return Reply(answer)


def without_index(_: int, body: Any) -> Reply:
    answer = embeddings(body)
    for item in answer["data"]:
        del item["index"]
    return Reply(answer)


@pytest.mark.parametrize("behaviour", [shuffled, without_index])
def test_order_is_that_of_the_index(behaviour: Behaviour) -> None:
    with serving(good) as right, serving(behaviour) as server:
        assert (embedder(server.url).embed(TEXTS) == embedder(right.url).embed(TEXTS)).all()


def test_passing_trouble_is_not_seen() -> None:
    trouble = (Reply({}, status=429), Reply({}, status=500), Reply(b"", cut=0, status=503))
    with serving(good) as right, serving(at_first(*trouble)) as server:
        rows = embedder(server.url, concurrency=1).embed(TEXTS)
        assert len(server.asked) == 4
        assert (rows == embedder(right.url).embed(TEXTS)).all()


def changed(change: Callable[[list[Any]], Any]) -> Behaviour:
    """A good answer whose list of data is changed."""

    def behaviour(_: int, body: Any) -> Reply:
        answer = embeddings(body)
        result = change(answer["data"])
        return Reply({**answer, "data": answer["data"] if result is None else result})

    return behaviour


def with_first(value: Any) -> Behaviour:
    return changed(lambda data: data[0].update(embedding=value))


@pytest.mark.parametrize(
    ("behaviour", "message"),
    [
        (always(Reply(b"<html>Sign in</html>")), "something else than JSON"),
        (always(Reply([])), 'no list "data" of embeddings'),
        (always(Reply({"data": {"0": []}})), 'no list "data" of embeddings'),
        (always(Reply({"data": [[1.0] * DIMENSION] * 2})), 'no list "data" of embeddings'),
        (changed(lambda data: data[:-1]), "1 vectors for 2 texts"),
        (changed(lambda data: data + data[:1]), "3 vectors for 2 texts"),
        (changed(lambda data: data[1].update(index=0)), "an index that is wrong or there twice"),
        (changed(lambda data: data[1].update(index="1")), "an index that is wrong or there twice"),
        (changed(lambda data: data[1].update(index=7)), "an index that is wrong or there twice"),
        (with_first([1.0] * (DIMENSION + 1)), "17 dimensions instead of 16 dimensions for text 1"),
        (with_first([]), "0 dimensions instead of 16 dimensions for text 1"),
        (with_first("AAAA"), "no vector instead of 16 dimensions for text 1"),
        (with_first([float("nan")] * DIMENSION), "a vector with NaN or infinity for text 1"),
        (with_first([1e300] * DIMENSION), "a vector with NaN or infinity for text 1"),
        (with_first([10**400] * DIMENSION), "vectors that are not made of numbers"),
        (with_first([None] * (DIMENSION - 1) + [{}]), "vectors that are not made of numbers"),
        (with_first([0.0] * DIMENSION), "the embedder 'openai' gave no direction for text 1, 'first'"),
    ],
)
def test_wrong_answers_are_one_clear_error(behaviour: Behaviour, message: str) -> None:
    with serving(behaviour) as server, pytest.raises(PinciteError, match=message) as caught:
        embedder(server.url).embed(["first", "second"])
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 1


def test_number_of_a_bad_text_counts_all_batches() -> None:
    def behaviour(_: int, body: Any) -> Reply:
        answer = embeddings(body)
        if TEXTS[7] in body["input"]:
            answer["data"][body["input"].index(TEXTS[7])]["embedding"][3] = float("inf")
        return Reply(answer)

    with serving(behaviour) as server, pytest.raises(RemoteError, match="for text 8"):
        embedder(server.url, batch_size=3).embed(TEXTS)


def test_what_came_before_a_failure_is_in_the_error() -> None:
    with serving(lambda number, body: good(number, body) if number < 2 else Reply({}, status=400)) as server:
        made = embedder(server.url, batch_size=3, concurrency=1)
        with pytest.raises(RemoteError) as caught:
            made.embed(TEXTS)
        assert len(server.asked) == 3
        assert list(caught.value.finished) == TEXTS[:6]
        (notice,) = made.notices()
        assert notice.message.startswith("the embedder openai (tide): 2 requests, 36 tokens")
    with serving(good) as server:
        right = embedder(server.url).embed(TEXTS)
    assert all((caught.value.finished[text] == row).all() for text, row in zip(TEXTS[:6], right, strict=False))


def test_too_long_a_text_is_refused_before_anything_is_sent() -> None:
    with serving(good) as server:
        made = embedder(server.url, max_tokens=5, document_prefix="passage: ")
        with pytest.raises(PinciteError, match=r"text 2 of 2 has \d+ tokens with its prefix; .* reads 5 of it"):
            made.embed(["short", "one two three four five"])
        assert server.asked == []
        assert made.count("one") > catalogue.create("counter", "cl100k_base").count("one")
        assert made.count(" ") == 0
        asking = embedder(server.url, query_prefix="passage: ")
        assert asking.count("one") == made.count("one")


def test_price() -> None:
    with serving(good) as server:
        made = embedder(server.url, price_per_million_tokens=100)
        made.embed(["one two"])
        made.embed_query("three")
        (notice,) = made.notices()
    assert notice.message.endswith("2 requests, 3 tokens (counted by the server), 0.0003 at 100 a million tokens")


def test_known_models_need_no_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    made = OpenAIEmbedder(model="text-embedding-3-small")
    assert (made.dimension, made.max_tokens) == (1536, 8191)
    assert made.fingerprint == "openai text-embedding-3-small 1536"
    assert OpenAIEmbedder(model="text-embedding-3-large", dimension=256, shortened=True).dimension == 256
    with pytest.raises(UsageError, match="OPENAI_API_KEY is not set") as caught:
        made.embed(["one"])
    assert caught.value.exit_code == 2


def test_fingerprint_changes_with_what_changes_vectors() -> None:
    given: dict[str, Any] = {"model": "tide", "dimension": 16, "max_tokens": 10}
    plain = OpenAIEmbedder(**given).fingerprint
    same: list[dict[str, Any]] = [
        {"base_url": "http://localhost:1/v1"},
        {"batch_size": 1},
        {"api_key_variable": "A_API_KEY"},
    ]
    assert {OpenAIEmbedder(**{**given, **options}).fingerprint for options in same} == {plain}
    other: list[dict[str, Any]] = [{"model": "ebb"}, {"dimension": 8}, {"query_prefix": "a"}, {"document_prefix": "a"}]
    assert len({plain, *(OpenAIEmbedder(**{**given, **options}).fingerprint for options in other)}) == 5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"model": ""}, "a model is needed"),
        ({"dimension": 0}, "dimension is needed, since 'tide' is not one of: text-embedding-3-small"),
        ({"max_tokens": 0}, "max_tokens is needed"),
        ({"dimension": -1}, "dimension is at least 1"),
        ({"batch_size": 0}, "batch_size is at least 1"),
        ({"batch_tokens": 0}, "batch_tokens is at least 1"),
        ({"concurrency": 0}, "concurrency is at least 1"),
        ({"price_per_million_tokens": -1.0}, "price_per_million_tokens is at least 0"),
        ({"base_url": "localhost"}, "base_url is an address"),
        ({"model": "text-embedding-3-small", "dimension": 256}, "has 1536 dimensions; for 256 say shortened"),
        ({"counter": "nobody"}, "no counter is called 'nobody'"),
        ({"api_key": "sk-secret"}, "has no option 'api_key'"),
    ],
)
def test_impossible_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        embedder("http://localhost:1/v1", **options)


def test_interrupting_ends_at_once() -> None:
    code = (
        "import json, sys; from pincite.catalogue import create\n"
        "embedder = create('embed', 'openai', json.load(sys.stdin))\n"
        "print('begun', flush=True)\n"
        "try: embedder.embed([str(number) for number in range(8)])\n"
        "except KeyboardInterrupt: sys.exit(7)\n"
    )
    with serving(always(Reply({}, wait_s=30))) as server:
        for concurrency in (1, 3):
            del server.asked[:]
            options = {"model": "tide", "base_url": server.url, "dimension": 16, "max_tokens": 9, "batch_size": 1}
            process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            assert process.stdin is not None
            process.stdin.write(json.dumps({**options, "concurrency": concurrency}).encode())
            process.stdin.close()
            while len(server.asked) < concurrency:
                time.sleep(0.02)
            start = time.monotonic()
            os.kill(process.pid, signal.SIGINT)
            assert process.wait(20) == 7
            assert time.monotonic() - start < 10
            assert process.stdout is not None
            process.stdout.close()


def test_default_embedder_never_opens_a_socket() -> None:
    code = (
        "import socket\n"
        "def refuse(*a, **k): raise AssertionError('a socket')\n"
        "socket.socket.__init__ = refuse\n"
        "from pincite.config import Settings\n"
        "print(Settings().embed.create().embed_query('harbour').shape)\n"
        "import sys; assert 'httpx2' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "(512,)"


def test_rows_are_float32_of_length_one() -> None:
    with serving(good) as server:
        rows = embedder(server.url).embed(TEXTS)
    assert rows.dtype == numpy.float32
    assert numpy.abs(numpy.linalg.norm(rows, axis=1) - 1).max() < 1e-5
