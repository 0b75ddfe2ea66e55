"""Why a chunk begins where it does: the costs of a cut, and of the next best one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from pincite.chunk.cells import grouped
from pincite.chunk.packing import Packing
from pincite.chunk.portions import Portion
from pincite.ports import Alternative, ExplainedCut

DIGITS = 4


def explained(packing: Packing, portion: Portion) -> Iterator[ExplainedCut]:
    """Why each of the portion's chunks begins where it does, the document's first one too.

    The kind is that of the cell's border (``heading``, ``block``, ``item``, ``row``, ``sentence``, ``text`` behind a
    heading, ``inside`` something that is over the limit by itself). The costs are those of both chunks and of the
    border between them, by part (``border``, ``across``, ``size``, ``inside``), rounded to 1/10000; there are none at
    an outermost heading, and where tokens turned out not to add up (``limit``).
    """
    before = portion.before
    for first, end in pairwise(portion.cuts):
        opening, *others = packing.pieces(grouped(packing, portion.cells[first:end]))
        if portion.cells[first].apart:
            yield ExplainedCut(offset=opening.span.start, kind=portion.cells[first].border.kind)
        else:
            yield _cut(portion, before, first, end)
        for piece in others:
            yield ExplainedCut(offset=piece.span.start, kind="limit")
        before = first


def _cut(portion: Portion, first: int, middle: int, end: int) -> ExplainedCut:
    """The one at the cell ``middle``, between the chunks that begin at ``first`` and end before ``end``."""
    ways = dict(_ways(portion, first, end))
    chosen = ways.pop(middle)
    alternative = None
    if ways:
        place, costs = min(ways.items(), key=lambda way: sum(way[1].values()))
        cell = portion.cells[place] if place > first else None
        alternative = Alternative(
            offset=cell.span.start if cell else None,
            kind=cell.border.kind if cell else "",
            costs=_rounded(costs),
            lost_by=round(max(0.0, sum(costs.values()) - sum(chosen.values())), DIGITS),
        )
    cell = portion.cells[middle]
    return ExplainedCut(offset=cell.span.start, kind=cell.border.kind, costs=_rounded(chosen), alternative=alternative)


def _ways(portion: Portion, first: int, end: int) -> Iterator[tuple[int, dict[str, float]]]:
    """Where the cells from ``first`` to before ``end`` may be cut in two, and what both chunks cost, by part, without
    the border in front of the first; ``first`` itself stands for one chunk of all."""
    weighing = portion.weighing
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
