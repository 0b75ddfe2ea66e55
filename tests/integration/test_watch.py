"""``sync --watch`` as a process that follows real files."""

from __future__ import annotations

import json
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pincite.engine import Collection
from pincite.engine.watch import Watch, is_of_interest, stamp_of

TIMEOUT_S = 30


class Watching:
    """The running command; ``next`` waits for its next report."""

    def __init__(self, folder: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-W", "error", "-m", "pincite", "sync", "--watch", "--json"],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._lines: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)

    def next(self, what: str) -> Any:
        """The next report that has something under this name."""
        while True:
            report = json.loads(self._lines.get(timeout=TIMEOUT_S))
            if report.get(what):
                return report

    def end(self) -> str:
        """As with Ctrl-C; returns what was said on stderr."""
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(TIMEOUT_S) == 0
        assert self.process.stderr is not None
        return self.process.stderr.read()

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "keel.md").write_text("The keel is oak.\n")
    (tmp_path / "pincite.toml").write_text('[embed]\nname = "hashing"\n')
    with Collection(tmp_path, create=True) as collection:
        collection.add(tmp_path / "docs")
    return tmp_path


@pytest.fixture
def watching(folder: Path) -> Iterator[Watching]:
    with closing(Watching(folder)) as started:
        yield started


def test_it_follows_what_happens_to_the_files(folder: Path, watching: Watching) -> None:
    docs = folder / "docs"
    assert watching.next("unchanged")["embedded"] == 0
    (docs / "keel.md").write_text("The keel is ash.\n")
    assert watching.next("changed")["documents"]["changed"] == ["keel.md"]
    (docs / "new").mkdir()
    (docs / "new" / "mast.md").write_text("The mast is tall.\n")
    assert watching.next("added")["documents"]["added"] == ["new/mast.md"]
    (docs / "new" / "mast.md").rename(docs / "new" / "boom.md")
    assert watching.next("moved")["documents"]["moved"] == [["new/mast.md", "new/boom.md"]]
    (docs / "bad.pdf").write_bytes(b"no PDF")
    assert watching.next("failed")["failed"][0]["file"] == "bad.pdf"
    (docs / "bad.pdf").unlink()
    (docs / ".gitignore").write_text("boom.md\n")
    assert watching.next("removed")["documents"]["removed"] == ["new/boom.md"]
    (folder / "pincite.toml").write_text("[nothing]\n")
    assert watching.next("error")["error"]["kind"] == "config"
    (folder / "pincite.toml").write_text('[embed]\nname = "hashing"\n[collection]\nexclude = ["keel.md"]\n')
    assert watching.next("removed")["documents"]["removed"] == ["keel.md"]
    with Collection(folder) as collection:
        assert list(collection.store.stored()) == []
    errors = watching.end()
    assert "Traceback" not in errors
    assert errors.splitlines()[-1] == "ended"


def test_it_follows_folders_that_are_added_and_waits_for_another_writer(folder: Path, watching: Watching) -> None:
    watching.next("unchanged")
    (folder / "wiki").mkdir()
    (folder / "wiki" / "sail.md").write_text("The sail is red.\n")
    with Collection(folder) as collection:
        collection.add(folder / "wiki")
        watching.next("unchanged")
        with collection.store.writer():
            (folder / "wiki" / "sail.md").write_text("The sail is white.\n")
            with pytest.raises(queue.Empty):
                watching._lines.get(timeout=1.5)
        assert watching.next("changed")["documents"]["changed"] == ["wiki/sail.md"]
    watching.end()


def test_it_follows_files_that_were_named_one_by_one(folder: Path) -> None:
    (folder / "notes").mkdir()
    (folder / "notes" / ".one.md").write_text("One.\n")
    (folder / "notes" / "other.md").write_text("Other.\n")
    with Collection(folder) as collection:
        collection.remove("docs")
        collection.add(folder / "notes" / ".one.md")
    with closing(Watching(folder)) as watching:
        watching.next("unchanged")
        (folder / "notes" / ".one.md").write_text("Two.\n")
        assert watching.next("changed")["documents"]["changed"] == [".one.md"]
        (folder / "notes" / ".one.md.meta.toml").write_text('groups = "crew"\n')
        assert watching.next("changed")["documents"]["changed"] == [".one.md"]
        watching.end()


def test_options_that_do_not_go_together(folder: Path) -> None:
    command = [sys.executable, "-m", "pincite", "sync", "--watch", "--rebuild"]
    finished = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert finished.returncode == 2
    assert "--watch goes with neither" in finished.stderr


def test_without_its_package_it_says_what_to_install(folder: Path) -> None:
    code = "import sys; sys.modules['watchfiles'] = None; from pincite.cli.run import run; run(['sync', '--watch'])"
    finished = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)
    assert finished.returncode == 2
    assert "pip install 'pincite[watch]'" in finished.stderr


def test_what_is_hidden_is_of_no_interest(tmp_path: Path) -> None:
    folders = (tmp_path,)
    for name, expected in (
        ("a.md", True),
        (".gitignore", True),
        ("b/.pinciteignore", True),
        (".pincite/index.sqlite", False),
        (".git/x", False),
        (".a.md.swp", False),
        ("", True),
    ):
        assert is_of_interest(tmp_path / name, folders) == expected, name
    assert not is_of_interest(tmp_path.parent / "a.md", folders)
    assert stamp_of(tmp_path / "nothing") is None


def test_a_watch_in_this_process(folder: Path) -> None:
    """Ends with the interruption that ``tell`` raises on the second report."""
    told: list[Any] = []

    def tell(result: Any) -> None:
        told.append(result)
        if len(told) == 2:
            raise KeyboardInterrupt
        (folder / "docs").rename(folder / "gone")

    with pytest.raises(KeyboardInterrupt):
        Watch(folder, tell).run()
    assert told[0].unchanged == ["keel.md"]
    assert [notice.kind for notice in told[1].failed] == ["missing"]
