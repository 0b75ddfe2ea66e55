"""Tables: ruled, half ruled, not ruled at all, over pages, and what only looks like one."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.load.pdf.loading import blocks, read, read_pages, rows
from tools.make_golden_pdf import (
    BERTHS,
    HARBOUR,
    LEFT,
    Draw,
    aligned,
    lines,
    manual,
    ruled,
    statement,
    tables,
    tagged,
    text_page,
)

from pincite.load.pdf.grids import grids_of, ruled_bands
from pincite.load.pdf.shapes import Shapes
from pincite.load.pdf.words import clean

FISH = [["Fish", "Price", "Change"], ["Cod", "4.10", "+2"], ["Plaice", "6.00", "-1"], ["Eel", "22.5", "0"]]


def ruled_page(cells: list[list[str]], *, y: float = 700, head: int = 1) -> Draw:
    return lambda canvas: (ruled(canvas, LEFT, y, [120] * len(cells[0]), cells, head=head), None)[1]


def aligned_page(cells: list[list[str]], *, head: bool = True) -> Draw:
    return lambda canvas: (aligned(canvas, [LEFT, 260, 420], 700, cells, head=head), None)[1]


class TestRuled:
    def test_cells_header_and_columns(self) -> None:
        document = read_pages(ruled_page(FISH))
        (table,) = document.blocks
        assert table.columns == ("Fish", "Price", "Change")
        assert rows(document) == FISH[1:]
        assert table.header
        assert table.header.of(document.text).startswith("| Fish | Price | Change |\n| --- ")

    def test_without_a_header(self) -> None:
        document = read_pages(ruled_page([["Cod", "4.10"], ["Plaice", "6.00"], ["Eel", "22.5"]], head=0))
        assert document.blocks[0].columns == ("column 1", "column 2")
        assert len(rows(document)) == 3

    def test_each_row_has_its_boxes(self) -> None:
        document = read_pages(ruled_page(FISH))
        tops = [document.place(row).boxes[0].y0 for row in document.blocks[0].rows]
        assert tops == sorted(tops)
        assert [len(document.place(row).boxes) for row in document.blocks[0].rows] == [3, 3, 3]

    def test_lines_within_a_cell_are_joined(self) -> None:
        def draw(canvas: Any) -> None:
            ruled(canvas, LEFT, 700, [120, 120], [["Part", "Remark"], ["", ""], ["Bolt", "none"]])
            lines(canvas, LEFT + 4, 677, ["Win-"], size=6, lead=6)
            lines(canvas, LEFT + 4, 671, ["dow"], size=6, lead=6)
            lines(canvas, LEFT + 124, 677, ["of oak"], size=6)

        assert rows(read_pages(draw))[0] == ["Window", "of oak"]

    def test_merged_cells_of_the_header_name_all_their_columns(self) -> None:
        document = read(tables())
        assert document.blocks[-1].columns == ("Length", "Quay side North", "Quay side South")

    def test_a_frame_around_text_is_no_table(self) -> None:
        def draw(canvas: Any) -> None:
            canvas.rect(LEFT - 5, 600, 400, 160)
            canvas.line(LEFT - 5, 680, LEFT + 395, 680)
            lines(canvas, LEFT, 740, ["The office is open from six in the morning."])
            lines(canvas, LEFT, 660, ["The lock is open at high water."])

        assert not blocks(read_pages(draw), "table")

    def test_a_drawing_is_no_table(self) -> None:
        def draw(canvas: Any) -> None:
            for number in range(6):
                canvas.line(LEFT, 500 + 20 * number, LEFT + 200, 500 + 20 * number)
                canvas.line(LEFT + 40 * number, 500, LEFT + 40 * number, 600)
            lines(canvas, LEFT + 60, 585, ["12"], size=6)
            lines(canvas, LEFT, 740, ["The gauge over the day."])

        assert not blocks(read_pages(draw), "table")

    def test_columns_of_signs(self) -> None:
        document = read_pages(
            ruled_page([["Fish", "", "Price", "Part", ""], ["Cod", "$", "4", "5", "%"], ["Eel", "$", "6", "7", "%"]])
        )
        assert document.blocks[0].columns == ("Fish", "Price", "Part")
        assert rows(document) == [["Cod", "$ 4", "5 %"], ["Eel", "$ 6", "7 %"]]
        assert len(document.place(document.blocks[0].rows[0]).boxes) == 5


class TestOverPages:
    def test_a_repeated_header_is_taken_once(self) -> None:
        document = read(manual())
        berths = [block for block in document.blocks if block.columns == tuple(HARBOUR)]
        assert len(berths) == 1
        assert [row[0] for row in rows(document)[:12]] == [row[0] for row in BERTHS]
        assert [document.place(row).page for row in berths[0].rows] == [2] * 4 + [3] * 8

    def test_a_table_goes_on_without_its_header(self) -> None:
        first, second = ruled_page([HARBOUR, *BERTHS[:3]], y=200), ruled_page(BERTHS[3:6], y=800, head=0)
        document = read_pages(first, second)
        assert len(document.blocks) == 1
        assert len(rows(document)) == 6

    def test_another_table_is_another_table(self) -> None:
        first, second = (
            ruled_page([HARBOUR, *BERTHS[:3]], y=200),
            ruled_page([["Fish", "Price", "Day"], *BERTHS[3:6]], y=800),
        )
        assert len(blocks(read_pages(first, second), "table")) == 2

    def test_text_between_parts_tables(self) -> None:
        def second(canvas: Any) -> None:
            lines(canvas, LEFT, 780, ["The berths of the south quay are these."])
            ruled(canvas, LEFT, 740, [120] * 3, [HARBOUR, *BERTHS[3:6]])

        assert len(blocks(read_pages(ruled_page([HARBOUR, *BERTHS[:3]], y=200), second), "table")) == 2


class TestWithoutRules:
    def test_aligned_cells(self) -> None:
        document = read_pages(aligned_page(FISH))
        assert document.blocks[0].columns == tuple(FISH[0])
        assert rows(document) == FISH[1:]

    def test_empty_cells_keep_their_column(self) -> None:
        assert rows(read(tables()))[1:3] == [["Herring", "11.0", "", "7.5"], ["Plaice", "", "0.3", "0.4"]]

    def test_horizontal_rules_only(self) -> None:
        document = read(tables())
        assert document.blocks[3].columns == ("Fish", "Price", "Change")

    def test_by_tags(self) -> None:
        document = read(tagged())
        assert document.blocks[-1].columns == ("Light", "Colour")
        assert rows(document) == [["Mole", "red"], ["Pier", "green"], ["All lights are lit by hand."]]

    def test_a_currency_sign_goes_with_its_number(self) -> None:
        def draw(canvas: Any) -> None:
            for number, (name, value) in enumerate([("Dues", "4.00"), ("Crane", "31.00"), ("Water", "1.00")]):
                lines(canvas, LEFT, 700 - 15 * number, [name])
                if number != 1:
                    lines(canvas, 260, 700 - 15 * number, ["$"])
                canvas.drawRightString(330, 700 - 15 * number, value)
                canvas.drawRightString(430, 700 - 15 * number, value)

        assert rows(read_pages(draw)) == [
            ["Dues", "$ 4.00", "4.00"],
            ["Crane", "31.00", "31.00"],
            ["Water", "$ 1.00", "1.00"],
        ]

    def test_a_header_of_several_lines_above(self) -> None:
        def draw(canvas: Any) -> None:
            for x, first, second in ((260, "Dues", "per day"), (360, "Dues", "per week")):
                canvas.setFont("Helvetica-Bold", 10)
                canvas.drawString(x, 724, first)
                canvas.drawString(x, 712, second)
            for number, name in enumerate(["Dinghy", "Yacht", "Barge"]):
                for x, cell in ((LEFT, name), (260, f"{number}.00"), (360, f"{number}5.00")):
                    lines(canvas, x, 695 - 15 * number, [cell], size=10)

        document = read_pages(draw)
        assert document.blocks[0].columns == ("column 1", "Dues per day", "Dues per week")

    def test_a_head_over_several_columns(self) -> None:
        document = read(statement())
        (table,) = [block for block in document.blocks if block.kind == "table"]
        assert table.columns == (
            "column 1",
            "13 Weeks Ended March 30, 2024",
            "13 Weeks Ended March 30, 2024 (2)",
            "13 Weeks Ended April 1, 2023",
            "13 Weeks Ended April 1, 2023 (2)",
        )
        assert rows(document)[0] == ["Mooring fees¹", "$ 1,204", "60.2%", "$ 1,101", "61.0%"]
        assert rows(document)[3] == ["Wages and pensions of the whole crew", "(310)²", "(15.5%)", "(301)", "(16.7%)"]

    def test_a_repeated_cell_has_its_box_as_often(self) -> None:
        document = read(statement())
        (table,) = [block for block in document.blocks if block.kind == "table"]
        boxes = document.place(document.blocks[1].header).boxes if document.blocks[1].header else ()
        assert len(boxes) == 8
        assert len(set(boxes)) == 3
        assert document.place(table.rows[0]).boxes[1].x0 == pytest.approx(255, abs=1)  # the sign and its number

    def test_a_title_over_everything_is_no_head(self) -> None:
        def draw(canvas: Any) -> None:
            canvas.setFont("Helvetica", 10)
            canvas.drawCentredString((LEFT + 420) / 2, 714, "The catch in tonnes")
            aligned(canvas, [LEFT, 260, 420], 700, [["", "Monday", "Friday"], *FISH[1:]], head=False)

        document = read_pages(draw)
        assert document.blocks[-1].columns == ("column 1", "Monday", "Friday")
        assert "The catch in tonnes" in blocks(document, "paragraph")

    def test_a_name_that_is_wider_than_its_column(self) -> None:
        cells = [*FISH, ["Pike, perch and all that is caught", "", "0"]]
        assert rows(read_pages(aligned_page(cells)))[-1] == ["Pike, perch and all that is caught", "", "0"]

    def test_signs_in_the_first_and_the_last_row_only(self) -> None:
        def draw(canvas: Any) -> None:
            for number, name in enumerate(["Dues", "Crane", "Boats", "Total"]):
                lines(canvas, LEFT + (6 if number == 3 else 0), 700 - 15 * number, [name], size=10)
                for column in range(3):
                    canvas.drawRightString(260 + 90 * column, 700 - 15 * number, f"{number}{column}")
                    if number in (0, 3):
                        canvas.drawString(210 + 90 * column, 700 - 15 * number, "$")

        assert rows(read_pages(draw))[2:] == [["Boats", "20", "21", "22"], ["Total", "$ 30", "$ 31", "$ 32"]]

    def test_names_that_are_indented(self) -> None:
        def draw(canvas: Any) -> None:
            for number, (name, value) in enumerate([("Dues", "4"), ("Crane", "31"), ("Boats", "35"), ("Net", "7")] * 2):
                indent = 12 if number % 2 else 0
                lines(canvas, LEFT + indent, 700 - 15 * number, [name], size=10)
                canvas.drawRightString(300, 700 - 15 * number, value)
                canvas.drawRightString(400, 700 - 15 * number, value)

        assert len(rows(read_pages(draw))) == 8

    def test_a_number_in_brackets_is_no_mark_of_a_list(self) -> None:
        cells = [["Fish", "Loss", "Gain"], ["Cod", "(7)", "$ 4"], ["Eel", "(3)", "$ 5"]]
        assert rows(read_pages(aligned_page(cells))) == cells[1:]

    def test_columns_that_nobody_sees(self) -> None:
        """Two columns that the file counts as four."""
        wide = tagged().replace(b"/ColSpan 2 /RowSpan 1", b"/ColSpan 4 /RowSpan 1")
        assert read(wide).blocks[-1].columns == ("Light", "Colour")

    @pytest.mark.parametrize(
        "page",
        [
            text_page("The harbour office is open from six in the morning.", "The lock is open at high water."),
            text_page("1. Cod", "2. Plaice", "3. Eel"),
            text_page("• Cod", "• Plaice", "• Eel"),
        ],
    )
    def test_what_is_none(self, page: Draw) -> None:
        assert not blocks(read_pages(page), "table")

    def test_code_is_none(self) -> None:
        def draw(canvas: Any) -> None:
            lines(
                canvas, LEFT, 740, ["This is how the gauge is read, once in an hour, at night as well as by day."] * 3
            )
            lines(canvas, LEFT, 680, ["SELECT     level", "FROM       gauge", "WHERE      day = 1"], font="Courier")

        document = read_pages(draw)
        assert not blocks(document, "table")
        assert "SELECT     level\nFROM       gauge" in document.text


def test_grids_of_rules() -> None:
    shapes = Shapes(
        horizontal=[(0, y, 100, y + 0.5) for y in (0, 20, 40)], vertical=[(x, 0, x + 0.5, 40) for x in (0, 50, 99.5)]
    )
    (grid,) = grids_of(shapes)
    assert grid.cell_at(10, 10) == (0, 0)
    assert grid.cell_at(90, 30) == (1, 1)
    assert grid.cell_at(500, 30) is None
    assert not grids_of(Shapes(horizontal=shapes.horizontal))
    assert ruled_bands(shapes) == [([0.25, 20.25, 40.25], 0, 100)]


@pytest.mark.parametrize(
    ("read_as", "text"),
    [("ef\ufb01cient", "efficient"), ("u\u0308ber", "über"), ("\uf0b7", "•"), ("a\u200bb\u00ad", "ab")],
)
def test_clean(read_as: str, text: str) -> None:
    assert clean(read_as) == text
