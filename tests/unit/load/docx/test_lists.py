"""Computed numbers of headings and items, as Word counts them."""

from __future__ import annotations

import pytest
from tests.unit.load.docx.loading import load, text_of
from tools.make_golden_docx import level, numbered, numbering, paragraph, row, scheme, style, table

from pincite.load.docx.numbers import number_text

OUTLINE = scheme(0, level(0, "%1."), level(1, "%1.%2"), level(2, "%3)", "lowerLetter"))
BULLETS = scheme(1, level(0, "-", "bullet"), level(1, "o", "bullet"))
BOTH = OUTLINE + BULLETS + numbering(1, 0) + numbering(2, 1)


def lines(body: str, *, numbering: str = "", styles: str = "") -> list[str]:
    """The lines that have text, without their indentation."""
    return [line.strip() for line in text_of(body, numbering=numbering, styles=styles).splitlines() if line.strip()]


def restart(level_index: int, start: int) -> str:
    return f'<w:lvlOverride w:ilvl="{level_index}"><w:startOverride w:val="{start}"/></w:lvlOverride>'


def test_items_nest_by_level_and_keep_their_numbers() -> None:
    body = numbered("a", 1) + numbered("b", 1, 1) + numbered("c", 1, 2) + numbered("d", 1, 1) + numbered("e", 1)
    document = load(body, numbering=BOTH)
    assert document.text == "1. a\n   1.1 b\n       a) c\n   1.2 d\n2. e\n"
    items = [(block.marker, block.level) for block in document.blocks if block.kind == "item"]
    assert items == [("1.", 1), ("1.1", 2), ("a)", 3), ("1.2", 2), ("2.", 1)]


def test_deeper_levels_start_anew_after_a_higher_one() -> None:
    body = numbered("a", 1) + numbered("b", 1, 1) + numbered("c", 1) + numbered("d", 1, 1)
    assert lines(body, numbering=BOTH) == ["1. a", "1.1 b", "2. c", "2.1 d"]


def test_a_level_that_was_skipped_counts_from_then_on() -> None:
    body = numbered("a", 1) + numbered("b", 1, 2) + numbered("c", 1, 1)
    assert lines(body, numbering=BOTH) == ["1. a", "a) b", "1.2 c"]


@pytest.mark.parametrize(("after", "last"), [(0, "3) e"), (1, "1) e"), (2, "1) e")])
def test_a_level_may_start_anew_only_after_some_levels(after: int, last: str) -> None:
    levels = [level(0, "%1."), level(1, "%2."), level(2, "%3)", more=f'<w:lvlRestart w:val="{after}"/>')]
    body = numbered("a", 1) + numbered("b", 1, 2) + numbered("c", 1, 2) + numbered("d", 1) + numbered("e", 1, 2)
    assert lines(body, numbering=scheme(0, *levels) + numbering(1, 0))[-1] == last


def test_a_level_that_starts_anew_after_the_first_goes_on_after_the_second() -> None:
    levels = [level(0, "%1."), level(1, "%2."), level(2, "%3)", more='<w:lvlRestart w:val="1"/>')]
    body = numbered("a", 1, 2) + numbered("b", 1, 1) + numbered("c", 1, 2)
    assert lines(body, numbering=scheme(0, *levels) + numbering(1, 0)) == ["1) a", "2. b", "2) c"]


def test_numberings_of_one_scheme_count_on_unless_they_say_where_they_start() -> None:
    parts = OUTLINE + numbering(1, 0) + numbering(2, 0) + numbering(3, 0, restart(0, 7))
    body = numbered("a", 1) + numbered("b", 2) + numbered("c", 3) + numbered("d", 3) + numbered("e", 1)
    assert lines(body, numbering=parts) == ["1. a", "2. b", "7. c", "8. d", "9. e"]


def test_a_numbering_may_change_a_level() -> None:
    override = f'<w:lvlOverride w:ilvl="0">{level(0, "Punkt %1", "upperRoman", start=4)}</w:lvlOverride>'
    assert lines(numbered("a", 1), numbering=OUTLINE + numbering(1, 0, override)) == ["Punkt IV a"]


def test_a_numbering_may_stand_for_that_of_a_style() -> None:
    link = '<w:abstractNum w:abstractNumId="5"><w:numStyleLink w:val="Gliederung"/></w:abstractNum>'
    styles = style("Gliederung", "Gliederung", kind="numbering", properties='<w:numPr><w:numId w:val="1"/></w:numPr>')
    parts = link + OUTLINE + numbering(1, 0) + numbering(2, 5)
    assert lines(numbered("a", 2, 1), numbering=parts, styles=styles) == ["1.1 a"]


def test_legal_numbers_are_decimal() -> None:
    levels = level(0, "%1.", "upperRoman") + level(1, "%1.%2", more="<w:isLgl/>")
    body = numbered("a", 1) + numbered("b", 1, 1)
    assert lines(body, numbering=scheme(0, levels) + numbering(1, 0)) == ["I. a", "1.1 b"]


def test_the_style_ties_a_paragraph_to_its_level() -> None:
    levels = level(0, "%1.", more='<w:pStyle w:val="A"/>') + level(1, "%1.%2", more='<w:pStyle w:val="B"/>')
    own = '<w:numPr><w:numId w:val="1"/></w:numPr>'
    styles = style("A", "a", properties=own) + style("B", "b", properties=own) + style("C", "c", base="B")
    body = paragraph("x", style="A") + paragraph("y", style="B") + paragraph("z", style="C")
    parts = scheme(0, levels) + numbering(1, 0)
    assert lines(body, numbering=parts, styles=styles) == ["1. x", "1.1 y", "1.2 z"]


def test_a_paragraph_can_be_taken_out_of_the_numbering_of_its_style() -> None:
    styles = style("L", "List Number", properties='<w:numPr><w:numId w:val="1"/></w:numPr>')
    body = paragraph("a", style="L") + numbered("text", 0, style="L") + paragraph("b", style="L")
    assert lines(body, numbering=BOTH, styles=styles) == ["1. a", "text", "2. b"]


def test_bullets_by_the_name_of_the_style_alone() -> None:
    body = paragraph("a", style="ListBullet") + paragraph("b", style="ListBullet2") + paragraph("c", style="ListBullet")
    assert text_of(body) == "- a\n  - b\n- c\n"


def test_two_lists_that_follow_each_other_stay_two() -> None:
    document = load(numbered("a", 1) + numbered("b", 2) + numbered("c", 2), numbering=BOTH)
    assert document.text == "1. a\n\n- b\n- c\n"
    assert [block.kind for block in document.blocks].count("list") == 2


def test_a_list_that_begins_deep_and_goes_up() -> None:
    assert text_of(numbered("a", 2, 1) + numbered("b", 2), numbering=BOTH) == "- a\n\n- b\n"


def test_a_further_paragraph_belongs_to_the_item_above() -> None:
    body = numbered("a", 2) + paragraph("more", style="ListParagraph") + numbered("b", 2) + paragraph("text")
    assert text_of(body, numbering=BOTH) == "- a\n\n  more\n- b\n\ntext\n"


def test_numbered_headings_have_their_number_in_the_title() -> None:
    styles = style("H1", "heading 1", properties='<w:numPr><w:numId w:val="1"/></w:numPr>')
    styles += style("H2", "heading 2", base="H1", properties='<w:numPr><w:ilvl w:val="1"/></w:numPr>')
    body = paragraph("Tor", style="H1") + paragraph("Nord", style="H2") + paragraph("", style="H2")
    document = load(body + paragraph("Süd", style="H2"), numbering=BOTH, styles=styles)
    assert [block.title for block in document.blocks] == ["1 Tor", "1.1 Nord", "1.3 Süd"]


def test_a_heading_with_a_bullet_or_a_number_close_to_it() -> None:
    close = scheme(2, level(0, "K%1-", more='<w:suff w:val="nothing"/>')) + numbering(3, 2)
    body = numbered("Tor", 2, style="Heading1") + numbered("Nord", 3, style="Heading1")
    assert lines(body, numbering=BOTH + close) == ["# Tor", "# K1-Nord"]


def test_items_in_cells_keep_their_numbers() -> None:
    cells = row("Punkte", f"<w:tc>{numbered('a', 1)}{numbered('b', 1)}{numbered('c', 2)}</w:tc>")
    assert "| Punkte | 1. a<br>2. b<br>- c |" in text_of(table(cells, row("x", "y")), numbering=BOTH)


def test_numberings_that_do_not_exist_number_nothing() -> None:
    body = numbered("a", 9) + numbered("b", 4) + numbered("c", 5)
    no_text = scheme(7, level(0, "", "none")) + numbering(5, 7) + numbering(4, 99)
    assert lines(body, numbering=no_text) == ["a", "b", "c"]
    assert lines(body) == ["a", "b", "c"]


def test_a_level_without_words_starts_at_zero_and_one_that_is_not_described_is_plain() -> None:
    bare = '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:lvlText w:val="%1/%4"/></w:lvl></w:abstractNum>'
    assert lines(numbered("a", 1) + numbered("b", 1, 5), numbering=bare + numbering(1, 0)) == ["0/1 a", "b"]


@pytest.mark.parametrize(
    ("number", "style_name", "text"),
    [
        *(
            (4, "lowerRoman", "iv"),
            (1994, "upperRoman", "MCMXCIV"),
            (0, "upperRoman", "0"),
            (4000, "lowerRoman", "4000"),
        ),
        *((26, "lowerLetter", "z"), (27, "upperLetter", "AA"), (0, "lowerLetter", "0"), (781, "lowerLetter", "781")),
        *((3, "decimalZero", "03"), (12, "decimalZero", "12"), (3, "none", ""), (2, "bullet", ""), (3, "unknown", "3")),
        *(
            (1, "ordinal", "1st"),
            (2, "ordinal", "2nd"),
            (3, "ordinal", "3rd"),
            (11, "ordinal", "11th"),
            (4, "ordinal", "4th"),
        ),
        *((1, "decimalEnclosedCircle", "①"), (20, "decimalEnclosedCircle", "⑳"), (21, "decimalEnclosedCircle", "21")),
        *((10, "japaneseCounting", "十"), (21, "chineseCounting", "二十一"), (7, "japaneseCounting", "七")),
        *((100, "japaneseCounting", "100"), (2, "russianLower", "б"), (2, "russianUpper", "Б")),
    ],
)
def test_formats_of_numbers(number: int, style_name: str, text: str) -> None:
    assert number_text(number, style_name) == text
