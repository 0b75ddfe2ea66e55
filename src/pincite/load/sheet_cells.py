"""The process that reads a workbook: started for it, limited in time and memory, and always ended.

The reader is compiled and lays a sheet out from its first to its last cell, so two cells in far corners are enough to
exhaust the memory, which ends the process. Only text comes back, one line of JSON for each sheet and row.
"""

from __future__ import annotations

import datetime
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from io import BytesIO
from typing import Any

from pincite.errors import LoadError
from pincite.load.limits import limit_process

_START = "import sys; sys.path[:] = sys.argv[1:]; from pincite.load.sheet_cells import main; main()"
_CURE = "Leave the file out, or raise the limit."
_SPENT = (-getattr(signal, "SIGABRT", 6), -getattr(signal, "SIGKILL", 9), -getattr(signal, "SIGXCPU", 24))
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
    command = [sys.executable, "-X", "utf8", "-c", _START, *(path for path in sys.path if path)]
    with subprocess.Popen(  # noqa: S603 - our own interpreter and code
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    ) as child:
        try:
            message = json.dumps(asdict(request)).encode() + b"\n" + data
            output, _ = child.communicate(message, timeout=request.timeout_s)
        except subprocess.TimeoutExpired:
            problem = f"reading it takes longer than {request.timeout_s:g} seconds (timeout_s)"
            raise LoadError(problem, cure=_CURE, kind="too_large", file=file) from None
        finally:
            child.kill()
    if child.returncode in _SPENT:
        raise LoadError(
            f"reading it takes more than {request.max_memory_bytes:,} bytes of memory (max_memory_bytes); its cells "
            "may lie very far apart",
            cure="Delete what stands far away from the rest, or leave the file out.",
            kind="too_large",
            file=file,
        )
    return _sheets(output, child.returncode, file)


def _sheets(output: bytes, code: int, file: str) -> list[Sheet]:
    sheets: list[Sheet] = []
    ended = False
    for line in output.split(b"\n"):
        if not line:
            continue
        try:
            part = json.loads(line)
        except ValueError:  # it died while it wrote this line
            break
        if isinstance(part, list):
            sheets[-1].rows.append((part[0], part[1]))
        elif "error" in part:
            raise LoadError(**part["error"], file=file)
        elif "end" in part:
            ended = True
        else:
            sheets.append(Sheet(**{**part, "merged": tuple(map(tuple, part["merged"]))}))
    if not ended:
        raise LoadError(
            f"the process that reads it came to a sudden end (code {code})",
            cure="The file is damaged: open it in its own program and save it again.",
            kind="corrupt",
            file=file,
        )
    return sheets


# The other side.


class _LimitError(Exception):
    pass


def main() -> None:
    """Reads a request and the file from standard input, writes the sheets to standard output."""
    output = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    os.dup2(2, 1)  # whatever else is printed must not mix with the answer
    request = Request(**json.loads(sys.stdin.buffer.readline()))
    _limit(request)
    try:
        for part in _parts(sys.stdin.buffer.read(), request):
            output.write(json.dumps(part) + "\n")
        output.write('{"end": true}\n')
    except BaseException as error:
        output.write(json.dumps({"error": _explained(error)}) + "\n")
    output.close()


def _limit(request: Request) -> None:
    limit_process(cpu_s=int(request.timeout_s) + 1, memory_bytes=request.max_memory_bytes)


def _explained(error: BaseException) -> dict[str, str]:
    from python_calamine import PasswordError

    if isinstance(error, _LimitError):
        return {"problem": str(error), "cure": _CURE, "kind": "too_large"}
    if isinstance(error, MemoryError):
        return {"problem": "reading it takes more memory than max_memory_bytes", "cure": _CURE, "kind": "too_large"}
    if isinstance(error, PasswordError):
        cure = "Remove the password and save it again."
        return {"problem": "the file is encrypted", "cure": cure, "kind": "encrypted"}
    reason = " ".join(str(error).split())[:200] or type(error).__name__
    cure = "Open it in its own program and save it again."
    return {"problem": f"the file is damaged or no workbook ({reason})", "cure": cure, "kind": "corrupt"}


def _parts(data: bytes, request: Request) -> Iterator[Any]:
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
        if cells > request.max_cells:
            problem = f"up to the sheet {about.name!r} there are {cells:,} cells, more than {request.max_cells:,}"
            raise _LimitError(f"{problem} (max_cells)")
        for number, row in enumerate(sheet.iter_rows() if sheet.height else (), start=1):
            if not any(value != "" for value in row):
                continue
            texts = [shown(value) for value in row]
            characters += sum(map(len, texts))
            if characters > request.max_characters:
                raise _LimitError(f"its cells have more than {request.max_characters:,} characters (max_characters)")
            yield [number, texts]


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
