"""Markdown to blocks: kinds, titles, spans, traps, and the cost of hostile files."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pincite.errors import LoadError
from pincite.load.markdown import MarkdownLoader
from pincite.model import Block, Document, Source


def load(text: str) -> Document:
    return MarkdownLoader().load(Source("guide/a.md", text.encode()))


def real(shared: Path, name: str) -> Document:
    return MarkdownLoader().load(Source(name, (shared / "cases" / name).read_bytes()))


def kinds(text: str) -> list[tuple[str, str]]:
    document = load(text)
    return [(block.kind, block.span.of(document.text)) for block in document.blocks]


def only(document: Document, kind: str) -> Block:
    (block,) = (block for block in document.blocks if block.kind == kind)
    return block


def headings(document: Document) -> list[tuple[int, str]]:
    return [(block.level, block.title) for block in document.outline if block.kind == "heading"]


def path_of(document: Document, words: str) -> tuple[str, ...]:
    start = document.text.index(words)
    return next(s.path for s in document.sections if s.span.start <= start < s.span.end)


def test_the_document() -> None:
    document = load("# A\r\n\r\nText\r\n")
    assert (document.id, document.source, document.media_type) == ("guide/a.md", "guide/a.md", "text/markdown")
    assert document.text == "# A\r\n\r\nText\r\n"
    assert (document.metadata, document.places, document.warnings) == ({}, (), ())


@pytest.mark.parametrize("text", ["", " \n\r\n\t", "\ufeff"])
def test_an_empty_file_warns(text: str) -> None:
    document = load(text)
    assert document.blocks == ()
    assert [(notice.kind, notice.file) for notice in document.warnings] == [("empty", "guide/a.md")]


def test_front_matter_alone_warns_too() -> None:
    document = load("---\ntitle: A\n---\n")
    assert [block.kind for block in document.blocks] == ["metadata"]
    assert [notice.kind for notice in document.warnings] == ["empty"]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# A `b c` d", "A b c d"),
        ("# *A* **b** ~~c~~ _d_", "A b c d"),
        ('# [A](u "t") <b>b</b> &amp; \\* c', "A b & * c"),
        ("# ![old *map*](m.png) of `x`", "old map of x"),
        ("# A<br/>b", "A b"),
        ("A\nb  \nc\n===", "A b c"),
        ("#   A \t b   ###", "A b"),
        ("#", ""),
        ("# A[^1]\n\n[^1]: note", "A"),
        ("# <https://example.org/a>", "https://example.org/a"),
        ("# 返却 👩\u200d🔧 e\u0301", "返却 👩\u200d🔧 e\u0301"),
    ],
)
def test_titles_are_plain_text(text: str, title: str) -> None:
    assert only(load(text), "heading").title == title


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("## Title { #anchor }", "Title"),
        ("## Title {: #id .class }  \r\n", "Title"),
        ("# A {#id .c key=\"v w\" k='z' j=3} ##", "A"),
        ("# A ### {: #x }", "A"),
        ("# C# {#c-sharp}", "C#"),
        ("# A {:toc}", "A"),
        ("# A {-}", "A"),
        ("# A {/* #id */}", "A"),
        ("# **A** `b`{#a_b_c}", "A b"),
        ("# A\u2028b {#安装}", "A b"),
        ("> # A {.b}", "A"),
        ("A\nb {#x}\n===", "A b"),
        ("A {#x}\nb\n---", "A {#x} b"),
        ("# A { #a } { #b }", "A { #a }"),
        ("# `x {#id}`", "x {#id}"),
        ("# A ` {#id}", "A `"),
        ("# A \\{#id}", "A {#id}"),
        ("# A {#*id*}", "A {#id}"),
        ("# {#id}", "{#id}"),
        ("# ## {#id}", "## {#id}"),
        ("# A {}", "A {}"),
        ("# A {name}", "A {name}"),
        ("# A {#if x}", "A {#if x}"),
        ("# A {'a': 1}", "A {'a': 1}"),
        ("# A {#id", "A {#id"),
    ],
)
def test_titles_are_without_attribute_lists(text: str, title: str) -> None:
    document = load(text)
    heading = only(document, "heading")
    assert heading.title == title
    assert heading.span.of(text) == text.lstrip("> ").rstrip()


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("  # A  \n", [("heading", "# A")]),
        ("# 漢 \n", [("heading", "# 漢")]),
        ("A\n---\n", [("heading", "A\n---")]),
        ("    code\n\n      more\n\n", [("code", "    code\n\n      more")]),
        ("\n\n\tcode\n", [("code", "\tcode")]),
        ("```py x\na\n\n```\n", [("code", "```py x\na\n\n```")]),
        ("~~~\nnever closed\n\n", [("code", "~~~\nnever closed")]),
        ("<div>\nx\n</div>\n\n<!-- c -->\n", [("other", "<div>\nx\n</div>"), ("other", "<!-- c -->")]),
        ("a\n\n***\n", [("paragraph", "a"), ("other", "***")]),
        ("[a]: b\n[c]: d\n\ntext", [("other", "[a]: b\n[c]: d"), ("paragraph", "text")]),
        ("text\n\n[a]: b\n", [("paragraph", "text"), ("other", "[a]: b")]),
        ("[^a]: x\n\n    y\n", [("note", "[^a]: x\n\n    y"), ("paragraph", "x"), ("paragraph", "y")]),
        ("> a\n>\nb", [("quote", "> a\n>"), ("paragraph", "a"), ("paragraph", "b")]),
        ("> # q", [("quote", "> # q"), ("heading", "# q")]),
        (">     code", [("quote", ">     code"), ("code", "     code")]),
        ("- a\n- b", [("list", "- a\n- b"), ("item", "- a"), ("item", "- b")]),
        ("- a\n\n\n", [("list", "- a"), ("item", "- a")]),
        ("-\n", [("list", "-"), ("item", "-")]),
        ("-\ta\n", [("list", "-\ta"), ("item", "-\ta")]),
        (">\t1. a", [("quote", ">\t1. a"), ("list", "1. a"), ("item", "1. a")]),
        ("a\n\n\xa0\n\nb", [("paragraph", "a"), ("paragraph", "b")]),
        (">\u0301 a", [("quote", ">\u0301 a"), ("paragraph", ">\u0301 a")]),
        ("a\r\rb\r", [("paragraph", "a"), ("paragraph", "b")]),
    ],
)
def test_blocks_and_spans(text: str, blocks: list[tuple[str, str]]) -> None:
    assert kinds(text) == blocks


def test_items_have_marker_and_depth() -> None:
    document = load("3) a\n4) b\n   * c\n\n     > + d\n- [x] e\n")
    items = [(block.marker, block.level) for block in document.blocks if block.kind == "item"]
    assert items == [("3)", 1), ("4)", 1), ("*", 2), ("+", 3), ("-", 1)]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("```python title=x\n```", "python"),
        ("~~~ c++\n~~~", "c++"),
        ("```\n```", ""),
        ("    a", ""),
        ("- ```sh\n", "sh"),
    ],
)
def test_code_has_its_language(text: str, language: str) -> None:
    assert only(load(text), "code").language == language


@pytest.mark.parametrize("indent", ["", "> ", "  "])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_tables(indent: str, line_end: str) -> None:
    lines = ["| `a` *b* | c \\| d |", "|:--|--:|", "| 1 | 2 |", "| 3 |", "| 4 | 5 | 6 |"]
    document = load(line_end.join(indent + line for line in lines) + line_end)
    table = only(document, "table")
    assert table.header
    assert table.columns == ("a b", "c | d")
    assert table.header.of(document.text) == line_end.join([lines[0], indent + lines[1]])
    assert [row.of(document.text) for row in table.rows] == lines[2:]


def test_a_table_without_rows() -> None:
    document = load("a | b\n-|-")
    table = only(document, "table")
    assert table.header == table.span
    assert (table.rows, table.columns) == ((), ("a", "b"))


def test_spans_count_code_points() -> None:
    document = load("---\ntitle: Łódź 😀\n---\n# 🚲 é\n\nDie 🧰 links.\n")
    assert [block.span.of(document.text) for block in document.blocks][1:] == ["# 🚲 é", "Die 🧰 links."]


def test_metadata_and_notices_are_handed_on() -> None:
    document = MarkdownLoader().load(Source("a.md", "---\ndate: gestern\n---\nGrüße aus Köln".encode("cp1252")))
    assert document.metadata == {"date": "gestern"}
    assert [notice.kind for notice in document.warnings] == ["encoding", "front_matter"]


def test_options_are_checked() -> None:
    with pytest.raises(ValueError, match="max_bytes must be at least 1, got -1"):
        MarkdownLoader(max_bytes=-1)
    with pytest.raises(LoadError, match="more than 2 \\(max_bytes\\)"):
        MarkdownLoader(max_bytes=2).load(Source("a.md", b"abc"))


def test_case_002_slashes_and_links_in_headings(shared: Path) -> None:
    document = real(shared, "C002.md")
    assert path_of(document, "Das Tor") == ("Tor 3/4 / Notdienst",)
    assert path_of(document, "Schranke B bleibt") == ("Tor 3/4 / Notdienst", "A/B-Test der Schranke")
    assert path_of(document, "Rampe 3") == ("Lieferung",)
    assert path_of(document, "Plan liegt") == ("Anhang",)


def test_front_matter_is_no_heading() -> None:
    """Twin of C004."""
    document = load(
        "---\ntitle: Log\n# comment\nowner: Vik\n---\n\nLog\n===\n\n```t\n``` x\n# no\n```\n\nSub\n---\nEnd.\n"
    )
    assert headings(document) == [(1, "Log"), (2, "Sub")]
    assert document.metadata == {"title": "Log", "owner": "Vik"}
    assert path_of(document, "End.") == ("Log", "Sub")


def test_case_004(shared: Path) -> None:
    document = real(shared, "C004.md")
    assert headings(document) == [(1, "Kiln diary"), (2, "Cooling")]
    assert document.metadata["title"] == "Kiln diary"
    assert path_of(document, "First firing.") == ("Kiln diary",)
    assert path_of(document, "Wait nine hours.") == ("Kiln diary", "Cooling")
    assert any((block.span.start, block.span.end) == (194, 210) for block in document.blocks)


def test_case_006_unclosed_fence(shared: Path) -> None:
    document = real(shared, "C006.md")
    code = only(document, "code")
    assert code.span.end == 85
    assert code.language == "sql"
    assert code.span.of(document.text).endswith("ORDER BY name")


def test_case_008_table_with_escaped_pipes(shared: Path) -> None:
    document = real(shared, "C008.md")
    table = only(document, "table")
    assert table.header
    assert table.columns == ("Mode", "Rule", "Note")
    assert table.header.of(document.text) == "| Mode | Rule | Note |\n| :--- | :---: | ---: |"
    assert len(table.rows) == 4
    assert "the code form is used by the panel" in table.rows[1].of(document.text)


def test_case_016_emoji_before(shared: Path) -> None:
    document = real(shared, "C016.md")
    assert any((block.span.start, block.span.end) == (52, 90) for block in document.blocks)
    assert path_of(document, "Die Luftpumpe") == ("🚲🚲 Verleih", "返却 👩\u200d🔧")
    assert "Zoe\u0308" in document.text


def test_undecodable_bytes_are_reported() -> None:
    """Twin of C068, b.md."""
    document = MarkdownLoader().load(Source("sub/b.md", b"# B\n\nGood.\n\nBad: \xfe\xff\xfa.\n"))
    (notice,) = document.warnings
    assert (notice.kind, notice.file) == ("encoding", "sub/b.md")
    assert "byte 17 " in notice.message
    assert len(document.text) == 22
    assert "\ufffd" not in document.text


def test_case_068(shared: Path) -> None:
    document = real(shared, "C068/b.md")
    assert "Good line." in document.text
    assert ["byte 28 " in notice.message for notice in document.warnings] == [True]
    assert "The mast is ten metres." in real(shared, "C068/d.md").text


def test_a_picture_is_refused() -> None:
    with pytest.raises(LoadError, match="PNG picture") as caught:
        MarkdownLoader().load(Source("a.md", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"))
    assert (caught.value.kind, caught.value.file) == ("binary", "a.md")


@pytest.mark.parametrize(
    "hostile",
    [
        lambda n: ">" * n + "a",
        lambda n: "- " * n + "a" + "\n" * n,
        lambda n: "".join("  " * i + "- a\n" for i in range(n // 100)),
        lambda n: "> " * (n // 100) + "a\n" + "b\n" * n,
        lambda n: "[" * n,
        lambda n: "**a " * n,
        lambda n: "![[]()" * n,
        lambda n: "".join("`" * i + " " for i in range(n // 50)),
        lambda n: "".join(f"[r{i}]: a\n" for i in range(n)),
        lambda n: "[^a]: " * n,
        lambda n: "a\n" * n + "===",
        lambda n: "# A {#a}" + " " * n + "<br>",
        lambda n: "# A " + "{#a " * n + "}",
        lambda n: "# A {" + "#a " * n + "}",
        lambda n: "\n" * n + "    " * n + "x",
        lambda n: "|" + "-|" * 3 + ("\n|" + "-|" * 3) * n,
    ],
)
def test_hostile_text_is_linear(hostile: Callable[[int], str]) -> None:
    """Nothing recurses, and four times the text takes nowhere near sixteen times the time."""

    def seconds(n: int) -> float:
        text = hostile(n)
        start = time.process_time()
        load(text)
        return time.process_time() - start

    small, large = seconds(5_000), seconds(20_000)
    assert large < 10 * small + 0.5


def test_tables_made_to_exhaust_the_memory_are_refused() -> None:
    table = "|" + "a|" * 1000 + "\n|" + "-|" * 1000 + "\n" + "x\n" * 300 + "\n"
    with pytest.raises(LoadError, match="tables have over") as caught:
        load(table * 20)
    assert (caught.value.kind, caught.value.file) == ("too_large", "guide/a.md")
    assert only(load(table), "table").columns == ("a",) * 1000


def test_large_honest_tables_are_loaded() -> None:
    table = only(load("|" + "a|" * 50 + "\n|" + "-|" * 50 + "\n" + ("|" + "1|" * 50 + "\n") * 2000), "table")
    assert (len(table.columns), len(table.rows)) == (50, 2000)
