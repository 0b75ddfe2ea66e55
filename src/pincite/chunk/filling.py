"""From atoms to groups: what becomes one chunk, section by section, and which small groups join."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pincite.chunk.atoms import Atom, named
from pincite.chunk.packing import Group, Packing, SectionRange, shared_length
from pincite.model import Section
from pincite.text import graphemes


def section_groups(packing: Packing, *, overlap_tokens: int = 0) -> Iterator[Group]:
    """Section by section, whole where it fits. One with nothing but its heading goes in front of the one below it."""
    waiting: list[tuple[Atom, Section]] = []
    for stretch in packing.section_ranges():
        section = stretch.section
        whole = section_atom(packing, stretch)
        if whole and not stretch.bare:
            first, home = waiting[0] if waiting else (whole, section)
            above = packing.above(first, home)
            atoms, tokens = [whole], whole.tokens
            if waiting:
                atoms = [*(atom for atom, _ in waiting), whole]
                tokens = sum([atom.tokens for atom in atoms])
            if tokens <= packing.room(above, None):
                yield Group(atoms, section.path, section.levels, above, tokens)
                waiting = []
                continue
        if whole and stretch.bare:
            waiting.append((whole, section))
        else:
            waiting += [(atom, section) for atom in packing.atoms(section, stretch.begin, stretch.stop)]
        if not (stretch.bare and stretch.deeper):
            yield from filled(packing, section, waiting, overlap_tokens=overlap_tokens)
            waiting = []


def section_atom(packing: Packing, stretch: SectionRange) -> Atom | None:
    """The section as one atom, where it is not over the limit."""
    section, begin, stop = stretch.section, stretch.begin, stretch.stop
    tokens = packing.counts.count(begin, stop)
    if tokens > packing.max_tokens:
        return None
    start, end = graphemes.trim(packing.text, begin, stop)
    if start > begin:  # an indented heading; its blocks are looked at one by one
        return None
    opens = section.heading is not None
    return named(Atom, (begin, start, end, stop, tokens, packing.max_tokens, opens, stretch.bare, None, 0))


def filled(
    packing: Packing, section: Section, placed: list[tuple[Atom, Section]], *, overlap_tokens: int = 0
) -> Iterator[Group]:
    """Fills groups from the front. Headings keep the first atom of their text as long as both fit at all; of several
    headings in a row, as many as fit. Every group but the first leaves room for an overlap."""
    current: list[tuple[Atom, Section]] = []
    total = room = spare = 0
    headings_only = True
    for atom, home in with_first_sentence(packing, placed):
        if not headings_only and total + atom.tokens <= room:  # as nearly all do
            current.append((atom, home))
            total += atom.tokens
            continue
        full = True
        if current:
            kept: list[tuple[Atom, Section]] = []
            if headings_only:
                kept = with_text(packing, current, atom)
                full = len(kept) < len(current)
            if full:
                apart = current[: len(current) - len(kept)]
                size = sum([heading.tokens for heading, _ in kept])
                yield grouped(packing, section, apart, total - size)
                current, total, spare = kept, size, overlap_tokens
        current.append((atom, home))
        total += atom.tokens
        if full:
            first, its_home = current[0]
            room = packing.room(packing.above(first, its_home), first.continued) - spare
            headings_only = True
        headings_only = headings_only and atom.heading
    yield grouped(packing, section, current, total)


def with_first_sentence(packing: Packing, placed: list[tuple[Atom, Section]]) -> list[tuple[Atom, Section]]:
    """The atoms; where the first that is no heading does not fit behind the one in front of it, it becomes its
    sentences, if the first of them fits there and a block around the atom is cut anyway."""
    index = next((index for index, (atom, _) in enumerate(placed) if not atom.heading), 0)
    atom, home = placed[index]
    if not index or placed[index - 1][0].tokens + atom.tokens <= atom.limit:  # what the sum allows fits
        return placed
    start = placed[index - 1][0].start
    sentences = packing.cutter.sentences(atom)
    if (
        len(sentences) < 2
        or packing.fits(start, atom.end, atom.limit)
        or not packing.fits(start, sentences[0].end, atom.limit)
    ):
        return placed
    return [*placed[:index], *((sentence, home) for sentence in sentences), *placed[index + 1 :]]


def with_text(packing: Packing, headings: list[tuple[Atom, Section]], atom: Atom) -> list[tuple[Atom, Section]]:
    """The last of the headings that fit into one chunk with the atom, at least without a prefix."""
    for index, (heading, _) in enumerate(headings):
        if packing.fits(heading.start, atom.end, atom.limit):
            return headings[index:]
    return []


def grouped(packing: Packing, section: Section, placed: list[tuple[Atom, Section]], tokens: int) -> Group:
    """Headings without text belong to their own sections, everything else to the section whose text it is."""
    atoms = [atom for atom, _ in placed]
    first, home = placed[0]
    path, levels = section.path, section.levels
    if atoms[-1].heading:
        shared = min(shared_length(home.path, other.path) for _, other in placed)
        path, levels = home.path[:shared], home.levels[:shared]
    return Group(atoms, path, levels, packing.above(first, home), tokens)


def merged(packing: Packing, groups: Iterable[Group], min_tokens: int) -> Iterable[Group]:
    """Groups of which one is below ``min_tokens`` join their neighbours, the closest relations first.

    How close two are: the elements that their paths share, one more within the same section.
    """
    if not min_tokens:
        return groups
    result = list(groups)
    most = packing.max_tokens
    closeness = max([len(group.path) for group in result], default=0) + 1
    while closeness and min([group.tokens for group in result], default=min_tokens) < min_tokens:
        current, result = result, []
        last: Group | None = None
        nearest = 0  # how close those are that are not close enough: where none joined, none will before it
        for group in current:
            if last and (last.tokens < min_tokens or group.tokens < min_tokens) and last.tokens + group.tokens <= most:
                close = shared_length(last.path, group.path) + (not group.atoms[0].opens)
                if close < closeness:
                    nearest = max(nearest, close)
                elif last.tokens + group.tokens <= packing.room(last.above, last.atoms[0].continued):
                    last = result[-1] = last.joined(group)
                    continue
            last = group
            result.append(group)
        closeness = nearest if len(result) == len(current) else closeness - 1
    return result
