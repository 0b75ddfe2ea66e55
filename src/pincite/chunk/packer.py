"""Packs units of text into parts up to a limit: level by level, where a unit alone is over it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple, Protocol

from pincite.chunk.assemble import Piece
from pincite.chunk.ruler import Measured, Ruler
from pincite.model import Span
from pincite.text import graphemes

Level = Callable[[int, int], "Borders | None"]
"""Gives the borders of one kind strictly inside a range, ``None`` where there are none."""
BLANKS: Final = re.compile(r"\s{0,200}+")
"""As many blanks as are looked over at once; more of them in a row must not be read again for every part."""


class Part(NamedTuple):
    """One part as measured; ``begin`` is where its first unit begins, with the blanks in front of it."""

    begin: int
    measured: Measured


class Borders(Protocol):
    """The borders in one range of a text. ``start`` of the calls is a border or the range's start, and ``reach`` lies
    before its end."""

    def last(self, start: int, reach: int) -> int:
        """The largest border in ``(start, reach]``, ``start`` where there is none."""
        ...

    def first(self, lowest: int, start: int) -> int:
        """The smallest border that is not before ``lowest``, which lies after ``start``; the range's end is one."""
        ...


class Listed:
    """Borders that a level found, but for those inside a grapheme cluster.

    They are looked at only when they are wanted.
    """

    def __init__(self, text: str, places: Sequence[int], end: int) -> None:
        self.text = text
        self.places = places
        self.end = end

    def last(self, start: int, reach: int) -> int:
        index = bisect_right(self.places, reach) - 1
        while index >= 0 and self.places[index] > start:
            if may_cut(self.text, self.places[index], start):
                return self.places[index]
            index -= 1
        return start

    def first(self, lowest: int, start: int) -> int:
        for index in range(bisect_left(self.places, lowest), len(self.places)):
            if may_cut(self.text, self.places[index], start):
                return self.places[index]
        return self.end


class Separated:
    """Borders in front of each occurrence of a separator, or ``behind`` it, but for those inside a grapheme cluster.

    Of occurrences that overlap those count that a search from the left finds. They are looked for only where they are
    wanted, at most one part of the text at a time: to find all first took an eighth of the time of ``recursive``.
    """

    def __init__(self, text: str, separator: str, end: int, *, behind: bool) -> None:
        self.text = text
        self.separator = separator
        self.end = end
        self.shift = len(separator) if behind else 0

    def last(self, start: int, reach: int) -> int:
        text, separator, shift = self.text, self.separator, self.shift
        lowest = start if shift else start + 1
        while True:
            place = text.rfind(separator, lowest, reach - shift + len(separator))
            if place >= 0 and self.overlapped(place, start):
                place = self.from_left(start, lowest, place)[0]
            if place < 0:
                return start
            if may_cut(text, place + shift, start):
                return place + shift
            reach = place + shift - 1

    def first(self, lowest: int, start: int) -> int:
        text, separator, shift = self.text, self.separator, self.shift
        lowest = max(start, lowest - shift)
        while True:
            place = text.find(separator, lowest, self.end)
            if place >= 0 and self.overlapped(place, start):
                place = self.from_left(start, lowest, place)[1]
            if place < 0 or place + shift >= self.end:
                return self.end
            if may_cut(text, place + shift, start):
                return place + shift
            lowest = place + 1

    def overlapped(self, place: int, start: int) -> bool:
        """Whether an occurrence that begins before this one, from ``start`` on, reaches into it."""
        length = len(self.separator)
        return length > 1 and self.text.find(self.separator, max(start, place - length + 1), place + length - 1) >= 0

    def from_left(self, start: int, lowest: int, place: int) -> tuple[int, int]:
        """Of the occurrences that a search from ``start`` finds: the last in ``[lowest, place]`` and the first that is
        not before ``lowest``; -1 where there is none."""
        last = -1
        found = self.text.find(self.separator, start, self.end)
        while 0 <= found < lowest:
            found = self.text.find(self.separator, found + len(self.separator), self.end)
        first = found
        while 0 <= found <= place:
            last = found
            found = self.text.find(self.separator, found + len(self.separator), self.end)
        return last, first


class Clusters:
    """The borders between grapheme clusters: what is left where a range has no others."""

    def __init__(self, text: str, end: int) -> None:
        self.text = text
        self.end = end

    def last(self, start: int, reach: int) -> int:
        return graphemes.border_before(self.text, reach, known=start)

    def first(self, lowest: int, start: int) -> int:
        return min(self.end, graphemes.border_after(self.text, lowest, known=start))


def may_cut(text: str, place: int, known: int) -> bool:
    """Whether no grapheme cluster reaches over that place; ``known`` is a border before it. A line feed is not looked
    at: with a carriage return before it, only blanks stand on both sides, which no chunk keeps at its ends."""
    return text[place] == "\n" or graphemes.is_border(text, place, known=known)


def listed(text: str, places: Callable[[int, int], Sequence[int]]) -> Level:
    """The level of borders of which all in a range are found at once, ascending, in code points."""

    def level(start: int, end: int) -> Listed | None:
        found = places(start, end)
        return Listed(text, found, end) if found else None

    return level


def separated(text: str, separator: str, *, behind: bool) -> Level:
    """The level of borders at a separator."""

    def level(start: int, end: int) -> Separated | None:
        borders = Separated(text, separator, end, behind=behind)
        return borders if borders.first(start + 1, start) < end else None

    return level


class Packer:
    """Packs one text.

    A range is cut at the first level that has a border in it. Its units are packed from the front, as many as fit; a
    unit over the limit is packed by the levels below. A part begins with the last whole units of the part before
    that are ``overlap`` tokens at most and fit together with the unit after them.

    With ``keep_units`` sizes are those without blanks at the ends, the last part of a unit over the limit is packed
    with the units after it, and only units of the first level are repeated. Without it blanks count with the unit
    that they stand in, and such parts stay apart.
    """

    def __init__(
        self, text: str, ruler: Ruler, levels: Sequence[Level], *, limit: int, overlap: int, keep_units: bool
    ) -> None:
        self.text = text
        self.ruler = ruler
        self.levels = levels
        self.limit = limit
        self.overlap = overlap
        self.keep_units = keep_units

    def pieces(self, start: int, end: int) -> Iterator[Piece]:
        """The range in pieces; both of its ends are borders between clusters."""
        for measured in rising(part.measured for part in self.parts(start, end)):
            yield Piece(Span(measured.start, measured.end), tokens=measured.tokens)

    def parts(self, start: int, end: int, depth: int = 0) -> Iterator[Part]:
        """The range in parts, by the levels from ``depth`` on; blank ones, too. At least one, if it is not empty."""
        borders, depth = self.borders(start, end, depth)
        overlap = 0 if self.keep_units and depth != 1 else self.overlap
        place = start
        while place < end:
            stop, measured = self.furthest(borders, place, end)
            if stop > place:
                yield Part(place, measured)
                place = self.restart(borders, place, stop, overlap) if overlap and stop < end else stop
                continue
            stop = borders.first(place + 1, place)
            if isinstance(borders, Clusters):
                yield Part(place, self.ruler.measure(place, stop))
                place = stop
                continue
            inner = self.parts(place, stop, depth)
            tail = next(inner)
            for part in inner:
                yield tail
                tail = part
            if self.keep_units and tail.begin > place:
                place = tail.begin
            else:
                yield tail
                place = stop

    def borders(self, start: int, end: int, depth: int) -> tuple[Borders, int]:
        """Those of the first level that has any, and the level below it."""
        while depth < len(self.levels):
            borders = self.levels[depth](start, end)
            depth += 1
            if borders:
                return borders, depth
        return Clusters(self.text, end), depth

    def furthest(self, borders: Borders, place: int, end: int) -> tuple[int, Measured]:
        """The last border up to which the text from ``place`` fits, and that text; ``place`` where the first unit
        does not fit."""
        ruler = self.ruler
        reach = self.reach(place)
        stop = end if reach >= end else borders.last(place, reach)
        if stop == place and self.keep_units:
            stop = borders.first(place + 1, place)
        measured = ruler.measure(place, stop)
        while measured.tokens > self.limit:
            stop = borders.last(place, min(stop - 1, ruler.reach(stop, self.limit - measured.tokens)))
            measured = ruler.measure(place, stop)
        return stop, measured

    def reach(self, place: int) -> int:
        """How far the limit reaches from there."""
        if not self.keep_units:
            return self.ruler.reach(place, self.limit)
        return self.after_blanks(self.ruler.reach(self.after_blanks(place), self.limit))

    def after_blanks(self, place: int) -> int:
        match = BLANKS.match(self.text, place)
        return match.end() if match else place

    def restart(self, borders: Borders, place: int, stop: int, overlap: int) -> int:
        """Where the part after ``[place, stop)`` begins: at ``stop``, or before it with units that both share."""
        ruler = self.ruler
        following = borders.first(stop + 1, stop)
        lowest = max(place + 1, ruler.reach(stop, -overlap), ruler.reach(following, -self.limit))
        while lowest < stop:
            start = borders.first(lowest, place)
            if start >= stop:
                break
            if ruler.measure(start, stop).tokens <= overlap and ruler.measure(start, following).tokens <= self.limit:
                return start
            lowest = start + 1
        return stop


def rising(parts: Iterable[Measured]) -> Iterator[Measured]:
    """The parts that are not blank, without those that begin where another does: of two the longer one stays.

    Blank units at its front can make a part begin, without its blanks, where the one before begins.
    """
    held: Measured | None = None
    for part in parts:
        if part.start == part.end:
            continue
        if held and part.start > held.start:
            yield held
            held = part
        elif not held or part.end > held.end:
            held = part
    if held:
        yield held
