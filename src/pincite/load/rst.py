"""reStructuredText: sections, lists, tables, code and directives; the text unchanged."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass

from pincite.load.decoding import decode
from pincite.load.front_matter import refuse_group_fields
from pincite.load.limits import at_least_one
from pincite.load.rst_blocks import RstReader
from pincite.load.text_blocks import settled, text_document
from pincite.model import Document, MetadataValue, Source

_KEYS = {"author": "authors", "authors": "authors", "date": "date", "version": "version"}


@dataclass(frozen=True, slots=True, kw_only=True)
class RstLoader:
    """Loads reStructuredText of at most ``max_bytes`` bytes; the text is the decoded file, unchanged.

    The level of a heading is told by the order in which the adornments first occur. Nothing is executed or included:
    directives that would read other files are blocks of the kind ``other``.
    """

    max_bytes: int = 64 * 1024 * 1024
    name: str = "rst"

    def __post_init__(self) -> None:
        at_least_one(self, "max_bytes")

    def load(self, source: Source) -> Document:
        decoded = decode(source, max_bytes=self.max_bytes, loader=self.name)
        refuse_group_fields(decoded.text, source.path)
        reader = RstReader(decoded.text)
        blocks = settled(decoded.text, reader.blocks(), gaps="other")
        metadata = _metadata(reader.fields)
        return text_document(source, decoded, blocks, media_type="text/x-rst", metadata=metadata)


def _metadata(fields: Iterable[tuple[str, str]]) -> dict[str, MetadataValue]:
    """Of the fields below the title: author, date (where it is ISO 8601) and version."""
    metadata: dict[str, MetadataValue] = {}
    authors: list[str] = []
    for name, value in fields:
        key = _KEYS.get(name.lower())
        if key == "authors":
            authors += [author.strip() for author in value.split(";") if author.strip()]
        elif key == "version" and value:
            metadata["version"] = value
        elif key == "date":
            try:
                metadata["date"] = datetime.date.fromisoformat(value[:10]).isoformat()
            except ValueError:
                continue
    return {**metadata, "authors": tuple(authors)} if authors else metadata
