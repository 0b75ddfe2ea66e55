"""Several processes on one collection: killed writers, two writers at once, a reader beside a writer."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from itertools import groupby
from pathlib import Path

import pytest

from pincite.errors import LockedError
from pincite.model import PUBLIC
from pincite.ports import Snapshot
from pincite.store.sqlite import SqliteStore
from pincite.testing.stores import BruteForce, check_kept, make_entry, put_all

CHUNKS = 4
DOCUMENTS = 5


def version_of(document: int, version: int) -> list[str]:
    """The texts of one version: every chunk says which it is."""
    return [f"document{document} version{version} chunk{number} " + "filling " * 40 for number in range(CHUNKS)]


HELP = """
import sys
from contextlib import closing
from pathlib import Path
from pincite.errors import PinciteError
from pincite.store.sqlite import SqliteStore
from pincite.testing.stores import make_entry
path = Path(sys.argv[1])

def version_of(document, version):
    return [f"document{document} version{version} chunk{number} " + "filling " * 40 for number in range(4)]
"""
WRITES_FOR_EVER = (
    HELP
    + """
version = 0
while True:
    with SqliteStore(path=path, create=True).writer() as writer:
        for _ in range(int(sys.argv[2])):
            document = version % 5
            writer.put(make_entry(f"{document}.md", version_of(document, version)))
            print(document, version, flush=True)
            version += 1
"""
)
ADDS_ONE_FILE = (
    HELP
    + """
for run in sys.stdin:
    try:
        store = SqliteStore(path=path / run.strip() / ".pincite", create=True, lock_timeout_s=float(sys.argv[4]))
        with closing(store), store.writer() as writer:  # while it is open its log stands beside the index
            writer.put(make_entry(sys.argv[2], [sys.argv[3]]))
        print("done", flush=True)
    except PinciteError as error:
        print(error.kind, flush=True)
"""
)
HOLDS_THE_LOCK = (
    HELP
    + """
with SqliteStore(path=path).writer():
    print("locked", flush=True)
    sys.stdin.read()
"""
)


@contextmanager
def child(code: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", code, *map(str, arguments)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def say(process: subprocess.Popen[str], text: str) -> None:
    assert process.stdin is not None
    process.stdin.write(text)
    process.stdin.flush()


def versions_in(snapshot: Snapshot) -> dict[int, int]:
    """The version of each document; fails when one is not whole."""
    found = snapshot.lexical(["filling"], principal=PUBLIC, limit=1000)
    located = snapshot.located([scored.chunk_id for scored in found], principal=PUBLIC)
    said = sorted(tuple(place.chunk.text.split()[:3]) for place in located.values())
    versions = {}
    for (document, version), rows in groupby(said, key=lambda words: words[:2]):
        assert [words[2] for words in rows] == [f"chunk{number}" for number in range(CHUNKS)]
        assert document not in versions, f"two versions of {document} at once"
        versions[document] = int(version.removeprefix("version"))
    return {int(document.removeprefix("document")): version for document, version in versions.items()}


def test_a_killed_writer_leaves_what_it_reported_and_nothing_half(tmp_path: Path) -> None:
    chance = random.Random(20)
    with ExitStack() as stack:
        writers = [
            stack.enter_context(child(WRITES_FOR_EVER, tmp_path / f"{run}", 3 if run % 2 else 1000))
            for run in range(10)
        ]
        for run, writer in enumerate(writers):
            reported: dict[int, int] = {}
            for _ in range(chance.randint(1, 12)):
                document, version = map(int, line(writer).split())
                reported[document] = version
            time.sleep(chance.random() / 30)
            writer.kill()
            assert writer.stdout is not None
            for rest in writer.stdout.read().splitlines(keepends=True):
                if rest.endswith("\n"):
                    document, version = map(int, rest.split())
                    reported[document] = version
            writer.wait()
            check_after_kill(tmp_path / f"{run}", reported)


def check_after_kill(path: Path, reported: dict[int, int]) -> None:
    store = SqliteStore(path=path, lock_timeout_s=0.0)
    with store.snapshot() as snapshot:
        versions = versions_in(snapshot)
    last = max(reported.values())
    for document, version in reported.items():
        # One commit may have been done and not yet reported.
        assert versions[document] in (version, last + 1), f"document {document} has {versions[document]}"
    expected = put_all(store, [make_entry("after.md", ["filling"])])
    for document, version in versions.items():
        expected.entries[f"{document}.md"] = make_entry(f"{document}.md", version_of(document, version))
    check_kept(store, expected)
    assert store.problems() == []
    store.close()
    check_tidy(path)


def check_tidy(path: Path) -> None:
    """Only the index, the lock and the listed segments: no log, nothing temporary."""
    assert {entry.name for entry in path.iterdir()} - {"segments"} == {"index.sqlite", "lock"}
    with closing(sqlite3.connect(path / "index.sqlite")) as connection:
        listed = {name for (name,) in connection.execute("SELECT name FROM segments")}
    assert {folder.name for folder in path.glob("segments/*")} == listed


@pytest.mark.parametrize("wait_s", [10.0, 0.0])
def test_two_processes_index_at_once(wait_s: float, tmp_path: Path) -> None:
    """Case C070, ten times: each waits and succeeds or says that the collection is locked; a reader sees no error."""
    keel, rudder = make_entry("k1.md", ["The keel is oak."]), make_entry("k2.md", ["The rudder is ash."])
    with (
        child(ADDS_ONE_FILE, tmp_path, "k1.md", "The keel is oak.", wait_s) as first,
        child(ADDS_ONE_FILE, tmp_path, "k2.md", "The rudder is ash.", wait_s) as second,
    ):
        for run in range(10):
            path = tmp_path / f"{run}" / ".pincite"
            if run % 2:  # half of the collections are there already
                SqliteStore(path=path, create=True)
            say(first, f"{run}\n")
            say(second, f"{run}\n")
            if run % 2:
                with SqliteStore(path=path).snapshot() as snapshot:
                    assert len(snapshot.lexical(["keel", "rudder"], principal=PUBLIC, limit=9)) in (0, 1, 2)
            said = [line(first), line(second)]
            assert set(said) <= ({"done"} if wait_s else {"done", "locked"})
            assert "done" in said
            succeeded = [entry for entry, word in zip((keel, rudder), said, strict=True) if word == "done"]
            with closing(SqliteStore(path=path)) as store:
                check_kept(store, BruteForce({entry.document.id: entry for entry in succeeded}))
            check_tidy(path)


def test_a_lock_names_its_owner_and_dies_with_it(tmp_path: Path) -> None:
    store = SqliteStore(path=tmp_path / ".pincite", create=True, lock_timeout_s=0.0)
    with child(HOLDS_THE_LOCK, store.path) as owner:
        assert line(owner) == "locked"
        with pytest.raises(LockedError, match=f"process {owner.pid} since"), store.writer():
            pass
        assert store.stored() == {}
        owner.kill()
        owner.wait()
        put_all(store, [make_entry("a.md", ["red"])])


def test_a_reader_beside_a_writer_sees_whole_documents_only(tmp_path: Path) -> None:
    store = SqliteStore(path=tmp_path / ".pincite", create=True)
    put_all(store, [make_entry("other.md", ["something else"])])
    seen: list[dict[int, int]] = []
    with child(WRITES_FOR_EVER, store.path, 7) as writer:
        line(writer)
        end = time.monotonic() + 30
        while len(seen) < 40 or (len({max(versions.values()) for versions in seen}) < 4 and time.monotonic() < end):
            with store.snapshot() as snapshot:
                seen.append(versions_in(snapshot))
                assert versions_in(snapshot) == seen[-1]
    latest = [max(versions.values()) for versions in seen]
    assert latest == sorted(latest), "the reader went back in time"
    assert len(set(latest)) >= 4, "the writer did not write while the reader read"
