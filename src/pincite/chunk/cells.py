"""From atoms to cells: where a strategy that weighs its borders may cut at all, and what stands at each place.

A cell is one atom, or headings with the first atom of their text. Borders between sentences, list items and table rows
are offered also where the block would fit; a code block, a row and an item that fit are never opened.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, Literal, NamedTuple

from pincite.chunk.atoms import Atom, Stretch
from pincite.chunk.borders import PROSE
from pincite.chunk.packing import Group, Packing, shared_length
from pincite.model import Section, Span
from pincite.text import graphemes, sentences

BorderKind = Literal["heading", "block", "item", "row", "sentence", "text", "inside"]
"""What begins at a border: a heading; a block; a list item; a table row; a sentence; the text of a heading that it does
not fit together with; a piece of something that is over the limit by itself."""

OPENED: Final = (*PROSE, "list", "quote")
"""Blocks that may be cut at sentences or at the blocks inside them although they fit; others only over the limit."""
NESTING: Final = (*OPENED, "item")
PICTURES: Final = ("![", "<img")
BLANK_LINE_ENDS: Final = 2
COLONS: Final = (":", "：")
ELLIPSES: Final = ("…", "...")
CLOSING: Final = "*_`\"'”’)"
LONGEST_TAIL: Final = 12
TINY_SHARE: Final = 4
"""Lines of a word or two, each a paragraph, are one cell up to this share of ``least``."""


class CellBorder(NamedTuple):
    """``level``: of a heading how deep it lies, 1 for the outermost; of an item its depth, else 0. ``before`` and
    ``after`` are the kinds of the blocks on its sides (``picture`` for one that begins with a picture). ``blank`` where
    there is a blank line, ``leads`` where the text before ends with a colon, or with an ellipsis before code."""

    kind: BorderKind
    level: int = 0
    before: str = ""
    after: str = ""
    blank: bool = False
    leads: bool = False


class Cell(NamedTuple):
    """Atoms that stay together, all of one section but for headings in front. ``border`` is the one before it;
    ``home`` the section of its first atom, ``section`` that of its last. ``room`` is what a chunk that begins here may
    have of text, in tokens; ``bare`` where it has headings only. ``apart`` where no chunk reaches over its border:
    with an outermost heading."""

    atoms: tuple[Atom, ...]
    home: Section
    section: Section
    border: CellBorder
    tokens: int
    room: int
    bare: bool = False
    apart: bool = False

    def longer(self, atom: Atom) -> Cell:
        """With a further atom of the same block."""
        return self._replace(atoms=(*self.atoms, atom), tokens=self.tokens + atom.tokens)

    @property
    def span(self) -> Span:
        """Without the blanks around it."""
        return Span(self.atoms[0].start, self.atoms[-1].end)


class Placed(NamedTuple):
    """An atom, its section, what begins with it, and the kind of its block."""

    atom: Atom
    section: Section
    kind: BorderKind
    level: int
    block: str


class Waiting(NamedTuple):
    """A stretch still to be cut, and what begins with it; ``closed`` where it is a table's row."""

    stretch: Stretch
    kind: BorderKind
    level: int = 0
    closed: bool = False


class CellCutter:
    """Cuts one document into cells. A block of the kinds in `OPENED` is opened where it has more than ``grain``
    tokens: 0 offers every sentence and item as a place to cut. Neighbouring pieces of one block that together have at
    most ``least`` are one cell: it bounds how many there are in a chunk."""

    def __init__(self, packing: Packing, *, grain: int, least: int = 0) -> None:
        self.packing = packing
        self.text = packing.text
        self.cutter = packing.cutter
        self.grain = min(grain, packing.max_tokens)
        self.least = least
        self._borders: dict[CellBorder, CellBorder] = {}

    def cells(self) -> Iterator[Cell]:
        """All of them, in order."""
        waiting: list[Placed] = []
        current: Cell | None = None
        last: Placed | None = None
        for stretch in self.packing.section_ranges():
            if len(stretch.section.path) <= 1:
                last = None
            for placed in self.placed(stretch.section, stretch.begin, stretch.stop):
                if placed.atom.heading:
                    waiting.append(placed)
                    continue
                if current and not waiting and self.belongs(placed, last, current):
                    current = current.longer(placed.atom)
                else:
                    if current:
                        yield current
                    *before, current = self.joined([*waiting, placed], last)
                    yield from before
                waiting, last = [], placed
            if waiting and not (stretch.bare and stretch.deeper):
                if current:
                    yield current
                *before, current = self.joined(waiting, last)
                yield from before
                waiting, last = [], waiting[-1]
        if current:
            yield current

    def belongs(self, placed: Placed, last: Placed | None, cell: Cell) -> bool:
        """Whether the atom is a small piece of the block of which the cell, small as well, has the pieces before; of
        tiny paragraphs each is such a piece."""
        tokens = cell.tokens + placed.atom.tokens
        if placed.kind == "block" and last and last.block == placed.block == "paragraph":
            return tokens * TINY_SHARE <= self.least and cell.section is placed.section
        return placed.kind in ("sentence", "item", "row") and tokens <= self.least

    def joined(self, row: Sequence[Placed], last: Placed | None) -> list[Cell]:
        """Headings, and the first atom of text behind them where there is any, as one cell; as several where they do
        not fit together, each of which has as many of the headings before it as fit."""
        bounds = []
        end = len(row)
        while end:
            first = end - 1
            while first and self.packing.fits(
                row[first - 1].atom.start, row[end - 1].atom.end, self.packing.max_tokens
            ):
                first -= 1
            bounds.append((first, end))
            end = first
        return [self.cell(row[first:end], row[first - 1] if first else last) for first, end in reversed(bounds)]

    def cell(self, parts: Sequence[Placed], last: Placed | None) -> Cell:
        atoms = tuple([part.atom for part in parts])
        first, home = atoms[0], parts[0].section
        room = self.packing.room(self.packing.above(first, home), first.continued)
        tokens = sum([atom.tokens for atom in atoms])
        border = self.border(parts[0], last)
        return Cell(atoms, home, parts[-1].section, border, tokens, room, atoms[-1].heading, last is None)

    def border(self, placed: Placed, last: Placed | None) -> CellBorder:
        """Equal ones are one object: there are few different ones and very many cells."""
        text, kind, after = self.text, placed.kind, placed.block
        if text.startswith(PICTURES, placed.atom.start):
            after = "picture"
        if last is None:
            border = CellBorder(kind, placed.level, "", after)
        else:
            end, start = last.atom.end, placed.atom.start
            if last.atom.heading and kind != "heading":
                kind = "text"
            blank = max(text.count("\n", end, start), text.count("\r", end, start)) >= BLANK_LINE_ENDS
            tail = text[max(0, end - LONGEST_TAIL) : end].rstrip(CLOSING)
            leads = tail.endswith(COLONS) or (after == "code" and tail.endswith(ELLIPSES))
            border = CellBorder(kind, placed.level, last.block, after, blank, leads)
        return self._borders.setdefault(border, border)

    def placed(self, section: Section, begin: int, stop: int) -> Iterator[Placed]:
        """The atoms of a range of one section."""
        for unit in self.cutter.units(begin, stop):
            heading = unit.kind == "heading"
            room = self.packing.room(section.path[:-1] if heading else section.path, None)
            if heading:
                yield from self.opened(unit, section, room, "heading", len(section.path))
            else:
                yield from self.opened(unit, section, room, "block", 0)

    def opened(self, unit: Stretch, section: Section, room: int, kind: BorderKind, level: int) -> Iterator[Placed]:
        """The unit as atoms, opened where it may be; what is over the limit is cut on as in `AtomCutter.atoms`."""
        heading = unit.kind == "heading"
        stack = [Waiting(unit, kind, level)]
        while stack:
            stretch, kind, level, closed = stack.pop()
            start, end = graphemes.trim(self.text, stretch.start, stretch.end)
            if start == end:
                continue
            openable = not closed and stretch.kind in OPENED and not stretch.level
            atom = None if openable and not self.grain else self.cutter.whole(stretch, heading=heading)
            parts = []
            if not atom or (openable and atom.tokens > self.grain):
                parts = self.parts(stretch)
                if not parts:
                    atom = atom or self.cutter.whole(stretch, heading=heading)
                    parts = [] if atom else self.cutter.inside(stretch)
            if parts:
                table = stretch.kind == "table"
                inner = [Waiting(part, *self.inner(part, table=table), table) for part in parts[1:]]
                stack += reversed([Waiting(parts[0], kind, level, table), *inner])
            elif atom:
                yield Placed(atom, section, kind, level, stretch.kind)
            else:
                for window in self.cutter.windows(stretch, start, end, room, heading=heading):
                    yield Placed(window, section, kind, level, stretch.kind)
                    kind, level = "inside", 0

    def parts(self, stretch: Stretch) -> list[Stretch]:
        """The stretch cut between what stays whole in it: the blocks inside it, else its sentences; empty for what has
        no such borders."""
        cutter = self.cutter
        while stretch.kind in NESTING and cutter.may_open(stretch):
            children = cutter.children(stretch)
            if not children:
                break
            if len(children) > 1 or children[0].kind not in OPENED:
                return children
            stretch = children[0]
        if stretch.kind not in PROSE or stretch.level:
            return []
        _, *cuts = sentences.sentence_starts(self.text, stretch.start, stretch.end, cutter.language)
        bounds = [stretch.start, *cutter.before_blanks(cuts, stretch.start), stretch.end]
        return [stretch._replace(start=start, end=end, block=-1, level=1) for start, end in pairwise(bounds)]

    def inner(self, part: Stretch, *, table: bool) -> tuple[BorderKind, int]:
        """What begins at the border before a further part of a block."""
        if table:
            return "row", 0
        if part.block < 0:
            return ("sentence" if part.kind in PROSE and part.level == 1 else "inside"), 0
        if part.kind == "item":
            return "item", self.packing.document.blocks[part.block].level
        return "block", 0


def grouped(packing: Packing, cells: Sequence[Cell]) -> Group:
    """The cells, which follow each other, as what becomes one chunk. Headings without text do not count for its
    path."""
    first = cells[0]
    section = next((cell.section for cell in cells if not cell.bare), first.section)
    shared = len(section.path)
    for cell in cells:
        if not cell.bare and cell.section is not section:
            shared = min(shared, shared_length(section.path, cell.section.path))
    atoms = [atom for cell in cells for atom in cell.atoms]
    above = packing.above(atoms[0], first.home)
    return Group(atoms, section.path[:shared], section.levels[:shared], above, sum([cell.tokens for cell in cells]))
