"""Merged segments are what one segment of the documents that are still there would be."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from pincite.store import merging
from pincite.store.listing import gaps
from pincite.store.merging import chosen, merged
from pincite.store.segment import ARRAYS, LAST_ROW, build
from pincite.store.segment_files import name_of, problems, read, share, write
from pincite.store.sqlite import SqliteStore
from pincite.testing.stores import make_entry


@pytest.mark.parametrize("blocks", [1, 3, 1000])
@pytest.mark.parametrize("removed", [0.0, 0.4, 1.0])
def test_merged_is_built_anew(removed: float, blocks: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merging, "BLOCK_ROWS", blocks)
    monkeypatch.setattr(merging, "BLOCK_POSTINGS", blocks)
    chance = random.Random(5)
    words = ["red", "green", "blue", *(f"word{number}" for number in range(30))]
    store = SqliteStore(path=tmp_path / ".pincite", create=True)
    with store.writer() as writer:
        for number in range(30):
            pieces = [" ".join(chance.choices(words, k=chance.randint(1, 300))) for _ in range(chance.randint(0, 4))]
            writer.put(make_entry(f"{number}.md", pieces, dimension=3 if number == 7 else 8))
        ranges = [(1, 4), (5, 5), (6, 8), (9, 22), (23, LAST_ROW)]
        segments = [build(writer.database, *ends) for ends in ranges]
        for number in range(30):
            if chance.random() < removed:
                writer.remove(f"{number}.md")
        documents = np.array([row for (row,) in writer.database.rows("SELECT row FROM documents ORDER BY row")])
        write(tmp_path, "one", first=1, last=LAST_ROW, blocks=merged(segments, documents.astype(np.int64)))
        expected = build(writer.database, 1, LAST_ROW)
    found = read(tmp_path, "one")
    assert found is not None
    assert problems(tmp_path, ["one"]) == []
    for name in ARRAYS:
        one, other = getattr(found, name), getattr(expected, name)
        assert one.shape == other.shape, name
        assert (one == other).all(), name
        if name != "posting_frequencies":
            assert one.dtype == other.dtype, name
    found.release()
    assert (found.vectors == expected.vectors).all()


def test_segments_stay_few_and_rows_are_not_written_often() -> None:
    sizes: list[int] = []
    written = 0
    for number in range(1, 1001):
        sizes.append(10)
        written += 10
        while (found := chosen(sizes, sizes)) is not None:
            sizes[slice(*found)] = [sum(sizes[slice(*found)])]
            written += sizes[found[0]]
        assert len(sizes) <= 3 + 2 * number.bit_length()
    assert written <= 10 * 1000 * 12


def test_a_segment_with_many_removed_rows_is_written_anew() -> None:
    assert chosen([100, 50], [100, 39]) == (1, 2)
    assert chosen([100, 50], [100, 40]) is None
    assert chosen([0], [0]) is None
    assert chosen([], []) is None


def test_a_small_last_segment_is_in_nobody_s_way() -> None:
    """As when all segments have to be made anew."""
    sizes = [4100] * 48 + [3200, 300]
    while (found := chosen(sizes, sizes)) is not None:
        sizes[slice(*found)] = [sum(sizes[slice(*found)])]
    assert sizes == [41_000, 77_900, 77_900, 3200, 300]


def test_smaller_neighbours_are_taken_along() -> None:
    assert chosen([10, 90, 100, 50, 300], [10, 70, 70, 50, 300]) == (0, 4)
    assert chosen([300, 90, 100, 50, 500], [300, 81, 70, 50, 500]) == (2, 4)
    assert chosen([60_000, 30_000, 45_000], [60_000, 30_000, 30_000]) == (1, 3)
    assert chosen([60_000, 30_000, 70_000], [60_000, 30_000, 51_000]) == (2, 3)


def test_no_merge_is_larger_than_the_largest_however_long_it_goes_on() -> None:
    chance = random.Random(3)
    sizes, kept, written, changed = [0], [0], 0, 0
    for _ in range(6000):
        gone = 100 * min(sum(kept) // 400_000, 1)
        changed += 100 + gone
        while gone:
            number = chance.choices(range(len(kept)), weights=kept)[0]
            some = min(gone, kept[number], 20)
            kept[number], gone = kept[number] - some, gone - some
        sizes, kept = [*sizes, 100], [*kept, 100]
        while (found := chosen(sizes, kept)) is not None:
            total = sum(kept[slice(*found)])
            assert total <= merging.LARGEST_MERGED
            written += total
            sizes[slice(*found)] = kept[slice(*found)] = [total]
        assert len(sizes) <= 12 + sum(kept) // (merging.LARGEST_MERGED // 8)
    assert written <= 12 * changed


def test_gaps_are_what_no_range_has() -> None:
    assert list(gaps([])) == [(1, LAST_ROW)]
    assert list(gaps([(3, 4), (5, 9)])) == [(1, 2), (10, LAST_ROW)]


def test_segments_are_shared_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = name_of(tmp_path / "one", 1, 2, "a" * 64)
    blocks = [("rows", np.arange(5)), ("rows", np.arange(3))]
    write(tmp_path / "one", name, first=1, last=2, blocks=blocks)
    share(tmp_path / "one", [name], target=tmp_path / "two")

    def refused(*_: object) -> None:
        raise OSError("no links on this disk")

    monkeypatch.setattr("os.link", refused)
    share(tmp_path / "one", [name], target=tmp_path / "two")
    assert (tmp_path / "two" / name / "rows.bin").read_bytes() == (tmp_path / "one" / name / "rows.bin").read_bytes()
    assert [entry.name for entry in (tmp_path / "two").iterdir()] == [name]
