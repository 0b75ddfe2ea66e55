"""Versions that a question asks for, and what is said where they differ."""

from __future__ import annotations

import time

import pytest
from tests.unit.answer.collection import SmallCollection, document_of, quotes

from pincite.answer.reading import searches
from pincite.answer.versions import Edition, asked_versions, numbers_named, version_order, without_versions
from pincite.text.terms import Analyser

OLD = "# Signing in\n\nIn Orbit 2.0 a token lives for 24 hours after the log-in.\n\nA session ends with the log-out.\n"
NEW = "# Access tokens\n\nAn Orbit 3.0 access token is valid for 60 minutes from the moment it is issued.\n"
SCROLLS = "# Scrolls\n\nA workspace can keep up to 20 scrolls open at the same time.\n"


@pytest.fixture(scope="module")
def versions() -> SmallCollection:
    collection = SmallCollection({})
    collection.put(document_of("v2/signing-in.md", OLD, version="2.0"))
    collection.put(document_of("v3/tokens.md", NEW, version="3.0"))
    collection.put(document_of("v2/scrolls.md", SCROLLS, version="2.0"))
    return collection


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("How long does a token live in version 2?", ["2.0"]),
        ("How long does a token live in v3?", ["3.0"]),
        ("Wie lange lebt ein Token in Orbit 3.0?", ["3.0"]),
        ("Was ändert sich von 2.0 auf 3.0?", ["2.0", "3.0"]),
        ("What is the limit in the old and in the new API?", ["2.0", "3.0"]),
        ("What is the limit in the old API?", ["2.0"]),
        ("Was gilt in der neuen Version?", ["3.0"]),
        ("What does release 3.0.2 add?", ["3.0"]),
        ("How long does the old secret stay valid?", []),
        ("May a reader pause for 3 minutes?", []),
        ("Is ORB 3 an error?", []),
        ("What will Orbit 4.0 change?", []),
        ("Costs it 2.0 EUR?", []),
    ],
)
def test_asked_versions(text: str, asked: list[str]) -> None:
    assert sorted(asked_versions(text, ["2.0", "3.0", ""])) == asked


def test_a_single_version_is_neither_old_nor_new() -> None:
    assert not asked_versions("What does the new API do?", ["3.0"])


def test_versions_without_numbers_are_no_other_ones() -> None:
    assert asked_versions("version 0 of it", ["0.0", "beta"]) == frozenset({"0.0", "beta"})
    assert asked_versions("version 2 of it", ["beta"]) == frozenset()


def test_numbers_named() -> None:
    assert numbers_named("From 2.0 to 3.0 within 15 minutes") == ["2.0", "3.0"]
    assert numbers_named("in 5 steps") == []


def test_order() -> None:
    assert version_order("3.10") > version_order("3.9")
    assert Edition("3.10").newer(Edition("3.9"))
    assert Edition(date="2025-02-01").newer(Edition(date="2024-12-31"))
    assert not Edition("3.0").differs(Edition(date="2025-01-01"))
    assert not Edition("3.0").differs(Edition("3.0", "2025-01-01"))
    assert Edition(date="2025-01-01T10:00:00Z").name() == "as of 2025-01-01"


def test_where_versions_differ_both_are_said_the_newer_one_first(versions: SmallCollection) -> None:
    answer = versions.ask("How long is an access token valid?")
    assert [statement.text.partition(":")[0] for statement in answer.statements] == ["Version 3.0", "Version 2.0"]
    assert [statement.citations[0].document_id for statement in answer.statements] == [
        "v3/tokens.md",
        "v2/signing-in.md",
    ]
    (warning,) = answer.warnings
    assert (warning.kind, warning.file) == ("versions-differ", "v2/signing-in.md")
    assert "version 3.0 is the newer one" in warning.message


def test_only_the_version_that_was_asked_for_is_said(versions: SmallCollection) -> None:
    answer = versions.ask("How long does a token live in version 2?")
    assert quotes(answer) == ["In Orbit 2.0 a token lives for 24 hours after the log-in."]
    assert [warning.kind for warning in answer.warnings] == ["newer-version"]
    newest = versions.ask("How long is an access token valid in Orbit 3.0?")
    assert quotes(newest) == ["An Orbit 3.0 access token is valid for 60 minutes from the moment it is issued."]
    assert newest.warnings == ()


def test_both_versions_where_both_are_asked_for(versions: SmallCollection) -> None:
    answer = versions.ask("Compare how long access tokens last in Orbit 2.0 and Orbit 3.0.")
    assert {citation.document_id for statement in answer.statements for citation in statement.citations} == {
        "v2/signing-in.md",
        "v3/tokens.md",
    }
    assert answer.warnings == ()


def test_what_only_names_the_versions_need_not_stand_there() -> None:
    collection = SmallCollection({})
    text = "# Crates\n\nA crate holds {} bottles.\n\nThe old cellar has a new door.\n"
    collection.put(document_of("v2/crates.md", text.format(20), version="2.0"))
    collection.put(document_of("v3/crates.md", text.format(30), version="3.0"))
    answer = collection.ask("How many bottles are in a crate in the old and in the new API?")
    assert quotes(answer) == ["A crate holds 20 bottles.", "A crate holds 30 bottles."]


@pytest.mark.parametrize("question", ["Version 3?", "version 2 and version 3", "How long does it live, version 3?"])
def test_a_question_that_only_names_versions_is_asked(versions: SmallCollection, question: str) -> None:
    assert searches(question, Analyser(), ["2.0", "3.0"])
    assert all(any(map(str.isalnum, query)) for query, _ in searches(question, Analyser(), ["2.0", "3.0"]))
    answer = versions.ask(question)
    assert answer.answered or answer.kind


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("How large is it in version 2?", "How large is it in ?"),
        ("How large is it in Orbit 2.0?", "How large is it in Orbit ?"),
        ("What is new in 3.0.2?", "What is new in 3.0.2?"),
        ("What does release 3.0.2 add?", "What does release 3.0.2 add?"),
        ("Was gilt in der neuen Version?", "Was gilt in der ?"),
        ("May a reader pause for 3 minutes?", "May a reader pause for 3 minutes?"),
        ("What will Orbit 4.0 change?", "What will Orbit 4.0 change?"),
    ],
)
def test_without_versions(text: str, left: str) -> None:
    assert " ".join(without_versions(text, ["2.0", "3.0", ""]).split()) == left


def test_old_evidence_is_marked(versions: SmallCollection) -> None:
    answer = versions.ask("How many scrolls can a workspace keep open?")
    assert quotes(answer)[0].startswith("A workspace can keep up to 20 scrolls")
    assert [(warning.kind, warning.file) for warning in answer.warnings] == [("older-version", "v2/scrolls.md")]
    german = versions.ask("Wie viele Scrolls kann ein Workspace gleichzeitig offen halten?")
    assert "gilt für Version 2.0" in german.warnings[0].message


def test_what_only_another_version_says_is_refused(versions: SmallCollection) -> None:
    answer = versions.ask("How many scrolls can a workspace keep open in version 3?")
    assert (answer.answered, answer.kind) == (False, "other-version")
    assert answer.nearest[0].document_id == "v2/scrolls.md"
    assert "version 3.0 do not say this" in answer.reason
    assert "only in those of version 2.0" in answer.reason


def test_a_version_that_there_is_not(versions: SmallCollection) -> None:
    answer = versions.ask("How many scrolls can a workspace keep open in version 4?")
    assert answer.kind == "other-version"
    assert "of version 4" in answer.reason
    assert "2.0 and 3.0" in answer.reason


def test_dates_differ_where_there_are_no_versions() -> None:
    collection = SmallCollection({})
    old = "# Holidays\n\nEvery member of the staff has 25 days of holiday in a year.\n"
    collection.put(document_of("2023.md", old, date="2023-01-01"))
    collection.put(document_of("2025.md", old.replace("25", "30"), date="2025-01-01"))
    answer = collection.ask("How many days of holiday does a member of the staff have?")
    assert [statement.text.partition(":")[0] for statement in answer.statements[:2]] == [
        "As of 2025-01-01",
        "As of 2023-01-01",
    ]
    german = collection.ask("Wie viele Tage Urlaub im Jahr hat das Personal?")
    if german.answered:
        assert all(statement.text.startswith("Stand 20") for statement in german.statements)


def test_the_same_in_both_versions_is_no_contradiction() -> None:
    collection = SmallCollection({})
    text = "# Pages\n\nThe default page size is 100 items.\n"
    collection.put(document_of("v2.md", text, version="2.0"))
    collection.put(document_of("v3.md", text, version="3.0"))
    answer = collection.ask("What is the default page size?")
    assert answer.statements[0].citations[0].document_id == "v3.md"
    assert not [warning for warning in answer.warnings if warning.kind == "versions-differ"]


def test_a_negation_is_a_contradiction() -> None:
    collection = SmallCollection({})
    text = "# Filters\n\nThe filters of a list can be changed during a sequence.\n"
    collection.put(document_of("v2.md", text, version="2.0"))
    collection.put(document_of("v3.md", text.replace("can be", "cannot be"), version="3.0"))
    answer = collection.ask("Can the filters of a list be changed during a sequence?")
    assert [statement.text.partition(":")[0] for statement in answer.statements] == ["Version 3.0", "Version 2.0"]


def test_a_version_of_thousands_of_digits_is_a_version() -> None:
    collection = SmallCollection({})
    collection.put(document_of("odd.md", "# Pages\n\nA page has 100 items.\n", version="9" * 5000))
    collection.put(document_of("v3.md", "# Pages\n\nThe default page size is 100 items.\n", version="3.0"))
    assert collection.ask("What is the default page size?").answered


def test_a_long_word_in_a_question_costs_no_more_than_its_length() -> None:
    started = time.process_time()
    numbers_named("x" * 100_000)
    assert time.process_time() - started < 2
