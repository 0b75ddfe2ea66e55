"""How the command speaks: JSON, warnings, text from documents made safe for a terminal, progress."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from pincite.cli.layout import cells, shortened
from pincite.engine.report import Progress
from pincite.errors import PinciteError, UsageError
from pincite.model import Notice


class OutputError(Exception):
    """Stdout takes no more: its reader has gone (``quiet``), or the disk behind it is full."""

    def __init__(self, error: OSError | ValueError) -> None:
        super().__init__(getattr(error, "strerror", None) or str(error))
        self.quiet = isinstance(error, BrokenPipeError)


def write(line: str = "") -> None:
    """One line of data on stdout."""
    try:
        sys.stdout.write(line + "\n")
    except (OSError, ValueError) as error:
        raise OutputError(error) from error


def flush() -> None:
    try:
        sys.stdout.flush()
    except (OSError, ValueError) as error:
        raise OutputError(error) from error


def say(line: str) -> None:
    """One line for people on stderr; nobody is told where stderr is closed."""
    flush()
    with suppress(OSError, ValueError):
        sys.stderr.write(line + "\n")


def write_file(path: Path, data: bytes) -> None:
    """Raises ``UsageError`` where the file cannot be written."""
    try:
        path.write_bytes(data)
    except (OSError, ValueError) as error:  # ValueError: a name with a NUL
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"cannot be written ({reason})", cure="Name another file.", file=str(path)) from error


def write_json(value: Any) -> None:
    """One line of JSON on stdout, in ASCII where stdout does not speak UTF-8."""
    write(_json(value, sys.stdout.encoding))


def _json(value: Any, encoding: str | None) -> str:
    utf8 = (encoding or "").lower().replace("-", "") == "utf8"
    return json.dumps(value, ensure_ascii=not utf8 or _has_surrogates(value), sort_keys=True)


def _has_surrogates(value: Any) -> bool:
    """Bytes of an argument that are not UTF-8 come in as lone surrogates, which no UTF-8 can write."""
    return re.search("[\ud800-\udfff]", json.dumps(value, ensure_ascii=False)) is not None


def warn(notices: Iterable[Notice], *, as_json: bool = False) -> None:
    """A line each on stderr; an object each where stdout holds JSON lines."""
    for notice in notices:
        where = f"{notice.file}: " if notice.file else ""
        say(_json(notice.to_json(), sys.stderr.encoding) if as_json else f"warning: {safe(where + notice.message)}")


def report_error(error: PinciteError, *, as_json: bool) -> None:
    say(f"error: {safe(str(error))}")
    if as_json:
        write_json({"error": error.to_json()})


def safe(text: str) -> str:
    """The text in one line without control characters: a document must not steer the terminal.

    >>> safe("one\\ntwo\\x1b[31m red")
    'one two red'
    """
    return printable(" ".join(text.split()))


def printable(line: str) -> str:
    """The line with terminal sequences taken out and other control characters as blanks."""
    line = re.sub(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.)?", "", line)
    return "".join(character if character.isprintable() else " " for character in line)


def first_line(text: str, width: int) -> str:
    """The first line that is not blank, shortened to ``width`` cells of the terminal."""
    return shortened(safe(re.split(r"[\r\n]", text.lstrip(), maxsplit=1)[0]), width)


def styled(text: str, style: str) -> str:
    """The text in a style of rich (``dim``, ``cyan``, …) where stdout is a terminal that can show it."""
    if not sys.stdout.isatty() or not text:
        return text
    from rich.console import Console
    from rich.text import Text

    console = Console()
    with console.capture() as capture:
        console.print(Text(text, style=style), end="", soft_wrap=True)
    return capture.get()


def terminal_width() -> int:
    return shutil.get_terminal_size((100, 24)).columns


def table(header: Sequence[str], rows: Iterable[Sequence[str]], *, right: Iterable[int] = ()) -> None:
    """A plain aligned table; the columns in ``right`` are aligned to the right."""
    lines = [tuple(header), *(tuple(row) for row in rows)]
    widths = [max(cells(line[column]) for line in lines) for column in range(len(header))]
    to_the_right = set(right)
    for line in lines:
        blanks = (" " * (width - cells(cell)) for cell, width in zip(line, widths, strict=True))
        columns = (
            blank + cell if column in to_the_right else cell + blank
            for column, (cell, blank) in enumerate(zip(line, blanks, strict=True))
        )
        write("  ".join(columns).rstrip())


@contextmanager
def progress_on_stderr(*, quiet: bool = False) -> Iterator[Progress]:
    """A bar on a terminal, otherwise a plain line for each tenth of the work."""
    if quiet:
        yield lambda _name, _done, _total: None
    elif sys.stderr.isatty():
        yield from _bar()
    else:
        yield _plain()


def _bar() -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("indexing", total=None)

        def advance(name: str, done: int, total: int) -> None:
            bar.update(task, completed=done, total=total, description=first_line(name, 40) or "indexing")

        yield advance


def _plain() -> Progress:
    shown = -1

    def advance(name: str, done: int, total: int) -> None:
        nonlocal shown
        tenth = 10 * done // total if total else 10
        if name and tenth != shown:
            shown = tenth
            say(f"{done + 1}/{total} {safe(name)}")

    return advance
