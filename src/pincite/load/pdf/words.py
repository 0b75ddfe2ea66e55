"""Words, the ink that they are written in, and pages: what was read, put so that layout can think simply of it."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, field, replace

from pincite.load.pdf.shapes import Bounds, Shapes
from pincite.load.pdf.tags import Tag

HYPHEN = "\ufffe"
"""What PDFium puts for a hyphen at the end of a line, instead of a line end."""

UNKNOWN = "\ufffd"
"""A glyph of which the file does not say what character it is."""
_DROPPED = dict.fromkeys([0xAD, 0x200B, 0x2060, 0xFEFF, 0xFFFF, *range(0x7F, 0xA0)])
_LIGATURES = {number: unicodedata.normalize("NFKC", chr(number)) for number in range(0xFB00, 0xFB07)}
_BULLETS = {0xF0B7: "•", 0xF0A7: "▪", 0xF0D8: "➢", 0xF0FC: "✓", 0xF076: "❖", 0xF06F: "o", 0xF0A8: "□", 0xF02D: "-"}
_CLEAN = {**_DROPPED, **_LIGATURES, **_BULLETS}
_FEWEST_WORDS_OF_A_FACE = 5
_ASCENT, _DESCENT = 0.78, 0.22
_HANGING = 0.4  # of the size: what does not reach up so far hangs from the baseline, as large signs of formulas do
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """A font. Its name is without the tag of a subset. There is one object for each, so that they compare quickly."""

    name: str
    bold: bool
    italic: bool
    mono: bool


@dataclass(slots=True)
class Ink:
    """What one text object shares: face, size in points as it is seen, baseline, direction.

    ``turn`` is the direction of reading in degrees clockwise (0, 90, 180, 270), -1 for any other. ``hidden`` says why
    nobody sees the text. ``content_id`` is the number under which a tagged file knows it, -1 without one.
    """

    face: Face
    size: float
    baseline: float
    turn: int
    hidden: str = ""
    content_id: int = -1


@dataclass(slots=True)
class Word:
    """Coordinates are points from the top left corner of the page as it is shown.

    ``breaks``: PDFium has seen a line end before it. ``glued``: no blank stands before it. ``hyphen``: it ended with
    a hyphen at a line end, which is no part of the text.
    """

    text: str
    x0: float
    top: float
    x1: float
    bottom: float
    ink: Ink
    breaks: bool = False
    glued: bool = False
    hyphen: bool = False


@dataclass(slots=True)
class Page:
    """``number`` from 1. Words and shapes stand so that the page reads from left to right: they have been turned back
    by ``turn`` degrees, and ``mirrored`` where the script runs from right to left; `Page.shown` undoes both.
    ``confidence`` is that of a text recognition, ``None`` where the file itself has the text."""

    number: int
    width: float
    height: float
    words: list[Word] = field(default_factory=list)
    shapes: Shapes = field(default_factory=Shapes)
    turn: int = 0
    mirrored: bool = False
    tags: dict[int, Tag] = field(default_factory=dict)
    hidden: Counter[str] = field(default_factory=Counter)
    characters: int = 0
    confidence: float | None = None

    def shown(self, box: Bounds) -> Bounds:
        """The box on the page as it is shown, within the page."""
        if self.mirrored:
            box = mirrored(box, self.width)
        width, height = self.width, self.height
        if self.turn:
            box = turned(box, (360 - self.turn) % 360, width, height)
        if self.turn in (90, 270):
            width, height = height, width
        x0, top, x1, bottom = box
        x0, top = min(max(x0, 0.0), width - 0.1), min(max(top, 0.0), height - 0.1)
        return x0, top, max(min(x1, width), x0 + 0.1), max(min(bottom, height), top + 0.1)


def clean(text: str) -> str:
    """Ligatures as letters, bullets of symbol fonts as Unicode, letters composed; no soft hyphens, no controls.

    >>> clean("e\\ufb03cient")
    'efficient'
    """
    text = text.translate(_CLEAN)
    return text if unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", text)


def settle(page: Page, text: str) -> None:
    """Takes out what nobody sees and turns, mirrors and trims the rest so that it reads from left to right. ``text`` is
    what the words were read from."""
    _hide(page)
    _find_fixed_pitch(page)
    _turn_back(page)
    _tighten(page)
    if _RIGHT_TO_LEFT.search(text):
        mirror(page)


def _hide(page: Page) -> None:
    """Takes out the words that nobody sees: invisible ones without an image under them, white ones without anything
    dark under them, those off the page."""
    kept = []
    width, height = page.width, page.height
    for word in page.words:
        reason = word.ink.hidden
        if not reason and word.x0 >= 0 and word.x1 <= width and word.top >= 0 and word.bottom <= height:
            kept.append(word)
            continue
        x, y = (word.x0 + word.x1) / 2, (word.top + word.bottom) / 2
        if (reason == "invisible" and page.shapes.has_image(x, y)) or (reason == "white" and page.shapes.is_dark(x, y)):
            reason = ""
        if not (0 <= x <= width and 0 <= y <= height):
            reason = reason or "off the page"
        if reason:
            page.hidden[reason] += len(word.text)
        else:
            kept.append(word)
    page.words = kept


def _find_fixed_pitch(page: Page) -> None:
    """Faces whose letters turn out to be equally wide are monospaced, whatever the file says of them."""
    pitches: dict[Face, list[float]] = {}
    refuted: set[Face] = set()
    for word in page.words:
        face = word.ink.face
        if face in refuted or face.mono or word.ink.turn or len(word.text) < 3:
            continue
        pitch = (word.x1 - word.x0) / (len(word.text) * word.ink.size)
        known = pitches.setdefault(face, [pitch])
        if abs(known[0] - pitch) > 0.015:
            refuted.add(face)
        known.append(pitch)
    for face, known in pitches.items():
        if face not in refuted and len(known) > _FEWEST_WORDS_OF_A_FACE:
            mono = replace(face, mono=True)
            for ink in {id(word.ink): word.ink for word in page.words if word.ink.face is face}.values():
                ink.face = mono


def _turn_back(page: Page) -> None:
    """Turns words and shapes so that most of the text reads from left to right."""
    if not any(word.ink.turn for word in page.words):
        return
    turns: Counter[int] = Counter()
    for word in page.words:
        turns[word.ink.turn] += len(word.text)
    turn = turns.most_common(1)[0][0]
    if turn <= 0:
        return
    page.turn = turn
    width, height = page.width, page.height
    inks = {id(word.ink): word.ink for word in page.words}
    for word in page.words:
        word.x0, word.top, word.x1, word.bottom = turned((word.x0, word.top, word.x1, word.bottom), turn, width, height)
    for ink in inks.values():
        ink.turn = (ink.turn - turn) % 360 if ink.turn >= 0 else -1
        if ink.turn == 0:
            ink.baseline += {90: width, 180: height, 270: 0.0}[turn]
    page.shapes.turn(lambda box: turned(box, turn, width, height))
    if turn != 180:
        page.width, page.height = height, width


def turned(box: Bounds, turn: int, width: float, height: float) -> Bounds:
    """A box of a page of that size, seen after turning the page back by ``turn`` degrees."""
    x0, top, x1, bottom = box
    if turn == 90:
        return top, width - x1, bottom, width - x0
    if turn == 180:
        return width - x1, height - bottom, width - x0, height - top
    if turn == 270:
        return height - bottom, x0, height - top, x1
    return box


def _tighten(page: Page) -> None:
    """Cuts the boxes of words to the height of their letters: those of fonts reach into the lines above and below."""
    last = None
    top = bottom = 0.0
    for word in page.words:
        ink = word.ink
        if ink.turn == 0:
            if ink is not last:
                last = ink
                top, bottom = ink.baseline - _ASCENT * ink.size, ink.baseline + _DESCENT * ink.size
            if word.top < top < word.bottom:
                word.top = top
            if word.top < bottom < word.bottom and word.top < ink.baseline - _HANGING * ink.size:
                word.bottom = bottom


def mirrored(box: Bounds, width: float) -> Bounds:
    return width - box[2], box[1], width - box[0], box[3]


def mirror(page: Page) -> None:
    """Mirrors a page whose script runs from right to left, so that layout may think from left to right."""
    letters = right_to_left = 0
    for word in page.words:
        letters += len(word.text)
        if not word.text.isascii():
            right_to_left += len(_RIGHT_TO_LEFT.findall(word.text))
    if 2 * right_to_left <= letters:
        return
    page.mirrored = True
    for word in page.words:
        word.x0, word.x1 = page.width - word.x1, page.width - word.x0
    page.shapes.turn(lambda box: mirrored(box, page.width))
