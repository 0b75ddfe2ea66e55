"""Puts the documents of the index beside this one in the place of its own, in one commit."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path

from pincite.errors import CollectionError
from pincite.store import segment_files
from pincite.store.database import Database, connected
from pincite.store.listing import listed
from pincite.store.schema import TABLES, meta
from pincite.store.upkeep import optional

COPIED = tuple(name for name in TABLES if name != "meta")
COPY = ("DELETE FROM main.{0}", "INSERT INTO main.{0} SELECT * FROM other.{0}")


def take(database: Database, *, segments: Path, other: Path, other_segments: Path) -> None:
    """``other`` is an index file that nobody writes to. The old rows go and the new ones come under the numbers that
    they had there, so that the segments made there are right here."""
    with connected(other) as beside:
        names = [segment.name for segment in listed(beside)]
        there = [name for name in names if (other_segments / name).is_dir()]
    with optional(segments):
        segment_files.share(other_segments, there, target=segments)
    database.run("ATTACH DATABASE ? AS other", (str(other),))
    # Rows that refer to others come and go in any order; the pragma does nothing inside of a transaction.
    database.run("PRAGMA foreign_keys=off")
    try:
        with database.writing():
            for name in COPIED:
                for statement in COPY:
                    database.run(statement.format(name))
            database.run("DELETE FROM main.sqlite_sequence")
            database.run("INSERT INTO main.sqlite_sequence SELECT * FROM other.sqlite_sequence")
            database.run("UPDATE main.meta SET value = value + 1 WHERE name = 'sequence'")
            database.run(
                "UPDATE main.meta SET value = (SELECT value FROM main.meta WHERE name = 'sequence')"
                " WHERE name = 'changed'"
            )
            for name, source in (("state", "state"), ("taken", "identity")):
                database.run(
                    "UPDATE main.meta SET value = (SELECT value FROM other.meta WHERE name = ?) WHERE name = ?",
                    (source, name),
                )
    finally:
        database.run("PRAGMA foreign_keys=on")
        database.run("DETACH DATABASE other")


def drop(database: Database, folder: Path, file: Path) -> None:
    """Takes ``folder`` with its index ``file`` away. First it is noted that nobody wants that one any more, so that
    what cannot be removed now is not taken for a rebuild that goes on."""
    identity = ""
    with suppress(CollectionError), connected(file, read_only=True) as beside, beside.reading():
        identity = str(meta(beside).get("identity", ""))
    if identity:
        with database.writing():
            database.run("UPDATE meta SET value = ? WHERE name = 'taken'", (identity,))
    segment_files.take_away(folder)


def clean(database: Database, folder: Path, file: Path) -> bool:
    """Takes ``folder`` away when its index ``file`` is one that was taken or dropped: whoever did it was killed before
    the folder was gone, or somebody had a file in it open. Says whether nothing of the kind is left."""
    shutil.rmtree(folder.with_name(f"{folder.name}-gone"), ignore_errors=True)
    if file.is_file() and meta(database).get("taken"):
        with connected(file, read_only=True) as beside, beside.reading():
            left = meta(beside).get("identity") == meta(database)["taken"]
        if left:
            return segment_files.take_away(folder)
    return True
