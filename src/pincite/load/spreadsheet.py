"""Workbooks (XLSX, XLSM, ODS, XLS): a section for each sheet, tables whose rows know their number in the sheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from pincite.errors import LoadError
from pincite.load.archive import Limits
from pincite.load.dialect import has_header
from pincite.load.limits import at_least_one, check_size
from pincite.load.normalise import one_line
from pincite.load.records import Record
from pincite.load.sheet_cells import Request, Sheet, read_sheets
from pincite.load.sheet_gaps import Gaps
from pincite.load.signatures import misnamed
from pincite.load.workbook import Workbook, open_workbook
from pincite.load.writer import MarkdownWriter
from pincite.model import Document, Notice, Place, Source

_MEDIA_TYPES = {
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".xlsm": "application/vnd.ms-excel.sheet.macroEnabled.12",
    ".ods": "application/vnd.oasis.opendocument.spreadsheet",
    ".xls": "application/vnd.ms-excel",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SpreadsheetLoader:
    """Loads workbooks of at most ``max_bytes`` bytes in a process of their own.

    Each sheet is a heading with what stands on it: blank rows end a table, a row with one cell above a wider one is
    its caption, rows with one cell are paragraphs. The first row of a table is its header where it looks like one
    (two rows where cells of the first are merged). A merged cell says its value in every cell that it covers. Hidden
    sheets are loaded, with a notice. Numbers and dates are shown without their formats. ``max_cells`` counts the
    cells from the first to the last one of each sheet, empty ones, too, but for long gaps in XLSX and ODS;
    ``max_characters`` those of their texts.
    """

    max_bytes: int = 256 * 1024 * 1024
    max_cells: int = 5_000_000
    max_characters: int = 100_000_000
    max_memory_bytes: int = 2 * 1024 * 1024 * 1024
    timeout_s: float = 120.0
    name: str = "spreadsheet"

    def __post_init__(self) -> None:
        at_least_one(self, "max_bytes", "max_cells", "max_characters", "max_memory_bytes")
        if self.timeout_s <= 0:
            raise ValueError(f"timeout_s must be above 0, got {self.timeout_s}")

    def load(self, source: Source) -> Document:
        check_size(source, self.max_bytes, loader=self.name)
        workbook = open_workbook(source, limits=Limits(max_bytes=self.max_bytes))
        notices = list(workbook.notices(source.path))
        writer = MarkdownWriter()
        for sheet in self._sheets(workbook, source):
            notices.extend(_written(sheet, writer, self.max_cells, source.path))
        suffix = PurePosixPath(source.path).suffix.lower()
        return writer.document(
            id=source.path,
            source=source.path,
            media_type=_MEDIA_TYPES.get(suffix, _MEDIA_TYPES[".xlsx"]),
            metadata=workbook.metadata,
            warnings=notices,
        )

    def _sheets(self, workbook: Workbook, source: Source) -> Iterator[Sheet]:
        request = Request(
            max_cells=self.max_cells,
            max_characters=self.max_characters,
            max_memory_bytes=self.max_memory_bytes,
            timeout_s=self.timeout_s,
        )
        try:
            sheets = read_sheets(workbook.data, request, file=source.path)
        except LoadError as error:
            raise (misnamed(source) if error.kind == "corrupt" else None) or error from error
        for sheet in sheets:
            gaps = workbook.gaps.get(sheet.name)
            sheet = replace(sheet, name=one_line(sheet.name))
            yield _spread(sheet, gaps) if gaps else sheet


def _spread(sheet: Sheet, gaps: Gaps) -> Sheet:
    """The sheet with its own row numbers; its columns stay close together."""
    return replace(
        sheet,
        rows=[(gaps.rows.back(number - 1) + 1, cells) for number, cells in sheet.rows],
        merged=tuple(
            (top, gaps.columns.there(left), bottom, gaps.columns.there(right))
            for top, left, bottom, right in sheet.merged
        ),
    )


@dataclass(slots=True)
class _Row:
    """``own`` is the number of cells with text before merged values were repeated; ``merged`` are the columns that a
    merged cell reaches into from the left."""

    number: int
    cells: list[str]
    own: int = 0
    merged: set[int] = field(default_factory=set)


def _written(sheet: Sheet, writer: MarkdownWriter, max_cells: int, file: str) -> Iterator[Notice]:
    if not sheet.cells:
        yield Notice(kind="sheet", message=f"the sheet {sheet.name!r} is a chart or code; left out", file=file)
        return
    if not sheet.rows:
        yield Notice(kind="sheet", message=f"the sheet {sheet.name!r} is empty", file=file)
        return
    if sheet.hidden:
        yield Notice(kind="sheet", message=f"the sheet {sheet.name!r} is hidden; it was loaded all the same", file=file)
    rows = [_Row(number, cells, sum(bool(cell.strip()) for cell in cells)) for number, cells in sheet.rows]
    if not _repeat_merged(rows, sheet, max_cells):
        message = f"the sheet {sheet.name!r} merges more cells than it has; merged values are not repeated everywhere"
        yield Notice(kind="sheet", message=message, file=file)
    writer.heading(sheet.name, level=1)
    segments = list(_segments(rows))
    for segment in segments:
        _write_segment(segment, writer, alone=len(segments) == 1)


def _repeat_merged(rows: list[_Row], sheet: Sheet, most: int) -> bool:
    """Writes the value of each merged cell into the cells that it covers; false when that would be too many."""
    by_number = {row.number: row for row in rows}
    last = rows[-1].number - 1
    for top, left, bottom, right in sheet.merged:
        origin = by_number.get(top + 1)
        first, width = left - sheet.first_column, len(rows[0].cells)
        if origin is None or not 0 <= first < width or not origin.cells[first].strip():
            continue
        value = origin.cells[first]
        for number in range(top, min(bottom, last) + 1):
            row = by_number.get(number + 1)
            most -= 1
            if most < 0:
                return False
            if row is None:
                continue
            for column in range(first, min(right - sheet.first_column, width - 1) + 1):
                most -= 1
                if not row.cells[column].strip():
                    row.cells[column] = value
                if column > first:
                    row.merged.add(column)
    return True


def _segments(rows: list[_Row]) -> Iterator[list[_Row]]:
    """The tables of a sheet: runs of rows without a blank one between them.

    A run without a header of its own that keeps to the columns of the table above, which has one, belongs to it.
    """
    runs: list[list[_Row]] = []
    for row in rows:
        if runs and row.number == runs[-1][-1].number + 1:
            runs[-1].append(row)
        else:
            runs.append([row])
    held: list[_Row] = []
    columns, headed = (0, 0), False
    for run in runs:
        own = _columns(run)
        if headed and columns[0] <= own[0] and own[1] <= columns[1] and _continues(run, columns):
            held += run
            continue
        if held:
            yield held
        held, columns = run, own
        headed = own[1] - own[0] > 1 and _header_rows(run[_captions(run) :], *own) > 0
    if held:
        yield held


def _continues(run: list[_Row], columns: tuple[int, int]) -> bool:
    return min(row.own for row in run) > 1 and _header_rows(run, *columns) == 0


def _columns(rows: Sequence[_Row]) -> tuple[int, int]:
    filled = [index for row in rows for index, cell in enumerate(row.cells) if cell.strip()]
    return min(filled, default=0), max(filled, default=-1) + 1


def _captions(rows: list[_Row]) -> int:
    """How many rows at the top have one cell only, above one that has more. A merged cell that begins right of what
    stands below it heads some of the columns, not the table."""
    count = 0
    while count < len(rows) and rows[count].own == 1:
        row, below = rows[count], rows[count + 1 : count + 2]
        if row.merged and below and _columns([row])[0] > _columns(below)[0]:
            return count
        count += 1
    return count if count < len(rows) else 0


def _write_segment(rows: list[_Row], writer: MarkdownWriter, *, alone: bool) -> None:
    if all(row.own <= 1 for row in rows):
        for row in rows:
            writer.paragraph(next((cell for cell in row.cells if cell.strip()), ""), place=Place(row=row.number))
        return
    captions = _captions(rows)
    for row in rows[:captions]:
        writer.caption(next(cell for cell in row.cells if cell.strip()), place=Place(row=row.number))
    body = rows[captions:]
    left, right = _columns(body)
    header = _header_rows(body, left, right)
    writer.table(
        [row.cells[left:right] for row in body],
        header_rows=header if len(body) > header or alone else 0,
        row_places=[Place(row=row.number) for row in body],
    )


def _header_rows(rows: list[_Row], left: int, right: int) -> int:
    records = [Record(row.number, row.cells[left:right]) for row in rows[:66]]
    if not records or not _names_columns(records):
        return 0
    grouped = any(left < column < right for column in rows[0].merged)
    return 2 if grouped and len(records) > 2 and _names_columns(records[1:]) else 1


def _names_columns(records: list[Record]) -> bool:
    filled = sum(bool(cell.strip()) for cell in records[0].cells)
    return 2 * filled >= len(records[0].cells) and has_header(records)
