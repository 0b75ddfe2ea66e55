"""``compare --png``: the plots of a comparison as one picture, which says in its text that this command made it."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable

from pincite.errors import MissingExtraError, UsageError

ZOOM = 2
"""Pixels of the picture for one of the drawing, so that it is sharp on paper."""
MARK = "pincite compare"
EMPTY = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">{}</svg>'
_HEADER = 33
"""Bytes of the signature and the first chunk of every PNG."""


def drawing() -> Callable[[str], bytes]:
    """What makes the picture of an SVG, on white. Raises ``MissingExtraError`` where the package that draws is not
    installed, ``UsageError`` where this system has no font: names would be left out without a word."""
    try:
        from resvg_py import svg_to_bytes
    except ImportError as error:
        raise MissingExtraError(
            "--png needs the package resvg-py", cure="Run `pip install 'pincite[png]'`, or use --html."
        ) from error
    nothing, letter = (svg_to_bytes(svg_string=EMPTY.format(each)) for each in ("", '<text y="30">M</text>'))
    if nothing == letter:
        raise UsageError("--png finds no font to write with", cure="Install one, such as DejaVu Sans, or use --html.")
    return lambda svg: marked(svg_to_bytes(svg_string=svg, background="#ffffff", zoom=ZOOM))


def marked(png: bytes) -> bytes:
    """With a text chunk behind the header, so that the next run knows the file and writes over it."""
    body = b"tEXtSoftware\0" + MARK.encode()
    chunk = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    return png[:_HEADER] + chunk + png[_HEADER:]
