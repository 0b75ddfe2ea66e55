"""What a question asks about: its parts, their words, and what each word is worth."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pincite.ports import Analyser
from pincite.text.stopwords import words_of

QUESTION_WORDS = words_of(
    """
    good many much long often far soon fast early late quickly big large high mean means meant happen happens happened
    need want possible please tell get gets got give gives say says do does work works use used using called know
    find out may viele viel lange oft weit schnell groß hoch früh spät passiert geschieht bedeutet bedeuten heißt
    heißen bitte geht gehen geben gibt brauche braucht brauchen bekomme bekommt bekommen tun macht mache mal denn
    eigentlich darf dürfen compare compared difference differ vergleiche vergleichen unterschied unterscheiden
    unterscheidet
    """
)
"""Words that say what kind of answer is wanted, or nothing: they need not stand in it."""

NUMBERED = words_of("version release step page chapter section level class seite kapitel stufe klasse schritt")
"""A number behind one of these, or behind a name, tells which thing is meant."""

INHERITED_WEIGHT = 0.5
"""What a word of the part before is worth in a part that is too short to stand alone."""
SHORT_PART_WORDS = 3

_TOKEN = re.compile(r"[^\s,;!?()\[\]{}\"“”„«»…]+")
_BORDER = re.compile(r"[.!?;:](?=\s|$)|,(?=\s)|\b(?:and|or|und|oder|sowie)\b", re.IGNORECASE)
_SUBORDINATE = re.compile(
    r"\s*(?:if|when|while|because|since|unless|although|though|after|before|until|once|that|who|whose|wenn|falls|weil"
    r"|da|dass|ob|obwohl|während|nachdem|bevor|sobald|solange|damit|der|die|das|den|dem|deren|dessen)\b",
    re.IGNORECASE,
)
"""What begins a clause that tells about the one beside it; after a comma *der*, *die* and *das* do."""
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_AMOUNT_ASKED = re.compile(
    r"\b(?:how (?:many|much|often|far|big|large)|what (?:percentage|share|number)"
    r"|wie ?(?:viele?|oft|weit|hoch|groß))\b",
    re.IGNORECASE,
)
_PRICE_ASKED = re.compile(
    r"\b(?:prices?|preise?|(?:what|how much|was|wie ?(?:viel|hoch)|welche[rnsm]?)\b.*\b(?:costs?|kosten|kostet|fees?"
    r"|salar(?:y|ies)|wages?|discounts?|gebühr(?:en)?|geh[aä]lt(?:er)?|l[oö]hne?|mindestlohn|rabatte?))\b",
    re.IGNORECASE,
)
_TIME_ASKED = re.compile(
    r"\b(?:how (?:long|old|fast|soon|quickly|early|late)|wie ?(?:lange|schnell|alt|früh|spät)"
    r"|(?:how many|wie ?viele) (?:seconds|minutes|hours|days|weeks|months|years|sekunden|minuten|stunden|tagen?|wochen"
    r"|monaten?|jahren?)|(?:what|which|welche[rsnm]?|was) (?:(?:is|are|was|were|ist|sind|war|waren) (?:the|its|their"
    r"|der|die|das) (?:\w+ )?)?(?:time|period|intervals?|lifetimes?|durations?|deadline|zeit|zeitraum|abstand|abständen"
    r"|frist|dauer|lebensdauer|laufzeit|gültigkeitsdauer))\b",
    re.IGNORECASE,
)
_ASKED_FOR = re.compile(
    r"\b(?:which|what(?: is| are| was| were)?(?: the)?|welche[rsnm]?|was (?:ist|sind) (?:der|die|das))\s+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Word:
    """One word of the question. ``terms`` are what the analyser looks up for it, the whole first; ``label`` marks
    codes and numbers that name a thing (ORB-1410, version 2), for which nothing else can stand."""

    text: str
    terms: tuple[str, ...]
    label: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of the question that may have an answer of its own, its words with what each is worth.

    ``amount``: it asks how many or what price; ``price``: what price; ``time``: how long or how soon. ``asked``: the
    words behind *which* or *what is the*, which name the thing that is asked for. ``named``: the labels, where other
    parts have other ones (version 2 and version 3).
    """

    text: str
    words: Mapping[Word, float]
    amount: bool = False
    price: bool = False
    time: bool = False
    asked: tuple[Word, ...] = ()
    named: tuple[Word, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """The whole as one part, and its parts where there are several."""

    whole: Part
    parts: tuple[Part, ...]

    @property
    def words(self) -> list[Word]:
        return list(self.whole.words)


def read_question(text: str, analyser: Analyser, language: str) -> Question:
    """The question cut at the ends of sentences and clauses and at *and* and *or*.

    A sentence that asks nothing, beside one that does, tells about the circumstances: its words belong to the whole
    and are no part. A part that is too short to stand alone takes over the words of the part before, and what it asks
    where only the label changes.
    """
    strong = set(analyser.query_terms(text, language))
    whole = _part(text, _words(text, analyser, language, strong), None)
    told = [sentence for sentence in _SENTENCE_END.split(text.strip()) if sentence]
    asking = [sentence for sentence in told if sentence.endswith("?")] or told
    parts: list[Part] = []
    for sentence in asking:
        before: Part | None = None
        for stretch in _clauses(sentence):
            words = _words(stretch, analyser, language, strong)
            if words:
                before = _part(stretch, words, before)
                parts.append(before)
    if len(parts) < 2:
        return Question(whole, ())
    labels = [tuple(word for word in part.words if word.label) for part in parts]
    if len({names for names in labels if names}) > 1:
        parts = [replace(part, named=names) for part, names in zip(parts, labels, strict=True)]
    return Question(whole, tuple(parts))


def _clauses(sentence: str) -> list[str]:
    """The clauses; a subordinate one stays with the clause before it, or, where it comes first, with the one after.

    >>> _clauses("What helps, if it stops, and who does it?")
    ['What helps, if it stops', ' who does it']
    >>> _clauses("If it stops, what helps? Or who?")
    ['If it stops, what helps', ' who']
    """
    clauses: list[str] = []
    start = 0
    open_clause = bool(_SUBORDINATE.match(sentence))
    for border in _BORDER.finditer(sentence):
        comma = border.group() == ","
        if comma and (open_clause or _SUBORDINATE.match(sentence, border.end())):
            open_clause = False
            continue
        clauses.append(sentence[start : border.start()])
        start = border.end()
        open_clause = False
    return [clause for clause in (*clauses, sentence[start:]) if clause.strip()]


def _part(text: str, words: Sequence[Word], before: Part | None) -> Part:
    part = Part(
        text.strip(),
        dict.fromkeys(words, 1.0),
        amount=bool(_AMOUNT_ASKED.search(text) or _PRICE_ASKED.search(text)),
        price=bool(_PRICE_ASKED.search(text)),
        time=bool(_TIME_ASKED.search(text)),
        asked=_asked_for(text, words),
    )
    if before is None or len(words) >= SHORT_PART_WORDS:
        return part
    if not (any(word.label for word in words) and any(word.label for word in before.words)):
        inherited = {word: INHERITED_WEIGHT for word in before.words if word not in part.words}
        return replace(part, words={**part.words, **inherited})
    # Only the version is another one: the same is asked of it.
    repeated = {word: weight for word, weight in before.words.items() if not word.label and word not in part.words}
    return replace(
        before, text=f"{before.text} {part.text}", words={**part.words, **repeated}, asked=part.asked or before.asked
    )


def _words(text: str, analyser: Analyser, language: str, strong: set[str]) -> list[Word]:
    words = []
    previous = ""
    for match in _TOKEN.finditer(text):
        token = match.group().strip(".:'’‘`*_-–/")
        terms = tuple(analyser.query_terms(token, language))
        if terms and not strong.isdisjoint(terms) and token.casefold() not in QUESTION_WORDS:
            words.append(Word(token, terms, _is_label(token, previous)))
        previous = token
    return list(dict.fromkeys(words))


def _is_label(token: str, previous: str) -> bool:
    if not any(character.isdigit() for character in token):
        return False
    if any(character.isalpha() for character in token):
        return True
    return bool(previous) and (previous[0].isupper() or previous.casefold() in NUMBERED)


def _asked_for(text: str, words: Sequence[Word]) -> tuple[Word, ...]:
    """The first two words of the noun phrase behind *which* or *what is the*; none behind "what time" and the like."""
    asking = _ASKED_FOR.search(text)
    if not asking or _TIME_ASKED.match(text, asking.start()):
        return ()
    by_text = {word.text: word for word in words}
    found: list[Word] = []
    for match in _TOKEN.finditer(text, asking.end()):
        word = by_text.get(match.group())
        if word is None or len(found) == 2:
            break
        found.append(word)
    return tuple(found)


def weights_of(words: Sequence[Word], chunks: int, frequencies: Mapping[str, int]) -> dict[Word, float]:
    """How rare each word is among the passages, by the more frequent of its form and its stem.

    ``log(1 + (chunks + 10) / (frequency + 1))``: an inverse document frequency that is level in a small collection,
    where counts say nothing. A label is worth no less than the mean of the words.
    """
    weights = {
        word: math.log(1 + (chunks + 10) / (1 + max((frequencies.get(term, 0) for term in word.terms[:2]), default=0)))
        for word in words
    }
    mean = sum(weights.values()) / max(len(weights), 1)
    return {word: max(weight, mean) if word.label else weight for word, weight in weights.items()}
