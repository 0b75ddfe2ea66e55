"""The package's root: few names, each explained, none imported before it is used."""

from __future__ import annotations

import io
import pydoc
import re
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pincite

REFERENCE = Path(__file__).parent.parent.parent / "docs" / "api.md"
MOST_NAMES = 25
MOST_MS = 100
NAMES = [
    *("Answer", "Chunk", "Citation", "Collection", "Comparison", "Document", "Hit", "PinciteError", "Place"),
    *("Principal", "Question", "Ranking", "Span", "Statement"),
    *("chunk_document", "compare", "count_tokens", "draw_chunks", "draw_comparison"),
    *("load_document", "load_folder", "load_text", "nearest_chunks", "statistics"),
]


def test_the_list_of_public_names_is_this_one() -> None:
    assert pincite.__all__ == NAMES
    assert len(NAMES) <= MOST_NAMES


def test_each_public_name_has_its_section_in_the_reference() -> None:
    text = REFERENCE.read_text(encoding="utf-8")
    assert sorted(re.findall(r"^### `(\w+)`$", text, re.MULTILINE)) == sorted(NAMES)
    assert f"gives: {len(NAMES)} names" in text


def test_the_page_of_help_begins_with_a_line_for_each_name() -> None:
    written = io.StringIO()
    with redirect_stdout(written):
        pydoc.Helper(output=written).help(pincite)
    page = written.getvalue().partition("PACKAGE CONTENTS")[0]
    assert len(page.splitlines()) <= 80
    for name in NAMES:
        assert re.search(rf"^    (    {name} +\w|.*\b{name}\b)", page, re.MULTILINE), name
    assert getattr(pincite, "__doc__", "").count("\n\n") >= 10


def test_each_public_name_has_a_docstring() -> None:
    for name in NAMES:
        assert getattr(pincite, name).__doc__, name


def test_importing_the_root_is_quick_and_imports_nothing_of_it() -> None:
    code = (
        "import sys, time, typing; before = set(sys.modules); started = time.process_time(); import pincite; "
        "print(1000 * (time.process_time() - started), *sorted(set(sys.modules) - before))"
    )
    runs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
        for _ in range(3)
    ]
    assert min(float(run[0]) for run in runs) < MOST_MS
    assert {*runs[0][1:]} <= {"pincite", "__future__"}
