"""What is done behind commits, and old and full disks."""

from __future__ import annotations

import logging
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from pincite.errors import CollectionError, LockedError, PinciteError
from pincite.model import PUBLIC
from pincite.store import upkeep
from pincite.store.sqlite import SqliteStore
from pincite.testing.stores import ENTRIES, BruteForce, check_kept, make_entry, put_all, unit_vector


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    return SqliteStore(path=tmp_path / ".pincite", create=True)


def segments(store: SqliteStore) -> set[str]:
    return {folder.name for folder in store.path.glob("segments/*")}


def test_few_new_chunks_get_no_segment_and_more_do(store: SqliteStore) -> None:
    expected = put_all(store, ENTRIES)
    assert segments(store) == set()
    check_kept(store, expected)
    put_all(store, [make_entry("large.md", [f"word{number}" for number in range(upkeep.TAIL_CHUNKS)])])
    assert len(segments(store)) == 1
    put_all(store, [make_entry(f"{number}.md", ["red"]) for number in range(upkeep.TAIL_DOCUMENTS)])
    assert len(segments(store)) == 2


def test_a_long_session_makes_segments_while_it_goes_on(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upkeep, "SEGMENT_CHUNKS", 10)
    with store.writer() as writer:
        for number in range(7):
            writer.put(make_entry(f"{number}.md", ["red", "green", "blue"]))
        assert len(segments(store)) == 1
        with store.snapshot() as snapshot:
            assert len(snapshot.lexical(["red"], principal=PUBLIC, limit=99)) == 7


@pytest.mark.usefixtures("eager")
def test_changes_that_end_in_nothing_leave_no_long_list(store: SqliteStore) -> None:
    for number in range(60):
        put_all(store, [make_entry("a.md", [f"red {number}", "green"])])
    assert len(segments(store)) <= 3
    check_kept(store, put_all(store, [make_entry("a.md", ["red"])]))
    with closing(sqlite3.connect(store.path / "index.sqlite")) as connection:
        assert connection.execute("SELECT count(*) FROM terms").fetchone() == (1,)
        assert connection.execute("SELECT count(*) FROM removed").fetchone() == (0,)


@pytest.mark.usefixtures("eager")
def test_a_segment_that_vanished_is_made_anew_in_its_place(store: SqliteStore) -> None:
    expected = put_all(store, [make_entry(f"{number}.md", [f"red {number}"] * (9 - number)) for number in range(9)])
    for name in sorted(segments(store)):
        shutil.rmtree(store.path / "segments" / name)
        store.close()
        check_kept(store, expected)
        with store.writer():
            pass
        assert segments(store)
        check_kept(store, expected)
        assert store.problems() == []


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("array", ["vectors", "codes", "posting_rows", "chunk_documents", "offsets", "terms"])
def test_a_segment_with_other_bytes_is_never_merged(array: str, store: SqliteStore) -> None:
    expected = put_all(store, [make_entry(f"{number}.md", [f"red {number}", "blue"]) for number in range(8)])
    name = max(segments(store), key=lambda name: (store.path / "segments" / name / "codes.bin").stat().st_size)
    file = store.path / "segments" / name / f"{array}.bin"
    file.write_bytes(bytes((byte + 127) % 256 for byte in file.read_bytes()))
    store.close()
    assert name in " ".join(store.problems())
    after = put_all(store, [make_entry(f"{number}.md", [f"green {number}", "red"]) for number in range(4)])
    with store.writer() as writer:
        writer.remove("4.md")
    assert store.problems() == []
    assert name not in segments(store)
    del expected.entries["4.md"]
    expected.entries.update(after.entries)
    check_kept(store, expected)
    store.close()
    check_kept(store, expected)


@pytest.mark.usefixtures("eager")
def test_a_segment_of_removed_documents_is_no_longer_listed(store: SqliteStore) -> None:
    expected = put_all(store, [make_entry(f"{number}.md", [f"red {number}"] * 3) for number in range(6)])
    with store.writer() as writer:
        for name in list(expected.entries):
            writer.remove(name)
    assert segments(store) == set()
    check_kept(store, BruteForce())
    check_kept(store, put_all(store, [make_entry("empty.md", []), make_entry("a.md", ["red"])]))


def test_the_log_is_emptied_at_the_end_although_others_have_the_file_open(store: SqliteStore) -> None:
    log = store.path / "index.sqlite-wal"
    with closing(sqlite3.connect(store.path / "index.sqlite")) as other:
        other.execute("SELECT * FROM documents").fetchall()  # whoever closes the file last takes its log away
        expected = put_all(store, [make_entry("a.md", ["red " * 20_000])])
        assert log.stat().st_size == 0
    check_kept(store, expected)


def test_text_that_a_rebuild_replaced_is_not_left_in_the_log(store: SqliteStore) -> None:
    put_all(store, [make_entry("a.md", ["secretword"])])
    expected = put_all(store.beside(), [make_entry("a.md", ["red"])])
    with closing(sqlite3.connect(store.path / "index.sqlite")) as other:
        other.execute("SELECT * FROM documents").fetchall()
        with store.writer() as writer:
            writer.take(store.beside())
        for file in store.path.rglob("*"):
            assert file.is_dir() or b"secretword" not in file.read_bytes(), file
    check_kept(store, expected)


def test_a_mistake_in_our_own_sql_is_not_damage(store: SqliteStore) -> None:
    with store.writer() as writer:
        for sql in ("SELECT FROM documents", "SELECT nonsense(1)", "SELECT 1, 2 UNION SELECT 1"):
            with pytest.raises(PinciteError) as caught:
                writer.database.row(sql)
            assert caught.value.kind == "internal"
            assert "damaged" not in str(caught.value)


def test_what_fails_behind_the_commit_costs_only_speed(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    disk = CollectionError("database or disk is full", cure="", kind="disk")
    with caplog.at_level(logging.WARNING, logger="pincite.store"):
        for error in (OSError("no space left"), disk, LockedError("another process locks the index", cure="")):
            with upkeep.optional(tmp_path / "segments"):
                raise error
    assert [text in caplog.text for text in ("no space left", "disk is full", "another process")] == [True] * 3
    with pytest.raises(CollectionError), upkeep.optional(tmp_path / "segments"):
        raise CollectionError("the index is damaged", cure="", kind="damaged")


LIMITED = """
import resource, sys
from pathlib import Path
from pincite.errors import CollectionError
from pincite.store.sqlite import SqliteStore
from pincite.testing.stores import ENTRIES, make_entry

store = SqliteStore(path=Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
kinds = set()
done = 0
with store.writer() as writer:
    for number in range(60):
        try:
            writer.put(make_entry(f"{number}.md", [f"red {number} {part} " + "many words " * 300 for part in range(9)]))
            done += 1
        except CollectionError as error:
            kinds.add(error.kind)
            break
print(done, *kinds)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
@pytest.mark.parametrize("kilobytes", [600, 1500, 3000])
def test_a_disk_that_fills_up_loses_nothing_that_was_committed(kilobytes: int, store: SqliteStore) -> None:
    """A limit on the size of files stands for the disk: the log, the index or a segment runs into it."""
    expected = put_all(store, ENTRIES)
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, store.path, str(kilobytes * 1024)], check=True, capture_output=True, text=True
    )
    number, *kinds = done.stdout.split()
    assert kinds == ["disk"]
    for document in range(int(number)):
        pieces = [f"red {document} {part} " + "many words " * 300 for part in range(9)]
        expected.entries[f"{document}.md"] = make_entry(f"{document}.md", pieces)
    assert list(store.stored()) == sorted(expected.entries)
    with store.snapshot() as snapshot:
        expected.check(snapshot, ["red"], unit_vector("red"), PUBLIC, 5)
    expected.entries.update(put_all(store, [make_entry("after.md", ["red"])]).entries)
    with store.snapshot() as snapshot:
        expected.check(snapshot, ["red"], unit_vector("red"), PUBLIC, 5)
    assert store.problems() == []


@pytest.mark.parametrize("how", ["writer", "beside"])
def test_a_rebuild_that_was_taken_and_left_there_is_cleaned_away(how: str, store: SqliteStore) -> None:
    """As a process leaves it that is killed between the commit and the cleaning."""
    beside, copy = store.path / "next", store.path.parent / "copy"
    expected = put_all(store.beside(), ENTRIES)
    shutil.copytree(beside, copy)
    with store.writer() as writer:
        writer.take(store.beside())
    shutil.move(copy, beside)
    if how == "writer":
        with store.writer():
            pass
        assert not beside.exists()
    assert store.beside().stored() == {}
    check_kept(store, expected)
    put_all(store.beside(), ENTRIES[:1])
    with store.writer():
        pass
    assert list(store.beside().stored()) == ["a.md"]
