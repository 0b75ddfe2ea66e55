"""Numbers, units, dates, versions, identifiers and names in a text."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.answer.agreement import agrees
from pincite.answer.facts import Fact, facts_of
from pincite.answer.measures import number_word
from pincite.answer.wording import NEGATION, negations, opposite, senses_in, spelled_out
from pincite.text.flattened import flat


def only(text: str, language: str = "") -> Fact:
    (fact,) = [fact for fact in facts_of(text, language) if not fact.weak]
    return fact


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("60 minutes", "one hour"),
        ("60 Minuten", "an hour"),
        ("1,000 items", "1000 items"),
        ("a 30-minute break", "half an hour"),
        ("90 s", "1.5 min"),
        ("2 weeks", "14 Tage"),
        ("18 months", "1.5 years"),
        ("2 GB", "2048 MB"),
        ("2 GB", "2000 MB"),
        ("5 %", "five percent"),
        ("€5", "5 EUR"),
        ("fünfundzwanzig", "25"),
        ("zweitausenddreihundert", "2300"),
        ("two hundred thousand", "200000"),
        ("3 Millionen", "3 million"),
        ("zwölfmal", "12 times"),
        ("2025-09-15", "15 September 2025"),
        ("15.09.2025", "September 15th, 2025"),
        ("30. September 2026", "2026-09-30"),
        ("14:30", "2:30 pm"),
        ("14 Uhr", "2 p.m."),
        ("version 3", "Orbit 3.0"),
        ("v2.0.4", "release 2.0.4"),
        ("on Monday", "am Montag"),
        ("ORB-1410", "orb-1410"),
    ],
)
def test_the_same_said_otherwise(one: str, other: str) -> None:
    left = only(f"it is {one}", "en" if "," in one else "")
    rights = [fact for fact in facts_of(f"for {other}") if fact.kind != "name" or left.kind == "name"]
    assert any(agrees(left, right) for right in rights), (left, rights)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("60 minutes", "60 seconds"),
        ("60 minutes", "61 minutes"),
        ("2 GB", "2 MB"),
        ("5 percent", "5 percentage points"),
        ("version 3.1", "version 3.10"),
        ("v2.0.4", "v2.0.5"),
        ("2025-09-15", "2025-09-16"),
        ("March 2025", "April 2025"),
        ("14:30", "4:30 pm"),
        ("ORB-1410", "ORB-1411"),
        ("next_cursor", "last_cursor"),
        ("exports:run", "exports:read"),
        ("on Monday", "on Tuesday"),
        ("-5 °C", "5 °C"),
        ("fifteen", "fifty"),
    ],
)
def test_another_thing(one: str, other: str) -> None:
    assert not agrees(only(f"it is {one}"), only(f"it is {other}"))


def test_less_exact_is_supported_and_more_exact_is_not() -> None:
    assert agrees(only("in March 2025"), only("on 2025-03-05"))
    assert not agrees(only("on 2025-03-05"), only("in March 2025"))
    assert agrees(only("it is 60"), only("it is 60 minutes"))
    assert not agrees(only("it is 60 minutes"), only("it is 60"))
    assert agrees(only("it was 2025"), only("on 5 March 2025"))


def test_points_and_commas_depend_on_the_language() -> None:
    assert only("1.000", "de").numbers == {Decimal(1000)}
    assert only("1.000", "en").numbers == {Decimal(1)}
    assert only("1.000").numbers == {Decimal(1), Decimal(1000)}
    assert only("1,234.5").numbers == {Decimal("1234.5")}
    assert only("1.234.567").numbers == {Decimal(1234567)}
    assert only("2,5 GB", "en").values == only("2.5 GB", "de").values


def test_kinds() -> None:
    text = "In Orbit 3.0 the code ORB-1410 of /auth/login and maxTokens comes on 1 March 2025 at 04:00 after 3 days"
    assert [(fact.kind, fact.text) for fact in facts_of(text, "en")] == [
        ("name", "Orbit"),
        ("version", "3.0"),
        ("identifier", "ORB-1410"),
        ("identifier", "/auth/login"),
        ("identifier", "maxTokens"),
        ("date", "1 March 2025"),
        ("time", "04:00"),
        ("number", "3 days"),
    ]


def test_no_facts_where_there_are_none() -> None:
    assert facts_of("The token and/or the cursor may be renewed; see the guide. It is e.g. kHz.", "en") == []
    assert facts_of("Ein Vertrag über die Lieferung einer Anlage.", "de") == []
    assert facts_of("on 45/45/2025 25:99", "en") != []


def test_an_article_is_weak_or_nothing() -> None:
    assert facts_of("an apple, ein Haus") == []
    assert [(fact.text, fact.weak) for fact in facts_of("60 requests per minute, one token")] == [
        ("60", False),
        ("per minute", True),
        ("one", True),
    ]


@pytest.mark.parametrize(
    "word", ["", "und", "hundertwasser", "tausendundx", "einfach", "mal", "wort", "un-und-zehn", "tausend" * 5000]
)
def test_words_that_are_no_numbers(word: str) -> None:
    assert number_word(word) is None


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("it can't be", 1),
        ("it cannot, and will not", 2),
        ("kein Haus ohne Dach", 2),
        ("no more than 3", 0),
        ("a note", 0),
    ],
)
def test_negations(text: str, count: int) -> None:
    assert negations(flat(text)) == count


def test_expressions_of_several_words() -> None:
    assert spelled_out("won't shan't mustn't at most every 60 seconds, every boat, only after") == (
        "will not must-not must-not at-most per 60 seconds, every boat, after"
    )
    assert senses_in("höchstens") == senses_in("up to") != senses_in("mindestens")
    assert opposite(("bound", "high")) == ("bound", "low")
    assert opposite(NEGATION) is None


@given(st.text(max_size=80), st.sampled_from(["", "de", "en"]))
def test_any_text_has_its_facts_in_order(text: str, language: str) -> None:
    end = 0
    for fact in facts_of(text, language):
        assert end <= fact.start < fact.end <= len(text)
        end = fact.end


@given(
    st.lists(
        st.sampled_from(
            [
                "1",
                ".",
                ",",
                "-",
                "3.0",
                "1.000",
                "2025-03",
                "/",
                "v",
                "°C",
                "min",
                "minutes",
                "ein",
                "und",
                "zwei",
                "%",
                "$",
                "Mai",
                "14:",
                "am",
                "M",
            ]
        ),
        max_size=12,
    )
)
def test_any_pieces_of_facts_are_read(pieces: list[str]) -> None:
    for joint in ("", " "):
        for fact in facts_of(joint.join(pieces), "en"):
            assert not any(agrees(fact, other) and fact.kind == "identifier" for other in facts_of("no facts"))


@given(st.text(alphabet="0123456789.,:/-' vVx%$", max_size=20))
def test_any_figures_are_read(text: str) -> None:
    for language in ("", "de", "en"):
        assert all(fact.end > fact.start for fact in facts_of(text, language))


def test_digits_that_are_grouped_oddly_are_read() -> None:
    assert only("it is 0,115.0,5", "de").numbers
    assert only("it is 0,115,22").numbers
