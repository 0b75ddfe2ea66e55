"""What a comparison says, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pincite.evaluate.bootstrap import Interval, Sample, intervals, questions_needed

LEAST_DIFFERENCE = 0.005
"""Half a point. A smaller difference is not worth more questions."""
MOST_QUESTIONS = 100_000


@dataclass(frozen=True, slots=True)
class Difference:
    """``first`` minus ``second`` in the metric, in simultaneous intervals; ``winner`` is empty where none is proven."""

    first: str
    second: str
    interval: Interval
    winner: str
    verdict: str

    def to_json(self) -> dict[str, Any]:
        return {
            "first": self.first,
            "second": self.second,
            "value": self.interval.value,
            "low": self.interval.low,
            "high": self.interval.high,
            "winner": self.winner or None,
            "verdict": self.verdict,
        }


def differences(
    names: Sequence[str], sample: Sample, *, higher_is_better: bool = True, seed: int = 0
) -> list[Difference]:
    """Every pair of columns, the better one first; pairs in order of the columns' means, best first."""
    means = sample.scores.mean(axis=0)
    order = sorted(range(len(names)), key=lambda column: -means[column] if higher_is_better else means[column])
    pairs = [(first, second) for place, first in enumerate(order) for second in order[place + 1 :]]
    if not pairs:
        return []
    contrasts = [[(column == first) - (column == second) for column in range(len(names))] for first, second in pairs]
    found = intervals(sample, contrasts, seed=seed)
    return [
        difference(names[first], names[second], interval, len(sample.scores), higher_is_better=higher_is_better)
        for (first, second), interval in zip(pairs, found, strict=True)
    ]


def difference(
    first: str, second: str, interval: Interval, questions: int, *, higher_is_better: bool = True
) -> Difference:
    winner = ""
    if interval.low > 0 or interval.high < 0:
        winner = first if (interval.value > 0) == higher_is_better else second
    return Difference(first, second, interval, winner, _words(first, second, interval, questions, winner))


def winner_of(found: Sequence[Difference]) -> str:
    """The configuration that is proven better than every other one; empty where there is none."""
    names = {name for each in found for name in (each.first, each.second)}
    beaten: dict[str, set[str]] = {}
    for each in found:
        if each.winner:
            beaten.setdefault(each.winner, set()).add(each.second if each.winner == each.first else each.first)
    return next((name for name, others in beaten.items() if len(others) == len(names) - 1), "")


def _words(first: str, second: str, interval: Interval, questions: int, winner: str) -> str:
    low, high = sorted((abs(interval.low), abs(interval.high)))
    if winner:
        loser = second if winner == first else first
        return f"{winner} beats {loser} by {points(abs(interval.value))} [{points(low, '')}, {points(high, '')}]"
    needed = questions_needed(interval, questions)
    if needed is None or abs(interval.value) < LEAST_DIFFERENCE or needed - questions > MOST_QUESTIONS:
        return f"{first} and {second} are a tie: they differ by {points(abs(interval.value))} {shown(interval)}"
    more = _about(max(needed - questions, 1))
    return (
        f"no winner between {first} and {second}: {points(interval.value)} {shown(interval)}; "
        f"about {more:,} more {'question' if more == 1 else 'questions'} would be needed"
    )


def _about(number: int) -> int:
    """To two digits: it is an estimate.

    >>> _about(11097), _about(125), _about(7)
    (11000, 120, 7)
    """
    return round(number, -max(len(str(number)) - 2, 0))


def points(value: float, unit: str = " points") -> str:
    """Hundredths, as people say them.

    >>> points(0.0614), points(0.01)
    ('6.1 points', '1.0 points')
    """
    return f"{100 * value:.1f}{unit}"


def shown(interval: Interval) -> str:
    return f"[{points(interval.low, '')}, {points(interval.high, '')}]"
