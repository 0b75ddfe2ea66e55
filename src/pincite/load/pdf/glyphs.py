"""One page as words: text, box, and the ink that they are written in. Runs in the worker."""

from __future__ import annotations

import ctypes
import math
import re
import struct
from collections.abc import Callable
from ctypes import byref, c_void_p
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
_NO_INK = Ink(Face("", bold=False, italic=False, mono=False), 10.0, 0.0, 0)

Map = Callable[[float, float, float, float], Bounds]


def read_page(page: c_void_p, number: int, *, tagged: bool) -> Page:
    """Raises ``ValueError`` where PDFium cannot read the page's text."""
    text_page = ctypes.cast(raw.FPDFText_LoadPage(ctypes.cast(page, raw.FPDF_PAGE)), c_void_p)
    if not text_page:
        raise ValueError(f"page {number} cannot be read")
    try:
        width, height, turn, place = _frame(page)
        result = Page(number, width, height, shapes=read_shapes(page, place))
        _Reader(text_page, place, upright=not turn, tagged=tagged).read_into(result)
        return result
    finally:
        raw.FPDFText_ClosePage(ctypes.cast(text_page, raw.FPDF_TEXTPAGE))


def _frame(page: c_void_p) -> tuple[float, float, int, Map]:
    """Width and height of the page as it is shown, its turn in quarters, and the way from PDF coordinates ``(left,
    bottom, right, top)`` to ``(x0, top, x1, bottom)`` from its top left corner."""
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
    return (height, width, turn, maps[turn]) if turn % 2 else (width, height, turn, maps[turn])


class _Reader:
    """Reads the words of one page. Faces and inks are looked up once per font and text object."""

    def __init__(self, text_page: c_void_p, place: Map, *, upright: bool, tagged: bool) -> None:
        self.text_page = text_page
        self.place = place
        self.tagged = tagged
        self.inks: dict[int, Ink] = {}
        self.faces: dict[int, Face] = {}
        self.upright = upright
        self.box = pdfium.Floats4()
        self.box_pointer = byref(self.box)
        self.matrix = pdfium.Floats6()
        self.matrix_pointer = byref(self.matrix)
        self.origin = pdfium.Doubles2()
        self.origin_pointers = [byref(self.origin, 8 * index) for index in range(2)]
        self.color = pdfium.Colors4()
        self.color_pointers = [byref(self.color, 4 * index) for index in range(4)]

    def read_into(self, page: Page) -> None:
        text, indices = self._text()
        page.characters = len(text)
        words = page.words
        box, pointer, text_page = self.box, self.box_pointer, self.text_page
        read_box, read_object, inks = pdfium.character_box, pdfium.character_object, self.inks
        end_before = 0
        place = self.place
        for match in _WORD.finditer(text):
            start, end = match.span()
            first, last = (start, end - 1) if indices is None else (indices[start], indices[end - 1])
            read_box(text_page, first, pointer)
            left, top, right, bottom = _unpack_box(box)
            key = read_object(text_page, first) or 0
            if last != first:
                read_box(text_page, last, pointer)
                left2, top2, right2, bottom2 = _unpack_box(box)
                left, right = (left if left < left2 else left2), (right if right > right2 else right2)
                bottom, top = (bottom if bottom < bottom2 else bottom2), (top if top > top2 else top2)
            ink = inks.get(key) or self._ink(key, first)
            gap = text[end_before:start]
            breaks = "\n" in gap or HYPHEN in gap
            if HYPHEN in gap and words and gap[0] == HYPHEN:
                words[-1].hyphen = True
            word = match[0]
            if not word.isascii():
                soft = word[-1] == SOFT_HYPHEN
                word = clean(word)
            else:
                soft = False
            end_before = end
            if not word:
                continue
            x0, y0, x1, y1 = place(left, bottom, right, top)
            if last != first and (
                read_object(text_page, last) != key or x1 - x0 > _WIDEST_LETTER * ink.size * (last - first + 1)
            ):
                self._split(page, word, first, last, gap=breaks, whole=match[0])
            else:
                words.append(Word(word, x0, y0, x1, y1, ink, breaks))
            if soft:
                words[-1].hyphen = True
        if HYPHEN in text[end_before:] and words:
            words[-1].hyphen = True
        settle(page)

    def _split(self, page: Page, word: str, first: int, last: int, *, gap: bool, whole: str) -> None:
        """A word of several text objects becomes several that are glued: a raised number, a bold beginning. Letters
        that stand far apart are no word."""
        x0, _, x1, _ = self._span_box(first, last)
        size = (self.inks.get(pdfium.character_object(self.text_page, first) or 0) or _NO_INK).size
        spread = x1 - x0 > _WIDEST_LETTER * size * (last - first + 1)
        pieces: list[tuple[int, int, int]] = []
        for index in range(first, last + 1):
            key = pdfium.character_object(self.text_page, index) or 0
            if pieces and (pieces[-1][2] == key or not key) and not spread:
                pieces[-1] = (pieces[-1][0], index, pieces[-1][2])
            else:
                pieces.append((index, index, key))
        if last - first + 1 != len(whole):
            pieces = [(first, last, pieces[0][2])]
        glued = False
        for begin, end, key in pieces:
            ink = self.inks.get(key) or self._ink(key, begin)
            text = clean(whole[begin - first : end - first + 1]) if len(pieces) > 1 else word
            if not text:
                continue
            x0, y0, x1, y1 = self._span_box(begin, end)
            before = page.words[-1] if glued else None
            apart = before is not None and x0 - before.x1 > _WIDEST_JOINT * ink.size
            if before is not None and not apart and _same_ink(before.ink, ink):
                before.text += text
                before.x0, before.x1 = min(before.x0, x0), max(before.x1, x1)
                before.top, before.bottom = min(before.top, y0), max(before.bottom, y1)
            else:
                page.words.append(Word(text, x0, y0, x1, y1, ink, gap and not glued, glued and not apart))
            glued = True

    def _span_box(self, first: int, last: int) -> tuple[float, float, float, float]:
        pdfium.character_box(self.text_page, first, self.box_pointer)
        left, top, right, bottom = _unpack_box(self.box)
        pdfium.character_box(self.text_page, last, self.box_pointer)
        left2, top2, right2, bottom2 = _unpack_box(self.box)
        return self.place(min(left, left2), min(bottom, bottom2), max(right, right2), max(top, top2))

    def _text(self) -> tuple[str, list[int] | None]:
        """The page's text, and PDFium's index of each character where it is not the same."""
        count = max(0, pdfium.count_characters(self.text_page))
        buffer = (ctypes.c_ushort * (2 * count + 2))()
        pdfium.get_text(self.text_page, 0, count, buffer)
        text = bytes(buffer).decode("utf-16-le", errors="replace").split("\0", 1)[0]
        indices = None
        if len(text) != count:
            numbers = [pdfium.get_unicode(self.text_page, index) for index in range(count)]
            indices = [index for index, number in enumerate(numbers) if number]
            text = "".join(_character(numbers[index]) for index in indices)
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
        text_page, handle, matrix, origin = self.text_page, c_void_p(key), self.matrix, self.origin
        pdfium.character_matrix(text_page, index, self.matrix_pointer)
        pdfium.character_origin(text_page, index, self.origin_pointers[0], self.origin_pointers[1])
        a, b, c, d = matrix[0], matrix[1], matrix[2], matrix[3]
        x, y = origin[0], origin[1]
        size = pdfium.font_size(text_page, index) * (math.hypot(c, d) if c else abs(d) or 1.0)
        x0, y0, _, _ = self.place(x, y, x, y)
        if not b and a > 0 and self.upright:
            turn, baseline = 0, y0
        else:
            x1, y1, _, _ = self.place(x + a, y + b, x + a, y + b)
            turn = _turn(x1 - x0, y1 - y0)
            baseline = {180: -y0, 90: -x0, 270: x0}.get(turn, y0)
        font = pdfium.text_font(handle) or 0 if key else 0
        ink = Ink(self.faces.get(font) or self._face(font), size, baseline, turn)
        if key:
            mode = pdfium.text_mode(handle)
            if mode in _INVISIBLE_MODES:
                ink.hidden = "invisible"
            elif size < _SMALLEST_SIZE:
                ink.hidden = "tiny"
            elif self._is_white(handle):
                ink.hidden = "white"
            if self.tagged:
                ink.content_id = pdfium.object_content_id(handle)
            self.inks[key] = ink
        return ink

    def _is_white(self, handle: c_void_p) -> bool:
        color = self.color
        if not pdfium.fill_color(handle, *self.color_pointers):
            return False
        return color[3] == 0 or (color[0] >= _WHITE and color[1] >= _WHITE and color[2] >= _WHITE)

    def _face(self, font: int) -> Face:
        if not font:
            return Face("", bold=False, italic=False, mono=False)
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


def _character(number: int) -> str:
    return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else "\ufffd"


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
