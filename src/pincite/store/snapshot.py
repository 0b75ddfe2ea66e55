"""One version of the index file, as one principal after another may see it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from pincite.model import Chunk, Condition, Document, FieldKind, Located, Principal, Scored
from pincite.store.conditions import WRITTEN, documents_where
from pincite.store.database import Database, damaged
from pincite.store.entry import check_query
from pincite.store.rows import (
    SELECT_CHUNKS,
    SELECT_DOCUMENT,
    chunk_from,
    chunks_from,
    document_from,
    metadata_from,
    place_from,
)
from pincite.store.scoring import Permitted, best, bm25, cosines
from pincite.store.segment import Segment, build

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pincite.ports import Vector


Result = TypeVar("Result")


@dataclass(frozen=True, slots=True, eq=False)
class SqliteSnapshot:
    """Lives inside one read transaction; ``find_segment`` gives the segment of its version."""

    database: Database
    find_segment: Callable[[Database], Segment]
    _segments: list[Segment] = field(init=False, default_factory=list)
    _permitted: dict[tuple[Principal, Condition | None], Permitted] = field(init=False, default_factory=dict)

    def lexical(
        self, terms: Sequence[str], *, principal: Principal, limit: int, where: Condition | None = None
    ) -> list[Scored]:
        """BM25 over the permitted rows; each distinct term counts once."""
        return self._sound(lambda: self._lexical(terms, principal, limit, where))

    def _lexical(self, terms: Sequence[str], principal: Principal, limit: int, where: Condition | None) -> list[Scored]:
        numbers = self._numbers(terms)
        segment, permitted = self._segment(), self._permitted_to(principal, where)
        scores = bm25(segment, permitted, [numbers[term] for term in sorted(numbers)])
        return self._scored(np.flatnonzero(scores), scores[scores > 0], limit)

    def dense(
        self, vector: Vector, *, principal: Principal, limit: int, where: Condition | None = None
    ) -> list[Scored]:
        return self._sound(lambda: self._dense(vector, principal, limit, where))

    def _dense(self, vector: Vector, principal: Principal, limit: int, where: Condition | None) -> list[Scored]:
        segment, permitted = self._segment(), self._permitted_to(principal, where)
        query = np.asarray(vector, dtype=np.float32)
        check_query(query, permitted.dimensions)
        scores = cosines(segment.vectors, query, None if permitted.everything else permitted.rows)
        return self._scored(permitted.rows, scores, limit)

    def dense_scores(self, vector: Vector, chunk_ids: Sequence[str], *, principal: Principal) -> dict[str, float]:
        return self._sound(lambda: self._dense_scores(vector, chunk_ids, principal))

    def _dense_scores(self, vector: Vector, chunk_ids: Sequence[str], principal: Principal) -> dict[str, float]:
        found = list(self.database.rows_among("SELECT row, id FROM chunks WHERE id IN ({})", sorted(set(chunk_ids))))
        segment, permitted = self._segment(), self._permitted_to(principal)
        rows = segment.rows_of(np.array([row for row, _ in found], dtype=np.int64))
        seen = permitted.mask[rows]
        query = np.asarray(vector, dtype=np.float32)
        check_query(query, set(segment.dimensions[segment.chunk_documents[rows[seen]]].tolist()))
        ids = [chunk_id for (_, chunk_id), kept in zip(found, seen.tolist(), strict=True) if kept]
        return dict(zip(ids, cosines(segment.vectors, query, rows[seen]).tolist(), strict=True))

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

    def chunks(self, document_id: str, *, principal: Principal) -> list[Chunk]:
        found = self.database.row("SELECT row, text FROM documents WHERE id = ?", (document_id,))
        if found is None or not self._seen({found[0]}, principal):
            return []
        return chunks_from(self.database, found[0], document_id, found[1])

    def document_frequencies(self, terms: Sequence[str], *, principal: Principal) -> tuple[int, dict[str, int]]:
        return self._sound(lambda: self._document_frequencies(terms, principal))

    def _document_frequencies(self, terms: Sequence[str], principal: Principal) -> tuple[int, dict[str, int]]:
        numbers = self._numbers(terms)
        segment, permitted = self._segment(), self._permitted_to(principal)
        frequencies = {}
        for term in terms:
            rows, _ = permitted.among(*segment.postings(numbers.get(term, 0)))
            frequencies[term] = len(rows)
        return len(permitted.rows), frequencies

    def _sound(self, search: Callable[[], Result]) -> Result:
        """A segment that points at rows that are not there is made anew from the file; when that does not help, the
        file itself is damaged."""
        try:
            return search()
        except (KeyError, IndexError):
            try:
                self._segments[:] = [build(self.database)]
                self._permitted.clear()
                return search()
            except (KeyError, IndexError, ValueError) as error:
                raise damaged(self.database.file, f"its rows do not fit together: {error!r}") from error

    def _segment(self) -> Segment:
        if not self._segments:
            self._segments.append(self.find_segment(self.database))
        return self._segments[0]

    def _numbers(self, terms: Iterable[str]) -> dict[str, int]:
        """The numbers of the terms that are known; they count from 1."""
        return dict(self.database.rows_among("SELECT term, id FROM terms WHERE term IN ({})", sorted(set(terms))))

    def _permitted_to(self, principal: Principal, where: Condition | None = None) -> Permitted:
        """Asked of documents, never of chunks: there are far fewer."""
        key = principal, where
        if key not in self._permitted:
            documents = self._documents_of(principal)
            if where is not None:
                fulfilling = documents_where(where, self.database.rows)
                documents = np.intersect1d(documents, np.fromiter(fulfilling, dtype=np.int64))
            self._permitted[key] = Permitted.of(self._segment(), documents)
        return self._permitted[key]

    def _documents_of(self, principal: Principal) -> NDArray[np.int64]:
        """Rows of the documents that the principal may see; one in several of their groups several times."""
        rows = self.database.rows_among(
            "SELECT document FROM document_groups WHERE grp IN ({})", sorted(principal.groups)
        )
        return np.fromiter((row for (row,) in rows), dtype=np.int64)

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

    def _scored(self, rows: NDArray[np.int64], scores: NDArray[Any], limit: int) -> list[Scored]:
        segment = self._segment()
        chosen = best(scores, segment.ranks[rows], limit)
        chunk_rows = segment.chunk_rows[rows[chosen]].tolist()
        ids = dict(self.database.rows_among("SELECT row, id FROM chunks WHERE row IN ({})", chunk_rows))
        pairs = zip(chunk_rows, scores[chosen].tolist(), strict=True)
        return [Scored(ids[chunk_row], score) for chunk_row, score in pairs]
