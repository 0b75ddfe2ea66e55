"""Which versions of a thing a question asks for, which documents speak of which, and which of two is the newer one."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from pincite.model import Document
from pincite.text.stopwords import words_of

_ASKED = re.compile(r"(?:\b(\w[\w-]{0,80})\s+|\b[vV])(\d+(?:\.\d+)*)(?![\w.]*\d|[%°€$])")
_VERSION_WORDS = words_of("version versions versionen v release releases ausgabe edition")
_BETWEEN = words_of("from to between in von auf nach zu zwischen")
_THING = r"(?:api|apis|version|release|generation|edition|ausgabe|schnittstelle|system|fassung)"
_OLD = re.compile(
    rf"\b(?:old|older|former|previous|legacy|alte[nrsm]?|ältere[nrsm]?|bisherige[nrsm]?|vorige[nrsm]?|frühere[nrsm]?)\s+"
    rf"(?:(?:and|und)\s+(?:in\s+)?(?:the\s+|der\s+|die\s+)?(?:new|neue[nrsm]?)\s+)?{_THING}\b",
    re.IGNORECASE,
)
_NEW = re.compile(
    rf"\b(?:new|newer|newest|current|latest|present|neue[nrsm]?|neuere[nrsm]?|neueste[nrsm]?|aktuelle[nrsm]?"
    rf"|jetzige[nrsm]?)\s+{_THING}\b",
    re.IGNORECASE,
)
_NUMBERS = re.compile(r"\d+")
MOST_DIGITS = 32
"""Of one number of a version: a document may say any, and Python reads none of more than a few thousand digits."""


@dataclass(frozen=True, slots=True)
class Edition:
    """What a document says of its own version and date (ISO 8601); each may be empty."""

    version: str = ""
    date: str = ""

    @classmethod
    def of(cls, document: Document) -> Edition:
        metadata = document.metadata
        return cls(str(metadata.get("version", "")).strip(), str(metadata.get("date", "")).strip())

    def key(self, other: Edition) -> str:
        """By what it differs from the other one: the version where both have one, else the date where both have one,
        else nothing."""
        if self.version and other.version:
            return self.version
        return self.date if self.date and other.date and not (self.version or other.version) else ""

    def differs(self, other: Edition) -> bool:
        return self.key(other) != other.key(self)

    def newer(self, other: Edition) -> bool:
        """
        >>> Edition("3.10").newer(Edition("3.9")), Edition("", "2024-01-01").newer(Edition("", "2025-01-01"))
        (True, False)
        """
        mine, theirs = self.key(other), other.key(self)
        return (version_order(mine), mine) > (version_order(theirs), theirs)

    def name(self, german: bool = False) -> str:
        """
        >>> Edition("3.0").name(), Edition("", "2025-11-18").name(german=True)
        ('version 3.0', 'Stand 2025-11-18')
        """
        if self.version:
            return f"{'Version' if german else 'version'} {self.version}"
        return f"{'Stand' if german else 'as of'} {self.date[:10]}"


def asked_versions(text: str, known: Collection[str]) -> frozenset[str]:
    """Those of the known versions that the text names: by number ("version 2", "v3", "Orbit 3.0") or as the old or the
    new one, where there are several.

    A number counts behind a word for a version or behind a name. "2" means 2.0, and of what is said of 3.0.2 the
    documents of 3.0 may know.

    >>> sorted(asked_versions("How do Orbit 2.0 and the new API differ?", ["2.0", "3.0"]))
    ['2.0', '3.0']
    >>> asked_versions("Are 3 tries enough in version 4?", ["2.0", "3.0"])
    frozenset()
    """
    known = set(filter(None, known))
    found = {version for number in numbers_named(text) for version in known if _means(number, version)}
    if len(known) > 1:
        ordered = sorted(known, key=lambda version: (version_order(version), version))
        if _OLD.search(text):
            found.update(ordered[:-1])
        if _NEW.search(text) or (_OLD.search(text) and re.search(r"\b(?:new|neue[nrsm]?)\b", text)):
            found.add(ordered[-1])
    return frozenset(found)


def without_versions(text: str, known: Collection[str]) -> str:
    """The text without what names one of the known versions. What is more exact than a known version stays: the
    documents of 3.0 have to say it of 3.0.2.

    >>> without_versions("How large is a page in Orbit 2.0 and in version 3 since 3.0.2?", ["2.0", "3.0"])
    'How large is a page in Orbit   and in   since 3.0.2?'
    >>> without_versions("How large is a page in the old and the new API?", ["2.0", "3.0"])
    'How large is a page in the  ?'
    """
    known = set(filter(None, known))
    cut = [
        (match.start(2) if match[1] and not names_version(match[1]) else match.start(), match.end())
        for match in _naming(text)
        if any(_means(match[2], version) and _exactness(match[2]) <= _exactness(version) for version in known)
    ]
    if len(known) > 1:
        cut += [match.span() for pattern in (_OLD, _NEW) for match in pattern.finditer(text)]
    left = len(text)
    for start, end in sorted(cut, key=lambda span: (span[1], -span[0]), reverse=True):
        if end <= left:  # else it lies in one that is cut
            text, left = f"{text[:start]} {text[end:]}", start
    return text


def numbers_named(text: str) -> list[str]:
    """The numbers in the text that may name a version.

    >>> numbers_named("Orbit 3.0 and v2, within 15 minutes in Version 4?")
    ['3.0', '2', '4']
    """
    return [match[2] for match in _naming(text)]


def _naming(text: str) -> Iterator[re.Match[str]]:
    for match in _ASKED.finditer(text):
        word, number = match.groups()
        between = "." in number and word is not None and word.casefold() in _BETWEEN
        if (
            word is None
            or names_version(word)
            or between
            or _is_name(word, first=match.start() == 0 and "." not in number)
        ):
            yield match


def names_version(word: str) -> bool:
    """Whether a number behind the word names a version."""
    return word.casefold() in _VERSION_WORDS


def _is_name(word: str, *, first: bool) -> bool:
    return word[0].isupper() and not word.isupper() and not first


def _means(number: str, version: str) -> bool:
    """Whether the number names that version, or one that it is the beginning of or that begins with it."""
    mine, theirs = _without_zeros(version_order(number)), _without_zeros(version_order(version))
    if not theirs:
        return not mine
    shorter = min(len(mine), len(theirs))
    return bool(shorter) and mine[:shorter] == theirs[:shorter]


def version_order(version: str) -> tuple[int, ...]:
    """Its numbers: a version with higher ones is newer.

    >>> version_order("v3.10-rc1") > version_order("3.9")
    True
    """
    return tuple(int(number[:MOST_DIGITS]) for number in _NUMBERS.findall(version)[:8])


def _exactness(version: str) -> int:
    return len(_without_zeros(version_order(version)))


def _without_zeros(numbers: tuple[int, ...]) -> tuple[int, ...]:
    while numbers and not numbers[-1]:
        numbers = numbers[:-1]
    return numbers
