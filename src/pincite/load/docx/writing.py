"""Puts paragraphs and tables down as Markdown: items to lists, lines of code to blocks, notes after their paragraph."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pincite.load.docx.items import Item, Note, Paragraph, Table
from pincite.load.docx.numbering import labelled
from pincite.load.writer import LINE_BREAK, MarkdownWriter, Run
from pincite.model import Place

# The number of a section is cited without the full stop that may end it: section 2.1, not section 2.1..
_SECTION = re.compile(r"(\d+(?:\.\d+)*)\.")


def write_items(items: Sequence[Item], writer: MarkdownWriter) -> None:
    """Writes everything. Where a title stands before the first heading, the headings are one level below it."""
    kept = [item for item in items if _is_kept(item)]
    headings = (item.role.kind for item in kept if isinstance(item, Paragraph) and _is_heading(item))
    _Writing(kept, writer, shift=int(next(headings, "") == "title")).write()


def _is_kept(item: Item) -> bool:
    """Blank paragraphs are layout, except between lines of code."""
    return isinstance(item, Table) or item.role.kind == "code" or bool(item.text.strip()) or bool(item.notes)


def _is_heading(paragraph: Paragraph) -> bool:
    return paragraph.role.kind in ("heading", "title")


class _Writing:
    def __init__(self, items: Sequence[Item], writer: MarkdownWriter, *, shift: int) -> None:
        self._items = items
        self._writer = writer
        self._shift = shift
        self._index = 0
        self._notes: list[Note] = []

    def write(self) -> None:
        while self._index < len(self._items):
            item = self._items[self._index]
            if isinstance(item, Table):
                self._pass(item)
                self._table(item)
            elif item.is_item:
                self._list(item)
            elif item.role.kind == "code":
                self._code(item)
            elif item.role.kind == "quote":
                with self._writer.quote():
                    for paragraph in self._alike(item):
                        self._writer.paragraph(paragraph.runs)
            else:
                self._pass(item)
                self._leaf(item)
            for note in self._notes:
                self._writer.note(note.text, label=note.label, place=Place(paragraph=note.number))
            self._notes.clear()

    def _pass(self, item: Item) -> None:
        self._index += 1
        self._notes += item.notes

    def _next(self) -> Paragraph | None:
        """The paragraph that comes next, ``None`` before a table and at the end."""
        item = self._items[self._index] if self._index < len(self._items) else None
        return item if isinstance(item, Paragraph) else None

    def _alike(self, first: Paragraph) -> Iterator[Paragraph]:
        """That paragraph and those after it that are the same kind."""
        item: Paragraph | None = first
        while item and item.role == first.role and not item.is_item:
            self._pass(item)
            yield item
            item = self._next()

    def _leaf(self, paragraph: Paragraph) -> None:
        if _is_heading(paragraph):
            level = paragraph.role.level + self._shift * (paragraph.role.kind == "heading")
            runs = [Run(run.text.replace(LINE_BREAK, " "), run.place) for run in paragraph.runs]
            if paragraph.label and not paragraph.label.bullet:
                label = replace(paragraph.label, text=_section_number(paragraph.label.text))
                runs.insert(0, Run(labelled(label, ""), runs[0].place))
            self._writer.heading(runs, level=level)
        elif paragraph.role.kind == "caption":
            self._writer.caption(paragraph.runs)
        else:
            self._writer.paragraph(paragraph.runs)

    def _list(self, first: Paragraph) -> None:
        """That item and those after it in the same numbering, with deeper ones inside."""
        with self._writer.list():
            item: Paragraph | None = first
            while item and item.is_item and item.depth == first.depth and item.num_id == first.num_id:
                with self._writer.item(marker=_marker(item)):
                    self._pass(item)
                    self._writer.paragraph(item.runs)
                    item = self._inside(first.depth)

    def _inside(self, depth: int) -> Paragraph | None:
        """What belongs to an item of that depth: further paragraphs and deeper lists. Returns what comes after."""
        while item := self._next():
            if item.is_item and item.depth > depth:
                self._list(item)
            elif item.role.kind == "continuation" and not item.is_item:
                self._pass(item)
                self._writer.paragraph(item.runs)
            else:
                return item
        return None

    def _code(self, first: Paragraph) -> None:
        lines = [paragraph.text.replace(LINE_BREAK, "\n") for paragraph in self._alike(first)]
        self._writer.code("\n".join(lines), place=Place(paragraph=first.number))

    def _table(self, table: Table) -> None:
        """Rows are counted from the first one below the header; blank ones are counted and not written."""
        rows: list[list[str]] = []
        places: list[Place] = []
        for index, row in enumerate(table.rows, start=1 - table.header_rows):
            if index < 1 or any(cell.strip() for cell in row.cells):
                rows.append(row.cells)
                places.append(Place(row=index if index > 0 else None, paragraph=row.number or None))
        self._writer.table(rows, header_rows=table.header_rows, row_places=places)


def _section_number(text: str) -> str:
    found = _SECTION.fullmatch(text)
    return found[1] if found else text


def _marker(item: Paragraph) -> str:
    return item.label.text if item.label and not item.label.bullet else "-"
