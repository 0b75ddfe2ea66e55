"""Words that turn what is said: negations, modal words, words of quantity, comparatives and other opposites.

Each has a sense ``(class, side)`` in German and English alike, so that statements and quotes of either language can be
compared by them. Two senses of one class and different sides contradict each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from pincite.answer.measures import is_long_unit

Sense = tuple[str, str]
"""The class and the side in it."""

NEGATION: Sense = ("negation", "not")
MUST: Sense = ("modal", "must")
SHOULD: Sense = ("modal", "should")
MAY: Sense = ("modal", "may")
ALL: Sense = ("quantity", "all")
SOME: Sense = ("quantity", "some")
MOST: Sense = ("quantity", "most")
ONLY: Sense = ("only", "only")
ALSO: Sense = ("only", "also")
EXCEPT: Sense = ("except", "except")
ABOUT: Sense = ("about", "about")

_SENSES: Mapping[Sense, str] = {
    NEGATION: """not no never none neither nor without cannot nothing nobody nowhere nicht nie niemals ohne weder nichts
        niemand kein keine keinen keinem keiner keines keinerlei forbidden prohibited impossible unable verboten
        untersagt unmöglich unzulässig lacks lack fehlt fehlen""",
    MUST: """must shall required requires require need needs needed mandatory obligatory
        muss muß müssen musst müsste braucht benötigt zwingend erforderlich
        pflicht has-to have-to had-to needs-to need-to""",
    SHOULD: "should ought recommend recommends sollte sollten soll sollen empfohlen empfiehlt",
    MAY: """may can could might allowed permitted allows permits optional optionally possible kann können könnte könnten
        darf dürfen dürfte möglich erlaubt zulässig""",
    ALL: """all every each any always everything everyone
        alle allen aller jede jeder jedes jedem jeden immer sämtliche stets""",
    SOME: """some sometimes several certain few occasionally einige einigen manche manchen manchmal mehrere mehreren
        teilweise gelegentlich""",
    MOST: "most mostly usually often generally typically meist meistens meisten häufig oft üblicherweise gewöhnlich",
    ONLY: "only solely exclusively merely nur lediglich ausschließlich bloß",
    ALSO: "also too additionally auch ebenfalls zusätzlich",
    ABOUT: "about-by-sign",
    EXCEPT: "except unless excluding save-for apart-from außer ausgenommen sofern-nicht es-sei-denn abgesehen",
}

_PAIRS: tuple[tuple[str, str, str], ...] = (
    ("bound", "at-least minimum minimal minimally mindestens wenigstens no-less-than no-fewer-than",
     "at-most maximum maximal maximally höchstens up-to bis-zu no-more-than not-more-than"),
    ("more", "more mehr exceed exceeds exceeded above over überschreitet übersteigt oberhalb",
     "less fewer weniger below under unterhalb unterschreitet"),
    ("longer", "longer länger", "shorter kürzer"),
    ("larger", "larger bigger greater größer größere größeren", "smaller kleiner kleinere kleineren"),
    ("higher", "higher höher höhere höheren highest höchste höchsten", "lower niedriger niedrigere lowest niedrigste"),
    ("before", "before prior-to earlier vor bevor früher vorher", "after later nach nachdem später nachher danach"),
    ("faster", "faster quicker schneller", "slower langsamer"),
    ("newer", "newer newest latest neuer neuere neueste", "older oldest älter ältere älteste"),
    ("first", "first erste ersten erster erstes zuerst", "last final letzte letzten letzter letztes zuletzt"),
    ("increase", "increase increases increased raise raises raised grow grows rises erhöht erhöhen steigt steigert",
     "decrease decreases decreased reduce reduces reduced lowers shrink shrinks senkt senken sinkt verringert"),
    ("enable", "enable enables enabled activate activated aktiviert aktivieren eingeschaltet einschalten",
     "disable disables disabled deactivate deactivated deaktiviert deaktivieren ausgeschaltet abgeschaltet"),
    ("include", "include includes included including enthält einschließlich inklusive",
     "exclude excludes excluded exklusive ausgeschlossen"),
    ("accept", "accept accepts accepted akzeptiert angenommen",
     "reject rejects rejected refuse refuses refused abgelehnt"),
    ("public", "public öffentlich öffentliche", "private privat private"),
    ("internal", "internal internally inside intern interne innerhalb",
     "external externally outside extern externe außerhalb"),
    ("valid", "valid gültig gültige", "invalid ungültig ungültige"),
    ("true", "true wahr richtig", "false falsch"),
    ("open", "open opens opened opening öffnet geöffnet", "closed closes close closing schließt geschlossen"),
    ("start", "start starts started begin begins beginnt startet", "stop stops stopped ends ended endet stoppt"),
    ("same", "same identical gleich gleiche gleichen dieselbe denselben derselbe",
     "different unterschiedlich verschieden"),
    ("success", "succeed succeeds succeeded successful erfolgreich", "fail failed unsuccessful fehlgeschlagen"),
    ("encrypt", "encrypted encrypts verschlüsselt", "unencrypted decrypted decrypts unverschlüsselt entschlüsselt"),
)  # fmt: skip

_JOINED = re.compile(
    r"\b(?:(at)[ -](least|most)|(up|prior|has|have|had|needs?)[ -](to)|(bis)[ -](zu)"
    r"|(no|not)[ -](more|less|fewer)[ -](than)"
    r"|(save)[ -](for)|(apart)[ -](from)|(sofern)[ -](nicht)|(es)[ -](sei)[ -](denn))\b"
)
_EACH_UNIT = re.compile(r"\b(?:every|each|jeden?|jeder|alle)(?= (?:\d|[^\W\d_]+))")
_ONLY_THEN = re.compile(r"\bonly (?=after\b|when\b|once\b)")
_NEVER = re.compile(r"\b(?:must|shall|can) not\b")
_NOT_SHORT = re.compile(r"\b(ca|wo|sha|\w{2,7})n't\b|\b(can)not\b")
_SIGN = re.compile(r"(?<![-=])(>=|<=|[≥≤⩾⩽<>±~≈≃])\s?(?=[\d.,]*\d)|(?<=\d)\s?(\+)(?!\s?[\d+])")
_SIGNS = {
    **dict.fromkeys((">=", "≥", "⩾", "+"), "at-least"),
    **dict.fromkeys(("<=", "≤", "⩽"), "at-most"),
    **dict.fromkeys(("±", "~", "≈", "≃"), "about-by-sign"),
    ">": "more",
    "<": "less",
}
"""What stands at a number and says that it is a bound or no exact one."""
_SHORTENED = {"ca": "can not", "wo": "will not", "sha": "shall not"}
WORD = re.compile(r"[^\W_]+(?:[-'_./:@+][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Turning:
    """A word that turns the meaning: its senses, and the word or words as they stand in the flat text."""

    word: str
    senses: frozenset[Sense]


def spelled_out(flat_text: str) -> str:
    """The flat text with shortened negations and signs at numbers written out and expressions of several words joined.

    >>> spelled_out("it can't have more than at least 3"), spelled_out("cannot")
    ('it must-not have more than at-least 3', 'must-not')
    >>> spelled_out("≥15 items, 20+, x -> 3")
    ' at-least 15 items, 20 at-least , x -> 3'
    """

    def long_form(match: re.Match[str]) -> str:
        if match.group(2):
            return "can not"
        return _SHORTENED.get(match.group(1), f"{match.group(1)} not")

    text = _NOT_SHORT.sub(long_form, flat_text) if "n't" in flat_text or "cannot" in flat_text else flat_text
    text = _SIGN.sub(lambda match: f" {_SIGNS[match[1] or match[2]]} ", text)
    text = _ONLY_THEN.sub("", _NEVER.sub("must-not", text))
    text = _EACH_UNIT.sub(_per, text)
    return _JOINED.sub(lambda match: "-".join(filter(None, match.groups())), text)


def _per(match: re.Match[str]) -> str:
    """A rate ("every 60 seconds", "each minute") is no word of quantity."""
    following = WORD.match(match.string, match.end() + 1)
    rate = following is not None and (following.group()[0].isdigit() or is_long_unit(following.group()))
    return "per" if rate else match.group()


def senses_of(word: str) -> frozenset[Sense]:
    """None for an ordinary word."""
    return _table().get(word, frozenset())


def turning(flat_text: str) -> Iterator[Turning]:
    """The turning words of the flat text, in order."""
    for word in WORD.findall(spelled_out(flat_text)):
        senses = senses_of(word)
        if senses:
            yield Turning(word, senses)


def senses_in(flat_text: str) -> frozenset[Sense]:
    """All senses of the flat text."""
    return frozenset(sense for word in turning(flat_text) for sense in word.senses)


def negations(flat_text: str) -> int:
    """How often the flat text says no.

    >>> negations("a token can't be used without a scope"), negations("at most, no more than 3")
    (2, 0)
    """
    return sum(NEGATION in word.senses for word in turning(flat_text))


def opposite(sense: Sense) -> Sense | None:
    """The other side, of classes that have two."""
    return _opposites().get(sense)


@cache
def _table() -> Mapping[str, frozenset[Sense]]:
    table: dict[str, set[Sense]] = {}
    for sense, said in _SENSES.items():
        for word in said.split():
            table.setdefault(word.replace("ß", "ss"), set()).add(sense)
    for name, high, low in _PAIRS:
        for side, words in (("high", high), ("low", low)):
            for word in words.split():
                table.setdefault(word.replace("ß", "ss"), set()).add((name, side))
    for word in ("verboten", "untersagt", "unzulässig", "forbidden", "prohibited", "impossible", "unmöglich"):
        table[word].add(MAY)
    table["must-not"] = {NEGATION, ("modal", "never")}
    return {word: frozenset(senses) for word, senses in table.items()}


@cache
def _opposites() -> Mapping[Sense, Sense]:
    result: dict[Sense, Sense] = {}
    for name, _, _ in _PAIRS:
        result[name, "high"], result[name, "low"] = (name, "low"), (name, "high")
    return result
