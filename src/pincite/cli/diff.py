"""Two strategies side by side: the document's lines once, with the borders of both."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pincite.cli import output
from pincite.cli.layout import drawn, shortened, shortened_inside
from pincite.cli.listing import counted
from pincite.cli.strategy import Strategy
from pincite.engine.borders import Border, bands, compared
from pincite.model import Chunk, Document

SHOWN_AFTER, SHOWN_BEFORE = 3, 2
"""How many rows of a long stretch are shown after a border and before the next."""
COLOURS = {"both": "bold", "A": "cyan", "B": "magenta"}


def write_borders(document: Document, strategies: tuple[Strategy, Strategy]) -> None:
    """A JSON line for each border."""
    first, second = (strategy.chunker.chunk(document) for strategy in strategies)
    for border in compared(document, first, second):
        output.write_json(border.to_json(document, (strategies[0].label, strategies[1].label)))


def print_borders(document: Document, strategies: tuple[Strategy, Strategy], *, full: bool) -> None:
    """The text with a rule wherever one of them begins a chunk; ``full`` folds nothing."""
    chunks = [list(strategy.chunker.chunk(document)) for strategy in strategies]
    borders = compared(document, chunks[0], chunks[1])
    common, ours, theirs = _cuts(borders)
    cuts = f"{counted(common, 'cut')} in common, {ours} only in A, {theirs} only in B"
    output.write(f"{output.safe(document.id)}: {cuts}")
    for letter, strategy, cut in zip("AB", strategies, chunks, strict=True):
        output.write(f"  {letter}  {output.safe(strategy.label)}: {counted(len(cut), 'chunk')}")
    drawing = _Drawing(document, chunks)
    if borders:
        output.write(drawing.header())
    stretch: list[_Row] = []
    for row in _rows(document, borders):
        if row.border:
            _print_stretch(drawing, stretch, full=full)
            stretch = []
            output.write(drawing.rule(row.border))
        stretch.append(row)
    _print_stretch(drawing, stretch, full=full)
    output.write()


def _cuts(borders: Sequence[Border]) -> tuple[int, int, int]:
    """How many are in common, only in A and only in B. Where its first chunk begins, a strategy does not cut."""
    cuts = [border for border in borders if (border.first or 1) > 1 or (border.second or 1) > 1]
    ours = sum(border.second is None for border in cuts)
    theirs = sum(border.first is None for border in cuts)
    return len(cuts) - ours - theirs, ours, theirs


def _print_stretch(drawing: _Drawing, rows: Sequence[_Row], *, full: bool) -> None:
    folded = len(rows) - SHOWN_AFTER - SHOWN_BEFORE
    if full or folded < 2:  # an ellipsis for one line would save nothing
        for row in rows:
            output.write(drawing.text(row))
        return
    for row in rows[:SHOWN_AFTER]:
        output.write(drawing.text(row))
    output.write(drawing.fold(rows[SHOWN_AFTER], folded))
    for row in rows[-SHOWN_BEFORE:]:
        output.write(drawing.text(row))


@dataclass(frozen=True, slots=True)
class _Row:
    """A line of the text, or a part of one that has borders inside; only the first part has its number in ``line``.

    ``border`` is the one at its start, ``cut`` says whether there is one at its end.
    """

    start: int
    end: int
    line: int
    border: Border | None
    cut: bool = False


def _rows(document: Document, borders: Sequence[Border]) -> Iterator[_Row]:
    text, starts, waiting = document.text, document.line_starts, 0
    for line, start in enumerate(starts, start=1):
        end = starts[line] if line < len(starts) else len(text)
        if start == end:
            continue
        inside: list[Border] = []
        while waiting < len(borders) and borders[waiting].start < end:
            inside.append(borders[waiting])
            waiting += 1
        at_start = inside.pop(0) if inside and not text[start : inside[0].start].strip() else None
        edges = [start, *(border.start for border in inside), end]
        for part, (left, right) in enumerate(pairwise(edges)):
            border = inside[part - 1] if part else at_start
            yield _Row(left, right, 0 if part else line, border, cut=part < len(inside))


class _Drawing:
    """Draws the rows of one document: two margins with the numbers of the chunks, the line's number, its text."""

    def __init__(self, document: Document, chunks: Sequence[Sequence[Chunk]]) -> None:
        self._text = document.text
        self._bands = [list(bands(document, cut)) for cut in chunks]
        self._band_starts = [[band.span.start for band in cut] for cut in self._bands]
        self._margin = max(3, *(len(str(len(cut))) for cut in chunks))
        self._line_digits = max(4, len(str(len(document.line_starts))))
        self._width = max(40, output.terminal_width())
        self._marks = drawn(" │║", " |#")
        self._rules = dict(zip(COLOURS, drawn("═─╌", "=-."), strict=True))

    def header(self) -> str:
        letters = "  ".join(letter.rjust(self._margin) for letter in "AB")
        return output.styled(f"{letters}  {'line':>{self._line_digits}}", "dim")

    def rule(self, border: Border) -> str:
        """The side that does not cut keeps its mark; what stands at the end says who cuts, without any colour."""
        who = "both" if border.first and border.second else "A" if border.first else "B"
        glyph, label = self._rules[who], who if who == "both" else f"{who} only"
        margins = [
            glyph * self._margin if number else self._mark(side, border.start).rjust(self._margin)
            for side, number in enumerate((border.first, border.second))
        ]
        between = glyph * 2 if who == "both" else "  "
        line = f"{margins[0]}{between}{margins[1]}{glyph * 2 if border.second else '  '}"
        line += glyph * max(0, self._width - len(line) - len(label) - 1)
        return output.styled(f"{line} {label}", COLOURS[who])

    def text(self, row: _Row) -> str:
        text = output.printable(self._text[row.start : row.end].expandtabs(4)).rstrip()
        number = str(row.line) if row.line else ""
        if not row.line:
            text = drawn("↳ ", "> ") + text.lstrip()
        margins = self._margins(row)
        start = f"{margins}  {number:>{self._line_digits}}  "
        room = self._width - len(start)
        shown = shortened_inside(text, room) if row.cut else shortened(text, room)
        return f"{output.styled(start, 'dim')}{shown}".rstrip()

    def fold(self, row: _Row, lines: int) -> str:
        start = f"{self._margins(row)}  {'':>{self._line_digits}}  "
        return output.styled(f"{start}{drawn('…', '...')} {counted(lines, 'line')}", "dim")

    def _margins(self, row: _Row) -> str:
        numbers = (row.border.first, row.border.second) if row.border else (None, None)
        text = self._text[row.start : row.end]
        place = row.start + len(text) - len(text.lstrip()) if text.strip() else row.start
        marks = (str(number) if number else self._mark(side, place) for side, number in enumerate(numbers))
        return "  ".join(mark.rjust(self._margin) for mark in marks)

    def _mark(self, side: int, place: int) -> str:
        """Whether no, one or more than one chunk of that side covers the place."""
        band = self._bands[side][bisect_right(self._band_starts[side], place) - 1]
        return self._marks[min(2, len(band.chunks))]
