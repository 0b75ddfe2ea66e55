"""Answers of a collection, checked against those that its questions carry."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.config import Component, Settings
from pincite.engine.collection import Collection
from pincite.engine.evaluation.present import NAME, evaluate
from pincite.evaluate.questions import question_of
from pincite.model import Question

FACTS = {
    "cursor": "A cursor lives for 15 minutes.",
    "token": "An access token is valid for 60 minutes.",
    "export": "An export holds at most 5000 rows.",
}


def question(name: str, asked: str, answer: str, **more: object) -> Question:
    relevant = [{"document": f"{name}.md", "text": FACTS[name]}] if name in FACTS else []
    return question_of({"id": name, "question": asked, "answer": answer, "relevant": relevant, **more})


QUESTIONS = [
    question("cursor", "How long does a cursor live?", "15 minutes"),
    question("token", "How long is an access token valid?", "60 minutes"),
    question("export", "How many rows does an export hold?", "5000 rows", where="no_such_field = 1"),
    question("none", "Who won the world championship in curling?", ""),
]


@pytest.fixture
def collection(tmp_path: Path) -> Iterator[Collection]:
    docs = tmp_path / "docs"
    docs.mkdir()
    for name, fact in FACTS.items():
        (docs / f"{name}.md").write_text(f"# {name}\n\n{fact}\n", encoding="utf-8")
    settings = Settings(embed=Component("embed", "hashing"))
    with Collection(tmp_path, create=True, settings=settings) as made:
        made.add(docs)
        yield made


def test_answers(collection: Collection) -> None:
    found = evaluate(collection, QUESTIONS, keep=False, answers=True)
    answers = found.answers
    assert answers is not None
    assert [(each.question_id, each.answered) for each in answers.expected] == [
        ("cursor", True),
        ("token", True),
        ("export", False),
    ]
    cursor, token, export = answers.expected
    for each in (cursor, token):
        assert (each.in_passages, each.in_answer, each.precision, each.recall) == (1, 1, 1, 1)
    assert "no_such_field" in export.error
    assert [name for name, _ in answers.errors] == ["export"]
    assert (answers.answered, len(answers.refusing)) == (2, 1)
    assert answers.refused == (not answers.refusing[0].answered)
    data = json.loads(json.dumps(found.to_json(), allow_nan=False))["answers"]
    assert data["measures"]["precision"] == {"value": 1, "low": 1, "high": 1, "questions": 2}
    assert (data["questions"], data["answered"], data["unanswerable"]) == (3, 2, 1)


def test_a_question_that_fails_is_no_refusal(collection: Collection) -> None:
    wrong = question("none", "Who won?", "", where="no_such_field = 1")
    answers = evaluate(collection, [QUESTIONS[0], wrong], keep=False, answers=True).answers
    assert answers is not None
    assert (answers.refused, [name for name, _ in answers.errors]) == (0, ["none"])
    assert answers.to_json()["measures"]["recall"]["low"] is None  # one question alone says nothing about others


def test_answers_only_where_they_are_asked_for(collection: Collection) -> None:
    found = evaluate(collection, QUESTIONS, keep=False)
    assert found.answers is None
    assert "answers" not in found.to_json()
    assert found.comparison.values[NAME]
