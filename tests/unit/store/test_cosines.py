"""A score depends on its own row only, to the last bit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from pincite.store.nearest import BLOCK_ROWS, cosines


def unit_rows(number: int, dimension: int, seed: int = 0) -> NDArray[np.float32]:
    rows = np.random.default_rng(seed).standard_normal((number, dimension))
    unit: NDArray[np.float32] = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return unit


@pytest.mark.parametrize("dimension", [1, 2, 3, 7, 8, 17, 64, 511, 512, 513])
def test_a_cosine_has_the_same_bits_whatever_rows_stand_beside_it(dimension: int, tmp_path: Path) -> None:
    rows = unit_rows(67, dimension)
    query = unit_rows(1, dimension, seed=1)[0]
    alone = np.array([cosines(rows[index : index + 1], query)[0] for index in range(len(rows))])
    np.save(tmp_path / "rows.npy", rows)
    mapped = np.load(tmp_path / "rows.npy", mmap_mode="r")
    shuffled = np.random.default_rng(2).permutation(len(rows))
    padded = np.zeros((len(rows), dimension + 5), dtype=np.float32)
    padded[:, :dimension] = rows
    assert (cosines(rows, query) == alone).all()
    assert (cosines(mapped, query) == alone).all()
    assert (cosines(padded, query) == alone).all()
    assert (cosines(rows[shuffled], query) == alone[shuffled]).all()
    for start in range(1, 9):
        assert (cosines(rows[start:], query) == alone[start:]).all()
    assert np.allclose(alone, rows.astype(np.float64) @ query, atol=1e-6)


def test_cosines_of_more_rows_than_a_block() -> None:
    rows = np.tile(unit_rows(3, 5), (BLOCK_ROWS, 1))
    query = unit_rows(1, 5, seed=1)[0]
    assert (cosines(rows, query) == np.tile(cosines(rows[:3], query), BLOCK_ROWS)).all()
    last = np.array([len(rows) - 1, 0], dtype=np.int64)
    assert (cosines(rows[last], query) == cosines(rows[[2, 0]], query)).all()


def test_a_cosine_never_leaves_its_range() -> None:
    rows = unit_rows(2000, 512)
    scores = np.array([cosines(rows[index : index + 1], rows[index])[0] for index in range(len(rows))])
    assert scores.max() == 1.0
    assert cosines(-rows[:50], rows[0]).min() >= -1.0
