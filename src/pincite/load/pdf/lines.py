"""Words to lines. A line is a run of words on one baseline without a wide gap: a column's line or a table's cell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from pincite.load.pdf.shapes import Bounds
from pincite.load.pdf.words import UNKNOWN, Face, Page, Word

WIDEST_BLANK = 1.0  # of the size: wider gaps part lines
_SIGNS = frozenset("$£¥€")
_ENDS_OF_NUMBERS = frozenset(")%–—-0123456789")
_SAME_HEIGHT = 0.15  # of the size
_DIGITS = frozenset("0123456789")
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
RAISED_SIZE = 0.85  # of the size of what it is raised beside
_LONGEST_SIGN = 2  # a bullet, an arrow
_LOST_LIGATURE = re.compile(r"(?<=[^\W\d_])↵|↵(?=[^\W\d_])")
_MARKER = re.compile(r"[•▪◦‣●○■□➢✓❖∙·*–—\ufffd-]|\(?(?:[0-9]{1,3}|[A-Za-z]|[ivx]{1,5})[.)]")


@dataclass(eq=False)
class Line:
    """``size``, ``bold`` and ``mono`` are those of most of its characters. ``turn`` is relative to the page's own.
    ``apart``: one box for all of it would cover words of other lines."""

    words: list[Word]
    page: Page = field(repr=False)
    x0: float
    top: float
    x1: float
    bottom: float
    baseline: float
    size: float
    bold: bool
    italic: bool
    mono: bool
    turn: int = 0
    apart: bool = False

    @cached_property
    def text(self) -> str:
        return joined(self.words)

    @property
    def hyphen(self) -> bool:
        return self.words[-1].hyphen

    @property
    def box(self) -> Bounds:
        return self.x0, self.top, self.x1, self.bottom

    @property
    def boxes(self) -> list[Bounds]:
        """Where its words are: one box, or one for each run of words of the same height where they are ``apart``."""
        if not self.apart:
            return [self.box]
        result: list[Bounds] = []
        for word in self.words:
            x0, top, x1, bottom = result[-1] if result else (word.x0, word.top, word.x1, word.bottom)
            if abs(word.top - top) + abs(word.bottom - bottom) < _SAME_HEIGHT * self.size and result:
                result[-1] = (min(x0, word.x0), min(top, word.top), max(x1, word.x1), max(bottom, word.bottom))
            else:
                result.append((word.x0, word.top, word.x1, word.bottom))
        return result

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def readable(self) -> bool:
        """Whether it is known of at least half of its glyphs what characters they are."""
        text = self.text
        return text.isascii() or 2 * text.count(UNKNOWN) <= len(text) - text.count(" ") or len(text) <= _LONGEST_SIGN

    @property
    def content_id(self) -> int:
        return self.words[0].ink.content_id


def joined(words: list[Word]) -> str:
    """The words as text. Raised numbers that no blank parts from the word before stay raised: 10⁶, 7.5¹ and km²."""
    parts: list[str] = []
    last = words[0]
    for word in words:
        text = word.text
        if not parts:
            pass
        elif word.glued:
            if text[0] in _DIGITS and is_raised(word, last):
                text = text.translate(_RAISED)
        elif not (text[0] in ".,;:)" and word.x0 - last.x1 < 0.12 * word.ink.size):
            parts.append(" ")
        last = word
        parts.append(text)
    text = "".join(parts)
    if "↵" in text:  # how the ligature of a common font without a table of characters is read
        text = _LOST_LIGATURE.sub("ff", text)
    return text


def is_raised(word: Word, before: Word) -> bool:
    one, other = before.ink, word.ink
    return other.size < RAISED_SIZE * one.size and other.baseline < one.baseline - 0.15 * one.size and not one.turn


def line_of(words: list[Word], page: Page) -> Line:
    """The line of those words, which are at least one."""
    first = words[0]
    ink = first.ink
    face = ink.face
    x0, top, x1, bottom = first.x0, first.top, first.x1, first.bottom
    mixed = False
    for word in words:
        if word.x0 < x0:
            x0 = word.x0
        if word.x1 > x1:
            x1 = word.x1
        if word.top < top:
            top = word.top
        if word.bottom > bottom:
            bottom = word.bottom
        its = word.ink
        if its is not ink and (its.face is not face or its.size != ink.size or its.baseline != ink.baseline):
            mixed = True
    own = (ink.size, face.bold, face.italic, face.mono, ink.baseline)
    size, bold, italic, mono, baseline = _most_frequent_style(words) if mixed else own
    return Line(words, page, x0, top, x1, bottom, baseline, size, bold, italic, mono, ink.turn)


def _most_frequent_style(words: Sequence[Word]) -> tuple[float, bool, bool, bool, float]:
    """Size, bold, italic, mono and baseline of most of the characters; bold is what is so nearly throughout."""
    counts: dict[tuple[float, float, Face], int] = {}
    for word in words:
        ink = word.ink
        key = (ink.size, ink.baseline, ink.face)
        counts[key] = counts.get(key, 0) + len(word.text)
    size, baseline, face = max(counts, key=lambda key: (counts[key], key[0]))
    if len(counts) == 1:
        return size, face.bold, face.italic, face.mono, baseline
    total = sum(counts.values())
    bold = sum(count for (_, _, its), count in counts.items() if its.bold) > 0.9 * total
    mono = sum(count for (_, _, its), count in counts.items() if its.mono) > 0.6 * total
    return size, bold, face.italic, mono, baseline


def lines_of(page: Page) -> list[Line]:
    """The lines in the order of the file."""
    result: list[Line] = []
    words: list[Word] = []
    last: Word | None = None
    for word in page.words:
        if last is not None and not _continues(last, word):
            result.append(line_of(words, page))
            words = []
        words.append(word)
        last = word
    if words:
        result.append(line_of(words, page))
    return result


def _continues(last: Word, word: Word) -> bool:
    """Whether the word stands on the line of the one before it, without a wide gap between them."""
    one, other = last.ink, word.ink
    if one.turn != other.turn:
        return False
    if word.glued:
        return True
    if last.hyphen or (word.text in _SIGNS and last.text[-1] in _ENDS_OF_NUMBERS):
        return False  # a currency sign behind a number belongs to the next cell
    if one.turn > 0:
        return not word.breaks and abs(one.baseline - other.baseline) < 0.5 * one.size
    if one.turn < 0:
        return not word.breaks
    size = one.size if one.size > other.size else other.size
    gap = word.x0 - last.x1
    if gap < -0.4 * size:
        before = last.x0 - word.x1  # a word of the other direction inside the line
        gap = before if before > -0.4 * size else size * 99
    drop = one.baseline - other.baseline
    if -0.3 * size < drop < 0.3 * size:
        return gap < WIDEST_BLANK * size
    # Raised or lowered: small letters beside large ones, or the other way round.
    overlap = min(last.bottom, word.bottom) - max(last.top, word.top)
    small = min(one.size, other.size) < 0.85 * size
    return small and gap < 0.8 * size and overlap > 0.4 * min(last.bottom - last.top, word.bottom - word.top)


def is_inside(line: Line, box: Bounds, slack: float = 2.0) -> bool:
    x, y = (line.x0 + line.x1) / 2, (line.top + line.bottom) / 2
    return box[0] - slack <= x <= box[2] + slack and box[1] - slack <= y <= box[3] + slack


def rejoin(lines: list[Line], gutters: list[float]) -> list[Line]:
    """Lines that a wide blank has parted become one again, unless the blank lies over a gutter between columns."""
    result: list[Line] = []
    for line in lines:
        before = result[-1] if result else None
        if (
            before is not None
            and before.page is line.page
            and before.turn == line.turn == 0
            and abs(before.baseline - line.baseline) < 0.3 * max(before.size, line.size)
            and line.x0 > before.x1 - 1
            and not before.hyphen
            and not any(before.x1 <= x <= line.x0 for x in gutters)
        ):
            result[-1] = line_of(before.words + line.words, line.page)
        else:
            result.append(line)
    return result


def rejoin_markers(lines: list[Line]) -> list[Line]:
    """A list item's mark and its text become one line; a mark stands at the start of its row, not in a cell."""
    result: list[Line] = []
    for line in lines:
        if result and _is_marker_of(result[-1], line) and not (len(result) > 1 and _is_beside(result[-2], result[-1])):
            result[-1] = line_of(result[-1].words + line.words, line.page)
        else:
            result.append(line)
    return result


def _is_beside(left: Line, line: Line) -> bool:
    return abs(left.baseline - line.baseline) < 0.3 * line.size and left.x1 <= line.x0 and left.turn == line.turn


def _is_marker_of(marker: Line, line: Line) -> bool:
    """Whether a mark of another size or height belongs in front of the line, as bullets often do."""
    return (
        marker.page is line.page
        and len(marker.words) == 1
        and marker.turn == line.turn == 0
        and 0 <= line.x0 - marker.x1 < 4 * line.size
        and min(marker.bottom, line.bottom) - max(marker.top, line.top) > 0.4 * min(marker.height, line.height)
        and _MARKER.fullmatch(marker.text) is not None
    )
