"""A question read together with what was found for it: its parts, the versions they ask for, every quotable unit."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy

from pincite.answer.orders import orders_over
from pincite.answer.question import SHORT_PART_WORDS, Part, Question, read_question, weights_of
from pincite.answer.support import Scale, most_promising
from pincite.answer.units import Unit, unique, units_of
from pincite.answer.versions import Edition, asked_versions, names_version, version_order, without_versions
from pincite.model import Document, Principal, Ranking, Span
from pincite.ports import Analyser, Embedder, Snapshot
from pincite.text.language import language_of
from pincite.text.reply_language import reply_language_of

if TYPE_CHECKING:
    from pincite.answer.support import Matrix


_TOKEN = re.compile(r"[\w-]+(?:\.\d+)*")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A part of the question, and the versions that it asks about; none where it does not say."""

    part: Part
    versions: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """``units`` are those of all passages, each once; ``scores`` have for each the best score of a passage with it,
    from 0 to 1. ``parts`` are what the question asks for one by one, ``whole`` is all of it. ``language`` is that of
    the question's terms, ``reply_language`` that of what is said about it."""

    text: str
    language: str
    question: Question
    units: list[Unit]
    scores: Matrix
    scale: Scale
    whole: Wanted
    parts: tuple[Wanted, ...]
    known_versions: frozenset[str]
    reply_language: str
    _confidence: dict[int, Matrix] = field(init=False, default_factory=dict, compare=False)
    _support: dict[int, Matrix] = field(init=False, default_factory=dict, compare=False)

    def confidence(self, wanted: Wanted) -> Matrix:
        """For each unit how sure it is that the whole or one of the parts is answered there, in ``[0, 1]``."""
        if id(wanted) not in self._confidence:
            self._confidence[id(wanted)] = self.scale.confidence(wanted.part, wanted.versions)
        return self._confidence[id(wanted)]

    def support(self, wanted: Wanted) -> Matrix:
        """For each unit how well it answers the whole or one of the parts beside the others."""
        if id(wanted) not in self._support:
            self._support[id(wanted)] = self.scale.support(wanted.part, wanted.versions)
        return self._support[id(wanted)]


RANK_DECAY = 0.15
"""A unit of the seventh passage counts about half as much as one of the first. Scores are no measure of it: the ranking
holds hits of several searches."""


def read(
    text: str, ranking: Ranking, snapshot: Snapshot, *, principal: Principal, embedder: Embedder, analyser: Analyser
) -> Reading | None:
    """``None`` where there is nothing to quote."""
    units, scores = _units(ranking, snapshot, principal)
    if not units:
        return None
    language = language_of(text)
    question = read_question(text, analyser, language)
    words = question.words
    terms = sorted({term for word in words for term in word.terms})
    chunks, frequencies = snapshot.document_frequencies(terms, principal=principal)
    weights = weights_of(words, chunks, frequencies)
    kept = most_promising(units, weights, analyser)
    units, scores = [units[index] for index in kept], scores[kept]
    known = {word for word in words if frequencies.get(word.terms[0], 0)}
    versions = frozenset(filter(None, (Edition.of(unit.document).version for unit in units)))
    # That a label names a version is known better by now: "version 2" stands in no text about version 2.0.
    known |= {word for word in words if word.label and asked_versions(f"version {word.text}", versions)}
    whole, parts = _wanted(question, versions)
    return Reading(
        text=text,
        language=language,
        question=question,
        units=units,
        scores=scores,
        scale=Scale(words, whole.part, units, weights, known, language=language, embedder=embedder, analyser=analyser),
        whole=whole,
        parts=parts,
        known_versions=versions,
        reply_language=reply_language_of(text),
    )


def searches(text: str, analyser: Analyser, versions: Collection[str]) -> list[tuple[str, str]]:
    """What to search for besides the whole question, each with the version that it is to be found in or "": a part of
    a question may be said on a page that is nothing to the rest. ``versions`` are those that there are."""
    question = read_question(text, analyser, language_of(text))
    whole, parts = _wanted(question, versions)
    one = [(whole.part.text, version) for version in sorted(whole.versions, key=version_order)]
    return [*one, *((wanted.part.text, "") for wanted in parts if wanted.part.text != whole.part.text)]


def _wanted(question: Question, versions: Collection[str]) -> tuple[Wanted, tuple[Wanted, ...]]:
    """The same is asked of each version where there are several. A part that names none asks about the question's."""
    asked = asked_versions(question.whole.text, versions)
    if not asked:
        return Wanted(question.whole), tuple(map(Wanted, question.parts))
    naming = _naming(question.whole.text, versions)
    whole = Wanted(_without_versions(question.whole, versions, naming), asked)
    parts = [
        (_without_versions(part, versions, naming), asked_versions(part.text, versions)) for part in question.parts
    ]
    if len(asked) < 2:
        return whole, tuple(Wanted(part, named or asked) for part, named in parts if part.words)
    each = [Wanted(whole.part, frozenset({version})) for version in sorted(asked, key=version_order)]
    return whole, (*each, *(Wanted(part, asked) for part, named in parts if not named and _stands_alone(part)))


def _without_versions(part: Part, versions: Collection[str], naming: Collection[str]) -> Part:
    """Which version it is, is decided by the document: no word of the text, such as those ``naming`` it, has to."""
    words = {
        word: weight
        for word, weight in part.words.items()
        if not names_version(word.text)
        and word.text not in naming
        and not (word.label and asked_versions(f"version {word.text}", versions))
    }
    left = without_versions(part.text, versions)
    text = left if _TOKEN.search(left) else part.text
    return replace(part, text=text, words=words, named=(), asked=tuple(word for word in part.asked if word in words))


def _naming(text: str, versions: Collection[str]) -> set[str]:
    """The words of the text that only name a version: *old* and *API* in "the old API"."""
    return set(_TOKEN.findall(text)).difference(_TOKEN.findall(without_versions(text, versions)))


def _stands_alone(part: Part) -> bool:
    return sum(weight == 1 for weight in part.words.values()) >= SHORT_PART_WORDS


def _units(ranking: Ranking, snapshot: Snapshot, principal: Principal) -> tuple[list[Unit], Matrix]:
    found: list[tuple[Unit, float]] = []
    documents: dict[str, Document | None] = {}
    ranks: dict[float, int] = {}
    for hit in ranking.hits:
        name = hit.chunk.document_id
        if name not in documents:
            documents[name] = snapshot.document(name, principal=principal)
        document = documents[name]
        if document is not None:
            rank = ranks.setdefault(hit.score, hit.rank)  # equal scores, such as of two versions, have one rank
            share = 1 / (1 + RANK_DECAY * (rank - 1))
            ordered = orders_over(document, hit.chunk.span)
            found.extend(
                (unit, share)
                for unit in units_of(document, hit.chunk.span)
                if not any(unit.span.overlaps(order) for order in ordered)
            )
    units = unique(unit for unit, _ in found)
    best: dict[tuple[str, Span], float] = {}
    for unit, share in found:
        key = (unit.document.id, unit.span)
        best[key] = max(best.get(key, 0.0), share)
    return units, numpy.array([best[unit.document.id, unit.span] for unit in units])
