"""HTML and XHTML files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pincite.errors import LoadError
from pincite.load.html.charset import decode_page
from pincite.load.html.page import Page, read_page, write_page
from pincite.load.html.tables import TooManyCellsError
from pincite.load.writer import MarkdownWriter
from pincite.model import Document, Notice, Source

_LEFT_OUT_WORTH_A_NOTICE = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class HtmlLoader:
    """Loads pages of at most ``max_bytes`` bytes whose tables have at most ``max_cells`` cells.

    With ``main_content`` navigation, page heads and feet, banners and what trafilatura takes for no content are left
    out, without it everything that the page shows is read; hidden text is left out in both cases. Neither holds where
    it would leave nothing. A place is the nearest element with an id, with the path of elements from there.
    """

    main_content: bool = True
    max_bytes: int = 16 * 1024 * 1024
    max_cells: int = 2_000_000
    name: str = "html"

    def __post_init__(self) -> None:
        for option in ("max_bytes", "max_cells"):
            if getattr(self, option) < 1:
                raise ValueError(f"{option} must be at least 1, got {getattr(self, option)}")

    def load(self, source: Source) -> Document:
        decoded = decode_page(source, max_bytes=self.max_bytes, loader=self.name)
        page = read_page(decoded.text, main_content=self.main_content)
        writer = MarkdownWriter()
        try:
            write_page(page, writer, most_cells=self.max_cells)
        except TooManyCellsError as error:
            problem, cure = f"{error}, over {self.max_cells:,} (max_cells)", "Raise max_cells, or leave the file out."
            raise LoadError(problem, cure=cure, kind="too_large", file=source.path) from error
        return writer.document(
            id=source.path,
            source=source.path,
            media_type="text/html",
            metadata=page.metadata,
            warnings=(*decoded.notices, *_notices(page, decoded.text, source.path)),
        )


def _notices(page: Page, text: str, file: str) -> Iterator[Notice]:
    if "\0" in text:
        yield Notice(kind="nul", message="NUL characters were taken out", file=file)
    if not page.steps:
        yield Notice(kind="empty", message="the file has no text", file=file)
    if page.hidden:
        message = "the page hides all of its text, so what it hides was read"
        yield Notice(kind="hidden", message=message, file=file)
    if page.left_out > _LEFT_OUT_WORTH_A_NOTICE:
        message = f"{page.left_out:,} characters do not look like main content and were left out (main_content)"
        yield Notice(kind="left_out", message=message, file=file)
