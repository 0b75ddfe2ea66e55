"""One connection to the index file. What SQLite raises comes out as an error that names the file and the cure."""

from __future__ import annotations

import os
import sqlite3
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from pincite.errors import CollectionError, LockedError, PinciteError

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_VARIABLES = 500
"""How many values stand in one ``IN (…)``; old builds of SQLite allow 999."""

FETCHED_TOGETHER = 64

LOCKED = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
DISK = {
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
}

DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT, sqlite3.SQLITE_SCHEMA}
NOT_OUR_TABLES = ("no such table", "no such column")
"""How SQLite's message begins where a table is not as we made it; any other error in a statement is our own."""

_Value = TypeVar("_Value")


def missing(file: Path) -> CollectionError:
    return CollectionError(
        "there is no collection here", cure="Run `pincite add PATH` first.", kind="missing", file=str(file.parent)
    )


def is_there(file: Path) -> bool:
    """Raises ``CollectionError`` where its folder may not be looked into."""
    try:
        return file.is_file()
    except OSError as error:
        raise CollectionError(
            f"the collection cannot be read ({error.strerror})",
            cure="Check the permissions of the folder.",
            kind="disk",
            file=str(file.parent),
        ) from error


def damaged(file: Path, problem: str) -> CollectionError:
    return CollectionError(
        f"the index is damaged ({problem})",
        cure=f"Delete the folder {file.parent} and run `pincite add PATH` again.",
        kind="damaged",
        file=str(file),
    )


@contextmanager
def reported(file: Path) -> Iterator[None]:
    """Turns what goes wrong while the index file is read or written into one of our errors."""
    try:
        yield
    except (sqlite3.IntegrityError, sqlite3.ProgrammingError, sqlite3.NotSupportedError):
        raise
    except sqlite3.DatabaseError as error:
        raise _named(file, error) from error
    except UnicodeDecodeError as error:  # SQLite's own message quotes a broken name out of the file
        raise damaged(file, "a name in it is not text") from error


def _named(file: Path, error: sqlite3.DatabaseError) -> PinciteError:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF  # the low byte is the primary code
    if code in LOCKED:
        return LockedError("another process locks the index", cure="Try again when it has ended.", file=str(file))
    if not file.exists():
        return missing(file)
    if code in DISK:
        cure = "Check the disk's free space and the permissions of the folder."
        return CollectionError(str(error), cure=cure, kind="disk", file=str(file))
    if code in DAMAGED or str(error).startswith(NOT_OUR_TABLES):
        return damaged(file, str(error))
    return PinciteError(f"a query of the index failed ({error})", cure="Report this.", file=str(file))


@cache
def closed() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    connection.close()
    return connection


@dataclass(slots=True, eq=False)
class Database:
    """Used by one thread at a time. Transactions are always explicit: Python's own open and drop them without a
    word."""

    file: Path
    connection: sqlite3.Connection

    def close(self) -> None:
        self.connection.close()

    @contextmanager
    def lent(self) -> Iterator[Database]:
        """The connection under another object, which is of no use behind the block. After an error the connection is
        closed: what holds the error may hold a statement, too, that goes on reading."""
        lent = Database(self.file, self.connection)
        try:
            yield lent
        except BaseException:
            self.close()
            raise
        finally:
            lent.connection = closed()

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> Iterator[Any]:
        with reported(self.file):
            cursor = self.connection.execute(sql, parameters)
            while batch := cursor.fetchmany(FETCHED_TOGETHER):
                yield from batch  # not from the cursor: a generator left early would close that after its connection

    def rows_among(self, sql: str, values: Iterable[Any]) -> Iterator[Any]:
        """The rows of a statement with one ``IN ({})``, which takes any number of values."""
        rest = iter(values)
        while batch := list(islice(rest, MAX_VARIABLES)):
            try:
                found = self._among(sql, batch)
            except UnicodeEncodeError:
                found = self._among(sql, [value for value in batch if can_be_stored(value)])
            yield from found

    def _among(self, sql: str, batch: Sequence[Any]) -> list[Any]:
        with reported(self.file):
            return self.connection.execute(sql.format(",".join("?" * len(batch))), batch).fetchall()

    def numbers_among(self, sql: str, values: Iterable[Any]) -> NDArray[np.int64]:
        """The numbers that a statement with one ``IN ({})`` gives, joined by commas in one text."""
        texts = [text for (text,) in self.rows_among(sql, values) if text]
        return self.decoded(numbers_from, ",".join(texts))

    def row(self, sql: str, parameters: Sequence[Any] = ()) -> Any:
        """The first row, ``None`` without any; also where a parameter is a text that no row can have."""
        with reported(self.file):
            try:
                return self.connection.execute(sql, parameters).fetchone()
            except UnicodeEncodeError:
                return None

    def run(self, sql: str, parameters: Sequence[Any] = ()) -> int:
        """The number of the row that was inserted last."""
        with reported(self.file):
            return self.connection.execute(sql, parameters).lastrowid or 0

    def run_many(self, sql: str, parameters: Iterable[Sequence[Any]]) -> None:
        with reported(self.file):
            self.connection.executemany(sql, parameters)

    def decoded(self, decode: Callable[..., _Value], *values: Any, **named: Any) -> _Value:
        """What a decoder makes of a row; a row of a sound file can be read, so whatever it raises is damage."""
        try:
            return decode(*values, **named)
        except (ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError) as error:
            raise damaged(self.file, f"a row cannot be read: {error!r}") from error

    @contextmanager
    def reading(self) -> Iterator[None]:
        """One version of the file for everything that is read inside."""
        self.run("BEGIN")
        try:
            self.row("SELECT 1 FROM sqlite_master")  # BEGIN alone chooses no version; the first look does
            yield
        finally:
            self.connection.rollback()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One commit, or none. IMMEDIATE: a transaction that starts with reading cannot always become a writing one."""
        self.run("BEGIN IMMEDIATE")
        try:
            yield
            self.run("COMMIT")
        except BaseException:
            self.connection.rollback()
            raise


def can_be_stored(value: Any) -> bool:
    """Whether SQLite takes the value: no text with half of a surrogate pair.

    >>> can_be_stored("ä"), can_be_stored(chr(0xD800)), can_be_stored(1)
    (True, False, True)
    """
    return not isinstance(value, str) or not any("\ud800" <= character <= "\udfff" for character in value)


def numbers_from(text: str) -> NDArray[np.int64]:
    """
    >>> numbers_from("1,20").tolist(), numbers_from("").tolist()
    ([1, 20], [])
    """
    return np.array(text.split(",") if text else [], dtype=np.int64)


@contextmanager
def connected(
    file: Path, *, write: bool = False, read_only: bool = False, timeout_s: float = 10.0
) -> Iterator[Database]:
    """Opens an index file that is there; never makes one.

    Whoever closes the file last moves the log into it and takes the log away, except with ``read_only``, which touches
    nothing. A file that was cut is found out before: the last pages of the log would give it its length back.
    In a folder that may not be written to SQLite cannot keep its notes on who reads, so there the file is taken as it
    lies; ``LockedError`` when somebody else changed it meanwhile.
    """
    if not is_there(file):
        raise missing(file)
    if not write and taken_as_it_lies(file):
        with closing(_opened(file, mode="ro&immutable=1", timeout_s=timeout_s)) as database:
            before = file.stat().st_mtime_ns
            check_length(database)
            yield database
            if file.stat().st_mtime_ns != before:
                raise LockedError("the index was written to meanwhile", cure="Try again.", file=str(file))
        return
    with closing(opened(file, write=write, read_only=read_only, timeout_s=timeout_s)) as database:
        yield database


def taken_as_it_lies(file: Path) -> bool:
    return not (log_of(file).exists() or os.access(file.parent, os.W_OK))


def opened(file: Path, *, write: bool = False, read_only: bool = False, timeout_s: float = 10.0) -> Database:
    """As ``connected``, for a file that is not taken as it lies; whoever calls closes it."""
    if log_bytes(file):
        with closing(_opened(file, mode="ro", timeout_s=timeout_s)) as database:
            check_length(database)
    database = _opened(file, mode="ro" if read_only else "rw", timeout_s=timeout_s)
    try:
        check_length(database)
        if write:
            set_up(database)
        else:
            database.run("PRAGMA query_only=on")
    except BaseException:
        database.close()
        raise
    return database


def _opened(file: Path, *, mode: str, timeout_s: float) -> Database:
    address = f"{file.absolute().as_uri()}?mode={mode}"
    with reported(file):
        # An idle connection is closed or taken by whichever thread comes next.
        connection = sqlite3.connect(
            address, uri=True, isolation_level=None, timeout=timeout_s, check_same_thread=False
        )
    return Database(file, connection)


def check_length(database: Database) -> None:
    """Raises ``CollectionError`` when a page is neither in the file nor in the log beside it.

    SQLite looks only when there is no log, and not at the end of the last page; what is missing, it takes for zeros.
    """
    file = database.file
    with database.reading():
        (page_size,), (pages,) = database.row("PRAGMA page_size"), database.row("PRAGMA page_count")
        logged = pages_in_log(log_of(file)) if file.stat().st_size < pages * page_size else set()
        # Measured after the log was read: a writer may just be moving the one into the other. One that was killed
        # while it did so leaves a short file that is sound.
        whole = file.stat().st_size // page_size
        if any(page not in logged for page in range(whole + 1, pages + 1)):
            raise damaged(file, f"it has {whole} of {pages} pages")


def log_of(file: Path) -> Path:
    """SQLite's write-ahead log."""
    return file.with_name(f"{file.name}-wal")


def empty_log(database: Database) -> None:
    """Moves the log into the file and cuts it. Nobody is waited for: while somebody reads a version that stands in it
    something is left, which is for whoever reads last."""
    database.row("PRAGMA busy_timeout=0")
    database.row("PRAGMA wal_checkpoint(TRUNCATE)")


def log_bytes(file: Path) -> int:
    try:
        return log_of(file).stat().st_size
    except FileNotFoundError:
        return 0


def set_up(database: Database) -> None:
    """What a writing connection needs; none of it is kept in the file.

    NORMAL: a commit survives the death of the process at once, and a loss of power once it has been checkpointed;
    the file is sound in either case. secure_delete: the text of a document that was removed is overwritten, since
    whoever removes a document means it.
    """
    for pragma in ("foreign_keys=on", "secure_delete=on", "synchronous=normal", "cache_size=-65536"):
        database.run(f"PRAGMA {pragma}")


def pages_in_log(log: Path) -> set[int]:
    """The numbers of the pages in a write-ahead log, whose layout SQLite documents ("The WAL File Format")."""
    try:
        data = log.read_bytes()
    except FileNotFoundError:
        return set()
    if len(data) < 32:
        return set()
    page_size, salts = struct.unpack_from(">I", data, 8)[0], data[16:24]
    frames = range(32, len(data) - page_size - 23, page_size + 24)
    return {struct.unpack_from(">I", data, at)[0] for at in frames if data[at + 8 : at + 16] == salts}
