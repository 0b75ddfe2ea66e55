"""One version of the index file, as one principal after another may see it."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np

from pincite.model import Chunk, Condition, Document, FieldKind, Located, Principal, Scored, TermFilter
from pincite.ports import ContextScores, Kin
from pincite.store.conditions import WRITTEN, documents_where
from pincite.store.context import idfs_of, in_context, joined
from pincite.store.database import Database, damaged
from pincite.store.entry import check_query
from pincite.store.kinship import kin_of
from pincite.store.nearest import cosines, nearest
from pincite.store.rows import (
    SELECT_CHUNKS,
    SELECT_DOCUMENT,
    chunk_from,
    chunks_from,
    document_from,
    metadata_from,
    place_from,
    setting_of,
)
from pincite.store.scoring import Best, Found, Part, Permitted, best, bm25, distinct, highest, shares
from pincite.store.segment import LAST_ROW, Segment, build, ids_from

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pincite.ports import Vector


Result = TypeVar("Result")
Key = TypeVar("Key")
Asked: TypeAlias = tuple[Principal, str]
"""Who asks, and the condition as text: conditions that are equal (``1`` and ``True``) may not compare alike."""
MAX_KNOWN = 16


@dataclass(slots=True)
class Known:
    """What was found out about one version."""

    permitted: dict[Asked, Permitted] = field(default_factory=dict)
    documents: dict[Principal, NDArray[np.int64]] = field(default_factory=dict)

    def clear(self) -> None:
        self.permitted.clear()
        self.documents.clear()


DOCUMENTS_OF_GROUPS = "SELECT group_concat(document) FROM document_groups WHERE grp IN ({})"
"""One row of text is read several times faster than thousands of rows."""


@dataclass(frozen=True, slots=True, eq=False)
class SqliteSnapshot:
    """Lives inside one read transaction; ``find_segments`` gives those of its version, in the order of their rows,
    with every document in one of them."""

    database: Database
    find_segments: Callable[[], tuple[Segment, ...]]
    known: Known
    """What was found out about this version already, by this snapshot or another."""
    _segments: list[tuple[Segment, ...]] = field(init=False, default_factory=list)

    def lexical(
        self,
        terms: Sequence[str],
        *,
        principal: Principal,
        limit: int,
        where: Condition | None = None,
        words: TermFilter | None = None,
    ) -> list[Scored]:
        """BM25 over the permitted rows; each distinct term counts once."""

        def search() -> list[Scored]:
            numbers = self._numbers(terms)
            permitted = self._permitted_to(principal, where)
            scores = bm25(permitted, [numbers[term] for term in sorted(numbers)])
            ranked = self._ranked(permitted, words)
            if words is not None:
                scores = [values * part.mask for part, values in zip(ranked, scores, strict=True)]
            rows = highest(scores, limit)
            found = [
                Found(part.segment, some, values[some]) for part, some, values in zip(ranked, rows, scores, strict=True)
            ]
            return self._named(best(found, limit), limit)

        return self._sound(search)

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
        query = np.asarray(vector, dtype=np.float32)

        def search() -> ContextScores:
            permitted = self._permitted_to(principal, where)
            check_query(query, permitted.dimensions)
            numbers = self._numbers(terms)
            idfs = idfs_of(permitted, terms, numbers)
            candidates: dict[int, list[int]] = {}
            for number, row in self._places(chunk_ids, permitted).values():
                candidates.setdefault(number, []).append(row)
            known = {numbers[term]: idf for term, idf in idfs.items() if term in numbers}
            found = in_context(permitted, self._ranked(permitted, words), candidates, query, known)
            return joined(found, [self._ids(part.segment, part.rows) for part in found], math.fsum(idfs.values()))

        return self._sound(search)

    def kin(self, chunk_ids: Sequence[str], *, principal: Principal) -> dict[str, Kin]:
        def search() -> dict[str, Kin]:
            permitted = self._permitted_to(principal)
            return kin_of(permitted.parts, self._places(chunk_ids, permitted))

        return self._sound(search)

    def term_weights(
        self, terms: Sequence[str], chunk_ids: Sequence[str], *, principal: Principal, where: Condition | None = None
    ) -> dict[str, dict[str, float]]:
        def search() -> dict[str, dict[str, float]]:
            numbers = self._numbers(terms)
            permitted = self._permitted_to(principal, where)
            places = self._places(chunk_ids, permitted)
            weights: dict[str, dict[str, float]] = {chunk_id: {} for chunk_id in places}
            for term in sorted(numbers):
                found = list(shares(permitted, numbers[term]))
                for chunk_id, (number, row) in places.items():
                    rows, values = found[number]
                    at = int(np.searchsorted(rows, row))
                    if at < len(rows) and rows[at] == row:
                        weights[chunk_id][term] = float(values[at])
            return weights

        return self._sound(search)

    def dense(
        self,
        vector: Vector,
        *,
        principal: Principal,
        limit: int,
        where: Condition | None = None,
        words: TermFilter | None = None,
    ) -> list[Scored]:
        query = np.asarray(vector, dtype=np.float32)

        def search() -> list[Scored]:
            permitted = self._permitted_to(principal, where)
            check_query(query, permitted.dimensions)
            return self._named(best(nearest(self._ranked(permitted, words), query, limit), limit), limit)

        return self._sound(search)

    def dense_scores(self, vector: Vector, chunk_ids: Sequence[str], *, principal: Principal) -> dict[str, float]:
        query = np.asarray(vector, dtype=np.float32)

        def search() -> dict[str, float]:
            permitted = self._permitted_to(principal)
            scores = {}
            for chunk_id, (number, row) in self._places(chunk_ids, permitted).items():
                segment = permitted.parts[number].segment
                check_query(query, {int(segment.dimensions[segment.chunk_documents[row]])})
                scores[chunk_id] = float(cosines(segment.vectors_of(np.array([row])), query)[0])
            return scores

        return self._sound(search)

    def located(self, chunk_ids: Sequence[str], *, principal: Principal) -> dict[str, Located]:
        found = list(self.database.rows_among(SELECT_CHUNKS, set(chunk_ids)))
        documents = self._texts({row[0] for row in found}, principal)
        result = {}
        for document, place, *values in found:
            if document in documents:
                document_id, metadata, text = documents[document]
                chunk = self.database.decoded(chunk_from, values, document_id=document_id, text=text)
                place = self.database.decoded(place_from, place)
                result[chunk.id] = Located(chunk=chunk, place=place, metadata=metadata)
        return result

    def document(self, document_id: str, *, principal: Principal) -> Document | None:
        found = self.database.row(SELECT_DOCUMENT, (document_id,))
        if found is None or not self._seen({found[0]}, principal):
            return None
        return self.database.decoded(document_from, found)

    def text(self, document_id: str, *, principal: Principal) -> str | None:
        found = self._row_and_text(document_id, principal)
        return found[1] if found else None

    def chunks(self, document_id: str, *, principal: Principal) -> list[Chunk]:
        found = self._row_and_text(document_id, principal)
        return chunks_from(self.database, found[0], document_id, found[1]) if found else []

    def _row_and_text(self, document_id: str, principal: Principal) -> tuple[int, str] | None:
        found = self.database.row("SELECT row, text FROM documents WHERE id = ?", (document_id,))
        return (found[0], found[1]) if found and self._seen({found[0]}, principal) else None

    def document_frequencies(self, terms: Sequence[str], *, principal: Principal) -> tuple[int, dict[str, int]]:
        def search() -> tuple[int, dict[str, int]]:
            numbers = self._numbers(terms)
            permitted = self._permitted_to(principal)
            counts = {
                term: sum(len(part.postings(numbers.get(term, 0))[0]) for part in permitted.parts) for term in terms
            }
            return permitted.number, counts

        return self._sound(search)

    def setting(self, name: str) -> Any:
        return setting_of(self.database, name)

    def _sound(self, search: Callable[[], Result]) -> Result:
        """Segments that do not fit to the rows of the file are made anew from it; when that does not help, the file
        itself is damaged."""
        try:
            return search()
        except (KeyError, IndexError):
            try:
                self._segments[:] = [(build(self.database, 1, LAST_ROW),)]
                self.known.clear()
                return search()
            except (KeyError, IndexError, ValueError) as error:
                raise damaged(self.database.file, f"its rows do not fit together: {error!r}") from error

    def _all_segments(self) -> tuple[Segment, ...]:
        if not self._segments:
            self._segments.append(self.find_segments())
        return self._segments[0]

    def _ranked(self, permitted: Permitted, words: TermFilter | None) -> tuple[Part, ...]:
        if words is None:
            return permitted.parts
        numbers = self._numbers(words.required | words.excluded)
        # 0 is the number of no term
        required = [numbers.get(term, 0) for term in words.required]
        return permitted.having(required, [numbers[term] for term in words.excluded if term in numbers])

    def _places(self, chunk_ids: Sequence[str], permitted: Permitted) -> dict[str, tuple[int, int]]:
        """For those of the chunks that take part the number of the part and the row in its segment."""
        sql = "SELECT id, document, row FROM chunks WHERE id IN ({})"
        firsts = [part.segment.first for part in permitted.parts]
        places = {}
        for chunk_id, document, chunk_row in self.database.rows_among(sql, sorted(set(chunk_ids))):
            number = bisect_right(firsts, document) - 1
            row = permitted.parts[number].segment.position(chunk_row)
            if permitted.parts[number].mask[row]:
                places[chunk_id] = (number, row)
        return places

    def _numbers(self, terms: Iterable[str]) -> dict[str, int]:
        """The numbers of the terms that are known; they count from 1."""
        return dict(self.database.rows_among("SELECT term, id FROM terms WHERE term IN ({})", sorted(set(terms))))

    def _permitted_to(self, principal: Principal, where: Condition | None = None) -> Permitted:
        """Asked of documents, never of chunks: there are far fewer."""
        key = principal, repr(where)
        permitted = self.known.permitted.get(key)
        if permitted is None:
            documents = self._documents_of(principal)
            if where is not None:
                fulfilling = documents_where(where, self.database.rows)
                documents = np.intersect1d(documents, np.fromiter(fulfilling, dtype=np.int64), assume_unique=True)
            permitted = remembered(self.known.permitted, key, Permitted.of(self._all_segments(), documents))
        return permitted

    def _documents_of(self, principal: Principal) -> NDArray[np.int64]:
        """Rows of the documents that the principal may see, ascending."""
        documents = self.known.documents.get(principal)
        if documents is None:
            found = self.database.numbers_among(DOCUMENTS_OF_GROUPS, sorted(principal.groups))
            documents = remembered(self.known.documents, principal, distinct(np.sort(found)))
        return documents

    def fields(self, *, principal: Principal) -> dict[str, frozenset[FieldKind]]:
        permitted = set(self._documents_of(principal).tolist())
        found: dict[str, set[FieldKind]] = {}
        for name, kind, document in self.database.rows(
            "SELECT DISTINCT name, kind, document FROM document_metadata WHERE kind != ?", (WRITTEN,)
        ):
            if document in permitted:
                found.setdefault(name, set()).add(kind)
        return {name: frozenset(kinds) for name, kinds in sorted(found.items())}

    def _seen(self, documents: set[int], principal: Principal) -> set[int]:
        """Those documents that the principal may see."""
        rows = self.database.rows_among("SELECT document, grp FROM document_groups WHERE document IN ({})", documents)
        return {document for document, group in rows if group in principal.groups}

    def _texts(self, documents: set[int], principal: Principal) -> dict[int, tuple[str, Any, str]]:
        """Id, metadata and text of those documents that the principal may see."""
        rows = self.database.rows_among(
            "SELECT row, id, metadata, text FROM documents WHERE row IN ({})", self._seen(documents, principal)
        )
        return {row: (name, self.database.decoded(metadata_from, metadata), text) for row, name, metadata, text in rows}

    def _named(self, found: Best, limit: int) -> list[Scored]:
        """With the ids of the chunks, which settle what their keys left open."""
        names = self._whole(found.ids, found.chunk_rows)
        scored = [Scored(name, score) for name, score in zip(names, found.scores, strict=True)]
        return sorted(scored, key=lambda hit: (-hit.score, hit.chunk_id))[: max(limit, 0)]

    def _ids(self, segment: Segment, rows: NDArray[np.int64]) -> list[str]:
        return self._whole(ids_from(segment.keys[rows], segment.id_bytes[rows]), segment.chunk_rows[rows].tolist())

    def _whole(self, ids: Sequence[str | None], chunk_rows: Sequence[int]) -> list[str]:
        """The ids, those looked up that are longer than their keys."""
        long = [row for row, name in zip(chunk_rows, ids, strict=True) if name is None]
        found = dict(self.database.rows_among("SELECT row, id FROM chunks WHERE row IN ({})", long))
        return [found[row] if name is None else name for row, name in zip(chunk_rows, ids, strict=True)]


def remembered(known: dict[Key, Result], key: Key, value: Result) -> Result:
    """Puts the value among the known ones, the oldest of which go."""
    for oldest in list(known)[: len(known) + 1 - MAX_KNOWN]:
        known.pop(oldest, None)
    known[key] = value
    return value
