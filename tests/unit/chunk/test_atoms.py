"""What stands around blocks on their lines, blocks deep inside each other, and code cut between its definitions."""

from __future__ import annotations

import json
import time

import pytest

from pincite import catalogue
from pincite.model import Chunk, Document, Source
from pincite.testing.chunkers import check_chunker

WHOLE = frozenset({"capped", "whole-blocks"})
STRATEGIES = ("structure", "hierarchy", "adaptive", "code", "semantic")

GRID = """\
+-------+-------+
| Berth | Depth |
+=======+=======+
| north | four  |
+-------+-------+
| south | three |
+-------+-------+
| west  | nine  |
+-------+-------+

After.
"""
LINES = """\
[cols="1,1", options="header"]
|===
|Berth |Depth

|north
|four metres

|south
|three metres

|west at the long pier
|nine metres
|===

After.
"""


def load(loader: str, name: str, text: str) -> Document:
    document: Document = catalogue.create("load", loader).load(Source(name, text.encode()))
    return document


def cut(document: Document, strategy: str = "structure", **options: object) -> list[Chunk]:
    if strategy == "semantic":
        options["embedder"] = "hashing"
    return check_chunker(catalogue.create("chunk", strategy, options), document, traits=WHOLE)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("counter", ["words", "characters", "o200k_base"])
def test_records_on_one_line_are_whole_where_they_fit_without_their_brackets(strategy: str, counter: str) -> None:
    records = [{"name": "alpha " * count, "value": list(range(count))} for count in (3, 5, 8, 2, 20)]
    for value in (records, ["text"], [["text"], "text"], {"f": ["text", 1]}):
        document = load("data", "a.json", json.dumps(value))
        for limit in (1, 2, 3, 5, 13, 20, 28, 60):
            cut(document, strategy, max_tokens=limit, counter=counter)


def test_a_record_is_a_chunk_of_its_own() -> None:
    document = load("data", "a.json", '[{"a": "one two three"}, {"b": "four five six"}]')
    size = len('{"a": "one two three"},')
    texts = [chunk.text for chunk in cut(document, max_tokens=size, counter="characters", min_tokens=0)]
    assert texts == ["[", '{"a": "one two three"},', '{"b": "four five six"}', "]"]


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(("loader", "name", "text"), [("rst", "a.rst", GRID), ("asciidoc", "a.adoc", LINES)])
def test_rows_that_fit_are_whole_and_have_their_header(strategy: str, loader: str, name: str, text: str) -> None:
    document = load(loader, name, text)
    for limit in range(5, 60):
        cut(document, strategy, max_tokens=limit)


def test_the_first_row_of_a_table_without_header_is_whole() -> None:
    rule = "+-------+-------+"
    rows = ["| north | four  |", "| south | three |"]
    document = load("rst", "a.rst", f"{rule}\n{rows[0]}\n{rule}\n{rows[1]}\n{rule}\n")
    chunks = cut(document, max_tokens=len(rows[0]), counter="characters", min_tokens=0)
    assert [chunk.text for chunk in chunks] == [rule, rows[0], rule, rows[1], rule]


def test_what_closes_a_row_is_cut_off_before_the_row_loses_its_header() -> None:
    document = load("asciidoc", "a.adoc", LINES)
    header = "|Berth |Depth"
    last = "|west at the long pier\n|nine metres"
    words = len(header.split()) + len(last.split())
    chunks = cut(document, max_tokens=words, counter="words", min_tokens=0)
    [row] = [chunk for chunk in chunks if "west" in chunk.text]
    assert (row.prefix, row.text) == (header, last)
    assert chunks[-1].text == "|===\n\nAfter."
    assert chunks[-1].prefix == ""
    roomy = cut(document, max_tokens=words + 1, counter="words", min_tokens=0)
    assert [chunk.text for chunk in roomy if "west" in chunk.text] == [f"{last}\n|==="]


@pytest.mark.parametrize("depth", [16, 17, 25, 60])
def test_items_deep_inside_others_are_whole(depth: int) -> None:
    text = "\n".join("  " * level + f"- The item number {level} says. And more words." for level in range(depth))
    document = load("markdown", "a.md", f"{text}\n")
    for strategy in ("structure", "adaptive"):
        for limit in (14, 30, 50, 100):
            cut(document, strategy, max_tokens=limit)


@pytest.mark.parametrize("text", ["> ", "- "])
def test_blocks_inside_each_other_cost_as_much_as_they_are_long(text: str) -> None:
    def cost(depth: int) -> float:
        document = load("markdown", "a.md", f"{text * depth}{'word and ' * depth}\n")
        start = time.process_time()
        list(catalogue.create("chunk", "structure").chunk(document))
        return time.process_time() - start

    cost(100)
    assert cost(8_000) < 30 * cost(1_000) + 0.1


def test_code_is_cut_between_its_definitions() -> None:
    bodies = [f"def f{number}():\n    one()\n\n    two()" for number in range(4)]
    code = "\n\n".join(bodies)
    chunks = cut(load("markdown", "a.md", f"```python\n{code}\n```\n"), max_tokens=9, counter="words", min_tokens=0)
    assert [chunk.text.count("def ") for chunk in chunks] == [chunk.text.count("two()") for chunk in chunks]
    assert [body for chunk in chunks for body in bodies if body in chunk.text] == bodies
