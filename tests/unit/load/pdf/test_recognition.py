"""Pages without text: what is said of them, and what a text recognition reads in them."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pypdfium2
import pytest
from rapidfuzz.fuzz import ratio
from reportlab.lib.utils import ImageReader
from tests.unit.load.pdf.loading import blocks, headings, notices, read_pages
from tools.make_golden_pdf import GOLDEN, HEIGHT, LEFT, WIDTH, Draw, lines, pdf, raw_pdf, stream, text_page

from pincite import catalogue
from pincite.errors import LoadError, UnknownNameError, UsageError
from pincite.load.pdf.loader import PdfLoader
from pincite.load.pdf.recognised import Recognised, add_words
from pincite.load.pdf.words import Page
from pincite.model import Document, Source
from pincite.ports import Image, RecognisedWord

TESSERACT = pytest.mark.skipif(not shutil.which("tesseract"), reason="the program tesseract is not installed")

DOTS = {
    "A": (".###.", "#...#", "#...#", "#####", "#...#", "#...#", "#...#"),
    "E": ("#####", "#....", "#....", "####.", "#....", "#....", "#####"),
    "H": ("#...#", "#...#", "#...#", "#####", "#...#", "#...#", "#...#"),
    "N": ("#...#", "##..#", "##..#", "#.#.#", "#..##", "#..##", "#...#"),
    "O": (".###.", "#...#", "#...#", "#...#", "#...#", "#...#", ".###."),
    "R": ("####.", "#...#", "#...#", "####.", "#.#..", "#..#.", "#...#"),
    "T": ("#####", "..#..", "..#..", "..#..", "..#..", "..#..", "..#.."),
}
"""Letters of seven rows and five columns that fill all of them."""


def dotted(canvas: Any, x: float, y: float, text: str, dot: float) -> tuple[float, float, float, float]:
    """Draws the text with squares of that many points, its upper left corner at ``(x, y)``; its box from above."""
    start = x
    for letter in text:
        if letter == " ":
            x += 4 * dot
            continue
        for row, signs in enumerate(DOTS[letter]):
            for column, sign in enumerate(signs):
                if sign == "#":
                    canvas.rect(x + column * dot, y - (row + 1) * dot, dot, dot, stroke=0, fill=1)
        x += 6 * dot
    return start, HEIGHT - y, x - dot, HEIGHT - y + 7 * dot


def dotted_page(*rows: tuple[float, float, str, float]) -> Draw:
    def draw(canvas: Any) -> None:
        for row in rows:
            dotted(canvas, *row)

    return draw


@dataclass(frozen=True, slots=True, kw_only=True)
class DotRecogniser:
    """Reads the letters of `DOTS` wherever they stand, however large, as long as nothing else is there."""

    seen: list[tuple[int, int, int, tuple[str, ...]]] = field(default_factory=list)
    name: str = "dots"

    def recognise(self, image: Image, languages: Sequence[str]) -> list[RecognisedWord]:
        self.seen.append((image.width, image.height, image.dpi, tuple(languages)))
        words: list[RecognisedWord] = []
        rows = [image.pixels[at : at + image.width] for at in range(0, len(image.pixels), image.width)]
        for number, (top, bottom) in enumerate(_runs([min(row) < 128 for row in rows]), start=1):
            dark = [any(row[x] < 128 for row in rows[top:bottom]) for x in range(image.width)]
            dot = (bottom - top) / 7
            letters: list[tuple[int, int, str, float]] = []
            for left, right in _runs(dark):
                letter, confidence = _letter(rows, left, top, dot)
                if letters and left - letters[-1][1] > 3 * dot:
                    words.append(_word(letters, top, bottom, number))
                    letters = []
                letters.append((left, right, letter, confidence))
            words.append(_word(letters, top, bottom, number))
        return words


def _runs(flags: Sequence[bool]) -> list[tuple[int, int]]:
    edges = [at for at in range(len(flags) + 1) if (at < len(flags) and flags[at]) != (at > 0 and flags[at - 1])]
    return list(zip(edges[::2], edges[1::2], strict=True))


def _letter(rows: Sequence[bytes], left: int, top: int, dot: float) -> tuple[str, float]:
    seen = [rows[int(top + (r + 0.5) * dot)][int(left + (c + 0.5) * dot)] < 128 for r in range(7) for c in range(5)]
    alike = {
        letter: sum(dark == (sign == "#") for dark, sign in zip(seen, "".join(signs), strict=True)) / 35
        for letter, signs in DOTS.items()
    }
    best = max(alike, key=lambda letter: alike[letter])
    return best, alike[best]


def _word(letters: Sequence[tuple[int, int, str, float]], top: int, bottom: int, line: int) -> RecognisedWord:
    return RecognisedWord(
        text="".join(letter for _, _, letter, _ in letters),
        x0=letters[0][0],
        top=top,
        x1=letters[-1][1],
        bottom=bottom,
        confidence=min(confidence for _, _, _, confidence in letters),
        line=line,
    )


def load(data: bytes, **options: Any) -> Document:
    return PdfLoader(**options).load(Source("a.pdf", data))


def refusal(data: bytes, **options: Any) -> LoadError:
    with pytest.raises(LoadError) as caught:
        load(data, **options)
    assert caught.value.file == "a.pdf"
    return caught.value


def scan(text: str = "") -> bytes:
    """A page that is one image, with an invisible text over it where one is given."""
    picture = "<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 "
    shown = f"BT /F1 12 Tf 3 Tr 72 700 Td ({text}) Tj ET" if text else ""
    return raw_pdf(
        {
            1: "<< /Type /Catalog /Pages 2 0 R >>",
            2: "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            3: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
            "/Resources << /Font << /F1 5 0 R >> /XObject << /I 6 0 R >> >> >>",
            4: stream(f"q 595 0 0 842 0 0 cm /I Do Q {shown}"),
            5: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            6: picture + "/Length 1 >>\nstream\nz\nendstream",
        }
    )


class TestPagesWithoutText:
    def test_a_scan_is_refused_and_its_pages_named(self) -> None:
        error = refusal(scan())
        assert (error.kind, "page 1" in error.problem, "ocr" in error.cure) == ("no_text", True, True)

    def test_the_text_of_a_recognised_scan_is_kept(self) -> None:
        document = load(scan("Read by a machine."))
        assert document.text == "Read by a machine.\n"
        assert not document.warnings

    def test_hidden_text_alone_is_no_text(self) -> None:
        def draw(canvas: object) -> None:
            canvas.setFillColorRGB(1, 1, 1)  # type: ignore[attr-defined]
            lines(canvas, LEFT, 700, ["White on white."])

        error = refusal(pdf(draw))
        assert (error.kind, "can be seen" in error.problem) == ("no_text", True)

    def test_scanned_pages_of_a_mixed_file_are_named(self) -> None:
        def picture(canvas: object) -> None:
            canvas.drawImage(ImageReader(_pixels()), 0, 0, 500, 700)  # type: ignore[attr-defined]

        document = read_pages(text_page("Words on paper."), picture, text_page("More words."), picture)
        assert notices(document)["scanned"].startswith("pages 2, 4 without text")
        assert "ocr" in notices(document)["scanned"]


def _pixels() -> Any:
    from PIL import Image as Pictures

    return Pictures.new("L", (4, 4), 128)


ROWS = ((100.0, 700.0, "THE TREE", 1.1), (100.0, 686.0, "NOT HERE", 1.1))


class TestPort:
    def test_what_is_read_stands_where_it_is_drawn(self) -> None:
        boxes: list[tuple[float, float, float, float]] = []
        data = pdf(lambda canvas: boxes.extend(dotted(canvas, *row) for row in ROWS))
        document = load(data, ocr=DotRecogniser())
        assert document.text.split() == ["THE", "TREE", "NOT", "HERE"]
        for placement, wanted in zip(document.places, boxes, strict=True):
            (box,) = placement.place.boxes
            assert (box.x0, box.y0, box.x1, box.y1) == pytest.approx(wanted, abs=1)

    def test_the_image_and_the_languages(self) -> None:
        recogniser = DotRecogniser()
        load(pdf(dotted_page(*ROWS)), ocr=recogniser, ocr_languages=("de", "en"))
        load(pdf(dotted_page(*ROWS), lang="fr-FR"), ocr=recogniser)
        load(pdf(dotted_page(*ROWS)), ocr=recogniser)
        size = (round(WIDTH * 300 / 72), round(HEIGHT * 300 / 72), 300)
        assert recogniser.seen == [(*size, ("de", "en")), (*size, ("fr-FR",)), (*size, ())]

    def test_text_that_is_there_is_not_read_again(self) -> None:
        recogniser = DotRecogniser()
        data = pdf(text_page("Words on paper."), dotted_page(*ROWS), text_page("More words."))
        document = load(data, ocr=recogniser)
        assert document.text.split("\n\n") == ["Words on paper.", "THE TREE NOT HERE", "More words.\n"]
        assert len(recogniser.seen) == 1
        assert [placement.place.page for placement in document.places] == [1, 2, 2, 3]
        assert notices(document)["recognised"].startswith("page 2 read by text recognition (dots)")

    def test_a_page_that_is_empty_is_not_read(self) -> None:
        recogniser = DotRecogniser()
        load(pdf(text_page("Words."), lambda canvas: None), ocr=recogniser)
        assert not recogniser.seen

    def test_headings_by_the_size_of_letters(self) -> None:
        rows = [(100.0, 700.0 - 20 * n, "NOT HERE THE TREE", 1.4) for n in range(4)]
        document = load(pdf(dotted_page((100.0, 780.0, "THE TREE", 4.0), *rows)), ocr=DotRecogniser())
        assert headings(document) == [(1, "THE TREE")]
        assert len(blocks(document, "paragraph")) == 1

    def test_glyphs_that_nobody_can_read_are_read_as_an_image(self) -> None:
        shown = ["BT /F1 1.2 Tf 72 500 Td (\\002\\003\\004) Tj ET"]
        for row, signs in enumerate(DOTS["T"]):
            shown += [f"{100 + 2 * n} {700 - 2 * row} 2 2 re f" for n, sign in enumerate(signs) if sign == "#"]
        data = raw_pdf(
            {
                1: "<< /Type /Catalog /Pages 2 0 R >>",
                2: "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
                3: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
                "/Resources << /Font << /F1 5 0 R >> >> >>",
                4: stream("\n".join(shown)),
                5: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            }
        )
        assert load(data, ocr=DotRecogniser()).text == "T\n"
        error = refusal(data)
        assert (error.kind, "glyphs" in error.problem, "ocr" in error.cure) == ("no_text", True, True)
        mixed = load(data.replace(b"(\\002\\003\\004) Tj", b"(\\002\\003\\004) Tj 0 -99 Td (Words) Tj"))
        assert ("Words" in mixed.text, notices(mixed)["unreadable"].endswith("page 1")) == (True, True)

    def test_doubt_is_told(self) -> None:
        def draw(canvas: Any) -> None:
            for n in range(5):
                dotted(canvas, 100 + 40 * n, 700, "O", 2.0)
                canvas.rect(102 + 40 * n, 688, 6, 10, stroke=0, fill=1)

        document = load(pdf(draw), ocr=DotRecogniser())
        assert "doubtful" in notices(document)

    def test_nothing_is_found(self) -> None:
        @dataclass(frozen=True, slots=True, kw_only=True)
        class Blind:
            name: str = "blind"

            def recognise(self, image: Image, languages: Sequence[str]) -> list[RecognisedWord]:
                return []

        error = refusal(scan(), ocr=Blind())
        assert (error.kind, "blind" in error.problem) == ("no_text", True)
        document = load(pdf(text_page("Words."), dotted_page(*ROWS)), ocr=Blind())
        assert "found no text on page 2" in notices(document)["no_text"]

    def test_an_error_names_file_and_page(self) -> None:
        @dataclass(frozen=True, slots=True, kw_only=True)
        class Broken:
            name: str = "broken"

            def recognise(self, image: Image, languages: Sequence[str]) -> list[RecognisedWord]:
                raise LoadError("no ink", cure="Buy some.", kind="unsupported")

        error = refusal(pdf(text_page("Words."), dotted_page(*ROWS)), ocr=Broken())
        assert (error.kind, error.problem, error.cure) == ("unsupported", "page 2: no ink", "Buy some.")

    def test_by_name(self) -> None:
        assert "tesseract" in catalogue.names("ocr")
        made = catalogue.create("load", "pdf", {"ocr": "tesseract", "ocr_languages": ["de"]})
        assert made.ocr == "tesseract"
        with pytest.raises(UnknownNameError, match="tesseract"):
            catalogue.create("load", "pdf", {"ocr": "crystal-ball"})
        with pytest.raises(UsageError, match="takes text"):
            catalogue.create("load", "pdf", {"ocr": 5})

    @pytest.mark.parametrize(
        "wrong",
        [
            {"text": "two words"},
            {"text": ""},
            {"x1": 1.0},
            {"bottom": 2.0},
            {"confidence": 1.2},
        ],
    )
    def test_a_word_that_is_none(self, wrong: dict[str, Any]) -> None:
        word: dict[str, Any] = {"text": "word", "x0": 1.0, "top": 2.0, "x1": 3.0, "bottom": 4.0}
        RecognisedWord(**word)
        with pytest.raises(ValueError, match="word"):
            RecognisedWord(**{**word, **wrong})

    def test_an_image_has_a_byte_for_each_pixel(self) -> None:
        with pytest.raises(ValueError, match="2 x 2"):
            Image(width=2, height=2, dpi=300, pixels=b"abc")


def test_words_without_lines_of_the_recogniser() -> None:
    words = [("one", 10, 10), ("two", 60, 11), ("three", 10, 40), ("four", 60, 41)]
    recognised = Recognised(
        tuple(RecognisedWord(text=text, x0=x, top=y, x1=x + 40, bottom=y + 20) for text, x, y in words), 1.0
    )
    page = Page(1, 200, 200)
    add_words([(page, recognised)])
    assert page.words[0].ink is page.words[1].ink
    assert page.words[1].ink is not page.words[2].ink
    assert Recognised.from_json(recognised.to_json()) == recognised
    assert Recognised((), 1.0).confidence == 1.0


# The real program.


def photographed(data: bytes) -> bytes:
    """The same pages as images."""
    file = pypdfium2.PdfDocument(data)
    pages: list[Draw] = []
    for page in file:
        picture = page.render(scale=200 / 72, grayscale=True).to_pil()
        pages.append(_drawn(picture))
    file.close()
    return pdf(*pages)


def _drawn(picture: Any) -> Callable[[Any], None]:
    return lambda canvas: canvas.drawImage(ImageReader(picture), 0, 0, WIDTH, HEIGHT) and None


@TESSERACT
class TestTesseract:
    def test_a_manual(self) -> None:
        data = (GOLDEN / "manual.pdf").read_bytes()
        wanted, document = load(data), load(photographed(data), ocr="tesseract")
        assert ratio(" ".join(wanted.text.split()), " ".join(document.text.split())) > 93
        assert {title for _, title in headings(document)} >= {"Harbour Manual", "1 Mooring", "2 Berths", "3 Signals"}
        assert notices(document)["recognised"].startswith("pages 1-4 read by text recognition (tesseract)")
        assert set(notices(document)) == {"recognised", "furniture"}

    def test_places(self) -> None:
        """The boxes of each paragraph hold the letters that the original has there."""
        data = (GOLDEN / "manual.pdf").read_bytes()
        document = load(photographed(data), ocr="tesseract")
        file = pypdfium2.PdfDocument(data)
        found = []
        for block in document.blocks:
            if block.kind in ("heading", "paragraph"):
                there = ""
                for box in document.place(block.span).boxes:
                    height = file[box.page - 1].get_height()
                    there += (
                        file[box.page - 1]
                        .get_textpage()
                        .get_text_bounded(box.x0 - 1, height - box.y1 - 1, box.x1 + 1, height - box.y0 + 1)
                    )
                found.append(
                    ratio("".join(there.split()), "".join((block.title or block.span.of(document.text)).split()))
                )
        file.close()
        assert len(found) > 8
        assert sum(score > 90 for score in found) > 0.85 * len(found)

    def test_german(self) -> None:
        known = subprocess.run(["tesseract", "--list-langs"], capture_output=True, text=True, check=True).stdout.split()
        if "deu" not in known:
            pytest.skip("the German language of tesseract is not installed")
        rows = ["Die Übung beginnt früh am Morgen auf der Straße,", "die größeren Schiffe müssen fünf Stunden warten."]
        document = load(photographed(pdf(text_page(*rows, font="Vera"))), ocr="tesseract", ocr_languages=("de",))
        assert document.text.strip() == " ".join(rows)
        assert "(tesseract, de)" in notices(document)["recognised"]


def test_the_lines_of_pages_without_text_are_no_furniture_of_others() -> None:
    document = load(pdf(dotted_page(*ROWS), text_page("Words.")), ocr=DotRecogniser())
    assert document.text == "THE TREE NOT HERE\n\nWords.\n"
