"""``ask --chat`` and ``evaluate --fit-answers`` as commands."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

OLD = "# Signing in\n\nIn Orbit 2.0 a token lives for 24 hours after the log-in.\n"
NEW = "# Access tokens\n\nAn Orbit 3.0 access token is valid for 60 minutes from the moment it is issued.\n"
SETTINGS = '[[metadata]]\nglob = "old.md"\nversion = "2.0"\n\n[[metadata]]\nglob = "new.md"\nversion = "3.0"\n'
QUESTIONS = [
    ("How long is an access token valid in Orbit 3.0?", "new.md", NEW),
    ("How long does a token live in Orbit 2.0?", "old.md", OLD),
    ("Who won the football world cup?", "", ""),
    ("What is the capital of Peru?", "", ""),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("chat")
    (folder / "old.md").write_text(OLD)
    (folder / "new.md").write_text(NEW)
    (folder / "pincite.toml").write_text(SETTINGS)
    lines = [
        {
            "id": f"q{number}",
            "question": question,
            "relevant": [{"document": name, "text": text.splitlines()[2]}] if name else [],
        }
        for number, (question, name, text) in enumerate(QUESTIONS)
    ]
    (folder / "questions.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert pincite(folder, "add", "old.md", "new.md").returncode == 0
    return folder


def pincite(folder: Path, *arguments: str, told: bytes = b"") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-m", "pincite", *arguments]
    found = subprocess.run(command, input=told, capture_output=True, cwd=folder, check=False)
    return subprocess.CompletedProcess(command, found.returncode, found.stdout.decode(), found.stderr.decode())


def test_a_conversation_through_a_pipe(folder: Path) -> None:
    told = b"And in Orbit 2.0?\n\n\xff\xfe and this?\nexit\nnever asked\n"
    found = pincite(folder, "ask", "--chat", "How long is an access token valid in Orbit 3.0?", told=told)
    assert found.returncode == 0
    assert found.stdout.index("valid for 60 minutes") < found.stdout.index("lives for 24 hours")
    assert "asked as: access token valid. How long? And in Orbit 2.0?" in found.stderr
    assert "never asked" not in found.stderr


def test_a_conversation_as_json_lines(folder: Path) -> None:
    told = b"How long is an access token valid in Orbit 3.0?\nAnd in Orbit 2.0?\n"
    found = pincite(folder, "ask", "--chat", "--json", told=told)
    first, second = map(json.loads, found.stdout.splitlines())
    assert first["asked"] == first["question"]
    assert second["question"] == "And in Orbit 2.0?"
    assert second["statements"][0]["citations"][0]["document"] == "old.md"


def test_a_question_that_fails_is_told_and_the_next_one_is_answered(folder: Path) -> None:
    found = pincite(folder, "ask", "--chat", "--where", "colour = 'red'", told=b"How long?\nAnd a token?\n")
    assert found.returncode == 2
    assert found.stderr.count("error: ") == 2


@pytest.mark.parametrize("options", [["--stream", "--json"], ["--trace", "trace.json"]])
def test_options_that_do_not_go_together(folder: Path, options: list[str]) -> None:
    found = pincite(folder, "ask", "--chat", *options)
    assert found.returncode == 2
    assert found.stderr.startswith("error: --")


def test_ask_needs_a_question(folder: Path) -> None:
    found = pincite(folder, "ask")
    assert (found.returncode, found.stderr.startswith("error: there is no question")) == (2, True)


def test_a_refusal_shows_the_nearest_passage(folder: Path) -> None:
    found = pincite(folder, "ask", "How long does a token live?", "--where", "version = '4.0'")
    assert "only in those of version" in found.stdout
    assert "[old.md, line 3] Signing in" in found.stdout


def test_the_cut_off_is_fitted_and_kept(folder: Path) -> None:
    shown = pincite(folder, "evaluate", "--fit-answers")
    assert "of the even ones 100% without an answer are refused, and 0 of 1 with one." in shown.stdout
    assert "--write puts it into [answer]" in shown.stdout
    written = pincite(folder, "evaluate", "--fit-answers", "--most-refused", "0", "--write", "--json")
    threshold = json.loads(written.stdout)["threshold"]
    settings = (folder / "pincite.toml").read_text()
    assert settings.startswith(SETTINGS)
    assert f"[answer]\nmin_confidence = {threshold}\n" in settings
    assert "valid for 60 minutes" in pincite(folder, "ask", "How long is an access token valid in Orbit 3.0?").stdout
    (folder / "pincite.toml").write_text(SETTINGS)


def test_a_share_that_cannot_be(folder: Path) -> None:
    assert pincite(folder, "evaluate", "--fit-answers", "--most-refused", "2").returncode == 2
