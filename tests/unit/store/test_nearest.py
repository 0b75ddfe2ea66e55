"""Rows in 8 bits never hide a row that is among the best in 32 bits, to which they are widened from 16."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from pincite.store import nearest as module
from pincite.store.halves import halved, widened
from pincite.store.nearest import Near, cosines, nearest
from pincite.store.quantising import quantised
from pincite.store.scoring import Found, Part, best
from pincite.store.segment import Segment, id_bytes_of, keys_of
from pincite.store.sqlite import SqliteStore
from pincite.testing.stores import make_entry, put_all

numkong: Any = pytest.importorskip("numkong", reason="the scan in 8 bits needs numkong")
seeds = st.integers(0, 2**32 - 1)


def segment_of(vectors: NDArray[np.float32], *, first: int = 1, ids: list[str] | None = None) -> Segment:
    """One document with these vectors; its chunks are numbered from ``first``."""
    number = len(vectors)
    halves = halved(vectors)
    codes = quantised(widened(halves))
    none = np.zeros(0, dtype=np.int64)
    ids = ids or [f"{row:05}" for row in range(first, first + number)]
    return Segment(
        first=first,
        last=first,
        documents=np.array([first]),
        dimensions=np.array([vectors.shape[1]], dtype=np.int32),
        window_lengths=np.array([number]),
        opens=np.zeros(number, dtype=np.uint8),
        chunk_rows=np.arange(first, first + number),
        chunk_documents=np.zeros(number, dtype=np.int32),
        keys=keys_of(ids),
        id_bytes=id_bytes_of(ids),
        lengths=np.ones(number, dtype=np.int32),
        vectors=halves,
        codes=codes.codes,
        scales=codes.scales,
        errors=codes.errors,
        reaches=codes.reaches,
        terms=none,
        offsets=np.zeros(1, dtype=np.int64),
        posting_rows=none.astype(np.int32),
        posting_frequencies=none.astype(np.uint8),
    )


def part_of(segment: Segment, share: float, chance: np.random.Generator) -> Part:
    mask = chance.random(len(segment)) < share
    return Part.of(segment, mask)


def rows_like(kind: str, number: int, dimension: int, chance: np.random.Generator) -> NDArray[np.float32]:
    """Unit rows of a shape that makes 8 bits coarse: one large number, a shift, many near one another."""
    rows = chance.standard_normal((number, dimension))
    if kind == "outliers":
        rows[:, :1] *= 30
    elif kind == "shifted":
        rows += 2
    elif kind == "near":
        rows = rows[:1] + 0.001 * rows
    elif kind == "twins":
        rows = rows[chance.integers(max(1, number // 10), size=number)]
    unit: NDArray[np.float32] = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return unit


@given(
    seeds,
    st.sampled_from(["plain", "outliers", "shifted", "near", "twins"]),
    st.lists(st.integers(0, 60), min_size=1, max_size=4),
    st.sampled_from([1, 3, 16, 65]),
    st.integers(0, 70),
    st.sampled_from([0.1, 0.7, 1.0]),
)
def test_the_best_are_those_of_32_bits_to_the_bit(
    seed: int, kind: str, numbers: list[int], dimension: int, limit: int, share: float
) -> None:
    chance = np.random.default_rng(seed)
    parts, start = [], 1
    for number in numbers:
        segment = segment_of(rows_like(kind, number, dimension, chance), first=start)
        parts.append(part_of(segment, share, chance))
        start += number + 1
    query = rows_like(kind, 1, dimension, chance)[0]
    plain = [
        Found(part.segment, np.flatnonzero(part.mask), cosines(widened(part.segment.vectors), query)[part.mask])
        for part in parts
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "SCANNED_FROM", 0)
        patch.setattr(module, "APART_ROWS", 7)
        assert best(nearest(parts, query, limit), limit) == best(plain, limit)
        patch.setattr(module, "numkong", None)
        assert best(nearest(parts, query, limit), limit) == best(plain, limit)


@given(seeds, st.sampled_from(["plain", "outliers", "shifted", "near"]), st.sampled_from([1, 8, 512]))
def test_the_bound_holds(seed: int, kind: str, dimension: int) -> None:
    chance = np.random.default_rng(seed)
    vectors = rows_like(kind, 30, dimension, chance)
    query = rows_like(kind, 1, dimension, chance)[0]
    segment = segment_of(vectors)
    vectors = widened(segment.vectors)
    part = Part.of(segment, np.ones(30, dtype=bool))
    near = module.Near.of(query)
    estimate = module._estimated(part, near)
    assert estimate.rows is None
    margins = near.margins(segment.errors.astype(np.float64), segment.reaches.astype(np.float64))
    assert (margins <= near.margins(part.error, part.reach)).all()
    assert (np.abs(estimate.values - vectors.astype(np.float64) @ query) <= margins).all()
    assert (np.abs(estimate.values - cosines(vectors, query)) <= margins).all()


def test_the_scan_looks_at_few_rows_twice() -> None:
    """Else the bound would be right and of no use."""
    chance = np.random.default_rng(1)
    segment = segment_of(rows_like("plain", 5000, 512, chance))
    part = Part.of(segment, np.ones(5000, dtype=bool))
    found = nearest([part], rows_like("plain", 1, 512, chance)[0], 50)
    rows = np.concatenate([some.rows for some in found])
    assert 50 <= len(rows) < 200
    assert len(set(rows.tolist())) == len(rows), "a row was scored twice"


def test_rows_longer_than_1_are_cut_and_equal() -> None:
    chance = np.random.default_rng(1)
    rows = rows_like("plain", 40, 8, chance)
    segment = segment_of(np.concatenate([rows, 3 * rows[:20], -3 * rows[:20]]))
    part = Part.of(segment, np.ones(80, dtype=bool))
    every = cosines(widened(segment.vectors), rows[0])
    plain = Found(segment, np.arange(80), every)
    for limit in (1, 2, 30, 79, 80):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "SCANNED_FROM", 0)
            assert best(nearest([part], rows[0], limit), limit) == best([plain], limit)
            assert best(nearest([part], -rows[0], limit), limit) == best(
                [Found(segment, np.arange(80), cosines(widened(segment.vectors), -rows[0]))], limit
            )


def test_products_of_the_largest_numbers_are_exact() -> None:
    """A sum in too few bits would turn over here."""
    codes = np.full((3, 4096), 127, dtype=np.int8)
    codes[1] = -127
    codes[2, ::2] = -127
    products = np.asarray(numkong.cdist(codes[:1], codes, "dot")).ravel()
    assert products.tolist() == [127 * 127 * 4096, -127 * 127 * 4096, 0]


@given(
    st.lists(st.tuples(st.integers(-3, 3), st.text(max_size=3)), max_size=40), st.integers(-1, 45), st.integers(1, 5)
)
def test_best_is_the_head_of_the_sorted_list(several: list[tuple[int, str]], limit: int, cut: int) -> None:
    """The ids are longer than their keys, so that a few have equal keys."""
    pairs = [
        (score, f"a long beginning{name.encode('utf-8', 'replace').decode()}{at:02}")
        for at, (score, name) in enumerate(several)
    ]
    found = []
    for start in range(0, len(pairs), cut):
        piece = pairs[start : start + cut]
        whole = segment_of(np.ones((len(piece), 1), dtype=np.float32), first=start + 1, ids=[name for _, name in piece])
        found.append(Found(whole, np.arange(len(piece)), np.array([float(score) for score, _ in piece])))
    ranked = best(found, limit)
    named = sorted((-score, pairs[row - 1][1]) for row, score in zip(ranked.chunk_rows, ranked.scores, strict=True))
    expected = sorted((-score, name) for score, name in pairs)[: max(limit, 0)]
    assert named[: max(limit, 0)] == expected
    assert len(named) >= len(expected)


def test_a_row_of_zeros_and_no_rows() -> None:
    empty = quantised(np.zeros((0, 4), dtype=np.float32))
    assert empty.codes.shape == (0, 4)
    assert quantised(np.zeros((2, 0), dtype=np.float32)).errors.tolist() == [0, 0]
    nothing = quantised(np.zeros((1, 4), dtype=np.float32))
    assert (nothing.codes.tolist(), nothing.scales.tolist(), nothing.errors.tolist()) == ([[0] * 4], [0], [0])


ASKS = """
import sys
if sys.argv[2] == "without":
    sys.modules["numkong"] = None
from pathlib import Path
from pincite.model import PUBLIC
from pincite.store import nearest
from pincite.store.sqlite import SqliteStore
from pincite.testing.stores import unit_vector

nearest.SCANNED_FROM = 0
assert (nearest.numkong is None) == (sys.argv[2] == "without")
with SqliteStore(path=Path(sys.argv[1])).snapshot() as snapshot:
    print(snapshot.dense(unit_vector("red"), principal=PUBLIC, limit=20))
"""


def test_without_numkong_the_answers_are_the_same(tmp_path: Path) -> None:
    store = SqliteStore(path=tmp_path / ".pincite", create=True)
    put_all(store, [make_entry(f"{number}.md", [f"red {number} {part}" for part in range(30)]) for number in range(9)])
    assert list(store.path.glob("segments/*/codes.bin"))
    said = [
        subprocess.run(
            [sys.executable, "-c", ASKS, store.path, word], check=True, capture_output=True, text=True
        ).stdout
        for word in ("with", "without")
    ]
    assert said[0] == said[1]
    assert "Scored" in said[0]


@given(seeds, st.integers(1, 4000), st.integers(0, 9))
def test_products_are_the_same_without_numkong(seed: int, dimension: int, number: int) -> None:
    """Also at their largest: what stands around a chunk is scored by them on every machine."""
    chance = np.random.default_rng(seed)
    codes = chance.choice([-127, 126, 127], (number, dimension)).astype(np.int8)
    near = Near(codes=codes[:1] if number else np.ones((1, dimension), np.int8), scale=1.0, error=0.0, length=1.0)
    with pytest.MonkeyPatch.context() as patch:
        with_it = near.products(codes)
        patch.setattr("pincite.store.nearest.numkong", None)
        assert (near.products(codes) == with_it).all()
        assert near.cosines(codes, np.full(number, 0.5, np.float32)).dtype == np.float32
