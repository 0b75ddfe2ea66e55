"""From the tree of a page to its blocks, in one pass without recursion.

Text is gathered until a block element begins or ends; what that means depends on where the walk is: in running text it
ends a paragraph, in a heading it is a blank, in a caption or cell the end of a line, in code a line end. Inline
elements are joined as they stand.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from selectolax.lexbor import LexborNode

from pincite.load.html import vocabulary as names
from pincite.load.html.formulas import formula
from pincite.load.html.lists import Numbering, numbering
from pincite.load.html.steps import Close, Elements, Leaf, LeafKind, Open, Step, Walked
from pincite.load.html.tables import Cell, Table, is_layout, spans
from pincite.load.html.visible import Attributes, Sight
from pincite.load.writer import LINE_BREAK

Mode = Literal["flow", "heading", "caption", "cell", "code"]

_NO_ATTRIBUTES: Attributes = {}
_MOST_CONTAINERS = 32
"""Lists and quotes that nest deeper are written at this depth: every level indents the text further."""

_LANGUAGE = re.compile(r"(?:^|\s)(?:language-|lang-|highlight-(?:source-|text-)?|brush:\s*|sourceCode\s+)([\w+#.-]+)")
_NO_LANGUAGE = frozenset(
    ["none", "text", "default", "plain", "plaintext", "notranslate", "nohighlight", "wrapper", "container"]
)
_PICTURE_FILE = re.compile(r"\S*\.(?:jpe?g|png|gif|svg|webp|bmp|avif)", re.IGNORECASE)
_CODE_TABLE = re.compile(r"(?:^|\s)(?:hljs-ln|js-file-line-container|diff-table|rouge-line-table)(?=\s|$)")
_BLANK_ENDS = re.compile(r"\A(?:[^\S\n]*\n)+|\s+\Z")
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


@dataclass(slots=True)
class _List:
    """An open list. ``item`` says whether an item is open, ``ended`` whether its element has ended: what follows before
    the next item still belongs to it. ``defined`` is for lists of definitions: whether the item has one."""

    numbering: Numbering
    item: bool = False
    ended: bool = False
    defined: bool = False


def walk(body: LexborNode, sight: Sight, *, noting: bool = True) -> Walked:
    """``noting`` fills ``Leaf.texts``, which costs memory that a large page can do without."""
    return _Walker(sight, noting).walk(body)


class _Walker:
    def __init__(self, sight: Sight, noting: bool) -> None:
        self._noting = noting
        self._shows = sight.shows
        self._elements = Elements()
        self._steps: list[Step] = []
        self._skipped: list[LexborNode] = []
        self._mode: Mode = "flow"
        self._block = 0
        self._buffer: list[str] = []
        self._texts: list[LexborNode] = []
        self._owner = -1  # the block element in which the text of the buffer began
        self._links = self._described = 0  # characters of the buffer that are links, that describe pictures
        self._in_links = self._in_forms = self._in_code = 0
        self._containers: list[_List | None] = []  # open lists; ``None`` is a quote
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
        node = body.first_child
        while node is not None:
            name = node.tag or "-"
            if name == "-text":
                self._text(node)
            elif name[0] not in "-!" and (frame := self._begin(node, name, frames[-1])):
                if node.first_child is not None:
                    frames.append(frame)
                    node = node.first_child
                    continue
                self._end(frame)
            while node is not None and node.next is None and len(frames) > 1:
                self._end(frames.pop())
                node = node.parent
            node = node.next if node is not None else None
        self._flush()
        return Walked(self._elements, self._steps, self._skipped)

    # Elements

    def _begin(self, node: LexborNode, name: str, parent: _Frame) -> _Frame | None:
        """The frame of an element whose content is read, ``None`` for all others."""
        attributes = node.attributes
        number = parent.children[name] = parent.children.get(name, 0) + 1
        hiding = not names.HIDING_ATTRIBUTES.isdisjoint(attributes) or name in names.HIDING_ELEMENTS
        if hiding and not self._shows(node, name, attributes):
            self._skipped.append(node)
            if name in names.BLOCKS:
                self._boundary()
            return None
        if self._has_no_text(name):
            self._empty(node, name, attributes)
            return None
        element = self._elements.add(parent.element, name, number, attributes or _NO_ATTRIBUTES)
        frame = _Frame(element, attributes, self._block, self._mode)
        if name in names.BLOCKS:
            if len(self._tables) > 1 and name in ("td", "th"):
                self._buffer.append(" ")  # the cells of a table in a cell stand side by side
                return frame
            self._boundary()
            self._block = element
            frame.leave = self._leave_block
        if (enter := self._enter.get(name)) and not enter(node, name, frame):
            self._skipped.append(node)
            return None
        return frame

    def _has_no_text(self, name: str) -> bool:
        if name == "button":  # it opens and closes the text below a heading
            return self._mode not in ("heading", "caption")
        return name in names.EMPTY or name in names.SKIPPED or (name == "label" and self._in_forms > 0)

    def _end(self, frame: _Frame) -> None:
        if frame.leave:
            frame.leave(frame)
        self._block, self._mode = frame.block, frame.mode

    def _leave_block(self, _frame: _Frame) -> None:
        self._boundary()

    def _empty(self, node: LexborNode, name: str, attributes: Attributes) -> None:
        """Elements without content, or whose content is no text."""
        if name == "br":
            self._buffer.append({"code": "\n", "heading": " "}.get(self._mode, LINE_BREAK))
        elif name == "img":
            self._picture(attributes)
        elif name == "hr":
            self._boundary()
        elif name == "input" and attributes.get("type") == "checkbox" and not self._owner >= 0 and self._containers:
            self._buffer.append("[x] " if "checked" in attributes else "[ ] ")  # a task
        elif name == "script" and (attributes.get("type") or "").startswith("math/tex"):
            self._append(f"${' '.join((node.text() or '').split())}$")
        elif name != "wbr":
            self._skipped.append(node)

    # Text

    def _text(self, node: LexborNode) -> None:
        text = node.text_content or ""
        if self._mode != "code" and text.isspace():
            if self._buffer:
                self._buffer.append(" ")
            return
        if self._owner < 0 and not text.isspace():
            self._owner = self._block
            if self._noting:
                self._texts.append(node)
        if self._in_code and self._mode == "cell":
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

    def _flush(self, kind: LeafKind = "paragraph", *, level: int = 0, language: str = "") -> None:
        """Makes a block of what was gathered."""
        text = "".join(self._buffer)
        if stripped := text.strip():
            if kind == "code":
                text = _BLANK_ENDS.sub("", text)
            if kind == "paragraph" and self._described >= len(stripped):
                kind = "caption"
            owner = self._owner if self._owner >= 0 else self._block
            leaf = Leaf(kind, owner, text, level, language, length=len(stripped), links=self._links, texts=self._texts)
            if kind == "caption":
                self._drop_description(stripped)
            self._steps.append(leaf)
        self._reset()

    def _drop_description(self, caption: str) -> None:
        """What a picture is described by goes where its caption says the same."""
        last = self._steps[-1] if self._steps else None
        if isinstance(last, Leaf) and last.kind == "caption" and last.text.strip() in caption:
            self._steps.pop()

    def _reset(self) -> None:
        self._buffer, self._texts, self._owner, self._links, self._described = [], [], -1, 0, 0

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
            frame.leave = lambda frame: self._flush("code", language=self._language(frame.element))
        elif self._mode == "cell":
            self._in_code += 1
            frame.leave = self._leave_code_in_cell
        return True

    def _leave_code_in_cell(self, _frame: _Frame) -> None:
        self._boundary()
        self._in_code -= 1

    def _language(self, element: int) -> str:
        """Of code: what its element, those inside or the next two around it say."""
        elements = self._elements
        parent = elements.parents[element]
        inside = range(element + 1, min(element + 4, len(elements)))
        for index in (element, *inside, parent, elements.parents[parent]):
            attributes = elements.attributes[index]
            own = attributes.get("data-lang") or attributes.get("data-language") or ""
            if not own and (match := _LANGUAGE.search(attributes.get("class") or "")):
                own = match[1]
            if own.strip() and own.lower() not in _NO_LANGUAGE:
                return own.split()[0].lower()
        return ""

    # Lists and quotes

    def _enter_list(self, node: LexborNode, name: str, frame: _Frame) -> bool:
        if self._mode == "flow" and len(self._containers) < _MOST_CONTAINERS:
            items = sum(child.tag == "li" for child in node.iter()) if name == "ol" else 0
            self._steps.append(Open("list"))
            self._containers.append(_List(numbering(frame.attributes, items) if name == "ol" else Numbering()))
            frame.leave = self._leave_list
        return True

    def _leave_list(self, _frame: _Frame) -> None:
        self._boundary()
        inside = self._containers[-1]
        if inside:
            self._close_item(inside)
        self._containers.pop()
        self._steps.append(Close())

    def _enter_item(self, _node: LexborNode, name: str, frame: _Frame) -> bool:
        inside = self._containers[-1] if self._containers else None
        if self._mode != "flow" or inside is None or (inside.item and not inside.ended):
            return True  # an item of no list is a piece of text
        if not inside.item or name == "li" or (name == "dt" and inside.defined):
            self._close_item(inside)
            self._steps.append(Open("item", inside.numbering.marker(frame.attributes.get("value"))))
            inside.item = True
        inside.ended, inside.defined = False, name == "dd"
        frame.leave = self._leave_item
        return True

    def _leave_item(self, _frame: _Frame) -> None:
        self._boundary()
        inside = self._containers[-1]
        if inside:
            inside.ended = True

    def _close_item(self, inside: _List) -> None:
        if inside.item:
            self._steps.append(Close())
            inside.item = inside.defined = False

    def _enter_quote(self, _node: LexborNode, _name: str, frame: _Frame) -> bool:
        if self._mode == "flow" and len(self._containers) < _MOST_CONTAINERS:
            self._steps.append(Open("quote"))
            self._containers.append(None)
            frame.leave = self._leave_quote
        return True

    def _leave_quote(self, _frame: _Frame) -> None:
        self._boundary()
        self._containers.pop()
        self._steps.append(Close())

    # Tables

    def _enter_table(self, node: LexborNode, name: str, frame: _Frame) -> bool:
        if self._mode == "cell":
            self._tables.append(Table())
            frame.leave = self._leave_inner_table
        elif self._mode == "flow":
            if _CODE_TABLE.search(frame.attributes.get("class") or ""):
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
            leaf = Leaf("table", frame.element, table=table, length=table.length, links=table.links, texts=table.texts)
            self._steps.append(leaf)
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
        table.add(Cell(_lines("".join(self._buffer)), header, columns, rows))
        table.links += self._links
        table.texts += self._texts
        self._reset()

    # Inline elements

    def _enter_link(self, _node: LexborNode, _name: str, frame: _Frame) -> bool:
        self._in_links += 1
        frame.start = len(self._buffer)
        frame.leave = self._leave_link
        return True

    def _leave_link(self, frame: _Frame) -> None:
        """Drops links that only serve moving about in the page: to its content, to a heading, back from a note."""
        self._in_links -= 1
        if "#" not in (frame.attributes.get("href") or "") or len(self._buffer) - frame.start > _MOST_PIECES_LOOKED_AT:
            return
        text = "".join(self._buffer[frame.start :]).strip()
        heading = self._mode == "heading" and names.PERMALINK.fullmatch(text)
        if text and (
            heading or text in names.BACK_LINKS or text in names.PERMALINK_SIGNS or names.SKIP_LINK.match(text)
        ):
            del self._buffer[frame.start :]
            if not any(piece.strip() for piece in self._buffer):
                self._reset()

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
        text = "".join(pieces).strip()
        before = self._buffer[frame.start - 1][-1:] if frame.start else ""
        if self._elements.names[frame.element] == "sub":
            if not (before.isdigit() and names.INDEX.fullmatch(text)):
                return
            text = text.translate(names.SUBSCRIPTS)
        elif names.POWER.fullmatch(text):
            linked = self._elements.names[-1] == "a" and text.isdigit()
            text = f"[{text}]" if linked else text.translate(names.SUPERSCRIPTS)
        elif before.isdigit() and any(map(str.isdigit, text)) and text[0] not in "[(":
            text = f"^({text})"
        else:
            return
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
        text = " ".join((attributes.get("alt") or "").split())
        if not text or self._mode == "code" or _PICTURE_FILE.fullmatch(text):
            return
        words = f" {text} " if any(map(str.isalpha, text)) else text
        self._append(words)
        self._described += len(text)
        if self._in_links:
            self._links += len(text)


def _lines(text: str) -> str:
    """The text of a cell: lines without layout, none blank."""
    lines = (" ".join(line.split()) for line in text.replace("\n", " ").split(LINE_BREAK))
    return "\n".join(line for line in lines if line)
