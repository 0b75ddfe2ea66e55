"""Lists: which marker an item has, and how far a list is read."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NUMBER = re.compile(r"\s*([+-]?\d{1,9})")
_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl")),
    *((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)


@dataclass(slots=True)
class Numbering:
    """Counts the items of one list; ``style`` is the ``type`` of an ordered list, empty for any other list."""

    style: str = ""
    number: int = 1
    step: int = 1

    def marker(self, value: str | None = None) -> str:
        """The marker of the next item; ``value`` is the number that the item itself gives.

        >>> letters = Numbering("a", 26)
        >>> letters.marker(), letters.marker(), Numbering("I").marker("9"), Numbering().marker()
        ('z.', 'aa.', 'IX.', '-')
        """
        if not self.style:
            return "-"
        if match := _NUMBER.match(value or ""):
            self.number = int(match[1])
        number = self.number
        self.number += self.step
        return f"{_written(number, self.style)}."


@dataclass(slots=True)
class OpenList:
    """A list that is read. ``item`` says whether an item is open, ``ended`` whether its element has ended: what follows
    before the next item still belongs to it. ``defined`` is for lists of definitions: whether the item has one. The
    items of a list of ``notes`` are notes and no items."""

    numbering: Numbering
    notes: bool = False
    item: bool = False
    ended: bool = False
    defined: bool = False


def numbering(attributes: dict[str, str | None], items: int) -> Numbering:
    """Of an ordered list with that many items."""
    style = attributes.get("type") or "1"
    start = _NUMBER.match(attributes.get("start") or "")
    backwards = "reversed" in attributes
    first = int(start[1]) if start else (items if backwards else 1)
    return Numbering(style if style in "1aAiI" else "1", first, -1 if backwards else 1)


def _written(number: int, style: str) -> str:
    if style in "aA" and number > 0:
        letters = ""
        while number:
            number, rest = divmod(number - 1, 26)
            letters = chr(ord(style) + rest) + letters
        return letters
    if style in "iI" and 0 < number < 4000:
        roman = ""
        for value, sign in _ROMAN:
            count, number = divmod(number, value)
            roman += sign * count
        return roman.upper() if style == "I" else roman
    return str(number)
