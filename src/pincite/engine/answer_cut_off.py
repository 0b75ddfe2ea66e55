"""The confidence that an answer of this collection needs, fitted on questions of its own."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pincite.engine.collection import Collection
from pincite.engine.evaluation.vectors import cached
from pincite.engine.finding import EXTRACTIVE, Options
from pincite.errors import UsageError
from pincite.evaluate.refusing import Decision, Refusals, fitted_threshold, refusals
from pincite.model import Principal, Question

KEY = "min_confidence"
DIGITS = 3


@dataclass(frozen=True, slots=True)
class CutOff:
    """``threshold`` was fitted on the questions at odd places; ``fitted`` says what it does to them, ``held_out`` what
    to the others."""

    threshold: float
    fitted: Refusals
    held_out: Refusals

    def to_json(self) -> dict[str, Any]:
        return {
            "threshold": self.threshold,
            "fitted": self.fitted.to_json(),
            "held_out": self.held_out.to_json(),
        }

    def written(self, data: dict[str, Any]) -> dict[str, Any]:
        """The settings with the cut-off in ``[answer]``."""
        return {**data, "answer": {**data.get("answer", {}), KEY: self.threshold}}


def fit_cut_off(collection: Collection, questions: Sequence[Question], *, most_refused: float | None = None) -> CutOff:
    """Asks every question and chooses the confidence that tells best whether there is an answer, or, with
    ``most_refused``, the highest one that refuses at most that share of the answerable questions.

    A question without relevant passages has no answer. Raises ``UsageError`` where the questions at odd places are all
    of one kind, or answers are not made by ``extractive``.
    """
    if collection.settings.answer.name != EXTRACTIVE:
        raise UsageError(
            f"the answerer {collection.settings.answer.name!r} has no confidence to fit",
            cure=f"Set it to {EXTRACTIVE}.",
        )
    decisions = _decisions(collection, questions)
    odd, even = decisions[::2], decisions[1::2]
    threshold = fitted_threshold(odd)
    if threshold is None:
        raise UsageError(
            "the questions at odd places are all answerable or all not",
            cure="Mix in questions that the documents do not answer: with an empty list of relevant passages.",
        )
    if most_refused is not None:
        threshold = _highest(odd, most_refused)
    threshold = _halfway(odd, threshold)
    return CutOff(threshold, refusals(odd, threshold), refusals(even, threshold))


def _halfway(decisions: Sequence[Decision], threshold: float) -> float:
    """In the middle between the threshold, the least confidence that is not refused, and the next one below: nothing
    speaks for either end."""
    below = max((each.relevance for each in decisions if each.relevance < threshold), default=0.0)
    step = 0.1**DIGITS
    middle = math.floor((threshold + below) / 2 / step) * step
    return round(max(middle if middle > below else threshold, step), 2 * DIGITS)


def _highest(decisions: Sequence[Decision], most_refused: float) -> float:
    scores = sorted(decision.relevance for decision in decisions if decision.answerable)
    return scores[int(most_refused * len(scores))]


def _decisions(collection: Collection, questions: Sequence[Question]) -> list[Decision]:
    with (
        TemporaryDirectory(prefix="pincite-") as folder,
        cached(collection.finder.embedder(), Path(folder) / "vectors.sqlite") as remembering,
        collection.store.snapshot() as snapshot,
    ):
        finder = replace(collection.finder, embedder=lambda: remembering)
        found = []
        for question in questions:
            answer = finder.ask(
                question.question,
                Options(where=question.where or None),
                answerer=None,
                snapshot=snapshot,
                principal=Principal(frozenset(question.groups) | {"public"}),
            )
            sure = min(max(answer.confidence or 0.0, 0.0), 1.0)
            found.append(Decision(sure, bool(question.relevant), answer.answered and bool(question.relevant)))
        return found
