"""The numbers that Word computes for headings and list items, counted as Word counts them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from pincite.load.docx.numbers import number_text
from pincite.load.docx.tags import VAL, W, is_on, number, value
from pincite.load.xml import Element

LEVELS = 9
_LONGEST_TEXT = 100  # it stands before every paragraph of the level
_PLACEHOLDER = re.compile(r"%([1-9])")


@dataclass(frozen=True, slots=True)
class Label:
    """What stands before a numbered paragraph: its number as written, or a bullet (then ``text`` is empty)."""

    text: str
    bullet: bool = False
    apart: bool = True
    """Whether a blank or tab follows it."""


def labelled(label: Label | None, text: str) -> str:
    """
    >>> labelled(Label("2.1"), "Scope"), labelled(Label("", bullet=True), "Scope"), labelled(None, "Scope")
    ('2.1 Scope', '- Scope', 'Scope')
    """
    if label is None:
        return text
    if label.bullet:
        return f"- {text}"
    return f"{label.text} {text}" if label.apart else f"{label.text}{text}"


@dataclass(frozen=True, slots=True)
class _Level:
    start: int = 1
    style: str = "decimal"
    text: str = ""
    restart: int | None = None
    """The level, from 1, after which it starts anew; 0 never; ``None`` after every higher one."""
    legal: bool = False
    apart: bool = True
    paragraph_style: str = ""


_PLAIN = _Level()


@dataclass(slots=True)
class _Abstract:
    """A scheme and where its counters stand. All numberings of one scheme count on together."""

    levels: dict[int, _Level]
    style_link: str
    counters: dict[int, int] = field(default_factory=dict)


@dataclass(slots=True)
class _Numbering:
    abstract_id: str
    changed: dict[int, _Level] = field(default_factory=dict)
    restarted: dict[int, int] = field(default_factory=dict)
    """Levels that start anew with that number when this numbering first uses them."""


class Numberings:
    """The numberings of a document. ``number_ids`` says which one a style names."""

    def __init__(self, root: Element | None, number_ids: Mapping[str, str]) -> None:
        self._abstracts: dict[str, _Abstract] = {}
        self._numberings: dict[str, _Numbering] = {}
        self._number_ids = number_ids
        if root is None:
            return
        for element in root.iter(W + "abstractNum"):
            levels = dict(_level(level) for level in element.iter(W + "lvl"))
            self._abstracts[element.get(W + "abstractNumId", "")] = _Abstract(levels, value(element, "numStyleLink"))
        for element in root.iter(W + "num"):
            numbering = _Numbering(value(element, "abstractNumId"))
            for override in element.iter(W + "lvlOverride"):
                _read_override(override, numbering)
            self._numberings[element.get(W + "numId", "")] = numbering

    def level_of_style(self, num_id: str, style_ids: Iterable[str]) -> int:
        """The level, from 0, that the numbering ties to the first of those styles; 0 when it ties none."""
        numbering, abstract = self._find(num_id)
        if numbering and abstract:
            for style_id in style_ids:
                for index, level in {**abstract.levels, **numbering.changed}.items():
                    if level.paragraph_style == style_id:
                        return index
        return 0

    def advance(self, num_id: str, level: int) -> Label | None:
        """Counts the next paragraph of that numbering at that level, from 0; ``None`` when there is no numbering."""
        numbering, abstract = self._find(num_id)
        if not numbering or not abstract:
            return None
        levels = {**abstract.levels, **numbering.changed}
        own, counters = levels.get(level, _PLAIN), abstract.counters
        if level in numbering.restarted:
            start = numbering.restarted.pop(level)
            numbering.changed[level] = levels[level] = own = replace(own, start=start)
            counters.pop(level, None)
        for higher in range(level):
            counters.setdefault(higher, levels.get(higher, _PLAIN).start)
        counters[level] = counters[level] + 1 if level in counters else own.start
        for deeper in range(level + 1, LEVELS):
            restart = levels.get(deeper, _PLAIN).restart
            if restart is None or level < restart:
                counters.pop(deeper, None)
        if own.style == "bullet":
            return Label("", bullet=True)
        return Label(_filled(own, levels, counters), apart=own.apart)

    def _find(self, num_id: str) -> tuple[_Numbering | None, _Abstract | None]:
        """The numbering and its scheme; a scheme may stand for that of another numbering, named by a style."""
        numbering = self._numberings.get(num_id)
        abstract = self._abstracts.get(numbering.abstract_id) if numbering else None
        if abstract and abstract.style_link:
            linked = self._numberings.get(self._number_ids.get(abstract.style_link, ""))
            target = self._abstracts.get(linked.abstract_id) if linked else None
            abstract = target or abstract
        return numbering, abstract


def _filled(own: _Level, levels: Mapping[int, _Level], counters: Mapping[int, int]) -> str:
    def number_at(match: re.Match[str]) -> str:
        index = int(match[1]) - 1
        style = "decimal" if own.legal else levels.get(index, _PLAIN).style
        return number_text(counters.get(index, levels.get(index, _PLAIN).start), style)

    return " ".join(_PLACEHOLDER.sub(number_at, own.text).split())


def _level(element: Element) -> tuple[int, _Level]:
    restart = value(element, "lvlRestart")
    return (
        number(element.get(W + "ilvl"), high=LEVELS - 1),
        _Level(
            start=number(value(element, "start")),  # zero where nothing is said, as the standard has it
            style=value(element, "numFmt", default="decimal"),
            text=value(element, "lvlText")[:_LONGEST_TEXT],
            restart=number(restart, high=LEVELS) if restart else None,
            legal=is_on(element, "isLgl"),
            apart=value(element, "suff") != "nothing",
            paragraph_style=value(element, "pStyle"),
        ),
    )


def _read_override(override: Element, numbering: _Numbering) -> None:
    for element in override.iter(W + "lvl"):
        index, level = _level(element)
        numbering.changed[index] = level
    start = override.find(W + "startOverride")
    if start is not None:
        index = number(override.get(W + "ilvl"), high=LEVELS - 1)
        numbering.restarted[index] = number(start.get(VAL), default=1)
