"""Any bytes give a document or a ``LoadError``, quickly; and every place leads back to its paragraph."""

from __future__ import annotations

import random
import re
import time
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from tools.make_golden_docx import (
    NUMBERING,
    STYLES,
    archive,
    docx,
    field,
    marks,
    numbered,
    paragraph,
    row,
    strict,
    structure,
    table,
    tables,
    text_box,
)

from pincite.errors import LoadError
from pincite.load.docx.loader import DocxLoader
from pincite.model import Document, Source

LIMIT_S = 5.0
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
LOADERS = (DocxLoader(), DocxLoader(tracked="original", comments=True))
KINDS = {"unsupported", "too_large", "encrypted", "corrupt", "unsafe"}
MAIN = "word/document.xml"
_TAG = re.compile(rb"<[^>]+>")


def check(data: bytes) -> list[Document]:
    """The documents that the loaders make of the bytes, none where they refuse them as they may."""
    documents = []
    for loader in LOADERS:
        start = time.process_time()
        document = loaded(loader, data)
        if document:
            check_document(document)
            documents.append(document)
        assert time.process_time() - start < LIMIT_S
    return documents


def loaded(loader: DocxLoader, data: bytes) -> Document | None:
    try:
        return loader.load(Source("a.docx", data))
    except LoadError as error:
        refusal = error
    assert refusal.kind in KINDS
    assert refusal.file == "a.docx"
    return None


def check_document(document: Document) -> None:
    covered = 0
    for block in document.outline:
        assert not document.text[covered : block.span.start].strip()
        covered = block.span.end
    assert not document.text[covered:].strip()
    assert all(block.span.of(document.text).strip() for block in document.blocks)
    assert all(placement.place.paragraph for placement in document.places)
    assert Document.from_json(document.to_json()) == document


def members_of(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(BytesIO(data)) as file:
        return {name: file.read(name) for name in file.namelist()}


def mutated(seed: int) -> bytes:
    """A document of ours with damage: bits, a cut, or tags of its parts lost, doubled, moved, nested or swollen."""
    chance = random.Random(seed)
    data = chance.choice((structure, tables, marks, strict))()
    kind = chance.randrange(7)
    if kind == 0:
        flipped = bytearray(data)
        for _ in range(chance.randint(1, 20)):
            flipped[chance.randrange(len(flipped))] ^= 1 << chance.randrange(8)
        return bytes(flipped)
    if kind == 1:
        return data[: chance.randrange(len(data))]
    members = members_of(data)
    name = chance.choice([name for name in members if name.endswith((".xml", ".rels")) and members[name]])
    members[name] = _mutated_part(members[name], kind, chance)
    return archive(members)


def _mutated_part(part: bytes, kind: int, chance: random.Random) -> bytes:
    if kind == 2:
        flipped = bytearray(part)
        for _ in range(chance.randint(1, 5)):
            flipped[chance.randrange(len(flipped))] = chance.randrange(256)
        return bytes(flipped)
    if kind in (3, 4):
        return _moved_elements(part, chance)
    tags = list(_TAG.finditer(part))
    at = chance.choice(tags).end()
    if kind == 5:
        tag = chance.choice([b"w:tbl", b"w:sdt", b"w:r", b"w:tc", b"w:txbxContent", b"m:f", b"w:p"])
        times = chance.choice([5, 100, 400])
        return part[:at] + b"<%s>" % tag * times + b"</%s>" % tag * times + part[at:]
    swollen = chance.choice([b" ", b"<w:p/>", b"<w:tc><w:p/></w:tc>", b"x"]) * chance.choice([1000, 300_000])
    return part[:at] + swollen + part[at:]


def _moved_elements(part: bytes, chance: random.Random) -> bytes:
    """Well-formed XML whose elements stand elsewhere, are missing, doubled, or have attributes of others."""
    root = etree.fromstring(part)
    for _ in range(chance.randint(1, 12)):
        elements = list(root.iter("*"))
        one, other = chance.choice(elements), chance.choice(elements)
        parent = one.getparent()
        if parent is None:
            continue
        choice = chance.randrange(4)
        if choice == 0:
            parent.remove(one)
        elif choice == 1 and one not in list(other.iterancestors()) and one is not other:
            other.append(one)
        elif choice == 2:
            parent.append(etree.fromstring(etree.tostring(one)))
        elif one.attrib:
            one.set(chance.choice(list(one.attrib)), chance.choice(["", "-1", "99999", "restart", "x", "1"]))
    return etree.tostring(root)


@given(data=st.binary(max_size=300))
def test_any_bytes(data: bytes) -> None:
    check(data)
    check(b"PK\x03\x04" + data)


@given(
    part=st.binary(max_size=300), name=st.sampled_from([MAIN, "word/styles.xml", "word/numbering.xml", "_rels/.rels"])
)
@settings(max_examples=100)
def test_any_bytes_as_a_part(part: bytes, name: str) -> None:
    check(archive({**members_of(structure()), name: part}))


@pytest.mark.parametrize("seed", range(20))
def test_damaged_documents(seed: int) -> None:
    check(mutated(seed))


@pytest.mark.soak
@pytest.mark.parametrize("first", range(20, 2020, 100))
def test_many_damaged_documents(first: int) -> None:
    for seed in range(first, first + 100):
        check(mutated(seed))


texts = st.text(alphabet=st.sampled_from("ab .|\n\té\u0301😀\u200d漢\u2028\xa0\xad#>*`["), max_size=12)
styles = st.sampled_from(
    ["", "Titel", "berschrift1", "berschrift2", "Quelltext", "Zitat", "Beschriftung", "Liste", "Absatz"]
)
marks_of_paragraph = st.sampled_from(["", "", "", "<w:rPr><w:del/></w:rPr>", '<w:outlineLvl w:val="3"/>'])
plain = st.builds(
    lambda text, style, mark: paragraph(text, style=style, properties=mark), texts, styles, marks_of_paragraph
)
items = st.builds(numbered, texts, st.integers(1, 5), st.integers(0, 3))
boxes = st.builds(lambda text, box: paragraph(text, inside=text_box(paragraph(box))), texts, texts)
fields = st.builds(
    lambda text, code: paragraph(text, inside=field(code, "<w:r/>")), texts, st.sampled_from(["TOC", "DATE"])
)
rows = st.lists(texts.filter(lambda text: not text.startswith("<")), min_size=1, max_size=4).map(
    lambda cells: row(*cells)
)
grids = st.lists(rows, min_size=1, max_size=4).map(lambda rows: table(*rows))
bodies = st.lists(st.one_of(plain, plain, items, boxes, fields, grids), max_size=12).map("".join)


def letters(text: str) -> str:
    """Without blanks, marks of the writer and numbers, which are not in the paragraph."""
    return re.sub(r"[\s\xad|#>*`\\\[\]().§\-]|<br>|\d+|column|[ivx]+(?=\))|\b[a-z]\)", "", text)


@given(body=bodies)
@settings(max_examples=150)
def test_places_lead_back_to_their_paragraphs(body: str) -> None:
    data = docx(body, parts={"styles": STYLES, "numbering": NUMBERING})
    for document in check(data):
        paragraphs = ["".join(p.itertext()) for p in etree.fromstring(members_of(data)[MAIN]).iter(f"{W}p")]
        several = [block.span for block in document.blocks if block.kind in ("code", "table")]
        for placement in document.places:
            number = placement.place.paragraph
            assert number
            own = paragraphs[number - 1]
            if any(span.overlaps(placement.span) for span in several):  # they go on in the paragraphs that follow
                own = "".join(paragraphs[number - 1 :])
            assert letters(placement.span.of(document.text)) in letters(own)


@given(body=bodies)
@settings(max_examples=100)
def test_no_text_is_lost(body: str) -> None:
    [document, _] = check(docx(body, parts={"styles": STYLES, "numbering": NUMBERING}))
    written = letters(document.text)
    for text in _texts_of(body):
        assert letters(text) in written


def _texts_of(body: str) -> Iterator[str]:
    root = etree.fromstring(docx_root(body))
    for element in root.iter(f"{W}t"):
        if next(element.iterancestors("{*}Fallback"), None) is None:
            yield element.text or ""


def docx_root(body: str) -> bytes:
    return members_of(docx(body))[MAIN]


@pytest.mark.parametrize("name", ["structure", "tables", "marks", "strict"])
def test_the_golden_inputs_are_those_of_the_script(name: str) -> None:
    made = {"structure": structure, "tables": tables, "marks": marks, "strict": strict}[name]()
    file = Path(__file__).parents[1] / f"golden/docx/{name}.docx"
    assert members_of(file.read_bytes()) == members_of(made)
