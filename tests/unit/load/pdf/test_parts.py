"""The small functions that the loader is made of."""

from __future__ import annotations

import struct
import zlib

import pytest
from tools.make_golden_pdf import LEFT, lines, manual, pdf

from pincite.errors import LoadError, UsageError
from pincite.load.pdf.document import named
from pincite.load.pdf.draw import draw_page
from pincite.load.pdf.file import iso_date
from pincite.load.pdf.furniture import page_number
from pincite.load.pdf.hyphens import Vocabulary
from pincite.load.pdf.loader import PdfLoader
from pincite.load.pdf.words import mirrored, turned
from pincite.model import Source


class TestJoining:
    @pytest.mark.parametrize(
        ("before", "after", "joined"),
        [
            ("Haupt-", "bahnhof", "Hauptbahnhof"),
            ("Dampf\u00ad", "kessel", "Dampfkessel"),
            ("exam\u2010", "ple", "example"),
            ("Nord-Süd-", "Achse", "Nord-Süd-Achse"),
            ("Berg-", "und Talfahrt", "Berg- und Talfahrt"),
            ("pre-", "or postwar", "pre- or postwar"),
            ("self-", "acting", "self-acting"),
            ("state-of-the-", "art", "state-of-the-art"),
            ("COVID-", "19", "COVID-19"),
            ("x-", "axis", "x-axis"),
            ("docs/how-", "to.html", "docs/how-to.html"),
            ("one", "two", "one two"),
            ("word —", "word", "word — word"),
            ("word—", "word", "word—word"),
            ("漢", "字", "漢字"),
            ("-", "word", "- word"),
        ],
    )
    def test_without_a_vocabulary(self, before: str, after: str, joined: str) -> None:
        left, between = Vocabulary().join(before, after, hyphen=False)
        assert left + between + after == joined

    def test_the_document_decides(self) -> None:
        vocabulary = Vocabulary(["a content-rich page here", "the selfmade boat is old"])
        assert vocabulary.join("content", "rich", hyphen=True) == ("content-", "")
        assert vocabulary.join("self", "made", hyphen=True) == ("self", "")


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("D:20240331235900+02'00'", "2024-03-31T23:59:00+02:00"),
        ("D:20240331235900-05'30'", "2024-03-31T23:59:00-05:30"),
        ("D:20240331235900Z", "2024-03-31T23:59:00+00:00"),
        ("20240331", "2024-03-31"),
        ("D:202403", "2024-03"),
        ("D:2024", "2024"),
        ("D:20241399", ""),
        ("D:20240331235900+99'00'", ""),
        ("yesterday", ""),
        ("", ""),
    ],
)
def test_dates(text: str, date: str) -> None:
    assert iso_date(text) == date


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("12", 12),
        ("- 3 -", 3),
        ("Page 4 of 9", 4),
        ("7 / 20", 7),
        ("xiv", 14),
        ("iiii", None),
        ("mill", None),
        ("", None),
    ],
)
def test_page_numbers(text: str, number: int | None) -> None:
    assert page_number(text) == number


def test_pages_in_words() -> None:
    assert named(list(range(1, 60, 2))).endswith("21, 23 and more")


def test_turning_there_and_back() -> None:
    box = (10.0, 20.0, 30.0, 25.0)
    for turn in (0, 90, 180, 270):
        width, height = (842, 595) if turn in (90, 270) else (595, 842)
        assert turned(turned(box, turn, 595, 842), (360 - turn) % 360, width, height) == box
    assert mirrored(mirrored(box, 595), 595) == box


class TestDrawing:
    def test_a_page_with_its_blocks(self) -> None:
        data = manual()
        document = PdfLoader().load(Source("a.pdf", data))
        picture = draw_page(data, document, 2)
        pixels, width = unpacked(picture)
        assert (width, len(pixels)) == (round(595.2756 * 2), round(841.8898 * 2))
        colors = {tuple(row[at : at + 3]) for row in pixels[::1] for at in range(0, len(row), 3 * 7)}
        assert (255, 127, 14) in colors  # a table

    def test_a_page_that_there_is_not(self) -> None:
        data = manual()
        document = PdfLoader().load(Source("a.pdf", data))
        for page in (0, 5):
            with pytest.raises(UsageError, match=f"no page {page}"):
                draw_page(data, document, page)

    def test_a_very_large_page_is_drawn_smaller(self) -> None:
        def draw(canvas: object) -> None:
            canvas.setPageSize((14000, 14000))  # type: ignore[attr-defined]
            lines(canvas, LEFT, 13000, ["A plan of the harbour."], size=100)

        data = pdf(draw)
        pixels, width = unpacked(draw_page(data, PdfLoader().load(Source("a.pdf", data)), 1))
        assert width * len(pixels) <= 41_000_000

    def test_another_file_is_refused(self) -> None:
        document = PdfLoader().load(Source("a.pdf", manual()))
        with pytest.raises(LoadError):
            draw_page(b"%PDF-1.4 but nothing else", document, 1)


def unpacked(picture: bytes) -> tuple[list[bytes], int]:
    """The rows of a PNG of our own making, and its width."""
    assert picture.startswith(b"\x89PNG")
    chunks: dict[bytes, bytes] = {}
    at = 8
    while at < len(picture):
        (length,) = struct.unpack_from(">I", picture, at)
        name = picture[at + 4 : at + 8]
        chunks[name] = picture[at + 8 : at + 8 + length]
        assert zlib.crc32(name + chunks[name]) == struct.unpack_from(">I", picture, at + 8 + length)[0]
        at += 12 + length
    width, height = struct.unpack_from(">II", chunks[b"IHDR"])
    raw = zlib.decompress(chunks[b"IDAT"])
    stride = 1 + 3 * width
    return [raw[n * stride + 1 : (n + 1) * stride] for n in range(height)], width
