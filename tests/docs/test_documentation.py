"""What README and docs say is true: their examples run, their links lead somewhere, every command and component is
named."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from pincite import catalogue

REPOSITORY = Path(__file__).parent.parent.parent
PAGES = [REPOSITORY / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "examples/README.md")]
PAGES += sorted((REPOSITORY / "docs").rglob("*.md"))
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]+\]\(([^)#]+)\)")


def blocks(language: str) -> list[tuple[str, str]]:
    return [
        (page.relative_to(REPOSITORY).as_posix(), body)
        for page in PAGES
        for found, body in FENCE.findall(page.read_text(encoding="utf-8"))
        if found == language
    ]


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    """A folder with the ``docs`` that the examples speak of."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "guide.md").write_text("# Guide\n\n## Cursors\n\nA cursor lives 15 minutes.\n")
    return tmp_path


@pytest.mark.parametrize(("page", "code"), blocks("python"), ids=lambda value: value[:20])
def test_python_examples_run(documents: Path, page: str, code: str) -> None:
    finished = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=documents, capture_output=True, text=True, check=False
    )
    assert finished.returncode == 0, f"{page}: {finished.stderr}"
    if page == "README.md":
        assert len(code.strip().splitlines()) <= 20
        assert "A cursor lives 15 minutes. limits.md line 5 ('Limits', 'Cursors')" in finished.stdout


@pytest.mark.parametrize(("page", "code"), blocks("console"), ids=lambda value: value[:20])
def test_shell_examples_run(documents: Path, page: str, code: str) -> None:
    for line in code.splitlines():
        words = shlex.split(line.removeprefix("$ "), comments=True)
        if line.startswith("$ ") and words[0] == "pincite":
            finished = subprocess.run(
                [sys.executable, "-m", *words], cwd=documents, capture_output=True, text=True, check=False
            )
            assert finished.returncode == 0, f"{page}: {line}: {finished.stderr}"


def test_make_targets_that_the_docs_name_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (REPOSITORY / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for page in PAGES:
        named = set(re.findall(r"(?:`|\$ )make ([a-z]+)", page.read_text(encoding="utf-8")))
        assert named <= targets, page


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize("row", [row for row in catalogue.ROWS if row.kind == "chunk"], ids=lambda row: row.name)
def test_every_strategy_has_its_section(row: catalogue.Row) -> None:
    text = (REPOSITORY / "docs" / "strategies.md").read_text(encoding="utf-8")
    assert f"## `{row.name}`" in text
    for option in catalogue.option_types(catalogue.load_target(row)):
        if option != "name":
            assert f"`{option}`" in text, f"{row.name} has the option {option}"


def test_every_command_is_in_the_readme() -> None:
    text = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    helped = subprocess.run([sys.executable, "-m", "pincite", "--help"], capture_output=True, text=True, check=True)
    commands = re.findall(r"^  ([a-z]+) ", helped.stdout.partition("Commands:")[2], re.MULTILINE)
    assert len(commands) >= 10
    for command in commands:
        assert f"pincite {command}" in text or f"`{command}`" in text, command
