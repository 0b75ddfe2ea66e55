"""DOCX: headings, numbered lists, tables, notes and text boxes, each with the number of its paragraph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from pincite.load.archive import Limits, open_archive
from pincite.load.docx.package import open_package
from pincite.load.docx.story import Story
from pincite.load.docx.writing import write_items
from pincite.load.notices import unseen
from pincite.load.office_properties import core_metadata
from pincite.load.writer import MarkdownWriter
from pincite.model import Document, Notice, Source

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

_LOSSES = {
    "contents": "a table of contents was left out",
    "picture": "pictures, diagrams and embedded objects are not read ({count})",
    "symbol": "characters of symbol fonts that have no equal in Unicode were left out ({count})",
    "reading": "readings above characters (ruby) were left out ({count})",
    "embedded": "embedded documents are not read ({count})",
    "comment": "comments were left out ({count}); the option comments puts them in",
    "change": "tracked changes were read as {tracked} ({count} pieces are not in the text)",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DocxLoader:
    """Loads Word documents of at most ``max_bytes`` bytes, whose parts expand to at most ``max_expanded_bytes``.

    ``tracked`` says whether tracked changes are read as accepted or as if they had not been made; ``comments`` puts
    comments in as notes. Page headers and footers are never read. Every block knows the number of its paragraph
    (``w:p``) in the main part, counted from 1, also inside tables and text boxes; a row of a table knows its number,
    too.
    """

    tracked: Literal["accepted", "original"] = "accepted"
    comments: bool = False
    max_bytes: int = 256 * 1024 * 1024
    max_expanded_bytes: int = 256 * 1024 * 1024
    name: str = "docx"

    def __post_init__(self) -> None:
        if self.tracked not in ("accepted", "original"):
            raise ValueError(f"tracked is accepted or original, got {self.tracked!r}")
        self._limits()

    def load(self, source: Source) -> Document:
        package = open_package(open_archive(source, limits=self._limits()))
        story = Story(package, tracked=self.tracked, comments=self.comments)
        writer = MarkdownWriter()
        write_items(list(story.items()), writer)
        return writer.document(
            id=source.path,
            source=source.path,
            media_type=MEDIA_TYPE,
            metadata=core_metadata(package.part("core-properties")),
            warnings=tuple(self._notices(source.path, story.losses)),
        )

    def _limits(self) -> Limits:
        return Limits(max_bytes=self.max_bytes, max_expanded_bytes=self.max_expanded_bytes)

    def _notices(self, file: str, losses: Mapping[str, int]) -> Iterator[Notice]:
        if characters := losses.get("hidden_text"):
            yield unseen(characters, file)
        for kind, message in _LOSSES.items():
            if count := losses.get(kind):
                yield Notice(kind=kind, message=message.format(count=count, tracked=self.tracked), file=file)
