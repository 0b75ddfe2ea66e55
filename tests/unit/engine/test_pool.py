"""Loading in other processes gives what loading here gives, and no file takes others down."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from pincite.config import Component
from pincite.engine import pool
from pincite.engine.jobs import Job, Loaded, Refused, run
from pincite.engine.pool import results
from pincite.model import Document, Source


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadlyLoader:
    """Ends its process when a file says so."""

    name: str = "deadly"

    def load(self, source: Source) -> Document:
        if b"die" in source.data:
            os._exit(3)
        if b"sleep" in source.data:
            time.sleep(60)
        return Document(source.path, source.path, "text/plain", source.data.decode())


def jobs(*texts: str, loader: str = "markdown") -> list[Job]:
    names = [f"{number}.md" for number in range(len(texts))]
    return [
        Job(
            Path(name),
            name,
            text.encode(),
            Component("load", loader),
            Component("chunk", "structure"),
            {"version": "1"},
        )
        for name, text in zip(names, texts, strict=True)
    ]


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other processes are started after the first file."""
    monkeypatch.setattr(pool, "ALONE_BYTES", 1)


@pytest.mark.usefixtures("at_once")
def test_other_processes_give_the_same_in_the_same_order() -> None:
    several = jobs(*(f"# Page {number}\n\nText {number}.\n" for number in range(20)), "---\ngroups: {\n---\n", "end")
    there = list(results(several))
    here = [run(job) for job in several]
    assert [result for result in there if isinstance(result, Loaded)] == [
        result for result in here if isinstance(result, Loaded)
    ]
    (failed,) = [result for result in there if isinstance(result, Refused)]
    assert (failed.kind, failed.file) == ("front_matter", "20.md")
    assert isinstance(there[-1], Loaded)
    assert there[-1].document.metadata == {"version": "1"}


@pytest.mark.usefixtures("at_once")
def test_a_file_that_kills_its_process_is_told_and_the_others_are_loaded() -> None:
    texts = ["first", *("fine" for _ in range(4)), "die", *("fine" for _ in range(6))]
    jobs_here = jobs(*texts)
    deadly = [
        Job(job.path, job.document_id, job.data, DeadlyComponent("load", "deadly"), job.chunker, job.override)
        for job in jobs_here
    ]
    outcomes = list(results(deadly))
    assert [isinstance(outcome, Loaded) for outcome in outcomes] == [text != "die" for text in texts]
    (failed,) = [outcome for outcome in outcomes if isinstance(outcome, Refused)]
    assert (failed.kind, failed.file) == ("corrupt", "5.md")


@dataclass(frozen=True, slots=True)
class DeadlyComponent(Component):
    def create(self, parts: object = None) -> DeadlyLoader:
        return DeadlyLoader()


def test_few_small_files_start_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> Iterator[None]:
        raise AssertionError("a process was started")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    assert len(list(results(jobs("a", "b", "c")))) == 3


def test_a_script_without_a_guard_may_add_a_large_folder(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    for number in range(4):
        (tmp_path / "docs" / f"{number}.md").write_text(f"# Page {number}\n\n" + f"Some text {number}. " * 10_000)
    (tmp_path / "pincite.toml").write_text('[embed]\nname = "hashing"\n')
    (tmp_path / "script.py").write_text(
        "from pincite import Collection\n"
        "print('started')\n"
        "with Collection('.', create=True) as collection:\n"
        "    report = collection.add(['docs'])\n"
        "print(len(report.added), report.failed)\n"
    )
    command = [sys.executable, "-W", "error", "script.py"]
    finished = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (finished.stdout, finished.stderr) == ("started\n4 []\n", "")


@pytest.mark.usefixtures("at_once")
def test_stopping_early_leaves_no_process_behind() -> None:
    running = results(jobs(*("text " * 1000 for _ in range(30))))
    assert isinstance(next(running), Loaded)
    assert isinstance(next(running), Loaded)
    running.close()
    children = subprocess.run(
        ["ps", "--ppid", str(os.getpid()), "-o", "args="], capture_output=True, text=True, check=False
    )
    assert "pincite.engine.worker" not in children.stdout


@dataclass(frozen=True, slots=True)
class FaultyComponent(Component):
    def create(self, parts: object = None) -> DeadlyLoader:
        raise RecursionError("too deep")


@pytest.mark.parametrize("alone_bytes", [1, 10**6])
def test_a_fault_of_a_loader_stops_no_other_file(monkeypatch: pytest.MonkeyPatch, alone_bytes: int) -> None:
    monkeypatch.setattr(pool, "ALONE_BYTES", alone_bytes)
    first, second, third = jobs("one", "two", "three")
    faulty = Job(second.path, second.document_id, second.data, FaultyComponent("load", "x"), second.chunker, {})
    good, refused, last = results([first, faulty, third])
    assert isinstance(good, Loaded)
    assert isinstance(last, Loaded)
    assert isinstance(refused, Refused)
    assert (refused.kind, refused.file) == ("internal", "1.md")
    assert "RecursionError: too deep" in refused.problem


@pytest.mark.usefixtures("at_once")
def test_a_file_that_never_ends_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "TIMEOUT_S", 12.0)
    first, second, third = [
        Job(job.path, job.document_id, job.data, DeadlyComponent("load", "deadly"), job.chunker, {})
        for job in jobs("first", "sleep", "fine")
    ]
    good, refused, last = results([first, second, third])
    assert isinstance(good, Loaded)
    assert isinstance(last, Loaded)
    assert isinstance(refused, Refused)
    assert (refused.kind, refused.problem) == ("too_large", "loading it took longer than 12 s")
