"""A writer killed at any moment: what it said it did is there, nothing is half there, and the next one goes on."""

from __future__ import annotations

import json
import random
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from pincite.store.sqlite import SqliteStore
from pincite.testing.stores import BruteForce, check_kept, make_entry, put_all

Documents = dict[str, int]
"""The version of each document."""

WRITES = """
import json, random, sys
from pathlib import Path
from pincite.store import merging, nearest, upkeep
from pincite.store.sqlite import SqliteStore
from pincite.testing.stores import make_entry

upkeep.TAIL_CHUNKS, upkeep.SEGMENT_CHUNKS, merging.SMALLEST_MERGED = 6, 9, 2
chance = random.Random(int(sys.argv[2]))
version = int(sys.argv[3])
store = SqliteStore(path=Path(sys.argv[1]), create=True)

def texts(name, version):
    return [f"{name} version{version} chunk{number} " + "filling " * 30 for number in range(1 + version % 4)]

def entry(name):
    global version
    version += 1
    return make_entry(name, texts(name, version), groups=["secret"] * (version % 2))

def say(*words):
    print(json.dumps(words), flush=True)

while True:
    with store.writer() as writer:
        for _ in range(chance.randint(1, 6)):
            name, other = chance.sample([f"{number}.md" for number in range(12)], 2)
            kind = chance.choice(["put", "put", "put", "remove", "rename", "take"])
            if kind == "take" and chance.random() < 0.6:
                beside, new = store.beside(), {}
                with beside.writer() as filler:
                    for old in beside.stored():
                        filler.remove(old)
                    for number in range(chance.randint(0, 9)):
                        filler.put(entry(f"{number}.md"))
                        new[f"{number}.md"] = version
                    filler.write_setting("made by", version)
                say("begin", "take", new)
                writer.take(beside)
            elif kind == "remove":
                say("begin", "remove", name)
                writer.remove(name)
            elif kind == "rename":
                made = entry(other)
                say("begin", "rename", name, other, version)
                writer.rename(made, old_id=name)
            else:
                made = entry(name)
                say("begin", "put", name, version)
                writer.put(made)
            say("end")
"""


def texts(name: str, version: int) -> list[str]:
    return [f"{name} version{version} chunk{number} " + "filling " * 30 for number in range(1 + version % 4)]


def kept(documents: Documents) -> BruteForce:
    entries = {
        name: make_entry(name, texts(name, version), groups=["secret"] * (version % 2))
        for name, version in documents.items()
    }
    return BruteForce(entries)


def after(documents: Documents, step: list[object]) -> Documents:
    match step:
        case ["take", dict(new)]:
            return dict(new)
        case ["remove", str(name)]:
            return {other: version for other, version in documents.items() if other != name}
        case ["rename", str(old), str(new), int(version)]:
            return {**{name: kept for name, kept in documents.items() if name != old}, new: version}
        case ["put", str(name), int(version)]:
            return {**documents, name: version}
    raise AssertionError(f"an unknown step {step}")


def run_and_kill(path: Path, seed: int, chance: random.Random, documents: Documents) -> list[Documents]:
    """What may be there after it: what was reported, or that and the step that had begun."""
    command = [sys.executable, "-c", WRITES, str(path), str(seed), str(seed * 10_000)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(chance.randint(1, 60))]
        time.sleep(chance.random() / 20)
        process.kill()
        lines += process.stdout.readlines()
    begun: list[object] = []
    for line in lines:
        if not line.endswith("\n"):
            break
        word, *step = json.loads(line)
        if word == "begin":
            begun = step
        else:
            documents, begun = after(documents, begun), []
    return [documents, after(documents, begun)] if begun else [documents]


def check_killed(path: Path, seeds: range) -> None:
    chance = random.Random(seeds.start)
    documents: Documents = {}
    for seed in seeds:
        allowed = run_and_kill(path, seed, chance, documents)
        store = SqliteStore(path=path, create=True, lock_timeout_s=0.0)
        there = {name: stored.sha256 for name, stored in store.stored().items()}
        documents = next(
            (each for each in allowed if {name: entry.sha256 for name, entry in kept(each).entries.items()} == there),
            {"nothing that may be there": 0},
        )
        check_kept(store, kept(documents))
        assert store.problems() == []
        expected = kept(documents)
        if seed % 2:  # else the next child goes on from what the killed one left
            expected.entries.update(put_all(store, [make_entry("after.md", ["filling"])]).entries)
            check_kept(store, expected)
            store.close()
            check_tidy(path)
            with store.writer() as writer:
                writer.remove("after.md")
        check_kept(store, kept(documents))
        assert store.problems() == []
        store.close()


def check_tidy(path: Path) -> None:
    """Nothing but the index, its segments, the lock and a rebuild that was not taken yet."""
    assert {entry.name for entry in path.iterdir()} - {"segments", "next"} == {"index.sqlite", "lock"}
    with closing(sqlite3.connect(path / "index.sqlite")) as connection:
        listed = {name for (name,) in connection.execute("SELECT name FROM segments")}
        (taken,) = connection.execute("SELECT value FROM meta WHERE name = 'taken'").fetchone()
    assert {folder.name for folder in path.glob("segments/*")} == listed
    if (path / "next" / "index.sqlite").exists():
        with closing(sqlite3.connect(path / "next" / "index.sqlite")) as connection:
            (identity,) = connection.execute("SELECT value FROM meta WHERE name = 'identity'").fetchone()
        assert identity != taken, "what was taken is still there"


def test_a_writer_killed_at_ten_moments(tmp_path: Path) -> None:
    check_killed(tmp_path / "one", range(1, 6))
    check_killed(tmp_path / "two", range(6, 11))


@pytest.mark.soak
def test_a_writer_killed_at_a_hundred_moments(tmp_path: Path) -> None:
    for number in range(10):
        check_killed(tmp_path / f"{number}", range(100 + number * 10, 110 + number * 10))
