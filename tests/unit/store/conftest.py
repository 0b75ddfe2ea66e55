"""What a large collection does, with a handful of chunks."""

from __future__ import annotations

import pytest


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """A segment for every two chunks, merged when there are two of about one size, and scanned in 8 bits."""
    for name, value in (
        ("upkeep.TAIL_CHUNKS", 1),
        ("upkeep.SEGMENT_CHUNKS", 2),
        ("merging.SMALLEST_MERGED", 2),
        ("merging.BLOCK_ROWS", 3),
        ("merging.BLOCK_POSTINGS", 5),
        ("nearest.SCANNED_FROM", 0),
        ("nearest.APART_ROWS", 3),
        ("nearest.BLOCK_ROWS", 3),
    ):
        monkeypatch.setattr(f"pincite.store.{name}", value)
