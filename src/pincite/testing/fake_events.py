"""What OpenAI's two APIs for text answer, whole and as server-sent events, as far as clients read it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

CREATED = 1_735_689_600
"""The first second of 2025: no answer depends on the clock."""


def _id(kind: str, body: Mapping[str, Any], text: str) -> str:
    digest = hashlib.sha256(json.dumps([body, text], sort_keys=True, default=str).encode()).hexdigest()
    return f"{kind}_{digest[:24]}"


def tokens_of(text: str) -> int:
    """A quarter of the characters: near enough for figures that nobody pays."""
    return -(-len(text) // 4)


def chat_whole(body: Mapping[str, Any], text: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": text, "refusal": None}
    choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
    return {
        "id": _id("chatcmpl", body, text),
        "object": "chat.completion",
        "created": CREATED,
        "model": str(body.get("model", "")),
        "choices": [choice],
        "usage": _chat_usage(body, text),
    }


def chat_events(body: Mapping[str, Any], pieces: Sequence[str]) -> Iterator[str]:
    text = "".join(pieces)
    head = {
        "id": _id("chatcmpl", body, text),
        "object": "chat.completion.chunk",
        "created": CREATED,
        "model": str(body.get("model", "")),
    }

    def chunk(delta: Mapping[str, Any], finish: str | None = None) -> str:
        return _event({**head, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})

    yield chunk({"role": "assistant", "content": ""})
    yield from (chunk({"content": piece}) for piece in pieces)
    yield chunk({}, "stop")
    options = body.get("stream_options")
    if isinstance(options, Mapping) and options.get("include_usage"):
        yield _event({**head, "choices": [], "usage": _chat_usage(body, text)})
    yield "data: [DONE]\n\n"


def _chat_usage(body: Mapping[str, Any], text: str) -> dict[str, int]:
    given, made = tokens_of(json.dumps(body.get("messages", ""))), tokens_of(text)
    return {"prompt_tokens": given, "completion_tokens": made, "total_tokens": given + made}


def response_whole(body: Mapping[str, Any], text: str) -> dict[str, Any]:
    return _response(body, text, status="completed", output=[_message(body, text, "completed")])


def response_events(body: Mapping[str, Any], pieces: Sequence[str]) -> Iterator[str]:
    text = "".join(pieces)
    item = _message(body, text, "completed")
    at = {"item_id": item["id"], "output_index": 0, "content_index": 0}
    begun = {**item, "status": "in_progress", "content": []}
    part = {"type": "output_text", "text": "", "annotations": []}
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": _response(body, text, status="in_progress", output=[])},
        {"type": "response.output_item.added", "output_index": 0, "item": begun},
        {"type": "response.content_part.added", **at, "part": part},
        *({"type": "response.output_text.delta", **at, "delta": piece, "logprobs": []} for piece in pieces),
        {"type": "response.output_text.done", **at, "text": text, "logprobs": []},
        {"type": "response.content_part.done", **at, "part": {**part, "text": text}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": response_whole(body, text)},
    ]
    for number, event in enumerate(events):
        yield f"event: {event['type']}\n" + _event({**event, "sequence_number": number})


def _message(body: Mapping[str, Any], text: str, status: str) -> dict[str, Any]:
    content = [{"type": "output_text", "text": text, "annotations": []}]
    return {
        "id": _id("msg", body, text),
        "type": "message",
        "role": "assistant",
        "status": status,
        "content": content,
    }


def _response(body: Mapping[str, Any], text: str, *, status: str, output: list[dict[str, Any]]) -> dict[str, Any]:
    given = tokens_of(f"{body.get('instructions', '')}{json.dumps(body.get('input', ''))}")
    made = tokens_of(text)
    usage = {
        "input_tokens": given,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": made,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": given + made,
    }
    return {
        "id": _id("resp", body, text),
        "object": "response",
        "created_at": CREATED,
        "status": status,
        "model": str(body.get("model", "")),
        "output": output,
        "parallel_tool_calls": False,
        "tool_choice": "auto",
        "tools": [],
        "usage": usage if status == "completed" else None,
    }


def _event(data: Mapping[str, Any]) -> str:
    return f"data: {json.dumps(data)}\n\n"
