"""Small pieces of running text: what stands above or below the line, what a picture is described by, lines in cells."""

from __future__ import annotations

import re

from pincite.load.writer import LINE_BREAK

_SUPERSCRIPTS = str.maketrans("0123456789+-−=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ")
_SUBSCRIPTS = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
_POWER = re.compile(r"[0-9+\-−=()ni]+")
_INDEX = re.compile(r"[0-9+\-−=()]+")
_PICTURE_FILE = re.compile(r"\S*\.(?:jpe?g|png|gif|svg|webp|bmp|avif)", re.IGNORECASE)


def raised(text: str, before: str, *, below: bool, linked: bool) -> str:
    """Text above or below the line; empty where it may stand as it is. ``before`` is the character before it, and what
    is ``linked`` leads to a note.

    >>> raised("6", "0", below=False, linked=False), raised("2", "H", below=True, linked=False)
    ('⁶', '')
    """
    if below:
        return text.translate(_SUBSCRIPTS) if before.isdigit() and _INDEX.fullmatch(text) else ""
    if _POWER.fullmatch(text):
        return f"[{text}]" if linked and text.isdigit() else text.translate(_SUPERSCRIPTS)
    if before.isdigit() and any(map(str.isdigit, text)) and text[0] not in "[(":
        return f"^({text})"
    return ""


def description(alternative: str | None) -> str:
    """What a picture is described by, where that is more than the name of its file."""
    text = " ".join((alternative or "").split())
    return "" if _PICTURE_FILE.fullmatch(text) else text


def cell_lines(text: str) -> str:
    """The text of a cell: lines without layout, none blank."""
    lines = (" ".join(line.split()) for line in text.replace("\n", " ").split(LINE_BREAK))
    return "\n".join(line for line in lines if line)
