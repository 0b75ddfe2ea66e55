"""Numbers hidden in a text, to find its pieces again in what another program makes of it.

A mark is three signs of an alphabet that the text itself does not use. They are symbols, not letters, that programs
take for text and print.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

_BRAILLE = "".join(map(chr, range(0x2801, 0x2900)))
_BYZANTINE_MUSIC = "".join(map(chr, range(0x1D000, 0x1D0F6)))
_WIDTH = 3


@dataclass(frozen=True, slots=True)
class Marks:
    """
    >>> marks = marks_for("any text")
    >>> marks.found_in(f"x{marks.write(7)}y{marks.write(70_000)}z{marks.write(7)}") == {7: 2, 70_000: 1}
    True
    """

    alphabet: str

    def write(self, number: int) -> str:
        """``number`` is from 0 to over ten millions."""
        base = len(self.alphabet)
        signs = ""
        for _ in range(_WIDTH):
            number, rest = divmod(number, base)
            signs = self.alphabet[rest] + signs
        return signs

    def found_in(self, text: str) -> Counter[int]:
        """How often each number stands in the text."""
        first, base = ord(self.alphabet[0]), len(self.alphabet)
        pattern = f"[{self.alphabet[0]}-{self.alphabet[-1]}]{{{_WIDTH}}}"
        found: Counter[int] = Counter()
        for match in re.findall(pattern, text):
            number = 0
            for sign in match:
                number = number * base + ord(sign) - first
            found[number] += 1
        return found


def marks_for(text: str) -> Marks | None:
    """Marks that the text does not have; ``None`` where it has all sorts of signs."""
    for alphabet in (_BRAILLE, _BYZANTINE_MUSIC):
        if not re.search(f"[{alphabet[0]}-{alphabet[-1]}]", text):
            return Marks(alphabet)
    return None
