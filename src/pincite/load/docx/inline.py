"""The text of one paragraph, with everything that stands in its line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from pincite.load.docx.appearance import NOTHING_SAID, SAYING, Page, appearance_of
from pincite.load.docx.equations import equation_text
from pincite.load.docx.fields import FIELD, Fields, is_contents
from pincite.load.docx.styles import Styles
from pincite.load.docx.symbols import PRIVATE, symbol
from pincite.load.docx.tags import BOX, ID, MC, A, M, W, value
from pincite.load.writer import LINE_BREAK
from pincite.load.xml import Element

GONE = {"accepted": (W + "del", W + "moveFrom"), "original": (W + "ins", W + "moveTo")}
"""What is not read, by how tracked changes are read."""

_SAYING = {*SAYING, W + "rStyle"}
_NO_TEXT = {W + name for name in ("pPr", "rPr", "sdtPr", "sdtEndPr", "smartTagPr", "customXmlPr", "rt", "rubyPr")}
_OTHER_PICTURES = ("/chart", "/diagram")


def chosen_branch(alternative: Element) -> Element | None:
    """The first choice of an alternative, or what it falls back on: the same content once."""
    choice = alternative.find(MC + "Choice")
    return alternative.find(MC + "Fallback") if choice is None else choice


@dataclass(slots=True)
class Line:
    """What one paragraph holds: its text, the text boxes anchored in it, the notes that it refers to."""

    parts: list[str] = field(default_factory=list)
    boxes: list[Element] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)
    """Kind (``footnote``, ``endnote``, ``comment``) and id, in order."""

    @property
    def text(self) -> str:
        return "".join(self.parts)


class LineReader:
    """Reads paragraphs one after the other. ``label_of`` gives the label of a note, empty where it has none; what is
    left out is counted in ``losses``."""

    def __init__(
        self,
        fields: Fields,
        *,
        gone: tuple[str, ...],
        styles: Styles,
        page: Page,
        losses: Counter[str],
        label_of: Callable[[str, str], str],
    ) -> None:
        self._fields = fields
        self._gone = gone
        self._styles = styles
        self._page = page
        self._unseen = False
        self._losses = losses
        self._label_of = label_of
        self._line = Line()
        self._around = styles.text_of_paragraphs("")

    def read(self, paragraph: Element) -> Line:
        self._line = Line()
        self._around = self._styles.text_of_paragraphs(value(paragraph.find(W + "pPr"), "pStyle"))
        self._inside(paragraph)
        return self._line

    def _inside(self, element: Element) -> None:
        for child in element:
            tag = child.tag
            if tag in _TEXT:
                self._write(_TEXT[tag])
            elif tag in _READERS:
                _READERS[tag](self, child)
            elif tag in self._gone:
                self._losses["change"] += 1
            elif tag not in _NO_TEXT:
                self._inside(child)

    def _write(self, text: str) -> None:
        if not self._fields.hidden:
            self._line.parts.append(text)

    def _run(self, run: Element) -> None:
        look = self._around
        properties = run.find(W + "rPr")
        if properties is not None and not _SAYING.isdisjoint([child.tag for child in properties]):
            style = self._styles.appearance(value(properties, "rStyle"))
            look = appearance_of(properties).over(style).over(look)
        if look is NOTHING_SAID:
            self._inside(run)
        elif look.gone:
            self._count_hidden(run)
            for mark in run.iterchildren(FIELD, W + "instrText"):
                _READERS[str(mark.tag)](self, mark)
        elif look.tiny or (look.white and not look.filled and self._page.is_white_at(run, self._styles.is_shaded)):
            self._count_hidden(run)
            self._unseen = True
            self._inside(run)
            self._unseen = False
        else:
            self._inside(run)

    def _count_hidden(self, run: Element) -> None:
        if not self._fields.hidden:
            self._losses["hidden_text"] += sum(len((text.text or "").strip()) for text in run.iterchildren(W + "t"))

    def _text(self, element: Element) -> None:
        text = element.text
        if not text or self._fields.hidden or (self._unseen and not text.isspace()):
            return
        if PRIVATE.search(text):
            text = self._symbols(element, text)
        self._line.parts.append(text)

    def _symbols(self, element: Element, text: str) -> str:
        """Text in a symbol font, whose characters Word moves into the private area."""
        parent = element.getparent()
        fonts = None if parent is None else parent.find(f"{W}rPr/{W}rFonts")
        font = "" if fonts is None else fonts.get(W + "ascii") or fonts.get(W + "hAnsi") or ""
        return PRIVATE.sub(lambda match: self._symbol_text(font, f"{ord(match[0]):X}"), text)

    def _symbol(self, element: Element) -> None:
        if not self._unseen:
            self._write(self._symbol_text(element.get(W + "font", ""), element.get(W + "char", "")))

    def _symbol_text(self, font: str, code: str) -> str:
        text = symbol(font, code)
        self._losses["symbol"] += not text
        return text

    def _field_mark(self, element: Element) -> None:
        if text := self._fields.mark(element):
            self._line.parts.append(text)

    def _field_code(self, element: Element) -> None:
        self._fields.code(element.text or "")

    def _simple_field(self, element: Element) -> None:
        if is_contents(element.get(W + "instr", "")):
            self._losses["contents"] += 1
        else:
            self._inside(element)

    def _note(self, element: Element) -> None:
        kind = str(element.tag).removeprefix(W).removesuffix("Reference")
        note_id = element.get(ID, "")
        label = "" if self._fields.hidden else self._label_of(kind, note_id)
        if label:
            self._line.parts.append(f"[^{label}]")
            self._line.notes.append((kind, note_id))

    def _ruby(self, element: Element) -> None:
        self._losses["reading"] += 1
        self._inside(element)

    def _equation(self, element: Element) -> None:
        self._write(equation_text(element))

    def _alternative(self, element: Element) -> None:
        branch = chosen_branch(element)
        if branch is not None:
            self._inside(branch)

    def _picture(self, element: Element) -> None:
        """A drawing, a picture or an object: only text boxes in it are text."""
        pictures = next(element.iter("{*}pic", "{*}imagedata", "{*}OLEObject"), None) is not None
        uris = (data.get("uri", "") for data in element.iter(A + "graphicData"))
        self._losses["picture"] += pictures or any(uri.endswith(_OTHER_PICTURES) for uri in uris)
        self._collect_boxes(element)

    def _collect_boxes(self, element: Element) -> None:
        for child in element:
            if child.tag == BOX:
                self._line.boxes.append(child)
            elif child.tag == MC + "AlternateContent":
                branch = chosen_branch(child)
                if branch is not None:
                    self._collect_boxes(branch)
            else:
                self._collect_boxes(child)


_TEXT = {
    W + "tab": "\t",
    W + "ptab": "\t",
    W + "br": LINE_BREAK,
    W + "cr": LINE_BREAK,
    W + "noBreakHyphen": "\u2011",
}

_READERS: dict[object, Callable[[LineReader, Element], None]] = {
    W + "r": LineReader._run,
    W + "t": LineReader._text,
    W + "delText": LineReader._text,
    W + "sym": LineReader._symbol,
    FIELD: LineReader._field_mark,
    W + "instrText": LineReader._field_code,
    W + "delInstrText": LineReader._field_code,
    W + "fldSimple": LineReader._simple_field,
    W + "footnoteReference": LineReader._note,
    W + "endnoteReference": LineReader._note,
    W + "commentReference": LineReader._note,
    W + "ruby": LineReader._ruby,
    M + "oMath": LineReader._equation,
    MC + "AlternateContent": LineReader._alternative,
    W + "drawing": LineReader._picture,
    W + "pict": LineReader._picture,
    W + "object": LineReader._picture,
}
