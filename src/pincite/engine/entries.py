"""From chunks and vectors to what a store keeps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pincite.engine.chunking import metadata_line
from pincite.model import Chunk, Document, join_prefix
from pincite.ports import Analyser, Entry
from pincite.text.language import language_of

if TYPE_CHECKING:
    from pincite.ports import Vectors


def embedded_texts(document: Document, chunks: Sequence[Chunk], metadata: Sequence[str]) -> list[str]:
    """What is embedded and indexed for each chunk: the chosen metadata, then prefix and text."""
    head = metadata_line(document, metadata)
    return [join_prefix(head, chunk.embedded) for chunk in chunks]


def entry_of(
    document: Document,
    chunks: Sequence[Chunk],
    texts: Sequence[str],
    vectors: Vectors,
    *,
    analyser: Analyser,
    sha256: str,
    root: str = "",
    made_by: str = "",
) -> Entry:
    """``texts`` and the rows of ``vectors`` are as many as the chunks."""
    language = str(document.metadata.get("language", "")) or language_of(document.text)
    return Entry(
        document=document,
        chunks=tuple(chunks),
        embedded=tuple(texts),
        terms=tuple(tuple(analyser.document_terms(text, language)) for text in texts),
        vectors=vectors,
        sha256=sha256,
        root=root,
        made_by=made_by,
    )
