"""Fusion on random lists, search for any text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.retrieve.small import ANALYSER, ask, entry_of, store_of

from pincite.errors import UsageError
from pincite.model import MODES, Mode, Scored
from pincite.ports import Evidence, Fusion
from pincite.retrieve.fusion import MinMaxFusion, ReciprocalRankFusion
from pincite.retrieve.query import read_query
from pincite.text.sameness import Wording

FUSIONS: list[Fusion] = [
    MinMaxFusion(),
    MinMaxFusion(lexical_weight=1),
    ReciprocalRankFusion(),
    ReciprocalRankFusion(k=1),
]
ids = st.sampled_from("abcdefgh")


def best_first(scores: st.SearchStrategy[float]) -> st.SearchStrategy[list[Scored]]:
    hits = st.lists(st.builds(Scored, ids, scores), max_size=10)
    return hits.map(lambda found: sorted(found, key=lambda hit: (-hit.score, hit.chunk_id)))


lexical_lists = best_first(st.floats(0, 60))
dense_lists = best_first(st.floats(-1, 1))


@pytest.mark.parametrize("fusion", FUSIONS, ids=repr)
@given(lexical=lexical_lists, dense=dense_lists)
def test_each_chunk_once_best_first_in_range(fusion: Fusion, lexical: list[Scored], dense: list[Scored]) -> None:
    fused = fusion.fuse(Evidence(lexical=lexical, dense=dense))
    names = [hit.chunk_id for hit in fused]
    assert set(names) == {hit.chunk_id for hit in lexical if hit.score > 0} | {hit.chunk_id for hit in dense}
    assert len(names) == len(set(names))
    assert fused == sorted(fused, key=lambda hit: (-hit.score, hit.chunk_id))
    assert all(0 <= hit.score <= 1 for hit in fused)


@pytest.mark.parametrize("fusion", FUSIONS, ids=repr)
@given(lexical=lexical_lists, dense=dense_lists)
def test_repeats_change_nothing(fusion: Fusion, lexical: list[Scored], dense: list[Scored]) -> None:
    def repeated(hits: list[Scored]) -> list[Scored]:
        return [copy for hit in hits for copy in (hit, Scored(hit.chunk_id, hit.score / 2))]

    def once(hits: list[Scored]) -> list[Scored]:
        first: dict[str, Scored] = {}
        for hit in hits:
            first.setdefault(hit.chunk_id, hit)
        return list(first.values())

    def fused(lexical: list[Scored], dense: list[Scored]) -> list[Scored]:
        return fusion.fuse(Evidence(lexical=lexical, dense=dense))

    assert fused(repeated(lexical), dense) == fused(once(lexical), dense) or any(hit.score < 0 for hit in dense)
    positive = [hit for hit in dense if hit.score > 0]
    assert fused(lexical, repeated(positive)) == fused(lexical, once(positive))


@given(dense=dense_lists)
def test_without_lexical_hits_the_dense_order_stays(dense: list[Scored]) -> None:
    seen = list(dict.fromkeys(hit.chunk_id for hit in dense))
    fused = [hit.chunk_id for hit in ReciprocalRankFusion().fuse(Evidence(lexical=[], dense=dense))]
    assert fused == seen


STORE = store_of(
    entry_of("a", ['The ferry "leaves" at noon.', "Butter."]),
    entry_of("b", ["Verträge und 漢字 C++"]),
    entry_of("hidden", ["Secret ferry"], metadata={"groups": ("crew",)}),
)


@given(
    query=st.text(max_size=30) | st.text(alphabet=st.sampled_from('ferry "“”„-*()~^:\\ \n漢'), max_size=20),
    without=st.lists(st.sampled_from(["noon", "C++", "漢字", "the ferry", "-"]), max_size=2),
    mode=st.sampled_from(MODES),
)
def test_any_query_has_an_answer_and_no_hit_that_was_not_wanted(query: str, without: list[str], mode: Mode) -> None:
    asked: dict[str, Any] = {"without": tuple(without), "mode": mode, "fold": True, "explain": True}
    if not query.strip() or "-" in without:
        with pytest.raises(UsageError):
            ask(STORE, query, **asked)
        return
    ranking = ask(STORE, query, **asked)
    wish = read_query(query, without)
    if any(notice.kind == "no_phrase" for notice in ranking.warnings):
        assert wish.loosened
        wish = wish.loosened
    for hit in ranking.hits:
        assert hit.chunk.document_id != "hidden"
        assert wish.fits(hit.located)
        assert not wish.unwanted & set(ANALYSER.document_terms(hit.chunk.text))


@given(st.text(max_size=60), st.text(max_size=60))
def test_sameness_of_any_two_texts(first: str, second: str) -> None:
    one, other = Wording.of(first), Wording.of(second)
    assert one.nearly_same(one, share=1.0)
    assert one.nearly_same(other, share=0.9) == other.nearly_same(one, share=0.9)


@given(st.lists(st.sampled_from(["a", "not", "12", "ferry", "noon"]), min_size=1, max_size=40), st.data())
def test_texts_that_are_nearly_the_same_have_a_mark_in_common(words: list[str], data: st.DataObject) -> None:
    others = list(words)
    for _ in range(data.draw(st.integers(0, 3))):
        place = data.draw(st.integers(0, len(others)))
        if data.draw(st.booleans()):
            others.insert(place, data.draw(st.sampled_from(["a", "sea"])))
        elif len(others) > 1:
            others.pop(place - 1)
    one, other = Wording.of(" ".join(words)), Wording.of(" ".join(others))
    for share in (0.5, 0.9, 1.0):
        if one.nearly_same(other, share=share):
            assert set(one.marks(share=share)) & set(other.marks(share=share))


@given(st.lists(st.lists(st.sampled_from(["a", "b", "c", "7"]), min_size=1, max_size=6), min_size=1, max_size=30))
def test_repeats_are_found_among_many_as_among_few(texts: list[list[str]]) -> None:
    store = store_of(*(entry_of(f"{number:02}", [" ".join(words)]) for number, words in enumerate(texts)))
    results = []
    for compared in (0, 1_000):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("pincite.retrieve.repeats.COMPARED", compared)
            ranking = ask(store, "a b c 7", k=30, fold=True)
        results.append([(hit.chunk.id, [repeat.chunk_id for repeat in hit.also]) for hit in ranking.hits])
    assert results[0] == results[1]
