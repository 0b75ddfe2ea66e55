"""What of a page is its main content.

trafilatura chooses; the text stays our own. Every block gets a mark in the sketch of the page that trafilatura is
given, and those whose marks come back are what it chose. It is made for articles on the web and drops much that belongs
to them (tables full of links, code, definitions), so its choice is read as a region: the smallest element that holds
nearly all of the chosen text, or the page's only ``main`` or ``article`` around it. Inside the region a block that was
not chosen goes only where there is further evidence against it. Where trafilatura finds nothing, the region is
``main``, ``article``, or the whole body.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import cache

import trafilatura
from trafilatura.settings import Extractor

from pincite.load.html import vocabulary as names
from pincite.load.html.marks import marks_for
from pincite.load.html.sketch import Sketch
from pincite.load.html.steps import Elements, Leaf, Walked

MOST_CHARACTERS = 2 * 1024 * 1024
"""Larger pages are not put to trafilatura: what they declare as their content has to do."""
_MOST_LEAVES = 50_000
_NEARLY_ALL = 0.9
_MOSTLY = 0.5
_FULL_OF_LINKS = 0.5
_SHARE_OF_CELLS = 0.5  # of a table that must be chosen, so that the whole is
_A_REST = 0.25  # of all chosen text: as much may stand in a sidebar without making it content

_SILENT = logging.NullHandler()


@dataclass(frozen=True, slots=True)
class Choice:
    """``kept`` says of each leaf whether it is content. ``left_out`` counts characters that are not links and were left
    out although nothing in the page says that they are no content."""

    kept: list[bool]
    left_out: int = 0


def choose(walked: Walked) -> Choice:
    """Which leaves are the main content; fills the gaps of the sketch."""
    leaves = walked.leaves()
    if not leaves:
        return Choice([])
    chosen = _chosen(walked.sketch, leaves) if walked.sketch and len(leaves) <= _MOST_LEAVES else set()
    region = _Region(walked.elements, leaves, chosen)
    kept = [number in chosen or region.holds(leaf) for number, leaf in enumerate(leaves)]
    _keep_notes(leaves, kept)
    _keep_title(leaves, kept)
    _drop_bare_headings(leaves, kept, chosen)
    if region.declared:
        return Choice(kept)
    return Choice(kept, sum(leaf.length - leaf.links for leaf, keep in zip(leaves, kept, strict=True) if not keep))


def _chosen(sketch: Sketch, leaves: list[Leaf]) -> set[int]:
    """The numbers of the leaves that trafilatura takes for content, empty where it does not find any."""
    marks = marks_for(sketch.html())
    if marks is None:
        return set()
    for number, leaf in enumerate(leaves):
        mark = marks.write(number)
        for gap in leaf.gaps:
            sketch.fill(gap, mark)
    logging.getLogger("trafilatura").addHandler(_SILENT)  # what it logs on odd pages is nothing a reader can mend
    try:
        document = trafilatura.bare_extraction(sketch.html(), options=_options())
    except Exception:  # heuristics of another project on any input: whatever they stumble over, the region stays
        return set()
    if document is None or isinstance(document, dict) or document.body is None:
        return set()
    found = marks.found_in("".join(document.body.itertext()))
    return {number for number, leaf in enumerate(leaves) if found[number] > _SHARE_OF_CELLS * len(leaf.gaps)}


@cache
def _options() -> Extractor:
    """Made once, since it reads a file of settings each time; as plain text, since only its choice is of use."""
    return Extractor(fast=True, comments=False, output_format="txt")


class _Region:
    """The element around the main content, and what in it is still none."""

    def __init__(self, elements: Elements, leaves: list[Leaf], chosen: set[int]) -> None:
        self._elements = elements
        size = len(elements)
        self._all, self._links, self._live = [0] * size, [0] * size, [0] * size
        for number, leaf in enumerate(leaves):
            self._all[leaf.element] += leaf.length
            self._links[leaf.element] += min(leaf.links, leaf.length)
            self._live[leaf.element] += leaf.length if number in chosen else 0
        for element in range(size - 1, 0, -1):
            if self._all[element]:
                parent = elements.parents[element]
                for counts in (self._all, self._links, self._live):
                    counts[parent] += counts[element]
        self.declared = False
        self._root = self._find_root()
        self._end = self._end_of(self._root)
        self._debris = [False] * size
        parents, debris = elements.parents, self._debris
        for element in range(self._root + 1, self._end):
            parent = parents[element]
            debris[element] = debris[parent] or self._is_debris(element, parent)

    def holds(self, leaf: Leaf) -> bool:
        return self._root <= leaf.element < self._end and not self._debris[leaf.element]

    def _end_of(self, element: int) -> int:
        """The first element after it that is not inside: those inside follow it without a gap."""
        parents = self._elements.parents
        return next((other for other in range(element + 1, len(parents)) if parents[other] < element), len(parents))

    def _find_root(self) -> int:
        guess, total = 0, self._live[0]
        if total:
            for element, parent in enumerate(self._elements.parents):
                if parent == guess and self._live[element] >= _NEARLY_ALL * total:
                    guess = element if self._elements.names[element] in names.CONTAINERS else guess
        for name in ("main", "article"):
            declared = self._only(name)
            if declared and self._all[declared] and self._live[declared] >= _MOSTLY * total:
                self.declared = True
                return declared
        return guess

    def _only(self, name: str) -> int:
        """The one outermost element of that name or role, 0 where there are none or several."""
        attributes = self._elements.attributes
        found = [
            element
            for element, own in enumerate(self._elements.names)
            if own == name or (attributes[element] and attributes[element].get("role") == name)
        ]
        return found[0] if found and found[-1] < self._end_of(found[0]) else 0

    def _is_debris(self, element: int, parent: int) -> bool:
        """Of an element with little or no chosen text: whether its class says that it is no content, or its links do
        (of the outermost one without any, in a region that was guessed)."""
        live = self._live[element]
        if live > _A_REST * self._live[0] or 2 * live > self._all[element]:
            return False
        attributes = self._elements.attributes[element]
        for key in ("class", "id"):
            if (value := attributes.get(key)) and names.DEBRIS_CLASS.search(value):
                return True
        if self.declared or live or not self._live[parent]:
            return False
        return self._links[element] > _FULL_OF_LINKS * self._all[element]


def _keep_notes(leaves: list[Leaf], kept: list[bool]) -> None:
    """Notes belong to the content, wherever they stand."""
    if True in kept:
        for number, leaf in enumerate(leaves):
            kept[number] = kept[number] or leaf.kind == "note"


def _keep_title(leaves: list[Leaf], kept: list[bool]) -> None:
    """The page's only heading of level 1 stays, if it stands before the content."""
    titles = [number for number, leaf in enumerate(leaves) if leaf.kind == "heading" and leaf.level == 1]
    if len(titles) == 1 and True in kept[titles[0] :]:
        kept[titles[0]] = True


def _drop_bare_headings(leaves: list[Leaf], kept: list[bool], chosen: set[int]) -> None:
    """A heading whose whole text was left out goes with it."""
    had_text, has_text = [False] * 7, [False] * 7  # by level: text before the next heading of that level or above
    for number in range(len(leaves) - 1, -1, -1):
        leaf = leaves[number]
        if leaf.kind != "heading":
            had_text = [True] * 7
            has_text = [True] * 7 if kept[number] else has_text
            continue
        if number not in chosen and leaf.level > 1 and had_text[leaf.level] and not has_text[leaf.level]:
            kept[number] = False
        for level in range(leaf.level, 7):
            had_text[level] = has_text[level] = False
