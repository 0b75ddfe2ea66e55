"""Single rows are read out of a segment's file as they are mapped."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.store import segment_files
from pincite.store.segment import Segment
from pincite.store.sqlite import SqliteStore
from pincite.testing.stores import make_entry, put_all


def stored(path: Path) -> tuple[Path, str]:
    """A folder with one segment of 70 rows, and its name."""
    put_all(
        SqliteStore(path=path, create=True),
        [make_entry(f"{number}.md", [f"red {number}", "blue"]) for number in range(35)],
    )
    (name,) = (folder.name for folder in (path / "segments").iterdir())
    return path / "segments", name


@pytest.fixture(scope="module")
def segment(tmp_path_factory: pytest.TempPathFactory) -> Segment:
    found = segment_files.read(*stored(tmp_path_factory.mktemp("one") / ".pincite"))
    assert found is not None
    assert len(found) == 70
    return found


@given(st.sets(st.integers(0, 69)).map(sorted))
def test_rows_that_are_read_are_those_that_are_mapped(segment: Segment, rows: list[int]) -> None:
    chosen = np.array(rows, dtype=np.int64)
    assert (segment.vectors_of(chosen) == segment.vectors[chosen]).all()
    assert segment.vectors_of(chosen).shape == (len(rows), segment.vectors.shape[1])


@pytest.mark.skipif(not hasattr(os, "pread"), reason="rows are mapped here")
def test_a_file_that_became_shorter_is_noticed(tmp_path: Path) -> None:
    folder, name = stored(tmp_path / ".pincite")
    found = segment_files.read(folder, name)
    assert found is not None
    os.truncate(folder / name / "vectors.bin", 100)
    with pytest.raises(IndexError, match="shorter"):
        found.vectors_of(np.array([0, 69]))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks the system which files are open")
def test_a_segment_that_is_gone_has_no_file_open(tmp_path: Path) -> None:
    def number_open() -> int:
        return sum(1 for _ in Path("/proc/self/fd").iterdir())

    folder, name = stored(tmp_path / ".pincite")
    before = number_open()
    found = segment_files.read(folder, name)
    assert found is not None
    assert number_open() > before
    del found
    assert number_open() == before
