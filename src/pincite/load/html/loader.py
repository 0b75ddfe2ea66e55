"""HTML and XHTML files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pincite.load.html.charset import decode_page
from pincite.load.html.limits import TooMuchError, too_large
from pincite.load.html.page import Page, read_page, write_page
from pincite.load.limits import at_least_one
from pincite.load.notices import unseen
from pincite.load.writer import MarkdownWriter
from pincite.model import Document, Notice, Source

_LEFT_OUT_WORTH_A_NOTICE = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class HtmlLoader:
    """Loads pages of at most ``max_bytes`` bytes, ``max_elements`` elements, ``max_blocks`` blocks, and ``max_cells``
    cells in their tables.

    With ``main_content`` navigation, page heads and feet, banners and what trafilatura takes for no content are left
    out, without it everything that the page shows is read; hidden text is left out in both cases. Neither holds where
    it would leave nothing. A place is the nearest element with an id, with the path of elements from there.

    Ordinary pages take about 17 times their size in memory (measured up to 60 MB); pages that are nothing but tags take
    up to 150 times theirs, which the other limits hold to about 1.3 GB.
    """

    main_content: bool = True
    max_bytes: int = 64 * 1024 * 1024
    max_elements: int = 2_000_000
    max_blocks: int = 1_000_000
    max_cells: int = 2_000_000
    name: str = "html"

    def __post_init__(self) -> None:
        at_least_one(self, "max_bytes", "max_elements", "max_blocks", "max_cells")

    def load(self, source: Source) -> Document:
        decoded = decode_page(source, max_bytes=self.max_bytes, loader=self.name)
        writer = MarkdownWriter()
        try:
            page = read_page(
                decoded.text,
                main_content=self.main_content,
                most_elements=self.max_elements,
                most_blocks=self.max_blocks,
            )
            notices = (*decoded.notices, *_notices(page, decoded.text, source.path))
            del decoded  # a large page is in memory often enough
            write_page(page, writer, most_cells=self.max_cells)
        except TooMuchError as error:
            raise too_large(error, self, source.path) from error
        return writer.document(
            id=source.path,
            source=source.path,
            media_type="text/html",
            metadata=page.metadata,
            warnings=notices,
        )


def _notices(page: Page, text: str, file: str) -> Iterator[Notice]:
    if "\0" in text:
        yield Notice(kind="nul", message="NUL characters were taken out", file=file)
    if not page.steps:
        yield Notice(kind="empty", message="the file has no text", file=file)
    if page.hidden:
        message = "the page hides all of its text, so what it hides was read"
        yield Notice(kind="hidden", message=message, file=file)
    if page.unseen:
        yield unseen(page.unseen, file)
    if page.left_out > _LEFT_OUT_WORTH_A_NOTICE:
        message = f"{page.left_out:,} characters do not look like main content and were left out (main_content)"
        yield Notice(kind="left_out", message=message, file=file)
