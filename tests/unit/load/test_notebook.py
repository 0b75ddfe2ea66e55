"""Notebooks: cells, outputs, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pincite.errors import LoadError
from pincite.load.notebook import NotebookLoader
from pincite.load.writer import MarkdownWriter
from pincite.model import Block, Document, Place, Source, Span


def load(notebook: Any, **options: Any) -> Document:
    data = notebook if isinstance(notebook, bytes) else json.dumps(notebook).encode()
    return NotebookLoader(**options).load(Source("a.ipynb", data))


def with_cells(*cells: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"nbformat": 4, "metadata": {"language_info": {"name": "Julia"}}, "cells": list(cells), **more}


def code(source: str, *outputs: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"cell_type": "code", "source": source, "outputs": list(outputs), **more}


def stream(text: Any) -> dict[str, Any]:
    return {"output_type": "stream", "name": "stdout", "text": text}


def shown(document: Document) -> list[tuple[str, str, str]]:
    return [(block.kind, block.language, block.span.of(document.text)) for block in document.outline]


def test_markdown_cells_have_the_blocks_of_markdown() -> None:
    source = ["\n# One *two*\n", "\n", "- a\n", "\n", "| x |\n", "|---|\n", "| 1 |\n"]
    document = load(
        with_cells({"cell_type": "markdown", "source": "First."}, {"cell_type": "markdown", "source": source})
    )
    assert document.text == "First.\n\n# One *two*\n\n- a\n\n| x |\n|---|\n| 1 |\n"
    assert [block.kind for block in document.blocks] == ["paragraph", "heading", "list", "item", "table"]
    assert document.blocks[1].title == "One two"
    table = document.blocks[-1]
    assert (table.columns, [row.of(document.text) for row in table.rows]) == (("x",), ["| 1 |"])
    assert table.header
    assert table.header.of(document.text) == "| x |\n|---|"
    assert document.place(document.blocks[0].span) == Place(paragraph=1)
    assert document.place(table.span) == Place(paragraph=2)


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        (code("a = 1\n"), [("code", "julia", "```julia\na = 1\n```")]),
        (code("%%bash\nls"), [("code", "bash", "```bash\n%%bash\nls\n```")]),
        (code("a", metadata={"language": "sql"}), [("code", "sql", "```sql\na\n```")]),
        (code("", stream(["a\n", "b\n"]), stream("c")), [("code", "", "```\na\nb\nc\n```")]),
        (code("", {"output_type": "execute_result", "data": {"text/plain": "1"}}), [("code", "", "```\n1\n```")]),
        (code("", {"output_type": "display_data", "data": {"text/markdown": "# a"}}), [("heading", "", "# a")]),
        (code("", {"output_type": "error", "traceback": ["\x1b[1mE\x1b[0m", "x"]}), [("code", "", "```\nE\nx\n```")]),
        (code("", {"output_type": "error", "ename": "E", "evalue": "v"}), [("code", "", "```\nE: v\n```")]),
        (
            code("", stream("a"), {"output_type": "error", "traceback": ["b"]}),
            [("code", "", "```\na\n```"), ("code", "", "```\nb\n```")],
        ),
        ({"cell_type": "raw", "source": "a"}, [("code", "", "```\na\n```")]),
        ({"cell_type": "heading", "level": 3, "source": "a"}, [("heading", "", "### a")]),
        ({"cell_type": "heading", "level": 30, "source": "a"}, [("heading", "", "# a")]),
    ],
)
def test_cells(cell: dict[str, Any], expected: list[tuple[str, str, str]]) -> None:
    assert shown(load(with_cells(cell))) == expected


def test_an_older_notebook_has_its_cells_in_worksheets() -> None:
    old = {
        "cell_type": "code",
        "input": ["x"],
        "language": "python",
        "outputs": [{"output_type": "pyout", "text": "1"}],
    }
    document = load({"nbformat": 3, "worksheets": [{"cells": [old]}, {}]})
    assert shown(document) == [("code", "python", "```python\nx\n```"), ("code", "", "```\n1\n```")]


def test_long_outputs_are_cut_with_a_notice() -> None:
    document = load(with_cells(code("a", stream("x" * 30), stream("y")), code("b", stream("z"))), max_output_chars=10)
    assert "x" * 10 in document.text
    assert "x" * 11 not in document.text
    assert [(notice.kind, notice.message) for notice in document.warnings] == [
        ("cut", "outputs were cut after 10 characters (max_output_chars) (cell 1)")
    ]
    assert len(load(with_cells(code("a", stream("x"))), max_output_chars=0).warnings) == 1
    two = with_cells(code("a", stream("x" * 10), {"output_type": "error", "traceback": ["lost"]}))
    assert "lost" not in load(two, max_output_chars=10).text


def test_what_is_left_out_leaves_notices() -> None:
    picture = {"output_type": "display_data", "data": {"image/png": "x"}}
    document = load(with_cells(*[code("a\ud800\0", picture)] * 12))
    assert [notice.kind for notice in document.warnings] == ["no_text", "characters"]
    assert document.warnings[0].message.endswith("(cells 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more)")
    assert "a\ufffd\n" in document.text
    assert [notice.kind for notice in load(with_cells()).warnings] == ["empty"]


def test_cells_without_text_are_told() -> None:
    sources: list[Any] = ["a", True, ["b", None], {"x": 1}, [], None]
    cells: list[Any] = [*map(code, sources), 12, {"cell_type": "markdown"}]
    document = load(with_cells(*cells))
    assert [(notice.kind, notice.message) for notice in document.warnings] == [
        ("no_text", "cells whose source is no text were left out (cells 2, 3, 4, 7)")
    ]
    assert [document.place(block.span).paragraph for block in document.blocks] == [1, 3]
    printed = load(with_cells(code("a", stream(["b", True])), code("c", stream(None))))
    assert [notice.message for notice in printed.warnings] == [
        "outputs without text (pictures, widgets) were left out (cell 1)"
    ]


def test_text_is_clean_before_it_is_read() -> None:
    document = load(with_cells({"cell_type": "markdown", "source": "\u200b# Ti\xadtle\n\n- \ufeffa\xa0b"}))
    assert document.text == "# Title\n\n- a b\n"
    assert (document.blocks[0].kind, document.blocks[0].title) == ("heading", "Title")
    hidden = with_cells({"cell_type": "markdown", "source": "---\ngro\u200bups: [a]\n---\n"})
    with pytest.raises(LoadError, match="groups"):
        load(hidden)


def test_metadata() -> None:
    notebook = with_cells(metadata={"title": "T", "authors": [{"name": "A"}, {"name": ""}, 1]})
    assert load(notebook).metadata == {"title": "T", "authors": ("A",)}


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"{", "corrupt"),
        (b"[]", "corrupt"),
        (b"{}", "corrupt"),
        (b'{"nbformat": 2, "cells": []}', "unsupported"),
        (b'{"nbformat": [], "cells": []}', "unsupported"),
        (b"[" * 100_000, "unsafe"),
        (b"\0", "binary"),
    ],
    ids=range(7),
)
def test_refusals(data: bytes, kind: str) -> None:
    with pytest.raises(LoadError) as caught:
        load(data)
    assert (caught.value.kind, caught.value.file) == (kind, "a.ipynb")


def test_limits() -> None:
    wide = "|" + "a|" * 3000 + "\n|" + "-|" * 3000 + "\n" + "|\n" * 3000
    for notebook, options in (
        (with_cells(code("a"), code("b")), {"max_cells": 1}),
        (with_cells(code("a")), {"max_bytes": 5}),
        (with_cells(*[{"cell_type": "markdown", "source": f"{wide}\n" * 20}]), {}),
    ):
        with pytest.raises(LoadError) as caught:
            load(notebook, **options)
        assert caught.value.kind == "too_large"
    for option in ("max_bytes", "max_cells"):
        options_of_none: dict[str, Any] = {option: 0}
        with pytest.raises(ValueError, match=option):
            NotebookLoader(**options_of_none)
    with pytest.raises(ValueError, match="max_output_chars"):
        NotebookLoader(max_output_chars=-1)


def test_text_that_is_markdown_already_stands_outermost_only() -> None:
    writer = MarkdownWriter()
    writer.markdown(" \n", [])
    assert not writer.written
    blocks = [Block("quote", Span(2, 5)), Block("paragraph", Span(4, 5))]
    writer.paragraph("First.")
    writer.markdown("\n\n> a\n", blocks)
    document = writer.document(id="a", source="a", media_type="text/x")
    assert [(block.kind, block.span.of(document.text)) for block in document.blocks] == [
        ("paragraph", "First."),
        ("quote", "> a"),
        ("paragraph", "a"),
    ]
    with writer.quote(), pytest.raises(ValueError, match="inside another block"):
        writer.markdown("a", [Block("paragraph", Span(0, 1))])
