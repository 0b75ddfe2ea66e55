"""What `pincite lint` prints where a source has no lines, and what it tells beside the findings."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from pincite.cli.linting import show_findings
from pincite.cli.strategy import strategy_of

CODE = "".join(f"value_{number} = {number}\n\n" for number in range(40))
PAGE = f"<main><h1>Tide</h1><p>Words about it.</p><pre><code>{CODE}</code></pre></main>"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "a.html").write_text(PAGE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_place_where_there_are_no_lines(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = show_findings([folder], strategy_of("tokens:max_tokens=120"), {}, [], password=None, as_json=False)
    first, cure, *_, last = capsys.readouterr().out.splitlines()
    assert code == 8
    assert first == (
        "a.html, body/main[1]/h1[1]: half-fence: chunk 1 has only a part of the code block at body/main[1]/pre[1]."
    )
    assert cure.startswith("    The block alone has ")
    assert last == "3 findings in 3 chunks of 1 document: 3 half-fence"


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_warnings_are_in_the_document(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "link.md").symlink_to(folder / "a.html")
    limits = {"tiny_share": None, "same_share": 0.95, "boilerplate_chunks": 3}
    code = show_findings([folder], strategy_of("structure"), limits, ["long-prefix"], password=None, as_json=True)
    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    assert [(warning["kind"], warning["file"]) for warning in json.loads(out)["warnings"]] == [("link", "link.md")]
    show_findings([folder], strategy_of("structure"), {}, [], password=None, as_json=False)
    [warning] = capsys.readouterr().err.splitlines()
    assert warning.startswith("warning: link.md: ")
