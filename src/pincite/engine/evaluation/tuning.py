"""Searches for better settings by successive halving on a part of the questions, and confirms them on the other part.

Many ways of cutting are asked a quarter of the training questions; the best third is asked a second quarter, and the
best of these all the rest (Jamieson and Talwalkar, Non-stochastic best arm identification and hyperparameter
optimization, 2016). Then the searches of the best are varied, then the details of their cutting. What is best among
many is flattered by chance; so the best few and the present settings are asked the questions of the held-out part, with
intervals that hold for all of them at once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from statistics import fmean, median
from typing import Any

from pincite.config import parse_settings
from pincite.engine.evaluation.choices import (
    Choice,
    counters_that_matter,
    first_choices,
    neighbours,
    other_searches,
)
from pincite.engine.evaluation.comparing import Comparison
from pincite.engine.evaluation.configurations import Configuration
from pincite.engine.evaluation.measuring import Asked, Bench, Measured
from pincite.engine.evaluation.parts import Parts, parts_of, slices
from pincite.errors import PinciteError, UsageError
from pincite.evaluate.bootstrap import intervals
from pincite.evaluate.judging import Judged
from pincite.evaluate.metrics import HEADLINE, OMEGA, higher_is_better, metric
from pincite.evaluate.verdicts import LEAST_DIFFERENCE, Difference, difference

PRESENT = "present"
FEWEST_QUESTIONS = 20
MOST_FINALISTS = 3
SURVIVING = 3
"""One of so many is asked further questions."""
FIRST, SEARCHES, DETAILS = 0.5, 0.65, 0.85
"""The shares of the time at which these stages end; the rest is for the confirmation."""
MOST_ROUNDS = 3
MUCH_SMALLER = 0.8
"""Of the present index: worth telling where it finds as much."""


@dataclass(frozen=True, slots=True)
class Budget:
    """So many seconds from now on, by that clock."""

    seconds: float
    clock: Callable[[], float] = time.monotonic
    started: float = field(init=False)

    def __post_init__(self) -> None:
        if not self.seconds > 0:
            raise ValueError(f"the time is above 0, got {self.seconds}")
        object.__setattr__(self, "started", self.clock())

    @property
    def spent(self) -> float:
        return self.clock() - self.started


@dataclass(slots=True)
class Tried:
    """A choice and what it found so far. ``score`` is the metric's mean over the training questions that it was asked;
    ``error`` is why it cannot be used."""

    choice: Choice
    configuration: Configuration
    measured: Measured | None = None
    slices: int = 0
    score: float = 0.0
    error: str = ""

    @property
    def name(self) -> str:
        return self.configuration.name

    @property
    def rank(self) -> tuple[int, int, int]:
        """Best first. Of equals the cheaper comes first: the smaller index, then one search instead of two."""
        size = self.measured.index_bytes if self.measured else 0
        return -round(self.score / LEAST_DIFFERENCE), size, int(self.choice.mode == "hybrid")

    def to_json(self) -> dict[str, Any]:
        costs = self.measured.to_json() if self.measured else {}
        asked = costs.pop("asked", {})
        costs.pop("cuts", None)
        return {
            "choice": self.name,
            "chunk": {"strategy": self.choice.chunk.name, **self.choice.chunk.options},
            "fusion": {"name": self.choice.fusion.name, **self.choice.fusion.options},
            "mode": self.choice.mode,
            "training_questions": len(asked),
            "training_score": self.score if asked else None,
            **costs,
            "error": self.error or None,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuned:
    """``tried`` has the present settings first, then those that were asked most, best first. ``confirmed`` are the
    present settings and the finalists with the held-out questions, ``differences`` the finalists' to the present;
    ``winner`` is the one to take, ``None`` where none is proven better."""

    metric: str
    parts: Parts
    tried: Sequence[Tried]
    cut_short: Sequence[str] = ()
    confirmed: Comparison | None = None
    differences: Sequence[Difference] = ()
    winner: Tried | None = None
    verdict: str
    seconds: float

    def to_json(self) -> dict[str, Any]:
        confirmed = self.confirmed.to_json()["configurations"] if self.confirmed else []
        return {
            "metric": self.metric,
            "training_questions": len(self.parts.training),
            "held_out_questions": len(self.parts.held_out),
            "split_by": self.parts.by,
            "tried": [each.to_json() for each in self.tried],
            "cut_short": list(self.cut_short),
            "confirmed": confirmed,
            "differences": [each.to_json() for each in self.differences],
            "winner": self.winner.name if self.winner else None,
            "verdict": self.verdict,
            "seconds": self.seconds,
        }


class Tuning:
    """One run. ``data`` is what ``pincite.toml`` says now: what is measured is what it would say then."""

    def __init__(
        self,
        *,
        bench: Bench,
        judged: Sequence[Judged],
        data: Mapping[str, Any],
        budget: Budget,
        headline: str = HEADLINE,
        progress: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Raises ``UsageError`` for a metric that cannot be tuned for."""
        if headline == OMEGA:
            raise UsageError(f"{OMEGA} does not look at what a search finds", cure="Tune for recall@1000t or nDCG@10.")
        if not higher_is_better(headline):
            raise UsageError(f"{headline} is best where nothing is found", cure="Tune for recall@1000t or nDCG@10.")
        self.metric = metric(headline)
        self.headline = headline
        self.bench = bench
        self.data = data
        self.budget = budget
        self.progress = progress
        self.parts = parts_of([each for each in judged if each.gold])
        self.slices = slices(self.parts.training)
        self.tried: dict[str, Tried] = {}
        """By what decides about the rankings, so that nothing is tried twice under another name."""
        self.cut_short: dict[str, None] = {}
        self._seconds: dict[int, list[float]] = {}
        """What measuring took so far, by the number of the slice; the first has the cutting and embedding with it."""

    def run(self, choices: Sequence[Choice] | None = None) -> Tuned:
        """``choices`` to begin with instead of all strategies."""
        scored = len(self.parts.training) + len(self.parts.held_out)
        if scored < FEWEST_QUESTIONS:
            number = "1 question" if scored == 1 else f"{scored} questions"
            return self._tuned(f"{number} with a passage in these documents cannot tell; {FEWEST_QUESTIONS} are needed")
        present = self._present()
        self._narrowed(choices or first_choices(present.choice, self.bench.corpus.documents), until=FIRST)
        for each in self._best(2):
            self._narrowed(other_searches(each.choice), until=SEARCHES)
        self._climb()
        finalists = self._finalists(present)
        if not finalists:
            return self._tuned("there was not enough time to try anything else")
        return self._confirmed(present, finalists)

    def _present(self) -> Tried:
        settings = parse_settings(self.data)
        present = Tried(Choice.of(settings), Configuration(name=PRESENT, settings=settings))
        self.tried[present.configuration.fingerprint(self.bench.embedder)] = present
        for number in range(len(self.slices)):
            self._ask(present, number)
        if present.error:
            raise UsageError(f"the present settings cannot be measured: {present.error}", cure="Mend pincite.toml.")
        return present

    def _climb(self) -> None:
        """Varies the details of the best until nothing better is found."""
        counters = counters_that_matter(self.bench.corpus.documents.values())
        done: set[str] = set()
        for _ in range(MOST_ROUNDS):
            waiting = [each for each in self._best(2) if each.name not in done]
            if not waiting:
                return
            for each in waiting:
                done.add(each.name)
                self._narrowed(neighbours(each.choice, counters), until=DETAILS)

    def _narrowed(self, choices: Iterable[Choice], *, until: float) -> None:
        """Asks all of them the first slice, the best of them the next one, and so on."""
        running = [tried for choice in choices if (tried := self._new(choice))]
        start = min(self.budget.spent / self.budget.seconds, until)
        for number in range(len(self.slices)):
            # The first slice takes the cutting and embedding with it, and must leave time to go on with some.
            end = until if number + 1 == len(self.slices) else start + (until - start) * (0.7 if number == 0 else 0.85)
            running = [each for each in running if self._asked_in_time(each, number, end)]
            running.sort(key=lambda each: each.rank)
            if number + 1 < len(self.slices):
                running = running[: max(MOST_FINALISTS, ceil(len(running) / SURVIVING))]

    def _new(self, choice: Choice) -> Tried | None:
        """``None`` where it was tried already, or is nothing that ``pincite.toml`` may say."""
        try:
            settings = parse_settings(choice.written(self.data))
            configuration = Configuration(name=choice.label, settings=settings)
            key = configuration.fingerprint(self.bench.embedder)
        except PinciteError:
            return None
        if key in self.tried:
            return None
        self.tried[key] = Tried(choice, configuration)
        return self.tried[key]

    def _asked_in_time(self, tried: Tried, number: int, until: float) -> bool:
        if self.budget.spent + self._expected(number) > until * self.budget.seconds:
            self.cut_short[tried.name] = None
            return False
        self._ask(tried, number)
        return not tried.error

    def _expected(self, number: int) -> float:
        """The seconds that a choice takes with the questions of that slice."""
        known = self._seconds.get(number) or self._seconds[0]
        return median(known[1:] or known)  # the very first has loaded the models, too

    def _ask(self, tried: Tried, number: int) -> None:
        questions = [each.question for each in self.slices[number]]
        self.progress(f"{self.budget.spent:.0f} s: {tried.name}, {len(questions)} questions")
        started = self.budget.spent
        try:
            measured = self.bench.measure([tried.configuration], questions)[tried.name]
        except (PinciteError, ValueError) as error:
            tried.error = str(error)
            return
        self._seconds.setdefault(number, []).append(self.budget.spent - started)
        asked: dict[str, Asked] = {**(tried.measured.asked if tried.measured else {}), **measured.asked}
        before = tried.measured.search_seconds if tried.measured else 0.0
        tried.measured = replace(measured, asked=asked, search_seconds=before + measured.search_seconds)
        tried.slices = number + 1
        known = [each for several in self.slices[: tried.slices] for each in several]
        tried.score = fmean(self.metric(asked[each.question.id].passages, each.gold) for each in known)

    def _best(self, number: int) -> list[Tried]:
        """Of those that were asked all training questions, the present settings among them."""
        whole = [each for each in self.tried.values() if each.slices == len(self.slices)]
        return sorted(whole, key=lambda each: each.rank)[:number]

    def _finalists(self, present: Tried) -> list[Tried]:
        """As many as there is time for, at least one. Where time was too short for all training questions, those that
        were asked most."""
        others = [each for each in self.tried.values() if each is not present and each.slices]
        most = max((each.slices for each in others), default=0)
        ordered = sorted((each for each in others if each.slices == most), key=lambda each: each.rank)
        left = self.budget.seconds - self.budget.spent
        last = len(self.slices) - 1
        each_takes = self._expected(last) * len(self.parts.held_out) / len(self.slices[last])
        affordable = int(left / each_takes) - 1 if each_takes else MOST_FINALISTS
        promising = [each for each in ordered if each.score >= present.score - LEAST_DIFFERENCE]
        return (promising or ordered[:1])[: min(max(affordable, 1), MOST_FINALISTS)]

    def _confirmed(self, present: Tried, finalists: Sequence[Tried]) -> Tuned:
        self.progress(f"{self.budget.spent:.0f} s: confirming with {len(self.parts.held_out)} questions held out")
        all_of_them = [present, *finalists]
        asked = [each.question for each in self.parts.held_out]
        measured = self.bench.measure([each.configuration for each in all_of_them], asked)
        comparison = Comparison.of(measured, self.parts.held_out, metrics=["tokens@5"], headline=self.headline)
        contrasts = [[-1] + [int(each is other) for other in finalists] for each in finalists]
        found = [
            difference(each.name, PRESENT, interval, len(asked))
            for each, interval in zip(finalists, intervals(comparison.samples[self.headline], contrasts), strict=True)
        ]
        winner = self._winner(finalists, found)
        verdict = self._verdict(present, finalists, found, winner)
        return self._tuned(verdict, confirmed=comparison, differences=found, winner=winner)

    def _winner(self, finalists: Sequence[Tried], found: Sequence[Difference]) -> Tried | None:
        """The best of those that are proven better than the present settings; of equals the cheaper."""
        better = [
            (each, it.interval.value) for each, it in zip(finalists, found, strict=True) if it.winner == each.name
        ]
        best = max((value for _, value in better), default=0.0)
        equals = [each for each, value in better if value >= best - LEAST_DIFFERENCE]
        return min(equals, key=lambda each: each.rank[1:], default=None)

    def _verdict(
        self, present: Tried, finalists: Sequence[Tried], found: Sequence[Difference], winner: Tried | None
    ) -> str:
        if winner:
            return next(each.verdict for each in found if each.first == winner.name)
        best = max(found, key=lambda each: each.interval.value)
        if all(each.winner == PRESENT for each in found):
            return f"the present settings are better than all that was confirmed: {best.verdict}"
        size = _size(present)
        for tried, each in zip(finalists, found, strict=True):
            if _size(tried) <= MUCH_SMALLER * size and each.interval.value >= -LEAST_DIFFERENCE and not each.winner:
                smaller = f"{tried.name} found as much with an index {1 - _size(tried) / size:.0%} smaller"
                return f"{best.verdict}; {smaller}"
        return best.verdict

    def _tuned(
        self,
        verdict: str,
        *,
        confirmed: Comparison | None = None,
        differences: Sequence[Difference] = (),
        winner: Tried | None = None,
    ) -> Tuned:
        asked = [each for each in self.tried.values() if each.measured or each.error]
        others = sorted(asked[1:], key=lambda each: (-each.slices, each.rank))
        return Tuned(
            metric=self.headline,
            parts=self.parts,
            tried=[*asked[:1], *others],
            cut_short=list(self.cut_short),
            confirmed=confirmed,
            differences=differences,
            winner=winner,
            verdict=verdict,
            seconds=self.budget.spent,
        )


def _size(tried: Tried) -> int:
    return tried.measured.index_bytes if tried.measured else 0
