"""Any bytes give a document or a ``LoadError`` within the limit; and every place leads back to its text."""

from __future__ import annotations

import ctypes
import random
import time
import unicodedata
import zlib
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pypdfium2
import pypdfium2.raw as raw
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tools.make_golden_pdf import FILES, GOLDEN, raw_pdf

from pincite.errors import LoadError
from pincite.load.pdf.hyphens import Vocabulary
from pincite.load.pdf.loader import PdfLoader
from pincite.load.pdf.words import clean
from pincite.model import Block, Document, Source

LIMIT_S = 10.0
KINDS = ("corrupt", "encrypted", "no_text", "too_large")
LOADER = PdfLoader(timeout_s=LIMIT_S, max_memory_bytes=1024**3)


def load(data: bytes) -> Document | None:
    """The document, ``None`` where the loader refuses the file as it may."""
    started = time.monotonic()
    try:
        document = LOADER.load(Source("a.pdf", data))
    except LoadError as error:
        refused = error
    else:
        assert Document.from_json(document.to_json()) == document
        return document
    finally:
        assert time.monotonic() - started < LIMIT_S + 5
    assert (refused.file, refused.kind in KINDS) == ("a.pdf", True)
    assert "could not be understood" not in refused.problem, refused.problem
    return None


@given(data=st.binary(max_size=300))
@example(data=b"")
@settings(max_examples=5)
def test_any_bytes(data: bytes) -> None:
    load(data)
    load(b"%PDF-1.7\n" + data)


def mutated(data: bytes, seed: int) -> bytes:
    """The file with bits turned, a piece lost, doubled or moved, or its end cut off."""
    chance = random.Random(seed)
    result = bytearray(data)
    for _ in range(chance.choice((1, 3, 10, 40))):
        at = chance.randrange(len(result))
        end = min(len(result), at + chance.choice((1, 4, 40)))
        match chance.randrange(5):
            case 0:
                result[at] ^= 1 << chance.randrange(8)
            case 1:
                del result[at:end]
            case 2:
                result[at:at] = result[at:end]
            case 3:
                result[at:end] = str(chance.randrange(10**9)).encode()
            case _:
                result[at : at + 1] = bytes([chance.randrange(256)])
    return bytes(result[: chance.randrange(1, len(result))] if chance.random() < 0.2 else result)


NAMES = sorted(FILES)


@pytest.mark.parametrize("seed", range(20))
def test_mutated_files(seed: int) -> None:
    load(mutated((GOLDEN / f"{NAMES[seed % len(NAMES)]}.pdf").read_bytes(), seed))


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(20, 200))
def test_more_mutated_files(seed: int) -> None:
    load(mutated((GOLDEN / f"{NAMES[seed % len(NAMES)]}.pdf").read_bytes(), seed))


def file_with(content: bytes, *, compressed: bool = True) -> bytes:
    packed = zlib.compress(content, 9) if compressed else content
    filters = b"/Filter /FlateDecode " if compressed else b""
    return raw_pdf(
        {
            1: "<< /Type /Catalog /Pages 2 0 R >>",
            2: "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            3: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
            "/Resources << /Font << /F1 5 0 R >> >> >>",
            4: b"<< %s/Length %d >>\nstream\n" % (filters, len(packed)) + packed + b"\nendstream",
            5: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        }
    )


HOSTILE = {
    "deep arrays": file_with(b"[" * 60_000 + b"]" * 60_000 + b" TJ"),
    "deep states": file_with(b"q " * 200_000),
    "a page tree in a loop": raw_pdf(
        {
            1: "<< /Type /Catalog /Pages 2 0 R /Outlines 6 0 R >>",
            2: "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 1000000 /Parent 2 0 R >>",
            6: "<< /Type /Outlines /First 7 0 R /Last 7 0 R >>",
            7: "<< /Title (a) /Parent 6 0 R /Next 7 0 R /First 7 0 R >>",
        }
    ),
    "a million lines": file_with(b"0 0 m 100 100 l S\n" * 1_000_000),
    "words over words": file_with(b"BT /F1 9 Tf 72 700 Td (word) Tj ET\n" * 50_000),
    "boxes without size": file_with(b"BT /F1 0 Tf 0 0 0 0 0 0 Tm (word) Tj ET 1e38 1e38 1e38 1e38 re f"),
}


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_hostile_files(name: str) -> None:
    load(HOSTILE[name])


@pytest.mark.soak
def test_a_bomb_costs_its_time_limit_only() -> None:
    data = file_with(b"BT /F1 9 Tf 72 700 Td (a word and another one) Tj ET 1 0 0 1 0.01 0.01 cm\n" * 5_000_000)
    assert load(data) is None


@given(words=st.lists(st.text(max_size=12), min_size=2, max_size=6), hyphen=st.booleans())
def test_joining_loses_no_letter(words: list[str], hyphen: bool) -> None:
    vocabulary = Vocabulary(words)
    for before, after in pairwise(words):
        kept, between = vocabulary.join(before, after, hyphen=hyphen)
        assert between in ("", " ")
        assert kept.rstrip("-\u2010\u00ad") == before.rstrip("-\u2010\u00ad")


@given(text=st.text(max_size=40))
def test_cleaning_is_done_at_once(text: str) -> None:
    assert clean(clean(text)) == clean(text)
    assert unicodedata.is_normalized("NFC", clean(text))


# The way back: the characters of the page inside the boxes of a block, box by box, are those of the block.


Letter = tuple[float, float, str]


def characters(file: pypdfium2.PdfDocument, number: int) -> list[Letter]:
    """The middle of each character of the page, from the top left corner as it is shown."""
    page = file[number - 1]
    text_page = page.get_textpage()
    west, south, east, north = page.get_bbox()
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    found: list[Letter] = []
    for index in range(raw.FPDFText_CountChars(text_page)):
        code = raw.FPDFText_GetUnicode(text_page, index)
        if code <= 32 or raw.FPDFText_IsGenerated(text_page, index) == 1:
            continue
        raw.FPDFText_GetCharBox(text_page, index, left, right, bottom, top)
        x, y = (left.value + right.value) / 2, (bottom.value + top.value) / 2
        match page.get_rotation():
            case 0:
                found.append((x - west, north - y, chr(code)))
            case 90:
                found.append((y - south, x - west, chr(code)))
            case 180:
                found.append((east - x, y - south, chr(code)))
            case _:
                found.append((north - y, east - x, chr(code)))
    return found


def once(letters: list[Letter]) -> list[Letter]:
    """Without those that are printed a second time in one place."""
    found: dict[tuple[int, int, str], Letter] = {}
    for x, y, letter in letters:
        places = [(round(x) + i, round(y) + j, letter) for i in (-1, 0, 1) for j in (-1, 0, 1)]
        if not any(abs(found[p][0] - x) < 0.5 and abs(found[p][1] - y) < 0.5 for p in places if p in found):
            found[round(x), round(y), letter] = (x, y, letter)
    return list(found.values())


def letters(text: str) -> Counter[str]:
    """``↵`` is how the ligature of a common font without a table of characters is read."""
    plain = unicodedata.normalize("NFKC", text.replace("\u21b5", "ff").replace("\uf06f", "o"))
    return Counter(character for character in plain if character.isalnum())


def within(document: Document, block: Block, pages: dict[int, list[Letter]]) -> str:
    """A cell that is repeated over several columns has its box as often."""
    return "".join(
        character
        for box in document.place(block.span).boxes
        for x, y, character in pages[box.page]
        if box.x0 - 0.1 <= x <= box.x1 + 0.1 and box.y0 - 0.1 <= y <= box.y1 + 0.1
    )


def written(document: Document, block: Block) -> str:
    """What of the block's text has a place: not the made-up names of columns, not the marks of lists and notes."""
    pieces = []
    for placement in document.places:
        start = max(placement.span.start, block.span.start)
        end = min(placement.span.end, block.span.end)
        if start < end:
            pieces.append(document.text[start:end])
    text = "".join(pieces)
    return text.removeprefix(f"[^{block.marker}]: ") if block.kind == "note" else text


def round_trips(data: bytes, document: Document) -> list[bool]:
    """For each block whether it comes back."""
    file = pypdfium2.PdfDocument(data)
    pages = {number: characters(file, number) for number in range(1, len(file) + 1)}
    file.close()
    single = {number: once(letters) for number, letters in pages.items()}
    leaves = [block for block in document.blocks if block.kind not in ("list", "item")]
    return [
        letters(written(document, block))
        in (letters(within(document, block, pages)), letters(within(document, block, single)))
        for block in leaves
    ]


@pytest.mark.parametrize("name", NAMES)
def test_places_lead_back(name: str) -> None:
    data = (GOLDEN / f"{name}.pdf").read_bytes()
    document = load(data)
    assert document
    assert all(round_trips(data, document))


def test_places_of_real_files_lead_back(shared: Path) -> None:
    """In 99 of 100 blocks; in a book of formulas, whose signs are piled upon each other, in 97."""
    files = [*sorted((shared / "data/files/pdf").glob("*.pdf"))]
    if not files:
        pytest.skip("shared/data/files has no PDF files")
    found: dict[bool, list[bool]] = {True: [], False: []}
    for path in files:
        data = path.read_bytes()
        document = load(data)
        if document is not None:
            found["GeoTopo" in path.name].extend(round_trips(data, document))
    text, formulas = found[False], found[True]
    assert (len(text) > 300, len(formulas) > 3000) == (True, True)
    assert sum(text) >= 0.99 * len(text)
    assert sum(formulas) >= 0.97 * len(formulas)
