"""AsciiDoc: what each construct becomes."""

from __future__ import annotations

import time
from typing import Any

import pytest

from pincite.errors import LoadError
from pincite.load.asciidoc import AsciidocLoader
from pincite.load.asciidoc_blocks import plain_title
from pincite.model import Document, Source


def load(text: str, **options: Any) -> Document:
    document = AsciidocLoader(**options).load(Source("a.adoc", text.encode()))
    assert document.text == text
    return document


def seen(text: str) -> list[tuple[str, str]]:
    return [(block.kind, block.span.of(text)) for block in load(text).blocks]


def test_headings() -> None:
    text = "= Top\n\n== Part `one` ==\n\n[[id]]\n=== Sub\n\n## Two\n\nOld\n~~~\n\n----\n== no\n----\n"
    headings = [(block.level, block.title) for block in load(text).blocks if block.kind == "heading"]
    assert headings == [(1, "Top"), (2, "Part one"), (3, "Sub"), (2, "Two"), (3, "Old")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One\ntwo.\n\nThree.", [("paragraph", "One\ntwo."), ("paragraph", "Three.")]),
        ("* a\n* b", [("list", "* a\n* b"), ("item", "* a"), ("item", "* b")]),
        ("a:: b\nc::\n  d", [("list", "a:: b\nc::\n  d"), ("item", "a:: b"), ("item", "c::\n  d")]),
        ("----\na\n\n* b\n----\nc", [("code", "----\na\n\n* b\n----"), ("paragraph", "c")]),
        ("....\na\n....", [("code", "....\na\n....")]),
        ("====\na\n====", [("quote", "====\na\n===="), ("paragraph", "a")]),
        ("____\na\n____", [("quote", "____\na\n____"), ("paragraph", "a")]),
        ("--\na\n--", [("quote", "--\na\n--"), ("paragraph", "a")]),
        ("[source,c]\n--\na\n--", [("code", "[source,c]\n--\na\n--")]),
        ("[source,c]\na\n\nb", [("code", "[source,c]\na"), ("paragraph", "b")]),
        ("[quote]\na", [("quote", "[quote]\na")]),
        ("[verse]\n____\na\n____", [("quote", "[verse]\n____\na\n____")]),
        ("[stem]\n====\na\n====", [("code", "[stem]\n====\na\n====")]),
        ("++++\na\n++++", [("other", "++++\na\n++++")]),
        ("////\na\n////", [("other", "////\na\n////")]),
        ("// a\nb", [("other", "// a"), ("paragraph", "b")]),
        ("----\na", [("code", "----\na")]),
        (" literal\n text", [("code", "literal\n text")]),
        ("'''", [("other", "'''")]),
        ("image::a.png[]", [("other", "image::a.png[]")]),
        (":a: b", [("other", ":a: b")]),
        ("[a]", [("other", "[a]")]),
        ("[a]\n\nb", [("other", "[a]"), ("paragraph", "b")]),
        (".Title\ntext", [("paragraph", ".Title\ntext")]),
        ("a\n----\nb\n----", [("paragraph", "a"), ("code", "----\nb\n----")]),
    ],
)
def test_constructs(text: str, expected: list[tuple[str, str]]) -> None:
    assert seen(text) == expected


def test_code_knows_its_language() -> None:
    text = "[source,python]\n----\na\n----\n\n```js\nb\n```\n\n[,c]\n----\nd\n----\n\n----\ne\n----\n"
    assert [block.language for block in load(text).blocks] == ["python", "js", "c", ""]


def test_depth_follows_the_order_of_the_markers() -> None:
    text = "* a\n** b\n. c\n** d\n* e\n\n\n* f\n<1> g\n"
    items = [(block.level, block.marker) for block in load(text).blocks if block.kind == "item"]
    assert items == [(1, "*"), (2, "**"), (3, "."), (2, "**"), (1, "*"), (1, "*"), (2, "<1>")]
    lists = [block.span.of(text) for block in load(text).blocks if block.kind == "list"]
    assert lists == [text[:-1], "** b\n. c\n** d", ". c", "<1> g"]


def test_markers_of_all_kinds() -> None:
    text = "1. a\na. b\nA. c\ni) d\n- e\n"
    assert [block.marker for block in load(text).blocks if block.kind == "item"] == ["1.", "a.", "A.", "i)", "-"]


def test_blocks_attached_to_an_item_lie_inside_it() -> None:
    text = "* a\n+\n[source,c]\n----\nb\n\n----\n* c\n+\nd\n"
    assert seen(text) == [
        ("list", text[:-1]),
        ("item", text[:30].rstrip()),
        ("code", "[source,c]\n----\nb\n\n----"),
        ("item", "* c\n+\nd"),
        ("paragraph", "d"),
    ]


@pytest.mark.parametrize(
    ("text", "columns", "rows"),
    [
        ("|===\n|a |b\n\n|1 |2\n|3 |4\n|===", ("a", "b"), ["|1 |2", "|3 |4"]),
        ('[cols="1,2",options="header"]\n|===\n|a |b\n|1\n|2\n|===', ("a", "b"), ["|1\n|2"]),
        ("[%header,cols=2*]\n|===\n|a\n|b\n|1\n|2 \\| x\n|===", ("a", "b"), ["|1\n|2 \\| x"]),
        ("[cols=2]\n|===\n2+|wide\n|1 |2\n|===", (), ["2+|wide", "|1 |2"]),
        ("|===\n|1 |2\n|===", (), ["|1 |2"]),
        ("[%header]\n,===\na,b\n1,2\n,===", ("a", "b"), ["1,2"]),
        ("|===\n|===", (), []),
        ("|===\nno cell\n|===", (), []),
        ("|===\n|a", (), ["|a"]),
    ],
)
def test_tables(text: str, columns: tuple[str, ...], rows: list[str]) -> None:
    table = load(text).blocks[0]
    assert (table.kind, table.columns, table.span.of(text)) == ("table", columns, text)
    assert [row.of(text) for row in table.rows] == rows
    assert bool(table.header) == bool(columns)


def test_the_header_is_metadata() -> None:
    text = "= T\nAda Pilot <a@b.c>; Bo Clerk\nv2.1, 2024-05-06: remark\n// c\n:lang: de-DE\n\nText.\n"
    document = load(text)
    assert document.metadata == {
        "authors": ("Ada Pilot", "Bo Clerk"),
        "version": "2.1",
        "date": "2024-05-06",
        "language": "de",
    }
    assert [block.kind for block in document.blocks] == ["heading", "other", "paragraph"]
    assert load("= T\n:author: A B\n:revdate: soon\n").metadata == {"authors": ("A B",)}
    assert load("// c\n\n= T\n* x\n").blocks[0].kind == "other"


@pytest.mark.parametrize(
    ("text", "plain"), [("The *b* `c_d`", "The b c_d"), ("_i_ [[x]]t", "i t"), ("2 * 3", "2 * 3"), ("``", "``")]
)
def test_plain_title(text: str, plain: str) -> None:
    assert plain_title(text) == plain


@pytest.mark.parametrize(
    "text",
    [
        "".join("*" * (number % 6 + 1) + " a\n" for number in range(30_000)),
        "".join("-" * (4 + number) + "\n" for number in range(1000)),
        "====\n" * 30_000,
        "".join("=" * (4 + number) + "\na\n" for number in range(1000)),
        "[" * 100_000,
        "[" + "[a]" * 50_000,
        "|===\n" + "|a " * 50_000 + "\n|===\n",
        "|===\n" + "1+" * 100_000 + "\n|===\n",
        "* a\n+\n" * 20_000,
        "a" * 300_000,
    ],
    ids=range(10),
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
        AsciidocLoader(max_bytes=0)
