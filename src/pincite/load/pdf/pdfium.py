"""The few functions of PDFium that are called for every word, without the cost of checked ctypes calls.

A call through the generated bindings costs half a microsecond, most of it for converting arguments; a prototype
without argument types costs a tenth. So every pointer must be passed as ``c_void_p`` (a bare number would be cut to 32
bits) and every output by ``byref``. Only the worker process imports this.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes import c_double, c_float, c_int, c_uint, c_ulong, c_void_p
from typing import Any

import pypdfium2_raw as raw

Call = Callable[..., Any]

TEXT, PATH, IMAGE, SHADING, FORM = 1, 2, 3, 4, 5


def _quick(name: str, result: Any = c_int) -> Call:
    address = ctypes.cast(getattr(raw, name), c_void_p).value
    assert address  # noqa: S101 - the library is loaded
    return ctypes.PYFUNCTYPE(result)(address)


count_characters = _quick("FPDFText_CountChars")
get_text = _quick("FPDFText_GetText")
get_unicode = _quick("FPDFText_GetUnicode", c_uint)
is_hyphen = _quick("FPDFText_IsHyphen")
character_box = _quick("FPDFText_GetLooseCharBox")
character_origin = _quick("FPDFText_GetCharOrigin")
character_object = _quick("FPDFText_GetTextObject", c_void_p)
character_matrix = _quick("FPDFText_GetMatrix")
font_size = _quick("FPDFText_GetFontSize", c_double)
text_font = _quick("FPDFTextObj_GetFont", c_void_p)
text_mode = _quick("FPDFTextObj_GetTextRenderMode")
font_name = _quick("FPDFFont_GetBaseFontName", c_ulong)
font_flags = _quick("FPDFFont_GetFlags")
font_weight = _quick("FPDFFont_GetWeight")
fill_color = _quick("FPDFPageObj_GetFillColor")
stroke_color = _quick("FPDFPageObj_GetStrokeColor")
object_bounds = _quick("FPDFPageObj_GetBounds")
object_kind = _quick("FPDFPageObj_GetType")
object_matrix = _quick("FPDFPageObj_GetMatrix")
object_content_id = _quick("FPDFPageObj_GetMarkedContentID")
draw_mode = _quick("FPDFPath_GetDrawMode")
count_segments = _quick("FPDFPath_CountSegments")
path_segment = _quick("FPDFPath_GetPathSegment", c_void_p)
segment_point = _quick("FPDFPathSegment_GetPoint")
segment_kind = _quick("FPDFPathSegment_GetType")
count_page_objects = _quick("FPDFPage_CountObjects")
page_object = _quick("FPDFPage_GetObject", c_void_p)
count_form_objects = _quick("FPDFFormObj_CountObjects")
form_object = _quick("FPDFFormObj_GetObject", c_void_p)

Floats4 = c_float * 4
Doubles2 = c_double * 2
Floats6 = c_float * 6
Colors4 = c_uint * 4
Integers2 = c_int * 2


def wide(call: Callable[[Any, int], int]) -> str:
    """The text of a call that fills a buffer with UTF-16 and returns its length in bytes with the closing zero."""
    size = call(None, 0)
    if size <= 2:
        return ""
    buffer = ctypes.create_string_buffer(size)
    call(buffer, size)
    return buffer.raw[: size - 2].decode("utf-16-le", errors="ignore").split("\0")[0]
