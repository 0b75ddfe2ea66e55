"""What the styles of a document say about its paragraphs, each style with what it inherits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from pincite.load.docx.appearance import NOTHING_SAID, Appearance, appearance_of, is_filled
from pincite.load.docx.style_names import BODY, Role, role_of_name
from pincite.load.docx.tags import VAL, W, number, value
from pincite.load.xml import Element

BODY_OUTLINE = 9
"""The outline level of text that is no heading; headings have 0 to 8."""

_LONGEST_CHAIN = 32


@dataclass(frozen=True, slots=True)
class NumberedBy:
    """Which numbering a paragraph has. ``level`` is ``None`` where only the numbering knows it, by its style."""

    num_id: str
    level: int | None


@dataclass(frozen=True, slots=True)
class _Style:
    name: str
    base: str
    outline: int | None
    num_id: str
    level: int | None
    element: Element


def outline_level(properties: Element | None) -> int | None:
    """From 0; ``BODY_OUTLINE`` says that it is no heading, ``None`` that nothing is said."""
    found = None if properties is None else properties.find(W + "outlineLvl")
    return None if found is None else number(found.get(VAL), default=BODY_OUTLINE, high=BODY_OUTLINE)


def numbered_by(properties: Element | None) -> tuple[str, int | None]:
    """Id of the numbering (empty: not said) and level (``None``: not said) in those paragraph properties."""
    found = None if properties is None else properties.find(W + "numPr")
    if found is None:
        return "", None
    level = value(found, "ilvl")
    return value(found, "numId"), number(level, high=8) if level else None


class Styles:
    """The styles by id. A style that is not declared is read by its id, which is close to its name."""

    def __init__(self, root: Element | None) -> None:
        self._styles: dict[str, _Style] = {}
        self.default = ""
        defaults = None if root is None else root.find(f"{W}docDefaults/{W}rPrDefault/{W}rPr")
        self._defaults = appearance_of(defaults)
        for element in root.iter(W + "style") if root is not None else ():
            style_id, kind = element.get(W + "styleId", ""), element.get(W + "type", "paragraph")
            properties = element.find(W + "pPr")
            name, base = value(element, "name"), value(element, "basedOn")
            self._styles[style_id] = _Style(
                name,
                base,
                outline_level(properties),
                *numbered_by(properties),
                element,
            )
            if kind == "paragraph" and element.get(W + "default", "0") in ("1", "true", "on"):
                self.default = style_id
        self._roles: dict[str, Role] = {}
        self._numbers: dict[str, NumberedBy | None] = {}
        self._appearances: dict[str, Appearance] = {}
        self._of_paragraphs: dict[str, Appearance] = {}

    def chain(self, style_id: str) -> Iterator[str]:
        """The id itself, the one it is based on, and so on, each once and no further than Word would go."""
        seen: set[str] = set()
        while style_id and style_id not in seen and len(seen) < _LONGEST_CHAIN:
            yield style_id
            seen.add(style_id)
            style = self._styles.get(style_id)
            style_id = style.base if style else ""

    def appearance(self, style_id: str) -> Appearance:
        """How the style of a run or paragraph has text look, without the defaults of the document."""
        found = self._appearances.get(style_id)
        if found is None:
            found = NOTHING_SAID
            for own_id in self.chain(style_id):
                if own_id in self._styles:
                    found = found.over(appearance_of(self._styles[own_id].element.find(W + "rPr")))
            self._appearances[style_id] = found
        return found

    def text_of_paragraphs(self, style_id: str) -> Appearance:
        """How text looks in paragraphs of that style (empty: the default one) if nothing nearer says otherwise."""
        found = self._of_paragraphs.get(style_id)
        if found is None:
            found = self._of_paragraphs[style_id] = self.appearance(style_id or self.default).over(self._defaults)
        return found

    def is_shaded(self, style_id: str) -> bool:
        chain = (self._styles[own].element for own in self.chain(style_id or self.default) if own in self._styles)
        return any(is_filled(element.find(W + "pPr")) for element in chain)

    def role(self, style_id: str) -> Role:
        role = self._roles.get(style_id)
        if role is None:
            role = self._roles[style_id] = self._find_role(style_id)
        return role

    def _find_role(self, style_id: str) -> Role:
        """The nearest word in the chain; ``no heading`` in a style holds for all that it inherits."""
        no_heading = False
        for own_id in self.chain(style_id):
            style = self._styles.get(own_id)
            role = role_of_name(style.name if style else own_id)
            outline = style.outline if style else None
            no_heading |= outline == BODY_OUTLINE
            if role is None and outline is not None and outline < BODY_OUTLINE:
                role = Role("heading", outline + 1)
            if role and not (no_heading and role.kind in ("heading", "title")):
                return role
        return BODY

    def numbering(self, style_id: str) -> NumberedBy | None:
        """The numbering of paragraphs of that style: id and level each from the nearest style that says it."""
        if style_id not in self._numbers:
            chain = [self._styles[own] for own in self.chain(style_id) if own in self._styles]
            num_id = next((style.num_id for style in chain if style.num_id), "")
            level = next((style.level for style in chain if style.level is not None), None)
            self._numbers[style_id] = NumberedBy(num_id, level) if num_id else None
        return self._numbers[style_id]

    @cached_property
    def number_ids(self) -> dict[str, str]:
        """Of every style that names a numbering itself, the numbering's id: what ``numStyleLink`` points at."""
        return {style_id: style.num_id for style_id, style in self._styles.items() if style.num_id}
