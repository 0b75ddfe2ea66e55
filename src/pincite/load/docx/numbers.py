"""Numbers as lists write them: 7, 07, vii, VII, g, G, 7th, ⑦, 七."""

from __future__ import annotations

from collections.abc import Callable

from pincite.load.numerals import roman

_MOST_LETTERS = 780
_KANJI = "〇一二三四五六七八九"
_CYRILLIC = "абвгдежзиклмнопрстуфхцчшщыэюя"
_LATIN = "abcdefghijklmnopqrstuvwxyz"


def number_text(number: int, style: str) -> str:
    """The number in one of the formats of ``w:numFmt``; a format that is not known is written as decimal.

    >>> [number_text(28, style) for style in ("lowerRoman", "upperLetter", "decimalZero", "japaneseCounting", "x")]
    ['xxviii', 'BB', '28', '二十八', '28']
    """
    return _FORMATS.get(style, str)(number)


def _letters(number: int, alphabet: str) -> str:
    """After the last letter they are doubled, then tripled: z, aa, bb."""
    if not 0 < number <= _MOST_LETTERS:
        return str(number)
    times, index = divmod(number - 1, len(alphabet))
    return alphabet[index] * (times + 1)


def _ordinal(number: int) -> str:
    teens = number % 100 in (11, 12, 13)
    return f"{number}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def _circled(number: int) -> str:
    return chr(0x2460 + number - 1) if 0 < number <= 20 else str(number)


def _kanji(number: int) -> str:
    if not 0 < number < 100:
        return str(number)
    tens, ones = divmod(number, 10)
    return ("" if tens < 2 else _KANJI[tens]) + ("十" if tens else "") + (_KANJI[ones] if ones else "")


_FORMATS: dict[str, Callable[[int], str]] = {
    "none": lambda _: "",
    "bullet": lambda _: "",
    "decimalZero": lambda number: f"{number:02d}",
    "lowerRoman": roman,
    "upperRoman": lambda number: roman(number).upper(),
    "lowerLetter": lambda number: _letters(number, _LATIN),
    "upperLetter": lambda number: _letters(number, _LATIN).upper(),
    "russianLower": lambda number: _letters(number, _CYRILLIC),
    "russianUpper": lambda number: _letters(number, _CYRILLIC).upper(),
    "ordinal": _ordinal,
    "decimalEnclosedCircle": _circled,
    "decimalEnclosedCircleChinese": _circled,
    "chineseCounting": _kanji,
    "chineseCountingThousand": _kanji,
    "japaneseCounting": _kanji,
    "ideographDigital": _kanji,
    "taiwaneseCounting": _kanji,
    "taiwaneseCountingThousand": _kanji,
}
