"""What is done with a PDF in a process apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pypdfium2_raw as raw

from pincite.load.pdf.document import Limits, Reading, Unread
from pincite.load.pdf.document import load as load_document
from pincite.load.pdf.recognised import Recognised


def load(arguments: Mapping[str, Any], data: bytes) -> Iterator[Any]:
    """``{"document": …}``, or ``{"unread": pages, "language": …}`` where pages wait for a text recognition."""
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
        yield {"document": found.to_json()}


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
