"""Small collections, searched without a collection around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pincite.embed.hashing import HashingEmbedder
from pincite.model import PUBLIC, Chunk, Document, Ranking, Span, join_prefix
from pincite.ports import Entry, Store
from pincite.retrieve.fusion import MinMaxFusion
from pincite.retrieve.request import Request
from pincite.retrieve.search import Tools, search
from pincite.store.memory import MemoryStore
from pincite.text.terms import Analyser

EMBEDDER = HashingEmbedder()
ANALYSER = Analyser()


def entry_of(
    name: str,
    texts: Sequence[str],
    *,
    metadata: Mapping[str, Any] | None = None,
    prefix: str = "",
    parent: bool = False,
    embedder: Any = EMBEDDER,
    language: str = "",
) -> Entry:
    """One chunk per text, a blank line between; with ``parent`` the whole document is the parent of each."""
    whole = "\n\n".join(texts)
    chunks, start = [], 0
    for number, text in enumerate(texts, start=1):
        chunks.append(
            Chunk(
                id=name if len(texts) == 1 else f"{name}#{number}",
                document_id=name,
                number=number,
                span=Span(start, start + len(text)),
                text=text,
                prefix=prefix,
                tokens=len(text.split()),
                parent=Span(0, len(whole)) if parent else None,
            )
        )
        start += len(text) + 2
    embedded = tuple(join_prefix(prefix, text) for text in texts)
    return Entry(
        document=Document(id=name, source=name, media_type="text/plain", text=whole, metadata=dict(metadata or {})),
        chunks=tuple(chunks),
        embedded=embedded,
        terms=tuple(tuple(ANALYSER.document_terms(text, language)) for text in embedded),
        vectors=embedder.embed(embedded),
        sha256="0" * 64,
    )


def store_of(*entries: Entry, store: Store | None = None) -> Store:
    store = store or MemoryStore()
    with store.writer() as writer:
        for entry in entries:
            writer.put(entry)
    return store


def tools_of(**others: Any) -> Tools:
    return Tools(**{"embedder": EMBEDDER, "analyser": ANALYSER, "fusion": MinMaxFusion(), **others})


def ask(store: Store, query: str, **options: Any) -> Ranking:
    given = {name: options.pop(name) for name in ("embedder", "fusion", "reranker", "counter") if name in options}
    principal = options.pop("principal", PUBLIC)
    with store.snapshot() as snapshot:
        return search(Request(query=query, **options), snapshot=snapshot, principal=principal, tools=tools_of(**given))


def found(ranking: Ranking) -> list[str]:
    return [hit.chunk.id for hit in ranking.hits]
