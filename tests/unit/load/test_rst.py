"""reStructuredText: what each construct becomes."""

from __future__ import annotations

import time
from typing import Any

import pytest

from pincite.errors import LoadError
from pincite.load.rst import RstLoader
from pincite.load.rst_blocks import plain_title
from pincite.model import Document, Source


def load(text: str, **options: Any) -> Document:
    document = RstLoader(**options).load(Source("a.rst", text.encode()))
    assert document.text == text
    return document


def seen(text: str) -> list[tuple[str, str]]:
    return [(block.kind, block.span.of(text)) for block in load(text).blocks]


def test_levels_follow_the_order_of_the_adornments() -> None:
    text = "====\nTop\n====\n\nPart\n----\n\nSub\n~~~\n\nPart ``two``\n--------------\n\nDeep\n====\n"
    headings = [(block.level, block.title) for block in load(text).blocks if block.kind == "heading"]
    assert headings == [(1, "Top"), (2, "Part"), (3, "Sub"), (2, "Part two"), (4, "Deep")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One\ntwo.\n\nThree.", [("paragraph", "One\ntwo."), ("paragraph", "Three.")]),
        ("A title longer\n====", [("heading", "A title longer\n====")]),
        ("Title\n==", [("paragraph", "Title\n==")]),
        ("One\n\n----\n\nTwo", [("paragraph", "One"), ("other", "----"), ("paragraph", "Two")]),
        ("* a\n* b\n\nc", [("list", "* a\n* b"), ("item", "* a"), ("item", "* b"), ("paragraph", "c")]),
        ("1. a\n   b", [("list", "1. a\n   b"), ("item", "1. a\n   b")]),
        ("A. Einstein was\na man.", [("paragraph", "A. Einstein was\na man.")]),
        ("(a) x\n(b) y", [("list", "(a) x\n(b) y"), ("item", "(a) x"), ("item", "(b) y")]),
        ("term\n  text", [("list", "term\n  text"), ("item", "term\n  text"), ("paragraph", "text")]),
        ("a\n\n  b", [("paragraph", "a"), ("quote", "b"), ("paragraph", "b")]),
        ("a::\n\n  b\n\n   c\n\nd", [("paragraph", "a::"), ("code", "b\n\n   c"), ("paragraph", "d")]),
        ("::\n\n  b", [("other", "::"), ("code", "b")]),
        (">>> 1\n1", [("code", ">>> 1\n1")]),
        (".. code:: py\n\n   a\n\n   b\nc", [("code", ".. code:: py\n\n   a\n\n   b"), ("paragraph", "c")]),
        (".. note:: a\n   b", [("quote", ".. note:: a\n   b"), ("paragraph", "b")]),
        (".. note::\n   :class: x\n\n   b", [("quote", ".. note::\n   :class: x\n\n   b"), ("paragraph", "b")]),
        (".. image:: x\n   :alt: y", [("other", ".. image:: x\n   :alt: y")]),
        (".. |s| replace:: x", [("other", ".. |s| replace:: x")]),
        (".. function:: f(a)\n\n   Does.", [("paragraph", ".. function:: f(a)"), ("paragraph", "Does.")]),
        (
            ".. table:: T\n\n   == ==\n   a  b\n   == ==",
            [("caption", ".. table:: T"), ("table", "== ==\n   a  b\n   == ==")],
        ),
        (".. [1] Note\n   more", [("note", ".. [1] Note\n   more")]),
        (".. _t: u", [("other", ".. _t: u")]),
        ("..\n   hidden", [("other", "..\n   hidden")]),
        ("__ anonymous", [("other", "__ anonymous")]),
        ("| a\n| b", [("paragraph", "| a\n| b")]),
        ("=== ===\na   b", [("paragraph", "=== ===\na   b")]),
        ("+--+\nno", [("paragraph", "+--+\nno")]),
    ],
)
def test_constructs(text: str, expected: list[tuple[str, str]]) -> None:
    assert seen(text) == expected


def test_code_knows_its_language() -> None:
    text = ".. highlight:: c\n\na::\n\n  b\n\n.. code-block:: python\n\n  c\n\n.. math:: x\n\n>>> d"
    assert [block.language for block in load(text).blocks if block.kind == "code"] == ["c", "python", "latex", "python"]


def test_nested_lists_know_their_depth() -> None:
    text = "* a\n\n  1. b\n\n     - c\n* d"
    items = [(block.level, block.marker) for block in load(text).blocks if block.kind == "item"]
    assert items == [(1, "*"), (2, "1."), (3, "-"), (1, "*")]


@pytest.mark.parametrize(
    ("text", "columns", "rows"),
    [
        ("+---+---+\n| a | b |\n+===+===+\n| 1 | 2 |\n|   | 3 |\n+---+---+", ("a", "b"), ["| 1 | 2 |\n|   | 3 |"]),
        ("+---+\n| 1 |\n+---+\n| 2 |\n+---+", (), ["| 1 |", "| 2 |"]),
        ("==  ==\na   b\nc\n==  ==\n1   2\n    3\n4   5\n==  ==", ("a c", "b"), ["1   2\n    3", "4   5"]),
        ("==  ==\n1   2\n==  ==", (), ["1   2"]),
        (
            ".. list-table:: T\n   :header-rows: 1\n\n   * - a\n     - b\n   * - 1\n     - 2",
            ("a", "b"),
            ["* - 1\n     - 2"],
        ),
        (".. list-table::\n\n   * - 1\n     - 2", (), ["* - 1\n     - 2"]),
        ('.. csv-table::\n   :header: "a", "b,c"\n\n   1, 2\n   3, 4', ("a", "b,c"), ["1, 2", "3, 4"]),
        (".. csv-table::\n\n   1, 2", (), ["1, 2"]),
    ],
)
def test_tables(text: str, columns: tuple[str, ...], rows: list[str]) -> None:
    table = load(text).blocks[0]
    assert (table.kind, table.columns, table.span.of(text)) == ("table", columns, text)
    assert [row.of(text) for row in table.rows] == rows
    assert bool(table.header) == bool(columns)


def test_fields_below_the_title_are_metadata() -> None:
    fields = ":Author: A. B.; C. D.\n:Date: 2024-05-06\n:Version: 2.1\n:Other: x\n"
    text = f"Title\n=====\n\n{fields}\nText.\n\n:Author: no one\n"
    metadata = {"authors": ("A. B.", "C. D."), "date": "2024-05-06", "version": "2.1"}
    assert load(text).metadata == metadata
    assert load(":Date: yesterday\n").metadata == {}


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("The :class:`~a.B` and ``c_d``", "The ~a.B and c_d"),
        ("See `here <there>`_ or there_", "See here or there"),
        ("**Bold** *it* |sub|", "Bold it sub"),
        ("__init__ * 2", "__init__ * 2"),
        ("*", "*"),
    ],
)
def test_plain_title(text: str, plain: str) -> None:
    assert plain_title(text) == plain


@pytest.mark.parametrize(
    "text",
    [
        "".join(" " * depth + "a\n" for depth in range(1000)),
        "* " * 100_000,
        "=== ===\na\n\n" * 20_000,
        "+-+\n" * 50_000,
        "*" * 300_000 + "\n" + "*" * 300_000,
        "x`*|" * 50_000 + "\n====\n",
        ":a" * 100_000,
        "".join("  " * depth + "* a\n\n" for depth in range(500)),
    ],
    ids=range(8),
)
def test_hostile_files_take_no_long_time(text: str) -> None:
    started = time.process_time()
    load(text)
    assert time.process_time() - started < 5


def test_limits() -> None:
    assert [notice.kind for notice in load("\n").warnings] == ["empty"]
    with pytest.raises(LoadError) as caught:
        load("text", max_bytes=1)
    assert caught.value.kind == "too_large"
    with pytest.raises(ValueError, match="max_bytes"):
        RstLoader(max_bytes=0)
