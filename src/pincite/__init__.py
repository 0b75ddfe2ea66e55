"""pincite turns a folder of documents into passages that know exactly where they stand.

Importing this package does nothing: names are looked up when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pincite.engine import Collection, chunk_document, load_document
    from pincite.errors import PinciteError
    from pincite.model import Answer, Block, Chunk, Citation, Document, Hit, Place, Principal, Ranking, Span, Statement

__version__ = "0.1.0"

_HOMES = {
    "Answer": "pincite.model",
    "Block": "pincite.model",
    "Chunk": "pincite.model",
    "Citation": "pincite.model",
    "Collection": "pincite.engine",
    "Document": "pincite.model",
    "Hit": "pincite.model",
    "PinciteError": "pincite.errors",
    "Place": "pincite.model",
    "Principal": "pincite.model",
    "Ranking": "pincite.model",
    "Span": "pincite.model",
    "Statement": "pincite.model",
    "chunk_document": "pincite.engine",
    "load_document": "pincite.engine",
}

__all__ = [
    "Answer",
    "Block",
    "Chunk",
    "Citation",
    "Collection",
    "Document",
    "Hit",
    "PinciteError",
    "Place",
    "Principal",
    "Ranking",
    "Span",
    "Statement",
    "chunk_document",
    "load_document",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'pincite' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
