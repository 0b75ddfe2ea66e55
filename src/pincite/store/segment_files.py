"""Segments as files: a folder for each, with one memory-mapped file per array and a header.

The index file lists the segments that belong to it. A name says of which rows and of which version of the index file
a segment was made, and that version is a hash over everything that was ever written: a name stands for one content,
so that the segments of a copied or restored index are its own or are not there. A segment is written under another
name and renamed; one that is missing or cut is as good as none.
"""

from __future__ import annotations

import json
import logging
import math
import mmap
import os
import shutil
import zlib
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from pincite.store.halves import HALF
from pincite.store.segment import ARRAYS, Segment, nothing

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pincite.store.halves import Halves

FORMAT = 5
HEADER = "segment.json"
NEW = "new-"
CHECKED = ("keys", "id_bytes")
"""Arrays whose sums are compared when a segment is opened: the ids in them are reported as they are."""
logger = logging.getLogger("pincite.store")


def name_of(folder: Path, first: int, last: int, state: str) -> str:
    """One that is free: a damaged segment may still be mapped under the name that its successor would have."""
    name = wanted = f"{first}-{last}-{state[:32]}"
    number = 1
    while (folder / name).exists():
        number += 1
        name = f"{wanted}-{number}"
    return name


def write(folder: Path, name: str, *, first: int, last: int, blocks: Iterable[tuple[str, NDArray[Any]]]) -> None:
    """Writes arrays block by block, each block further rows of the array that it names; the name is free. Raises
    ``OSError``."""
    new = folder / f"{NEW}{os.getpid()}"
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    files: dict[str, _Growing] = {}
    try:
        for array, block in blocks:
            if array not in files:
                files[array] = _Growing((new / f"{array}.bin").open("wb"), block.dtype.newbyteorder("<"))
            files[array].append(block)
        header = {array: file.finished() for array, file in files.items()}
        for file in files.values():
            file.file.close()  # Windows renames no folder in which a file is open
        text = json.dumps({"format": FORMAT, "first": first, "last": last, "arrays": header}, indent=1)
        (new / HEADER).write_text(text, encoding="utf-8")
        new.rename(folder / name)
    finally:
        for file in files.values():
            file.file.close()
        shutil.rmtree(new, ignore_errors=True)


@dataclass(slots=True)
class _Growing:
    """A file with an array that gets further rows."""

    file: BinaryIO
    dtype: np.dtype[Any]
    rows: int = 0
    shape: tuple[int, ...] = ()
    length: int = 0
    crc32: int = 0

    def append(self, block: NDArray[Any]) -> None:
        data = np.ascontiguousarray(block, dtype=self.dtype).tobytes()
        self.crc32 = zlib.crc32(data, self.crc32)
        self.length += len(data)
        self.rows, self.shape = self.rows + len(block), block.shape[1:]
        self.file.write(data)

    def finished(self) -> dict[str, Any]:
        self.file.flush()
        # Only sizes are compared when a segment is opened, and a loss of power can leave zeros of the right size.
        os.fsync(self.file.fileno())
        shape = [self.rows, *self.shape]
        return {"dtype": self.dtype.str, "shape": shape, "bytes": self.length, "crc32": self.crc32}


def read(folder: Path, name: str) -> Segment | None:
    """``None`` when there is no whole segment of that name."""
    home = folder / name
    try:
        header = _header(home)
        maps = {array: _mapped(home / f"{array}.bin", header["arrays"][array]) for array in ARRAYS}
        for array in CHECKED:
            if zlib.crc32(maps[array][0].data) != header["arrays"][array]["crc32"]:
                raise ValueError(f"{array}.bin has other bytes than were written")
        arrays: dict[str, Any] = {array: numbers for array, (numbers, _) in maps.items()}
        read = _reading(home / "vectors.bin", arrays["vectors"].shape[1])
        return Segment(
            first=header["first"],
            last=header["last"],
            release=_releasing(maps["vectors"][1]),
            read=read,
            **arrays,
        )
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        logger.info("the search segment %s is not used: %s", home, error)
        return None


def _mapped(path: Path, said: dict[str, Any]) -> tuple[NDArray[Any], mmap.mmap | None]:
    kind, shape = np.dtype(said["dtype"]), said["shape"]
    if path.stat().st_size != said["bytes"] or math.prod(shape) * kind.itemsize != said["bytes"]:
        raise ValueError(f"{path.name} has another length than the header says")
    if not said["bytes"]:
        return np.empty(shape, dtype=kind), None
    with path.open("rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return np.frombuffer(mapped, dtype=kind).reshape(shape), mapped


@dataclass(slots=True, eq=False)
class RowFile:
    """An open file with rows of ``width`` numbers in 16 bits. To map the page of a single row takes five times as long
    as to read the row, and maps its surroundings, too."""

    descriptor: int
    width: int

    def __del__(self) -> None:
        os.close(self.descriptor)

    def read(self, rows: NDArray[np.int64]) -> Halves:
        """For rows that ascend; neighbours are read together."""
        starts = np.flatnonzero(np.diff(rows, prepend=-2) != 1)
        numbers = np.diff(starts, append=len(rows))
        size = self.width * HALF.itemsize
        pieces = [
            os.pread(self.descriptor, number * size, row * size)
            for row, number in zip(rows[starts].tolist(), numbers.tolist(), strict=True)
        ]
        found = np.frombuffer(b"".join(pieces), dtype=HALF)
        if found.size != len(rows) * self.width:
            raise IndexError("the file of vectors has become shorter")
        return found.reshape(len(rows), self.width)


def _reading(path: Path, width: int) -> Callable[[NDArray[np.int64]], Halves] | None:
    return RowFile(os.open(path, os.O_RDONLY), width).read if hasattr(os, "pread") else None


def _releasing(mapped: mmap.mmap | None) -> Callable[[], None]:
    if mapped is None or not hasattr(mmap, "MADV_DONTNEED"):
        return nothing
    return lambda: mapped.madvise(mmap.MADV_DONTNEED)


def problems(folder: Path, names: Iterable[str]) -> list[str]:
    """The files of these segments whose bytes are not those that were written; a segment that is missing is none."""
    found = []
    for name in names:
        if (folder / name).exists():
            try:
                arrays = _header(folder / name)["arrays"]
                wrong = [array for array in ARRAYS if _crc32(folder / name / f"{array}.bin") != arrays[array]["crc32"]]
                found += [f"the file {array}.bin of the search segment {name} is damaged" for array in wrong]
            except (OSError, ValueError, KeyError, TypeError) as error:
                found.append(f"the search segment {name} cannot be read: {error}")
    return found


def clean(folder: Path, *, keep: Collection[str]) -> None:
    """Removes all but these segments, and what killed writers left; what is still mapped elsewhere may stay."""
    if folder.is_dir():
        for entry in folder.iterdir():
            if entry.name not in keep:
                shutil.rmtree(entry, ignore_errors=True)


def share(folder: Path, names: Iterable[str], *, target: Path) -> None:
    """Makes the segments part of another folder too, as links to the same files where the disk can do that."""
    target.mkdir(parents=True, exist_ok=True)
    for name in names:
        if not take_away(target / name):
            continue  # it is in use here, so it is one of ours: a name stands for one content
        new = target / f"{NEW}{os.getpid()}"
        shutil.rmtree(new, ignore_errors=True)
        shutil.copytree(folder / name, new, copy_function=_link)
        new.rename(target / name)


def take_away(folder: Path) -> bool:
    """Removes a folder so that at no moment half of it lies under its name, and says whether it is gone: where a file
    in it is open or mapped, some systems do not let it go."""
    gone = folder.with_name(f"{folder.name}-gone")
    shutil.rmtree(gone, ignore_errors=True)
    with suppress(OSError):
        folder.rename(gone)
    shutil.rmtree(gone, ignore_errors=True)
    return not folder.exists()


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def _header(home: Path) -> Any:
    header = json.loads((home / HEADER).read_text(encoding="utf-8"))
    if header["format"] != FORMAT:
        raise ValueError("its header is of another version")
    return header


def _crc32(path: Path) -> int:
    total = 0
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            total = zlib.crc32(block, total)
    return total
