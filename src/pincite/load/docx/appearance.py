"""Whether the text of a run is seen: hidden by its properties, tiny, or white on white.

A property counts as the nearest says it: the run itself, its style, the style of its paragraph, each with the styles
that it is based on, then the defaults of the document. White text is on white only where nothing says otherwise: no
shading or highlight of run, paragraph, cell or table, no table style or text box that may have a colour of its own, no
coloured page and no picture behind the text anywhere in the document.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pincite.load.docx.tags import BOX, TABLE, VAL, WP, W, is_on, number, value
from pincite.load.xml import Element

SMALLEST_HALF_POINTS = 3
"""Text of one point and below is not seen."""
_PALEST = 0xF3
"""A colour none of whose parts is below counts as white."""
PLAIN_TABLES = ("", "TableGrid", "TableNormal", "Tabellenraster", "NormaleTabelle")
_CELL = W + "tc"
SAYING = frozenset(W + name for name in ("vanish", "webHidden", "sz", "color", "shd", "highlight"))
"""The properties of a run that are looked at."""


@dataclass(frozen=True, slots=True)
class Appearance:
    """``None`` where nothing is said; ``size`` is in half points."""

    hidden: bool | None = None
    web_hidden: bool | None = None
    size: int | None = None
    white: bool | None = None
    filled: bool | None = None

    def over(self, below: Appearance) -> Appearance:
        """With what is said below where this says nothing."""
        if self is NOTHING_SAID:
            return below
        return Appearance(
            below.hidden if self.hidden is None else self.hidden,
            below.web_hidden if self.web_hidden is None else self.web_hidden,
            below.size if self.size is None else self.size,
            below.white if self.white is None else self.white,
            below.filled if self.filled is None else self.filled,
        )

    @property
    def gone(self) -> bool:
        return bool(self.hidden or self.web_hidden)

    @property
    def tiny(self) -> bool:
        return self.size is not None and self.size < SMALLEST_HALF_POINTS


NOTHING_SAID = Appearance()


def appearance_of(properties: Element | None) -> Appearance:
    """What the properties of a run say (``w:rPr``)."""
    if properties is None or SAYING.isdisjoint([child.tag for child in properties]):
        return NOTHING_SAID
    size = value(properties, "sz")
    colour = value(properties, "color")
    return Appearance(
        None if properties.find(W + "vanish") is None else is_on(properties, "vanish"),
        None if properties.find(W + "webHidden") is None else is_on(properties, "webHidden"),
        number(size, default=SMALLEST_HALF_POINTS) if size else None,
        _is_white(colour) if colour else None,
        is_filled(properties) or value(properties, "highlight", default="none") not in ("none", "white") or None,
    )


def is_filled(properties: Element | None) -> bool:
    """Whether properties of a run, a paragraph, a cell or a table say a shading that is not white."""
    shading = None if properties is None else properties.find(W + "shd")
    if shading is None:
        return False
    fill, pattern = shading.get(W + "fill", "auto"), shading.get(VAL, "clear")
    themed = shading.get(W + "themeFill") is not None
    return themed or pattern not in ("clear", "nil") or not (fill == "auto" or _is_white(fill))


def _is_white(colour: str) -> bool:
    try:
        return len(colour) == 6 and min(bytes.fromhex(colour)) >= _PALEST
    except ValueError:  # "auto", or nonsense
        return False


@dataclass(slots=True)
class Page:
    """What of a document may lie behind its text."""

    coloured: bool = False

    @classmethod
    def of(cls, body: Element) -> Page:
        root = body.getparent()
        background = None if root is None else root.find(W + "background")
        colour = "" if background is None else background.get(W + "color", "")
        coloured = background is not None and not _is_white(colour)
        behind = (anchor.get("behindDoc") in ("1", "true") for anchor in body.iter(WP + "anchor"))
        return cls(coloured or any(behind))

    def is_white_at(self, run: Element, shaded_style: Callable[[str], bool]) -> bool:
        """Whether the ground below the run is white for all that is said. ``shaded_style`` knows of a style of
        paragraphs whether it has a shading."""
        if self.coloured:
            return False
        for element in run.iterancestors():
            if element.tag == BOX:
                return False
            if element.tag == W + "p":
                properties = element.find(W + "pPr")
                if is_filled(properties) or shaded_style(value(properties, "pStyle")):
                    return False
            elif element.tag == _CELL:
                if is_filled(element.find(W + "tcPr")):
                    return False
            elif element.tag == TABLE:
                properties = element.find(W + "tblPr")
                if is_filled(properties) or value(properties, "tblStyle") not in PLAIN_TABLES:
                    return False
        return True
