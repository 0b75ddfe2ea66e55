"""Files are found once, and what cannot be read says so."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pincite.engine.documents import load_document, load_files, read_bytes
from pincite.engine.files import find_files, walk
from pincite.errors import LoadError


def make(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("# Title\n\nText.\n")


def test_files_come_in_order_without_hidden_ones_and_settings(tmp_path: Path) -> None:
    make(tmp_path, "b.md", "a/z.md", "a.md", ".hidden/x.md", ".x.md", "drafts/y.md", "a/skip.md")
    (tmp_path / "pincite.toml").write_text('[collection]\nexclude = ["drafts/**", "skip.md"]\n')
    found = walk(tmp_path)
    assert [file.document_id for file in found.files] == ["a.md", "a/z.md", "b.md"]
    assert found.notices == ()


def test_settings_hold_for_everything_below_their_folder(tmp_path: Path) -> None:
    make(tmp_path, "a/b/x.md", "a/b/y.md", "a/y.md", "y.md")
    (tmp_path / "a" / "pincite.toml").write_text('[collection]\nexclude = ["b/y.md"]\n')
    for folder, ids in ((tmp_path, ["a/b/x.md", "a/y.md", "y.md"]), (tmp_path / "a" / "b", ["x.md"])):
        assert [file.document_id for file in walk(folder).files] == ids


def test_links_are_not_followed_and_are_told(tmp_path: Path) -> None:
    make(tmp_path, "sub/two.md", "one.md")
    (tmp_path / "sub" / "loop").symlink_to(tmp_path)
    (tmp_path / "again.md").symlink_to(tmp_path / "one.md")
    found = walk(tmp_path)
    assert [file.document_id for file in found.files] == ["one.md", "sub/two.md"]
    assert [(notice.kind, notice.file) for notice in found.notices] == [("link", "again.md"), ("link", "sub/loop")]


def test_named_files_and_missing_paths(tmp_path: Path) -> None:
    make(tmp_path, "docs/a.md", "b.md")
    found = find_files([tmp_path / "docs", tmp_path / "b.md", tmp_path / "nope"])
    assert [file.document_id for file in found.files] == ["docs/a.md", "test_named_files_and_missing_p0/b.md"]
    assert [(notice.kind, Path(notice.file).name) for notice in found.notices] == [("missing", "nope")]


def test_a_file_that_vanished_or_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="cannot be read"):
        read_bytes(tmp_path / "gone.md")
    (tmp_path / "folder.md").mkdir()
    with pytest.raises(LoadError, match="not a regular file"):
        read_bytes(tmp_path / "folder.md")


def test_a_name_that_is_no_text_is_told(tmp_path: Path) -> None:
    make(tmp_path, "a.md")
    try:
        (tmp_path / os.fsdecode(b"caf\xe9.md")).write_text("x")
    except OSError:
        pytest.skip("this file system has only names that are text")
    found = walk(tmp_path)
    assert [file.document_id for file in found.files] == ["a.md"]
    assert [(notice.kind, notice.file) for notice in found.notices] == [("unreadable", "caf\\udce9.md")]


def test_a_file_over_the_limit_is_not_read(tmp_path: Path) -> None:
    make(tmp_path, "a.md")
    with pytest.raises(LoadError, match=r"more than the limit of 3") as caught:
        read_bytes(tmp_path / "a.md", max_bytes=3)
    assert caught.value.kind == "too_large"


@pytest.mark.parametrize(("name", "said"), [("a.png", "'.png' is not supported"), ("a", "without a suffix")])
def test_unsupported_names_what_is_supported(tmp_path: Path, name: str, said: str) -> None:
    make(tmp_path, name)
    with pytest.raises(LoadError, match=said) as caught:
        load_document(tmp_path / name)
    assert caught.value.kind == "unsupported"
    assert ".md" in caught.value.cure


def test_loading_goes_on_after_an_error(tmp_path: Path) -> None:
    make(tmp_path, "a.md", "b.bin", "c.MD")
    results = list(load_files(walk(tmp_path).files))
    assert [getattr(result, "id", "error") for result in results] == ["a.md", "error", "c.MD"]
    assert load_document(str(tmp_path / "a.md")).sections[0].title == "Title"
