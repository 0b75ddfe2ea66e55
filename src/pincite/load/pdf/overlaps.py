"""Lines that lie in the way of others: printed twice, marks written apart from their lines, boxes over other lines."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from pincite.load.pdf.lines import RAISED_SIZE, WIDEST_BLANK, Line, is_raised, line_of
from pincite.load.pdf.words import Word

_LONGEST_MARK = 8
_WIDEST_JOINT = 0.35  # of the size
_MOST_PAIRS = 1_000_000  # of a mark and a line: more are a drawing
_MOST_BESIDE = 200
_NEAR = 1.5  # points: printed in the same place
_TALL = 1.1  # of the size: what is taller holds raised, lowered or large signs
_NOTE = re.compile(r"[0-9]{1,3}|[\[(][0-9A-Za-z]{1,3}[\])]|[*†‡§¶∗]{1,3}")


def without_overprints(lines: list[Line]) -> list[Line]:
    """Lines that are printed twice in the same place, for a shadow or to look bold, are there once. PDFium leaves out
    some letters of such a pair itself, so that what is left of one lies in pieces over the other."""
    rows: dict[int, list[Line]] = {}
    gone: set[int] = set()
    for line in lines:
        row = round(line.top / _NEAR)
        for near in (row - 1, row, row + 1):
            for other in rows.get(near, ())[-_MOST_BESIDE:]:
                if line.x0 < other.x1 and other.x0 < line.x1 and line.turn == other.turn:
                    shorter, longer = sorted((line, other), key=lambda its: len(its.text))
                    if _lies_over(shorter, longer):
                        gone.add(id(shorter))
        rows.setdefault(row, []).append(line)
    return [line for line in lines if id(line) not in gone] if gone else lines


def _lies_over(line: Line, other: Line) -> bool:
    """Whether the line is in the other one's place and has no letters but those that the other one has, in order."""
    if abs(line.top - other.top) > _NEAR or abs(line.bottom - other.bottom) > _NEAR:
        return False
    if line.x0 < other.x0 - _NEAR or line.x1 > other.x1 + _NEAR:
        return False
    rest = iter(other.text.replace(" ", ""))
    return all(letter in rest for letter in line.text.replace(" ", ""))


def tell_apart(lines: Sequence[Line]) -> None:
    """Marks the lines of one page whose box covers words of others: those with raised, lowered and large signs, as in
    formulas."""
    level = sorted((line for line in lines if not line.turn), key=lambda line: line.top)
    tops = [line.top for line in level]
    reach = max((line.height for line in level), default=0.0)
    for line in level:
        if line.height > _TALL * line.size and len(line.words) > 1:
            near = level[bisect_left(tops, line.top - reach) : bisect_right(tops, line.bottom)]
            line.apart = any(other is not line and _covers(line, other) for other in near)


def _covers(line: Line, other: Line) -> bool:
    if other.x0 > line.x1 or other.x1 < line.x0 or other.bottom < line.top:
        return False
    return any(
        line.x0 <= (word.x0 + word.x1) / 2 <= line.x1 and line.top <= (word.top + word.bottom) / 2 <= line.bottom
        for word in other.words
    )


def with_marks(lines: list[Line]) -> list[Line]:
    """Raised marks that the file writes apart from their lines, in their places: behind the word that they stand at,
    or before the first one."""
    small = RAISED_SIZE * max((line.size for line in lines), default=0.0)
    marks = [line for line in lines if line.size < small and len(line.words) == 1 and not line.turn]
    marks = [line for line in marks if len(line.text) <= _LONGEST_MARK]
    if not marks or len(marks) * len(lines) > _MOST_PAIRS:
        return lines
    level = sorted((line for line in lines if not line.turn), key=lambda line: line.top)
    hosts_of = {
        size: [line for line in level if RAISED_SIZE * line.size > size] for size in {mark.size for mark in marks}
    }
    grown: dict[int, list[Word]] = {}
    gone: set[int] = set()
    for mark in marks:
        for host in _beside(mark, hosts_of[mark.size]):
            words = grown.get(id(host), host.words)
            if id(host) not in gone and (at := _place_of_mark(mark.words[0], words)) is not None:
                mark.words[0].glued = at > 0
                grown[id(host)] = [*words[:at], mark.words[0], *words[at:]]
                gone.add(id(mark))
                break
    if not gone:
        return lines
    return [
        line_of(grown[id(line)], line.page) if id(line) in grown else line for line in lines if id(line) not in gone
    ]


def _beside(line: Line, others: Sequence[Line]) -> Iterator[Line]:
    """Those of the others, ordered by their tops, that share some height with the line."""
    reach = max((other.height for other in others), default=0.0)
    start = bisect_left(others, line.top - reach, key=lambda other: other.top)
    end = bisect_right(others, line.bottom, key=lambda other: other.top)
    return (other for other in others[start:end] if other.bottom > line.top)


def _place_of_mark(mark: Word, words: Sequence[Word]) -> int | None:
    """Before which of the words the mark belongs, ``None`` if it does not."""
    for index, word in enumerate(words):
        size = word.ink.size
        if not is_raised(mark, word) or mark.bottom < word.top:
            continue
        if -0.15 * size < mark.x0 - word.x1 < _WIDEST_JOINT * size:
            after = words[index + 1] if index + 1 < len(words) else None
            return index + 1 if after is None or after.x0 > mark.x1 - 0.2 * size else None
        if index == 0 and -0.1 * size < word.x0 - mark.x1 < WIDEST_BLANK * size and _NOTE.fullmatch(mark.text):
            return 0
    return None
