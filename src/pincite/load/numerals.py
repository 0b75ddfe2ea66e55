"""Roman numbers and letters, as lists count with them, in lower case."""

from __future__ import annotations

MOST_ROMAN = 3999
_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc")),
    *((50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)


def roman(number: int) -> str:
    """Digits for what Roman numbers cannot say.

    >>> roman(1994), roman(0), roman(4000)
    ('mcmxciv', '0', '4000')
    """
    if not 0 < number <= MOST_ROMAN:
        return str(number)
    text = ""
    for value, letters in _ROMAN:
        count, number = divmod(number, value)
        text += letters * count
    return text


def letters(number: int) -> str:
    """After ``z`` comes ``aa``; digits for what is below 1.

    >>> letters(26), letters(28), letters(0)
    ('z', 'ab', '0')
    """
    if number < 1:
        return str(number)
    text = ""
    while number > 0:
        number, index = divmod(number - 1, 26)
        text = chr(ord("a") + index) + text
    return text
