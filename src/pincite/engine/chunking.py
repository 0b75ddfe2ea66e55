"""Cutting documents and counting what came out, without a collection."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pincite import catalogue
from pincite.engine.strategy import parsed
from pincite.model import Chunk, Document, Notice, join_prefix, metadata_to_json
from pincite.ports import Chunker, Counter, Embedder


def chunk_document(
    document: Document, *, strategy: str = "structure", options: Mapping[str, Any] | None = None
) -> list[Chunk]:
    """The document's chunks in reading order.

    ``strategy`` is a name, or a name with options as the command line takes them; ``options`` are further ones. Raises
    ``UsageError`` for an unknown strategy or option.

    >>> from pincite.model import Document
    >>> document = Document("a.txt", "a.txt", "text/plain", "Hello there.")
    >>> [chunk.text for chunk in chunk_document(document)]
    ['Hello there.']
    >>> [chunk.text for chunk in chunk_document(document, strategy="tokens:max_tokens=1,counter=words")]
    ['Hello ', 'there.']
    """
    return list(chunker_called(strategy, options).chunk(document))


def chunker_called(strategy: str, options: Mapping[str, Any] | None = None) -> Chunker:
    """The chunker of that name, which may have options behind a colon. Raises ``UsageError``."""
    name, given = parsed(strategy)
    chunker: Chunker = catalogue.create("chunk", name, {**given, **(options or {})})
    return chunker


@dataclass(frozen=True, slots=True)
class Statistics:
    """How many chunks a strategy made and how long they are, prefix included, in ``unit``; 0 without chunks."""

    strategy: str
    chunks: int
    total: int
    minimum: int
    maximum: int
    unit: str

    @property
    def mean(self) -> int:
        """Truncated, not rounded."""
        return self.total // self.chunks if self.chunks else 0

    def to_json(self) -> dict[str, Any]:
        return {
            "strategy": self.strategy,
            "chunks": self.chunks,
            "mean": self.mean,
            "min": self.minimum,
            "max": self.maximum,
            "unit": self.unit,
        }


def count_tokens(text: str, *, counter: str = "o200k_base") -> int:
    """How long the text is by the counter of that name. Raises ``UnknownNameError``.

    >>> count_tokens("A cursor lives 15 minutes."), count_tokens("A cursor lives 15 minutes.", counter="words")
    (7, 5)
    """
    found: Counter = catalogue.create("counter", counter)
    return found.count(text)


def statistics(
    documents: Iterable[Document], *, strategy: str, options: Mapping[str, Any] | None = None, unit: str = "characters"
) -> Statistics:
    """The lengths of all chunks of all documents; ``unit`` is the name of a counter, the others are as in
    ``chunk_document``.

    >>> from pincite.model import Document
    >>> document = Document("a.txt", "a.txt", "text/plain", "Hello there.")
    >>> statistics([document], strategy="characters:max_characters=5,overlap_characters=0")
    Statistics(strategy='characters:max_characters=5,overlap_characters=0', chunks=3, total=12, minimum=2, maximum=5,
               unit='characters')
    """
    chunker = chunker_called(strategy, options)
    counter = catalogue.create("counter", unit)
    lengths = [counter.count(chunk.embedded) for document in documents for chunk in chunker.chunk(document)]
    return Statistics(
        strategy, len(lengths), sum(lengths), min(lengths, default=0), max(lengths, default=0), counter.name
    )


@dataclass(frozen=True, slots=True)
class Fit:
    """How many tokens of its own an embedder would read of each chunk, in their order, with what is put in front.

    ``max_tokens`` is what it reads of one text, ``None`` without a limit; ``over`` are the numbers of the chunks of
    which it would read a part only.
    """

    embedder: str
    max_tokens: int | None
    tokens: tuple[int, ...]
    over: tuple[int, ...]

    def notice(self, file: str) -> Notice | None:
        """A warning where chunks are over the limit."""
        if not self.over:
            return None
        several = f"{len(self.over)} chunks are" if len(self.over) > 1 else "1 chunk is"
        message = (
            f"{several} over the {self.max_tokens} tokens that {self.embedder!r} reads of one text; "
            "in a collection they are split further"
        )
        return Notice(kind="over_limit", message=message, file=file)


def fit_report(document: Document, chunks: Iterable[Chunk], embedder: Embedder, *, metadata: Sequence[str] = ()) -> Fit:
    """``metadata`` are the names whose values are embedded with each chunk, those of ``[embed] metadata``."""
    limit = embedder.max_tokens
    head = metadata_line(document, metadata)
    sizes = [(chunk.number, embedder.count(join_prefix(head, chunk.embedded))) for chunk in chunks]
    over = [number for number, tokens in sizes if limit is not None and tokens > limit]
    return Fit(embedder.name, limit, tuple(tokens for _, tokens in sizes), tuple(over))


def fitted_chunks(
    document: Document, chunks: Sequence[Chunk], chunker: Chunker, embedder: Embedder, *, metadata: Sequence[str] = ()
) -> tuple[list[Chunk], Notice | None]:
    """The chunks with those that the embedder would not read to their end split further, and a notice where there are
    any. Raises ``LoadError`` where not even one character fits with the metadata in front of it."""
    if embedder.max_tokens is None:
        return list(chunks), None
    from pincite.chunk.fitting import fitted

    parts = fitted(
        document,
        chunks,
        embedder,
        counter=counter_of(chunker),
        max_tokens=limit_of(chunker),
        heading_prefix=getattr(chunker, "heading_prefix", None),
        head=metadata_line(document, metadata),
    )
    kept = {(part.span, part.prefix) for part in parts}
    split = sum((chunk.span, chunk.prefix) not in kept for chunk in chunks)
    if not split:
        return parts, None
    several = f"{split} chunks were" if split > 1 else "1 chunk was"
    message = (
        f"{several} over the {embedder.max_tokens} tokens that {embedder.name!r} reads of one text, "
        "and split further or given a shorter prefix"
    )
    return parts, Notice(kind="split", message=message, file=document.id)


def counter_of(chunker: Chunker) -> Counter:
    """The counter that the chunker names in its option ``counter``; without the option it counts characters."""
    counter: Counter = catalogue.create("counter", getattr(chunker, "counter", "characters"))
    return counter


def limit_of(chunker: Chunker) -> int | None:
    """What no chunk is over, by the chunker's own counter; ``None`` where it promises no limit."""
    row = next((row for row in catalogue.rows("chunk") if row.name == chunker.name), None)
    if row is None or not catalogue.traits(row) & {"capped", "whole-blocks"}:
        return None
    limits = (getattr(chunker, name, None) for name in ("limit", "max_tokens", "max_characters"))
    return next((limit for limit in limits if isinstance(limit, int)), None)


def metadata_line(document: Document, names: Sequence[str]) -> str:
    """The chosen metadata as one line, ``title: Orbit; version: 3.0``; empty when the document has none of them."""
    values = metadata_to_json(document.metadata)
    parts = []
    for name in names:
        if name in values:
            value = values[name]
            parts.append(f"{name}: {', '.join(value) if isinstance(value, list) else value}")
    return "; ".join(parts)
