"""From groups of atoms to pieces under the limit: what the strategies that keep blocks whole have in common.

A group is atoms in a row that shall become one chunk. Its prefix says where the text stands: the heading path, then
the header of a table that the text continues. Sizes are sums of the atoms' tokens; the finished chunk's size is exact,
and a group that turns out to be over the limit becomes several chunks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from pincite.chunk.assemble import Piece
from pincite.chunk.atoms import Atom, AtomCutter
from pincite.chunk.borders import blank
from pincite.chunk.counts import RangeCounts
from pincite.model import PATH_SEPARATOR, Block, Document, Section, Span, join_prefix
from pincite.ports import Counter

HeadingPrefix = Literal["path", "own", "off"]
"""What of the headings stands in the prefix: the whole path, the nearest heading, nothing."""

NOWHERE: Final = Section((), (), Span(0, 1), None)
"""Stands for the section of text before the first heading; only its empty path matters."""


class Group(NamedTuple):
    """Atoms in a row that become one chunk.

    ``path`` and ``levels`` are common to the sections that it covers; ``above`` is what a prefix may say of its
    beginning: the path of its first section, without the headings that the text itself starts with. ``tokens`` is the
    sum of the atoms'.
    """

    atoms: list[Atom]
    path: tuple[str, ...]
    levels: tuple[int, ...]
    above: tuple[str, ...]
    tokens: int

    def joined(self, other: Group) -> Group:
        shared = shared_length(self.path, other.path)
        return Group(
            self.atoms + other.atoms, self.path[:shared], self.levels[:shared], self.above, self.tokens + other.tokens
        )


class SectionRange(NamedTuple):
    """One section's range of the text, from the start of its heading's line to that of the next heading.

    ``bare`` where it has nothing but its heading; ``deeper`` where the next section lies below it.
    """

    section: Section
    begin: int
    stop: int
    bare: bool
    deeper: bool


class Packing:
    """One document being cut; holds what the steps share.

    ``root`` are names that stand before every whole path.
    """

    def __init__(
        self,
        document: Document,
        counter: Counter,
        *,
        max_tokens: int,
        heading_prefix: HeadingPrefix = "path",
        keep_whole: Mapping[str, float] | None = None,
        root: tuple[str, ...] = (),
    ) -> None:
        self.document = document
        self.root = root
        self.text = document.text
        self.counter = counter
        self.max_tokens = max_tokens
        self.heading_prefix = heading_prefix
        self.counts = RangeCounts(document.text, document.body_start, counter)
        self.cutter = AtomCutter(document, self.counts, max_tokens, keep_whole)
        self._prefixes: dict[tuple[tuple[str, ...], Span | None], tuple[str, int]] = {}

    def section_ranges(self) -> Iterator[SectionRange]:
        """The sections in order, tiling the body."""
        text = self.text
        sections = [section for section in self.document.sections if section.heading]
        begins = [self.cutter.line_start(section.span.start, 0) for section in sections]
        begins.append(len(text))
        if not blank(text, self.document.body_start, begins[0]):
            yield SectionRange(NOWHERE, self.document.body_start, begins[0], bare=False, deeper=False)
        for index, section in enumerate(sections):
            begin, stop = begins[index], begins[index + 1]
            end = section.heading.end if section.heading else stop
            # A look at the next characters tells it of most: the text begins behind a blank line.
            bare = end >= stop or (text[end : min(end + 3, stop)].isspace() and blank(text, end, stop))
            deeper = index + 1 < len(sections) and sections[index + 1].level > section.level
            yield SectionRange(section, begin, stop, bare, deeper)

    def atoms(self, section: Section, begin: int, stop: int) -> list[Atom]:
        """Of a range of one section."""
        result: list[Atom] = []
        for unit in self.cutter.units(begin, stop):
            heading = unit.kind == "heading"
            atom = self.cutter.whole(unit, heading=heading)
            if atom:
                result.append(atom)
            else:
                path = section.path[:-1] if heading else section.path
                result += self.cutter.opened(unit, self.room(path, None))
        return result

    def above(self, atom: Atom, section: Section) -> tuple[str, ...]:
        """What a prefix may say of a chunk that starts with this atom: not the heading that it shows itself, but the
        name of a definition that it continues."""
        definition = atom.continued if atom.continued and atom.continued.kind == "code" else None
        name = (definition.title,) if definition and definition.title else ()
        if self.heading_prefix == "path":
            return (*self.root, *(section.path[:-1] if atom.opens else section.path), *name)
        return name or section.path[-1:] if self.heading_prefix == "own" and not atom.opens else ()

    def pieces(self, group: Group) -> Iterator[Piece]:
        """The group as a piece; as several where its tokens turn out to be more than their sum."""
        whole = True
        while True:
            atoms, continued = group.atoms, group.atoms[0].continued
            prefix, prefix_tokens = self.prefix(group.above, continued)
            tokens = self.counts.embedded(prefix, prefix_tokens, atoms[0].start, atoms[-1].end)
            limit = max([atom.limit for atom in atoms]) if self.cutter.limits else self.max_tokens
            rest: list[Atom] = []
            if tokens > limit:
                front = self.fitting_front(group, prefix, limit)
                rest = atoms[len(front) :]
                whole = whole and not rest
                atoms = front
                prefix, tokens = self.fitting(group.above, continued, Span(atoms[0].start, atoms[-1].end), limit)
                if tokens > limit and len(parts := self.cutter.cut_anywhere(atoms[0], limit)) > 1:
                    group, whole = group._replace(atoms=parts + rest), False
                    continue
            span = Span(atoms[0].start, atoms[-1].end)
            # A part, like headings without text, may cover fewer sections than the group: its own path is worked out.
            if whole and not atoms[-1].heading:
                level = group.levels[-1] if group.levels else 0
                yield Piece(span, prefix, group.path, level, None, tokens)
            else:
                yield Piece(span, prefix, *self.document.path_over(span), None, tokens)
            if not rest:
                return
            section = next(iter(self.document.sections_over(Span(rest[0].start, rest[0].end))), NOWHERE)
            group = Group(rest, (), (), self.above(rest[0], section), 0)

    def fitting_front(self, group: Group, prefix: str, limit: int) -> list[Atom]:
        """As many atoms from the front as fit by their true count, at least one; headings keep their text if they
        can."""
        atoms = group.atoms

        def fits(count: int, prefix: str) -> bool:
            return self.fits(atoms[0].start, atoms[count - 1].end, limit, prefix)

        fitting, failing = 0, len(atoms)
        while failing - fitting > 1:
            middle = (fitting + failing) // 2
            fitting, failing = (middle, failing) if fits(middle, prefix) else (fitting, middle)
        headings = next((index for index, atom in enumerate(atoms) if not atom.heading), len(atoms))
        if fitting <= headings < len(atoms) and fits(headings + 1, ""):
            fitting = headings + 1  # the prefix shrinks before a heading loses its text
        return atoms[: max(1, fitting)]

    def fits(self, start: int, end: int, limit: int, prefix: str = "") -> bool:
        """By the true count."""
        if not prefix:
            return self.counts.count(start, end) <= limit
        return self.counter.count(join_prefix(prefix, self.text[start:end])) <= limit

    def fitting(self, above: tuple[str, ...], continued: Block | None, span: Span, limit: int) -> tuple[str, int]:
        """The longest prefix that fits in front of the text, and the tokens of both; none is always allowed."""
        text = span.of(self.text)
        alone = self.counter.count(text)
        for prefix in self.prefixes(above, continued):
            if self.counter.count(prefix) > min(self.max_tokens // 2, limit - alone):
                continue
            tokens = self.counter.count(join_prefix(prefix, text))
            if tokens <= limit:
                return prefix, tokens
        return "", alone

    def room(self, above: tuple[str, ...], continued: Block | None) -> int:
        """The tokens that are left for text behind the prefix."""
        return max(1, self.max_tokens - self.prefix(above, continued)[1])

    def prefix(self, above: tuple[str, ...], continued: Block | None) -> tuple[str, int]:
        """The longest prefix of at most half the limit, and its tokens with the blank line after it."""
        if not above and not continued:
            return "", 0
        key = (above, continued.header if continued else None)
        found = self._prefixes.get(key)
        if found is None:
            fitting = (prefix for prefix in self.prefixes(above, continued) if self.may_be_prefix(prefix))
            prefix = next(fitting, "")
            found = self._prefixes[key] = prefix, self.counter.count(f"{prefix}\n\n") if prefix else 0
        return found

    def may_be_prefix(self, prefix: str) -> bool:
        """Whether it is at most half the limit; of most that is plain from their lengths, since no counter of ours
        gives more than four for a character."""
        most = self.max_tokens // 2
        return (self.counts.additive and 4 * len(prefix) <= most) or self.counter.count(prefix) <= most

    def prefixes(self, above: tuple[str, ...], continued: Block | None) -> Iterator[str]:
        """From the whole prefix to the shortest: the path shrinks from its middle before the table's header goes."""
        if continued and continued.header:
            header = continued.header.of(self.text).strip()
            for path in shrinking(above):
                yield f"{path}\n\n{header}"
            yield header
        yield from shrinking(above)


def shrinking(path: Sequence[str], gap: str = "…") -> Iterator[str]:
    """The path joined, then with ever more elements left out in its middle, for which ``gap`` stands.

    >>> list(shrinking(("Guide", "API", "Limits")))
    ['Guide > API > Limits', 'Guide > … > Limits', '… > Limits']
    """
    if path:
        yield PATH_SEPARATOR.join(path)
    for kept in range(len(path) - 1, 0, -1):
        head = kept // 2
        yield PATH_SEPARATOR.join((*path[:head], gap, *path[len(path) - kept + head :]))


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
