"""The best are found without ordering the rest."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.store import scoring
from pincite.store.scoring import Grouped, highest, reached_by

lists = st.lists(st.lists(st.integers(0, 4).map(float), max_size=30), max_size=4)


@given(lists, st.integers(-1, 60), st.sampled_from([1, 3, 64]))
def test_enough_values_reach_the_number(values: list[list[float]], limit: int, group: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scoring, "GROUP", group)
        arrays = [np.array(some, dtype=np.float64) for some in values]
        lowest = reached_by([Grouped.of(values) for values in arrays], limit)
        every = sorted((number for some in values for number in some), reverse=True)
        assert sum(number >= lowest for number in every) >= min(limit, len(every))
        if 0 < limit <= len(every) and group == 1:
            assert lowest == every[limit - 1]
        rows = highest(arrays, limit)
        chosen = [some[row] for some, found in zip(values, rows, strict=True) for row in found.tolist()]
        assert 0.0 not in chosen
        best = [number for number in every if number > 0][: max(limit, 0)]
        assert sorted(chosen, reverse=True)[: len(best)] == best
        for some, found in zip(values, rows, strict=True):
            for score in {some[row] for row in found.tolist()}:  # whatever equals one is there too
                assert [row for row in range(len(some)) if some[row] == score] == [
                    row for row in found.tolist() if some[row] == score
                ]


def test_few_more_than_asked_for_are_found() -> None:
    values = np.random.default_rng(3).random(100_000)
    (rows,) = highest([values], 50)
    assert 50 <= len(rows) <= 60
