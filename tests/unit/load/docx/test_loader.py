"""The component: options, packages of all kinds, metadata, real files and shared cases."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from tests.unit.load.docx.loading import headings, load, notices
from tools.make_golden_docx import archive, docx, paragraph, strict

from pincite import catalogue
from pincite.errors import LoadError
from pincite.load.docx.loader import DocxLoader
from pincite.model import Chunk, Document, Source

RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
BODY = "<w:body><w:p><w:r><w:t>a</w:t></w:r></w:p></w:body>"
NAMESPACE = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def open_bytes(data: bytes, name: str = "a.docx") -> Document:
    return DocxLoader().load(Source(name, data))


def kind_of(data: bytes, loader: DocxLoader | None = None) -> str:
    with pytest.raises(LoadError) as caught:
        (loader or DocxLoader()).load(Source("folder/a.docx", data))
    assert caught.value.file == "folder/a.docx"
    return caught.value.kind


def with_root(root: str, *, target: str = "word/document.xml", relation: str = RELATION, mode: str = "") -> bytes:
    relations = f'<Relationships><Relationship Type="{relation}" Target="{target}" {mode}/></Relationships>'
    return archive({"_rels/.rels": relations.encode(), "word/document.xml": root.encode()})


def document_root(body: str = BODY) -> str:
    return f'<w:document xmlns:w="{NAMESPACE}">{body}</w:document>'


def test_the_document_says_what_it_is() -> None:
    document = load(paragraph("a"))
    assert (document.id, document.source) == ("a.docx", "a.docx")
    assert document.media_type == "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    assert Document.from_json(document.to_json()) == document


def test_a_document_without_text_is_empty_and_says_so() -> None:
    document = load("")
    assert (document.text, document.blocks, notices(document)) == ("", (), ["empty"])


@pytest.mark.parametrize(
    "target", ["word/document.xml", "/word/document.xml", "WORD\\Document.xml", "./word/document.xml"]
)
def test_the_main_part_is_found_by_its_relation(target: str) -> None:
    assert open_bytes(with_root(document_root(), target=target)).text == "a\n"


def test_the_main_part_is_found_by_its_usual_name_and_by_an_escaped_one() -> None:
    assert open_bytes(archive({"word/document.xml": document_root().encode()})).text == "a\n"
    assert open_bytes(with_root(document_root(), mode='TargetMode="External"')).text == "a\n"
    assert open_bytes(docx(paragraph("a"), main="word/my document.xml")).text == "a\n"
    assert open_bytes(with_root(document_root(), target="word/%64ocument.xml")).text == "a\n"


def test_strict_documents_are_read_alike() -> None:
    document = open_bytes(strict())
    assert headings(document) == [(1, "Kurs")]
    assert document.blocks[-1].columns == ("Boje", "Tiefe")
    renamed = document_root().replace(NAMESPACE, "http://purl.oclc.org/ooxml/wordprocessingml/main")
    assert open_bytes(with_root(renamed)).text == "a\n"


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"", "corrupt"),
        (b"text", "unsupported"),
        (b"\x00text", "corrupt"),
        (archive({"mimetype": b"application/epub+zip"}), "unsupported"),
        (with_root("<workbook/>"), "unsupported"),
        (with_root(document_root("")), "corrupt"),
        (with_root(document_root()[:-5]), "corrupt"),
        (with_root("<!DOCTYPE x>" + document_root()), "unsafe"),
        (with_root(document_root("<w:body>" + "<w:sdt>" * 300 + "</w:sdt>" * 300 + "</w:body>")), "unsafe"),
        (with_root(document_root("<w:body>" + " " * 9_000_000 + "</w:body>")), "unsafe"),
    ],
    ids=["empty", "text", "bytes", "epub", "workbook", "no body", "cut", "doctype", "deep", "bomb"],
)
def test_what_cannot_be_read_is_told_apart(data: bytes, kind: str) -> None:
    assert kind_of(data) == kind


def test_limits_of_size() -> None:
    data = docx(paragraph("text " * 500))
    assert kind_of(data, DocxLoader(max_bytes=100)) == "too_large"
    assert kind_of(data, DocxLoader(max_expanded_bytes=100)) == "too_large"


def test_nesting_as_deep_as_xml_allows_is_read() -> None:
    body = "<w:sdt><w:sdtContent>" * 120 + paragraph("a") + "</w:sdtContent></w:sdt>" * 120
    assert load(body).text == "a\n"
    runs = "<w:smartTag>" * 240 + "<w:r/>" + "</w:smartTag>" * 240
    assert load(paragraph("a", inside=runs)).text == "a\n"
    cells = "<w:tbl><w:tr><w:tc>" * 80 + paragraph("a") + "</w:tc></w:tr></w:tbl>" * 80
    assert load(cells).text == "a\n"


def test_impossible_options_are_refused() -> None:
    with pytest.raises(ValueError, match="tracked"):
        DocxLoader(tracked="maybe")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="max_bytes"):
        DocxLoader(max_bytes=0)


def test_core_properties_are_metadata() -> None:
    core = (
        "<dc:title> Das  Tor </dc:title><dc:creator>Ada; Grace;Ada</dc:creator><dc:language>de-AT</dc:language>"
        "<cp:keywords>Tor, Damm; Tor</cp:keywords><cp:version>2.1</cp:version>"
        "<dcterms:created>2023-01-02</dcterms:created><dcterms:modified>2024-01-02T03:04:05Z</dcterms:modified>"
    )
    assert dict(load(paragraph("a"), core=core).metadata) == {
        "title": "Das Tor",
        "authors": ("Ada", "Grace"),
        "language": "de",
        "keywords": ("Tor", "Damm"),
        "version": "2.1",
        "date": "2024-01-02T03:04:05Z",
    }


def test_core_properties_that_say_nothing_are_left_out() -> None:
    core = (
        "<dc:title/><dc:creator>python-docx</dc:creator><dc:language>German</dc:language>"
        "<dcterms:modified>2013-12-23T23:15:00Z</dcterms:modified><dcterms:created>yesterday</dcterms:created>"
    )
    assert dict(load(paragraph("a"), core=core).metadata) == {}


def read(file: Path) -> Document:
    return DocxLoader().load(Source(file.name, file.read_bytes()))


def chunks(document: Document) -> list[Chunk]:
    return list(catalogue.create("chunk", "structure").chunk(document))


def test_shared_case_c022_headings_by_style_and_outline(shared: Path) -> None:
    document = read(shared / "cases/C022.docx")
    assert headings(document) == [(1, "Fuhrpark"), (2, "Winterreifen"), (3, "Lager im Keller")]
    paths = {
        "Vier Wagen stehen im Hof.": ("Fuhrpark",),
        "Wechsel im Oktober.": ("Fuhrpark", "Winterreifen"),
        "Regal links.": ("Fuhrpark", "Winterreifen", "Lager im Keller"),
        "Nur mit Handschuhen anfassen.": ("Fuhrpark", "Winterreifen", "Lager im Keller"),
    }
    for text, path in paths.items():
        [section] = [section for section in document.sections if text in section.span.of(document.text)]
        assert section.path == path


def test_shared_case_c024_merged_cells(shared: Path) -> None:
    texts = [chunk.embedded for chunk in chunks(read(shared / "cases/C024.docx"))]
    for together in (["Hall 3", "Drill", "14 h"], ["Hall 3", "Press", "9 h"], ["Hall 5", "Lathe", "6 h"]):
        assert any(all(words in text for words in together) for text in texts)
    assert "| Hall 3 | Drill | 14 h |" in texts[0]


def test_shared_case_c026_text_box_link_header_tab(shared: Path) -> None:
    text = "\n".join(chunk.text for chunk in chunks(read(shared / "cases/C026.docx")))
    assert text.count("Storm line: ring extension 55") == 1
    assert "See the berth plan before noon." in text
    assert "Mast 12 m\nKeel" in text
    assert "Draft 7" not in text


def test_shared_case_c064_hostile_files(shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    start = time.process_time()
    with pytest.raises(LoadError) as caught:
        read(shared / "cases/C064/xxe.docx")
    assert caught.value.kind == "unsafe"
    assert "CANARY-5150" not in str(caught.value)
    assert read(shared / "cases/C064/names.docx").text == "Plain words of the safe part.\n"
    assert time.process_time() - start < 1
    assert not list(tmp_path.iterdir())


def test_every_real_file_is_loaded(shared: Path) -> None:
    lines = (shared / "data/files/MANIFEST.jsonl").read_text(encoding="utf-8").splitlines()
    names = [line["file"] for line in map(json.loads, lines) if line["file"].endswith(".docx")]
    assert len(names) > 5
    for name in names:
        document = read(shared / "data/files" / name)
        assert document.blocks, name


def test_real_files_headers_changes_and_notes(shared: Path) -> None:
    folder = shared / "data/files/docx"
    assert read(folder / "docx-hdrftr.docx").text == "Main document\n"
    changed = Source("a.docx", (folder / "track_changes_insertion.docx").read_bytes())
    assert DocxLoader().load(changed).text == "This is a text with two exciting insertions.\n"
    assert DocxLoader(tracked="original").load(changed).text == "This is a text with insertions.\n"
    assert "Test footnote.[^1] Test endnote.[^i]\n\n[^1]: My note.\n" in read(folder / "notes.docx").text


def test_real_files_numbered_headings(shared: Path) -> None:
    document = read(shared / "data/files/docx/unit_test_headers_numbered.docx")
    assert headings(document)[1:4] == [(2, "1 Section 1"), (3, "1.1 Section 1.1"), (3, "1.2 Section 1.2")]
    assert headings(document)[-3:] == [(4, "2.1.1 Section 2.1.1"), (3, "2.2 Section 2.1"), (3, "REFERENCES")]


def test_quotes_of_the_sample_corpus_are_each_there_once(orbit: Path) -> None:
    lines = (orbit / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    relevant = [one for line in map(json.loads, lines) for one in line["relevant"] if one["document"].endswith(".docx")]
    assert len(relevant) > 5
    for one in relevant:
        assert read(orbit / one["document"]).text.count(one["text"]) == 1, one["text"]
