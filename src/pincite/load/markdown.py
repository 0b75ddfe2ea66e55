"""Markdown: CommonMark with tables, footnotes, strikethrough, task lists and YAML front matter."""

from __future__ import annotations

from dataclasses import dataclass

from pincite.errors import LoadError
from pincite.load.decoding import decode
from pincite.load.front_matter import read_front_matter
from pincite.load.limits import at_least_one
from pincite.load.markdown_blocks import TooWideError, blocks_of
from pincite.load.text_blocks import text_document
from pincite.model import Block, Document, Source, Span


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkdownLoader:
    """Loads Markdown files of at most ``max_bytes`` bytes; the text is the decoded file, unchanged."""

    max_bytes: int = 64 * 1024 * 1024
    name: str = "markdown"

    def __post_init__(self) -> None:
        at_least_one(self, "max_bytes")

    def load(self, source: Source) -> Document:
        """The outermost blocks hold every character of the text that is not blank."""
        decoded = decode(source, max_bytes=self.max_bytes, loader=self.name)
        front = read_front_matter(decoded.text, source.path)
        try:
            blocks = blocks_of(decoded.text, front.body if front else 0)
        except TooWideError as error:
            cure = "Split the table, or leave the file out."
            raise LoadError(str(error), cure=cure, kind="too_large", file=source.path) from error
        if front:
            blocks.insert(0, Block("metadata", Span(0, front.end)))
        return text_document(
            source,
            decoded,
            blocks,
            media_type="text/markdown",
            metadata=front.metadata if front else {},
            notices=front.notices if front else (),
        )
