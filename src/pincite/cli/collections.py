"""Which collection a command means."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pincite.engine import Collection


def open_collection(directory: Path | None, *, create: bool = False) -> Collection:
    """The named collection, else the nearest one upwards, else the current folder's. Raises ``CollectionError``
    where there is none and none is to be made."""
    from pincite.engine.collection import Collection

    return Collection(directory or Collection.directory_for(Path.cwd()), create=create)
