"""One query over a small store: candidates, raw scores, modes, permissions, errors."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy
import pytest

from pincite.embed.hashing import HashingEmbedder
from pincite.embed.use import UniversalSentenceEncoder
from pincite.errors import UsageError
from pincite.model import Chunk, Document, Principal, Ranking, Span, chunk_id
from pincite.ports import Entry
from pincite.retrieve.fusion import MinMaxFusion, ReciprocalRankFusion
from pincite.retrieve.query_vector import query_vector
from pincite.retrieve.request import Request
from pincite.retrieve.search import Tools, search
from pincite.store.memory import MemoryStore
from pincite.text.terms import Analyser

PUBLIC = Principal()


@dataclass(frozen=True, kw_only=True)
class BagOfWords:
    """Reads only the first ``max_tokens`` words; each word is an axis of its own, by the order of first sight."""

    name: str = "bag"
    dimension: int = 64
    max_tokens: int | None = 20
    fingerprint: str = "bag"
    words: dict[str, int]

    def embed(self, texts: Sequence[str]) -> Any:
        return numpy.array([self.embed_query(text) for text in texts], dtype=numpy.float32)

    def embed_query(self, text: str) -> Any:
        row = numpy.full(self.dimension, 1e-3, dtype=numpy.float32)
        for word in text.lower().replace("?", "").replace(".", "").split()[: self.max_tokens]:
            row[self.words.setdefault(word, len(self.words))] += 1
        return row / numpy.linalg.norm(row)

    def count(self, text: str) -> int:
        return len(text.split())


def store_of(
    texts: dict[str, str], embedder: Any, groups: dict[str, str] | None = None, language: str = ""
) -> MemoryStore:
    """One document of one chunk per text; the chunk's id is the document's name."""
    store = MemoryStore()
    analyser = Analyser()
    with store.writer() as writer:
        for name, text in texts.items():
            metadata = {"groups": (groups[name],)} if groups and name in groups else {}
            document = Document(id=name, source=name, media_type="text/plain", text=text, metadata=metadata)
            chunk = Chunk(id=name, document_id=name, number=1, span=Span(0, len(text)), text=text, tokens=1)
            terms = tuple(analyser.document_terms(text, language))
            vectors = embedder.embed([text])
            writer.put(
                Entry(
                    document=document,
                    chunks=(chunk,),
                    embedded=(text,),
                    terms=(terms,),
                    vectors=vectors,
                    sha256="0" * 64,
                )
            )
    return store


def ask(store: MemoryStore, embedder: Any, query: str, **options: Any) -> Ranking:
    names = ("fusion", "reranker", "counter")
    given: dict[str, Any] = {name: options.pop(name) for name in names if name in options}
    parts: dict[str, Any] = {"embedder": embedder, "analyser": Analyser(), "fusion": MinMaxFusion(), **given}
    tools = Tools(**parts)
    principal = options.pop("principal", PUBLIC)
    with store.snapshot() as snapshot:
        return search(Request(query=query, **options), snapshot=snapshot, principal=principal, tools=tools)


def found(ranking: Ranking) -> list[str]:
    return [hit.chunk.id for hit in ranking.hits]


TEXTS = {
    "ferry": "The ferry leaves at noon.",
    "bread": "Bread is baked by Ilse.",
    "oil": "Valve XK-7/204.B needs oil grade 3.",
    "code": "The error ORB-1410 ends a traversal.",
}


@pytest.fixture(scope="module")
def embedder() -> HashingEmbedder:
    return HashingEmbedder()


@pytest.fixture(scope="module")
def store(embedder: HashingEmbedder) -> MemoryStore:
    return store_of(TEXTS, embedder)


def test_modes_report_the_scores_that_they_used(store: MemoryStore, embedder: HashingEmbedder) -> None:
    hybrid = ask(store, embedder, "when does the ferry leave?", mode="hybrid", k=10)
    assert found(hybrid)[0] == "ferry"
    assert [hit.rank for hit in hybrid.hits] == [1, 2, 3, 4]
    scores = {hit.chunk.id: hit.lexical for hit in hybrid.hits}
    assert scores["ferry"] is not None
    assert scores["ferry"] > 0.0 == scores["bread"]
    lexical = ask(store, embedder, "when does the ferry leave?", mode="lexical")
    assert found(lexical) == ["ferry"]
    assert (lexical.hits[0].dense, lexical.hits[0].lexical) == (None, scores["ferry"])
    dense = ask(store, embedder, "when does the ferry leave?", mode="dense")
    assert found(dense)[0] == "ferry"
    assert dense.hits[0].lexical is None
    assert dense.hits[0].score == dense.hits[0].dense


def test_hits_know_their_place(store: MemoryStore, embedder: HashingEmbedder) -> None:
    hit = ask(store, embedder, "ferry", k=1).hits[0]
    assert (hit.located.place.line, hit.chunk.text) == (1, TEXTS["ferry"])


def test_lexical_hits_have_their_true_dense_score(monkeypatch: pytest.MonkeyPatch, embedder: HashingEmbedder) -> None:
    monkeypatch.setattr("pincite.retrieve.candidates.MIN_CANDIDATES", 1)
    monkeypatch.setattr("pincite.retrieve.candidates.CANDIDATES_PER_HIT", 1)
    store = store_of({"near": "cursorsx xcursors", "rare": "among quite different things"}, embedder)
    only_words = ReciprocalRankFusion(dense_weight=0)
    ranking = ask(store, embedder, "cursors among", k=1, fusion=only_words)
    assert found(ask(store, embedder, "cursors among", k=1, mode="dense")) == ["near"]
    assert found(ranking) == ["rare"]
    vector = embedder.embed_query("cursors among")
    passage = embedder.embed_query(ranking.hits[0].chunk.text).astype(numpy.float16)  # as stores keep it
    assert ranking.hits[0].dense == pytest.approx(float(vector @ passage.astype(numpy.float32)), abs=1e-6)


def test_equal_passages_are_ordered_by_id(embedder: HashingEmbedder) -> None:
    store = store_of({"b": "same words", "a": "same words", "c": "same words"}, embedder)
    assert found(ask(store, embedder, "same words")) == ["a", "b", "c"]


def test_only_what_the_principal_may_see(embedder: HashingEmbedder) -> None:
    store = store_of(TEXTS, embedder, groups={"ferry": "crew"})
    alone = store_of({name: text for name, text in TEXTS.items() if name != "ferry"}, embedder)
    query = "when does the ferry leave with bread?"
    assert ask(store, embedder, query) == ask(alone, embedder, query)
    assert found(ask(store, embedder, query, principal=Principal(frozenset({"crew", "public"}))))[0] == "ferry"


def test_empty_store(embedder: HashingEmbedder) -> None:
    assert ask(MemoryStore(), embedder, "anything").hits == ()


@pytest.mark.parametrize("query", ["", " \n\t"])
def test_blank_query_is_an_error(query: str, store: MemoryStore, embedder: HashingEmbedder) -> None:
    with pytest.raises(UsageError, match="the query is empty"):
        ask(store, embedder, query)


def test_impossible_k_and_mode_are_errors(store: MemoryStore, embedder: HashingEmbedder) -> None:
    with pytest.raises(UsageError, match="at least 1, got 0"):
        ask(store, embedder, "ferry", k=0)
    with pytest.raises(UsageError, match="There are: hybrid, lexical, dense"):
        ask(store, embedder, "ferry", mode="vector")


def test_only_lexical_search_needs_no_embedder(store: MemoryStore) -> None:
    assert found(ask(store, None, "ferry", mode="lexical")) == ["ferry"]
    with pytest.raises(ValueError, match="needs an embedder"):
        ask(store, None, "ferry", mode="dense")


def test_query_of_signs_finds_nothing_by_words(store: MemoryStore, embedder: HashingEmbedder) -> None:
    assert ask(store, embedder, "?!", mode="lexical").hits == ()
    assert len(ask(store, embedder, "?!").hits) == len(TEXTS)


PREAMBLE = (
    "Please read this carefully because we have asked the same thing before and got no clear answer from anybody at "
    "the desk so once more:"
)


@pytest.mark.parametrize(
    ("question", "text"),
    [("when does the ferry leave?", "The ferry leaves at noon."), ("who bakes the bread?", "Bread is baked by Ilse.")],
)
def test_case_c044_long_queries_are_never_cut_silently(question: str, text: str) -> None:
    bag = BagOfWords(words={})
    store = store_of({"ferry": TEXTS["ferry"], "bread": TEXTS["bread"]}, bag)
    for mode in ("hybrid", "dense"):
        ranking = ask(store, bag, f"{PREAMBLE} {question}", mode=mode, k=1)
        assert [warning.kind for warning in ranking.warnings] == ["query_split"]
        assert "20 tokens" in ranking.warnings[0].message
    assert ask(store, bag, f"{PREAMBLE} {question}", k=1).hits[0].chunk.text == text
    assert ask(store, bag, question, k=1).warnings == ()


def test_two_long_queries_have_two_vectors() -> None:
    bag = BagOfWords(words={})
    first, _ = query_vector(f"{PREAMBLE} when does the ferry leave?", bag)
    second, _ = query_vector(f"{PREAMBLE} who bakes the bread?", bag)
    assert float(first @ second) < 0.97
    assert float(first @ first) == pytest.approx(1, abs=1e-6)


@dataclass(frozen=True, kw_only=True)
class Letters:
    """Reads three letters; opposite directions for upper and lower case."""

    name: str = "letters"
    dimension: int = 2
    max_tokens: int | None = 3
    fingerprint: str = "letters"

    def embed(self, texts: Sequence[str]) -> Any:
        return numpy.array([self.embed_query(text) for text in texts], dtype=numpy.float32)

    def embed_query(self, text: str) -> Any:
        assert 0 < len(text) <= 3
        return numpy.array([1.0 if text.isupper() else -1.0, 0.0], dtype=numpy.float32)

    def count(self, text: str) -> int:
        return len(text)


@pytest.mark.parametrize(("query", "parts"), [("ABCDEFG", 3), ("ABC DEF  ghi", 3), ("AB CDEFG", 3), ("A B C D", 2)])
def test_words_longer_than_the_limit_are_cut_between_characters(query: str, parts: int) -> None:
    vector, warnings = query_vector(query, Letters())
    assert f"in {parts} parts" in warnings[0].message
    assert vector.tolist() == [1.0, 0.0]


def test_parts_that_cancel_out_leave_the_first() -> None:
    vector, _ = query_vector("ABC def", Letters())
    assert vector.tolist() == [1.0, 0.0]


def test_one_character_over_the_limit_stands_alone() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Greedy(Letters):
        def count(self, text: str) -> int:
            return 4 * len(text)

    vector, warnings = query_vector("AB C", Greedy())
    assert "in 3 parts" in warnings[0].message
    assert vector.tolist() == [1.0, 0.0]


def chunks_from(path: Path) -> dict[str, str]:
    return {line["id"]: line["text"] for line in map(json.loads, path.read_text().splitlines())}


def test_case_c046_codes_are_found(shared: Path, embedder: HashingEmbedder) -> None:
    case = {line["id"]: line for line in map(json.loads, (shared / "cases/cases.jsonl").read_text().splitlines())}[
        "C046"
    ]
    store = store_of(chunks_from(shared / "cases" / "C046.jsonl"), embedder)
    for mode in ("lexical", "hybrid"):
        for query, first in case["check"]["top1"].items():
            assert found(ask(store, embedder, query, mode=mode, k=6))[0] == first, (mode, query)
        for query, wanted in case["check"]["contains"].items():
            assert set(wanted) <= set(found(ask(store, embedder, query, mode=mode, k=6))), (mode, query)
        assert set(found(ask(store, embedder, "XK-7", mode=mode, k=6))[:2]) == {"m1", "m2"}


def test_question_in_another_language_finds_the_passage() -> None:
    encoder = UniversalSentenceEncoder()
    store = store_of(TEXTS, encoder, language="en")
    assert found(ask(store, encoder, "Wer backt das Brot?", k=1)) == ["bread"]


def test_chunk_ids_of_real_chunks_are_kept(embedder: HashingEmbedder) -> None:
    name = chunk_id("guide.md", "", "text", occurrence=0)
    assert found(ask(store_of({name: "text"}, embedder), embedder, "text")) == [name]
