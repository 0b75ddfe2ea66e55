"""A collection with a remote embedder, through the command: keys by --env-file, costs, failures."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.unit.remote.model_server import DIMENSION, Reply, always, good, serving


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pincite", *arguments], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "tides.md").write_text("# Tides\n\nHigh water comes at noon.\n")
    return tmp_path


def configure(folder: Path, url: str, **options: str) -> None:
    lines = [
        f'base_url = "{url}"',
        f"dimension = {DIMENSION}",
        *(f"{name} = {value}" for name, value in options.items()),
    ]
    text = '[embed]\nname = "openai"\nmodel = "tide"\nmax_tokens = 512\nfirst_wait_s = 0.01\n' + "\n".join(lines)
    (folder / "pincite.toml").write_text(text + "\n")


def test_key_from_a_file_reaches_the_server_and_nothing_else(folder: Path) -> None:
    (folder / "keys.env").write_text("# keys\nTIDE_API_KEY='sk-secret'\n")
    with serving(good) as server:
        configure(folder, server.url, api_key_variable='"TIDE_API_KEY"')
        without = run(folder, "add", "docs")
        assert without.returncode == 2
        assert "TIDE_API_KEY is not set" in without.stderr
        added = run(folder, "--env-file", "keys.env", "add", "docs")
        assert added.returncode == 0, added.stderr
        found = run(folder, "--env-file", "keys.env", "search", "high water", "--json")
        assert json.loads(found.stdout.splitlines()[0])["document"] == "tides.md"
        assert {asked.headers.get("Authorization") for asked in server.asked} == {"Bearer sk-secret"}
        lexical = run(folder, "search", "high water", "--mode", "lexical", "--json")
        assert lexical.returncode == 0, "no key is needed where nothing is asked"
    index = b"".join(file.read_bytes() for file in (folder / ".pincite").rglob("*") if file.is_file())
    assert b"sk-secret" not in index
    assert "sk-secret" not in added.stdout + added.stderr + found.stdout + found.stderr


def test_nothing_reads_a_file_of_keys_by_itself(folder: Path) -> None:
    (folder / ".env").write_text("TIDE_API_KEY=sk-secret\n")
    with serving(good) as server:
        configure(folder, server.url, api_key_variable='"TIDE_API_KEY"')
        assert run(folder, "add", "docs").returncode == 2
        assert server.asked == []


def test_broken_file_of_keys_is_a_usage_error(folder: Path) -> None:
    (folder / "keys.env").write_text("TIDE_API_KEY\n")
    done = run(folder, "--env-file", "keys.env", "doctor")
    assert done.returncode == 2
    assert done.stderr.startswith("error: keys.env: line 1 ")


def test_server_that_fails_is_one_line(folder: Path) -> None:
    with serving(always(Reply({"error": {"message": "the model is asleep"}}, status=503))) as server:
        configure(folder, server.url, attempts="2")
        done = run(folder, "add", "docs", "--json")
    assert done.returncode == 1
    error = json.loads(done.stdout)["error"]
    assert error["kind"] == "overloaded"
    assert "answered 503: the model is asleep" in error["message"]
    assert "Traceback" not in done.stderr
