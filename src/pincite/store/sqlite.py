"""The default store: one SQLite file, ``index.sqlite``, with search segments beside it.

The file is the truth; the segments are derived from it and can always be made again. A connection is used by one call
or ``with`` block at a time and none is passed on to another process, so a store may be used from any thread and after a
fork.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from pincite.errors import CollectionError, LockedError, UsageError
from pincite.model import Chunk, Document
from pincite.ports import Store, Stored
from pincite.store import migration, schema, segment_files, taking
from pincite.store.database import Database, connected, empty_log, is_there, missing
from pincite.store.entry import digest_of
from pincite.store.halves import widened
from pincite.store.listing import gaps, listed
from pincite.store.locking import exclusive
from pincite.store.readers import Readers
from pincite.store.rows import (
    SELECT_DOCUMENT,
    SELECT_VECTORS,
    chunks_from,
    document_from,
    metadata_from,
    setting_of,
    vector_from,
)
from pincite.store.segment import Segment, build
from pincite.store.snapshot import Known, SqliteSnapshot
from pincite.store.upkeep import Upkeep, optional
from pincite.store.writer import SqliteWriter

if TYPE_CHECKING:
    from pincite.ports import Vector

FILE = "index.sqlite"
LOCK = "lock"
SEGMENTS = "segments"
BESIDE = "next"
SQLITE_TIMEOUT_S = 5.0
ATTEMPTS = 5


Version: TypeAlias = tuple[str, tuple[tuple[int, int], ...]]
"""The state of the index file, and the ranges of the segments in files beside it."""
NO_VERSION: Version = ("", ())


@dataclass(slots=True)
class Cache:
    """What was used last: segments in files by name, those in memory with their version, and what follows from both."""

    files: dict[str, Segment] = field(default_factory=dict)
    rest: tuple[Version, tuple[Segment, ...]] = (NO_VERSION, ())
    known: tuple[Version, Known] = field(default_factory=lambda: (NO_VERSION, Known()))


def version_of(database: Database, files: tuple[Segment, ...]) -> Version:
    return str(schema.meta(database)["state"]), tuple((segment.first, segment.last) for segment in files)


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
    _readers: Readers = field(init=False, repr=False, default_factory=Readers)

    def __post_init__(self) -> None:
        if self.lock_timeout_s < 0:
            raise ValueError(f"lock_timeout_s is at least 0, got {self.lock_timeout_s}")
        if self.create and self.read_only:
            raise ValueError("a store that is read_only cannot be made with create")
        if self.create and not is_there(self._file):
            self._create()
        with self._lent() as database, database.reading():
            older = not self.read_only and migration.can_migrate(database)
            if not older:
                schema.check(database)
        if older:
            self._migrate()

    def _migrate(self) -> None:
        with exclusive(self.path / LOCK, timeout_s=self.lock_timeout_s), self._connected(write=True) as database:
            changed = migration.migrate(database)
            with database.reading():
                schema.check(database)
            if changed:
                with optional(self._segments):
                    database.run("VACUUM")  # what has become free would stay in the file
                    empty_log(database)

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
        with connected(self._file, write=write, read_only=self.read_only, timeout_s=self._timeout_s) as database:
            yield database

    @property
    def _timeout_s(self) -> float:
        """SQLite's own locks last moments: between two writers it is the lock file that decides."""
        return max(self.lock_timeout_s, SQLITE_TIMEOUT_S)

    @contextmanager
    def _lent(self) -> Iterator[Database]:
        lock = self.path / LOCK
        with self._readers.lent(self._file, lock=lock, read_only=self.read_only, timeout_s=self._timeout_s) as database:
            yield database

    @contextmanager
    def _reading(self) -> Iterator[Database]:
        with self._lent() as database, database.reading():
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
                wanted[digest]: widened(database.decoded(vector_from, data, dimension))
                for _, digest, dimension, data in found
            }

    def setting(self, name: str) -> Any:
        with self._reading() as database:
            return setting_of(database, name)

    @contextmanager
    def writer(self) -> Iterator[SqliteWriter]:
        """Holds the collection's lock to the end of the block, then makes the segment of what was written."""
        if self.read_only:
            raise UsageError("the collection was opened for reading only", cure="Open it without read_only.")
        if not is_there(self._file):
            raise missing(self._file)  # before a lock file is made
        with exclusive(self.path / LOCK, timeout_s=self.lock_timeout_s), self._connected(write=True) as database:
            schema.clean(self._file)
            self._clean_beside(database)
            upkeep = Upkeep(self._segments)

            def take(database: Database, other: Store) -> None:
                self._take(database, other)
                upkeep.removed = True

            try:
                yield SqliteWriter(database, lambda chunks: upkeep.after(database, chunks), take, self._drop_beside)
            finally:
                upkeep.finish(database)

    @property
    def _beside(self) -> Path:
        return self.path / BESIDE

    def beside(self) -> SqliteStore:
        """In the folder ``next`` within this one's."""
        if not self.read_only:
            with self._reading() as database:
                if not self._clean_beside(database):
                    raise LockedError(
                        "what a rebuild has left is still open somewhere",
                        cure="Close the programs that read it.",
                        file=str(self._beside),
                    )
        return SqliteStore(
            path=self._beside, read_only=self.read_only, create=not self.read_only, lock_timeout_s=self.lock_timeout_s
        )

    def _take(self, database: Database, other: Store) -> None:
        if not isinstance(other, SqliteStore) or other.path.resolve() != self._beside.resolve():
            raise UsageError("only the store beside this one can be taken", cure="Fill the one that `beside` gives.")
        with other.writer():
            pass  # whatever was killed there is put in order
        with exclusive(other.path / LOCK, timeout_s=self.lock_timeout_s):
            taking.take(database, segments=self._segments, other=other._file, other_segments=other._segments)
            other.close()
            segment_files.take_away(self._beside)
        self._clean_beside(database)  # some systems rename no folder in which a file is open, and the lock was

    def _drop_beside(self, database: Database) -> None:
        if self._beside.is_dir():
            with exclusive(self._beside / LOCK, timeout_s=self.lock_timeout_s):
                taking.drop(database, self._beside, self._beside / FILE)
        self._clean_beside(database)

    def _clean_beside(self, database: Database) -> bool:
        return taking.clean(database, self._beside, self._beside / FILE)

    @contextmanager
    def snapshot(self) -> Iterator[SqliteSnapshot]:
        with self._lent() as database:
            for attempt in range(1, ATTEMPTS + 1):
                with database.reading():
                    files = self._files(database)
                    # A writer may have merged segments away between the look at the list and that at the files; then
                    # there is a newer version, which has others.
                    if None not in files or attempt == ATTEMPTS:
                        whole = tuple(segment for segment in files if segment is not None)
                        yield SqliteSnapshot(
                            database, partial(self._with_the_rest, database, whole), self._known(database, whole)
                        )
                        return

    def _files(self, database: Database) -> list[Segment | None]:
        """The listed segments of this version, mapped; ``None`` for one that is not there or damaged."""
        names = [segment.name for segment in listed(database)]
        files = [self._cache.files.get(name) or segment_files.read(self._segments, name) for name in names]
        self._cache.files = {name: file for name, file in zip(names, files, strict=True) if file is not None}
        return files

    def _known(self, database: Database, files: tuple[Segment, ...]) -> Known:
        version = version_of(database, files)
        if self._cache.known[0] != version:
            self._cache.known = version, Known()
        return self._cache.known[1]

    def _with_the_rest(self, database: Database, files: tuple[Segment, ...]) -> tuple[Segment, ...]:
        """These segments, and what is in none of them read from the index file."""
        version = version_of(database, files)
        known, rest = self._cache.rest
        if known != version:
            built = (build(database, *gap) for gap in gaps(version[1]))
            rest = tuple(segment for segment in built if len(segment.documents))
            self._cache.rest = version, rest
        return tuple(sorted((*files, *rest), key=lambda segment: segment.first))

    def problems(self) -> list[str]:
        """Reads everything that is stored, and says what is damaged; empty when all is well."""
        with self._connected() as database, database.reading():
            found = [row[0] for row in database.rows("PRAGMA quick_check") if row[0] != "ok"]
            lost = [
                f"a row of {row[0]} belongs to no row of {row[2]}" for row in database.rows("PRAGMA foreign_key_check")
            ]
            names = [segment.name for segment in listed(database)]
            return found + lost + segment_files.problems(self._segments, names)

    def close(self) -> None:
        """Lets go of the mapped segments and of idle connections; the store can still be used."""
        self._readers.close()
        self._cache.files, self._cache.rest, self._cache.known = {}, (NO_VERSION, ()), (NO_VERSION, Known())
