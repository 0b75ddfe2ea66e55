"""The loader and its process: limits, passwords, damage, and what is reported."""

from __future__ import annotations

import os
import sys
import zlib

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from tests.unit.load.pdf.encrypting import aes, encrypted_pdf
from tests.unit.load.pdf.loading import notices, read, read_pages
from tools.make_golden_pdf import GOLDEN, manual, pdf, raw_pdf, stream, text_page

from pincite.errors import LoadError
from pincite.load import apart
from pincite.load.pdf.file import File
from pincite.load.pdf.loader import PdfLoader
from pincite.model import Document, Source


def load(data: bytes, loader: PdfLoader | None = None) -> Document:
    return (loader or PdfLoader()).load(Source("folder/a.pdf", data))


def refusal(data: bytes, loader: PdfLoader | None = None) -> LoadError:
    with pytest.raises(LoadError) as caught:
        load(data, loader)
    assert caught.value.file == "folder/a.pdf"
    return caught.value


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

    @pytest.mark.parametrize("revision", [5, 6])
    def test_256_bits(self, revision: int) -> None:
        locked = encrypted_pdf("Locker list.", "tern", revision=revision)
        assert refusal(locked).kind == "encrypted"
        assert refusal(locked, PdfLoader(password="gull")).kind == "encrypted"
        assert load(locked, PdfLoader(password="tern")).text == "Locker list.\n"
        assert load(encrypted_pdf("Locker list.", "", revision=revision)).text == "Locker list.\n"

    def test_a_file_that_only_restricts_opens_whatever_the_password(self) -> None:
        assert load(self.make(""), PdfLoader(password="gull")).text == "Locker list.\n"

    def test_the_cipher_of_these_tests(self) -> None:
        """FIPS 197, appendix C."""
        block = bytes.fromhex("00112233445566778899aabbccddeeff")
        assert aes(bytes(range(16)))(block).hex() == "69c4e0d86a7b0430d8cdb78070b4c55a"
        assert aes(bytes(range(32)))(block).hex() == "8ea2b7ca516745bfeafc49904b496089"

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


class TestLimits:
    @pytest.mark.parametrize(
        ("loader", "named"),
        [
            (PdfLoader(max_bytes=100), "max_bytes"),
            (PdfLoader(max_pages=3), "max_pages"),
            (PdfLoader(max_characters=50), "max_characters"),
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

    def test_too_little_time(self) -> None:
        error = refusal(text_of_length(3_000_000), PdfLoader(timeout_s=0.05))
        assert (error.kind, "timeout_s" in error.problem) == ("too_large", True)

    @pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the address space")
    def test_too_little_memory(self) -> None:
        error = refusal(text_of_length(3_000_000), PdfLoader(max_memory_bytes=128 * 1024 * 1024))
        assert (error.kind, "max_memory_bytes" in error.problem) == ("too_large", True)

    @pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the address space")
    def test_a_small_file_that_expands_without_end(self) -> None:
        """A kilobyte of a stream that is packed twice."""
        packed = zlib.compress(zlib.compress(b" " * 400_000_000, 9), 9)
        head = f"<< /Filter [/FlateDecode /FlateDecode] /Length {len(packed)} >>\nstream\n".encode()
        data = raw_pdf(
            {
                1: "<< /Type /Catalog /Pages 2 0 R >>",
                2: "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
                3: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>",
                4: head + packed + b"\nendstream",
            }
        )
        error = refusal(data, PdfLoader(max_memory_bytes=512 * 1024 * 1024))
        assert (len(data) < 2000, error.kind, "max_memory_bytes" in error.problem) == (True, "too_large", True)

    def test_a_file_that_kills_its_process_does_not_hurt_the_next_one(self) -> None:
        for data, loader in (
            (text_of_length(3_000_000), PdfLoader(timeout_s=0.05)),
            (text_of_length(3_000_000), PdfLoader(max_memory_bytes=128 * 1024 * 1024)),
            (b"%PDF-1.4 but nothing else", PdfLoader()),
        ):
            refusal(data, loader)
            assert load(manual()).metadata["pages"] == 4

    @pytest.mark.skipif(sys.platform == "win32", reason="Windows has no children to wait for")
    def test_no_child_is_left(self) -> None:
        load(manual())
        assert refusal(manual(), PdfLoader(max_pages=1)).kind == "too_large"
        apart.close()
        with pytest.raises(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)


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
