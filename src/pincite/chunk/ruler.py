"""Distances along one text by a counter: how far a number of tokens reaches, and what a range counts exactly.

Tokens are not where characters are: to know how far 400 of them reach, the text must have been counted. It is
counted once, in stretches that begin at additive borders where there are any; a place inside a stretch is found by
the counter's own starts, a range is the sum of its stretches and of what is left over at its ends.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from typing import NamedTuple, Protocol

from pincite.chunk.borders import NON_BLANK
from pincite.ports import Counter
from pincite.text import graphemes
from pincite.text.counters import PIECE_CHARACTERS, CharacterCounter, TokenCounter, additive_border, adds_up

STRETCH_CHARACTERS = 100
"""About as much is counted at once: more makes each search inside a stretch dearer, less each stretch."""
NEAR_BLANK = 40
LONGEST_STRETCH = 1_200
"""Text without any additive border for that long is cut just anywhere; a range over such a place is counted whole."""
MAY_BE_ADDITIVE = re.compile(r"(?<=\S)[^\S\r\n]|(?<=[\r\n])\S")


class Measured(NamedTuple):
    """A range without the blanks at its ends, and its exact count; ``end`` is ``start`` where all of it is blank."""

    start: int
    end: int
    tokens: int


class Ruler(Protocol):
    """``reach`` is right but for a few tokens where it touches no additive border, ``measure`` is exact."""

    def reach(self, place: int, tokens: int) -> int:
        """Where the token begins that comes so many after the place, before it if negative; the end of the text where
        there are fewer. Places are code point offsets into the text."""
        ...

    def measure(self, start: int, end: int) -> Measured:
        """The range ``[start, end)``, both of which are borders between grapheme clusters, without its blank ends."""
        ...

    def count(self, start: int, end: int) -> int:
        """The tokens of the range with all its blanks, exactly."""
        ...

    def least(self, start: int, end: int) -> int:
        """Hardly ever more than the range has, and little less, in logarithmic time."""
        ...


def ruler_for(text: str, start: int, counter: Counter) -> Ruler:
    """The ruler for the text from ``start`` on."""
    return CharacterRuler(text) if isinstance(counter, CharacterCounter) else TokenRuler(text, start, counter)


class CharacterRuler:
    """Counts code points: every place is its own measure."""

    def __init__(self, text: str) -> None:
        self.text = text

    def reach(self, place: int, tokens: int) -> int:
        return place + tokens

    def measure(self, start: int, end: int) -> Measured:
        start, end = graphemes.trim(self.text, start, end)
        return Measured(start, end, end - start)

    def count(self, start: int, end: int) -> int:
        return end - start

    def least(self, start: int, end: int) -> int:
        return self.measure(start, end).tokens


class TokenRuler:
    """Counts the text from ``start`` on by any counter, once, when it is made."""

    def __init__(self, text: str, start: int, counter: Counter) -> None:
        self.text = text
        self.counter = counter
        self.sums_are_exact = adds_up(counter)
        self.blanks_join_words = isinstance(counter, TokenCounter)
        """It does not matter then for `reach` at which blank a stretch ends: the token of the word begins with it."""
        self._places = array("I")
        """Where each stretch begins, and the end of the last."""
        self._sums = array("Q")
        """The tokens before each of these places."""
        self._cuts = array("I")
        """Those of these places that are no additive borders."""
        self._starts: tuple[int, list[int]] = (-1, [])
        """The last stretch in which a place was looked for, and where its tokens start."""
        total = 0
        while start < len(text):
            self._places.append(start)
            self._sums.append(total)
            end = self._stretch_end(start)
            total += counter.count(text[start:end])
            start = end
        self._places.append(len(text))
        self._sums.append(total)

    def _stretch_end(self, start: int) -> int:
        wanted, longest = start + STRETCH_CHARACTERS, start + LONGEST_STRETCH
        if wanted >= len(self.text):
            return len(self.text)
        blank = self.text.find(" ", wanted, wanted + NEAR_BLANK) if self.blanks_join_words else -1
        if blank > 0 and not self.text[blank - 1].isspace():  # such a blank is an additive border, and most are such
            return blank
        for match in MAY_BE_ADDITIVE.finditer(self.text, wanted, longest):
            if additive_border(self.text, match.start()):
                return match.start()
        end = min(longest, len(self.text))
        self._cuts.append(end)
        return end

    def reach(self, place: int, tokens: int) -> int:
        index = bisect_right(self._places, place) - 1
        begin = self._places[index]
        wanted = self._sums[index] + tokens
        if begin < place:
            wanted += self.counter.count(self.text[begin:place])
        index = bisect_right(self._sums, max(0, wanted)) - 1
        begin, inside = self._places[index], wanted - self._sums[index]
        if inside <= 0 or index + 1 == len(self._places):
            return begin
        if self._starts[0] != index:
            self._starts = index, self.counter.starts(self.text[begin : self._places[index + 1]])
        return begin + self._starts[1][inside]

    def measure(self, start: int, end: int) -> Measured:
        start, end = graphemes.trim(self.text, start, end)
        return Measured(start, end, self.count(start, end) if start < end else 0)

    def count(self, start: int, end: int) -> int:
        first, last = bisect_left(self._places, start), bisect_left(self._places, end) - 1
        while last > first and not NON_BLANK(self.text, self._places[last], end):
            last -= 1  # a border proves nothing where only blanks of the range stand behind it
        if first >= last or not self._adds_up(start, end):
            return self.counter.count(self.text[start:end])
        front, back = self._places[first], self._places[last]
        tokens = self._sums[last] - self._sums[first] + self.counter.count(self.text[back:end])
        return tokens + self.counter.count(self.text[start:front]) if start < front else tokens

    def least(self, start: int, end: int) -> int:
        """Of the stretches that lie in the range."""
        first, last = bisect_left(self._places, start), bisect_right(self._places, end) - 1
        return self._sums[last] - self._sums[first] if first < last else 0

    def _adds_up(self, start: int, end: int) -> bool:
        """Text over the piece size is counted in pieces by the counter itself, which need not add up."""
        if not self.sums_are_exact or end - start > PIECE_CHARACTERS:
            return False
        return bisect_left(self._cuts, start) == bisect_left(self._cuts, end)
