"""The loader and its process: limits, passwords, damage, and what is reported."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from tests.unit.load.pdf.loading import notices, read, read_pages
from tools.make_golden_pdf import GOLDEN, LEFT, lines, manual, pdf, raw_pdf, stream, text_page

from pincite.errors import LoadError
from pincite.load.pdf import PdfLoader
from pincite.load.pdf.file import File
from pincite.model import Document, Source


def load(data: bytes, loader: PdfLoader | None = None) -> Document:
    return (loader or PdfLoader()).load(Source("folder/a.pdf", data))


def refusal(data: bytes, loader: PdfLoader | None = None) -> LoadError:
    with pytest.raises(LoadError) as caught:
        load(data, loader)
    assert caught.value.file == "folder/a.pdf"
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


def text_of_length(characters: int) -> bytes:
    """One page that is written over and over."""
    row = "and so on " * 9
    return raw_pdf(
        {
            1: "<< /Type /Catalog /Pages 2 0 R >>",
            2: "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            3: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
            "/Resources << /Font << /F1 5 0 R >> >> >>",
            4: stream(
                "\n".join(f"BT /F1 8 Tf 72 {n % 797 + 20} Td ({n} {row}) Tj ET" for n in range(characters // 100))
            ),
            5: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        }
    )


def test_a_document_says_what_it_is() -> None:
    document = load(manual())
    assert (document.id, document.source, document.media_type) == ("folder/a.pdf", "folder/a.pdf", "application/pdf")
    assert document.metadata == {
        "title": "Harbour Manual",
        "authors": ("Harbour office",),
        "date": "2000-01-01T00:00:00+00:00",
        "pages": 4,
    }
    assert {box.page for placement in document.places for box in placement.place.boxes} == {1, 2, 3, 4}


def test_the_process_gives_what_this_process_gives() -> None:
    data = manual()
    assert load(data).text == read(data).text


def test_fillers_are_no_titles_and_no_authors() -> None:
    assert set(read_pages(text_page("Text.")).metadata) == {"pages", "date"}


class TestPasswords:
    def make(self, user: str) -> bytes:
        return pdf(text_page("Locker list."), encrypt=StandardEncryption(user, ownerPassword="own", strength=128))

    def test_a_file_that_needs_one_is_refused_without(self) -> None:
        error = refusal(self.make("tern"))
        assert error.kind == "encrypted"
        assert "password" in error.cure

    def test_a_wrong_one_is_refused(self) -> None:
        error = refusal(self.make("tern"), PdfLoader(password="gull"))
        assert (error.kind, error.problem) == ("encrypted", "the password does not open the file")

    @pytest.mark.parametrize("password", ["tern", "own"])
    def test_the_right_one_opens(self, password: str) -> None:
        assert load(self.make("tern"), PdfLoader(password=password)).text == "Locker list.\n"

    def test_a_file_that_only_restricts_opens(self) -> None:
        assert load(self.make("")).text == "Locker list.\n"

    def test_a_password_is_not_printed(self) -> None:
        from pincite.load.pdf.process import Request

        assert "tern" not in repr(Request(task="load", path="a", password="tern"))

    def test_a_password_beyond_latin_is_tried(self) -> None:
        with pytest.raises(LoadError, match="password"):
            File(self.make("tern"), "a.pdf", "海")


class TestDamage:
    def test_no_pdf(self) -> None:
        assert refusal(b"Text, whatever the name says.").kind == "corrupt"
        assert refusal(b"").kind == "corrupt"

    def test_cut_off(self) -> None:
        data = manual()
        assert refusal(data[: len(data) // 20]).kind == "corrupt"

    def test_a_lost_end_is_reported(self) -> None:
        data = manual().replace(b"%%EOF", b"%%EO")
        document = load(data)
        assert "Harbour Manual" in document.text
        assert "damaged" in notices(document)

    def test_a_page_that_is_missing_is_named(self) -> None:
        objects: dict[int, str | bytes] = {
            1: "<< /Type /Catalog /Pages 2 0 R >>",
            2: "<< /Type /Pages /Kids [3 0 R 9 0 R] /Count 2 >>",
            3: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
            "/Resources << /Font << /F1 5 0 R >> >> >>",
            4: stream("BT /F1 12 Tf 72 700 Td (The first page.) Tj ET"),
            5: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        }
        document = load(raw_pdf(objects))
        assert document.text == "The first page.\n"
        assert notices(document) == {"damaged": "page 2 could not be read"}

    def test_no_page_at_all(self) -> None:
        objects: dict[int, str | bytes] = {
            1: "<< /Type /Catalog /Pages 2 0 R >>",
            2: "<< /Type /Pages /Kids [] /Count 0 >>",
        }
        assert refusal(raw_pdf(objects)).kind == "corrupt"


class TestPagesWithoutText:
    def test_a_scan_is_refused_and_its_pages_named(self) -> None:
        error = refusal(scan())
        assert error.kind == "no_text"
        assert "page 1" in error.problem

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
            from reportlab.lib.utils import ImageReader

            canvas.drawImage(ImageReader(_pixels()), 0, 0, 500, 700)  # type: ignore[attr-defined]

        document = read_pages(text_page("Words on paper."), picture, text_page("More words."), picture)
        assert notices(document)["scanned"].startswith("pages 2, 4 without text")


def _pixels() -> object:
    from PIL import Image

    return Image.new("L", (4, 4), 128)


class TestLimits:
    @pytest.mark.parametrize(
        ("loader", "named"),
        [
            (PdfLoader(max_bytes=100), "max_bytes"),
            (PdfLoader(max_pages=3), "max_pages"),
            (PdfLoader(max_characters=50), "max_characters"),
            (PdfLoader(timeout_s=0.01), "timeout_s"),
        ],
        ids=lambda value: value if isinstance(value, str) else "",
    )
    def test_a_limit_is_named(self, loader: PdfLoader, named: str) -> None:
        error = refusal(manual(), loader)
        assert (error.kind, named in error.problem) == ("too_large", True)

    @pytest.mark.parametrize("option", ["max_bytes", "max_pages", "max_characters", "timeout_s", "max_memory_bytes"])
    def test_a_limit_of_nothing_is_refused(self, option: str) -> None:
        with pytest.raises(ValueError, match=option):
            PdfLoader(**{option: 0})  # type: ignore[arg-type]

    @pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the address space")
    def test_too_little_memory(self) -> None:
        data = text_of_length(3_000_000)
        error = refusal(data, PdfLoader(max_memory_bytes=128 * 1024 * 1024))
        assert error.kind in ("too_large", "corrupt")
        assert "max_memory_bytes" in error.problem

    @pytest.mark.skipif(sys.platform == "win32", reason="Windows has no children to wait for")
    def test_no_child_is_left(self) -> None:
        load(manual())
        for loader in (PdfLoader(timeout_s=0.01), PdfLoader(max_pages=1)):
            assert refusal(manual(), loader).kind == "too_large"
        with pytest.raises(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ties a process to its parent")
def test_the_process_goes_when_its_parent_is_killed() -> None:
    """The parent starts a worker that waits for its request for ever, and is killed."""
    code = (
        "import sys, os, time, subprocess\n"
        "from pincite.load.pdf import process\n"
        "child = subprocess.Popen([sys.executable, '-c', process.WORKER, *sys.path], stdin=subprocess.PIPE,"
        " stdout=subprocess.DEVNULL)\n"
        'child.stdin.write(b\'{"task": "load", "timeout_s": 60, "max_memory_bytes": 0, "path": "a"}\\n\')\n'
        "child.stdin.flush()\n"
        "print(child.pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    source = Path(__file__).parents[4] / "src"
    parent = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(source)},
    )
    assert parent.stdout
    child = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    parent.stdout.close()
    for _ in range(200):
        if not Path(f"/proc/{child}").exists():
            return
        os.sched_yield()
        subprocess.run(["sleep", "0.02"], check=True)
    pytest.fail("the worker outlives its parent")


def test_what_nobody_sees_is_left_out_and_counted() -> None:
    document = read((GOLDEN / "hidden.pdf").read_bytes())
    assert document.text == "The gate opens at high water.\n\nWhite on blue is for all to see.\n"
    messages = [warning.message for warning in document.warnings if warning.kind == "hidden_text"]
    assert [message.split("(")[1].split(")")[0] for message in messages] == [
        "invisible",
        "off the page",
        "tiny",
        "white",
    ]


def test_glyphs_without_a_character_are_reported() -> None:
    names = "/Encoding << /Differences [65 /nameless] >>"
    objects: dict[int, str | bytes] = {
        1: "<< /Type /Catalog /Pages 2 0 R >>",
        2: "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        3: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
        "/Resources << /Font << /F1 5 0 R >> >> >>",
        4: stream("BT /F1 12 Tf 72 700 Td (diAcult \\002 words) Tj ET"),
        5: f"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica {names} >>",
    }
    document = read(raw_pdf(objects))
    assert document.text.startswith("di")
    assert "\x02" not in document.text
