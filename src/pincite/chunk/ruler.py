"""Distances along one text by a counter: how far a number of tokens reaches, and what a range counts exactly.

Tokens are not where characters are: to know how far 400 of them reach, the text must have been counted. It is
counted once. For the encodings of models that gives the start of every token, and a range is the difference between
two borders that no token reaches over, with what stands beyond them counted again. For other counters the text is
counted in stretches that begin at such borders where there are any; a place inside a stretch is found by the counter's
own starts, a range is the sum of its stretches and of what is left over at its ends.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from typing import Final, NamedTuple, Protocol

from pincite.chunk.borders import NON_BLANK
from pincite.ports import Counter
from pincite.text import graphemes
from pincite.text.counters import (
    PIECE_CHARACTERS,
    CharacterCounter,
    TokenCounter,
    additive_border,
    adds_up,
    is_token_border,
    pieces_of,
)
from pincite.text.tokenizers import count_short

STRETCH_CHARACTERS: Final = 100
"""About as much is counted at once: more makes each search inside a stretch dearer, less each stretch."""
LONGEST_STRETCH: Final = 1_200
"""Text without any additive border for that long is cut just anywhere; a range over such a place is counted whole."""
LONGEST_MARKS: Final = 8
MOST_TOKENS: Final = 4
"""Of tokens that begin at the same character there are four at most."""
LONGEST_SHORT: Final = 24
"""Up to that a count is remembered: of the marks that end a paragraph, of the words that begin a sentence."""
FIRST_MARKS: Final = r"!-&(-/:-@\[-`{-~，。、；：！？「」『』（）《》【】…—–“”"
LAST_MARKS: Final = re.compile(
    r"(?<=[A-Za-z0-9\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fa5\uac00-\ud7a3])"
    rf"(?:[{FIRST_MARKS}][{FIRST_MARKS}']*)?\Z"
)
"""The punctuation marks at the end, none or some, behind a letter or digit, with which no token joins them (but for an
apostrophe). Nor does one join the letter or digit with blanks after it: a cut of the encodings that has letters or
digits has no white space but in front."""
MARKS: Final = frozenset('!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~')
"""Those of ASCII that may be the first of such marks."""
MAY_BE_ADDITIVE: Final = re.compile(r"(?<=\S)[^\S\r\n]|(?<=[\r\n])\S")


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
        """About as many as the range has, hardly ever twice as many, in logarithmic time."""
        ...


def ruler_for(text: str, start: int, counter: Counter) -> Ruler:
    """The ruler for the text from ``start`` on."""
    if isinstance(counter, CharacterCounter):
        return CharacterRuler(text)
    return TokenRuler(text, start, counter) if isinstance(counter, TokenCounter) else StretchRuler(text, start, counter)


def plain_line(text: str, place: int) -> bool:
    """Whether a line begins there with a letter or a mark, which is an additive border: where most ranges begin and
    end. False says nothing."""
    return text[place - 1] == "\n" and "!" <= text[place] <= "~" and text[place] != "/"


def plain_blank(text: str, place: int) -> bool:
    """Whether a blank stands there behind something else, which is an additive border, too: where most sentences begin
    and end. False says nothing."""
    return text[place] == " " and not text[place - 1].isspace()


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
    """Counts the text from ``start`` on by the tokens of an encoding, all of which are found when it is made."""

    def __init__(self, text: str, start: int, counter: TokenCounter) -> None:
        self.text = text
        self.start = start
        self.counter = counter
        self._starts = counter.places(text, start)
        """Where each token begins."""
        ends = [end for _, end in pieces_of(text, start)] if len(text) - start > PIECE_CHARACTERS else []
        self._cuts = [end for end in ends if end < len(text) and not is_token_border(text, end)]
        """Where the text was cut just anywhere: tokens around it need not be those of the whole."""
        self._behind = (0, 0)
        """The last border in the range that was counted last, and the tokens before it."""
        self._border = -1
        """The same place where it is additive and that range's end: the next range begins there. Else -1."""

    def reach(self, place: int, tokens: int) -> int:
        index = bisect_left(self._starts, place) + tokens
        if index >= len(self._starts):
            return len(self.text)
        return self._starts[index] if index > 0 else self.start

    def measure(self, start: int, end: int) -> Measured:
        start, end = graphemes.trim(self.text, start, end)
        return Measured(start, end, self.count(start, end) if start < end else 0)

    def count(self, start: int, end: int) -> int:
        if start >= end:
            return 0
        if self._cuts and bisect_left(self._cuts, start) != bisect_left(self._cuts, end):
            return self.counter.count(self.text[start:end])
        text, starts = self.text, self._starts
        begin, first = self._behind
        if start != self._border or (text[start].isspace() and not NON_BLANK(text, start, end)):
            begin = start
            if not start or not (
                plain_line(text, start)
                or (start + 1 < end and plain_blank(text, start) and not text[start + 1].isspace())
            ):
                begin = self._first_border(start, end)
            # Most ranges begin where the last one ended, or behind the blanks there.
            behind, least = self._behind if begin >= self._behind[0] else (0, 0)
            first = bisect_left(starts, begin, least, min(len(starts), least + MOST_TOKENS * (begin - behind)))
        back = end
        if begin == end or end == len(text) or not (plain_line(text, end) or plain_blank(text, end)):
            back = self._last_border(begin, end) if begin < end else begin
            if back <= begin:
                return self.counter.count(text[start:end])
        last = bisect_left(starts, back, first, min(len(starts), first + MOST_TOKENS * (back - begin)))
        self._behind, self._border = (back, last), end if back == end else -1
        tokens = last - first
        if start < begin:
            tokens += self.counter.count(text[start:begin])
        return tokens + self._short(text[back:end]) if back < end else tokens

    def lead(self, begin: int, start: int, end: int) -> int | None:
        """How many tokens ``[start, end)`` has more than ``[begin, end)``, at least 0, where only blanks stand between
        ``begin`` and ``start``: by what stands in front of the next additive border alone, ``None`` without one."""
        if self._cuts:
            return None
        text = self.text
        place = text.find(" ", start + 1, min(end, start + LONGEST_SHORT))
        if place < 0 or text[place - 1].isspace():
            place = self._first_border(start, end)
        if place >= end:
            return None
        return max(0, self._short(text[start:place]) - self._short(text[begin:place]))

    def _short(self, text: str) -> int:
        return count_short(self.counter.name, text) if len(text) <= LONGEST_SHORT else self.counter.count(text)

    def least(self, start: int, end: int) -> int:
        return max(0, bisect_left(self._starts, end) - bisect_left(self._starts, start))

    def _first_border(self, start: int, end: int) -> int:
        """The first additive border of the range that text follows in it; ``end`` where there is none."""
        text = self.text
        if start <= self.start or additive_border(text, start):
            return start if not text[start].isspace() or NON_BLANK(text, start, end) else end
        for match in MAY_BE_ADDITIVE.finditer(text, start + 1, end):
            place = match.start()
            if additive_border(text, place):
                return place if NON_BLANK(text, place, end) else end
        return end

    def _last_border(self, front: int, end: int) -> int:
        """The last place in the range from an additive border on that no token reaches over, in the range or in the
        whole; ``front`` where only that is one."""
        text = self.text
        if end == len(text):
            return end
        after = text[end]
        if after != "\n" and additive_border(text, end):  # a line feed never is at one
            return end
        if after.isspace():
            # What the pattern would find, which takes longer, behind a letter and behind one mark: of most chunks.
            before = end if text[end - 1] not in MARKS else end - 1
            if before > front and text[before - 1].isascii() and text[before - 1].isalnum():
                return before
            marks = LAST_MARKS.search(text, max(front + 1, end - LONGEST_MARKS), end)
            if marks:
                return marks.start()
        line, blank = text.rfind("\n", front, end) + 1, text.rfind(" ", front, end)
        for place in sorted((line, blank), reverse=True):
            if place > front and additive_border(text, place) and NON_BLANK(text, place, end):
                return place
        return front


class StretchRuler:
    """Counts the text from ``start`` on by any counter, once, when it is made."""

    def __init__(self, text: str, start: int, counter: Counter) -> None:
        self.text = text
        self.counter = counter
        self.sums_are_exact = adds_up(counter)
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
