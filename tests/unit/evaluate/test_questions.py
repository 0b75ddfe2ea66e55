"""Files of questions, and what is wrong with questions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pincite.engine.documents import load_document
from pincite.errors import UsageError
from pincite.evaluate.judging import Judged, coverage, findings, judged, overlap
from pincite.evaluate.questions import question_of, read_questions, written
from pincite.model import Document, Judgement, Question, Span

ORBIT = Path(__file__).parent.parent.parent.parent / "examples" / "orbit"
GUIDE = """# Guide

A cursor lives for 15 minutes. Ask again after that.

A token lives for an hour.
"""


def document(name: str = "guide.md", text: str = GUIDE) -> dict[str, Document]:
    return {name: Document(id=name, source=name, media_type="text/markdown", text=text)}


def question(*quotes: str, words: str = "How long may I wait?", **more: Any) -> Question:
    relevant = [{"document": "guide.md", "text": quote, **more} for quote in quotes]
    return question_of({"id": "q", "question": words, "relevant": relevant})


class TestFile:
    def test_there_and_back(self, tmp_path: Path) -> None:
        file = tmp_path / "questions.jsonl"
        file.write_text("\ufeff" + written([question("A token lives for an hour.")]) + "\n", encoding="utf-8")
        (read,) = read_questions(file)
        assert read == question("A token lives for an hour.")
        assert json.loads(written([read])) == {
            "id": "q",
            "question": "How long may I wait?",
            "relevant": [{"document": "guide.md", "text": "A token lives for an hour."}],
        }

    def test_an_empty_list_of_passages_is_kept(self) -> None:
        assert '"relevant": []' in written([question()])

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("", "has no question"),
            ("{", "is no question"),
            ("[" * 100_000, "is no question"),
            ("[]", "a JSON object is needed"),
            ('{"question": "a", "relevant": []}', "'id' is missing"),
            ('{"id": "a", "question": " ", "relevant": []}', "'question' is missing"),
            ('{"id": "a", "question": "b"}', "'relevant' is a list"),
            ('{"id": "a", "question": "b", "relevant": ["c"]}', "list of objects"),
            ('{"id": "a", "question": "b", "relevant": [{"document": "c"}]}', "'text' is missing"),
            ('{"id": "a", "question": "b", "relevant": [{"document": "c", "text": "d", "start": "1"}]}', "'start'"),
            ('{"id": "a", "question": "b", "relevant": [{"document": "c", "text": "d", "grade": 0}]}', "grade"),
            ('{"id": "a", "question": "b", "relevant": [], "as": "support"}', "'as' is a list"),
            ('{"id": "a", "question": "b", "relevant": [], "answer": 3}', "'answer' is a text"),
            ('{"id": "a", "question": "b", "relevant": []}\n' * 2, "line 2: has the id 'a' again"),
        ],
    )
    def test_what_is_wrong_is_said_with_its_line(self, tmp_path: Path, text: str, words: str) -> None:
        file = tmp_path / "questions.jsonl"
        file.write_text(text, encoding="utf-8")
        with pytest.raises(UsageError) as caught:
            read_questions(file)
        assert words in str(caught.value)
        assert not text or "line" in str(caught.value)

    def test_what_cannot_be_read(self, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match="cannot be read"):
            read_questions(tmp_path / "none.jsonl")
        (tmp_path / "a.jsonl").write_bytes(b"{}\xff")
        with pytest.raises(UsageError, match="byte 2"):
            read_questions(tmp_path / "a.jsonl")


class TestJudged:
    def test_parts_and_alternatives(self) -> None:
        several = question("A cursor lives for 15 minutes.", "A token lives for an hour.")
        found = judged(several, document())
        assert [len(part) for part in found.gold] == [1, 1]
        alternatives = question("A cursor lives for 15 minutes.", "A token lives for an hour.", part="either")
        assert [len(part) for part in judged(alternatives, document()).gold] == [2]
        assert (found.has_answer, found.cluster) == (True, "guide.md")

    def test_what_is_lost_is_told(self) -> None:
        found = judged(question("A cursor lives for 15 minutes.", "Nothing of this kind is here."), document())
        assert (len(found.gold), [each.text for each in found.lost]) == (1, ["Nothing of this kind is here."])
        assert judged(question("A cursor"), {}).gold == ()

    def test_spans_are_those_of_now(self) -> None:
        moved = document(text="Before.\n\n" + GUIDE)
        ((span,),) = judged(question("A token lives for an hour.", start=3, end=9), moved).gold
        assert span.span.of(moved["guide.md"].text) == "A token lives for an hour."

    def test_without_an_answer(self) -> None:
        found = judged(question(), document())
        assert found == Judged(question(), ())
        assert (found.has_answer, found.cluster) == (False, "q")


class TestFindings:
    def kinds(self, *questions: Question, text: str = GUIDE) -> list[str]:
        return [finding.kind for finding in findings(questions, document(text=text))]

    def test_sound(self) -> None:
        assert self.kinds(question("A cursor lives for 15 minutes."), question(words="And where?")) == []

    def test_each_kind(self) -> None:
        assert self.kinds(question("Nothing of this kind stands here at all.")) == ["lost"]
        assert self.kinds(question("A cursor lives for 25 minutes now.")) == ["reworded"]
        assert self.kinds(question("lives for")) == ["several", "short"]
        assert self.kinds(question("A token lives for an hour.", words="Does a token live an hour?")) == ["leaking"]
        assert self.kinds(question(words="Same?"), question(words="same?  ")) == ["repeated", "repeated"]
        (finding,) = findings([question("x" * 30)], {})
        assert (finding.kind, finding.is_error, finding.document_id) == ("missing_document", True, "guide.md")

    def test_context_makes_one_of_several(self) -> None:
        assert "several" not in self.kinds(question("lives for", before="A token "))

    def test_as_json(self) -> None:
        (finding,) = findings([question("Nothing of this kind stands here at all.")], document())
        assert finding.to_json()["severity"] == "error"


@pytest.mark.parametrize(
    ("words", "quote", "share"),
    [
        ("How long does a cursor live?", "A cursor lives for 15 minutes.", 2 / 3),
        ("Wie lange gilt ein Zeiger?", "A cursor lives for 15 minutes.", 0),
        ("?", "A cursor", 0),
    ],
)
def test_overlap(words: str, quote: str, share: float) -> None:
    assert overlap(words, quote) == share


def test_coverage() -> None:
    documents = {**document(), **document("other.md")}
    assert coverage([question("A cursor")], documents) == 0.5
    assert coverage([], {}) == 0


def test_all_questions_about_orbit_are_sound() -> None:
    questions = read_questions(ORBIT / "questions.jsonl")
    names = sorted({judgement.document_id for each in questions for judgement in each.relevant})
    documents = {name: load_document(ORBIT / name, document_id=name) for name in names}
    assert len(questions) >= 80
    assert [finding for finding in findings(questions, documents) if finding.is_error] == []
    for each in questions:
        found = judged(each, documents)
        assert not found.lost
        for part in found.gold:
            for gold in part:
                assert isinstance(gold.span, Span)
    assert any(isinstance(judgement, Judgement) for each in questions for judgement in each.relevant)
