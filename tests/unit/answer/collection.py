"""A small collection in memory for the tests of the answerer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pincite import catalogue
from pincite.answer.extractive import ExtractiveAnswerer
from pincite.embed.use import UniversalSentenceEncoder
from pincite.model import Answer, Document, Principal, Source
from pincite.ports import Entry, Snapshot
from pincite.retrieve.fusion import MinMaxFusion
from pincite.retrieve.request import Request
from pincite.retrieve.search import Tools, search
from pincite.store.memory import MemoryStore
from pincite.text.terms import Analyser

LOADERS = {"md": "markdown", "txt": "text", "csv": "csv"}


def document_of(name: str, text: str, **metadata: Any) -> Document:
    loaded: Document = catalogue.create("load", LOADERS[name.rsplit(".", 1)[-1]]).load(Source(name, text.encode()))
    return Document(
        id=name,
        source=name,
        media_type=loaded.media_type,
        text=loaded.text,
        blocks=loaded.blocks,
        places=loaded.places,
        metadata={**loaded.metadata, **metadata},
    )


class SmallCollection:
    def __init__(
        self, documents: Mapping[str, str], groups: Mapping[str, str] | None = None, embedder: Any = None
    ) -> None:
        self.embedder = embedder or UniversalSentenceEncoder()
        self.analyser = Analyser()
        self.store = MemoryStore()
        self.documents = {}
        for name, text in documents.items():
            document = document_of(name, text, groups=((groups or {}).get(name, "public"),))
            self.documents[name] = document
            self.put(document)

    def put(self, document: Document) -> None:
        chunks = tuple(catalogue.create("chunk", "structure").chunk(document))
        embedded = tuple(chunk.embedded for chunk in chunks)
        terms = tuple(tuple(self.analyser.document_terms(text)) for text in embedded)
        vectors = self.embedder.embed(embedded)
        with self.store.writer() as writer:
            writer.put(
                Entry(
                    document=document, chunks=chunks, embedded=embedded, terms=terms, vectors=vectors, sha256="0" * 64
                )
            )

    def ask(self, question: str, *, groups: tuple[str, ...] = ("public",), k: int = 10, **options: Any) -> Answer:
        principal = Principal(frozenset(groups))
        answerer = ExtractiveAnswerer(embedder=self.embedder, analyser=self.analyser, **options)
        with self.store.snapshot() as snapshot:
            tools = Tools(embedder=self.embedder, analyser=self.analyser, fusion=MinMaxFusion())
            ranking = search(Request(query=question, k=k), snapshot=snapshot, principal=principal, tools=tools)
            return checked(answerer.answer(question, ranking, snapshot, principal=principal), snapshot, principal)


def checked(answer: Answer, snapshot: Snapshot, principal: Principal) -> Answer:
    """The answer, once every quote was found where its citation says."""
    for statement in answer.statements:
        assert statement.citations
        for citation in statement.citations:
            document = snapshot.document(citation.document_id, principal=principal)
            assert document is not None
            assert citation.holds_in(document)
            assert citation.quote == citation.quote.strip()
    return answer


def quotes(answer: Answer) -> list[str]:
    return [citation.quote for statement in answer.statements for citation in statement.citations]
