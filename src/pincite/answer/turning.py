"""When a word turns the meaning: what contradicts what, and what a statement may not leave out."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.answer.judged import Judged, no
from pincite.answer.wording import ALL, ALSO, EXCEPT, MAY, MOST, MUST, ONLY, SHOULD, SOME, Sense, opposite, senses_of

_KEPT = frozenset({"negation", "modal", "only", "except"})
"""Classes of which a statement may not leave a word out; of quantities only "all"."""
_NEVER: Sense = ("modal", "never")
_CLASSES = {"negation": "negation", "modal": "modal", "quantity": "quantity", "only": "quantity", "except": "exception"}


def contradicts(sense: Sense, near: frozenset[Sense], *, denied: bool) -> bool:
    if opposite(sense) in near:
        return True
    if sense in (SOME, MOST):
        return ALL in near
    if sense == ALL:
        return bool(near & {SOME, MOST})
    if sense == ALSO:
        return ONLY in near
    if sense in (ONLY, EXCEPT, SHOULD):
        return True
    if sense == MUST:
        return bool(near & {_NEVER, MAY} if denied else near & {MAY, SHOULD})
    if sense == MAY and not denied:
        return bool(near & {MUST, SHOULD})
    return sense[0] == "bound" or sense == ("before", "high") or COMPARISON_CLASSES.get(sense[0], False)


RECKONED = frozenset({"longer", "more", "larger", "higher", "faster", "before", "newer"})
"""Comparatives that are themselves what is derived."""
COMPARISON_CLASSES = dict.fromkeys(("longer", "larger", "higher", "faster", "newer"), True)
"""Comparatives that a statement must not add."""


def turned_by(sense: Sense, words: Sequence[str]) -> Judged:
    word = next((word for word in words if sense in senses_of(word)), sense[1]).replace("-", " ")
    reason = _CLASSES.get(sense[0], "comparative")
    return no(reason, f"statement and quote differ in {word!r}")


def senses_among(words: Sequence[str]) -> frozenset[Sense]:
    return frozenset(sense for word in words for sense in senses_of(word))


def is_kept(sense: Sense) -> bool:
    return (sense[0] in _KEPT and sense != ALSO) or sense in (SOME, MOST)
