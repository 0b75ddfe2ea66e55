"""``structure``: whole blocks under their heading path, up to a token limit.

The way of a document: sections → atoms (what is never cut; a section that fits is one) → groups (atoms that become
one chunk) → chunks. Every atom's tokens are counted once and added up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from pincite import catalogue
from pincite.chunk.assemble import Piece, assemble
from pincite.chunk.atoms import Atom, named
from pincite.chunk.overlap import Overlap
from pincite.chunk.packing import Group, HeadingPrefix, Packing, SectionRange, shared_length
from pincite.chunk.sizes import check_sizes, small_below
from pincite.model import Chunk, Document, Section
from pincite.ports import Counter
from pincite.text import graphemes

KEPT_KINDS = ("code", "table", "list", "item", "quote", "paragraph")
MOST_KEPT = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class StructureChunker:
    """Packs blocks under their heading path up to ``max_tokens``, prefix included.

    Chunks below ``min_tokens`` (a quarter of the limit unless given) join a neighbour: first within their section, then
    across siblings, from the closest relations to the farthest, never across an outermost heading; ``min_tokens=0``
    never crosses a section. Above 0, text added at the end may change chunks before the last block.
    A code block, table row, list item or sentence is cut only when it alone is over the limit. A table that is cut
    between rows has its header rows in the prefix of every further chunk. ``counter`` names the unit of all limits.

    ``overlap_tokens``: at most so many are repeated from the chunk before, in whole sentences or list items, where a
    section had to be cut. ``heading_prefix``: what of the headings stands in the prefix: the whole ``path``, the
    section's ``own`` heading, or none (``off``). ``keep_whole``: block kinds (``code``, ``table``, ``list``, ``item``,
    ``quote``, ``paragraph``) that are not cut up to a factor of the limit: ``{"code": 2.5}`` keeps code of up to
    ``2.5 * max_tokens`` in one chunk, and ``limit`` says so.
    """

    max_tokens: int = 400
    min_tokens: int | None = None
    overlap_tokens: int = 0
    counter: str = "o200k_base"
    heading_prefix: HeadingPrefix = "path"
    keep_whole: Mapping[str, float] | None = None
    name: str = "structure"
    _counter: Counter = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_sizes(self.max_tokens, min_tokens=self.min_tokens, overlap_tokens=self.overlap_tokens)
        check_keep_whole(self.keep_whole or {})
        object.__setattr__(self, "_counter", catalogue.create("counter", self.counter))

    @property
    def limit(self) -> int:
        """The size that no chunk is over: ``max_tokens``, or more for the kinds that are kept whole."""
        return max([self.max_tokens, *(int(factor * self.max_tokens) for factor in (self.keep_whole or {}).values())])

    def chunk(self, document: Document) -> Iterator[Chunk]:
        return assemble(document, self._pieces(document), self._counter)

    def _pieces(self, document: Document) -> Iterator[Piece]:
        packing = Packing(
            document,
            self._counter,
            max_tokens=self.max_tokens,
            heading_prefix=self.heading_prefix,
            keep_whole=self.keep_whole,
        )
        groups = section_groups(packing, overlap_tokens=self.overlap_tokens)
        joined = merged(packing, groups, small_below(self.max_tokens, self.min_tokens))
        pieces = (piece for group in joined for piece in packing.pieces(group))
        if not self.overlap_tokens:
            return pieces
        overlap = Overlap(document, self._counter, overlap_tokens=self.overlap_tokens, max_tokens=self.max_tokens)
        return overlap.extended(pieces)


def check_keep_whole(factors: Mapping[str, float]) -> None:
    """Raises ``ValueError`` for a kind of block that cannot be kept whole and for a factor that is none."""
    for kind, factor in factors.items():
        if kind not in KEPT_KINDS:
            raise ValueError(f"keep_whole knows the kinds {', '.join(KEPT_KINDS)}, got {kind!r}")
        if isinstance(factor, bool) or not isinstance(factor, (int, float)) or not 1 <= factor <= MOST_KEPT:
            raise ValueError(f"keep_whole takes factors from 1 to {MOST_KEPT}, got {factor!r} for {kind!r}")


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
