"""From blocks to atoms: the pieces that a strategy which keeps blocks whole never cuts."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from pincite.model import Block, Document
from pincite.ports import Counter
from pincite.text import graphemes, sentences

MAX_DEPTH = 32
"""Blocks nested deeper than this are cut like plain text; it keeps the work linear in hostile documents."""

BLANK_LINE = re.compile(r"(?:\r\n|\n|\r)[^\S\r\n]*(?:\r\n|\n|\r)\s*")
LINE_END = re.compile(r"\r\n|\n|\r")
MARKER = re.compile(r"\s*(?:[-*+>]|\d{1,9}[.)])\s+")


@dataclass(frozen=True, slots=True)
class Atom:
    """The range ``[start, end)`` of the text, trimmed of blanks. ``tokens`` are counted up to the next atom.

    ``heading`` is set for a section's own heading. ``table`` is set where the atom continues a table whose header
    rows stand in an earlier atom.
    """

    start: int
    end: int
    tokens: int
    heading: bool = False
    table: Block | None = None


@dataclass(frozen=True, slots=True)
class Stretch:
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
    code, sentences and clauses in prose, then words, then grapheme clusters.
    """

    def __init__(self, document: Document, counter: Counter, max_tokens: int) -> None:
        self.document = document
        self.text = document.text
        self.line_starts = document.line_starts
        self.blocks = document.blocks
        self.language = str(document.metadata.get("language", ""))
        self.counter = counter
        self.max_tokens = max_tokens

    def units(self) -> Iterator[Stretch]:
        """The outermost blocks and any text between them, in order, tiling the body from line start to line start."""
        first = 1 if self.blocks and self.blocks[0].kind == "metadata" else 0
        return self.tiles(first, Stretch(self.document.body_start, len(self.text)))

    def atoms(self, unit: Stretch, room: int) -> list[Atom]:
        """The unit as atoms of at most ``max_tokens``; what has no border at all is cut into windows of ``room``."""
        result: list[Atom] = []
        stack = [unit]
        while stack:
            stretch = stack.pop()
            start, end = graphemes.trim(self.text, stretch.start, stretch.end)
            if start == end:
                continue
            tokens = self.counter.count(self.text[start : stretch.end])
            if tokens > self.max_tokens:
                tokens = self.counter.count(self.text[start:end])
            if tokens <= self.max_tokens:
                result.append(Atom(start, end, tokens, unit.kind == "heading", stretch.table))
                continue
            inner = self.inside(stretch)
            if inner:
                stack.extend(reversed(inner))
            else:
                result.extend(self.windows(start, end, room, heading=unit.kind == "heading", table=stretch.table))
        return result

    def inside(self, stretch: Stretch) -> list[Stretch]:
        """The stretch cut at its best borders; empty when only words and clusters are left."""
        if stretch.block >= 0 and stretch.depth < MAX_DEPTH:
            block = self.blocks[stretch.block]
            parts = self.rows(stretch, block) if block.kind == "table" else self.children(stretch)
            if len(parts) == 1:  # one block that is all of the outer one: look inside it
                return self.inside(parts[0])
            if parts:
                return parts
        borders = CODE_BORDERS if stretch.kind in ("code", "other") else PROSE_BORDERS
        for level in range(stretch.level, len(borders)):
            cuts = borders[level](self.text, stretch.start, stretch.end, self.language)
            cuts = [cut for cut in cuts if stretch.start < cut < stretch.end and graphemes.is_border(self.text, cut)]
            if cuts:
                bounds = [stretch.start, *cuts, stretch.end]
                return [
                    Stretch(start, end, kind=stretch.kind, depth=stretch.depth, level=level + 1, table=stretch.table)
                    for start, end in pairwise(bounds)
                ]
        return []

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
        depth = outer.depth + (outer.block >= 0)
        waiting: Stretch | None = None
        position = outer.start
        while index < len(self.blocks) and self.blocks[index].span.start < outer.end:
            block = self.blocks[index]
            start = self.line_start(block.span.start, position)
            own = Stretch(position, start, kind=outer.kind, depth=depth, table=outer.table)
            if not self.text[position:start].strip():
                own = replace(own, end=position)
            if waiting:
                yield replace(waiting, end=own.start if own.start < own.end else start)
            if own.start < own.end:
                yield own
            waiting = Stretch(start, start, index, block.kind, depth, table=outer.table)
            position = graphemes.border_after(self.text, block.span.end)
            index = self.after_subtree(index)
        rest = self.text[position : outer.end].strip()
        if waiting:
            yield replace(waiting, end=position if rest else outer.end)
        if rest:
            yield Stretch(position, outer.end, kind=outer.kind, depth=depth, table=outer.table)

    def windows(self, start: int, end: int, room: int, *, heading: bool, table: Block | None) -> Iterator[Atom]:
        """Text without any border, at most ``room`` tokens each: cut at the last blank that fits, else between
        clusters; a single cluster over the limit stands alone."""
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
                yield Atom(inner_start, inner_end, self.counter.count(self.text[inner_start:stop]), heading, table)
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
        return max(lowest, self.line_starts[bisect_right(self.line_starts, offset) - 1])

    def after_subtree(self, index: int) -> int:
        end = self.blocks[index].span.end
        index += 1
        while index < len(self.blocks) and self.blocks[index].span.start < end:
            index += 1
        return index


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
