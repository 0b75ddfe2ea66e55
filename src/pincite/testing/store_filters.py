"""What every store promises of searches that leave something out: conditions, terms, and what each term weighs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from pincite.model import PUBLIC, Condition, Metadata, TermFilter
from pincite.model.condition import AllOf, AnyOf, Comparison, Contains, Has, Not, OneOf, kind_of
from pincite.ports import Store
from pincite.testing.store_reference import (
    BOTH,
    NOBODY,
    SECRET,
    TOLERANCE,
    BruteForce,
    MakeStore,
    Reopen,
    check_ranking,
    groups_of,
    make_entry,
    put_all,
    unit_vector,
)

FIELDS: tuple[Metadata, ...] = (
    {"version": "3.0", "date": "2025-01-31", "pages": 3, "draft": False, "tags": ("api", "guide")},
    {"version": "3.1", "date": "2024-12-01T10:00:00Z", "pages": 2.5, "draft": True, "tags": ()},
    {"version": "2025-01-31", "pages": "3", "owner": "it's 100%_"},
    {"pages": 2**70, "title": "😀 漢字"},
    {},
)
CONDITIONS: tuple[Condition, ...] = (
    Comparison("version", "=", "3.0"),
    Comparison("version", "!=", "3.0"),
    Comparison("version", "=", "2025-01-31"),
    Comparison("date", ">=", date(2025, 1, 1)),
    Comparison("version", "<=", date(2025, 1, 31)),
    Comparison("pages", ">", 2),
    Comparison("pages", "=", 3),
    Comparison("draft", "=", True),
    Comparison("draft", "=", 1),  # equal to the one above, and does not compare with a boolean
    Comparison("pages", "=", True),
    Comparison("owner", "=", "it's 100%_"),
    Comparison("nowhere", "!=", "x"),
    Contains("tags", "api"),
    Has("tags"),
    OneOf("version", ("3.0", "3.1")),
    Not(Has("draft")),
    AllOf((Has("pages"), Not(Comparison("draft", "=", True)))),
    AnyOf((Comparison("pages", "<", 3), Contains("tags", "guide"))),
)
FILTERS = (
    TermFilter(),
    TermFilter(required=frozenset({"red"})),
    TermFilter(required=frozenset({"red", "blue"}), excluded=frozenset({"green"})),
    TermFilter(excluded=frozenset({"red"})),
    TermFilter(excluded=frozenset({"never seen"})),
    TermFilter(required=frozenset({"never seen"})),
    TermFilter(required=frozenset({"red"}), excluded=frozenset({"red"})),
)
TERMS: tuple[Sequence[str], ...] = (["red"], ["green", "blue", "never seen"], ["red", "red", "green"], [])


def filled(make_store: MakeStore) -> tuple[Store, BruteForce]:
    """A store with documents of every kind of field, half of them for some only; and the same by brute force."""
    entries = [
        make_entry(
            f"{number}.md",
            [f"red {'blue ' * (number % 3)}".strip(), f"green word{number} red", "blue", "green"],
            groups=["secret"] if number % 2 else [],
            metadata=FIELDS[number % len(FIELDS)],
        )
        for number in range(10)
    ]
    store = make_store()
    return store, put_all(store, entries)


def check_where(make_store: MakeStore, _: Reopen = None) -> None:
    """With a condition only the documents that fulfil it are there, in the statistics too."""
    store, expected = filled(make_store)
    with store.snapshot() as snapshot:
        for where in CONDITIONS:
            for principal in (PUBLIC, SECRET, BOTH, NOBODY):
                for terms in TERMS:
                    vector = unit_vector(" ".join(terms))
                    lexical = snapshot.lexical(terms, principal=principal, limit=7, where=where)
                    check_ranking(lexical, expected.lexical(terms, principal, where), 7)
                    dense = snapshot.dense(vector, principal=principal, limit=7, where=where)
                    check_ranking(dense, expected.dense(vector, principal, where), 7)
    store.close()


def check_words(make_store: MakeStore, _: Reopen = None) -> None:
    """Terms that a chunk must have or not choose among the chunks and leave every score as it is."""
    store, expected = filled(make_store)
    with store.snapshot() as snapshot:
        for words in FILTERS:
            for where in (None, Has("pages")):
                for terms in TERMS:
                    vector = unit_vector(" ".join(terms))
                    lexical = snapshot.lexical(terms, principal=BOTH, limit=30, where=where, words=words)
                    check_ranking(lexical, expected.lexical(terms, BOTH, where, words), 30)
                    dense = snapshot.dense(vector, principal=BOTH, limit=6, where=where, words=words)
                    check_ranking(dense, expected.dense(vector, BOTH, where, words), 6)
                    for found, every in (
                        (lexical, snapshot.lexical(terms, principal=BOTH, limit=99, where=where)),
                        (dense, snapshot.dense(vector, principal=BOTH, limit=99, where=where)),
                    ):
                        assert set(found) <= set(every), "a filter by terms changes scores"
    store.close()


def check_term_weights(make_store: MakeStore, _: Reopen = None) -> None:
    """Of each permitted chunk what its terms weigh; the sum is its lexical score, to the bit."""
    store, expected = filled(make_store)
    ids = [chunk.id for entry in expected.entries.values() for chunk in entry.chunks]
    with store.snapshot() as snapshot:
        for where in (None, Has("pages"), Contains("tags", "api")):
            for principal in (PUBLIC, BOTH, NOBODY):
                for terms in TERMS:
                    found = snapshot.term_weights(terms, [*ids, ids[0], "no such"], principal=principal, where=where)
                    awaited = expected.term_weights(terms, principal, where)
                    assert found.keys() == awaited.keys(), "not the chunks that take part"
                    for name, weights in found.items():
                        assert weights.keys() == awaited[name].keys(), f"other terms than those of {name}"
                        worst = max((abs(weights[term] - awaited[name][term]) for term in weights), default=0.0)
                        assert worst <= TOLERANCE, f"a term of {name} weighs {weights}, not {awaited[name]}"
                    ranking = snapshot.lexical(terms, principal=principal, limit=99, where=where)
                    scores = {name: sum(weights.values(), 0.0) for name, weights in found.items() if weights}
                    assert scores == {scored.chunk_id: scored.score for scored in ranking}, "sums are not the scores"
        assert snapshot.term_weights(["red"], [], principal=BOTH) == {}
    store.close()


def check_fields(make_store: MakeStore, _: Reopen = None) -> None:
    """Every field that a permitted document has, with its kinds, in order of names."""
    store, expected = filled(make_store)
    with store.snapshot() as snapshot:
        for principal in (PUBLIC, SECRET, BOTH, NOBODY):
            awaited: dict[str, set[str]] = {}
            for entry in expected.entries.values():
                if principal.groups & set(groups_of(entry)):
                    for name, value in entry.document.metadata.items():
                        awaited.setdefault(name, set()).add(kind_of(value))
            found = snapshot.fields(principal=principal)
            assert list(found) == sorted(awaited), f"fields {list(found)}, expected {sorted(awaited)}"
            assert {name: set(kinds) for name, kinds in found.items()} == awaited, "a field has other kinds"
    store.close()


FILTER_CHECKS: tuple[Callable[[MakeStore, Reopen], None], ...] = (
    check_where,
    check_words,
    check_term_weights,
    check_fields,
)
