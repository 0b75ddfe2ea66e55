"""A span chosen for retrieval."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pincite.model.span import Span

PATH_SEPARATOR = " > "


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """One contiguous slice of a document: ``text == document.text[span.start:span.end]``, always.

    ``number`` counts from 1 in the document. ``prefix`` is what stands before the text when it is embedded or shown
    to a model. ``headings`` are the plain titles from the outermost heading down, of a chunk over several sections
    their common path; ``level`` is the level of its last one, 0 without any. ``tokens`` counts ``embedded`` by the
    strategy's counter. ``parent`` is a span for reading around the chunk.
    """

    id: str
    document_id: str
    number: int
    span: Span
    text: str = field(repr=False)
    prefix: str = ""
    headings: tuple[str, ...] = ()
    level: int = 0
    tokens: int
    parent: Span | None = None

    def __post_init__(self) -> None:
        if len(self.text) != len(self.span):
            raise ValueError(f"a chunk's text is its slice: {len(self.text)} characters at {self.span}")
        if not self.text.strip():
            raise ValueError(f"a chunk is never blank, got {self.text!r} at {self.span}")
        if self.number < 1 or self.tokens < 0:
            raise ValueError(f"a chunk's number counts from 1 and its tokens from 0, got {self.number}, {self.tokens}")

    @property
    def embedded(self) -> str:
        """What is embedded: prefix, blank line, text."""
        return join_prefix(self.prefix, self.text)

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "document": self.document_id,
            "number": self.number,
            "start": self.span.start,
            "end": self.span.end,
            "text": self.text,
            "prefix": self.prefix,
            "headings": list(self.headings),
            "level": self.level,
            "tokens": self.tokens,
            "parent": [self.parent.start, self.parent.end] if self.parent else None,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Chunk:
        """Reads what ``to_json`` wrote; other keys (``place``, ``metadata``, ``score``, …) are left alone."""
        return cls(
            id=data["id"],
            document_id=data["document"],
            number=data["number"],
            span=Span(data["start"], data["end"]),
            text=data["text"],
            prefix=data["prefix"],
            headings=tuple(data["headings"]),
            level=data["level"],
            tokens=data["tokens"],
            parent=Span(*data["parent"]) if data["parent"] else None,
        )


def join_prefix(prefix: str, text: str) -> str:
    """Prefix, blank line, text; the text alone where the prefix is empty.

    >>> join_prefix("Guide > Limits", "At most 500.")
    'Guide > Limits\\n\\nAt most 500.'
    """
    return f"{prefix}\n\n{text}" if prefix else text


def chunk_id(document_id: str, prefix: str, text: str, *, occurrence: int) -> str:
    """Stable across machines and runs: an edit elsewhere in the document leaves it alone.

    ``occurrence`` counts from 0 the chunks of the document that have this prefix and this text.

    >>> chunk_id("guide.md", "", "hello", occurrence=0) == chunk_id("guide.md", "", "hello", occurrence=0)
    True
    """
    # Each part behind its length, in eight bytes. Written out, because it is done for every chunk that is made.
    document = document_id.encode("utf-8", "surrogatepass")
    before = prefix.encode("utf-8", "surrogatepass")
    body = text.encode("utf-8", "surrogatepass")
    number = b"%d" % occurrence
    return hashlib.sha256(
        b"%b%b%b%b%b%b%b%b"
        % (
            *(len(document).to_bytes(8, "big"), document, len(before).to_bytes(8, "big"), before),
            *(len(body).to_bytes(8, "big"), body, len(number).to_bytes(8, "big"), number),
        )
    ).hexdigest()[:16]
