"""Which encoding a page is read in."""

from __future__ import annotations

import codecs

import pytest

from pincite.errors import LoadError
from pincite.load.decoding import Decoded
from pincite.load.html.charset import codec_of, declared_label, decode_page
from pincite.model import Source

WORDS = "Zajezdnia Łódź: 5 zł"


def decoded(data: bytes) -> Decoded:
    return decode_page(Source("a.html", data), max_bytes=10_000, loader="html")


@pytest.mark.parametrize(
    ("head", "label"),
    [
        (b'<meta charset="iso-8859-2">', "iso-8859-2"),
        (b"<meta charset=iso-8859-2>", "iso-8859-2"),
        (b'<META content="text/html; charset=windows-1250" http-equiv=Content-Type>', "windows-1250"),
        (b"<?xml version='1.0' encoding='ISO-8859-2'?><html>", "ISO-8859-2"),
        (b"<!-- <meta charset=utf-8> --><meta charset='koi8-r'>", "koi8-r"),
        (b"<meta name=x><p>charset=no", ""),
        (b" " * 5000 + b"<meta charset=koi8-r>", ""),
    ],
)
def test_declarations(head: bytes, label: str) -> None:
    assert declared_label(head) == label


@pytest.mark.parametrize(
    ("label", "codec"),
    [
        ("latin1", "cp1252"),
        ("ISO-8859-9", "cp1254"),
        ("latin2", "iso8859_2"),
        ("latin6", "iso8859_10"),
        ("iso8859-15", "iso8859_15"),
        ("x-cp1251", "cp1251"),
        ("GB2312", "gb18030"),
        ("x-sjis", "cp932"),
        ("utf-16", "utf-8"),
        ("iso-8859-12", ""),
        ("idna", ""),
    ],
)
def test_names_mean_what_they_mean_on_the_web(label: str, codec: str) -> None:
    assert codec_of(label) == codec
    if codec:
        codecs.lookup(codec)


@pytest.mark.parametrize("label", ["iso-8859-2", "windows-1250"])
def test_the_declared_encoding_is_used(label: str) -> None:
    page = decoded(f"<meta charset={label}>{WORDS}".encode(label))
    assert page.text.endswith(WORDS)
    assert page.notices == ()


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_wins(encoding: str) -> None:
    page = decoded(f"<meta charset=koi8-r>{WORDS}".encode(encoding))
    assert page.text.endswith(WORDS)
    assert page.text.startswith("<meta")


def test_valid_utf8_wins_over_a_wrong_declaration_and_says_so() -> None:
    page = decoded(f"<meta charset=iso-8859-1>{WORDS}".encode())
    assert (page.text.endswith(WORDS), page.encoding) == (True, "utf-8")
    assert [notice.kind for notice in page.notices] == ["encoding"]


def test_plain_ascii_may_be_of_any_encoding() -> None:
    assert decoded(b"<meta charset=iso-8859-1>plain").notices == ()
    assert decoded("<meta charset=iso-2022-jp>日本".encode("iso2022_jp")).text.endswith("日本")


@pytest.mark.parametrize("label", ["klingon", "cp932"])
def test_a_declaration_that_cannot_be_is_told(label: str) -> None:
    data = f"<meta charset={label}>Füße in Köln: größer \x81".encode("latin-1")
    page = decoded(data.replace(b"\x81", b"")) if label == "klingon" else decoded(b"<meta charset=utf-8>" + b"ok")
    if label == "klingon":
        assert "klingon" in page.notices[0].message
        assert "Füße in Köln: größer" in page.text
    assert page.text


def test_a_byte_that_does_not_fit_is_told() -> None:
    page = decoded("<meta charset=shift_jis>Füße in Köln, größer als Bär und Öl.".encode("cp1252"))
    assert page.text.endswith("Füße in Köln, größer als Bär und Öl.")
    assert "declares shift_jis" in page.notices[0].message


def test_limits_and_binaries_are_refused() -> None:
    with pytest.raises(LoadError) as caught:
        decoded(b"<meta charset=koi8-r>" + b"a" * 10_000)
    assert caught.value.kind == "too_large"
    with pytest.raises(LoadError) as caught:
        decoded(b"%PDF-1.7 \xff")
    assert caught.value.kind == "binary"
