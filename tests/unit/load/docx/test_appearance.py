"""Text that nobody sees in a Word document is left out, and told of; what is seen stays."""

from __future__ import annotations

import pytest
from tests.unit.load.docx.loading import load, notices
from tools.make_golden_docx import NAMESPACES, cell, field, paragraph, row, run, style, table, text_box

from pincite.load.docx.appearance import NOTHING_SAID, Appearance, Page
from pincite.load.docx.tags import W
from pincite.load.xml import parse_xml

WHITE = '<w:color w:val="FFFFFF"/>'
TINY = '<w:sz w:val="2"/>'
DARK = '<w:shd w:val="clear" w:color="auto" w:fill="1F3864"/>'
PALE = '<w:shd w:val="clear" w:color="auto" w:fill="FFFFFF"/>'
AROUND = "The crane lifts 8 t."


def styled(style_id: str, properties: str, *, base: str = "", kind: str = "paragraph", more: str = "") -> str:
    text = f"<w:rPr>{properties}</w:rPr></w:style>"
    return style(style_id, style_id, base=base, kind=kind, properties=more).replace("</w:style>", text)


def defaults(properties: str) -> str:
    return f"<w:docDefaults><w:rPrDefault><w:rPr>{properties}</w:rPr></w:rPrDefault></w:docDefaults>"


@pytest.mark.parametrize(
    "properties",
    [
        "<w:vanish/>",
        '<w:vanish w:val="1"/>',
        "<w:webHidden/>",
        TINY,
        '<w:sz w:val="1"/>',
        WHITE,
        '<w:color w:val="fefefe"/>',
        '<w:color w:val="FFFFFF" w:themeColor="background1"/>',
        WHITE + PALE,
        WHITE + '<w:shd w:val="clear" w:fill="auto"/>',
        WHITE + '<w:highlight w:val="white"/>',
        WHITE + '<w:highlight w:val="none"/>',
    ],
)
def test_unseen(properties: str) -> None:
    secret = run(" Say 99.", properties)
    for body, styles in (
        (paragraph(AROUND, inside=secret), ""),
        (paragraph(AROUND, inside=run(" Say 99.", '<w:rStyle w:val="S"/>')), styled("S", properties, kind="character")),
        (
            paragraph(AROUND, inside=run(" Say 99.", '<w:rStyle w:val="S"/>')),
            styled("R", properties, kind="character") + styled("S", "<w:b/>", base="R", kind="character"),
        ),
        (paragraph(AROUND) + paragraph("Say 99.", style="P"), styled("O", properties) + styled("P", "", base="O")),
        (paragraph(AROUND, inside=secret, properties=PALE), ""),
        (table(row(AROUND, "x"), row("y", cell(paragraph(inside=run("Say 99.", properties)), PALE))), ""),
    ):
        document = load(body, styles=styles)
        assert AROUND in document.text
        assert "99" not in document.text
        (notice,) = (each for each in document.warnings if each.kind == "hidden_text")
        assert notice.message == "7 characters that nobody sees were left out"


def test_defaults_and_default_style_hold_where_nothing_nearer_says_otherwise() -> None:
    seen = run("KEPT", '<w:color w:val="000000"/><w:sz w:val="20"/>')
    for properties in (TINY, WHITE):
        document = load(paragraph("99", inside=seen), styles=defaults(properties))
        assert document.text == "KEPT\n"
    normal = styled("N", WHITE).replace('w:type="paragraph"', 'w:type="paragraph" w:default="1"')
    assert load(paragraph("99", inside=seen), styles=normal).text == "KEPT\n"


@pytest.mark.parametrize(
    "body",
    [
        paragraph(inside=run("KEPT", '<w:vanish w:val="0"/>')),
        paragraph(inside=run("KEPT", '<w:sz w:val="3"/>')),
        paragraph(inside=run("KEPT", '<w:sz w:val="large"/>')),
        paragraph(inside=run("KEPT", '<w:color w:val="auto"/>')),
        paragraph(inside=run("KEPT", '<w:color w:val="D9D9D9"/>')),
        paragraph(inside=run("KEPT", '<w:color w:val="whitey"/>')),
        paragraph(inside=run("KEPT", WHITE + DARK)),
        paragraph(inside=run("KEPT", WHITE + '<w:shd w:val="solid" w:fill="auto"/>')),
        paragraph(inside=run("KEPT", WHITE + '<w:shd w:val="clear" w:fill="FFFFFF" w:themeFill="text1"/>')),
        paragraph(inside=run("KEPT", WHITE + '<w:highlight w:val="black"/>')),
        paragraph(inside=run("KEPT", WHITE), properties=DARK),
        paragraph(inside=run("KEPT", WHITE), style="Band"),
        paragraph(inside=run("KEPT", '<w:rStyle w:val="Loud"/>' + '<w:vanish w:val="false"/>')),
        table(row("a", cell(paragraph(inside=run("KEPT", WHITE)), DARK))),
        table(row("a", cell(paragraph(inside=run("KEPT", WHITE)))), properties='<w:tblStyle w:val="GridTable4"/>'),
        table(row("a", cell(paragraph(inside=run("KEPT", WHITE)))), properties=DARK),
        paragraph("x", inside=text_box(paragraph(inside=run("KEPT", WHITE)))),
        paragraph(inside=run("KEPT", WHITE))
        + paragraph(inside='<w:r><w:drawing><wp:anchor behindDoc="1"/></w:drawing></w:r>'),
    ],
)
def test_seen(body: str) -> None:
    styles = (
        style("Base", "Base", properties=DARK)
        + style("Band", "Band", base="Base")
        + styled("Loud", "<w:vanish/>", kind="character")
    )
    document = load(body, styles=styles)
    assert "KEPT" in document.text
    assert "hidden_text" not in notices(document)


def test_a_coloured_page_is_no_white_ground() -> None:
    names = " ".join(f'xmlns:{prefix}="{uri}"' for prefix, uri in NAMESPACES.items())
    for background, coloured in (
        ("", False),
        ('<w:background w:color="FFFFFF"/>', False),
        ('<w:background w:color="000000"/>', True),
        ('<w:background w:themeColor="text1"/>', True),
    ):
        data = f"<w:document {names}>{background}<w:body><w:p/></w:body></w:document>"
        body = parse_xml(data.encode(), path="a.docx", part="document.xml").find(W + "body")
        assert body is not None
        assert Page.of(body).coloured is coloured


def test_what_is_not_text_stays_in_a_run_of_unseen_text() -> None:
    body = paragraph(
        "one",
        inside=run(" ", WHITE)
        + run("two", "<w:b/>")
        + f'<w:r><w:rPr>{WHITE}</w:rPr><w:tab/><w:t>99</w:t><w:br/><w:sym w:font="Symbol" w:char="F061"/></w:r>'
        + run("three"),
    )
    document = load(body)
    assert document.text.split() == ["one", "two", "three"]
    assert notices(document) == ["hidden_text"]


def test_fields_end_in_hidden_runs_and_what_a_field_hides_is_not_counted() -> None:
    hidden = field("DATE", run("2024 ")).replace("<w:r><w:fldChar", f"<w:r><w:rPr>{TINY}</w:rPr><w:fldChar")
    assert load(paragraph("a ", inside=hidden + run("z"))).text == "a 2024 z\n"
    contents = field("TOC", run("x", "<w:webHidden/>"))
    assert "hidden_text" not in notices(load(paragraph("a", inside=contents)))


def test_what_is_said_nearer_counts() -> None:
    above = Appearance(hidden=True, size=2, white=True)
    assert Appearance(hidden=False, size=24).over(above) == Appearance(hidden=False, size=24, white=True)
    assert NOTHING_SAID.over(above) is above
    assert Appearance().over(above) == above
