"""Ctrl-C ends a command with a line that says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.cli.run import run
from pincite.engine import Collection


def test_ctrl_c_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pincite.toml").write_text('[embed]\nname = "hashing"\n')
    (tmp_path / "keel.md").write_text("# Keel\n")
    monkeypatch.chdir(tmp_path)

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Collection, "add", interrupted)
    with pytest.raises(SystemExit) as left:
        run(["add", "keel.md"])
    assert left.value.code == 130
    assert "interrupted; what was reported as done is kept" in capsys.readouterr().err
