"""Kinds of faults that indexes are reported for: the shared cases on syncing, each with the steps that it describes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests.unit.test_shared_cases_chunk import CASES

from pincite.config import Component, Settings
from pincite.engine import Collection, SyncReport
from pincite.errors import CollectionError
from pincite.model import PUBLIC, Chunk

SETTINGS = Settings(embed=Component("embed", "hashing"))


def case(name: str) -> dict[str, Any]:
    if not CASES.is_file():
        pytest.skip(f"{CASES} is missing")
    found: dict[str, Any] = next(
        case for case in map(json.loads, CASES.read_text(encoding="utf-8").splitlines()) if case["id"] == name
    )
    return found


def copied(name: str, folder: Path) -> Path:
    """A copy of the case's documents that may be written to."""
    source = CASES.parent / str(case(name)["input"])
    shutil.copytree(source, folder / source.name)
    for path in (folder / source.name).rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    return folder / source.name


def all_chunks(collection: Collection) -> list[Chunk]:
    return [chunk for name in collection.store.stored() for chunk in collection.store.chunks(name)]


def documents_with(collection: Collection, text: str) -> list[str]:
    return [chunk.document_id for chunk in all_chunks(collection) if text in chunk.text]


def found(collection: Collection, query: str) -> list[str]:
    hits = collection.search(query, principal=PUBLIC, mode="lexical", fold=False).hits
    return sorted(hit.chunk.document_id for hit in hits)


def numbers(report: SyncReport) -> dict[str, int]:
    return {name: len(getattr(report, name)) for name in ("added", "changed", "removed")}


def test_c038_the_same_folder_twice(tmp_path: Path) -> None:
    docs, check = copied("C038", tmp_path), case("C038")["check"]
    with Collection(tmp_path / "index", create=True, settings=SETTINGS) as collection:
        collection.add(docs)
        first = [chunk.id for chunk in all_chunks(collection)]
        for step in range(2):
            if step == 1:
                for path in docs.iterdir():
                    os.utime(path, (1_000_000_000, 1_000_000_000))
            report = collection.add(docs)
            assert numbers(report) == {name: check[name] for name in ("added", "changed", "removed")}
            assert report.embedded == check["embedded_again"]
            assert [chunk.id for chunk in all_chunks(collection)] == first
        for text in check["present_once"]:
            assert len(documents_with(collection, text)) == 1
    shutil.copytree(docs, tmp_path / "elsewhere" / "docs")
    with Collection(tmp_path / "other", create=True, settings=SETTINGS) as other:
        other.add(tmp_path / "elsewhere" / "docs")
        assert [chunk.id for chunk in all_chunks(other)] == first


def test_c040_a_deleted_file_goes_alone_and_comes_back(tmp_path: Path) -> None:
    docs, check = copied("C040", tmp_path), case("C040")["check"]
    content = (docs / "x.md").read_bytes()
    with Collection(tmp_path / "index", create=True, settings=SETTINGS) as collection:
        collection.add(docs)
        for step in ("hits_after_delete", "hits_after_restore"):
            if step == "hits_after_delete":
                (docs / "x.md").unlink()
            else:
                (docs / "x.md").write_bytes(content)
            collection.sync()
            for text, expected in check[step].items():
                assert documents_with(collection, text) == expected
                assert found(collection, f'"{text}"') == expected


def test_c042_another_dimension_never_mixes(tmp_path: Path) -> None:
    options = case("C042")["options"]
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("# A\n\nThe uplink is spare.\n")
    (docs / "b.md").write_text("# B\n\nLabels are printed twice.\n")
    first, second = (
        Settings(embed=Component("embed", "hashing", {"dimension": options[name]["dim"]}))
        for name in ("embedder_build", "embedder_next")
    )
    with Collection(tmp_path / "index", create=True, settings=first) as collection:
        collection.add(docs)
    with Collection(tmp_path / "index", settings=second) as collection:
        with pytest.raises(CollectionError) as caught:
            collection.sync()
        assert caught.value.kind == "mismatch"
        assert set(dimensions(collection)) == {64}
        assert found(collection, "uplink") == ["a.md"]
        assert collection.sync(rebuild=True).embedded == 2
        assert dimensions(collection) == [96, 96]


def dimensions(collection: Collection) -> list[int]:
    texts = [chunk.embedded for chunk in all_chunks(collection)]
    return [len(vector) for vector in collection.store.vectors(texts).values()]


def test_c066_links_in_loops(tmp_path: Path) -> None:
    root, check = copied("C066", tmp_path) / "root", case("C066")["check"]
    (root / "sub" / "loop").symlink_to("..")
    (root / "again.md").symlink_to("one.md")
    (root / "out.md").symlink_to(tmp_path / "secret.md")
    (tmp_path / "secret.md").write_text("Not for the index.\n")
    start = time.process_time()
    with Collection(tmp_path / "index", create=True, settings=SETTINGS) as collection:
        report = collection.add(root)
        assert time.process_time() - start < check["seconds"]
        assert {text: documents_with(collection, text) for text in check["once"]} == {
            "The oar is long.": ["sub/two.md"],
            "The lantern is blue.": ["one.md"],
        }
        assert documents_with(collection, "Not for the index") == []
    told = {notice.file: notice.message for notice in report.warnings if notice.kind == "link"}
    assert "one.md" in told["again.md"]
    assert "the folder itself" in told["sub/loop"]
    assert "leads out of the folder" in told["out.md"]


def test_c068_slightly_damaged_files_stop_nothing(tmp_path: Path) -> None:
    folder, check = copied("C068", tmp_path), case("C068")["check"]
    with Collection(tmp_path / "index", create=True, settings=SETTINGS) as collection:
        report = collection.add(folder)
        text = "\n".join(chunk.text for chunk in all_chunks(collection))
        stored = set(collection.store.stored())
    assert stored | {notice.file for notice in report.failed} == {"a.csv", "b.md", "c.html", "d.md"}
    assert all(part in text for part in check["text_has"])
    assert all(part not in text for part in check["text_lacks"])
    told = {notice.file: notice.message for notice in (*report.warnings, *report.failed)}
    assert "line 3" in told["a.csv"]
    assert "28" in told["b.md"]
    assert all(not Path(name).is_absolute() for name in told)


@pytest.mark.parametrize("runs", [3, pytest.param(10, marks=pytest.mark.soak)])
def test_c070_two_processes_at_once(tmp_path: Path, runs: int) -> None:
    docs = copied("C070", tmp_path)
    assert case("C070")["check"]["runs"] == 10  # as many as in the long campaign
    for run in range(runs):
        folder = tmp_path / str(run)
        folder.mkdir()
        (folder / "pincite.toml").write_text('[embed]\nname = "hashing"\n')
        processes = [
            subprocess.Popen(
                [sys.executable, "-m", "pincite", "add", docs / name, "--collection", folder],
                stderr=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
            )
            for name in ("k1.md", "k2.md")
        ]
        for process in processes:
            _, errors = process.communicate(timeout=60)
            assert process.returncode == 0, errors
        with Collection(folder) as collection:
            assert collection.problems() == []
            assert documents_with(collection, "The keel is oak.") == found(collection, "keel") == ["k1.md"]
            assert documents_with(collection, "The rudder is ash.") == found(collection, "rudder") == ["k2.md"]
        left = {path.name for path in (folder / ".pincite").iterdir()}
        assert left <= {"index.sqlite", "index.sqlite-wal", "index.sqlite-shm", "lock", "segments"}
