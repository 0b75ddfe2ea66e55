"""The text of paragraphs: changes, notes, fields, boxes, symbols, equations."""

from __future__ import annotations

import pytest
from tests.unit.load.docx.loading import headings, load, notices, text_of
from tools.make_golden_docx import field, paragraph, row, run, style, table, text_box

from pincite.load.docx.loader import DocxLoader
from pincite.load.docx.symbols import symbol
from pincite.model import Place

ORIGINAL = DocxLoader(tracked="original")
DELETED = "<w:del><w:r><w:delText>old </w:delText></w:r></w:del>"
INSERTED = f"<w:ins>{run('new ')}</w:ins>"
MOVED = f"<w:moveFrom>{run('here ')}</w:moveFrom><w:moveTo>{run('there ')}</w:moveTo>"


def mark(name: str) -> str:
    return f"<w:rPr><w:{name}/></w:rPr>"


def inside(content: str) -> str:
    return text_of(paragraph("a ", inside=content + run("z"))).rstrip("\n")


def footnote(note_id: str) -> str:
    return f'<w:r><w:footnoteReference w:id="{note_id}"/></w:r>'


def footnotes(**texts: str) -> str:
    return "".join(f'<w:footnote w:id="{note_id}">{text}</w:footnote>' for note_id, text in texts.items())


def test_tracked_changes_are_accepted_or_undone() -> None:
    body = paragraph("a ", inside=DELETED + INSERTED + MOVED + run("z"))
    assert text_of(body) == "a new there z\n"
    assert text_of(body, loader=ORIGINAL) == "a old here z\n"
    assert notices(load(body)) == ["change"]


def test_a_paragraph_whose_mark_is_deleted_goes_on_in_the_next() -> None:
    body = paragraph("One ", properties=mark("del")) + paragraph("two ", properties=mark("moveFrom"))
    body += paragraph("three.", style="Heading1") + paragraph("four")
    document = load(body)
    assert document.text == "# One two three.\n\nfour\n"
    assert [document.place(p.span) for p in document.places] == [Place(paragraph=n) for n in (1, 2, 3, 4)]
    assert text_of(body, loader=ORIGINAL).splitlines()[0] == "One"


def test_a_paragraph_whose_mark_is_inserted_is_one_in_the_original() -> None:
    body = paragraph("One ", properties=mark("ins")) + paragraph("two")
    assert text_of(body, loader=ORIGINAL) == "One two\n"
    assert text_of(body) == "One\n\ntwo\n"


def test_a_heading_before_an_empty_rest_keeps_its_style() -> None:
    body = paragraph("One", style="Heading1", properties=mark("del")) + paragraph("")
    assert headings(load(body)) == [(1, "One")]


def test_a_deleted_mark_at_the_end_or_before_a_table_ends_there() -> None:
    joined = paragraph("One", properties=mark("del"))
    assert text_of(joined) == "One\n"
    assert text_of(joined + table(row("a", "b"), row("c", "d")) + paragraph("e")).startswith("One\n\n| ")


def test_the_format_before_a_tracked_change_is_that_of_the_original() -> None:
    body = paragraph("One", style="Heading1", properties="<w:pPrChange><w:pPr/></w:pPrChange>")
    assert headings(load(body)) == [(1, "One")]
    assert headings(load(body, loader=ORIGINAL)) == []
    assert headings(load(paragraph("One", style="Heading1"), loader=ORIGINAL)) == [(1, "One")]


def test_deleted_and_inserted_rows_and_cells() -> None:
    cells = "<w:tr><w:tc><w:tcPr/><w:p/></w:tc><w:tc><w:tcPr><w:cellDel/></w:tcPr>" + paragraph("gone") + "</w:tc>"
    body = table(
        row("Hall", "Hours"),
        row("A", "8 h"),
        row("B", "9 h", properties="<w:del/>"),
        row("C", "7 h", properties="<w:ins/>"),
        cells + "</w:tr>",
    )
    accepted, original = text_of(body), text_of(body, loader=ORIGINAL)
    assert ("B" in accepted, "C" in accepted, "gone" in accepted) == (False, True, False)
    assert ("B" in original, "C" in original, "gone" in original) == (True, False, True)
    assert notices(load(body)) == ["change"]


def test_content_that_was_deleted_between_paragraphs() -> None:
    body = f"<w:del>{paragraph('gone')}</w:del><w:ins>{paragraph('kept')}</w:ins>"
    assert text_of(body) == "kept\n"
    assert text_of(body, loader=ORIGINAL) == "gone\n"


def test_a_drop_cap_belongs_to_its_word() -> None:
    cap = '<w:framePr w:dropCap="drop" w:lines="3"/>'
    assert text_of(paragraph("D", properties=cap) + paragraph("as Tor.")) == "Das Tor.\n"
    assert text_of(paragraph("D", properties='<w:framePr w:w="5"/>') + paragraph("as Tor.")) == "D\n\nas Tor.\n"


def test_notes_stand_after_what_refers_to_them_and_know_its_place() -> None:
    body = paragraph("before") + paragraph("a", inside=footnote("3") + run(" b") + footnote("2")) + paragraph("c")
    document = load(body, footnotes=footnotes(**{"2": paragraph("two"), "3": paragraph("three") + paragraph("3b")}))
    assert document.text == "before\n\na[^1] b[^2]\n\n[^1]: three\n3b\n\n[^2]: two\n\nc\n"
    notes = [block for block in document.blocks if block.kind == "note"]
    assert [(block.marker, document.place(block.span)) for block in notes] == [
        ("1", Place(paragraph=2)),
        ("2", Place(paragraph=2)),
    ]


def test_a_note_stands_after_the_list_or_table_that_refers_to_it() -> None:
    body = paragraph("a", style="ListBullet", inside=footnote("1")) + paragraph("b", style="ListBullet")
    body += table(row("x", f"<w:tc>{paragraph('y', inside=footnote('2'))}</w:tc>"), row("p", "8"))
    text = text_of(body, footnotes=footnotes(**{"1": paragraph("one"), "2": table(row("two", "2"), row("", "3"))}))
    assert text.startswith("- a[^1]\n- b\n\n[^1]: one\n\n| x | y[^2] |")
    assert text.endswith("| p | 8 |\n\n[^2]: two; 2\n3\n")


def test_notes_that_refer_to_notes_end() -> None:
    notes = footnotes(**{"1": paragraph("one", inside=footnote("2")), "2": paragraph("two", inside=footnote("1"))})
    body = paragraph("a", inside=footnote("1"))
    assert text_of(body, footnotes=notes) == "a[^1]\n\n[^1]: one[^2]\n\n[^2]: two[^1]\n"


def test_a_note_referred_to_twice_is_written_once_and_a_missing_one_leaves_no_mark() -> None:
    body = paragraph("a", inside=footnote("1")) + paragraph("b", inside=footnote("1") + footnote("9"))
    assert text_of(body, footnotes=footnotes(**{"1": paragraph("one")})) == "a[^1]\n\n[^1]: one\n\nb[^1]\n"


def test_endnotes_have_labels_of_their_own() -> None:
    body = paragraph("a", inside='<w:r><w:endnoteReference w:id="1"/></w:r>' + footnote("1"))
    ends = f'<w:endnote w:id="1">{paragraph("end")}</w:endnote>'
    text = text_of(body, endnotes=ends, footnotes=footnotes(**{"1": paragraph("foot")}))
    assert text == "a[^i][^1]\n\n[^i]: end\n\n[^1]: foot\n"


def test_comments_are_out_or_in() -> None:
    comments = f'<w:comment w:id="0" w:author=" Ada  L. ">{paragraph("Why?")}</w:comment>'
    comments += f'<w:comment w:id="1">{paragraph("So.")}</w:comment>'
    body = "".join(paragraph("a", inside=f'<w:r><w:commentReference w:id="{n}"/></w:r>') for n in (0, 1))
    assert text_of(body, comments=comments) == "a\n\na\n"
    assert notices(load(body, comments=comments)) == ["comment"]
    with_comments = load(body, loader=DocxLoader(comments=True), comments=comments)
    assert with_comments.text == "a[^c1]\n\n[^c1]: Ada L.: Why?\n\na[^c2]\n\n[^c2]: So.\n"
    assert notices(with_comments) == []


def test_text_boxes_are_there_once_after_their_paragraph() -> None:
    body = paragraph("a", inside=text_box(paragraph("Box", style="Heading2") + table(row("x", "y"), row("1", "2"))))
    document = load(body + paragraph("b"))
    assert [block.kind for block in document.blocks] == ["paragraph", "heading", "table", "paragraph"]
    assert document.text.count("Box") == 1
    assert document.place(document.blocks[-1].span) == Place(paragraph=12)


def test_a_fallback_alone_and_an_alternative_without_branches() -> None:
    box = f"<w:txbxContent>{paragraph('Box')}</w:txbxContent>"
    old = f"<mc:AlternateContent><mc:Fallback><w:pict><v:textbox>{box}</v:textbox></w:pict></mc:Fallback>"
    assert (
        text_of(paragraph("a", inside=f"<w:r>{old}</mc:AlternateContent><mc:AlternateContent/></w:r>")) == "a\n\nBox\n"
    )
    group = f"<w:r><w:drawing><mc:AlternateContent><mc:Choice>{box}</mc:Choice></mc:AlternateContent></w:drawing></w:r>"
    assert text_of(paragraph(inside=group)) == "Box\n"
    empty = "<w:r><w:drawing><mc:AlternateContent/></w:drawing></w:r>"
    assert text_of(paragraph("a", inside=empty)) == "a\n"


def test_alternatives_between_paragraphs() -> None:
    both = f"<mc:Choice>{paragraph('one')}</mc:Choice><mc:Fallback>{paragraph('two')}</mc:Fallback>"
    body = f"<mc:AlternateContent>{both}</mc:AlternateContent><mc:AlternateContent/>"
    document = load(body + paragraph("three"))
    assert document.text == "one\n\nthree\n"
    assert document.place(document.blocks[-1].span) == Place(paragraph=3)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (field("DATE", run("2024 ")), "a 2024 z"),
        (field("IF " + "x", run("yes ", "<w:b/>")), "a yes z"),
        (f'<w:fldSimple w:instr="PAGE">{run("7 ")}</w:fldSimple>', "a 7 z"),
        (f'<w:fldSimple w:instr=" TOC \\o ">{run("7 ")}</w:fldSimple>', "a z"),
        (field("TOC", run("Tor ") + field("PAGEREF x", run("3"))), "a z"),
        (field("HYPERLINK x", run("link ") + field("REF y", run("2 "))), "a link 2 z"),
        ('<w:r><w:fldChar w:fldCharType="begin"/></w:r>' + run("x "), "a x z"),
        ('<w:r><w:fldChar w:fldCharType="separate"/></w:r>' + run("x "), "a x z"),
        ('<w:r><w:fldChar w:fldCharType="end"/></w:r>' + run("x "), "a x z"),
    ],
    ids=["date", "format", "simple", "simple contents", "contents", "nested", "begin", "separate", "end"],
)
def test_of_fields_only_the_result_is_text(content: str, text: str) -> None:
    assert inside(content) == text


def test_a_field_inside_the_code_of_another_is_no_text() -> None:
    begin, end = ('<w:r><w:fldChar w:fldCharType="begin"/></w:r>', '<w:r><w:fldChar w:fldCharType="end"/></w:r>')
    separate = '<w:r><w:fldChar w:fldCharType="separate"/></w:r>'
    code = begin + field("MERGEFIELD x", run("inner ")) + "<w:r><w:instrText>IF</w:instrText></w:r>"
    assert inside(code + separate + run("outer ") + end) == "a outer z"
    assert inside(begin + end) == "a z"


def test_a_deleted_field_and_hidden_marks() -> None:
    hidden = field("DATE", run("2024 ")).replace("<w:r><w:fldChar", "<w:r><w:rPr><w:vanish/></w:rPr><w:fldChar")
    assert inside(hidden) == "a 2024 z"
    begin = '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
    rest = '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    assert inside(f"<w:del>{begin}</w:del>{run('x ')}{rest}") == "a x z"
    assert inside(f"<w:r><w:ruby><w:rt>{begin}</w:rt></w:ruby></w:r>{run('x ')}{rest}") == "a x z"


def test_a_table_of_contents_over_several_paragraphs_and_in_a_control() -> None:
    marks = [f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "separate", "end")]
    code = "<w:r><w:instrText>TOC</w:instrText></w:r>"
    body = paragraph(inside=marks[0] + code + marks[1] + run("Tor 1")) + paragraph("Damm 2")
    document = load(body + paragraph(inside=marks[2] + run("Text")))
    assert document.text == "Text\n"
    assert notices(document) == ["contents"]
    gallery = '<w:sdtPr><w:docPartObj><w:docPartGallery w:val="{}"/></w:docPartObj></w:sdtPr>'
    control = f"<w:sdt>{gallery}<w:sdtContent>{paragraph('Seite')}</w:sdtContent></w:sdt>"
    assert text_of(control.format("Table of Contents")) == ""
    assert text_of(control.format("Cover Pages")) == "Seite\n"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ('<w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>', "☒"),
        ('<w:checkBox><w:default w:val="1"/></w:checkBox>', "☒"),
        ('<w:checkBox><w:default w:val="0"/></w:checkBox>', "☐"),
        ('<w:ddList><w:result w:val="1"/><w:listEntry w:val="no"/><w:listEntry w:val="yes"/></w:ddList>', "yes"),
        ('<w:ddList><w:result w:val="7"/><w:listEntry w:val="no"/></w:ddList>', ""),
        ("<w:textInput/>", ""),
    ],
    ids=["checked", "default", "unchecked", "choice", "no choice", "input"],
)
def test_form_fields_show_their_state(data: str, text: str) -> None:
    begin = f'<w:r><w:fldChar w:fldCharType="begin"><w:ffData>{data}</w:ffData></w:fldChar></w:r>'
    assert inside(begin + '<w:r><w:fldChar w:fldCharType="end"/></w:r>') == f"a {text}z"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("<w:r><w:tab/></w:r>", "a z"),
        ("<w:r><w:br/></w:r>", "a\nz"),
        ('<w:r><w:br w:type="page"/></w:r>', "a\nz"),
        ("<w:r><w:cr/><w:noBreakHyphen/></w:r>", "a\n\u2011z"),
        ("<w:r><w:t>so\xadft</w:t><w:softHyphen/></w:r>", "a softz"),
        ("<w:r><w:t>x\xa0\xa0</w:t></w:r>", "a x z"),
        ("<w:r><w:t/></w:r>", "a z"),
        ("<w:smartTag><w:smartTagPr/>" + run("tag ") + "</w:smartTag>", "a tag z"),
        ("<w:bdo>" + run("bdo ") + "</w:bdo>", "a bdo z"),
        (
            "<w:sdt><w:sdtPr><w:alias/></w:sdtPr><w:sdtContent>" + run("control ") + "</w:sdtContent></w:sdt>",
            "a control z",
        ),
        ("<w:proofErr/><w:bookmarkStart/><w:r><w:lastRenderedPageBreak/></w:r>", "a z"),
    ],
    ids=["tab", "break", "page", "hyphen", "soft", "blank", "empty", "tag", "direction", "control", "nothing"],
)
def test_what_stands_in_a_line(content: str, text: str) -> None:
    assert inside(content) == text


def test_hidden_text_is_left_out_and_reported() -> None:
    styles = style("S", "Secret", kind="character").replace("</w:style>", "<w:rPr><w:vanish/></w:rPr></w:style>")
    content = run("x", "<w:vanish/>") + run("y", '<w:vanish w:val="0"/>') + run("s", '<w:rStyle w:val="S"/>')
    document = load(
        paragraph("a", inside=content + run("t", '<w:rStyle w:val="T"/>') + run("u", "<w:b/>")), styles=styles
    )
    assert document.text == "aytu\n"
    assert notices(document) == ["hidden_text"]
    assert notices(load(paragraph("a", inside=run("", "<w:vanish/>")))) == []


def test_symbols_of_fonts_become_characters() -> None:
    fonts = '<w:rFonts w:ascii="Wingdings" w:hAnsi="Wingdings"/>'
    body = paragraph("a ", inside=run("\uf0fc", fonts) + run("\uf061", '<w:rFonts w:hAnsi="Symbol"/>') + run("\uf061"))
    document = load(body)
    assert document.text == "a ✓α\n"
    assert notices(document) == ["symbol"]


@pytest.mark.parametrize(
    ("font", "code", "text"),
    [
        *(("Symbol", "F0B7", "•"), ("symbol", "61", "α"), ("Wingdings", "F0E8", "➔"), ("Wingdings 2", "F052", "☑")),
        *(
            ("Arial", "2713", "✓"),
            ("Arial", "F061", ""),
            ("Symbol", "F07F", ""),
            ("Arial", "zz", ""),
            ("Arial", "", ""),
        ),
        *(("Arial", "D800", ""), ("Arial", "E000", ""), ("Arial", "110000", ""), ("Arial", "7", "")),
    ],
)
def test_symbol(font: str, code: str, text: str) -> None:
    assert symbol(font, code) == text


@pytest.mark.parametrize(
    ("equation", "text"),
    [
        ("<m:r><m:t>a+b</m:t></m:r>", "a+b"),
        ("<m:f><m:num>{a}</m:num><m:den>{ab}</m:den></m:f>", "a/(ab)"),
        ("<m:sSup><m:e>{a}</m:e><m:sup>{2}</m:sup></m:sSup>", "a^2"),
        ("<m:sSub><m:e>{a}</m:e><m:sub>{ab}</m:sub></m:sSub>", "a_(ab)"),
        ("<m:sSubSup><m:e>{a}</m:e><m:sub>{b}</m:sub><m:sup>{2}</m:sup></m:sSubSup>", "a_b^2"),
        ("<m:rad><m:deg/><m:e>{ab}</m:e></m:rad>", "√(ab)"),
        ("<m:rad><m:deg>{3}</m:deg><m:e>{a}</m:e></m:rad>", "3√a"),
        ("<m:d><m:e>{a}</m:e><m:e>{b}</m:e></m:d>", "(a, b)"),
        ('<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e>{a}</m:e></m:d>', "[a]"),
        ("<m:nary><m:sub>{a}</m:sub><m:sup>{b}</m:sup><m:e>{ab}</m:e></m:nary>", "∫_a^b ab"),
        ('<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub/><m:sup/><m:e>{a}</m:e></m:nary>', "∑ a"),
        ("<m:func><m:fName>{a}</m:fName><m:e>{b}</m:e></m:func>", "ab"),
    ],
)
def test_equations_are_one_line(equation: str, text: str) -> None:
    for letters in ("a", "b", "ab", "2", "3"):
        equation = equation.replace(f"{{{letters}}}", f"<m:r><m:t>{letters}</m:t></m:r>")
    assert text_of(paragraph(inside=f"<m:oMathPara><m:oMath>{equation}</m:oMath></m:oMathPara>")) == f"{text}\n"


def test_pictures_charts_and_objects_are_reported() -> None:
    picture = "<w:r><w:drawing><a:graphic><a:graphicData><pic:pic/></a:graphicData></a:graphic></w:drawing></w:r>"
    chart = '<w:r><w:drawing><a:graphicData uri="http://x/chart"/></w:drawing></w:r>'
    shape = '<w:r><w:drawing><a:graphicData uri="http://x/shape"/></w:drawing></w:r>'
    document = load(paragraph("a", inside=picture + chart + shape + "<w:r><w:object><o:OLEObject/></w:object></w:r>"))
    assert [warning.message for warning in document.warnings] == [
        "pictures, diagrams and embedded objects are not read (3)"
    ]


def test_headers_are_out_and_embedded_documents_are_reported() -> None:
    body = paragraph("a") + '<w:altChunk r:id="rId1"/><w:sectPr><w:headerReference r:id="rId2"/></w:sectPr>'
    assert notices(load(body)) == ["embedded"]
