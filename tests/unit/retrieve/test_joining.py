"""Adjacent chunks that rank high together are one hit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.retrieve.small import ask, entry_of, found, store_of

from pincite.errors import UsageError
from pincite.model import Box, Chunk, Located, Place, Scored, Span
from pincite.retrieve.joining import JOINED_RANKS, Group, grouped, joined
from pincite.retrieve.request import Request
from pincite.text.counters import WordCounter

LINES = [f"line {number} of the text" for number in range(1, 31)]
TEXT = "\n".join(LINES)


def located(document_id: str, number: int, *, tokens: int = 10, parent: Span | None = None) -> Located:
    start = sum(len(line) + 1 for line in LINES[: number - 1])
    text = LINES[number - 1]
    chunk = Chunk(
        id=f"{document_id}{number}",
        document_id=document_id,
        number=number,
        span=Span(start, start + len(text)),
        text=text,
        prefix=f"prefix {number}",
        headings=(f"heading {number}",),
        level=1,
        tokens=tokens,
        parent=parent,
    )
    return Located(chunk=chunk, place=Place(page=number, boxes=(Box(number, 0, 0, 1, 1),)))


def groups_of(ranking: Sequence[str], most_tokens: int = 1000) -> list[tuple[str, ...]]:
    """Each chunk by its document's letter and its number, best first."""
    ranked = [Scored(name, -float(place)) for place, name in enumerate(ranking)]
    found = {name: located(name[0], int(name[1:])) for name in ranking[:JOINED_RANKS]}
    return [group.chunk_ids for group in grouped(ranked, found, most_tokens)]


def test_neighbours_are_read_together_in_the_order_of_the_text() -> None:
    assert groups_of(["a2", "b7", "a1", "a3", "a9"]) == [("a1", "a2", "a3"), ("b7",), ("a9",)]


def test_no_chunk_is_left_out_or_taken_twice_and_documents_are_not_mixed() -> None:
    assert groups_of(["a2", "b3", "a1", "b2", "a4"]) == [("a1", "a2"), ("b2", "b3"), ("a4",)]


def test_the_better_neighbour_comes_first_where_not_all_fit() -> None:
    assert groups_of(["a2", "a3", "a1"], most_tokens=20) == [("a2", "a3"), ("a1",)]
    assert groups_of(["a2", "a1", "a3"], most_tokens=20) == [("a1", "a2"), ("a3",)]
    assert groups_of(["a2", "a1"], most_tokens=19) == [("a2",), ("a1",)]


def test_a_neighbour_that_does_not_fit_is_in_no_other_s_way() -> None:
    ranked = [Scored(name, 0.0) for name in ("a2", "a1", "a3")]
    found = {"a2": located("a", 2), "a1": located("a", 1, tokens=500), "a3": located("a", 3)}
    assert [group.chunk_ids for group in grouped(ranked, found, 100)] == [("a2", "a3"), ("a1",)]


def test_what_ranks_low_joins_nothing() -> None:
    others = [f"b{2 * number}" for number in range(1, JOINED_RANKS)]
    assert groups_of(["a1", *others, "a2", "a3"])[-2:] == [("a2",), ("a3",)]


@given(st.lists(st.builds(lambda letter, n: f"{letter}{n}", st.sampled_from("abc"), st.integers(1, 30)), unique=True))
def test_every_chunk_is_in_one_group(ranking: list[str]) -> None:
    groups = groups_of(ranking, most_tokens=35)
    assert sorted(name for group in groups for name in group) == sorted(ranking)
    for group in groups:
        numbers = [int(name[1:]) for name in group]
        assert numbers == list(range(numbers[0], numbers[0] + len(group)))
        assert len({name[0] for name in group}) == 1
        assert len(group) <= 3
    leaders = [min(group, key=ranking.index) for group in groups]
    assert leaders == sorted(leaders, key=ranking.index)


def test_the_joined_text_is_the_document_s_text_at_its_span() -> None:
    several = [located("a", 4), located("a", 5, parent=Span(0, 150)), located("a", 6, parent=Span(20, 180))]
    whole = joined(several, TEXT)
    assert whole.chunk.text == TEXT[whole.chunk.span.start : whole.chunk.span.end] == "\n".join(LINES[3:6])
    assert (whole.chunk.number, whole.chunk.prefix, whole.chunk.headings) == (4, "prefix 4", ("heading 4",))
    assert (whole.chunk.tokens, whole.chunk.parent) == (30, Span(0, 180))
    assert (whole.place.page, [box.page for box in whole.place.boxes]) == (4, [4, 5, 6])
    assert whole.chunk.id not in {one.chunk.id for one in several}
    assert whole.chunk.id != joined(several[:2], TEXT).chunk.id
    assert joined(several[:1], TEXT).chunk.parent is None


def test_a_search_joins_hits_and_says_of_what() -> None:
    texts = ["The ferry leaves at noon.", "The ferry returns at six.", "Bread is baked at night.", "The ferry is blue."]
    store = store_of(entry_of("a.md", texts))
    apart = ask(store, "ferry", mode="lexical")
    assert [hit.joined for hit in apart.hits] == [(), (), ()]
    ranking = ask(store, "ferry", mode="lexical", join_tokens=100)
    first, second = sorted(ranking.hits, key=lambda hit: hit.chunk.span)
    assert (first.joined, first.chunk.text) == (("a.md#1", "a.md#2"), "\n\n".join(texts[:2]))
    assert (second.joined, second.chunk.text) == ((), texts[3])
    assert ranking.from_json(ranking.to_json()) == ranking


def test_what_stands_around_a_joined_hit() -> None:
    texts = ["Butter.", "The ferry leaves.", "The ferry returns.", "Bread.", "Salt."]
    store = store_of(entry_of("a.md", texts, parent=True))
    (hit,) = ask(store, "ferry", mode="lexical", join_tokens=100, expand="neighbours").hits
    assert hit.context is not None
    assert hit.context.text == "\n\n".join(texts[:4])
    (hit,) = ask(store, "ferry", mode="lexical", join_tokens=100, expand="parent").hits
    assert hit.context is not None
    assert hit.context.text == "\n\n".join(texts)


def test_a_joined_hit_is_explained_by_its_best_chunk() -> None:
    store = store_of(entry_of("a.md", ["The ferry leaves.", "The ferry, the ferry.", "Bread."]))
    (hit,) = ask(store, "ferry", mode="lexical", join_tokens=100, explain=True).hits
    assert hit.explanation is not None
    assert hit.explanation.lexical is not None
    assert (hit.explanation.fused_rank, hit.explanation.lexical.score) == (1, hit.score)


def test_a_word_that_the_passage_shows_is_not_missing() -> None:
    store = store_of(entry_of("a.md", ["The ferry leaves at noon.", "It returns at six.", "Butter.", "Bread."]))
    hit, other = ask(store, "ferry noon six bread", mode="lexical", join_tokens=100, explain=True).hits
    assert hit.explanation is not None
    assert (hit.joined, hit.explanation.missing) == (("a.md#1", "a.md#2"), ("bread",))
    assert "six" not in hit.explanation.terms
    assert other.explanation is not None
    assert {"ferry", "noon", "six"} < set(other.explanation.missing)


def test_a_box_of_two_chunks_stands_once() -> None:
    one, two = located("a", 1), located("a", 2)
    same = replace(two, place=Place(page=1, boxes=(*one.place.boxes, Box(2, 0, 0, 1, 1))))
    assert joined([one, same], TEXT).place.boxes == (Box(1, 0, 0, 1, 1), Box(2, 0, 0, 1, 1))


@given(st.permutations(range(1, 8)))
def test_a_smaller_group_has_the_best_chunk_and_loses_the_worse_end(ranks: list[int]) -> None:
    best = ranks.index(1)
    group = Group(best=Scored(str(best), 1.0), chunk_ids=tuple(map(str, range(7))), ranks=tuple(ranks))
    while len(group.chunk_ids) > 1:
        smaller = group.smaller()
        (lost,) = set(group.ranks) - set(smaller.ranks)
        assert lost == max(group.ranks[0], group.ranks[-1])
        assert [ranks[int(name)] for name in smaller.chunk_ids] == list(smaller.ranks)
        assert (smaller.rank, smaller.best) == (1, group.best)
        group = smaller
    assert group.chunk_ids == (str(best),)


def test_of_a_joined_hit_that_is_over_the_budget_what_fits_is_shown() -> None:
    texts = ["The ferry leaves.", "The ferry, the ferry.", "The ferry, it returns.", "Bread."]
    store = store_of(entry_of("a.md", texts), entry_of("b.md", ["Nothing but one ferry of many that sail the sea."]))
    asked: dict[str, Any] = {"mode": "lexical", "join_tokens": 100, "counter": WordCounter()}
    (hit,) = ask(store, "ferry", budget_tokens=11, **asked).hits
    assert hit.joined == ("a.md#1", "a.md#2", "a.md#3")
    for budget, shown in ((10, texts[:2]), (7, texts[:2]), (6, texts[1:2])):
        (hit,) = ask(store, "ferry", budget_tokens=budget, **asked).hits
        assert hit.chunk.text == "\n\n".join(shown)
    assert found(ask(store, "ferry", budget_tokens=3, **asked)) == []


@given(st.lists(st.sampled_from(["ferry", "ferry ferry", "bread", "ferry to the bay"]), max_size=8), st.integers(1, 20))
def test_joined_hits_stay_within_the_budget_and_begin_with_the_best_chunk(texts: list[str], budget: int) -> None:
    store, counter = store_of(entry_of("a.md", texts)), WordCounter()
    asked: dict[str, Any] = {"mode": "lexical", "counter": counter, "k": 20}
    hits = ask(store, "ferry", join_tokens=100, budget_tokens=budget, **asked).hits
    assert sum(counter.count(hit.chunk.text) for hit in hits) <= budget
    for best in ask(store, "ferry", **asked).hits[:1]:
        if counter.count(best.chunk.text) <= budget:
            assert best.chunk.id in (hits[0].joined or (hits[0].chunk.id,))


def test_what_a_budget_leaves_of_a_passage_is_still_relevant_enough() -> None:
    store = store_of(entry_of("a.md", ["The ferry leaves.", "At noon."]))
    asked: dict[str, Any] = {"mode": "lexical", "join_tokens": 100, "counter": WordCounter()}
    whole, part = (ask(store, "ferry leaves noon", budget_tokens=budget, **asked).hits[0] for budget in (5, 3))
    assert (whole.relevance or 0) > (part.relevance or 0)
    assert ask(store, "ferry leaves noon", budget_tokens=3, min_relevance=whole.relevance, **asked).hits == ()


def test_what_cannot_be_joined_is_refused() -> None:
    with pytest.raises(UsageError, match="joined up to -1 tokens"):
        Request(query="ferry", join_tokens=-1)
