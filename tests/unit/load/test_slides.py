"""Presentations: text in reading order, lists, tables, notes, diagrams, limits."""

from __future__ import annotations

import re
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pptx
import pytest
from pptx.chart.data import CategoryChartData, XyChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.oxml import parse_xml
from pptx.util import Inches
from tools.make_golden_office import archive

from pincite.errors import LoadError
from pincite.load.slide_order import Box, reading_order
from pincite.load.slide_text import numbered
from pincite.load.slides import SlideLoader
from pincite.model import Document, Place, Source

MAIN = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'


class Deck:
    """A presentation being made."""

    def __init__(self) -> None:
        self.deck: Any = pptx.Presentation()

    def slide(self, layout: int = 6) -> Any:
        return self.deck.slides.add_slide(self.deck.slide_layouts[layout])

    def data(self) -> bytes:
        buffer = BytesIO()
        self.deck.save(buffer)
        return buffer.getvalue()

    def load(self, **options: Any) -> Document:
        return SlideLoader(**options).load(Source("a.pptx", self.data()))


def box(slide: Any, text: str, left: float = 1, top: float = 1, width: float = 2, height: float = 0.5) -> Any:
    shape = slide.shapes.add_textbox(Inches(left), Inches(top), Inches(width), Inches(height))
    shape.text_frame.text = text
    return shape


def bullets(shape: Any, texts: list[tuple[int, str]], xml: str) -> None:
    for number, (level, text) in enumerate(texts):
        paragraph = shape.text_frame.paragraphs[0] if number == 0 else shape.text_frame.add_paragraph()
        paragraph.text, paragraph.level = text, level
        if xml:
            paragraph._p.get_or_add_pPr().append(parse_xml(xml))


def with_member(data: bytes, name: str, content: bytes) -> bytes:
    with zipfile.ZipFile(BytesIO(data)) as file:
        return archive({**{other: file.read(other) for other in file.namelist()}, name: content})


def test_a_slide_is_a_section_with_its_title() -> None:
    deck = Deck()
    slide = deck.slide(1)
    slide.shapes.title.text = "A\vtitle"
    slide.placeholders[1].text_frame.text = "Point"
    box(deck.slide(), "Alone")
    document = deck.load()
    assert document.text == "# A title\n\n- Point\n\n# Slide 2\n\nAlone\n"
    assert [document.place(block.span) for block in document.outline] == [Place(slide=n) for n in (1, 1, 2, 2)]


def test_lists_have_levels_and_numbers() -> None:
    deck = Deck()
    texts = [(1, "deep"), (0, "a"), (1, "b"), (1, "c"), (0, "d")]
    bullets(box(deck.slide(), ""), texts, f'<a:buAutoNum {MAIN} type="arabicPeriod" startAt="3"/>')
    document = deck.load()
    assert document.text == "# Slide 1\n\n- 3. deep\n3. a\n   3. b\n   4. c\n4. d\n"
    assert [block.marker for block in document.blocks if block.kind == "item"] == ["-", "3.", "3.", "3.", "4.", "4."]


def test_a_paragraph_without_a_bullet_is_none() -> None:
    deck = Deck()
    slide = deck.slide(1)
    bullets(slide.placeholders[1], [(0, "plain")], f"<a:buNone {MAIN}/>")
    bullets(box(slide, "", top=6), [(0, "item"), (0, " ")], f'<a:buChar {MAIN} char="•"/>')
    assert deck.load().text == "# Slide 1\n\nplain\n\n- item\n"


def test_line_breaks_stay() -> None:
    deck = Deck()
    box(deck.slide(), "one\vtwo")
    assert deck.load().text == "# Slide 1\n\none\ntwo\n"


def test_notes_are_notes() -> None:
    deck = Deck()
    deck.slide().notes_slide.notes_text_frame.text = "Say this.\n\nThen that."
    document = deck.load()
    assert [(block.kind, block.span.of(document.text)) for block in document.blocks[1:]] == [
        ("note", "Say this."),
        ("note", "Then that."),
    ]


@pytest.mark.parametrize(
    ("boxes", "order"),
    [
        ([], []),
        ([None, Box(0, 0, 1, 1)], [0, 1]),
        ([Box(0, 50, 10, 60), Box(0, 0, 10, 10)], [1, 0]),
        # two columns under a title, the right one a little higher
        ([Box(60, 19, 100, 90), Box(0, 20, 40, 50), Box(0, 0, 100, 10), Box(0, 52, 40, 90)], [2, 1, 3, 0]),
        # cards in rows
        ([Box(0, 0, 40, 30), Box(50, 0, 90, 30), Box(0, 60, 40, 90), Box(50, 60, 90, 90)], [0, 1, 2, 3]),
        # one upon the other
        ([Box(5, 5, 50, 50), Box(0, 0, 50, 50)], [1, 0]),
        # a small overlap does not join rows
        ([Box(0, 98, 100, 200), Box(0, 0, 100, 100)], [1, 0]),
    ],
)
def test_reading_order(boxes: list[Box | None], order: list[int]) -> None:
    assert reading_order(boxes) == order


def test_reading_order_of_very_many_shapes() -> None:
    boxes = [Box(0, top, 10, top + 30) for top in range(2000, 0, -1)]
    assert reading_order(boxes) == list(range(1999, -1, -1))
    stairs = [Box(index * 10, index * 10, index * 10 + 9, index * 10 + 9) for index in range(300, 0, -1)]
    assert reading_order(stairs) == list(range(299, -1, -1))


def test_tables_repeat_merged_cells() -> None:
    deck = Deck()
    table = deck.slide().shapes.add_table(3, 2, 0, 0, Inches(4), Inches(2)).table
    for row in range(3):
        for column in range(2):
            table.cell(row, column).text = f"{row}{column}"
    table.cell(1, 0).merge(table.cell(2, 0))
    assert deck.load().text.endswith("| 00 | 01 |\n| --- | --- |\n| 10<br>20 | 11 |\n| 10<br>20 | 21 |\n")
    table.first_row = False
    assert "| column 1 | column 2 |" in deck.load().text


def test_charts_give_their_values() -> None:
    deck = Deck()
    make: Any = XyChartData
    data = make()
    series = data.add_series("S")
    series.add_data_point(1, 2.5)
    series.add_data_point(2, 3)
    deck.slide().shapes.add_chart(XL_CHART_TYPE.XY_SCATTER, 0, 0, Inches(3), Inches(2), data)
    assert "|  | S |\n| --- | --- |\n| 1 | 2.5 |\n| 2 | 3 |" in deck.load().text


def chart(count: int, *, claimed: bytes = b"", last: bytes = b"") -> bytes:
    """A deck with a chart of so many points; ``claimed`` is how many it says, ``last`` the number of the last point."""
    deck = Deck()
    make: Any = CategoryChartData
    data = make()
    data.categories = [f"{number:03}" for number in range(count)]
    data.add_series("S", [number + 0.1 + 0.2 for number in range(count)])
    deck.slide().shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 0, 0, Inches(3), Inches(2), data)
    whole = deck.data()
    with zipfile.ZipFile(BytesIO(whole)) as file:
        name = next(name for name in file.namelist() if "charts/chart" in name and name.endswith(".xml"))
        part = file.read(name)
    part = re.sub(rb'ptCount val="\d+"', b'ptCount val="%b"' % (claimed or b"%d" % count), part)
    return with_member(whole, name, part.replace(b'idx="%d"' % (count - 1), b'idx="%b"' % last) if last else part)


def test_charts_have_the_points_that_are_there() -> None:
    document = SlideLoader().load(Source("a.pptx", chart(2, claimed=b"4000000000")))
    assert document.text.endswith("|  | S |\n| --- | --- |\n| 000 | 0.3 |\n| 001 | 1.3 |\n")
    gap = SlideLoader().load(Source("a.pptx", chart(2, last=b"3")))
    assert gap.text.endswith("| 000 | 0.3 |\n|  |  |\n|  |  |\n| 001 | 1.3 |\n")
    with pytest.raises(LoadError, match="max_cells") as caught:
        SlideLoader().load(Source("a.pptx", chart(2, last=b"900000000")))
    assert caught.value.kind == "too_large"
    assert SlideLoader().load(Source("a.pptx", chart(2, last=b"-1"))).text.endswith("| 000 | 0.3 |\n")


def test_groups_pictures_and_diagrams() -> None:
    deck = Deck()
    slide = deck.slide()
    inner = slide.shapes.add_group_shape().shapes.add_group_shape()
    inner.shapes.add_textbox(0, 0, Inches(1), Inches(1)).text_frame.text = "Grouped"
    pixel = BytesIO(
        b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,"
        b"\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"
    )
    picture = slide.shapes.add_picture(pixel, 0, Inches(2), Inches(1), Inches(1))
    picture._element.nvPicPr.cNvPr.set("descr", "A gull.")
    diagram(slide)
    document = deck.load()
    assert [(block.kind, block.span.of(document.text)) for block in document.outline[1:]] == [
        ("paragraph", "Grouped"),
        ("caption", "A gull."),
        ("list", "- Plan\n- Do it"),
    ]


def diagram(slide: Any) -> None:
    """A frame that refers to a part with the texts of a diagram."""
    from pptx.opc.package import Part
    from pptx.opc.packuri import PackURI

    namespace = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
    relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    text = "<dgm:pt><dgm:t><a:p><a:r><a:t>{}</a:t></a:r></a:p></dgm:t></dgm:pt>"
    points = f"{text.format('Plan')}{text.format('Do it')}<dgm:pt/>"
    xml = f'<dgm:dataModel xmlns:dgm="{namespace}" {MAIN}>{points}</dgm:dataModel>'
    name = PackURI("/ppt/diagrams/data1.xml")
    part = Part(name, "application/vnd.openxmlformats-officedocument.drawingml.diagramData+xml", slide.part.package)
    part._blob = xml.encode()
    frame = slide.shapes.add_table(1, 1, 0, Inches(4), Inches(2), Inches(1))._element
    data = frame.find(".//{http://schemas.openxmlformats.org/drawingml/2006/main}graphicData")
    data.set("uri", namespace)
    data.remove(data[0])
    id_ = slide.part.relate_to(part, f"{relations}/diagramData")
    data.append(parse_xml(f'<dgm:relIds xmlns:dgm="{namespace}" xmlns:r="{relations}" r:dm="{id_}"/>'))


def test_furniture_is_left_out_and_hidden_slides_are_named() -> None:
    deck = Deck()
    for _ in range(12):
        slide = deck.slide()
        slide._element.set("show", "0")
        footer = box(slide, "Footer")
        placeholder = footer._element.nvSpPr.nvPr
        presentation = "http://schemas.openxmlformats.org/presentationml/2006/main"
        placeholder.append(parse_xml(f'<p:ph xmlns:p="{presentation}" type="ftr" idx="11"/>'))
    document = deck.load()
    assert "Footer" not in document.text
    assert document.warnings[0].message.endswith("1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more")


def test_an_empty_presentation_warns() -> None:
    document = Deck().load()
    assert (document.text, [notice.kind for notice in document.warnings]) == ("", ["empty"])


def test_deep_groups_are_bounded() -> None:
    deck = Deck()
    shapes = deck.slide().shapes
    for _ in range(52):
        shapes = shapes.add_group_shape().shapes
    shapes.add_textbox(0, 0, 1, 1).text_frame.text = "lost"
    document = deck.load()
    assert "lost" not in document.text
    assert [notice.kind for notice in document.warnings] == ["nesting"]


def small() -> bytes:
    deck = Deck()
    slide = deck.slide()
    table = slide.shapes.add_table(2, 2, 0, 0, Inches(1), Inches(1)).table
    table.cell(0, 0).text = "a"
    table.cell(0, 0).merge(table.cell(1, 1))
    box(deck.slide(), "b")
    return deck.data()


@pytest.mark.parametrize(
    ("data", "options", "kind"),
    [
        (small(), {"max_slides": 1}, "too_large"),
        (small(), {"max_shapes": 1}, "too_large"),
        (small(), {"max_cells": 3}, "too_large"),
        (small(), {"max_bytes": 10}, "too_large"),
        (small()[:2000], {}, "corrupt"),
        (b"", {}, "corrupt"),
        (archive({"a.xml": "<a/>"}), {}, "corrupt"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"x" * 600, {}, "unsupported"),
        (with_member(small(), "ppt/slides/slide1.xml", b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'), {}, "unsafe"),
        (with_member(small(), "ppt/slides/slide1.xml", b"<a"), {}, "corrupt"),
        (with_member(small(), "ppt/presentation.xml", b"<a/>"), {}, "corrupt"),
    ],
    ids=range(11),
)
def test_refusals(data: bytes, options: dict[str, Any], kind: str) -> None:
    with pytest.raises(LoadError) as caught:
        SlideLoader(**options).load(Source("a.pptx", data))
    assert (caught.value.kind, caught.value.file) == (kind, "a.pptx")


def test_options() -> None:
    with pytest.raises(ValueError, match="max_slides"):
        SlideLoader(max_slides=0)


@pytest.mark.parametrize(
    ("scheme", "number", "marker"),
    [
        ("arabicPeriod", 3, "3."),
        ("arabicPlain", 3, "3."),
        ("alphaUcPeriod", 27, "AA."),
        ("romanLcParenR", 1994, "mcmxciv)"),
        ("arabicParenBoth", 2, "(2)"),
    ],
)
def test_numbered(scheme: str, number: int, marker: str) -> None:
    assert numbered(scheme, number) == marker


def test_pictures_that_expand_without_end_are_refused(tmp_path: Path) -> None:
    from pincite.load.archive import Limits, open_archive

    file = tmp_path / "bomb.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("ppt/media/image1.png", b"\0" * 20_000_000)
    with pytest.raises(LoadError) as caught:
        open_archive(Source("bomb.pptx", file.read_bytes()), limits=Limits()).check()
    assert caught.value.kind == "unsafe"
