"""Cells: where a document may be cut, and what is said of each place."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.documents import markdown_document, markdown_documents

from pincite import catalogue
from pincite.chunk.cells import Cell, CellBorder, CellCutter, grouped
from pincite.chunk.packing import Packing
from pincite.model import Block, Document, Span
from pincite.text import graphemes


def packing_of(document: Document, max_tokens: int, counter: str = "words") -> Packing:
    return Packing(document, catalogue.create("counter", counter), max_tokens=max_tokens)


def cells_of(text: str, *, max_tokens: int = 50, grain: int = 0, least: int = 0, counter: str = "words") -> list[Cell]:
    packing = packing_of(markdown_document(text), max_tokens, counter)
    return list(CellCutter(packing, grain=grain, least=least).cells())


def shown(text: str, **options: Any) -> list[str]:
    return [cell.span.of(text) for cell in cells_of(text, **options)]


def borders(text: str, **options: Any) -> list[CellBorder]:
    return [cell.border for cell in cells_of(text, **options)]


def test_sentences_and_items_are_cells_but_code_and_tables_are_whole() -> None:
    text = (
        "One is. Two is.\n\n- item a. More of it.\n- item b\n\n```\nx = 1\n\ny = 2\n```\n\n| a |\n|---|\n| b |\n\n"
        "> Quoted. Again.\n"
    )
    assert shown(text) == [
        "One is.",
        "Two is.",
        "- item a. More of it.",
        "- item b",
        "```\nx = 1\n\ny = 2\n```",
        "| a |\n|---|\n| b |",
        "> Quoted.",
        "Again.",
    ]


def test_blocks_up_to_the_grain_are_not_opened() -> None:
    text = "One is. Two is.\n\nThree is here. Four is here.\n\n- a\n- b\n"
    assert shown(text, grain=4) == ["One is. Two is.", "Three is here.", "Four is here.", "- a\n- b"]


def test_a_list_of_one_item_is_the_item() -> None:
    assert shown("- One is. Two is.\n") == ["- One is. Two is."]


def test_an_item_over_the_limit_is_opened_at_its_blocks() -> None:
    text = "- One two three.\n\n  Four five six.\n\n  - inner a b\n  - inner c d\n"
    cells = cells_of(text, max_tokens=6)
    assert [cell.span.of(text) for cell in cells] == [
        "- One two three.",
        "Four five six.",
        "- inner a b",
        "- inner c d",
    ]
    assert [(cell.border.kind, cell.border.level) for cell in cells] == [
        ("block", 0),
        ("block", 0),
        ("block", 0),
        ("item", 2),
    ]


def test_a_table_over_the_limit_is_cut_between_rows_which_are_never_opened() -> None:
    text = "| name |\n|---|\n| One is. Two is. |\n| b c d |\n| e f g |\n"
    cells = cells_of(text, max_tokens=10)
    assert [cell.span.of(text) for cell in cells] == ["| name |\n|---|\n| One is. Two is. |", "| b c d |", "| e f g |"]
    assert [cell.border.kind for cell in cells] == ["block", "row", "row"]
    assert [cell.room for cell in cells] == [10, 6, 6]


def test_what_has_no_border_is_cut_anywhere_inside() -> None:
    cells = cells_of("abcdefgh " * 3, max_tokens=5, counter="characters")
    assert [cell.border.kind for cell in cells] == ["block"] + ["inside"] * (len(cells) - 1)
    assert all(cell.tokens <= 6 for cell in cells)


def test_code_over_the_limit_is_cut_at_its_lines() -> None:
    assert [b.kind for b in borders("```\na b\nc d\n\ne f\n```\n", max_tokens=5)] == ["block", "inside"]


def test_a_blank_in_front_may_hide_tokens() -> None:
    text = "- The 。 Zürich."
    counter = catalogue.create("counter", "o200k_base")
    assert counter.count(" Zürich.") == 2
    assert counter.count("Zürich.") == 4
    assert all(counter.count(piece) <= 2 for piece in shown(text, max_tokens=2, counter="o200k_base"))


def test_headings_go_with_the_first_of_their_text() -> None:
    text = "# A\n\n## B\n\nOne is. Two is.\n\n## C\n\nThree.\n"
    cells = cells_of(text)
    assert [cell.span.of(text) for cell in cells] == ["# A\n\n## B\n\nOne is.", "Two is.", "## C\n\nThree."]
    assert [cell.apart for cell in cells] == [True, False, False]
    assert cells[0].home.path == ("A",)
    assert cells[0].section.path == ("A", "B")
    assert cells[2].border == CellBorder("heading", 2, "paragraph", "heading", blank=True)


def test_headings_that_do_not_fit_with_their_text_stand_alone() -> None:
    text = "# A b c\n\n## D e\n\nOne two three.\n"
    assert shown(text, max_tokens=6) == ["# A b c", "## D e\n\nOne two three."]
    cells = cells_of(text, max_tokens=4)
    assert [cell.span.of(text) for cell in cells] == ["# A b c", "## D e", "One two three."]
    assert [cell.bare for cell in cells] == [True, True, False]
    assert cells[2].border.kind == "text"


def test_a_heading_over_the_limit_is_cut_and_its_end_goes_with_the_text() -> None:
    text = "# " + "a, " * 30 + "\n\nText.\n"
    cells = cells_of(text, max_tokens=7)
    assert " ".join(cell.span.of(text) for cell in cells).split() == text.split()
    assert not any("Text." in cell.span.of(text) for cell in cells[:-1])
    assert [cell.bare for cell in cells[:-1]] == [True] * (len(cells) - 1)
    assert {cell.border.kind for cell in cells[1:]} <= {"inside", "text"}


def test_headings_without_text_are_a_cell_before_a_sibling_and_at_the_end() -> None:
    text = "# A\n\nOne.\n\n## Empty\n\n## B\n\nTwo.\n\n### End\n"
    cells = cells_of(text)
    assert [cell.span.of(text) for cell in cells] == ["# A\n\nOne.", "## Empty", "## B\n\nTwo.", "### End"]
    assert [cell.bare for cell in cells] == [False, True, False, True]
    assert [cell.border.level for cell in cells] == [1, 2, 2, 3]


def test_a_bare_heading_at_the_start_is_a_cell() -> None:
    assert shown("# Empty\n\n# B\n\nTwo.\n") == ["# Empty", "# B\n\nTwo."]


def test_text_before_the_first_heading_is_apart() -> None:
    assert [cell.apart for cell in cells_of("Before. More.\n\n# A\n\nOne.\n")] == [True, False, True]


@pytest.mark.parametrize(
    ("before", "after", "blank", "leads"),
    [
        ("Like this:", "```\nx\n```", True, True),
        ("**Like this:**", "- a", True, True),
        ("看：", "Text.", True, True),
        ("Like this...", "```\nx\n```", True, True),
        ("Like this…", "> Text.", True, False),
        ("Like this", "```\nx\n```", False, False),
        ("At 10:30", "Text.", True, False),
    ],
)
def test_a_colon_leads_over_and_a_blank_line_is_seen(before: str, after: str, blank: bool, leads: bool) -> None:
    for line_end in ("\n", "\r\n"):
        text = f"{before}\n{after}" if not blank else f"{before}\n\n{after}"
        second = borders(text.replace("\n", line_end))[1]
        assert (second.blank, second.leads) == (blank, leads)


def test_kinds_on_both_sides_and_pictures() -> None:
    text = "One\n\n```\nx\n```\n\n![A boat](boat.png)\n\n<img src='boat.png'>\n"
    assert [(border.before, border.after) for border in borders(text)] == [
        ("", "paragraph"),
        ("paragraph", "code"),
        ("code", "picture"),
        ("paragraph", "picture"),
    ]


def test_small_pieces_of_one_block_are_one_cell() -> None:
    text = "# H\n\nOne. Two. Three. Four is here. Five.\n\nSix.\n\n- a\n- b\n- c\n"
    heads = ["# H\n\nOne.", "Two. Three.", "Four is here.", "Five.", "Six."]
    assert shown(text, least=2) == [*heads, "- a", "- b", "- c"]
    assert shown(text, least=4) == ["# H\n\nOne. Two.", "Three. Four is here.", "Five.", "Six.", "- a\n- b", "- c"]


def test_tiny_paragraphs_are_one_cell() -> None:
    text = "a\n\nb\n\nc d\n\n- e\n\n> f\n"
    assert shown(text, least=8) == ["a\n\nb", "c d", "- e", "> f"]
    assert shown(f"# H\n\n{text}", least=12) == ["# H\n\na", "b\n\nc d", "- e", "> f"]


def test_a_heading_that_shows_nothing_parts_tiny_paragraphs_all_the_same() -> None:
    text = "# H\n\na\n \nb\n"
    blocks = (
        Block("heading", Span(0, 3), level=1, title="H"),
        Block("paragraph", Span(5, 6)),
        Block("heading", Span(7, 8), level=2),
        Block("paragraph", Span(9, 10)),
    )
    document = Document(id="a.html", source="a.html", media_type="text/html", text=text, blocks=blocks)
    cells = list(CellCutter(packing_of(document, 50), grain=0, least=50).cells())
    assert [cell.span.of(text) for cell in cells] == ["# H\n\na", "b"]


def test_a_heading_without_text_takes_in_no_sentence() -> None:
    text = "# a b c\n\nOne two. Three.\n"
    assert shown(text, max_tokens=4, least=4) == ["# a b c", "One two. Three."]


def test_a_group_has_the_path_that_its_texts_share() -> None:
    text = "# A\n\n## Empty\n\n## B\n\nOne.\n\n### C\n\nTwo.\n\n## D\n\nThree.\n"
    packing = packing_of(markdown_document(text), 50)
    cells = list(CellCutter(packing, grain=0).cells())
    assert grouped(packing, cells[1:3]).path == ("A", "B")
    assert grouped(packing, cells[2:3]).above == ("A", "B")
    assert grouped(packing, cells[1:]).path == ("A",)
    assert grouped(packing, cells[1:]).levels == (1,)
    bare = grouped(packing, cells[:1])
    assert (bare.path, bare.above) == (("A", "Empty"), ())
    assert grouped(packing, cells).tokens == len(text.split())


@given(
    document=markdown_documents,
    max_tokens=st.sampled_from((1, 2, 5, 13, 30)),
    share=st.sampled_from((0, 1, 3)),
    counter=st.sampled_from(("words", "characters", "o200k_base")),
)
def test_cells_hold_everything_in_order_and_within_the_limit(
    document: Document, max_tokens: int, share: int, counter: str
) -> None:
    packing = packing_of(document, max_tokens, counter)
    cells = list(CellCutter(packing, grain=max_tokens // 2 * share // 3, least=max_tokens // 8).cells())
    spans = [cell.span for cell in cells]
    assert all(earlier.end <= later.start for earlier, later in pairwise(spans))
    ends = [document.body_start, *(span.end for span in spans)]
    starts = [*(span.start for span in spans), len(document.text)]
    assert not any(document.text[end:start].strip() for end, start in zip(ends, starts, strict=True))
    for cell in cells:
        text = cell.span.of(document.text)
        assert packing.counter.count(text) <= max_tokens or graphemes.next_border(text, 0) == len(text)
        assert cell.tokens == sum(atom.tokens for atom in cell.atoms)
    assert all(cell.apart for cell in cells[:1])
