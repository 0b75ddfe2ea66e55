"""Four times the input takes about four times the time, however hostile it is: nothing here needs a time limit."""

from __future__ import annotations

import gc
import json
import zipfile
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from io import BytesIO
from time import process_time
from typing import Any

import pptx
import pytest
import xlsxwriter  # type: ignore[import-untyped] # ships no types
from tools.make_golden_docx import cell, docx, numbered, paragraph, row, run, style, table
from tools.make_golden_office import open_document

from pincite import catalogue
from pincite.errors import LoadError
from pincite.model import Source

Make = Callable[[int], bytes]
UNDECIDED_S = 0.1
"""Times below this say nothing."""


def text(*pieces: str) -> Make:
    """The first piece, the second one so many times, the third."""
    before, repeated, after = pieces if len(pieces) == 3 else ("", pieces[0], "")
    return lambda count: (before + repeated * count + after).encode()


def marks_of_all_lengths(count: int) -> bytes:
    """As many characters of lines that open a block as there are other lines, none of which closes one."""
    marks = "".join(f"{'-' * length}\n" for length in range(4, 4 + int((2 * count) ** 0.5)))
    return (marks + "a\n" * count).encode()


def notebook(*cells: Any) -> Make:
    """The last cell so many times."""
    return lambda count: json.dumps({"cells": [*cells[:-1], *[cells[-1]] * count], "nbformat": 4}).encode()


def code_cell(output: Any) -> dict[str, Any]:
    return {"cell_type": "code", "source": "a", "outputs": [output]}


def body(make: Callable[[int], str]) -> Make:
    return lambda count: docx(make(count))


def workbook(fill: Callable[[Any, int], None]) -> Make:
    def made(count: int) -> bytes:
        buffer = BytesIO()
        book = xlsxwriter.Workbook(buffer, {"in_memory": True})
        fill(book.add_worksheet("S"), count)
        book.close()
        return buffer.getvalue()

    return made


def deck(fill: Callable[[Any], Any]) -> Make:
    """What ``fill`` returns, an element of the first slide, so many times: python-pptx itself would take its time."""

    def made(count: int) -> bytes:
        presentation = pptx.Presentation()
        element = fill(presentation.slides.add_slide(presentation.slide_layouts[1]))
        for _ in range(count - 1):
            element.addnext(deepcopy(element))
        buffer = BytesIO()
        presentation.save(buffer)
        return buffer.getvalue()

    return made


def rows_of_a_table(slide: Any) -> Any:
    made = slide.shapes.add_table(1, 3, 0, 0, 100, 100).table
    made.cell(0, 0).text = "x"
    return made._tbl.tr_lst[0]


def paragraphs_of_a_shape(slide: Any) -> Any:
    slide.placeholders[1].text_frame.text = "x"
    return slide.placeholders[1].text_frame.paragraphs[0]._p


def boxes(slide: Any) -> Any:
    box = slide.shapes.add_textbox(0, 0, 100, 100)
    box.text_frame.text = "x"
    return box._element


def every_second_row(sheet: Any, count: int) -> None:
    for number in range(count):
        sheet.write_row(2 * number, 0, ["a", number])


def merged_rows(sheet: Any, count: int) -> None:
    for number in range(count):
        sheet.merge_range(number, 0, number, 2, "m")
        sheet.write(number, 3, "x")


def wide_rows(sheet: Any, count: int) -> None:
    for number in range(3):
        sheet.write_row(number, 0, [f"a{column}" for column in range(min(count, 16_000))])


FOOTNOTES = '<w:footnote w:id="{}"><w:p><w:r><w:footnoteReference w:id="{}"/></w:r>' + run("n") + "</w:p></w:footnote>"


def chained_notes(count: int) -> bytes:
    notes = "".join(FOOTNOTES.format(number, number + 1) for number in range(count))
    return docx(paragraph("a", inside='<w:r><w:footnoteReference w:id="0"/></w:r>'), parts={"footnotes": notes})


def chained_styles(count: int) -> bytes:
    styles = "".join(style(f"s{number}", f"n{number}", base=f"s{number + 1}") for number in range(count))
    return docx("".join(paragraph("a", style=f"s{number}") for number in range(count)), parts={"styles": styles})


FIELD = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'

CASES: tuple[tuple[str, str, Make, int], ...] = (
    ("a.txt", "lines", text("\u0301a\n \n"), 5_000),
    ("a.csv", "quotes", text('a,b\n"', 'x","', ""), 10_000),
    ("a.csv", "ragged", text("a,b,c\n", '"1\n2",x\n1;2\n', ""), 4_000),
    ("a.rst", "lists", text("* a\n\n  - b\n\n"), 2_000),
    ("a.rst", "indentation", lambda count: "".join(f"{' ' * (n % 40)}a\n\n" for n in range(count)).encode(), 3_000),
    ("a.rst", "tables without end", text("=== ===\na   b\n"), 5_000),
    ("a.rst", "titles", text("a\n=\n\nb\n-\n\n"), 3_000),
    ("a.rst", "directives", text(".. note::\n\n   .. x::\n\n"), 2_000),
    ("a.rst", "one line", text("a ", ":x: `b <c> ", "\n====\n"), 30_000),
    ("a.adoc", "macro", text("image::x[]a"), 40_000),
    ("a.adoc", "title", text("= a", " a ", "b"), 50_000),
    ("a.adoc", "lists", text("* a\n** b\n+\n--\nc\n--\n"), 2_000),
    ("a.adoc", "blocks without end", text("====\n----\na\n....\n"), 3_000),
    ("a.adoc", "marks of all lengths", marks_of_all_lengths, 10_000),
    ("a.adoc", "cells", text("|===\n", "|a 2+|b\n", "|===\n"), 6_000),
    ("a.adoc", "brackets", text("[", "[a]b", "]\nx"), 40_000),
    ("a.json", "keys", text("{", '"a": {"b": 1}, ', '"z": 1}'), 5_000),
    ("a.json", "nesting", text('{"a":', '[{"b":"cccccccccccccccccccccccccccccc"},[1]],"a":', "1}"), 3_000),
    ("a.json", "numbers", text("[", "1, true,", "1]"), 60_000),
    ("a.jsonl", "not valid", text('{"a": \n'), 6_000),
    ("a.yaml", "one line", text("a b c "), 200_000),
    ("a.yaml", "quoted", text('"', 'a\\"', '": x'), 200_000),
    ("a.yaml", "keys", text("a:\n  b:\n    - c: d\n"), 3_000),
    ("a.toml", "strings without end", text('[a]\nb = """\n'), 5_000),
    ("a.py", "definitions", text("def f():\n    class A:\n        x = 1\n\n"), 1_500),
    ("a.lua", "lines", text("x = 1\n\n"), 8_000),
    ("a.ipynb", "cells", notebook({"cell_type": "markdown", "source": "# a\n\n- b"}), 1_000),
    ("a.ipynb", "outputs", notebook(code_cell({"output_type": "stream", "text": "\x1b[31mx\n"})), 2_000),
    ("a.ipynb", "marks", notebook({"cell_type": "code", "source": "`" * 200 + "\n\ud800\0"}), 1_500),
    ("a.eml", "parts", text('Content-Type: multipart/mixed; boundary="b"\n\n', "--b\n\na\n", "--b--"), 800),
    ("a.eml", "parameter", text("Content-Type: text/plain; charset=", ";", "\n\na"), 100_000),
    ("a.eml", "quotes", lambda count: b"\n" + b"".join(b">" * (n % 30) + b"a\n" for n in range(count)), 1_500),
    ("a.eml", "lines", text("\n", "a\n", ""), 6_000),
    ("a.docx", "paragraphs", body(lambda count: numbered("a", 1, 2) * count), 1_000),
    ("a.docx", "fields", body(lambda count: paragraph(inside=FIELD.format("begin") * count + run("x"))), 8_000),
    ("a.docx", "rows", body(lambda count: table(*[row(cell("a", "<w:vMerge/>"), "b")] * count)), 1_000),
    ("a.docx", "deleted marks", body(lambda n: paragraph("a", properties="<w:rPr><w:del/></w:rPr>") * n), 2_000),
    ("a.docx", "notes", chained_notes, 1_000),
    ("a.docx", "styles", chained_styles, 800),
    ("a.xlsx", "tables", workbook(every_second_row), 1_500),
    ("a.xlsx", "merged", workbook(merged_rows), 1_500),
    ("a.xlsx", "columns", workbook(wide_rows), 4_000),
    ("a.ods", "far", lambda n: open_document(FAR * n), 400),
    ("a.pptx", "rows", deck(rows_of_a_table), 500),
    ("a.pptx", "paragraphs", deck(paragraphs_of_a_shape), 2_000),
    ("a.pptx", "shapes", deck(boxes), 500),
)
FAR = (
    '<table:table-row table:number-rows-repeated="500"><table:table-cell/></table:table-row><table:table-row>'
    '<table:table-cell office:value-type="string"><text:p>a</text:p></table:table-cell></table:table-row>'
)
IDS = [f"{path.rpartition('.')[2]}, {what}" for path, what, _, _ in CASES]


def seconds(path: str, data: bytes) -> float:
    suffix = path[path.rindex(".") :]
    loader: Any = catalogue.create("load", next(row.name for row in catalogue.rows("load") if suffix in row.suffixes))
    gc.collect()
    gc.disable()  # it looks through everything that the tests before have left
    start = process_time()
    try:
        with suppress(LoadError):  # to be refused is one way to cost little
            loader.load(Source(path, data))
        return process_time() - start
    finally:
        gc.enable()


@pytest.mark.soak
@pytest.mark.parametrize(("path", "what", "make", "count"), CASES, ids=IDS)
def test_time_is_linear(path: str, what: str, make: Make, count: int) -> None:
    assert what
    small, large = make(count), make(4 * count)
    seconds(path, make(2))  # imports
    least = most = float("inf")
    for _ in range(4):  # of noise there is less in the best of some measurements
        least, most = min(least, seconds(path, small)), min(most, seconds(path, large))
        if most < max(7 * least, UNDECIDED_S):
            return
    pytest.fail(f"four times the input takes {most / least:.1f} times as long ({most:.2f} s)")


@pytest.mark.parametrize("piece", ["\\\n", "a\\\n", "\\\n:"])
def test_code_that_sends_the_parser_astray_is_read_as_lines(piece: str) -> None:
    loader: Any = catalogue.create("load", "code")
    start = process_time()
    document = loader.load(Source("a.py", f"def f():\n    pass\n\n{piece * (60_000 // len(piece))}".encode()))
    assert process_time() - start < 8
    assert [notice.kind for notice in document.warnings] == ["not_parsed"]
    assert document.blocks


def test_a_line_of_megabytes_takes_no_memory_for_ways_back() -> None:
    import tracemalloc

    data = ("abc " * 1_250_000).encode()
    loader: Any = catalogue.create("load", "data")
    tracemalloc.start()
    try:
        loader.load(Source("a.yaml", data))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 10 * len(data)


def test_zip_files_of_these_tests_are_zip_files() -> None:
    """Or the cases would measure how fast a file is refused."""
    for path, _, make, _ in CASES:
        if path.endswith((".docx", ".xlsx", ".pptx", ".ods")):
            assert zipfile.is_zipfile(BytesIO(make(2)))
