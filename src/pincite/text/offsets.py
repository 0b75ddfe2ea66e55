"""Offsets between bytes, code points and lines."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence

LINE_END = re.compile(r"\r\n?|\n")


def code_point_offsets(encoded: bytes, byte_offsets: Iterable[int]) -> dict[int, int]:
    """Code point offset of each of the UTF-8 byte offsets given, in one pass over ``encoded``.

    Both kinds count from 0; ``len(encoded)`` is a valid offset. An offset outside ``encoded`` or inside a
    character is a ``ValueError``, because it would point at nothing in the text.

    >>> code_point_offsets("né 😀!".encode(), [8, 0, 4])
    {0: 0, 4: 3, 8: 4}
    """
    offsets = sorted(set(byte_offsets))
    if offsets and not (offsets[0] >= 0 and offsets[-1] <= len(encoded)):
        raise ValueError(f"byte offsets must lie in [0, {len(encoded)}], got {offsets[0]} to {offsets[-1]}")
    if encoded.isascii():
        return {offset: offset for offset in offsets}
    found: dict[int, int] = {}
    last_byte = last_code_point = 0
    for offset in offsets:
        last_code_point += len(encoded[last_byte:offset].decode("utf-8"))
        last_byte = offset
        found[offset] = last_code_point
    return found


def line_starts(text: str) -> list[int]:
    r"""Code point offsets at which the lines of ``text`` begin, ascending; the first is 0.

    Lines end at ``\r\n``, ``\n`` or ``\r`` only, as in an editor (``str.splitlines`` knows seven more). A text
    that ends with a line end has an empty last line.

    >>> line_starts("one\r\ntwo\x0cstill two\n")
    [0, 5, 19]
    """
    return [0, *(match.end() for match in LINE_END.finditer(text))]


def line_at(starts: Sequence[int], offset: int) -> int:
    r"""Number, from 1, of the line that holds the code point at ``offset``; ``starts`` is from `line_starts`.

    A line end belongs to the line that it ends.

    >>> line_at(line_starts("one\ntwo"), 3), line_at(line_starts("one\ntwo"), 4)
    (1, 2)
    """
    return bisect_right(starts, offset)
