"""Repeating the end of a chunk at the start of the next one, in whole sentences."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator

from pincite.chunk.assemble import Piece
from pincite.chunk.borders import PROSE, language_of
from pincite.model import Block, Document, Span, join_prefix
from pincite.ports import Counter
from pincite.text import graphemes, sentences


class Overlap:
    """Moves the starts of pieces back by up to ``overlap_tokens``, where they go on in the middle of a section.

    Of prose the last sentences are repeated, of a list items, everything else whole or not at all. Nothing is repeated
    over a heading, and nothing in front of what continues a table or a code block. Less is repeated where the chunk
    would be over ``max_tokens``.
    """

    def __init__(self, document: Document, counter: Counter, *, overlap_tokens: int, max_tokens: int) -> None:
        self.document = document
        self.text = document.text
        self.counter = counter
        self.overlap_tokens = overlap_tokens
        self.max_tokens = max_tokens
        self.language = language_of(document)
        self.outline_starts = [block.span.start for block in document.outline]
        self.block_starts = [block.span.start for block in document.blocks]
        self._inside: tuple[int, list[int]] = (-1, [])

    def extended(self, pieces: Iterable[Piece]) -> Iterator[Piece]:
        previous = len(self.text)
        for piece in pieces:
            longer = self.longer(piece, previous)
            previous = longer.span.start
            yield longer

    def longer(self, piece: Piece, previous: int) -> Piece:
        """The piece from the earliest start that fits, which lies behind ``previous``, the start of the one before."""
        start, end = piece.span.start, piece.span.end
        result = piece
        for candidate in self.candidates(start, previous):
            if self.counter.count(self.text[candidate:start]) > self.overlap_tokens:
                break
            tokens = self.counter.count(join_prefix(piece.prefix, self.text[candidate:end]))
            if tokens > self.max_tokens:
                break
            result = piece._replace(span=Span(candidate, end), tokens=tokens)
        return result

    def candidates(self, start: int, previous: int) -> Iterator[int]:
        """Places before ``start`` and behind ``previous`` where a repetition may begin, the nearest first."""
        section = self.document.sections_over(Span(start, start + 1))
        body = section[0].body if section else None
        lowest = max(previous + 1, body.start if body else start)
        index = bisect_left(self.outline_starts, start) - 1
        while index >= 0:
            block = self.document.outline[index]
            if block.span.end <= lowest or block.kind == "heading":
                return
            cut = block.span.end > start
            if cut and block.kind not in (*PROSE, "list"):
                return
            for place in reversed(self.places(index, block)):
                if place < lowest:
                    return
                if place < start:
                    yield place
            index -= 1

    def places(self, index: int, block: Block) -> list[int]:
        """Where its sentences or items begin; kept for the block asked for last, which may be a very long one."""
        if self._inside[0] != index:
            self._inside = index, self.found_places(block)
        return self._inside[1]

    def found_places(self, block: Block) -> list[int]:
        start, end = block.span.start, block.span.end
        if block.kind in PROSE:
            starts = sentences.sentence_starts(self.text, start, end, self.language)
            places = sorted({start, *(graphemes.trim(self.text, place, end)[0] for place in starts if place < end)})
        elif block.kind == "list":
            first = bisect_left(self.block_starts, start)
            last = bisect_left(self.block_starts, end)
            places = []
            for inner in self.document.blocks[first:last]:
                if inner.kind == "item" and inner.span.start >= start:
                    places.append(inner.span.start)
                    start = inner.span.end  # an item inside it is not repeated without it
        else:
            places = [start]
        return [place for place in places if graphemes.is_border(self.text, place)]
