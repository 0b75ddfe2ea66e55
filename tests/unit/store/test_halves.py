"""Vectors in 16 bits: rounded once, the same in both stores, and exactly the same numbers in 32 bits."""

from __future__ import annotations

import re
import sqlite3
import tempfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from pincite.ports import Entry, Store
from pincite.store.halves import HALF, LARGEST, halved, widened
from pincite.store.memory import MemoryStore
from pincite.store.segment import LAST_ROW, build
from pincite.store.sqlite import SqliteStore
from pincite.testing.stores import check_kept, make_entry, put_all, unit_vector

floats = st.floats(-LARGEST, LARGEST, width=32)
matrices = arrays.arrays(np.float32, st.tuples(st.integers(0, 4), st.integers(0, 5)), elements=floats)
WORDS = ("red", "green", "blue", "grey")


def bits(vectors: Any) -> list[int]:
    return np.ascontiguousarray(vectors, dtype=np.float32).view(np.uint32).reshape(-1).tolist()


def entry_with(vectors: NDArray[np.float32], name: str = "a.md") -> Entry:
    return replace(make_entry(name, WORDS[: len(vectors)]), vectors=vectors)


def test_every_half_is_the_same_number_in_32_bits() -> None:
    every = np.arange(2**16, dtype=np.uint16).view(np.float16)
    every = every[np.isfinite(every)]
    assert len(every) == 2**16 - 2**11
    assert bits(widened(every)) == bits(every.astype(np.float32))
    assert halved(widened(every)).tobytes() == every.astype(HALF).tobytes()


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0), (2, 5)])
def test_shapes_stay(shape: tuple[int, ...]) -> None:
    halves = np.full(shape, 0.1, dtype=HALF)
    assert widened(halves).shape == shape
    assert (widened(halves) == halves.astype(np.float32)).all()


def test_columns_and_rows_that_lie_apart_are_widened_as_they_stand() -> None:
    halves = np.arange(24, dtype=HALF).reshape(4, 6) / HALF.type(7)
    for some in (halves[:, :4], halves[::2], halves[[3, 1]], halves.T):
        assert widened(some).tolist() == some.astype(np.float32).tolist()


@given(matrices)
def test_what_was_rounded_once_stays(vectors: NDArray[np.float32]) -> None:
    once = widened(halved(vectors))
    assert bits(widened(halved(once))) == bits(once)
    with np.errstate(all="ignore"):  # beyond the largest is infinity
        below, above = (np.nextafter(halved(vectors), HALF.type(end)) for end in (-np.inf, np.inf))
    distance = np.abs(once.astype(float) - vectors)
    assert (distance <= np.abs(below.astype(float) - vectors)).all()
    assert (distance <= np.abs(above.astype(float) - vectors)).all()


@given(matrices)
def test_both_stores_keep_the_same_bits_and_what_is_put_again_stays(vectors: NDArray[np.float32]) -> None:
    entry = entry_with(vectors)
    with tempfile.TemporaryDirectory() as folder:
        stores: list[Store] = [MemoryStore(), SqliteStore(path=Path(folder) / ".pincite", create=True)]
        for store in stores:
            put_all(store, [entry])
            kept = [store.vectors(entry.embedded)[text] for text in entry.embedded]
            assert bits(kept) == bits(vectors.astype(np.float16).astype(np.float32))
            again = np.array(kept, dtype=np.float32).reshape(vectors.shape)
            check_kept_bits(store, entry_with(again))
            store.close()


def check_kept_bits(store: Store, entry: Entry) -> None:
    put_all(store, [entry])
    found = store.vectors(entry.embedded)
    assert [bits(found[text]) for text in entry.embedded] == [bits(row) for row in entry.vectors]


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
@pytest.mark.parametrize("number", [65505, 65519, 65520, -1e30])
def test_a_number_that_16_bits_do_not_hold_is_refused(kind: str, number: float, tmp_path: Path) -> None:
    store: Store = MemoryStore() if kind == "memory" else SqliteStore(path=tmp_path / ".pincite", create=True)
    largest = entry_with(np.array([[1, LARGEST], [-LARGEST, 0]], dtype=np.float32))
    expected = put_all(store, [largest])
    with store.writer() as writer, pytest.raises(ValueError, match=re.escape("beyond ±65504")):
        writer.put(entry_with(np.array([[1, number]], dtype=np.float32)))
    assert list(store.stored()) == list(expected.entries)
    kept = store.vectors(largest.embedded)
    assert [kept[text].tolist() for text in largest.embedded] == largest.vectors.tolist()


def test_an_index_with_vectors_of_another_is_the_same_to_the_bit(tmp_path: Path) -> None:
    """As a rebuild has them, which embeds no text anew."""
    fine = [
        entry_with(np.array([unit_vector(f"{name} {word}") for word in WORDS], dtype=np.float32), name)
        for name in ("a.md", "b.md")
    ]
    fine[1] = replace(fine[1], embedded=tuple(f"other {text}" for text in fine[1].embedded))
    first, second = (SqliteStore(path=tmp_path / name, create=True) for name in ("first", "second"))
    put_all(first, fine)
    known = [first.vectors(entry.embedded) for entry in fine]
    reused = [
        replace(entry, vectors=np.array([vectors[text] for text in entry.embedded]))
        for entry, vectors in zip(fine, known, strict=True)
    ]
    assert bits(reused[0].vectors) != bits(fine[0].vectors)
    check_kept(second, put_all(second, reused))
    assert contents(first.path) == contents(second.path)
    segments = []
    for store in (first, second):
        with store.writer() as writer:
            segments.append(build(writer.database, 1, LAST_ROW))
    for (name, one), (_, other) in zip(segments[0].blocks(), segments[1].blocks(), strict=True):
        assert one.tobytes() == other.tobytes(), name
    assert segments[0].vectors.dtype == HALF
    assert len(segments[0].vectors.tobytes()) == 2 * 8 * len(segments[0])


def contents(path: Path) -> list[Any]:
    with closing(sqlite3.connect(path / "index.sqlite")) as connection:
        tables = ("documents", "chunks", "vectors", "terms", "forward")
        rows = [connection.execute(f"SELECT * FROM {table}").fetchall() for table in tables]
        return [*rows, connection.execute("SELECT value FROM meta WHERE name = 'state'").fetchall()]
