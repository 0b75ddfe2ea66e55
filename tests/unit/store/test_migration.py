"""Indexes of older versions are brought up to this one, and are then as if they had been made by it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pincite.errors import CollectionError
from pincite.ports import Entry
from pincite.store import migration
from pincite.store.sqlite import SqliteStore
from pincite.testing.stores import ENTRIES, BruteForce, check_kept, make_entry, put_all, unit_vector

FINE = [
    replace(entry, vectors=np.array([unit_vector(text) for text in entry.embedded], dtype=np.float32))
    for entry in (
        make_entry(f"{number}.md", [f"red {number}", "blue " * (300 * (number == 3) + 1), f"green {number}"])
        for number in range(40)
    )
]
"""With numbers that 16 bits do not hold, and a word that stands so often in a chunk that a byte does not count it."""


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    return SqliteStore(path=tmp_path / ".pincite", create=True)


def make_older(store: SqliteStore, entries: Sequence[Entry], *, version: int) -> None:
    """As a pincite of that version leaves an index of these entries."""
    put_all(store, entries)
    store.close()
    with closing(sqlite3.connect(store.path / "index.sqlite")) as connection, connection:
        rows = dict(connection.execute("SELECT id, row FROM documents").fetchall())
        for entry in entries:
            row = rows[entry.document.id]
            data = entry.vectors.astype("<f4").tobytes()
            connection.execute("UPDATE vectors SET data = ? WHERE document = ?", (data, row))
            (forward, narrow) = connection.execute(
                "SELECT length(terms), frequencies FROM forward WHERE document = ?", (row,)
            ).fetchone()
            width = 4 * len(narrow) // max(forward, 1) or 1
            wide = np.frombuffer(narrow, dtype=f"<u{width}").astype("<i4").tobytes()
            connection.execute("UPDATE forward SET frequencies = ? WHERE document = ?", (wide, row))
        if version == 2:
            connection.execute("DROP TABLE segments")
            connection.execute("DROP TABLE removed")
            connection.execute("DELETE FROM meta WHERE name IN ('identity', 'taken')")
        connection.execute("UPDATE meta SET value = ? WHERE name = 'version'", (version,))
    for header in store.path.glob("segments/*/segment.json"):
        header.write_text(json.dumps({**json.loads(header.read_text()), "format": 4}))


def contents(path: Path) -> list[Any]:
    with closing(sqlite3.connect(path / "index.sqlite")) as connection:
        tables = ("documents", "document_groups", "chunks", "vectors", "terms", "forward")
        return [connection.execute(f"SELECT * FROM {table}").fetchall() for table in tables]


def meta(store: SqliteStore) -> dict[str, Any]:
    with closing(sqlite3.connect(store.path / "index.sqlite")) as connection:
        return dict(connection.execute("SELECT name, value FROM meta").fetchall())


def kept(entries: Sequence[Entry]) -> BruteForce:
    return BruteForce(
        {
            entry.document.id: replace(entry, vectors=entry.vectors.astype(np.float16).astype(np.float32))
            for entry in entries
        }
    )


@pytest.mark.parametrize("version", [2, 3])
def test_an_older_index_is_as_one_made_anew(version: int, store: SqliteStore, tmp_path: Path) -> None:
    make_older(store, FINE, version=version)
    before = meta(store)
    (old,) = store.path.glob("segments/*")
    with pytest.raises(CollectionError, match="older") as caught:
        SqliteStore(path=store.path, read_only=True)
    assert caught.value.kind == "older"
    opened = SqliteStore(path=store.path)
    clean = SqliteStore(path=tmp_path / "clean", create=True)
    put_all(clean, FINE)
    assert contents(store.path) == contents(clean.path)
    assert meta(opened)["version"] == 4
    assert meta(opened)["state"] != before["state"], "a state has stood for other bytes"
    check_kept(opened, kept(FINE))
    check_kept(SqliteStore(path=store.path, read_only=True), kept(FINE))
    with opened.writer():
        pass
    (new,) = store.path.glob("segments/*")
    assert new.name != old.name
    assert opened.problems() == []
    check_kept(opened, kept(FINE))


def test_an_older_index_that_was_brought_up_to_date_is_smaller(store: SqliteStore) -> None:
    large = [
        replace(entry, vectors=np.tile(entry.vectors, 400).astype(np.float32))
        for entry in (FINE[number] for number in range(20))
    ]
    make_older(store, large, version=3)
    before = (store.path / "index.sqlite").stat().st_size
    SqliteStore(path=store.path).close()
    assert (store.path / "index.sqlite").stat().st_size < 0.7 * before
    assert not (store.path / "index.sqlite-wal").exists()


def test_whoever_comes_second_finds_nothing_to_do(store: SqliteStore) -> None:
    make_older(store, ENTRIES, version=3)
    opened = SqliteStore(path=store.path)
    before = meta(opened)
    with opened.writer() as writer:
        assert not migration.migrate(writer.database)
    assert meta(opened) == before


def test_a_number_that_16_bits_do_not_hold_leaves_the_index_as_it_was(store: SqliteStore) -> None:
    make_older(store, FINE, version=3)
    large = FINE[7].vectors * np.float32(1e6)
    with closing(sqlite3.connect(store.path / "index.sqlite")) as connection, connection:
        connection.execute("UPDATE vectors SET data = ? WHERE document = 8", (large.astype("<f4").tobytes(),))
    before = contents(store.path)
    with pytest.raises(CollectionError, match="beyond ±65504") as caught:
        SqliteStore(path=store.path)
    assert caught.value.kind == "older"
    assert "add the documents again" in caught.value.cure
    assert (meta(store)["version"], contents(store.path)) == (3, before)


@pytest.mark.parametrize("column", ["vectors.data", "forward.frequencies"])
def test_a_damaged_row_is_said_to_be_damaged(column: str, store: SqliteStore) -> None:
    make_older(store, FINE, version=3)
    table, name = column.split(".")
    with closing(sqlite3.connect(store.path / "index.sqlite")) as connection, connection:
        connection.execute(f"UPDATE {table} SET {name} = ? WHERE document = 8", (b"123",))
    with pytest.raises(CollectionError) as caught:
        SqliteStore(path=store.path)
    assert caught.value.kind == "damaged"
    assert meta(store)["version"] == 3


@pytest.mark.parametrize("length", [0, 1, 7, 15, 40])
def test_frequencies_of_another_length_are_damage(length: int, store: SqliteStore) -> None:
    put_all(store, FINE)
    for header in store.path.glob("segments/*/segment.json"):
        header.unlink()
    with closing(sqlite3.connect(store.path / "index.sqlite")) as connection, connection:
        connection.execute("UPDATE forward SET frequencies = ? WHERE document = 4", (b"1" * length,))
    with pytest.raises(CollectionError) as caught:
        check_kept(SqliteStore(path=store.path), kept(FINE))
    assert caught.value.kind == "damaged"
