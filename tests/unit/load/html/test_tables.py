"""Tables: header rows, spans, tables in tables, and those that are none."""

from __future__ import annotations

import pytest

from pincite.errors import LoadError
from pincite.load.html.loader import HtmlLoader
from pincite.model import Document, Source


def page(html: str, *, max_cells: int = 1000) -> Document:
    loader = HtmlLoader(main_content=False, max_cells=max_cells)
    return loader.load(Source("a.html", html.encode()))


def rows(html: str) -> list[list[str]]:
    lines = [line for line in page(html).text.splitlines() if line.startswith("|") and "---" not in line]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


HEAD = "<tr><th>berth<th>depth"


@pytest.mark.parametrize(
    ("html", "header_rows", "columns"),
    [
        (f"<table>{HEAD}<tr><td>a<td>b</table>", 1, ("berth", "depth")),
        ("<table><thead><tr><td>berth<td>depth<tbody><tr><td>a<td>b</table>", 1, ("berth", "depth")),
        (f"<table><thead>{HEAD}<tr><th>no<th>m</thead><tr><td>a<td>b</table>", 2, ("berth no", "depth m")),
        (f"<table>{HEAD}<tr><th>no<th>m<tr><td>a<td>b</table>", 2, ("berth no", "depth m")),
        ("<table><tr><th>a<td>1<tr><th>b<td>2</table>", 0, ("column 1", "column 2")),
        ("<table><tr><td>a<td>1<tr><td>b<td>2</table>", 0, ("column 1", "column 2")),
        (f"<table>{HEAD}<tr><th>a<th>b</table>", 1, ("berth", "depth")),
        (f"<table>{HEAD}</table>", 1, ("berth", "depth")),
        ("<table><tr><th>hall<th>m<tr><th rowspan=3>H3<tr><td>a<tr><td>b</table>", 1, ("hall", "m")),
    ],
)
def test_header_rows(html: str, header_rows: int, columns: tuple[str, ...]) -> None:
    document = page(html)
    (table,) = document.blocks
    assert table.columns == columns
    assert table.header
    written = table.header.of(document.text).splitlines()
    assert len(written) - 1 == max(header_rows, 1)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f"<table>{HEAD}<tr><td colspan=2>a</table>", [["berth", "depth"], ["a", "a"]]),
        (
            f"<table>{HEAD}<tr><td rowspan=2>a<td>1<tr><td>2<tr><td>b<td>3</table>",
            [["berth", "depth"], ["a", "1"], ["a", "2"], ["b", "3"]],
        ),
        (
            "<table><tr><th>x<th>y<th>z<tr><td>1<td rowspan=2 colspan=2>b<tr><td>2</table>",
            [["x", "y", "z"], ["1", "b", "b"], ["2", "b", "b"]],
        ),
        (
            f"<table>{HEAD}<tbody><tr><td rowspan=0>a<td>1<tr><td>2<tbody><tr><td>b<td>3</table>",
            [["berth", "depth"], ["a", "1"], ["a", "2"], ["b", "3"]],
        ),
        (f"<table>{HEAD}<tr><td>a<td rowspan=2>1<tr><td>b</table>", [["berth", "depth"], ["a", "1"], ["b", "1"]]),
        (
            f"<table>{HEAD}<th>m<tr><td rowspan=2>a<td>1<td rowspan=2>5<tr></table>",
            [["berth", "depth", "m"], ["a", "1", "5"]],
        ),
        (f"<table>{HEAD}<tr><td>a<td colspan=x rowspan=-1>1</table>", [["berth", "depth"], ["a", "1"]]),
        (f"<table>{HEAD}<tr><td>a</table>", [["berth", "depth"], ["a", ""]]),
        (f"<table>{HEAD}<tr></tr><tr><td>a<td>1</table>", [["berth", "depth"], ["a", "1"]]),
        (
            "<table><tr><th>x<th>y<th>z<tr><td>1<td>2<td rowspan=2>3<tr><td>4</table>",
            [["x", "y", "z"], ["1", "2", "3"], ["4", "", "3"]],
        ),
    ],
)
def test_spans_repeat_their_value(html: str, expected: list[list[str]]) -> None:
    assert rows(html) == expected


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("a<br>b", "a<br>b"),
        ("<p>a</p><p>b</p>", "a<br>b"),
        ("<ul><li>a<li>b</ul>", "a<br>b"),
        ("a | b", "a \\| b"),
        ("<pre>x\n  y</pre>", "x<br>y"),
        ("<h3>a</h3>b", "a<br>b"),
        ("Norr<b>vik</b>\n x", "Norrvik x"),
        ("<table><tr><td>07:05<td>on call<tr><td>08:05</table>", "07:05 on call<br>08:05"),
        ("<table><caption>c</caption><tr><td><table><tr><td>deep<td>er</table></table>", "c<br>deep er"),
    ],
)
def test_cells_hold_what_stands_in_them_once(cell: str, expected: str) -> None:
    text = page(f"<table>{HEAD}<tr><td>1<td>{cell}</table>").text
    assert text.splitlines()[2] == f"| 1 | {expected} |"


def test_a_caption_stands_before_its_table_and_rows_have_places() -> None:
    document = page(f"<table id=t><caption>Berths <i>2024</i></caption>{HEAD}<tr><td>a<td>1<tr><td>b<td>2</table>")
    assert [block.kind for block in document.blocks] == ["caption", "table"]
    assert document.text.startswith("Berths 2024\n\n| berth")
    places = [document.place(row) for row in document.blocks[1].rows]
    assert [(place.row, place.element) for place in places] == [(1, "#t/tbody[1]/tr[2]"), (2, "#t/tbody[1]/tr[3]")]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>", "a\n\nb\n\nc\n\nd"),
        ("<table><tr><td><p>a<p>b</table>", "a\n\nb"),
        ("<table><tr><td>a<tr><td>b</table>", "a\n\nb"),
        ("<table><tr><td><h2>a</h2>b<td>c<tr><td>d<td>e</table>", "## a\n\nb\n\nc\n\nd\n\ne"),
        ("<table><tr><td><ul><li>menu</ul><td><p>text</table>", "- menu\n\ntext"),
        ("<table></table><table><tr></table><table><tr><td></table>x", "x"),
        ("<table><tr><th>a<th>b<tr><td><td></table>", "| a | b |\n| --- | --- |\n|  |  |"),
    ],
)
def test_tables_that_only_lay_out_the_page(html: str, expected: str) -> None:
    assert page(html).text.rstrip("\n") == expected


def test_spans_that_would_fill_the_memory_are_refused() -> None:
    wide = "<tr><td colspan=1000 rowspan=65534>a<td colspan=1000>b" * 50
    with pytest.raises(LoadError) as caught:
        page(f"<table>{HEAD}{wide}</table>")
    assert caught.value.kind == "too_large"
    assert "max_cells" in str(caught.value)
    with pytest.raises(LoadError, match="over 1,000"):
        page(f"<table>{HEAD}{'<tr><td colspan=400>a<td>b'}</table>" * 3)
