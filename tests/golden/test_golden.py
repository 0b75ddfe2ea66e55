"""Every golden input gives exactly the document that stands beside it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pincite import catalogue
from pincite.model import BLOCK_KINDS, Document, Source

GOLDEN = Path(__file__).parent
REPOSITORY = GOLDEN.parents[1]
SUFFIXES = {suffix for row in catalogue.rows("load") for suffix in row.suffixes}


def is_input(file: Path) -> bool:
    """An expected document is JSON beside the input that it is named after; other JSON is an input itself."""
    return file.suffix in SUFFIXES and not (file.suffix == ".json" and file.with_suffix("").exists())


INPUTS = [file for file in sorted(GOLDEN.glob("*/*")) if is_input(file)]


def expected(file: Path) -> Document:
    return Document.from_json(json.loads(Path(f"{file}.json").read_bytes()))


@pytest.mark.parametrize("file", INPUTS, ids=lambda file: file.name)
def test_document(file: Path) -> None:
    loader = next(row.name for row in catalogue.rows("load") if file.suffix in row.suffixes)
    document = catalogue.create("load", loader).load(Source(file.name, file.read_bytes()))
    assert document.to_json() == expected(file).to_json()


def test_the_inputs_show_every_kind_of_block_that_these_formats_have() -> None:
    shown = {block.kind for file in INPUTS for block in expected(file).blocks}
    assert shown == set(BLOCK_KINDS)


def test_no_expected_document_is_left_without_its_input() -> None:
    written = {file for file in GOLDEN.glob("*/*.json") if Path(file.stem).suffix in SUFFIXES}
    assert {Path(f"{file}.json") for file in INPUTS} == written


def run_update(folder: Path, *, ci: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(REPOSITORY / "tools/update_golden.py"), str(folder)],
        env={**os.environ, "CI": ci, "PYTHONPATH": str(REPOSITORY / "src")},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_the_rewrite_gives_the_files_that_are_here(tmp_path: Path) -> None:
    for file in INPUTS:
        (tmp_path / file.parent.name).mkdir(exist_ok=True)
        shutil.copy(file, tmp_path / file.parent.name)
    done = run_update(tmp_path, ci="")
    assert done.returncode == 0, done.stderr
    for file in INPUTS:
        written = tmp_path / file.parent.name / f"{file.name}.json"
        assert written.read_bytes() == Path(f"{file}.json").read_bytes()


def test_the_rewrite_refuses_to_run_in_ci(tmp_path: Path) -> None:
    (tmp_path / "text").mkdir()
    (tmp_path / "text/a.txt").write_text("Text.", encoding="utf-8")
    done = run_update(tmp_path, ci="true")
    assert (done.returncode, done.stdout) == (2, "")
    assert "not rewritten in CI" in done.stderr
    assert not list(tmp_path.glob("*/*.json"))
