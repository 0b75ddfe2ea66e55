r"""A text as a quote is compared with it: without what only typography, line breaks and Markdown make of it.

White space of any kind and length is one blank; curly quotation marks, dashes and hyphens are the plain ones; ligatures
and full-width letters are plain letters; soft hyphens and invisible characters are gone, so are hyphens between two
letters (a line break may have set them), the marks of Markdown (emphasis, code, headings, bullets, quotes, links,
tables) and simple HTML tags; letters are small. Digits and what stands beside them are never touched: ``ORB-1410`` is
not ``ORB1410``, and a raised digit stays one.

The way back is kept: a range of the flat text is a span of the original one. Time and memory are linear.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from dataclasses import dataclass
from functools import cache
from unicodedata import normalize

from pincite.model import Span

_INVISIBLE = "\u00ad\u034f\u061c\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
_LETTER = r"[^\W\d_]"
_TAG = (
    r"</?(?:b|i|em|strong|code|br|p|span|a|u|kbd|mark|small|div|li|ul|ol|td|tr|th|table|tbody|thead)\b[^<>\r\n]{0,200}>"
)
_GAP = (
    # A single blank before an ordinary character is left where it is: most of a text is that.
    rf"(?! (?![\s|*_`~\\\[\]<{_INVISIBLE}]))"
    rf"(?:(?:[\r\n]|\A)[ \t]*(?:>[ \t]*|[-+*•][ \t]+(?!\d)|\#{{1,6}}[ \t]+)+"
    rf"|(?<=\|)[ \t]*:?-{{3,}}:?[ \t]*(?=\|)"
    rf"|[\s|{_INVISIBLE}`]"
    rf"|(?<![^\W_])[*_]+(?=\S)|(?<=\S)[*_]+(?![^\W_])|~~"
    rf"|!?\[(?=[^\[\]\r\n]{{1,300}}\]\()|\]\([^()\s]{{0,500}}\)"
    rf"|{_TAG})+"
)
_HYPHEN = (
    rf"(?:(?<={_LETTER})|(?<={_LETTER}[`*])|(?<={_LETTER}\*\*))"
    rf"(?:[-\u2010\u2011]\s*|\u00ad[ \t]*[\r\n]+[ \t]*)(?=[`*]{{0,2}}{_LETTER})"
)
_WRITTEN_OUT = "ßẞİ…\ufb00-\ufb06\uff01-\uff5e"
_ACCENTED = rf"{_LETTER}[\u0300-\u036f]{{1,30}}"

_PARTING = re.compile(r"[\s|]|<(?:br|p|div|li|td|tr|th)\b")

_PLAIN = str.maketrans(
    {
        **dict.fromkeys("“”„‟«»", '"'),
        **dict.fromkeys("‘’‚‛‹›", "'"),
        **dict.fromkeys("‐‑‒–—―−﹣", "-"),
        **dict.fromkeys("Σς", "σ"),  # the small letter would depend on the place in the word
    }
)


@dataclass(frozen=True, slots=True, eq=False)
class Flattened:
    """``text`` is the flat text of an original. ``at`` has where each of its stretches begins, ``origins`` where
    it does in the original, ``ends`` where it ends there when it replaces something, else -1: it is as long there."""

    text: str
    at: array[int]
    origins: array[int]
    ends: array[int]

    def span(self, start: int, end: int) -> Span:
        """The span of the original that the characters ``[start, end)`` of the flat text stand for; not empty."""
        first = bisect_right(self.at, start) - 1
        last = bisect_right(self.at, end - 1) - 1
        begin = self.origins[first] + (0 if self.ends[first] >= 0 else start - self.at[first])
        stop = self.ends[last] if self.ends[last] >= 0 else self.origins[last] + end - self.at[last]
        return Span(begin, stop)


def flatten(text: str) -> Flattened:
    r"""The flat text and the way back.

    >>> flat = flatten("The **limit** is\n> 3\u00a0knots – no per-\nmit.")
    >>> flat.text
    'the limit is 3 knots - no permit.'
    >>> flat.span(4, 12)
    Span(start=6, end=16)
    """
    pieces: list[str] = []
    at, origins, ends = array("q"), array("q"), array("q")
    length = position = 0

    def keep(piece: str, start: int, end: int) -> None:
        nonlocal length
        if piece:
            pieces.append(piece)
            at.append(length)
            origins.append(start)
            ends.append(end)
            length += len(piece)

    for match in _pattern().finditer(text):
        keep(text[position : match.start()].translate(_PLAIN).lower(), position, -1)
        keep(_replacement(match), match.start(), match.end())
        position = match.end()
    keep(text[position:].translate(_PLAIN).lower(), position, -1)
    return Flattened("".join(pieces), at, origins, ends)


def flat(text: str) -> str:
    """The flat text alone, without blanks at its ends."""
    return flatten(text).text.strip()


def _replacement(match: re.Match[str]) -> str:
    found = match.group()
    if match.lastgroup == "gap":
        return " " if _PARTING.search(found) else ""
    if match.lastgroup == "hyphen":
        return ""
    return normalize("NFKC", found.removeprefix("\\")).lower().replace("ß", "ss").translate(_PLAIN)


@cache
def _pattern() -> re.Pattern[str]:
    letter = rf"[{_WRITTEN_OUT}]|{_ACCENTED}|\\[!-/:-@\[-`{{-~]"
    return re.compile(rf"(?P<hyphen>{_HYPHEN})|(?P<gap>{_GAP})|(?P<letter>{letter})")
