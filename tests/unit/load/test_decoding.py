"""Bytes to text: what decides, what is reported, what is refused."""

from __future__ import annotations

import codecs
from typing import Literal

import pytest

from pincite.errors import LoadError
from pincite.load.decoding import Decoded, decode
from pincite.model import Source

GERMAN = "Die Öffnungszeiten der Bücherei ändern sich; die Straße ist gesperrt.\n"
POLISH = "Zajezdnia Łódź: klucz u pana Żuka.\n"


def decoded(data: bytes, *, max_bytes: int = 10_000_000, nul: Literal["refuse", "keep"] = "refuse") -> Decoded:
    return decode(Source("notes/a.md", data), max_bytes=max_bytes, loader="markdown", nul=nul)


def refused(data: bytes, *, max_bytes: int = 10_000_000, nul: Literal["refuse", "keep"] = "refuse") -> LoadError:
    with pytest.raises(LoadError) as caught:
        decoded(data, max_bytes=max_bytes, nul=nul)
    assert caught.value.file == "notes/a.md"
    return caught.value


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
        (b"", "utf-8"),
    ],
)
def test_a_mark_decides_and_is_dropped(mark: bytes, encoding: str) -> None:
    text = POLISH + "漢字 😀\r\n"
    assert decoded(mark + text.encode(encoding)) == Decoded(text, encoding)


def test_only_the_first_mark_is_dropped() -> None:
    assert decoded(codecs.BOM_UTF8 * 2 + b"a").text == "\ufeffa"


@pytest.mark.parametrize(
    ("data", "offset"),
    [
        (codecs.BOM_UTF8 + b"ab\xff", 5),
        (codecs.BOM_UTF16_LE + b"a\0b", 4),
        (codecs.BOM_UTF16_LE + b"a\0\x00\xd8b\0", 4),
        (codecs.BOM_UTF32_BE + b"\0\0\0a\xff\xff\xff\xff", 8),
    ],
)
def test_bytes_that_break_the_promise_of_the_mark_are_named(data: bytes, offset: int) -> None:
    error = refused(data)
    assert error.kind == "encoding"
    assert f"byte {offset} " in error.problem


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1252", GERMAN),
        ("cp1252", "à la carte, déjà vu, où êtes-vous?"),
        ("cp1250", POLISH + "Kierownik jest na dole, wejście od ulicy Żółtej, proszę dzwonić później.\n"),
        ("cp1251", "Привет, как дела? Это обычный текст.\n"),
        ("koi8_r", "Привет, как дела? Это обычный текст.\n"),
        ("cp932", "これは日本語のテキストです。\n"),
        ("gb18030", "这是一个中文文件。\n"),
    ],
)
def test_legacy_encodings_are_found_and_reported(encoding: str, text: str) -> None:
    data = text.encode(encoding)
    result = decoded(data)
    assert result.text == text
    first_bad = next(index for index, byte in enumerate(data) if byte >= 0x80)
    (notice,) = result.notices
    assert (notice.kind, notice.file) == ("encoding", "notes/a.md")
    assert f"byte {first_bad} " in notice.message
    assert result.encoding in notice.message


def test_the_sample_lies_around_the_trouble_in_a_large_file() -> None:
    text = "plain words on a line\n" * 20_000 + GERMAN * 20 + "plain words on a line\n" * 20_000
    assert decoded(text.encode("cp1252")).text == text


def test_the_sample_of_a_file_without_line_ends() -> None:
    text = "plain words " * 20_000 + GERMAN.strip() * 20 + " plain words" * 20_000
    assert decoded(text.encode("cp1252")).text == text


def test_an_encoding_must_fit_the_whole_file() -> None:
    """The sample is Shift-JIS without doubt, but far behind it stands half a character."""
    data = ("これは日本語のテキストです。\n" * 5_000).encode("cp932") + b"\x82\n"
    assert decoded(data[:-2]).encoding == "cp932"
    assert refused(data).kind == "encoding"


def test_no_encoding_fits() -> None:
    error = refused(bytes(range(0x80, 0x100)) * 3)
    assert error.kind == "encoding"
    assert "byte 0 is not UTF-8, and no other encoding fits" in error.problem


def test_one_stray_byte_does_not_make_utf_8_another_encoding() -> None:
    """Another encoding would decode the file and spoil all its umlauts."""
    data = GERMAN.encode() + b"stray \xff byte\n"
    error = refused(data)
    assert error.kind == "encoding"
    assert f"byte {len(GERMAN.encode()) + 6} " in error.problem


def test_a_replacement_character_in_the_file_is_no_damage() -> None:
    assert decoded("was lost: \ufffd".encode()).notices == ()


@pytest.mark.parametrize(
    ("data", "noun"),
    [(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "PNG"), (b"%PDF-1.7\n", "PDF"), (b"PK\x03\x04\x14\0", "ZIP")],
)
def test_renamed_binary_files_are_recognised(data: bytes, noun: str) -> None:
    for nul in ("refuse", "keep"):
        error = refused(data, nul=nul)
        assert error.kind == "binary"
        assert noun in error.problem


@pytest.mark.parametrize(
    ("data", "offset"),
    [
        (b"ab\0c", 2),
        ("é\0".encode(), 2),
        (codecs.BOM_UTF16_LE + "aé\0".encode("utf-16-le"), 6),
        ("no mark".encode("utf-16-le"), 1),
        (b"\xe9 \x01 \xff", 2),
    ],
)
def test_control_bytes_make_a_file_binary(data: bytes, offset: int) -> None:
    error = refused(data)
    assert error.kind == "binary"
    assert f"byte {offset} " in error.problem


def test_single_nuls_may_be_kept() -> None:
    assert decoded(b"twenty letters and \0", nul="keep").text == "twenty letters and \0"
    assert refused(b"a\0b", nul="keep").kind == "binary"


def test_the_limit_names_both_sizes_and_the_setting() -> None:
    assert decoded(b"x" * 2_000, max_bytes=2_000).text == "x" * 2_000
    error = refused(b"x" * 2_001, max_bytes=2_000)
    assert error.kind == "too_large"
    assert all(part in str(error) for part in ("2,001", "2,000", "max_bytes", "'markdown'"))
