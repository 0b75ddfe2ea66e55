"""Units of measurement and numbers written as words, German and English."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache


@dataclass(frozen=True, slots=True)
class Unit:
    """What is measured, and how many of its base unit one of these is. Two factors where usage is divided: a kilobyte
    has 1000 bytes or 1024."""

    dimension: str
    factors: tuple[Decimal, ...]


_WORDS: Mapping[str, str] = {
    "time 0.001": "ms msec millisecond milliseconds Millisekunde Millisekunden",
    "time 1": "s sec secs second seconds Sekunde Sekunden Sek sekündig sekündige sekündigen",
    "time 60": "min mins minute minutes Minute Minuten minütig minütige minütigen minütiger",
    "time 3600": "h hr hrs hour hours Stunde Stunden Std stündig stündige stündigen hourly stündlich",
    "time 86400": "d day days Tag Tage Tagen tägig tägige tägigen tägiger daily täglich",
    "time 604800": "week weeks Woche Wochen wöchig wöchige wöchigen weekly wöchentlich",
    "month 1": "month months Monat Monate Monaten Monats monatig monatige monatigen monthly monatlich",
    "month 3": "quarter-year Quartal Quartale quarterly quartalsweise",
    "month 12": "year years yr yrs Jahr Jahre Jahren Jahres jährig jährige jährigen annual yearly annually jährlich",
    "bytes 1": "B byte bytes Byte Bytes",
    "bytes 1024": "KiB kibibyte kibibytes",
    "bytes 1048576": "MiB mebibyte mebibytes",
    "bytes 1073741824": "GiB gibibyte gibibytes",
    "bytes 1099511627776": "TiB",
    "bytes 1000|1024": "KB kB kilobyte kilobytes Kilobyte",
    "bytes 1000000|1048576": "MB megabyte megabytes Megabyte",
    "bytes 1000000000|1073741824": "GB gigabyte gigabytes Gigabyte",
    "bytes 1000000000000|1099511627776": "TB terabyte terabytes Terabyte",
    "bits 1": "bit bits Bit Bits",
    "bits 1000": "kbit Kbit kilobit",
    "bits 1000000": "Mbit megabit megabits",
    "bits 1000000000": "Gbit gigabit gigabits",
    "length 0.001": "mm millimetre millimetres millimeter millimeters",
    "length 0.01": "cm centimetre centimetres centimeter centimeters Zentimeter",
    "length 1": "m metre metres meter meters Metern",
    "length 1000": "km kilometre kilometres kilometer kilometers Kilometern",
    "length 0.3048": "ft feet foot Fuß",
    "length 1609.344": "mile miles Meile Meilen",
    "length 0.9144": "yard yards",
    "mass 0.001": "mg milligram milligrams Milligramm",
    "mass 1": "g gram grams Gramm",
    "mass 1000": "kg kilogram kilograms Kilogramm",
    "mass 1000000": "tonne tonnes Tonne Tonnen",
    "percent 1": "% percent Prozent",
    "points 1": "percentage-points percentage-point Prozentpunkte Prozentpunkten",
    "permille 1": "‰",
    "EUR 1": "€ EUR Euro euro Euros euros",
    "EUR 0.01": "cent cents Cent",
    "USD 1": "$ USD US-Dollar dollar dollars Dollar",
    "GBP 1": "£ GBP pound pounds Pfund",
    "CHF 1": "CHF Franken franc francs",
    "frequency 1": "Hz hertz Hertz",
    "frequency 1000": "kHz kilohertz",
    "frequency 1000000": "MHz megahertz",
    "frequency 1000000000": "GHz gigahertz",
    "celsius 1": "°C",
    "fahrenheit 1": "°F",
    "voltage 1": "V volt volts Volt",
    "voltage 0.001": "mV",
    "current 1": "A ampere amperes Ampere",
    "current 0.001": "mA",
    "power 0.001": "mW",
    "power 1": "W watt watts Watt",
    "power 1000": "kW kilowatt kilowatts",
    "energy 1": "Wh",
    "energy 1000": "kWh",
    "pixels 1": "px pixel pixels Pixel",
}

_EXACT = frozenset(["s", "h", "d", "B", "m", "g", "A", "V", "W"])
"""Signs of one letter count only as they are written and only right behind a number."""

_ONES = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17,
    "eighteen": 18, "nineteen": 19, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8,
    "neun": 9, "zehn": 10, "elf": 11, "zwölf": 12, "dreizehn": 13, "vierzehn": 14, "fünfzehn": 15, "sechzehn": 16,
    "siebzehn": 17, "achtzehn": 18, "neunzehn": 19,
}  # fmt: skip
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
    "zwanzig": 20, "dreissig": 30, "vierzig": 40, "fünfzig": 50, "sechzig": 60, "siebzig": 70, "achtzig": 80,
    "neunzig": 90,
}  # fmt: skip
_GERMAN_ONES = {"ein": 1, "eine": 1, **{word: value for word, value in _ONES.items() if 1 < value < 13}}
SCALES = {
    "hundred": 100, "thousand": 1000, "million": 10**6, "millions": 10**6, "billion": 10**9, "billions": 10**9,
    "hundert": 100, "tausend": 1000, "millionen": 10**6, "mio": 10**6, "milliarde": 10**9, "milliarden": 10**9,
    "mrd": 10**9, "dozen": 12, "dutzend": 12,
}  # fmt: skip
LONGEST_NUMBER_WORD = 60
"""A longer word is no number, and hostile ones would be taken apart for long."""
_TIMES = ("mal", "fach", "fache", "fold")
TIMES_WORDS = {"twice": 2, "doppelt": 2, "doppelte": 2, "double": 2, "thrice": 3, "triple": 3}


@cache
def units() -> Mapping[str, Unit]:
    """By the word or sign as written; words also in small letters."""
    table: dict[str, Unit] = {}
    for key, words in _WORDS.items():
        dimension, factors = key.split()
        unit = Unit(dimension, tuple(Decimal(factor) for factor in factors.split("|")))
        for word in words.split():
            table[word] = unit
            if len(word) > 3 and word.isalpha():
                table[word.lower()] = table[word.capitalize()] = unit
    return table


def unit_of(word: str) -> Unit | None:
    """The unit of that name or sign.

    >>> unit_of("Stunden") == unit_of("hours"), unit_of("cursors")
    (True, None)
    """
    return units().get(word)


@cache
def unit_pattern() -> str:
    """Matches a unit right behind a number, the longest first."""
    return "|".join(re.escape(word) for word in sorted(units(), key=lambda word: (-len(word), word)))


def is_long_unit(word: str) -> bool:
    """Whether the word is that of a unit wherever it stands, not only behind a number."""
    return word not in _EXACT and len(word) > 2 and word in units()


def number_word(word: str) -> int | None:
    """The value of a number written as one word; in small letters.

    >>> [number_word(word) for word in ("fifteen", "twenty-five", "fünfundzwanzig", "zweitausend", "zwölfmal", "wort")]
    [15, 25, 25, 2000, 12, None]
    """
    word = word.replace("ß", "ss")
    if len(word) > LONGEST_NUMBER_WORD:
        return None
    if word in TIMES_WORDS:
        return TIMES_WORDS[word]
    for ending in _TIMES:
        stem = word.removesuffix(ending).rstrip("-")
        if stem != word and stem not in ("", "ein", "eine"):
            return _plain_number(stem)
    return _plain_number(word)


def _plain_number(word: str) -> int | None:
    if word in _ONES:
        return _ONES[word]
    if word in _TENS:
        return _TENS[word]
    tens, _, one = word.partition("-")
    if tens in _TENS and one in _ONES and 0 < _ONES[one] < 10:
        return _TENS[tens] + _ONES[one]
    one, joint, tens = word.partition("und")
    if joint and one in _GERMAN_ONES and tens in _TENS:
        return _TENS[tens] + _GERMAN_ONES[one]
    return _with_scale(word)


def _with_scale(word: str) -> int | None:
    """German writes hundreds and thousands in one word."""
    for scale in ("tausend", "hundert"):
        head, found, tail = word.partition(scale)
        if not found:
            continue
        many = 1 if head in ("", "ein") else _plain_number(head)
        rest = 0 if not tail else _plain_number(tail.removeprefix("und"))
        if many is None or rest is None:
            return None
        return many * SCALES[scale] + rest
    return None
