"""The tables of the index file.

A row of ``documents`` is one version of a document and never changes: replacing it makes a new row, and numbers are
not used again. Large columns stand last, so that the small ones are read without them. A chunk's text is its
document's slice and is not kept a second time. Matrices are little-endian, packed in one row per document: a vector of
1 kB in a row of its own would leave much of a page empty. Vectors are kept in 16 bits, see ``halves``.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from pincite.errors import CollectionError
from pincite.store.database import Database, damaged, reported

VERSION = 4
MIGRATED = (2, 3)
"""The versions that are brought up to this one where they lie."""

TABLES = {
    "meta": "name TEXT PRIMARY KEY, value NOT NULL",
    "settings": "name TEXT PRIMARY KEY, value TEXT NOT NULL",
    "documents": """
        row INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, root TEXT NOT NULL, sha256 TEXT NOT NULL,
        made_by TEXT NOT NULL, chunks INTEGER NOT NULL, source TEXT NOT NULL, media_type TEXT NOT NULL,
        metadata TEXT NOT NULL, warnings TEXT NOT NULL, places TEXT NOT NULL, blocks TEXT NOT NULL,
        text TEXT NOT NULL""",
    "document_groups": """
        grp TEXT NOT NULL, document INTEGER NOT NULL REFERENCES documents(row) ON DELETE CASCADE,
        PRIMARY KEY (grp, document)""",
    "document_metadata": """
        name TEXT NOT NULL, kind TEXT NOT NULL, value,
        document INTEGER NOT NULL REFERENCES documents(row) ON DELETE CASCADE""",
    "chunks": """
        row INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER NOT NULL REFERENCES documents(row) ON DELETE CASCADE,
        number INTEGER NOT NULL, id TEXT NOT NULL UNIQUE, start INTEGER NOT NULL, "end" INTEGER NOT NULL,
        parent_start INTEGER, parent_end INTEGER, level INTEGER NOT NULL, tokens INTEGER NOT NULL,
        digest BLOB NOT NULL, headings TEXT NOT NULL, place TEXT NOT NULL, prefix TEXT NOT NULL,
        UNIQUE (document, number)""",
    "vectors": """
        document INTEGER PRIMARY KEY REFERENCES documents(row) ON DELETE CASCADE,
        dimension INTEGER NOT NULL, data BLOB NOT NULL""",
    "terms": "id INTEGER PRIMARY KEY AUTOINCREMENT, term TEXT NOT NULL UNIQUE",
    "forward": """
        document INTEGER PRIMARY KEY REFERENCES documents(row) ON DELETE CASCADE,
        counts BLOB NOT NULL, terms BLOB NOT NULL, frequencies BLOB NOT NULL""",
    "segments": "first INTEGER PRIMARY KEY, last INTEGER NOT NULL, name TEXT NOT NULL",
    "removed": "terms BLOB NOT NULL",
}
INDEXES = (
    "CREATE INDEX document_groups_document ON document_groups(document)",
    "CREATE INDEX document_metadata_name ON document_metadata(name, kind, value, document)",
    "CREATE INDEX document_metadata_document ON document_metadata(document)",
    "CREATE INDEX chunks_digest ON chunks(digest)",
)
NEW = {"version": VERSION, "sequence": 0, "changed": 0, "state": "0" * 64, "identity": "", "taken": ""}
"""``sequence`` counts commits; ``changed`` is that of the last one that touched a document; ``state`` is a hash over
all of those, so that two files of one ``state`` have the same rows under the same numbers. ``identity`` is a number
that no other file has but copies, and ``taken`` that of the file beside it which was taken or dropped last."""


def create(file: Path) -> None:
    """Makes an empty index under another name and renames it: there is never half a schema under the right one."""
    clean(file)
    new = file.with_name(f"{file.name}.new{os.getpid()}")
    with reported(new), closing(sqlite3.connect(new, isolation_level=None)) as connection:
        for pragma in ("page_size=16384", "auto_vacuum=none", "journal_mode=wal"):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("BEGIN IMMEDIATE")
        for name, columns in TABLES.items():
            connection.execute(f"CREATE TABLE {name} ({columns})")
        for index in INDEXES:
            connection.execute(index)
        connection.executemany("INSERT INTO meta VALUES (?, ?)", {**NEW, "identity": new_identity()}.items())
        connection.execute("COMMIT")
    new.replace(file)


def new_identity() -> str:
    return secrets.token_hex(16)


def clean(file: Path) -> None:
    """Takes away what a killed ``create`` left, its log too: it would be played into the next file of that name."""
    for left in file.parent.glob(f"{file.name}.new*"):
        with suppress(OSError):  # open elsewhere, on some systems; it harms nobody
            left.unlink()


def check(database: Database) -> None:
    """Raises ``CollectionError`` when the tables are not those of this version."""
    tables = tables_of(database)
    if "meta" not in tables:
        raise damaged(database.file, "it is empty or not an index")
    values = meta(database)
    version = values.get("version")
    if version in MIGRATED:
        raise CollectionError(
            f"the index has version {version}, from an older pincite, and cannot be changed here",
            cure="Run `pincite sync` once where the collection can be written to.",
            kind="older",
            file=str(database.file),
        )
    if isinstance(version, int) and version > VERSION:
        raise CollectionError(
            f"the index has version {version} and this pincite reads up to {VERSION}",
            cure="Update pincite.",
            kind="newer",
            file=str(database.file),
        )
    if isinstance(version, int) and 0 < version < VERSION:
        raise CollectionError(
            f"the index has version {version}, from an older pincite; this one writes {VERSION}",
            cure=f"Delete {database.file.parent} and add the documents again.",
            kind="older",
            file=str(database.file),
        )
    if version != VERSION or not tables.issuperset(TABLES) or not values.keys() >= NEW.keys():
        raise damaged(database.file, "a table is missing")


def meta(database: Database) -> dict[str, int | str]:
    return dict(database.rows("SELECT name, value FROM meta"))


def tables_of(database: Database) -> set[str]:
    return {name for (name,) in database.rows("SELECT name FROM sqlite_master WHERE type = 'table'")}
