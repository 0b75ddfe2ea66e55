"""Answers with the sentences that best support the question, quoted; no language model."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

import numpy

from pincite.answer.composition import Composition
from pincite.answer.contradictions import counterpart
from pincite.answer.reading import Reading, Wanted, read
from pincite.answer.refusal import nothing, refusal
from pincite.errors import UsageError
from pincite.model import Answer, Notice, Principal, Ranking
from pincite.ports import Analyser, Embedder, Snapshot

HIT_WEIGHT = 0.2
"""What a passage's place in the ranking (1 for the first, less for each further one) adds when units are ordered. It
has no part in whether there is an answer: any question has a first passage."""
NEARLY_AS_SURE = 0.8
"""The unit that is quoted first needs at least this share of the confidence of the surest one."""
CLEARLY = 0.85
"""The share of the confidence of any version's best unit that the one of the version asked for needs."""
RUNNER_UP = 0.85
PART_RUNNER_UP = 0.75
"""A further unit is quoted when its support is at least this share of the best one's, for the whole question or for
one of several parts, and its confidence would do by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractiveAnswerer:
    """Quotes at most ``max_statements`` units (sentences, table rows, short code), the best first.

    A question of several parts gets the best units for each part, from whatever document has them, in the order of the
    parts. There is an answer where the confidence of a unit reaches ``min_confidence``; where none does, it is a
    refusal that says why. Up to ``max_further`` others follow that are nearly as good. Where versions or dates of
    documents differ in what they say, ``composition.py`` puts both beside each other. `docs/answers.md` has what was
    measured.
    """

    embedder: Embedder
    analyser: Analyser
    name: str = "extractive"
    max_statements: int = 6
    max_further: int = 2
    min_confidence: float = 0.53

    def __post_init__(self) -> None:
        if self.max_statements < 1 or self.max_further < 0:
            raise ValueError("max_statements is at least 1 and max_further not below 0")
        if not 0 < self.min_confidence <= 1:
            raise ValueError(f"min_confidence is above 0 and at most 1, got {self.min_confidence}")

    def answer(self, question: str, ranking: Ranking, snapshot: Snapshot, *, principal: Principal) -> Answer:
        """Only documents that the principal may see are quoted. Raises ``UsageError`` for a blank question."""
        if not question.strip():
            raise UsageError("the question is empty", cure="Ask for at least one word.")
        reading = read(question, ranking, snapshot, principal=principal, embedder=self.embedder, analyser=self.analyser)
        if reading is None:
            return nothing(question)
        confidence = max(float(reading.confidence(wanted).max()) for wanted in (reading.whole, *reading.parts))
        answers, unanswered = self._choose(reading)
        if not answers:
            return replace(refusal(reading, least=self.min_confidence), confidence=confidence)
        statements, warnings = Composition(reading, self.max_statements).compose(answers)
        warnings += [_nothing_on(wanted, reading.reply_language) for wanted in unanswered]
        return Answer(question=question, statements=statements, warnings=tuple(warnings), confidence=confidence)

    def _choose(self, reading: Reading) -> tuple[list[tuple[int, Wanted]], list[Wanted]]:
        """The best unit for each part and others that answer it nearly as well, in the order of the parts, then those
        for the whole question, each with the part that it answers; and the parts that none answers."""
        unanswered = []
        groups: list[tuple[Wanted, list[int]]] = []
        found = [self._best(reading, wanted) for wanted in reading.parts]
        taken = {best for best in found if best is not None}
        for wanted, best in zip(reading.parts, found, strict=True):
            if best is None:
                best = self._counterpart(reading, wanted)
            if best is None:
                unanswered.append(wanted)
                continue
            beside = self._beside(reading, wanted, best, taken) if len(reading.parts) > 1 else []
            groups.append((wanted, [best, *beside]))
            taken |= {best, *beside}
        kept = self._by_turns([indices for _, indices in groups])
        chosen: dict[int, Wanted] = {}
        for wanted, indices in groups:
            chosen |= {index: wanted for index in indices if index in kept and index not in chosen}
        if not chosen:
            best = self._best(reading, reading.whole)
            best = self._counterpart(reading, reading.whole) if best is None else best
            if best is not None:
                chosen[best] = reading.whole
        for index in self._further(reading, list(chosen)) if chosen else []:
            chosen[index] = reading.whole
        return list(chosen.items())[: self.max_statements], unanswered

    def _by_turns(self, lists: Sequence[Sequence[int]]) -> set[int]:
        """As many as are quoted: the best of each part, then the second of each, …: no part is crowded out."""
        kept: dict[int, None] = {}
        for turn in zip_longest(*lists):
            kept |= dict.fromkeys(index for index in turn if index is not None)
        return set(list(kept)[: self.max_statements])

    def _best(self, reading: Reading, wanted: Wanted) -> int | None:
        confidence = reading.confidence(wanted)
        surest = float(confidence.max())
        least = self.min_confidence
        if wanted.versions:  # what another version says so much better is probably not said by this one
            least = max(least, CLEARLY * float(reading.scale.unversioned_confidence(wanted.part).max()))
        if surest < least:
            return None
        floor = max(self.min_confidence, NEARLY_AS_SURE * surest)
        order = reading.support(wanted) + HIT_WEIGHT * reading.scores
        return int(numpy.argmax(numpy.where(confidence >= floor, order, -numpy.inf)))

    def _beside(self, reading: Reading, wanted: Wanted, best: int, chosen: Collection[int | None]) -> list[int]:
        """The next best units for a part, which may be nearly as good as the best one and right where it is not."""
        return self._runners_up(reading, wanted, PART_RUNNER_UP * reading.support(wanted)[best], chosen)

    def _further(self, reading: Reading, chosen: Sequence[int]) -> list[int]:
        """The next best units for the whole question that are nearly as good as the chosen ones."""
        support = reading.support(reading.whole)
        return self._runners_up(reading, reading.whole, RUNNER_UP * max(support[index] for index in chosen), chosen)

    def _runners_up(self, reading: Reading, wanted: Wanted, floor: float, chosen: Collection[int | None]) -> list[int]:
        support = reading.support(wanted)
        fits = (support >= floor) & (reading.confidence(wanted) >= self.min_confidence)
        order: list[int] = numpy.argsort(-(support + HIT_WEIGHT * reading.scores), kind="stable").tolist()
        return [index for index in order if index not in chosen and fits[index]][: self.max_further]

    def _counterpart(self, reading: Reading, wanted: Wanted) -> int | None:
        """Where a version is asked for that has no answer by itself: what it says where another version answers."""
        if not wanted.versions or reading.scale.unversioned_confidence(wanted.part).max() < self.min_confidence:
            return None
        return counterpart(reading, int(numpy.argmax(reading.scale.unversioned(wanted.part))), wanted)


def _nothing_on(wanted: Wanted, language: str) -> Notice:
    said = f"{wanted.part.text} ({', '.join(sorted(wanted.versions))})" if wanted.versions else wanted.part.text
    text = f"nichts gefunden zu: {said}" if language == "de" else f"nothing was found on: {said}"
    return Notice(kind="part-unanswered", message=text)
