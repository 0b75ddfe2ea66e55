"""The cells of a workbook as text. They are read in a process apart.

The reader is compiled and lays a sheet out from its first to its last cell, so two cells in far corners are enough to
exhaust the memory, which ends the process.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

from pincite.errors import LoadError
from pincite.load.apart import Job, run

Value = int | float | str | bool | datetime.time | datetime.date | datetime.datetime | datetime.timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    max_cells: int
    max_characters: int
    max_memory_bytes: int
    timeout_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """``rows`` are those that are not blank: the number in the sheet, from 1, and the cells as text; their first cell
    stands in ``first_column``, from 0. ``merged`` are first row, first column, last row, last column, from 0."""

    name: str
    hidden: bool = False
    cells: bool = True
    first_column: int = 0
    merged: tuple[tuple[int, int, int, int], ...] = ()
    rows: list[tuple[int, list[str]]] = field(default_factory=list)


def read_sheets(data: bytes, request: Request, *, file: str) -> list[Sheet]:
    """The sheets in order. Raises ``LoadError``."""
    job = Job(
        target="pincite.load.sheet_cells:parts",
        file=file,
        timeout_s=request.timeout_s,
        max_memory_bytes=request.max_memory_bytes,
        arguments={"max_cells": request.max_cells, "max_characters": request.max_characters},
        memory_hint="its cells may lie very far apart",
    )
    sheets: list[Sheet] = []
    for part in run(job, data):
        if isinstance(part, list):
            sheets[-1].rows.append((part[0], part[1]))
        else:
            sheets.append(Sheet(**{**part, "merged": tuple(map(tuple, part["merged"]))}))
    return sheets


# What is done in the process apart.


def parts(arguments: Mapping[str, Any], data: bytes) -> Iterator[Any]:
    """The head of each sheet, followed by its rows: number and cells. Raises ``LoadError``."""
    from python_calamine import PasswordError

    try:
        yield from _parts(data, arguments["max_cells"], arguments["max_characters"])
    except (LoadError, MemoryError, GeneratorExit):
        raise
    except PasswordError as error:
        cure = "Remove the password and save it again."
        raise LoadError("the file is encrypted", cure=cure, kind="encrypted") from error
    except BaseException as error:  # a panic of the compiled reader is no Exception
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        problem = f"the file is damaged or no workbook ({reason})"
        raise LoadError(problem, cure="Open it in its own program and save it again.", kind="corrupt") from error


def _parts(data: bytes, max_cells: int, max_characters: int) -> Iterator[Any]:
    from python_calamine import CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

    workbook = CalamineWorkbook.from_filelike(BytesIO(data))
    cells = characters = 0
    for index, about in enumerate(workbook.sheets_metadata):
        head: dict[str, Any] = {
            "name": about.name,
            "hidden": about.visible != SheetVisibleEnum.Visible,
            "cells": about.typ in (SheetTypeEnum.WorkSheet, SheetTypeEnum.MacroSheet, SheetTypeEnum.DialogSheet),
            "merged": (),
        }
        if not head["cells"]:
            yield head
            continue
        sheet = workbook.get_sheet_by_index(index)
        head["first_column"] = sheet.start[1] if sheet.start else 0
        head["merged"] = [(*start, *end) for start, end in sheet.merged_cell_ranges or ()]
        yield head
        cells += sheet.height * sheet.width
        if cells > max_cells:
            raise _too_large(
                f"up to the sheet {about.name!r} there are {cells:,} cells, more than {max_cells:,}", "max_cells"
            )
        for number, row in enumerate(sheet.iter_rows() if sheet.height else (), start=1):
            if not any(value != "" for value in row):
                continue
            texts = [shown(value) for value in row]
            characters += sum(map(len, texts))
            if characters > max_characters:
                raise _too_large(f"its cells have more than {max_characters:,} characters", "max_characters")
            yield [number, texts]


def _too_large(problem: str, limit: str) -> LoadError:
    return LoadError(f"{problem} ({limit})", cure="Leave the file out, or raise the limit.", kind="too_large")


def shown(value: Value) -> str:
    """A cell as a spreadsheet shows it without a format of its own: 15 digits at most, dates as in ISO 8601.

    >>> shown(0.1 + 0.2), shown(3.0), shown(True), shown(datetime.timedelta(hours=36)), shown(1e20)
    ('0.3', '3', 'TRUE', '36:00:00', '1E+20')
    """
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return f"{value:.15g}".upper() if value else "0"
    if isinstance(value, datetime.datetime):
        value = _whole_seconds(value)
        return value.isoformat(sep=" ", timespec="seconds" if value.second else "minutes")
    if isinstance(value, datetime.time):
        return value.isoformat(timespec="seconds" if value.second else "minutes")
    if isinstance(value, datetime.timedelta):
        seconds = round(abs(value.total_seconds()))
        sign = "-" if value.total_seconds() < 0 else ""
        return f"{sign}{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return str(value)


def _whole_seconds(value: datetime.datetime) -> datetime.datetime:
    """Rounded: a spreadsheet keeps the time of day as a fraction of the day."""
    try:
        return (value + datetime.timedelta(microseconds=500_000)).replace(microsecond=0)
    except OverflowError:
        return value.replace(microsecond=0)
