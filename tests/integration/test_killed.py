"""The command is killed at random moments: what was there stays whole, and one more sync equals a clean build."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from pincite import catalogue
from pincite.config import FILE_NAME, chunk_component, read_settings
from pincite.engine import Collection
from pincite.ports import Store

DOCUMENTS = 60
STRATEGIES = ("structure", "headings")
WORDS = ("oak", "ash", "keel", "rudder", "mast", "sail", "rope", "knot", "splice", "anchor", "oar", "tide", "harbour")


@pytest.mark.parametrize("seed", range(2))
def test_ten_kills(tmp_path: Path, seed: int) -> None:
    assert kill_campaign(tmp_path, random.Random(seed), runs=5) > 0


@pytest.mark.soak
def test_a_hundred_kills(tmp_path: Path) -> None:
    assert kill_campaign(tmp_path, random.Random(), runs=100) > 50


def kill_campaign(folder: Path, chance: random.Random, *, runs: int) -> int:
    """How many of the commands were killed before they had ended."""
    docs = folder / "docs"
    docs.mkdir()
    write_settings(folder, STRATEGIES[0])
    for number in range(DOCUMENTS):
        write_document(docs / f"{number}.md", chance)
    seconds, killed, strategy = 1.5, 0, 0
    for _ in range(runs):
        command = (
            chance.choice(("add", "sync", "rebuild")) if (folder / ".pincite" / "index.sqlite").is_file() else "add"
        )
        if command == "rebuild":
            strategy = 1 - strategy
            write_settings(folder, STRATEGIES[strategy])
        change_some(docs, chance)
        arguments = {"add": ["add", "docs"], "sync": ["sync"], "rebuild": ["sync", "--rebuild"]}[command]
        start = time.monotonic()
        process = subprocess.Popen(
            [sys.executable, "-m", "pincite", *arguments, "--json"],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        try:
            _, errors = process.communicate(timeout=chance.uniform(0.3, 1.1) * seconds)
            assert process.returncode == 0, errors.decode()
            seconds = time.monotonic() - start
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            killed += process.returncode == -signal.SIGKILL
        if (folder / ".pincite" / "index.sqlite").exists():
            check_whole(folder)
            check_like_new(folder, rebuild=command == "rebuild")
    return killed


def write_settings(folder: Path, strategy: str) -> None:
    (folder / FILE_NAME).write_text(f'[embed]\nname = "hashing"\n[chunk]\nstrategy = "{strategy}"\n')


def write_document(path: Path, chance: random.Random) -> None:
    parts = ["# " + chance.choice(WORDS)]
    for _ in range(chance.randint(1, 6)):
        parts.append("## " + chance.choice(WORDS))
        parts.append(" ".join(chance.choices(WORDS, k=chance.randint(5, 60))) + ".")
    path.write_text("\n\n".join(parts) + "\n")


def change_some(docs: Path, chance: random.Random) -> None:
    files = sorted(docs.iterdir())
    chance.shuffle(files)
    for path in files[:10]:
        write_document(path, chance)
    for path in files[10:15]:
        path.unlink()
    for path in files[15:20]:
        path.rename(docs / f"moved-{chance.getrandbits(40)}.md")
    for _ in range(5):
        write_document(docs / f"new-{chance.getrandbits(40)}.md", chance)


def contents(store: Store) -> dict[str, list[tuple[Any, bytes]]]:
    result = {}
    for name in store.stored():
        chunks = store.chunks(name)
        vectors = store.vectors([chunk.embedded for chunk in chunks])
        result[name] = [(chunk, vectors[chunk.embedded].tobytes()) for chunk in chunks]
    return result


def check_whole(folder: Path) -> None:
    """The index opens, and every document in it is whole and cut as the index says that it is."""
    with Collection(folder) as collection:
        assert collection.problems() == []
        strategy = collection.status().strategy
        for name, state in collection.store.stored().items():
            document = collection.store.document(name)
            assert document is not None
            chunks = collection.store.chunks(name)
            assert len(chunks) == state.chunks
            assert chunks == list(chunk_component({"strategy": strategy}).create().chunk(document))
        contents(collection.store)  # every chunk has its vector


def check_like_new(folder: Path, *, rebuild: bool) -> None:
    with Collection(folder) as collection:
        if not collection.roots():
            collection.add(folder / "docs")
        else:
            collection.sync(rebuild=rebuild)
        assert not (folder / ".pincite" / "next").exists()
        found = contents(collection.store)
        assert collection.problems() == []
    clean_store: Store = catalogue.create("store", "memory")
    with Collection(folder / "clean", settings=read_settings(folder / FILE_NAME), store=clean_store) as clean:
        clean.add(folder / "docs")
    assert found == contents(clean_store)


def test_two_at_once_lose_nothing(tmp_path: Path) -> None:
    write_settings(tmp_path, "structure")
    for number in range(2):
        (tmp_path / f"docs{number}").mkdir()
        for name in range(5):
            (tmp_path / f"docs{number}" / f"{name}.md").write_text(f"Text {number} {name}.\n")
    commands = [
        [sys.executable, "-m", "pincite", "add", f"docs{number}", "--collection", str(tmp_path)] for number in range(2)
    ]
    processes = [subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE) for command in commands]
    for process in processes:
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors
    with Collection(tmp_path) as collection:
        assert {name.split("/")[0] for name in collection.store.stored()} == {"docs0", "docs1"}
        assert len(collection.store.stored()) == 10
        assert collection.problems() == []
