"""The SQLite store: opening, refusing, locking, and what stays in the folder."""

from __future__ import annotations

import os
import shutil
import sqlite3
import threading
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

import pytest

from pincite import catalogue
from pincite.errors import CollectionError, LockedError, PinciteError, UsageError
from pincite.model import PUBLIC, Principal
from pincite.store.sqlite import SqliteStore
from pincite.testing.stores import ENTRIES, BruteForce, check_kept, make_entry, put_all, unit_vector


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "docs" / ".pincite"


@pytest.fixture
def store(path: Path) -> SqliteStore:
    return SqliteStore(path=path, create=True, lock_timeout_s=0.05)


def test_a_missing_collection_is_an_error_and_nothing_is_made(path: Path) -> None:
    for options in ({}, {"read_only": True}):
        with pytest.raises(CollectionError, match="pincite add") as caught:
            catalogue.create("store", "sqlite", {"path": path, **options})
        assert caught.value.kind == "missing"
        assert not path.parent.exists()
    path.mkdir(parents=True)
    with pytest.raises(CollectionError) as caught:
        SqliteStore(path=path)
    assert caught.value.kind == "missing"
    assert list(path.iterdir()) == []


def test_options_that_cannot_be_are_refused(path: Path) -> None:
    for options in ({"lock_timeout_s": -1.0}, {"create": True, "read_only": True}):
        with pytest.raises(UsageError):
            catalogue.create("store", "sqlite", {"path": path, **options})
    assert not path.exists()


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(CollectionError) as caught:
        SqliteStore(path=tmp_path / "file" / ".pincite", create=True)
    assert caught.value.kind == "disk"


def test_a_lock_that_cannot_be_opened(store: SqliteStore) -> None:
    (store.path / "lock").unlink()
    (store.path / "lock").mkdir()
    with pytest.raises(CollectionError) as caught, store.writer():
        pass
    assert caught.value.kind == "disk"


def test_an_index_that_vanishes_while_the_store_is_open(store: SqliteStore) -> None:
    shutil.rmtree(store.path)
    with pytest.raises(CollectionError) as caught, store.writer():
        pass
    assert caught.value.kind == "missing"
    assert not store.path.exists()


@pytest.mark.parametrize(
    ("version", "kind", "cure"), [(1, "older", "add the documents again"), (99, "newer", "Update pincite")]
)
def test_an_index_of_a_version_that_cannot_be_read(version: int, kind: str, cure: str, store: SqliteStore) -> None:
    with closing(sqlite3.connect(store.path / "index.sqlite")) as connection, connection:
        connection.execute("UPDATE meta SET value = ? WHERE name = 'version'", (version,))
    with pytest.raises(CollectionError, match=cure) as caught:
        SqliteStore(path=store.path)
    assert caught.value.kind == kind


def test_read_only(store: SqliteStore) -> None:
    expected = put_all(store, ENTRIES)
    reader = SqliteStore(path=store.path, read_only=True)
    check_kept(reader, expected)
    with pytest.raises(UsageError), reader.writer():
        pass


def test_the_file_is_set_up_as_measured(store: SqliteStore) -> None:
    with closing(sqlite3.connect(store.path / "index.sqlite")) as connection:
        assert connection.execute("PRAGMA page_size").fetchone() == (16384,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    with store.writer() as writer:
        for pragma, value in (("secure_delete", 1), ("foreign_keys", 1), ("synchronous", 1)):
            assert writer.database.row(f"PRAGMA {pragma}") == (value,)


def files(path: Path) -> set[str]:
    return {file.relative_to(path).as_posix() for file in path.rglob("*") if file.is_file()}


@pytest.mark.usefixtures("eager")
def test_nothing_is_left_in_the_folder_but_the_index_the_lock_and_the_listed_segments(store: SqliteStore) -> None:
    for entry in ENTRIES:
        put_all(store, [entry])
        check_kept(store, BruteForce({entry.document.id: entry for entry in ENTRIES[: ENTRIES.index(entry) + 1]}))
    store.close()
    assert {name for name in files(store.path) if not name.startswith("segments/")} == {"index.sqlite", "lock"}
    with closing(sqlite3.connect(store.path / "index.sqlite")) as connection:
        names = {name for (name,) in connection.execute("SELECT name FROM segments")}
    assert {folder.name for folder in (store.path / "segments").iterdir()} == names
    assert store.problems() == []
    assert (store.path / "lock").read_text() == ""


def test_what_killed_writers_left_is_cleaned_away(store: SqliteStore) -> None:
    put_all(store, ENTRIES)
    (store.path / "segments" / "new-1").mkdir(parents=True)
    (store.path / "segments" / "new-1" / "vectors.npy").write_bytes(b"half")
    for name in ("index.sqlite.new", "index.sqlite.new-wal"):
        (store.path / name).write_bytes(b"half")
    expected = put_all(store, ENTRIES)
    assert not any("new" in name for name in files(store.path))
    check_kept(store, expected)


@pytest.mark.parametrize("with_reader", [False, True])
@pytest.mark.parametrize("size", ["small", "large"])
def test_a_removed_document_leaves_the_files(
    size: str, with_reader: bool, store: SqliteStore, request: pytest.FixtureRequest
) -> None:
    """The log too, even where another process keeps the index open; a word that others have stays searchable."""
    if size == "large":
        request.getfixturevalue("eager")
    secret = "Zwetschgenknödelgeheimnis"
    put_all(store, [*ENTRIES, make_entry("secret.md", [f"{secret} red {number}" for number in range(50)])])
    with ExitStack() as stack:
        if with_reader:
            reader = stack.enter_context(closing(sqlite3.connect(store.path / "index.sqlite")))
            reader.execute("SELECT count(*) FROM documents").fetchall()
        with store.writer() as writer:
            writer.remove("secret.md")
        check_gone(secret, store)
    check_kept(store, BruteForce({entry.document.id: entry for entry in ENTRIES}))


def check_gone(secret: str, store: SqliteStore) -> None:
    for name in files(store.path):
        content = (store.path / name).read_bytes()
        assert secret.encode() not in content, f"the text is still in {name}"
        assert secret[:12].encode() not in content, f"a word is still in {name}"


def test_the_owner_of_the_lock_is_named(store: SqliteStore) -> None:
    with store.writer(), pytest.raises(LockedError, match=rf"process {os.getpid()} since \d{{4}}-"), store.writer():
        pass
    with store.writer():
        pass


def test_a_foreign_lock_on_the_database_is_an_error(store: SqliteStore) -> None:
    with closing(sqlite3.connect(store.path / "index.sqlite", isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        with store.writer() as writer, pytest.raises(LockedError):
            writer.put(ENTRIES[0])
        connection.execute("ROLLBACK")
    assert store.stored() == {}


def test_a_full_disk_undoes_the_commit(store: SqliteStore) -> None:
    expected = put_all(store, ENTRIES)
    with store.writer() as writer:
        pages = writer.database.row("PRAGMA page_count")[0]
        writer.database.run(f"PRAGMA max_page_count={pages}")
        with pytest.raises(CollectionError, match="full") as caught:
            writer.put(make_entry("large.md", ["many words " * 100_000]))
    assert caught.value.kind == "disk"
    check_kept(store, expected)


def test_terms_numbered_in_a_transaction_that_failed_are_numbered_again(store: SqliteStore) -> None:
    first = make_entry("a.md", ["red"])
    stolen = make_entry("b.md", ["brandnew words"])
    stolen = replace(stolen, chunks=(replace(stolen.chunks[0], id=first.chunks[0].id),))
    with store.writer() as writer:
        writer.put(first)
        with pytest.raises(PinciteError, match="another document"):
            writer.put(stolen)
        writer.put(make_entry("c.md", ["brandnew words"]))
    check_kept(store, BruteForce({name: make_entry(name, [text]) for name, text in PAIRS}))
    with store.snapshot() as snapshot:
        assert len(snapshot.lexical(["brandnew"], principal=PUBLIC, limit=9)) == 1


PAIRS = (("a.md", "red"), ("c.md", "brandnew words"))


def test_more_values_than_one_statement_takes(store: SqliteStore) -> None:
    texts = [f"word{number}" for number in range(1203)]
    entry = make_entry("a.md", texts)
    ids = [chunk.id for chunk in entry.chunks]
    put_all(store, [entry])
    assert store.vectors(entry.embedded).keys() == set(entry.embedded)
    crowd = Principal(frozenset({f"group{number}" for number in range(1203)} | {"public"}))
    with store.snapshot() as snapshot:
        assert len(snapshot.lexical(texts, principal=crowd, limit=2000)) == 1203
        assert snapshot.located(ids, principal=crowd).keys() == set(ids)
        assert snapshot.dense_scores(unit_vector("red"), ids, principal=crowd).keys() == set(ids)


def test_a_text_that_no_file_can_hold_is_found_nowhere(store: SqliteStore) -> None:
    half = chr(0xD800)
    expected = put_all(store, [make_entry("a.md", ["red"])])
    (chunk,) = expected.entries["a.md"].chunks
    assert (store.document(half), store.chunks(half), store.setting(half)) == (None, [], None)
    with store.writer() as writer:
        writer.remove(half)
    with store.snapshot() as snapshot:
        assert (snapshot.document(half, principal=PUBLIC), snapshot.chunks(half, principal=PUBLIC)) == (None, [])
        assert [hit.chunk_id for hit in snapshot.lexical([half, "red"], principal=PUBLIC, limit=9)] == [chunk.id]
        assert snapshot.located([half, chunk.id], principal=PUBLIC).keys() == {chunk.id}
        assert snapshot.located([chunk.id], principal=Principal(frozenset({half}))) == {}
    check_kept(store, expected)


def test_of_several_vectors_of_one_text_the_newest_is_given(store: SqliteStore) -> None:
    first, second = make_entry("a.md", ["red"]), make_entry("b.md", ["red"])
    second = replace(second, vectors=-second.vectors)
    put_all(store, [first, second])
    assert (store.vectors(["red"])["red"] == second.vectors[0]).all()
    put_all(store, [first])
    assert (store.vectors(["red"])["red"] == first.vectors[0]).all()


def test_a_small_cache_of_terms_changes_nothing(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.store.writer.MAX_KNOWN_TERMS", 2)
    check_kept(store, put_all(store, ENTRIES))


def test_a_store_serves_other_threads(store: SqliteStore) -> None:
    expected = put_all(store, ENTRIES)
    failed: list[BaseException] = []

    def read() -> None:
        try:
            check_kept(store, expected)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


@pytest.mark.usefixtures("eager")
def test_the_same_history_gives_the_same_segments_everywhere(tmp_path: Path) -> None:
    names = []
    for folder in ("one", "two"):
        store = SqliteStore(path=tmp_path / folder, create=True)
        put_all(store, ENTRIES)
        names.append(sorted(entry.name for entry in (store.path / "segments").iterdir()))
    assert names[0] == names[1] != []


@pytest.mark.usefixtures("eager")
def test_an_index_made_anew_under_an_open_store(store: SqliteStore) -> None:
    """As many commits as before, but other ones: neither the kept arrays nor those on disk may be used."""
    check_kept(store, put_all(store, [make_entry("a.md", ["red red"])]))
    shutil.move(store.path / "segments", store.path.parent / "segments")
    shutil.rmtree(store.path)
    SqliteStore(path=store.path, create=True)
    shutil.move(store.path.parent / "segments", store.path / "segments")
    other = put_all(store, [make_entry("a.md", ["blue", "red"])])
    check_kept(store, other)


@pytest.mark.usefixtures("eager")
def test_settings_do_not_make_the_segments_anew(store: SqliteStore) -> None:
    put_all(store, ENTRIES)
    assert list((store.path / "segments").iterdir())
    before = sorted((file, file.stat().st_mtime_ns) for file in (store.path / "segments").rglob("*"))
    with store.writer() as writer:
        writer.write_setting("roots", [1])
    assert sorted((file, file.stat().st_mtime_ns) for file in (store.path / "segments").rglob("*")) == before


def test_a_copied_folder_is_the_same_collection(store: SqliteStore, tmp_path: Path) -> None:
    expected = put_all(store, ENTRIES)
    shutil.copytree(store.path, tmp_path / "copy #1 %41?")
    check_kept(SqliteStore(path=tmp_path / "copy #1 %41?"), expected)


@pytest.mark.parametrize(
    "ask",
    [
        lambda store: store.stored(),
        lambda store: store.document("a.md"),
        lambda store: store.chunks("a.md"),
        lambda store: store.vectors(["red green"]),
        lambda store: store.setting("roots"),
    ],
)
def test_reading_writes_nothing(store: SqliteStore, ask: Callable[[SqliteStore], object]) -> None:
    put_all(store, ENTRIES)
    before = {name: (store.path / name).read_bytes() for name in files(store.path)}
    ask(store)
    with store.snapshot() as snapshot:
        snapshot.dense(unit_vector("red"), principal=PUBLIC, limit=3)
    store.close()
    assert {name: (store.path / name).read_bytes() for name in files(store.path)} == before
