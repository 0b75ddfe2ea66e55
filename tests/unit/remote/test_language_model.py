"""The client of language models against the fake server and against servers that break in ways of their own."""

from __future__ import annotations

import asyncio
import itertools
import json
import socket
import threading
import time
from typing import Any, Literal

import pytest
from tests.unit.remote.model_server import Behaviour as Replies
from tests.unit.remote.model_server import Reply as Sent
from tests.unit.remote.model_server import always, serving

from pincite.errors import MissingExtraError, RemoteError, UsageError
from pincite.remote.language_model import LanguageModel, Prompt
from pincite.testing.fake_llm import Behaviour, FakeServer, Mode, fake_llm

Api = Literal["responses", "chat"]
APIS: tuple[Api, ...] = ("responses", "chat")
KEY = "sk-a-very-secret-key-0123456789"
PROMPT = Prompt(
    instructions="Answer from the passages.",
    text="A cursor lives for 15 minutes. A token lives for 60 minutes.\n\nHow long does a cursor live?",
)


def model_at(server: FakeServer, **options: Any) -> LanguageModel:
    options = {"model": "fake", "first_wait_s": 0.001, "attempts": 2, "timeout_s": 20, **options}
    return LanguageModel(base_url=server.base_url, **options)


def failure(model: LanguageModel) -> RemoteError:
    with pytest.raises(RemoteError) as caught:
        model.ask(PROMPT)
    assert "\n" not in str(caught.value)
    assert KEY not in str(caught.value)
    return caught.value


@pytest.mark.parametrize("api", APIS)
def test_the_text_comes_in_pieces_and_whole_with_what_it_took(api: Api) -> None:
    pieces: list[str] = []
    with fake_llm() as server:
        reply = model_at(server, api=api).ask(PROMPT, on_text=pieces.append)
    assert json.loads(reply.text)["statements"][0]["text"] == "A cursor lives for 15 minutes."
    assert len(pieces) > 2
    assert pieces[-1] == reply.text
    assert all(later.startswith(earlier) for earlier, later in itertools.pairwise(pieces))
    assert (reply.api, reply.attempts, reply.complete, reply.estimated, reply.cost) == (api, 1, True, False, None)
    assert reply.input_tokens > 10 < reply.output_tokens
    assert reply.seconds > 0


def test_a_server_without_the_responses_api_is_asked_by_chat() -> None:
    with fake_llm(Behaviour(responses=False)) as server:
        assert model_at(server, attempts=1).ask(PROMPT).api == "chat"
        assert failure(model_at(server, api="responses")).kind == "refused"


def test_prices_make_a_cost() -> None:
    with fake_llm() as server:
        reply = model_at(server, input_price=2.0, output_price=8.0).ask(PROMPT)
    assert reply.cost == pytest.approx((2 * reply.input_tokens + 8 * reply.output_tokens) / 1_000_000)


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize(
    ("mode", "kind", "said", "asked"),
    [
        ("breaks-off", "unreachable", "broke off its answer", 2),
        ("denied", "denied", "answered 401", 1),
        ("fails", "overloaded", "answered 500", 2),
        ("too-long", "too_long", "cannot read so much", 1),
        ("no-json", "answer", "cannot be read", 1),
    ],
)
def test_each_failure_is_one_clear_error(api: Api, mode: Mode, kind: str, said: str, asked: int) -> None:
    with fake_llm(Behaviour(mode=mode)) as server:
        error = failure(model_at(server, api=api))
        assert len(server.model.asked) == asked
    assert error.kind == kind
    assert said in str(error)
    assert error.cure


@pytest.mark.parametrize("mode", ["slow", "stalls"])
def test_one_try_takes_no_longer_than_it_may(mode: Mode) -> None:
    started = time.monotonic()
    with fake_llm(Behaviour(mode=mode, wait_s=60)) as server:
        error = failure(model_at(server, timeout_s=1.0, attempts=1))
    assert error.kind == "timeout"
    assert "1 second" in str(error)
    assert time.monotonic() - started < 20


def test_a_refusal_is_waited_for_and_tried_again() -> None:
    with fake_llm(Behaviour(mode="overloaded", refusals=2, retry_after_s=0.05)) as server:
        reply = model_at(server, attempts=3).ask(PROMPT)
        assert (reply.attempts, len(server.model.asked)) == (3, 3)
    with fake_llm(Behaviour(mode="overloaded", retry_after_s=500)) as server:
        error = failure(model_at(server))
    assert (error.kind, "asks to wait 500 seconds" in str(error)) == ("overloaded", True)


def test_a_server_that_is_down_is_said_to_be() -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
        error = failure(
            LanguageModel(model="x", base_url=f"http://127.0.0.1:{port}/v1", attempts=2, first_wait_s=0.001)
        )
    assert (error.kind, f"127.0.0.1:{port}" in str(error)) == ("unreachable", True)


@pytest.mark.parametrize(
    "reply",
    [
        Sent(b"{not json", headers=(("Content-Type", "application/json"),)),
        Sent(b"data: {not json\n\n", headers=(("Content-Type", "text/event-stream"),)),
        Sent(b'data: {"type": "response.output_text.delta"}\n\n', headers=(("Content-Type", "text/event-stream"),)),
        Sent(b"data: [1, 2]\n\n", headers=(("Content-Type", "text/event-stream"),)),
        Sent(b"", headers=(("Content-Type", "text/event-stream"),)),
        Sent({"error": {"message": f"bad {KEY}\n\x1b[31mred"}}, status=400),
        Sent(b"\xff\xfe\x00", status=422),
        Sent({"detail": "nope"}, status=403),
    ],
)
@pytest.mark.parametrize("api", APIS)
def test_no_nonsense_of_a_server_comes_out_as_anything_but_an_error(
    api: Api, reply: Sent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_API_KEY", KEY)
    with serving(always(reply)) as server:
        model = LanguageModel(
            model="x", base_url=server.url, api=api, api_key_variable="FAKE_API_KEY", attempts=1, timeout_s=20
        )
        error = failure(model)
    assert error.kind in ("answer", "refused", "denied")
    assert "\x1b" not in str(error)


def test_the_key_is_sent_where_it_is_named_and_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_ORG_ID", "org-secret")
    with fake_llm() as server:
        model_at(server).ask(PROMPT)
        assert not server.model.asked[0].authorised
        assert KEY not in repr(model_at(server))
    monkeypatch.setenv("MY_API_KEY", KEY)
    with fake_llm(Behaviour(mode="denied")) as server:
        error = failure(model_at(server, api_key_variable="MY_API_KEY"))
        assert server.model.asked[0].authorised
    assert "***" in str(error)
    assert KEY not in repr(error.__cause__.__class__)


def echo(_: int, body: Any) -> Sent:
    text = f"your key is {KEY}"
    chunk = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    events = [
        {**chunk, "choices": [{"index": 0, "delta": {"role": "assistant", "content": text}, "finish_reason": None}]},
        {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": "length"}]},
    ]
    data = "".join(f"data: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n\n"
    return Sent(data.encode(), headers=(("Content-Type", "text/event-stream"),))


def test_a_key_that_a_model_repeats_is_taken_out_and_tokens_are_counted_here_where_nobody_else_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    replies: Replies = echo
    with serving(replies) as server:
        reply = LanguageModel(model="m", base_url=server.url, api="chat", attempts=1).ask(PROMPT)
    assert reply.text == "your key is ***"
    assert reply.estimated
    assert reply.output_tokens > 3
    assert not reply.complete


def test_a_missing_key_names_its_variable_before_anything_is_sent() -> None:
    with pytest.raises(UsageError, match="OPENAI_API_KEY") as caught:
        LanguageModel(model="gpt-4.1-mini").ask(PROMPT)
    assert caught.value.kind == "missing_key"


def test_other_providers_are_known_by_their_names() -> None:
    with pytest.raises(UsageError, match="no provider of language models is called 'nobody'"):
        LanguageModel(model="nobody:model").ask(PROMPT)
    with pytest.raises(MissingExtraError, match=r"pip install 'pydantic-ai-slim\[mistral\]'"):
        LanguageModel(model="mistral:model").ask(PROMPT)


def test_a_provider_is_asked_in_its_own_way(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="Set DEEPSEEK_API_KEY") as caught:
        LanguageModel(model="deepseek:some-model").ask(PROMPT)
    assert caught.value.kind == "missing_key"
    with fake_llm() as server:
        monkeypatch.setenv("OLLAMA_BASE_URL", server.base_url)
        for _ in range(2):  # each question has its own event loop
            reply = LanguageModel(model="ollama:fake", attempts=1, timeout_s=20).ask(PROMPT)
            assert (reply.api, "15 minutes" in reply.text) == ("ollama", True)
    error = failure(LanguageModel(model="ollama:fake", attempts=1, timeout_s=20))
    assert (error.kind, "the server of ollama" in str(error)) == ("unreachable", True)


def test_a_name_with_a_colon_belongs_to_the_server_that_is_named() -> None:
    with fake_llm() as server:
        assert model_at(server, model="llama:3b").place.name == "llama:3b"
        model_at(server, model="openai:fake").ask(PROMPT)
        assert server.model.asked[0].body["model"] == "fake"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"model": ""}, "a model is needed"),
        ({"model": "openai:"}, "a model is needed"),
        ({"base_url": "ftp://x"}, "base_url"),
        ({"max_output_tokens": 0}, "max_output_tokens is at least 1"),
        ({"temperature": 3.0}, "temperature"),
        ({"input_price": -1.0}, "input_price"),
        ({"timeout_s": 0}, "timeout_s"),
        ({"attempts": 0}, "attempts"),
        ({"model": "anthropic:x", "api_key_variable": "X_API_KEY"}, "api_key_variable"),
    ],
)
def test_options_that_cannot_be_are_refused_at_once(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        LanguageModel(**options)


def test_an_answer_that_nobody_waits_for_is_given_up() -> None:
    waiting = threading.Event()
    threading.Timer(0.3, waiting.set).start()
    started = time.monotonic()
    with fake_llm(Behaviour(mode="stalls")) as server, pytest.raises(RemoteError) as caught:
        model_at(server, timeout_s=60).ask(PROMPT, wanted=lambda: not waiting.is_set())
    assert caught.value.kind == "stopped"
    assert time.monotonic() - started < 20


def test_it_can_be_asked_inside_a_running_loop() -> None:
    async def ask(server: FakeServer) -> str:
        return model_at(server).ask(PROMPT).text

    with fake_llm() as server:
        assert "15 minutes" in asyncio.run(ask(server))
    with fake_llm(Behaviour(mode="denied")) as server, pytest.raises(RemoteError):
        asyncio.run(ask(server))


def test_a_model_that_does_not_stop_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.remote.language_model.LARGEST_ANSWER_CHARACTERS", 30)
    with fake_llm() as server:
        assert "does not stop" in str(failure(model_at(server)))


def test_a_key_is_taken_out_while_the_text_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    replies: Replies = echo
    heard: list[str] = []
    with serving(replies) as server:
        LanguageModel(model="m", base_url=server.url, api="chat", attempts=1).ask(PROMPT, on_text=heard.append)
    assert heard
    assert KEY not in "".join(heard)


@pytest.mark.parametrize("api", APIS)
def test_half_characters_of_a_prompt_can_be_sent(api: Api) -> None:
    prompt = Prompt(instructions=f"{PROMPT.instructions} \udcff", text=f"{PROMPT.text} \ud800")
    with fake_llm() as server:
        assert "15 minutes" in model_at(server, api=api).ask(prompt).text
