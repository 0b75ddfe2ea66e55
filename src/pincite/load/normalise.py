r"""The rules by which text is cleaned that a loader writes itself; `MarkdownWriter` keeps them for all of them.

*Nobody sees it, so it goes*: soft hyphens; what only says where a line may break or joins words (U+200B, U+2060);
invisible operators and deprecated controls of format (U+2061 to U+206F without the directions); byte order marks;
control characters but white space; noncharacters.

*One for one*: no-break blanks (U+00A0, U+2007, U+202F), unit separators (U+001F) and the sign of an object (U+FFFC)
become blanks; C1 controls what Windows-1252 has at that byte, as the web reads them; half a surrogate pair U+FFFD;
bullets of symbol fonts in the private use area their equals in Unicode, all else in that area stays.

*White space of running text*: `LINE_BREAK` ends a line, every other run of blanks and line ends is one blank, and there
are none at the ends of lines. Code and the cells of tables keep theirs, since there it may mean something.

Kept are joiners (U+200C, U+200D), marks of direction and variation selectors: they change what people read. Text
formats (Markdown, plain text, code) are never changed; `unseen_notices` warns of what would go.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from pincite.load.notices import numbered
from pincite.model import Notice
from pincite.text.offsets import Edit, OffsetMap, line_at, line_starts

LINE_BREAK = "\u2028"
"""In running text: the line ends here. All other white space is layout and becomes single blanks."""

BULLETS = {0xF0B7: "•", 0xF0A7: "▪", 0xF0D8: "➢", 0xF0FC: "✓", 0xF076: "❖", 0xF06F: "o", 0xF0A8: "□", 0xF02D: "-"}
"""Of symbol fonts, where they stand in the private use area."""

OBJECT = "\ufffc"
"""The only sign that is changed though ``str.isprintable`` is true of it."""
_FREE_IN_1252 = (0x81, 0x8D, 0x8F, 0x90, 0x9D)
_CONTROLS = (*range(9), *range(0xE, 0x1C), 0x7F, *_FREE_IN_1252)
_FORMAT = (0xAD, 0x200B, *range(0x2060, 0x2065), *range(0x206A, 0x2070), 0xFEFF)
_NONCHARACTERS = (*range(0xFDD0, 0xFDF0), 0xFFFE, 0xFFFF)
_DROPPED = (*_CONTROLS, *_FORMAT, *_NONCHARACTERS)
_C1 = [code for code in range(0x80, 0xA0) if code not in _FREE_IN_1252 and code != 0x85]
_ONE_FOR_ONE = {
    **dict.fromkeys((0x1F, 0xA0, 0x2007, 0x202F, ord(OBJECT)), " "),
    **{code: bytes([code]).decode("cp1252") for code in _C1},
    **dict.fromkeys(range(0xD800, 0xE000), "\ufffd"),
    **BULLETS,
}
_CLEAN = {**dict.fromkeys(_DROPPED), **_ONE_FOR_ONE}
_UNCLEAN = re.compile(f"[{re.escape(''.join(map(chr, _CLEAN)))}]")

_GONE = "\u200b"
_LEVELLED = {**_ONE_FOR_ONE, **dict.fromkeys(_DROPPED, _GONE)}
"""Keeps the length: what goes is one sign."""
_GAP = re.compile(rf"[\s{_GONE}]{{2,}}|[^\S {LINE_BREAK}]|{_GONE}|\A\s|\s\Z")

# Blanks of every sort are seen; the end of a file of DOS and the colours of a terminal are meant.
_UNSEEN = re.compile(f"[{re.escape(''.join(map(chr, {*_DROPPED, *_C1} - {0x1A, 0x1B})))}]")
_MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class Normalised:
    """Clean running text, and the way between its offsets and those of the text that it was."""

    text: str
    offsets: OffsetMap


def normalise(text: str) -> Normalised:
    r"""`running` text with the map of what was changed.

    >>> found = normalise(" Ver\u00adtrag\n vom")
    >>> found.text, found.offsets.there(11), found.offsets.back(8)
    ('Vertrag vom', 8, 11)
    """
    if text.isprintable() and text == text.strip(" ") and "  " not in text and OBJECT not in text:
        return Normalised(text, OffsetMap())
    if _UNCLEAN.search(text):
        text = text.translate(_LEVELLED)
    pieces: list[str] = []
    edits: list[Edit] = []
    position = 0
    for match in _GAP.finditer(text):
        start, end = match.span()
        gap = _GONE if start == 0 or end == len(text) else match[0]
        left = LINE_BREAK if LINE_BREAK in gap else " " if gap.strip(_GONE) else ""
        pieces += [text[position:start], left]
        edits.append(Edit(start, end, len(left)))
        position = end
    pieces.append(text[position:])
    return Normalised("".join(pieces), OffsetMap(tuple(edits)))


def running(text: str) -> str:
    r"""Clean running text, lines ended by ``LINE_BREAK``.

    >>> running("\ufeffone \u2028 two\u00a0 \nthree")
    'one\u2028two three'
    """
    if LINE_BREAK not in text:
        return one_line(text)
    return LINE_BREAK.join(filter(None, map(one_line, text.split(LINE_BREAK))))


def one_line(text: str) -> str:
    r"""Clean running text of one line: titles, names and other metadata.

    >>> one_line("Ver\u00adtrag\n\n vom  3.\u00a0Mai ")
    'Vertrag vom 3. Mai'
    """
    text = " ".join(text.split())
    if text.isprintable() and OBJECT not in text:
        return text
    return " ".join(text.translate(_CLEAN).split())


def verbatim(text: str) -> str:
    r"""Clean code or cells: white space stays as it is, no-break blanks are blanks.

    >>> verbatim("if x:\n\u00a0 \u00a0return\u00ad")
    'if x:\n   return'
    """
    return text.translate(_CLEAN) if _UNCLEAN.search(text) else text


def unseen_notices(text: str, file: str) -> Iterator[Notice]:
    """A warning where a text that stays as it is has characters that nobody sees and nobody means."""
    found = [(match[0], match.start()) for match in _UNSEEN.finditer(text)]
    if not found:
        return
    counts = Counter(sign for sign, _ in found)
    named = ", ".join(f"U+{ord(sign):04X} ({count:,})" for sign, count in counts.most_common(_MOST_NAMED))
    more = f" and {len(counts) - _MOST_NAMED} others" if len(counts) > _MOST_NAMED else ""
    starts = line_starts(text)
    lines = numbered("line", (line_at(starts, offset) for _, offset in found))
    message = f"characters that nobody sees stand in the text: {named}{more}; {lines}"
    yield Notice(kind="characters", message=message, file=file)
