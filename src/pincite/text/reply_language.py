"""In which language to reply to a question, German or English.

``language_of`` decides how a text is cut into terms, where no decision is better than a wrong one; short questions of
few function words stay undecided. A reply has to be in some language, so weaker signs count here as well: how the
question begins, the shapes of its words, and less those of names and titles in it.
"""

from __future__ import annotations

import re
from functools import cache
from unicodedata import normalize

from pincite.text.language import GERMAN_LETTERS, OTHER_LETTERS, sample
from pincite.text.stopwords import EVIDENCE, OTHER, words_of

OPENERS = {
    "de": words_of(
        """
        wer wen wem wessen was wann wo woher wohin worin woran womit wodurch wofür wovon wozu warum wieso weshalb wie
        wieviel welch welche welchem welchen welcher welches kann können könnt könnten könnte kannst darf dürfen dürfte
        muss müssen musst soll sollen sollte sollten wird werden wurde wurden würde ist sind war waren hat haben hatte
        gibt gab geht gilt gelten nenne nennen zeige zeig erkläre erklär beschreibe liste
        """
    ),
    "en": words_of(
        """
        who whom whose what when where why how which can could may might must shall should will would is are was were
        am do does did has have had name list show tell explain describe give find compare
        """
    ),
}
"""First words of questions and requests. "was" and "am" begin those of either language."""

OPENING = 3.0
KNOWN = 2.0
SHAPED = 1.5
"""What the first word of a question, a function word and the shape of a German word say; that of an English word, which
German borrows, says 1."""
_EITHER = frozenset(OPENERS["de"] & OPENERS["en"])
# Endings, beginnings and letters inside that one language has often and the other hardly.
_SHAPES = {
    "de": re.compile(
        r"\w(?:ungs?|ungen|heit|heiten|keit|keiten|schaft|ieren|iert|ierte[nrsm]?|lich(?:e[nrsm]?)?|isch(?:e[nrsm]?)?"
        r"|los(?:e[nrsm]?)?|[kt]ionen|tät|[lt]eln|[lst]ern|igen|igt|chen|ssen|hren|nden|gen|ben|ren|llen|tze[nr]?"
        r"|iche[nr]?|eite[nr]?|delle?|ikel|ette[nr]?|ur|uren|weise|trieb|werk|werte?|platz|zahl)\Z"
        r"|\A(?:ge\w{3,}[nt]|ver\w{4,}[nt]|be\w{4,}en|er\w{4,}en|ent\w{4,}en)\Z"
        r"|\A(?:auf|aus(?!t)|vor(?!t)|zu[^mr]|zwi|sch(?!e[md]|o)|pf|doku|kon|kom|kla|kli|kurz|neben|ander|daten|anfr"
        r"|anw|einst)"
        r"|sch[lmnrtw]|cht|(?<!ri)tz|[^cae]kt|zw|äu|[^aeiou]ei[nst]|akt(?!o)|ekt|kation|kk|ff[aeiu]n?\Z|[mnr]k[aou]"
    ),
    "en": re.compile(
        r"\w(?:ings?|(?<!k)(?<!ka)tions?|ness|ments|ity|ies|ly|[^in]ed|ous|ful|able|ible|ance|ence|ship|ght|ck|wn|[eo]w"
        r"|oo[dklmnt]|ee[dklnp]|ays?|[^aeiou]y|ures?|[bcgt]le|[cs]hes|ths?|ject|vice|face|ase|ode|ate|ile|ore|ce|ge|ve)\Z"
        r"|\A(?:wh|th|kn|wr|sh|un\w+ed\Z|out|under|con|com|cla|cli|doc|data)"
        r"|ough|ea(?!m)|oa|ct|(?<=[aeiou])ss(?:ed|ing|ion)"
    ),
}
_WORD = re.compile(r"[^\W\d_]+")


def reply_language_of(text: str) -> str:
    """``"de"`` or ``"en"``; empty where the text is in neither, or has no sign of one.

    >>> reply_language_of("Welcher Tarif erlaubt Single Sign-on?"), reply_language_of("Single sign-on pricing?")
    ('de', 'en')
    >>> reply_language_of("Quelle est la durée du contrat ?"), reply_language_of("ORB-4711")
    ('', '')
    """
    words = _WORD.findall(normalize("NFC", sample(text)).replace("'", "").replace("’", ""))
    points = dict.fromkeys(("de", "en", ""), 0.0)
    for index, word in enumerate(words):
        for language, said in _signs(word.lower(), named=index > 0 and word[0].isupper()):
            points[language] += said
    first = words[0].lower() if words else ""
    for language, openers in OPENERS.items():
        if first in openers and first not in _EITHER:
            points[language] += OPENING
    language, other = ("de", "en") if points["de"] > points["en"] else ("en", "de")
    return language if points[language] > max(points[other], points[""]) else ""


@cache
def _signs(word: str, *, named: bool) -> tuple[tuple[str, float], ...]:
    """What one word says for each language. With a capital it may be a name or of a title and says half; as German
    nouns have one, the shape of a German word says as much with it."""
    share = 0.5 if named else 1.0
    for language, known in EVIDENCE.items():
        if word in known:
            return ((language, KNOWN * share),)
    if word in OTHER or not OTHER_LETTERS.isdisjoint(word):
        return (("", KNOWN * share),)
    found = [("de", KNOWN * share)] if not GERMAN_LETTERS.isdisjoint(word) else []
    if _SHAPES["de"].search(word):
        found.append(("de", SHAPED))
    if _SHAPES["en"].search(word):
        found.append(("en", share))
    return tuple(found)
