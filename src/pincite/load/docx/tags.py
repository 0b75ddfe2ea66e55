"""Names of WordprocessingML, and reading of attributes. Strict documents are renamed to these when they are opened."""

from __future__ import annotations

from pincite.load.xml import Element

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"

WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"

STRICT = {
    "{http://purl.oclc.org/ooxml/wordprocessingml/main}": W,
    "{http://purl.oclc.org/ooxml/officeDocument/math}": M,
    "{http://purl.oclc.org/ooxml/officeDocument/relationships}": R,
    "{http://purl.oclc.org/ooxml/drawingml/main}": A,
    "{http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing}": WP,
}

BOX = W + "txbxContent"
PARAGRAPH = W + "p"
TABLE = W + "tbl"
VAL = W + "val"
ID = W + "id"

_OFF = ("0", "false", "off")


def value(parent: Element | None, name: str, *, default: str = "") -> str:
    """``w:val`` of the child of that name; ``default`` where either is missing."""
    child = None if parent is None else parent.find(W + name)
    return default if child is None else child.get(VAL, default)


def is_on(parent: Element | None, name: str) -> bool:
    """Whether the on/off property of that name is there and not switched off."""
    child = None if parent is None else parent.find(W + name)
    return child is not None and child.get(VAL, "1") not in _OFF


def number(text: str | None, *, default: int = 0, low: int = 0, high: int = 1_000_000) -> int:
    """A whole number within those bounds, ``default`` for anything else.

    >>> number("7"), number("x", default=3), number("99999999999", default=1)
    (7, 3, 1)
    """
    if text is None or len(text) > 9:
        return default
    digits = text.strip().removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        return default
    result = int(text)
    return result if low <= result <= high else default


def rename_strict(root: Element) -> None:
    """Gives the elements and attributes of a strict document their transitional names, in place."""
    if not any(f"{{{uri}}}" in STRICT for uri in root.nsmap.values()):
        return
    for element in root.iter("*"):
        new = _transitional(str(element.tag))
        if new:
            element.tag = new
        for name, text in element.attrib.items():
            if new := _transitional(str(name)):
                del element.attrib[name]
                element.set(new, text)


def _transitional(name: str) -> str:
    """The name in the transitional namespace, empty where it is in no strict one."""
    uri, brace, local = name.rpartition("}")
    own = STRICT.get(uri + brace)
    return own + local if own else ""
