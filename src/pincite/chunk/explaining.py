"""Why a chunk begins where it does: the costs of a cut, and of the next best one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from pincite.chunk.cells import grouped
from pincite.chunk.packing import Packing
from pincite.chunk.pages import Page

DIGITS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """The next best way to cut what two neighbouring chunks have: at ``offset``, or not at all where that is ``None``.

    ``costs`` are those of the resulting chunks, by part; ``lost_by`` is how much more they are in sum, from 0.
    """

    offset: int | None
    kind: str
    costs: Mapping[str, float]
    lost_by: float

    def to_json(self) -> dict[str, Any]:
        return {"offset": self.offset, "kind": self.kind, "costs": dict(self.costs), "lost_by": self.lost_by}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A border between two chunks and why it is there.

    ``offset``: the code point at which the later chunk starts. ``kind``: what begins there (``heading``, ``block``,
    ``item``, ``row``, ``sentence``, ``text`` behind a heading, ``inside`` something that is over the limit by itself).
    ``costs``: of both chunks and of the border between them, by part (``border``, ``across``, ``size``, ``inside``),
    rounded to 1/10000; empty where there was no choice: at an outermost heading, and where tokens turned out not to add
    up (``limit``). ``alternative`` is ``None`` where no other cut was possible.
    """

    offset: int
    kind: str
    costs: Mapping[str, float] = field(default_factory=dict)
    alternative: Alternative | None = None

    def to_json(self) -> dict[str, Any]:
        alternative = self.alternative.to_json() if self.alternative else None
        return {"offset": self.offset, "kind": self.kind, "costs": dict(self.costs), "alternative": alternative}


def explained(packing: Packing, page: Page) -> Iterator[Cut]:
    """Why each of the page's chunks begins where it does, the document's first one too."""
    before = page.before
    for first, end in pairwise(page.cuts):
        opening, *others = packing.pieces(grouped(packing, page.cells[first:end]))
        if page.cells[first].apart:
            yield Cut(offset=opening.span.start, kind=page.cells[first].border.kind)
        else:
            yield _cut(page, before, first, end)
        for piece in others:
            yield Cut(offset=piece.span.start, kind="limit")
        before = first


def _cut(page: Page, first: int, middle: int, end: int) -> Cut:
    """The one at the cell ``middle``, between the chunks that begin at ``first`` and end before ``end``."""
    ways = dict(_ways(page, first, end))
    chosen = ways.pop(middle)
    alternative = None
    if ways:
        place, costs = min(ways.items(), key=lambda way: sum(way[1].values()))
        cell = page.cells[place] if place > first else None
        alternative = Alternative(
            offset=cell.span.start if cell else None,
            kind=cell.border.kind if cell else "",
            costs=_rounded(costs),
            lost_by=round(max(0.0, sum(costs.values()) - sum(chosen.values())), DIGITS),
        )
    cell = page.cells[middle]
    return Cut(offset=cell.span.start, kind=cell.border.kind, costs=_rounded(chosen), alternative=alternative)


def _ways(page: Page, first: int, end: int) -> Iterator[tuple[int, dict[str, float]]]:
    """Where the cells from ``first`` to before ``end`` may be cut in two, and what both chunks cost, by part, without
    the border in front of the first; ``first`` itself stands for one chunk of all."""
    weighing = page.weighing
    whole, fits = weighing.parts(first, end), weighing.windows.fitting(first, end)
    for place in range(first, end):
        if not fits[place - first]:
            continue
        later = {name: float(costs[place - first]) for name, costs in whole._asdict().items()}
        if place == first:
            yield place, {**later, "border": 0.0, "across": 0.0}
        elif weighing.windows.fitting(first, place)[0]:
            earlier = weighing.parts(first, place)
            size, inside = later["size"] + float(earlier.size[0]), later["inside"] + float(earlier.inside[0])
            yield place, {**later, "size": size, "inside": inside}


def _rounded(costs: Mapping[str, float]) -> dict[str, float]:
    return {name: round(cost, DIGITS) for name, cost in costs.items()}
