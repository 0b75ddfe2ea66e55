"""Equations as one line of text."""

from __future__ import annotations

from pincite.load.docx.tags import M
from pincite.load.xml import Element


def equation_text(element: Element) -> str:
    """Fractions, powers, indices, roots and brackets keep their meaning; everything else is its letters in a row.

    A part of more than one sign is in round brackets: ``(a+b)/2``; a power is ``x^2``, an index ``x_i``.
    """
    local = str(element.tag).removeprefix(M)
    if local == "t":
        return element.text or ""
    if local == "f":
        return f"{_grouped(element, 'num')}/{_grouped(element, 'den')}"
    if local in ("sSup", "sSub", "sSubSup"):
        return f"{_part(element, 'e')}{_limits(element)}"
    if local == "rad":
        return f"{_part(element, 'deg')}√{_grouped(element, 'e')}"
    if local == "d":
        inside = ", ".join("".join(map(equation_text, part)) for part in element.iterchildren(M + "e"))
        return f"{_sign(element, 'begChr', '(')}{inside}{_sign(element, 'endChr', ')')}"
    if local == "nary":
        return f"{_sign(element, 'chr', '∫')}{_limits(element)} {_part(element, 'e')}"
    return "".join(map(equation_text, element))


def _limits(element: Element) -> str:
    low, high = _grouped(element, "sub"), _grouped(element, "sup")
    return (f"_{low}" if low else "") + (f"^{high}" if high else "")


def _part(element: Element, name: str) -> str:
    part = element.find(M + name)
    return "" if part is None else "".join(map(equation_text, part))


def _grouped(element: Element, name: str) -> str:
    text = _part(element, name).strip()
    return text if len(text) < 2 or text.replace(".", "").isdigit() else f"({text})"


def _sign(element: Element, name: str, usual: str) -> str:
    sign = element.find(f"{element.tag!s}Pr/{M}{name}")
    return usual if sign is None else sign.get(M + "val", usual)
