"""Connections that stay open between reads: nobody notices, whatever happens to the files meanwhile."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from pincite.errors import CollectionError
from pincite.model import PUBLIC
from pincite.store import database, readers
from pincite.store.sqlite import SqliteStore
from pincite.testing.stores import ENTRIES, BruteForce, check_kept, make_entry, put_all

pytestmark = pytest.mark.skipif(not readers.KEPT, reason="no connection stays open here")


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files that were opened for reading."""
    found: list[Path] = []

    def noted(open_file: Callable[..., Any]) -> Callable[..., Any]:
        def work(file: Path, **options: Any) -> Any:
            found.append(file)
            return open_file(file, **options)

        return work

    monkeypatch.setattr(readers, "opened", noted(database.opened))
    return found


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SqliteStore]:
    """Its file was never changed a moment ago."""
    monkeypatch.setattr(readers, "SETTLED_NS", -1)
    with closing(SqliteStore(path=tmp_path / ".pincite", create=True)) as made:
        yield made


def log_of(store: SqliteStore) -> Path:
    return store.path / "index.sqlite-wal"


def deleted_but_open(folder: Path) -> list[str]:
    links = [str(link.readlink()) for link in Path("/proc/self/fd").iterdir() if link.is_symlink()]
    return [link for link in links if link.startswith(f"{folder}{os.sep}") and link.endswith(" (deleted)")]


def kept(*names: str) -> BruteForce:
    return BruteForce({entry.document.id: entry for entry in ENTRIES if entry.document.id in names})


def test_one_connection_serves_every_read(store: SqliteStore, opened: list[Path]) -> None:
    expected = put_all(store, ENTRIES)
    opened.clear()
    check_kept(store, expected)
    check_kept(store, expected)
    assert len(opened) <= 1
    with store.snapshot() as one, store.snapshot() as two:
        assert one.setting("roots") == two.setting("roots") is None
    assert len(opened) <= 2


def test_a_file_changed_a_moment_ago_is_opened_anew(tmp_path: Path, opened: list[Path]) -> None:
    store = SqliteStore(path=tmp_path / ".pincite", create=True)
    opened.clear()
    for _ in range(3):
        store.stored()
    assert len(opened) >= 2


def test_a_writer_in_another_process_is_seen(store: SqliteStore) -> None:
    other = SqliteStore(path=store.path)
    for number in range(5):
        store.stored()
        entry = make_entry("a.md", [f"red {number}"])
        put_all(other, [entry])
        check_kept(store, BruteForce({"a.md": entry}))


def test_idle_connections_keep_no_text_in_the_log(store: SqliteStore) -> None:
    secret = "Zwetschgenknödelgeheimnis"
    put_all(store, [*ENTRIES, make_entry("secret.md", [secret])])
    others = [SqliteStore(path=store.path) for _ in range(3)]
    for other in others:
        other.stored()
    with SqliteStore(path=store.path).writer() as writer:
        writer.remove("secret.md")
    assert log_of(store).stat().st_size == 0, "somebody has the file open, and the log is empty"
    assert secret.encode() not in (store.path / "index.sqlite").read_bytes()


def test_who_reads_last_empties_the_log_although_others_are_idle(store: SqliteStore) -> None:
    idle = SqliteStore(path=store.path)
    expected = put_all(store, ENTRIES)
    idle.stored()
    with store.snapshot() as snapshot:
        assert snapshot.setting("roots") is None
        with SqliteStore(path=store.path).writer() as writer:
            writer.remove(ENTRIES[0].document.id)
        assert log_of(store).stat().st_size > 0, "somebody reads what stands in it"
    del expected.entries[ENTRIES[0].document.id]
    assert not log_of(store).exists() or log_of(store).stat().st_size == 0
    check_kept(idle, expected)
    check_kept(store, expected)


def test_while_somebody_writes_the_log_is_theirs(store: SqliteStore) -> None:
    with SqliteStore(path=store.path).writer() as writer:
        writer.put(ENTRIES[0])
        store.stored()
        assert log_of(store).stat().st_size > 0
        writer.put(ENTRIES[1])
        check_kept(store, kept(ENTRIES[0].document.id, ENTRIES[1].document.id))


def test_reading_only_leaves_the_log_alone(store: SqliteStore) -> None:
    reader = SqliteStore(path=store.path, read_only=True)
    with closing(sqlite3.connect(store.path / "index.sqlite")) as other:
        other.execute("INSERT INTO settings VALUES ('roots', '[1]')")
        other.commit()
        before = log_of(store).read_bytes()
        assert reader.setting("roots") == [1]
        assert log_of(store).read_bytes() == before != b""
    reader.close()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks the system which files are open")
def test_a_collection_that_was_deleted_is_let_go(store: SqliteStore) -> None:
    check_kept(store, put_all(store, ENTRIES))
    shutil.rmtree(store.path)
    with pytest.raises(CollectionError) as caught:
        store.stored()
    assert caught.value.kind == "missing"
    assert not store.path.exists()
    store.close()
    assert deleted_but_open(store.path) == []


@pytest.mark.parametrize("how", ["renamed", "written over"])
def test_a_collection_that_was_replaced_is_noticed(how: str, store: SqliteStore, tmp_path: Path) -> None:
    """Also where the new file has the same length and time stamp."""
    check_kept(store, put_all(store, [make_entry("a.md", ["red green"])]))
    other = SqliteStore(path=tmp_path / "other", create=True)
    expected = put_all(other, [make_entry("a.md", ["blue blue"])])
    other.close()
    old, new = store.path / "index.sqlite", other.path / "index.sqlite"
    times = old.stat().st_atime_ns, old.stat().st_mtime_ns
    if how == "renamed":
        new.replace(old)
    else:
        shutil.copyfile(new, old)
    os.utime(old, ns=times)
    check_kept(store, expected)


def test_shared_memory_that_was_taken_away_is_noticed(store: SqliteStore) -> None:
    """As when this process opened and closed the file by itself, which ends all of SQLite's locks on it."""
    put_all(store, ENTRIES)
    store.stored()
    for name in ("index.sqlite-wal", "index.sqlite-shm"):
        (store.path / name).unlink()
    other = SqliteStore(path=store.path)
    with other.writer() as writer:
        writer.put(make_entry("new.md", ["new"]))
        assert "new.md" in store.stored()


def test_a_snapshot_is_of_no_use_behind_its_block(store: SqliteStore) -> None:
    put_all(store, ENTRIES)
    with store.snapshot() as snapshot:
        pass
    with store.snapshot(), pytest.raises(sqlite3.ProgrammingError):
        snapshot.setting("roots")


def test_after_an_error_the_next_read_has_a_connection_of_its_own(store: SqliteStore, opened: list[Path]) -> None:
    expected = put_all(store, ENTRIES)
    store.stored()
    opened.clear()
    with pytest.raises(KeyError) as caught, store.snapshot() as snapshot:
        raise KeyError(snapshot.setting("roots"))
    store.close()
    assert not log_of(store).exists(), f"{caught} keeps the file open"
    check_kept(store, expected)
    assert len(opened) == 1


def test_few_connections_stay_open(store: SqliteStore) -> None:
    with ExitStack() as stack:
        for _ in range(readers.MAX_IDLE + 3):
            stack.enter_context(store.snapshot())
    assert len(store._readers._idle) == readers.MAX_IDLE


def test_what_a_killed_writer_left_in_the_log_is_moved_into_the_file(store: SqliteStore) -> None:
    """Its name stands in the lock file for ever, so that it seems to write still."""
    with store.snapshot(), store.snapshot():
        pass
    with closing(sqlite3.connect(store.path / "index.sqlite")) as other:
        other.execute("INSERT INTO settings VALUES ('roots', '[1]')")
        other.commit()
    (store.path / "lock").write_text("process 1 since 2025-01-01T00:00:00+00:00")
    assert log_of(store).stat().st_size > 0
    assert store.setting("roots") == [1]
    assert not log_of(store).exists()


def test_nothing_is_kept_where_open_files_stay(
    store: SqliteStore, opened: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readers, "KEPT", False)
    expected = put_all(store, ENTRIES)
    store.close()
    check_kept(store, expected)
    assert not log_of(store).exists()


def test_threads_read_while_another_writes(store: SqliteStore) -> None:
    """Each reader sees all chunks of one version, and never an older one than before."""
    put_all(store, [make_entry("a.md", ["version0 red"] * 3)])
    failed: list[BaseException] = []
    done = threading.Event()

    def read() -> None:
        last = 0
        try:
            while not done.is_set():
                with store.snapshot() as snapshot:
                    chunks = snapshot.chunks("a.md", principal=PUBLIC)
                    hits = snapshot.lexical(["red"], principal=PUBLIC, limit=9)
                    assert {hit.chunk_id for hit in hits} == {chunk.id for chunk in chunks}
                (version,) = {int(chunk.text.split()[0].removeprefix("version")) for chunk in chunks}
                assert version >= last
                last = version
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=read) for _ in range(readers.MAX_IDLE + 2)]
    for thread in threads:
        thread.start()
    for version in range(1, 30):
        put_all(store, [make_entry("a.md", [f"version{version} red"] * 3)])
    done.set()
    for thread in threads:
        thread.join()
    assert failed == []
    assert len(store._readers._idle) <= readers.MAX_IDLE


FORKS = """
import os, sys, warnings
from contextlib import ExitStack, closing
from pathlib import Path
from pincite.store import database, readers
from pincite.store.sqlite import SqliteStore
from pincite.testing.stores import ENTRIES, BruteForce, check_kept, make_entry, put_all
readers.SETTLED_NS = -1
store = SqliteStore(path=Path(sys.argv[1]), create=True)
expected = put_all(store, ENTRIES)
children = []
for number in range(8):
    check_kept(store, expected)
    assert store._readers._idle
    child = os.fork()
    if not child:
        assert not store._readers._idle
        check_kept(store, expected)
        put_all(store, [make_entry(f"{number}.md", ["child"])])
        with store.snapshot() as snapshot:
            assert f"{number}.md" in store.stored()
        sys.exit(0)
    assert os.waitpid(child, 0)[1] == 0
    expected.entries[f"{number}.md"] = make_entry(f"{number}.md", ["child"])
    check_kept(store, expected)
assert store.problems() == []
store.close()
print(sorted(entry.name for entry in Path(sys.argv[1]).iterdir() if entry.name != "segments"))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
def test_processes_that_fork_share_no_connection(tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", "-c", FORKS, str(tmp_path / ".pincite")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("['index.sqlite', 'lock']\n", "")
