"""Lines to paragraphs, on one page and across the borders of columns and pages."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from pincite.load.pdf.cells import Table
from pincite.load.pdf.lines import Line
from pincite.load.pdf.words import UNKNOWN, Word

Kind = Literal["paragraph", "heading", "item", "caption", "note", "code"]

BULLETS = frozenset("•▪◦‣●○■□➢✓❖∙·*–—-►▶➤❑◆◇♦♣♠☐☑✔➔\ufffd")
_NUMBER_MARKER = re.compile(r"\(?(?:[0-9]{1,3}|[A-Za-z]|[ivx]{1,5})[.)]|\[[0-9]{1,3}\]")
_END = re.compile(r"[.!?…:;。！？؟۔][)\]\"'”’»›]*$")
_LEADER = re.compile(r"(?:[.·…_]\s?){4,}")
_PAGE = re.compile(r"[.\s]*(?:[0-9]{1,4}|[ivxlc]{1,7}|[A-Z]-[0-9]{1,3})")
_WIDE_GAP = 2.5  # of the size
_DEFAULT_LEADING = 1.2
_WIDEST_LEADING = 2.4


@dataclass(eq=False, slots=True)
class Paragraph:
    """Lines that belong together. ``breaks`` are the numbers of lines before which a line end is meant."""

    lines: list[Line]
    kind: Kind = "paragraph"
    level: int = 0
    marker: str = ""
    breaks: set[int] = field(default_factory=set)
    full: bool = False  # its last line reaches the edge of its column

    @property
    def first(self) -> Line:
        return self.lines[0]

    @property
    def last(self) -> Line:
        return self.lines[-1]

    @property
    def size(self) -> float:
        return self.lines[0].size

    @property
    def text(self) -> str:
        """Roughly: for looking at, not for writing."""
        return " ".join(line.text for line in self.lines)


Piece = Paragraph | Table


def heading_tag(line: Line) -> int:
    """The level of the heading that the file itself says the line is, 0 if it does not."""
    tag = line.page.tags.get(line.content_id)
    return tag.heading if tag else 0


def marker_of(line: Line) -> str:
    """The mark of a list item that the line starts with, empty without one."""
    first: Word = line.words[0]
    if len(line.words) < 2 or line.words[1].glued:
        return ""
    if len(first.text) < 3 and UNKNOWN in first.text:
        return "•"  # a glyph of a font of signs, whatever its letter
    if first.text in BULLETS or (len(first.text) == 1 and "\ue000" <= first.text <= "\uf8ff"):
        return first.text
    return first.text if _NUMBER_MARKER.fullmatch(first.text) else ""


def is_row(line: Line) -> bool:
    """Whether the line says something on its own: an entry of a table of contents, or words with a wide gap between
    them as in a form."""
    words = line.words
    if len(words) > 2 and _PAGE.fullmatch(words[-1].text) and _LEADER.search(line.text):
        return True
    limit = _WIDE_GAP * line.size
    return any(other.x0 - one.x1 > limit for one, other in pairwise(words[1:] if marker_of(line) else words))


def starts_lower(text: str) -> bool:
    return text[:1].islower()


def ends_sentence(text: str) -> bool:
    return _END.search(text) is not None


class Leadings:
    """How far apart baselines are in running text, by the size of the letters, as a multiple of it."""

    def __init__(self, lines: Iterable[Line], body_size: float) -> None:
        self.body_size = body_size
        counts: dict[int, Counter[float]] = defaultdict(Counter)
        last: Line | None = None
        for line in lines:
            if last is not None and last.page is line.page and abs(last.size - line.size) < 0.5:
                ratio = round((line.baseline - last.baseline) / line.size, 1)
                if 0.9 <= ratio <= _WIDEST_LEADING and abs(last.x0 - line.x0) < 3 * line.size:
                    counts[round(line.size)][ratio] += 1
            last = line
        self._ratios = {size: self._typical(counter) for size, counter in counts.items()}

    @staticmethod
    def _typical(counter: Counter[float]) -> float:
        """The smallest ratio that is nearly as frequent as the most frequent one: lines, not paragraphs."""
        most = max(counter.values())
        return min(ratio for ratio, count in counter.items() if count >= 0.5 * most)

    def of(self, size: float) -> float:
        return self._ratios.get(round(size), _DEFAULT_LEADING)


def paragraphs_of(items: Sequence[Line | Table], leadings: Leadings) -> Iterator[Piece]:
    """The paragraphs and tables of one page in reading order."""
    flow: list[Line] = []
    for item in items:
        if isinstance(item, Table):
            yield from _grouped(flow, leadings)
            flow = []
            yield item
        else:
            if flow and not _flows(flow[-1], item):
                yield from _grouped(flow, leadings)
                flow = []
            flow.append(item)
    yield from _grouped(flow, leadings)


def _flows(last: Line, line: Line) -> bool:
    """Whether the line stands below the other one in the same column."""
    return (
        last.turn == line.turn
        and line.baseline > last.baseline + 0.3 * min(line.size, last.size)
        and min(last.x1, line.x1) - max(last.x0, line.x0) > -2 * line.size
    )


def _grouped(flow: Sequence[Line], leadings: Leadings) -> Iterator[Paragraph]:
    if not flow:
        return
    right = max(line.x1 for line in flow)
    rights = _right_edges(flow, right)
    paragraph = Paragraph([flow[0]], marker=marker_of(flow[0]))
    for number, line in enumerate(flow[1:], start=1):
        how = _relation(paragraph, line, rights[number - 1], leadings)
        if how == "new":
            paragraph.full = not _would_fit(paragraph.last, line, rights[number - 1], spare=0.8)
            yield paragraph
            paragraph = Paragraph([line], marker=marker_of(line))
            continue
        if how == "break":
            paragraph.breaks.add(len(paragraph.lines))
        paragraph.lines.append(line)
    paragraph.full = paragraph.last.x1 > rights[-1] - 2.5 * paragraph.size
    yield paragraph


def _right_edges(flow: Sequence[Line], right: float) -> list[float]:
    """Where each line could have gone on to: the rightmost end of the lines near it of the same size."""
    edges = []
    for number, line in enumerate(flow):
        near = [other.x1 for other in flow[max(0, number - 6) : number + 7] if abs(other.size - line.size) < 0.6]
        edges.append(max(near) if near else right)
    return edges


def _would_fit(line: Line, following: Line, right: float, *, spare: float) -> bool:
    """Whether the first word of the following line had room at the end of this one, and ``spare`` times the size more:
    then the line end is meant."""
    words = following.words
    end = 0
    while end + 1 < len(words) and words[end + 1].glued:
        end += 1
    width = words[end].x1 - words[0].x0
    return line.x1 + width + spare * line.size < right


def _relation(paragraph: Paragraph, line: Line, right: float, leadings: Leadings) -> Literal["new", "join", "break"]:
    last = paragraph.last
    size = last.size
    title = size > 1.15 * leadings.body_size
    if line.page.tags and heading_tag(line) != heading_tag(last):
        return "new"
    if abs(line.size - size) > 0.09 * size or line.mono != last.mono or (line.bold != last.bold and not title):
        return "new"
    drop = line.baseline - last.baseline
    if drop > size * max(leadings.of(size) * 1.25 + 0.05, 1.45 if title else 0.0):
        return "new"
    if marker_of(line) and _is_item(line, paragraph):
        return "new"
    if (line.mono and last.mono) or is_row(last):
        return "break"
    fits = _would_fit(last, line, right, spare=0.8)
    if last.hyphen:
        return "join"
    if fits and ends_sentence(last.text) and not starts_lower(line.text):
        return "new"
    if _is_indented(paragraph, line):
        return "new"
    return "break" if _would_fit(last, line, right, spare=3.0) else "join"


def _is_item(line: Line, paragraph: Paragraph) -> bool:
    """Whether a mark at the start of a line is one: beside other items, or out of line with the text before."""
    marker = marker_of(line)
    if marker in BULLETS or not marker[0].isalnum():
        return marker not in "-–—*·∙" or abs(line.x0 - paragraph.first.x0) > 1 or bool(paragraph.marker)
    if paragraph.marker:
        return abs(line.x0 - paragraph.first.x0) < 0.5 * line.size or abs(line.x0 - paragraph.last.x0) > 0.5 * line.size
    return ends_sentence(paragraph.last.text) or abs(line.x0 - paragraph.last.x0) > 0.5 * line.size


def _is_indented(paragraph: Paragraph, line: Line) -> bool:
    """Whether the line starts further in or out than it would as a part of the paragraph."""
    last, size = paragraph.last, line.size
    shift = line.x0 - last.x0
    if abs(shift) < 0.7 * size or abs((line.x0 + line.x1) - (last.x0 + last.x1)) < size:
        return False  # flush, or centred
    if len(paragraph.lines) == 1:
        # A first line may be further in than the next one, or, of an item, further out.
        if shift < 0:
            return shift < -6 * size
        return not paragraph.marker and not _hangs(last, shift)
    return True


def _hangs(first: Line, shift: float) -> bool:
    return shift < 3.5 * first.size and not ends_sentence(first.text)


def continues(before: Paragraph, after: Paragraph) -> bool:
    """Whether a paragraph goes on in another column or on another page."""
    if is_row(before.last):
        return False
    if before.kind not in ("paragraph", "item") or after.kind != "paragraph" or after.marker:
        return False
    one, other = before.last, after.first
    if abs(one.size - other.size) > 0.06 * one.size or one.bold != other.bold or one.mono or one.turn != other.turn:
        return False
    if one.hyphen:
        return True
    if ends_sentence(one.text):
        return False
    if starts_lower(other.text):
        return True
    return before.full and len(one.words) > 3 and len(before.lines) > 1
