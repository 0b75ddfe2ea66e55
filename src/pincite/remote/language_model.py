"""Asks a language model: one prompt there, its text back in pieces, with retries, a time limit and what it cost."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar

from pydantic_ai.direct import model_request_stream
from pydantic_ai.messages import ModelRequest, ModelResponse, PartDeltaEvent, PartStartEvent, TextPart, TextPartDelta
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings

from pincite import catalogue
from pincite.errors import RemoteError
from pincite.remote.model_failures import Failure, failure_of, is_no_such_path, redacted
from pincite.remote.providers import Api, Place, open_model
from pincite.remote.waiting import backoff_s

DEFAULT_MODEL = "gpt-4.1-mini"
LARGEST_ANSWER_CHARACTERS = 1_000_000
POLL_S = 0.1
"""So often it is asked whether anybody still waits for the answer."""
MILLION = 1_000_000

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """``instructions`` are the system's, ``text`` is the user's. With ``schema``, a JSON schema, servers that can are
    told to answer in JSON of that form; whoever reads the answer has to check it all the same."""

    instructions: str
    text: str
    schema: Mapping[str, Any] | None = None
    schema_name: str = "answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """``text`` is everything that the model wrote. ``complete`` is false where it stopped at ``max_output_tokens``.
    Tokens are the server's count, or with ``estimated`` ours; ``cost`` is in US dollars, ``None`` without a price.
    ``api`` is ``responses``, ``chat`` or the name of a provider that has its own."""

    text: str
    model: str
    api: str
    complete: bool
    input_tokens: int
    output_tokens: int
    estimated: bool
    cost: float | None
    attempts: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageModel:
    """A model by its name: one of OpenAI (``gpt-4.1-mini``, ``openai:gpt-4.1-mini``), one of another provider that
    pydantic-ai knows (``anthropic:…``), or with ``base_url`` any that a server with OpenAI's API has.

    ``api`` is OpenAI's Responses API or Chat Completions; left empty it is the first, and at another ``base_url`` the
    second where that server has no first. Keys come from the environment: ``api_key_variable`` names the variable, and
    without it OpenAI's own is only sent to OpenAI. One try may take ``timeout_s``, reading the whole answer included;
    there are ``attempts`` of them, with waits that double from ``first_wait_s`` up to ``longest_wait_s``. Prices are in
    US dollars for a million tokens; without them those that are known of a provider's models are used.
    """

    model: str = DEFAULT_MODEL
    base_url: str = ""
    api_key_variable: str = ""
    api: Literal["", "responses", "chat"] = ""
    timeout_s: float = 120.0
    attempts: int = 4
    first_wait_s: float = 0.5
    longest_wait_s: float = 60.0
    max_output_tokens: int = 2000
    temperature: float = 0.0
    input_price: float | None = None
    output_price: float | None = None
    place: Place = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Raises ``ValueError`` for options that cannot be; nothing is sent and no key is read."""
        if self.max_output_tokens < 1:
            raise ValueError(f"max_output_tokens is at least 1, got {self.max_output_tokens}")
        if not 0 <= self.temperature <= 2:
            raise ValueError(f"temperature is from 0 to 2, got {self.temperature}")
        for name in ("input_price", "output_price"):
            price = getattr(self, name)
            if price is not None and not price >= 0:
                raise ValueError(f"{name} is at least 0, got {price}")
        place = Place.of(
            self.model,
            base_url=self.base_url,
            api_key_variable=self.api_key_variable,
            timeout_s=self.timeout_s,
            attempts=self.attempts,
            first_wait_s=self.first_wait_s,
            longest_wait_s=self.longest_wait_s,
        )
        object.__setattr__(self, "place", place)

    def ask(
        self,
        prompt: Prompt,
        *,
        on_text: Callable[[str], None] | None = None,
        wanted: Callable[[], bool] | None = None,
    ) -> Reply:
        """The model's answer. ``on_text`` is called with all of the text so far whenever there is more; after a try
        that failed it begins anew. ``wanted`` says whether anybody still waits for it.

        Raises ``RemoteError`` and, where a key is missing or the provider is unknown, ``UsageError``.
        """
        prompt = replace(prompt, instructions=_sendable(prompt.instructions), text=_sendable(prompt.text))
        return _run(lambda: _Asking(self, prompt, on_text or (lambda _: None), wanted or (lambda: True)).reply())


@dataclass(slots=True)
class _Asking:
    """One question with its retries."""

    model: LanguageModel
    prompt: Prompt
    on_text: Callable[[str], None]
    wanted: Callable[[], bool]

    async def reply(self) -> Reply:
        started = time.monotonic()
        place, api = self.model.place, self.model.api or "responses"
        attempt = 0
        while True:
            attempt += 1
            tried = await self._unless_unwanted(self._try(api))
            if not isinstance(tried, Failure):
                return self._reply(tried, api, attempt, time.monotonic() - started)
            if is_no_such_path(tried) and not self.model.api and api == "responses" and place.may_lack_responses:
                api, attempt = "chat", attempt - 1
                continue
            if not tried.again or attempt >= self.model.attempts:
                raise tried.error from tried.cause
            await self._unless_unwanted(asyncio.sleep(self._wait_s(tried, attempt)))

    async def _try(self, api: Api) -> ModelResponse | Failure:
        try:
            async with asyncio.timeout(self.model.timeout_s), open_model(self.model.place, api) as model:
                response = await self._stream(model)
        except RemoteError as error:
            return Failure(error, again=False)
        except Exception as error:  # a broken server makes the library fail in ways that cannot be listed
            return failure_of(error, self.model.place, timeout_s=self.model.timeout_s)
        if not any(part.content.strip() for part in response.parts if isinstance(part, TextPart)):
            return Failure(self._error("gave an answer without text", "answer", "Try another model."), again=True)
        return response

    async def _stream(self, model: Any) -> ModelResponse:
        request = ModelRequest.user_text_prompt(self.prompt.text, instructions=self.prompt.instructions)
        text = ""
        async with model_request_stream(
            model,
            [request],
            model_settings=self._settings(),
            model_request_parameters=_parameters(self.prompt, model),
            instrument=False,
        ) as stream:
            async for event in stream:
                piece = _text_in(event)
                if piece:
                    text += piece
                    if len(text) > LARGEST_ANSWER_CHARACTERS:
                        raise self._error("does not stop to write", "answer", "Lower `max_output_tokens`.")
                    self.on_text(redacted(text))
        return stream.get()

    def _settings(self) -> ModelSettings:
        settings = ModelSettings(
            max_tokens=self.model.max_output_tokens,
            temperature=self.model.temperature,
            timeout=self.model.timeout_s,
        )
        if self.model.place.is_openai:
            settings["openai_store"] = False  # type: ignore[typeddict-unknown-key] # passages are not for keeping there
        return settings

    def _reply(self, response: ModelResponse, api: Api, attempts: int, seconds: float) -> Reply:
        text = "".join(part.content for part in response.parts if isinstance(part, TextPart))
        usage = response.usage
        estimated = not (usage.input_tokens or usage.output_tokens)
        given, made = usage.input_tokens, usage.output_tokens
        if estimated:
            counter = catalogue.create("counter", catalogue.DEFAULTS["counter"])
            given, made = counter.count(f"{self.prompt.instructions}\n{self.prompt.text}"), counter.count(text)
        return Reply(
            text=redacted(text),
            model=response.model_name or self.model.model,
            api=api if self.model.place.server else self.model.place.provider,
            complete=response.finish_reason != "length",
            input_tokens=given,
            output_tokens=made,
            estimated=estimated,
            cost=self._cost(response, given, made, estimated=estimated),
            attempts=attempts,
            seconds=seconds,
        )

    def _cost(self, response: ModelResponse, given: int, made: int, *, estimated: bool) -> float | None:
        if self.model.input_price is not None or self.model.output_price is not None:
            return (given * (self.model.input_price or 0.0) + made * (self.model.output_price or 0.0)) / MILLION
        if estimated or self.model.base_url:
            return None
        try:
            return float(response.cost().total_price)
        except (LookupError, ValueError, AssertionError):  # nobody knows a price
            return None

    def _wait_s(self, failure: Failure, attempt: int) -> float:
        asked = failure.wait_s
        if asked is not None and asked > self.model.longest_wait_s:
            problem = f"asks to wait {asked:.0f} seconds ({failure.error.problem})"
            error = self._error(problem, "overloaded", "Try again later, or raise `longest_wait_s`.")
            raise error from failure.error
        wait_s = backoff_s(
            attempt,
            first_s=self.model.first_wait_s,
            longest_s=self.model.longest_wait_s,
            draw=random.random(),  # noqa: S311 - spreads clients, keeps no secret
        )
        return max(wait_s, asked or 0.0)

    async def _unless_unwanted(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Gives up, at the next poll, what nobody waits for any more."""
        task = asyncio.ensure_future(work)
        try:
            while True:
                done, _ = await asyncio.wait({task}, timeout=POLL_S)
                if done:
                    return task.result()
                if not self.wanted():
                    raise self._error("was not asked any more", "stopped", "Start again to go on.")
        finally:
            if not task.done():
                task.cancel()
                await asyncio.wait({task}, timeout=1.0)

    def _error(self, problem: str, kind: str, cure: str) -> RemoteError:
        return RemoteError(f"the server {self.model.place.host} {problem}", cure=cure, kind=kind)


def _sendable(text: str) -> str:
    """Half characters, which come from bytes of a command line that are no text, are sent as question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _parameters(prompt: Prompt, model: Any) -> ModelRequestParameters:
    """With a schema the server's own structured output where it has that."""
    if prompt.schema is None or not model.profile.get("supports_json_schema_output", False):
        return ModelRequestParameters()
    wanted = OutputObjectDefinition(json_schema=dict(prompt.schema), name=prompt.schema_name, strict=True)
    return ModelRequestParameters(output_mode="native", output_object=wanted, allow_text_output=True)


def _text_in(event: Any) -> str:
    if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
        return event.part.content
    if isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
        return event.delta.content_delta
    return ""


def _run(work: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
    """Runs it to its end, in a thread of its own where this one has a running loop already."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work())
    outcome: list[Result] = []
    errors: list[BaseException] = []

    def serve() -> None:
        try:
            outcome.append(asyncio.run(work()))
        except BaseException as error:  # raised again below
            errors.append(error)

    thread = threading.Thread(target=serve, name="pincite-language-model", daemon=True)
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
    return outcome[0]
