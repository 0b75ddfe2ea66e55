"""``code``: whole definitions under their names and signatures, by named cases."""

from __future__ import annotations

import pytest
from tests.timing import fastest

from pincite import catalogue
from pincite.chunk.code import CodeChunker, is_source
from pincite.chunk.definitions import opening_line, signature
from pincite.errors import UsageError
from pincite.model import Block, Chunk, Document, Source, Span
from pincite.testing.chunkers import check_chunker

MODULE = '''\
"""What boats carry."""

import math
import sys

LIMIT = 3


def load(boat):
    return boat.load


# Sinks when it is too much.
@checked(
    "twice",
)
def sink(
    boat: Boat,
    *,
    depth: int = 4,
) -> None:
    first = boat.first()
    second = boat.second()

    third = boat.third()
    fourth = boat.fourth()

    fifth = boat.fifth()
    sixth = boat.sixth()


class Boat:
    """Floats."""

    name = "Tern"

    def first(self):
        return 1

    def second(self):
        return 2

    def third(self):
        return 3
'''


def load(text: str, name: str = "boats.py") -> Document:
    suffix = name[name.rindex(".") :]
    [row] = [row for row in catalogue.rows("load") if suffix in row.suffixes]
    document: Document = catalogue.create("load", row.name).load(Source(name, text.encode()))
    return document


def cut(text: str, name: str = "boats.py", **options: object) -> list[Chunk]:
    chunker: CodeChunker = catalogue.create("chunk", "code", {"counter": "words", "min_tokens": 0, **options})
    return check_chunker(chunker, load(text, name), traits=frozenset({"capped", "whole-blocks"}))


def shown(chunks: list[Chunk]) -> list[tuple[str, str, str]]:
    """Prefix, first line, last line."""
    return [(chunk.prefix, chunk.text.splitlines()[0], chunk.text.splitlines()[-1].strip()) for chunk in chunks]


SINK = "def sink(\n    boat: Boat,\n    *,\n    depth: int = 4,\n) -> None:"


def test_the_head_and_each_definition() -> None:
    assert shown(cut(MODULE, max_tokens=25)) == [
        ("boats.py", '"""What boats carry."""', "LIMIT = 3"),
        ("boats.py", "def load(boat):", "return boat.load"),
        ("boats.py", "# Sinks when it is too much.", ") -> None:"),
        (SINK, "first = boat.first()", "fourth = boat.fourth()"),
        (SINK, "fifth = boat.fifth()", "sixth = boat.sixth()"),
        ("boats.py", "class Boat:", "return 3"),
    ]


def test_a_class_over_the_limit_is_cut_between_its_methods() -> None:
    assert shown(cut(MODULE, max_tokens=15))[-2:] == [
        ("boats.py", "class Boat:", "return 2"),
        ("boats.py > Boat\n\nclass Boat:", "def third(self):", "return 3"),
    ]


def test_a_continued_function_says_its_name_and_its_whole_signature() -> None:
    chunks = cut(MODULE, max_tokens=30)
    parts = [chunk for chunk in chunks if "sink" in chunk.prefix]
    assert [chunk.prefix for chunk in parts] == [f"boats.py > sink\n\n{SINK}"] * len(parts)
    assert parts
    assert all(chunk.headings == () and chunk.level == 0 for chunk in chunks)


def test_what_fits_is_one_chunk() -> None:
    assert shown(cut(MODULE, max_tokens=200, min_tokens=50)) == [("boats.py", '"""What boats carry."""', "return 3")]
    [head, rest] = cut(MODULE, max_tokens=200)
    assert (head.text[-9:], rest.text[:8]) == ("LIMIT = 3", "def load")


def test_small_chunks_join_those_of_their_own_class_first() -> None:
    methods = "".join(f"    def m{n}(self):\n        return {n} " + "x " * 11 + "\n\n" for n in range(3))
    text = f"class A:\n{methods}    def last(self):\n        pass\n\n\ndef after():\n    pass\n"
    found = shown(cut(text, max_tokens=24, min_tokens=6))
    assert found[-2][1:] == ("def m2(self):", "pass")
    assert found[-1][1:] == ("def after():", "pass")
    assert shown(cut(text, max_tokens=32, min_tokens=6))[-1][1:] == ("def m2(self):", "pass")


def test_names_and_signatures_can_be_left_out() -> None:
    own = {chunk.prefix for chunk in cut(MODULE, max_tokens=28, heading_prefix="own")}
    off = {chunk.prefix for chunk in cut(MODULE, max_tokens=28, heading_prefix="off")}
    assert own == {"", f"sink\n\n{SINK}"}
    assert off == {"", SINK}


def test_a_long_constant_is_cut_between_its_lines_under_its_first() -> None:
    text = "TABLE = {\n" + "".join(f"    'k{n}': {n},\n" for n in range(9)) + "}\n"
    chunks = cut(text, max_tokens=14)
    assert [chunk.prefix for chunk in chunks] == ["boats.py", *["boats.py\n\nTABLE = {"] * (len(chunks) - 1)]
    assert chunks[-1].text.endswith("}")


def test_a_definition_with_its_name_at_the_end_has_its_first_line() -> None:
    fields = "".join(f"    int f{n};\n" for n in range(9))
    chunks = cut(f"/* A quay. */\ntypedef struct {{\n{fields}}} Quay;\n", "quay.c", max_tokens=16)
    assert [chunk.prefix for chunk in chunks[1:]] == ["quay.c > Quay\n\ntypedef struct {"] * (len(chunks) - 1)
    assert chunks[0].text.startswith("/* A quay. */\ntypedef struct {\n")


def test_a_small_head_goes_with_the_first_part_of_a_large_method() -> None:
    body = "".join(f"        s{n} = {n}\n" for n in range(9))
    found = shown(cut(f"class A:\n    x = 1\n\n    def f(self):\n{body}", max_tokens=24))
    assert found[0] == ("boats.py", "class A:", "s2 = 2")
    assert found[1][:2] == ("boats.py > A.f\n\ndef f(self):", "s3 = 3")


def test_a_large_head_does_not() -> None:
    body = "".join(f"        s{n} = {n}\n" for n in range(9))
    found = shown(cut(f"class A:\n    x = 1 + 2 + 3 + 4\n\n    def f(self):\n{body}", max_tokens=24))
    assert [first for _, first, _ in found] == ["class A:", "def f(self):", "s4 = 4"]


def test_how_small_a_head_is_says_min_tokens() -> None:
    body = "".join(f"        s{n} = {n}\n" for n in range(9))
    small, large = (f"class A:\n    x = 1{more}\n\n    def f(self):\n{body}" for more in ("", " + 2 + 3 + 4"))
    for text, least, joins in ((small, 0, True), (small, 3, False), (large, 0, False), (large, 12, True)):
        first, *_ = cut(text, max_tokens=24, min_tokens=least)
        assert ("def f(self):" in first.text) is joins, (text, least)


def test_a_comment_goes_with_what_follows_it() -> None:
    text = "a = 1 + 2 + 3 + 4 + 5\n\n# --- below ---\n\nb = 1 + 2 + 3 + 4 + 5\n"
    assert shown(cut(text, max_tokens=20)) == [
        ("boats.py", "a = 1 + 2 + 3 + 4 + 5", "a = 1 + 2 + 3 + 4 + 5"),
        ("boats.py", "# --- below ---", "b = 1 + 2 + 3 + 4 + 5"),
    ]
    large = "def b():\n" + "".join(f"    s{n} = {n}\n" for n in range(9))
    found = shown(cut(f"a = 1\n\n# --- below ---\n\n{large}", max_tokens=20))
    assert [first for _, first, _ in found] == ["a = 1", "# --- below ---", "s4 = 4"]


def test_without_a_grammar_definitions_are_told_by_indentation() -> None:
    text = "\n\n".join(f"fun f{n}() {{\n    a{n}()\n\n    b{n}()\n}}" for n in range(4))
    assert shown(cut(text, "boats.kt", max_tokens=14)) == [
        ("boats.kt", "fun f0() {", "}"),
        ("boats.kt", "fun f2() {", "}"),
    ]
    assert shown(cut(text, "boats.kt", max_tokens=5))[1] == ("boats.kt", "b0()", "}")


def test_lines_that_the_parser_took_together_stay_together() -> None:
    text = "    c)\n\ntype f struct {\n    x = 1\n    call(a, (b),\n    x = 1\n\n}"
    document = Document(
        id="a.go",
        source="a.go",
        media_type="text/x-go",
        text=text,
        blocks=(Block("code", Span(4, 60), language="go"), Block("code", Span(62, 63), language="go")),
    )
    chunker = CodeChunker(counter="words", max_tokens=13, min_tokens=0, heading_prefix="off")
    check_chunker(chunker, document, traits=frozenset({"capped", "whole-blocks"}))
    assert [len(chunk.text) for chunk in chunker.chunk(document)] == [56, 1]


def test_data_has_the_path_of_its_keys() -> None:
    servers = ", ".join(f'"s{n}": "{"x " * 6}"' for n in range(6))
    text = f'{{"title": "Quay", "servers": {{{servers}, "pad": "{"y" * 1200}"}}}}'
    chunks = cut(text, "quay.json", max_tokens=20)
    assert [chunk.prefix for chunk in chunks] == ["quay.json"] * 2 + ["quay.json > servers"] * 3 + ["quay.json"]


def test_definitions_inside_conditions_are_found() -> None:
    functions = "\n\n".join(f"int f{n}(void)\n{{\n    return {n};\n}}" for n in range(4))
    found = shown(cut(f"#ifndef A\n#define A\n\n{functions}\n\n#endif\n", "quay.c", max_tokens=14))
    assert [first for _, first, _ in found] == ["#ifndef A", "int f0(void)", "int f2(void)"]


def test_prose_is_cut_as_structure_does_and_fences_between_definitions() -> None:
    functions = "\n\n".join(f"def f{n}():\n    a = {n}\n\n    return a" for n in range(3))
    text = f"# Boats\n\nSome words.\n\n```python\n{functions}\n```\n"
    chunks = cut(text, "boats.md", max_tokens=13)
    assert [chunk.text.splitlines()[0] for chunk in chunks] == ["# Boats", "def f1():", "def f2():"]
    assert [chunk.headings for chunk in chunks] == [("Boats",)] * 3
    assert chunks[1].prefix == "Boats"
    plain = "# A\n\nOne.\n\n## B\n\nTwo three.\n"
    structure = catalogue.create("chunk", "structure", {"counter": "words", "max_tokens": 9}).chunk(
        load(plain, "boats.md")
    )
    assert [(chunk.span, chunk.prefix) for chunk in cut(plain, "boats.md", max_tokens=9, min_tokens=2)] == [
        (chunk.span, chunk.prefix) for chunk in structure
    ]


def test_only_source_is_source() -> None:
    assert is_source(load("x = 1\n"))
    assert is_source(load("x", "notes.kt"))
    assert is_source(load("{}", "a.json"))
    assert not is_source(load("```\nx\n```\n", "a.md"))
    assert not is_source(load("x", "a.txt"))
    assert not is_source(load(" \n", "a.py"))


def test_blocks_nested_too_deep_are_cut_as_text() -> None:
    text = "x = 1\n" * 60
    blocks = tuple(Block("code", Span(n, len(text) - 1 - n), title=f"t{n}", language="python") for n in range(50))
    document = Document(id="a.py", source="a.py", media_type="text/x-python", text=text, blocks=blocks)
    assert list(CodeChunker(counter="words", max_tokens=9).chunk(document))


@pytest.mark.parametrize(
    ("text", "title", "wanted"),
    [
        ("def f(a):\n    return a\n", "f", "def f(a):"),
        ("@app.get('/f')\ndef f(a):\n    pass\n", "f", "def f(a):"),
        ("@mark(\n    1, (2),\n)  # twice\n@other\ndef f(\n    a,\n):\n    pass\n", "f", "def f(\n    a,\n):"),
        ("# says (\n# f\nasync def f(a):\n    pass\n", "C.f", "async def f(a):"),
        ("@Override public void f() {\n  g();\n}", "A.f", "@Override public void f() {"),
        ("/** f\n * says\n */\nexport const f = (a) => {\n  g();\n}", "f", "export const f = (a) => {"),
        ("template <typename T>\nclass Stack {\n  T a;\n};", "n::Stack", "template <typename T>\nclass Stack {"),
        ("#[inline]\nfn f<'a>(x: &'a str) -> X {\n}", "f", "fn f<'a>(x: &'a str) -> X {"),
        ("[Test]\npublic void F()\n{\n}", "F", "public void F()"),
        ("def f(a=')', b=\"(\"):  # (\n    pass", "f", "def f(a=')', b=\"(\"):  # ("),
        ("operator ==(\n a)\n{ }", "==", "operator ==(\n a)"),
        ("static async #f(a) {\n  g();\n}", "A.#f", "static async #f(a) {"),
        ("#f(a) {\n  g();\n}", "A.#f", "#f(a) {"),
        ("def f(a): return a", "f", None),
        ("def g(a):\n    pass\n", "f", None),
        ("def f(" + "a, " * 900 + "):\n    pass\n", "f", None),
        ("@" + "a" * 9 + "(" * 20_000 + "\ndef f():\n    pass\n", "f", None),
        ("@one(\ndef f():\n    pass\n", "f", None),
        ("# a\n" * 300 + "def f():\n    pass\n", "f", "def f():"),
    ],
)
def test_signatures(text: str, title: str, wanted: str | None) -> None:
    found = signature(text, Block("code", Span(0, len(text)), title=title), len(text))
    assert (found.of(text) if found else None) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("  TABLE = {\n    1,\n  }\n", "TABLE = {"),
        ("# why\nTABLE = [\n\t1,\n]\n", "TABLE = ["),
        ("a = 1\nb = 2\n", None),
        ("a = 1", None),
        ("a = 1\n  \n", None),
        ("x" * 3000 + "\n    y\n", None),
    ],
)
def test_opening_lines(text: str, wanted: str | None) -> None:
    found = opening_line(text, 0, len(text))
    assert (found.of(text) if found else None) == wanted


@pytest.mark.parametrize(
    "options", [{"max_tokens": 0}, {"max_tokens": 9, "min_tokens": 10}, {"min_tokens": -1}, {"counter": "nothing"}]
)
def test_impossible_options(options: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        catalogue.create("chunk", "code", options)


@pytest.mark.parametrize(
    "piece",
    [
        "def f{n}(a):\n    b = a\n\n    return b\n\n\n",
        "x{n} = 1\n\n",
        "# {n}\n",
        "\n\n\n\n}}\n",
        "@a(\n",
        "class A{n}:\n    def f(self):\n        pass\n\n",
        "    /* {n}\n",
    ],
)
@pytest.mark.parametrize("name", ["a.py", "a.kt"])
def test_time_is_linear(piece: str, name: str) -> None:
    chunker = CodeChunker(counter="words", max_tokens=40)

    def seconds(count: int) -> float:
        document = load("".join(piece.format(n=n) for n in range(count)), name)
        return fastest(lambda: list(chunker.chunk(document)))

    assert seconds(8_000) < 0.05 + seconds(1_000) * 8 * 2.5
