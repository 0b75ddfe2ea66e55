"""Front matter: where it is, what it may hold, and that nobody's groups are lost."""

from __future__ import annotations

import time
from typing import Any

import pytest

from pincite import catalogue
from pincite.errors import LoadError
from pincite.load.front_matter import FrontMatter, read_front_matter
from pincite.load.plain import PlainTextLoader
from pincite.model import Source


def front(inner: str, rest: str = "Body\n") -> FrontMatter:
    result = read_front_matter(f"---\n{inner}---\n{rest}", "a.md")
    assert result
    return result


def refused(text: str) -> LoadError:
    with pytest.raises(LoadError) as caught:
        read_front_matter(text, "a.md")
    assert (caught.value.kind, caught.value.file) == ("front_matter", "a.md")
    assert caught.value.cure
    return caught.value


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("fence", ["---", "..."])
def test_where_it_ends(line_end: str, fence: str) -> None:
    text = line_end.join(["--- ", "title: A", f"{fence}\t", "", "Body"])
    result = read_front_matter(text, "a.md")
    assert result
    assert text[: result.end] == line_end.join(["--- ", "title: A", fence])
    assert text[result.body :] == line_end + "Body"
    assert result.metadata == {"title": "A"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Text\n---\ntitle: A\n---\n",
        "---\nA rule and no closing fence\n",
        "---",
        "---\n\nA rule, text, another rule\n\n---\n",
        "----\ntitle: A\n----\n",
        " ---\ntitle: A\n---\n",
        "---\ntitle: A\n ---\n",
        "---\nA rule, then code\n\n```\ngroups: [x]\n```\n",
        "++++\ntitle = 'A'\n++++\n",
        "+++\ntitle = 'A'\n---\n",
        "+++ toml\ntitle = 'A'\n+++\n",
        "+++\n\ntitle = 'A'\n+++\n",
        "Text first.\n\n---\n\ngroups: [x]\n",
    ],
)
def test_what_is_none(text: str) -> None:
    assert read_front_matter(text, "a.md") is None


@pytest.mark.parametrize("inner", ["", "# only a comment\n"])
def test_it_may_be_empty(inner: str) -> None:
    assert front(inner).metadata == {}


@pytest.mark.parametrize(
    ("inner", "metadata"),
    [
        ("title: '  Kiln   diary '\n", {"title": "Kiln diary"}),
        ("title: >\n  over two\n  lines\n", {"title": "over two lines"}),
        ("Title: A\nAUTHORS: B\n", {"title": "A", "authors": ("B",)}),
        ("author: [A, B C]\n", {"authors": ("A", "B C")}),
        ("authors:\n- name: A\n  mail: a@b.c\n- B\n", {"authors": ("A", "B")}),
        ("author: {name: A}\n", {"authors": ("A",)}),
        ("version: 3.10\n", {"version": "3.10"}),
        ("version: 3.0\n", {"version": "3.0"}),
        ("version: 1_000\n", {"version": "1_000"}),
        ("lang: no\n", {"language": "no"}),
        ("language: de\n", {"language": "de"}),
        ("title: null\nlang: ~\nversion:\ndate: ''\n", {}),
        ("groups: crew\n", {"groups": ("crew",)}),
        ("groups: [crew, 'board', \"7\", 'no']\n", {"groups": ("crew", "board", "7", "no")}),
        ("groups:\n  - crew\n  - second watch\n", {"groups": ("crew", "second watch")}),
        ("tags: [a, 1.50, true, null]\n", {"tags": ("a", "1.50", "true")}),
        ("tags: [[a, 1], {b: null, a: 2.5}]\n", {"tags": ('["a", 1]', '{"a": 2.5, "b": null}')}),
        ("empty: []\n", {"empty": ()}),
        (
            "a: 1\nb: -0\nc: 007\nd: 0x1F\ne: 1:30\nf: '1'\n",
            {"a": 1, "b": 0, "c": "007", "d": "0x1F", "e": "1:30", "f": "1"},
        ),
        (
            "a: 1.5\nb: 1e3\nc: .inf\nd: 1.\ne: 2025-01-02\n",
            {"a": 1.5, "b": 1000.0, "c": ".inf", "d": "1.", "e": "2025-01-02"},
        ),
        (f"a: {'9' * 5000}\n", {"a": "9" * 5000}),
        ("a: true\nb: False\nc: yes\nd: 'true'\n", {"a": True, "b": False, "c": "yes", "d": "true"}),
        ("a: {b: {c: 1, d: null}, groups: [x]}\n", {"a.b.c": 1, "a.groups": ("x",)}),
        ("a: {title: T}\n", {"a.title": "T"}),
        ("{title: A, groups: [x]}\n", {"title": "A", "groups": ("x",)}),
    ],
)
def test_values(inner: str, metadata: dict[str, Any]) -> None:
    result = front(inner)
    assert result.metadata == metadata
    assert [type(value) for value in result.metadata.values()] == [type(value) for value in metadata.values()]
    assert result.notices == ()


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_toml(line_end: str) -> None:
    text = line_end.join(["+++ ", "Title = 'A'", "[extra]", "+++\t", "", "Body"])
    result = read_front_matter(text, "a.md")
    assert result
    assert text[: result.end] == line_end.join(["+++ ", "Title = 'A'", "[extra]", "+++"])
    assert text[result.body :] == line_end + "Body"
    assert result.metadata == {"title": "A"}


@pytest.mark.parametrize(
    ("inner", "metadata"),
    [
        ("# only a comment\n", {}),
        (
            "title = '  Kiln   diary '\nAuthor = 'B'\nlang = \"no\"\n",
            {"title": "Kiln diary", "authors": ("B",), "language": "no"},
        ),
        ("authors = [{name = 'A', mail = 'a@b.c'}, 'B']\n", {"authors": ("A", "B")}),
        ("[author]\nname = 'A'\n", {"authors": ("A",)}),
        ("version = 3.10\n", {"version": "3.10"}),
        ("version = 3\n", {"version": "3"}),
        ("version = '007'\n", {"version": "007"}),
        ("title = ''\n", {}),
        ("date = 2025-03-01\n", {"date": "2025-03-01"}),
        ("date = 2025-03-01T08:05:00Z\n", {"date": "2025-03-01T08:05:00+00:00"}),
        ("date = 2025-03-01 08:05:00+01:00\n", {"date": "2025-03-01T08:05:00+01:00"}),
        ("date = '2025-03-01 8:05:00'\n", {"date": "2025-03-01T08:05:00"}),
        ("groups = 'crew'\n", {"groups": ("crew",)}),
        ("Groups = ['crew', \"7\", 'no']\n", {"groups": ("crew", "7", "no")}),
        ("group = 'x'\n", {"groups": ("x",)}),
        ("tags = ['a', 1.50, true]\n", {"tags": ("a", "1.50", "true")}),
        ("tags = [['a', 1], {b = 2.5}]\n", {"tags": ('["a", 1]', '{"b": 2.5}')}),
        ("[[menu]]\nname = 'x'\n[[menu]]\nname = 'y'\n", {"menu": ('{"name": "x"}', '{"name": "y"}')}),
        ("a = 1\nb = -0\nc = 0x1F\nd = 1_000\ne = '1'\n", {"a": 1, "b": 0, "c": 31, "d": 1000, "e": "1"}),
        (
            "a = 1.5\nb = 1e3\nc = inf\nd = 08:05:00\ne = 2025-01-02\n",
            {"a": 1.5, "b": 1000.0, "c": "inf", "d": "08:05:00", "e": "2025-01-02"},
        ),
        (f"a = {'9' * 4000}\n", {"a": "9" * 4000}),
        ("a = true\nb = 'true'\n", {"a": True, "b": "true"}),
        ("[a]\nb = {c = 1}\ngroups = ['x']\n", {"a.b.c": 1, "a.groups": ("x",)}),
        ('draft = """\ntwo\nlines"""\n', {"draft": "two\nlines"}),
    ],
)
def test_values_of_toml(inner: str, metadata: dict[str, Any]) -> None:
    result = read_front_matter(f"+++\n{inner}+++\nBody\n", "a.md")
    assert result
    assert result.metadata == metadata
    assert [type(value) for value in result.metadata.values()] == [type(value) for value in metadata.values()]
    assert result.notices == ()


@pytest.mark.parametrize(
    ("inner", "line"),
    [
        ("title = 'A'\nb: c\n", 3),
        ("title = [\n", 2),
        ('a = "\\ud800"\n', 2),
        ("just words\n", 2),
        ("a = 1\nb = 2\na = 3\n", 4),
        ("a = 1\ngroups = ['a']\nGroups = ['b']\n", 4),
        ("a = 1\n[x]\n'b' = 1\n' b' = 2\n", 3),
        ("'a.b' = 1\na = {b = 2}\n", 3),
        ("a = 1\ngroups = 7\n", 3),
        ("a = 1\ngroups = []\n", 3),
        ("a = 1\ngroups = true\n", 3),
        ("a = 1\ngroups = ''\n", 3),
        ("a = 1\n\"groups\" = [['a']]\n", 3),
        ("a = 1\n[ groups ]\na = 'b'\n", 3),
        ("a = 1\n[[groups]]\na = 'b'\n", 3),
        ("a = 1\ngroups.a = 'b'\n", 3),
        ("a = 1\ntitle = ['A']\n", 3),
        ("b = 1\na = " + "[" * 20 + "]" * 20 + "\n", 3),
        ("a = " + "[" * 20_000 + "\n", 1),
        (".".join("a" * 30_000) + " = 1\n", 1),
        (".".join(["'a'"] * 15_000) + " = 1\n", 1),
        (f"a = {'9' * 5000}\n", 1),
        ("a = 1\n" + "b" * 70_000 + " = 1\n", 1),
    ],
)
def test_what_is_refused_of_toml(inner: str, line: int) -> None:
    start = time.process_time()
    assert f"line {line}:" in refused(f"+++\n{inner}+++\n").problem
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    "inner",
    ["a" * 60_000, "'" * 60_000, "'\"" * 30_000, "a." * 99 + "\n" + "'a\".b." * 8_000, "[" * 60_000, "a. " * 90 * 200],
)
def test_hostile_toml_is_refused_quickly(inner: str) -> None:
    start = time.process_time()
    refused(f"+++\n{inner}\n+++\n")
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("written", "iso"),
    [
        ("2025-03-01", "2025-03-01"),
        ("'2025-03-01'", "2025-03-01"),
        ("2025-03-01T08:05:00Z", "2025-03-01T08:05:00+00:00"),
        ("2025-03-01 8:05:00", "2025-03-01T08:05:00"),
        ("2025-03-01 8:05:00 +01:00", "2025-03-01T08:05:00+01:00"),
        ("2025", "2025"),
        ("2025-03", "2025-03"),
        ("20250301", "2025-03-01"),
    ],
)
def test_dates_become_iso_8601(written: str, iso: str) -> None:
    result = front(f"date: {written}\n")
    assert (result.metadata, result.notices) == ({"date": iso}, ())


@pytest.mark.parametrize("written", ["3 May 2025", "2025-13-45", "2025-02-30 8:00", "2025-13"])
def test_other_dates_stay_and_are_reported(written: str) -> None:
    result = front(f"date: {written}\n")
    assert result.metadata == {"date": written}
    (notice,) = result.notices
    assert (notice.kind, notice.file) == ("front_matter", "a.md")
    assert written in notice.message
    assert "line 2" in notice.message


@pytest.mark.parametrize(
    "value",
    [
        "",
        "null",
        "[]",
        "''",
        "7",
        "[a, 7]",
        "true",
        "no",
        "[a, null]",
        "[a, ' ']",
        "{a: b}",
        "[[a]]",
        "2.5",
        "007",
        "-",
    ],
)
def test_groups_are_text_or_nothing_is_loaded(value: str) -> None:
    error = refused(f"---\ntitle: A\ngroups: {value}\n---\n")
    assert "line 3" in error.problem or value == "-"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("---\ntitle: A\n  b: c\n---\n", 3),
        ("---\ntitle: [A\n---\n", 3),
        ("---\ntitle: A\nkey: \x01\n---\n", 3),
        ("---\njust words\n---\n", 2),
        ("---\n- a\n- b\n---\n", 2),
        ("---\na: 1\nb: 2\na: 3\n---\n", 4),
        ("---\nx: {a: 1, a: 2}\n---\n", 2),
        ("---\ngroups: [a]\nGroups: [b]\n---\n", 3),
        ("---\nauthor: A\nauthors: [B]\n---\n", 3),
        ("---\na.b: 1\na: {b: 2}\n---\n", 3),
        ("---\na: &x 1\n---\n", 2),
        ("---\na: 1\nb: *x\n---\n", 3),
        ("---\na: !!python/name:os.system x\n---\n", 2),
        ("---\na: !secret x\n---\n", 2),
        ("---\n<<: {groups: [x]}\n---\n", 2),
        ("---\n? [a]\n: b\n---\n", 2),
        ("---\na: " + "[" * 21 + "]" * 21 + "\n---\n", 2),
        ("---\n--- a\n---\n", 2),
        ("---\na: 1\n--- b\n---\n", 3),
        ("---\ntitle: [A]\n---\n", 2),
        ("---\nversion: {major: 3}\n---\n", 2),
        ("---\nauthors: [A, null]\n---\n", 2),
        ("---\nauthors: [{mail: a@b.c}]\n---\n", 2),
    ],
)
def test_what_is_refused_with_its_line(text: str, line: int) -> None:
    assert f"line {line}:" in refused(text).problem


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("---\ntitle: A\ngroups: [crew]\n", 3),
        ("---\ngroups: [crew]\n\n# Heading\n", 2),
        ("\n\n---\ngroups: [crew]\n---\n", 4),
        ("\ufeff---\n'groups': [crew]\n---\n", 2),
        ("  ---\r\nGROUPS: crew\r\n---\r\n", 2),
        ("---\n\ngroups: crew: board\n---\n", 3),
        ("\r---\rtitle: A\r\rgroups: [crew]", 5),
    ],
)
def test_groups_that_would_not_hold_are_refused(text: str, line: int) -> None:
    assert f"line {line}:" in refused(text).problem


def test_a_blank_first_line_does_not_take_groups_away() -> None:
    result = read_front_matter("---\n\ngroups: [crew]\n---\n", "a.md")
    assert result
    assert result.metadata == {"groups": ("crew",)}


def test_size_is_limited() -> None:
    assert front(f"a: {'x' * 60_000}\n").metadata["a"] == "x" * 60_000
    assert "65,536" in refused(f"---\na: {'x' * 70_000}\n---\n").problem


@pytest.mark.parametrize(
    "inner", ["[" * 60_000, "a:\n" * 20_000, "{a: " * 15_000, "? " * 30_000, "- " * 30_000, "'" * 60_000]
)
def test_hostile_front_matter_is_refused_quickly(inner: str) -> None:
    start = time.process_time()
    refused(f"---\n{inner}\n---\n")
    assert time.process_time() - start < 5


def test_many_keys() -> None:
    assert len(front("".join(f"k{number}: {number}\n" for number in range(4_000))).metadata) == 4_000


@pytest.mark.parametrize(
    "text",
    [
        "---\ntitle: A\n\nnever closed\n\ngroups: [x]\n",
        "\n---\n\ngroups: [x]\n",
        "--- # comment\ngroups: [x]\n---\n",
        "---yaml\ngroups: [x]\n---\n",
        "----\ngroups: [x]\n----\n",
        "---\u00a0\ngroups: [x]\n---\n",
        "+++\ngroups = ['x']\n---\n",
        ';;;\n"groups": ["x"]\n;;;\n',
        "<!-- a comment -->\n---\ngroups: [x]\n---\n",
        "---\n\nmeta.groups: x\n",
        "++++\ngroup = 'x'\n++++\n",
    ],
)
def test_other_fences_that_hide_groups_are_refused(text: str) -> None:
    with pytest.raises(LoadError, match="would not hold") as caught:
        read_front_matter(text, "a.md")
    assert caught.value.kind == "front_matter"
    with pytest.raises(LoadError, match="would not hold"):
        PlainTextLoader().load(Source("a.txt", text.encode()))


def test_plain_text_has_no_front_matter_to_hide_behind() -> None:
    with pytest.raises(LoadError, match="line 2: groups are named"):
        PlainTextLoader().load(Source("a.txt", b"---\ngroups: [x]\n---\nText\n"))
    assert PlainTextLoader().load(Source("a.txt", b"---\ntitle: x\n---\ngroups: [x]\n")).blocks


@pytest.mark.parametrize(
    ("loader", "name", "text"),
    [
        ("rst", "a.rst", "Title\n=====\n\n:groups: hr\n\nText.\n"),
        ("asciidoc", "a.adoc", "= Title\n:groups: hr\n\nText.\n"),
        ("notebook", "a.ipynb", '{"nbformat": 4, "metadata": {"groups": ["hr"]}, "cells": []}'),
        (
            "notebook",
            "b.ipynb",
            '{"nbformat": 4, "metadata": {}, "cells": [{"cell_type": "raw", "source": "---\\ngroups: [hr]\\n---"}]}',
        ),
    ],
)
def test_groups_in_the_header_of_another_format_are_refused(loader: str, name: str, text: str) -> None:
    with pytest.raises(LoadError, match="groups are named") as caught:
        catalogue.create("load", loader).load(Source(name, text.encode()))
    assert caught.value.kind == "front_matter"
