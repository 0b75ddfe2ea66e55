"""Text in columns: widths are cells of a terminal, where a Chinese character or an emoji fills two.

What is laid out here went through ``output.safe`` before: one line without control characters.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from pincite.model import PATH_SEPARATOR
from pincite.text import graphemes


def cells(text: str) -> int:
    """How many cells of a terminal the text fills.

    >>> cells("cut"), cells("漢字"), cells("e\\u0301")
    (3, 4, 1)
    """
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def padded(text: str, width: int) -> str:
    """The text with blanks after it up to ``width`` cells.

    >>> padded("漢", 4)
    '漢  '
    """
    return text + " " * (width - cells(text))


def shortened(text: str, width: int) -> str:
    """At most ``width`` cells (at least one) of the text; what is left out at its end is an ellipsis.

    >>> shortened("pagination", 6), shortened("漢字漢字", 6), shortened("漢字漢", 6)
    ('pagin…', '漢字…', '漢字漢')
    """
    return text if cells(text) <= width else _front(text, width - cells(ellipsis())) + ellipsis()


def shortened_inside(text: str, width: int) -> str:
    """The same with the middle left out, so that the end, too, can be read.

    >>> shortened_inside("the first words and the last", 16)
    'the fir…the last'
    """
    if cells(text) <= width:
        return text
    room = max(0, width - cells(ellipsis()))
    return _front(text, room // 2) + ellipsis() + _back(text, room - room // 2)


def shortened_path(headings: Sequence[str], width: int) -> str:
    """The headings joined, in at most ``width`` cells: the middle goes first, the last heading last.

    >>> shortened_path(("Guide", "API", "Limits"), 18), shortened_path(("Guide", "API", "Limits"), 9)
    ('Guide > … > Limits', '… > Limi…')
    """
    from pincite.chunk.packing import shrinking  # every command lays something out, few of them cut documents

    for candidate in shrinking(headings, ellipsis()):
        if cells(candidate) <= width:
            return candidate
    return shortened(PATH_SEPARATOR.join([ellipsis(), headings[-1]] if len(headings) > 1 else headings), width)


def ellipsis() -> str:
    return drawn("…", "...")


def drawn(glyphs: str, plain: str) -> str:
    """The glyphs where the encoding of stdout has them, else the plain ones.

    >>> drawn("-", "plain")
    '-'
    """
    try:
        glyphs.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return plain
    return glyphs


def _front(text: str, width: int) -> str:
    """As many whole clusters from the front as fit."""
    if text.isascii():
        return text[: max(0, width)]
    end = 0
    while end < len(text):
        after = graphemes.next_border(text, end, known=end)
        width -= cells(text[end:after])
        if width < 0:
            break
        end = after
    return text[:end]


def _back(text: str, width: int) -> str:
    """As many whole clusters from the back as fit."""
    if text.isascii():
        return text[max(0, len(text) - width) :]
    start = len(text)
    while start > 0:
        before = graphemes.border_before(text, start - 1)
        width -= cells(text[before:start])
        if width < 0:
            break
        start = before
    return text[start:]
