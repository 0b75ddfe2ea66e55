"""Asks the present collection's answerer the questions whose answer is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pincite.engine.collection import Collection
from pincite.engine.evaluation.comparing import finite
from pincite.engine.evaluation.measuring import Asked
from pincite.engine.evaluation.vectors import cached
from pincite.engine.finding import Finder, Options
from pincite.errors import PinciteError
from pincite.evaluate.answering import MEASURES, AnswerCheck, citation_precision, citation_recall, words_in
from pincite.evaluate.bootstrap import Interval, Sample, intervals
from pincite.evaluate.gold import Passage
from pincite.evaluate.judging import Judged
from pincite.evaluate.metrics import within
from pincite.model import Answer, Document, Principal
from pincite.ports import Snapshot

BUDGET_TOKENS = 1000
"""What of the passages found is read."""


@dataclass(frozen=True)
class Answers:
    """``expected`` are the questions that have an answer, ``refusing`` those that have none."""

    expected: Sequence[AnswerCheck]
    clusters: Sequence[str]
    refusing: Sequence[AnswerCheck]

    @property
    def answered(self) -> int:
        return sum(each.answered for each in self.expected)

    @property
    def refused(self) -> int:
        return sum(not each.answered and not each.error for each in self.refusing)

    @property
    def values(self) -> dict[str, tuple[Interval, int]]:
        """By measure its mean with an interval, and over how many questions; what holds for none is left out."""
        found = {}
        for name in MEASURES:
            pairs = [
                (value, cluster)
                for each, cluster in zip(self.expected, self.clusters, strict=True)
                if (value := getattr(each, name)) is not None
            ]
            if pairs:
                sample = Sample.of([value for value, _ in pairs], [cluster for _, cluster in pairs])
                found[name] = (intervals(sample)[0], len(pairs))
        return found

    @property
    def errors(self) -> list[tuple[str, str]]:
        return [(each.question_id, each.error) for each in (*self.expected, *self.refusing) if each.error]

    def to_json(self) -> dict[str, Any]:
        return {
            "questions": len(self.expected),
            "answered": self.answered,
            "unanswerable": len(self.refusing),
            "refused": self.refused,
            "measures": {
                name: {"value": value.value, "low": finite(value.low), "high": finite(value.high), "questions": number}
                for name, (value, number) in self.values.items()
            },
            "checks": [each.to_json() for each in (*self.expected, *self.refusing)],
        }


def checked_answers(collection: Collection, judged: Sequence[Judged], asked: Mapping[str, Asked]) -> Answers:
    """``asked`` is what the search brought for each question, by its id."""
    expected = [each for each in judged if each.gold and each.question.answer]
    refusing = [each for each in judged if not each.has_answer]
    with (
        TemporaryDirectory(prefix="pincite-") as folder,
        # An answerer may embed every sentence of what it reads, and questions share passages.
        cached(collection.finder.embedder(), Path(folder) / "vectors.sqlite") as remembering,
        collection.store.snapshot() as snapshot,
    ):
        asking = _Asking(replace(collection.finder, embedder=lambda: remembering), snapshot, collection)
        return Answers(
            [asking.checked(each, asked[each.question.id]) for each in expected],
            [each.cluster for each in expected],
            [asking.checked(each, asked[each.question.id]) for each in refusing],
        )


class _Asking:
    def __init__(self, finder: Finder, snapshot: Snapshot, collection: Collection) -> None:
        self._finder, self._snapshot, self._collection = finder, snapshot, collection
        self._documents: dict[str, Document | None] = {}

    def checked(self, judged: Judged, asked: Asked) -> AnswerCheck:
        """A question that fails is a check, too."""
        question = judged.question
        principal = Principal(frozenset(question.groups) | {"public"})
        options = Options(where=question.where or None)
        try:
            answer = self._finder.ask(
                question.question, options, answerer=None, snapshot=self._snapshot, principal=principal
            )
        except PinciteError as error:
            return AnswerCheck(question_id=question.id, answered=False, error=str(error))
        if not judged.gold:
            return AnswerCheck(question_id=question.id, answered=answer.answered)
        cited = _cited(answer)
        return AnswerCheck(
            question_id=question.id,
            answered=answer.answered,
            in_passages=words_in(question.answer, "\n".join(map(self._text, within(asked.passages, BUDGET_TOKENS)))),
            in_answer=words_in(question.answer, "\n".join(each.text for each in answer.statements)),
            precision=citation_precision(cited, judged.gold),
            recall=citation_recall(cited, judged.gold),
        )

    def _text(self, passage: Passage) -> str:
        name = passage.document_id
        if name not in self._documents:
            self._documents[name] = self._collection.store.document(name)
        document = self._documents[name]
        return passage.span.of(document.text) if document else ""


def _cited(answer: Answer) -> list[Passage]:
    """Each cited span once."""
    found = [
        Passage(citation.document_id, citation.span)
        for statement in answer.statements
        for citation in statement.citations
        if citation.span is not None
    ]
    return list(dict.fromkeys(found))
