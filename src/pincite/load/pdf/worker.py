"""What is done with a PDF in a process apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pypdfium2_raw as raw

from pincite.load.pdf.document import Limits, Reading, Unread
from pincite.load.pdf.document import load as load_document
from pincite.load.pdf.recognised import Recognised
from pincite.load.pdf.transfer import packed
from pincite.model import Document

_SAMPLE = b"""%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj
4 0 obj<</Length 25>>stream
BT/F 9 Tf 9 9 Td(a)Tj ET
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>
%%EOF"""


def warm_up() -> None:
    """Reads a page of our own, which makes the library look for the fonts of the system."""
    start_library()
    document = load_document(_SAMPLE, "sample.pdf", "", Limits(max_pages=1, max_characters=100))
    if isinstance(document, Document):
        packed(document)


def load(arguments: Mapping[str, Any], data: bytes) -> Iterator[Any]:
    """``{"document": …}``, packed, or ``{"unread": pages, "language": …}`` where pages wait for a text recognition."""
    start_library()
    limits = Limits(max_pages=arguments["max_pages"], max_characters=arguments["max_characters"])
    reading = None
    if arguments["ocr"]:
        pages = {int(number): Recognised.from_json(page) for number, page in arguments["recognised"].items()}
        reading = Reading(arguments["ocr"], pages)
    found = load_document(data, arguments["path"], arguments["password"], limits, reading)
    if isinstance(found, Unread):
        yield {"unread": found.pages, "language": found.language}
    else:
        yield {"document": packed(found)}


def draw(arguments: Mapping[str, Any], data: bytes) -> Iterator[Any]:
    """A page with outlines, as PNG in base64."""
    from pincite.load.pdf.picture import picture_of  # needs numpy, which nothing else here does

    start_library()
    yield picture_of(data, arguments)


def render(arguments: Mapping[str, Any], data: bytes) -> Iterator[Any]:
    """A page in grey: width, height, pixels to a point, and the packed pixels in base64."""
    from pincite.load.pdf.rendering import grey_page

    start_library()
    yield grey_page(data, arguments)


@cache
def start_library() -> None:
    raw.FPDF_InitLibraryWithConfig(raw.FPDF_LIBRARY_CONFIG(2, None, None, 0))
