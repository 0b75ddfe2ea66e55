"""Blocks brought in order over an unchanged text."""

from __future__ import annotations

import pytest

from pincite.load.text_blocks import groups, settled
from pincite.model import Block, Document, Span


def found(text: str, *spans: tuple[int, int]) -> list[tuple[str, str]]:
    blocks = settled(text, [Block("code", Span(*span)) for span in spans], gaps="other")
    Document(id="a", source="a", media_type="text/x", text=text, blocks=tuple(blocks))  # they nest
    return [(block.kind, block.span.of(text)) for block in blocks]


@pytest.mark.parametrize(
    ("text", "spans", "expected"),
    [
        ("one\n\ntwo", [], [("other", "one"), ("other", "two")]),
        (" one two ", [(0, 5), (5, 9)], [("code", "one"), ("code", "two")]),
        ("one two", [(0, 7), (0, 3), (4, 7)], [("code", "one two"), ("code", "one"), ("code", "two")]),
        ("one two", [(0, 4), (2, 7)], [("code", "one"), ("code", "e"), ("other", "two")]),
        ("ae\u0301b", [(0, 2), (2, 4)], [("code", "ae\u0301"), ("code", "b")]),
        ("ab", [(0, 1), (0, 1), (1, 2)], [("code", "a"), ("code", "a"), ("code", "b")]),
        ("a  b", [(1, 3)], [("other", "a  b")]),
        ("e\u0301", [(1, 2)], [("code", "e\u0301")]),
    ],
)
def test_blocks_and_gaps(text: str, spans: list[tuple[int, int]], expected: list[tuple[str, str]]) -> None:
    assert found(text, *spans) == expected


def test_rows_that_reach_out_give_way() -> None:
    text = "e\u0301a b"
    table = Block("table", Span(0, 5), header=Span(0, 1), rows=(Span(1, 3), Span(4, 5)))
    outer = Block("code", Span(0, 3))
    blocks = settled(text, [outer, table], gaps="other")
    assert blocks[1].rows == (Span(1, 3),)
    assert blocks[1].header == Span(0, 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", []), ("\n \n", []), ("a\rb\r\rc", ["a\rb", "c"]), ("\r\n a\r\n\t\r\nb\r\n", [" a", "b"])],
)
def test_groups(text: str, expected: list[str]) -> None:
    assert [span.of(text) for span in groups(text, 0, len(text))] == expected
