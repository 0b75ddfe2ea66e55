"""Source code: definitions with their qualified names, the text unchanged."""

from __future__ import annotations

import time
from typing import Any

import pytest

from pincite import catalogue
from pincite.errors import LoadError
from pincite.load import code
from pincite.load.code import CodeLoader
from pincite.load.code_languages import GRAMMARS, SUFFIXES
from pincite.load.data import MEDIA_TYPES
from pincite.model import Document, Source


def load(text: str, path: str = "a.py", **options: Any) -> Document:
    return CodeLoader(**options).load(Source(path, text.encode()))


def titles(text: str, path: str) -> list[str]:
    return [block.title for block in load(text, path).blocks if block.title]


PYTHON = '''"""Doc

string."""
import os

X = 1  # no part of what follows
# about f
@deco
def f():
    def inner(): pass


class A(B):
    x = 1

    # about m
    async def m(self): pass
    class Q:
        def z(self): pass

try:
    def g(): pass
except X:
    y = 2
'''


def test_python() -> None:
    document = load(PYTHON)
    assert document.text == PYTHON
    assert document.media_type == "text/x-python"
    assert {block.kind for block in document.blocks} == {"code"}
    assert {block.language for block in document.blocks} == {"python"}
    assert [(block.title, block.span.of(PYTHON).split("\n")[0]) for block in document.blocks] == [
        ("", '"""Doc'),
        ("", "X = 1  # no part of what follows"),
        ("f", "# about f"),
        ("A", "class A(B):"),
        ("A.m", "# about m"),
        ("A.Q", "class Q:"),
        ("A.Q.z", "def z(self): pass"),
        ("", "try:"),
        ("g", "def g(): pass"),
    ]


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.js", "export default class A { m() {} #p() {} }\nlet q = 2, f = () => 1;", ["A", "A.m", "A.#p", "f"]),
        ("a.mjs", "export const f = async (a) => {};\nconst g = function () {};\nfunction* h() {}", ["f", "g", "h"]),
        ("a.ts", "namespace N { export function f() {} }\ntype T = 1;\nenum E { A }", ["N", "N.f", "T", "E"]),
        ("a.ts", "declare function z(): void;\ninterface I { a: string }", ["z", "I"]),
        ("a.ts", "class A { @D() m() {} x = () => 1; y = 2 }", ["A", "A.m", "A.x"]),
        ("a.tsx", "export const V = () => <b>{1}</b>;", ["V"]),
        ("a.java", "class A<T> { A() {} void m() {} enum E { X; void q() {} } }", ["A", "A.A", "A.m", "A.E", "A.E.q"]),
        ("a.java", "interface I { void z(); }\nrecord R(int a) {}", ["I", "I.z", "R"]),
        ("a.go", "package a\n\ntype (\n A int\n B int\n)\nfunc (t *T[K]) M() {}\nfunc F() {}", ["A", "B", "T.M", "F"]),
        ("a.rs", "struct S<T>(T);\nimpl<T> S<T> { fn n() {} }\nmod m { fn f() {} }", ["S", "S", "S::n", "m", "m::f"]),
        ("a.c", "#ifdef Q\nstatic int *f(int a) { return 0; }\n#endif\nstruct A { int x; };", ["f", "A"]),
        ("a.c", "typedef struct { int b; } T;\nstruct A x;\nint (*g(void))(int) { return 0; }", ["T", "g"]),
        (
            "a.cpp",
            "namespace n { template <class T> class A { int m() { } ~A() {} }; }",
            ["n", "n::A", "n::A::m", "n::A::~A"],
        ),
        ("a.cpp", "int &A::b(int) { }", ["A::b"]),
        ("a.h", "class A { void m() {} };", ["A", "A::m"]),
        ("a.h", "int f(void) { return 1; }", ["f"]),
        (
            "a.cs",
            "namespace N { class C { int P { get; } void M() {} C() {} } }",
            ["N", "N.C", "N.C.P", "N.C.M", "N.C.C"],
        ),
        (
            "a.rb",
            "module A\n class B < C\n  def m; end\n  def self.s; end\n end\nend",
            ["A", "A::B", "A::B::m", "A::B::s"],
        ),
        ("a.php", "<?php\nnamespace App;\nclass A { function m() {} }\nfunction f() {}", ["A", "A::m", "f"]),
        ("a.sh", "set -e\nf() {\n  x\n}\nfunction g { y; }", ["f", "g"]),
        ("a.lua", "function f() end", []),
        ("A.PY", "def f(): pass", ["f"]),
        ("a.unknown", "def f(): pass", []),
    ],
)
def test_definitions(path: str, text: str, expected: list[str]) -> None:
    assert titles(text, path) == expected


def test_the_semicolon_after_a_struct_belongs_to_it() -> None:
    assert [block.span.of("struct A { int x; };") for block in load("struct A { int x; };", "a.c").blocks] == [
        "struct A { int x; };"
    ]


def test_attributes_and_comments_belong_to_the_definition_below() -> None:
    text = "use x;\n/// Doc.\n#[derive(D)]\npub struct S;\n"
    assert [block.span.of(text) for block in load(text, "a.rs").blocks] == ["use x;", text[7:-1]]


def test_without_the_grammar_a_blank_line_ends_a_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code, "_grammar", lambda module, function: None)
    text = "import a\n\n\nclass B:\n    x = 1\n\n    y = 2\n"
    document = load(text)
    assert [block.span.of(text) for block in document.blocks] == ["import a", "class B:\n    x = 1", "y = 2"]
    assert document.warnings == ()


def test_a_grammar_that_is_not_installed_is_none() -> None:
    assert code._grammar("tree_sitter_of_nobody", "language") is None


def test_every_grammar_is_there_and_has_a_suffix() -> None:
    assert set(GRAMMARS) <= set(SUFFIXES.values())
    assert all(code._grammar(grammar.module, grammar.function) for grammar in GRAMMARS.values())


def test_a_large_file_is_not_parsed() -> None:
    document = load("def f(): pass\n", max_parsed_bytes=5)
    assert [block.title for block in document.blocks] == [""]
    assert [notice.kind for notice in document.warnings] == ["not_parsed"]


def test_what_sends_the_parser_astray_is_given_up() -> None:
    document = load("a<b<" * 50_000, "a.cpp")
    assert [notice.kind for notice in document.warnings] == ["not_parsed"]
    assert len(document.blocks) == 1


@pytest.mark.parametrize(
    ("path", "unit"), [("a.cpp", "class A{"), ("a.py", "class a:\n "), ("a.js", "a("), ("a.c", "int *")]
)
def test_deep_nests_are_bounded(path: str, unit: str) -> None:
    started = time.process_time()
    document = load(unit * 5_000, path)
    assert document.text == unit * 5_000
    assert time.process_time() - started < 5


def test_an_empty_file_warns() -> None:
    assert [notice.kind for notice in load(" \n").warnings] == ["empty"]


def test_names_are_cut() -> None:
    assert max(map(len, titles(f"class {'A' * 5000}:\n  def m(self): pass", "a.py"))) < 100


def test_limits() -> None:
    with pytest.raises(LoadError) as caught:
        load("x = 1", max_bytes=3)
    assert caught.value.kind == "too_large"
    with pytest.raises(ValueError, match="max_parsed_bytes"):
        CodeLoader(max_parsed_bytes=0)


@pytest.mark.parametrize(("name", "suffixes"), [("code", SUFFIXES), ("data", MEDIA_TYPES)])
def test_the_catalogue_lists_the_suffixes(name: str, suffixes: dict[str, object]) -> None:
    rows = {row.name: row.suffixes for row in catalogue.rows("load")}
    if name not in rows:
        pytest.skip(f"the catalogue has no row {name!r} yet")
    assert set(rows[name]) == set(suffixes)
