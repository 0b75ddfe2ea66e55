"""Running heads, feet and page numbers: what stands at the edge of many pages."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from pincite.load.pdf.lines import Line

_EDGE = 0.25  # of the page's height, from above and below
_HEAD = 0.15  # what is repeated lies this near to the edge; a page number may lie further in
_DEEPEST_ROWS = 4
_NEIGHBOURS = 8  # rows of the same words before and after, that one of them is compared with
_SMALL = 0.95  # of the size of the text
_GAP_BEFORE_NUMBER = 0.8  # of the size: more than a blank
_LARGEST = 1.15  # of the size of the text: what is larger is a title, however often it comes
_FEWEST_LINE_NUMBERS = 10
_FEWEST_NUMBERS = 3
_DIGITS = re.compile(r"[0-9]+")
_ROMAN = re.compile(r"[ivxlc]+", re.IGNORECASE)
_NUMBER = re.compile(
    r"[-–—|·\s]*(?:(?:page|seite|p\.|s\.|página|pagina)\s*)?([0-9]{1,4}|[ivxlc]{1,7})(?:\s*(?:of|von|/|de|sur|di)\s*[0-9]{1,4})?"
    r"[-–—|·\s]*",
    re.IGNORECASE,
)
_SPELT_OUT = re.compile(r"[-–—|\s]*(?:page|seite)\s*[0-9]+(?:\s*(?:of|von|/)\s*[0-9]+)?[-–—|\s]*", re.IGNORECASE)

Row = list[Line]


def find_furniture(pages: Sequence[Sequence[Line]], heights: Sequence[float], body_size: float) -> set[int]:
    """The ids (of Python) of the lines that are furniture.

    A row at the edge of a page is furniture if a row of the same words (any number stands for any other) in the same
    size stands at the same height of another page close by, nothing but furniture stands between it and the edge, and
    the text does not go on right below it as lines do. A row that holds a page number alone is furniture too if the
    numbers count with the pages. Two pages must agree. The table header that is repeated at the head of pages is kept,
    and so is what would leave a page without a word.
    """
    removed: set[int] = set()
    for from_top in (True, False):
        edges = [list(_edge_rows(lines, height, from_top)) for lines, height in zip(pages, heights, strict=True)]
        found = _counting(edges) | _repeated(edges, heights, _LARGEST * body_size)
        found |= _in_place(edges, found) | _own_numbers(edges, pages)
        if from_top:
            found |= _small_heads(edges, body_size)
        for number, rows in enumerate(edges):
            depth = 0
            while depth < len(rows) and (number, depth) in found:
                depth += 1
            while depth and not (
                (depth == len(rows) or _stands_apart(rows[depth - 1], rows[depth]))
                and _leaves_text(pages[number], rows[:depth], removed)
            ):
                depth -= 1
            removed.update(id(line) for row in rows[:depth] for line in row)
            if not depth and rows and page_number(_text(rows[0])) is not None and (number, 0) in found:
                removed.update(map(id, rows[0]))
    if len(pages) <= 2:
        removed |= _lone_numbers(pages, heights)
    else:
        removed |= _last_numbers(pages, removed)
    return removed


def _last_numbers(pages: Sequence[Sequence[Line]], removed: set[int]) -> set[int]:
    """Page numbers that are the last words of pages that end early, where those of other pages count on alike."""
    offsets: Counter[int] = Counter()
    last: list[tuple[int, Line]] = []
    for number, lines in enumerate(pages):
        for line in lines:
            value = page_number(line.text) if id(line) in removed else None
            if value is not None:
                offsets[value - number] += 1
        rest = [line for line in lines if id(line) not in removed and line.turn == 0]
        lowest = max(rest, key=lambda line: line.baseline, default=None)
        if lowest is not None and len(rest) > 1:
            last.append((number, lowest))
    for number, line in last:
        value = page_number(line.text)
        if value is not None:
            offsets[value - number] += 1
    found = set()
    for number, line in last:
        value = page_number(line.text)
        if value is not None and offsets[value - number] >= _FEWEST_NUMBERS:
            found.add(id(line))
    return found


def _edge_rows(lines: Sequence[Line], height: float, from_top: bool) -> Iterator[Row]:
    """The rows from the edge inwards."""
    if from_top:
        near = [line for line in lines if line.turn == 0 and line.bottom < _EDGE * height]
        near.sort(key=lambda line: line.top)
    else:
        near = [line for line in lines if line.turn == 0 and line.top > (1 - _EDGE) * height]
        near.sort(key=lambda line: -line.bottom)
    row: Row = []
    count = 0
    for line in near:
        if row and abs(line.baseline - row[0].baseline) > 0.5 * line.size:
            yield sorted(row, key=lambda line: line.x0)
            row = []
            count += 1
            if count == _DEEPEST_ROWS:
                return
        row.append(line)
    if row:
        yield sorted(row, key=lambda line: line.x0)


def _leaves_text(lines: Sequence[Line], rows: Sequence[Row], removed: set[int]) -> bool:
    """Whether the page has words besides those rows, what has been removed and page numbers."""
    gone = {id(line) for row in rows for line in row} | removed
    return any(id(line) not in gone and page_number(line.text) is None for line in lines)


def _stands_apart(row: Row, inner: Row) -> bool:
    """Whether the row is no line of the same paragraph as the next one inwards."""
    one, other = row[0], inner[0]
    beside = min(row[-1].x1, inner[-1].x1) < max(one.x0, other.x0)
    if beside and not _DIGITS.search(_text(row)):
        return True  # nothing of one is above or below anything of the other
    gap = abs(one.baseline - other.baseline)
    size = max(one.size, other.size)
    return gap > 1.7 * size or abs(one.size - other.size) > 0.07 * size or page_number(_text(row)) is not None


def _text(row: Row) -> str:
    return " ".join(line.text for line in row)


def _repeated(edges: Sequence[Sequence[Row]], heights: Sequence[float], largest: float) -> set[tuple[int, int]]:
    groups: dict[tuple[str, int], list[tuple[int, int, float]]] = defaultdict(list)
    for number, rows in enumerate(edges):
        for depth, row in enumerate(rows):
            key = _DIGITS.sub("0", _ROMAN_AT_END.sub("0", _text(row).strip()))
            at_edge = min(row[0].top, heights[number] - row[0].bottom) < _HEAD * heights[number]
            if at_edge and row[0].size <= largest and _is_head(row, rows[depth + 1] if depth + 1 < len(rows) else None):
                groups[key, round(2 * row[0].size)].append((number, depth, row[0].baseline))
    found: set[tuple[int, int]] = set()
    for (key, _), members in groups.items():
        if key == "0":
            continue
        for index, (number, depth, baseline) in enumerate(members):
            near = (*members[max(0, index - _NEIGHBOURS) : index], *members[index + 1 : index + 1 + _NEIGHBOURS])
            if any(0 < abs(other - number) <= 40 and abs(its - baseline) < 4 for other, _, its in near):
                found.add((number, depth))
    return found


def _own_numbers(edges: Sequence[Sequence[Row]], pages: Sequence[Sequence[Line]]) -> set[tuple[int, int]]:
    """Rows at the very edge that begin or end with the number of their page, in small letters: heads that occur once,
    in files of a few pages."""
    found = set()
    for number, rows in enumerate(edges):
        if len(rows) < 2 or number == 0:
            continue
        row, inner = rows[0], rows[1]
        words = _text(row).split()
        sizes = sorted(line.size for line in pages[number])
        small = row[0].size <= sizes[len(sizes) // 2] + 0.1 and not row[0].bold
        apart = abs(row[0].baseline - inner[0].baseline) > 1.9 * row[0].size
        if small and apart and len(words) < 15 and str(pages[number][0].page.number) in (words[0], words[-1]):
            found.add((number, 0))
    return found


def _small_heads(edges: Sequence[Sequence[Row]], body_size: float) -> set[tuple[int, int]]:
    """Rows at the very top in letters that are smaller than those of the text, with a number alone at their outer end:
    heads that nothing can be compared with, as in a file of one page."""
    found = set()
    for number, rows in enumerate(edges):
        words = [word for line in rows[0] for word in line.words] if len(rows) > 1 else []
        if not 1 < len(words) < 15 or rows[0][0].size > _SMALL * body_size:
            continue
        row, inner = rows[0], rows[1]
        size = row[0].size
        apart = abs(row[0].baseline - inner[0].baseline) > 1.9 * size
        first = page_number(words[0].text) is not None and words[1].x0 - words[0].x1 > _GAP_BEFORE_NUMBER * size
        last = page_number(words[-1].text) is not None and words[-1].x0 - words[-2].x1 > _GAP_BEFORE_NUMBER * size
        if apart and (first or last):
            found.add((number, 0))
    return found


def _in_place(edges: Sequence[Sequence[Row]], found: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """Rows that stand exactly where two other pages have furniture, in the same size: heads that occur once."""
    spots: Counter[tuple[int, int]] = Counter(
        (round(edges[number][depth][0].baseline), round(2 * edges[number][depth][0].size)) for number, depth in found
    )
    result = set()
    for number, rows in enumerate(edges):
        if rows and (number, 0) not in found:
            row = rows[0]
            size = round(2 * row[0].size)
            if sum(spots[round(row[0].baseline) + shift, size] for shift in (-1, 0, 1)) > 1 and len(_text(row)) < 120:
                result.add((number, 0))
    return result


_ROMAN_AT_END = re.compile(r"(?<![^\s])[ivxlc]{1,6}$|^[ivxlc]{1,6}(?![^\s])")


def _is_head(row: Row, inner: Row | None) -> bool:
    """Not the first row of a table: that has several cells, and the next row, as close as lines are, has as many."""
    if inner is None or len(row) < 3:
        return True
    gap = abs(inner[0].baseline - row[0].baseline)
    return gap > 2.5 * row[0].size or len(inner) < len(row) - 1


def _counting(edges: Sequence[Sequence[Row]]) -> set[tuple[int, int]]:
    """Rows that are a page number, where the number of another page differs as the pages do."""
    groups: dict[tuple[bool, int], list[tuple[int, int, float]]] = defaultdict(list)
    for number, rows in enumerate(edges):
        for depth, row in enumerate(rows):
            value = page_number(_text(row))
            if value is not None:
                roman = not _DIGITS.search(_text(row))
                groups[roman, value - number].append((number, depth, row[0].baseline))
    found: set[tuple[int, int]] = set()
    for members in groups.values():
        for index, (number, depth, baseline) in enumerate(members):
            near = (*members[max(0, index - _NEIGHBOURS) : index], *members[index + 1 : index + 1 + _NEIGHBOURS])
            if any(other != number and abs(its - baseline) < 12 for other, _, its in near):
                found.add((number, depth))
    return found


def page_number(text: str) -> int | None:
    """The number where the text is a page number.

    >>> [page_number(text) for text in ("12", "- 3 -", "Page 4 of 9", "xiv", "mill", "12 boats")]
    [12, 3, 4, 14, None, None]
    """
    match = _NUMBER.fullmatch(text.strip())
    if not match:
        return None
    if match[1].isdigit():
        return int(match[1])
    return _roman(match[1].lower())


def _roman(text: str) -> int | None:
    values = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
    numbers = [values[letter] for letter in text]
    total = sum(-one if one < after else one for one, after in zip(numbers, [*numbers[1:], 0], strict=True))
    return total if _as_roman(total) == text else None


def _as_roman(number: int) -> str:
    parts = []
    for value, letters in (
        *((100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
    ):
        parts.append(letters * (number // value))
        number %= value
    return "".join(parts)


def _lone_numbers(pages: Sequence[Sequence[Line]], heights: Sequence[float]) -> set[int]:
    """Of a file of one or two pages: page numbers that nothing can be compared with, at the very edge."""
    found: set[int] = set()
    for lines, height in zip(pages, heights, strict=True):
        for from_top in (True, False):
            row = next(_edge_rows(lines, height, from_top), None)
            if row is None or len(lines) < 2:
                continue
            text = _text(row)
            at_edge = row[0].bottom < 0.08 * height or row[0].top > 0.92 * height
            if _SPELT_OUT.fullmatch(text) or (at_edge and not from_top and page_number(text) is not None):
                found.update(map(id, row))
    return found


def line_numbers(lines: Sequence[Line]) -> list[Line]:
    """The numbers of lines beside the text of one page, as court papers have them: one below the other, counting."""
    numbers = [line for line in lines if line.turn == 0 and len(line.words) == 1 and line.text.isdigit()]
    numbers.sort(key=lambda line: line.top)
    text = [line.x0 for line in lines if line.turn == 0 and not line.text.isdigit()]
    best: list[Line] = []
    run: list[Line] = []
    for line in numbers:
        follows = run and int(line.text) == int(run[-1].text) + 1 and abs(line.x1 - run[-1].x1) < line.size
        run = [*run, line] if follows else [line]
        best = run if len(run) > len(best) else best
    if len(best) < _FEWEST_LINE_NUMBERS or not text:
        return []
    beside = sum(left > best[-1].x1 for left in text)
    return best if beside > 0.7 * len(text) else []
