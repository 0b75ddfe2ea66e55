"""Facts in a text that must not differ between a statement and its quote: numbers, quantities with a unit, dates, times
of day, versions, identifiers and names. German and English."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from typing import Literal

from pincite.answer.measures import SCALES, Unit, is_long_unit, number_word, unit_of, unit_pattern

Kind = Literal["number", "date", "time", "version", "identifier", "name"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """``text`` stands at ``[start, end)``. ``numbers`` has the number as it may be read ("1.000" in a text of unknown
    language is 1 or 1000), ``values`` the same in the base unit of ``dimension``. A ``weak`` fact ("an hour") supports
    others and needs no support. ``date`` is year, month, day, 0 where it is not said."""

    kind: Kind
    text: str
    start: int
    end: int
    numbers: frozenset[Decimal] = frozenset()
    values: frozenset[Decimal] = frozenset()
    dimension: str = ""
    dates: frozenset[tuple[int, int, int]] = frozenset()
    version: tuple[int, ...] = ()
    unit: Unit | None = None
    weak: bool = field(default=False, compare=False)


_MONTHS = {
    name: month
    for month, names in enumerate(
        ("january januar jänner jan", "february februar feb", "march märz mar mär", "april apr", "may mai",
         "june juni jun", "july juli jul", "august aug", "september sep sept", "october oktober oct okt",
         "november nov", "december dezember dec dez"), start=1
    )
    for name in names.split()
}  # fmt: skip
_WEEKDAYS = {
    name: day
    for day, names in enumerate(
        ("monday montag mondays montags", "tuesday dienstag tuesdays dienstags",
         "wednesday mittwoch wednesdays mittwochs", "thursday donnerstag thursdays donnerstags",
         "friday freitag fridays freitags",
         "saturday samstag saturdays samstags sonnabend", "sunday sonntag sundays sonntags"), start=1
    )
    for name in names.split()
}  # fmt: skip
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_NUMBER = r"\d{1,3}(?:[.,’'\u00a0\u202f\u2009]\d{3})+(?:[.,]\d{1,30})?(?!\d)|\d{1,60}(?:[.,]\d{1,60})?"
_CURRENCY = r"€|\$|£|EUR|USD|GBP|CHF"
_VERSION_WORDS = frozenset(["version", "versions", "versionen", "release", "releases", "v", "python"])
_NO_NAMES = frozenset(
    ["i", "ok", "yes", "no", "ja", "nein", "not", "must", "may", "note", "hinweis", "ad", "bc", "v", "ca"]
)
_ONE = frozenset(["one", "single", "einzige", "einzigen", "einziger", "einziges"])
_ARTICLES = frozenset(
    [
        "a",
        "an",
        "per",
        "ein",
        "eine",
        "einen",
        "einem",
        "einer",
        "eines",
        "pro",
        "je",
        "every",
        "each",
        "jede",
        "jeden",
        "jeder",
    ]
)


@cache
def _dates_pattern() -> re.Pattern[str]:
    return re.compile(
        rf"""(?<![\w.,/-])(?:
            (?P<y1>\d{{4}})-(?P<m1>\d\d)(?:-(?P<d1>\d\d))?(?![\w-]|\.\d)(?!T\d)
          | (?P<y6>\d{{4}})-(?P<m6>\d\d)-(?P<d6>\d\d)(?=T\d)
          | (?P<d2>\d{{1,2}})\.\s?(?P<m2>\d{{1,2}})\.\s?(?P<y2>\d{{4}})(?!\w)
          | (?P<a>\d{{1,2}})/(?P<b>\d{{1,2}})/(?P<y3>\d{{4}})(?!\w)
          | (?P<d4>\d{{1,2}})(?:\.|st|nd|rd|th)?\s+(?:of\s+)?(?P<m4>{_MONTH})\b\.?,?(?:\s+(?P<y4>\d{{4}})(?!\w))?
          | (?P<m5>{_MONTH})\.?\s+(?:(?P<d5>\d{{1,2}})(?:st|nd|rd|th)?(?![\w.:]\d|\w)(?:,?\s+(?P<y5>\d{{4}})(?!\w))?
          | (?P<y7>\d{{4}})(?!\w))
        )""",
        re.IGNORECASE | re.VERBOSE,
    )


@cache
def _times_pattern() -> re.Pattern[str]:
    return re.compile(
        r"(?<![\w:.,-])(?:(?P<h>\d{1,2}):(?P<m>\d{2})(?::\d{2})?(?![\w:]\d)(?:\s?(?P<half>[ap]\.?m\b)|\s?Uhr\b)?"
        r"|(?P<h2>\d{1,2})\s?(?:(?P<half2>[ap]\.?m\b)|Uhr\b))",
        re.IGNORECASE,
    )


@cache
def _numbers_pattern() -> re.Pattern[str]:
    written = {form for word in SCALES for form in (word, word.capitalize())}
    scales = "|".join(sorted(written, key=lambda word: (-len(word), word)))
    return re.compile(
        rf"(?P<currency>{_CURRENCY})?(?P<gap>\s)?(?<![\w])(?<!\d[.,])(?P<sign>(?<![\w)])[-−](?=\d))?(?P<number>{_NUMBER})"
        rf"(?P<ordinal>(?:st|nd|rd|th)\b)?"
        rf"(?:[\s-]?(?P<scale>{scales})\b\.?)?"
        rf"(?:[\s\u00a0\u202f]?-?\s?(?P<unit>percentage[ ]points?|{unit_pattern()})(?!\w))?"
        rf"(?:-?(?P<times>fold|fach|mal|times|x)\b)?",
    )


_TOKEN = re.compile(r"/?[^\W_][\w]*(?:[-./:@+#][\w]+)*|/\w+(?:[-./:@+]\w+)*")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_DOTTED = re.compile(r"[vV]?(\d{1,9}(?:\.\d{1,9})+)")
_GROUPED = re.compile(r"[1-9]\d{0,2}(?:[.,]\d{3})+")
_SENTENCE_START = re.compile(r"(?:^|[.!?:;•|\n(\"'“„»–—-])\s*[\"'“„»(*_`]*$")


def facts_of(text: str, language: str = "") -> list[Fact]:
    """The facts in order of their place, never overlapping but for names. ``language`` (de, en or none) says how a
    number is written and whether a capital letter makes a name.

    >>> [fact.text for fact in facts_of("ORB-1410 comes 15 minutes later, on 1 March 2025, in Orbit 3.0", "en")]
    ['ORB-1410', '15 minutes', '1 March 2025', 'Orbit', '3.0']
    """
    facts: list[Fact] = []
    taken = bytearray(len(text))

    def take(found: Iterator[Fact]) -> None:
        for fact in found:
            if not any(taken[fact.start : fact.end]):
                facts.append(fact)
                taken[fact.start : fact.end] = b"\1" * (fact.end - fact.start)

    take(_dates(text))
    take(_times(text))
    take(_identifiers(text))
    take(_numbers(text, language))
    take(_number_words(text))
    take(_names(text, language))
    return sorted(facts, key=lambda fact: (fact.start, fact.end))


def _dates(text: str) -> Iterator[Fact]:
    for match in _dates_pattern().finditer(text):
        found = {name: value for name, value in match.groupdict().items() if value}
        if "a" in found:
            first, second, year = int(found["a"]), int(found["b"]), int(found["y3"])
            dates = {(year, second, first), (year, first, second)}
        else:
            get = {name[0]: value for name, value in found.items()}
            month = get["m"].lower()
            number = _MONTHS[month] if month in _MONTHS else int(month)
            dates = {(int(get.get("y", 0)), number, int(get.get("d", 0)))}
        dates = {date for date in dates if 1 <= date[1] <= 12 and date[2] <= 31}
        if dates:
            yield Fact(
                kind="date",
                text=match.group().rstrip(" ,"),
                start=match.start(),
                end=match.end(),
                dates=frozenset(dates),
            )


def _times(text: str) -> Iterator[Fact]:
    for match in _times_pattern().finditer(text):
        hour = int(match["h"] or match["h2"])
        minute = int(match["m"] or 0)
        half = (match["half"] or match["half2"] or "").lower()
        if hour > 24 or minute > 59:
            continue
        if half:
            hour = hour % 12 + (12 if half.startswith("p") else 0)
        value = frozenset({Decimal(60 * hour + minute)})
        yield Fact(kind="time", text=match.group(), start=match.start(), end=match.end(), values=value)


def _identifiers(text: str) -> Iterator[Fact]:
    for match in _TOKEN.finditer(text):
        token = match.group()
        end = match.end()
        version = _DOTTED.fullmatch(token)
        if version and (
            token[0] in "vV"
            or (version[1].count(".") > 1 and not _GROUPED.fullmatch(token))
            or _after_version_word(text, match.start())
        ):
            yield Fact(
                kind="version", text=token, start=match.start(), end=end, version=_version(version[1]),
                numbers=_as_number(version[1]),
            )  # fmt: skip
        elif token.isdecimal() and len(token) < 10 and _said_version(text, match.start()):
            yield Fact(
                kind="version", text=token, start=match.start(), end=end, version=_version(token),
                numbers=frozenset({Decimal(token)}),
            )  # fmt: skip
        elif _is_identifier(token):
            yield Fact(kind="identifier", text=token, start=match.start(), end=end)


def _version(text: str) -> tuple[int, ...]:
    parts = [int(part) for part in text.split(".")]
    while len(parts) > 1 and parts[-1] == 0:
        parts.pop()
    return tuple(parts)


def _as_number(text: str) -> frozenset[Decimal]:
    return frozenset({Decimal(text)}) if text.count(".") == 1 else frozenset()


def _after_version_word(text: str, start: int) -> bool:
    before = text[max(0, start - 40) : start].rstrip()
    word = re.search(r"[^\W\d_]+$", before)
    if word is None or len(before) == len(text[max(0, start - 40) : start]):
        return False
    said = word.group()
    return said.lower() in _VERSION_WORDS or (
        said[0].isupper() and not is_long_unit(said) and not _SENTENCE_START.search(before[: word.start()])
    )


def _said_version(text: str, start: int) -> bool:
    return re.search(r"\b(?:version|versions|release)\s$", text[max(0, start - 12) : start], re.IGNORECASE) is not None


def _is_identifier(token: str) -> bool:
    letters = any(character.isalpha() for character in token)
    digits = any(character.isdigit() for character in token)
    if letters and digits:
        return not _is_quantity(token)
    if not letters and not all(character.isdecimal() for character in token if character.isalnum()):
        return True  # "15½", "15²": what no reading of the digits says
    if digits and re.search(r"\d_+\d", token):
        return True
    if not letters or unit_of(token):
        return False
    inner = token.strip("_")
    return (
        "_" in inner
        or token.startswith("/")
        or "@" in token
        or "#" in token
        or re.search(r"[a-z][A-Z]", token) is not None
        or re.search(r"[^\W_]{2}[.:][^\W_]{2}", token) is not None
    )


@cache
def _quantity_token() -> re.Pattern[str]:
    return re.compile(
        rf"(?:{_CURRENCY})?(?:{_NUMBER})(?:st|nd|rd|th|-?(?:{unit_pattern()}|fold|fach|mal|times|x))?"
        rf"|(?:{_NUMBER})-[^\W\d_]{{3,}}(?:-[^\W\d_]+)*"
    )


def _is_quantity(token: str) -> bool:
    return _quantity_token().fullmatch(token) is not None


def _numbers(text: str, language: str) -> Iterator[Fact]:
    for match in _numbers_pattern().finditer(text):
        said = match["number"]
        numbers = _readings(said, language)
        factor = SCALES[match["scale"].lower()] if match["scale"] else 1
        sign = -1 if match["sign"] else 1
        numbers = frozenset(sign * factor * number for number in numbers)
        unit = _unit(match["unit"]) or (_unit(match["currency"]))
        start = match.start("currency") if match["currency"] else match.start("sign" if match["sign"] else "number")
        yield _quantity(match.group()[start - match.start() :].strip(), start, match.end(), numbers, unit)


def _unit(word: str | None) -> Unit | None:
    return unit_of("-".join(word.split())) if word else None


def _quantity(
    text: str, start: int, end: int, numbers: frozenset[Decimal], unit: Unit | None, *, weak: bool = False
) -> Fact:
    values = frozenset(number * factor for number in numbers for factor in unit.factors) if unit else numbers
    return Fact(
        kind="number",
        text=text,
        start=start,
        end=end,
        numbers=numbers,
        values=values,
        dimension=unit.dimension if unit else "",
        unit=unit,
        version=_version(text) if re.fullmatch(r"\d{1,9}(\.\d{1,9})*", text) else (),
        weak=weak,
    )


def _readings(said: str, language: str) -> frozenset[Decimal]:
    """How the digits can be read: which of point and comma parts thousands depends on the language.

    >>> sorted(_readings("1.000", "")), sorted(_readings("1.000", "de")), sorted(_readings("2,5", "en"))
    ([Decimal('1.000'), Decimal('1000')], [Decimal('1000')], [Decimal('2.5')])
    """
    plain = re.sub(r"[’'\u00a0\u202f\u2009]", "", said)
    marks = [character for character in plain if character in ".,"]
    if not marks:
        return frozenset({Decimal(plain)})
    last = marks[-1]
    whole = plain.replace(".", "").replace(",", "")
    if len(set(marks)) == 2 or (len(marks) > 1 and not _GROUPED.fullmatch(plain)):
        head, tail = plain.rsplit(last, 1)
        return frozenset({Decimal(head.replace(".", "").replace(",", "") + "." + tail)})
    if not _GROUPED.fullmatch(plain):
        return frozenset({Decimal(plain.replace(",", "."))})
    if len(marks) > 1 or language == {",": "en", ".": "de"}[last]:
        return frozenset({Decimal(whole)})
    fraction = Decimal(plain.replace(",", "."))
    if language == {".": "en", ",": "de"}[last]:
        return frozenset({fraction})
    return frozenset({fraction, Decimal(whole)})


def _number_words(text: str) -> Iterator[Fact]:
    """Numbers as words: "fifteen", "two hundred", "zwölf Monate", "an hour"."""
    words = list(_WORD.finditer(text))
    index = 0
    while index < len(words):
        match = words[index]
        said = match.group().lower()
        following = words[index + 1] if index + 1 < len(words) else None
        near = following is not None and text[match.end() : following.start()].strip(" -") == ""
        head, _, tail = said.partition("-")
        value = number_word(said)
        unit, end = None, match.end()
        if value is None and tail:
            value, unit = number_word(head), unit_of(tail.rpartition("-")[2])
        weak = value == 1 or value is None
        article = value is None and said in _ARTICLES
        if value is None and (head in _ONE or article):
            value = 1
        if value is None or (article and not (near and following and is_long_unit(following.group()))):
            index += 1
            continue
        while not weak and near and following is not None and following.group().lower() in SCALES:
            value, end, index = value * SCALES[following.group().lower()], following.end(), index + 1
            following = words[index + 1] if index + 1 < len(words) else None
            near = following is not None and text[end : following.start()].strip(" -") == ""
        if unit is None and near and following is not None and is_long_unit(following.group()):
            unit, end = unit_of(following.group()), following.end()
        number = Decimal(value) / 2 if article and words[index - 1].group().lower() == "half" else Decimal(value)
        rate = said in ("per", "pro", "je", "every", "each", "jede", "jeden", "jeder")
        yield _quantity(
            text[match.start() : end],
            match.start(),
            end,
            frozenset({number}),
            unit,
            weak=rate or (weak and unit is None),
        )
        index += 1


def _names(text: str, language: str) -> Iterator[Fact]:
    """Words in capitals; in English also those with a capital letter inside a sentence; months and days of the week."""
    for match in _WORD.finditer(text):
        word = match.group()
        lower = word.lower()
        start, end = match.span()
        if lower in _WEEKDAYS and word[0].isupper():
            day = frozenset({Decimal(_WEEKDAYS[lower])})
            yield Fact(kind="name", text=word, start=start, end=end, values=day, dimension="weekday")
        elif lower in _MONTHS and word[0].isupper() and len(word) > 3 and lower not in ("may", "mai", "march"):
            yield Fact(kind="date", text=word, start=start, end=end, dates=frozenset({(0, _MONTHS[lower], 0)}))
        elif len(word) > 1 and lower not in _NO_NAMES and _is_name(word, text, start, language):
            yield Fact(kind="name", text=word, start=start, end=end)


def _is_name(word: str, text: str, start: int, language: str) -> bool:
    if word.isupper() and not text.isupper():
        return True
    if language != "en" or not word[0].isupper():
        return False
    return not _SENTENCE_START.search(text[max(0, start - 12) : start])
