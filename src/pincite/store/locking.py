"""One writer at a time: an advisory lock on a file, let go by the operating system when its owner dies."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

from pincite.errors import CollectionError, LockedError

PAUSE_S = 0.05

if sys.platform == "win32":  # pragma: no cover  (measured where the tests run, on POSIX)
    import msvcrt

    # Windows forbids others to read locked bytes, so the lock lies on a byte far behind the owner's name.
    LOCKED_BYTE = 2**30

    def try_lock(handle: TextIO) -> bool:
        os.lseek(handle.fileno(), LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def unlock(handle: TextIO) -> None:
        os.lseek(handle.fileno(), LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(handle.fileno(), msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def try_lock(handle: TextIO) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:
            raise CollectionError(
                f"the file system cannot lock files ({error.strerror})",
                cure="Put the collection on a local disk.",
                kind="disk",
                file=handle.name,
            ) from error
        return True

    def unlock(handle: TextIO) -> None:
        fcntl.flock(handle, fcntl.LOCK_UN)


@contextmanager
def exclusive(file: Path, *, timeout_s: float) -> Iterator[None]:
    """Holds the lock; waits for it at most ``timeout_s`` seconds, then ``LockedError`` names the owner.

    The file stays when the lock is let go: taking it away would let two processes lock two files of one name.
    """
    try:
        handle = file.open("a+", encoding="utf-8")
    except OSError as error:
        raise CollectionError(
            f"the collection cannot be written to ({error.strerror})",
            cure="Check the permissions of the folder.",
            kind="disk",
            file=str(file.parent),
        ) from error
    with handle:
        _wait(handle, file, timeout_s)
        try:
            handle.truncate(0)
            handle.write(f"process {os.getpid()} since {datetime.now(UTC).isoformat(timespec='seconds')}\n")
            handle.flush()
            yield
        finally:
            handle.truncate(0)
            unlock(handle)


def _wait(handle: TextIO, file: Path, timeout_s: float) -> None:
    deadline = time.monotonic() + timeout_s
    while not try_lock(handle):
        if time.monotonic() >= deadline:
            owner = file.read_text(encoding="utf-8").strip() or "another process"
            raise LockedError(
                f"the collection is being written by {owner}",
                cure="Wait until it has ended, or stop it.",
                file=str(file.parent),
            )
        time.sleep(PAUSE_S)
