"""Documents, chunks and terms as rows of the index file, and back."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pincite.model import Chunk, Document, Metadata, Place, Span, metadata_from_json
from pincite.ports import Entry
from pincite.store.database import Database
from pincite.store.entry import digest_of
from pincite.store.halves import HALF

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pincite.store.halves import Halves

INTEGER = np.dtype("<i4")

INSERT_DOCUMENT = """
    INSERT INTO documents (id, source, media_type, metadata, warnings, places, blocks, text,
    root, sha256, made_by, chunks) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
SELECT_DOCUMENT = """
    SELECT row, id, source, media_type, metadata, warnings, places, blocks, text FROM documents WHERE id = ?"""
INSERT_CHUNK = """
    INSERT INTO chunks (id, number, start, "end", parent_start, parent_end, level, tokens, headings, prefix,
    place, digest, document) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
SELECT_CHUNKS_OF = """
    SELECT id, number, start, "end", parent_start, parent_end, level, tokens, headings, prefix
    FROM chunks WHERE document = ? ORDER BY number"""
SELECT_CHUNKS = """
    SELECT document, place, id, number, start, "end", parent_start, parent_end, level, tokens, headings, prefix
    FROM chunks WHERE id IN ({})"""
SELECT_VECTORS = """
    SELECT chunks.row, digest, dimension, substr(data, (number - 1) * dimension * 2 + 1, dimension * 2)
    FROM chunks JOIN vectors USING (document) WHERE digest IN ({})"""


def json_text(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def document_values(entry: Entry) -> tuple[Any, ...]:
    """For ``INSERT_DOCUMENT``."""
    document = entry.document
    data = document.to_json()
    listed = (json_text(data[name]) for name in ("metadata", "warnings", "places", "blocks"))
    kept = (entry.root, entry.sha256, entry.made_by, len(entry.chunks))
    return (document.id, document.source, document.media_type, *listed, document.text, *kept)


def document_from(values: Sequence[Any]) -> Document:
    """From ``SELECT_DOCUMENT``."""
    _, document_id, source, media_type, metadata, warnings, places, blocks, text = values
    return Document.from_json(
        {
            "id": document_id,
            "source": source,
            "media_type": media_type,
            "metadata": json.loads(metadata),
            "warnings": json.loads(warnings),
            "places": json.loads(places),
            "blocks": json.loads(blocks),
            "text": text,
        }
    )


def metadata_from(text: str) -> Metadata:
    return metadata_from_json(json.loads(text))


def setting_of(database: Database, name: str) -> Any:
    row = database.row("SELECT value FROM settings WHERE name = ?", (name,))
    return database.decoded(json.loads, row[0]) if row else None


def place_from(text: str) -> Place:
    return Place.from_json(json.loads(text))


def chunk_values(entry: Entry) -> Iterator[tuple[Any, ...]]:
    """For ``INSERT_CHUNK``, all but the document's row."""
    for chunk, embedded in zip(entry.chunks, entry.embedded, strict=True):
        parent = (chunk.parent.start, chunk.parent.end) if chunk.parent else (None, None)
        yield (
            *(chunk.id, chunk.number, chunk.span.start, chunk.span.end, *parent, chunk.level, chunk.tokens),
            *(json_text(chunk.headings), chunk.prefix),
            *(json_text(entry.document.place(chunk.span).to_json()), digest_of(embedded)),
        )


def chunk_from(values: Sequence[Any], *, document_id: str, text: str) -> Chunk:
    """From ``SELECT_CHUNKS_OF``; ``text`` is the document's."""
    chunk_id, number, start, end, parent_start, parent_end, level, tokens, headings, prefix = values
    span = Span(start, end)
    return Chunk(
        id=chunk_id,
        document_id=document_id,
        number=number,
        span=span,
        text=span.of(text),
        prefix=prefix,
        headings=tuple(json.loads(headings)),
        level=level,
        tokens=tokens,
        parent=None if parent_start is None else Span(parent_start, parent_end),
    )


def chunks_from(database: Database, document: int, document_id: str, text: str) -> list[Chunk]:
    """All chunks of the document of that row, in order."""
    rows = database.rows(SELECT_CHUNKS_OF, (document,))
    return [database.decoded(chunk_from, values, document_id=document_id, text=text) for values in rows]


def forward_values(chunk_terms: Iterable[Sequence[str]], ids: Mapping[str, int]) -> tuple[bytes, bytes, bytes]:
    """How many distinct terms each chunk has; then chunk by chunk their ids, ascending, and frequencies, these with
    as few bytes as do."""
    counts: list[int] = []
    terms: list[int] = []
    frequencies: list[int] = []
    for chunk in chunk_terms:
        counted = sorted((ids[term], frequency) for term, frequency in Counter(chunk).items())
        counts.append(len(counted))
        terms.extend(term for term, _ in counted)
        frequencies.extend(frequency for _, frequency in counted)
    wide = [np.array(numbers, dtype=INTEGER) for numbers in (counts, terms, frequencies)]
    return wide[0].tobytes(), wide[1].tobytes(), packed_frequencies(wide[2])


def packed_frequencies(frequencies: NDArray[np.int32]) -> bytes:
    """With as many bytes for each, 1, 2 or 4, as the largest needs."""
    narrow = np.min_scalar_type(int(frequencies.max(initial=0)))
    return frequencies.astype(narrow.newbyteorder("<")).tobytes()


def frequencies_from(data: bytes, number: int) -> NDArray[np.int32]:
    """So many of them.

    >>> frequencies_from(packed_frequencies(np.array([1, 300])), 2).tolist()
    [1, 300]
    """
    width = len(data) // max(number, 1) or 1
    if len(data) != number * width or width > INTEGER.itemsize:
        raise ValueError(f"{number} terms and {len(data)} bytes of frequencies")
    return np.frombuffer(data, dtype=f"<u{width}").astype(np.int32)


def integers_from(data: bytes) -> NDArray[np.int32]:
    return np.frombuffer(data, dtype=INTEGER)


def forward_from(counts: bytes, terms: bytes, frequencies: bytes) -> tuple[NDArray[np.int32], ...]:
    """What ``forward_values`` gave."""
    numbers = integers_from(terms)
    return integers_from(counts), numbers, frequencies_from(frequencies, len(numbers))


def vectors_from(data: bytes, dimension: int) -> Halves:
    numbers = np.frombuffer(data, dtype=HALF)
    return numbers.reshape(-1, dimension) if dimension else numbers.reshape(0, 0)


def vector_from(data: bytes | None, dimension: int) -> Halves:
    """Of one chunk, as ``SELECT_VECTORS`` cuts it out of the matrix: of nothing SQLite cuts out NULL."""
    return np.frombuffer(data or b"", dtype=HALF).reshape(dimension)
