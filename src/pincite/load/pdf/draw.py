"""A page as a picture with its blocks outlined, to see what was understood of it."""

from __future__ import annotations

import base64

from pincite.errors import UsageError
from pincite.load.apart import Job, run
from pincite.model import Document

_SCALE = 2.0  # pixels per point
_TIMEOUT_S = 60.0
_MAX_MEMORY_BYTES = 4 * 1024**3


def draw_page(data: bytes, document: Document, page: int, password: str = "") -> bytes:
    """The page (from 1) of the PDF ``data`` as a PNG, with the blocks of the document that was loaded from it.

    Each kind of block has its colour: headings red, paragraphs blue, items green, tables orange, captions violet,
    notes brown, code grey. Raises ``UsageError`` for a page that the file does not have, ``LoadError`` where the file
    cannot be read.
    """
    pages = document.metadata.get("pages")
    if not isinstance(pages, int) or not 1 <= page <= pages:
        raise UsageError(f"{document.id} has no page {page}", cure=f"It has pages 1 to {pages}.")
    job = Job(
        target="pincite.load.pdf.worker:draw",
        file=document.source,
        timeout_s=_TIMEOUT_S,
        max_memory_bytes=_MAX_MEMORY_BYTES,
        arguments={
            "path": document.source,
            "password": password,
            "page": page,
            "scale": _SCALE,
            "boxes": _boxes(document, page),
        },
    )
    (picture,) = run(job, data)
    return base64.b64decode(picture)


def _boxes(document: Document, page: int) -> tuple[tuple[str, float, float, float, float], ...]:
    """One outline around each block's boxes on the page; of a table one around each cell as well."""
    outermost = set(map(id, document.outline))
    found: list[tuple[str, float, float, float, float]] = []
    for block in document.blocks:
        if block.kind == "list" or (block.kind == "paragraph" and id(block) not in outermost):
            continue  # an item says more than the list that it is in and the paragraph that is in it
        boxes = [box for box in document.place(block.span).boxes if box.page == page]
        if not boxes:
            continue
        found.append(
            (
                block.kind,
                min(box.x0 for box in boxes),
                min(box.y0 for box in boxes),
                max(box.x1 for box in boxes),
                max(box.y1 for box in boxes),
            )
        )
        if block.kind == "table":
            found.extend(("cell", box.x0, box.y0, box.x1, box.y1) for box in boxes)
    return tuple(found)
