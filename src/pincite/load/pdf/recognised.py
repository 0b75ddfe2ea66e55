"""What a text recognition has read in the image of a page, put so that layout can think of it as of any other words."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import median
from typing import Any

from pincite.load.pdf.words import Face, Ink, Page, Word, clean, mirror
from pincite.ports import RecognisedWord

# Of the size, in usual Latin faces: how far letters reach up from the baseline, and down.
_TALL, _LOW, _BELOW = 0.72, 0.52, 0.21
_TALL_LETTER = re.compile(r"[^\W_acegmnopqrsuvwxyz]|[!?()\[\]{}/|\"'%&$€£#@]")
_BELOW_LETTER = re.compile(r"[gjpqy,;()\[\]{}/|§Qµ]")
_STEP = 1.4  # from one class of sizes to the next
_FACE = Face("", bold=False, italic=False, mono=False)


@dataclass(frozen=True, slots=True)
class Recognised:
    """The words of one page in pixels, ``scale`` of which are a point."""

    words: tuple[RecognisedWord, ...]
    scale: float

    def to_json(self) -> dict[str, Any]:
        words = [[w.text, w.x0, w.top, w.x1, w.bottom, w.confidence, w.line] for w in self.words]
        return {"words": words, "scale": self.scale}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Recognised:
        names = ("text", "x0", "top", "x1", "bottom", "confidence", "line")
        return cls(
            tuple(RecognisedWord(**dict(zip(names, word, strict=True))) for word in data["words"]), data["scale"]
        )

    @property
    def confidence(self) -> float:
        """The mean over letters; 1 without any."""
        letters = sum(len(word.text) for word in self.words)
        return sum(word.confidence * len(word.text) for word in self.words) / letters if letters else 1.0


def add_words(pages: Sequence[tuple[Page, Recognised]]) -> None:
    """Gives the words to pages that have none of their own that can be read.

    Sizes that are measured in images differ by a tenth, so they are put into classes, one for the text and the others
    far enough from it.
    """
    found = [[_on_page(line, recognised.scale) for line in _lines(recognised.words)] for _, recognised in pages]
    usual = _usual(line for lines in found for line in lines)
    for (page, recognised), lines in zip(pages, found, strict=True):
        page.words = []
        for line in filter(None, lines):
            ink = _ink(line, usual)
            for word in line:
                word.ink = ink
                page.words.append(word)
        page.characters = sum(len(word.text) for word in page.words)
        page.confidence = recognised.confidence
        mirror(page)


def _ink(line: Sequence[Word], usual: float) -> Ink:
    steps = round(math.log(max(_size(line), 0.1) / usual, _STEP))
    size = usual * _STEP**steps
    baseline = median(word.bottom - (_BELOW * size if _BELOW_LETTER.search(word.text) else 0.0) for word in line)
    return Ink(_FACE, size, baseline, 0)


def _lines(words: Iterable[RecognisedWord]) -> Iterator[list[RecognisedWord]]:
    """By the recogniser's own lines; without any, words that follow each other to the right on the same height."""
    for number, group in groupby(words, key=lambda word: word.line):
        line: list[RecognisedWord] = []
        for word in group:
            if not number and line and not _follows(line[-1], word):
                yield line
                line = []
            line.append(word)
        yield line


def _follows(one: RecognisedWord, other: RecognisedWord) -> bool:
    shared = min(one.bottom, other.bottom) - max(one.top, other.top)
    return other.x0 > one.x0 and shared > 0.4 * min(one.bottom - one.top, other.bottom - other.top)


def _on_page(line: Sequence[RecognisedWord], scale: float) -> list[Word]:
    found = []
    for word in line:
        text = clean(word.text)
        if text:
            x0, top, x1, bottom = (value / scale for value in (word.x0, word.top, word.x1, word.bottom))
            found.append(Word(text, x0, top, x1, bottom, Ink(_FACE, 0.0, 0.0, 0)))
    return found


def _size(line: Sequence[Word]) -> float:
    """By how tall the letters are that the words have."""
    return median((word.bottom - word.top) / _extent(word.text) for word in line)


def _extent(text: str) -> float:
    return (_TALL if _TALL_LETTER.search(text) else _LOW) + (_BELOW if _BELOW_LETTER.search(text) else 0.0)


def _usual(lines: Iterable[Sequence[Word]]) -> float:
    """The size that most letters have, to half a point."""
    counts: Counter[float] = Counter()
    for line in filter(None, lines):
        size, letters = round(2 * _size(line)) / 2, sum(len(word.text) for word in line)
        counts[size] += 2 * letters
        counts[size - 0.5] += letters  # sizes on both sides of a border are the same
        counts[size + 0.5] += letters
    return max(max(counts, key=lambda size: (counts[size], size), default=1.0), 1.0)
