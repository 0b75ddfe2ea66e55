"""Paragraphs of shapes: their words, levels and list markers, which shapes inherit from layouts and masters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NewType

from pptx.enum.shapes import PP_PLACEHOLDER

from pincite.load.normalise import LINE_BREAK, running
from pincite.load.numerals import letters, roman
from pincite.load.writer import MarkdownWriter
from pincite.model import Place

_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_BODIES = (PP_PLACEHOLDER.BODY, PP_PLACEHOLDER.OBJECT, PP_PLACEHOLDER.VERTICAL_BODY, PP_PLACEHOLDER.VERTICAL_OBJECT)

Words = NewType("Words", str)
"""Text in which ``LINE_BREAK`` ends a line."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """``level`` counts from 0; ``marker`` is that of a list item, empty for a plain paragraph; ``numbering`` names the
    scheme of a numbered item and its first number."""

    text: Words
    level: int
    marker: str = ""
    numbering: tuple[str, int] | None = None


def paragraphs_of(frame: Any, shape: Any) -> Iterator[Paragraph]:
    """Those of a text frame that are not blank; ``shape`` is what it belongs to, ``None`` for one without lists."""
    styles = list(_styles(shape)) if shape is not None else []
    for paragraph in frame.paragraphs:
        text = Words(running(str(paragraph.text).replace("\v", LINE_BREAK)))
        if not text:
            continue
        level = int(paragraph.level)
        bullet = _bullet(paragraph, level, styles) if shape is not None else None
        if bullet is None or bullet.tag == f"{_DRAWING}buNone":
            yield Paragraph(text, level)
        elif bullet.tag == f"{_DRAWING}buAutoNum":
            start = bullet.get("startAt", "1")
            first = int(start) if start.isdecimal() and len(start) < 6 else 1
            yield Paragraph(text, level, "1.", (bullet.get("type", "arabicPeriod"), first))
        else:
            yield Paragraph(text, level, "-")


def _styles(shape: Any) -> Iterator[Any]:
    """The list styles that hold for a shape: its own, its layout's, its master's, those of the master's text."""
    owner = shape
    for _ in range(3):
        body = owner.element.find(f".//{_DRAWING}lstStyle")
        if body is not None:
            yield body
        below = getattr(owner, "_base_placeholder", None) if owner.is_placeholder else None
        if below is None:
            break
        owner = below
    if shape.is_placeholder and shape.placeholder_format.type in _BODIES:
        part = shape.part
        layout = getattr(part, "slide_layout", None)
        if layout is not None:
            yield from layout.slide_master.element.xpath("./p:txStyles/p:bodyStyle")


def _bullet(paragraph: Any, level: int, styles: list[Any]) -> Any:
    names = [f"{_DRAWING}{name}" for name in ("buNone", "buAutoNum", "buChar", "buBlip")]
    own = paragraph._p.find(f"{_DRAWING}pPr")
    sources = [own, *(style.find(f"{_DRAWING}lvl{level + 1}pPr") for style in styles)]
    for properties in sources:
        for child in properties if properties is not None else ():
            if child.tag in names:
                return child
    return None


def write_paragraphs(writer: MarkdownWriter, paragraphs: list[Paragraph], place: Place) -> None:
    """Runs of list items as lists, nested by their levels, everything else as paragraphs."""
    index = 0
    while index < len(paragraphs):
        if not paragraphs[index].marker:
            writer.paragraph(paragraphs[index].text, place=place)
            index += 1
            continue
        end = index
        while end < len(paragraphs) and paragraphs[end].marker:
            end += 1
        _write_list(writer, paragraphs[index:end], place)
        index = end


def _write_list(writer: MarkdownWriter, items: list[Paragraph], place: Place) -> None:
    level = min(item.level for item in items)
    counts: dict[tuple[str, int], int] = {}
    with writer.list():
        index = 0
        while index < len(items):
            item = items[index]
            end = index + 1
            while end < len(items) and items[end].level > level:
                end += 1
            if item.level > level:  # the list begins deeper than it goes on: there is no item to hold these
                with writer.item():
                    _write_list(writer, items[index:end], place)
            else:
                marker = item.marker
                if item.numbering:
                    counts[item.numbering] = counts.get(item.numbering, item.numbering[1] - 1) + 1
                    marker = numbered(item.numbering[0], counts[item.numbering])
                with writer.item(marker=marker):
                    writer.paragraph(item.text, place=place)
                    if end > index + 1:
                        _write_list(writer, items[index + 1 : end], place)
            index = end


def numbered(scheme: str, number: int) -> str:
    """The marker of a numbered item, after the name of the scheme in DrawingML.

    >>> numbered("arabicPeriod", 3), numbered("alphaLcParenR", 28), numbered("romanUcParenBoth", 4)
    ('3.', 'ab)', '(IV)')
    """
    text = str(number)
    if scheme.startswith("alpha"):
        text = letters(number)
    elif scheme.startswith("roman"):
        text = roman(number)
    if "Uc" in scheme:
        text = text.upper()
    if scheme.endswith("ParenBoth"):
        return f"({text})"
    return f"{text})" if scheme.endswith("ParenR") else f"{text}."
