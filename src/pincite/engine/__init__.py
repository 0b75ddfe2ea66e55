"""The only place where steps meet: load, chunk, embed, store, retrieve, answer."""

from pincite.engine.chunking import Statistics, chunk_document, count_tokens, statistics
from pincite.engine.collection import Collection, Status
from pincite.engine.documents import load_document, load_text
from pincite.engine.folder import load_folder, nearest_chunks
from pincite.engine.report import SyncReport

__all__ = [
    "Collection",
    "Statistics",
    "Status",
    "SyncReport",
    "chunk_document",
    "count_tokens",
    "load_document",
    "load_folder",
    "load_text",
    "nearest_chunks",
    "statistics",
]
