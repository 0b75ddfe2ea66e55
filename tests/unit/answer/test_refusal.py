"""Why there is no answer, in kinds that programs can tell apart and words that name what is missing."""

from __future__ import annotations

import json

import pytest
from tests.unit.answer.collection import SmallCollection

from pincite.model import Answer, Principal

TICKETS = """# Tickets

A day ticket for adults costs 7.50 EUR and is valid on all lines.

Dogs are allowed on the upper deck only.
"""
SECRET = "# Keys\n\nThe signing key is rotated every 30 days.\n"


@pytest.fixture(scope="module")
def tickets() -> SmallCollection:
    return SmallCollection({"tickets.md": TICKETS})


def test_nothing_is_about_it(tickets: SmallCollection) -> None:
    answer = tickets.ask("Who won the football world cup?")
    assert (answer.kind, answer.nearest) == ("nothing-relevant", ())
    german = ("Wer hat die Weltmeisterschaft gewonnen?", "Welcher Tarif erlaubt Single Sign-on?", "Ist WLAN kostenlos?")
    for question in german:
        assert tickets.ask(question).reason.startswith("Die Dokumente sagen das nicht")


def test_an_empty_collection_knows_nothing() -> None:
    answer = SmallCollection({}).ask("What does a day ticket cost?")
    assert (answer.kind, answer.confidence) == ("nothing-relevant", None)


def test_the_missing_word_is_named_and_the_nearest_passage_shown(tickets: SmallCollection) -> None:
    answer = tickets.ask("Is there a refund for a day ticket?", min_confidence=0.8)
    assert answer.kind == "insufficient"
    assert "“refund”" in answer.reason
    assert "tickets.md" in answer.reason
    assert answer.nearest[0].document_id == "tickets.md"
    assert answer.nearest[0].quote in TICKETS
    assert answer.confidence is not None
    assert 0 < answer.confidence < 0.8


def test_words_that_do_not_stand_together_are_named(tickets: SmallCollection) -> None:
    answer = tickets.ask("What does a day ticket for dogs cost?", min_confidence=0.9)
    assert answer.kind == "insufficient"
    assert "together" in answer.reason
    german = tickets.ask("Wie lange gilt ein Tagesticket für Hunde?", min_confidence=0.9)
    assert "In dem, was gefunden wurde" in german.reason


def test_a_missing_amount_or_time_is_named(tickets: SmallCollection) -> None:
    assert "how many or how much" in tickets.ask("How many dogs are allowed on deck?", min_confidence=0.9).reason
    assert "how long or when" in tickets.ask("How long are dogs allowed on deck?", min_confidence=0.9).reason


def test_a_part_without_an_answer_is_told(tickets: SmallCollection) -> None:
    answer = tickets.ask("What does a day ticket for adults cost, and who founded the railway company?")
    assert answer.answered
    assert [warning.kind for warning in answer.warnings] == ["part-unanswered"]
    assert "railway" in answer.warnings[0].message
    german = tickets.ask("Was kostet ein Tagesticket für Erwachsene, und wer gründete die Eisenbahngesellschaft?")
    assert not german.answered or "nichts gefunden zu" in german.warnings[0].message


@pytest.mark.parametrize(
    "question",
    [
        "How often is the signing key rotated?",
        "Is there a signing key for a day ticket?",
        "Wie oft wird der Schlüssel gewechselt?",
        "How often is the signing key rotated in version 3?",
    ],
)
def test_what_one_may_not_see_is_as_if_it_were_not_there(question: str) -> None:
    """Byte for byte the same answer, with its confidence, whether there is a hidden document or not."""
    alone = SmallCollection({"tickets.md": TICKETS})
    with_secret = SmallCollection({"tickets.md": TICKETS, "keys.md": SECRET}, groups={"keys.md": "security"})
    assert _bytes(with_secret.ask(question)) == _bytes(alone.ask(question))
    assert _bytes(with_secret.ask(question, groups=("public", "security"))) != _bytes(alone.ask(question))


def _bytes(answer: Answer) -> bytes:
    return json.dumps(answer.to_json(), sort_keys=True).encode()


def test_a_refusal_goes_to_json_and_back(tickets: SmallCollection) -> None:
    answer = tickets.ask("Is there a refund for a day ticket?", min_confidence=0.8)
    assert Answer.from_json(json.loads(json.dumps(answer.to_json()))) == answer


def test_an_answer_is_no_refusal() -> None:
    answered = SmallCollection({"tickets.md": TICKETS}).ask("What does a day ticket for adults cost?")
    assert (answered.kind, answered.nearest) == (None, ())
    with pytest.raises(ValueError, match="no refusal"):
        Answer(question="q", statements=answered.statements, kind="insufficient")
    with pytest.raises(ValueError, match="no kind of refusal"):
        Answer(question="q", reason="r", kind="whim")  # type: ignore[arg-type] # a wrong one on purpose
    assert Principal().groups
