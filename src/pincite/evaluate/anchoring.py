"""Finds the passage that a judgement quotes in a document's text as it is now.

A judgement says what was relevant, by quote, context and offset. The text may have been edited, loaded by another
version or taken from another format since; the quote is looked for from the strictest way to the most lenient, and how
it was found is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pincite.model import Judgement, Span

How = Literal["exact", "moved", "reflowed", "reworded", "lost"]
"""``exact``: at its offset, or anywhere where the judgement has no offset. ``moved``: the same characters elsewhere.
``reflowed``: the same words with other blanks, marks or capitals between them. ``reworded``: similar, at least
``SIMILAR`` of 100; a person should look whether it still says the same. ``lost``: nothing of the kind."""

SIMILAR = 85
"""The least similarity of a reworded quote, as `rapidfuzz.fuzz.partial_ratio` measures it, from 0 to 100."""
SHORTEST_SIMILAR = 20
"""Shorter quotes are similar to too much."""
_MOST_BLANKS = 10
"""So many may stand between a quote and its context."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Anchor:
    """``span`` is ``None`` only where the quote is lost; ``occurrences`` says at how many places it could stand."""

    span: Span | None
    how: How
    occurrences: int = 0


def anchor(judgement: Judgement, text: str) -> Anchor:
    """Where the judgement's passage stands in the text. Of several places the one with the judgement's context around
    it is taken, of equal ones the nearest to its offset."""
    quote = judgement.text.strip()
    start = judgement.start
    if start is not None:
        start += len(judgement.text) - len(judgement.text.lstrip())
    found = [Span(at, at + len(quote)) for at in _occurrences(quote, text)]
    if found:
        best = _best(found, judgement, text, start)
        return Anchor(best, "exact" if start in (None, best.start) else "moved", len(found))
    found = list(_reflowed(quote, text))
    if found:
        return Anchor(_best(found, judgement, text, start), "reflowed", len(found))
    similar = _similar(quote, text)
    return Anchor(similar, "reworded", 1) if similar else Anchor(None, "lost")


def _occurrences(quote: str, text: str) -> Iterator[int]:
    at = text.find(quote)
    while at >= 0:
        yield at
        at = text.find(quote, at + 1)


def _reflowed(quote: str, text: str) -> Iterator[Span]:
    """Where the quote's words stand in the same order with nothing but blanks and marks between them."""
    words = _WORD.findall(quote.replace("_", " "))
    if not words:
        return
    pattern = r"(?<![^\W_])" + r"[\W_]+".join(map(re.escape, words)) + r"(?![^\W_])"
    tail = quote[quote.rindex(words[-1]) + len(words[-1]) :]
    for match in re.finditer(pattern, text, re.IGNORECASE):
        end = match.end() + (len(tail) if tail and text.startswith(tail, match.end()) else 0)
        yield Span(match.start(), end)


def _similar(quote: str, text: str) -> Span | None:
    """The most similar stretch of the text, from word to word."""
    from rapidfuzz.fuzz import partial_ratio_alignment

    if not SHORTEST_SIMILAR <= len(quote) <= len(text):
        return None
    found = partial_ratio_alignment(quote, text, score_cutoff=SIMILAR)
    if found is None:
        return None
    start, end = _without_margins(quote, text, found.dest_start, found.dest_end)
    while start > 0 and text[start].isalnum() and text[start - 1].isalnum():
        start -= 1
    while end < len(text) and text[end - 1].isalnum() and text[end].isalnum():
        end += 1
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return Span(start, end) if start < end else None


def _without_margins(quote: str, text: str, start: int, end: int) -> tuple[int, int]:
    """The stretch without what the quote has nothing of at its ends: it was chosen as long as the quote is."""
    from rapidfuzz.distance import Levenshtein

    changes = list(Levenshtein.opcodes(quote, text[start:end]))
    first, last = changes[0], changes[-1]
    return (
        start + (first.dest_end if first.tag == "insert" else 0),
        end - (last.dest_end - last.dest_start if last.tag == "insert" else 0),
    )


def _best(found: list[Span], judgement: Judgement, text: str, start: int | None) -> Span:
    def rank(span: Span) -> tuple[int, bool, int]:
        before = text[max(0, span.start - len(judgement.before) - _MOST_BLANKS) : span.start]
        after = text[span.end : span.end + len(judgement.after) + _MOST_BLANKS]
        context = _common_start(judgement.before[::-1], before[::-1]) + _common_start(judgement.after, after)
        return context, _is_whole(span, text), -abs(span.start - start) if start is not None else 0

    return found[0] if len(found) == 1 else max(found, key=rank)


def _is_whole(span: Span, text: str) -> bool:
    """Whether no word is cut at its ends."""
    edges = ((span.start - 1, span.start), (span.end - 1, span.end))
    return not any(
        left >= 0 and right < len(text) and text[left].isalnum() and text[right].isalnum() for left, right in edges
    )


def _common_start(expected: str, text: str) -> int:
    """How many characters of the context follow, blanks left aside at its start."""
    count = 0
    for left, right in zip(expected.lstrip(), text.lstrip(), strict=False):
        if left != right:
            break
        count += 1
    return count
