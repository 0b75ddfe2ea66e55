"""Questions in two parts: one to choose by, one to confirm with that is not looked at before."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import Literal

from pincite.evaluate.judging import Judged

SMALLEST_SHARE = 1 / 3
"""Of the questions, in each part; where documents cannot be shared out like this, questions are."""
FEWEST_AT_FIRST = 20
"""With fewer questions, chance would decide who is dropped first."""


@dataclass(frozen=True, slots=True)
class Parts:
    """``by`` says what was shared out: whole documents, with all questions about them, or single questions."""

    training: tuple[Judged, ...]
    held_out: tuple[Judged, ...]
    by: Literal["document", "question"]


def parts_of(judged: Sequence[Judged]) -> Parts:
    """About half of the questions in each part, the same in every run. Questions about one document stay together, as
    they are alike; the largest documents are shared out first."""
    clusters: dict[str, list[Judged]] = {}
    for each in judged:
        clusters.setdefault(each.cluster, []).append(each)
    ordered = sorted(clusters, key=lambda name: (-len(clusters[name]), _hash(name)))
    training, held_out = _shared_out([clusters[name] for name in ordered])
    if len(held_out) >= SMALLEST_SHARE * len(judged):
        return Parts(training, held_out, "document")
    single = sorted(judged, key=lambda each: _hash(each.question.id))
    return Parts(*_shared_out([[each] for each in single]), "question")


def slices(training: Sequence[Judged]) -> list[tuple[Judged, ...]]:
    """Disjoint parts, in which the training questions are asked: a quarter, another, the rest."""
    ordered = sorted(training, key=lambda each: _hash(each.question.id))
    first = max(FEWEST_AT_FIRST, ceil(len(ordered) / 4))
    ends = (0, first, 2 * first, len(ordered))
    found = [tuple(ordered[start:end]) for start, end in pairwise(ends)]
    return [each for each in found if each]


def _shared_out(clusters: Sequence[Sequence[Judged]]) -> tuple[tuple[Judged, ...], tuple[Judged, ...]]:
    training: list[Judged] = []
    held_out: list[Judged] = []
    for cluster in clusters:
        (training if len(training) <= len(held_out) else held_out).extend(cluster)
    return tuple(training), tuple(held_out)


def _hash(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
