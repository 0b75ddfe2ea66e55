"""What the walk over a page gives: a flat list of steps, since pages nest deeper than programs may call."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from sys import intern
from typing import Literal

from pincite.load.html.sketch import Sketch
from pincite.load.html.tables import Table

LeafKind = Literal["heading", "paragraph", "caption", "code", "table", "note"]


@dataclass(slots=True)
class Leaf:
    """A block with text. ``element`` is its index in ``Elements``; ``links`` of its ``length`` characters are links;
    ``gaps`` are where its text begins in the sketch, of a table one for each cell."""

    kind: LeafKind
    element: int
    text: str = ""
    level: int = 0
    language: str = ""
    label: str = ""
    table: Table | None = None
    length: int = 0
    links: int = 0
    gaps: Sequence[int] = ()


@dataclass(slots=True)
class Open:
    """A list, an item or a quote begins; the blocks up to its ``Close`` are in it."""

    kind: Literal["list", "item", "quote"]
    marker: str = ""


@dataclass(slots=True)
class Close:
    pass


CLOSE = Close()


Step = Leaf | Open | Close

MOST_STEPS_IN_PATH = 64
_KEPT_ATTRIBUTES = frozenset(["id", "class", "role", "data-lang", "data-language"])
_NO_ATTRIBUTES: dict[str, str | None] = {}


@dataclass(slots=True)
class Elements:
    """The elements of a page in document order, by index; the first one is the body, its own parent.

    ``numbers`` count from 1 among the elements of the same name with the same parent. Of the attributes those are kept
    that are asked for later; there may be millions.
    """

    parents: array[int] = field(default_factory=lambda: array("i"))
    names: list[str] = field(default_factory=list)
    numbers: array[int] = field(default_factory=lambda: array("i"))
    attributes: list[dict[str, str | None]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.parents)

    def add(self, parent: int, name: str, number: int, attributes: dict[str, str | None]) -> int:
        kept = {key: attributes[key] for key in attributes if key in _KEPT_ATTRIBUTES} if attributes else None
        self.parents.append(parent)
        self.names.append(intern(name))
        self.numbers.append(number)
        self.attributes.append(kept or _NO_ATTRIBUTES)
        return len(self.parents) - 1

    def place(self, element: int) -> str:
        """``#id`` of the nearest element that has one, and the path from there, such as ``#limits/tr[2]``; without
        any id the path from the body, such as ``body/div[2]/p[1]``. Very long paths begin with ``…``."""
        steps: list[str] = []
        while True:
            if identifier := self.attributes[element].get("id"):
                steps.append("#" + "".join(identifier.split()))
                break
            if element == 0:
                steps.append("body")
                break
            if len(steps) == MOST_STEPS_IN_PATH:
                steps.append("…")
                break
            steps.append(f"{self.names[element]}[{self.numbers[element]}]")
            element = self.parents[element]
        return "/".join(reversed(steps))


@dataclass(slots=True)
class Walked:
    """``hidden`` counts the characters that were left out because nobody sees them."""

    elements: Elements
    steps: list[Step]
    sketch: Sketch | None
    hidden: int = 0

    def leaves(self) -> list[Leaf]:
        return [step for step in self.steps if isinstance(step, Leaf)]
