"""The parents of small chunks: the spans to read around them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, groupby, pairwise
from typing import NamedTuple

from pincite.chunk.assemble import Piece
from pincite.chunk.atoms import AtomCutter
from pincite.chunk.packing import Packing
from pincite.chunk.ruler import Measured, ruler_for
from pincite.chunk.shares import share
from pincite.model import Span
from pincite.text import graphemes

SMALL_PART = 4
"""A section smaller than this part of the limit is read together with its neighbours."""


class Branch(NamedTuple):
    """A section with everything below it: it begins with the section of that index and ends before that of ``end``.

    ``outer`` is the index of the section around it, -1 for the whole document.
    """

    begin: int
    stop: int
    end: int
    outer: int


class Home(NamedTuple):
    """Where a piece belongs: into ``section``, to be read as a whole, or, without one, into a window over the pieces
    beside it that have the same ``key``."""

    section: Measured | None
    key: int


class Parents:
    """Gives each of the pieces its parent, in linear time; the pieces are all of one document, in order.

    The parent is the widest section, with everything below it, that has at most ``parent_tokens``; the whole document
    is the outermost one. Where that is less than a quarter of them, and where the section is larger, it is a window of
    whole blocks, over as many of the neighbouring pieces in the section around them as fit; windows of one section are
    about equally large, and whatever lies in one shares it. A block over the limit is cut where atoms of that size
    would be. Where even the blocks that one piece touches are over the limit together, windows go from piece to piece.
    """

    def __init__(self, packing: Packing, pieces: Sequence[Piece], *, parent_tokens: int) -> None:
        document = packing.document
        self.document = document
        self.text = document.text
        self.parent_tokens = parent_tokens
        self.pieces = pieces
        self.starts = [piece.span.start for piece in pieces]
        self.sums = list(accumulate(map(own_tokens, pieces), initial=0))
        self.ruler = ruler_for(self.text, graphemes.border_after(self.text, document.body_start), packing.counter)
        self.borders = self._borders(AtomCutter(document, packing.counts, parent_tokens))
        self.branches = branches(packing)
        self.begins = [branch.begin for branch in self.branches]
        self.homes = self._homes()

    def __iter__(self) -> Iterator[Piece]:
        """The pieces with their parents, which are in order, too."""
        homes = [self.home(piece.span) for piece in self.pieces]
        first, start = 0, 0
        for home, several in groupby(homes):
            last = first + sum(1 for _ in several)
            parents = [home.section] * (last - first) if home.section else self.windows(first, last)
            for piece, parent in zip(self.pieces[first:last], parents, strict=True):
                # A count may fall where a text gets longer: a block may be over the limit, and what holds it not.
                start = max(start, parent.start)
                yield piece._replace(parent=Span(start, parent.end))
            first = last

    def home(self, span: Span) -> Home:
        first = bisect_right(self.begins, span.start) - 1
        last = bisect_left(self.begins, span.end) - 1
        home = self.homes[first]
        if home.section and (home.key < 0 or last < self.branches[home.key].end):
            small = home.key >= 0 and home.section.tokens * SMALL_PART < self.parent_tokens
            return Home(None, self.branches[home.key].outer) if small else home
        around = first
        while around >= 0 and self.branches[around].end <= last:
            around = self.branches[around].outer
        return Home(None, around)

    def windows(self, first: int, last: int) -> list[Measured]:
        """For each of the pieces from ``first`` on and before ``last`` the window that it lies in."""
        hulls = [self.hull(piece.span) for piece in self.pieces[first:last]]
        sums = self.sums[first : last + 1]
        sizes = [after - before for before, after in pairwise(sums)]
        result: list[Measured] = []
        while len(result) < len(hulls):
            index = len(result)
            window = hulls[index]
            wanted = index + share(sizes, index, room=self.parent_tokens, remaining=sums[-1] - sums[index])
            index += 1
            while index < len(hulls):
                if hulls[index].end > window.end:
                    wider = self.fitting(window.start, hulls[index].end) if index < wanted else None
                    if not wider:
                        break
                    window = wider
                index += 1
            result.extend([window] * (index - len(result)))
        return result

    def hull(self, span: Span) -> Measured:
        """The blocks that the span touches, or the span alone, where they are over the limit."""
        start = self.borders[bisect_right(self.borders, span.start) - 1]
        end = self.borders[bisect_left(self.borders, span.end)]
        return self.fitting(start, end) or self.ruler.measure(span.start, span.end)

    def fitting(self, start: int, end: int) -> Measured | None:
        """The range as measured, ``None`` where it is over the limit."""
        inside = self.sums[bisect_left(self.starts, end)] - self.sums[bisect_left(self.starts, start)]
        if inside > 4 * self.parent_tokens + 100:  # so much more that it need not be counted
            return None
        measured = self.ruler.measure(start, end)
        return measured if measured.tokens <= self.parent_tokens else None

    def _borders(self, cutter: AtomCutter) -> list[int]:
        """Where windows may begin and end."""
        borders = []
        for unit in cutter.units(self.document.body_start, len(self.text)):
            borders.append(unit.start)
            if not self.fitting(unit.start, unit.end):
                atoms = cutter.atoms(unit, self.parent_tokens)
                borders.extend(atom.begin for atom in atoms if atom.begin > unit.start)
        borders.append(len(self.text))
        return borders

    def _homes(self) -> list[Home]:
        """For each section the widest one around it that fits, with its index; else the section's own index."""
        whole = self.fitting(self.borders[0], len(self.text))
        homes = [Home(whole, -1)] * len(self.branches) if whole else []
        while len(homes) < len(self.branches):
            index = len(homes)
            branch = self.branches[index]
            section = self.fitting(branch.begin, branch.stop)
            homes.extend([Home(section, index)] * (branch.end - index if section else 1))
        return homes


def own_tokens(piece: Piece) -> int:
    """About the tokens of the piece without its prefix."""
    length = len(piece.span)
    return max(1, (piece.tokens or length) * length // (length + len(piece.prefix)))


def branches(packing: Packing) -> list[Branch]:
    """Of all sections, in their order; text before the first heading is one of its own."""
    stretches = list(packing.section_ranges())
    ends = [len(stretches)] * len(stretches)
    outers = [-1] * len(stretches)
    above: list[int] = []
    for index, stretch in enumerate(stretches):
        depth = len(stretch.section.path)
        while above and (len(stretches[above[-1]].section.path) >= depth or not stretches[above[-1]].section.path):
            ends[above.pop()] = index
        outers[index] = above[-1] if above else -1
        above.append(index)
    return [
        Branch(stretch.begin, stretches[end - 1].stop, end, outer)
        for stretch, end, outer in zip(stretches, ends, outers, strict=True)
    ]
