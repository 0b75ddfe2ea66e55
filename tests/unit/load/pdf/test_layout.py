"""Reading order, paragraphs, lists, headings, notes, and what does not belong to the text."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.load.pdf.loading import blocks, headings, notices, read, read_pages
from tools.make_golden_pdf import (
    GOLDEN,
    LEFT,
    LEFT_COLUMN,
    RIGHT,
    RIGHT_COLUMN,
    WIDTH,
    Draw,
    columns,
    hyphens,
    lines,
    manual,
    raw_pdf,
    right_to_left,
    rotated,
    stream,
    tagged,
    text_page,
)

PROSE = [
    "The harbour office is open from six in the morning until the last boat of the evening is in, and",
    "on Sundays from eight until noon. Outside these hours the watchman at the lock answers calls on",
    "channel twelve. He has the keys of the crane.",
]


def with_furniture(head: str = "", foot: str = "", *, size: float = 9, body: tuple[str, ...] = ()) -> Draw:
    def draw(canvas: Any) -> None:
        canvas.setFont("Helvetica", size)
        canvas.drawString(LEFT, 805, head)
        canvas.drawCentredString(WIDTH / 2, 30, foot)
        lines(canvas, LEFT, 740, body)

    return draw


class TestFurniture:
    def test_heads_and_numbers_of_every_page(self) -> None:
        pages = [with_furniture("Tide tables", f"{n}", body=(f"Page of the month {n * n}.",)) for n in range(1, 5)]
        document = read_pages(*pages)
        assert document.text.strip().split("\n\n") == [f"Page of the month {n * n}." for n in range(1, 5)]
        assert "“Tide tables” (4 times)" in notices(document)["furniture"]

    def test_a_title_in_the_words_of_the_head_stays(self) -> None:
        def title(canvas: Any) -> None:
            lines(canvas, LEFT, 700, ["Tide tables"], font="Helvetica-Bold", size=26)
            lines(canvas, LEFT, 640, ["For the year."])

        pages = [with_furniture("Tide tables", f"{n}", body=(f"Month {n * n}.",)) for n in range(2, 5)]
        document = read_pages(title, *pages)
        assert headings(document) == [(1, "Tide tables")]
        assert document.text.count("Tide tables") == 1

    def test_a_large_title_on_every_page_is_no_head(self) -> None:
        def slide(canvas: Any, number: int) -> None:
            lines(canvas, LEFT, 800, ["Agenda"], font="Helvetica-Bold", size=28)
            lines(canvas, LEFT, 700, [f"Point {number} is about boats."])

        document = read_pages(*[lambda canvas, n=n: slide(canvas, n) for n in range(4)])
        assert [title for _, title in headings(document)] == ["Agenda"] * 4

    def test_a_first_line_that_is_always_the_same_stays(self) -> None:
        letters = [text_page("Dear members of the club,", f"your boat {n} is due.", y=790) for n in range(4)]
        assert read_pages(*letters).text.count("Dear members") == 4

    def test_roman_numbers_and_words_around_numbers(self) -> None:
        for numbers in (
            ["i", "ii", "iii"],
            ["- 1 -", "- 2 -", "- 3 -"],
            ["Seite 1 von 3", "Seite 2 von 3", "Seite 3 von 3"],
        ):
            document = read_pages(*[with_furniture("", foot, body=("Boats.",)) for foot in numbers])
            assert document.text == "Boats.\n\nBoats.\n\nBoats.\n"

    def test_a_number_that_does_not_count_stays(self) -> None:
        document = read_pages(*[with_furniture("", foot, body=("Boats.",)) for foot in ("1907", "1431", "2012")])
        assert "1431" in document.text

    def test_line_numbers_beside_the_text(self) -> None:
        def draw(canvas: Any) -> None:
            lines(canvas, 50, 740, [str(n) for n in range(1, 13)])
            lines(canvas, 90, 740, [f"and the witness said word {'abcdefghijkl'[n]}" for n in range(12)])

        assert not any(character.isdigit() for character in read_pages(draw).text)

    def test_a_numbered_list_is_no_column_of_line_numbers(self) -> None:
        rows = [f"{n}. Boat of the year" for n in range(1, 13)]
        assert len(blocks(read_pages(text_page(*rows)), "item")) == 12


class TestColumns:
    def test_in_order_and_across(self) -> None:
        document = read(columns())
        text = " ".join(document.text.split())
        joined = " ".join(LEFT_COLUMN + RIGHT_COLUMN)
        assert text.count(joined) == 2
        assert text.index("left column") < text.index("middle column") < text.index("right column")

    def test_the_note_below_comes_last(self) -> None:
        document = read(columns())
        assert [blocks(document, "heading", "paragraph")[n][:10] for n in (0, 1, 2)] == [
            "Notes from",
            "The tide g",
            "Both gauge",
        ]

    def test_an_address_at_the_right_stays_where_it_is(self) -> None:
        def draw(canvas: Any) -> None:
            lines(canvas, 380, 780, ["Harbour office", "North quay 4"])
            lines(canvas, LEFT, 700, PROSE)

        text = " ".join(read_pages(draw).text.split())
        assert text.index("North quay") < text.index("The harbour office")

    def test_a_page_that_is_drawn_from_below_is_read_from_above(self) -> None:
        def draw(canvas: Any) -> None:
            for number in range(4, 0, -1):
                lines(canvas, LEFT, 740 - 40 * number, [f"Sentence {number} of four."])

        document = read_pages(draw)
        assert blocks(document, "paragraph") == [f"Sentence {number} of four." for number in range(1, 5)]

    def test_from_right_to_left(self) -> None:
        document = read(right_to_left())
        assert document.text.split() == ["שלום", "עברית", "נמל", "נמל", "שלום"]
        first = document.places[0].place.boxes[0]
        assert (first.x1 > 500, first.page) == (True, 1)

    def test_turned_pages(self) -> None:
        document = read(rotated())
        assert blocks(document, "paragraph") == ["This page is shown turned by a quarter, and reads well all the same."]
        assert document.blocks[-1].columns == ("Buoy", "Colour")
        box = document.place(document.blocks[-1].span).boxes[0]
        assert box.y1 - box.y0 > box.x1 - box.x0  # on the page the words run upwards


class TestParagraphs:
    def test_lines_become_one_paragraph(self) -> None:
        document = read_pages(text_page(*PROSE))
        assert document.text == " ".join(PROSE) + "\n"

    def test_each_line_has_its_box(self) -> None:
        document = read_pages(text_page(*PROSE))
        assert [placement.span.of(document.text).strip() for placement in document.places] == PROSE
        tops = [placement.place.boxes[0].y0 for placement in document.places]
        assert tops == sorted(tops)
        assert len(set(tops)) == 3

    def test_a_gap_parts_paragraphs(self) -> None:
        def draw(canvas: Any) -> None:
            y = lines(canvas, LEFT, 740, PROSE)
            lines(canvas, LEFT, y - 10, PROSE)

        assert len(blocks(read_pages(draw), "paragraph")) == 2

    def test_an_indent_parts_paragraphs(self) -> None:
        def draw(canvas: Any) -> None:
            y = 740.0
            for _ in range(2):
                y = lines(canvas, LEFT + 14, y, PROSE[:1])
                y = lines(canvas, LEFT, y, [*PROSE[1:2], PROSE[0]])

        assert len(blocks(read_pages(draw), "paragraph")) == 2

    def test_lines_that_end_early_are_kept_apart(self) -> None:
        document = read_pages(text_page("Harbour office", "North quay 4", "27568 Bremerhaven", *[PROSE[0]]))
        assert "Harbour office\nNorth quay 4\n27568 Bremerhaven\n" in document.text

    def test_over_the_end_of_a_page(self) -> None:
        first = text_page(PROSE[0], PROSE[1][:-9] + "and the others", y=76)
        second = text_page("answer calls as well.", y=760)
        document = read_pages(first, second)
        (only,) = blocks(document, "paragraph")
        assert only.endswith("and the others answer calls as well.")
        boxes = document.place(document.blocks[0].span).boxes
        assert [box.page for box in boxes] == [1, 1, 2]

    def test_a_finished_sentence_does_not_go_on(self) -> None:
        document = read_pages(text_page(*PROSE, y=90), text_page("Another day begins here.", y=760))
        assert len(blocks(document, "paragraph")) == 2

    def test_broken_words(self) -> None:
        text = read(hyphens()).text
        for words in ("Dampfkessel", "Berg- und Talfahrt", "Nord-Süd-Achse", "Hauptbahnhof", "Ein- und Ausfahrt"):
            assert words in text
        for words in ("self-acting", "COVID-19", "efficient offices"):
            assert words in text
        assert "\u00ad" not in text


class TestHeadings:
    def test_by_bookmarks(self) -> None:
        assert headings(read(manual())) == [
            (1, "Harbour Manual"),
            (2, "1 Mooring"),
            (3, "1.1 Before you moor"),
            (2, "2 Berths"),
            (2, "3 Signals"),
            (2, "4 Fees"),
        ]

    def test_by_size(self) -> None:
        def draw(canvas: Any) -> None:
            y = lines(canvas, LEFT, 780, ["Harbour"], size=24)
            for name in ("North", "South"):
                y = lines(canvas, LEFT, y - 30, [name], size=16)
                y = lines(canvas, LEFT, y - 10, ["Rings of the quay"], font="Helvetica-Bold")
                y = lines(canvas, LEFT, y - 6, PROSE)

        assert headings(read_pages(draw)) == [
            (1, "Harbour"),
            (2, "North"),
            (3, "Rings of the quay"),
            (2, "South"),
            (3, "Rings of the quay"),
        ]

    def test_by_number_within_one_style(self) -> None:
        def draw(canvas: Any) -> None:
            y = 780.0
            for title in ("1 Harbour", "1.1 North", "1.1.1 Rings", "2 Fees"):
                y = lines(canvas, LEFT, y - 20, [title], font="Helvetica-Bold")
                y = lines(canvas, LEFT, y - 6, PROSE)

        assert [level for level, _ in headings(read_pages(draw))] == [1, 2, 3, 1]

    def test_by_tags(self) -> None:
        document = read(tagged())
        assert headings(document) == [(2, "Lights of the harbour")]
        assert document.metadata["language"] == "en-GB"

    def test_over_two_lines(self) -> None:
        def draw(canvas: Any) -> None:
            lines(canvas, LEFT, 780, ["Rules for the use of the quay", "and of the mole"], size=20, lead=24)
            lines(canvas, LEFT, 700, PROSE)

        assert headings(read_pages(draw)) == [(1, "Rules for the use of the quay and of the mole")]

    @pytest.mark.parametrize("text", ["Bold words, and then a full stop.", "lower case", "42"])
    def test_bold_text_that_is_none(self, text: str) -> None:
        def draw(canvas: Any) -> None:
            lines(canvas, LEFT, 780, [text], font="Helvetica-Bold")
            lines(canvas, LEFT, 740, PROSE)

        assert not headings(read_pages(draw))

    def test_a_bold_label_in_a_drawing_is_none(self) -> None:
        def draw(canvas: Any) -> None:
            lines(canvas, LEFT, 780, PROSE)
            canvas.rect(LEFT, 600, 200, 100)
            lines(canvas, LEFT + 20, 650, ["Sluice gate"], font="Helvetica-Bold")

        assert not headings(read_pages(draw))

    def test_a_page_in_smaller_letters_has_smaller_headings(self) -> None:
        def small(canvas: Any) -> None:
            lines(canvas, LEFT, 780, ["Rings of the quay"], font="Helvetica-Bold", size=9)
            lines(canvas, LEFT, 760, PROSE, size=7)

        assert headings(read_pages(text_page(*PROSE * 3), small)) == [(1, "Rings of the quay")]

    def test_a_column_of_bold_labels_is_none(self) -> None:
        def draw(canvas: Any) -> None:
            for number, name in enumerate(["Anna Berg", "Jon Quay", "Ida Mole", "Tom Pier", "Eva Lock"]):
                lines(canvas, LEFT, 780 - 30 * number, [name], font="Helvetica-Bold")
            lines(canvas, LEFT, 500, PROSE)

        assert not headings(read_pages(draw))


class TestParts:
    def test_lists_and_their_depth(self) -> None:
        document = read(manual())
        items = [(block.level, block.marker) for block in document.blocks if block.kind == "item"]
        assert items == [(1, "-"), (1, "-"), (2, "-"), (2, "-"), (1, "-"), (1, "1."), (1, "2."), (1, "3.")]

    @pytest.mark.parametrize("code", ["F0B7", "FFFD", "E123"])
    def test_bullets_of_fonts_of_signs(self, code: str) -> None:
        cmap = (
            f"begincmap 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <41> <{code}> endbfchar endcmap"
        )
        shown = "\n".join(
            f"BT /S 11 Tf 72 {740 - 14 * n} Td <41> Tj ET BT /F 11 Tf 86 {740 - 14 * n} Td ({row}) Tj ET"
            for n, row in enumerate(["Ring", "Post", "Fender"])
        )
        document = read(
            raw_pdf(
                {
                    1: "<< /Type /Catalog /Pages 2 0 R >>",
                    2: "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
                    3: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
                    "/Resources << /Font << /F 5 0 R /S 6 0 R >> >> >>",
                    4: stream(shown),
                    5: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
                    6: "<< /Type /Font /Subtype /Type1 /BaseFont /Symbol /ToUnicode 7 0 R >>",
                    7: stream(cmap),
                }
            )
        )
        assert blocks(document, "item") == ["- Ring", "- Post", "- Fender"]

    def test_a_note_and_the_mark_that_leads_to_it(self) -> None:
        document = read(manual())
        assert "twelve tonnes[^1]." in document.text
        assert blocks(document, "note") == ["[^1]: Tested in March by the works of the harbour."]

    def test_a_paragraph_goes_on_behind_the_note(self) -> None:
        assert "must be warned before the manoeuvre" in " ".join(read(manual()).text.split())

    def test_captions(self) -> None:
        assert blocks(read(manual()), "caption") == ["Table 1: Berths of the north quay"]

    def test_a_sentence_about_a_table_is_no_caption(self) -> None:
        assert not blocks(read_pages(text_page("Table 1 shows the berths of the north quay.", *PROSE)), "caption")

    def test_code_keeps_its_indent(self) -> None:
        (code,) = [block for block in read(manual()).blocks if block.kind == "code"]
        text = code.span.of(read(manual()).text)
        assert text == "```\nstate {\n    gate: open\n    light: green\n}\n```"

    def test_a_table_of_contents_keeps_its_lines(self) -> None:
        entries = [f"{name} {'. ' * 40} {number}" for name, number in (("North", 3), ("South", 12), ("Fees", 30))]
        document = read_pages(text_page(*entries))
        assert len(document.text.strip().split("\n")) == 3

    def test_text_across_the_page_comes_last(self) -> None:
        def draw(canvas: Any) -> None:
            canvas.saveState()
            canvas.rotate(90)
            lines(canvas, 300, -30, ["Stamp of the office"])
            canvas.restoreState()
            lines(canvas, LEFT, 740, PROSE)

        assert blocks(read_pages(draw), "paragraph")[-1] == "Stamp of the office"


def test_the_golden_files_are_those_that_the_tool_makes() -> None:
    from tools.make_golden_pdf import FILES

    for name, make in FILES.items():
        assert (GOLDEN / f"{name}.pdf").read_bytes() == make(), name
    assert RIGHT < WIDTH
