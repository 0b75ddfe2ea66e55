"""Which collection a command means, and who asks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.errors import UsageError
from pincite.model import Principal

if TYPE_CHECKING:
    from pincite.engine import Collection


def open_collection(directory: Path | None, *, create: bool = False) -> Collection:
    """The named collection, else the nearest one upwards, else the current folder's. Raises ``CollectionError``
    where there is none and none is to be made."""
    from pincite.engine.collection import Collection

    return Collection(directory or nearest(), create=create)


def nearest() -> Path:
    """The nearest folder upwards that holds a collection, else the current one. Raises ``UsageError``."""
    from pincite.engine.collection import Collection

    try:
        return Collection.directory_for(Path.cwd())
    except OSError as error:
        raise UsageError(
            f"the current folder cannot be used ({error.strerror})",
            cure="Change to one that is there, or name the collection with --collection.",
        ) from error


def principal_of(groups: Sequence[str] | None) -> Principal:
    """Everybody belongs to ``public``; the groups named with ``--as`` come on top."""
    named = groups or ()
    if any(not group.strip() for group in named):
        raise UsageError("--as has an empty group", cure="Name the group: --as support.")
    return Principal(frozenset({"public", *named}))
