"""From the tree of a page to its blocks, in one pass without recursion.

Text is gathered until a block element begins or ends; what that means depends on where the walk is: in running text it
ends a paragraph, in a heading it is a blank, in a caption, note or cell the end of a line, in code a line end. Inline
elements are joined as they stand.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from sys import maxsize
from typing import Literal

from selectolax.lexbor import LexborNode

from pincite.load.html import vocabulary as names
from pincite.load.html.code import BLANK_ENDS, CODE_TABLE, language_of
from pincite.load.html.formulas import formula
from pincite.load.html.inline import cell_lines, description, raised
from pincite.load.html.limits import TooMuchError
from pincite.load.html.lists import Numbering, OpenList, numbering
from pincite.load.html.notes import label_of, labelled, leads_back, leads_to_note, note_kind
from pincite.load.html.sketch import Sketch
from pincite.load.html.steps import CLOSE, Elements, Leaf, LeafKind, Open, Step, Walked
from pincite.load.html.tables import Cell, Table, is_layout, spans
from pincite.load.html.unseen import Look, Styles, length_of
from pincite.load.html.visible import Attributes, Sight, has_formula
from pincite.load.writer import LINE_BREAK

Mode = Literal["flow", "heading", "caption", "cell", "code", "note"]

_MOST_CONTAINERS = 32
"""Lists and quotes that nest deeper are written at this depth: every level indents the text further."""

_PLAIN = Look()

_MOST_PIECES_LOOKED_AT = 8  # of a link or index, so that long ones are not copied at every level


@dataclass(slots=True)
class _Frame:
    """An element that is open, and what the walk goes back to when it ends."""

    element: int
    attributes: Attributes
    block: int
    mode: Mode
    leave: Callable[[_Frame], None] | None = None
    children: dict[str, int] = field(default_factory=dict)  # how many of each name so far
    start: int = 0  # of the buffer, of inline elements that are looked at when they end
    end_tag: str = ""  # in the sketch
    notes: bool = False  # whether it holds notes
    look: Look = _PLAIN


def walk(
    body: LexborNode,
    sight: Sight,
    *,
    styles: Styles | None = None,
    sketching: bool = True,
    most_blocks: int | None = None,
) -> Walked:
    """With ``sketching`` the page is sketched, which costs memory that a large page can do without; ``styles`` are
    those by which text is left out that nobody sees.

    Raises ``TooMuchError`` for more than ``most_blocks`` blocks.
    """
    return _Walker(sight, styles, Sketch() if sketching else None, most_blocks).walk(body)


class _Walker:
    def __init__(self, sight: Sight, styles: Styles | None, sketch: Sketch | None, most_blocks: int | None) -> None:
        self._styles = styles
        self._hidden = 0
        self._sight = sight
        self._sketch = sketch
        self._most_blocks = maxsize if most_blocks is None else most_blocks
        self._blocks = 0
        self._shows = sight.shows
        self._elements = Elements()
        self._steps: list[Step] = []
        self._mode: Mode = "flow"
        self._block = 0
        self._buffer: list[str] = []
        self._gaps: list[int] = []
        self._owner = -1  # the block element in which the text of the buffer began
        self._links = self._described = 0  # characters of the buffer that are links, that describe pictures
        self._in_links = self._in_forms = self._in_code = 0
        self._reference = -1  # where in the buffer a link to a place of the page began last
        self._containers: list[OpenList | None] = []  # open lists; ``None`` is a quote
        self._in_notes = 0  # elements that hold notes
        self._label = ""  # of the note that is read, as a link in it or the term before it says
        self._tables: list[Table] = []  # the table that is read, then those in its cell
        self._enter: dict[str, Callable[[LexborNode, str, _Frame], bool]] = {
            **dict.fromkeys(names.HEADINGS, self._enter_heading),
            **dict.fromkeys(names.LISTS, self._enter_list),
            **dict.fromkeys(names.CODE, self._enter_code),
            **dict.fromkeys(("figcaption", "caption", "summary"), self._enter_caption),
            **dict.fromkeys(("td", "th"), self._enter_cell),
            **dict.fromkeys(("thead", "tbody", "tfoot"), self._enter_rows),
            **dict.fromkeys(("sup", "sub"), self._enter_raised),
            **dict.fromkeys(("dt", "dd", "li"), self._enter_item),
            "dl": self._enter_list,
            "blockquote": self._enter_quote,
            "table": self._enter_table,
            "tr": self._enter_row,
            "a": self._enter_link,
            "q": self._enter_quotation,
            "rt": self._enter_reading,
            "form": self._enter_form,
            "math": self._enter_math,
        }

    def walk(self, body: LexborNode) -> Walked:
        self._elements.add(0, "body", 1, body.attributes)
        frames = [_Frame(0, body.attributes, 0, "flow")]
        if self._styles:
            frames[0].look = self._styles.look_of_body(body)
        node = body.first_child
        while node is not None:
            name = node.tag or "-"
            if name == "-text":
                if frames[-1].look.unseen:
                    self._hidden += len(" ".join((node.text_content or "").split()))
                else:
                    self._text(node)
            elif name[0] not in "-!" and (frame := self._begin(node, name, frames[-1])):
                if (child := node.first_child) is not None:
                    if self._sketch:
                        frame.end_tag = self._sketch.open(name, frame.attributes)
                    frames.append(frame)
                    node = child
                    continue
                self._end(frame)
            following = node.next
            while following is None and len(frames) > 1 and node is not None:
                self._end(frames.pop())
                node = node.parent
                following = node.next if node is not None else None
            node = following
        self._flush()
        return Walked(self._elements, self._steps, self._sketch, self._hidden)

    # Elements

    def _begin(self, node: LexborNode, name: str, parent: _Frame) -> _Frame | None:
        """The frame of an element whose content is read, ``None`` for all others."""
        attributes = node.attributes
        number = parent.children[name] = parent.children.get(name, 0) + 1
        hiding = name in names.HIDING_ELEMENTS or (attributes and not names.HIDING_ATTRIBUTES.isdisjoint(attributes))
        if hiding and not self._shows(node, name, attributes):
            if self._sight.is_loss(node, name, attributes):
                self._hidden += length_of(node)
            if name in names.BLOCKS:
                self._boundary()
            return None
        look = parent.look
        styles = self._styles
        if styles and (look is not styles.first or styles.concerns(name, attributes)) and name not in names.EMPTY:
            effect = styles.effect(name, attributes)
            if effect.gone and self._is_gone(node, name, attributes):
                return None
            look = effect.on(look)
        if name in names.TEXTLESS and self._has_no_text(name):
            self._empty(node, name, attributes)
            return None
        element = self._elements.add(parent.element, name, number, attributes)
        frame = _Frame(element, attributes, self._block, self._mode, look=look)
        if name in names.BLOCKS:
            if len(self._tables) > 1 and name in ("td", "th"):
                self._buffer.append(" ")  # the cells of a table in a cell stand side by side
                return frame
            self._boundary()
            self._block = element
            frame.leave = self._leave_block
            if attributes and self._mode == "flow" and self._enter_note(node, name, frame):
                return frame
        if (enter := self._enter.get(name)) and not enter(node, name, frame):
            return None
        return frame

    def _is_gone(self, node: LexborNode, name: str, attributes: Attributes) -> bool:
        """Whether an element that style takes out of sight is left out; the exceptions are those of other hiding."""
        if attributes.get("role") == "tabpanel" or has_formula(node, name):
            return False
        self._hidden += length_of(node)
        if name in names.BLOCKS:
            self._boundary()
        return True

    def _has_no_text(self, name: str) -> bool:
        if name == "button":  # it opens and closes the text below a heading
            return self._mode not in ("heading", "caption")
        return name != "label" or self._in_forms > 0

    def _end(self, frame: _Frame) -> None:
        if frame.end_tag and self._sketch:
            self._sketch.close(frame.end_tag)
        if frame.leave:
            frame.leave(frame)
        self._in_notes -= frame.notes
        self._block, self._mode = frame.block, frame.mode

    def _leave_block(self, _frame: _Frame) -> None:
        self._boundary()

    def _empty(self, node: LexborNode, name: str, attributes: Attributes) -> None:
        """Elements without content, or whose content is no text."""
        if name == "br":
            if self._sketch:
                self._sketch.line_break()
            self._buffer.append({"code": "\n", "heading": " "}.get(self._mode, LINE_BREAK))
        elif name == "img":
            self._picture(attributes)
        elif name == "hr":
            self._boundary()
        elif name == "input" and attributes.get("type") == "checkbox" and not self._owner >= 0 and self._containers:
            self._buffer.append("[x] " if "checked" in attributes else "[ ] ")  # a task
        elif name == "script" and (attributes.get("type") or "").startswith("math/tex"):
            self._append(f"${' '.join((node.text() or '').split())}$")

    # Text

    def _text(self, node: LexborNode) -> None:
        text = node.text_content or ""
        if self._mode != "code" and text.isspace():
            if self._buffer:
                self._buffer.append(" ")
                if self._sketch:
                    self._sketch.text(" ")
            return
        if self._owner < 0 and not text.isspace():
            self._owner = self._block
            if self._sketch:
                self._gaps.append(self._sketch.mark())
        if self._sketch:
            self._sketch.text(text)
        if self._in_code and self._mode in ("cell", "note"):
            text = text.replace("\n", LINE_BREAK)
        self._buffer.append(text if text.isascii() else text.translate(names.UNSEEN))
        if self._in_links:
            self._links += len(text)

    def _append(self, text: str) -> None:
        """Text that is not a node's own."""
        if self._owner < 0:
            self._owner = self._block
        self._buffer.append(text)

    def _boundary(self) -> None:
        if not self._buffer:
            return
        if self._mode == "flow":
            self._flush()
        elif self._mode == "code":
            if not self._buffer[-1].endswith("\n"):
                self._buffer.append("\n")
        else:
            self._buffer.append(" " if self._mode == "heading" else LINE_BREAK)

    def _flush(self, kind: LeafKind = "paragraph", *, level: int = 0, language: str = "", label: str = "") -> None:
        """Makes a block of what was gathered."""
        text = "".join(self._buffer)
        if stripped := text.strip():
            if kind == "code":
                text = BLANK_ENDS.sub("", text)
            if kind == "paragraph" and self._described >= len(stripped):
                kind = "caption"
            owner = self._owner if self._owner >= 0 else self._block
            leaf = Leaf(
                kind,
                owner,
                text,
                level,
                language,
                label,
                length=len(stripped),
                links=self._links,
                gaps=self._gaps or (),
            )
            if kind == "caption":
                self._drop_description(stripped)
            self._put(leaf)
        self._reset()

    def _put(self, step: Leaf | Open) -> None:
        self._blocks += 1
        if self._blocks > self._most_blocks:
            raise TooMuchError("it has too many blocks", "max_blocks")
        self._steps.append(step)

    def _drop_description(self, caption: str) -> None:
        """What a picture is described by goes where its caption says the same."""
        last = self._steps[-1] if self._steps else None
        if isinstance(last, Leaf) and last.kind == "caption" and last.text.strip() in caption:
            self._steps.pop()

    def _reset(self) -> None:
        self._buffer, self._gaps, self._owner, self._links, self._described = [], [], -1, 0, 0

    # Headings, captions, code

    def _enter_heading(self, _node: LexborNode, name: str, frame: _Frame) -> bool:
        if self._mode == "flow":
            self._mode = "heading"
            frame.leave = lambda _frame: self._flush("heading", level=names.HEADINGS[name])
        return True

    def _enter_caption(self, _node: LexborNode, name: str, frame: _Frame) -> bool:
        if self._mode == "flow" or (name == "caption" and len(self._tables) == 1 and self._mode == "cell"):
            self._reset()
            self._mode = "caption"
            kind: LeafKind = "paragraph" if name == "summary" else "caption"
            frame.leave = lambda _frame: self._flush(kind)
        return True

    def _enter_code(self, _node: LexborNode, _name: str, frame: _Frame) -> bool:
        if self._mode == "flow":
            self._mode = "code"
            frame.leave = lambda frame: self._flush("code", language=language_of(self._elements, frame.element))
        elif self._mode in ("cell", "note"):
            self._in_code += 1
            frame.leave = self._leave_code_in_lines
        return True

    def _leave_code_in_lines(self, _frame: _Frame) -> None:
        self._boundary()
        self._in_code -= 1

    # Lists and quotes

    def _enter_list(self, node: LexborNode, name: str, frame: _Frame) -> bool:
        if self._mode == "flow" and len(self._containers) < _MOST_CONTAINERS:
            items = sum(child.tag == "li" for child in node.iter()) if name == "ol" else 0
            numbers = numbering(frame.attributes, items) if name == "ol" else Numbering()
            self._containers.append(OpenList(numbers, notes=self._in_notes > 0))
            if not self._in_notes:
                self._put(Open("list"))
            frame.leave = self._leave_list
        return True

    def _leave_list(self, _frame: _Frame) -> None:
        self._boundary()
        inside = self._containers[-1]
        if inside:
            self._close_item(inside)
        self._containers.pop()
        if inside and inside.notes:
            self._label = ""
        else:
            self._steps.append(CLOSE)

    def _enter_item(self, _node: LexborNode, name: str, frame: _Frame) -> bool:
        inside = self._containers[-1] if self._containers else None
        if self._mode != "flow" or inside is None or (inside.item and not inside.ended):
            return True  # an item of no list is a piece of text
        if inside.notes:
            self._begin_note(name, frame, inside.numbering.marker(frame.attributes.get("value")).strip("-."))
            return True
        if not inside.item or name == "li" or (name == "dt" and inside.defined):
            self._close_item(inside)
            self._put(Open("item", inside.numbering.marker(frame.attributes.get("value"))))
            inside.item = True
        inside.ended, inside.defined = False, name == "dd"
        frame.leave = self._leave_item
        return True

    def _leave_item(self, _frame: _Frame) -> None:
        self._boundary()
        inside = self._containers[-1]
        if inside:
            inside.ended = True

    def _close_item(self, inside: OpenList) -> None:
        if inside.item:
            self._steps.append(CLOSE)
            inside.item = inside.defined = False

    def _enter_quote(self, _node: LexborNode, _name: str, frame: _Frame) -> bool:
        if self._mode == "flow" and len(self._containers) < _MOST_CONTAINERS:
            self._put(Open("quote"))
            self._containers.append(None)
            frame.leave = self._leave_quote
        return True

    def _leave_quote(self, _frame: _Frame) -> None:
        self._boundary()
        self._containers.pop()
        self._steps.append(CLOSE)

    # Notes

    def _enter_note(self, node: LexborNode, name: str, frame: _Frame) -> bool:
        """Whether the element is a note, which is then begun; one that holds notes is noted."""
        inside = self._containers[-1] if self._containers else None
        if name in names.HEADINGS or (inside and inside.notes):
            return False
        kind = note_kind(node, name, frame.attributes)
        if kind == "note":
            self._begin_note(name, frame, "")
        elif kind == "notes":
            self._in_notes += 1
            frame.notes = True
        return kind == "note"

    def _begin_note(self, name: str, frame: _Frame, label: str) -> None:
        """``label`` is what the numbers of its list say; a term (``dt``) is the label of what follows."""
        self._mode = "note"
        if name == "dt":
            self._label = ""
            frame.leave = self._leave_label
            return
        self._label = label or self._label
        said = bool(self._label)
        frame.leave = lambda _frame: self._leave_note(said)

    def _leave_label(self, _frame: _Frame) -> None:
        text = "".join(self._buffer)
        self._label = self._label or label_of(text)
        if self._label:
            self._reset()
        else:
            self._flush("note")

    def _leave_note(self, said: bool) -> None:
        text = "".join(self._buffer)
        if not said:
            self._label, text = labelled(text, self._label)
        self._buffer = [text]
        self._flush("note", label=self._label)
        self._label = ""

    # Tables

    def _enter_table(self, node: LexborNode, name: str, frame: _Frame) -> bool:
        if self._mode == "cell":
            self._tables.append(Table())
            frame.leave = self._leave_inner_table
        elif self._mode == "flow":
            if CODE_TABLE.search(frame.attributes.get("class") or ""):
                return self._enter_code(node, name, frame)
            if not is_layout(node):
                self._tables = [Table()]
                self._mode = "cell"
                frame.leave = self._leave_table
        return True

    def _leave_inner_table(self, _frame: _Frame) -> None:
        self._boundary()
        self._tables.pop()

    def _leave_table(self, frame: _Frame) -> None:
        table = self._tables.pop()
        if table.length:
            leaf = Leaf("table", frame.element, table=table, length=table.length, links=table.links, gaps=table.gaps)
            self._put(leaf)
        self._reset()

    def _enter_rows(self, _node: LexborNode, name: str, frame: _Frame) -> bool:
        if self._mode == "cell" and len(self._tables) == 1:
            self._tables[0].begin_group(head=name == "thead")
            frame.leave = self._leave_rows
        return True

    def _leave_rows(self, _frame: _Frame) -> None:
        self._tables[0].begin_group(head=False)

    def _enter_row(self, _node: LexborNode, _name: str, frame: _Frame) -> bool:
        if self._mode == "cell" and len(self._tables) == 1:
            self._tables[0].begin_row(frame.element)
        return True

    def _enter_cell(self, _node: LexborNode, _name: str, frame: _Frame) -> bool:
        if self._mode == "cell":
            self._reset()
            frame.leave = self._leave_cell
        return True

    def _leave_cell(self, frame: _Frame) -> None:
        columns, rows = spans(frame.attributes)
        header = self._elements.names[frame.element] == "th"
        table = self._tables[0]
        table.add(Cell(cell_lines("".join(self._buffer)), header, columns, rows))
        table.links += self._links
        table.gaps += self._gaps
        self._reset()

    # Inline elements

    def _enter_link(self, _node: LexborNode, _name: str, frame: _Frame) -> bool:
        self._in_links += 1
        frame.start = len(self._buffer)
        self._reference = frame.start if "#" in (frame.attributes.get("href") or "") else -1
        frame.leave = self._leave_link
        return True

    def _leave_link(self, frame: _Frame) -> None:
        """Drops links that only serve moving about in the page: to its content, to a heading, back from a note. The one
        at the start of a note is its label."""
        self._in_links -= 1
        self._reference = -1
        if "#" not in (frame.attributes.get("href") or "") or len(self._buffer) - frame.start > _MOST_PIECES_LOOKED_AT:
            return
        text = "".join(self._buffer[frame.start :]).strip()
        if not text:
            return
        if self._mode == "note" and not self._label and frame.start <= _MOST_PIECES_LOOKED_AT:
            before = "".join(self._buffer[: frame.start]).strip()
            self._label = label_of(text) if before in ("", "[", "(") else ""
            if self._label:
                self._reset()
                return
        heading = self._mode == "heading" and names.PERMALINK.fullmatch(text)
        moving = text in names.BACK_LINKS or text in names.PERMALINK_SIGNS or names.SKIP_LINK.match(text)
        if heading or moving or leads_back(frame.attributes):
            del self._buffer[frame.start :]
            if not any(piece.strip() for piece in self._buffer):
                self._reset()
        elif text.isdigit() and self._mode != "code" and leads_to_note(frame.attributes):
            self._buffer[frame.start :] = [f"[{text}]"]

    def _enter_raised(self, _node: LexborNode, _name: str, frame: _Frame) -> bool:
        if self._mode != "code":
            frame.start = len(self._buffer)
            frame.leave = self._leave_raised
        return True

    def _leave_raised(self, frame: _Frame) -> None:
        """Numbers above or below the line must not join the number before them: 10⁶, never 106."""
        pieces = self._buffer[frame.start :]
        if not 0 < len(pieces) <= _MOST_PIECES_LOOKED_AT:
            return
        below = self._elements.names[frame.element] == "sub"
        before = self._buffer[frame.start - 1][-1:] if frame.start else ""
        linked = self._elements.names[-1] == "a" or self._reference == frame.start
        if text := raised("".join(pieces).strip(), before, below=below, linked=linked):
            self._buffer[frame.start :] = [text]

    def _enter_quotation(self, _node: LexborNode, _name: str, frame: _Frame) -> bool:
        self._append("“")
        frame.leave = lambda _frame: self._append("”")
        return True

    def _enter_reading(self, _node: LexborNode, _name: str, frame: _Frame) -> bool:
        self._append("(")
        frame.leave = lambda _frame: self._append(")")
        return True

    def _enter_form(self, _node: LexborNode, _name: str, frame: _Frame) -> bool:
        self._in_forms += 1
        frame.leave = self._leave_form
        return True

    def _leave_form(self, _frame: _Frame) -> None:
        self._boundary()
        self._in_forms -= 1

    def _enter_math(self, node: LexborNode, _name: str, _frame: _Frame) -> bool:
        """A formula whose TeX is known is written as such, and its elements are skipped."""
        if text := formula(node):
            self._append(text)
        return not text

    def _picture(self, attributes: Attributes) -> None:
        """What a picture is described by, where that is more than its name."""
        text = description(attributes.get("alt"))
        if not text or self._mode == "code":
            return
        words = f" {text} " if any(map(str.isalpha, text)) else text
        self._append(words)
        self._described += len(text)
        if self._in_links:
            self._links += len(text)
