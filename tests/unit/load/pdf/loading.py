"""Loading in this process, and what the tests look at."""

from __future__ import annotations

from collections.abc import Sequence

import pypdfium2  # noqa: F401 - starts the library
from tools.make_golden_pdf import Draw, pdf

from pincite.load.pdf.document import Limits, load
from pincite.model import Document

LIMITS = Limits(max_pages=100, max_characters=1_000_000)


def read(data: bytes, *, password: str = "") -> Document:
    document = load(data, "a.pdf", password, LIMITS)
    assert isinstance(document, Document)
    return document


def read_pages(*pages: Draw) -> Document:
    return read(pdf(*pages))


def blocks(document: Document, *kinds: str) -> list[str]:
    """The texts of the blocks of those kinds, without marks at the start of headings."""
    return [
        block.title or " ".join(block.span.of(document.text).split())
        for block in document.blocks
        if block.kind in kinds
    ]


def headings(document: Document) -> list[tuple[int, str]]:
    return [(block.level, block.title) for block in document.blocks if block.kind == "heading"]


def rows(document: Document) -> list[Sequence[str]]:
    """The cells of all body rows of all tables."""
    return [
        [cell.strip() for cell in span.of(document.text).strip("| ").split(" | ")]
        for block in document.blocks
        for span in block.rows
    ]


def notices(document: Document) -> dict[str, str]:
    return {warning.kind: warning.message for warning in document.warnings}
