"""Fields: of the code and the result that stand in the text one after the other, only the result is text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from pincite.load.docx.tags import BOX, VAL, W, is_on, number, value
from pincite.load.xml import Element

FIELD = W + "fldChar"
_KIND = W + "fldCharType"
_LONGEST_CODE = 100  # its first word is all that is asked for


@dataclass(slots=True)
class _Field:
    code: str = ""
    in_result: bool = False
    contents: bool = False

    @property
    def hides(self) -> bool:
        return self.contents or not self.in_result


def is_contents(code: str) -> bool:
    """Whether the field makes a table of contents or of figures: navigation, no text of its own."""
    return code.split()[:1] == ["TOC"]


def whole_fields(root: Element, *, without: Collection[str]) -> set[Element]:
    """The marks of all fields that begin and end. Others are left alone, or one would swallow the rest of a document.

    ``without`` are the elements whose content is not read. Text boxes are read on their own.
    """
    whole: set[Element] = set()
    opened: dict[Element | None, list[list[Element]]] = {}
    for mark in root.iter(FIELD):
        if next(mark.iterancestors(*without), None) is not None:
            continue
        around = opened.setdefault(next(mark.iterancestors(BOX), None), [])
        kind = mark.get(_KIND)
        if kind == "begin":
            around.append([mark])
        elif around:
            around[-1].append(mark)
            if kind == "end":
                whole.update(around.pop())
    return whole


class Fields:
    """Where the reading is: inside which fields, and whether what comes is text. Tables of contents that are left out
    are counted in ``losses``."""

    def __init__(self, whole: set[Element], losses: Counter[str]) -> None:
        self._whole = whole
        self._losses = losses
        self._open: list[_Field] = []
        self.hidden = 0
        """How many of the open fields hide what comes."""

    def code(self, text: str) -> None:
        if self._open and not self._open[-1].in_result and len(self._open[-1].code) < _LONGEST_CODE:
            self._open[-1].code += text

    def mark(self, element: Element) -> str:
        """Goes past a mark; returns the text of a form field that has no result of its own."""
        if element not in self._whole:
            return ""
        kind = element.get(_KIND)
        if kind == "begin":
            text = "" if self.hidden else _form_text(element)
            self._open.append(_Field())
            self.hidden += 1
            return text
        if self._open:  # not so where the beginning stands in something that is not read
            field = self._open[-1]
            self.hidden -= field.hides
            if kind == "end":
                self._open.pop()
                return ""
            field.in_result, field.contents = True, is_contents(field.code)
            self._losses["contents"] += field.contents
            self.hidden += field.hides
        return ""


def _form_text(element: Element) -> str:
    """A check box as a sign, a choice as the entry that is chosen."""
    data = element.find(W + "ffData")
    box = None if data is None else data.find(W + "checkBox")
    if box is not None:
        state = "checked" if box.find(W + "checked") is not None else "default"
        return "☒" if is_on(box, state) else "☐"
    choices = None if data is None else data.find(W + "ddList")
    if choices is None:
        return ""
    entries = [entry.get(VAL, "") for entry in choices.iterchildren(W + "listEntry")]
    chosen = number(value(choices, "result"))
    return entries[chosen] if chosen < len(entries) else ""
