"""Words whose letters are of two alphabets: they look like another word and are none.

The Cyrillic "о" looks like the Latin one, and no reader sees which stands in "15 hоurs". Letters that look like no
Latin one are no disguise: "µm", "Δt" and "β-Test" are what they seem.
"""

from __future__ import annotations

import re

_LETTERS = re.compile(r"[^\W\d_]+")
_LATIN = re.compile("[A-Za-z\u00aa\u00ba\u00c0-\u024f\u1e00-\u1eff]")
_CYRILLIC = re.compile("[\u0400-\u052f]")
# Letters of formulas and of sounds, small capitals: shapes of Latin ones. Signs of units (ohm, kelvin) are none.
_SHAPES = re.compile("[\u0250-\u02af\u1d00-\u1dbf\u2100-\u2125\u2128\u212c-\u214f\U0001d400-\U0001d6a5]")
# Those that print like Latin letters in common typefaces, of Cyrillic, Greek and Armenian.
_ALIKE = frozenset("аеорсухіїјѕһԁԛԝүґԍӏАВЕЅІЇЈКМНОРСТХҮУԌԚԜӀΑΒΕΖΗΙΚΜΝΟΡΤΥΧοκνυιχγϲϳօսհոցզաԱՍՏՕ")
_SHORTEST_ALONE = 2
"""A single such letter is one of a formula."""


def is_disguised(word: str) -> bool:
    """Whether the word has Latin letters beside Cyrillic ones, or beside others that look like Latin ones.

    >>> [is_disguised(word) for word in ("h\\u043eurs", "hours", "\\u03bcm", "\\u0447\\u0430\\u0441")]
    [True, False, False, False]
    """
    return not word.isascii() and any(map(_is_disguise, _LETTERS.findall(word)))


def disguised(text: str) -> list[str]:
    """Such words of the text, and those all of whose letters only look like Latin ones where most around them are
    Latin; each once, in order.

    >>> disguised("valid for 15 h\u043eurs or 20 \u00b5s")
    ['h\u043eurs']
    """
    if text.isascii():
        return []
    words = _LETTERS.findall(text)
    latin = sum(_LATIN.search(word) is not None for word in words)
    mostly_latin = 2 * latin > len(words)
    return list(dict.fromkeys(word for word in words if _is_disguise(word) or (mostly_latin and _is_alike(word))))


def _is_disguise(letters: str) -> bool:
    if len(letters) < _SHORTEST_ALONE:
        return False
    if _SHAPES.search(letters):
        return True
    return bool(_LATIN.search(letters) and (_CYRILLIC.search(letters) or not _ALIKE.isdisjoint(letters)))


def _is_alike(letters: str) -> bool:
    return len(letters) >= _SHORTEST_ALONE and _ALIKE.issuperset(letters)
