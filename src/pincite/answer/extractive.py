"""Answers with the sentences that best support the question, quoted; no language model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy

from pincite.answer.question import read_question, weights_of
from pincite.answer.support import Scale, most_promising
from pincite.answer.units import Unit, unique, units_of, with_code, without_repeats
from pincite.errors import UsageError
from pincite.model import Answer, Citation, Document, Principal, Ranking, Span, Statement
from pincite.ports import Analyser, Embedder, Snapshot
from pincite.text.language import language_of

if TYPE_CHECKING:
    from pincite.answer.support import Matrix

NOT_IN_THE_DOCUMENTS = "The documents do not say this: the answer is not in the documents that were found."
NOTHING_FOUND = "The documents do not say this: nothing on it was found, it is not in the documents."
HIT_WEIGHT = 0.2
"""What a passage's own score in the ranking (0 to 1 over the ranking) adds when units are ordered. It has no part in
whether there is an answer: the best passage scores 1 for any question."""
RUNNER_UP = 0.85
"""A further unit is quoted when its confidence is at least this share of the best one's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractiveAnswerer:
    """Quotes at most ``max_statements`` units (sentences, table rows, short code), the best first.

    A question of several parts gets the best unit for each part, from whatever document has it. A unit answers when
    its confidence reaches ``min_confidence``; where none does, the answer says that it is not in the documents.
    Up to ``max_further`` others follow that are nearly as good.

    Measured with the embedder ``use`` and ten passages per question. On the Markdown and CSV part of the sample
    corpus, which the thresholds were chosen on: of 83 questions 75 are answered, 61 of them with a sentence that was
    judged relevant (55 times as the first); of 19 near misses without an answer 2 are answered. On XQuAD, English
    passages, looked at only when ``min_confidence`` was fixed, with every question asked again after its document was
    taken away: of 86 English questions 78 are answered, 71 rightly, and 11 still are without the document; of 74
    German ones 64, 57 and 11.
    """

    embedder: Embedder
    analyser: Analyser
    name: str = "extractive"
    max_statements: int = 4
    max_further: int = 2
    min_confidence: float = 0.4

    def __post_init__(self) -> None:
        if self.max_statements < 1 or self.max_further < 0:
            raise ValueError("max_statements is at least 1 and max_further not below 0")
        if not 0 < self.min_confidence <= 1:
            raise ValueError(f"min_confidence is above 0 and at most 1, got {self.min_confidence}")

    def answer(self, question: str, ranking: Ranking, snapshot: Snapshot, *, principal: Principal) -> Answer:
        """Only documents that the principal may see are quoted. Raises ``UsageError`` for a blank question."""
        if not question.strip():
            raise UsageError("the question is empty", cure="Ask for at least one word.")
        units, scores = _units(ranking, snapshot, principal)
        if not units:
            return Answer(question=question, reason=NOTHING_FOUND)
        chosen = self._choose(question, units, scores, snapshot, principal)
        quoted = without_repeats([with_code(unit) for unit in chosen])
        statements = tuple(Statement(unit.text, (Citation.cite(unit.document, unit.span),)) for unit in quoted)
        return Answer(question=question, statements=statements, reason="" if statements else NOT_IN_THE_DOCUMENTS)

    def _choose(
        self, text: str, units: Sequence[Unit], scores: Matrix, snapshot: Snapshot, principal: Principal
    ) -> list[Unit]:
        language = language_of(text)
        question = read_question(text, self.analyser, language)
        words = question.words
        terms = sorted({term for word in words for term in word.terms})
        chunks, frequencies = snapshot.document_frequencies(terms, principal=principal)
        weights = weights_of(words, chunks, frequencies)
        kept = most_promising(units, weights, self.analyser)
        units, scores = [units[index] for index in kept], scores[kept]
        known = {word for word in words if frequencies.get(word.terms[0], 0)}
        scale = Scale(
            question, units, weights, known, language=language, embedder=self.embedder, analyser=self.analyser
        )
        whole = scale.confidence(question.whole)
        chosen: list[int] = []
        for part in question.parts:
            best = self._best(scale.confidence(part), scores)
            if best is not None and best not in chosen:
                chosen.append(best)
        best = self._best(whole, scores)
        if not chosen and best is not None:
            chosen = [best]
        chosen += self._further(whole, scores, chosen) if chosen else []
        return [units[index] for index in chosen[: self.max_statements]]

    def _best(self, confidence: Matrix, scores: Matrix) -> int | None:
        best = int(numpy.argmax(confidence + HIT_WEIGHT * scores))
        return best if confidence[best] >= self.min_confidence else None

    def _further(self, whole: Matrix, scores: Matrix, chosen: Sequence[int]) -> list[int]:
        """The next best units for the whole question that are nearly as good as the chosen ones."""
        floor = max(self.min_confidence, RUNNER_UP * max(whole[index] for index in chosen))
        order = numpy.argsort(-(whole + HIT_WEIGHT * scores), kind="stable").tolist()
        further = [index for index in order if index not in chosen and whole[index] >= floor]
        return further[: self.max_further]


def _units(ranking: Ranking, snapshot: Snapshot, principal: Principal) -> tuple[list[Unit], Matrix]:
    """The units of all passages, each once, and for each the best score of a passage that has it, from 0 to 1."""
    found: list[tuple[Unit, float]] = []
    highest = max((hit.score for hit in ranking.hits), default=0.0)
    documents: dict[str, Document | None] = {}
    for hit in ranking.hits:
        name = hit.chunk.document_id
        if name not in documents:
            documents[name] = snapshot.document(name, principal=principal)
        document = documents[name]
        if document is not None:
            share = max(hit.score / highest, 0.0) if highest > 0 else 0.0
            found.extend((unit, share) for unit in units_of(document, hit.chunk.span))
    units = unique(unit for unit, _ in found)
    best: dict[tuple[str, Span], float] = {}
    for unit, share in found:
        key = (unit.document.id, unit.span)
        best[key] = max(best.get(key, 0.0), share)
    return units, numpy.array([best[unit.document.id, unit.span] for unit in units])
