"""``structure``: whole blocks under their heading path, up to a token limit.

The way of a document: blocks → atoms (what is never cut) → packs (the atoms of one section, its heading in front)
→ groups (atoms that become one chunk) → chunks. Tokens are counted once per atom and added up; each finished chunk
is counted again, because a sum is not always the count of the whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from pincite import catalogue
from pincite.chunk.assemble import Piece, assemble
from pincite.chunk.atoms import Atom, AtomCutter
from pincite.model import PATH_SEPARATOR, Block, Chunk, Document, Section, Span, join_prefix
from pincite.ports import Counter


@dataclass(frozen=True, slots=True, kw_only=True)
class StructureChunker:
    """Packs blocks under their heading path up to ``max_tokens``, prefix included.

    Chunks below ``min_tokens`` (a quarter of the limit unless given) join a neighbour: first within their section, then
    across siblings, from the closest relations to the farthest, never across an outermost heading; ``min_tokens=0``
    never crosses a section. Above 0, text added at the end may change chunks before the last block.
    A code block, table row, list item or sentence is cut only when it alone is over the limit. A table that is cut
    between rows has its header rows in the prefix of every further chunk. ``counter`` names the unit of both limits.
    """

    max_tokens: int = 400
    min_tokens: int | None = None
    counter: str = "o200k_base"
    name: str = "structure"
    _counter: Counter = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.max_tokens < 1:
            raise ValueError(f"max_tokens is at least 1, got {self.max_tokens}")
        if self.min_tokens is not None and not 0 <= self.min_tokens <= self.max_tokens:
            raise ValueError(f"min_tokens lies between 0 and max_tokens ({self.max_tokens}), got {self.min_tokens}")
        object.__setattr__(self, "_counter", catalogue.create("counter", self.counter))

    def chunk(self, document: Document) -> Iterator[Chunk]:
        min_tokens = self.max_tokens // 4 if self.min_tokens is None else self.min_tokens
        packer = _Packer(document, self._counter, max_tokens=self.max_tokens, min_tokens=min_tokens)
        return assemble(document, packer.pieces(), self._counter)


NOWHERE = Section((), (), Span(0, 1), None)
"""Stands for the section of text before the first heading; only its empty path matters."""


@dataclass(frozen=True, slots=True)
class _Group:
    """Atoms in a row that become one chunk.

    ``path`` and ``levels`` are common to the sections that it covers; ``above`` is what a prefix may say of its
    beginning: the path of its first section, without the headings that the text itself starts with.
    """

    atoms: list[Atom]
    path: tuple[str, ...]
    levels: tuple[int, ...]
    above: tuple[str, ...]
    tokens: int

    def joined(self, other: _Group) -> _Group:
        shared = shared_length(self.path, other.path)
        return _Group(
            self.atoms + other.atoms,
            self.path[:shared],
            self.levels[:shared],
            self.above,
            self.tokens + other.tokens,
        )


class _Packer:
    """One document being cut; holds what the steps share."""

    def __init__(self, document: Document, counter: Counter, *, max_tokens: int, min_tokens: int) -> None:
        self.document = document
        self.counter = counter
        self.max_tokens = max_tokens
        self.min_tokens = min_tokens
        self._prefixes: dict[tuple[tuple[str, ...], Span | None], tuple[str, int]] = {}

    def pieces(self) -> Iterator[Piece]:
        groups = list(self.groups())
        if self.min_tokens:
            deepest = max((len(group.path) for group in groups), default=0)
            for closeness in range(deepest + 1, 0, -1):
                groups = self.merge_small(groups, closeness)
        for group in groups:
            yield from self.finish(group)

    def groups(self) -> Iterator[_Group]:
        """Section by section. One with nothing but its heading goes in front of the section below it."""
        waiting: list[tuple[Atom, Section]] = []
        for section, atoms, following in self.section_atoms():
            waiting.extend((atom, section) for atom in atoms)
            if following and following.level > section.level and all(atom.heading for atom, _ in waiting):
                continue
            yield from self.fill(section, waiting)
            waiting = []

    def section_atoms(self) -> Iterator[tuple[Section, list[Atom], Section | None]]:
        """Every section with its atoms and the section after it."""
        cutter = AtomCutter(self.document, self.counter, self.max_tokens)
        sections = [section for section in self.document.sections if section.heading]
        index = -1
        atoms: list[Atom] = []
        for unit in cutter.units():
            if index + 1 < len(sections) and unit.end > sections[index + 1].span.start:
                if atoms:
                    yield sections[index] if index >= 0 else NOWHERE, atoms, sections[index + 1]
                atoms = []
                index += 1
            section = sections[index] if index >= 0 else NOWHERE
            path = section.path[:-1] if unit.kind == "heading" else section.path
            atoms.extend(cutter.atoms(unit, self.room(path, None)))
        if atoms:
            yield sections[index] if index >= 0 else NOWHERE, atoms, None

    def fill(self, section: Section, placed: list[tuple[Atom, Section]]) -> Iterator[_Group]:
        """Fills groups from the front. Headings keep the first atom of their text as long as both fit at all."""
        current: list[tuple[Atom, Section]] = []
        total = 0
        for atom, home in placed:
            if current:
                if all(other.heading for other, _ in current):
                    full = not self.fits(current[0][0].start, atom.end)
                else:
                    full = total + atom.tokens > self.room(above(*current[0]), current[0][0].table)
                if full:
                    yield self.group(section, current, total)
                    current, total = [], 0
            current.append((atom, home))
            total += atom.tokens
        yield self.group(section, current, total)

    def group(self, section: Section, placed: list[tuple[Atom, Section]], tokens: int) -> _Group:
        """Headings without text belong to their own sections, everything else to the section whose text it is."""
        atoms = [atom for atom, _ in placed]
        path, levels = section.path, section.levels
        if all(atom.heading for atom in atoms):
            shared = min(shared_length(placed[0][1].path, home.path) for _, home in placed)
            path, levels = placed[0][1].path[:shared], placed[0][1].levels[:shared]
        return _Group(atoms, path, levels, above(*placed[0]), tokens)

    def merge_small(self, groups: list[_Group], closeness: int) -> list[_Group]:
        """Joins neighbours of which one is small and whose paths share ``closeness`` elements (one more counts for
        the same section)."""
        merged: list[_Group] = []
        for group in groups:
            if merged and self.may_join(merged[-1], group, closeness):
                merged[-1] = merged[-1].joined(group)
            else:
                merged.append(group)
        return merged

    def may_join(self, last: _Group, group: _Group, closeness: int) -> bool:
        if last.tokens >= self.min_tokens and group.tokens >= self.min_tokens:
            return False
        shared = shared_length(last.path, group.path)
        if shared + (not group.atoms[0].heading) < closeness:
            return False
        return last.tokens + group.tokens <= self.room(last.above, last.atoms[0].table)

    def finish(self, group: _Group) -> Iterator[Piece]:
        """The group as a piece; as several where its tokens turn out to be more than their sum."""
        whole = True
        while group.atoms:
            front = self.fitting_front(group)
            rest = group.atoms[len(front) :]
            whole = whole and not rest
            piece = self.piece(replace(group, atoms=front))
            # A part, like headings without text, may cover fewer sections than the group: its own path is worked out.
            apart = not whole or all(atom.heading for atom in front)
            yield replace(piece, headings=None, level=None) if apart else piece
            if rest:
                section = next(iter(self.document.sections_over(Span(rest[0].start, rest[0].end))), NOWHERE)
                group = replace(group, above=above(rest[0], section))
            group = replace(group, atoms=rest)

    def fitting_front(self, group: _Group) -> list[Atom]:
        """As many atoms from the front as fit by their true count, at least one; headings keep their text if they
        can."""
        atoms = group.atoms
        prefix, _ = self.prefix(group.above, atoms[0].table)

        def fits(count: int, prefix: str) -> bool:
            return self.fits(atoms[0].start, atoms[count - 1].end, prefix)

        if fits(len(atoms), prefix):
            return atoms
        fitting, failing = 0, len(atoms)
        while failing - fitting > 1:
            middle = (fitting + failing) // 2
            fitting, failing = (middle, failing) if fits(middle, prefix) else (fitting, middle)
        headings = next((index for index, atom in enumerate(atoms) if not atom.heading), len(atoms))
        if fitting <= headings < len(atoms) and fits(headings + 1, ""):
            fitting = headings + 1  # the prefix shrinks before a heading loses its text
        return atoms[: max(1, fitting)]

    def fits(self, start: int, end: int, prefix: str = "") -> bool:
        """By the true count."""
        return self.counter.count(join_prefix(prefix, self.document.text[start:end])) <= self.max_tokens

    def piece(self, group: _Group) -> Piece:
        span = Span(group.atoms[0].start, group.atoms[-1].end)
        text = span.of(self.document.text)
        prefix, _ = self.prefix(group.above, group.atoms[0].table)
        tokens = self.counter.count(join_prefix(prefix, text))
        if tokens > self.max_tokens:
            prefix, tokens = self.fitting(group, text, self.counter.count(text))
        level = group.levels[-1] if group.levels else 0
        return Piece(span, prefix=prefix, headings=group.path, level=level, tokens=tokens)

    def fitting(self, group: _Group, text: str, alone: int) -> tuple[str, int]:
        """The longest prefix that fits in front of the text, and the tokens of both; none is always allowed."""
        for prefix in self.prefixes(group.above, group.atoms[0].table):
            if self.counter.count(prefix) > min(self.max_tokens // 2, self.max_tokens - alone):
                continue
            tokens = self.counter.count(join_prefix(prefix, text))
            if tokens <= self.max_tokens:
                return prefix, tokens
        return "", alone

    def room(self, above: tuple[str, ...], table: Block | None) -> int:
        """The tokens that are left for text behind the prefix."""
        return max(1, self.max_tokens - self.prefix(above, table)[1])

    def prefix(self, above: tuple[str, ...], table: Block | None) -> tuple[str, int]:
        """The longest prefix of at most half the limit, and its tokens with the blank line after it."""
        key = (above, table.header if table else None)
        if key not in self._prefixes:
            for prefix in self.prefixes(above, table):
                if self.counter.count(prefix) <= self.max_tokens // 2:
                    self._prefixes[key] = prefix, self.counter.count(prefix + "\n\n")
                    break
            else:
                self._prefixes[key] = "", 0
        return self._prefixes[key]

    def prefixes(self, above: tuple[str, ...], table: Block | None) -> Iterator[str]:
        """From the whole prefix to the shortest: the path shrinks from its middle before the table's header goes."""
        if table and table.header:
            header = table.header.of(self.document.text).strip()
            for path in shrinking(above):
                yield f"{path}\n\n{header}"
            yield header
        yield from shrinking(above)


def above(atom: Atom, section: Section) -> tuple[str, ...]:
    """What a prefix may say of a chunk that starts with this atom: not the heading that it shows itself."""
    return section.path[:-1] if atom.heading else section.path


def shrinking(path: tuple[str, ...]) -> Iterator[str]:
    """The path joined, then with ever more elements left out in its middle.

    >>> list(shrinking(("Guide", "API", "Limits")))
    ['Guide > API > Limits', 'Guide > … > Limits', '… > Limits']
    """
    if path:
        yield PATH_SEPARATOR.join(path)
    for kept in range(len(path) - 1, 0, -1):
        head = kept // 2
        yield PATH_SEPARATOR.join((*path[:head], "…", *path[len(path) - kept + head :]))


def shared_length(left: tuple[str, ...], right: tuple[str, ...]) -> int:
    """How many elements both begin with.

    >>> shared_length(("A", "B", "C"), ("A", "B", "D"))
    2
    """
    length = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        length += 1
    return length
