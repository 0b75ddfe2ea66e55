"""Which paragraphs are headings, and of which level."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pincite.load.pdf.lines import Line
from pincite.load.pdf.paragraphs import BULLETS, Paragraph, heading_tag

_LONGEST = 160
_LONGEST_NUMBER = 20
_MOST_LINES = 4
_MOST_IN_A_ROW = 3
_TALLEST_FRAME = 0.6  # of the page's height
_NUMBERED = re.compile(
    r"(?:(?:chapter|section|appendix|part|article|item|clause|kapitel|abschnitt|anhang|teil|artikel|chapitre|annexe)\s+[0-9IVXLA-Z]{1,6}\b(?:[.:]|\s*[–—-])?"
    r"|(?P<number>[0-9]{1,3}(?:\.[0-9]{1,3}){0,5})\.?|(?P<letter>[A-Z](?:\.[0-9]{1,3})+)\.?|[IVX]{1,5}\.|§+\s*[0-9]+[a-z]?)"
    r"\s+(?=[^\W\d_])",
    re.IGNORECASE,
)
_NOT_AT_END = re.compile(r"[.,;]$")
_LETTERS = re.compile(r"[^\W\d_]{2}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SIGNS = re.compile(r"[\W_]+")
_CODE_NUMBER = re.compile(r"(?=(?:\D*\d){4})[*+]?[A-Z0-9./-]{8,}[*+]?")
"""What a bar code says: a heading has a word."""

Style = tuple[float, bool]
Key = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Bookmark:
    """An entry of the file's outline. ``depth`` from 1, ``page`` from 1 or 0 where it leads nowhere."""

    title: str
    depth: int
    page: int


@dataclass(frozen=True, slots=True)
class Body:
    """What most of the text is set in."""

    size: float
    bold: bool
    mono: bool


def body_of(lines: Iterable[Line]) -> Body:
    counts: Counter[tuple[float, bool, bool]] = Counter()
    for line in lines:
        counts[round(2 * line.size) / 2, line.bold, line.mono] += len(line.text)
    if not counts:
        return Body(10.0, bold=False, mono=False)
    sizes: Counter[float] = Counter()
    for (size, _, _), count in counts.items():
        sizes[size] += count
    size = sizes.most_common(1)[0][0]
    total = sum(counts.values())
    return Body(
        size,
        bold=sum(count for (_, bold, _), count in counts.items() if bold) > 0.5 * total,
        mono=sum(count for (_, _, mono), count in counts.items() if mono) > 0.5 * total,
    )


def plain(text: str) -> str:
    """Letters and digits only, for comparing titles."""
    return _SIGNS.sub("", text).casefold()


def mark_headings(paragraphs: Sequence[Paragraph], body: Body, outline: Sequence[Bookmark]) -> None:
    """Turns paragraphs into headings and gives them levels, from 1."""
    titles: dict[str, list[Bookmark]] = defaultdict(list)
    for bookmark in outline:
        titles[plain(bookmark.title)].append(bookmark)
    longest = max(map(len, titles), default=0) + _LONGEST_NUMBER
    depths: dict[int, int] = {}
    headings: list[Paragraph] = []
    sizes = _sizes_of_pages(paragraphs)
    for paragraph in paragraphs:
        if paragraph.kind != "paragraph":
            continue
        known = _bookmark_of(paragraph, titles, longest)
        depth = known.depth if known else _tagged_level(paragraph)
        if depth:
            depths[id(paragraph)] = depth
        elif not _looks_like_heading(paragraph, body, sizes[paragraph.first.page.number]):
            continue
        paragraph.kind = "heading"
        paragraph.marker = ""
        headings.append(paragraph)
    _demote_labels(paragraphs, body, depths)
    _give_levels([heading for heading in headings if heading.kind == "heading"], depths)


def _demote_labels(paragraphs: Sequence[Paragraph], body: Body, depths: dict[int, int]) -> None:
    """Four and more headings of one style in a row, without a word of text between them, are no headings; nor are
    three that are hardly larger than the text."""
    run: list[Paragraph] = []
    for paragraph in [*paragraphs, None]:
        same = paragraph is not None and paragraph.kind == "heading" and id(paragraph) not in depths
        if paragraph is not None and same and (not run or style_of(run[0]) == style_of(paragraph)):
            run.append(paragraph)
            continue
        small = run and run[0].size < 1.3 * body.size and not any(_NUMBERED.match(label.text) for label in run)
        if len(run) > _MOST_IN_A_ROW - bool(small):
            for label in run:
                label.kind = "paragraph"
        run = [paragraph] if paragraph is not None and same else []


def _bookmark_of(paragraph: Paragraph, titles: dict[str, list[Bookmark]], longest: int) -> Bookmark | None:
    """``longest``: letters of a title at most."""
    if not titles or len(paragraph.lines) > _MOST_LINES:
        return None
    text = paragraph.text
    if len(text) > 2 * min(_LONGEST, longest):
        return None
    number = _NUMBERED.match(text)
    for key in [plain(text), plain(text[number.end() :])] if number else [plain(text)]:
        for bookmark in titles.get(key, ()):
            if key and bookmark.page == paragraph.first.page.number:
                return bookmark
    return None


def _tagged_level(paragraph: Paragraph) -> int:
    """The level that the file's own structure gives, 0 if it gives none."""
    level = heading_tag(paragraph.first)
    return level if level and len(paragraph.text) <= 2 * _LONGEST else 0


def _sizes_of_pages(paragraphs: Sequence[Paragraph]) -> dict[int, float]:
    """The size that most of each page's text has: pages are put in that come from elsewhere."""
    counts: dict[int, Counter[float]] = defaultdict(Counter)
    for paragraph in paragraphs:
        counts[paragraph.first.page.number][round(2 * paragraph.size) / 2] += len(paragraph.text)
    return {number: counter.most_common(1)[0][0] for number, counter in counts.items()}


def _looks_like_heading(paragraph: Paragraph, body: Body, size_of_page: float) -> bool:
    text = paragraph.text.strip()
    first = paragraph.first
    if len(text) > _LONGEST or len(paragraph.lines) > _MOST_LINES or first.turn or not _LETTERS.search(text):
        return False
    if paragraph.marker and (paragraph.marker in BULLETS or not paragraph.marker[0].isalnum()):
        return False
    if any(_has_wide_gap(line) for line in paragraph.lines) or _CODE_NUMBER.fullmatch(text):
        return False
    numbered = _NUMBERED.match(text) is not None
    larger = first.size / body.size
    if first.mono and not body.mono and larger < 1.3:
        return False
    if _NOT_AT_END.search(text) and not (larger > 1.3 and len(text) < 60):
        return False
    if larger >= 1.15:
        return larger >= 1.4 or not _is_framed(first)
    if text[0].islower():
        return False
    bold = first.bold and not body.bold
    if bold and first.size >= 0.95 * min(body.size, size_of_page):
        return len(text) <= 120 and not _is_framed(first)
    capitals = text.isupper() and len(text) >= 4
    return numbered and (larger >= 1.06 or capitals) and len(text) <= 100 and larger >= 0.95


def _is_framed(line: Line) -> bool:
    """Whether rules run around the line, but not around most of the page: what is written in a drawing."""
    shapes = line.page.shapes
    tallest = _TALLEST_FRAME * line.page.height
    standing = [rule for rule in shapes.vertical if rule[3] - rule[1] < tallest]
    x, y = (line.x0 + line.x1) / 2, (line.top + line.bottom) / 2
    above = any(x0 <= x <= x1 and bottom <= line.top + 1 for x0, _, x1, bottom in shapes.horizontal)
    below = any(x0 <= x <= x1 and top >= line.bottom - 1 for x0, top, x1, _ in shapes.horizontal)
    left = any(top <= y <= bottom and x1 <= line.x0 + 1 for _, top, x1, bottom in standing)
    right = any(top <= y <= bottom and x0 >= line.x1 - 1 for x0, top, _, bottom in standing)
    return above and below and left and right


def _has_wide_gap(line: Line) -> bool:
    """Whether the line is rather a row of things; a gap behind the number of a heading is none."""
    limit = 2.5 * line.size
    words = line.words
    return any(
        other.x0 - one.x1 > limit and not (index == 0 and any(map(str.isdigit, one.text)))
        for index, (one, other) in enumerate(pairwise(words))
    )


def style_of(paragraph: Paragraph) -> Style:
    return round(2 * paragraph.size) / 2, paragraph.first.bold


def _depth_of_number(text: str) -> int:
    match = _NUMBERED.match(text)
    if not match:
        return 0
    number = match["number"] or match["letter"]
    return number.count(".") + 1 if number else 1


def _number_of(text: str) -> tuple[str, ...]:
    match = _NUMBERED.match(text)
    number = match and (match["number"] or match["letter"])
    return tuple(number.split(".")) if number else ()


def _give_levels(headings: Sequence[Paragraph], depths: dict[int, int]) -> None:
    keys = _keys(headings)
    levels = _levels_by_outline(headings, keys, depths) if depths else _levels_by_nesting(keys)
    above = _titles_above(headings, depths)
    for heading, key in zip(headings, keys, strict=True):
        title = above and heading is headings[0]
        heading.level = 1 if title else depths.get(id(heading), levels[key]) + above
    if not depths:
        _heed_numbers(headings, keys)


def _heed_numbers(headings: Sequence[Paragraph], keys: Sequence[Key]) -> None:
    """5.1 is below 5, however they are set, and of the second level where there is no 5."""
    numbers = [_number_of(heading.text) for heading in headings]
    numbered = [(number, heading) for number, heading in zip(numbers, headings, strict=True) if number]
    missing = min((len(number) - heading.level for number, heading in numbered), default=0)
    if missing > 0:
        first = min(key for number, key in zip(numbers, keys, strict=True) if number)
        for heading, key in zip(headings, keys, strict=True):
            heading.level += missing if key >= first else 0
    seen: dict[tuple[str, ...], int] = {}
    for number, heading in numbered:
        heading.level = max(heading.level, seen.get(number[:-1], 0) + 1)
        seen[number] = heading.level


def _keys(headings: Sequence[Paragraph]) -> list[Key]:
    """What orders the headings: their style (larger ones first; sizes that hardly differ are one), and within it how
    much deeper their number is than the shallowest number of that style."""
    styles = sorted({style_of(heading) for heading in headings}, reverse=True)
    ranks: dict[Style, int] = {}
    rank = 0
    for before, style in zip([None, *styles], styles, strict=False):
        if before is None or before[0] > 1.04 * style[0] or before[1] != style[1]:
            rank += 1
        ranks[style] = rank
    numbers = [_depth_of_number(heading.text) for heading in headings]
    shallowest: dict[int, int] = {}
    for heading, depth in zip(headings, numbers, strict=True):
        if depth:
            own = ranks[style_of(heading)]
            shallowest[own] = min(depth, shallowest.get(own, depth))
    return [
        (ranks[style_of(heading)], depth - shallowest[ranks[style_of(heading)]] if depth else 0)
        for heading, depth in zip(headings, numbers, strict=True)
    ]


def _levels_by_nesting(keys: Sequence[Key]) -> dict[Key, int]:
    """One level for each key: as deep as it is ever nested below headings of larger keys."""
    levels: dict[Key, int] = {}
    path: list[Key] = []
    for key in keys:
        while path and path[-1] >= key:
            path.pop()
        path.append(key)
        levels[key] = max(len(path), levels.get(key, 0))
    return levels


def _titles_above(headings: Sequence[Paragraph], depths: dict[int, int]) -> int:
    """1 where a title that the outline leaves out stands over everything that it has."""
    outlined = [heading for heading in headings if id(heading) in depths]
    if not outlined or id(headings[0]) in depths:
        return 0
    return int(headings[0].size > max(heading.size for heading in outlined) + 0.5)


def _levels_by_outline(headings: Sequence[Paragraph], keys: Sequence[Key], depths: dict[int, int]) -> dict[Key, int]:
    """The level of each key: that of the outline where it knows the style, else one below the next larger one."""
    seen: dict[Key, Counter[int]] = defaultdict(Counter)
    for heading, key in zip(headings, keys, strict=True):
        if id(heading) in depths:
            seen[key][depths[id(heading)]] += 1
    levels: dict[Key, int] = {}
    last = 0
    for key in sorted(set(keys)):
        if key in seen:
            levels[key] = seen[key].most_common(1)[0][0]
            last = max(last, levels[key])
        else:
            levels[key] = last + 1
    return levels
