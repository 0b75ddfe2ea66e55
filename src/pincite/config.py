"""``pincite.toml``: the settings of a collection, checked whole before any work."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from pincite import catalogue
from pincite.errors import ConfigError, UsageError
from pincite.model import LIST_KEYS, MODES, TEXT_KEYS, Metadata, MetadataValue, Mode, known_key

FILE_NAME = "pincite.toml"
DEFAULT_MODE: Mode = "hybrid"
DEFAULT_K = 5


@dataclass(frozen=True, slots=True)
class Component:
    """A component by its catalogue name, with the options that differ from its own defaults."""

    kind: catalogue.Kind
    name: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def create(self, parts: Mapping[str, Any] | None = None) -> Any:
        """``parts`` are components that it works with, such as the embedder of an answerer."""
        return catalogue.create(self.kind, self.name, self.options, parts=parts)

    @classmethod
    def default(cls, kind: catalogue.Kind) -> Component:
        return cls(kind, catalogue.DEFAULTS[kind])


@dataclass(frozen=True, slots=True)
class MetadataRule:
    """Metadata for every document that the glob matches; it replaces what the document says of itself."""

    glob: str
    metadata: Metadata

    def matches(self, names: Iterable[str]) -> bool:
        """Whether the glob matches one of the names that the document goes by."""
        return any(glob_matches(self.glob, name) for name in names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that ``pincite.toml`` can say; the values here are the defaults.

    ``exclude`` holds globs of files that are left out, ``load`` the options of loaders by their names.
    ``embed_metadata`` names the metadata whose values are embedded and indexed together with each chunk. ``k`` is how
    many hits a search gives.
    """

    exclude: tuple[str, ...] = ()
    load: Mapping[str, Component] = field(default_factory=dict)
    chunk: Component = field(default_factory=lambda: Component.default("chunk"))
    embed: Component = field(default_factory=lambda: Component.default("embed"))
    embed_metadata: tuple[str, ...] = ()
    fusion: Component = field(default_factory=lambda: Component.default("fusion"))
    mode: Mode = DEFAULT_MODE
    k: int = DEFAULT_K
    answer: Component = field(default_factory=lambda: Component.default("answer"))
    rules: tuple[MetadataRule, ...] = ()


def read_settings(file: Path) -> Settings:
    """The settings in that file; the defaults where there is none. Raises ``ConfigError``."""
    try:
        if not os.path.lexists(file):  # also in a folder that may not be looked into: none of its files can be read
            return Settings()
        if not file.is_file():  # reading a pipe would wait for ever
            raise ConfigError("is not a regular file", cure="Move it away.", file=str(file))
        text = file.read_text(encoding="utf-8")
    except NotADirectoryError:
        return Settings()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot be read ({error})", cure="Make it a readable UTF-8 file.", file=str(file)) from error
    try:
        return parse_settings(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"is not valid TOML: {error}", cure="Mend that line.", file=str(file)) from error
    except UsageError as error:
        raise ConfigError(error.problem, cure=error.cure, file=str(file)) from error


def parse_settings(data: Mapping[str, Any]) -> Settings:
    """
    >>> parse_settings({"chunk": {"strategy": "tokens", "max_tokens": 200}}).chunk
    Component(kind='chunk', name='tokens', options={'max_tokens': 200})
    """
    _known("section", data, ("collection", "load", "chunk", "embed", "search", "answer", "metadata"))
    collection = _table(data, "collection")
    _known("key in [collection]", collection, ("exclude",))
    embed = dict(_table(data, "embed"))
    embed_metadata = _texts("[embed] metadata", embed.pop("metadata", []))
    search = dict(_table(data, "search"))
    mode, k = search.pop("mode", DEFAULT_MODE), search.pop("k", DEFAULT_K)
    if mode not in MODES:
        raise UsageError(f"[search] mode is {mode!r}", cure=f"It is one of: {', '.join(MODES)}.")
    if not isinstance(k, int) or isinstance(k, bool) or k < 1:
        raise UsageError(f"[search] k is {k!r}", cure="It is a whole number from 1.")
    return Settings(
        exclude=_texts("[collection] exclude", collection.get("exclude", [])),
        load=_loaders(_table(data, "load")),
        chunk=_component("chunk", "strategy", _table(data, "chunk")),
        embed=_component("embed", "name", embed),
        embed_metadata=embed_metadata,
        fusion=_component("fusion", "fusion", search, section="search"),
        mode=mode,
        k=k,
        answer=_component("answer", "name", _table(data, "answer")),
        rules=tuple(_rule(rule) for rule in _list(data, "metadata")),
    )


def glob_matches(glob: str, path: str) -> bool:
    """``*`` and ``?`` stay within a folder, ``**`` crosses folders; a glob without a slash matches a name anywhere.

    >>> glob_matches("support/**", "support/faq/credits.md"), glob_matches("*.md", "support/faq/credits.md")
    (True, True)
    >>> glob_matches("support/*.md", "support/faq/credits.md")
    False
    """
    return _glob_pattern(glob).fullmatch(path) is not None


@lru_cache(maxsize=1024)
def _glob_pattern(glob: str) -> re.Pattern[str]:
    parts = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    pattern = "".join(parts.get(part, re.escape(part)) for part in re.split(r"(\*\*/|\*\*|\*|\?)", glob.strip("/")))
    anywhere = "" if "/" in glob.strip("/") else "(?:.*/)?"
    return re.compile(anywhere + pattern, re.DOTALL)


def _rule(data: Mapping[str, Any]) -> MetadataRule:
    glob = data.get("glob")
    if not isinstance(glob, str) or not glob:
        raise UsageError("a [[metadata]] rule has no glob", cure='Give it one, such as glob = "support/**".')
    metadata: dict[str, MetadataValue] = {}
    for key, value in data.items():
        name = known_key(key)
        if key == "glob":
            continue
        if name in metadata:
            raise UsageError(f"[[metadata]] {name} is set twice in one rule", cure="Keep one of them.")
        if name in LIST_KEYS:
            metadata[name] = _names(f"[[metadata]] {key}", [value] if isinstance(value, str) else value)
        elif name in TEXT_KEYS and not isinstance(value, str) and not hasattr(value, "isoformat"):
            raise UsageError(f"[[metadata]] {key} is {value!r}", cure="Write it in quotes.")
        elif isinstance(value, list):
            metadata[name] = _texts(f"[[metadata]] {name}", value)
        elif isinstance(value, (str, int, float, bool)):
            metadata[name] = value
        elif hasattr(value, "isoformat"):  # TOML's own dates
            metadata[name] = value.isoformat()
        else:
            raise UsageError(f"[[metadata]] {name} is {value!r}", cure="Use text, a number, a date or a list of texts.")
    return MetadataRule(glob, metadata)


def _component(kind: catalogue.Kind, key: str, data: Mapping[str, Any], section: str = "") -> Component:
    options = dict(data)
    name = options.pop(key, catalogue.DEFAULTS[kind])
    if not isinstance(name, str):
        raise UsageError(f"[{section or kind}] {key} is {name!r}", cure="It is a name in quotes.")
    catalogue.check_options(kind, name, options)
    component = Component(kind, name, options)
    if data and kind in ("chunk", "fusion"):  # cheap to make, and only a made one has checked its figures
        component.create()
    return component


def _loaders(data: Mapping[str, Any]) -> dict[str, Component]:
    """From sections such as ``[load.pdf]``."""
    result = {}
    for name in data:
        catalogue.find("load", name)
        options = _table(data, name)
        catalogue.check_options("load", name, options)
        result[name] = Component("load", name, options)
        result[name].create()
    return result


def _table(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = data.get(name, {})
    if not isinstance(value, dict):
        raise UsageError(f"{name} is {value!r}", cure=f"Make it a section: [{name}].")
    return value


def _list(data: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    value = data.get(name, [])
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise UsageError(f"{name} is not a list of sections", cure=f"Write [[{name}]] before each.")
    return value


def _texts(name: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
        raise UsageError(f"{name} is {value!r}", cure="It is a list of texts.")
    return tuple(value)


def _names(name: str, value: Any) -> tuple[str, ...]:
    """At least one text, none of them blank: an empty list of groups would say nothing about who may see it."""
    texts = _texts(name, value)
    if not texts or not all(text.strip() for text in texts):
        raise UsageError(f"{name} is {value!r}", cure="Give it at least one name, or take the line out.")
    return tuple(text.strip() for text in texts)


def _known(noun: str, data: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for name in data:
        if name not in known:
            raise UsageError(f"there is no {noun} called {name!r}", cure=f"There are: {', '.join(known)}.")
