"""Whether facts agree, and how much two passages have in common."""

from __future__ import annotations

import re

from pincite.answer.evidence import Passage, has_word
from pincite.answer.facts import Fact
from pincite.answer.measures import Unit, is_long_unit, number_word, unit_of
from pincite.answer.wording import NEGATION, senses_in


def agrees(fact: Fact, other: Fact) -> bool:
    """Whether the other fact supports this one: the same, or said more exactly."""
    if fact.dates:
        return any(
            all(wanted in (0, have) for wanted, have in zip(date, known, strict=True))
            for date in fact.dates
            for known in other.dates
        )
    if fact.kind == "version":
        return fact.version == other.version
    if fact.kind == "number" and other.dates:
        return not fact.dimension and any(year in fact.numbers for year, _, _ in other.dates)
    if fact.kind == "number" and other.kind == "number":
        if fact.dimension:
            return fact.dimension == other.dimension and bool(fact.values & other.values)
        return bool(fact.numbers & other.numbers) and not _other_version(fact, other)
    if fact.kind == "number":
        return other.kind == "version" and bool(fact.version) and fact.version == other.version
    if fact.values:
        return fact.kind == other.kind and fact.dimension == other.dimension and bool(fact.values & other.values)
    return other.kind in ("identifier", "name") and not other.values and fact.text.casefold() == other.text.casefold()


def _other_version(fact: Fact, other: Fact) -> bool:
    return other.kind == "version" and fact.version != other.version


def is_figure(word: str) -> bool:
    return any(map(str.isdigit, word)) or number_word(word) is not None


def bare_unit(word: str) -> Unit | None:
    word = word.strip(".,;:()[]\"'!?")
    return unit_of(word) if is_long_unit(word) else None


def units_named(passage: Passage) -> set[Unit]:
    named = {unit for word in passage.flat.split() if (unit := bare_unit(word))}
    return named | {fact.unit for fact in passage.facts if fact.unit}


_PART_END = re.compile(r"[,;:.]\s|\b(?:and|but|or|und|aber|oder|while|whereas|während)\b")


def parts_of(passage: Passage) -> list[Passage]:
    return [Passage(part, passage.language) for part in _PART_END.split(passage.text) if part.strip()]


def figures(passage: Passage) -> list[Fact]:
    return [fact for fact in passage.facts if fact.kind == "number" and not fact.weak]


def nearness(part: Passage, other: Passage) -> int:
    versions = sum(fact.kind == "version" and any(agrees(fact, each) for each in other.facts) for fact in part.facts)
    return shared(part.content, other) + len(senses_in(part.flat) & senses_in(other.flat)) + 2 * versions


def shared(words: frozenset[str], part: Passage) -> int:
    return sum(has_word(word, part.terms, "") for word in words)


def likeness(sentence: Passage, part: Passage) -> int:
    facts = sum(any(agrees(fact, other) for other in part.facts) for fact in sentence.facts if not fact.weak)
    senses = len((senses_in(sentence.flat) & senses_in(part.flat)) - {NEGATION})
    return shared(sentence.content, part) + facts + senses
