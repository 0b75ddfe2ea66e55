"""Questions against the documents as they are now: where the judged passages stand, and what is wrong with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from pincite.evaluate.anchoring import Anchor, anchor
from pincite.evaluate.gold import Gold, GoldSpan
from pincite.model import Document, Judgement, Question
from pincite.text.language import language_of
from pincite.text.terms import Analyser, tokens

FEWEST_WORDS = 3
"""A quote of fewer words matches by accident."""
FEWEST_CHARACTERS = 12
LEAKING = 0.8
"""From this share of a question's words in its quote on, keyword search is flattered."""

Kind = Literal["missing_document", "lost", "reworded", "several", "short", "leaking", "repeated"]
ERRORS: frozenset[Kind] = frozenset(["missing_document", "lost"])


@dataclass(frozen=True, slots=True)
class Finding:
    """Something about one question that a person should look at."""

    question_id: str
    kind: Kind
    message: str
    document_id: str = ""

    @property
    def is_error(self) -> bool:
        return self.kind in ERRORS

    def to_json(self) -> dict[str, Any]:
        severity = "error" if self.is_error else "warning"
        return {
            "question": self.question_id,
            "severity": severity,
            "kind": self.kind,
            "message": self.message,
            "document": self.document_id,
        }


@dataclass(frozen=True, slots=True)
class Judged:
    """A question with the spans that its judgements have now; ``lost`` are the judgements that have none."""

    question: Question
    gold: Gold
    lost: tuple[Judgement, ...] = ()

    @property
    def has_answer(self) -> bool:
        """Whether the documents answer it, as far as it was judged."""
        return bool(self.question.relevant)

    @property
    def cluster(self) -> str:
        """The document that the question is about, for statistics."""
        return self.question.relevant[0].document_id if self.question.relevant else self.question.id


def judged(question: Question, documents: Mapping[str, Document]) -> Judged:
    """The question's gold in these documents, by id. A part of which no alternative is found is left out."""
    parts: dict[str, list[GoldSpan]] = {}
    lost = []
    for number, judgement in enumerate(question.relevant):
        where = _anchored(judgement, documents)
        if where is None or where.span is None:
            lost.append(judgement)
        else:
            name = judgement.part or f"\0{number}"
            parts.setdefault(name, []).append(GoldSpan(judgement.document_id, where.span, judgement.grade))
    return Judged(question, tuple(map(tuple, parts.values())), tuple(lost))


def findings(questions: Sequence[Question], documents: Mapping[str, Document]) -> Iterator[Finding]:
    """What is wrong or doubtful about the questions, in their order."""
    times = Counter(_plain(question.question) for question in questions)
    for question in questions:
        if times[_plain(question.question)] > 1:
            yield Finding(question.id, "repeated", "another question has the same words")
        for judgement in question.relevant:
            for kind, message in _of_judgement(question, judgement, documents):
                yield Finding(question.id, kind, message, judgement.document_id)


def coverage(questions: Iterable[Question], documents: Mapping[str, Document]) -> float:
    """The share of the documents that some question is about."""
    asked = {judgement.document_id for question in questions for judgement in question.relevant}
    return len(asked & documents.keys()) / len(documents) if documents else 0.0


def overlap(question: str, quote: str) -> float:
    """The share of the question's words, stop words left aside, that the quote has in some form; in [0, 1]."""
    language = language_of(f"{question}\n{quote}")
    asked = set(_analyser().query_terms(question, language))
    words = [terms for token in tokens(question) if (terms := asked.intersection(_terms(token, language)))]
    held = set(_analyser().document_terms(quote, language))
    return sum(not terms.isdisjoint(held) for terms in words) / len(words) if words else 0.0


def _terms(token: str, language: str) -> list[str]:
    return _analyser().query_terms(token, language)


@cache
def _analyser() -> Analyser:
    return Analyser()


def _of_judgement(
    question: Question, judgement: Judgement, documents: Mapping[str, Document]
) -> Iterator[tuple[Kind, str]]:
    where = _anchored(judgement, documents)
    quote = _shortened(judgement.text)
    if where is None:
        yield "missing_document", f"there is no document {judgement.document_id!r}"
        return
    if where.span is None:
        yield "lost", f"the quote stands nowhere in the document: {quote}"
        return
    if where.how == "reworded":
        now = _shortened(where.span.of(documents[judgement.document_id].text))
        yield "reworded", f"the quote was {quote} and the document says {now}; check that it still answers"
    if where.occurrences > 1 and judgement.start is None and not (judgement.before or judgement.after):
        yield "several", f"the quote stands at {where.occurrences} places, the first is taken: {quote}"
    words = judgement.text.split()
    if len(words) < FEWEST_WORDS and len(judgement.text.strip()) < FEWEST_CHARACTERS:
        yield "short", f"the quote is so short that it matches by accident: {quote}"
    share = overlap(question.question, judgement.text)
    if share >= LEAKING:
        yield (
            "leaking",
            f"{100 * share:.0f} % of the question's words stand in the quote: that flatters keyword search",
        )


def _anchored(judgement: Judgement, documents: Mapping[str, Document]) -> Anchor | None:
    document = documents.get(judgement.document_id)
    return None if document is None else anchor(judgement, document.text)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _shortened(text: str, *, most: int = 60) -> str:
    text = " ".join(text.split())
    return repr(text if len(text) <= most else text[: most - 1] + "…")
