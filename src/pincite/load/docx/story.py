"""The walk over a document: its paragraphs and tables in reading order, with what belongs to each."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from pincite.load.docx.appearance import Page
from pincite.load.docx.fields import Fields, whole_fields
from pincite.load.docx.grid import GridReader, table_cells
from pincite.load.docx.inline import GONE, Line, LineReader, chosen_branch
from pincite.load.docx.items import Item, Note, Paragraph, Table
from pincite.load.docx.notes import Notes
from pincite.load.docx.numbering import Label, Numberings, labelled
from pincite.load.docx.package import Package
from pincite.load.docx.style_names import BODY, Role
from pincite.load.docx.styles import BODY_OUTLINE, Styles, numbered_by, outline_level
from pincite.load.docx.tags import MC, PARAGRAPH, TABLE, VAL, W, value
from pincite.load.writer import LINE_BREAK, Run
from pincite.load.xml import Element
from pincite.model import Place

_NO_CONTENT = {W + name for name in ("sectPr", "sdtPr", "sdtEndPr", "tcPr", "customXmlPr", "smartTagPr")}
_FALLBACK = MC + "Fallback"


@dataclass(slots=True)
class _Open:
    """A paragraph that is being read. It goes on in the next one while its own mark is deleted."""

    lines: list[tuple[int, Line]]
    element: Element


class Story:
    """Reads the content of one document. ``tracked`` is a key of ``GONE``; what is left out is counted in
    ``losses``."""

    def __init__(self, package: Package, *, tracked: str, comments: bool) -> None:
        self.losses: Counter[str] = Counter()
        self._tracked = tracked
        self._gone = GONE[tracked]
        self._body = package.body()
        self._styles = Styles(package.part("styles"))
        self._numberings = Numberings(package.part("numbering"), self._styles.number_ids)
        self._page = Page.of(self._body)
        self._notes = Notes(package, comments=comments)
        self._numbers = {paragraph: number for number, paragraph in enumerate(self._body.iter(PARAGRAPH), start=1)}
        self._pending: deque[tuple[str, str, int]] = deque()
        self._grid = GridReader(package.archive.path)
        self._number = 1
        self._lines = self._reader_of(self._body)

    def items(self) -> Iterator[Item]:
        """Everything in reading order; notes with the paragraph or table that refers to them."""
        for item in self._blocks(self._body):
            item.notes.extend(self._referred())
            yield item
        self.losses["comment"] += self._notes.unread_comments()

    def _reader_of(self, root: Element) -> LineReader:
        whole = whole_fields(root, without=(*self._gone, _FALLBACK))
        return LineReader(
            Fields(whole, self.losses),
            gone=self._gone,
            styles=self._styles,
            page=self._page,
            losses=self.losses,
            label_of=self._notes.label,
        )

    def _referred(self) -> Iterator[Note]:
        """The notes that what was read last refers to, and those that these refer to, each once."""
        body_lines = self._lines
        while self._pending:
            kind, note_id, self._number = self._pending.popleft()
            element = self._notes.take(kind, note_id)
            if element is not None:
                self._lines = self._reader_of(element)
                text = LINE_BREAK.join(chain.from_iterable(map(_flat, self._blocks(element))))
                yield Note(self._notes.label(kind, note_id), self._notes.by(kind, element) + text, self._number)
        self._lines = body_lines

    def _blocks(self, container: Element) -> Iterator[Item]:
        unfinished: _Open | None = None
        for child in container:
            tag = child.tag
            if tag == PARAGRAPH:
                unfinished = self._read_paragraph(child, unfinished)
                if not self._goes_on(child):
                    yield from self._finish(unfinished)
                    unfinished = None
            elif tag in _NO_CONTENT:
                continue
            elif tag in self._gone:
                self.losses["change"] += 1
            else:
                yield from self._finish(unfinished)
                unfinished = None
                yield from self._other(child)
        yield from self._finish(unfinished)

    def _other(self, element: Element) -> Iterator[Item]:
        """What stands between paragraphs and is none."""
        tag = element.tag
        if tag == TABLE:
            yield from self._table(element)
        elif tag == W + "sdt" and _is_contents(element):
            self.losses["contents"] += 1
        elif tag == MC + "AlternateContent":
            branch = chosen_branch(element)
            if branch is not None:
                yield from self._blocks(branch)
        elif tag == W + "altChunk":
            self.losses["embedded"] += 1
        elif len(element):
            yield from self._blocks(element)

    def _read_paragraph(self, element: Element, unfinished: _Open | None) -> _Open:
        self._number = self._numbers.get(element, self._number)
        line = self._lines.read(element)
        self._pending.extend((kind, note_id, self._number) for kind, note_id in line.notes)
        if unfinished is None:
            return _Open([(self._number, line)], element)
        unfinished.lines.append((self._number, line))
        if line.text.strip():
            unfinished.element = element  # the mark at its end is the one that stays
        return unfinished

    def _goes_on(self, paragraph: Element) -> bool:
        """Whether the mark at the end of the paragraph is gone, or it is a drop cap: the first letter of the next."""
        properties = paragraph.find(W + "pPr")
        if properties is None:
            return False
        mark = properties.find(W + "rPr")
        if mark is not None and any(mark.find(name) is not None for name in self._gone):
            return True
        frame = properties.find(W + "framePr")
        return frame is not None and frame.get(W + "dropCap", "none") != "none"

    def _finish(self, unfinished: _Open | None) -> Iterator[Item]:
        if unfinished is None:
            return
        properties = self._properties(unfinished.element)
        style_id = value(properties, "pStyle") or self._styles.default
        role = self._role(properties, style_id)
        runs = [Run(line.text, Place(paragraph=number)) for number, line in unfinished.lines]
        paragraph = Paragraph(unfinished.lines[0][0], runs, role)
        if role.kind == "contents":
            self.losses["contents"] += bool(paragraph.text.strip())
        else:
            self._number_paragraph(paragraph, properties, style_id)
            yield paragraph
        for _, line in unfinished.lines:
            for box in line.boxes:
                yield from self._blocks(box)

    def _properties(self, paragraph: Element) -> Element | None:
        """Those that count: before a tracked change of the format, where the original is wanted."""
        properties = paragraph.find(W + "pPr")
        if properties is None or self._tracked == "accepted":
            return properties
        earlier = properties.find(f"{W}pPrChange/{W}pPr")
        return properties if earlier is None else earlier

    def _role(self, properties: Element | None, style_id: str) -> Role:
        role = self._styles.role(style_id)
        outline = outline_level(properties)
        if outline is None or role.kind in ("contents", "title"):
            return role
        if outline < BODY_OUTLINE:
            return Role("heading", outline + 1)
        return BODY if role.kind == "heading" else role

    def _number_paragraph(self, paragraph: Paragraph, properties: Element | None, style_id: str) -> None:
        inherited = self._styles.numbering(style_id)
        num_id, depth = numbered_by(properties)
        if not num_id and inherited:
            num_id = inherited.num_id
            depth = inherited.level if depth is None else depth
        if num_id and depth is None:
            depth = self._numberings.level_of_style(num_id, self._styles.chain(style_id))
        label = self._numberings.advance(num_id, depth or 0) if num_id else None
        if label is None and paragraph.role.kind == "bullet" and not num_id:
            label, depth = Label("", bullet=True), paragraph.role.level - 1
        if label and (label.bullet or label.text):
            paragraph.label, paragraph.num_id, paragraph.depth = label, num_id, depth or 0

    def _table(self, table: Element) -> Iterator[Item]:
        cells = table_cells(table, self._gone)
        self.losses["change"] += cells.gone
        if len(cells.rows) == 1 and len(cells.rows[0]) == 1:
            yield from self._blocks(cells.rows[0][0])  # a frame around text, no table
            return
        inner: list[Table] = []

        def text_of(cell: Element) -> tuple[str, int]:
            first = 0
            lines: list[str] = []
            for item in self._blocks(cell):
                if isinstance(item, Table):
                    inner.append(item)
                else:
                    first = first or item.number
                    lines.extend(_flat(item))
            return "\n".join(lines), first

        if cells.rows:
            yield self._grid.read(table, cells, text_of)
        yield from inner


def _is_contents(control: Element) -> bool:
    gallery = control.find(f"{W}sdtPr/{W}docPartObj/{W}docPartGallery")
    return gallery is not None and gallery.get(VAL) == "Table of Contents"


def _flat(item: Item) -> Iterable[str]:
    """An item inside a cell or a note: lines of text with their numbers."""
    if isinstance(item, Table):
        return ("; ".join(cell for cell in row.cells if cell) for row in item.rows)
    text = item.text.strip()
    if not text:
        return ()
    return (labelled(item.label, text),)
