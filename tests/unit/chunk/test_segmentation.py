"""The search for the cheapest cut, against trying all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from pincite.chunk.atoms import Atom
from pincite.chunk.cells import Cell, CellBorder
from pincite.chunk.packing import NOWHERE
from pincite.chunk.segmentation import STEP, HeadingsInside, Search, Windows


def cell(tokens: int, room: int = 10, *, apart: bool = False, heading: bool = False) -> Cell:
    border = CellBorder("heading" if heading else "block", 2 * heading)
    return Cell((Atom(0, 0, 1, 1, tokens, room),), NOWHERE, NOWHERE, border, tokens, room, apart=apart)


@st.composite
def rows_of_cells(draw: st.DrawFn) -> list[Cell]:
    cells = st.builds(
        cell,
        st.integers(0, 6),
        st.sampled_from((3, 8, 12)),
        apart=st.sampled_from((False, False, False, True)),
        heading=st.booleans(),
    )
    first, *others = draw(st.lists(cells, min_size=1, max_size=9))
    return [first._replace(apart=True), *others]


def made_cost(figures: Sequence[int]) -> Callable[[int, int], NDArray[numpy.float64]]:
    """Any cost of a chunk by its ends, with many ties."""
    return lambda low, end: numpy.array(
        [figures[(7 * first + 3 * end) % len(figures)] / 4 for first in range(low, end)]
    )


def segmentations(cells: Sequence[Cell], first: int, end: int) -> Iterator[list[int]]:
    """All that are allowed, by the starts of their chunks."""
    if first == end:
        yield []
    for stop in range(first + 1, end + 1):
        inside = cells[first:stop]
        tokens = sum(max(1, cell.tokens) for cell in inside)
        if stop == first + 1 or (tokens <= inside[0].room and not any(cell.apart for cell in inside[1:])):
            yield from ([first, *rest] for rest in segmentations(cells, stop, end))


def total(cuts: Sequence[int], end: int, cost: Callable[[int, int], NDArray[numpy.float64]]) -> float:
    return sum(float(cost(first, stop)[0]) for first, stop in pairwise([*cuts, end]))


@given(cells=rows_of_cells(), figures=st.lists(st.integers(-8, 8), min_size=1, max_size=11))
def test_no_segmentation_is_cheaper(cells: list[Cell], figures: list[int]) -> None:
    cost = made_cost(figures)
    search = Search(Windows(cells), cost, 0, len(cells))
    ways = {tuple(cuts): total(cuts, len(cells), cost) for cuts in segmentations(cells, 0, len(cells))}
    chosen = tuple(search.cuts(len(cells)))
    assert ways[chosen] == min(ways.values())
    equals = [way for way, price in ways.items() if price == ways[chosen]]
    assert chosen == min(equals, key=lambda way: way[::-1])


@given(cells=rows_of_cells(), more=rows_of_cells(), figures=st.lists(st.integers(-8, 8), min_size=1, max_size=11))
def test_a_settled_border_is_cut_whatever_follows(cells: list[Cell], more: list[Cell], figures: list[int]) -> None:
    following = [more[0]._replace(apart=False), *more[1:]]
    every, cost = [*cells, *following], made_cost(figures)
    windows = Windows(every)
    settled = Search(windows, cost, 0, len(cells)).settled()
    ways = {tuple(cuts): total(cuts, len(every), cost) for cuts in segmentations(every, 0, len(every))}
    cheapest = tuple(Search(windows, cost, 0, len(every)).cuts(len(every)))
    assert ways[cheapest] == min(ways.values())
    assert settled in cheapest
    front = Search(windows, cost, 0, len(cells)).cuts(settled)
    assert cheapest[: len(front)] == tuple(front)
    rest = Search(windows, cost, settled, len(every)).cuts(len(every))
    assert [*front, *rest] == list(cheapest)


def test_no_cells_have_no_cuts() -> None:
    windows = Windows([])
    assert Search(windows, made_cost([1]), 0, 0).cuts(0) == []
    assert len(windows) == 0


def test_noise_below_a_step_changes_nothing() -> None:
    cells = [cell(1, room=4, apart=index == 0) for index in range(12)]

    def noisy(low: int, end: int, noise: float = 0.0) -> NDArray[numpy.float64]:
        return numpy.array([1.0 + noise * (-1) ** (first * end) for first in range(low, end)])

    plain = Search(Windows(cells), noisy, 0, 12).cuts(12)
    assert plain == [0, 4, 8]
    assert Search(Windows(cells), lambda low, end: noisy(low, end, 0.4 / STEP), 0, 12).cuts(12) == plain


@pytest.mark.parametrize("kind", ["no room at all", "room for one token"])
def test_a_cell_by_itself_always_fits(kind: str) -> None:
    cells = [cell(5, room=1, apart=not index) for index in range(3)]
    search = Search(Windows(cells), made_cost([0]), 0, 3)
    assert search.cuts(3) == [0, 1, 2]


def test_tokens_around_a_border() -> None:
    cells = [cell(2, apart=True), cell(3), cell(4), cell(1, apart=True), cell(2), cell(9)]
    lefts, rights = Windows(cells).around(4)
    assert lefts == [0, 0, 1, 3, 3, 3]
    assert rights == [1, 2, 3, 5, 5, 6]
    assert Windows(cells).with_tokens_after(4) == 5
    assert Windows(cells).with_tokens_after(10) == 4
    assert Windows(cells).with_tokens_after(999) == 0


@given(cells=rows_of_cells(), data=st.data())
def test_parts_of_sections_around_a_heading(cells: list[Cell], data: st.DataObject) -> None:
    end = data.draw(st.integers(1, len(cells)))
    low = data.draw(st.integers(0, end - 1))
    opens = [cell.apart or cell.border.kind == "heading" for cell in cells] + [True]
    expected = [
        (not opens[first]) + (not opens[end]) if any(opens[first + 1 : end]) else 0 for first in range(low, end)
    ]
    assert HeadingsInside(cells).parts(low, end).tolist() == expected
