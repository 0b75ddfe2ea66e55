"""Columns of text: widths in cells, whole clusters, nothing wider than it may be."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.documents import hard_texts

from pincite.cli import layout, output


def test_what_every_command_imports_cuts_no_documents() -> None:
    code = "import sys, pincite.cli.output; print([name for name in sys.modules if name.startswith('pincite.chunk')])"
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert finished.stdout == "[]\n"


WIDE = "漢字返却 😀 ordinary"


@pytest.mark.parametrize(
    ("text", "width"),
    [("", 0), ("word", 4), ("漢字", 4), ("e\u0301", 1), ("😀", 2), ("한국", 4), ("ก็ดี", 2)],
)
def test_cells(text: str, width: int) -> None:
    assert layout.cells(text) == width


def test_a_wide_character_is_not_cut_in_half() -> None:
    assert layout.shortened(WIDE, 6) == "漢字…"
    assert layout.shortened_inside(WIDE, 8) == "漢…nary"
    assert layout.shortened("ae\u0301iou", 3) == "ae\u0301…"
    assert layout.padded("漢", 5) == "漢   "


@given(hard_texts, st.integers(1, 60))
def test_nothing_is_wider_than_it_may_be(text: str, width: int) -> None:
    line = output.safe(text)
    for shown in (layout.shortened(line, width), layout.shortened_inside(line, width)):
        assert layout.cells(shown) <= width
    whole = layout.cells(line) <= width
    assert (layout.shortened(line, width) == line) is (whole or line == "…")
    assert line.startswith(layout.shortened(line, width).removesuffix("…"))
    assert line.endswith(layout.shortened_inside(line, width).rpartition("…")[2])


@given(st.lists(hard_texts, min_size=1, max_size=5), st.integers(5, 60))
def test_a_path_fits_and_keeps_its_end(headings: list[str], width: int) -> None:
    titles = [output.safe(heading) for heading in headings]
    shown = layout.shortened_path(titles, width)
    assert layout.cells(shown) <= width
    if layout.cells(f"… > {titles[-1]}") <= width:
        assert shown.endswith(titles[-1])


def test_a_path_loses_its_middle_first() -> None:
    path = ("Guide", "API", "Version 3", "Limits")
    widths = (60, 26, 18, 10, 9)
    assert [layout.shortened_path(path, width) for width in widths] == [
        "Guide > API > Version 3 > Limits",
        "Guide > … > Limits",
        "Guide > … > Limits",
        "… > Limits",
        "… > Limi…",
    ]
    assert layout.shortened_path(("A rather long title",), 8) == "A rathe…"


def test_a_terminal_without_unicode_gets_plain_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    class Ascii:
        encoding = "ascii"

    monkeypatch.setattr("sys.stdout", Ascii())
    assert layout.shortened("pagination", 6) == "pag..."
    assert layout.drawn("│", "|") == "|"
