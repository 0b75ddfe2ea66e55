"""What holds of every loader that leaves its text as it is, on any input."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pincite.errors import LoadError
from pincite.load.asciidoc import AsciidocLoader
from pincite.load.code import CodeLoader
from pincite.load.code_languages import GRAMMARS, SUFFIXES
from pincite.load.data import MEDIA_TYPES, DataLoader
from pincite.load.rst import RstLoader
from pincite.model import Document, Source
from pincite.ports import Loader
from pincite.text.graphemes import is_border

PARSED = [next(suffix for suffix, name in SUFFIXES.items() if name == language) for language in GRAMMARS]
LOADERS: tuple[tuple[Loader, tuple[str, ...]], ...] = (
    (CodeLoader(), (*PARSED, ".h", ".lua")),
    (DataLoader(), tuple(MEDIA_TYPES)),
    (RstLoader(), (".rst",)),
    (AsciidocLoader(), (".adoc",)),
)
IDS = ["code", "data", "rst", "asciidoc"]
HARD = (
    "é",
    "e\u0301",
    "\u0301",
    "😀",
    "👩\u200d🌾",
    "漢字",
    "שלום",
    "\xa0",
    "\u2028",
    "\x0b",
    "\x0c",
    "\x85",
    "\u0600",
)
BLANKS = (" ", " ", "  ", "\t", "\n", "\n", "\n", "\n\n", "\r\n", "\r", "    ")
PIECES: dict[str, tuple[str, ...]] = {
    "code": (
        *("def f():", "class A:", "class A {", "}", "{", "(", ")", ";", "# c", "// c", "/* c */", "/*", "'", '"', "`"),
        *("@x", "export ", "function f() {}", "const f = () => 1", "impl A {", "fn f() {}", "mod m {", "func f() {}"),
        *("struct A {", "namespace n {", "template <class T>", "module M", "def m", "end", "<?php", "f() {", "int a;"),
        *("try:", "pass", "type T struct {", "#ifdef X", "#endif", '"""', "interface I {", "#[x]", "/// d"),
    ),
    "data": (
        *("{", "}", "[", "]", ",", ":", '"a"', '"b": ', '"\\ud800"', "1", "-", "1e5", "null", "true", '"', "\\"),
        *(
            "a: ",
            "- ",
            "? ",
            "b:\n",
            "|",
            ">",
            "---",
            "...",
            "# c",
            "'k': ",
            "&a ",
            "*a",
            "[s]",
            "[[t]]",
            "=",
            '"""',
            "'''",
        ),
    ),
    "rst": (
        *("====", "----", "~~~~", "Title\n=====\n", "=====\nTop\n=====\n", "* ", "- ", "1. ", "#. ", "(a) ", ":f: "),
        *(".. ", ".. note::", ".. code-block:: py", ".. list-table::", ".. csv-table::", ":header-rows: 1", "* - "),
        *(
            ".. [1] ",
            ".. _a: b",
            "::",
            ">>> ",
            "+---+---+\n",
            "+===+===+\n",
            "| a | b |\n",
            "=== ===\n",
            "a   b\n",
            "__ ",
        ),
        *("| ", ".. |s| image:: x", ".. function:: f", "``", "*", "`a <b>`_", ".. table:: T", ".. highlight:: c"),
    ),
    "asciidoc": (
        *("= ", "== ", "=== T", "Title\n-----\n", "* ", "** ", "- ", ". ", ".. ", "1. ", "a:: ", "<1> ", "+\n", "+"),
        *(
            "----\n",
            "....\n",
            "====\n",
            "****\n",
            "____\n",
            "++++\n",
            "////\n",
            "--\n",
            "```\n",
            "```c\n",
            "|===\n",
            ",===\n",
        ),
        *(
            "|a ",
            "|b",
            "2+|",
            "a|",
            "\\|",
            "!===\n",
            "[source,c]\n",
            "[NOTE]\n",
            "[cols=2]\n",
            "[%header]\n",
            ".T\n",
            ":a: b\n",
        ),
        *(
            "image::x[]",
            "include::x",
            "// c",
            "'''",
            "NOTE: ",
            "A B <c@d>\n",
            "v1.0, 2024-01-01\n",
            "[quote]\n",
            "[[i]]\n",
        ),
    ),
}


def texts(name: str) -> st.SearchStrategy[str]:
    piece = st.sampled_from((*PIECES[name], *PIECES[name], *HARD, *BLANKS, *BLANKS, "a", "word"))
    return st.lists(piece, max_size=40).map("".join)


def load(loader: Loader, path: str, data: bytes) -> Document | None:
    """The document, ``None`` where the loader refuses the file as it may."""
    try:
        return loader.load(Source(path, data))
    except LoadError as error:
        refusal = error
    assert refusal.file == path
    assert refusal.kind in ("binary", "encoding")
    return None


def check(document: Document) -> None:
    text, covered = document.text, 0
    for block in document.outline:
        assert not text[covered : block.span.start].strip()
        covered = block.span.end
    assert not text[covered:].strip()
    for block in document.blocks:
        assert is_border(text, block.span.start)
        assert is_border(text, block.span.end)
        words = block.span.of(text)
        assert words.strip()
        assert not words.endswith(("\n", "\r"))
        if block.kind == "item":
            assert block.marker
        if block.header:
            assert block.columns
    assert bool(document.blocks) == bool(text.strip())
    assert Document.from_json(document.to_json()) == document


@pytest.mark.parametrize(("loader", "suffixes"), LOADERS, ids=IDS)
class TestAnyInput:
    @given(data=st.data())
    @settings(max_examples=60)
    def test_any_bytes_give_a_document_or_a_load_error(
        self, loader: Loader, suffixes: tuple[str, ...], data: st.DataObject
    ) -> None:
        document = load(loader, "a/b" + data.draw(st.sampled_from(suffixes)), data.draw(st.binary(max_size=100)))
        if document:
            check(document)

    @given(data=st.data())
    @settings(max_examples=400)
    def test_any_text(self, loader: Loader, suffixes: tuple[str, ...], data: st.DataObject) -> None:
        self.keeps_everything(loader, suffixes, data)

    @pytest.mark.soak
    @given(data=st.data())
    @settings(max_examples=3000)
    def test_much_more_text(self, loader: Loader, suffixes: tuple[str, ...], data: st.DataObject) -> None:
        self.keeps_everything(loader, suffixes, data)

    def keeps_everything(self, loader: Loader, suffixes: tuple[str, ...], data: st.DataObject) -> None:
        path = "a" + data.draw(st.sampled_from(suffixes))
        text = data.draw(texts(loader.name))
        document = load(loader, path, text.encode("utf-8-sig"))
        assert document
        assert document.text == text
        assert document.id == document.source == path
        check(document)


@given(text=texts("rst"))
@example(text="a\n b\n.. c\n")
@example(text=":a: b\n\n:c:\n")
def test_items_begin_with_their_markers(text: str) -> None:
    document = load(RstLoader(), "a.rst", text.encode())
    assert document
    for block in document.blocks:
        if block.kind == "item" and is_border(text, block.span.start + len(block.marker)):
            assert block.span.of(text).startswith(block.marker)
