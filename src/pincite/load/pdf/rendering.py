"""Pages as pixels. Runs in the process apart."""

from __future__ import annotations

import base64
import ctypes
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pypdfium2_raw as raw

from pincite.errors import LoadError
from pincite.load.pdf.file import File

_MOST_PIXELS = 40_000_000
_WHITE = 0xFFFFFFFF
_ANNOTATIONS, _GREY = 1, 8
_FORMAT_GREY, _FORMAT_BGRX = 1, 3


@dataclass(frozen=True, slots=True)
class Bitmap:
    """``address`` is that of the first of ``rows`` rows of ``stride`` bytes; ``scale`` pixels are a point."""

    columns: int
    rows: int
    stride: int
    address: int
    scale: float

    def bytes_of_row(self, row: int, length: int) -> bytes:
        return ctypes.string_at(self.address + row * self.stride, length)


@contextmanager
def bitmap_of(file: File, number: int, scale: float, *, grey: bool) -> Iterator[Bitmap]:
    """The page (from 1) drawn on white: one byte for each pixel in grey, else blue, green, red and one unused. The
    scale is smaller than asked for where the page is very large. Raises ``LoadError``."""
    page = raw.FPDF_LoadPage(file.handle, number - 1)
    if not page:
        problem = f"page {number} cannot be read"
        raise LoadError(problem, cure="Save the file anew.", kind="corrupt", file=file.path)
    try:
        width, height = raw.FPDF_GetPageWidthF(page), raw.FPDF_GetPageHeightF(page)
        scale = min(scale, (_MOST_PIXELS / max(width * height, 1.0)) ** 0.5)
        columns, rows = max(1, round(width * scale)), max(1, round(height * scale))
        bitmap = raw.FPDFBitmap_CreateEx(columns, rows, _FORMAT_GREY if grey else _FORMAT_BGRX, None, 0)
        if not bitmap:
            raise MemoryError
        try:
            raw.FPDFBitmap_FillRect(bitmap, 0, 0, columns, rows, _WHITE)
            raw.FPDF_RenderPageBitmap(bitmap, page, 0, 0, columns, rows, 0, _GREY if grey else _ANNOTATIONS)
            address = ctypes.cast(raw.FPDFBitmap_GetBuffer(bitmap), ctypes.c_void_p).value or 0
            yield Bitmap(columns, rows, raw.FPDFBitmap_GetStride(bitmap), address, scale)
        finally:
            raw.FPDFBitmap_Destroy(bitmap)
    finally:
        raw.FPDF_ClosePage(page)


def grey_page(data: bytes, request: Mapping[str, Any]) -> dict[str, Any]:
    """Width and height in pixels, pixels to a point, and the pixels, packed, in base64."""
    file = File(data, request["path"], request["password"])
    try:
        with bitmap_of(file, request["page"], request["scale"], grey=True) as bitmap:
            pixels = b"".join(bitmap.bytes_of_row(row, bitmap.columns) for row in range(bitmap.rows))
    finally:
        file.close()
    packed = base64.b64encode(zlib.compress(pixels, 1)).decode()
    return {"width": bitmap.columns, "height": bitmap.rows, "scale": bitmap.scale, "pixels": packed}
