"""What every store asks of an entry, and what it reads out of one."""

from __future__ import annotations

import hashlib
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

import numpy as np

from pincite.errors import CollectionError
from pincite.model import PUBLIC, Metadata
from pincite.ports import Entry
from pincite.store.halves import LARGEST

if TYPE_CHECKING:
    from pincite.ports import Vector, Vectors


def check_entry(entry: Entry) -> None:
    """Raises ``ValueError`` unless each chunk is a slice of this document, numbered 1, 2, 3, …, with a vector.

    A store keeps a chunk's span and not its text, so a chunk that is no slice would come back as another text.
    """
    document = entry.document
    for number, chunk in enumerate(entry.chunks, start=1):
        if chunk.document_id != document.id:
            raise ValueError(f"the chunk {chunk.id} is of {chunk.document_id!r}, not of {document.id!r}")
        if chunk.number != number:
            raise ValueError(f"the chunks of {document.id!r} are not numbered 1, 2, 3, …: {chunk.number} at {number}")
        if chunk.span.of(document.text) != chunk.text:
            raise ValueError(f"the chunk {chunk.id} is not the text of {document.id!r} at {chunk.span}")
    if len({chunk.id for chunk in entry.chunks}) != len(entry.chunks):
        raise ValueError(f"two chunks of {document.id!r} have the same id")
    check_vectors(entry.vectors)


def check_vectors(vectors: Vectors) -> None:
    if vectors.ndim != 2 or vectors.dtype != np.float32:
        raise ValueError(f"vectors are a float32 matrix, got {vectors.dtype} of shape {vectors.shape}")
    if not np.isfinite(vectors).all():
        raise ValueError("a vector has a value that is not a finite number")
    if np.abs(vectors).max(initial=0) > LARGEST:
        raise ValueError(f"a vector has a value beyond ±{LARGEST:.0f}, the largest that 16 bits hold")


def check_query(vector: Vector, dimensions: AbstractSet[int]) -> None:
    """Raises ``CollectionError`` unless every permitted vector has the query's dimension."""
    for dimension in sorted(dimensions - {len(vector)}):
        raise CollectionError(
            f"the query has {len(vector)} dimensions and the collection has vectors with {dimension}",
            cure="Search with the embedder that made the collection, or run `pincite sync` to embed it again.",
            kind="mismatch",
        )


def groups_of(metadata: Metadata) -> tuple[str, ...]:
    """The groups that may see a document; without any it is public.

    >>> groups_of({"groups": ("support", "sales")}), groups_of({"groups": "support"}), groups_of({})
    (('support', 'sales'), ('support',), ('public',))
    """
    groups = metadata.get("groups", ())
    if not isinstance(groups, tuple):
        groups = (str(groups),)
    return groups or tuple(PUBLIC.groups)


def digest_of(text: str) -> bytes:
    """The SHA-256 of an embedded text, by which its vector is found again."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
