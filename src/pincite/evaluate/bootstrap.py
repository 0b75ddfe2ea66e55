"""Whether a difference is real: bootstrap over clusters of questions, with intervals that hold for all comparisons at
once.

Questions about the same document are alike, so that documents are drawn and not questions. The interval of every
comparison is the observed value plus or minus the same number of its standard errors: the number that the largest of
all deviations exceeds in 5 of 100 resamples (max-T; Westfall and Young, Resampling-Based Multiple Testing, 1993).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

RESAMPLES = 4000
FEWEST_CLUSTERS = 20
"""With fewer clusters than this, questions are drawn: so few documents say nothing about others."""


@dataclass(frozen=True, slots=True)
class Interval:
    """``low`` and ``high`` hold the true value in ``level`` of 100 samples, for all values that were computed together.
    ``error`` is the standard error."""

    value: float
    low: float
    high: float
    error: float


@dataclass(frozen=True, slots=True)
class Sample:
    """Scores of ``n`` questions by ``m`` columns, and the cluster of each question, numbered from 0.

    ``drawn`` is what is drawn with replacement: clusters, or questions where there are too few clusters.
    """

    scores: NDArray[np.float64]
    clusters: NDArray[np.int64]
    clustered: bool

    @classmethod
    def of(cls, scores: Any, clusters: Sequence[str]) -> Sample:
        """``scores`` has one row per question; ``clusters`` names the document of each. Raises ``ValueError`` for no
        question or a score that is no number."""
        matrix = np.asarray(scores, dtype=np.float64)
        if not matrix.size or len(matrix) != len(clusters) or not np.isfinite(matrix).all():
            raise ValueError("there is a finite score and a cluster for each of at least one question")
        matrix = matrix.reshape(len(matrix), -1)
        _, numbers = np.unique(np.asarray(clusters, dtype=object).astype(str), return_inverse=True)
        clustered = int(numbers.max()) + 1 >= FEWEST_CLUSTERS
        return cls(matrix, numbers.reshape(-1) if clustered else np.arange(len(matrix)), clustered)

    @property
    def drawn(self) -> int:
        return int(self.clusters.max()) + 1

    def resampled_means(self, seed: int, resamples: int) -> NDArray[np.float64]:
        """Means of all columns in every resample, ``(resamples, m)``."""
        number = self.drawn
        sums = np.zeros((number, self.scores.shape[1]))
        np.add.at(sums, self.clusters, self.scores)
        sizes = np.bincount(self.clusters, minlength=number).astype(np.float64)
        random = np.random.default_rng(seed)
        means = np.empty((resamples, self.scores.shape[1]))
        for start in range(0, resamples, 500):  # so that many clusters do not take much memory
            end = min(start + 500, resamples)
            weights = random.multinomial(number, np.full(number, 1 / number), size=end - start).astype(np.float64)
            means[start:end] = (weights @ sums) / (weights @ sizes)[:, None]
        return means


def intervals(
    sample: Sample, contrasts: Any = None, *, level: float = 0.95, seed: int = 0, resamples: int = RESAMPLES
) -> list[Interval]:
    """Simultaneous intervals of the columns' means, or of ``contrasts``: rows of weights, one per column, such as
    ``[1, -1, 0]`` for the first minus the second. The same input gives the same intervals."""
    weights = np.eye(sample.scores.shape[1]) if contrasts is None else np.atleast_2d(np.asarray(contrasts, dtype=float))
    values = weights @ sample.scores.mean(axis=0)
    if sample.drawn < 2:
        return [Interval(float(value), -np.inf, np.inf, np.inf) for value in values]
    deviations = sample.resampled_means(seed, resamples) @ weights.T - values
    # What is drawn is the sample and not the population: its spread is too small by this factor.
    errors = deviations.std(axis=0) * np.sqrt(sample.drawn / (sample.drawn - 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        largest = np.nan_to_num(np.abs(deviations) / errors, nan=0.0, posinf=0.0).max(axis=1)
    least = NormalDist().inv_cdf((1 + level) / 2)  # means of few resampled clusters have too short tails
    times = students(max(float(np.quantile(largest, level)), least), sample.drawn - 1)
    return [
        Interval(float(value), float(value - times * error), float(value + times * error), float(error))
        for value, error in zip(values, errors, strict=True)
    ]


def students(quantile: float, freedom: int) -> float:
    """The quantile of Student's distribution for that of the normal one: the standard error, too, is only known from
    the sample (Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5).

    >>> round(students(1.95996, 10), 3), round(students(1.95996, 100), 3)
    (2.228, 1.984)
    """
    q = quantile
    first = (q**3 + q) / 4
    second = (5 * q**5 + 16 * q**3 + 3 * q) / 96
    third = (3 * q**7 + 19 * q**5 + 17 * q**3 - 15 * q) / 384
    return q + first / freedom + second / freedom**2 + third / freedom**3


def questions_needed(difference: Interval, questions: int) -> int | None:
    """About how many questions in all would make that difference certain, if it is as large as it looks; ``None`` where
    it is 0. The width of an interval shrinks with the root of the number of questions."""
    half = (difference.high - difference.low) / 2
    if not difference.value or not np.isfinite(half):
        return None
    return int(np.ceil(questions * (half / abs(difference.value)) ** 2))
