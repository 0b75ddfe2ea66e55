"""Presentations (PPTX): a section for each slide, in reading order."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

import pptx
from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.table import _Cell

from pincite.errors import LoadError
from pincite.load.archive import OPEN_AND_SAVE, Limits, open_archive
from pincite.load.limits import at_least_one
from pincite.load.normalise import one_line
from pincite.load.notices import listed
from pincite.load.office_properties import core_metadata
from pincite.load.signatures import misnamed
from pincite.load.slide_order import Box, reading_order
from pincite.load.slide_text import Paragraph, Words, paragraphs_of, write_paragraphs
from pincite.load.writer import MarkdownWriter
from pincite.load.xml import parse_xml
from pincite.model import Document, MetadataValue, Notice, Place, Source

_MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
_FURNITURE = (PP_PLACEHOLDER.SLIDE_NUMBER, PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.FOOTER, PP_PLACEHOLDER.HEADER)
_TITLES = (PP_PLACEHOLDER.TITLE, PP_PLACEHOLDER.CENTER_TITLE, PP_PLACEHOLDER.VERTICAL_TITLE)
_DIAGRAM = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_PROPERTIES = "docProps/core.xml"
_MOST_GROUPS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class SlideLoader:
    """Loads presentations of at most ``max_bytes`` bytes and ``max_slides`` slides.

    A slide is a heading (its title, or ``Slide 7`` where it has none) with its text in reading order: lists with their
    levels and numbers, tables, text of grouped shapes and diagrams, the values of charts, descriptions of pictures as
    captions, and the speaker's notes as notes. Dates, footers and slide numbers are left out. Hidden slides are loaded,
    with a notice.
    """

    max_bytes: int = 256 * 1024 * 1024
    max_slides: int = 5_000
    max_shapes: int = 200_000
    max_cells: int = 1_000_000
    name: str = "slides"

    def __post_init__(self) -> None:
        at_least_one(self, "max_bytes", "max_slides", "max_shapes", "max_cells")

    def load(self, source: Source) -> Document:
        limits = Limits(max_bytes=self.max_bytes)
        open_archive(source, limits=limits).check()  # python-pptx expands pictures too
        archive = open_archive(source, limits=limits)
        metadata: dict[str, MetadataValue] = {}
        for name in archive.names:
            if name.endswith((".xml", ".rels")):
                root = parse_xml(archive.read(name), path=source.path, part=name)
                metadata = core_metadata(root) if name == _PROPERTIES else metadata
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of double names in the archive; nobody could act on them
                presentation = pptx.Presentation(BytesIO(source.data))
                writing = _Writing(source.path, self)
                writing.slides(presentation)
        except LoadError:
            raise
        except Exception as error:
            reason = one_line(str(error))[:200]
            raise misnamed(source) or LoadError(
                f"the file is damaged or no presentation ({type(error).__name__}: {reason})",
                cure=OPEN_AND_SAVE,
                kind="corrupt",
                file=source.path,
            ) from error
        return writing.writer.document(
            id=source.path,
            source=source.path,
            media_type=_MEDIA_TYPE,
            metadata=metadata,
            warnings=writing.notices,
        )


@dataclass(slots=True)
class _Writing:
    """One presentation being written."""

    file: str
    limits: SlideLoader
    writer: MarkdownWriter = field(default_factory=MarkdownWriter)
    notices: list[Notice] = field(default_factory=list)
    shapes: int = 0
    cells: int = 0

    def notice(self, kind: str, message: str) -> None:
        self.notices.append(Notice(kind=kind, message=message, file=self.file))

    def too_large(self, what: str, option: str) -> LoadError:
        limit = getattr(self.limits, option)
        problem = f"the presentation has more than {limit:,} {what} ({option})"
        return LoadError(problem, cure="Split it, or raise the limit.", kind="too_large", file=self.file)

    def slides(self, presentation: Any) -> None:
        hidden: list[int] = []
        for number, slide in enumerate(presentation.slides, start=1):
            if number > self.limits.max_slides:
                raise self.too_large("slides", "max_slides")
            if slide.element.get("show") in ("0", "false"):
                hidden.append(number)
            self.slide(slide, number)
        if hidden:
            self.notice("hidden", f"hidden slides were loaded all the same: {listed(map(str, hidden))}")

    def slide(self, slide: Any, number: int) -> None:
        place = Place(slide=number)
        shapes = [shape for shape in slide.shapes if not _is_furniture(shape)]
        titles = [shape for shape in shapes if _placeholder(shape) in _TITLES and one_line(_frame_text(shape))]
        title = titles[0] if titles else None
        self.writer.heading(_frame_text(title) if title else f"Slide {number}", level=1, place=place)
        self.group([shape for shape in shapes if title is None or shape is not title], place, 0)
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
            for paragraph in paragraphs_of(slide.notes_slide.notes_text_frame, None):
                self.writer.note(paragraph.text, place=place)

    def group(self, shapes: list[Any], place: Place, depth: int) -> None:
        self.shapes += len(shapes)
        if self.shapes > self.limits.max_shapes:
            raise self.too_large("shapes", "max_shapes")
        boxes = [_box(shape) for shape in shapes]
        for index in reading_order(boxes):
            self.shape(shapes[index], place, depth)

    def shape(self, shape: Any, place: Place, depth: int) -> None:
        if hasattr(shape, "shapes"):
            if depth >= _MOST_GROUPS:
                self.notice("nesting", f"groups on slide {place.slide} are nested too deep; the innermost are left out")
                return
            self.group(list(shape.shapes), place, depth + 1)
        elif getattr(shape, "has_table", False):
            self.table(shape.table, place)
        elif getattr(shape, "has_chart", False):
            self.chart(shape.chart, place)
        elif shape.has_text_frame:
            write_paragraphs(self.writer, list(paragraphs_of(shape.text_frame, shape)), place)
        elif (description := shape.element.xpath(".//p:cNvPr/@descr")) and one_line(description[0]):
            self.writer.caption(one_line(description[0]), place=place)
        else:
            write_paragraphs(self.writer, list(_diagram(shape)), place)

    def table(self, table: Any, place: Place) -> None:
        rows: list[list[str]] = []
        origins: dict[tuple[int, int], str] = {}
        # Its own collections of rows and cells search the whole table for each of them.
        for row_number, row in enumerate(table._tbl.tr_lst):
            cells: list[str] = []
            for column, cell in enumerate(_Cell(element, table) for element in row.tc_lst):
                self.cells += 1
                if cell.is_merge_origin:
                    height, width = int(cell.span_height), int(cell.span_width)
                    self.cells += height * width
                    if self.cells <= self.limits.max_cells:
                        area = ((down, right) for down in range(height) for right in range(width))
                        origins.update(((row_number + down, column + right), _lines(cell)) for down, right in area)
                if self.cells > self.limits.max_cells:
                    raise self.too_large("cells", "max_cells")
                cells.append(origins.get((row_number, column), _lines(cell)) if cell.is_spanned else _lines(cell))
            rows.append(cells)
        if rows:
            self.writer.table(rows, header_rows=int(bool(table.first_row)), place=place)

    def chart(self, chart: Any, place: Place) -> None:
        if chart.has_title and chart.chart_title.has_text_frame:
            self.writer.caption(one_line(chart.chart_title.text_frame.text), place=place)
        for plot in chart.plots:
            series = list(plot.series)
            values = (_points(one._element, "val", "yVal") for one in series)
            columns = [{number: _shown(text) for number, text in found.items()} for found in values]
            categories = next(filter(None, (_points(one._element, "cat", "xVal") for one in series)), {})
            height = 1 + max((number for column in (categories, *columns) for number in column), default=-1)
            self.cells += height * (len(columns) + 1)
            if self.cells > self.limits.max_cells:
                raise self.too_large("cells", "max_cells")
            rows = [["", *(one_line(one.name) for one in series)]]
            rows += [[column.get(number, "") for column in (categories, *columns)] for number in range(height)]
            if height:
                self.writer.table(rows, header_rows=1, place=place)


def _placeholder(shape: Any) -> Any:
    return shape.placeholder_format.type if shape.is_placeholder else None


def _is_furniture(shape: Any) -> bool:
    return _placeholder(shape) in _FURNITURE


def _frame_text(shape: Any) -> str:
    return str(shape.text_frame.text).replace("\v", " ") if shape.has_text_frame else ""


def _lines(cell: Any) -> str:
    return "\n".join(filter(None, (one_line(paragraph.text) for paragraph in cell.text_frame.paragraphs)))


def _points(series: Any, *names: str) -> dict[int, str]:
    """The labels or values of a series of a chart by their number from 0; of labels in levels the innermost. Read here
    because python-pptx looks for each of as many as the file claims to have."""
    parent = next(series.iterchildren(*(_CHART + name for name in names)), None)
    if parent is None:
        return {}
    level = next(parent.iter(_CHART + "lvl"), parent)
    found = {}
    for point in level.iter(_CHART + "pt"):
        number = point.get("idx", "")
        if number.isascii() and number.isdecimal() and len(number) < 10:
            found[int(number)] = one_line(point.findtext(_CHART + "v", ""))
    return found


def _shown(value: str) -> str:
    """A number without digits that nobody sees; any other text as it is."""
    try:
        return f"{float(value):.15g}"
    except ValueError:
        return value


def _box(shape: Any) -> Box | None:
    """``None`` where the file does not say where the shape stands."""
    sides = (shape.left, shape.top, shape.width, shape.height)
    if any(side is None for side in sides):
        return None
    left, top, width, height = map(int, sides)
    return Box(left, top, left + max(width, 1), top + max(height, 1))


def _diagram(shape: Any) -> Iterator[Paragraph]:
    """The texts of a diagram (SmartArt), in the order of its data."""
    for relation in shape.element.iter(f"{{{_DIAGRAM}}}relIds"):
        part = shape.part.related_part(relation.get(f"{_RELATION}dm"))
        data = parse_xml(part.blob, path=str(part.partname), part=str(part.partname))
        for point in data.iter(f"{{{_DIAGRAM}}}pt"):
            text = one_line(" ".join(str(words.text or "") for words in point.iter(f"{_DRAWING}t")))
            if text:
                yield Paragraph(Words(text), 0, "-")
