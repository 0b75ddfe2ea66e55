"""Real files and the shared cases: each gives a document, or the one right error."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.unit.load.pdf.loading import blocks, headings, read_pages
from tools.make_golden_pdf import LEFT, lines, text_page

from pincite import catalogue
from pincite.errors import LoadError
from pincite.load.pdf.loader import PdfLoader
from pincite.model import Document, Source

REFUSED = {"pdf/MEDRPT-2024-PAT-3847_medical_report_scan.pdf": "no_text"}


def load(file: Path, password: str = "") -> Document:
    return PdfLoader(password=password).load(Source(file.name, file.read_bytes()))


def normalised(text: str) -> str:
    return " ".join(text.split())


def chunks(document: Document) -> list[str]:
    return [chunk.text for chunk in catalogue.create("chunk", "structure").chunk(document)]


class TestCases:
    @pytest.fixture
    def cases(self, shared: Path) -> Path:
        folder = shared / "cases"
        if not (folder / "C028.pdf").is_file():
            pytest.skip("shared/cases has no PDF files")
        return folder

    def test_c028_heads_that_alternate(self, cases: Path) -> None:
        document = load(cases / "C028.pdf")
        text = "\n".join(chunks(document))
        assert document.metadata["pages"] == 6
        assert headings(document) == [(1, "Quay Handbook")]
        assert text.count("Quay Handbook") == 1
        assert text.count("Tie up with two lines.") == 5
        assert "Chapter: Mooring" not in text
        assert all(f"Ring number {n} is painted white." in text for n in range(2, 7))
        assert not re.search(r"^\s*\d+\s*$", text, re.MULTILINE)

    def test_c030_hyphens(self, cases: Path) -> None:
        text = "\n".join(chunks(load(cases / "C030.pdf")))
        assert all(words in text for words in ("Dampfkessel", "Berg- und Talfahrt", "Hauptbahnhof", "Nord-Süd-Achse"))
        assert not any(words in text for words in ("\u00ad", "Bergund", "Berg-und", "SüdAchse"))

    def test_c032_columns(self, cases: Path) -> None:
        text = normalised("\n".join(chunks(load(cases / "C032.pdf"))))
        places = [
            text.index(words)
            for words in (
                "Notes from the tide office",
                "Left: the gauge was moved in April and reads low.",
                "Right: the spare gauge hangs in the boat shed.",
                "Both gauges are due in autumn.",
            )
        ]
        assert places == sorted(places)

    def test_c034_passwords_and_damage(self, cases: Path) -> None:
        folder = cases / "C034"
        for name, kind in (("locked.pdf", "encrypted"), ("cut.pdf", "corrupt")):
            with pytest.raises(LoadError) as caught:
                load(folder / name)
            assert (caught.value.kind, caught.value.file) == (kind, name)
        assert load(folder / "locked.pdf", "tern42").text == "Locker list of the rowing club.\n"
        assert load(folder / "owner.pdf").text == "Open for reading.\n"


def test_the_twin_of_c028_a_head_that_is_also_a_sentence() -> None:
    """The words of the head, said within the text of a page, stay."""

    def page(number: int) -> object:
        def draw(canvas: object) -> None:
            lines(canvas, LEFT, 805, ["Keep clear of the crane"], size=9)
            lines(canvas, LEFT, 700, [f"Day {number * 7}.", "Keep clear of the crane", "and of its shadow."])

        return draw

    document = read_pages(*[page(number) for number in range(1, 5)])  # type: ignore[arg-type]
    assert normalised(document.text).count("Keep clear of the crane and of its shadow.") == 4
    assert document.text.count("Keep clear") == 4


def test_the_twin_of_c032_a_higher_left_column_over_a_wide_note() -> None:
    def draw(canvas: object) -> None:
        lines(canvas, 330, 700, ["Second: the crane", "stands at the mole."])
        lines(canvas, 60, 725, ["First: the lock is", "open at high water."])
        lines(
            canvas, 60, 640, ["Third: both are closed in winter, from the first of December until the last of March."]
        )

    text = normalised(read_pages(draw).text)
    assert text.index("First: the lock is open") < text.index("Second: the crane stands") < text.index("Third")


def test_the_twin_of_c030_hyphens_inside_lines() -> None:
    text = read_pages(
        text_page("Die See- und Flussfahrt, die Nord-Süd-Achse und der Haupt-", "Bahnhof.", font="Vera")
    ).text
    assert text == "Die See- und Flussfahrt, die Nord-Süd-Achse und der Haupt-Bahnhof.\n"


def test_every_shared_file_gives_a_document_or_its_error(shared: Path) -> None:
    manifest = shared / "data/files/MANIFEST.jsonl"
    if not manifest.is_file():
        pytest.skip("shared/data/files is missing")
    listed = [json.loads(line) for line in manifest.read_text(encoding="utf-8").splitlines()]
    for row in listed:
        if not row["file"].startswith("pdf/"):
            continue
        file = shared / "data/files" / row["file"]
        if row["file"] in REFUSED:
            with pytest.raises(LoadError) as caught:
                load(file)
            assert caught.value.kind == REFUSED[row["file"]]
            continue
        if "password" in row:
            with pytest.raises(LoadError) as caught:
                load(file)
            assert caught.value.kind == "encrypted"
        document = load(file, row.get("password", ""))
        assert document.blocks, row["file"]


def test_page_numbers_do_not_shift_over_empty_pages(shared: Path) -> None:
    file = shared / "data/files/pdf/layout-parser-paper-with-empty-pages.pdf"
    if not file.is_file():
        pytest.skip("shared/data/files is missing")
    document = load(file)
    assert {placement.place.page for placement in document.places} == {1, 4}


class TestOrbit:
    def test_the_quotes_of_the_questions_are_there_once(self, orbit: Path) -> None:
        questions = (orbit / "questions.jsonl").read_text(encoding="utf-8").splitlines()
        relevant = [item for line in questions for item in json.loads(line)["relevant"]]
        quotes = [(item["document"], item["text"]) for item in relevant if item["document"].endswith(".pdf")]
        assert quotes
        texts = {name: normalised(load(orbit / name).text) for name, _ in quotes}
        for name, quote in quotes:
            assert texts[name].count(normalised(quote)) == 1, quote

    def test_the_manual(self, orbit: Path) -> None:
        document = load(orbit / "v3/edge-gateway-manual.pdf")
        assert headings(document)[:3] == [(1, "Edge gateway EG-200"), (2, "Safety"), (2, "Technical data")]
        assert [block.columns for block in document.blocks if block.kind == "table"][:2] == [
            ("Property", "Value"),
            ("Purpose", "Protocol", "Port", "Needed"),
        ]
        assert len(blocks(document, "item")) == 11
        assert "EG-200 manual" not in document.text
        assert not re.search(r"^Page \d", document.text, re.MULTILINE)
