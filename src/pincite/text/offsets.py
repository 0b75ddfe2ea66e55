"""Offsets between bytes, code points and lines."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

FURTHER_BYTES = bytes(range(0x80, 0xC0))
"""Those of a character in UTF-8 but its first."""
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
        if offset < len(encoded) and encoded[offset] in FURTHER_BYTES:
            raise ValueError(f"byte {offset} is inside a character")
        # Counted, not decoded: a stretch of a large document would take four bytes for each character.
        last_code_point += len(encoded[last_byte:offset].translate(None, FURTHER_BYTES))
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


class Edit(NamedTuple):
    """The code points ``[start, end)`` of a text became ``length`` others."""

    start: int
    end: int
    length: int


@dataclass(frozen=True, slots=True)
class OffsetMap:
    """Between the code point offsets of a text and those of what edits made of it.

    ``edits`` are in order and disjoint; what stands between them is kept. ``there`` leads from the old text to the new
    one, ``back`` from the new one to the old. Both are monotone, and of a kept character each undoes the other. Inside
    an edit both lead to its beginning; where an edit left nothing, ``back`` leads to what follows it.

    >>> offsets = OffsetMap((Edit(3, 4, 0), Edit(9, 12, 1)))  # "Ver\u00adtrag   ab" to "Vertrag ab"
    >>> [offsets.there(offset) for offset in (2, 3, 4, 10, 12)], [offsets.back(offset) for offset in (2, 3, 8, 9)]
    ([2, 3, 3, 8, 9], [2, 4, 9, 12])
    """

    edits: tuple[Edit, ...] = ()
    _starts: list[int] = field(init=False, repr=False, compare=False)
    _new_starts: list[int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if any(not (0 <= edit.start < edit.end and edit.length >= 0) for edit in self.edits):
            raise ValueError("an edit needs 0 <= start < end and a length of at least 0")
        if any(later.start < earlier.end for earlier, later in pairwise(self.edits)):
            raise ValueError("edits are in order and disjoint")
        moved = 0
        new_starts = []
        for edit in self.edits:
            new_starts.append(edit.start + moved)
            moved += edit.length - (edit.end - edit.start)
        object.__setattr__(self, "_starts", [edit.start for edit in self.edits])
        object.__setattr__(self, "_new_starts", new_starts)

    def there(self, offset: int) -> int:
        """Where the character at that offset of the old text is in the new one."""
        index = bisect_right(self._starts, offset) - 1
        if index < 0:
            return offset
        edit, new_start = self.edits[index], self._new_starts[index]
        return new_start if offset < edit.end else new_start + edit.length + offset - edit.end

    def back(self, offset: int) -> int:
        """Where the character at that offset of the new text was in the old one."""
        index = bisect_right(self._new_starts, offset) - 1
        if index < 0:
            return offset
        edit, inside = self.edits[index], offset - self._new_starts[index]
        return edit.start if inside < edit.length else edit.end + inside - edit.length
