"""Which language a text is written in, as far as German and English need telling apart.

Function words decide: nearly half of running text in either language consists of a hundred of them, so one question
is enough, and no model or table of letter statistics has to be shipped. Anything else is ``""``, a good answer:
the analyser then takes the stems of both languages, and finds more than with a wrong guess.
"""

import re
from functools import cache
from unicodedata import normalize

from pincite.text.stopwords import EVIDENCE, OTHER

SAMPLE_CHARS = 1500
"""How much is looked at, once from the start and once from the middle (a preface may be in another language)."""

GERMAN_LETTERS = frozenset("äöüß")
OTHER_LETTERS = frozenset("åæøñçàèêëìîïòôùûáéíóúãõąćęłńśźżčěřšžőűğışță¿¡")

MIN_SHARE = 0.08
"""Share of the words that must speak for the language, where the text is long enough to have a share."""


def language_of(text: str, default: str = "") -> str:
    """``"de"``, ``"en"``, or ``default`` where the text is too short, in another language or undecided.

    >>> language_of("Wie schalte ich Timeouts ab?"), language_of("How do I turn timeouts off?")
    ('de', 'en')
    >>> language_of("ORB-4711")
    ''
    """
    words = words_pattern().findall(normalize("NFC", sample(text)).lower().replace("'", "").replace("’", ""))
    german = english = other = 0
    for word in words:
        if word in EVIDENCE["de"]:
            german += 1
        elif word in EVIDENCE["en"]:
            english += 1
        elif word in OTHER or not OTHER_LETTERS.isdisjoint(word):
            other += 1
        elif not GERMAN_LETTERS.isdisjoint(word):
            german += 1
    language, points, rest = ("de", german, english) if german > english else ("en", english, german)
    # The share matters to text in an unlisted language that has a few words by chance, not to a question.
    enough = points > max(rest, other) and points >= MIN_SHARE * len(words)
    return language if enough else default


def sample(text: str) -> str:
    """The whole text, or a piece from its start and one from its middle."""
    if len(text) <= 2 * SAMPLE_CHARS:
        return text
    middle = len(text) // 2
    return f"{text[:SAMPLE_CHARS]} {text[middle : middle + SAMPLE_CHARS]}"


@cache
def words_pattern() -> re.Pattern[str]:
    """Runs of letters."""
    return re.compile(r"[^\W\d_]+")
