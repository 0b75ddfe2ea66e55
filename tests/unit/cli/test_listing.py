"""What `pincite chunk` prints."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.documents import markdown_document, markdown_documents, plain_documents

from pincite.cli import layout
from pincite.cli.listing import headings_above, print_chunks
from pincite.engine.chunking import chunk_document
from pincite.model import Document

TEXT = """# Guide

## Limits

Short.

## Cursors

A cursor lives 15 minutes.

### Pauses

Another rule.
"""


def printed(document: Document, capsys: pytest.CaptureFixture[str], *, strategy: str, full: bool = False) -> list[str]:
    chunks = chunk_document(document, strategy=strategy)
    print_chunks(document, chunks, unit="characters", full=full)
    return capsys.readouterr().out.splitlines()


def test_a_line_each(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert printed(markdown_document(TEXT), capsys, strategy="headings") == [
        "made.md: 4 chunks of 7 to 38 (characters, prefix included)",
        "   1      7                   # Guide",
        "   2     17  Guide            ## Limits",
        "   3     38  Guide            ## Cursors",
        "   4     25  Guide > Cursors  ### Pauses",
    ]


def test_long_headings_leave_room_for_the_first_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    document = markdown_document(f"# {'Very ' * 20}long\n\n## Second\n\n{'Words of the text. ' * 9}\n")
    rows = printed(document, capsys, strategy="sections")[1:]
    assert [layout.cells(row) for row in rows] == [60]
    assert rows[0].startswith("   1     69  … > Second")
    assert rows[0].endswith("  Words of the text. Words of the te…")


def test_without_headings_there_is_no_column(capsys: pytest.CaptureFixture[str]) -> None:
    document = Document("a.txt", "a.txt", "text/plain", "漢字 one\r\rtwo")
    assert printed(document, capsys, strategy="characters") == [
        "a.txt: 1 chunk of 11 (characters, prefix included)",
        "   1     11  漢字 one",
    ]


def test_a_document_without_chunks(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(Document("a.txt", "a.txt", "text/plain", ""), capsys, strategy="characters") == ["a.txt: 0 chunks"]


def test_full_shows_prefix_and_text(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(markdown_document(TEXT), capsys, strategy="sections", full=True)
    indent = " " * 16
    assert lines[2:5] == [f"{indent}Guide > Limits", "", f"{indent}Short."]


def test_headings_that_the_text_shows_are_left_out() -> None:
    document = markdown_document("# A\n\n## B\n\n### C\n\nText of c.\n\n### D\n\nText of d.\n")
    (whole,) = chunk_document(document, options={"min_tokens": 100})
    assert headings_above(document, whole) == ()
    parts = chunk_document(document, strategy="headings")
    assert [headings_above(document, part) for part in parts] == [(), ("A",), ("A", "B"), ("A", "B")]
    sections = chunk_document(document, strategy="sections")
    assert [headings_above(document, section) for section in sections] == [("A", "B", "C"), ("A", "B", "D")]
    halves = chunk_document(document, strategy="characters", options={"max_characters": 20, "overlap_characters": 0})
    assert headings_above(document, halves[0]) == ()
    assert headings_above(document, halves[1]) == ("A", "B")


@given(st.one_of(markdown_documents, plain_documents), st.sampled_from(("40", "80", "140")))
def test_rows_fit_and_hold_no_control_characters(document: Document, columns: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", columns)
        lines: list[str] = []
        patch.setattr("pincite.cli.output.write", lines.append)
        for strategy in ("structure", "tokens"):
            print_chunks(document, chunk_document(document, strategy=strategy), unit="o200k_base", full=False)
    for line in lines:
        assert line.isprintable()
        assert layout.cells(line) <= int(columns) or line.startswith(f"{document.id}: ")
