"""Archives are read within limits, and their names are nothing but keys."""

from __future__ import annotations

import warnings
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from tools.make_golden_docx import archive

from pincite.errors import LoadError
from pincite.load.archive import Limits, open_archive
from pincite.model import Source

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
MEGABYTE = 1024 * 1024


def kind_of(data: bytes, *, read: str = "", **limits: int) -> str:
    """The kind of the error that opening, or reading that member, gives."""
    with pytest.raises(LoadError) as caught:
        open_archive(Source("a.docx", data), limits=Limits(**limits)).read(read)
    assert caught.value.file == "a.docx"
    return caught.value.kind


def with_method(method: int) -> bytes:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as file:
        file.writestr("a", b"text " * 100)
    return buffer.getvalue()


def test_members_are_read_by_name() -> None:
    data = archive({"a.xml": b"one", "folder/": b"", "folder/b.xml": b"two"})
    opened = open_archive(Source("a.docx", data))
    assert opened.names == tuple(opened) == ("a.xml", "folder/b.xml")
    assert "a.xml" in opened
    assert "folder/" not in opened
    assert [opened.read(name) for name in opened.names] == [b"one", b"two"]


def test_a_name_that_climbs_is_only_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    opened = open_archive(Source("a.docx", archive({"../climbed.txt": b"x", "/root.txt": b"y", "C:\\w.txt": b"z"})))
    assert [opened.read(name) for name in opened.names] == [b"x", b"y", b"z"]
    assert not list(tmp_path.iterdir())
    assert not (tmp_path.parent / "climbed.txt").exists()


def test_of_two_members_of_one_name_the_last_counts_as_in_the_directory() -> None:
    buffer = BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(buffer, "w") as file:
        warnings.simplefilter("ignore")
        file.writestr("a", b"first")
        file.writestr("a", b"last")
    opened = open_archive(Source("a.docx", buffer.getvalue()))
    assert opened.names == ("a",)
    assert opened.read("a") == b"last"


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"", "corrupt"),
        (b"no archive", "unsupported"),
        (b"\x00\x01no archive", "corrupt"),
        (archive({"a": b"x" * 100})[:-30], "corrupt"),
        (OLE + bytes(600), "unsupported"),
        (OLE + bytes(600) + "EncryptedPackage".encode("utf-16-le"), "encrypted"),
        (with_method(zipfile.ZIP_BZIP2), "unsupported"),
        (with_method(zipfile.ZIP_LZMA), "unsupported"),
    ],
    ids=["empty", "text", "bytes", "cut", "before 2007", "password", "bzip2", "lzma"],
)
def test_what_is_no_archive_is_told_apart(data: bytes, kind: str) -> None:
    assert kind_of(data, read="a") == kind


def test_a_missing_member_is_an_error_that_names_it() -> None:
    with pytest.raises(LoadError, match="'b'") as caught:
        open_archive(Source("a.docx", archive({"a": b"x"}))).read("b")
    assert caught.value.kind == "corrupt"


def test_a_damaged_member_is_corrupt_and_the_others_are_read() -> None:
    data = bytearray(archive({"a": b"one two three" * 50, "b": b"fine"}))
    data[33] ^= 0xFF
    opened = open_archive(Source("a.docx", bytes(data)))
    with pytest.raises(LoadError) as caught:
        opened.read("a")
    assert caught.value.kind == "corrupt"
    assert opened.read("b") == b"fine"


def test_an_encrypted_member_is_refused() -> None:
    data = bytearray(archive({"a": b"x" * 10}))
    entry = data.index(b"PK\x01\x02")
    data[entry + 8] |= 1
    assert kind_of(bytes(data), read="a") == "encrypted"


@pytest.mark.parametrize(
    ("limits", "kind"),
    [
        ({"max_bytes": 100}, "too_large"),
        ({"max_members": 2}, "too_large"),
        ({"max_expanded_bytes": 999}, "too_large"),
    ],
    ids=["bytes", "members", "expanded"],
)
def test_every_limit_is_kept(limits: dict[str, int], kind: str) -> None:
    assert kind_of(archive({"a": b"x" * 1000, "b": b"", "c": b""}), read="a", **limits) == kind


def test_the_sum_of_what_is_read_is_limited() -> None:
    opened = open_archive(Source("a.docx", archive({"a": b"x" * 600})), limits=Limits(max_expanded_bytes=1000))
    assert len(opened.read("a")) == 600
    with pytest.raises(LoadError, match="1,000 bytes"):
        opened.read("a")


def test_a_bomb_is_unsafe_and_costs_nothing() -> None:
    data = archive({"a": bytes(8 * MEGABYTE)})
    assert kind_of(data, read="a") == "unsafe"
    assert len(open_archive(Source("a", data), limits=Limits(max_ratio=2000)).read("a")) == 8 * MEGABYTE


def test_a_size_that_lies_expands_no_more_than_it_says() -> None:
    data = bytearray(archive({"a": bytes(MEGABYTE)}))
    for mark, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        entry = data.index(mark)
        data[entry + offset : entry + offset + 4] = (10).to_bytes(4, "little")
    assert kind_of(bytes(data), read="a") == "corrupt"


def test_a_rewritten_archive_has_the_new_content_and_only_xml() -> None:
    members = {"mimetype": b"x/y", "a.xml": b"old" * 100, "b.xml": b"kept", "_rels/.rels": b"r", "picture.png": b"p"}
    opened = open_archive(Source("a.ods", archive(members)), limits=Limits(max_expanded_bytes=400))
    assert len(opened.read("a.xml")) == 300
    again = open_archive(Source("a.ods", opened.rewritten({"a.xml": b"new"})))
    assert {name: again.read(name) for name in again.names} == {
        "mimetype": b"x/y",
        "a.xml": b"new",
        "b.xml": b"kept",
        "_rels/.rels": b"r",
    }


@pytest.mark.parametrize(
    "limits",
    [{"max_bytes": 0}, {"max_members": 0}, {"max_expanded_bytes": 0}, {"max_ratio": 0}],
    ids=lambda limits: next(iter(limits)),
)
def test_impossible_limits_are_refused(limits: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=next(iter(limits))):
        Limits(**limits)
