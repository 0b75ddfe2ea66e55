"""What became of a passage that was or was not found, and what would bring it up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from tests.unit.retrieve.small import ANALYSER, EMBEDDER, entry_of, store_of, tools_of

from pincite.errors import NothingFoundError
from pincite.model import PUBLIC, Document, Principal, Span
from pincite.ports import Entry, Store
from pincite.retrieve.reasons import Reason, reason
from pincite.retrieve.request import Request
from pincite.retrieve.where import parse
from pincite.store.sqlite import SqliteStore
from pincite.text.counters import WordCounter

FERRIES = [f"The ferry number {number} leaves at noon." for number in range(8)]


def why(store: Store, name: str, query: str, line: int | None = None, **options: Any) -> Reason:
    given = {name: options.pop(name) for name in ("reranker", "counter") if name in options}
    principal = options.pop("principal", PUBLIC)
    request = Request(query=query, **options)
    with store.snapshot() as snapshot:
        return reason(name, line, request, snapshot=snapshot, principal=principal, tools=tools_of(**given))


@pytest.fixture(scope="module")
def store() -> Store:
    return store_of(
        *(entry_of(f"f{number}", [text]) for number, text in enumerate(FERRIES)),
        entry_of("late", ["A slow ferry sails to many other harbours all over the sea and back"]),
        entry_of("bread", ["Bread is baked.", "Butter is made."], metadata={"version": "2"}),
        entry_of("hidden", ["The ferry of the crew."], metadata={"groups": ("crew",)}),
    )


def test_a_hit(store: Store) -> None:
    for mode in ("lexical", "dense", "hybrid"):
        told = why(store, "f3", "ferry number 3", mode=mode, k=1)
        assert (told.verdict, told.rank, told.advice) == ("hit", 1, ())
        assert told.to_json()["found"] is True
        assert told.last is not None
        assert told.last["document"] == "f3"


def test_a_chunk_that_is_read_with_others() -> None:
    """Alone it would not be relevant enough; what it is read with is."""
    store = store_of(entry_of("a", ["The ferry leaves at noon.", "A ferry."]), entry_of("b", ["Ferry number 3."]))
    asked: dict[str, Any] = {"mode": "lexical", "join_tokens": 100, "min_relevance": 0.5}
    told = why(store, "a", "when the ferry leaves at noon", line=3, **asked)
    assert told.relevance is not None
    assert told.relevance < 0.5
    assert (told.verdict, told.better) == ("hit", ())
    assert told.advice == ("It is read as one passage of 2 adjacent chunks, hit 1.",)
    assert why(store, "b", "when the ferry leaves at noon", **asked).verdict == "irrelevant"


def test_a_chunk_that_the_budget_cuts_from_its_passage() -> None:
    store = store_of(entry_of("a", ["The ferry, the ferry.", "A ferry."]))
    asked: dict[str, Any] = {"mode": "lexical", "join_tokens": 100, "counter": WordCounter()}
    verdicts = [why(store, "a", "ferry", line=3, budget_tokens=budget, **asked).verdict for budget in (6, 5)]
    assert verdicts == ["hit", "budget"]


def test_below_the_cut(store: Store) -> None:
    told = why(store, "late", "the ferry number leaves at noon", mode="lexical", k=3)
    assert (told.verdict, told.rank) == ("cut", 9)
    assert {"number", "noon"} < set(told.missing)
    assert told.last is not None
    assert told.last["rank"] == 3
    assert told.last["score"] > (told.score or 0) > 0
    assert any("-k 9 shows it" in sentence for sentence in told.advice)
    assert any("noon" in sentence for sentence in told.advice)
    assert why(store, "late", "the ferry number leaves at noon", mode="lexical", k=9).verdict == "hit"


def test_beyond_the_candidates(monkeypatch: pytest.MonkeyPatch, store: Store) -> None:
    monkeypatch.setattr("pincite.retrieve.candidates.MIN_CANDIDATES", 1)
    monkeypatch.setattr("pincite.retrieve.candidates.CANDIDATES_PER_HIT", 1)
    told = why(store, "late", "the ferry number leaves at noon", mode="lexical", k=2)
    assert (told.verdict, told.rank) == ("cut", 9)
    assert told.lexical is not None


def test_left_out_by_what_was_asked(store: Store) -> None:
    where = parse("version = '3'")
    told = why(store, "bread", "bread", where=where, said="version = '3'")
    assert (told.verdict, told.rank, told.missing) == ("where", None, ())
    assert "version = '3'" in told.advice[0]
    assert why(store, "bread", "bread", line=1, without=("baking", "baked")).verdict == "not"
    assert why(store, "bread", "bread", line=1, without=("is baked",)).verdict == "not"
    assert why(store, "bread", '"bread baked"', line=1).verdict == "phrase"
    assert why(store, "bread", "ferry", mode="lexical").verdict == "no_term"
    assert why(store, "f1", "ferry number 1", budget_tokens=2, counter=WordCounter()).verdict == "budget"


def test_not_relevant_enough(store: Store) -> None:
    told = why(store, "f1", "ferry in a storm", min_relevance=0.99, k=99)
    assert told.verdict == "irrelevant"
    assert told.relevance is not None
    assert told.relevance < 0.99


def test_what_is_not_relevant_enough_is_not_brought_up_by_more_hits(store: Store) -> None:
    """Also where the search ended before it came so far."""
    asked: dict[str, Any] = {"mode": "lexical", "k": 3}
    below = why(store, "late", "the ferry number leaves at noon", **asked)
    assert below.verdict == "cut"
    assert below.relevance is not None
    told = why(store, "late", "the ferry number leaves at noon", **asked, min_relevance=below.relevance + 0.01)
    assert (told.verdict, told.rank, told.relevance) == ("irrelevant", 9, below.relevance)
    assert not any("-k" in sentence for sentence in told.advice)


def test_the_best_passage_with_text_of_a_line() -> None:
    """A long line is cut into several passages."""
    line = ("Bread is baked at dawn by the crew. ", "The ferry leaves at noon.")
    whole = "".join(line)
    entry = entry_of("long", ["x" * len(whole)])
    chunks = tuple(
        replace(entry.chunks[0], id=f"long#{number}", number=number, span=span, text=span.of(whole), tokens=9)
        for number, span in enumerate((Span(0, len(line[0]) - 1), Span(len(line[0]), len(whole))), start=1)
    )
    texts = tuple(chunk.text for chunk in chunks)
    entry = replace(
        entry,
        document=replace(entry.document, text=whole),
        chunks=chunks,
        embedded=texts,
        terms=tuple(tuple(ANALYSER.document_terms(text)) for text in texts),
        vectors=EMBEDDER.embed(texts),
    )
    told = why(store_of(entry), "long", "ferry at noon", line=1, k=1)
    assert (told.verdict, told.chunk) == ("hit", chunks[1])


def test_an_id_that_no_document_can_have(tmp_path: Path) -> None:
    empty = SqliteStore(path=tmp_path / ".pincite", create=True)
    with pytest.raises(NothingFoundError):
        why(empty, "caf\udce9.md", "ferry")
    empty.close()


def test_folded(store: Store) -> None:
    twins = store_of(entry_of("a", ["The ferry leaves at noon."]), entry_of("b", ["The ferry leaves at noon."]))
    told = why(twins, "b", "ferry", fold=True)
    assert (told.verdict, told.rank) == ("folded", 2)
    assert "in a" in told.advice[0]


def test_the_best_passage_of_a_document_or_the_one_at_a_line(store: Store) -> None:
    best = why(store, "bread", "butter")
    assert best.chunk is not None
    assert best.chunk.text == "Butter is made."
    first = why(store, "bread", "butter", line=1, k=1)
    assert first.chunk is not None
    assert (first.chunk.text, first.better) == ("Bread is baked.", ("bread#2",))
    assert first.advice[-1] == "Another passage of the same document is a hit."
    assert why(store, "bread", "butter", line=3).chunk == best.chunk
    for line in (0, 2, 4):
        with pytest.raises(NothingFoundError, match=f"no passage stands at line {line}"):
            why(store, "bread", "butter", line=line)


def test_what_may_not_be_seen_is_as_if_it_did_not_exist(store: Store) -> None:
    told = []
    for name in ("hidden", "nowhere"):
        with pytest.raises(NothingFoundError) as refused:
            why(store, name, "ferry")
        told.append(str(refused.value).replace(name, "NAME"))
    assert told[0] == told[1]
    assert why(store, "hidden", "ferry", principal=Principal(frozenset({"crew"}))).verdict == "hit"


def test_a_document_without_passages() -> None:
    blank = Entry(
        document=Document(id="blank", source="blank", media_type="text/plain", text=" "),
        chunks=(),
        embedded=(),
        terms=(),
        vectors=EMBEDDER.embed([]),
        sha256="0" * 64,
    )
    told = why(store_of(blank), "blank", "x")
    assert (told.verdict, told.to_json()["chunk"]) == ("not_indexed", None)


@dataclass(frozen=True, kw_only=True)
class Backwards:
    name: str = "backwards"

    def rerank(self, query: str, passages: Sequence[str]) -> list[float]:
        return [float(number) for number in range(len(passages))]


def test_rerankers(monkeypatch: pytest.MonkeyPatch, store: Store) -> None:
    monkeypatch.setattr("pincite.retrieve.search.RERANKED", 2)
    asked: dict[str, Any] = {"mode": "lexical", "k": 2, "reranker": Backwards()}
    told = why(store, "late", "the ferry number leaves at noon", **asked)
    assert told.verdict == "not_reranked"
    assert why(store, "f1", "ferry number 1", **asked).rank == 2
