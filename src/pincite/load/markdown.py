"""Markdown: CommonMark with tables, footnotes, strikethrough, task lists and YAML front matter."""

from __future__ import annotations

from dataclasses import dataclass

from pincite.errors import LoadError
from pincite.load.decoding import decode
from pincite.load.front_matter import read_front_matter
from pincite.load.markdown_blocks import TooWideError, blocks_of
from pincite.model import Block, Document, Notice, Source, Span


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkdownLoader:
    """Loads Markdown files of at most ``max_bytes`` bytes; the text is the decoded file, unchanged."""

    max_bytes: int = 64 * 1024 * 1024
    name: str = "markdown"

    def __post_init__(self) -> None:
        if self.max_bytes < 1:
            raise ValueError(f"max_bytes must be at least 1, got {self.max_bytes}")

    def load(self, source: Source) -> Document:
        """The outermost blocks hold every character of the text that is not blank."""
        decoded = decode(source, max_bytes=self.max_bytes, loader=self.name)
        text, notices = decoded.text, list(decoded.notices)
        front = read_front_matter(text, source.path)
        body = front.body if front else 0
        try:
            blocks = blocks_of(text, body)
        except TooWideError as error:
            cure = "Split the table, or leave the file out."
            raise LoadError(str(error), cure=cure, kind="too_large", file=source.path) from error
        if not blocks:
            notices.append(Notice(kind="empty", message="the file has no text", file=source.path))
        if front:
            notices.extend(front.notices)
            blocks.insert(0, Block("metadata", Span(0, front.end)))
        return Document(
            id=source.path,
            source=source.path,
            media_type="text/markdown",
            text=text,
            blocks=tuple(blocks),
            metadata=front.metadata if front else {},
            warnings=tuple(notices),
        )
