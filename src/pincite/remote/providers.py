"""Which server a language model is asked at, by its name, and the client for it."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlsplit

import httpx2
from openai import AsyncOpenAI
from pydantic_ai.exceptions import UserError
from pydantic_ai.models import Model, infer_model
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers import infer_provider_class
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

from pincite.errors import MissingExtraError, UsageError
from pincite.remote.server import OPENAI_URL, Server

Api = Literal["responses", "chat"]
OPENAI = "openai"
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*_(?:KEY|TOKEN)\b")
OPENAI_HEADERS = ("openai-organization", "openai-project")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """``server`` is the one with OpenAI's API; ``None`` for a provider with an API of its own."""

    provider: str
    name: str
    server: Server | None

    @classmethod
    def of(
        cls,
        model: str,
        *,
        base_url: str,
        api_key_variable: str,
        timeout_s: float,
        attempts: int,
        first_wait_s: float,
        longest_wait_s: float,
    ) -> Place:
        """Raises ``ValueError`` where there can be no such place. A name may have a colon of its own (``llama3.2:3b``)
        where a ``base_url`` says whose it is."""
        provider, colon, name = model.partition(":")
        if not colon or (base_url and provider != OPENAI):
            provider, name = OPENAI, model
        if not name.strip():
            raise ValueError(f'a model is needed, such as model = "gpt-4.1-mini", got {model!r}')
        server = Server(
            base_url=base_url or OPENAI_URL,
            api_key_variable=api_key_variable,
            timeout_s=timeout_s,
            attempts=attempts,
            first_wait_s=first_wait_s,
            longest_wait_s=longest_wait_s,
        )
        if provider == OPENAI:
            return cls(provider=provider, name=name, server=server)
        if api_key_variable:
            raise ValueError(
                f"{provider} reads its key from a variable of its own; api_key_variable is for OpenAI's API"
            )
        return cls(provider=provider, name=name, server=None)

    @property
    def host(self) -> str:
        """What messages show."""
        return self.server.host if self.server else f"of {self.provider}"

    @property
    def is_openai(self) -> bool:
        return self.server is not None and urlsplit(self.server.base_url).netloc == urlsplit(OPENAI_URL).netloc

    @property
    def may_lack_responses(self) -> bool:
        """Many servers have Chat Completions only; OpenAI's has both."""
        return self.server is not None and not self.is_openai


@asynccontextmanager
async def open_model(place: Place, api: Api) -> AsyncIterator[Model[Any]]:
    """The model for one request. Raises ``UsageError`` where the key is missing or there is no such provider."""
    if place.server is None:
        async with httpx2.AsyncClient(timeout=None) as http:
            yield infer_model(f"{place.provider}:{place.name}", lambda name: _provider(name, http))
        return
    key = place.server.key()
    own = () if place.is_openai else OPENAI_HEADERS if key else ("authorization", *OPENAI_HEADERS)
    async with AsyncOpenAI(
        base_url=place.server.base_url,
        api_key=key or "none",
        http_client=httpx2.AsyncClient(event_hooks={"request": [_without(own)]}, trust_env=not place.server.is_here),
        timeout=place.server.timeout_s,
        max_retries=0,  # ours know who still waits, and how long they may
    ) as client:
        provider = (
            OpenAIProvider(openai_client=client)
            if place.is_openai
            else OpenAICompatibleProvider(place.server.host, openai_client=client)
        )
        yield (OpenAIResponsesModel if api == "responses" else OpenAIChatModel)(place.name, provider=provider)


def _without(headers: Sequence[str]) -> Callable[[httpx2.Request], Awaitable[None]]:
    """OpenAI's client demands a key and adds what the environment says of an account; another server gets neither."""

    async def take_out(request: httpx2.Request) -> None:
        for name in headers:
            request.headers.pop(name, None)

    return take_out


def _provider(name: str, http: httpx2.AsyncClient) -> Any:
    try:
        made: Any = infer_provider_class(name)
    except ValueError as error:
        raise UsageError(
            f"no provider of language models is called {name!r}",
            cure="Use openai:NAME, anthropic:NAME or another one of pydantic-ai, or name a server with --base-url.",
        ) from error
    except ImportError as error:
        raise MissingExtraError(
            f"models of {name} need a package that is not installed",
            cure=f"Install it with: pip install 'pydantic-ai-slim[{name}]'.",
        ) from error
    try:
        return made(http_client=http)
    except UserError as error:
        variable = _VARIABLE.search(str(error))
        raise UsageError(
            f"models of {name} want a key, and there is none",
            cure=f"Set {variable[0] if variable else 'it'}, or name a file that has it: pincite --env-file FILE …",
            kind="missing_key",
        ) from error
