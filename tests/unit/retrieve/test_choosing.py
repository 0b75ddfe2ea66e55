"""From a ranked list to hits: repeats folded, budgets, what is read around a hit, relevance."""

from __future__ import annotations

import math
from typing import Any

import pytest
from tests.unit.retrieve.small import ask, entry_of, found, store_of

from pincite.embed.hashing import HashingEmbedder
from pincite.errors import UsageError
from pincite.model import Principal, Ranking, Span
from pincite.retrieve.relevance import SCALES, WORDS_ALONE, Scale, rarities, scale_for, share_of
from pincite.retrieve.request import Request
from pincite.retrieve.where import parse
from pincite.store.memory import MemoryStore
from pincite.text.counters import WordCounter
from pincite.text.sameness import Wording

SENTENCE = "The ferry leaves at noon from the old pier behind the fish market and takes an hour to the island, where "
SENTENCE += "a bus waits for all who want to go on to the lighthouse or to the bay"
COUNTER = WordCounter()
UNKNOWN = HashingEmbedder(name="unknown")


def repeats(ranking: Ranking) -> dict[str, list[str]]:
    return {hit.chunk.id: [repeat.chunk_id for repeat in hit.also] for hit in ranking.hits}


def test_case_c040_the_same_text_in_two_sources_is_two_places() -> None:
    store = store_of(entry_of("x.md", ["Emergency number is 4411."]), entry_of("y.md", ["Emergency number is 4411."]))
    for mode in ("lexical", "dense", "hybrid"):
        [hit] = ask(store, "Emergency number", mode=mode, fold=True).hits
        assert (hit.chunk.document_id, [repeat.document_id for repeat in hit.also]) == ("x.md", ["y.md"])
        assert (hit.also[0].span, hit.also[0].place.line) == (Span(0, 25), 1)
        assert found(ask(store, "Emergency number", mode=mode)) == ["x.md", "y.md"]


def test_nearly_the_same_text_is_folded_and_another_number_is_not() -> None:
    store = store_of(
        entry_of("a", [f"{SENTENCE} daily at 12."]),
        entry_of("b", [f"{SENTENCE} every day at 12."]),
        entry_of("c", [f"{SENTENCE} daily at 14."]),
        entry_of("d", ["The ferry leaves."]),
    )
    assert repeats(ask(store, SENTENCE, fold=True)) == {"a": ["b"], "c": [], "d": []}


def test_folding_makes_room_and_lists_repeats_behind_the_last_hit() -> None:
    store = store_of(*(entry_of(name, [SENTENCE]) for name in "abcd"), entry_of("e", ["The ferry."]))
    assert repeats(ask(store, SENTENCE, fold=True, k=1)) == {"a": ["b", "c", "d"]}
    assert repeats(ask(store, SENTENCE, fold=True, k=2)) == {"a": ["b", "c", "d"], "e": []}


def test_repeats_that_may_not_be_seen_are_not_listed() -> None:
    store = store_of(entry_of("a", [SENTENCE], metadata={"groups": ("crew",)}), entry_of("b", [SENTENCE]))
    assert repeats(ask(store, SENTENCE, fold=True)) == {"b": []}
    assert repeats(ask(store, SENTENCE, fold=True, principal=Principal(frozenset({"crew", "public"})))) == {"a": ["b"]}


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("a b c d e f g h i j k", "a b c d e f g h i j k", True),
        ("a b c d e f g h i j k l m n o p q r s t u", "a b c d e f g h i j k l m n o p q r s t x", True),
        ("a b c", "a b x", False),
        ("a", "a", True),
        ("a", "b", False),
        ("a b c d e f g h i j k l 1 n o p q r s t", "a b c d e f g h i j k l 2 n o p q r s t", False),
        ("a b", "a b c d e f", False),
        ("a b c d e f g h i j k l m n o must p q r s t", "a b c d e f g h i j k l m n o must not p q r s t", False),
        ("a b c d e f g h i j k l m n o can p q r s t", "a b c d e f g h i j k l m n o (can’t) p q r s t", False),
        ("a b c d e f g h i j k l m n o eine p q r s t", "a b c d e f g h i j k l m n o **Keine** p q r s t", False),
    ],
)
def test_sameness(first: str, second: str, same: bool) -> None:
    assert Wording.of(first).nearly_same(Wording.of(second), share=0.9) is same
    assert Wording.of(second).nearly_same(Wording.of(first), share=0.9) is same


def test_the_budget_leaves_out_what_does_not_fit_and_goes_on() -> None:
    store = store_of(
        entry_of("long", ["ferry " * 20]), entry_of("short", ["ferry at noon"]), entry_of("other", ["a ferry"])
    )
    everything = {hit.chunk.id: COUNTER.count(hit.chunk.embedded) for hit in ask(store, "ferry").hits}
    for budget in range(1, 30):
        kept = found(ask(store, "ferry", budget_tokens=budget, counter=COUNTER))
        left, right = budget, []
        for name, tokens in everything.items():
            if tokens <= left:
                right.append(name)
                left -= tokens
        assert kept == right
    with pytest.raises(ValueError, match="needs a counter"):
        ask(store, "ferry", budget_tokens=5)


def test_neighbours_and_parents_are_slices_of_the_document() -> None:
    texts = ["First part here.", "The ferry leaves.", "Third part.", "Last part."]
    store = store_of(entry_of("a", texts), entry_of("b", ["ferry one", "x y"], parent=True))
    hits = {hit.chunk.id: hit for hit in ask(store, "ferry", mode="lexical", expand="neighbours").hits}
    context = hits["a#2"].context
    assert context is not None
    assert context.text == "\n\n".join(texts[:3])
    assert context.span == Span(0, len(context.text))
    parents = {hit.chunk.id: hit for hit in ask(store, "ferry", mode="lexical", expand="parent").hits}
    assert parents["b#1"].context is not None
    assert parents["b#1"].context.text == "ferry one\n\nx y"
    assert parents["a#2"].context is not None
    assert parents["a#2"].context.text == texts[1]
    assert parents["a#2"].context.span == parents["a#2"].chunk.span


def test_expansion_counts_in_the_budget_and_folds_what_it_shows_twice() -> None:
    store = store_of(entry_of("b", ["ferry one", "ferry two"], parent=True))
    assert found(ask(store, "ferry", expand="parent")) == ["b#1", "b#2"]
    assert repeats(ask(store, "ferry", expand="parent", fold=True)) == {"b#1": ["b#2"]}
    assert found(ask(store, "ferry", expand="parent", budget_tokens=3, counter=COUNTER)) == []
    assert found(ask(store, "ferry", expand="parent", budget_tokens=4, counter=COUNTER)) == ["b#1"]


def test_no_parents_to_expand_to_is_a_warning() -> None:
    store = store_of(entry_of("a", ["ferry"]))
    assert [notice.kind for notice in ask(store, "ferry", expand="parent").warnings] == ["no_parents"]
    assert ask(store, "ferry", expand="neighbours").warnings == ()
    assert ask(store, "bread", mode="lexical", expand="parent").warnings == ()


def test_relevance_does_not_depend_on_what_else_is_found() -> None:
    """Not on the candidates: the same passage and query, with other competitors of the same rarity of words."""
    passage = entry_of("a", ["the ferry leaves at noon"], metadata={"version": "2"})
    some = store_of(passage, entry_of("b", ["ferry ferry ferry"]), entry_of("c", ["noon at sea"]))
    for mode in ("lexical", "dense", "hybrid"):
        by_k = [
            next(hit.relevance for hit in ask(some, "ferry at noon", mode=mode, k=k).hits if hit.chunk.id == "a")
            for k in (3, 10)
        ]
        assert by_k[0] == by_k[1]
        assert by_k[0] is not None
        where = ask(some, "ferry at noon", mode=mode, k=10, without=("sea",)).hits
        assert next(hit.relevance for hit in where if hit.chunk.id == "a") == by_k[0]
        [alone] = ask(some, "ferry at noon", mode=mode, where=parse("version = '2'")).hits
        assert alone.relevance == by_k[0]


@pytest.mark.parametrize("mode", ["lexical", "dense", "hybrid"])
def test_a_passage_with_every_word_in_some_form_lacks_none(mode: str) -> None:
    """A query too short to tell its language is looked up by stems of several; a passage has those of its own."""
    store = store_of(
        entry_of("a", ["The rate has a limit for each of these."], language="en"),
        entry_of("b", ["Bread is baked and sold."], language="en"),
    )
    [hit] = ask(store, "rates limited", mode=mode, k=1, explain=True).hits
    [exact] = ask(store, "rate limit", mode=mode, k=1, explain=True).hits
    for one in (hit, exact):
        assert one.explanation is not None
        assert one.explanation.missing == ()
    assert (hit.relevance or 0) > 0.85
    [other] = ask(store, "rates storms", mode=mode, k=1, explain=True).hits
    assert other.explanation is not None
    assert "storm" in other.explanation.missing
    assert not {"rates", "rate", "rat"} & set(other.explanation.missing)
    assert (other.relevance or 0) < 0.7


@pytest.mark.parametrize("mode", ["lexical", "dense", "hybrid"])
def test_least_relevance(mode: str) -> None:
    store = store_of(
        entry_of("a", ["the ferry leaves at noon"]), entry_of("b", ["ferry"]), entry_of("c", ["bread is baked"])
    )
    everything = ask(store, "when does the ferry leave at noon", mode=mode, k=9).hits
    for least in (0.0, 0.1, 0.3, 0.5, 0.9, 1.0):
        kept = ask(store, "when does the ferry leave at noon", mode=mode, k=9, min_relevance=least).hits
        assert [hit.chunk.id for hit in kept] == [
            hit.chunk.id for hit in everything if hit.relevance is not None and hit.relevance >= least
        ]


def test_an_embedder_without_a_scale() -> None:
    store = store_of(entry_of("a", ["ferry"]))
    assert ask(store, "ferry", embedder=UNKNOWN).hits[0].relevance is None
    with pytest.raises(UsageError, match="no scale of relevance"):
        ask(store, "ferry", embedder=UNKNOWN, min_relevance=0.5)
    assert found(ask(store, "ferry", embedder=UNKNOWN, mode="lexical", min_relevance=0.1)) == ["a"]
    assert scale_for("unknown") is None
    assert scale_for(None) is WORDS_ALONE


@pytest.mark.parametrize("scale", [WORDS_ALONE, *SCALES.values()])
def test_more_is_never_less_relevant(scale: Scale) -> None:
    steps = [step / 10 for step in range(11)]
    for value in steps:
        by_share = [scale.of(cosine=value, share=share) for share in steps]
        by_cosine = [scale.of(cosine=2 * cosine - 1, share=value) for cosine in steps]
        assert by_share == sorted(by_share)
        assert by_cosine == sorted(by_cosine)
        assert all(0 <= relevance <= 1 for relevance in by_share + by_cosine)


def test_shares_of_rare_words() -> None:
    rarity = rarities(["ferry", "the", "never"], 100, {"ferry": 2, "the": 90, "never": 0})
    assert rarity[("never",)] > rarity[("ferry",)] > rarity[("the",)] > 0
    assert share_of(rarity, ["ferry", "the", "never"]) == 1
    assert share_of({}, []) == 0
    assert ask(MemoryStore(), "?!").hits == ()


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"mode": "fuzzy"}, "There are: hybrid, lexical, dense"),
        ({"k": 0}, "at least 1, got 0"),
        ({"k": 2.5}, r"at least 1, got 2\.5"),
        ({"k": "5"}, "at least 1, got 5"),
        ({"budget_tokens": 0}, "budget is 0"),
        ({"budget_tokens": 1.5}, r"budget is 1\.5"),
        ({"expand": "children"}, "There are: parent, neighbours"),
        ({"min_relevance": 1.5}, "from 0 to 1"),
        ({"min_relevance": math.nan}, "from 0 to 1"),
        ({"min_relevance": "x"}, "from 0 to 1"),
        ({"query": "  "}, "the query is empty"),
    ],
)
def test_requests_that_cannot_be(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        Request(**{"query": "x", **options})
