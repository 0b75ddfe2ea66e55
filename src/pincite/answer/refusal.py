"""Why there is no answer: nothing is about it, something is and lacks the fact, or only another version says it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy

from pincite.answer.reading import Reading, Wanted
from pincite.answer.support import MISSING
from pincite.answer.versions import asked_versions, numbers_named, version_order
from pincite.model import Answer, Citation, Refusal
from pincite.text.reply_language import reply_language_of

ABOUT_IT = 0.6
"""A unit is about the question from this share of the confidence on that an answer needs."""
HALF = 0.5
"""Or from this share of the question's words on."""
MOST_NEAREST = 2
MOST_WORDS = 4

TEXTS = {
    "en": {
        "nothing-relevant": "The documents do not say this: nothing on it was found, it is not in the documents.",
        "insufficient": "The documents do not say this: the answer is not in the documents that were found.",
        "other-version": "The documents of version {asked} do not say this: it is not in the documents of that "
        "version, only in those of version {other}.",
        "condition": "No document with {asked} says this: it is not in the documents of that version, only in those of "
        "version {other}.",
        "unknown-version": "The documents do not say this of version {asked}: it is not in the documents, which know "
        "version {other}.",
        "word": "No passage that was found says anything of {words}.",
        "together": "No passage that was found says it of {words} together.",
        "time": "No passage says how long or when.",
        "amount": "No passage says how many or how much.",
        "nearest": "Nearest to it: {documents}.",
        "and": " and ",
    },
    "de": {
        "nothing-relevant": "Die Dokumente sagen das nicht: Es wurde nichts dazu gefunden.",
        "insufficient": "Die Dokumente sagen das nicht: In dem, was gefunden wurde, steht die Antwort nicht.",
        "other-version": "Die Dokumente der Version {asked} sagen das nicht, nur die der Version {other}.",
        "condition": "Kein Dokument mit {asked} sagt das, nur die der Version {other}.",
        "unknown-version": "Die Dokumente sagen das nicht von Version {asked}; sie kennen Version {other}.",
        "word": "Keine gefundene Stelle sagt etwas von {words}.",
        "together": "Keine gefundene Stelle sagt es von {words} zusammen.",
        "time": "Keine Stelle sagt, wie lange oder wann.",
        "amount": "Keine Stelle sagt, wie viel.",
        "nearest": "Am nächsten kommt: {documents}.",
        "and": " und ",
    },
}
QUOTES = {"en": "“{}”", "de": "„{}“"}


def nothing(question: str) -> Answer:
    """Where no passage was found at all. What the asker may not see was never found, so it is refused in this way or
    another, but always as if it were not there."""
    text = TEXTS[_spoken(reply_language_of(question))]["nothing-relevant"]
    return Answer(question=question, reason=text, kind="nothing-relevant")


def refusal(reading: Reading, *, least: float) -> Answer:
    """The refusal of a question whose best unit does not reach the confidence ``least``."""
    elsewhere = _in_another_version(reading, least)
    if elsewhere:
        index, asked, other, known = elsewhere
        text = _said(reading, "other-version" if known else "unknown-version").format(asked=asked, other=other)
        return _refused(reading, "other-version", [text], [index])
    confidence = reading.confidence(reading.whole)
    order: list[int] = numpy.argsort(-confidence, kind="stable").tolist()
    best = order[0]
    if confidence[best] < ABOUT_IT * least and reading.scale.share(reading.whole.part).max() < HALF:
        return nothing(reading.text)
    near = [index for index in order[:MOST_NEAREST] if confidence[index] >= ABOUT_IT * least] or order[:1]
    said = [_said(reading, "insufficient"), *_missing(reading, best)]
    return _refused(reading, "insufficient", said, near)


def of_another_version(question: str, found: Sequence[Citation], *, condition: str, versions: Iterable[str]) -> Answer:
    """The refusal of a question that was asked under a condition on the version, where documents of ``versions``, which
    do not fulfil it, say it at ``found``."""
    language = _spoken(reply_language_of(question))
    text = TEXTS[language]["condition"].format(
        asked=condition, other=_listed(sorted(versions, key=version_order), language)
    )
    near = tuple(found[:MOST_NEAREST])
    return Answer(question=question, reason=f"{text} {_nearest(near, language)}", kind="other-version", nearest=near)


def _in_another_version(reading: Reading, least: float) -> tuple[int, str, str, bool] | None:
    """The best unit of a version that was not asked for and says it, the version that was, its own one, and whether
    there are any documents of the one that was asked for."""
    versions = numpy.array(reading.scale.versions)
    for wanted in (*reading.parts, reading.whole):
        asked, known = _asked_of(reading, wanted)
        if not asked:
            continue
        others = numpy.array([bool(version) and version not in asked for version in versions])
        confidence = numpy.where(others, reading.scale.unversioned_confidence(_without_numbers(wanted).part), -1.0)
        best = int(numpy.argmax(confidence))
        if confidence[best] >= least:
            # More than one version may know it; of an unknown version it is only said which ones there are.
            other = [versions[best]] if known else sorted(reading.known_versions, key=version_order)
            language = _spoken(reading.reply_language)
            return best, _listed(sorted(asked), language), _listed(other, language), known
    return None


def _asked_of(reading: Reading, wanted: Wanted) -> tuple[frozenset[str], bool]:
    if wanted.versions:
        return wanted.versions, True
    named = [number for number in numbers_named(wanted.part.text) if reading.known_versions]
    unknown = [number for number in named if not asked_versions(f"version {number}", reading.known_versions)]
    return frozenset(unknown), False


def _without_numbers(wanted: Wanted) -> Wanted:
    """Without the labels of a version that there is not: they stand nowhere."""
    numbers = set(numbers_named(wanted.part.text))
    words = {word: weight for word, weight in wanted.part.words.items() if word.text not in numbers}
    return replace(wanted, part=replace(wanted.part, words=words)) if words else wanted


def _missing(reading: Reading, best: int) -> list[str]:
    """In words which fact is missing: words that no passage has, else those that the nearest one lacks; and whether it
    has no amount or time where one was asked for."""
    scale, wanted = reading.scale, reading.whole.part
    asked = [index for index, word in enumerate(scale.words) if word in wanted.words]
    nowhere = [index for index in asked if scale.has[:, index].max() < MISSING]
    lacking = nowhere or [index for index in asked if scale.has[best, index] < MISSING]
    lacking.sort(key=lambda index: -scale.weights[index])
    said = []
    if lacking:
        language = _spoken(reading.reply_language)
        asked.sort(key=lambda index: -scale.weights[index])
        shown = sorted((lacking if nowhere else asked)[:MOST_WORDS])
        words = _listed([QUOTES[language].format(scale.words[index].text) for index in shown], language)
        said.append(_said(reading, "word" if nowhere else "together").format(words=words))
    if wanted.time and not scale.times[best]:
        said.append(_said(reading, "time"))
    elif wanted.amount and not scale.amounts[best]:
        said.append(_said(reading, "amount"))
    return said


def _refused(reading: Reading, kind: Refusal, said: Sequence[str], near: Sequence[int]) -> Answer:
    units = [reading.units[index] for index in near]
    nearest = tuple(Citation.cite(unit.document, unit.span) for unit in units)
    reason = " ".join((*said, _nearest(nearest, _spoken(reading.reply_language))))
    return Answer(question=reading.text, reason=reason, kind=kind, nearest=nearest)


def _nearest(citations: Sequence[Citation], language: str) -> str:
    documents = dict.fromkeys(citation.document_id for citation in citations)
    return TEXTS[language]["nearest"].format(documents=", ".join(documents))


def _said(reading: Reading, name: str) -> str:
    return TEXTS[_spoken(reading.reply_language)][name]


def _spoken(language: str) -> str:
    return language if language in TEXTS else "en"


def _listed(names: Iterable[str], language: str) -> str:
    """
    >>> _listed(["2.0", "2.1", "3.0"], "en")
    '2.0, 2.1 and 3.0'
    """
    *first, last = names
    return f"{', '.join(first)}{TEXTS[language]['and']}{last}" if first else last
