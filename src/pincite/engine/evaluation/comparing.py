"""From measurements to figures with intervals, differences and a verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import fmean
from typing import Any

import numpy as np

from pincite.engine.evaluation.measuring import Measured
from pincite.evaluate.bootstrap import Interval, Sample, intervals
from pincite.evaluate.judging import Judged
from pincite.evaluate.metrics import DEFAULTS, HEADLINE, OMEGA, higher_is_better, metric
from pincite.evaluate.refusing import Decision, Refusals, fitted_threshold, refusals
from pincite.evaluate.verdicts import Difference, differences, winner_of


@dataclass(frozen=True)
class Comparison:
    """Configurations by name, measured with the same questions.

    ``scored`` are the questions with a relevant passage in the corpus: means are over these, and a question whose
    search failed scores 0. ``unanswerable`` have none by their judgements; ``lost`` had some that the documents no
    longer hold, and are left out.
    """

    measured: Mapping[str, Measured]
    scored: Sequence[Judged]
    unanswerable: Sequence[Judged] = ()
    lost: Sequence[Judged] = ()
    metrics: Sequence[str] = DEFAULTS
    headline: str = HEADLINE

    @classmethod
    def of(
        cls,
        measured: Mapping[str, Measured],
        judged: Sequence[Judged],
        *,
        metrics: Sequence[str] = DEFAULTS,
        headline: str = HEADLINE,
    ) -> Comparison:
        """Raises ``UsageError`` for an unknown metric."""
        names = tuple(dict.fromkeys((headline, *metrics)))
        for name in names:
            metric(name)
        return cls(
            measured=measured,
            scored=[each for each in judged if each.gold],
            unanswerable=[each for each in judged if not each.has_answer],
            lost=[each for each in judged if each.has_answer and not each.gold],
            metrics=names,
            headline=headline,
        )

    @property
    def names(self) -> list[str]:
        return list(self.measured)

    def scores(self, name: str) -> list[list[float]]:
        """Of a metric: one row per scored question, one column per configuration."""
        columns = [self._scores_of(configuration, name) for configuration in self.names]
        return [list(row) for row in zip(*columns, strict=True)]

    @cached_property
    def samples(self) -> dict[str, Sample]:
        """Of every metric; empty where no question can be scored."""
        if not self.scored:
            return {}
        clusters = [judged.cluster for judged in self.scored]
        return {name: Sample.of(self.scores(name), clusters) for name in self.metrics}

    @cached_property
    def values(self) -> dict[str, dict[str, Interval]]:
        """By configuration and metric; the intervals of one metric hold for all configurations at once, and end where
        the metric does."""
        found: dict[str, dict[str, Interval]] = {name: {} for name in self.names}
        for name, sample in self.samples.items():
            most = np.inf if name.startswith("tokens") else 1.0
            for configuration, interval in zip(self.names, intervals(sample), strict=True):
                low, high = max(interval.low, 0.0), min(interval.high, most)
                found[configuration][name] = replace(interval, low=low, high=high)
        return found

    @cached_property
    def differences(self) -> list[Difference]:
        """Every pair of configurations in the headline metric."""
        sample = self.samples.get(self.headline)
        if sample is None:
            return []
        return differences(self.names, sample, higher_is_better=higher_is_better(self.headline))

    @property
    def verdict(self) -> str:
        """One sentence."""
        if not self.scored:
            return "no question has a relevant passage in these documents; nothing can be compared"
        if len(self.names) == 1:
            value = self.values[self.names[0]][self.headline]
            low, high = _shown(value.low), _shown(value.high)
            return f"{self.names[0]}: {self.headline} {_shown(value.value)} [{low}, {high}]"
        winner = winner_of(self.differences)
        if winner:
            second = next(each for each in self.differences if winner in (each.first, each.second))
            others = f" and all {len(self.names) - 2} others" if len(self.names) > 2 else ""
            return second.verdict.replace(" by ", f"{others} by ", 1) if others else second.verdict
        first = self.differences[0]
        if first.winner:
            return first.verdict
        beaten = sum(bool(each.winner) for each in self.differences if first.first in (each.first, each.second))
        rest = f"; {first.first} beats {beaten} of the others" if beaten else ""
        return first.verdict + rest

    @property
    def errors(self) -> list[tuple[str, str, str]]:
        """Configuration, question and reason of every search that failed."""
        return [
            (name, question, asked.error)
            for name, measured in self.measured.items()
            for question, asked in measured.asked.items()
            if asked.error
        ]

    def tokens_per_query(self, name: str, k: int = 5) -> float:
        return fmean(self.scores_of(name, f"tokens@{k}")) if self.scored else 0.0

    def scores_of(self, configuration: str, name: str) -> list[float]:
        """Of one configuration, in the order of the scored questions."""
        if name in self.samples:
            column: list[float] = self.samples[name].scores[:, self.names.index(configuration)].tolist()
            return column
        return self._scores_of(configuration, name)

    def _scores_of(self, configuration: str, name: str) -> list[float]:
        function, measured = metric(name), self.measured[configuration]
        if name == OMEGA:
            documents = [{gold.document_id for part in judged.gold for gold in part} for judged in self.scored]
            pairs = zip(documents, self.scored, strict=True)
            return [function(measured.chunked(sorted(names)), judged.gold) for names, judged in pairs]
        return [function(measured.asked[judged.question.id].passages, judged.gold) for judged in self.scored]

    def decisions(self, configuration: str) -> list[Decision]:
        """Of all questions that are scored or have no answer, in the order of their ids: what the relevance of the
        first passage says, and what is true."""
        asked, hit = self.measured[configuration].asked, metric("hit@1")
        found = [(each, bool(hit(asked[each.question.id].passages, each.gold))) for each in self.scored]
        found += [(each, False) for each in self.unanswerable]
        return [
            Decision(asked[each.question.id].relevance or 0.0, each.has_answer, right)
            for each, right in sorted(found, key=lambda pair: pair[0].question.id)
        ]

    def cut_off(self, configuration: str) -> Refusals | None:
        """The least relevance that tells best whether there is an answer, fitted on the odd questions and reported on
        the even ones; ``None`` where either half has only one kind."""
        decisions = self.decisions(configuration)
        threshold = fitted_threshold(decisions[::2])
        if threshold is None or fitted_threshold(decisions[1::2]) is None:
            return None
        return refusals(decisions[1::2], threshold)

    def by(self, group: str) -> dict[str, dict[str, tuple[int, float]]]:
        """The headline's mean per ``document`` or ``language``: group, configuration, number of questions, mean."""
        keys = [
            judged.cluster if group == "document" else judged.question.language or "unknown" for judged in self.scored
        ]
        result: dict[str, dict[str, tuple[int, float]]] = {}
        for name in self.names:
            scores = np.asarray(self.scores_of(name, self.headline))
            for key in sorted(set(keys)):
                own = scores[[each == key for each in keys]]
                result.setdefault(key, {})[name] = (len(own), float(own.mean()))
        return result

    def to_json(self) -> dict[str, Any]:
        return {
            "questions": len(self.scored),
            "unanswerable": len(self.unanswerable),
            "lost": [judged.question.id for judged in self.lost],
            "headline": self.headline,
            "configurations": [self._configuration(name) for name in self.names],
            "differences": [each.to_json() for each in self.differences],
            "verdict": self.verdict,
            "errors": [{"configuration": a, "question": b, "message": c} for a, b, c in self.errors],
        }

    def _configuration(self, name: str) -> dict[str, Any]:
        measured = self.measured[name]
        return {
            "configuration": name,
            "questions": len(self.scored),
            "metrics": {
                metric: {"value": value.value, "low": finite(value.low), "high": finite(value.high)}
                for metric, value in self.values[name].items()
            },
            "cut_off": cut_off.to_json() if (cut_off := self.cut_off(name)) else None,
            "chunks": measured.chunks,
            "tokens": measured.tokens,
            "index_bytes": measured.index_bytes,
            "index_seconds": measured.index_seconds,
            "search_seconds": measured.search_seconds,
        }


def finite(value: float) -> float | None:
    """JSON has no infinity."""
    return value if np.isfinite(value) else None


def _shown(value: float) -> str:
    return f"{value:.3f}" if np.isfinite(value) else "?"
