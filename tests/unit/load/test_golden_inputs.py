"""The golden inputs that scripts make are what the scripts make, and each format has several."""

from __future__ import annotations

import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from tools import make_golden_office, make_golden_text

GOLDEN = Path(__file__).parents[2] / "golden"
FILES = {**make_golden_office.files(), **make_golden_text.files()}


def members(data: bytes) -> dict[str, bytes] | bytes:
    """What is in an archive, or the data themselves: how an archive is packed depends on the system's library."""
    if not data.startswith(b"PK"):
        return data
    with zipfile.ZipFile(BytesIO(data)) as file:
        return {name: file.read(name) for name in file.namelist()}


@pytest.mark.parametrize("name", sorted(FILES))
def test_the_inputs_are_those_of_the_scripts(name: str) -> None:
    assert members((GOLDEN / name).read_bytes()) == members(FILES[name])


def test_every_format_has_at_least_two() -> None:
    for folder in GOLDEN.iterdir():
        if folder.is_dir() and not folder.name.startswith("_"):
            inputs = [file for file in folder.iterdir() if file.with_name(f"{file.name}.json").exists()]
            assert len(inputs) >= 2, folder.name
