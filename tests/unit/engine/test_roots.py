"""Which folders belong to a collection, and what that makes of the ids."""

from __future__ import annotations

from pathlib import Path

from pincite.engine.roots import Root, id_prefixes, with_path


def folder(path: Path) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    return path


def file(path: Path) -> Path:
    folder(path.parent)
    path.write_text("x")
    return path


def test_a_folder_becomes_a_root_once(tmp_path: Path) -> None:
    docs = folder(tmp_path / "docs")
    assert with_path(with_path([], docs), docs) == [Root(docs)]


def test_a_path_inside_a_root_changes_nothing(tmp_path: Path) -> None:
    inner = file(tmp_path / "docs" / "sub" / "a.md")
    roots = [Root(tmp_path / "docs")]
    assert with_path(roots, inner) == with_path(roots, inner.parent) == roots


def test_a_folder_takes_in_the_roots_inside_it(tmp_path: Path) -> None:
    inner = folder(tmp_path / "docs" / "sub")
    roots = with_path(with_path([], file(tmp_path / "docs" / "a.md")), inner)
    assert with_path(roots, tmp_path / "docs") == [Root(tmp_path / "docs", also=frozenset({"a.md"}))]


def test_files_of_one_folder_share_a_root(tmp_path: Path) -> None:
    roots = with_path(with_path([], file(tmp_path / "a.md")), file(tmp_path / "b.md"))
    assert roots == [Root(tmp_path, frozenset({"a.md", "b.md"}))]


def test_one_root_gives_bare_ids_and_several_their_names(tmp_path: Path) -> None:
    one, two = Root(tmp_path / "docs"), Root(tmp_path / "wiki")
    assert id_prefixes([one]) == {one.folder: ""}
    assert id_prefixes([one, two]) == {one.folder: "docs/", two.folder: "wiki/"}


def test_roots_of_one_name_are_told_apart_by_the_folders_above(tmp_path: Path) -> None:
    one, two, three = (Root(tmp_path / name / "docs") for name in ("a", "b", "c"))
    assert id_prefixes([one, two, three]) == {
        one.folder: "a/docs/",
        two.folder: "b/docs/",
        three.folder: "c/docs/",
    }


def test_no_two_files_get_one_id(tmp_path: Path) -> None:
    roots = [Root(tmp_path / name) for name in ("1/a/b", "2/b", "3/a")]
    prefixes = list(id_prefixes(roots).values())
    assert not any(one != other and other.startswith(one) for one in prefixes for other in prefixes)


def test_a_link_that_is_named_keeps_its_name(tmp_path: Path) -> None:
    target = file(tmp_path / "real" / "a.md")
    (folder(tmp_path / "docs") / "l.md").symlink_to(target)
    assert with_path([], tmp_path / "docs" / "l.md") == [Root(tmp_path / "docs", frozenset({"l.md"}))]


def test_a_root_inside_the_collection_moves_with_it(tmp_path: Path) -> None:
    inside, outside = Root(tmp_path / "c" / "docs"), Root(tmp_path / "other", frozenset({"a.md"}))
    data = [root.to_json(tmp_path / "c") for root in (inside, outside)]
    assert data[0]["folder"] == "docs"
    moved = [Root.from_json(one, tmp_path / "moved") for one in data]
    assert moved == [Root(tmp_path / "moved" / "docs"), outside]
