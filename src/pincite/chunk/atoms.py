"""From blocks to atoms: the pieces that a strategy which keeps blocks whole never cuts."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final, NamedTuple

from pincite.chunk.assemble import border_within
from pincite.chunk.borders import CODE_BORDERS, MARKERS, PROSE_BORDERS, blank, language_of, line_start
from pincite.chunk.counts import RangeCounts
from pincite.model import Block, Document, Span, join_prefix
from pincite.text import graphemes

named: Final = tuple.__new__
"""Makes a named tuple of all its values in half of the time of its own ``__new__``, which is Python code: a tenth of a
microsecond less for each of the five that ``structure`` makes for a chunk."""
MAX_DEPTH: Final = 32
"""Blocks nested deeper than this are sized by the sums of a ruler, and cut like plain text where a counter gives none:
it keeps the work linear in hostile documents."""
LONGEST_FRONT: Final = 200
"""More than that in front of a block on its line, in code points, is no mark of it."""


class Atom(NamedTuple):
    """The range ``[start, end)`` of the text, trimmed of blanks; a tuple, because there are very many.

    ``[begin, stop)`` is the same range with the blanks around it: the atoms of a document tile its body. ``tokens``
    counts that range, and ``lead`` more where the atom counts so much more without the blanks in front of it (" Yet"
    may be one token and "Yet" two): it is then enough wherever the atom stands. ``limit`` is the size that is allowed
    for it, over the usual one where its kind is kept whole. ``opens`` is set where the atom starts with its section's
    own heading, ``heading`` where it is nothing else. ``continued`` is set where it goes on with a table whose header
    rows stand in an earlier atom, or with a definition in code, whose signature is its ``header`` then.
    """

    begin: int
    start: int
    end: int
    stop: int
    tokens: int
    limit: int
    opens: bool = False
    heading: bool = False
    continued: Block | None = None
    lead: int = 0


class Stretch(NamedTuple):
    """A range still to be cut: what it is made of decides where. ``block`` is an index into the document's blocks,
    -1 for text inside or between blocks; ``level`` counts the leaf borders that were already tried."""

    start: int
    end: int
    block: int = -1
    kind: str = "paragraph"
    depth: int = 0
    level: int = 0
    continued: Block | None = None


class AtomCutter:
    """Cuts the outermost blocks of one document where they are over the limit, and only there.

    The order of borders: blocks inside the block (items, rows, paragraphs of a quote), then blank lines and lines in
    code, sentences and clauses in prose, then words, then grapheme clusters. ``keep_whole`` says by which factor a
    block of a kind may be over the limit before it is cut.
    """

    def __init__(
        self,
        document: Document,
        counts: RangeCounts,
        max_tokens: int,
        keep_whole: Mapping[str, float] | None = None,
    ) -> None:
        self.document = document
        self.text = document.text
        self.blocks = document.blocks
        self.language = language_of(document)
        self.counts = counts
        self.counter = counts.counter
        self.max_tokens = max_tokens
        self.limits = {kind: max(max_tokens, int(factor * max_tokens)) for kind, factor in (keep_whole or {}).items()}
        self._next = 0

    def units(self, start: int, end: int) -> Iterator[Stretch]:
        """The outermost blocks in the range and any text between them, in order, tiling it; both ends are starts of
        lines that no block reaches over. Ranges are asked for in their order."""
        blocks = self.blocks
        self._next = bisect_left(blocks, start, self._next, key=lambda block: block.span.start)
        return self.tiles(self._next, Stretch(start, end))

    def atoms(self, unit: Stretch, room: int) -> Iterator[Atom]:
        """The unit as atoms of at most ``max_tokens``; what has no border at all is cut into windows of ``room``."""
        atom = self.whole(unit, heading=unit.kind == "heading")
        return iter((atom,)) if atom else self.opened(unit, room)

    def opened(self, unit: Stretch, room: int) -> Iterator[Atom]:
        """The same for a unit that is blank or over the limit."""
        heading = unit.kind == "heading"
        stack = [unit]
        while stack:
            stretch = stack.pop()
            atom = None if stretch is unit else self.whole(stretch, heading=heading)
            if atom:
                yield atom
                continue
            start, end = graphemes.trim(self.text, stretch.start, stretch.end)
            if start == end:
                continue
            inner = self.inside(stretch)
            if inner:
                stack.extend(reversed(inner))
            else:
                yield from self.windows(stretch, start, end, room, heading=heading)

    def whole(self, stretch: Stretch, *, heading: bool) -> Atom | None:
        """The stretch as one atom; ``None`` where it is blank or over the limit."""
        begin, stop, block, kind, depth, _, continued = stretch
        text, limit = self.text, self.max_tokens
        if self.limits and block >= 0:
            limit = self.limits.get(kind, limit)
        if depth and stop - begin > 2 * limit and self.counts.surely_over(begin, stop, limit):
            return None
        start, end = graphemes.trim(text, begin, stop)
        if start == end:
            return None
        tokens = self.counts.count(begin, stop)
        lead = 0
        if start > begin:
            lead = self.counts.lead(begin, start, stop, tokens)
            tokens += lead
        if tokens > limit and (end - start == stop - begin or self.counts.count(start, end) > limit):
            return None
        return named(Atom, (begin, start, end, stop, tokens, limit, heading, heading, continued, lead))

    def may_open(self, stretch: Stretch) -> bool:
        """Whether the blocks inside the stretch are looked at."""
        return stretch.block >= 0 and (stretch.depth < MAX_DEPTH or self.counts.additive)

    def inside(self, stretch: Stretch) -> list[Stretch]:
        """The stretch cut at its best borders; empty when only words and clusters are left."""
        while self.may_open(stretch):
            block = self.blocks[stretch.block]
            parts = self.apart(stretch, block)
            parts = parts or (self.rows(stretch, block) if block.kind == "table" else self.children(stretch))
            if len(parts) > 1:
                return parts
            if not parts:
                break
            stretch = parts[0]  # one block that is all of the outer one
        borders = CODE_BORDERS if stretch.kind in ("code", "other") else PROSE_BORDERS
        for level in range(stretch.level, len(borders)):
            cuts = borders[level](self.text, stretch.start, stretch.end, self.language)
            cuts = self.before_blanks(self.allowed(cuts, stretch), stretch.start)
            if cuts:
                bounds = [stretch.start, *cuts, stretch.end]
                kind, depth, continued = stretch.kind, stretch.depth, stretch.continued
                return [Stretch(start, end, -1, kind, depth, level + 1, continued) for start, end in pairwise(bounds)]
        return []

    def apart(self, stretch: Stretch, block: Block) -> list[Stretch]:
        """A block that fits without what stands in front of it on its line, such as the comma and the bracket between
        records of data, as that and the block; empty where it does not."""
        if block.span.start - stretch.start > LONGEST_FRONT:
            return []
        start = graphemes.border_after(self.text, block.span.start, known=stretch.start)
        if start >= stretch.end or MARKERS.fullmatch(self.text, stretch.start, start):
            return []
        front, alone = stretch._replace(end=start, block=-1), stretch._replace(start=start)
        return [front, alone] if self.whole(alone, heading=False) else []

    def allowed(self, cuts: list[int], stretch: Stretch) -> list[int]:
        """The cuts inside the stretch, but for those in a grapheme cluster. Behind a line feed and before a character
        that joins none, as behind a blank, is none: it is not asked for."""
        text = self.text
        return [
            cut
            for cut in cuts
            if stretch.start < cut < stretch.end
            and ((text[cut - 1] in " \n" and text[cut] < graphemes.FIRST_COMBINING) or graphemes.is_border(text, cut))
        ]

    def before_blanks(self, cuts: list[int], start: int) -> list[int]:
        """Cuts behind a single blank moved in front of it, where tokens add up."""
        text = self.text
        return [
            cut - 1 if text[cut - 1] == " " and cut - 1 > start and not text[cut - 2].isspace() else cut for cut in cuts
        ]

    def rows(self, stretch: Stretch, table: Block) -> list[Stretch]:
        """A table row by row; the header goes with the first row where both fit, so that it never stands alone. So do
        the lines that close a row or the table (``|===``, the rules of a grid) with the row before them."""
        if not table.rows:
            return []
        depth, outer = stretch.depth + 1, stretch.continued
        continued = table if table.header else outer
        starts = [self.line_start(row.start, stretch.start) for row in table.rows]
        bounds = [*starts[1:], stretch.end]
        parts = [Stretch(stretch.start, bounds[0], depth=depth, continued=outer)]
        opened = bool(table.header) or not blank(self.text, stretch.start, starts[0])
        if opened and self.stripped(stretch.start, bounds[0]) > self.max_tokens:
            parts = self.opening(table, Stretch(stretch.start, starts[0], depth=depth, continued=outer))
            parts += self.closed_row(table.rows[0], Stretch(starts[0], bounds[0], depth=depth, continued=continued))
        for row, start, end in zip(table.rows[1:], starts[1:], bounds[1:], strict=True):
            parts += self.closed_row(row, named(Stretch, (start, end, -1, "paragraph", depth, 0, continued)))
        if parts[-1].start >= table.rows[-1].end:  # what closes the table needs no header
            parts[-1] = parts[-1]._replace(continued=outer)
        return parts

    def opening(self, table: Block, stretch: Stretch) -> list[Stretch]:
        """What stands before a table's first row; as two where its header fits only without what opens the table."""
        if stretch.start == stretch.end or not table.header:
            return [stretch] * (stretch.start < stretch.end)
        start = self.line_start(table.header.start, stretch.start)
        whole, header = self.stripped(stretch.start, stretch.end), self.stripped(start, stretch.end)
        if blank(self.text, stretch.start, start) or not header <= self.max_tokens < whole:
            return [stretch]
        return [stretch._replace(end=start), stretch._replace(start=start)]

    def closed_row(self, row: Span, stretch: Stretch) -> list[Stretch]:
        """A table's row with what closes it; as two where only without that it fits behind the header, or at all."""
        end = row.end
        if self.text[end : end + 1] != "\n":
            end = graphemes.border_after(self.text, end, known=stretch.start)
        if blank(self.text, end, stretch.end):
            return [stretch]
        table = stretch.continued
        header = table.header.of(self.text).strip() if table and table.header else ""
        headers = [header] if header and self.counter.count(header) * 2 <= self.max_tokens else []
        for prefix in (*headers, ""):
            if self.stripped(stretch.start, stretch.end, prefix) <= self.max_tokens:
                return [stretch]
            if self.stripped(stretch.start, end, prefix) <= self.max_tokens:
                return [stretch._replace(end=end), stretch._replace(start=end)]
        return [stretch]

    def stripped(self, start: int, end: int, prefix: str = "") -> int:
        """The tokens of the range without blanks around it, behind the prefix."""
        return self.counter.count(join_prefix(prefix, self.text[start:end].strip()))

    def children(self, stretch: Stretch) -> list[Stretch]:
        """The blocks directly inside, each from the start of its line; text of the block's own is a part of its own."""
        index = stretch.block + 1
        if index == len(self.blocks) or self.blocks[index].span.start >= stretch.end:
            return []
        return list(self.tiles(index, stretch))

    def tiles(self, index: int, outer: Stretch) -> Iterator[Stretch]:
        """The blocks from that index on which lie in the outer stretch, and the text between them.

        They tile it: each reaches to where the next begins, so that the tokens of the blanks between them are counted.
        """
        text, blocks, outer_end = self.text, self.blocks, outer.end
        kind, continued = outer.kind, outer.continued
        depth = outer.depth + (outer.block >= 0)
        waiting = -1
        begin = position = outer.start
        while index < len(blocks) and blocks[index].span.start < outer_end:
            block = blocks[index]
            start = block.span.start
            if start <= position or text[start - 1] != "\n":
                start = self.line_start(start, position)
            own = position < start and not blank(text, position, start)
            if waiting >= 0:
                end = position if own else start
                yield named(Stretch, (begin, end, waiting, blocks[waiting].kind, depth, 0, continued))
            if own:
                yield Stretch(position, start, -1, kind, depth, 0, continued)
            if own or waiting >= 0:
                begin = start
            waiting = index
            position = block.span.end
            if text[position : position + 1] != "\n" or text[position - 1] == "\r":
                position = graphemes.border_after(text, position)
            index = self.after_subtree(index)
        rest = not blank(text, position, outer_end)
        if waiting >= 0:
            yield Stretch(begin, position if rest else outer_end, waiting, blocks[waiting].kind, depth, 0, continued)
        if rest:
            yield Stretch(position, outer_end, -1, kind, depth, 0, continued)

    def cut_anywhere(self, atom: Atom, limit: int) -> list[Atom]:
        """An atom that is over the limit after all, without the blanks that it was counted with."""
        stretch = Stretch(atom.begin, atom.stop, continued=atom.continued)
        parts = self.windows(stretch, atom.start, atom.end, limit, heading=atom.heading)
        return [part._replace(opens=atom.opens and index == 0) for index, part in enumerate(parts)]

    def sentences(self, atom: Atom) -> list[Atom]:
        """Of an atom that is the text of an item in front of the blocks inside it, or its first paragraph, and so no
        unit that must stay whole; none of another, and none where they do not all fit."""
        blocks = self.blocks
        index = bisect_left(blocks, atom.stop, key=lambda block: block.span.start) - 1
        if index > 0 and blocks[index].kind == "paragraph":
            index -= 1
        if index < 0 or blocks[index].kind != "item" or blocks[index].span.end <= atom.stop:
            return []
        cuts = PROSE_BORDERS[0](self.text, atom.start, atom.end, self.language)[1:]
        bounds = [atom.begin, *self.before_blanks(cuts, atom.start), atom.stop]
        stretches = (Stretch(begin, stop, continued=atom.continued) for begin, stop in pairwise(bounds))
        found = [self.whole(stretch, heading=False) for stretch in stretches]
        return [part for part in found if part] if all(found) else []

    def windows(self, stretch: Stretch, start: int, end: int, room: int, *, heading: bool) -> Iterator[Atom]:
        """Text without any border, at most ``room`` tokens each: cut at the last blank that fits, else between
        clusters; a single cluster over the limit stands alone."""
        begin = stretch.start
        starts = [start + offset for offset in self.counter.starts(self.text[start:end])]
        starts.append(end)
        while start < end:
            first = bisect_right(starts, start) - 1
            size = room
            while True:
                stop = self.window_end(start, end, starts[min(first + size, len(starts) - 1)] if size > 0 else start)
                inner_start, inner_end = graphemes.trim(self.text, start, stop)
                tokens = self.counter.count(self.text[inner_start:inner_end])
                one_cluster = graphemes.next_border(self.text, start, known=start)
                if tokens <= room or stop <= one_cluster:
                    break
                size = min(size - 1, size * room // tokens)
            if inner_start < inner_end:
                after = stretch.end if stop >= end else stop
                tokens = self.counts.count(begin, after)
                lead = self.counts.lead(begin, inner_start, after, tokens) if inner_start > begin else 0
                tokens += lead
                limit, continued = self.max_tokens, stretch.continued
                yield Atom(begin, inner_start, inner_end, after, tokens, limit, heading, heading, continued, lead)
                begin = after
            start = stop

    def window_end(self, start: int, end: int, wanted: int) -> int:
        """The best border in ``(start, wanted]``; the end of the first cluster where there is none."""
        if wanted >= end:
            return end
        blank = max(self.text.rfind(blank, start + 1, wanted) for blank in " \n\t")
        if blank > start and graphemes.is_border(self.text, blank + 1, known=start):
            return blank + 1
        return min(end, border_within(self.text, start, wanted))

    def line_start(self, offset: int, lowest: int) -> int:
        """Where the line of that offset begins, not before ``lowest``: what stands in front of a block on its line
        (a marker, an indentation) goes with it."""
        if offset <= lowest or self.text[offset - 1] == "\n":
            return max(lowest, offset)
        return max(lowest, line_start(self.document, offset))

    def after_subtree(self, index: int) -> int:
        """The first block that begins behind that one."""
        blocks, end = self.blocks, self.blocks[index].span.end
        index += 1
        if index == len(blocks) or blocks[index].span.start >= end:
            return index
        return bisect_left(blocks, end, index, key=lambda block: block.span.start)
