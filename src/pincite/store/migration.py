"""Indexes of older versions, brought up to this one where they lie."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np

from pincite.errors import CollectionError
from pincite.store.database import Database
from pincite.store.entry import check_vectors
from pincite.store.halves import halved
from pincite.store.rows import integers_from, packed_frequencies
from pincite.store.schema import MIGRATED, TABLES, VERSION, meta, new_identity, tables_of

if TYPE_CHECKING:
    from pincite.ports import Vectors

SINCE_3 = ("segments", "removed")
WIDE = np.dtype("<f4")


def can_migrate(database: Database) -> bool:
    """Whether the index is one of an older version that ``migrate`` takes."""
    return "meta" in tables_of(database) and meta(database).get("version") in MIGRATED


def migrate(database: Database) -> bool:
    """In one commit; says whether there was anything to do. The next writer makes the segments anew."""
    with database.writing():
        version = meta(database).get("version")
        if version not in MIGRATED:
            return False  # another process did it while this one waited
        if version == 2:
            for name in SINCE_3:
                database.run(f"CREATE TABLE {name} ({TABLES[name]})")
            _set(database, identity=new_identity(), taken="")
        _narrow(database)
        database.run("DELETE FROM segments")
        # The rows are others than before, and a state stands for one content.
        state = hashlib.sha256(f"in 16 bits: {meta(database)['state']}".encode()).hexdigest()
        _set(database, state=state, version=VERSION)
    return True


def _set(database: Database, **values: str | int) -> None:
    database.run_many("INSERT OR REPLACE INTO meta VALUES (?, ?)", values.items())


def _narrow(database: Database) -> None:
    """Vectors from 32 bits to 16, and frequencies to as many as they need."""
    for (document,) in list(database.rows("SELECT document FROM vectors")):
        (data,) = database.row("SELECT data FROM vectors WHERE document = ?", (document,))
        matrix = database.decoded(_wide_from, data)
        try:
            check_vectors(matrix)
        except ValueError as error:
            raise CollectionError(
                f"the index is from an older pincite and cannot be brought up to date: {error}",
                cure=f"Delete {database.file.parent} and add the documents again.",
                kind="older",
                file=str(database.file),
            ) from error
        database.run("UPDATE vectors SET data = ? WHERE document = ?", (halved(matrix).tobytes(), document))
    for (document,) in list(database.rows("SELECT document FROM forward")):
        (data,) = database.row("SELECT frequencies FROM forward WHERE document = ?", (document,))
        frequencies = packed_frequencies(database.decoded(integers_from, data))
        database.run("UPDATE forward SET frequencies = ? WHERE document = ?", (frequencies, document))


def _wide_from(data: bytes) -> Vectors:
    return np.frombuffer(data, dtype=WIDE)[None]
