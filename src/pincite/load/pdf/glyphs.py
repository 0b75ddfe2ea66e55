"""One page as words: text, box, and the ink that they are written in. Runs in the worker."""

from __future__ import annotations

import ctypes
import math
import re
import struct
from collections.abc import Callable, Sequence
from ctypes import byref, c_void_p
from dataclasses import dataclass
from functools import lru_cache

import pypdfium2_raw as raw

from pincite.load.pdf import pdfium
from pincite.load.pdf.shapes import Bounds, read_shapes
from pincite.load.pdf.words import HYPHEN, UNKNOWN, Face, Ink, Page, Word, clean, settle

SOFT_HYPHEN = "\u00ad"

_MARK = re.compile("[\ufffe\x01-\x08\x0b\x0c\x0e-\x1f]")
_WORD = re.compile("[^\\s\ufffe\x00-\x1f]+")
_BOLD_NAME = re.compile(r"bold|black|heavy|demi|semibd|[-,]bd|cmbx|cmssbx|sfbx|ecbx|-b(?:i|old)?$", re.IGNORECASE)
_ITALIC_NAME = re.compile(r"italic|oblique|slanted|[-,]it\b|cmti|cmsl|sfti|ecti", re.IGNORECASE)
_MONO_NAME = re.compile(
    r"mono|courier|consol|menlo|typewriter|cmtt|sftt|ectt|lettergothic|inconsolata|code\b", re.IGNORECASE
)
_FIXED_PITCH, _ITALIC_FLAG, _FORCE_BOLD = 1, 1 << 6, 1 << 18
_INVISIBLE_MODES = (3, 7)
_WHITE = 250
_SMALLEST_SIZE = 1.0
_WIDEST_LETTER = 1.1  # of the size, on average in a word: a wider one has a gap inside
_WIDEST_JOINT = 0.6  # of the size: two parts of a word are no farther apart
_unpack_box = struct.Struct("4f").unpack
_unpack_matrix = struct.Struct("6f").unpack
_NO_INK = Ink(Face("", bold=False, italic=False, mono=False), 10.0, 0.0, 0)

Map = Callable[[float, float, float, float], Bounds]


def read_page(page: c_void_p, number: int, *, tagged: bool) -> Page:
    """Raises ``ValueError`` where PDFium cannot read the page's text."""
    text_page = ctypes.cast(raw.FPDFText_LoadPage(ctypes.cast(page, raw.FPDF_PAGE)), c_void_p)
    if not text_page:
        raise ValueError(f"page {number} cannot be read")
    try:
        frame = _frame(page)
        result = Page(number, frame.width, frame.height, shapes=read_shapes(page, frame.place))
        _Reader(text_page, frame, tagged=tagged).read_into(result)
        return result
    finally:
        raw.FPDFText_ClosePage(ctypes.cast(text_page, raw.FPDF_TEXTPAGE))


@dataclass(frozen=True, slots=True)
class Frame:
    """The page as it is shown: its size and its turn in quarters. ``place`` leads from PDF coordinates ``(left,
    bottom, right, top)`` to ``(x0, top, x1, bottom)`` from its top left corner, which is ``(west, north)`` where it is
    not turned."""

    width: float
    height: float
    turn: int
    west: float
    north: float
    place: Map


def _frame(page: c_void_p) -> Frame:
    handle = ctypes.cast(page, raw.FPDF_PAGE)
    bounds = raw.FS_RECTF()
    raw.FPDF_GetPageBoundingBox(handle, bounds)
    west, north, east, south = bounds.left, bounds.top, bounds.right, bounds.bottom
    turn = raw.FPDFPage_GetRotation(handle) % 4
    maps: tuple[Map, ...] = (
        lambda left, bottom, right, top: (left - west, north - top, right - west, north - bottom),
        lambda left, bottom, right, top: (bottom - south, left - west, top - south, right - west),
        lambda left, bottom, right, top: (east - right, bottom - south, east - left, top - south),
        lambda left, bottom, right, top: (north - top, east - right, north - bottom, east - left),
    )
    width, height = east - west, north - south
    if turn % 2:
        width, height = height, width
    return Frame(width, height, turn, west, north, maps[turn])


class _Reader:
    """Reads the words of one page. Faces and inks are looked up once per font and text object."""

    def __init__(self, text_page: c_void_p, frame: Frame, *, tagged: bool) -> None:
        self.text_page = text_page
        self.frame = frame
        self.tagged = tagged
        self.inks: dict[int, Ink] = {}
        self.faces: dict[int, Face] = {}
        self.box = pdfium.Floats4()
        self.box_pointer = byref(self.box)
        self.matrix = pdfium.Floats6()
        self.matrix_pointer = byref(self.matrix)
        self.origin = pdfium.Doubles2()
        self.origin_pointers = [byref(self.origin, 8 * index) for index in range(2)]
        self.color = pdfium.Colors4()
        self.color_pointers = [byref(self.color, 4 * index) for index in range(4)]

    def read_into(self, page: Page) -> None:
        """The words in the order of the file. This is where most of the time goes that reading a file takes, so what
        is done for each word is written out."""
        text, indices = self._text()
        page.characters = len(text)
        words = page.words
        box, pointer, text_page = self.box, self.box_pointer, self.text_page
        read_box, read_object, inks = pdfium.character_box, pdfium.character_object, self.inks
        end_before = 0
        place, upright = self.frame.place, not self.frame.turn
        west, north = self.frame.west, self.frame.north
        for match in _WORD.finditer(text):
            start, end = match.span()
            first, last = (start, end - 1) if indices is None else (indices[start], indices[end - 1])
            read_box(text_page, first, pointer)
            left, top, right, bottom = _unpack_box(box)
            key = read_object(text_page, first) or 0
            ink = inks.get(key) or self._ink(key, first)
            breaks = False
            if start - end_before != 1 or text[end_before] != " ":
                gap = text[end_before:start]
                breaks = "\n" in gap or HYPHEN in gap
                if gap[:1] == HYPHEN and words:
                    words[-1].hyphen = True
            end_before = end
            word = whole = match[0]
            soft = False
            if not word.isascii():
                soft = word[-1] == SOFT_HYPHEN
                word = clean(word)
                if not word:
                    continue
            if last != first:
                read_box(text_page, last, pointer)
                left2, top2, right2, bottom2 = _unpack_box(box)
                left, right = (left if left < left2 else left2), (right if right > right2 else right2)
                bottom, top = (bottom if bottom < bottom2 else bottom2), (top if top > top2 else top2)
            if upright:
                x0, y0, x1, y1 = left - west, north - top, right - west, north - bottom
            else:
                x0, y0, x1, y1 = place(left, bottom, right, top)
            if last != first and (
                read_object(text_page, last) != key or x1 - x0 > _WIDEST_LETTER * ink.size * (last - first + 1)
            ):
                self._split(page, word, first, last, gap=breaks, whole=whole, box=(x0, y0, x1, y1))
            else:
                words.append(Word(word, x0, y0, x1, y1, ink, breaks))
            if soft:
                words[-1].hyphen = True
        if HYPHEN in text[end_before:] and words:
            words[-1].hyphen = True
        settle(page, text)

    def _split(self, page: Page, word: str, first: int, last: int, *, gap: bool, whole: str, box: Bounds) -> None:
        """A word of several text objects becomes several that are glued: a raised number, a bold beginning. Letters
        that stand far apart are no word. ``box`` is that of the whole word."""
        size = (self.inks.get(pdfium.character_object(self.text_page, first) or 0) or _NO_INK).size
        spread = box[2] - box[0] > _WIDEST_LETTER * size * (last - first + 1)
        pieces = self._pieces(first, last, each=spread)
        if last - first + 1 != len(whole):
            pieces = [(first, last, pieces[0][2])]
        before: Word | None = None
        for begin, end, ink in pieces:
            text = clean(whole[begin - first : end - first + 1]) if len(pieces) > 1 else word
            if not text:
                continue
            x0, y0, x1, y1 = self._span_box(begin, end) if len(pieces) > 1 else box
            apart = before is not None and x0 - before.x1 > _WIDEST_JOINT * ink.size
            if before is not None and not apart and _same_ink(before.ink, ink):
                before.text += text
                before.x0, before.x1 = min(before.x0, x0), max(before.x1, x1)
                before.top, before.bottom = min(before.top, y0), max(before.bottom, y1)
            else:
                glued = before is not None
                before = Word(text, x0, y0, x1, y1, ink, gap and not glued, glued and not apart)
                page.words.append(before)

    def _pieces(self, first: int, last: int, *, each: bool) -> list[tuple[int, int, Ink]]:
        """The parts of a word that are in different inks: first and last character; ``each`` character apart where
        they may be no word. Objects of the same ink (a font's kerning parts words into many) are one part."""
        pieces: list[tuple[int, int, Ink]] = []
        read_object, text_page, inks = pdfium.character_object, self.text_page, self.inks
        key_before = -1
        for index in range(first, last + 1):
            key = read_object(text_page, index) or 0
            if pieces and not each and (key == key_before or not key):
                pieces[-1] = (pieces[-1][0], index, pieces[-1][2])
            else:
                pieces.append((index, index, inks.get(key) or self._ink(key, index)))
                key_before = key
        return pieces

    def _span_box(self, first: int, last: int) -> tuple[float, float, float, float]:
        pdfium.character_box(self.text_page, first, self.box_pointer)
        left, top, right, bottom = _unpack_box(self.box)
        pdfium.character_box(self.text_page, last, self.box_pointer)
        left2, top2, right2, bottom2 = _unpack_box(self.box)
        return self.frame.place(min(left, left2), min(bottom, bottom2), max(right, right2), max(top, top2))

    def _text(self) -> tuple[str, list[int] | None]:
        """The page's text, and PDFium's index of each character where it is not the same: PDFium counts in units of
        UTF-16, and leaves characters without a code out of the text but not out of its count."""
        count = max(0, pdfium.count_characters(self.text_page))
        buffer = (ctypes.c_ushort * (2 * count + 2))()
        pdfium.get_text(self.text_page, 0, count, buffer)
        text = bytes(buffer).decode("utf-16-le", errors="replace").split("\0", 1)[0]
        indices = None
        if len(text) != count:
            text, indices = _joined([pdfium.get_unicode(self.text_page, index) for index in range(count)])
        if _MARK.search(text):
            text = _MARK.sub(lambda match: self._marked(match, indices), text)
        return text, indices

    def _marked(self, match: re.Match[str], indices: list[int] | None) -> str:
        """PDFium has one sign for hyphens at line ends and for glyphs that it knows no character of."""
        start = match.start()
        index = indices[start] if indices else start
        behind_word = start > 0 and not match.string[start - 1].isspace()
        return HYPHEN if behind_word and pdfium.is_hyphen(self.text_page, index) == 1 else UNKNOWN

    def _ink(self, key: int, index: int) -> Ink:
        """The ink of the text object that has the character ``index``."""
        text_page, handle, frame = self.text_page, c_void_p(key), self.frame
        pdfium.character_matrix(text_page, index, self.matrix_pointer)
        a, b, c, d, _, f = _unpack_matrix(self.matrix)
        size = pdfium.font_size(text_page, index) * (math.hypot(c, d) if c else abs(d) or 1.0)
        if not b and not c and a > 0 and key and not frame.turn:
            turn, baseline = 0, frame.north - f
        else:
            turn, baseline = self._direction(index, a, b)
        font = pdfium.text_font(handle) or 0 if key else 0
        ink = Ink(self.faces.get(font) or self._face(font), size, baseline, turn)
        if key:
            if pdfium.text_mode(handle) in _INVISIBLE_MODES:
                ink.hidden = "invisible"
            elif size < _SMALLEST_SIZE:
                ink.hidden = "tiny"
            elif self._is_white(handle):
                ink.hidden = "white"
            if self.tagged:
                ink.content_id = pdfium.object_content_id(handle)
            self.inks[key] = ink
        return ink

    def _direction(self, index: int, a: float, b: float) -> tuple[int, float]:
        """The turn and the baseline of letters that run along ``(a, b)``."""
        pdfium.character_origin(self.text_page, index, *self.origin_pointers)
        x, y = self.origin
        x0, y0, _, _ = self.frame.place(x, y, x, y)
        x1, y1, _, _ = self.frame.place(x + a, y + b, x + a, y + b)
        turn = _turn(x1 - x0, y1 - y0)
        return turn, {180: -y0, 90: -x0, 270: x0}.get(turn, y0)

    def _is_white(self, handle: c_void_p) -> bool:
        if not pdfium.fill_color(handle, *self.color_pointers):
            return False
        red, green, blue, alpha = self.color
        return alpha == 0 or (red >= _WHITE and green >= _WHITE and blue >= _WHITE)

    def _face(self, font: int) -> Face:
        if not font:
            return _NO_INK.face
        handle = c_void_p(font)
        buffer = ctypes.create_string_buffer(256)
        pdfium.font_name(handle, buffer, ctypes.c_ulong(256))
        flags = pdfium.font_flags(handle)
        self.faces[font] = _face(buffer.value.decode("utf-8", errors="replace"), max(flags, 0))
        return self.faces[font]


@lru_cache(maxsize=4096)
def _face(name: str, flags: int) -> Face:
    plain = name.split("+", 1)[-1]
    return Face(
        plain,
        bold=bool(_BOLD_NAME.search(plain) or flags & _FORCE_BOLD),
        italic=bool(_ITALIC_NAME.search(plain) or flags & _ITALIC_FLAG),
        mono=bool(_MONO_NAME.search(plain) or flags & _FIXED_PITCH),
    )


def _joined(numbers: Sequence[int]) -> tuple[str, list[int]]:
    r"""The characters of those code units, and where in the sequence each of them begins; zeros are left out.

    >>> _joined([0x41, 0, 0xD83D, 0xDE00, 0xD83D])
    ('A😀\ufffd', [0, 2, 4])
    """
    letters: list[str] = []
    indices: list[int] = []
    high = 0
    for index, number in enumerate(numbers):
        if high and 0xDC00 <= number < 0xE000:
            letters[-1] = chr(0x10000 + ((high - 0xD800) << 10) + number - 0xDC00)
            high = 0
            continue
        high = number if 0xD800 <= number < 0xDC00 else 0
        if number:
            letters.append(chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else UNKNOWN)
            indices.append(index)
    return "".join(letters), indices


def _same_ink(one: Ink, other: Ink) -> bool:
    return (
        one.face.bold == other.face.bold
        and one.face.mono == other.face.mono
        and one.hidden == other.hidden
        and one.turn == other.turn
        and abs(one.size - other.size) < 0.1
        and abs(one.baseline - other.baseline) < 0.5
    )


def _turn(dx: float, dy: float) -> int:
    if not dx and not dy:
        return 0
    angle = math.degrees(math.atan2(dy, dx)) % 360
    nearest = round(angle / 90) % 4 * 90
    return nearest if min(abs(angle - nearest), 360 - abs(angle - nearest)) < 8 else -1
