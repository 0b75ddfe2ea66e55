"""A limit that is true: which chunks an embedder would not read to their end, and those chunks split further."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from pincite.chunk.assemble import Piece, assemble
from pincite.chunk.atoms import Atom, AtomCutter, Stretch
from pincite.chunk.code import is_source
from pincite.chunk.counts import RangeCounts
from pincite.chunk.definitions import signature
from pincite.chunk.packing import NOWHERE, HeadingPrefix, Packing, shrinking
from pincite.chunk.shares import share
from pincite.errors import LoadError
from pincite.model import PATH_SEPARATOR, Block, Chunk, Document, Span, join_prefix
from pincite.ports import Counter, Embedder

LEAST_ROOM: Final = 4
"""Less than this part of the room is not worth filling behind what stands in front."""


class Over(NamedTuple):
    """A chunk over the embedder's limit, and its size in the embedder's own tokens."""

    chunk: Chunk
    tokens: int


def over_limit(chunks: Iterable[Chunk], embedder: Embedder, *, head: str = "") -> list[Over]:
    """The chunks of which the embedder would read only a part; none where it reads texts of any length.

    Counted is what is embedded: ``head`` (the line of metadata that is put in front, if any), prefix and text.
    """
    limit = embedder.max_tokens
    if limit is None:
        return []
    counted = (Over(chunk, embedder.count(join_prefix(head, chunk.embedded))) for chunk in chunks)
    return [over for over in counted if over.tokens > limit]


def fitted(
    document: Document,
    chunks: Sequence[Chunk],
    embedder: Embedder,
    *,
    counter: Counter,
    max_tokens: int | None = None,
    heading_prefix: HeadingPrefix | None = None,
    head: str = "",
) -> list[Chunk]:
    """The chunks, in their order, with those over the embedder's limit split further; the others are left alone.

    They are split at the best borders inside them into as few parts of about the same size as fit. ``counter`` and
    ``max_tokens`` are the strategy's own: the new chunks' ``tokens`` are counted by the first and, prefix included, not
    over the second. ``heading_prefix`` is the strategy's option of this name: with it, a part says where it stands, as
    the strategy would; without it (``None``) every part has the prefix of the chunk. ``head`` is that of `over_limit`.

    Raises ``LoadError`` where even one grapheme cluster is over the limit.
    """
    over = {chunk.number for chunk, _ in over_limit(chunks, embedder, head=head)}
    if not over:
        return list(chunks)
    limits = Limits(embedder, head, counter, max_tokens)
    splitter = Splitter(document, limits, heading_prefix)
    pieces: list[Piece] = []
    for chunk in chunks:
        if chunk.number in over:
            pieces.extend(splitter.parts(chunk))
        else:
            pieces.append(Piece(chunk.span, chunk.prefix, chunk.headings, chunk.level, chunk.parent, chunk.tokens))
    return list(assemble(document, rising(pieces), counter))


def rising(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """In the order of their starts; of two that start together, as parts of overlapping chunks may, the longer one."""
    start = -1
    for piece in sorted(pieces, key=lambda piece: (piece.span.start, -piece.span.end)):
        if piece.span.start > start:
            yield piece
        start = piece.span.start


@dataclass(frozen=True, slots=True)
class OwnTokens:
    """An embedder as a counter, without the marks that it may put around each text, so that sums are about right.

    Where its tokens start it does not tell, so they are spread evenly: a first guess for those who count again.
    """

    embedder: Embedder
    marks: int = field(init=False)

    def __post_init__(self) -> None:
        count = self.embedder.count
        object.__setattr__(self, "marks", max(0, 2 * count("a") - count("a a")))

    @property
    def name(self) -> str:
        return self.embedder.name

    def count(self, text: str) -> int:
        return max(0, self.embedder.count(text) - self.marks)

    def starts(self, text: str) -> list[int]:
        tokens = self.count(text)
        return [index * (len(text) + 1) // tokens for index in range(tokens)]


@dataclass(frozen=True, slots=True)
class Limits:
    """What a part must keep: the embedder's limit, with the head in front, and that of the strategy, if it has one."""

    embedder: Embedder
    head: str
    counter: Counter
    max_tokens: int | None

    @property
    def limit(self) -> int:
        limit = self.embedder.max_tokens
        assert limit is not None  # noqa: S101 - without a limit nothing is over it
        return limit

    def size(self, prefix: str, text: str) -> int:
        """In the embedder's tokens."""
        return self.embedder.count(join_prefix(self.head, join_prefix(prefix, text)))

    def hold(self, prefix: str, text: str) -> bool:
        if self.size(prefix, text) > self.limit:
            return False
        return self.max_tokens is None or self.counter.count(join_prefix(prefix, text)) <= self.max_tokens

    def allow(self, prefix: str) -> bool:
        """Whether the prefix is at most half of each limit."""
        if self.embedder.count(prefix) * 2 > self.limit:
            return False
        return self.max_tokens is None or self.counter.count(prefix) * 2 <= self.max_tokens

    def too_small(self, document: Document) -> LoadError:
        within = f" with {len(self.head)} characters of metadata in front" if self.head else ""
        return LoadError(
            f"a single character{within} is over the {self.limit} tokens that {self.embedder.name!r} reads of one text",
            cure="Choose another embedder, or fewer names in [embed] metadata.",
            kind="too_large",
            file=document.id,
        )


@dataclass(frozen=True, slots=True)
class Held:
    """Both limits as one count: what does not hold one of them has more than the embedder reads."""

    limits: Limits
    counter: OwnTokens
    name: str = "held"

    def count(self, text: str) -> int:
        size = self.limits.size("", text)
        return size if self.limits.hold("", text) else max(size, self.limits.limit + 1)

    def starts(self, text: str) -> list[int]:
        return self.counter.starts(text)


class Splitter:
    """Splits chunks of one document; asked for them in their order."""

    def __init__(self, document: Document, limits: Limits, heading_prefix: HeadingPrefix | None) -> None:
        self.document = document
        self.text = document.text
        self.limits = limits
        self.heading_prefix = heading_prefix
        self.is_source = is_source(document)
        self.counter = OwnTokens(limits.embedder)
        taken = self.counter.count(f"{limits.head}\n\n") if limits.head else 0
        self.room = max(1, limits.limit - self.counter.marks - taken)
        """What the marks and the head leave of the embedder's limit."""
        self.packings = [
            Packing(document, self.counter, max_tokens=limits.limit, heading_prefix=heading_prefix or "off", root=root)
            for root in ((), (document.id,))
        ]
        """For prefixes without and with the name of the document, as those of source code have it."""
        self._next = 0
        self._open: list[Block] = []

    def parts(self, chunk: Chunk) -> list[Piece]:
        """The chunk in parts that all keep the limits."""
        blocks = self.blocks_over(chunk.span)
        repeated = [block for block in blocks if block.header or (block.kind == "code" and block.title)]
        atoms = self.atoms(chunk, repeated, clipped(self.document, chunk.span, blocks))
        return [
            self.part(chunk, repeated, span)
            for whole in self.filled(chunk, repeated, atoms)
            for span in self.within(whole)
        ]

    def atoms(self, chunk: Chunk, blocks: Sequence[Block], clip: Document) -> list[Atom]:
        """Of the chunk, at its places in the document; of a size that fits behind what will stand in front of them."""
        counts = RangeCounts(clip.text, 0, self.counter)
        offset, room = chunk.span.start, self.room
        atoms: list[Atom] = []
        after_heading, taken = False, 0
        for unit in AtomCutter(clip, counts, room).units(0, len(clip.text)):
            if not after_heading:
                taken = self.counter.count(self.prefix(chunk, blocks, unit.start + offset))
            most = room - taken if (room - taken) * LEAST_ROOM >= room else room
            cutter = AtomCutter(clip, counts, most)
            for atom in cutter.atoms(unit, most):
                atoms.append(atom._replace(start=atom.start + offset, end=atom.end + offset))
                taken += atom.tokens
            after_heading = unit.kind == "heading"
        return atoms

    def filled(self, chunk: Chunk, blocks: Sequence[Block], atoms: Sequence[Atom]) -> Iterator[Span]:
        """As few parts as the atoms fit into, of about the same size; headings go with the first atom of their text."""
        sizes = [atom.tokens for atom in atoms]
        first, remaining = 0, sum(sizes)
        while first < len(atoms):
            start = atoms[first].start
            room = max(1, self.room - self.counter.count(self.prefix(chunk, blocks, start)))
            count = share(sizes, first, room=room, remaining=remaining)
            while first + count < len(atoms) and atoms[first + count - 1].heading:
                count += 1
            while count > 1 and not self.limits.hold("", self.text[start : atoms[first + count - 1].end]):
                count -= 1
            yield Span(start, atoms[first + count - 1].end)
            remaining -= sum(sizes[first : first + count])
            first += count

    def within(self, span: Span) -> Iterator[Span]:
        """The span; cut at words or clusters where it is over a limit after all: counts need not add up, and a text
        without the blank before it may have more tokens."""
        text = span.of(self.text)
        if self.limits.hold("", text):
            yield span
            return
        document = replace(self.document, text=text, blocks=(), places=(), warnings=())
        most = self.limits.limit
        cutter = AtomCutter(document, RangeCounts(text, 0, Held(self.limits, self.counter)), most)
        for atom in cutter.windows(Stretch(0, len(text)), 0, len(text), most, heading=False):
            part = Span(span.start + atom.start, span.start + atom.end)
            if self.limits.size("", part.of(self.text)) > most:
                raise self.limits.too_small(self.document)
            yield part

    def part(self, chunk: Chunk, blocks: Sequence[Block], span: Span) -> Piece:
        return Piece(span, self.prefix(chunk, blocks, span.start, span.of(self.text)), parent=chunk.parent)

    def prefix(self, chunk: Chunk, blocks: Sequence[Block], start: int, text: str = "") -> str:
        """The best for a part that begins there which is allowed and fits in front of the text."""
        prefixes = filter(self.limits.allow, self.prefixes(chunk, blocks, start))
        return next((prefix for prefix in prefixes if self.limits.hold(prefix, text)), "")

    def prefixes(self, chunk: Chunk, blocks: Sequence[Block], start: int) -> Iterator[str]:
        """What may stand before the part that begins there, the best first; nothing is always allowed."""
        if self.heading_prefix is None or start == chunk.span.start:
            yield chunk.prefix
        if self.heading_prefix is not None:
            named = self.is_source and bool(chunk.prefix)
            packing = self.packings[named and chunk.prefix.startswith(self.document.id)]
            section = next(iter(self.document.sections_over(Span(start, start + 1))), NOWHERE)
            opens = section.heading is not None and start <= section.heading.start
            continued = self.continued(blocks, start, named=named)
            above = packing.above(Atom(0, 0, 0, 0, 0, 0, opens=opens, continued=continued), section)
            yield from packing.prefixes(above, continued)
        elif chunk.prefix == PATH_SEPARATOR.join(chunk.headings):
            yield from shrinking(chunk.headings)
        yield ""

    def continued(self, blocks: Sequence[Block], start: int, *, named: bool) -> Block | None:
        """The table, or, where chunks are ``named``, the definition that goes on there."""
        around = [block for block in blocks if block.span.start < start < block.span.end]
        for block in reversed(around):
            if block.kind == "table" and block.header and block.header.end <= start:
                return block
            if named and block.title:
                return replace(block, header=signature(self.text, block, start))
        return None

    def blocks_over(self, span: Span) -> list[Block]:
        """All blocks that the span touches, in the document's order."""
        blocks = self.document.blocks
        while self._next < len(blocks) and blocks[self._next].span.start < span.start:
            block = blocks[self._next]
            self._open = [*(outer for outer in self._open if outer.span.end > block.span.start), block]
            self._next += 1
        last = bisect_left(blocks, span.end, self._next, key=lambda block: block.span.start)
        return [*(block for block in self._open if block.span.end > span.start), *blocks[self._next : last]]


def clipped(document: Document, span: Span, blocks: Iterable[Block]) -> Document:
    """The span as a document of its own, with what lies in it of the blocks."""
    return replace(
        document,
        text=span.of(document.text),
        blocks=tuple(_clipped(block, span) for block in blocks),
        places=(),
        warnings=(),
    )


def _clipped(block: Block, span: Span) -> Block:
    def moved(inner: Span) -> Span:
        return Span(max(inner.start, span.start) - span.start, min(inner.end, span.end) - span.start)

    first = bisect_left(block.rows, span.start, key=lambda row: row.start)
    last = bisect_right(block.rows, span.end, key=lambda row: row.end)
    return replace(
        block,
        span=moved(block.span),
        header=moved(block.header) if block.header and span.contains(block.header) else None,
        rows=tuple(moved(row) for row in block.rows[first:last]),
    )
