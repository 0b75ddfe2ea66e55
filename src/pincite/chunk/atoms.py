"""From blocks to atoms: the pieces that a strategy which keeps blocks whole never cuts."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from pincite.chunk.measure import Measure
from pincite.model import Block, Document
from pincite.text import graphemes, sentences

MAX_DEPTH = 32
"""Blocks nested deeper than this are cut like plain text; it keeps the work linear in hostile documents."""

BLANK_LINE = re.compile(r"(?:\r\n|\n|\r)[^\S\r\n]*(?:\r\n|\n|\r)\s*")
LINE_END = re.compile(r"\r\n|\n|\r")
NON_BLANK = re.compile(r"\S").search
MARKER = re.compile(r"\s*(?:[-*+>]|\d{1,9}[.)])\s+")


class Atom(NamedTuple):
    """The range ``[start, end)`` of the text, trimmed of blanks; a tuple, because there are very many.

    ``[begin, stop)`` is the same range with the blanks around it: the atoms of a document tile its body. ``tokens``
    counts that range, and ``lead`` more where the atom counts so much more without the blanks in front of it (" Yet"
    may be one token and "Yet" two): it is then enough wherever the atom stands. ``limit`` is the size that is allowed
    for it, over the usual one where its kind is kept whole. ``opens`` is set where the atom starts with its section's
    own heading, ``heading`` where it is nothing else. ``table`` is set where it continues a table whose header rows
    stand in an earlier atom, or a definition in code, whose signature is its ``header`` then.
    """

    begin: int
    start: int
    end: int
    stop: int
    tokens: int
    limit: int
    opens: bool = False
    heading: bool = False
    table: Block | None = None
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
    table: Block | None = None


class AtomCutter:
    """Cuts the outermost blocks of one document where they are over the limit, and only there.

    The order of borders: blocks inside the block (items, rows, paragraphs of a quote), then blank lines and lines in
    code, sentences and clauses in prose, then words, then grapheme clusters. ``keep_whole`` says by which factor a
    block of a kind may be over the limit before it is cut. ``code_borders`` are other borders for code, the best first.
    """

    def __init__(
        self,
        document: Document,
        measure: Measure,
        max_tokens: int,
        keep_whole: Mapping[str, float] | None = None,
        code_borders: tuple[Borders, ...] | None = None,
    ) -> None:
        self.document = document
        self.text = document.text
        self.blocks = document.blocks
        self.language = str(document.metadata.get("language", ""))
        self.measure = measure
        self.counter = measure.counter
        self.max_tokens = max_tokens
        self.limits = {kind: max(max_tokens, int(factor * max_tokens)) for kind, factor in (keep_whole or {}).items()}
        self.code_borders = code_borders or CODE_BORDERS
        self._next = 0

    def units(self, start: int, end: int) -> Iterator[Stretch]:
        """The outermost blocks in the range and any text between them, in order, tiling it; both ends are starts of
        lines that no block reaches over. Ranges are asked for in their order."""
        blocks = self.blocks
        self._next = bisect_left(blocks, start, self._next, key=lambda block: block.span.start)
        return self.tiles(self._next, Stretch(start, end))

    def atoms(self, unit: Stretch, room: int) -> Iterator[Atom]:
        """The unit as atoms of at most ``max_tokens``; what has no border at all is cut into windows of ``room``."""
        heading = unit.kind == "heading"
        stack = [unit]
        while stack:
            stretch = stack.pop()
            atom = self.whole(stretch, heading=heading)
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
        begin, stop, block, kind, _, _, table = stretch
        text, limit = self.text, self.max_tokens
        if self.limits and block >= 0:
            limit = self.limits.get(kind, limit)
        if stop - begin > 2 * limit and self.measure.surely_over(begin, stop, limit):
            return None
        start, end = graphemes.trim(text, begin, stop)
        if start == end:
            return None
        tokens, lead = self.counted(begin, start, stop)
        if tokens > limit and self.counter.count(text[start:end]) > limit:
            return None
        return Atom(begin, start, end, stop, tokens, limit, heading, heading, table, lead)

    def counted(self, begin: int, start: int, stop: int) -> tuple[int, int]:
        """What is ``tokens`` and ``lead`` of an atom."""
        tokens = self.counter.count(self.text[begin:stop])
        lead = max(0, self.counter.count(self.text[start:stop]) - tokens) if start > begin else 0
        return tokens + lead, lead

    def inside(self, stretch: Stretch) -> list[Stretch]:
        """The stretch cut at its best borders; empty when only words and clusters are left."""
        if stretch.block >= 0 and stretch.depth < MAX_DEPTH:
            block = self.blocks[stretch.block]
            parts = self.rows(stretch, block) if block.kind == "table" else self.children(stretch)
            if len(parts) == 1:  # one block that is all of the outer one: look inside it
                return self.inside(parts[0])
            if parts:
                return parts
        borders = self.code_borders if stretch.kind in ("code", "other") else PROSE_BORDERS
        for level in range(stretch.level, len(borders)):
            cuts = borders[level](self.text, stretch.start, stretch.end, self.language)
            cuts = [cut for cut in cuts if stretch.start < cut < stretch.end and graphemes.is_border(self.text, cut)]
            cuts = self.before_blanks(cuts, stretch.start)
            if cuts:
                bounds = [stretch.start, *cuts, stretch.end]
                return [
                    Stretch(start, end, kind=stretch.kind, depth=stretch.depth, level=level + 1, table=stretch.table)
                    for start, end in pairwise(bounds)
                ]
        return []

    def before_blanks(self, cuts: list[int], start: int) -> list[int]:
        """Cuts behind a single blank moved in front of it, where tokens add up."""
        text = self.text
        return [
            cut - 1 if text[cut - 1] == " " and cut - 1 > start and not text[cut - 2].isspace() else cut for cut in cuts
        ]

    def rows(self, stretch: Stretch, table: Block) -> list[Stretch]:
        """A table row by row; the header goes with the first row where both fit, so that it never stands alone."""
        starts = [self.line_start(row.start, stretch.start) for row in table.rows]
        if not starts:
            return []
        bounds = [*starts[1:], stretch.end]
        first = Stretch(stretch.start, bounds[0], depth=stretch.depth + 1, table=stretch.table)
        if table.header and self.counter.count(self.text[first.start : first.end].strip()) > self.max_tokens:
            opening = [
                Stretch(stretch.start, starts[0], depth=stretch.depth + 1, table=stretch.table),
                Stretch(starts[0], bounds[0], depth=stretch.depth + 1, table=table),
            ]
        else:
            opening = [first]
        continued = table if table.header else stretch.table
        return opening + [
            Stretch(start, end, depth=stretch.depth + 1, table=continued)
            for start, end in zip(starts[1:], bounds[1:], strict=True)
        ]

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
        kind, table = outer.kind, outer.table
        depth = outer.depth + (outer.block >= 0)
        waiting = -1
        begin = position = outer.start
        while index < len(blocks) and blocks[index].span.start < outer_end:
            block = blocks[index]
            start = self.line_start(block.span.start, position)
            own = position < start and not blank(text, position, start)
            if waiting >= 0:
                yield Stretch(begin, position if own else start, waiting, blocks[waiting].kind, depth, 0, table)
            if own:
                yield Stretch(position, start, -1, kind, depth, 0, table)
            if own or waiting >= 0:
                begin = start
            waiting = index
            position = graphemes.border_after(text, block.span.end)
            index = self.after_subtree(index)
        rest = not blank(text, position, outer_end)
        if waiting >= 0:
            yield Stretch(begin, position if rest else outer_end, waiting, blocks[waiting].kind, depth, 0, table)
        if rest:
            yield Stretch(position, outer_end, -1, kind, depth, 0, table)

    def cut_anywhere(self, atom: Atom, limit: int) -> list[Atom]:
        """An atom that is over the limit after all, without the blanks that it was counted with."""
        stretch = Stretch(atom.begin, atom.stop, table=atom.table)
        parts = self.windows(stretch, atom.start, atom.end, limit, heading=atom.heading)
        return [part._replace(opens=atom.opens and index == 0) for index, part in enumerate(parts)]

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
                tokens, lead = self.counted(begin, inner_start, after)
                yield Atom(
                    begin, inner_start, inner_end, after, tokens, self.max_tokens, heading, heading, stretch.table, lead
                )
                begin = after
            start = stop

    def window_end(self, start: int, end: int, wanted: int) -> int:
        """The best border in ``(start, wanted]``; the end of the first cluster where there is none."""
        if wanted >= end:
            return end
        blank = max(self.text.rfind(blank, start + 1, wanted) for blank in " \n\t")
        if blank > start and graphemes.is_border(self.text, blank + 1, known=start):
            return blank + 1
        border = graphemes.border_before(self.text, wanted, known=start)
        return border if border > start else min(end, graphemes.next_border(self.text, start, known=start))

    def line_start(self, offset: int, lowest: int) -> int:
        """Where the line of that offset begins, not before ``lowest``: what stands in front of a block on its line
        (a marker, an indentation) goes with it."""
        if offset <= lowest or self.text[offset - 1] == "\n":
            return max(lowest, offset)
        line_starts = self.document.line_starts
        return max(lowest, line_starts[bisect_right(line_starts, offset) - 1])

    def after_subtree(self, index: int) -> int:
        end = self.blocks[index].span.end
        index += 1
        while index < len(self.blocks) and self.blocks[index].span.start < end:
            index += 1
        return index


def blank(text: str, start: int, end: int) -> bool:
    """Whether ``text[start:end]`` is empty or white space only.

    >>> blank("a  b", 1, 3), blank("a  b", 1, 4)
    (True, False)
    """
    return not NON_BLANK(text, start, end)


def _blank_lines(text: str, start: int, end: int, language: str) -> list[int]:  # noqa: ARG001 - one shape for all
    return [match.end() for match in BLANK_LINE.finditer(text, start, end)]


def _lines(text: str, start: int, end: int, language: str) -> list[int]:  # noqa: ARG001 - one shape for all
    return [match.end() for match in LINE_END.finditer(text, start, end)]


def _sentences(text: str, start: int, end: int, language: str) -> list[int]:
    return sentences.sentence_starts(text, start, end, language)


def _after_marker(text: str, start: int, end: int, language: str) -> list[int]:  # noqa: ARG001 - one shape for all
    match = MARKER.match(text, start, end)
    return [match.end()] if match else []


def _clauses(text: str, start: int, end: int, language: str) -> list[int]:  # noqa: ARG001 - one shape for all
    return sentences.clause_starts(text, start, end)


Borders = Callable[[str, int, int, str], list[int]]
CODE_BORDERS: tuple[Borders, ...] = (_blank_lines, _lines)
PROSE_BORDERS: tuple[Borders, ...] = (_sentences, _after_marker, _clauses)
