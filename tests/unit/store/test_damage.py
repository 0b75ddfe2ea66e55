"""A damaged index is an error that says so, never an empty answer; a damaged segment costs nothing but time."""

from __future__ import annotations

import json
import logging
import os
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from pincite.errors import CollectionError
from pincite.model import PUBLIC, Scored
from pincite.store.sqlite import SqliteStore
from pincite.testing.stores import BOTH, BruteForce, check_kept, make_entry, put_all, unit_vector

MANY = [make_entry(f"{number}.md", [f"red word{number}", "green " * 2000]) for number in range(40)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    store = SqliteStore(path=tmp_path / ".pincite", create=True)
    put_all(store, MANY)
    store.close()
    return store.path


def cut(file: Path, share: float) -> None:
    os.truncate(file, int(file.stat().st_size * share))


def drop(table: str) -> Callable[[Path], None]:
    def damage(file: Path) -> None:
        with closing(sqlite3.connect(file)) as connection, connection:
            connection.execute(f"DROP TABLE {table}")

    return damage


def no_version(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE meta SET value = 'x' WHERE name = 'version'")


def another(file: Path) -> None:
    file.unlink()
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("CREATE TABLE foreign_thing (a)")


DAMAGES: dict[str, Callable[[Path], object]] = {
    "cut to half": lambda file: cut(file, 0.5),
    "last page gone": lambda file: os.truncate(file, file.stat().st_size - 16384),
    "last bytes gone": lambda file: os.truncate(file, file.stat().st_size - 7),
    "header only": lambda file: os.truncate(file, 100),
    "zero bytes": lambda file: os.truncate(file, 0),
    "garbage": lambda file: file.write_bytes(random.Random(1).randbytes(200_000)),
    "another database": another,
    "no chunks": drop("chunks"),
    "no meta": drop("meta"),
    "no version": no_version,
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_index_is_noticed_when_it_is_opened(name: str, path: Path) -> None:
    DAMAGES[name](path / "index.sqlite")
    for read_only, create in ((False, False), (True, False), (False, True)):
        with pytest.raises(CollectionError) as caught:
            SqliteStore(path=path, read_only=read_only, create=create)
        assert caught.value.kind == "damaged"
        assert str(path / "index.sqlite") in str(caught.value)
        assert f"Delete the folder {path}" in caught.value.cure


@pytest.mark.parametrize("name", [name for name in DAMAGES if name != "no version"])
def test_an_index_damaged_under_an_open_store_is_noticed_by_the_next_search(name: str, path: Path) -> None:
    store = SqliteStore(path=path)
    DAMAGES[name](path / "index.sqlite")
    with pytest.raises(CollectionError) as caught:
        search(store)
    assert caught.value.kind == "damaged"


def search(store: SqliteStore) -> None:
    with store.snapshot() as snapshot:
        found = snapshot.lexical(["red"], principal=PUBLIC, limit=100)
        snapshot.located([scored.chunk_id for scored in found], principal=PUBLIC)


def while_writing(path: Path, copy: Path) -> BruteForce:
    """Copies the folder as a killed writer would leave it: commits in the log beside the file."""
    store = SqliteStore(path=path)
    late = make_entry("late.md", ["late words", "red " * 30_000])
    with store.writer() as writer:
        writer.put(late)
        shutil.copytree(path, copy)
    assert (copy / "index.sqlite-wal").stat().st_size > 0
    return BruteForce({entry.document.id: entry for entry in (*MANY, late)})


def test_what_stands_in_the_log_only_is_there(path: Path, tmp_path: Path) -> None:
    expected = while_writing(path, tmp_path / "copy")
    check_kept(SqliteStore(path=tmp_path / "copy", read_only=True), expected)
    check_kept(SqliteStore(path=tmp_path / "copy"), expected)
    assert not (tmp_path / "copy" / "index.sqlite-wal").exists()


@pytest.mark.parametrize("share", [0.5, 0.97])
def test_a_cut_file_with_a_log_beside_it_is_noticed_each_time(share: float, path: Path, tmp_path: Path) -> None:
    """The log holds the last pages: played into the file, it would give back the length and leave a hole."""
    while_writing(path, tmp_path / "copy")
    cut(tmp_path / "copy" / "index.sqlite", share)
    for _ in range(3):
        with pytest.raises(CollectionError, match="pages") as caught:
            SqliteStore(path=tmp_path / "copy")
        assert caught.value.kind == "damaged"


@pytest.mark.parametrize("length", [0, 10, 40])
def test_a_cut_log_loses_no_more_than_its_commits(length: int, path: Path, tmp_path: Path) -> None:
    while_writing(path, tmp_path / "copy")
    os.truncate(tmp_path / "copy" / "index.sqlite-wal", length)
    (tmp_path / "copy" / "index.sqlite-shm").unlink()
    check_kept(SqliteStore(path=tmp_path / "copy"), BruteForce({entry.document.id: entry for entry in MANY}))


def ask_everything(path: Path) -> None:
    store = SqliteStore(path=path)
    names = list(store.stored())
    for name in names:
        store.document(name)
        store.chunks(name)
    store.vectors(["red word1"])
    store.setting("roots")
    with store.snapshot() as snapshot:
        for principal in (PUBLIC, BOTH):
            found = snapshot.lexical(["red", "green"], principal=principal, limit=50)
            snapshot.dense(unit_vector("red"), principal=principal, limit=50)
            snapshot.located([scored.chunk_id for scored in found], principal=principal)
    store.problems()


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("with_segment", [False, True], ids=["no segment", "segment"])
def test_any_bytes_give_an_answer_or_a_collection_error(seed: int, with_segment: bool, path: Path) -> None:
    """Bytes within a text cannot be told from others; but whatever is broken, no other error comes out."""
    chance = random.Random(seed)
    sound = (path / "index.sqlite").read_bytes()
    if not with_segment:
        shutil.rmtree(path / "segments")
    noticed = 0
    for _ in range(8):
        broken = bytearray(sound)
        for _ in range(chance.choice([1, 20, 400])):
            broken[chance.randrange(len(broken))] = chance.randrange(256)
        (path / "index.sqlite").write_bytes(broken)
        try:
            ask_everything(path)
        except CollectionError:
            noticed += 1
    assert noticed, "no damage was noticed at all"


def answers(path: Path) -> list[list[Scored]]:
    with SqliteStore(path=path).snapshot() as snapshot:
        return [
            *(snapshot.lexical([term], principal=BOTH, limit=9) for term in ("red", "word7", "nothing")),
            snapshot.dense(unit_vector("red"), principal=BOTH, limit=9),
        ]


def segment(path: Path) -> Path:
    (only,) = (path / "segments").iterdir()
    return only


def rewrite_header(folder: Path, **changes: object) -> None:
    header = json.loads((folder / "segment.json").read_text())
    (folder / "segment.json").write_text(json.dumps({**header, **changes}))


SEGMENT_DAMAGES: dict[str, Callable[[Path], object]] = {
    "all gone": shutil.rmtree,
    "no header": lambda folder: (folder / "segment.json").unlink(),
    "header cut": lambda folder: cut(folder / "segment.json", 0.5),
    "header is a list": lambda folder: (folder / "segment.json").write_text("[]"),
    "another format": lambda folder: rewrite_header(folder, format=1),
    "no list of arrays": lambda folder: rewrite_header(folder, arrays={}),
    "arrays are no table": lambda folder: rewrite_header(folder, arrays=3),
    "vectors gone": lambda folder: (folder / "vectors.bin").unlink(),
    "vectors cut": lambda folder: cut(folder / "vectors.bin", 0.5),
    "postings empty": lambda folder: os.truncate(folder / "posting_rows.bin", 0),
    "other keys": lambda folder: (folder / "keys.bin").write_bytes(bytes(16 * len(MANY))),
    "ids of other lengths": lambda folder: (folder / "id_bytes.bin").write_bytes(bytes(len(MANY))),
    "documents of others": lambda folder: (folder / "documents.bin").write_bytes(bytes(8 * len(MANY))),
}


@pytest.mark.parametrize("name", SEGMENT_DAMAGES)
def test_without_a_whole_segment_the_answers_are_the_same(name: str, path: Path) -> None:
    expected = answers(path)
    SEGMENT_DAMAGES[name](segment(path))
    assert answers(path) == expected
    store = SqliteStore(path=path)
    with store.writer():
        pass
    assert store.problems() == []
    assert {file.name for file in segment(path).iterdir()} >= {"segment.json", "vectors.bin"}
    assert answers(path) == expected


def test_a_segment_with_wrong_rows_is_not_believed(path: Path) -> None:
    expected = answers(path)
    (segment(path) / "chunk_rows.bin").write_bytes(bytes(16 * len(MANY)))
    assert answers(path) == expected
    assert [problem for problem in SqliteStore(path=path).problems() if "chunk_rows.bin" in problem]


def test_problems_are_found_by_reading_everything(path: Path) -> None:
    store = SqliteStore(path=path)
    assert store.problems() == []
    vectors = segment(path) / "vectors.bin"
    data = bytearray(vectors.read_bytes())
    data[-1] ^= 1
    vectors.write_bytes(data)
    assert [problem for problem in store.problems() if "vectors.bin" in problem]
    (segment(path) / "segment.json").unlink()
    assert [problem for problem in store.problems() if "cannot be read" in problem]
    shutil.rmtree(path / "segments")
    assert store.problems() == []
    with closing(sqlite3.connect(path / "index.sqlite")) as connection, connection:
        connection.execute("DELETE FROM documents WHERE id = '1.md'")
    assert [problem for problem in store.problems() if "belongs to no row" in problem]


def test_a_segment_that_cannot_be_written_costs_no_commit(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = SqliteStore(path=tmp_path / ".pincite", create=True)
    (store.path / "segments").write_text("a file where the folder should be")
    with caplog.at_level(logging.WARNING, logger="pincite.store"):
        expected = put_all(store, MANY)
    assert "no search segment was written" in caplog.text
    check_kept(store, expected)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE forward SET counts = x'0100'",
        "UPDATE forward SET counts = x''",
        "UPDATE forward SET terms = x'01000000'",
        "DELETE FROM forward",
        "UPDATE vectors SET data = x'00'",
        "UPDATE vectors SET data = x''",
        "UPDATE vectors SET dimension = 3",
        "UPDATE vectors SET dimension = 'x'",
        "DELETE FROM vectors",
        "DELETE FROM meta",
        "UPDATE documents SET metadata = '{'",
        "UPDATE documents SET blocks = '[1]'",
        "UPDATE documents SET text = ''",
        "UPDATE documents SET text = CAST(x'ff' AS TEXT)",
        "UPDATE chunks SET headings = '3'",
        "UPDATE chunks SET place = '[]'",
        "UPDATE chunks SET start = 99999999999",
        "UPDATE chunks SET \"end\" = 'x'",
    ],
)
def test_rows_that_do_not_fit_are_damage(change: str, path: Path) -> None:
    shutil.rmtree(path / "segments")
    with closing(sqlite3.connect(path / "index.sqlite")) as connection, connection:
        connection.execute(change)
    with pytest.raises(CollectionError) as caught:
        ask_everything(path)
    assert caught.value.kind == "damaged"
