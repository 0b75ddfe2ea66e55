"""Who answers: an answerer of the catalogue, or a language model by its own name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pincite import catalogue
from pincite.config import Component
from pincite.errors import UnknownNameError
from pincite.ports import Answerer

if TYPE_CHECKING:
    from pincite.answer.generated import ModelAnswerer
    from pincite.remote.language_model import LanguageModel

MODEL = "model"
_OPENAI_MODEL = re.compile(r"(?:ft:)?(?:gpt-|chatgpt-|o[1-9](?:-|$)|codex-).*")


def answerer_called(
    wanted: str | Answerer | None,
    settings: Component,
    *,
    options: Mapping[str, Any],
    parts: Mapping[str, Any],
) -> Answerer:
    """``wanted`` is a name of the catalogue, a language model (``gpt-4.1-mini``, ``openai:…``, ``anthropic:…``, any
    with a ``base_url`` among the options), an answerer that is ready, or nothing for that of the settings. Raises
    ``UnknownNameError`` and ``UsageError``."""
    if wanted is not None and not isinstance(wanted, str):
        return wanted
    component = _component(wanted, settings, options)
    answerer: Answerer = component.create(parts)
    return answerer


def language_model_called(name: str | None, *, base_url: str | None = None) -> LanguageModel:
    """A language model for other uses than answers. Raises ``UsageError`` for a name that no model can have, and
    ``MissingExtraError`` where the package is missing."""
    options = {"model": name, "base_url": base_url}
    given = {key: value for key, value in options.items() if value is not None}
    answerer: ModelAnswerer = Component("answer", MODEL, given).create()
    return answerer.language_model


def _component(wanted: str | None, settings: Component, options: Mapping[str, Any]) -> Component:
    given = {name: value for name, value in options.items() if value is not None}
    own = settings.options if settings.name == MODEL else {}
    if wanted is None and given and settings.name != MODEL:
        wanted = MODEL  # options of a language model say that one is wanted
    if wanted is None:
        return Component("answer", settings.name, {**settings.options, **given})
    if wanted in catalogue.names("answer"):
        return Component("answer", wanted, {**(settings.options if wanted == settings.name else {}), **given})
    if not (":" in wanted or "base_url" in {**own, **given} or _OPENAI_MODEL.fullmatch(wanted)):
        raise UnknownNameError(
            f"no answerer is called {wanted!r}",
            cure=f"There are: {', '.join(catalogue.names('answer'))}; language models are called openai:NAME or "
            "anthropic:NAME, and any other NAME with --base-url.",
        )
    return Component("answer", MODEL, {**own, **given, "model": wanted})
