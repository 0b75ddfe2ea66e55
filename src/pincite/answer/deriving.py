"""What follows from quoted figures by arithmetic or comparison: 60 − 15 = 45 minutes, "longer than"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, DivisionByZero, InvalidOperation
from itertools import combinations, permutations

from pincite.answer.facts import Fact

_CUES = {
    "difference": r"longer|shorter|more|less|fewer|larger|smaller|higher|lower|later|earlier|difference|remain\w*|left|"
    r"outlives?|before|after|sooner|minus|apart|gap|länger|kürzer|mehr|weniger|größer|kleiner|höher|niedriger|später|früher|"
    r"unterschied|differenz|übrig|verbleib\w*|rest",
    "sum": r"total|together|sum|altogether|combined|plus|overall|in all|insgesamt|zusammen|summe|gesamt",
    "product": r"per|each|every|times|multiplied|in all|total|altogether|je|pro|jeweils|insgesamt|mal",
    "ratio": r"times|twice|half|double|triple|\w+fold|factor|ratio|share|mal|doppelt\w*|halb\w*|\w+fach\w*|faktor|"
    r"verhältnis|anteil",
}
_EQUATION = re.compile(r"([-−+*×·x/÷])|=")
COMPARISON = re.compile(
    r"\b(?P<more>longer|more|larger|bigger|greater|higher|later|faster|newer|länger|mehr|größer|höher|später|öfter)"
    r"(?:\s+[^\W\d_]+){0,3}?\s+(?:than|als)\b"
    r"|\b(?P<less>shorter|less|fewer|smaller|lower|earlier|slower|kürzer|weniger|kleiner|niedriger|früher|seltener)"
    r"(?:\s+[^\W\d_]+){0,3}?\s+(?:than|als)\b"
    r"|\b(?P<most>outlives?|exceeds?|überdauert|übersteigt)\b"
    r"|\b(?P<equal>as\s+\w+\s+as|the same \w+ as|equals?|(?:genau)?so\s+\w+\s+wie)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Derivation:
    """``said`` is what was reckoned, in words."""

    said: str
    holds: bool = True


def reckoned(fact: Fact, statement: str, known: Sequence[Fact], quoted: str) -> Derivation | None:
    """How the number follows from two quoted ones, where the statement says that it reckons: it has a word of
    difference, sum, product or ratio, or an equals sign. Never by chance alone."""
    for name, left, right, result in _operations(fact, known):
        if _is_reckoning(statement, name, quoted) and _near(result, fact) and _in_order(statement, name, left, right):
            return Derivation(f"{left.text} {_SIGNS[name]} {right.text} = {fact.text}")
    return None


_SIGNS = {"difference": "-", "sum": "+", "product": "×", "ratio": "÷"}


def _is_reckoning(statement: str, name: str, quoted: str) -> bool:
    """The word has to be the statement's own: one of the quote's says nothing of the new number."""
    if "=" in statement:
        return True
    return any(
        not re.search(rf"\b{re.escape(match.group())}\b", quoted, re.IGNORECASE)
        for match in re.finditer(rf"\b(?:{_CUES[name]})\b", statement, re.IGNORECASE)
    )


def _in_order(statement: str, name: str, left: Fact, right: Fact) -> bool:
    """An equation subtracts and divides in the order in which it is written."""
    if "=" not in statement or name not in ("difference", "ratio"):
        return True
    first, second = (re.search(rf"(?<!\d){min(fact.numbers):f}(?!\d)", statement) for fact in (left, right))
    return first is None or second is None or first.start() < second.start()


def _near(value: Decimal, fact: Fact) -> bool:
    """Equal up to what the statement's own number of decimals leaves open."""
    return any(value == wanted or abs(value - wanted) <= abs(wanted) * Decimal("0.0005") for wanted in fact.values)


def _operations(fact: Fact, known: Sequence[Fact]) -> Iterator[tuple[str, Fact, Fact, Decimal]]:
    numbers = [other for other in known if other.kind == "number" and other.values and not other.weak][:40]
    for one, other in combinations(numbers, 2):
        for left in one.values:
            for right in other.values:
                if one.dimension == other.dimension == fact.dimension:
                    larger, smaller = (one, other) if left >= right else (other, one)
                    yield "difference", larger, smaller, abs(left - right)
                    yield "sum", one, other, left + right
                if fact.dimension in (one.dimension, other.dimension) and "" in (one.dimension, other.dimension):
                    yield "product", one, other, left * right
    for one, other in permutations(numbers, 2):
        if fact.dimension or one.dimension != other.dimension:
            continue
        for left in one.values:
            for right in other.values:
                try:
                    yield "ratio", one, other, left / right
                except (DivisionByZero, InvalidOperation):
                    continue


def compared(statement: str, figure_of: Callable[[str, str], Fact | None]) -> Derivation | None:
    """Whether a comparison in the statement follows from the quoted figures; nothing where it cannot be told.

    ``figure_of`` gives the one quoted quantity that is about what the first text says rather than the second.
    """
    match = COMPARISON.search(statement)
    if match is None:
        return None
    before, after = statement[: match.start()], statement[match.end() :]
    left, right = figure_of(before, after), figure_of(after, before)
    if left is None or right is None or left == right or left.dimension != right.dimension:
        return None
    one, other = min(left.values), min(right.values)
    if match["equal"]:
        sign, holds = "=", one == other
    elif match["less"]:
        sign, holds = "<", one < other
    else:
        sign, holds = ">", one > other
    return Derivation(f"{left.text} {sign} {right.text}", holds)
