"""What is measured, as `Row`s: here pincite's strategies and the limits below them.

Tokens are those of cl100k_base, which the peers know, too: 512 of them, or 2,000 characters where a chunker counts
those, no overlap.
"""

from __future__ import annotations

import importlib
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any

from bench.chunking_corpus import Text

from pincite import catalogue
from pincite.load.markdown import MarkdownLoader
from pincite.model import Chunk, Document, Source, Span, chunk_id
from pincite.ports import Chunker
from pincite.text.counters import TokenCounter, pieces_of
from pincite.text.tokenizers import loaded_encoding

TOKENS, CHARACTERS, ENCODING = 512, 2000, "cl100k_base"
NO_OVERLAP = {"overlap_tokens": 0, "overlap_characters": 0}


@dataclass(frozen=True, slots=True)
class Item:
    """One document as it is handed to every row."""

    text: str
    document: Document
    data: bytes
    pieces: tuple[str, ...]
    """The text cut where no token reaches over: the encoder refuses texts of over 200,000 tokens."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A chunk as a row gave it; ``None`` is what it does not offer."""

    text: str
    start: int | None = None
    end: int | None = None
    headings: tuple[str, ...] | None = None
    prefix: str = ""
    tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """``make`` gives what does the work on one item, anew for each round, since some keep what they have counted;
    ``cuts`` reads its result. ``limit`` counts by ``counter``, and is ``None`` where a chunk may have any size."""

    name: str
    family: str
    make: Callable[[], Callable[[Item], Any]]
    cuts: Callable[[Any], list[Cut]] | None = None
    limit: int | None = None
    counter: str = ENCODING
    own: bool = False
    slow: bool = False
    traits: frozenset[str] = frozenset()
    chunker: Chunker | None = None


def prepared(texts: Iterable[Text]) -> tuple[list[Item], list[str]]:
    """The documents, and the names of those that the loader refuses."""
    items: list[Item] = []
    refused: list[str] = []
    for text in texts:
        data = text.text.encode()
        try:
            document = MarkdownLoader().load(Source(text.name, data))
        except Exception as error:  # whatever it is, the row of figures must say it
            refused.append(f"{text.name}: {error}")
            continue
        pieces = tuple(text.text[start:end] for start, end in pieces_of(text.text))
        items.append(Item(text.text, document, data, pieces))
    return items, refused


def forget(items: Iterable[Item]) -> None:
    """Drops what the documents have worked out and kept, so that every row and round pays for it."""
    kept = {field.name for field in fields(Document)}
    for item in items:
        for name in [name for name in vars(item.document) if name not in kept]:
            del vars(item.document)[name]


def drained(iterator: Iterable[object]) -> None:
    deque(iterator, maxlen=0)


@cache
def tiktoken_encoding() -> Any:
    """tiktoken with the ranks that bpe-openai carries: its own it would fetch from the network."""
    ours = loaded_encoding(ENCODING)
    ranks = {ours.decode_single_token_bytes(rank): rank for rank in range(100_256)}
    public: Any = importlib.import_module("tiktoken_ext.openai_public")
    public.load_tiktoken_bpe = lambda *_, **__: ranks
    return importlib.import_module("tiktoken").get_encoding(ENCODING)


def installed(rows: Sequence[Row]) -> tuple[list[Row], dict[str, str]]:
    """Those that can be made here; the others with the reason."""
    there: list[Row] = []
    missing: dict[str, str] = {}
    for row in rows:
        try:
            row.make()
        except ImportError:
            missing[row.name] = "not installed"
        except Exception as error:  # a version with another interface
            missing[row.name] = f"{type(error).__name__}: {error}"
        else:
            there.append(row)
    return there, missing


# Limits below the strategies.


def limits() -> list[Row]:
    return [
        Row(name="python slices of 2,000", family="limits", make=lambda: _slices),
        Row(name="the same with id and Chunk", family="limits", make=lambda: _bare_chunks),
        Row(name="bpe-openai, one pass", family="tokenizers", make=_encoding_pass),
        Row(name="TokenCounter.count", family="tokenizers", make=lambda: _counting),
        Row(name="TokenCounter.starts", family="tokenizers", make=lambda: _starting),
        Row(name="tiktoken, one pass", family="tokenizers", make=_tiktoken_pass),
        Row(name="quicktok, one count", family="tokenizers", make=_quicktok),
        Row(name="loading: bytes to Document", family="loading", make=lambda: _load),
    ]


def _slices(item: Item) -> list[str]:
    return [item.text[start : start + CHARACTERS] for start in range(0, len(item.text), CHARACTERS)]


def _bare_chunks(item: Item) -> None:
    """What a chunk costs by contract: its id from its text, and the checked value."""
    for number, start in enumerate(range(0, len(item.text), CHARACTERS), start=1):
        text = item.text[start : start + CHARACTERS]
        if not text.isspace():
            identity = chunk_id(item.document.id, "", text, occurrence=0)
            span = Span(start, start + len(text))
            Chunk(id=identity, document_id=item.document.id, number=number, span=span, text=text, tokens=len(text))


def _encoding_pass() -> Callable[[Item], object]:
    encode = loaded_encoding(ENCODING).encode_ordinary
    return lambda item: [encode(piece) for piece in item.pieces]


def _counting(item: Item) -> int:
    return TokenCounter(ENCODING).count(item.text)


def _starting(item: Item) -> list[int]:
    return TokenCounter(ENCODING).starts(item.text)


def _tiktoken_pass() -> Callable[[Item], object]:
    encode = tiktoken_encoding().encode_ordinary
    return lambda item: [encode(piece) for piece in item.pieces]


def _quicktok() -> Callable[[Item], object]:
    count = importlib.import_module("quicktok").get_encoding(ENCODING).count
    return lambda item: count(item.text)


def _load(item: Item) -> Document:
    return MarkdownLoader().load(Source(item.document.id, item.data))


# pincite's strategies.


def strategies(
    *, tokens: int = TOKENS, characters: int = CHARACTERS, note: str = ""
) -> tuple[list[Row], dict[str, str]]:
    """A row for each strategy, and the reason why one cannot be made. One that needs an embedder gets hashed words,
    which cost little beside its own work, and counts as slow."""
    rows: list[Row] = []
    missing: dict[str, str] = {}
    for entry in catalogue.rows("chunk"):
        name = f"pincite {entry.name}{note}"
        try:
            options = catalogue.user_options(catalogue.load_target(entry))
            wanted = {"max_tokens": tokens, "max_characters": characters, "counter": ENCODING, **NO_OVERLAP}
            if entry.name == "recursive":  # the baseline that everybody knows counts characters
                wanted |= {"max_tokens": characters, "counter": "characters"}
            embeds = bool(getattr(catalogue.create("chunk", entry.name), "embedder", ""))
            if embeds:
                wanted["embedder"], name = "hashing", f"{name} (hashed words)"
            sizes = {option: value for option, value in wanted.items() if option in options}
            chunker = catalogue.create("chunk", entry.name, sizes)
        except Exception as error:  # a strategy that needs what is not here
            missing[name] = f"{type(error).__name__}: {error}"
            continue
        rows.append(replace(own_row(name, entry.name, chunker, catalogue.traits(entry)), slow=embeds))
    return rows, missing


def own_row(name: str, family: str, chunker: Any, traits: frozenset[str]) -> Row:
    sizes = [getattr(chunker, option, None) for option in ("max_tokens", "max_characters")]
    size = next((size for size in sizes if isinstance(size, int)), None)
    return Row(
        name=name,
        family=family,
        make=lambda: lambda item: drained(chunker.chunk(item.document)),
        limit=size if "capped" in traits or "whole-blocks" in traits else None,
        counter=getattr(chunker, "counter", "characters"),
        own=True,
        traits=traits,
        chunker=chunker,
    )


def with_loading(row: Row) -> Row:
    """The same from bytes: what a peer does that takes a text."""
    chunker = row.chunker
    assert chunker
    return replace(row, name=f"{row.name}, with loading", make=lambda: lambda item: drained(chunker.chunk(_load(item))))


def own_cuts(chunks: Iterable[Chunk]) -> list[Cut]:
    return [
        Cut(chunk.text, chunk.span.start, chunk.span.end, chunk.headings, chunk.prefix, chunk.tokens)
        for chunk in chunks
    ]
