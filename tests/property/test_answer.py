"""The answerer on random documents: whatever it quotes stands there, and it never stumbles."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.documents import hard_texts, markdown_documents, plain_documents
from tests.unit.answer.collection import SmallCollection, checked, document_of

from pincite.answer.extractive import ExtractiveAnswerer
from pincite.answer.units import units_of
from pincite.embed.hashing import HashingEmbedder
from pincite.errors import UsageError
from pincite.model import Document, Hit, Located, Principal, Ranking, Span
from pincite.store.memory import MemoryStore
from pincite.text.graphemes import is_border
from pincite.text.terms import Analyser

documents = st.one_of(plain_documents, markdown_documents)


@given(documents, st.data())
def test_units_are_whole_slices_of_the_passage(document: Document, data: st.DataObject) -> None:
    length = len(document.text)
    if not length:
        return
    start = data.draw(st.integers(0, length - 1))
    passage = Span(start, data.draw(st.integers(start + 1, length)))
    for unit in units_of(document, passage):
        assert unit.span.overlaps(passage)
        assert unit.quote == unit.quote.strip()
        assert unit.text.strip()
        assert is_border(document.text, unit.span.start)
        assert is_border(document.text, unit.span.end)


@given(
    documents, st.one_of(hard_texts, st.sampled_from(["Wie viel kostet das Wort 42?", "How long is Zürich and 返却?"]))
)
@settings(max_examples=80)
def test_every_citation_holds(document: Document, question: str) -> None:
    collection = SmallCollection({}, embedder=HashingEmbedder(dimension=32))
    collection.put(document)
    if not question.strip():
        with pytest.raises(UsageError):
            collection.ask(question)
        return
    answer = collection.ask(question, min_confidence=0.05)
    assert answer == collection.ask(question, min_confidence=0.05)
    assert len(answer.statements) <= 6
    spans = [(citation.document_id, citation.span) for s in answer.statements for citation in s.citations]
    assert len(spans) == len(set(spans))


@given(st.lists(st.sampled_from(["A cursor lives.", "Dogs bark.", "Tokens expire after 5 days."]), max_size=4))
@settings(max_examples=30)
def test_nobody_elses_documents_matter(hidden: list[str]) -> None:
    embedder = HashingEmbedder(dimension=32)
    public = {"a.md": "# Cursors\n\nA cursor lives for 15 minutes.\n"}
    secret = {f"secret{number}.md": text for number, text in enumerate(hidden)}
    both = SmallCollection(public | secret, groups=dict.fromkeys(secret, "staff"), embedder=embedder)
    alone = SmallCollection(public, embedder=embedder)
    question = "How long does a cursor live, and do tokens expire?"
    assert both.ask(question) == alone.ask(question)


def test_answer_does_not_depend_on_how_often_a_passage_is_found() -> None:
    document = document_of("a.md", "# Cursors\n\nA cursor lives for 15 minutes. It ends.\n")
    collection = SmallCollection({}, embedder=HashingEmbedder())
    collection.put(document)
    principal = Principal()
    with collection.store.snapshot() as snapshot:
        located: Located = next(
            iter(
                snapshot.located([chunk.id for chunk in collection.store.chunks("a.md")], principal=principal).values()
            )
        )
        ranking = Ranking("q", (Hit(located=located, rank=1, score=1.0),))
        answerer = ExtractiveAnswerer(embedder=collection.embedder, analyser=Analyser())
        answer = checked(
            answerer.answer("How long does a cursor live?", ranking, snapshot, principal=principal), snapshot, principal
        )
    assert answer.answered
    assert isinstance(collection.store, MemoryStore)
