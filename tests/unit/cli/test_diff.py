"""Two strategies side by side."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stdout

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.documents import markdown_document, markdown_documents, plain_documents

from pincite.cli import layout
from pincite.cli.diff import print_borders, write_borders
from pincite.cli.strategy import strategy_of
from pincite.model import Document

TEXT = """# Guide

Opening words.

## Limits

One line of text that is cut.
Two.

## Pages

Three.
"""


def drawn(document: Document, first: str, second: str, capsys: pytest.CaptureFixture[str], *, full: bool = True) -> str:
    print_borders(document, (strategy_of(first), strategy_of(second)), full=full)
    return capsys.readouterr().out


def test_the_text_once_with_the_borders_of_both(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    options = "characters:max_characters=54,overlap_characters=0"
    assert drawn(markdown_document(TEXT), "headings", options, capsys) == (
        "made.md: 0 cuts in common, 2 only in A, 1 only in B\n"
        "  A  headings: 3 chunks\n"
        f"  B  {options}: 2 chunks\n"
        "  A    B  line\n"
        "═════════════════════════════════════════════ both\n"
        "  1    1     1  # Guide\n"
        "  │    │     2\n"
        "  │    │     3  Opening words.\n"
        "       │     4\n"
        "───    │  ───────────────────────────────── A only\n"
        "  2    │     5  ## Limits\n"
        "  │    │     6\n"
        "  │    │     7  One line of text t\n"
        "  │  ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌ B only\n"
        "  │    2        ↳ hat is cut.\n"
        "  │    │     8  Two.\n"
        "       │     9\n"
        "───    │  ───────────────────────────────── A only\n"
        "  3    │    10  ## Pages\n"
        "  │    │    11\n"
        "  │    │    12  Three.\n"
        "\n"
    )


def test_common_borders_overlap_and_folds(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    text = "# A\n\n" + "".join(f"line {number}\n" for number in range(20)) + "\n# B\n\nEnd.\n"
    document = markdown_document(text)
    out = drawn(document, "headings", "headings", capsys, full=False)
    assert "1 cut in common, 0 only in A, 0 only in B" in out
    assert "  │    │        … 18 lines\n" in out
    assert out.count("═ both") == 2
    whole = drawn(document, "headings", "headings", capsys, full=True)
    assert "…" not in whole
    assert whole.count("line ") == 20
    windows = "characters:max_characters=100,overlap_characters=50"
    assert "  │    ║" in drawn(document, "headings", windows, capsys)


def test_a_cut_inside_a_long_line_shows_the_words_before_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    text = "start " + "x" * 190 + " end. then " + "y" * 90
    document = Document("a.txt", "a.txt", "text/plain", text)
    out = drawn(document, "headings", "characters:max_characters=201,overlap_characters=0", capsys)
    assert f"  1    1     1  start {'x' * 10}…{'x' * 12} end.\n" in out
    assert "  │    2        ↳ then yyyyyyyyyyyyyyyyyyyyyyyyyy…\n" in out


def test_an_empty_document(capsys: pytest.CaptureFixture[str]) -> None:
    empty = Document("a.txt", "a.txt", "text/plain", "")
    assert "A  headings: 0 chunks" in drawn(empty, "headings", "tokens", capsys)


def test_a_stdout_without_the_glyphs_gets_plain_marks() -> None:
    raw = io.BytesIO()
    with redirect_stdout(io.TextIOWrapper(raw, encoding="ascii")) as out:
        print_borders(
            markdown_document("# A\n\nBoats.\n"), (strategy_of("headings"), strategy_of("sections")), full=True
        )
        out.flush()
        lines = raw.getvalue().decode("ascii").splitlines()
    assert lines[-6:] == [
        "---" + " " * 7 + "-" * 83 + " A only",
        "  1          1  # A",
        "  |          2",
        "  |  " + "." * 88 + " B only",
        "  |    1     3  Boats.",
        "",
    ]


def test_json_says_where_and_by_whom(capsys: pytest.CaptureFixture[str]) -> None:
    document = markdown_document(TEXT)
    both = (strategy_of("headings"), strategy_of("sections:counter=words"))
    write_borders(document, both)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == {
        "document": "made.md",
        "start": 0,
        "line": 1,
        "strategies": ["headings"],
        "first": 1,
        "second": None,
    }
    assert lines[1]["strategies"] == ["sections:counter=words"]
    assert [(line["line"], line["first"], line["second"]) for line in lines] == [
        *((1, 1, None), (3, None, 1), (5, 2, None)),
        *((7, None, 2), (10, 3, None), (12, None, 3)),
    ]
    assert all(not document.text[line["start"]].isspace() for line in lines)


@given(
    st.one_of(markdown_documents, plain_documents),
    st.sampled_from(("tokens:max_tokens=7,overlap_tokens=3", "characters:max_characters=9,overlap_characters=8")),
)
def test_every_line_is_drawn_and_nothing_else(document: Document, second: str) -> None:
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(io.StringIO()) as out:
        patch.setenv("COLUMNS", "5000")
        print_borders(document, (strategy_of("structure"), strategy_of(second)), full=True)
    lines = out.getvalue().split("\n")[:-1]
    assert all(line.isprintable() for line in lines)
    rows = [line for line in lines[4:] if not line.endswith((" both", " A only", " B only"))]
    margin = layout.cells(lines[3]) + 2
    shown = "".join(row[margin:].removeprefix("↳") for row in rows if len(row) > margin)
    assert "".join(shown.split()) == "".join(
        "".join(character for character in part if character.isprintable() and not character.isspace())
        for part in document.text
    )
