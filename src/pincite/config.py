"""``pincite.toml``: the settings of a collection, checked whole before any work."""

from __future__ import annotations

import math
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
DEFAULT_JOIN_TOKENS = 500
CHUNK_TOKENS = 100
"""``max_tokens`` of the default strategy in a collection, whose search reads a chunk with what stands around it and
joins adjacent hits; cut for another search, its own default is better (docs/decisions/0021-context-in-the-score.md)."""
MAX_WHOLE_NUMBER = 2**63 - 1
"""Larger ones are none to a database."""


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


@dataclass(frozen=True, slots=True)
class ChunkRule:
    """How every document that the glob matches is cut, instead of as ``[chunk]`` says."""

    glob: str
    chunk: Component

    def matches(self, names: Iterable[str]) -> bool:
        return any(glob_matches(self.glob, name) for name in names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that ``pincite.toml`` can say; the values here are the defaults.

    ``exclude`` holds globs of files that are left out, ``load`` the options of loaders by their names; ``chunk_rules``
    say by glob what is cut in another way than ``chunk`` says. ``embed_metadata`` names the metadata whose values are
    embedded and indexed together with each chunk. ``k`` is how many hits a search gives; adjacent chunks that rank high
    together are one hit of at most ``join_tokens``, with 0 never.
    """

    exclude: tuple[str, ...] = ()
    load: Mapping[str, Component] = field(default_factory=dict)
    chunk: Component = field(default_factory=lambda: chunk_component({}))
    chunk_rules: tuple[ChunkRule, ...] = ()
    embed: Component = field(default_factory=lambda: Component.default("embed"))
    embed_metadata: tuple[str, ...] = ()
    fusion: Component = field(default_factory=lambda: Component.default("fusion"))
    mode: Mode = DEFAULT_MODE
    k: int = DEFAULT_K
    fold: bool = True
    join_tokens: int = DEFAULT_JOIN_TOKENS
    rerank: str | None = None
    rerankers: Mapping[str, Component] = field(default_factory=dict)
    min_relevance: float = 0.0
    answer: Component = field(default_factory=lambda: Component.default("answer"))
    rules: tuple[MetadataRule, ...] = ()

    def chunk_of(self, names: Iterable[str]) -> Component:
        """How a document that goes by these names is cut; of several rules that match the last one decides."""
        names = tuple(names)
        return next((rule.chunk for rule in reversed(self.chunk_rules) if rule.matches(names)), self.chunk)


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
        problem = f"cannot be read ({getattr(error, 'strerror', None) or error})"
        raise ConfigError(problem, cure="Make it a readable UTF-8 file.", file=str(file)) from error
    try:
        return parse_settings(tomllib.loads(text))
    except (ValueError, RecursionError) as error:  # also numbers of thousands of digits, and lists as deep
        raise ConfigError(f"is not valid TOML: {error}", cure="Mend that line.", file=str(file)) from error
    except UsageError as error:
        raise ConfigError(error.problem, cure=error.cure, file=str(file)) from error


def parse_settings(data: Mapping[str, Any]) -> Settings:
    """
    >>> parse_settings({"chunk": {"strategy": "tokens", "max_tokens": 200}}).chunk
    Component(kind='chunk', name='tokens', options={'max_tokens': 200})
    """
    _known("section", data, ("collection", "load", "chunk", "embed", "search", "rerank", "answer", "metadata"))
    collection = _table(data, "collection")
    _known("key in [collection]", collection, ("exclude",))
    embed = dict(_table(data, "embed"))
    embed_metadata = _texts("[embed] metadata", embed.pop("metadata", []))
    chunk_table = dict(_table(data, "chunk"))
    chunk_rules = _list(chunk_table, "for", "chunk.for")
    chunk_table.pop("for", None)
    chunk = chunk_component(chunk_table)
    search = dict(_table(data, "search"))
    rerankers = _components("rerank", _table(data, "rerank"))
    mode, k = search.pop("mode", DEFAULT_MODE), search.pop("k", DEFAULT_K)
    if mode not in MODES:
        raise UsageError(f"[search] mode is {mode!r}", cure=f"It is one of: {', '.join(MODES)}.")
    if not isinstance(k, int) or isinstance(k, bool) or k < 1:
        raise UsageError(f"[search] k is {k!r}", cure="It is a whole number from 1.")
    fold, min_relevance = search.pop("fold", True), search.pop("min_relevance", 0.0)
    if not isinstance(fold, bool):
        raise UsageError(f"[search] fold is {fold!r}", cure="It is true or false.")
    join_tokens = search.pop("join_tokens", DEFAULT_JOIN_TOKENS)
    if not isinstance(join_tokens, int) or isinstance(join_tokens, bool) or join_tokens < 0:
        raise UsageError(f"[search] join_tokens is {join_tokens!r}", cure="It is a whole number from 0.")
    if isinstance(min_relevance, bool) or not isinstance(min_relevance, (int, float)) or not 0 <= min_relevance <= 1:
        raise UsageError(f"[search] min_relevance is {min_relevance!r}", cure="It is a number from 0 to 1.")
    rerank = search.pop("rerank", None)
    if rerank is not None and (not isinstance(rerank, str) or not catalogue.find("rerank", rerank)):
        raise UsageError(f"[search] rerank is {rerank!r}", cure="It is a name in quotes.")
    return Settings(
        exclude=_texts("[collection] exclude", collection.get("exclude", [])),
        load=_components("load", _table(data, "load")),
        chunk=chunk,
        chunk_rules=tuple(_chunk_rule(rule, chunk) for rule in chunk_rules),
        embed=_component("embed", "name", embed),
        embed_metadata=embed_metadata,
        fusion=_component("fusion", "fusion", search, section="search"),
        mode=mode,
        k=k,
        fold=fold,
        join_tokens=join_tokens,
        rerank=rerank,
        rerankers=rerankers,
        min_relevance=float(min_relevance),
        answer=_component("answer", "name", _table(data, "answer")),
        rules=tuple(_rule(rule) for rule in _list(data, "metadata")),
    )


def glob_matches(glob: str, path: str) -> bool:
    """``*`` and ``?`` stay within a folder, ``**`` crosses folders; a glob without a slash matches a name anywhere.
    A slash at the beginning or the end says nothing.

    >>> glob_matches("support/**", "support/faq/credits.md"), glob_matches("*.md", "support/faq/credits.md")
    (True, True)
    >>> glob_matches("support/*.md", "support/faq/credits.md")
    False
    """
    return _glob_pattern(glob).fullmatch(path.removeprefix("/")) is not None


@lru_cache(maxsize=1024)
def _glob_pattern(glob: str) -> re.Pattern[str]:
    parts = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    pattern = "".join(parts.get(part, re.escape(part)) for part in re.split(r"(\*\*/|\*\*|\*|\?)", glob.strip("/")))
    anywhere = "" if "/" in glob.strip("/") else "(?:.*/)?"
    return re.compile(anywhere + pattern, re.DOTALL)


def _rule(data: Mapping[str, Any]) -> MetadataRule:
    glob = _glob("[[metadata]]", data)
    metadata = parse_metadata({key: value for key, value in data.items() if key != "glob"}, "[[metadata]]")
    return MetadataRule(glob, metadata)


def parse_metadata(data: Mapping[str, Any], where: str) -> dict[str, MetadataValue]:
    """Metadata from the values of a TOML file; ``where`` is what errors call their place. Raises ``UsageError``.

    >>> parse_metadata({"Groups": "crew", "pages": 12, "tags": ["a", "b"]}, "metadata")
    {'groups': ('crew',), 'pages': 12, 'tags': ('a', 'b')}
    """
    metadata: dict[str, MetadataValue] = {}
    for key, value in data.items():
        name = known_key(key)
        if name in metadata:
            raise UsageError(f"{where} {name} is set twice", cure="Keep one of them.")
        if name in LIST_KEYS:
            metadata[name] = _names(f"{where} {key}", [value] if isinstance(value, str) else value)
        elif name in TEXT_KEYS and not isinstance(value, str) and not hasattr(value, "isoformat"):
            raise UsageError(f"{where} {key} is {value!r}", cure="Write it in quotes.")
        elif isinstance(value, list):
            metadata[name] = _texts(f"{where} {name}", value)
        elif isinstance(value, (str, int, float, bool)):
            if not _can_be_kept(value):
                raise UsageError(f"{where} {name} is no number that can be kept", cure="Put it in quotes.")
            metadata[name] = value
        elif hasattr(value, "isoformat"):  # TOML's own dates
            metadata[name] = value.isoformat()
        else:
            raise UsageError(f"{where} {name} is {value!r}", cure="Use text, a number, a date or a list of texts.")
    return metadata


def _can_be_kept(value: object) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    return not isinstance(value, int) or -MAX_WHOLE_NUMBER <= value <= MAX_WHOLE_NUMBER


def chunk_component(data: Mapping[str, Any]) -> Component:
    """From ``[chunk]``: where it says nothing of sizes, the default strategy cuts into ``CHUNK_TOKENS``.

    >>> chunk_component({}).options, chunk_component({"strategy": "tokens"}).options
    ({'max_tokens': 100}, {})
    """
    default = data.get("strategy", catalogue.DEFAULTS["chunk"]) == catalogue.DEFAULTS["chunk"]
    sized = {"max_tokens": CHUNK_TOKENS} if default and not data.keys() & {"max_tokens", "counter"} else {}
    return _component("chunk", "strategy", {**data, **sized})


def _chunk_rule(data: Mapping[str, Any], chunk: Component) -> ChunkRule:
    """One ``[[chunk.for]]``: with a strategy of its own only its own options, else those of ``[chunk]`` with these."""
    glob = _glob("[[chunk.for]]", data)
    options = {key: value for key, value in data.items() if key != "glob"}
    if options.get("strategy", chunk.name) == chunk.name:
        options = {**chunk.options, **options}
    try:
        return ChunkRule(glob, _component("chunk", "strategy", {"strategy": chunk.name, **options}))
    except UsageError as error:
        raise UsageError(f"[[chunk.for]] of {glob!r}: {error.problem}", cure=error.cure) from error


def _glob(section: str, data: Mapping[str, Any]) -> str:
    glob = data.get("glob")
    if not isinstance(glob, str) or not glob:
        raise UsageError(f"a {section} rule has no glob", cure='Give it one, such as glob = "support/**".')
    return glob


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


def _components(kind: catalogue.Kind, data: Mapping[str, Any]) -> dict[str, Component]:
    """From sections such as ``[load.pdf]``."""
    result = {}
    for name in data:
        catalogue.find(kind, name)
        options = _table(data, name)
        catalogue.check_options(kind, name, options)
        result[name] = Component(kind, name, options)
        if kind == "load":  # others may open a model
            result[name].create()
    return result


def _table(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = data.get(name, {})
    if not isinstance(value, dict):
        raise UsageError(f"{name} is {value!r}", cure=f"Make it a section: [{name}].")
    return value


def _list(data: Mapping[str, Any], name: str, path: str = "") -> list[Mapping[str, Any]]:
    value = data.get(name, [])
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise UsageError(f"{path or name} is not a list of sections", cure=f"Write [[{path or name}]] before each.")
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
