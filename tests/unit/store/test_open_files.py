"""Where nobody may rename or remove a file that somebody has open or mapped, nor a folder with one: as on Windows."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.errors import LockedError
from pincite.store.segment_files import take_away
from pincite.store.sqlite import SqliteStore
from pincite.testing.stores import (
    BOTH,
    BruteForce,
    MakeStore,
    Reopen,
    check_drop_beside,
    check_kept,
    check_put_replace_remove,
    check_snapshot_and_writer,
    check_take,
    make_entry,
    put_all,
    unit_vector,
)

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks the system which files are open"),
    pytest.mark.usefixtures("eager"),
]


def held() -> set[str]:
    """The files that this process has open or mapped."""
    opened = {str(link.readlink()) for link in Path("/proc/self/fd").iterdir() if link.is_file()}
    lines = Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
    return opened | {fields[5] for line in lines if len(fields := line.split(maxsplit=5)) > 5}


@pytest.fixture(autouse=True)
def refused(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was refused, by path."""
    found: list[str] = []

    def guarded(change: Callable[..., Any]) -> Callable[..., Any]:
        def work(path: Any, *rest: Any, **named: Any) -> Any:
            folder = named.get("dir_fd")
            whole = str((Path.cwd() if folder is None else Path(f"/proc/self/fd/{folder}").readlink()) / path)
            if any(file == whole or file.startswith(f"{whole}{os.sep}") for file in held()):
                found.append(whole)
                raise PermissionError(13, "it is in use", whole)
            return change(path, *rest, **named)

        return work

    for name in ("rename", "replace", "unlink"):
        monkeypatch.setattr(os, name, guarded(getattr(os, name)))
    return found


def segments(store: SqliteStore) -> list[str]:
    return sorted(entry.name for entry in (store.path / "segments").iterdir())


def test_a_file_that_is_open_stays(tmp_path: Path, refused: list[str]) -> None:
    file = tmp_path / "folder" / "file"
    file.parent.mkdir()
    file.write_text("text")
    with file.open():
        assert not take_away(file.parent)
        assert file.read_text() == "text"
    assert refused
    assert take_away(file.parent)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("check", [check_put_replace_remove, check_snapshot_and_writer, check_take, check_drop_beside])
def test_the_store_keeps_its_promises(
    check: Callable[[MakeStore, Reopen], None], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    check(
        lambda: SqliteStore(path=tmp_path / ".pincite", create=True, lock_timeout_s=0.1),
        lambda store: SqliteStore(path=store.path, lock_timeout_s=0.1),
    )
    assert caplog.text == ""


def test_segments_are_merged_under_readers_and_cleaned_after_them(tmp_path: Path, refused: list[str]) -> None:
    store, reader = (SqliteStore(path=tmp_path / ".pincite", create=True) for _ in range(2))
    before = put_all(store, [make_entry(f"{number}.md", [f"red {number}", "blue"]) for number in range(6)])
    with reader.snapshot() as snapshot:
        before.check(snapshot, ["red"], unit_vector("red"), BOTH, 9)
        mapped = segments(store)
        after = put_all(store, [make_entry(f"{number}.md", [f"green {number}", "red"]) for number in range(6)])
        before.check(snapshot, ["red", "blue"], unit_vector("blue"), BOTH, 9)
        assert any(Path(path).parent.name in mapped for path in refused), "nothing was in the way"
    check_kept(reader, after)
    del snapshot
    reader.close()
    with store.writer():
        pass
    assert not set(mapped) & set(segments(store))
    check_kept(reader, after)


@pytest.mark.parametrize("how", ["take", "drop"])
def test_what_lies_beside_goes_when_its_readers_have_gone(how: str, tmp_path: Path) -> None:
    store = SqliteStore(path=tmp_path / ".pincite", create=True)
    old = put_all(store, [make_entry("a.md", ["red green", "blue"])])
    new = put_all(store.beside(), [make_entry("b.md", ["red", "blue blue"])])
    reader = store.beside()
    with reader.snapshot() as snapshot:
        new.check(snapshot, ["red"], unit_vector("red"), BOTH, 2)
        with store.writer() as writer:
            if how == "take":
                writer.take(store.beside())
            else:
                writer.drop_beside()
        check_kept(store, new if how == "take" else old)
        with pytest.raises(LockedError, match="still open"):
            store.beside()
    del snapshot
    reader.close()
    check_kept(store.beside(), BruteForce())
    check_kept(store, new if how == "take" else old)
