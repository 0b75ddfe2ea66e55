"""AsciiDoc: sections, lists, tables, delimited blocks; the text unchanged."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass

from pincite.load.asciidoc_blocks import AsciidocReader
from pincite.load.decoding import decode
from pincite.load.front_matter import refuse_group_fields
from pincite.load.limits import at_least_one
from pincite.load.text_blocks import settled, text_document
from pincite.model import Document, MetadataValue, Source


@dataclass(frozen=True, slots=True, kw_only=True)
class AsciidocLoader:
    """Loads AsciiDoc of at most ``max_bytes`` bytes; the text is the decoded file, unchanged.

    Nothing is included and no attribute is replaced: ``include::`` and the like are blocks of the kind ``other``.
    """

    max_bytes: int = 64 * 1024 * 1024
    name: str = "asciidoc"

    def __post_init__(self) -> None:
        at_least_one(self, "max_bytes")

    def load(self, source: Source) -> Document:
        decoded = decode(source, max_bytes=self.max_bytes, loader=self.name)
        refuse_group_fields(decoded.text, source.path)
        reader = AsciidocReader(decoded.text)
        blocks = settled(decoded.text, reader.blocks(), gaps="other")
        metadata = _metadata(reader.attributes)
        return text_document(source, decoded, blocks, media_type="text/asciidoc", metadata=metadata)


def _metadata(attributes: Mapping[str, str]) -> dict[str, MetadataValue]:
    """Of the attributes in the header: author, date (where it is ISO 8601), version and language."""
    metadata: dict[str, MetadataValue] = {}
    authors = attributes.get("authors", attributes.get("author", ""))
    if names := tuple(name.strip() for name in authors.split(";") if name.strip()):
        metadata["authors"] = names
    if version := attributes.get("revnumber", "").lstrip("v"):
        metadata["version"] = version
    if language := attributes.get("lang", "").partition("-")[0].lower():
        metadata["language"] = language
    try:
        metadata["date"] = datetime.date.fromisoformat(attributes.get("revdate", "")[:10]).isoformat()
    except ValueError:
        return metadata
    return metadata
