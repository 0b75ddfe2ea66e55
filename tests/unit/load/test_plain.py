"""Plain text: paragraphs at blank lines, the text unchanged."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.errors import LoadError
from pincite.load.plain import PlainTextLoader
from pincite.model import Document, Source


def load(text: str) -> Document:
    return PlainTextLoader().load(Source("notes/a.txt", text.encode()))


@pytest.mark.parametrize(
    ("text", "paragraphs"),
    [
        ("One", ["One"]),
        ("  One\ntwo. \n\nThree\n", ["One\ntwo.", "Three"]),
        ("One\r\n\r\nTwo\r\nthree\r\n", ["One", "Two\r\nthree"]),
        ("One\r\rTwo\rthree", ["One", "Two\rthree"]),
        ("One\n \t\u3000\nTwo", ["One", "Two"]),
        ("\n\n# One\n\n\n\n- two", ["# One", "- two"]),
        ("One\n\rTwo", ["One", "Two"]),
        ("A\x0cB\n\x0c\nC", ["A\x0cB", "C"]),
        ("\u00a0\u0301 x", ["\u00a0\u0301 x"]),
    ],
)
def test_paragraphs(text: str, paragraphs: list[str]) -> None:
    document = load(text)
    assert document.text == text
    assert [block.span.of(text) for block in document.blocks] == paragraphs
    assert {block.kind for block in document.blocks} == {"paragraph"}
    assert (document.id, document.media_type, document.warnings) == ("notes/a.txt", "text/plain", ())


@pytest.mark.parametrize("text", ["", " \n\t\r\n"])
def test_an_empty_file_warns(text: str) -> None:
    document = load(text)
    assert (document.text, document.blocks) == (text, ())
    assert [(notice.kind, notice.file) for notice in document.warnings] == [("empty", "notes/a.txt")]


def test_an_encoding_that_was_guessed_is_reported() -> None:
    document = PlainTextLoader().load(Source("a.txt", "Grüße aus Köln".encode("cp1252")))
    assert document.text == "Grüße aus Köln"
    assert [notice.kind for notice in document.warnings] == ["encoding"]


def test_options_are_checked() -> None:
    with pytest.raises(ValueError, match="max_bytes must be at least 1, got 0"):
        PlainTextLoader(max_bytes=0)
    with pytest.raises(LoadError, match="more than 2 "):
        PlainTextLoader(max_bytes=2).load(Source("a.txt", b"abc"))


def test_utf_16_with_a_mark() -> None:
    """Twin of C020."""
    document = PlainTextLoader().load(Source("a.txt", "\ufeffŁódź: klucz.\r\n".encode("utf-16-le")))
    assert document.text == "Łódź: klucz.\r\n"


def test_case_020(shared: Path) -> None:
    document = PlainTextLoader().load(Source("C020/a.txt", (shared / "cases/C020/a.txt").read_bytes()))
    assert document.text.strip() == "Zajezdnia Łódź: klucz u pana Żuka."
    assert document.text[0] == "Z"
    assert not document.warnings
