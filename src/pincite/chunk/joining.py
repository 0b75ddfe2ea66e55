"""Packs units of text by the sum of their counts, each counted alone, as most recursive splitters do."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from pincite.chunk.assemble import Piece
from pincite.chunk.packer import Clusters, Packer, rising
from pincite.chunk.ruler import Measured
from pincite.model import Span


class Joiner:
    """Goes by the levels, the limit and the overlap of ``packer``, which cuts what is over the limit whole although
    its pieces are not: tokens of a text may be more than those of its pieces together.

    A unit that has just the limit is cut finer, as one over it, where there is a finer level; ``clusters`` says that
    grapheme clusters are such a level, else only a unit over the limit is cut between them.
    """

    def __init__(self, packer: Packer, *, clusters: bool) -> None:
        self.packer = packer
        self.clusters = clusters

    def pieces(self, start: int, end: int) -> Iterator[Piece]:
        """The range in pieces; both of its ends are borders between clusters."""
        for measured in rising(self.parts(start, end)):
            yield Piece(Span(measured.start, measured.end), tokens=measured.tokens)

    def parts(self, start: int, end: int, depth: int = 0) -> Iterator[Measured]:
        """The range in parts, by the levels from ``depth`` on; blank ones, too."""
        packer = self.packer
        borders, depth = packer.borders(start, end, depth)
        bottom = isinstance(borders, Clusters)
        if bottom and not self.clusters and packer.ruler.count(start, end) <= packer.limit:
            yield from self.part(start, end)
            return
        held: deque[tuple[int, int]] = deque()
        """Where each unit of the part begins that is not finished yet, and what it counts."""
        total, place = 0, start
        while place < end:
            stop = borders.first(place + 1, place)
            tokens = packer.ruler.count(place, stop)
            over = tokens >= packer.limit
            if held and (over or total + tokens > packer.limit):
                yield from self.part(held[0][0], place)
                while held and (over or total > packer.overlap or (total and total + tokens > packer.limit)):
                    total -= held.popleft()[1]
            if over:
                yield from self.part(place, stop) if bottom else self.parts(place, stop, depth)
            else:
                held.append((place, tokens))
                total += tokens
            place = stop
        if held:
            yield from self.part(held[0][0], end)

    def part(self, start: int, end: int) -> Iterator[Measured]:
        measured = self.packer.ruler.measure(start, end)
        if measured.tokens <= self.packer.limit:
            yield measured
        else:
            yield from (part.measured for part in self.packer.parts(start, end))
