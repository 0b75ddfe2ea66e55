"""Rerankers over HTTP, against a real server on the loopback interface."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.remote.model_server import Behaviour, Reply, always, serving

from pincite import catalogue
from pincite.errors import RemoteError, UsageError
from pincite.retrieve.rerankers.http import HttpReranker

PASSAGES = [f"passage {'tide ' * (number % 4)}{number}" for number in range(7)]


def scores_of(passages: list[str]) -> list[float]:
    return [passage.count("tide") - len(passage) / 100 for passage in passages]


def documents(_: int, body: Any) -> Reply:
    """The best first, as servers answer."""
    scored = sorted(enumerate(scores_of(body["documents"])), key=lambda item: -item[1])
    return Reply({"results": [{"index": index, "relevance_score": score} for index, score in scored]})


def texts(_: int, body: Any) -> Reply:
    scored = sorted(enumerate(scores_of(body["texts"])), key=lambda item: -item[1])
    return Reply([{"index": index, "score": score} for index, score in scored])


def reranker(url: str, **options: Any) -> HttpReranker:
    made: HttpReranker = catalogue.create("rerank", "http", {"base_url": url, "first_wait_s": 0.01, **options})
    return made


@pytest.mark.parametrize("batch_size", [1, 3, 100])
def test_scores_come_in_the_order_of_the_passages(batch_size: int) -> None:
    with serving(documents) as server:
        made = reranker(server.url, model="tide", batch_size=batch_size)
        assert made.rerank("how high", PASSAGES) == scores_of(PASSAGES)
        first = server.asked[0]
        assert first.path == "/v1/rerank"
        assert first.body["model"] == "tide"
        assert first.body["query"] == "how high"
        assert first.body["top_n"] == len(first.body["documents"]) == min(batch_size, 7)
        assert len(server.asked) == -(-7 // batch_size)
        (notice,) = made.notices()
        assert notice.message.startswith(f"the reranker http (tide): {len(server.asked)} request")


def test_shape_of_text_embeddings_inference() -> None:
    with serving(texts) as server:
        assert reranker(server.url, shape="texts", path="/v2/rank").rerank("q", PASSAGES) == scores_of(PASSAGES)
        assert server.asked[0].body == {"query": "q", "texts": PASSAGES, "raw_scores": False}
        assert server.asked[0].path == "/v1/v2/rank"


def test_data_instead_of_results() -> None:
    answer = {"data": [{"index": 1, "relevance_score": 1}, {"index": 0, "relevance_score": 0.5}]}
    with serving(always(Reply(answer))) as server:
        assert reranker(server.url).rerank("q", ["a", "b"]) == [0.5, 1.0]


def test_no_passages_no_request() -> None:
    with serving(documents) as server:
        made = reranker(server.url)
        assert made.rerank("q", []) == []
        assert (server.asked, made.notices()) == ([], [])
        made.rerank("q", ["a"])
        made.rerank("q", ["b"])
        assert len(server.asked) == 2


def test_odd_texts_are_sent_as_servers_take_them() -> None:
    with serving(documents) as server:
        reranker(server.url).rerank(" ", ["", "odd \ud800"])
        assert server.asked[0].body["query"] == "."
        assert server.asked[0].body["documents"] == [".", "odd \ufffd"]


def test_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANK_API_KEY", "sk-secret")
    with serving(documents) as server:
        made = reranker(server.url, api_key_variable="RANK_API_KEY")
        made.rerank("q", PASSAGES)
        assert server.asked[0].headers["Authorization"] == "Bearer sk-secret"
    assert "secret" not in repr(made)


def result(*items: Any) -> Behaviour:
    return always(Reply({"results": list(items)}))


GOOD = {"index": 0, "relevance_score": 0.5}


@pytest.mark.parametrize(
    ("behaviour", "message"),
    [
        (always(Reply(b"<html>")), "something else than JSON"),
        (always(Reply({"error": "no"}, status=500)), "answered 500: no"),
        (always(Reply({"scores": [1, 2]})), "no list of results"),
        (always(Reply([1, 2])), "no list of results"),
        (result(GOOD), "1 results, or wrong indices, for 2 passages"),
        (result(GOOD, GOOD), "2 results, or wrong indices"),
        (result(GOOD, {"index": 2, "relevance_score": 1}), "2 results, or wrong indices"),
        (result(GOOD, {"relevance_score": 1}), "2 results, or wrong indices"),
        (result(GOOD, {"index": 1}), "the score 'None', which is no number"),
        (result(GOOD, {"index": 1, "relevance_score": "0.5"}), "the score '0.5', which is no number"),
        (result(GOOD, {"index": 1, "relevance_score": True}), "the score 'True', which is no number"),
        (result(GOOD, {"index": 1, "relevance_score": float("nan")}), "the score 'nan', which is no number"),
        (result(GOOD, {"index": 1, "relevance_score": 10**400}), "which is no number"),
    ],
)
def test_wrong_answers_are_one_clear_error(behaviour: Behaviour, message: str) -> None:
    with serving(behaviour) as server, pytest.raises(RemoteError, match=message) as caught:
        reranker(server.url, attempts=2).rerank("q", ["a", "b"])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"base_url": ""}, "base_url is needed"),
        ({"base_url": "x"}, "base_url is an address"),
        ({"batch_size": 0}, "batch_size is at least 1"),
        ({"concurrency": 0}, "concurrency is at least 1"),
        ({"shape": "lists"}, "takes one of documents, texts"),
        ({"api_key_variable": "HOME"}, "ends in _API_KEY"),
    ],
)
def test_impossible_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        catalogue.create("rerank", "http", {"base_url": "http://localhost:1", **options})
