"""Tables as rows of texts: merged cells are repeated, so that every row stands alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from pincite.errors import LoadError
from pincite.load.docx.appearance import PLAIN_TABLES
from pincite.load.docx.inline import chosen_branch
from pincite.load.docx.items import Table, TableRow
from pincite.load.docx.tags import MC, VAL, W, is_on, number, value
from pincite.load.xml import Element

_ROW, _CELL = W + "tr", W + "tc"
_FIRST_ROW = 0x20  # the bit of w:tblLook for a header row with a format of its own
_NUMERIC = re.compile(r"[^\w]*\d[\d\s.,:/'’-]*\s*\S{0,12}")
_LONGEST_NAME = 80
_LONGEST_FIGURE = 40
_MOST_SPANNED = 1024
_LONGEST_REPEATED = 200
# What repeating merged cells and filling up short rows may cost in one document, in characters and in cells.
_MOST_REPEATED = 2**24
_MOST_CELLS = 2**22

CellReader = Callable[[Element], tuple[str, int]]
"""The text of a cell, lines apart by line ends, and the number of its first paragraph (0 without any)."""


@dataclass(slots=True)
class Cells:
    """The cell elements of a table by row; ``gone`` counts the rows and cells that a tracked change took away."""

    rows: list[list[Element]] = field(default_factory=list)
    elements: list[Element] = field(default_factory=list)
    gone: int = 0


def table_cells(table: Element, gone: tuple[str, ...]) -> Cells:
    cells = Cells()
    row_mark = gone[0]
    cell_mark = W + "cellDel" if row_mark == W + "del" else W + "cellIns"
    for row in _inside(table, _ROW):
        if row.find(f"{W}trPr/{row_mark}") is not None:
            cells.gone += 1
            continue
        kept = [cell for cell in _inside(row, _CELL) if cell.find(f"{W}tcPr/{cell_mark}") is None]
        if kept:
            cells.rows.append(kept)
            cells.elements.append(row)
    return cells


def _inside(container: Element, wanted: str) -> Iterator[Element]:
    """The wanted elements, also those in content controls and the like."""
    for child in container:
        if child.tag == wanted:
            yield child
        elif child.tag == MC + "AlternateContent":
            branch = chosen_branch(child)
            if branch is not None:
                yield from _inside(branch, wanted)
        elif len(child) and child.tag not in (_ROW, _CELL):
            yield from _inside(child, wanted)


@dataclass(slots=True)
class GridReader:
    """Lays out the tables of one document, within what they may cost together."""

    path: str
    cells: int = 0
    repeated: int = 0

    def read(self, table: Element, cells: Cells, read_cell: CellReader) -> Table:
        """Every cell of the grid with its text, also those that a merged cell covers."""
        marked = _marked_rows(cells)
        merged: dict[int, str] = {}
        rows: list[TableRow] = []
        for index, (element, row_cells) in enumerate(zip(cells.elements, cells.rows, strict=True)):
            texts = _skipped(element, "gridBefore")
            paragraph = 0
            for cell in row_cells:
                text, own_paragraph = read_cell(cell)
                paragraph = paragraph or own_paragraph
                self._place(texts, text, cell.find(W + "tcPr"), merged, repeat=not 0 < index < marked)
            texts += _skipped(element, "gridAfter")
            self._check_size(len(texts) * len(cells.rows))
            rows.append(TableRow(texts, paragraph))
        self.cells += max(len(row.cells) for row in rows) * len(rows)
        return Table(rows, marked or _looks_like_header(table, cells, rows))

    def _place(
        self, texts: list[str], text: str, properties: Element | None, merged: dict[int, str], *, repeat: bool
    ) -> None:
        """Adds a cell to its row, as often as it spans columns. ``merged`` has, by column, the text of the merged cell
        above; ``repeat`` is off inside a header, whose rows are read together."""
        column = len(texts)
        down, across = _merge(properties, "vMerge"), _merge(properties, "hMerge")
        if across == "continue" and texts and not text:
            text = self._again(texts[-1])
        elif down == "continue" and not text:
            text = self._again(merged.get(column, "")) if repeat else ""
        texts.append(text)
        spanned = number(value(properties, "gridSpan"), default=1, low=1, high=_MOST_SPANNED)
        texts.extend(self._again(text) for _ in range(spanned - 1))
        self._check_size(len(texts))
        for covered in range(column, len(texts)):
            if down == "restart":
                merged[covered] = text
            elif not down:
                merged.pop(covered, None)

    def _again(self, text: str) -> str:
        """The text of a merged cell once more. Prose is not repeated: a row does not need it to be understood."""
        if len(text) > _LONGEST_REPEATED:
            return ""
        self.repeated += len(text)
        if self.repeated > _MOST_REPEATED:
            raise self._too_large("merged cells repeat far more text than the document has")
        return text

    def _check_size(self, cells: int) -> None:
        """Short rows are filled up to the longest when they are written."""
        if self.cells + cells > _MOST_CELLS:
            raise self._too_large(f"the tables have more than {_MOST_CELLS:,} cells")

    def _too_large(self, problem: str) -> LoadError:
        return LoadError(problem, cure="Split the document or leave it out.", kind="too_large", file=self.path)


def _skipped(row: Element, name: str) -> list[str]:
    """The columns that a row leaves free before its first or after its last cell."""
    return [""] * number(value(row.find(W + "trPr"), name), high=_MOST_SPANNED)


def _merge(properties: Element | None, name: str) -> str:
    """``restart``, ``continue`` or, for a cell that is not merged, nothing."""
    found = None if properties is None else properties.find(W + name)
    return "" if found is None else found.get(VAL, "continue")


def _marked_rows(cells: Cells) -> int:
    """How many rows from the top are marked as header; one where all of several are, which cannot be meant."""
    count = 0
    for row in cells.elements:
        if not is_on(row.find(W + "trPr"), "tblHeader"):
            break
        count += 1
    return 1 if 1 < count == len(cells.rows) else count


def _looks_like_header(table: Element, cells: Cells, rows: list[TableRow]) -> int:
    """1 where the first row names the columns, else 0.

    Names are short, without numbers, each another. That they are names is seen from the row's format (a table style
    with a header row, bold, shaded) or from a column that has figures below its name. Word asks for a header row in
    every new table, so that this alone says little: it decides only for three and more columns.
    """
    first, *rest = (row.cells for row in rows)
    names = [cell for cell in first if cell]
    if not rest or len(first) < 2 or len(names) < max(2, len(first) / 2) or len(set(names)) < len(names):
        return 0
    if any(len(name) > _LONGEST_NAME or _is_figure(name) for name in names):
        return 0
    properties = table.find(W + "tblPr")
    wanted = _wants_header(properties)
    styled = wanted and value(properties, "tblStyle") not in PLAIN_TABLES
    figures = any(
        sum(_is_figure(row[column]) for row in rest if column < len(row)) * 2 > len(rest)
        for column in range(len(first))
    )
    set_off = _is_set_off(cells.rows[0]) and not _is_set_off(cells.rows[1])
    return int(styled or figures or set_off or (wanted and len(first) > 2))


def _is_figure(text: str) -> bool:
    return len(text) <= _LONGEST_FIGURE and _NUMERIC.fullmatch(text) is not None


def _wants_header(properties: Element | None) -> bool:
    look = None if properties is None else properties.find(W + "tblLook")
    if look is None:
        return False
    try:
        bits = int(look.get(VAL, "0"), 16)
    except ValueError:
        bits = 0
    return look.get(W + "firstRow") in ("1", "true", "on") or bool(bits & _FIRST_ROW)


def _is_set_off(cells: list[Element]) -> bool:
    """Whether every cell that has text is bold or shaded."""
    filled = [cell for cell in cells if any(text.text for text in cell.iter(W + "t"))]
    return bool(filled) and all(_is_bold(cell) or _is_shaded(cell) for cell in filled)


def _is_bold(cell: Element) -> bool:
    return any(bold.get(VAL, "1") not in ("0", "false", "off") for bold in cell.iter(W + "b"))


def _is_shaded(cell: Element) -> bool:
    shade = cell.find(f"{W}tcPr/{W}shd")
    return shade is not None and shade.get(W + "fill", "auto").lower() not in ("auto", "ffffff")
