"""Segments as files: ``segments/<sequence>-<state>/``, one memory-mapped ``.npy`` per array and a header.

A segment is written under another name and renamed, and is used only for the very version of the index file that it
was made from; one that is missing, cut or of another version is as good as none.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from pincite.store.segment import ARRAYS, Segment, Stamp

FORMAT = 1
HEADER = "segment.json"
NEW = "new-"
logger = logging.getLogger("pincite.store")


def name_of(stamp: Stamp) -> str:
    return f"{stamp.sequence}-{stamp.state[:12]}"


def write(folder: Path, segment: Segment) -> None:
    """A disk that is full costs speed, not the commit: readers then make the segment in memory."""
    new = folder / f"{NEW}{os.getpid()}"
    final = folder / name_of(segment.stamp)
    try:
        new.mkdir(parents=True)
        files = {name: _save(new / f"{name}.npy", getattr(segment, name)) for name in ARRAYS}
        header = {"format": FORMAT, "sequence": segment.stamp.sequence, "state": segment.stamp.state, "files": files}
        (new / HEADER).write_text(json.dumps(header, indent=1), encoding="utf-8")
        shutil.rmtree(final, ignore_errors=True)
        new.rename(final)
    except OSError as error:
        logger.warning("no search segment was written to %s: %s", folder, error)
        shutil.rmtree(new, ignore_errors=True)


def read(folder: Path, stamp: Stamp) -> Segment | None:
    """The segment of that version, ``None`` when there is no whole one."""
    home = folder / name_of(stamp)
    try:
        files = _header(home, stamp)
        if any((home / f"{name}.npy").stat().st_size != files[name]["bytes"] for name in ARRAYS):
            raise ValueError("a file has another length than the header says")
        arrays: dict[str, Any] = {name: _mapped(home / f"{name}.npy") for name in ARRAYS}
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        logger.info("the search segment %s is not used: %s", home, error)
        return None
    return Segment(stamp=stamp, **arrays)


def problems(folder: Path, stamp: Stamp) -> list[str]:
    """The files of that version's segment whose bytes are not those that were written; none where there is none."""
    home = folder / name_of(stamp)
    if not home.exists():
        return []
    try:
        files = _header(home, stamp)
        damaged = [name for name in ARRAYS if _checksum(home / f"{name}.npy") != files[name]["crc32"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        return [f"the search segment {home.name} cannot be read: {error}"]
    return [f"the file {name}.npy of the search segment {home.name} is damaged" for name in damaged]


def clean(folder: Path, *, keep: Stamp) -> None:
    """Removes the segments of other versions and what killed writers left; what is still mapped elsewhere may stay."""
    if folder.is_dir():
        for entry in folder.iterdir():
            if entry.name != name_of(keep):
                shutil.rmtree(entry, ignore_errors=True)


@dataclass(slots=True)
class Checked:
    """A file that sums up what is written to it."""

    file: BinaryIO
    length: int = 0
    crc32: int = 0

    def write(self, data: bytes) -> int:
        self.crc32 = zlib.crc32(data, self.crc32)
        written = self.file.write(data)
        self.length += written
        return written


def _save(path: Path, array: Any) -> dict[str, int]:
    with path.open("wb") as file:
        checked = Checked(file)
        np.lib.format.write_array(checked, np.ascontiguousarray(array), allow_pickle=False)
        file.flush()
        # Only sizes are compared when a segment is opened, and a loss of power can leave zeros of the right size.
        os.fsync(file.fileno())
    return {"bytes": checked.length, "crc32": checked.crc32}


def _mapped(path: Path) -> Any:
    return np.load(path, mmap_mode="r", allow_pickle=False).view(np.ndarray)


def _header(home: Path, stamp: Stamp) -> Any:
    header = json.loads((home / HEADER).read_text(encoding="utf-8"))
    if (header["format"], header["sequence"], header["state"]) != (FORMAT, *stamp):
        raise ValueError("its header is of another version")
    return header["files"]


def _checksum(path: Path) -> int:
    total = 0
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            total = zlib.crc32(block, total)
    return total
