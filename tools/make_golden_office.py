"""Makes the workbooks, presentations and notebooks of the golden tests; the same bytes on every run.

Usage: python tools/make_golden_office.py [FOLDER]
"""

from __future__ import annotations

import datetime
import json
import re
import struct
import sys
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pptx
import xlsxwriter  # type: ignore[import-untyped] # ships no types
from pptx.chart.data import CategoryChartData, XyChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.oxml import parse_xml
from pptx.util import Inches

GOLDEN = Path(__file__).parents[1] / "tests/golden"
DAY = datetime.datetime(2024, 5, 6, 7, 30)  # noqa: DTZ001 - spreadsheets know no time zones


def workbook(fill: Any) -> bytes:
    buffer = BytesIO()
    book = xlsxwriter.Workbook(buffer, {"in_memory": True})
    book.set_properties({"title": "Berths", "author": "Harbour office", "created": DAY})
    fill(book)
    book.close()
    return buffer.getvalue()


def berths(book: Any) -> None:
    """Two tables with a title, dates, a time, an error; a merged head; a hidden, an empty and a chart sheet."""
    date = book.add_format({"num_format": "dd.mm.yyyy"})
    sheet = book.add_worksheet("Fees")
    sheet.write(1, 1, "Fees per night")
    sheet.write_row(2, 1, ["Berth", "Fee", "From", "Taken"])
    sheet.write_row(3, 1, ["A1", 12.5])
    sheet.write_datetime(3, 3, DAY, date)
    sheet.write_boolean(3, 4, True)
    sheet.write_row(4, 1, ["A2 | east", 0.1 + 0.2])
    sheet.write_datetime(4, 3, DAY, book.add_format({"num_format": "yyyy-mm-dd hh:mm"}))
    sheet.write_boolean(4, 4, False)
    sheet.write_row(6, 1, ["B1", 7])
    sheet.write_datetime(6, 3, DAY + datetime.timedelta(days=26), date)
    sheet.write_formula(6, 4, "=1/0", None, "#DIV/0!")
    sheet.write_row(9, 1, ["Name", "Opens"])
    sheet.write(10, 1, "Crane\nnorth")
    sheet.write_datetime(10, 2, datetime.time(6, 45), book.add_format({"num_format": "hh:mm"}))
    sheet.write(12, 1, "Fees hold until autumn.")
    merged = book.add_worksheet("Halls")
    merged.merge_range(0, 0, 0, 4, "Hours of the machines")
    merged.merge_range(1, 1, 1, 2, "2023")
    merged.merge_range(1, 3, 1, 4, "2024")
    merged.write_row(2, 0, ["Hall", "In", "Out", "In", "Out"])
    merged.merge_range(3, 0, 5, 0, "Hall 3")
    for row in range(3, 6):
        merged.write_row(row, 1, [row, row * 2, row * 3, row * 4])
    hidden = book.add_worksheet("Notes")
    hidden.hide()
    hidden.write(0, 0, "Ask before noon.")
    book.add_worksheet("Empty")
    book.add_chartsheet("Chart")


def far(book: Any) -> None:
    """A small table, a cell in the last row and one in the last column, and characters that nobody sees."""
    sheet = book.add_worksheet("Fees\u00a02024")
    sheet.write_row(0, 0, ["Ber\u00adth", "Fee\u202f€"])
    sheet.write_row(1, 0, ["A\u00a01\u200b", 12.5])
    sheet.write_row(2, 0, ["B\u20282", 7])
    sheet.write(1, 16_383, "by the gate")
    sheet.write(1_048_575, 0, "Checked in May.")


def ods() -> bytes:
    """A table of two columns with repeated cells and the thousands of blank rows that every program writes."""

    def cell(text: str) -> str:
        return f'<table:table-cell office:value-type="string"><text:p>{text}</text:p></table:table-cell>'

    number = '<table:table-cell office:value-type="float" office:value="4.5"><text:p>4,50</text:p></table:table-cell>'
    blank = '<table:table-cell table:number-columns-repeated="1022"/>'
    rows = [cell("Tide") + cell("Height"), cell("high") + number, cell("low") + number]
    filled = "".join(f"<table:table-row>{row}{blank}</table:table-row>" for row in rows)
    rest = f'<table:table-row table:number-rows-repeated="1048573">{blank}</table:table-row>'
    return open_document(filled + rest)


def open_document(rows: str) -> bytes:
    """A workbook with one sheet; ``rows`` is XML."""
    names = {name: f"urn:oasis:names:tc:opendocument:xmlns:{name}:1.0" for name in ("office", "table", "text")}
    spaces = " ".join(f'xmlns:{name}="{value}"' for name, value in names.items())
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {spaces} office:version="1.2"><office:body>'
        f'<office:spreadsheet><table:table table:name="Tides">{rows}</table:table></office:spreadsheet>'
        "</office:body></office:document-content>"
    )
    media_type = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = (
        '<?xml version="1.0" encoding="UTF-8"?>'
        '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
        f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{media_type}"/></manifest:manifest>'
    )
    return archive({"mimetype": media_type, "content.xml": content, "META-INF/manifest.xml": manifest})


def archive(members: dict[str, str | bytes]) -> bytes:
    """With one date for all members, so that the bytes are always the same."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in members.items():
            file.writestr(zipfile.ZipInfo(name, (2024, 5, 6, 7, 30, 0)), data, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def xls(cells: list[tuple[int, int, str | float]], *, name: str = "Old") -> bytes:
    """A workbook of Excel 97: the records of one sheet (BIFF8) in the stream of an OLE file."""

    def record(kind: int, data: bytes) -> bytes:
        return struct.pack("<HH", kind, len(data)) + data

    def beginning(kind: int) -> bytes:
        return record(0x809, struct.pack("<HHHHII", 0x600, kind, 0x0DBB, 1996, 0, 6))

    encoded = name.encode("latin-1")
    bound_size = 4 + 6 + 2 + len(encoded)
    head = beginning(0x5)
    offset = len(head) + bound_size + 4
    bound = record(0x85, struct.pack("<IBBBB", offset, 0, 0, len(encoded), 0) + encoded)
    sheet = beginning(0x10)
    for row, column, value in cells:
        if isinstance(value, str):
            text = value.encode("utf-16-le")
            sheet += record(0x204, struct.pack("<HHHHB", row, column, 0, len(value), 1) + text)
        else:
            sheet += record(0x203, struct.pack("<HHHd", row, column, 0, value))
    end = record(0xA, b"")
    return ole("Workbook", head + bound + end + sheet + end)


def ole(name: str, stream: bytes) -> bytes:
    """An OLE file (version 3) with one stream, padded to a size above that of small streams."""
    stream = stream.ljust(max(4096, -(-len(stream) // 512) * 512), b"\0")
    sectors = len(stream) // 512
    table = [0xFFFFFFFD, 0xFFFFFFFE, *range(3, sectors + 2), 0xFFFFFFFE]
    table += [0xFFFFFFFF] * (128 - len(table))
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    header += struct.pack(
        "<HHHHHHIIIIIIIIII", 0x3E, 3, 0xFFFE, 9, 6, 0, 0, 0, 1, 1, 0, 4096, 0xFFFFFFFE, 0, 0xFFFFFFFE, 0
    )
    header += struct.pack("<109I", 0, *[0xFFFFFFFF] * 108)

    def entry(title: str, kind: int, child: int, start: int, size: int) -> bytes:
        words = title.encode("utf-16-le") + b"\0\0"
        links = struct.pack("<HBBIII", len(words), kind, 1, 0xFFFFFFFF, 0xFFFFFFFF, child)
        return words.ljust(64, b"\0") + links + bytes(16 + 4 + 8 + 8) + struct.pack("<IQ", start, size)

    directory = entry("Root Entry", 5, 1, 0xFFFFFFFE, 0) + entry(name, 2, 0xFFFFFFFF, 2, len(stream))
    return header + struct.pack("<128I", *table) + directory.ljust(512, b"\0") + stream


def presentation() -> bytes:
    """Lists with levels and numbers, columns, a table with a merged cell, a chart, a group, notes, a hidden slide."""
    deck = pptx.Presentation()
    deck.core_properties.title, deck.core_properties.author = "Harbour tour", "A. Pilot; B. Clerk"
    deck.core_properties.modified = DAY
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = "Harbour\vtour"
    frame = slide.placeholders[1].text_frame
    frame.text = "Tie up"
    for level, text in ((1, "bow line"), (1, "stern line"), (0, "Report")):
        paragraph = frame.add_paragraph()
        paragraph.text, paragraph.level = text, level
    slide.notes_slide.notes_text_frame.text = "Speak slowly.\nShow the map."
    compare(deck)
    figures(deck)
    buffer = BytesIO()
    deck.save(buffer)
    return repacked(buffer.getvalue())


def repacked(data: bytes) -> bytes:
    """With one date for all members and all properties, those of the workbooks inside (of charts), too."""
    members: dict[str, str | bytes] = {}
    with zipfile.ZipFile(BytesIO(data)) as file:
        for name in sorted(file.namelist()):
            member = file.read(name)
            if name.endswith(".xlsx"):
                member = repacked(member)
            elif name == "docProps/core.xml":
                member = re.sub(rb"\d{4}-\d\d-\d\dT[\d:]+Z", b"2024-05-06T07:30:00Z", member)
            members[name] = member
    return archive(members)


def compare(deck: Any) -> None:
    slide = deck.slides.add_slide(deck.slide_layouts[4])
    slide.shapes.title.text = "North or south"
    for place, text in zip(list(slide.placeholders)[1:5], ("North", "Deep water", "South", "Short way"), strict=True):
        place.text_frame.text = text
    box = slide.shapes.add_textbox(Inches(1), Inches(6.8), Inches(6), Inches(0.5))
    for number, text in enumerate(("Ask the pilot", "Choose")):
        paragraph = box.text_frame.paragraphs[0] if number == 0 else box.text_frame.add_paragraph()
        paragraph.text = text
        paragraph._p.get_or_add_pPr().append(
            parse_xml(
                '<a:buAutoNum xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" type="alphaLcParenR"/>'
            )
        )


def figures(deck: Any) -> None:
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    table = slide.shapes.add_table(3, 2, Inches(1), Inches(0.5), Inches(4), Inches(2)).table
    for row, texts in enumerate((("Hall", "Machine"), ("Hall 3", "Saw"), ("", "Drill"))):
        for column, text in enumerate(texts):
            table.cell(row, column).text = text
    table.cell(1, 0).merge(table.cell(2, 0))
    make: Any = CategoryChartData
    data = make()
    data.categories = ["East", "West"]
    data.add_series("Boats", (15, 2.5))
    data.add_series("Rafts", (3, None))
    kind = XL_CHART_TYPE.COLUMN_CLUSTERED
    chart = slide.shapes.add_chart(kind, Inches(1), Inches(3), Inches(4), Inches(2), data).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = "Arrivals"
    group = slide.shapes.add_group_shape()
    group.shapes.add_textbox(Inches(1), Inches(6), Inches(2), Inches(0.5)).text_frame.text = "Counted in May."
    slide._element.set("show", "0")


def plan() -> bytes:
    """Shapes in a group, two levels of numbers, a scatter chart with a gap, characters that nobody sees."""
    deck = pptx.Presentation()
    deck.core_properties.title, deck.core_properties.author = "Quay\u00ad plan\u00a02", "B. Clerk"
    deck.core_properties.modified = DAY
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = "Where\u00a0we dig"
    frame = slide.placeholders[1].text_frame
    frame.text = "Mea\u00adsure\vtwice"
    paragraph = frame.add_paragraph()
    paragraph.text, paragraph.level = "\u0301before \u200bnoon", 1
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    group = slide.shapes.add_group_shape()
    for number, text in enumerate(("East", "West")):
        box = group.shapes.add_textbox(Inches(1 + 4 * number), Inches(1), Inches(2), Inches(0.5))
        box.text_frame.text = text
    make: Any = XyChartData
    data = make()
    series = data.add_series("Depth")
    for x, y in ((1, 2.5), (2.5, 3), (4, 0.1 + 0.2)):
        series.add_data_point(x, y)
    slide.shapes.add_chart(XL_CHART_TYPE.XY_SCATTER, Inches(1), Inches(3), Inches(4), Inches(2), data)
    buffer = BytesIO()
    deck.save(buffer)
    return repacked(buffer.getvalue())


def old_notebook() -> bytes:
    """Format 3, with cells that have no text, half a character, controls, and more output than is kept."""
    cells: list[Any] = [
        {"cell_type": "heading", "level": 2, "source": ["Bu\u00adoys"]},
        {"cell_type": "markdown", "source": "One\u00a0red,\u200b one green.\n\n> \ufeffquoted"},
        {
            "cell_type": "code",
            "language": "julia",
            "input": "depth = 4\n",
            "outputs": [
                {"output_type": "stream", "text": "a\b\x07c\n\ud83d\n"},
                {"output_type": "pyout", "text": ["4"]},
                {"output_type": "pyerr", "ename": "E", "evalue": "no", "traceback": []},
                {"output_type": "display_data", "png": "AA=="},
            ],
        },
        {"cell_type": "code", "input": {"not": "text"}, "outputs": []},
        7,
        {"cell_type": "code", "input": "", "outputs": [{"output_type": "stream", "text": "tide " * 2500}]},
    ]
    whole = {"worksheets": [{"cells": cells}], "metadata": {"name": "old"}, "nbformat": 3}
    return json.dumps(whole, indent=1).encode()


def notebook() -> bytes:
    def code(source: str, *outputs: dict[str, Any]) -> dict[str, Any]:
        return {"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": list(outputs), "source": source}

    cells: list[dict[str, Any]] = [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Tides\n", "\n", "- spring\n", "- neap\n"]},
        code(
            "print('high')\n1 + 1\n",
            {"output_type": "stream", "name": "stdout", "text": ["high\n"]},
            {"output_type": "execute_result", "metadata": {}, "execution_count": 1, "data": {"text/plain": "2"}},
            {"output_type": "display_data", "metadata": {}, "data": {"image/png": "AA=="}},
        ),
        code(
            "%%bash\nls", {"output_type": "error", "ename": "E", "evalue": "no", "traceback": ["\x1b[31mE\x1b[0m: no"]}
        ),
        {"cell_type": "raw", "metadata": {}, "source": "as it is"},
        {"cell_type": "markdown", "metadata": {}, "source": "| t | h |\n|---|---|\n| 1 | 2 |\n\n## End\n\nDone. 😀"},
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    metadata = {"kernelspec": kernel, "title": "Tides", "authors": [{"name": "A. Pilot"}]}
    whole = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=1, ensure_ascii=False).encode()


def files() -> dict[str, bytes]:
    old: list[tuple[int, int, str | float]] = [(0, 0, "Buoy"), (0, 1, "Depth"), (1, 0, "rød"), (1, 1, 4.5)]
    return {
        "spreadsheet/berths.xlsx": workbook(berths),
        "spreadsheet/tides.ods": ods(),
        "spreadsheet/buoys.xls": xls(old),
        "spreadsheet/far.xlsx": workbook(far),
        "slides/tour.pptx": presentation(),
        "slides/plan.pptx": plan(),
        "notebook/tides.ipynb": notebook(),
        "notebook/buoys.ipynb": old_notebook(),
    }


def main(arguments: list[str]) -> int:
    folder = Path(arguments[0]) if arguments else GOLDEN
    for name, data in files().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
        print(name)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
