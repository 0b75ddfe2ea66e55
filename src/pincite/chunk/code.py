"""``code``: whole functions and classes of source code, each with its qualified name and signature."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from pincite import catalogue
from pincite.chunk.assemble import Piece, assemble
from pincite.chunk.atoms import Atom, AtomCutter, Stretch
from pincite.chunk.borders import BLANK_LINE, LINE_END
from pincite.chunk.definitions import goes_on, is_comment, opening_line, signature
from pincite.chunk.filling import merged, section_groups
from pincite.chunk.packing import NOWHERE, Group, HeadingPrefix, Packing
from pincite.chunk.shares import share
from pincite.chunk.sizes import check_sizes, small_below
from pincite.model import Block, Chunk, Document, Span
from pincite.ports import Counter
from pincite.text import graphemes

DATA = ("json", "yaml", "toml", "ini")
"""Languages without signatures: the path of a key says all that its line does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeChunker:
    """Packs the definitions of a source file up to ``max_tokens``, prefix included, and cuts none that fits.

    Small definitions share a chunk with their neighbours in the same class or module, and what stands before the first
    one (imports) has chunks of its own. A definition over the limit is cut between those inside it, else at blank
    lines, then between statements and lines, into parts of about the same size. Comments and decorators right above a
    definition are part of it. The prefix is the document's id and the qualified name of the definition that the chunk
    lies in, then that definition's signature, unless the text itself begins with it.

    Where the loader knows no definitions, their beginnings are told by indentation. In documents that are not source
    code this is ``structure``. Chunks below ``min_tokens`` (a quarter of the limit unless given) join a neighbour,
    those of the same class first, and the head of a class that small goes in front of its first part (with 0: below
    that quarter); above 0, text added at the end may change chunks before the last block. ``heading_prefix``: the whole
    ``path``, the ``own`` name or heading alone, or none (``off``, which leaves signatures).
    """

    max_tokens: int = 400
    min_tokens: int | None = None
    counter: str = "o200k_base"
    heading_prefix: HeadingPrefix = "path"
    name: str = "code"
    _counter: Counter = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_sizes(self.max_tokens, min_tokens=self.min_tokens)
        object.__setattr__(self, "_counter", catalogue.create("counter", self.counter))

    def chunk(self, document: Document) -> Iterator[Chunk]:
        return assemble(document, self._pieces(document), self._counter)

    def _pieces(self, document: Document) -> Iterator[Piece]:
        source = is_source(document)
        packing = Packing(
            document,
            self._counter,
            max_tokens=self.max_tokens,
            heading_prefix=self.heading_prefix,
            root=(document.id,) if source else (),
        )
        min_tokens = small_below(self.max_tokens, self.min_tokens)
        groups = Definitions(packing, min_tokens).groups() if source else section_groups(packing)
        for group in merged(packing, groups, min_tokens):
            yield from packing.pieces(group._replace(path=(), levels=()) if source else group)


def is_source(document: Document) -> bool:
    """Whether the document is source code or data, and not a text about it that begins with an example."""
    outline = document.outline
    if not outline or any(block.kind != "code" for block in outline):
        return False
    language = outline[0].language
    return document.media_type in (f"text/x-{language or 'code'}", f"application/{language}")


class Scope(NamedTuple):
    """A definition that is cut, with its signature as ``header``, and the one around it; the whole file without one."""

    path: tuple[str, ...] = ()
    definition: Block | None = None
    without_signature: Block | None = None
    outer: Block | None = None

    def placed(self, atom: Atom) -> Atom:
        """The atom with the definition that it continues."""
        if not self.definition or atom.start <= self.definition.span.start:
            return atom._replace(continued=self.outer)
        header = self.definition.header
        if header and atom.start < header.end:  # it shows the signature, or a part of it, itself
            return atom._replace(continued=self.without_signature)
        return atom._replace(continued=self.definition)


class Definitions:
    """The groups of one source file. Their paths are the names of the definitions around them, which tell how close
    two groups are; headings there are none."""

    def __init__(self, packing: Packing, min_tokens: int) -> None:
        self.packing = packing
        self.text = packing.text
        self.blocks = packing.document.blocks
        self.cutter = packing.cutter
        quarter = packing.max_tokens // 4
        self.small = min_tokens or quarter
        """A head below that goes in front of the first part of its definition, whatever else may join."""
        self.hardly_any = max(1, quarter)
        self.has_signatures = packing.document.outline[0].language not in DATA

    def groups(self) -> Iterator[Group]:
        units = self.cutter.units(self.packing.document.body_start, len(self.text))
        return self.inside(self.joined(units), Scope())

    def joined(self, units: Iterable[Stretch]) -> list[Stretch]:
        """The outermost blocks; runs of lines that only go on with the run before them are one stretch with it."""
        result: list[Stretch] = []
        for unit in units:
            if result and self.is_run(result[-1]) and self.is_run(unit) and goes_on(self.text, unit.start):
                result[-1] = result[-1]._replace(end=unit.end, block=-1)
            else:
                result.append(unit)
        return result

    def is_run(self, stretch: Stretch) -> bool:
        """Lines without a blank one between them, in which no definition is known."""
        if stretch.block < 0:
            return True
        block = self.blocks[stretch.block]
        if block.title or self.cutter.children(stretch):
            return False
        return BLANK_LINE.search(self.text, block.span.start, block.span.end) is None

    def inside(self, stretches: Iterable[Stretch], scope: Scope, opening: Sequence[Atom] = ()) -> Iterator[Group]:
        """Fills groups with whole parts of the scope; one that is over the limit is cut in turn.

        ``opening`` goes in front of the first part. What stands before the first definition of a file has groups of its
        own; of a definition it goes with what follows it, also with the first part of that, where it is small. Comments
        go with what follows them.
        """
        current = list(opening)
        total = sum([atom.tokens for atom in current])
        room = self.room(current[0].continued) if current else 0
        headed = True
        for stretch in stretches:
            whole = self.cutter.whole(stretch, heading=False)
            ends_head = headed and bool(self.title(stretch))
            headed = headed and not ends_head
            if whole:
                full = total + whole.tokens > room or (ends_head and not scope.definition)
            else:
                full = total >= self.small or not (ends_head and scope.definition)
            if current and full:
                kept = self.comment_at_the_end(current, room - whole.tokens if whole else self.small)
                yield self.group(current[: len(current) - len(kept)], scope)
                current, total = kept, sum([atom.tokens for atom in kept])
                room = self.room(kept[0].continued) if kept else 0
            if whole:
                atom = scope.placed(whole)
                room = room if current else self.room(atom.continued)
                current.append(atom)
                total += atom.tokens
            else:
                yield from self.cut(stretch, scope, current)
                current, total = [], 0
        if current:
            yield self.group(current, scope)

    def comment_at_the_end(self, atoms: list[Atom], most: int) -> list[Atom]:
        """The last of the atoms, if it is a comment of at most so many tokens and not the only one."""
        last = atoms[-1]
        fits = len(atoms) > 1 and last.tokens <= most
        return [last] if fits and is_comment(self.text, last.start, last.end) else []

    def cut(self, stretch: Stretch, scope: Scope, opening: Sequence[Atom]) -> Iterator[Group]:
        """A part of the scope that is over the limit: between the definitions inside it, or evenly."""
        parts = self.cutter.children(stretch) if self.cutter.may_open(stretch) else []
        inner = self.scope(stretch, parts, scope)
        if parts:
            yield from self.inside(parts, inner, opening)
            return
        front, atoms = self.front_and_body(stretch, inner, opening)
        sizes = [atom.tokens for atom in atoms]
        index, remaining = 0, sum(sizes)
        while index < len(atoms):
            room = self.room(atoms[index].continued)
            count = share(sizes, index, room=room, remaining=remaining)
            if index == 0:
                count = max([count, *(whole for whole in (front, front + 1) if sum(sizes[:whole]) <= room)])
            yield self.group(atoms[index : index + count], inner)
            remaining -= sum(sizes[index : index + count])
            index += count

    def front_and_body(self, stretch: Stretch, scope: Scope, opening: Sequence[Atom]) -> tuple[int, list[Atom]]:
        """The atoms of a stretch that is over the limit, behind the opening, and how many of them go in front of the
        first of the others: comments and decorators stay with the signature, and that with some of the body."""
        room = self.room(scope.definition)
        header = scope.definition.header if scope.definition else None
        own = header is not None and header.start >= stretch.start and stretch.block >= 0
        line = LINE_END.search(self.text, header.end, stretch.end) if header and own else None
        if not line:  # nothing to keep together, or several runs of lines, each of which is cut only if it is over
            return len(opening), [*opening, *map(scope.placed, self.cutter.atoms(stretch, room))]
        above, body = stretch._replace(end=line.end(), block=-1), stretch._replace(start=line.end(), block=-1)
        front = [*opening, *map(scope.placed, self.cutter.atoms(above, room))]
        left = self.room(front[0].continued) - sum([atom.tokens for atom in front])
        # So much that it fits behind the front or, where hardly anything does, behind the signature in the prefix.
        most = min(left, room) if left >= self.hardly_any else room
        cutter = AtomCutter(self.packing.document, self.packing.counts, most)
        limit = self.packing.max_tokens
        return len(front), front + [scope.placed(atom)._replace(limit=limit) for atom in cutter.atoms(body, most)]

    def scope(self, stretch: Stretch, parts: Sequence[Stretch], outer: Scope) -> Scope:
        """The definition with its name and signature, or lines without a name with their first; the scope around them,
        where they have neither."""
        body = next((part.start for part in parts if part.block >= 0 and part.start > stretch.start), stretch.end)
        first = opening_line(self.text, stretch.start, body) if self.has_signatures else None
        title = self.title(stretch)
        if title:
            block = self.blocks[stretch.block]
            header = signature(self.text, block, body) if self.has_signatures else None
            if not header and first and block.span.contains(first):
                header = first
            return Scope((*outer.path, title), replace(block, header=header), block, outer.definition)
        if parts or not first:
            return outer
        span = Span(*graphemes.trim(self.text, stretch.start, stretch.end))
        block = Block("code", span, title=outer.definition.title if outer.definition else "")
        return Scope(outer.path, replace(block, header=first), block, outer.definition)

    def title(self, stretch: Stretch) -> str:
        return self.blocks[stretch.block].title if stretch.block >= 0 else ""

    def group(self, atoms: list[Atom], scope: Scope) -> Group:
        tokens = sum([atom.tokens for atom in atoms])
        return Group(atoms, scope.path, (), self.packing.above(atoms[0], NOWHERE), tokens)

    def room(self, continued: Block | None) -> int:
        """What is left for text that continues the definition."""
        return self.packing.room(self.packing.above(Atom(0, 0, 0, 0, 0, 0, continued=continued), NOWHERE), continued)
