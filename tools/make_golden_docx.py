"""Makes the DOCX inputs of the golden tests, byte for byte the same every time; the tests build theirs with it, too.

Usage: python tools/make_golden_docx.py [FOLDER]
"""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from xml.sax.saxutils import escape

GOLDEN = Path(__file__).parents[1] / "tests/golden/docx"

_SCHEMAS = "http://schemas.openxmlformats.org"
_OFFICE = f"{_SCHEMAS}/officeDocument/2006"
NAMESPACES = {
    "w": f"{_SCHEMAS}/wordprocessingml/2006/main",
    "r": f"{_OFFICE}/relationships",
    "m": f"{_OFFICE}/math",
    "a": f"{_SCHEMAS}/drawingml/2006/main",
    "wp": f"{_SCHEMAS}/drawingml/2006/wordprocessingDrawing",
    "pic": f"{_SCHEMAS}/drawingml/2006/picture",
    "mc": f"{_SCHEMAS}/markup-compatibility/2006",
    "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
    "v": "urn:schemas-microsoft-com:vml",
    "o": "urn:schemas-microsoft-com:office:office",
}
_STRICT = {
    NAMESPACES["w"]: "http://purl.oclc.org/ooxml/wordprocessingml/main",
    NAMESPACES["r"]: "http://purl.oclc.org/ooxml/officeDocument/relationships",
    NAMESPACES["m"]: "http://purl.oclc.org/ooxml/officeDocument/math",
    NAMESPACES["a"]: "http://purl.oclc.org/ooxml/drawingml/main",
    NAMESPACES["wp"]: "http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing",
}
_PACKAGE = f"{_SCHEMAS}/package/2006"
_ROOTS = {"styles", "numbering", "footnotes", "endnotes", "comments"}
_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'


def run(text: str, properties: str = "") -> str:
    """A run of text; ``properties`` is XML."""
    inner = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f'<w:r>{inner}<w:t xml:space="preserve">{escape(text)}</w:t></w:r>'


def paragraph(text: str = "", *, style: str = "", properties: str = "", inside: str = "") -> str:
    """A paragraph of that text, then ``inside``, which is XML like ``properties``."""
    own = (f'<w:pStyle w:val="{style}"/>' if style else "") + properties
    return f"<w:p>{f'<w:pPr>{own}</w:pPr>' if own else ''}{run(text) if text else ''}{inside}</w:p>"


def numbered(text: str, num_id: int, level: int = 0, *, style: str = "") -> str:
    numbering = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{num_id}"/></w:numPr>'
    return paragraph(text, style=style, properties=numbering)


def cell(content: str, properties: str = "") -> str:
    """A table cell. ``content`` is text, or XML where it begins with an angle bracket."""
    inside = content if content.startswith("<") else paragraph(content)
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{inside}</w:tc>"


def row(*cells: str, properties: str = "") -> str:
    """A table row of cells, each XML of ``cell`` or its text."""
    inside = "".join(own if own.startswith("<w:tc>") else cell(own) for own in cells)
    return f"<w:tr>{f'<w:trPr>{properties}</w:trPr>' if properties else ''}{inside}</w:tr>"


def table(*rows: str, properties: str = "") -> str:
    return f"<w:tbl><w:tblPr>{properties}</w:tblPr>{''.join(rows)}</w:tbl>"


def style(style_id: str, name: str, *, base: str = "", properties: str = "", kind: str = "paragraph") -> str:
    based = f'<w:basedOn w:val="{base}"/>' if base else ""
    inner = f"<w:pPr>{properties}</w:pPr>" if properties else ""
    return f'<w:style w:type="{kind}" w:styleId="{style_id}"><w:name w:val="{name}"/>{based}{inner}</w:style>'


def scheme(scheme_id: int, *levels: str) -> str:
    """A numbering scheme of those levels, each XML of ``level``."""
    return f'<w:abstractNum w:abstractNumId="{scheme_id}">{"".join(levels)}</w:abstractNum>'


def level(index: int, text: str, style_name: str = "decimal", *, start: int = 1, more: str = "") -> str:
    return (
        f'<w:lvl w:ilvl="{index}"><w:start w:val="{start}"/><w:numFmt w:val="{style_name}"/>{more}'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
    )


def numbering(num_id: int, scheme_id: int, overrides: str = "") -> str:
    return f'<w:num w:numId="{num_id}"><w:abstractNumId w:val="{scheme_id}"/>{overrides}</w:num>'


def field(code: str, result: str) -> str:
    """A field; ``result`` is XML of runs."""
    marks = [f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "separate", "end")]
    return f"{marks[0]}<w:r><w:instrText>{escape(code)}</w:instrText></w:r>{marks[1]}{result}{marks[2]}"


def text_box(content: str) -> str:
    """A run with a text box, once as a drawing and once as its fallback."""
    box = f"<w:txbxContent>{content}</w:txbxContent>"
    shape = f"<wps:wsp><wps:txbx>{box}</wps:txbx></wps:wsp>"
    drawing = f"<wp:inline><a:graphic><a:graphicData>{shape}</a:graphicData></a:graphic></wp:inline>"
    return (
        f'<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing>{drawing}</w:drawing></mc:Choice>'
        f"<mc:Fallback><w:pict><v:shape><v:textbox>{box}</v:textbox></v:shape></w:pict></mc:Fallback>"
        f"</mc:AlternateContent></w:r>"
    )


def docx(
    body: str,
    *,
    parts: Mapping[str, str] | None = None,
    core: str = "",
    main: str = "word/document.xml",
    strict: bool = False,
) -> bytes:
    """A document. ``parts`` has the content of ``styles``, ``numbering``, ``footnotes``, ``endnotes``, ``comments``."""
    folder, _, base = main.rpartition("/")
    members = {main: _root("document", f"<w:body>{body}</w:body>")}
    relations = []
    for name, content in (parts or {}).items():
        if name not in _ROOTS:
            raise ValueError(f"no part {name!r}")
        members[f"{folder}/{name}.xml"] = _root(name, content)
        relations.append((f"{_OFFICE}/relationships/{name}", f"{name}.xml"))
    members[f"{folder}/_rels/{base}.rels"] = _relations(relations)
    top = [(f"{_OFFICE}/relationships/officeDocument", main)]
    if core:
        top.append((f"{_PACKAGE}/relationships/metadata/core-properties", "docProps/core.xml"))
        members["docProps/core.xml"] = (
            f'{_DECLARATION}<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties"'
            f' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/">'
            f"{core}</cp:coreProperties>"
        )
    members["_rels/.rels"] = _relations(top)
    if strict:
        members = {name: _as_strict(content) for name, content in members.items()}
    types = '<Default Extension="xml" ContentType="application/xml"/>'
    members["[Content_Types].xml"] = f'{_DECLARATION}<Types xmlns="{_PACKAGE}/content-types">{types}</Types>'
    return archive({name: content.encode() for name, content in members.items()})


def archive(members: Mapping[str, bytes]) -> bytes:
    """A ZIP archive of those members, packed, all dated 1980."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in members.items():
            file.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _root(name: str, content: str) -> str:
    namespaces = "".join(f' xmlns:{prefix}="{uri}"' for prefix, uri in NAMESPACES.items())
    return f"{_DECLARATION}<w:{name}{namespaces}>{content}</w:{name}>"


def _relations(relations: Sequence[tuple[str, str]]) -> str:
    inside = "".join(
        f'<Relationship Id="rId{number}" Type="{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(relations, start=1)
    )
    return f'{_DECLARATION}<Relationships xmlns="{_PACKAGE}/relationships">{inside}</Relationships>'


def _as_strict(content: str) -> str:
    for transitional, strict in _STRICT.items():
        content = content.replace(transitional, strict)
    return content


STYLES = "".join(
    (
        '<w:style w:type="paragraph" w:default="1" w:styleId="Standard"><w:name w:val="Normal"/></w:style>',
        style("Titel", "Title", base="Standard"),
        style("Untertitel", "Subtitle", base="Titel"),
        style("berschrift1", "Überschrift 1", base="Standard", properties='<w:numPr><w:numId w:val="1"/></w:numPr>'),
        style(
            "berschrift2",
            "heading 2",
            base="Standard",
            properties='<w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr><w:outlineLvl w:val="1"/>',
        ),
        style("Anhang", "Anhang", base="berschrift2", properties='<w:numPr><w:numId w:val="0"/></w:numPr>'),
        style("Quelltext", "Quelltext", base="Standard"),
        style("Zitat", "Quote", base="Standard"),
        style("Beschriftung", "caption", base="Standard"),
        style("Liste", "List Bullet", base="Standard", properties='<w:numPr><w:numId w:val="2"/></w:numPr>'),
        style("Absatz", "List Paragraph", base="Standard"),
        style("Verzeichnis1", "toc 1", base="Standard"),
        style("Versteckt", "Versteckt", kind="character").replace("</w:style>", "<w:rPr><w:vanish/></w:rPr></w:style>"),
    )
)
_BULLETS = scheme(2, level(0, "\uf0b7", "bullet"), level(1, "o", "bullet"))
_CLAUSES = scheme(3, level(0, "§ %1"), level(1, "(%2)", "lowerLetter"), level(2, "%3)", "lowerRoman"))
NUMBERING = "".join(
    (
        scheme(1, level(0, "%1"), level(1, "%1.%2.")),
        _BULLETS,
        _CLAUSES,
        numbering(1, 1),
        numbering(2, 2),
        numbering(3, 3),
        numbering(4, 3, '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'),
    )
)
_RUBY = (
    "<w:r><w:ruby><w:rt><w:r><w:t>かい</w:t></w:r></w:rt>"
    "<w:rubyBase><w:r><w:t>会</w:t></w:r></w:rubyBase></w:ruby></w:r>"
)
_EQUATION = (
    "<m:oMath><m:r><m:t>E=</m:t></m:r><m:f><m:num><m:r><m:t>m</m:t></m:r></m:num><m:den><m:r><m:t>1-v</m:t></m:r></m:den>"
    "</m:f><m:sSup><m:e><m:r><m:t>c</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath>"
)


def structure() -> bytes:
    """Title, numbered headings, lists, code, quotes and captions under styles with German names."""
    contents = field(' TOC \\o "1-3" ', run("1 Betrieb") + "<w:r><w:tab/></w:r>" + run("3"))
    return docx(
        paragraph("Handbuch der Schleuse", style="Titel")
        + paragraph("für die Wärter", style="Untertitel")
        + paragraph(style="Verzeichnis1", inside=contents)
        + paragraph("Betrieb", style="berschrift1")
        + paragraph("Die Schleuse öffnet um sechs Uhr.")
        + paragraph("Vor der Einfahrt", style="berschrift2")
        + paragraph("Lampen prüfen", style="Liste")
        + numbered("vorne", 2, 1, style="Liste")
        + paragraph("Seile bereitlegen", style="Liste")
        + paragraph("Es müssen zwei sein.", style="Absatz")
        + paragraph("Nach der Ausfahrt", style="berschrift2")
        + numbered("Der Wärter meldet die Ausfahrt.", 3)
        + numbered("mündlich oder", 3, 1)
        + numbered("schriftlich.", 3, 1)
        + numbered("Er schließt das Tor.", 3)
        + numbered("Von vorn gezählt.", 4)
        + paragraph("Meldung", style="berschrift1")
        + paragraph("def melden(tor):", style="Quelltext")
        + paragraph("    return tor.zu", style="Quelltext", inside="<w:r><w:br/><w:t>    # ``` </w:t></w:r>")
        + paragraph("Wer schweigt, wartet.", style="Zitat")
        + paragraph("Alte Regel", style="Zitat")
        + paragraph("Abbildung 1: Das Tor", style="Beschriftung")
        + paragraph("Pläne", style="Anhang")
        + paragraph("Kein Fließtext", properties='<w:outlineLvl w:val="2"/>')
        + paragraph("Ende."),
        parts={"styles": STYLES, "numbering": NUMBERING},
        core=(
            "<dc:title>Handbuch</dc:title><dc:creator>Wasseramt; Hafenamt</dc:creator><dc:language>de-DE</dc:language>"
            "<cp:keywords>Schleuse, Tor</cp:keywords><cp:version>3</cp:version>"
            "<dcterms:created>2024-02-03T10:00:00Z</dcterms:created>"
        ),
    )


def tables() -> bytes:
    """Merged, nested and framed tables, with and without a header."""
    restart, below = '<w:vMerge w:val="restart"/>', "<w:vMerge/>"
    marked = "<w:tblHeader/>"
    return docx(
        paragraph("Maschinen je Halle")
        + table(
            row(cell("Halle", restart), cell("Stunden", '<w:gridSpan w:val="2"/>'), properties=marked),
            row(cell("", below), "Tag", "Nacht", properties=marked),
            row(cell("Halle 3", restart), "8 h", "2 h"),
            row(cell("", below), cell("geschlossen", '<w:gridSpan w:val="2"/>')),
            row("", "", ""),
            row("Halle 5", "6 h", "a|b"),
        )
        + paragraph("Angaben ohne Kopf")
        + table(row("Ort", "Bonn"), row("Leitung", "Frau Weiß"))
        + paragraph("Ein Rahmen")
        + table(row(cell(paragraph("Achtung, Strom.") + paragraph("Erst abschalten."))))
        + paragraph("Verschachtelt")
        + table(
            row("Tor", "Maße", "Datum"),
            row("Nord", cell(paragraph("siehe unten") + table(row("Höhe", "4 m"), row("Breite", "9 m"))), "3.4.2024"),
            properties='<w:tblLook w:val="04A0"/>',
        )
        + paragraph("Ende.")
    )


def marks() -> bytes:
    """Notes, comments, tracked changes, text boxes, fields, symbols, hidden text, an equation and ruby."""
    deleted_mark = "<w:rPr><w:del/></w:rPr>"
    removed = "<w:del><w:r><w:delText>drei </w:delText></w:r></w:del>"
    added = f"<w:ins>{run('vier ')}</w:ins>"
    note = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    end_note = '<w:r><w:endnoteReference w:id="1"/></w:r>'
    comment = '<w:r><w:commentReference w:id="0"/></w:r>'
    hyperlink = f'<w:hyperlink r:id="rId9">{run("Liegeplan")}</w:hyperlink>'
    control = f"<w:sdt><w:sdtPr/><w:sdtContent>{run('Montag')}</w:sdtContent></w:sdt>"
    symbols = '<w:r><w:sym w:font="Wingdings" w:char="F0FC"/></w:r><w:r><w:sym w:font="Symbol" w:char="F06D"/></w:r>'
    return docx(
        paragraph("Das Tor hat ", inside=removed + added + run("Flügel.") + note + comment)
        + paragraph("Ein Satz, der ", properties=deleted_mark)
        + paragraph("weitergeht", inside=end_note + run(" und endet."))
        + paragraph("Siehe den ", inside=hyperlink + run(" vom ") + control + run("."))
        + paragraph("Mast", inside="<w:r><w:tab/><w:t>12 m</w:t><w:br/></w:r>" + run("Kiel"))
        + paragraph(
            "Ring ", inside=text_box(paragraph("Sturmleine: Ring 55") + paragraph("nur bei Flut")) + run("zwei")
        )
        + paragraph("Stand ", inside=field(' DATE \\@ "yyyy" ', run("2024")) + run(" geprüft ") + symbols)
        + paragraph("Sichtbar", inside=run(" verborgen", "<w:vanish/>") + run(" auch", '<w:rStyle w:val="Versteckt"/>'))
        + paragraph("Es gilt ", inside=_EQUATION + run("."))
        + paragraph("議", inside=_RUBY)
        + f'<w:customXml>{paragraph("In eigenem XML.")}</w:customXml><w:altChunk r:id="rId7"/>',
        parts={
            "styles": STYLES,
            "footnotes": '<w:footnote w:type="separator" w:id="0"><w:p/></w:footnote><w:footnote w:id="2">'
            f"{paragraph('Seit dem Umbau.')}{paragraph('Vorher zwei.')}</w:footnote>",
            "endnotes": f'<w:endnote w:id="1">{paragraph("Aus dem Archiv.")}</w:endnote>',
            "comments": f'<w:comment w:id="0" w:author="Revision">{paragraph("Stimmt das?")}</w:comment>',
        },
    )


def strict() -> bytes:
    """Strict namespaces, and another name for the main part."""
    return docx(
        paragraph("Kurs", style="Heading1") + paragraph("Nach Norden.") + table(row("Boje", "Tiefe"), row("A", "4 m")),
        main="word/document2.xml",
        strict=True,
    )


def main(arguments: list[str]) -> int:
    folder = Path(arguments[0]) if arguments else GOLDEN
    folder.mkdir(parents=True, exist_ok=True)
    for make in (structure, tables, marks, strict):
        (folder / f"{make.__name__}.docx").write_bytes(make())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
