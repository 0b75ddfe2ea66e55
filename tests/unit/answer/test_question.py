"""How a question is read."""

from __future__ import annotations

import pytest

from pincite.answer.question import Part, Question, Word, read_question, weights_of
from pincite.text.language import language_of
from pincite.text.terms import Analyser


def read(text: str) -> Question:
    return read_question(text, Analyser(), language_of(text))


def worth(part: Part) -> dict[str, float]:
    return {word.text: value for word, value in part.words.items()}


def test_parts_find_their_own_words() -> None:
    question = read(
        "The reader paused for 20 minutes. What are the lifetimes of the cursor and the Orbit 3 token, and is renewing "
        "the token enough to continue?"
    )
    assert [set(worth(part)) for part in question.parts] == [
        {"lifetimes", "cursor"},
        {"Orbit", "3", "token"},
        {"renewing", "token", "enough", "continue"},
    ]
    assert {"reader", "paused"} <= {word.text for word in question.words}


def test_short_parts_take_over_the_words_before_but_not_the_label() -> None:
    question = read("Wie lange gilt ein Token in Version 2 und Version 3?")
    assert worth(question.parts[1]) == {"Version": 1.0, "3": 1.0, "gilt": 1.0, "Token": 1.0}
    assert question.parts[1].time
    assert [[word.text for word in part.named] for part in question.parts] == [["2"], ["3"]]
    assert worth(read("Which hash does the signature use, and in which header?").parts[1]) == {
        "header": 1.0,
        "hash": 0.5,
        "signature": 0.5,
    }


def test_a_simple_question_has_no_parts() -> None:
    assert read("How long does a cursor live?").parts == ()


def test_a_question_of_stop_words_keeps_them() -> None:
    assert read("What is it?").words
    assert read("?!").words == []


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("What does ORB-1410 mean?", {"ORB-1410"}),
        ("Is it in version 2 or Orbit 3.0?", {"2", "3.0"}),
        ("Can it hold 20 items?", set()),
    ],
)
def test_codes_and_version_numbers_are_labels(text: str, labels: set[str]) -> None:
    assert {word.text for word in read(text).words if word.label} == labels


@pytest.mark.parametrize(
    ("text", "amount", "time"),
    [
        ("How many items are there?", True, False),
        ("Wie viele Einträge gibt es?", True, False),
        ("What does a ticket cost?", True, False),
        ("Do bicycles cost extra?", False, False),
        ("How long does it live?", False, True),
        ("Wie lange lebt er?", False, True),
        ("Which header is it?", False, False),
        ("For how many minutes is the door locked?", True, True),
        ("Wie viele Tage bleibt das Tor offen?", True, True),
        ("After what time does the lamp go out?", False, True),
        ("In welchem Abstand wird das Wasser gewechselt?", False, True),
    ],
)
def test_what_kind_of_answer_is_wanted(text: str, amount: bool, time: bool) -> None:
    assert (read(text).whole.amount, read(text).whole.time) == (amount, time)


@pytest.mark.parametrize(
    ("text", "price"),
    [
        ("What is the price of a lamp?", True),
        ("Was kostet eine Lampe?", True),
        ("How much does a lamp cost?", True),
        ("How many lamps are there?", False),
        ("Do lamps cost extra?", False),
    ],
)
def test_whether_a_price_is_wanted(text: str, price: bool) -> None:
    part = read(text).whole
    assert (part.price, part.amount or not price) == (price, True)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Which grant type does the endpoint expect?", ["grant", "type"]),
        ("What is the maximum of per_page?", ["maximum"]),
        ("Welcher Tarif erlaubt das?", ["Tarif", "erlaubt"]),
        ("Does it live?", []),
        ("After what time does the lamp go out?", []),
    ],
)
def test_what_is_asked_for(text: str, asked: list[str]) -> None:
    assert [word.text for word in read(text).whole.asked] == asked


def test_weights_fall_with_frequency_and_lift_labels() -> None:
    rare, common, label = Word("rare", ("rare",)), Word("common", ("common",)), Word("3", ("3",), label=True)
    weights = weights_of([rare, common, label], 100, {"common": 80, "3": 90})
    assert weights[rare] > weights[label] > weights[common] > 0
    assert weights_of([], 0, {}) == {}
