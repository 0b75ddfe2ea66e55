"""What is wrong with a sentence that is nearly the quote's own."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.answer.agreement import agrees, bare_unit
from pincite.answer.alignment import Aligned
from pincite.answer.evidence import Passage, has_word, terms_of
from pincite.answer.judged import Judged, no
from pincite.answer.turning import is_kept, senses_among
from pincite.answer.wording import EXCEPT, MOST, SOME, negations, senses_in


def cut(source: Passage, aligned: Aligned) -> Judged | None:
    """The verdict where what stands around the words in the source turns them."""
    before = f"{source.before} {source.flat[: source.places[aligned.first][0]]}"
    after = f"{source.flat[source.places[aligned.last - 1][1] :]} {source.after}"
    clause = re.split(r"[,;:.!?]", before)[-1]
    if negations(clause) or negations(" ".join(re.split(r"[,;:.!?]", after)[0].split()[-1:])):
        return no("negation", "the quote leaves out a negation that belongs to it")
    if EXCEPT in senses_in(" ".join(after.split()[:2])):
        return no("exception", "the quote leaves out an exception")
    if senses_in(" ".join(before.split()[-1:])) & {SOME, MOST}:
        return no("quantity", "the quote leaves out of how many it speaks")
    last, following = source.words[aligned.last - 1], source.words[aligned.last : aligned.last + 1]
    if last.isdecimal() and last not in aligned.theirs and following and bare_unit(following[0]):
        return no("unit", f"the statement leaves out the unit, {following[0]}")
    return None


def moved_facts(sentence: Passage, source: Passage, aligned: Aligned) -> Judged | None:
    """Numbers that stand at another place than in the quote, or more often, belong to something else there."""
    mine = re.findall(r"\d+", " ".join(aligned.mine))
    theirs = re.findall(r"\d+", " ".join(aligned.theirs))
    if mine and mine != theirs and sorted(mine) == sorted(theirs):
        return no("number", f"{', '.join(mine)} stand in another order in the quote")
    unit = next((unit for word in aligned.mine if (unit := bare_unit(word))), None)
    theirs_units = {other for word in aligned.theirs if (other := bare_unit(word))}
    if unit and theirs_units and unit not in theirs_units | {fact.unit for fact in sentence.facts if not fact.weak}:
        return no("unit", "statement and quote differ in a unit")
    versions = [fact for fact in source.facts if fact.kind == "version"]
    for fact in sentence.facts:
        if fact.kind == "version" and versions and not any(agrees(fact, other) for other in versions):
            return no("version", f"the quote says it of {versions[0].text}, not of {fact.text}")
        if fact.weak or fact.kind not in ("number", "version"):
            continue
        often = sum(agrees(fact, other) for other in source.facts)
        if often and sum(agrees(fact, other) and not other.weak for other in sentence.facts) > often:
            return no(fact.kind, f"{fact.text} does not stand there so often in the quote")
    return None


def reordered(aligned: Aligned, sentence: Passage, source: Passage) -> bool:
    """Whether the words that differ are more than other forms of the same words at the same places: who does what to
    whom may depend on them, as on "to" and "from", "on" and "off"."""
    if any(word in _SMALL_WORDS for word in (*aligned.mine, *aligned.theirs)) and aligned.mine and aligned.theirs:
        return True
    mine = [word for word in aligned.mine if word in sentence.content]
    theirs = [word for word in aligned.theirs if word in source.content]
    if not mine:
        return False
    return len(mine) != len(theirs) or not all(
        has_word(one, terms_of(other, source.language), sentence.language)
        for one, other in zip(mine, theirs, strict=True)
    )


_SMALL_WORDS = frozenset(
    ["to", "from", "on", "off", "in", "out", "up", "down", "and", "or", "by", "von", "zu", "an", "aus", "ab", "auf"]
) | {"und", "oder", "his", "her", "their", "sein", "ihr"}


def left_condition(source: Passage, aligned: Aligned) -> str:
    """The word that begins a condition which the source sets beside the words and the sentence leaves out."""
    before = source.flat[: source.places[aligned.first][0]]
    after = f"{source.flat[source.places[aligned.last - 1][1] :]} {source.after}"
    found = _CONDITION_AFTER.match(after) or _CONDITION_BEFORE.match(before)
    return found.group(1) if found else ""


_CONDITIONS = "if|when|once|unless|until|provided|as long as|while|wenn|falls|sofern|solange|sobald|bis"
_CONDITION_AFTER = re.compile(rf"\s*,?\s*({_CONDITIONS})\b")
_CONDITION_BEFORE = re.compile(rf"\s*({_CONDITIONS})\b[^.;:!?]*$")


def in_own_clause(source: Passage, aligned: Aligned) -> bool:
    """Whether every word that is left out and turns the meaning stands in a stretch over the end of a clause."""
    for first, last in aligned.gaps:
        if any(map(is_kept, senses_among(source.words[first:last]))):
            start = source.places[first - 1][1] if first else 0
            end = source.places[last][0] if last < len(source.places) else len(source.flat)
            if not re.search(r"[;:]\s", source.flat[start:end]):
                return False
    return True


def other_versions(clause: Passage, nearest: Sequence[Passage]) -> Judged | None:
    """The verdict where the clauses of the quotes that say the same say it of other versions."""
    versions = [fact for fact in clause.facts if fact.kind == "version"]
    theirs = [fact for part in nearest for fact in part.facts if fact.kind == "version"]
    for version in versions:
        if theirs and not any(agrees(version, other) for other in theirs):
            return no("version", f"the quote says it of {theirs[0].text}, not of {version.text}")
    return None
