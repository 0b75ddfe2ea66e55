"""Folding: making the spellings of one word the same, so that how it was typed does not matter.

``prepare`` works on a whole text and leaves case and accents alone (the tokenizer wants to see ``maxTokens``); ``fold``
works on one word. Both give the same for the composed and the decomposed form of a text.
"""

import re
from functools import cache
from unicodedata import normalize

from pincite.text.stopwords import words_of

ACCENTS = "\u0300-\u036f"
"""Combining marks that are accents on Latin, Greek and Cyrillic letters, and dropped."""

MARKS = (
    ACCENTS
    + "\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc"
    "\u06df-\u06e4"
    "\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0\u07eb-\u07f3\u0816-\u082d\u0859-\u085b\u08d3-\u08e1"
    "\u08e3-\u0963\u0966-\u0df3\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u0f18\u0f19\u0f35\u0f37"
    "\u0f39\u0f3e\u0f3f\u0f71-\u0f84\u0f86-\u0fbc\u102b-\u103e\u1056-\u109d\u135d-\u135f\u1712-\u1715\u1732-\u1734"
    "\u1752\u1753\u1772\u1773\u17b4-\u17d3\u17dd\u18a9\u1920-\u193b\u1a17-\u1a1b\u1a55-\u1a7f\u1ab0-\u1ace\u1b00-\u1b44"
    "\u1b6b-\u1b73\u1b80-\u1bf3\u1c24-\u1c37\u1cd0-\u1cf9\u1dc0-\u1dff\u20d0-\u20f0\u302a-\u302f\u3099\u309a\ua66f"
    "\ua674-\ua67d\ua69e\ua69f\ua6f0\ua6f1\ua802\ua806\ua80b\ua823-\ua827\ua880-\ua8c5\ua8e0-\ua8f1\ua926-\ua953"
    "\ua980-\ua9c0\ua9e5\uaa29-\uaa36\uaa43\uaa4c\uaa4d\uaa7b-\uaa7d\uaab0-\uaac1\uaaeb-\uaaef\uaaf5\uaaf6\uabe3-\uabea"
    "\uabec\uabed\ufb1e\ufe20-\ufe2f"
)
"""Ranges of combining marks, which stand inside words though Python's ``\\w`` leaves them out: without them Hindi and
Thai fall apart at every vowel."""

LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ı": "i", "ŧ": "t", "ŋ": "n", "æ": "ae", "œ": "oe"}
)
"""Letters with a stroke or a tie, which Unicode does not take apart. (``ß`` becomes ``ss`` by case folding.)"""

KEPT_DIGRAPHS = words_of("poet poets guest guests coed coeds cued hued duet duets doer doers goer goers aerial aerials")
"""English words that would become another English word (guest, gust). German has no pair of such frequency."""


def prepare(text: str) -> str:
    """The text with invisible characters gone and compatibility forms (full width, ligatures, CO₂) made plain.

    A raised digit or a fraction after a digit is set apart, since 10² is not 102 and 1½ not 11/2; after a letter it
    stays, so that m² is m2.

    >>> prepare("ＯＲＢ-4711, Ver\\u00adtrag, 10²")
    'ORB-4711, Vertrag, 10 2'
    """
    if text.isascii():
        return text
    invisible, raised, signs, flood = preparation_patterns()
    text = signs.sub(" ", raised.sub(" ", invisible.sub("", text)))
    return normalize("NFKC", flood.sub(r"\1", text))


def fold(word: str) -> str:
    """The word without case and accents; digraphs stay, see ``fold_digraphs``. Empty where it is accents only.

    >>> [fold(word) for word in ("Café", "Łódź", "Straße", "März", "Maerz")]
    ['cafe', 'lodz', 'strasse', 'marz', 'maerz']
    """
    if word.isascii():
        return word.lower()
    decomposed = normalize("NFD", word.casefold())
    return normalize("NFC", accents_pattern().sub("", decomposed).translate(LETTERS))


def fold_digraphs(term: str) -> str:
    """``ae``, ``oe``, ``ue`` to the plain vowel, so that Maerz meets März and Marz. Expects a folded term.

    Not where they are hardly ever an umlaut: at the end (value, toes), ``ue`` after a vowel or q (neue, Frauen,
    query). This joins few words that differ, and one term for a word keeps its weight what it was; a second term for
    the second spelling would double it.

    >>> [fold_digraphs(word) for word in ("maerz", "geaendert", "steuer", "query", "values", "guest")]
    ['marz', 'geandert', 'steuer', 'query', 'values', 'guest']
    """
    if "e" not in term or term in KEPT_DIGRAPHS:
        return term
    return digraphs_pattern().sub(r"\1", term)


@cache
def preparation_patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Invisible characters, raised digits after a digit, signs that NFKC spells out, more marks than a letter can have.

    The last one because normalisation sorts marks in quadratic time; 30 is the limit of Unicode's Stream-Safe format.
    """
    return (
        re.compile(
            "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
            "\ufe00-\ufe0f\ufeff]"
        ),
        re.compile(r"(?<=\d)(?=[²³¹⁰⁴-⁹¼-¾⅐-⅞])"),
        re.compile("[™℠®©]"),
        re.compile(f"([{MARKS}]{{30}})[{MARKS}]+"),
    )


@cache
def accents_pattern() -> re.Pattern[str]:
    """Accents, and the vowel points of Hebrew and Arabic, which writers leave out at will."""
    return re.compile(f"[{ACCENTS}\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]")


@cache
def digraphs_pattern() -> re.Pattern[str]:
    """The digraphs that are read as an umlaut."""
    return re.compile(r"([ao]|(?<![aeq])u)e(?!s?$)")
