"""Adjacent chunks that rank high together are one hit."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.retrieve.small import ask, entry_of, store_of

from pincite.errors import UsageError
from pincite.model import Box, Chunk, Located, Place, Scored, Span
from pincite.retrieve.joining import JOINED_RANKS, grouped, joined
from pincite.retrieve.request import Request

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


def test_what_cannot_be_joined_is_refused() -> None:
    with pytest.raises(UsageError, match="joined up to -1 tokens"):
        Request(query="ferry", join_tokens=-1)
