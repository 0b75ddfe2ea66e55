"""Renders a page, draws outlines on it and writes it as PNG. Runs in the process apart."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.load.pdf.file import File
from pincite.load.pdf.rendering import bitmap_of

Pixels = NDArray[np.uint8]

COLORS = {
    "heading": (214, 39, 40),
    "paragraph": (31, 119, 180),
    "item": (44, 160, 44),
    "table": (255, 127, 14),
    "cell": (255, 187, 120),
    "caption": (148, 103, 189),
    "note": (140, 86, 75),
    "code": (110, 110, 110),
}
_OTHER = (0, 0, 0)


def picture_of(data: bytes, request: Mapping[str, Any]) -> str:
    """The PNG in base64."""
    file = File(data, request["path"], request["password"])
    try:
        pixels, scale = _rendered(file, request["page"], request["scale"])
    finally:
        file.close()
    for kind, x0, top, x1, bottom in request["boxes"]:
        thickness = 1 if kind == "cell" else 3
        outline(pixels, (x0 * scale, top * scale, x1 * scale, bottom * scale), COLORS.get(kind, _OTHER), thickness)
    return base64.b64encode(png(pixels)).decode()


def _rendered(file: File, number: int, scale: float) -> tuple[Pixels, float]:
    """Shape ``(height, width, 3)``, and the pixels to a point."""
    with bitmap_of(file, number, scale, grey=False) as bitmap:
        values = b"".join(bitmap.bytes_of_row(row, 4 * bitmap.columns) for row in range(bitmap.rows))
    pixels = np.frombuffer(values, np.uint8).reshape(bitmap.rows, bitmap.columns, 4)
    return pixels[:, :, 2::-1].copy(), bitmap.scale  # PDFium's pixels are blue, green, red


def outline(
    pixels: Pixels, box: tuple[float, float, float, float], color: tuple[int, int, int], thickness: int
) -> None:
    """Draws a frame around the box, as far as it lies in the picture."""
    rows, columns, _ = pixels.shape
    gap = thickness if thickness > 1 else 0
    left, right = max(0, int(box[0]) - gap), min(columns, int(box[2]) + 1 + gap)
    top, bottom = max(0, int(box[1]) - gap), min(rows, int(box[3]) + 1 + gap)
    pixels[top : top + thickness, left:right] = color
    pixels[max(top, bottom - thickness) : bottom, left:right] = color
    pixels[top:bottom, left : left + thickness] = color
    pixels[top:bottom, max(left, right - thickness) : right] = color


def png(pixels: Pixels) -> bytes:
    """Eight bits per channel, no filter (PNG, third edition, section 11)."""
    rows, columns, _ = pixels.shape
    lines = np.zeros((rows, 1 + 3 * columns), np.uint8)
    lines[:, 1:] = pixels.reshape(rows, 3 * columns)
    header = struct.pack(">IIBBBBB", columns, rows, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(lines.tobytes(), 6)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in chunks
    )
