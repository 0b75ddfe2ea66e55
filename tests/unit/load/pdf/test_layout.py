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

    def test_one_of_the_texts_that_were_left_out_is_shown(self) -> None:
        document = read_pages(*[with_furniture("Tide tables", f"Page {n} of 4", body=("Boats.",)) for n in range(1, 5)])
        assert "“Page 1 of 4” and the like (4 times)" in notices(document)["furniture"]

    @pytest.mark.parametrize("number_last", [False, True])
    def test_a_small_head_with_a_number_at_its_end(self, number_last: bool) -> None:
        def draw(canvas: Any) -> None:
            canvas.setFont("Helvetica", 8)
            canvas.drawString(LEFT + 30, 800, "On the tides of the outer harbour")
            canvas.drawString(RIGHT - 10 if number_last else LEFT, 800, "17")
            lines(canvas, LEFT, 740, PROSE)

        assert read_pages(draw).text == " ".join(PROSE) + "\n"

    @pytest.mark.parametrize(("size", "text"), [(11, "On the tides"), (8, "On the tides of 1907")])
    def test_first_lines_that_are_no_heads(self, size: float, text: str) -> None:
        def draw(canvas: Any) -> None:
            canvas.setFont("Helvetica", size)
            canvas.drawString(LEFT, 800, text)
            lines(canvas, LEFT, 740, PROSE)

        assert read_pages(draw).text.startswith(text)

    def test_numbers_of_pages_that_end_early(self) -> None:
        def draw(canvas: Any, number: int) -> None:
            y = lines(canvas, LEFT, 740, PROSE * (5 * number - 4))
            canvas.drawCentredString(WIDTH / 2, y - 30, str(number + 6))

        document = read_pages(*[lambda canvas, n=n: draw(canvas, n) for n in (1, 2, 3)])
        assert not any(character.isdigit() for character in document.text)

    def test_a_head_beside_the_first_line(self) -> None:
        def draw(canvas: Any) -> None:
            canvas.drawRightString(RIGHT, 800, "Table of contents")
            lines(canvas, LEFT, 788, ["Fees of the day"])
            lines(canvas, LEFT, 700, PROSE)

        assert "contents" not in read_pages(draw, draw, draw).text

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

    def test_by_number_over_styles(self) -> None:
        def draw(canvas: Any) -> None:
            y = 780.0
            for title, size in (("5 Harbour", 12), ("5.1 North", 14), ("6 Fees", 12)):
                y = lines(canvas, LEFT, y - 20, [title], font="Helvetica-Bold", size=size)
                y = lines(canvas, LEFT, y - 6, PROSE)

        assert [level for level, _ in headings(read_pages(draw))] == [2, 3, 2]

    def test_a_file_that_begins_at_a_section(self) -> None:
        assert headings(read((GOLDEN / "paper.pdf").read_bytes())) == [(2, "5.1 The gauge"), (2, "5.2 What we saw")]

    def test_parts_and_items_are_numbered(self) -> None:
        def draw(canvas: Any) -> None:
            lines(canvas, LEFT, 780, ["PART I — THE HARBOUR"], font="Helvetica-Bold")
            lines(canvas, LEFT, 750, ["Item 1. The quay"], font="Helvetica-Bold")
            lines(canvas, LEFT, 720, ["Rings and bollards"], font="Helvetica-Bold")
            lines(canvas, LEFT, 690, PROSE)

        assert len(headings(read_pages(draw))) == 3

    @pytest.mark.parametrize("text", ["*TXN98765202411231432*", "4006381333931", "RX-2024-00017"])
    def test_a_bar_code_is_none(self, text: str) -> None:
        def draw(canvas: Any) -> None:
            lines(canvas, LEFT, 780, [text], size=28)
            lines(canvas, LEFT, 700, PROSE)

        assert not headings(read_pages(draw))

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

    @pytest.mark.parametrize(
        "text", ["ida.quay@tides.example", "{ida,tom}@tides.example", "https://tides.example/a?b=1"]
    )
    def test_an_address_is_no_code(self, text: str) -> None:
        def draw(canvas: Any) -> None:
            lines(canvas, LEFT, 780, [text], font="Courier")
            lines(canvas, LEFT, 740, PROSE)

        assert blocks(read_pages(draw), "paragraph")[0] == text

    def test_items_in_the_face_of_code(self) -> None:
        def draw(canvas: Any) -> None:
            lines(canvas, LEFT, 780, PROSE)
            for number, name in enumerate(("INTEGER", "BOOLEAN")):
                lines(canvas, LEFT, 720 - 14 * number, ["•"], font="Courier")
                lines(canvas, LEFT + 14, 720 - 14 * number, [name], font="Courier")

        assert blocks(read_pages(draw), "item") == ["- INTEGER", "- BOOLEAN"]

    @pytest.mark.parametrize(
        ("marks", "lists"),
        [
            ("• • 1. 2.", 2),
            ("1. 2. 1. 2.", 2),
            ("1. 2. 4.", 1),
            ("a) b) 1) 2)", 2),
            ("h) i) j)", 1),
            ("• ▪ •", 1),
            ("1. 2) 3)", 2),
        ],
    )
    def test_lists_that_follow_each_other(self, marks: str, lists: int) -> None:
        rows = [f"{mark} Something to do about boats." for mark in marks.split()]
        assert len(blocks(read_pages(text_page(*rows, font="Vera")), "list")) == lists

    def test_a_note_in_the_margin_does_not_part_a_sentence(self) -> None:
        def first(canvas: Any) -> None:
            canvas.saveState()
            canvas.rotate(90)
            lines(canvas, 300, -30, ["report:2403.0815 [tides]"], size=14)
            canvas.restoreState()
            lines(canvas, LEFT, 90, [PROSE[0], PROSE[1][:-9] + "and the others"])

        document = read_pages(first, text_page("answer calls as well.", y=760))
        assert blocks(document, "paragraph")[0].endswith("and the others answer calls as well.")
        assert blocks(document, "paragraph")[1] == "report:2403.0815 [tides]"

    def test_text_across_the_page_comes_last(self) -> None:
        def draw(canvas: Any) -> None:
            canvas.saveState()
            canvas.rotate(90)
            lines(canvas, 300, -30, ["Stamp of the office"])
            canvas.restoreState()
            lines(canvas, LEFT, 740, PROSE)

        assert blocks(read_pages(draw), "paragraph")[-1] == "Stamp of the office"


def page_of(content: str, cmap: str = "") -> bytes:
    """A page with that content; ``cmap`` says what the characters of its font mean."""
    meaning = "/ToUnicode 6 0 R " if cmap else ""
    objects: dict[int, str | bytes] = {
        1: "<< /Type /Catalog /Pages 2 0 R >>",
        2: "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        3: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
        "/Resources << /Font << /F1 5 0 R >> >> >>",
        4: stream(content),
        5: f"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica {meaning}>>",
    }
    if cmap:
        objects[6] = stream(f"begincmap 1 begincodespacerange <00> <FF> endcodespacerange {cmap} endcmap")
    return raw_pdf(objects)


class TestGlyphs:
    def test_characters_beyond_the_first_plane(self) -> None:
        data = page_of(
            "BT /F1 12 Tf 72 700 Td (A B C) Tj 0 -14 Td (B) Tj ET",
            "3 beginbfchar <41> <D83DDE00> <42> <0042> <43> <FB01> endbfchar",
        )
        document = read(data)
        assert document.text.split() == ["😀", "B", "fi", "B"]
        assert document.places[-1].place.boxes[0].y0 > document.places[0].place.boxes[0].y0

    def test_letters_that_stand_far_apart_are_no_word(self) -> None:
        assert read(page_of("BT /F1 12 Tf 40 Tc 72 700 Td (ABC) Tj ET")).text.split() == ["A", "B", "C"]

    def test_a_hyphen_at_the_very_end(self) -> None:
        rows = "BT /F1 12 Tf 14 TL 72 700 Td (The har\\255) Tj T* (bour and the mo\\255) Tj ET"
        assert read(page_of(rows, "1 beginbfchar <AD> <00AD> endbfchar")).text == "The harbour and the mo-\n"


class TestOverlaps:
    def test_what_is_printed_twice_is_there_once(self) -> None:
        def draw(canvas: Any) -> None:
            for shift in (0.0, 0.3):
                lines(canvas, LEFT + shift, 740 - shift, ["Sluice gate"])
            lines(canvas, LEFT, 700, ["Sluice gate"])

        document = read_pages(draw)
        assert document.text.split("\n\n") == ["Sluice gate", "Sluice gate\n"]

    def test_other_words_in_the_same_place_stay(self) -> None:
        def draw(canvas: Any) -> None:
            lines(canvas, LEFT, 740, ["Sluice gate"])
            lines(canvas, LEFT, 740, ["Harbour"])

        assert set(read_pages(draw).text.split()) == {"Sluice", "gate", "Harbour"}

    def test_raised_digits_stay_raised(self) -> None:
        def draw(canvas: Any) -> None:
            lines(canvas, LEFT, 740, ["The flow is 10"])
            end = LEFT + canvas.stringWidth("The flow is 10")
            canvas.setFont("Helvetica", 7)
            canvas.drawString(end, 745, "6")
            canvas.drawString(end + 60, 740, "6")
            lines(canvas, end + 8, 740, ["litres."])

        assert read_pages(draw).text.startswith("The flow is 10⁶ litres.")

    @pytest.mark.parametrize(
        ("mark", "x", "text"),
        [
            ("2", 42.0, "Mooring² fees"),
            ("2", 69.0, "Mooring fees²"),
            ("(a)", 69.0, "Mooring fees(a)"),
            ("1", -6.0, "1 Mooring fees"),
            ("(A)", -12.0, "(A) Mooring fees"),
            ("2", 150.0, "Mooring fees"),
        ],
    )
    def test_a_mark_that_is_written_at_the_end_goes_to_its_word(self, mark: str, x: float, text: str) -> None:
        def draw(canvas: Any) -> None:
            lines(canvas, LEFT, 740, ["Mooring"])
            lines(canvas, LEFT + 47, 740, ["fees"])
            lines(canvas, LEFT, 700, PROSE)
            canvas.setFont("Helvetica", 6)
            canvas.drawString(LEFT + x + (0.8 if x > 0 else 0.0), 744, mark)

        assert text in blocks(read_pages(draw), "paragraph")

    def test_boxes_of_a_formula_leave_the_lines_around_it_alone(self) -> None:
        """A large sign reaches into the next line, whose words lie beside it."""

        def draw(canvas: Any) -> None:
            lines(canvas, LEFT, 740, ["The sum is"])
            canvas.setFont("Helvetica", 26)
            canvas.drawString(LEFT + 60, 730, "S")
            lines(canvas, LEFT + 80, 740, ["of all."])
            lines(canvas, LEFT, 727, ["It is small."])

        first, second = read_pages(draw).places
        assert [round(box.y1) for box in first.place.boxes] == [104, 118, 104]
        assert [round(box.y0) for box in second.place.boxes] == [106]


def test_the_golden_files_are_those_that_the_tool_makes() -> None:
    from tools.make_golden_pdf import FILES

    for name, make in FILES.items():
        assert (GOLDEN / f"{name}.pdf").read_bytes() == make(), name
    assert RIGHT < WIDTH
