"""Drafts ask for what one place of the documents says, in other words than it says it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.engine.documents import load_document
from pincite.evaluate.drafting import Draft, drafts
from pincite.evaluate.judging import findings
from pincite.load.markdown import MarkdownLoader
from pincite.model import Document, Source

ORBIT = Path(__file__).parent.parent.parent.parent / "examples" / "orbit"


def document(text: str, name: str = "a.md") -> Document:
    return MarkdownLoader().load(Source(name, text.encode()))


def made(text: str, *, count: int = 99, most_overlap: float = 1) -> list[tuple[str, str, str]]:
    """Kind, question and passage of every draft."""
    found = drafts([document(text)], count=count, most_overlap=most_overlap)
    return [(draft.kind, draft.question.question, draft.question.relevant[0].text) for draft in found]


ENGLISH = "It is said that there was a time when all of this was not as it is now, and that they were here.\n\n"


@pytest.mark.parametrize(
    ("text", "kind", "question", "passage"),
    [
        (
            "A **cursor** is a place in a list. Ask.",
            "definition",
            "What is cursor?",
            "A **cursor** is a place in a list.",
        ),
        ("Cursors are the marks of a list.", "definition", "What are Cursors?", "Cursors are the marks of a list."),
        (
            "# Cursors\n\nThey live for 15 minutes. Ask.",
            "number",
            "Cursors: how many minutes?",
            "They live for 15 minutes.",
        ),
        ("# Load\n\nIt is 40 % at most.", "number", "Load: how many percent?", "It is 40 % at most."),
        (
            "# Plans\n\n| plan | price |\n| - | - |\n| Team | 9 |\n| Free | 0 |\n",
            *("cell", "Plans: price of Team?", "| Team | 9 |"),
        ),
        (
            f"# Guide\n\n## Cursors\n\n{'Words about them. ' * 6}\n",
            *("heading", "Guide: what is to be known about Cursors?", ("Words about them. " * 6).strip()),
        ),
        ("Ein Zeiger ist eine Stelle in einer Liste, und das ist es.", "definition", "Was ist Zeiger?", None),
        ("# Zeiger\n\nEr gilt 15 Minuten lang und das ist es.", "number", "Zeiger: wie viele Minuten?", None),
    ],
)
def test_each_kind(text: str, kind: str, question: str, passage: str | None) -> None:
    german = "Zeiger" in text
    found = {(each, asked): told for each, asked, told in made(text if german else ENGLISH + text)}
    assert (kind, question) in found
    assert passage is None or found[kind, question].strip() == passage


@pytest.mark.parametrize(
    "text",
    [
        "It is a place in a list. There are the others. However it is a rule.",
        "# Cursors\n\nThey live for 15 minutes, or for 20 minutes. It is the year 2025 and ORB-12 minutes.",
        "# Guide\n\n## Cursors\n\nShort.",
        "# Plans\n\n| plan | price |\n| - | - |\n| Team | 9 |\n| Team | 0 |\n",
    ],
)
def test_what_would_be_no_question(text: str) -> None:
    assert made(ENGLISH + text) == []


def test_another_language_gives_none() -> None:
    assert made("# Curseurs\n\nUn curseur est une position dans une liste et il vit 15 minutes.") == []


def test_questions_with_the_same_words_are_left_out() -> None:
    text = ENGLISH + "# Cursors\n\nThey live for 15 minutes."
    several = [document(text, "a.md"), document(text, "b.md")]
    assert drafts(several, count=9, most_overlap=1) == []


def of_orbit() -> list[Document]:
    files = [path for path in sorted(ORBIT.rglob("*.*")) if path.suffix in (".md", ".html", ".csv", ".docx")]
    return [load_document(path, document_id=path.relative_to(ORBIT).as_posix()) for path in files]


def test_drafts_about_orbit_are_sound_and_spread() -> None:
    documents = of_orbit()
    found = drafts(documents, count=60)
    assert len(found) == 60
    assert all(draft.overlap <= 0.75 for draft in found)
    assert {draft.kind for draft in found} >= {"number", "cell", "heading"}
    asked = {draft.question.relevant[0].document_id for draft in found}
    assert len(asked) >= 0.8 * len(documents)
    by_id = {each.id: each for each in documents}
    assert list(findings([draft.question for draft in found], by_id)) == []
    assert drafts(reversed(documents), count=60) == found


def test_fewer_words_are_shared_than_the_limit_says() -> None:
    loose: list[Draft] = drafts(of_orbit(), count=1000, most_overlap=1)
    tight = drafts(of_orbit(), count=1000, most_overlap=0.2)
    assert 0 < len(tight) < len(loose)
    assert max(draft.overlap for draft in tight) <= 0.2


@given(st.text(alphabet=st.sampled_from("# |-\n.*ab15%Theis are "), max_size=200))
def test_whatever_the_text(text: str) -> None:
    made_of = document(ENGLISH + text)
    for draft in drafts([made_of], count=50, most_overlap=1):
        judgement = draft.question.relevant[0]
        assert judgement.start is not None
        assert made_of.text[judgement.start : judgement.end] == judgement.text
        assert 0 <= draft.overlap <= 1
