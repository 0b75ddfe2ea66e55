"""Where documents of two versions or dates say different things of what was asked."""

from __future__ import annotations

from dataclasses import dataclass

from pincite.answer.agreement import agrees
from pincite.answer.facts import Fact, facts_of
from pincite.answer.reading import Reading, Wanted
from pincite.answer.units import Unit
from pincite.answer.versions import Edition
from pincite.text.sameness import negation_pattern

SAME_SUBJECT = 0.45
"""The cosine from which on two units speak of the same thing."""
SAME_SENTENCE = 0.75
"""And from which on a negation in one of them only turns it round."""
TOGETHER = 0.88
"""What likeness and that share come to at least, where a version was asked for that does not answer by itself."""
NEARLY = 0.3
"""The share of the other unit's support that this one needs: what another version says of the same need not have
the words of the question."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """``other`` is the unit of another edition that says something else than ``index``; ``newer``: its edition is the
    newer one."""

    index: int
    other: int
    newer: bool


def contradiction(reading: Reading, index: int, wanted: Wanted) -> Contradiction | None:
    """The unit of another version or date that answers the same and says something else, the best of several."""
    edition = Edition.of(reading.units[index].document)
    for other in counterparts(reading, index, wanted):
        there = Edition.of(reading.units[other].document)
        cosine = float(reading.scale.alone[other] @ reading.scale.alone[index])
        # Pages of one product in two versions speak of the same things; of two dates any two pages are.
        if not edition.differs(there) or (not edition.version and cosine < SAME_SENTENCE):
            continue
        if differ(reading.units[index], reading.units[other], turned=cosine >= SAME_SENTENCE):
            return Contradiction(index, other, there.newer(edition))
    return None


def counterpart(reading: Reading, index: int, wanted: Wanted) -> int | None:
    """The unit of a version that was asked for which is most like that one, the answer of another version."""
    support = reading.scale.unversioned(wanted.part)
    share = support / support[index]
    likeness = reading.scale.alone @ reading.scale.alone[index]
    asked = [version in wanted.versions for version in reading.scale.versions]
    fits = asked & (likeness >= NEARLY) & (share >= NEARLY) & (likeness + share >= TOGETHER)
    best = int((fits * (likeness + share)).argmax())
    return best if fits[best] else None


def counterparts(reading: Reading, index: int, wanted: Wanted) -> list[int]:
    """The units that speak of the same as that one and answer the part nearly as well, the best first."""
    support = reading.scale.unversioned(wanted.part)
    near = reading.scale.alone @ reading.scale.alone[index] >= SAME_SUBJECT
    near &= (support >= NEARLY * support[index]) & (support > 0)
    order: list[int] = support.argsort(kind="stable")[::-1].tolist()
    return [other for other in order if near[other] and other != index]


def differ(one: Unit, other: Unit, *, turned: bool) -> bool:
    """Whether they have figures of one kind, such as times, and none of them in common, or, where they may be
    ``turned``, whether one negates what the other does not."""
    mine, theirs = _figures(one), _figures(other)
    common = mine.keys() & theirs.keys()
    if any(not any(agrees(a, b) for a in mine[kind] for b in theirs[kind]) for kind in common):
        return True
    return not common and turned and bool(_negated(one)) != bool(_negated(other))


def _figures(unit: Unit) -> dict[tuple[str, str], list[Fact]]:
    """The numbers, dates and times in the unit by their kind and dimension."""
    found: dict[tuple[str, str], list[Fact]] = {}
    for fact in facts_of(unit.text):
        if fact.kind in ("number", "date", "time") and not fact.weak:
            found.setdefault((fact.kind, fact.dimension), []).append(fact)
    return found


def _negated(unit: Unit) -> list[str]:
    return negation_pattern().findall(unit.text.lower())
