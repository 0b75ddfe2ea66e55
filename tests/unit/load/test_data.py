"""JSON, JSON Lines, YAML, TOML and INI: blocks with the paths of their keys."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from pincite.errors import LoadError
from pincite.load.data import DataLoader
from pincite.model import Document, Source

LONG = "x" * 1200


def load(text: str, path: str, **options: Any) -> Document:
    document = DataLoader(**options).load(Source(path, text.encode()))
    assert document.text == text
    return document


def keys(text: str, path: str) -> list[tuple[str, str]]:
    return [(block.title, block.span.of(text)) for block in load(text, path).blocks]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1, "b.c": [1]}', [("", '{"a": 1, "b.c": [1]}'), ("a", '"a": 1,'), ('["b.c"]', '"b.c": [1]')]),
        ("[1, {}]", [("", "[1, {}]"), ("[1]", "{}")]),
        ('[1.5e3 ,"a",null, -Infinity]', [("", '[1.5e3 ,"a",null, -Infinity]'), ("[1]", '"a",')]),
        ('[true, [2], NaN, {"a": 1}]', [("", '[true, [2], NaN, {"a": 1}]'), ("[1]", "[2],"), ("[3]", '{"a": 1}')]),
        ('"x"', [("", '"x"')]),
        ("{}", [("", "{}")]),
        (' {"a" : NaN}\n', [("", '{"a" : NaN}'), ("a", '"a" : NaN')]),
    ],
)
def test_json(text: str, expected: list[tuple[str, str]]) -> None:
    document = load(text, "a.json")
    assert [(block.title, block.span.of(text)) for block in document.blocks] == expected
    assert {(block.kind, block.language) for block in document.blocks} == {("code", "json")}
    assert document.warnings == ()
    assert document.media_type == "application/json"


def test_keys_inside_large_values_have_blocks_of_their_own() -> None:
    text = json.dumps({"a": {"b": [{"c": LONG}, "1"], "d": 2}, "e": {"f": 1}})
    assert [title for title, _ in keys(text, "a.json")] == ["", "a", "a.b", "a.b[0]", "a.b[1]", "a.d", "e"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": }\n\nb', "Expecting value in line 1, column 7"),
        ("1 2", "Extra data in line 1, column 3"),
        ("// c\n1", "Expecting value in line 1, column 1"),
    ],
)
def test_invalid_json_is_read_as_lines(text: str, message: str) -> None:
    document = load(text, "a.json")
    assert [block.span.of(text) for block in document.blocks] == text.split("\n\n")
    assert [notice.kind for notice in document.warnings] == ["invalid_json"]
    assert message in document.warnings[0].message


def test_deep_json_is_one_block() -> None:
    document = load("[" * 100_000, "a.json")
    assert len(document.blocks) == 1
    assert "nested too deep" in document.warnings[0].message


def test_half_a_surrogate_pair_in_a_key() -> None:
    document = load('{"\\ud800": 1}', "a.json")
    assert document.blocks[1].title == '["\ufffd"]'


def test_json_lines() -> None:
    text = '{"a": 1}\n\n{"b"\r\n 3 \n[1] 2\n'
    document = load(text, "a.jsonl")
    assert [block.span.of(text) for block in document.blocks] == ['{"a": 1}', '{"b"', "3", "[1] 2"]
    assert document.warnings[0].message == "not valid JSON in lines 3, 5"
    many = load("x\n" * 20, "a.ndjson")
    assert many.warnings[0].message.endswith("10 and 10 more")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\nb:\n  c: 2\n", ["a: 1", "b:\n  c: 2"]),
        ("# about a\na: 1\n\n# about b\nb: 2", ["# about a\na: 1", "# about b\nb: 2"]),
        ("a:\n- x\n- y\nb: 1", ["a:\n- x\n- y", "b: 1"]),
        ("- x\n- y: 1\n  z: 2", ["- x", "- y: 1\n  z: 2"]),
        ("a: |\n  # text\n  b: no\nc: 1", ["a: |\n  # text\n  b: no", "c: 1"]),
        ("'a b': 1\n\"c\": 2\nhttp://x: 3", ["'a b': 1", '"c": 2', "http://x: 3"]),
        ("just text", []),
        ("{{ template }}\na: 1", ["a: 1"]),
    ],
)
def test_yaml(text: str, expected: list[str]) -> None:
    found = keys(text, "a.yaml")
    assert [span for title, span in found if title] == expected


def test_yaml_titles_and_documents() -> None:
    text = f"a:\n  b:\n    c: {LONG}\n  d:\n  - e: 1\n---\n- f\n...\n"
    assert [title for title, _ in keys(text, "a.yml")] == ["", "a", "a.b", "a.b.c", "a.d", "", "[0]", ""]
    scalar = f"a: |\n  b: {LONG}\n  c: 1\n"
    assert [title for title, _ in keys(scalar, "a.yml")] == ["", "a"]


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.toml", 'a = 1\n[b.c]\nd = """\n[no]\n"""\n[[e]]\nf = 2', ["", "b.c", "e"]),
        ("a.toml", "[a]\nb = '''\n[c]", ["a", "c"]),
        ("a.ini", "a=1\n\n[b]\nc=2\n[d] ; e\n", ["", "b", "d"]),
        ("a.properties", "a=1\nb=2", [""]),
    ],
)
def test_sections(path: str, text: str, expected: list[str]) -> None:
    assert [title for title, _ in keys(text, path)] == expected


@pytest.mark.parametrize("path", ["a.json", "a.jsonl", "a.yaml", "a.toml", "a.ini"])
def test_an_empty_file_warns(path: str) -> None:
    assert [notice.kind for notice in load(" \n", path).warnings] == ["empty"]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.json", '{"' + "k" * 300_000 + '": [' + "1," * 30_000 + "1]}"),
        ("a.json", "[" * 900 + "1," * 200_000 + "1" + "]" * 900),
        ("a.json", "1" * 1_000_000),
        ("a.yaml", "a:#" * 300_000),
        ("a.yaml", '"' * 300_000),
        ("a.yaml", "".join(" " * depth + "a:\n" for depth in range(1000))),
        ("a.toml", '"""\n[a]\n"""\n' * 30_000),
        ("a.toml", "[a" + " " * 300_000),
        ("a.toml", "[" * 300_000),
    ],
    ids=range(9),
)
def test_hostile_files_take_no_long_time(path: str, text: str) -> None:
    started = time.process_time()
    load(text, path)
    assert time.process_time() - started < 5


def test_limits() -> None:
    with pytest.raises(LoadError) as caught:
        load("{}", "a.json", max_bytes=1)
    assert caught.value.kind == "too_large"
    with pytest.raises(ValueError, match="max_bytes"):
        DataLoader(max_bytes=0)
