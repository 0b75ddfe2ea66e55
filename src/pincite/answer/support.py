"""How well each unit supports a question: by its words, exactly or by meaning, and by the unit's vector."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy

from pincite.answer.question import Part, Word
from pincite.answer.telling import BOUNDS, tells_amount, tells_price, tells_time
from pincite.answer.units import Unit
from pincite.answer.versions import Edition, asked_versions, version_order
from pincite.ports import Analyser, Embedder
from pincite.text.language import language_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Matrix = NDArray[Any]

CLOSE, SAME = 0.38, 0.8
"""Cosines of single words: below the first they have nothing to do with each other, from the second on one can stand
for the other (cost and price: 0.69, Gerätefilter and device filter: 0.82, dogs and adults: 0.34)."""
SPREAD = 4.0
USUAL = 0.35
TOLD_BY = 0.9
MANY_WORDS = 100
"""A word that is near to many others (another, ask, setze) tells little. One that has more than the cosine ``USUAL`` to
one in ten of the words around is worth less by the factor ``exp(-SPREAD * excess)``; few words say nothing of it."""
PARAPHRASE = 0.7
"""What a word counts for which only one of like meaning stands there; in another language it counts in full."""
CONTEXT_WEIGHT = 0.7
DOCUMENT_WEIGHT = 0.5
"""What a word counts that stands only in the context (headings, columns) or only in title, version and path."""
WORDS_WEIGHT = 0.5
"""The share of the words in the support; the rest is the cosine of the whole."""
CONFIDENT_WORDS, CONFIDENT_COSINE, CONFIDENT_AROUND = 0.15, 0.3, 0.55
"""The shares in the confidence of the words that the unit has, of its cosine to the whole question, and of the words
that the text around it has. docs/answers.md says how these and the other constants were fitted."""
AROUND = 400
"""Text within so many code points of a unit, in its document, is around it."""
CONTEXT_COSINE_WEIGHT = 0.7
"""The share of the unit with its nearest headings in that cosine; the rest is the unit alone."""
NO_AMOUNT = 0.6
NO_PRICE = 0.6
NO_TIME = 0.75
NOT_ASKED_FOR = 0.8
CODE = 0.8
OTHER_NAME = 0.7
OTHER_VERSION = 0.0
OLDER_VERSION = 0.97
UNKNOWN_LABEL = 0.5
"""Factors on both: the question asks for an amount, a price or a time and the unit has none; the thing asked
for is not in it; the unit is program code; it lacks a label that tells this part of the question from the others; it is
of another version than the one asked for; it is of an older version where none was asked for; a code or number of the
question stands in no passage at all."""
NEIGHBOUR_WEIGHT = 0.3
"""What a word counts that stands only in the sentence before or after, in the same section."""
OTHER_PARTS = 0.2
"""What the words of the other parts count beside a part's own: they often say what it is about."""
BORROWED = 1.5
LEAST_BORROWED = 0.6
NOWHERE = 0.35
"""A unit with an amount that lacks a word of the question may tell the amount of something else (the adults' ticket
when dogs were asked for). Both fall by 1.5 times the share of the weightiest such word that another unit of
the document has, less where no document has the word, but never below the least factor."""
MISSING = 0.3
"""A word of which a unit has less than this is missing in it."""
MOST_UNITS = 400
"""Of more units (a passage may be a whole file) only those with the most of the question's words are looked at."""
COMPARED_UNITS = 40
COMPARED_WORDS = 40
"""Words are compared by meaning in the best units only, and in a unit's beginning: it costs most of the time."""

_WORD = re.compile(r"[\w'’.\-]*\w")


class Scale:
    """The units of some passages on one scale; cosines and word matches are computed once for all parts.

    Rows are units, columns are words of the question: ``exact`` is 1 where the word stands in the unit, ``found``
    how much the unit has of it with its context and by meaning, 0 to 1.
    """

    def __init__(
        self,
        words: Sequence[Word],
        whole: Part,
        units: Sequence[Unit],
        weights: Mapping[Word, float],
        known: set[Word],
        *,
        language: str,
        embedder: Embedder,
        analyser: Analyser,
    ) -> None:
        self.words = list(words)
        self.weights = numpy.array([weights[word] for word in self.words])
        self.telling = self.weights.copy()
        self.asked = numpy.array([word in whole.words for word in self.words], dtype=bool)
        self.labels = numpy.array([word.label for word in self.words], dtype=bool)
        self.known = known
        self.amounts = numpy.array([tells_amount(unit.text) for unit in units])
        self.prices = numpy.array([tells_price(unit.text) for unit in units])
        self.times = numpy.array([tells_time(unit.text) for unit in units])
        self.code = numpy.array([unit.kind == "code" for unit in units])
        self.units = units
        self.versions = [Edition.of(unit.document).version for unit in units]
        self.embedder = embedder
        alone = embedder.embed([unit.text for unit in units])
        around = embedder.embed([" ".join([*unit.context[-2:], unit.text]) for unit in units])
        self.alone: Matrix = alone
        self.vectors: Matrix = (1 - CONTEXT_COSINE_WEIGHT) * alone + CONTEXT_COSINE_WEIGHT * around
        self.whole: Matrix = self.vectors @ embedder.embed_query(whole.text)
        self.exact, context, document = _exact(self.words, units, analyser)
        self._find_bounds()
        self.meaning_weights = numpy.array(_meaning_weights(units, language))[:, None]
        self.elsewhere = _elsewhere(
            self.exact, units, numpy.array([word not in known for word in self.words], dtype=bool)
        )
        nearest = numpy.argsort(-(self.exact @ self.weights + self.whole), kind="stable")[:COMPARED_UNITS]
        own_meaning, context_meaning = self._meanings(units, set(nearest.tolist()))
        own: Matrix = numpy.maximum(self.exact, self.meaning_weights * own_meaning)
        said = numpy.maximum(context, self.meaning_weights * context_meaning)
        self.has: Matrix = numpy.maximum(own, said)
        self.missing = (self.has < MISSING) & ~self.labels
        self.found = numpy.maximum(numpy.maximum(own, CONTEXT_WEIGHT * said), DOCUMENT_WEIGHT * document)
        self.found = numpy.maximum(self.found, NEIGHBOUR_WEIGHT * _beside(self.exact, units))
        self.around = _around(self.found, units)

    def _find_bounds(self) -> None:
        """A bound is stated in many words: what is asked for by *at most* stands there as *up to*."""
        for column, word in enumerate(self.words):
            for asked, stated in BOUNDS:
                if word.text.casefold() in asked:
                    said = [bool(stated.search(unit.text)) for unit in self.units]
                    self.exact[:, column] = numpy.maximum(self.exact[:, column], said)

    def share(self, part: Part) -> Matrix:
        """For each unit how much of the part's words it has, by their weight, in ``[0, 1]``."""
        worth = numpy.array([part.words.get(word, 0.0) for word in self.words]) * self.weights
        shares: Matrix = (self.found @ worth) / (worth.sum() or 1.0)
        return shares

    def confidence(self, part: Part, versions: Collection[str] = ()) -> Matrix:
        """For each unit how sure it is that it and the text around it answer the part, in ``[0, 1]``; ``versions`` are
        those that it asks for."""
        return self.unversioned_confidence(part) * self.version_factors(versions)

    def unversioned_confidence(self, part: Part) -> Matrix:
        """The confidence as if all documents were of one version. Grows with each word that is found and with the
        cosine."""
        worth = self._worth(part, self.telling)
        confidence: Matrix = (
            CONFIDENT_WORDS * (self.found @ worth)
            + CONFIDENT_COSINE * numpy.clip(self.whole, 0, 1)
            + CONFIDENT_AROUND * (self.around @ worth)
        )
        confidence *= self._factors(part, worth)
        return confidence.clip(0, 1)

    def support(self, part: Part, versions: Collection[str] = ()) -> Matrix:
        """For each unit how well it answers the part beside the others, in ``[-1, 1]``: the order in which they are
        quoted. What stands around has no say in it."""
        return self.unversioned(part) * self.version_factors(versions)

    def version_factors(self, versions: Collection[str]) -> Matrix:
        """A unit that names the version itself is of it, whatever its document is: a page on how to move to it."""
        known = {version for version in self.versions if version}
        newest = max(known, key=version_order) if len(known) > 1 and not versions else ""

        def factor(unit: Unit, version: str) -> float:
            if not version or version in versions:
                return 1.0
            if not versions:
                return 1.0 if not newest or version_order(version) == version_order(newest) else OLDER_VERSION
            named = asked_versions(" ".join((unit.text, *unit.context)), known)
            return 1.0 if not named.isdisjoint(versions) else OTHER_VERSION

        return numpy.array([factor(*each) for each in zip(self.units, self.versions, strict=True)])

    def unversioned(self, part: Part) -> Matrix:
        """The support as if all documents were of one version."""
        worth = self._worth(part, self.weights)
        cosine: Matrix = self.vectors @ self.embedder.embed_query(part.text)
        cosine = (cosine + self.whole) / 2
        support: Matrix = WORDS_WEIGHT * (self.found @ worth) + (1 - WORDS_WEIGHT) * cosine
        return support * self._factors(part, worth)

    def _worth(self, part: Part, weights: Matrix) -> Matrix:
        """The share of each word in what the part asks for; they add up to 1. Words that the whole question leaves out
        name a version."""
        others = numpy.where(self.asked, OTHER_PARTS, 0.0)
        own = [part.words.get(word, other) for word, other in zip(self.words, others, strict=True)]
        worth: Matrix = numpy.array(own) * weights
        worth /= worth.sum() or 1.0
        return worth

    def _factors(self, part: Part, worth: Matrix) -> Matrix:
        """In ``(0, 1]``: what speaks against each unit."""
        result: Matrix = numpy.where(self.code, CODE, 1.0)
        if part.amount or part.time:
            borrowed = (self.missing * self.elsewhere * worth).max(axis=1, initial=0.0)
            factors = numpy.clip(1 - BORROWED * borrowed, LEAST_BORROWED, 1)
            result *= numpy.where(self.amounts, factors, NO_AMOUNT)
        if part.price:
            result *= numpy.where(self.prices | ~self.amounts, 1.0, NO_PRICE)
        if part.time:
            result *= numpy.where(self.times, 1.0, NO_TIME)
        asked = [index for index, word in enumerate(self.words) if word in part.asked]
        if asked:
            result *= numpy.where(self.found[:, asked].min(axis=1) > MISSING, 1.0, NOT_ASKED_FOR)
        named = [index for index, word in enumerate(self.words) if word in part.named]
        if named:
            result *= numpy.where(self.found[:, named].min(axis=1) > 0, 1.0, OTHER_NAME)
        if any(word.label and word not in self.known for word in part.words):
            result *= UNKNOWN_LABEL
        return result

    def _meanings(self, units: Sequence[Unit], compared: set[int]) -> tuple[Matrix, Matrix]:
        """How near the nearest word of each unit and of its context is to each word of the question; takes from what a
        word that is near to many tells."""
        own = numpy.zeros((len(units), len(self.words)))
        context = numpy.zeros_like(own)
        plain = [index for index, word in enumerate(self.words) if not word.label]
        if not plain:
            return own, context
        texts: dict[str, int] = {}
        places: list[tuple[Matrix, int, list[int]]] = []
        for index in sorted(compared):
            unit = units[index]
            words = _WORD.findall(unit.text)[:COMPARED_WORDS]
            # One word of a language is often two of another (Gerätefilter, device filter).
            pairs = [" ".join(pair) for pair in pairwise(words)] if self.meaning_weights[index, 0] > PARAPHRASE else []
            around = _WORD.findall(" ".join(unit.context))[:COMPARED_WORDS]
            for matrix, said in ((own, words + pairs), (context, around)):
                places.append((matrix, index, [texts.setdefault(text, len(texts)) for text in said]))
        if not texts:
            return own, context
        asked = self.embedder.embed([self.words[index].text for index in plain])
        cosines = self.embedder.embed(list(texts)) @ asked.T
        if len(texts) >= MANY_WORDS:
            excess = numpy.clip(numpy.quantile(cosines, TOLD_BY, axis=0) - USUAL, 0, None)
            self.telling[plain] *= numpy.exp(-SPREAD * excess)
        nearness = numpy.clip((cosines - CLOSE) / (SAME - CLOSE), 0, 1)
        for matrix, index, said in places:
            if said:
                matrix[index, plain] = nearness[said].max(axis=0)
        return own, context


def most_promising(
    units: Sequence[Unit], weights: Mapping[Word, float], analyser: Analyser, *, limit: int = MOST_UNITS
) -> list[int]:
    """The indices of the units that have the most of the words, ascending; all of them up to the limit."""
    if len(units) <= limit:
        return list(range(len(units)))
    exact, context, _ = _exact(list(weights), units, analyser)
    worth = (exact + CONTEXT_WEIGHT * context) @ numpy.array(list(weights.values()))
    best: list[int] = numpy.sort(numpy.argsort(-worth, kind="stable")[:limit]).tolist()
    return best


def _meaning_weights(units: Sequence[Unit], language: str) -> list[float]:
    """What a word found by its meaning counts beside one that stands there, for each unit."""
    spoken: dict[str, str] = {}
    for unit in units:
        if unit.document.id not in spoken:
            said = str(unit.document.metadata.get("language", "")) or language_of(unit.document.text)
            spoken[unit.document.id] = said[:2]
    return [PARAPHRASE if language and spoken[unit.document.id] == language else 1.0 for unit in units]


def _elsewhere(exact: Matrix, units: Sequence[Unit], unknown: Matrix) -> Matrix:
    """1 where the document of the unit has the word in some unit, ``NOWHERE`` where no document has it, else 0."""
    result = numpy.zeros_like(exact)
    rows: dict[str, list[int]] = {}
    for index, unit in enumerate(units):
        rows.setdefault(unit.document.id, []).append(index)
    for own in rows.values():
        result[own] = exact[own].max(axis=0)
    return numpy.where(unknown, NOWHERE, result)


def _beside(exact: Matrix, units: Sequence[Unit]) -> Matrix:
    """Which words stand in the unit before or after it under the same headings."""
    result = numpy.zeros_like(exact)
    order = sorted(range(len(units)), key=lambda index: (units[index].document.id, units[index].span))
    for one, other in pairwise(order):
        first, second = units[one], units[other]
        if first.document.id == second.document.id and first.headings == second.headings:
            result[one] = numpy.maximum(result[one], exact[other])
            result[other] = numpy.maximum(result[other], exact[one])
    return result


def _around(found: Matrix, units: Sequence[Unit]) -> Matrix:
    """How much of each word stands in some unit that is ``AROUND`` each one."""
    starts = numpy.array([unit.span.start for unit in units])
    ends = numpy.array([unit.span.end for unit in units])
    ids = {name: number for number, name in enumerate(dict.fromkeys(unit.document.id for unit in units))}
    documents = numpy.array([ids[unit.document.id] for unit in units])
    result = numpy.empty_like(found)
    for index in range(len(units)):
        gaps = numpy.maximum(starts - ends[index], starts[index] - ends)
        result[index] = found[(documents == documents[index]) & (gaps < AROUND)].max(axis=0, initial=0.0)
    return result


def _exact(words: Sequence[Word], units: Sequence[Unit], analyser: Analyser) -> tuple[Matrix, Matrix, Matrix]:
    """Which words stand in each unit, in its context, and in its document's title, version and path: 1 or 0."""
    result = tuple(numpy.zeros((len(units), len(words))) for _ in range(3))
    terms_of: dict[tuple[str, str], frozenset[str]] = {}
    for index, unit in enumerate(units):
        metadata = unit.document.metadata
        language = str(metadata.get("language", ""))
        about = f"{metadata.get('title', '')} version {metadata.get('version', '')} {unit.document.id}"
        for matrix, texts in zip(result, ((unit.text,), unit.context, (about,)), strict=True):
            terms: set[str] = set()
            for text in texts:
                key = (text, language)
                if key not in terms_of:
                    terms_of[key] = frozenset(analyser.document_terms(text, language))
                terms |= terms_of[key]
            matrix[index] = [_stands_in(word, terms) for word in words]
    return result[0], result[1], result[2]


def _stands_in(word: Word, terms: set[str]) -> bool:
    """The word or its stem; of anything with a digit only the whole."""
    if any(character.isdigit() for character in word.text):
        return word.terms[0] in terms
    return not terms.isdisjoint(word.terms[:2])
