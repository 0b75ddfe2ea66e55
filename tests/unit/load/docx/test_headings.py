"""What a paragraph is: by the chain of its style, its outline level, and the name of a style in any language."""

from __future__ import annotations

import pytest
from tests.unit.load.docx.loading import headings, load, notices, text_of
from tools.make_golden_docx import paragraph, style

from pincite.load.docx.style_names import Role, role_of_name

ENDLESS = style("A", "a", base="B") + style("B", "b", base="A")


def outline(level: int) -> str:
    return f'<w:outlineLvl w:val="{level}"/>'


@pytest.mark.parametrize(
    "name",
    [
        *("heading 2", "Heading 2", "HEADING  2", "Heading2", "heading 2,h2,Chapter", "Überschrift 2", "berschrift2"),
        *(
            "Titre 2",
            "Título 2",
            "Titolo 2",
            "Kop 2",
            "Rubrik 2",
            "Overskrift 2",
            "Nagłówek 2",
            "Nadpis 2",
            "Otsikko 2",
        ),
        *("Заголовок 2", "Címsor 2", "Başlık 2", "見出し 2", "見出し２", "标题 2", "標題 2", "제목 2", "Επικεφαλίδα 2"),
    ],
)
def test_names_of_heading_styles_in_many_languages(name: str) -> None:
    assert role_of_name(name) == Role("heading", 2)
    document = load(paragraph("Tor", style="X"), styles=style("X", name))
    assert headings(document) == [(2, "Tor")]


@pytest.mark.parametrize("name", ["Title", "Titel", "Titre", "Título", "Titolo", "Tytuł", "標題", "Konu Başlığı"])
def test_names_of_title_styles_in_many_languages(name: str) -> None:
    assert headings(load(paragraph("Tor", style="X"), styles=style("X", name))) == [(1, "Tor")]


@pytest.mark.parametrize("name", ["Dok_Titel", "Heading", "heading 0", "heading 10", "Tabellenkopf 1x", "Rubrik"])
def test_names_that_only_look_like_headings(name: str) -> None:
    assert role_of_name(name) is None


def test_a_style_inherits_what_it_is() -> None:
    styles = style("H", "heading 3") + style("B", "Abschnitt", base="H") + style("C", "Unterabschnitt", base="B")
    assert headings(load(paragraph("Tor", style="C"), styles=styles)) == [(3, "Tor")]


def test_the_outline_level_of_a_style_makes_a_heading() -> None:
    styles = style("A", "Kapitel", properties=outline(1)) + style("B", "Unterkapitel", base="A")
    assert headings(load(paragraph("Tor", style="B"), styles=styles)) == [(2, "Tor")]


def test_a_style_can_say_that_it_is_no_heading_though_it_looks_like_one() -> None:
    styles = style("H", "heading 1") + style("N", "Vorspann", base="H", properties=outline(9))
    assert headings(load(paragraph("Tor", style="N"), styles=styles)) == []


def test_the_outline_level_of_the_paragraph_counts_more_than_its_style() -> None:
    styles = style("H", "heading 1")
    body = paragraph("Eins", properties=outline(2)) + paragraph("Zwei", style="H", properties=outline(9))
    assert headings(load(body, styles=styles)) == [(3, "Eins")]


def test_an_outline_level_that_is_no_number_says_nothing() -> None:
    assert headings(load(paragraph("Eins", properties='<w:outlineLvl w:val="x"/>'))) == []


def test_without_a_style_sheet_the_id_is_the_name() -> None:
    assert headings(load(paragraph("Tor", style="Heading2"))) == [(2, "Tor")]


def test_styles_based_on_each_other_end() -> None:
    assert headings(load(paragraph("Tor", style="A"), styles=ENDLESS)) == []


def test_headings_stand_one_level_below_a_title_before_them() -> None:
    title, heading = paragraph("Handbuch", style="Title"), paragraph("Tor", style="Heading1")
    assert headings(load(title + heading)) == [(1, "Handbuch"), (2, "Tor")]
    assert headings(load(heading + title + heading)) == [(1, "Tor"), (1, "Handbuch"), (1, "Tor")]
    assert load(title + heading + paragraph("Auf.")).sections[-1].path == ("Handbuch", "Tor")


def test_a_line_break_in_a_heading_is_a_blank() -> None:
    document = load(paragraph("Tor", style="Heading1", inside="<w:r><w:br/><w:t>Nord</w:t></w:r>"))
    assert document.text == "# Tor Nord\n"
    assert headings(document) == [(1, "Tor Nord")]


def test_bold_text_is_no_heading() -> None:
    assert headings(load(paragraph(inside="<w:r><w:rPr><w:b/></w:rPr><w:t>Tor</w:t></w:r>"))) == []


def test_the_subtitle_is_no_title_even_where_it_is_based_on_it() -> None:
    styles = style("T", "Title") + style("S", "Subtitle", base="T")
    assert text_of(paragraph("Tor", style="S"), styles=styles) == "Tor\n"


def test_code_quotes_and_captions_by_style() -> None:
    styles = style("P", "HTML Preformatted") + style("Q", "Zitat") + style("C", "Image Caption", base="D")
    styles += style("D", "caption")
    body = (
        paragraph("a = 1", style="P") + paragraph(style="P") + paragraph("  b", style="P") + paragraph("so", style="Q")
    )
    document = load(body + paragraph("Bild 1", style="C"), styles=styles)
    assert document.text == "```\na = 1\n\n  b\n```\n\n> so\n\nBild 1\n"
    assert [block.kind for block in document.blocks] == ["code", "quote", "paragraph", "caption"]


def test_entries_of_a_table_of_contents_are_left_out_by_style_too() -> None:
    body = paragraph("Inhalt", style="TOCHeading") + paragraph("Tor\t3", style="TOC1") + paragraph("Text")
    document = load(body, styles=style("TOCHeading", "TOC Heading") + style("TOC1", "toc 1"))
    assert document.text == "Text\n"
    assert notices(document) == ["contents"]


def test_a_chain_of_styles_has_an_end() -> None:
    styles = style("S0", "heading 1") + "".join(style(f"S{n}", f"s{n}", base=f"S{n - 1}") for n in range(1, 2000))
    body = paragraph("near", style="S9") + paragraph("far", style="S1999")
    assert headings(load(body, styles=styles)) == [(1, "near")]
