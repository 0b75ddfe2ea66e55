"""Ignore rules mean what they mean to git, which is asked where it is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.engine.files import find_files, is_left_out, walk
from pincite.engine.ignore import MAX_BYTES, decision, parse, rules_in
from pincite.errors import ConfigError

NAMES = ("a", "b", "ab", "a.md", "b.md", "a b", "#a", "!a", "-", "]", "docs")
PATTERNS = st.text(st.sampled_from("ab.d/*?[]!#^-\\ "), min_size=1, max_size=8).filter(
    lambda text: "[" not in text or "/" not in text  # in git a set may hold a slash that it never matches
)


def ignored(text: str, path: str, *, is_folder: bool = False) -> bool:
    """As in a walk: what lies in a folder that is left out is never asked about."""
    names = path.split("/")
    for depth in range(1, len(names) + 1):
        folder = is_folder if depth == len(names) else True
        if decision(parse(text), names[:depth], is_folder=folder):
            return True
    return False


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("*.log", "a/b.log", True),
        ("*.log\n!keep.log", "a/keep.log", False),
        ("/a.md", "a.md", True),
        ("/a.md", "b/a.md", False),
        ("docs/a.md", "b/docs/a.md", False),
        ("**/docs/a.md", "b/docs/a.md", True),
        ("docs/**", "docs/a/b.md", True),
        ("a/**/b", "a/b", True),
        ("a/**/b", "a/x/y/b", True),
        ("build/", "build", False),
        ("build/", "x/build/a.md", True),
        ("build/\n!build/a.md", "build/a.md", True),
        ("build/*\n!build/a.md", "build/a.md", False),
        ("# a.md\n\n\\#a\n\\!b", "#a", True),
        ("\\!b", "!b", True),
        ("a.md  ", "a.md", True),
        ("a.md\\ ", "a.md", False),
        ("a.md\\ ", "a.md ", True),
        ("a.md\r\nb.md", "a.md", True),
        ("[a-c]?.md", "bx.md", True),
        ("[!a-c].md", "b.md", False),
        ("[^a-c].md", "d.md", True),
        ("[[:digit:]]*", "7.md", True),
        ("[[:nope:]]", "a", False),
        ("[]]", "]", True),
        ("[\\]x]", "]", True),
        ("[z-a]", "z", False),
        ("[!z-a]", "z", True),
        ("[a", "[a", False),
        ("[a-", "a", False),
        ("[[:alpha", "a", False),
        ("a\\", "a\\", False),
        ("/", "a", False),
        ("!", "!", False),
        ("**", "a/b", True),
        ("a*b*c", "axxbyyc", True),
        ("a*b*c", "axxbyy", False),
        ("*?x", "ax", True),
        ("ü?.md", "üß.md", True),
        ("a//b", "a/b", False),
    ],
)
def test_one_rule_at_a_time(text: str, path: str, expected: bool) -> None:
    assert ignored(text, path) == expected


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    folder = tmp_path_factory.mktemp("repository")
    subprocess.run(["git", "init", "-q", folder], check=True)
    for name in NAMES:
        for parent in ("", "docs/", "docs/ab/", "x/"):
            (folder / "files" / parent).mkdir(parents=True, exist_ok=True)
            if not (folder / "files" / parent / name).exists():
                (folder / "files" / parent / name).write_text("x\n")
    return folder


@given(rules=st.lists(PATTERNS, min_size=1, max_size=4), inner=st.lists(PATTERNS, max_size=2))
def test_the_walk_finds_what_git_does_not_ignore(repository: Path, rules: list[str], inner: list[str]) -> None:
    files = repository / "files"
    (files / ".gitignore").write_text("\n".join(rules))
    (files / "docs" / ".gitignore").write_text("\n".join(inner))
    command = ["git", "-c", "core.quotePath=false", "ls-files", "-z", "--others", "--exclude-standard", "."]
    listed = subprocess.run(command, cwd=files, capture_output=True, text=True, check=True).stdout
    expected = sorted(name for name in listed.split("\0") if name and not name.rpartition("/")[2].startswith("."))
    assert [file.document_id for file in walk(files).files] == expected


def test_the_own_file_has_the_last_word_and_inner_folders_before_outer_ones(tmp_path: Path) -> None:
    (tmp_path / "docs" / "keep").mkdir(parents=True)
    for name in ("a.log", "b.log", "docs/c.log", "docs/keep/d.log", "docs/e.md"):
        (tmp_path / name).write_text("x")
    (tmp_path / ".gitignore").write_text("*.log\n")
    (tmp_path / ".pinciteignore").write_text("!b.log\n")
    (tmp_path / "docs" / "keep" / ".gitignore").write_text("!*.log\n")
    (tmp_path / "docs" / ".pinciteignore").write_text("e.md\n")
    found = walk(tmp_path)
    assert [file.document_id for file in found.files] == ["b.log", "docs/keep/d.log"]
    assert (found.ignored, found.notices) == (3, ())
    assert find_files([tmp_path, tmp_path / "a.log"]).ignored == 3


def test_rules_above_the_root_hold_within_the_repository(tmp_path: Path) -> None:
    root = tmp_path / "repository" / "docs"
    root.mkdir(parents=True)
    for name in ("a.md", "b.md", "c.md"):
        (root / name).write_text("x")
    (tmp_path / ".gitignore").write_text("c.md\n")
    (tmp_path / "repository" / ".gitignore").write_text("/docs/a.md\n")
    assert len(walk(root).files) == 3
    (tmp_path / "repository" / ".git").mkdir()
    assert [file.document_id for file in walk(root).files] == ["b.md", "c.md"]
    (tmp_path / ".pinciteignore").write_text("b.md\n")
    assert [file.document_id for file in walk(root).files] == ["c.md"]
    assert is_left_out(root, root / "a.md")
    assert not is_left_out(root, root / "c.md")


def test_rules_that_cannot_be_read_stop_the_walk(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("x")
    (tmp_path / ".gitignore").mkdir()  # as in git: no rules
    assert len(walk(tmp_path).files) == 1
    (tmp_path / ".pinciteignore").write_bytes(b"#" * (MAX_BYTES + 1))
    with pytest.raises(ConfigError, match="more than"):
        walk(tmp_path)
    (tmp_path / ".pinciteignore").write_bytes(b"\xef\xbb\xbfa.md\n\xff\n")
    assert walk(tmp_path).files == ()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_rules_without_read_rights_stop_the_walk(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("a.md\n")
    (tmp_path / ".gitignore").chmod(0)
    with pytest.raises(ConfigError, match="cannot be read"):
        walk(tmp_path)


def test_links_say_where_they_lead(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "sub").mkdir(parents=True)
    (root / "sub" / "a.md").write_text("x")
    for name, target in (("in.md", "sub/a.md"), ("out", ".."), ("nowhere.md", "gone.md"), ("self.md", "self.md")):
        (root / name).symlink_to(target)
    told = {notice.file: notice.message for notice in walk(root).notices}
    assert told == {
        "in.md": "a link to sub/a.md; what is there is not taken in twice",
        "out": "a link that leads out of the folder is not followed",
        "nowhere.md": "a link that leads nowhere is left out",
        "self.md": "a link that leads nowhere is left out",
    }


def test_no_pattern_takes_long() -> None:
    (rule,) = parse("*a" * 60 + "b")
    start = time.process_time()
    assert not rule.matches(["a" * 250], is_folder=False)
    (rule,) = parse("/".join(["**", "a"] * 30) + "/b")
    assert not rule.matches(["a"] * 200, is_folder=False)
    assert time.process_time() - start < 0.5


@given(text=st.text(), names=st.lists(st.text(min_size=1), min_size=1, max_size=4), is_folder=st.booleans())
def test_any_text_is_rules(text: str, names: list[str], is_folder: bool) -> None:
    assert decision(parse(text), names, is_folder=is_folder) in (True, False, None)


@given(text=st.text(st.sampled_from("[]!^-\\:ab/*?alph"), max_size=20), name=st.text(min_size=1))
def test_any_set_of_characters_can_be_read(text: str, name: str) -> None:
    for rule in parse("[" + text):
        assert rule.matches([name], is_folder=True) in (True, False)


def test_rules_that_are_lost_let_nothing_in(tmp_path: Path) -> None:
    (tmp_path / ".pinciteignore").symlink_to(tmp_path / "nowhere")
    with pytest.raises(ConfigError, match="leads nowhere"):
        rules_in(tmp_path)
