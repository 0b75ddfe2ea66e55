"""Models that lie in a folder of this machine; nothing is ever fetched by a name."""

from __future__ import annotations

import hashlib
from pathlib import Path

from pincite.errors import UsageError

SAMPLES = 16
SAMPLE_BYTES = 64 * 1024
SMALL_BYTES = SAMPLES * SAMPLE_BYTES


def model_folder(path: str, *, needs: tuple[str, ...], component: str) -> Path:
    """The folder at that path. Raises ``UsageError`` where there is none or where one of the files is missing."""
    folder = Path(path).expanduser()
    if not folder.is_dir():
        raise UsageError(
            f"{component} has its model in a folder, and {path!r} is none",
            cure="Give the path of a folder that holds the model; pincite downloads nothing.",
            kind="missing_model",
        )
    missing = [name for name in needs if not (folder / name).is_file()]
    if missing:
        raise UsageError(
            f"the folder {path!r} holds no model for {component}: {', '.join(missing)} is not in it",
            cure="Save the model into it again, whole.",
            kind="missing_model",
        )
    return folder


def folder_fingerprint(folder: Path) -> str:
    """A short hash of all files below, by their names, sizes and contents; of files over 1 MiB sixteen samples of
    64 kB evenly spread, so that it is quick for gigabytes. The same for a copy elsewhere."""
    digest = hashlib.sha256()
    for file in sorted(file for file in folder.rglob("*") if file.is_file() and not file.name.startswith(".")):
        size = file.stat().st_size
        digest.update(f"{file.relative_to(folder).as_posix()}\0{size}\0".encode())
        with file.open("rb") as stream:
            if size <= SMALL_BYTES:
                digest.update(stream.read())
                continue
            for sample in range(SAMPLES):
                stream.seek((size - SAMPLE_BYTES) * sample // (SAMPLES - 1))
                digest.update(stream.read(SAMPLE_BYTES))
    return digest.hexdigest()[:12]
