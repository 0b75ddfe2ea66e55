"""The language of ``--where``: what it says, what it refuses, and that stores evaluate it as it is meant."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.errors import UsageError
from pincite.model import PUBLIC, Metadata
from pincite.model.condition import (
    AllOf,
    AnyOf,
    Comparison,
    Condition,
    Contains,
    FieldKind,
    Has,
    Not,
    OneOf,
    fulfils,
)
from pincite.ports import Store
from pincite.retrieve.where import parse, settle
from pincite.store.memory import MemoryStore
from pincite.store.sqlite import SqliteStore
from pincite.testing.stores import make_entry, put_all, unit_vector

FIELDS: Mapping[str, set[FieldKind]] = {
    "version": {"text"},
    "date": {"date"},
    "tags": {"list"},
    "price": {"number"},
    "draft": {"boolean"},
    "due": {"date", "text"},
    "my field": {"number"},
}


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("version = '3.0'", Comparison("version", "=", "3.0")),
        ('version != "3.0"', Comparison("version", "!=", "3.0")),
        ("price<=2", Comparison("price", "<=", 2)),
        ("price > -1.5", Comparison("price", ">", -1.5)),
        ("date >= 2025-01-01", Comparison("date", ">=", date(2025, 1, 1))),
        ("date >= '2025-01-01'", Comparison("date", ">=", date(2025, 1, 1))),
        ("due = '2025-01-01'", Comparison("due", "=", "2025-01-01")),
        ("'api' in tags", Contains("tags", "api")),
        ("version in ('2', '3')", OneOf("version", ("2", "3"))),
        ("price IN (1,2)", OneOf("price", (1, 2))),
        ("has draft", Has("draft")),
        ("draft = TRUE", Comparison("draft", "=", True)),
        ("draft != false", Comparison("draft", "!=", False)),
        ("`my field` = 1", Comparison("my field", "=", 1)),
        ("Lang = 'de'", Comparison("language", "=", "de")),
        (r"version = 'it\'s'", Comparison("version", "=", "it's")),
        (
            "price = 1 or price = 2 and not has draft",
            AnyOf((Comparison("price", "=", 1), AllOf((Comparison("price", "=", 2), Not(Has("draft")))))),
        ),
        (
            "(price = 1 OR price = 2) AND has tags",
            AllOf((AnyOf((Comparison("price", "=", 1), Comparison("price", "=", 2))), Has("tags"))),
        ),
        ("(((price = 1)))", Comparison("price", "=", 1)),
    ],
)
def test_what_a_condition_says(text: str, condition: Condition) -> None:
    fields: dict[str, set[FieldKind]] = {**FIELDS, "language": {"text"}}
    assert settle(parse(text), fields) == condition


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "at its end"),
        ("price >", "at its end"),
        ("= 3", "'= 3' (character 1)"),
        ("price = 3 3", "'3' (character 11)"),
        ("price == 3", "(character 8)"),
        ("price = " + "9" * 400, "is not understood"),
        ("price = " + "9" * 5000, "is not understood"),
        ("tags in tags", "'tags' (character 9)"),
        ("version = '3", "(character 11)"),
        ("date = 2031-2-31", "no date 2031-2-31"),
        ("date = '2031-2-31'", "no date 2031-2-31"),
        ("date >= 'soon'", "no date soon"),
        ("version >= '3'", "holds text and cannot be ordered"),
        ("version = 3", "holds text and does not compare so with 3"),
        ("price = '3'", "holds number and does not compare"),
        ("draft > true", "holds boolean and cannot be ordered"),
        ("price = 2025-01-01", "holds number and does not compare"),
        ("tags = 'api'", "holds list"),
        ("'3' in version", "is no list"),
        ("5 in tags", "a list holds texts, not 5"),
        (
            "groop = 'x'",
            "no document has a field 'groop'. There are: date, draft, due, my field, price, tags, version.",
        ),
        ("not " * 31 + "price = 1", "nested over 30 deep"),
        ("not " * 2000 + "price = 1", "nested over 30 deep"),
        (" or ".join(["price = 1"] * 201), "over 200 comparisons"),
        ("price = 1 " * 2000, "over 10,000 characters"),
    ],
)
def test_what_is_refused_and_how(text: str, problem: str) -> None:
    with pytest.raises(UsageError) as refused:
        settle(parse(text), FIELDS)
    assert problem in str(refused.value)


@given(st.text(alphabet=st.sampled_from("ab1.-'\"`()=<>! \n,andorithsx"), max_size=40))
def test_any_text_is_a_condition_or_a_usage_error(text: str) -> None:
    try:
        condition = parse(text)
    except UsageError:
        return
    fulfils({"a": 1, "b": "a"}, condition)


texts = st.sampled_from(["3.0", "3.10", "", "2025-01-31", "2025-01-31T10:00", "it's", "%", "'; DROP TABLE documents"])
values = st.one_of(
    texts,
    st.integers(-3, 3),
    st.sampled_from([0.5, 2.0**70, 2**70]),
    st.booleans(),
    st.lists(texts, max_size=2).map(tuple),
)
metadata = st.dictionaries(st.sampled_from(["x", "y", "it's"]), values, max_size=3)
fields = st.sampled_from(["x", "y", "it's", "z"])
operands = st.one_of(
    texts,
    st.integers(-3, 3),
    st.sampled_from([0.5, 2**70]),
    st.booleans(),
    st.dates(date(2025, 1, 29), date(2025, 2, 2)),
)
conditions: st.SearchStrategy[Condition] = st.recursive(
    st.one_of(
        st.builds(Comparison, fields, st.sampled_from(["=", "!=", "<", "<=", ">", ">="]), operands),
        st.builds(OneOf, fields, st.lists(operands, min_size=1, max_size=3).map(tuple)),
        st.builds(Contains, fields, texts),
        st.builds(Has, fields),
    ),
    lambda inner: st.one_of(
        st.builds(Not, inner),
        st.builds(AllOf, st.lists(inner, min_size=1, max_size=3).map(tuple)),
        st.builds(AnyOf, st.lists(inner, min_size=1, max_size=3).map(tuple)),
    ),
    max_leaves=6,
)


@settings(max_examples=settings().max_examples // 4)
@given(several=st.lists(metadata, min_size=1, max_size=5), asked=st.lists(conditions, min_size=1, max_size=8))
def test_stores_find_exactly_the_documents_that_fulfil_a_condition(
    tmp_path_factory: pytest.TempPathFactory, several: list[Metadata], asked: list[Condition]
) -> None:
    entries = [make_entry(f"{number}.md", ["red green"], metadata=data) for number, data in enumerate(several)]
    hidden = make_entry("hidden.md", ["red"], groups=["secret"], metadata={"x": "3.0", "secret": 1})
    stores: list[Store] = [MemoryStore(), SqliteStore(path=tmp_path_factory.mktemp("store") / ".pincite", create=True)]
    for store in stores:
        put_all(store, [*entries, hidden])
        with store.snapshot() as snapshot:
            found: dict[str, Any] = dict(snapshot.fields(principal=PUBLIC))
            assert "secret" not in found
            for condition in asked:
                right = {entry.chunks[0].id for entry in entries if fulfils(entry.document.metadata, condition)}
                lexical = snapshot.lexical(["red"], principal=PUBLIC, limit=10, where=condition)
                dense = snapshot.dense(unit_vector("red"), principal=PUBLIC, limit=1, where=condition)
                assert {hit.chunk_id for hit in lexical} == right
                assert {hit.chunk_id for hit in dense} <= right
                assert len(dense) == min(1, len(right))
        store.close()


@pytest.mark.parametrize(
    "text",
    [
        f"x in ({', '.join(str(number) for number in range(600))})",
        "not " * 28 + "x = 3",
        "x = 3 and (" * 28 + "x = 3" + ")" * 28,
        " or ".join(["x = 3"] * 200),
    ],
)
def test_conditions_as_large_as_allowed_are_evaluated(tmp_path: Path, text: str) -> None:
    store = SqliteStore(path=tmp_path / ".pincite", create=True)
    put_all(store, [make_entry("a.md", ["red"], metadata={"x": 3}), make_entry("b.md", ["red"], metadata={"x": -1})])
    with store.snapshot() as snapshot:
        found = snapshot.lexical(["red"], principal=PUBLIC, limit=5, where=parse(text))
    store.close()
    assert len(found) == 1


def test_fields_are_told_with_their_kinds(tmp_path: Path) -> None:
    data: list[Metadata] = [{"a": "2025-01-31", "b": ("x",)}, {"a": "soon", "b": (), "c": 1, "d": True}]
    stores: list[Store] = [MemoryStore(), SqliteStore(path=tmp_path / ".pincite", create=True)]
    for store in stores:
        put_all(store, [make_entry(f"{number}.md", ["red"], metadata=one) for number, one in enumerate(data)])
        with store.snapshot() as snapshot:
            assert dict(snapshot.fields(principal=PUBLIC)) == {
                "a": {"date", "text"},
                "b": {"list"},
                "c": {"number"},
                "d": {"boolean"},
            }
        store.close()
