"""How chunks stand to each other."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pincite.ports import NEAREST_KIN
from pincite.store import nearest
from pincite.store.kinship import likenesses
from pincite.store.quantising import quantised


def coded(rows: list[list[float]]) -> list[float]:
    codes = quantised(np.array(rows, dtype=np.float32))
    return likenesses(codes.codes, codes.scales.astype(np.float64))


def test_likeness_is_the_mean_cosine_with_the_others() -> None:
    right, up, left = [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]
    assert coded([right, right, up]) == pytest.approx([0.5, 0.5, 0.0])
    assert coded([right, left]) == pytest.approx([-1.0, -1.0])
    assert coded([right]) == [0.0]
    assert likenesses(np.zeros((0, 0), dtype=np.int8), np.zeros(0)) == []


def test_only_the_most_alike_count() -> None:
    turned = [[math.cos(number / 20), math.sin(number / 20)] for number in range(2 * NEAREST_KIN)]
    expected = sum(math.cos(number / 20) for number in range(1, NEAREST_KIN + 1)) / NEAREST_KIN
    assert coded(turned)[0] == pytest.approx(expected, abs=0.01)
    far = [[-1.0, 0.0]] * 5
    assert coded(turned + far)[0] == coded(turned)[0]


@pytest.mark.parametrize("dimension", [1, 8, 512, 3072])
def test_every_machine_gives_the_same_bits(dimension: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(dimension)
    codes = random.integers(-127, 128, (40, dimension)).astype(np.int8)
    codes[:3] = 127
    scales = random.random(40)
    found = likenesses(codes, scales)
    monkeypatch.setattr(nearest, "numkong", None)
    assert likenesses(codes, scales) == found
    order = random.permutation(40)
    assert [likenesses(codes[order], scales[order])[place] for place in np.argsort(order)] == found
