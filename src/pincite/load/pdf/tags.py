"""The structure tree of a tagged file: which marked content is a heading, a cell, or neither. Runs in the worker."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from ctypes import c_void_p
from dataclasses import dataclass
from typing import Any

import pypdfium2_raw as raw

from pincite.load.pdf import pdfium

_DEEPEST = 64
_MOST_ELEMENTS = 50_000
_LARGEST_SPAN = 100


@dataclass(frozen=True, slots=True)
class Tag:
    """``heading``: its level from 1, 0 for anything else. ``table`` counts the tables of the page from 1, 0 outside
    of them; then ``row`` and ``column`` count from 0 and ``rows`` and ``columns`` are how many the cell covers."""

    heading: int = 0
    table: int = 0
    row: int = 0
    column: int = 0
    rows: int = 1
    columns: int = 1
    header: bool = False


def tags_of(page: Any) -> dict[int, Tag]:
    """The tag of each marked content id of the page; empty where the page has no structure."""
    tree = raw.FPDF_StructTree_GetForPage(page)
    if not tree:
        return {}
    try:
        reader = _Reader()
        for index in range(max(0, raw.FPDF_StructTree_CountChildren(tree))):
            reader.read(raw.FPDF_StructTree_GetChildAtIndex(tree, index), Tag(), 0)
        return reader.tags
    finally:
        raw.FPDF_StructTree_Close(tree)


class _Reader:
    def __init__(self) -> None:
        self.tags: dict[int, Tag] = {}
        self.tables = 0
        self.left = _MOST_ELEMENTS

    def read(self, element: Any, tag: Tag, depth: int) -> None:
        self.left -= 1
        if not element or depth > _DEEPEST or self.left < 0:
            return
        kind = _text(raw.FPDF_StructElement_GetType, element)
        if kind == "Table" and not tag.table:
            self._table(element, depth)
            return
        if len(kind) == 2 and kind[0] == "H" and kind[1] in "123456":
            tag = Tag(heading=int(kind[1]))
        self._own_content(element, tag)
        for child in _children(element):
            self.read(child, tag, depth + 1)

    def _own_content(self, element: Any, tag: Tag) -> None:
        for index in range(max(0, raw.FPDF_StructElement_GetMarkedContentIdCount(element))):
            number = raw.FPDF_StructElement_GetMarkedContentIdAtIndex(element, index)
            if number >= 0:
                self.tags[number] = tag

    def _table(self, element: Any, depth: int) -> None:
        self.tables += 1
        taken: set[tuple[int, int]] = set()
        for row, cells in enumerate(_rows(element, depth)):
            column = 0
            for cell in cells:
                while (row, column) in taken:
                    column += 1
                rows, columns = _span(cell, "RowSpan"), _span(cell, "ColSpan")
                taken.update((row + r, column + c) for r in range(rows) for c in range(columns))
                header = _text(raw.FPDF_StructElement_GetType, cell) == "TH"
                self.read(cell, Tag(0, self.tables, row, column, rows, columns, header), depth + 3)


def _children(element: Any) -> Iterator[Any]:
    for index in range(max(0, raw.FPDF_StructElement_CountChildren(element))):
        child = raw.FPDF_StructElement_GetChildAtIndex(element, index)
        if child:
            yield child


def _rows(table: Any, depth: int) -> Iterator[list[Any]]:
    """The cells of each row, also of those in a head, body or foot."""
    if depth > _DEEPEST:
        return
    for child in _children(table):
        kind = _text(raw.FPDF_StructElement_GetType, child)
        if kind == "TR":
            cells = [cell for cell in _children(child) if _text(raw.FPDF_StructElement_GetType, cell) in ("TD", "TH")]
            yield cells
        elif kind in ("THead", "TBody", "TFoot"):
            yield from _rows(child, depth + 1)


def _span(cell: Any, name: str) -> int:
    for index in range(max(0, raw.FPDF_StructElement_GetAttributeCount(cell))):
        attribute = raw.FPDF_StructElement_GetAttributeAtIndex(cell, index)
        value = raw.FPDF_StructElement_Attr_GetValue(attribute, name.encode()) if attribute else None
        number = ctypes.c_float()
        if value and raw.FPDF_StructElement_Attr_GetNumberValue(value, number):
            return min(max(1, int(number.value)), _LARGEST_SPAN)
    return 1


def _text(call: Any, element: Any) -> str:
    return pdfium.wide(lambda buffer, size: int(call(element, ctypes.cast(buffer, c_void_p), size)))
