"""Writes entries into the index file."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from pincite.errors import PinciteError
from pincite.ports import Entry, Store
from pincite.store.conditions import metadata_rows
from pincite.store.database import Database
from pincite.store.entry import check_entry, groups_of
from pincite.store.halves import halved
from pincite.store.rows import INSERT_CHUNK, INSERT_DOCUMENT, chunk_values, document_values, forward_values
from pincite.store.schema import meta

MAX_KNOWN_TERMS = 500_000
INSERT_REMOVED = "INSERT INTO removed SELECT terms FROM forward JOIN documents ON row = document WHERE id = ?"


class Hash(Protocol):
    def update(self, data: bytes, /) -> None: ...

    def hexdigest(self) -> str: ...


@dataclass(frozen=True, slots=True, eq=False)
class SqliteWriter:
    """Each call is one transaction. Only whoever holds the collection's lock has one. ``after`` is called behind each
    of them with the number of chunks that it put, ``take_over`` by ``take`` and ``drop`` by ``drop_beside``."""

    database: Database
    after: Callable[[int], None]
    take_over: Callable[[Database, Store], None]
    drop: Callable[[Database], None]
    _known_terms: dict[str, int] = field(init=False, default_factory=dict)

    def put(self, entry: Entry) -> None:
        self._replace(entry, old_ids=(entry.document.id,))

    def remove(self, document_id: str) -> None:
        if self.database.row("SELECT 1 FROM documents WHERE id = ?", (document_id,)):
            with self._changing() as history:
                self._delete(document_id, history)
            self.after(0)

    def rename(self, entry: Entry, *, old_id: str) -> None:
        self._replace(entry, old_ids=(old_id, entry.document.id))

    def write_setting(self, name: str, value: Any) -> None:
        text = json.dumps(value, allow_nan=False)
        with self.database.writing():
            self.database.run("INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, text))
            self.database.run("UPDATE meta SET value = value + 1 WHERE name = 'sequence'")

    def take(self, other: Store) -> None:
        self._known_terms.clear()
        self.take_over(self.database, other)

    def drop_beside(self) -> None:
        self.drop(self.database)

    def _replace(self, entry: Entry, *, old_ids: tuple[str, ...]) -> None:
        check_entry(entry)
        try:
            with self._changing() as history:
                for document_id in old_ids:
                    self._delete(document_id, history)
                self._insert(entry, history)
        except sqlite3.IntegrityError as error:
            problem = f"a chunk of {entry.document.id!r} has the id of one of another document"
            raise PinciteError(problem, cure="Report this.") from error
        self.after(len(entry.chunks))

    @contextmanager
    def _changing(self) -> Iterator[Hash]:
        """One commit that touches documents; what is fed to the hash goes into the state that stamps segments."""
        try:
            with self.database.writing():
                history = hashlib.sha256(str(meta(self.database)["state"]).encode())
                yield history
                self.database.run("UPDATE meta SET value = value + 1 WHERE name = 'sequence'")
                self.database.run(
                    "UPDATE meta SET value = (SELECT value FROM meta WHERE name = 'sequence') WHERE name = 'changed'"
                )
                self.database.run("UPDATE meta SET value = ? WHERE name = 'state'", (history.hexdigest(),))
        except BaseException:
            self._known_terms.clear()  # some may have been numbered in the transaction that is gone
            raise

    def _delete(self, document_id: str, history: Hash) -> None:
        self.database.run(INSERT_REMOVED, (document_id,))
        self.database.run("DELETE FROM documents WHERE id = ?", (document_id,))
        record(history, b"delete", document_id.encode())

    def _insert(self, entry: Entry, history: Hash) -> None:
        forward = forward_values(entry.terms, self._numbered({term for terms in entry.terms for term in terms}))
        row = self.database.run(INSERT_DOCUMENT, document_values(entry))
        groups = sorted(set(groups_of(entry.document.metadata)))
        self.database.run_many("INSERT INTO document_groups VALUES (?, ?)", [(group, row) for group in groups])
        fields = [(*field, row) for field in metadata_rows(entry.document.metadata)]
        self.database.run_many("INSERT INTO document_metadata VALUES (?, ?, ?, ?)", fields)
        self.database.run_many(INSERT_CHUNK, [(*chunk, row) for chunk in chunk_values(entry)])
        vectors = halved(entry.vectors).tobytes()
        self.database.run("INSERT INTO vectors VALUES (?, ?, ?)", (row, entry.vectors.shape[1], vectors))
        self.database.run("INSERT INTO forward VALUES (?, ?, ?, ?)", (row, *forward))
        ids = (chunk.id.encode() for chunk in entry.chunks)
        record(history, b"insert", str(row).encode(), vectors, *forward, *ids)

    def _numbered(self, terms: set[str]) -> dict[str, int]:
        """The number of every term; new ones get one."""
        known = self._known_terms
        if len(known) > MAX_KNOWN_TERMS:
            known.clear()
        unknown = sorted(terms - known.keys())
        known.update(self.database.rows_among("SELECT term, id FROM terms WHERE term IN ({})", unknown))
        for term in unknown:
            if term not in known:
                known[term] = self.database.run("INSERT INTO terms (term) VALUES (?)", (term,))
        return known


def record(history: Hash, *parts: bytes) -> None:
    for part in (len(parts).to_bytes(4, "big"), *parts):
        history.update(len(part).to_bytes(8, "big"))
        history.update(part)
