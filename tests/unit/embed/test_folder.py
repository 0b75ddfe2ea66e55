"""Fingerprints of folders."""

from __future__ import annotations

from pathlib import Path

from pincite.embed.folder import SAMPLE_BYTES, SMALL_BYTES, folder_fingerprint


def test_every_file_counts_but_hidden_ones(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.bin").write_bytes(b"1")
    first = folder_fingerprint(tmp_path)
    (tmp_path / ".cache").write_bytes(b"2")
    assert folder_fingerprint(tmp_path) == first
    (tmp_path / "sub" / "a.bin").write_bytes(b"3")
    second = folder_fingerprint(tmp_path)
    (tmp_path / "sub" / "a.bin").rename(tmp_path / "a.bin")
    assert len({first, second, folder_fingerprint(tmp_path)}) == 3


def test_large_files_are_sampled_to_both_ends(tmp_path: Path) -> None:
    file = tmp_path / "weights.bin"
    size = 3 * SMALL_BYTES + 17
    seen = set()
    for place in (None, 0, size - 1, SAMPLE_BYTES - 1, size - SAMPLE_BYTES):
        content = bytearray(size)
        if place is not None:
            content[place] = 1
        file.write_bytes(content)
        seen.add(folder_fingerprint(tmp_path))
    file.write_bytes(bytes(size + 1))
    assert len({*seen, folder_fingerprint(tmp_path)}) == 6
