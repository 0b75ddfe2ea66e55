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

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pincite.ports import Vectors

FLOAT = np.dtype("<f4")
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
    SELECT chunks.row, digest, dimension, substr(data, (number - 1) * dimension * 4 + 1, dimension * 4)
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
    """How many distinct terms each chunk has; then chunk by chunk their ids, ascending, and frequencies."""
    counts: list[int] = []
    terms: list[int] = []
    frequencies: list[int] = []
    for chunk in chunk_terms:
        counted = sorted((ids[term], frequency) for term, frequency in Counter(chunk).items())
        counts.append(len(counted))
        terms.extend(term for term, _ in counted)
        frequencies.extend(frequency for _, frequency in counted)
    packed = [np.array(numbers, dtype=INTEGER).tobytes() for numbers in (counts, terms, frequencies)]
    return packed[0], packed[1], packed[2]


def integers_from(data: bytes) -> NDArray[np.int32]:
    return np.frombuffer(data, dtype=INTEGER)


def vectors_from(data: bytes, dimension: int) -> Vectors:
    numbers = np.frombuffer(data, dtype=FLOAT)
    return numbers.reshape(-1, dimension) if dimension else numbers.reshape(0, 0)
