"""Tables of one page: ruled ones from their grid, others from what is aligned."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import median

from pincite.load.pdf.aligned import aligned_runs, from_bands, from_rows
from pincite.load.pdf.cells import Cell, Table, table_of
from pincite.load.pdf.grids import Grid, grids_of, ruled_bands
from pincite.load.pdf.hyphens import Vocabulary
from pincite.load.pdf.lines import Line, is_inside
from pincite.load.pdf.tags import Tag
from pincite.load.pdf.words import Page, Word

_SMALLEST_FILLED = 0.3
_LONGEST_CELL = 500
_MOST_ASTRAY = 0.05  # of the cells
_FEWEST_TAGGED = 0.5  # of the cells: what has fewer counts columns that are not seen
_UNTAGGED = Tag()


def find_tables(
    page: Page, lines: Sequence[Line], vocabulary: Vocabulary, *, mono: bool
) -> tuple[list[Table], list[Line]]:
    """The tables, and the lines that are in none of them. ``mono``: the file's running text is in a face of fixed
    width; else such lines are code, however well they are aligned."""
    tables: list[Table] = []
    rest = list(lines)
    for number in sorted({tag.table for tag in page.tags.values()} - {0}):
        rest = _take(rest, _from_tags(page, number, rest, vocabulary), tables)
    if page.shapes.complete:
        for grid in grids_of(page.shapes):
            rest = _take(rest, _from_grid(page, grid, rest, vocabulary), tables)
        for ys, x0, x1 in ruled_bands(page.shapes):
            rest = _take(rest, from_bands(page, ys, x0, x1, rest, vocabulary, mono=mono), tables)
    for run in aligned_runs(rest, mono=mono):
        rest = _take(rest, from_rows(page, run, rest, vocabulary), tables)
    return tables, rest


def _take(lines: list[Line], found: tuple[Table, set[int]] | None, tables: list[Table]) -> list[Line]:
    if found is None:
        return lines
    table, used = found
    tables.append(table)
    return [line for line in lines if id(line) not in used]


def _from_tags(page: Page, number: int, lines: Sequence[Line], vocabulary: Vocabulary) -> tuple[Table, set[int]] | None:
    """The table that the file itself tells of, as far as its rows and columns are where they should be."""
    inner = [line for line in lines if all(_tag(page, word).table == number for word in line.words)]
    cells: dict[tuple[int, int], Cell] = {}
    headers: dict[int, list[bool]] = {}
    for line in inner:
        for word in line.words:
            tag = _tag(page, word)
            cell = Cell(row=tag.row, column=tag.column, rows=tag.rows, columns=tag.columns)
            cells.setdefault((tag.row, tag.column), cell).words.append(word)
            headers.setdefault(tag.row, []).append(tag.header)
    rows = sorted(headers)
    width = max((cell.column + cell.columns for cell in cells.values()), default=0)
    columns = len({column for _, column in cells})
    if len(rows) < 2 or columns < 2 or len(cells) < _FEWEST_TAGGED * len(rows) * columns or _is_shifted(cells.values()):
        return None
    body = [[cell for (its, _), cell in sorted(cells.items()) if its == row] for row in rows]
    edges = [
        min((word.x0 for (_, its), cell in cells.items() if its == column for word in cell.words), default=0.0)
        for column in range(width)
    ]
    box = (
        min(line.x0 for line in inner),
        min(line.top for line in inner),
        max(line.x1 for line in inner),
        max(line.bottom for line in inner),
    )
    header_rows = next((n for n, row in enumerate(rows) if not all(headers[row])), 0)
    return table_of(page, body, width, edges, box, vocabulary, header_rows=header_rows or None), set(map(id, inner))


def _is_shifted(cells: Iterable[Cell]) -> bool:
    """Whether cells stand where other columns do: files leave out empty cells, or count columns in some other way."""
    middles: dict[int, list[float]] = defaultdict(list)
    for cell in cells:
        if cell.columns == 1:
            middles[cell.column].append((min(word.x0 for word in cell.words) + max(word.x1 for word in cell.words)) / 2)
    columns = sorted(middles)
    typical = [median(middles[column]) for column in columns]
    astray = 0
    for index, column in enumerate(columns):
        left = typical[index - 1] if index else float("-inf")
        right = typical[index + 1] if index + 1 < len(columns) else float("inf")
        astray += sum(not left < middle < right for middle in middles[column])
    return astray > _MOST_ASTRAY * sum(map(len, middles.values()))


def _tag(page: Page, word: Word) -> Tag:
    return page.tags.get(word.ink.content_id, _UNTAGGED)


def _from_grid(page: Page, grid: Grid, lines: Sequence[Line], vocabulary: Vocabulary) -> tuple[Table, set[int]] | None:
    inner = [line for line in lines if is_inside(line, grid.box)]
    cells = {root: Cell(row=r, column=c, rows=h, columns=w) for root, (r, c, h, w) in grid.cells.items()}
    outside = 0
    for line in inner:
        for word in line.words:
            root = grid.cell_at((word.x0 + word.x1) / 2, (word.top + word.bottom) / 2)
            if root is None:
                outside += 1
            else:
                cells[root].words.append(word)
    filled = [cell for cell in cells.values() if cell.words]
    if _has_columnsis_inside(inner, grid):
        return None
    if outside > 2 or len({cell.row for cell in filled}) < 2 or len({cell.column for cell in filled}) < 2:
        return None
    least = _SMALLEST_FILLED if len(cells) >= 20 else 0.55
    if len(filled) < least * len(cells) or _is_layout(filled) or _is_drawing(filled):
        return None
    rows = _split_rows(cells.values(), len(grid.ys) - 1)
    return table_of(page, rows, len(grid.xs) - 1, list(grid.xs), grid.box, vocabulary), set(map(id, inner))


def _has_columnsis_inside(lines: Sequence[Line], grid: Grid) -> bool:
    """Whether several rows of a cell are written in columns: then only some of the table's rules are drawn."""
    seen: set[tuple[tuple[int, int] | None, int]] = set()
    again: set[tuple[tuple[int, int] | None, int]] = set()
    for line in lines:
        if line.turn == 0:
            key = (grid.cell_at((line.x0 + line.x1) / 2, (line.top + line.bottom) / 2), round(line.baseline))
            (again if key in seen else seen).add(key)
    return len(again) > 2


def _is_layout(cells: Sequence[Cell]) -> bool:
    """Whether a few frames hold running text: a page laid out in boxes."""
    lengths = [sum(len(word.text) for word in cell.words) for cell in cells]
    return max(lengths) > _LONGEST_CELL and max(lengths) > 0.3 * sum(lengths)


def _is_drawing(cells: Sequence[Cell]) -> bool:
    """Whether the text is of many sizes and heights, as the labels in a drawing or plot are."""
    sizes = {round(word.ink.size) for cell in cells for word in cell.words}
    turned = sum(word.ink.turn != 0 for cell in cells for word in cell.words)
    words = sum(len(cell.words) for cell in cells)
    return len(sizes) > 4 or (len(cells) < 9 and turned > 0.3 * words)


def _split_rows(cells: Iterable[Cell], count: int) -> list[list[Cell]]:
    """The cells of each row; a row that holds many lines, aligned over its columns, is several rows without rules."""
    rows: list[list[Cell]] = [[] for _ in range(count)]
    for cell in cells:
        rows[cell.row].append(cell)
    result: list[list[Cell]] = []
    for row in rows:
        lines = _unruled_lines(row) if all(cell.rows == 1 for cell in row) else None
        if not lines:
            result.append(row)
            continue
        for baseline in lines:
            on_line = [_on_line(cell, baseline) for cell in row]
            result.append(on_line)
    return result


def _on_line(cell: Cell, baseline: float) -> Cell:
    words = [word for word in cell.words if abs(word.ink.baseline - baseline) < 0.4 * word.ink.size]
    return Cell(words, column=cell.column, columns=cell.columns)


def _unruled_lines(row: Sequence[Cell]) -> list[float] | None:
    """The baselines of the lines in a row, where each one has words in most columns; ``None`` for a single row."""
    filled = [cell for cell in row if cell.words]
    if len(filled) < 2:
        return None
    heights = [sorted({round(word.ink.baseline, 0) for word in cell.words}) for cell in filled]
    longest = max(heights, key=len)
    if len(longest) < 3:
        return None
    first = heights[0]
    aligned = sum(
        sum(any(abs(baseline - other) < 2 for other in lines) for lines in heights) > 0.6 * len(heights)
        for baseline in longest
    )
    return [float(y) for y in longest] if aligned >= 0.8 * len(longest) and len(first) >= 0.8 * len(longest) else None
