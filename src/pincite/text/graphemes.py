r"""Extended grapheme clusters (Unicode Standard Annex 29): the borders where a text may be cut.

A border is a code point offset between two clusters; both ends of a text are borders. The rules are those of
``\X`` in the ``regex`` package, which is loaded when first needed: between two characters below U+0300 the
answer needs no library.

Each function looks at the neighbourhood of one place, never at the whole text: it backs up to a place that is a
border whatever stands before it, and walks on from there. Only an unbroken run of flags or of combining marks
makes the way back long; who walks through a text from left to right passes ``known``, the last border found, and
the cost of the whole walk stays linear even there.
"""

from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    import regex

# The first combining mark is U+0300. Below it only CR LF and controls have rules of their own, and a control is
# a border on both sides.
FIRST_COMBINING: Final = "\u0300"


class Patterns(NamedTuple):
    cluster: "regex.Pattern[str]"
    apart: "regex.Pattern[str]"
    before_flags: "regex.Pattern[str]"


@cache
def load_patterns() -> Patterns:
    r"""A cluster; a pair of characters to back up to; and the last character that is no half of a flag.

    The last two search backwards. The rules that look back further than one character (Indic conjuncts, emoji
    sequences, flags) have an Extend, ZWJ, Linker or Regional_Indicator on the left of the place and a consonant, a
    pictograph or a Regional_Indicator on its right; the others are plain pairs. So two characters are apart in any
    context where the left one is none that may bind to its right and the right one none that may bind to its left,
    or where the right one is a kind that only Prepend binds to. Two halves of flags are matched, too: counting the
    run tells whether they are apart. The test against ``\X`` over random text holds these claims.
    """
    import regex

    binds_right = r"\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}\p{GCB=Prepend}\p{InCB=Linker}\p{GCB=L}"
    binds_left = r"\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}\p{InCB=Linker}\p{GCB=V}\p{GCB=T}"
    prepend, flag = r"\p{GCB=Prepend}", r"\p{GCB=RI}"
    return Patterns(
        cluster=regex.compile(r"\X"),
        apart=regex.compile(rf"(?r)[^\r{binds_right}][^{binds_left}]|[^{prepend}][{prepend}{flag}]|\r[^\n]"),
        before_flags=regex.compile(rf"(?r)[^{flag}]"),
    )


def is_border(text: str, index: int, *, known: int = 0) -> bool:
    r"""Whether no grapheme cluster of ``text`` reaches over ``index``; true at and beyond both ends.

    ``known`` is as in `border_before`.

    >>> is_border("a\r\nb", 2), is_border("a\r\nb", 3), is_border("e\u0301", 1), is_border("👩\u200d🌾", 1)
    (False, True, False, False)
    """
    return not 0 < index < len(text) or border_before(text, index, known=known) == index


def border_before(text: str, index: int, *, known: int = 0) -> int:
    r"""Largest border ``<= index``, in code points; ``index`` is first brought into ``[0, len(text)]``.

    ``known`` is a place at or before ``index`` that the caller knows to be a border: nothing before it is read.

    >>> border_before("🇩🇪🇫🇷", 3), border_before("🇩🇪🇫🇷", 2), border_before("abc", 99)
    (2, 2, 3)
    """
    return borders_around(text, index, known)[0]


def border_after(text: str, index: int, *, known: int = 0) -> int:
    r"""Smallest border ``>= index``, in code points; ``index`` is first brought into ``[0, len(text)]``.

    ``known`` is as in `border_before`.

    >>> border_after("🇩🇪🇫🇷", 3), border_after("🇩🇪🇫🇷", 2), border_after("abc", -1)
    (4, 2, 0)
    """
    return borders_around(text, index, known)[1]


def next_border(text: str, index: int, *, known: int = 0) -> int:
    r"""Smallest border ``> index``, in code points; ``len(text)`` where there is none.

    From a border this is the end of the cluster that begins there. ``known`` is as in `border_before`.

    >>> next_border("🇩🇪!", 0), next_border("🇩🇪!", 2), next_border("🇩🇪!", 3)
    (2, 3, 3)
    """
    return border_after(text, index + 1, known=known)


def trim(text: str, start: int, end: int) -> tuple[int, int]:
    r"""The range ``[start, end)`` without the blank clusters at its ends, in code points.

    Both ends of the range must be borders. A cluster is blank where all of it is white space (``str.isspace``): a
    blank that carries an accent is not. Of a blank range ``(start, start)`` is left.

    >>> trim("  word\r\n", 0, 8), trim(" \u0301x ", 0, 4), trim(" \t ", 0, 3)
    ((2, 6), (0, 3), (0, 0))
    """
    left = start
    while left < end and text[left].isspace():
        left += 1
    if left == end:
        return start, start
    # White space binds to nothing before it, and to what follows it only where that may bind to the left.
    if left > start and text[left] >= FIRST_COMBINING:
        left = border_before(text, left, known=start)
    right = end
    while text[right - 1].isspace():
        right -= 1
    if right < end and text[right - 1] >= FIRST_COMBINING:
        right = border_after(text, right, known=left)
    return left, right


def borders_around(text: str, index: int, known: int) -> tuple[int, int]:
    """The largest border ``<= index`` and the smallest ``>= index``: equal where ``index`` is one."""
    if index <= known:
        return known, known
    if index >= len(text):
        return len(text), len(text)
    left, right = text[index - 1], text[index]
    if left < FIRST_COMBINING and right < FIRST_COMBINING:
        return (index - 1, index + 1) if left == "\r" and right == "\n" else (index, index)
    patterns = load_patterns()
    pair = patterns.apart.search(text, known, index + 1)
    border = pair.start() + 1 if pair else known
    if pair and is_flag(text[border - 1]) and is_flag(text[border]):
        border = border_in_flags(text, border, known)
    while border < index:
        end = cluster_end(text, border)
        if end > index:
            return border, end
        border = end
    return index, index


def is_flag(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def border_in_flags(text: str, index: int, known: int) -> int:
    """Largest border ``<= index``, a place between two halves of flags: they pair off from the run's start."""
    other = load_patterns().before_flags.search(text, known, index)
    first = other.end() if other else known
    if (index - first) % 2 == 0:
        return index
    return index - 1 if index - 1 > first else borders_around(text, first, known)[0]


def cluster_end(text: str, border: int) -> int:
    r"""End of the cluster that begins at ``border``.

    The match runs on a copy of the neighbourhood, because inside a run of flags ``\X`` counts back to the run's
    start, which would make a walk through the run quadratic.
    """
    width = 32
    while True:
        window = text[border : border + width]
        end = border + int(load_patterns().cluster.match(window).end())
        if end < border + width or end == len(text):
            return end
        width *= 8
