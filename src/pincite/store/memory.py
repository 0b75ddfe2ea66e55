"""Everything in memory, every query by brute force: written to be read, and the reference for other stores."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from pincite.errors import LockedError, PinciteError, UsageError
from pincite.model import Chunk, Condition, Document, FieldKind, Located, Principal, Scored, TermFilter
from pincite.model.condition import fulfils, kind_of
from pincite.ports import CONTEXT_COLUMNS, REACH, ContextScores, Entry, Kin, Store, Stored
from pincite.store.by_row import (
    Row,
    allowed,
    best_first,
    bm25,
    coded_cosines,
    cosine,
    idfs_of,
    likenesses,
    mean,
    section_of,
    texts_of,
    weights_of,
    window_of,
)
from pincite.store.entry import check_entry, check_query, groups_of
from pincite.store.halves import halved, widened

if TYPE_CHECKING:
    from pincite.ports import Vector


@dataclass(slots=True)
class Kept:
    """What a store keeps: entries by document id, settings as JSON, and the store beside it."""

    entries: dict[str, Entry] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)
    beside: MemoryStore | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MemoryStore:
    """Gone when the process ends. One writer at a time; a snapshot is a copy of the table of entries."""

    name: str = "memory"
    _kept: Kept = field(init=False, repr=False, default_factory=Kept)
    _lock: threading.Lock = field(init=False, repr=False, default_factory=threading.Lock)

    def stored(self) -> dict[str, Stored]:
        return {
            name: Stored(
                document_id=name,
                sha256=entry.sha256,
                root=entry.root,
                made_by=entry.made_by,
                chunks=len(entry.chunks),
                metadata=entry.document.metadata,
            )
            for name, entry in sorted(self._kept.entries.items())
        }

    def document(self, document_id: str) -> Document | None:
        entry = self._kept.entries.get(document_id)
        return entry.document if entry else None

    def chunks(self, document_id: str) -> list[Chunk]:
        entry = self._kept.entries.get(document_id)
        return list(entry.chunks) if entry else []

    def problems(self) -> list[str]:
        return []

    def vectors(self, texts: Sequence[str]) -> Mapping[str, Vector]:
        """The newest vector of each text: entries stand in the order in which they were put."""
        wanted = set(texts)
        return {
            text: vector
            for entry in self._kept.entries.values()
            for text, vector in zip(entry.embedded, entry.vectors, strict=True)
            if text in wanted
        }

    def setting(self, name: str) -> Any:
        return json.loads(self._kept.settings.get(name, "null"))

    @contextmanager
    def writer(self) -> Iterator[MemoryWriter]:
        if not self._lock.acquire(blocking=False):
            raise LockedError("another writer is at work", cure="Wait until it has ended.")
        try:
            yield MemoryWriter(self._kept)
        finally:
            self._lock.release()

    @contextmanager
    def snapshot(self) -> Iterator[MemorySnapshot]:
        yield MemorySnapshot(dict(self._kept.entries), dict(self._kept.settings))

    def beside(self) -> MemoryStore:
        if self._kept.beside is None:
            self._kept.beside = MemoryStore()
        return self._kept.beside

    def close(self) -> None:
        """Nothing is open."""


@dataclass(frozen=True, slots=True)
class MemoryWriter:
    kept: Kept

    def put(self, entry: Entry) -> None:
        self._replace(entry, old_ids=(entry.document.id,))

    def remove(self, document_id: str) -> None:
        self.kept.entries.pop(document_id, None)

    def rename(self, entry: Entry, *, old_id: str) -> None:
        self._replace(entry, old_ids=(old_id, entry.document.id))

    def write_setting(self, name: str, value: Any) -> None:
        self.kept.settings[name] = json.dumps(value, allow_nan=False)

    def take(self, other: Store) -> None:
        if not isinstance(other, MemoryStore) or other is not self.kept.beside:
            raise UsageError("only the store beside this one can be taken", cure="Fill the one that `beside` gives.")
        with other.writer():
            self.kept.entries, self.kept.settings = other._kept.entries, other._kept.settings
            self.kept.beside = None
            other._kept.entries, other._kept.settings = {}, {}

    def drop_beside(self) -> None:
        if self.kept.beside is not None:
            with self.kept.beside.writer():
                self.kept.beside._kept.entries, self.kept.beside._kept.settings = {}, {}
                self.kept.beside = None

    def _replace(self, entry: Entry, *, old_ids: tuple[str, ...]) -> None:
        check_entry(entry)
        ids = {chunk.id for chunk in entry.chunks}
        for name, other in self.kept.entries.items():
            if name not in old_ids and not ids.isdisjoint(chunk.id for chunk in other.chunks):
                raise PinciteError(f"{entry.document.id!r} and {name!r} share the id of a chunk", cure="Report this.")
        vectors = widened(halved(entry.vectors))
        vectors.setflags(write=False)
        for name in old_ids:
            self.kept.entries.pop(name, None)
        self.kept.entries[entry.document.id] = replace(entry, vectors=vectors)


@dataclass(frozen=True, slots=True)
class MemorySnapshot:
    entries: dict[str, Entry]
    settings: dict[str, str]

    def _rows(self, principal: Principal, where: Condition | None = None) -> list[Row]:
        return [
            Row(*row)
            for entry in self.entries.values()
            if principal.may_see(groups_of(entry.document.metadata))
            and (where is None or fulfils(entry.document.metadata, where))
            for row in zip(entry.chunks, entry.terms, entry.vectors, strict=True)
        ]

    def lexical(
        self,
        terms: Sequence[str],
        *,
        principal: Principal,
        limit: int,
        where: Condition | None = None,
        words: TermFilter | None = None,
    ) -> list[Scored]:
        """BM25 after Robertson and Zaragoza, The Probabilistic Relevance Framework (2009), with Lucene's idf.

        Each distinct term of the query counts once.
        """
        rows = self._rows(principal, where)
        weighed = [(row, weights) for row, weights in zip(rows, weights_of(terms, rows), strict=True) if weights]
        found = [Scored(row.chunk.id, sum(weights.values(), 0.0)) for row, weights in weighed if allowed(row, words)]
        return best_first(found, limit)

    def context_scores(
        self,
        terms: Sequence[str],
        vector: Vector,
        chunk_ids: Sequence[str],
        *,
        principal: Principal,
        where: Condition | None = None,
        words: TermFilter | None = None,
    ) -> ContextScores:
        wanted, rows = set(chunk_ids), self._rows(principal, where)
        check_query(vector, {len(row.vector) for row in rows})
        windows = [window_of(rows, number, REACH) for number in range(len(rows))]
        idfs = idfs_of(terms, rows)
        lexical, window = (bm25(texts, idfs) for texts in texts_of(rows, windows))
        near = coded_cosines(rows, vector)
        found = {}
        for number, row in enumerate(rows):
            if allowed(row, words) and any(rows[other].chunk.id in wanted for other in windows[number]):
                found[row.chunk.id] = (
                    lexical[number],
                    cosine(row.vector, vector),
                    window[number],
                    mean(near[other] for other in window_of(rows, number, 1)),
                    mean(near[other] for other in section_of(rows, number)),
                    max(near[other] for other in window_of(rows, number, len(rows))),
                )
        ids = sorted(found)
        columns = {name: [found[one][place] for one in ids] for place, name in enumerate(CONTEXT_COLUMNS)}
        return ContextScores(chunk_ids=ids, **columns, total=math.fsum(idfs.values()))

    def kin(self, chunk_ids: Sequence[str], *, principal: Principal) -> dict[str, Kin]:
        wanted = set(chunk_ids)
        rows = sorted((row for row in self._rows(principal) if row.chunk.id in wanted), key=lambda row: row.chunk.id)
        numbers: dict[str, int] = {}
        return {
            row.chunk.id: Kin(numbers.setdefault(row.chunk.document_id, len(numbers)), likeness)
            for row, likeness in zip(rows, likenesses(rows), strict=True)
        }

    def term_weights(
        self, terms: Sequence[str], chunk_ids: Sequence[str], *, principal: Principal, where: Condition | None = None
    ) -> dict[str, dict[str, float]]:
        wanted, rows = set(chunk_ids), self._rows(principal, where)
        weighed = zip(rows, weights_of(terms, rows), strict=True)
        return {row.chunk.id: weights for row, weights in weighed if row.chunk.id in wanted}

    def dense(
        self,
        vector: Vector,
        *,
        principal: Principal,
        limit: int,
        where: Condition | None = None,
        words: TermFilter | None = None,
    ) -> list[Scored]:
        rows = self._rows(principal, where)
        check_query(vector, {len(row.vector) for row in rows})
        found = [Scored(row.chunk.id, cosine(row.vector, vector)) for row in rows if allowed(row, words)]
        return best_first(found, limit)

    def dense_scores(self, vector: Vector, chunk_ids: Sequence[str], *, principal: Principal) -> dict[str, float]:
        wanted = set(chunk_ids)
        rows = [row for row in self._rows(principal) if row.chunk.id in wanted]
        check_query(vector, {len(row.vector) for row in rows})
        return {row.chunk.id: cosine(row.vector, vector) for row in rows}

    def located(self, chunk_ids: Sequence[str], *, principal: Principal) -> dict[str, Located]:
        wanted = set(chunk_ids)
        result = {}
        for row in self._rows(principal):
            if row.chunk.id in wanted:
                document = self.entries[row.chunk.document_id].document
                place = document.place(row.chunk.span)
                result[row.chunk.id] = Located(chunk=row.chunk, place=place, metadata=document.metadata)
        return result

    def document(self, document_id: str, *, principal: Principal) -> Document | None:
        entry = self.entries.get(document_id)
        if entry is None or not principal.may_see(groups_of(entry.document.metadata)):
            return None
        return entry.document

    def text(self, document_id: str, *, principal: Principal) -> str | None:
        document = self.document(document_id, principal=principal)
        return document.text if document else None

    def chunks(self, document_id: str, *, principal: Principal) -> list[Chunk]:
        visible = self.document(document_id, principal=principal)
        return list(self.entries[document_id].chunks) if visible else []

    def fields(self, *, principal: Principal) -> dict[str, frozenset[FieldKind]]:
        found: dict[str, set[FieldKind]] = {}
        for entry in self.entries.values():
            if principal.may_see(groups_of(entry.document.metadata)):
                for name, value in entry.document.metadata.items():
                    found.setdefault(name, set()).add(kind_of(value))
        return {name: frozenset(kinds) for name, kinds in sorted(found.items())}

    def document_frequencies(self, terms: Sequence[str], *, principal: Principal) -> tuple[int, dict[str, int]]:
        rows = self._rows(principal)
        return len(rows), {term: sum(term in row.terms for row in rows) for term in terms}

    def setting(self, name: str) -> Any:
        return json.loads(self.settings.get(name, "null"))
