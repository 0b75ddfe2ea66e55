"""Connections for reading that stay open from one read to the next: to open the index file and to read its tables anew
takes more than a millisecond, a fifth of a search.

An idle connection holds no lock that anybody waits for. It is used again only while the file is the one that it was
opened with: not replaced, written over or cut, and with the same shared memory beside it. The log becomes what it would
be if every reader closed its own: whoever reads last moves it into the file. Before a process forks its idle
connections are closed, since SQLite lets none be passed on.
"""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

from pincite.errors import PinciteError
from pincite.store.database import (
    Database,
    connected,
    empty_log,
    is_there,
    log_bytes,
    missing,
    opened,
    taken_as_it_lies,
)

MAX_IDLE = 4
KEPT = os.name == "posix"
"""Elsewhere no file can be removed that is open, and whoever deletes a collection or takes a rebuild has to."""
SETTLED_NS = 100_000_000
"""A file that was changed less long ago may be changed once more without getting another time stamp."""


class State(NamedTuple):
    """Others when the index file was replaced, written over or cut, or when somebody took away the memory that SQLite's
    connections share: who still has the old one does not see what others write. ``process`` is the one that asks."""

    device: int
    file: int
    size: int
    modified_ns: int
    changed_ns: int
    memory: int
    process: int


def state_of(file: Path) -> State:
    """Raises ``OSError`` when the file is not there."""
    index = file.stat()
    try:
        memory = file.with_name(f"{file.name}-shm").stat().st_ino
    except FileNotFoundError:
        memory = 0
    times = index.st_mtime_ns, index.st_ctime_ns
    return State(index.st_dev, index.st_ino, index.st_size, *times, memory, os.getpid())


@dataclass(frozen=True, slots=True, eq=False)
class Reader:
    """A connection, and what the files were when it was opened; without ``state`` it is not kept."""

    database: Database
    state: State | None

    @classmethod
    def opened(cls, file: Path, *, read_only: bool, timeout_s: float) -> Reader:
        now, state = time.time_ns(), state_of(file)
        database = opened(file, read_only=read_only, timeout_s=timeout_s)
        settled = now - state.changed_ns > SETTLED_NS
        return cls(database, state._replace(memory=state_of(file).memory) if settled else None)

    def fits(self) -> bool:
        try:
            return self.state == state_of(self.database.file)
        except OSError:
            return False


every: weakref.WeakSet[Readers] = weakref.WeakSet()
forking = threading.Lock()
"""Held while the process forks, and while a connection becomes idle."""


@dataclass(slots=True, eq=False, weakref_slot=True)
class Readers:
    """The connections of one store, for any number of threads."""

    _idle: list[Reader] = field(default_factory=list)

    def __post_init__(self) -> None:
        watch_forks()
        with forking:
            every.add(self)
        weakref.finalize(self, close_all, self._idle)

    @contextmanager
    def lent(self, file: Path, *, lock: Path, read_only: bool, timeout_s: float) -> Iterator[Database]:
        """A connection for this block alone. ``lock`` is the file in which a writer's name stands."""
        reader = self._taken()
        if reader is None and not is_there(file):
            raise missing(file)
        if reader is None and (not KEPT or taken_as_it_lies(file)):
            with connected(file, read_only=read_only, timeout_s=timeout_s) as database:
                yield database
            return
        reader = reader or Reader.opened(file, read_only=read_only, timeout_s=timeout_s)
        with reader.database.lent() as database:
            yield database
        if not log_bytes(file):
            self._keep(reader)
            return
        if not read_only and not is_written_to(lock):
            with suppress(PinciteError):
                empty_log(reader.database)
        reader.database.close()
        self.close()

    def close(self) -> None:
        close_all(self._idle)

    def _taken(self) -> Reader | None:
        while reader := popped(self._idle):
            if reader.fits():
                return reader
            reader.database.close()
        return None

    def _keep(self, reader: Reader) -> None:
        if reader.state is not None:
            with forking:
                if len(self._idle) < MAX_IDLE:
                    self._idle.append(reader)
                    return
        reader.database.close()


def popped(idle: list[Reader]) -> Reader | None:
    try:
        return idle.pop()
    except IndexError:  # another thread may take the last one at any moment
        return None


def close_all(idle: list[Reader]) -> None:
    while reader := popped(idle):
        reader.database.close()


def is_written_to(lock: Path) -> bool:
    """Whether a writer's name stands in the lock file; that of a killed one does, too, until the next one comes."""
    try:
        return lock.stat().st_size > 0
    except OSError:
        return False


@cache
def watch_forks() -> None:
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=_before_fork, after_in_parent=forking.release, after_in_child=forking.release)


def _before_fork() -> None:
    forking.acquire()
    for readers in list(every):
        readers.close()
