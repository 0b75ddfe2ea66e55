"""The default store: one SQLite file, ``index.sqlite``, with a search segment beside it.

The file is the truth; the segment is derived from it and can always be made again. No connection outlives the call or
the ``with`` block that opened it, so a store may be used from any thread and after a fork.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.errors import CollectionError, UsageError
from pincite.model import Chunk, Document
from pincite.ports import Stored
from pincite.store import schema, segment_files
from pincite.store.database import Database, connected, missing
from pincite.store.entry import digest_of
from pincite.store.locking import exclusive
from pincite.store.rows import (
    SELECT_DOCUMENT,
    SELECT_VECTORS,
    chunks_from,
    document_from,
    metadata_from,
    vectors_from,
)
from pincite.store.segment import Segment, build, stamp_of
from pincite.store.snapshot import SqliteSnapshot
from pincite.store.writer import SqliteWriter, drop_unused_terms

if TYPE_CHECKING:
    from pincite.ports import Vector

FILE = "index.sqlite"
LOCK = "lock"
SEGMENTS = "segments"
SQLITE_TIMEOUT_S = 5.0


@dataclass(slots=True)
class Cache:
    """The segment that was used last."""

    segment: Segment | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SqliteStore:
    """``path`` is the folder ``.pincite``; it is made only with ``create``. Raises ``CollectionError`` when it is
    missing, damaged or of a newer version.

    A writer waits at most ``lock_timeout_s`` seconds for another one. Search reads one version of everything for as
    long as its snapshot is open, whatever is written meanwhile.
    """

    path: Path
    name: str = "sqlite"
    read_only: bool = False
    create: bool = False
    lock_timeout_s: float = 10.0
    _cache: Cache = field(init=False, repr=False, default_factory=Cache)

    def __post_init__(self) -> None:
        if self.lock_timeout_s < 0:
            raise ValueError(f"lock_timeout_s is at least 0, got {self.lock_timeout_s}")
        if self.create and self.read_only:
            raise ValueError("a store that is read_only cannot be made with create")
        if self.create and not self._file.exists():
            self._create()
        with self._connected() as database, database.reading():
            schema.check(database)

    @property
    def _file(self) -> Path:
        return self.path / FILE

    @property
    def _segments(self) -> Path:
        return self.path / SEGMENTS

    def _create(self) -> None:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CollectionError(
                f"the folder cannot be made ({error.strerror})",
                cure="Check the permissions of the folder around it.",
                kind="disk",
                file=str(self.path),
            ) from error
        with exclusive(self.path / LOCK, timeout_s=self.lock_timeout_s):
            if not self._file.exists():  # another process may have made it while this one waited
                schema.create(self._file)

    @contextmanager
    def _connected(self, *, write: bool = False) -> Iterator[Database]:
        # SQLite's own locks last moments: between two writers it is the lock file that decides.
        timeout_s = max(self.lock_timeout_s, SQLITE_TIMEOUT_S)
        with connected(self._file, write=write, read_only=self.read_only, timeout_s=timeout_s) as database:
            yield database

    @contextmanager
    def _reading(self) -> Iterator[Database]:
        with self._connected() as database, database.reading():
            yield database

    def stored(self) -> dict[str, Stored]:
        sql = "SELECT id, sha256, root, made_by, chunks, metadata FROM documents ORDER BY id"
        with self._reading() as database:
            return {
                row[0]: Stored(
                    document_id=row[0],
                    sha256=row[1],
                    root=row[2],
                    made_by=row[3],
                    chunks=row[4],
                    metadata=database.decoded(metadata_from, row[5]),
                )
                for row in database.rows(sql)
            }

    def document(self, document_id: str) -> Document | None:
        with self._reading() as database:
            row = database.row(SELECT_DOCUMENT, (document_id,))
            return database.decoded(document_from, row) if row else None

    def chunks(self, document_id: str) -> list[Chunk]:
        with self._reading() as database:
            found = database.row("SELECT row, text FROM documents WHERE id = ?", (document_id,))
            if found is None:
                return []
            return chunks_from(database, found[0], document_id, found[1])

    def vectors(self, texts: Sequence[str]) -> Mapping[str, Vector]:
        """Of several vectors of one text, that of the document which was put last."""
        wanted = {digest_of(text): text for text in texts}
        with self._reading() as database:
            found = sorted(database.rows_among(SELECT_VECTORS, wanted))
            return {
                wanted[digest]: database.decoded(vectors_from, data, dimension).reshape(dimension)
                for _, digest, dimension, data in found
            }

    def setting(self, name: str) -> Any:
        with self._reading() as database:
            row = database.row("SELECT value FROM settings WHERE name = ?", (name,))
            return database.decoded(json.loads, row[0]) if row else None

    @contextmanager
    def writer(self) -> Iterator[SqliteWriter]:
        """Holds the collection's lock to the end of the block, then makes the segment of what was written."""
        if self.read_only:
            raise UsageError("the collection was opened for reading only", cure="Open it without read_only.")
        if not self._file.is_file():
            raise missing(self._file)  # before a lock file is made
        with exclusive(self.path / LOCK, timeout_s=self.lock_timeout_s), self._connected(write=True) as database:
            schema.clean(self._file)
            try:
                yield SqliteWriter(database)
            finally:
                self._refresh(database)

    def _refresh(self, database: Database) -> None:
        with database.reading():
            stamp = stamp_of(database)
            segment = segment_files.read(self._segments, stamp)
            made = build(database) if segment is None else None
        if made is not None:
            drop_unused_terms(database, made)
            segment_files.write(self._segments, made)
        segment_files.clean(self._segments, keep=stamp)

    @contextmanager
    def snapshot(self) -> Iterator[SqliteSnapshot]:
        with self._reading() as database:
            yield SqliteSnapshot(database, self._segment_of)

    def _segment_of(self, database: Database) -> Segment:
        stamp = stamp_of(database)
        segment = self._cache.segment
        if segment is None or segment.stamp != stamp:
            segment = segment_files.read(self._segments, stamp) or build(database)
            self._cache.segment = segment
        return segment

    def problems(self) -> list[str]:
        """Reads everything that is stored, and says what is damaged; empty when all is well."""
        with self._reading() as database:
            found = [row[0] for row in database.rows("PRAGMA quick_check") if row[0] != "ok"]
            lost = [
                f"a row of {row[0]} belongs to no row of {row[2]}" for row in database.rows("PRAGMA foreign_key_check")
            ]
            return found + lost + segment_files.problems(self._segments, stamp_of(database))

    def close(self) -> None:
        """Lets go of the mapped segment; the store can still be used."""
        self._cache.segment = None
