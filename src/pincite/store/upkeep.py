"""What a writer does behind its commits: segments for new documents, fewer and smaller ones for old documents, and
words that stand in no document any more out of the file.

Nothing of it is needed to find what is in the index: when it fails, the next writer does it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pincite.errors import CollectionError, LockedError
from pincite.store import segment_files
from pincite.store.database import Database, empty_log, numbers_from
from pincite.store.listing import Listed, gaps, listed, pieces
from pincite.store.merging import chosen, merged
from pincite.store.rows import integers_from
from pincite.store.schema import meta
from pincite.store.segment import LAST_ROW, Segment, build
from pincite.store.segment_files import name_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

TAIL_CHUNKS = 256
TAIL_DOCUMENTS = 32
"""So many new chunks or documents stay without a segment: each process that searches reads them from the index file,
which takes it a few milliseconds; a segment of its own for every little change would cost the writer more."""
SEGMENT_CHUNKS = 4096
"""So many new chunks get a segment while the writer goes on."""
DOCUMENTS_BETWEEN = """
    SELECT group_concat(document) FROM (
    SELECT DISTINCT document FROM document_groups WHERE document BETWEEN ? AND ?)"""
"""Every document has a group, and this index is far smaller than the table of documents."""
logger = logging.getLogger("pincite.store")


@dataclass(frozen=True, slots=True, eq=False)
class Whole:
    """A segment that can be read, and those of its documents that are still there, ascending."""

    listing: Listed
    segment: Segment
    documents: NDArray[np.int64]

    @property
    def kept(self) -> int:
        """How many of the rows belong to documents that are still there."""
        if len(self.documents) == len(self.segment.documents):
            return len(self.segment)
        still = np.isin(self.segment.documents, self.documents, assume_unique=True)
        return int(np.count_nonzero(still[self.segment.chunk_documents]))


@dataclass(slots=True)
class Upkeep:
    """``folder`` has the segments; only whoever holds the collection's lock may use this."""

    folder: Path
    new_chunks: int = 0
    removed: bool = False

    def after(self, database: Database, chunks: int) -> None:
        """Behind a commit with so many new chunks."""
        self.new_chunks += chunks
        if self.new_chunks >= SEGMENT_CHUNKS:
            with optional(self.folder):
                self._mended(database, self._divide)

    def finish(self, database: Database) -> None:
        with optional(self.folder):
            self._mended(database, self._tidy)
            # It still has the pages as they were, with what was removed.
            empty_log(database)
        segment_files.clean(self.folder, keep={segment.name for segment in listed(database)})

    def _mended(self, database: Database, work: Callable[[Database], None]) -> None:
        """Once more without the segments whose bytes are not those that were written, where these come in the way."""
        try:
            work(database)
        except (IndexError, ValueError):
            damaged = self._damaged(self._whole(database))
            if not damaged:
                raise
            self._list(database, remove=damaged, add=[])
            work(database)

    def _divide(self, database: Database) -> None:
        self._merge(database, self._add_segments(database, self._whole(database)))

    def _tidy(self, database: Database) -> None:
        whole = self._whole(database)
        if self._worth_a_segment(database, whole):
            whole = self._add_segments(database, whole)
        whole = self._merge(database, whole)
        if database.row("SELECT 1 FROM removed"):
            self.removed = True
            self._drop_unused_terms(database, whole)

    def _whole(self, database: Database) -> list[Whole]:
        """The listed segments that can be read and have every document of their range."""
        found = []
        for listing in listed(database):
            segment = segment_files.read(self.folder, listing.name)
            text = database.row(DOCUMENTS_BETWEEN, (listing.first, listing.last))[0]
            documents = np.sort(database.decoded(numbers_from, text or ""))
            if segment is not None and np.isin(documents, segment.documents, assume_unique=True).all():
                found.append(Whole(listing, segment, documents))
        return found

    def _worth_a_segment(self, database: Database, whole: list[Whole]) -> bool:
        for gap in gaps_between(whole):
            sql = "SELECT count(*), total(chunks) FROM documents WHERE row BETWEEN ? AND ?"
            documents, chunks = database.row(sql, gap)
            if documents and (gap[1] < LAST_ROW or documents >= TAIL_DOCUMENTS or chunks >= TAIL_CHUNKS):
                return True
        return False

    def _add_segments(self, database: Database, whole: list[Whole]) -> list[Whole]:
        self.new_chunks = 0
        readable = {segment.listing for segment in whole}
        self._list(database, remove=[listing for listing in listed(database) if listing not in readable], add=[])
        state = str(meta(database)["state"])
        for gap in gaps_between(whole):
            for first, last in list(pieces(database, gap, chunks=SEGMENT_CHUNKS)):
                with database.reading():
                    segment = build(database, first, last)
                self._write(
                    database, [], Listed(first, last, name_of(self.folder, first, last, state)), segment.blocks()
                )
        return self._whole(database)

    def _merge(self, database: Database, whole: list[Whole]) -> list[Whole]:
        while len(whole) == len(listed(database)):  # else one is broken, and is made anew first
            found = chosen([len(part.segment) for part in whole], [part.kept for part in whole])
            if found is None:
                break
            some = whole[slice(*found)]
            if damaged := self._damaged(some):
                self._list(database, remove=damaged, add=[])
                whole = self._add_segments(database, self._whole(database))
                continue
            if not sum(part.kept for part in some):
                self._list(database, remove=[part.listing for part in some], add=[])
                whole = self._whole(database)
                continue
            blocks = merged([part.segment for part in some], np.concatenate([part.documents for part in some]))
            first, last = some[0].listing.first, some[-1].listing.last
            new = Listed(first, last, name_of(self.folder, first, last, str(meta(database)["state"])))
            self._write(database, [part.listing for part in some], new, blocks)
            whole = self._whole(database)
        return whole

    def _damaged(self, some: list[Whole]) -> list[Listed]:
        """Those with other bytes than were written: merged they would get a sum that says that all is well."""
        return [part.listing for part in some if segment_files.problems(self.folder, [part.listing.name])]

    def _write(
        self, database: Database, old: list[Listed], new: Listed, blocks: Iterable[tuple[str, NDArray[Any]]]
    ) -> None:
        segment_files.write(self.folder, new.name, first=new.first, last=new.last, blocks=blocks)
        self._list(database, remove=old, add=[new])

    def _list(self, database: Database, *, remove: list[Listed], add: list[Listed]) -> None:
        if remove or add:
            with database.writing():
                database.run_many("DELETE FROM segments WHERE first = ?", [(segment.first,) for segment in remove])
                database.run_many("INSERT INTO segments VALUES (?, ?, ?)", add)

    def _drop_unused_terms(self, database: Database, whole: list[Whole]) -> None:
        """Of the words in removed documents those that stand in no other."""
        blobs = [integers_from(row[0]) for row in database.rows("SELECT terms FROM removed")]
        terms = np.unique(np.concatenate(blobs)).astype(np.int64)
        for part in whole:
            terms = terms[~in_use(part, terms)]
        for gap in gaps_between(whole):
            for (blob,) in database.rows("SELECT terms FROM forward WHERE document BETWEEN ? AND ?", gap):
                terms = np.setdiff1d(terms, integers_from(blob))
        with database.writing():
            database.run_many("DELETE FROM terms WHERE id = ?", ((term,) for term in terms.tolist()))
            database.run("DELETE FROM removed")


def gaps_between(whole: Iterable[Whole]) -> Iterator[tuple[int, int]]:
    return gaps((part.listing.first, part.listing.last) for part in whole)


def in_use(part: Whole, terms: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which of the terms occur in the documents that are still there."""
    segment = part.segment
    live = np.isin(segment.documents, part.documents, assume_unique=True)[segment.chunk_documents]
    used = np.zeros(len(terms), dtype=np.bool_)
    here = np.flatnonzero(np.isin(terms, segment.terms, assume_unique=True))
    at = np.searchsorted(segment.terms, terms[here])
    used[here] = live[segment.posting_rows[segment.offsets[at]]]  # the first posting settles most
    for index in here[~used[here]].tolist():
        used[index] = bool(live[segment.postings(int(terms[index]))[0]].any())
    return used


@contextmanager
def optional(folder: Path) -> Iterator[None]:
    """A disk that is full costs speed, not the commit."""
    try:
        yield
    except OSError as error:
        logger.warning("no search segment was written to %s: %s", folder, error)
    except (CollectionError, LockedError) as error:
        if error.kind not in ("disk", "locked"):
            raise
        logger.warning("the index at %s was not tidied: %s", folder.parent, error.problem)
