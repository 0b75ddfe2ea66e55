"""Tables: from rows of cells that span others to a full grid, and which tables only lay out the page."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import takewhile

from selectolax.lexbor import LexborNode

from pincite.load.html.limits import TooMuchError

_SPAN = re.compile(r"\s*\+?(\d{1,9})")
_MOST_COLUMNS_SPANNED = 1000
_MOST_ROWS_SPANNED = 65_534
_SECTIONS = ("thead", "tbody", "tfoot")
_HEADLINES = "h1, h2, h3, h4, h5, h6, article, section, form"
_PIECES = "p, div, ul, ol, table, blockquote, pre, img"


class TooManyCellsError(TooMuchError):
    """The cells that spans make are far more than the page has."""

    def __init__(self) -> None:
        super().__init__("the spans of its tables make too many cells", "max_cells")


@dataclass(slots=True)
class Cell:
    text: str
    header: bool = False
    columns: int = 1
    rows: int = 1


@dataclass(slots=True)
class Row:
    """``element`` is the index of the row's element."""

    element: int
    head: bool = False
    group: int = 0
    cells: list[Cell] = field(default_factory=list)


@dataclass(slots=True)
class Table:
    """What is read of one table. ``links`` are characters that are links; ``gaps`` are where the texts of the cells
    begin in the sketch. Rows of another ``group`` (``thead``, ``tbody``) are out of reach of ``rowspan``."""

    rows: list[Row] = field(default_factory=list)
    group: int = 0
    head: bool = False
    links: int = 0
    gaps: list[int] = field(default_factory=list)

    @property
    def length(self) -> int:
        """Characters of all cells."""
        return sum(len(cell.text) for row in self.rows for cell in row.cells)

    def begin_group(self, *, head: bool) -> None:
        self.group += 1
        self.head = head

    def begin_row(self, element: int) -> None:
        self.rows.append(Row(element, self.head, self.group))

    def add(self, cell: Cell) -> None:
        """The next cell of the row that was begun last; the parser gives every cell a row."""
        self.rows[-1].cells.append(cell)

    def header_rows(self) -> int:
        """Those in ``thead``; without any, the rows of header cells only at the top, if others follow."""
        rows = [row for row, written in zip(self.rows, self._written(), strict=True) if written]
        if heads := _leading(row.head for row in rows):
            return heads
        heads = _leading(all(cell.header for cell in row.cells) for row in rows)
        return heads if heads < len(rows) else min(1, len(rows))

    def grid(self, *, most_cells: int) -> list[tuple[int, list[str]]]:
        """All rows with their elements, values repeated where a cell spans several. Raises ``TooManyCellsError``."""
        grid: list[tuple[int, list[str]]] = []
        open_cells: dict[int, tuple[int, str]] = {}  # column -> rows still to fill, and with what
        group, count = -1, 0
        for row, written in zip(self.rows, self._written(), strict=True):
            if row.group != group:
                open_cells, group = {}, row.group
            line, open_cells = _filled(row, open_cells)
            count += len(line)
            if count > most_cells:
                raise TooManyCellsError
            if written:
                grid.append((row.element, line))
        return grid

    def _written(self) -> list[bool]:
        """Of each row whether it says anything: one without cells does not, nor does one whose cells all reach into a
        next one that has its own."""
        result = []
        for number, row in enumerate(self.rows):
            following = self.rows[number + 1] if number + 1 < len(self.rows) else None
            goes_on = following is not None and following.group == row.group and bool(following.cells)
            result.append(any(cell.rows == 1 or not goes_on for cell in row.cells))
        return result


def _filled(row: Row, above: dict[int, tuple[int, str]]) -> tuple[list[str], dict[int, tuple[int, str]]]:
    """The row with the cells from above that reach into it, and those that reach further down."""
    line: list[str] = []
    below: dict[int, tuple[int, str]] = {}

    def from_above() -> None:
        while (column := len(line)) in above:
            rows, text = above[column]
            line.append(text)
            if rows > 1:
                below[column] = (rows - 1, text)

    for cell in row.cells:
        from_above()
        for _ in range(cell.columns):
            if cell.rows > 1:
                below[len(line)] = (cell.rows - 1, cell.text)
            line.append(cell.text)
    from_above()
    for column in sorted(column for column in above if column >= len(line)):
        line.extend([""] * (column - len(line)))
        from_above()
    return line, below


def _leading(flags: Iterable[bool]) -> int:
    return sum(1 for _ in takewhile(bool, flags))


def spans(attributes: dict[str, str | None]) -> tuple[int, int]:
    """Columns and rows of a cell; ``rowspan="0"`` is to the end of the group.

    >>> spans({"colspan": "2", "rowspan": "0"}), spans({"colspan": "-1"})
    ((2, 65534), (1, 1))
    """
    columns = _SPAN.match(attributes.get("colspan") or "")
    rows = _SPAN.match(attributes.get("rowspan") or "")
    wide = int(columns[1]) if columns else 1
    high = int(rows[1]) if rows else 1
    return max(1, min(wide, _MOST_COLUMNS_SPANNED)), min(high, _MOST_ROWS_SPANNED) or _MOST_ROWS_SPANNED


def is_layout(table: LexborNode) -> bool:
    """Whether a table only arranges the page: one cell or column, or larger pieces of a page in its cells."""
    if table.attributes.get("role") in ("presentation", "none"):
        return True
    rows = _own_rows(table)
    if rows is None:
        return False
    widest = max((len(cells) for cells in rows), default=0)
    if widest <= 1 or table.css_first(_HEADLINES) is not None:
        return True
    if len(rows) == 1:
        return any(cell.css_first(_PIECES) is not None for cell in rows[0])
    return False


def _own_rows(table: LexborNode) -> list[list[LexborNode]] | None:
    """The cells of each row that has any; ``None`` where a header or caption says that these are data."""
    rows: list[list[LexborNode]] = []
    for child in table.iter():
        if child.tag in ("caption", "thead"):
            return None
        for row in child.iter() if child.tag in _SECTIONS else [child]:
            if row.tag != "tr":
                continue
            cells = [cell for cell in row.iter() if cell.tag in ("td", "th")]
            if any(cell.tag == "th" for cell in cells):
                return None
            if cells:
                rows.append(cells)
    return rows
