"""The scale of units: how sure it is that one answers, and what speaks against it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.documents import markdown_documents, plain_documents
from tests.unit.answer.collection import SmallCollection, document_of, quotes

from pincite.answer.question import Question, read_question, weights_of
from pincite.answer.support import AROUND, MANY_WORDS, Scale
from pincite.answer.units import Unit, unique, units_of
from pincite.embed.hashing import HashingEmbedder
from pincite.embed.use import UniversalSentenceEncoder
from pincite.model import Document, Span
from pincite.ports import Embedder
from pincite.text.language import language_of
from pincite.text.terms import Analyser

WORDS = """
other others different second further next additional extra alternative some one each every any both same new
table chair window garden river mountain engine hammer bottle picture letter pocket kitchen ladder basket blanket
candle carpet curtain drawer fence guitar helmet island jacket kettle lantern mirror needle oven pencil quilt
rope saddle ticket umbrella violin wagon anchor bridge castle desert evening forest glacier harbour insect jungle
knight lemon marble novel orchid parrot quarry rocket spoon temple urn valley whistle yacht zebra apple beetle
copper donkey eagle feather ginger honey iron jewel kiwi leather maple nickel onion pepper rabbit silver tulip
velvet walnut zinc barley cotton flute
"""
QUESTIONS = (
    "How many cursors may a client open, and what does it cost?",
    "Wie lange gilt ein Token in Version 2?",
    "Which device is on build 198?",
    "What happens if I renew it?",
)


def scale_of(question: Question, texts: Sequence[str | Document], embedder: Embedder) -> Scale:
    documents = [
        document_of(f"{number}.md", text) if isinstance(text, str) else text for number, text in enumerate(texts)
    ]
    units: list[Unit] = []
    for document in documents:
        if document.text:
            units += units_of(document, Span(0, len(document.text)))
    words = question.words
    return Scale(
        words,
        question.whole,
        unique(units),
        weights_of(words, 10, {}),
        set(words),
        language=language_of(question.whole.text),
        embedder=embedder,
        analyser=Analyser(),
    )


@given(st.one_of(plain_documents, markdown_documents), st.sampled_from(QUESTIONS), st.data())
def test_confidence_is_a_share_and_never_falls_with_what_is_found(
    document: Document, asked: str, data: st.DataObject
) -> None:
    question = read_question(asked, Analyser(), language_of(asked))
    scale = scale_of(question, [document, "# Cursors\n\nA cursor costs 5 euros.\n"], HashingEmbedder(dimension=32))
    more = data.draw(st.floats(0, 1))
    for part in (question.whole, *question.parts):
        before = scale.confidence(part)
        assert before.min() >= 0
        assert before.max() <= 1
        for name in ("found", "around", "whole"):
            figures = getattr(scale, name)
            setattr(scale, name, figures + more * (1 - figures))
            assert (scale.confidence(part) >= before - 1e-9).all(), name
            setattr(scale, name, figures)


def test_what_stands_around_a_sentence_makes_it_surer() -> None:
    question = read_question("How long does a cursor of the reader live?", Analyser(), "en")
    near = "A cursor belongs to one reader. It lives for 15 minutes."
    far = f"A cursor belongs to one reader. {'Nothing else is said. ' * (AROUND // 20)}It lives for 15 minutes."
    figures = []
    for text in (near, far):
        scale = scale_of(question, [text], HashingEmbedder(dimension=32))
        last = max(range(len(scale.units)), key=lambda index: scale.units[index].span.start)
        figures.append(scale.confidence(question.whole)[last])
    assert figures[0] > 1.2 * figures[1]
    same = scale_of(question, ["It lives for 15 minutes.", "A cursor belongs to one reader."], HashingEmbedder())
    assert same.around[0].tolist() == same.found[0].tolist()  # another document is not around


def test_a_word_that_is_near_to_many_tells_less() -> None:
    question = read_question("Which cursor works for another reader?", Analyser(), "en")
    lines = [line for line in WORDS.strip().splitlines() if line]
    assert len({word for line in lines for word in line.split()}) >= MANY_WORDS
    scale = scale_of(question, ["\n\n".join(lines)], UniversalSentenceEncoder())
    kept = dict(zip([word.text for word in scale.words], scale.telling / scale.weights, strict=True))
    assert kept["another"] < 0.9 < kept["cursor"] <= 1
    few = scale_of(question, ["A cursor is moved to another place."], UniversalSentenceEncoder())
    assert numpy.array_equal(few.telling, few.weights)


def test_a_version_that_the_question_names_is_no_word_to_be_found() -> None:
    documents = {
        f"v{number}.md": f"---\nversion: '{number}.0'\n---\n# Limits\n\nA client may send {number}00 "
        "requests a minute.\n"
        for number in (2, 3)
    }
    limits = SmallCollection(documents)
    question = "How many requests may a client send"
    answer = limits.ask(f"{question} in version 3?")
    assert quotes(answer) == ["A client may send 300 requests a minute."]
    assert (answer.confidence or 0) > 0.95 * (limits.ask(f"{question}?").confidence or 1)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("The gateway EG-200 stands on deck.", "How many gateways stand on deck?"),
        ("The gateways stand on deck since 1986.", "How many gateways stand on deck?"),
        ("No gateway stands on deck for one reason.", "How many gateways stand on deck?"),
        ("The gateway on deck has 3 feet.", "What is the fee for a gateway on deck?"),
    ],
)
def test_names_and_years_are_no_amounts(text: str, question: str) -> None:
    def confidence(said: str) -> float:
        return SmallCollection({"a.md": f"# Deck\n\n{said}\n"}).ask(question).confidence or 0.0

    assert confidence(text) < 0.8 * confidence("The fee for each of 12 gateways that stand on deck is 5 euros.")


def test_no_part_is_crowded_out() -> None:
    """Each part has several good sentences, and fewer may be quoted."""
    pages = {
        f"{name}.md": f"# {name.title()}\n\nA {name} lives for {number} minutes. A {name} of a guest lives for "
        f"{number + 1} minutes. At night a {name} lives for {number + 2} minutes.\n"
        for number, name in ((10, "cursor"), (20, "token"), (30, "session"))
    }
    answer = SmallCollection(pages).ask(
        "How long does a cursor live, how long does a token live, and how long does a session live?", max_statements=3
    )
    assert [citation.document_id for each in answer.statements for citation in each.citations] == [
        "cursor.md",
        "token.md",
        "session.md",
    ]
