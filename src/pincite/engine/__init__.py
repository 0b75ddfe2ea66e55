"""The only place where steps meet: load, chunk, embed, store, retrieve, answer."""

from pincite.engine.chunking import Statistics, chunk_document, statistics
from pincite.engine.collection import Collection, Status
from pincite.engine.documents import load_document
from pincite.engine.report import SyncReport

__all__ = [
    "Collection",
    "Statistics",
    "Status",
    "SyncReport",
    "chunk_document",
    "load_document",
    "statistics",
]
