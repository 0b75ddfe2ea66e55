"""Phrases and unwanted words: how a query is read, and that the result is exact in every mode."""

from __future__ import annotations

import pytest
from tests.unit.retrieve.small import ask, entry_of, found, store_of

from pincite.errors import UsageError
from pincite.model import Principal
from pincite.ports import Store
from pincite.retrieve.query import read_query

MODES = ("lexical", "dense", "hybrid")


@pytest.mark.parametrize(
    ("query", "text", "phrases"),
    [
        ("plain words", "plain words", []),
        ('"of the cursor" limit', "of the cursor limit", [("of", "the", "cursor")]),
        ('a "b" and "c d"', "a b and c d", [("b",), ("c", "d")]),
        ("„die Frist“", "die Frist", [("die", "frist")]),
        ("“the term”", "the term", [("the", "term")]),
        ("»die Frist«, «le mot»", "die Frist , le mot", [("die", "frist"), ("le", "mot")]),
        ('an unbalanced "quote', 'an unbalanced "quote', []),
        ('6" pipe and 8" pipe', '6" pipe and 8" pipe', []),
        ('""', '""', []),
        ('"?!" x', '"?!" x', []),
        ('"a" "a"', "a a", [("a",)]),
        ('-oil col:"oil"', "-oil col: oil", [("oil",)]),
    ],
)
def test_reading(query: str, text: str, phrases: list[tuple[str, ...]]) -> None:
    wish = read_query(query)
    assert (wish.text, list(wish.phrases)) == (text, phrases)


def test_unwanted_words_and_phrases() -> None:
    wish = read_query("x", ["Verträge", "two words", "漢字"])
    assert wish.unwanted == {"vertrag", "vertrage"}
    assert wish.unwanted_phrases == (("two", "words"), ("漢", "字"))
    with pytest.raises(UsageError, match="no word to leave out"):
        read_query("x", ["?!"])
    with pytest.raises(UsageError, match="the query is empty"):
        read_query(" ")


PASSAGES = {
    "first": "The lifetime of the cursor is five minutes.",
    "second": "The cursor has a lifetime; the lifetimes of the cursors differ.",
    "third": "Bread is baked at noon.",
    "fourth": "Verträge for cursors, a draft.",
}


@pytest.fixture(scope="module")
def store() -> Store:
    return store_of(*(entry_of(name, [text]) for name, text in PASSAGES.items()))


@pytest.mark.parametrize("mode", MODES)
def test_a_phrase_has_to_stand_in_the_passage(store: Store, mode: str) -> None:
    assert found(ask(store, '"lifetime of the cursor"', mode=mode)) == ["first"]
    assert set(found(ask(store, '"Lifetime" cursors', mode=mode))) == {"first", "second"}
    assert found(ask(store, '"no such phrase"', mode=mode)) == []
    assert len(found(ask(store, 'lifetime of the "cursor', mode="hybrid"))) == len(PASSAGES)


@pytest.mark.parametrize("mode", MODES)
def test_unwanted_words_in_every_form(store: Store, mode: str) -> None:
    assert "fourth" in found(ask(store, "cursors", mode=mode))
    assert "fourth" not in found(ask(store, "cursors", mode=mode, without=("Vertrag",)))
    assert set(found(ask(store, "cursors at noon", mode=mode, without=("cursor",)))) == {"third"}
    assert "second" not in found(ask(store, "cursors", mode=mode, without=("has a lifetime",)))


@pytest.mark.parametrize("mode", MODES)
def test_a_phrase_may_stand_in_the_prefix(mode: str) -> None:
    small = store_of(entry_of("a", ["It is five minutes."], prefix="Lifetime of cursors"), entry_of("b", ["Cursors."]))
    assert found(ask(small, '"lifetime of cursors"', mode=mode)) == ["a"]


@pytest.mark.parametrize("mode", MODES)
def test_phrases_are_exact_however_many_candidates_have_only_the_words(
    monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    """The first candidates have all words, more of them, and not the phrase."""
    monkeypatch.setattr("pincite.retrieve.candidates.MIN_CANDIDATES", 2)
    monkeypatch.setattr("pincite.retrieve.candidates.CANDIDATES_PER_HIT", 1)
    decoys = [entry_of(f"decoy{number:02}", ["cursor red"]) for number in range(30)]
    right = [
        entry_of(f"right{number}", [f"a long text on other things that has red cursor in it, number {number}"])
        for number in range(4)
    ]
    store = store_of(*decoys, *right)
    for k in (1, 2, 4, 9):
        ranking = ask(store, '"red cursor"', mode=mode, k=k)
        assert found(ranking) == found(ask(store_of(*right), '"red cursor"', mode=mode, k=k))
        assert len(ranking.hits) == min(k, 4)


def test_statistics_are_those_of_all_permitted_passages(store: Store) -> None:
    """What a word weighs does not depend on what else was asked to stand in the passage."""
    plain = {hit.chunk.id: hit.lexical for hit in ask(store, "lifetime cursor of the", mode="lexical").hits}
    narrow = ask(store, '"lifetime of the cursor"', mode="lexical").hits
    assert [hit.lexical for hit in narrow] == [plain["first"]]


def test_phrases_respect_rights(store: Store) -> None:
    hidden = entry_of("hidden", ["The secret of the cursor."], metadata={"groups": ("crew",)})
    mixed = store_of(*(entry_of(name, [text]) for name, text in PASSAGES.items()), hidden)
    assert found(ask(mixed, '"secret of the cursor"')) == []
    crew = Principal(frozenset({"crew"}))
    assert found(ask(mixed, '"secret of the cursor"', principal=crew)) == ["hidden"]


@pytest.mark.parametrize("mode", MODES)
def test_a_phrase_that_nobody_wrote_is_read_as_words(store: Store, mode: str) -> None:
    """A question puts quotes around a word for other reasons, and a translated one quotes what no passage says."""
    ranking = ask(store, 'lifetime of a "red cursor"', mode=mode)
    assert [notice.kind for notice in ranking.warnings] == ["no_phrase"]
    assert found(ranking) == found(ask(store, "lifetime of a red cursor", mode=mode))
    assert ask(store, '"lifetime of the cursor" in hours', mode=mode).warnings == ()
    alone = ask(store, '"red cursor" "no such phrase"', mode=mode)
    assert (found(alone), alone.warnings) == ([], ())


@pytest.mark.parametrize("mode", MODES)
def test_a_hidden_phrase_is_one_that_nobody_wrote(mode: str) -> None:
    seen = [entry_of(name, [text]) for name, text in PASSAGES.items()]
    hidden = entry_of("hidden", ["The secret of the cursor."], metadata={"groups": ("crew",)})
    query = 'lifetime of the "secret of the cursor"'
    assert ask(store_of(*seen, hidden), query, mode=mode) == ask(store_of(*seen), query, mode=mode)
    crew = Principal(frozenset({"crew"}))
    assert found(ask(store_of(*seen, hidden), query, mode=mode, principal=crew)) == ["hidden"]
