"""Cells to tables: their text, their header, their boxes."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pincite.load.pdf.hyphens import Vocabulary
from pincite.load.pdf.lines import Line, joined, line_of
from pincite.load.pdf.shapes import Bounds
from pincite.load.pdf.words import UNKNOWN, Page, Word

_NUMBER = re.compile(
    r"[(\-+−–~≈<>≤≥]*[$€£¥]?\s*[0-9][0-9.,'’\u202f\u00a0 ]*\s*(?:[%€$£)x×]|[a-zA-Zµ°/²³]{1,5})?[)*†]?|[-–—]+|n/?a",
)
_YEAR = re.compile(r"(?:19|20)[0-9]{2}\*?")
SIGNS_BEFORE, SIGNS_BEHIND = frozenset("$€£¥"), frozenset(["%", ")", ")%", "pts", "x"])


@dataclass(slots=True)
class Cell:
    """``spans`` are the numbers of the rows and columns that it covers."""

    words: list[Word] = field(default_factory=list)
    text: str = ""
    row: int = 0
    column: int = 0
    rows: int = 1
    columns: int = 1


@dataclass(eq=False, slots=True)
class Table:
    """``rows`` have the same number of cells. ``boxes``: of each row, one for each cell that is not empty, on its page,
    in the page's own direction; that of a cell which is repeated over several columns or rows is repeated, too.
    ``title``: lines over the whole width at its head."""

    page: Page
    rows: list[list[str]]
    boxes: list[list[tuple[Page, Bounds]]]
    header_rows: int
    styled: bool
    edges: list[float]
    x0: float
    top: float
    x1: float
    bottom: float
    title: list[Line] = field(default_factory=list)


def table_of(
    page: Page,
    rows: list[list[Cell]],
    width: int,
    edges: list[float],
    box: Bounds,
    vocabulary: Vocabulary,
    *,
    header_rows: int | None = None,
) -> Table:
    """The table of those rows of cells, whose text is read from their words. ``edges`` are the left ends of the
    columns. ``header_rows``: where the file itself tells."""
    for row in rows:
        for cell in row:
            cell.text = cell_text(cell.words, vocabulary)
    starts = sorted({cell.column for row in rows for cell in row})
    if len(starts) < width:
        _close_up(rows, starts)
        edges, width = [edges[column] for column in starts], len(starts)
    title: list[Line] = []
    while (
        len(rows) > 2
        and sum(bool(cell.text) for cell in rows[0]) == 1
        and max((cell.columns for cell in rows[0] if cell.text and not cell.column), default=0) > 0.6 * width
    ):
        title.append(line_of([word for cell in rows[0] for word in cell.words], page))
        taken = max(cell.rows for cell in rows[0])
        rows = rows[taken:]
        header_rows = None if header_rows is None else max(header_rows - taken, 0) or None
    found, styled = _header(rows)
    header_rows = found if header_rows is None else min(header_rows, len(rows))
    grid = [[""] * width for _ in rows]
    owners: list[list[list[Cell]]] = [[[] for _ in range(width)] for _ in rows]
    for number, row in enumerate(rows):
        for cell in row:
            if not cell.text:
                continue
            down = min(cell.rows, header_rows - number) if number < header_rows else 1
            across = cell.columns if number < header_rows else 1
            for r in range(number, number + max(down, 1)):
                for c in range(cell.column, cell.column + across):
                    grid[r][c] = cell.text
                    owners[r][c] = [cell]
    _join_signs(grid, owners, header_rows)
    kept = [number for number, row in enumerate(grid) if any(row)]
    columns = [c for c in range(width) if any(grid[number][c] for number in kept)]
    header_rows = sum(number < header_rows for number in kept)
    return Table(
        page,
        [[grid[number][c] for c in columns] for number in kept],
        [[(page, _box(cell.words)) for cells in owners[number] for cell in cells] for number in kept],
        min(header_rows, len(kept)),
        styled,
        [edges[c] for c in columns],
        *box,
        title,
    )


def _close_up(rows: Sequence[Sequence[Cell]], starts: Sequence[int]) -> None:
    """Takes out the columns in which no cell begins: files count some that nobody sees."""
    for row in rows:
        for cell in row:
            first, end = bisect_left(starts, cell.column), bisect_left(starts, cell.column + cell.columns)
            cell.column, cell.columns = first, max(end - first, 1)


def _join_signs(grid: list[list[str]], owners: list[list[list[Cell]]], header_rows: int) -> None:
    """A column of nothing but currency signs belongs to the one behind it, one of per cent signs to that before."""
    width = len(grid[0]) if grid else 0
    for column in range(width):
        cells = {row[column] for row in grid[header_rows:]} - {""}
        if cells and cells <= SIGNS_BEFORE and column + 1 < width:
            _move(grid, owners, column, column + 1)
        elif cells and cells <= SIGNS_BEHIND and column:
            _move(grid, owners, column, column - 1)


def _move(grid: list[list[str]], owners: list[list[list[Cell]]], column: int, target: int) -> None:
    """Empties a column into its neighbour."""
    first, second = sorted((column, target))
    for row, cells in zip(grid, owners, strict=True):
        if row[first] != row[second]:
            row[target] = f"{row[first]} {row[second]}".strip()
            cells[target] = cells[first] + cells[second]
        row[column] = ""
        cells[column] = []


def _box(words: Sequence[Word]) -> Bounds:
    return (
        min(word.x0 for word in words),
        min(word.top for word in words),
        max(word.x1 for word in words),
        max(word.bottom for word in words),
    )


def cell_text(words: Sequence[Word], vocabulary: Vocabulary) -> str:
    """The words of a cell, line by line in the order of the file."""
    lines: list[list[Word]] = []
    for word in words:
        last = lines[-1][-1] if lines else None
        same = last is not None and (
            word.glued
            or (
                not last.hyphen and abs(last.ink.baseline - word.ink.baseline) < 0.5 * max(last.ink.size, word.ink.size)
            )
        )
        if same:
            lines[-1].append(word)
        else:
            lines.append([word])
    text = ""
    hyphen = False
    for number, line in enumerate(lines):
        after = joined(line)
        if line[0].text == UNKNOWN and len(line) > 1:
            after = "•" + after[1:]  # an item inside the cell
        if number:
            before, between = vocabulary.join(text, after, hyphen=hyphen)
            text = before + between + after
        else:
            text = after
        hyphen = line[-1].hyphen
    return text + "-" if hyphen else text


def _header(rows: Sequence[Sequence[Cell]]) -> tuple[int, bool]:
    """How many rows are the header, and whether they look like one by their letters."""
    if len(rows) < 2:
        return 0, False
    first = [cell for cell in rows[0] if cell.text]
    depth = max((cell.rows for cell in first), default=1)
    if any(cell.columns > 1 for cell in first) and len(rows) > 2 and len(first) > 1:
        depth = max(depth, 2)
    depth = min(depth, len(rows) - 1)
    later = [cell for row in rows[depth:] for cell in row if cell.text]
    bold = _share_of_bold(first)
    styled = bold > 0.7 and _share_of_bold(later) < 0.5
    if styled:
        while (
            depth < len(rows) - 1
            and depth < 3
            and rows[depth]
            and _share_of_bold(rows[depth]) > 0.9
            and len([c for c in rows[depth] if c.text]) > 1
        ):
            depth += 1
        return depth, True
    numbers = {cell.column for cell in later if _NUMBER.fullmatch(cell.text)}
    if any(_NUMBER.fullmatch(cell.text) and cell.column in numbers for cell in first):
        return 0, False
    if len(first) == 1 and len(later) > 1:
        return 0, False
    return depth, False


def _share_of_bold(cells: Iterable[Cell]) -> float:
    total = bold = 0
    for cell in cells:
        for word in cell.words:
            total += len(word.text)
            bold += len(word.text) if word.ink.face.bold else 0
    return bold / total if total else 0.0


def is_data(row: Sequence[Cell]) -> bool:
    """Whether most cells behind the first one are numbers, years left aside."""
    texts = [joined(cell.words).lstrip("$£€¥ ") for cell in row[1:] if cell.words]
    texts = [text for text in texts if text and not _YEAR.fullmatch(text)]
    return 2 * sum(_NUMBER.fullmatch(text) is not None for text in texts) > len(texts)
