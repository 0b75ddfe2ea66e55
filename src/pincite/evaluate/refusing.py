"""When a search should say that it found nothing: relevance of the first passage against what is true.

The coverage-risk curve is that of El-Yaniv and Wiener, On the Foundations of Noise-free Selective Classification
(2010): who answers fewer questions, the most certain ones, is wrong less often.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Decision:
    """One question: the relevance of its first passage, in [0, 1] (0 without any), whether the documents answer it, and
    whether that passage does."""

    relevance: float
    answerable: bool
    right: bool


@dataclass(frozen=True, slots=True)
class Refusals:
    """What comes of answering only where the relevance is at least ``threshold``.

    ``precision``: of the refused questions, the share that has no answer; ``recall``: of those without an answer, the
    share that was refused. ``None`` where there is none of them. ``answered`` counts questions that have an answer and
    were not refused, ``of`` all that have one.
    """

    threshold: float
    precision: float | None
    recall: float | None
    answered: int
    of: int

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("threshold", "precision", "recall", "answered", "of")}


@dataclass(frozen=True, slots=True)
class RiskPoint:
    """Answering the share ``coverage`` of all questions, the most relevant first, the share ``risk`` of the answers is
    wrong. ``threshold`` is the relevance from which on one answers."""

    threshold: float
    coverage: float
    risk: float


def refusals(decisions: Sequence[Decision], threshold: float) -> Refusals:
    refused = [decision for decision in decisions if decision.relevance < threshold]
    right = sum(not decision.answerable for decision in refused)
    unanswerable = sum(not decision.answerable for decision in decisions)
    answerable = len(decisions) - unanswerable
    return Refusals(
        threshold=threshold,
        precision=right / len(refused) if refused else None,
        recall=right / unanswerable if unanswerable else None,
        answered=answerable - (len(refused) - right),
        of=answerable,
    )


def coverage_risk(decisions: Sequence[Decision]) -> list[RiskPoint]:
    """From few answers to all; questions of the same relevance are answered together."""
    ordered = sorted(decisions, key=lambda decision: -decision.relevance)
    points = []
    wrong = 0
    for number, decision in enumerate(ordered, start=1):
        wrong += not decision.right
        if number == len(ordered) or ordered[number].relevance < decision.relevance:
            points.append(RiskPoint(decision.relevance, number / len(ordered), wrong / number))
    return points


def fitted_threshold(decisions: Sequence[Decision]) -> float | None:
    """The threshold that tells best whether there is an answer: the largest share of answerable questions answered plus
    that of unanswerable ones refused (Youden, 1950), the lowest of equal ones. ``None`` where one kind is missing."""
    answerable = sum(decision.answerable for decision in decisions)
    if not 0 < answerable < len(decisions):
        return None

    def quality(threshold: float) -> float:
        found = refusals(decisions, threshold)
        return found.answered / found.of + (found.recall or 0.0)

    return max(sorted({decision.relevance for decision in decisions} | {0.0}), key=quality)
