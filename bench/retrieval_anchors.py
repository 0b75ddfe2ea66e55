"""Documents without the anchors of their headings.

German pages with English anchors (``# Überblick { #overview }``) hold the words of English questions. The baseline
cuts and judges them as they are, and takes the anchors out of what is indexed.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from pincite.model import Span

WITHOUT_ANCHORS = "-noanchor"
ANCHOR = re.compile(r"\s*\{ *#[^}]*\}")


def without_anchors(text: str) -> str:
    return ANCHOR.sub("", text)


@dataclass(frozen=True, slots=True)
class Shorter:
    """A text without its anchors. ``places`` are where they stood in it, ``removed`` how many characters were taken out
    up to there, that one among them."""

    text: str
    places: Sequence[int]
    removed: Sequence[int]

    @classmethod
    def of(cls, text: str) -> Shorter:
        found = list(ANCHOR.finditer(text))
        removed = list(accumulate(len(each[0]) for each in found))
        places = [each.start() - before for each, before in zip(found, [0, *removed], strict=False)]
        return cls(without_anchors(text), places, removed)

    def original(self, span: Span) -> Span:
        """Where that part of the shorter text stands in the whole one, without anchors at its ends."""
        first, last = bisect_right(self.places, span.start), bisect_left(self.places, span.end)
        removed = [0, *self.removed]
        return Span(span.start + removed[first], span.end + removed[last])
