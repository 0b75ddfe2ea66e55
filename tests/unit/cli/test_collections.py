"""Which collection a command means."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.cli.run import run


def test_a_current_folder_that_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "gone").mkdir()
    (tmp_path / "keel.md").write_text("# Keel\n")
    (tmp_path / "pincite.toml").write_text('[embed]\nname = "hashing"\n')
    monkeypatch.chdir(tmp_path / "gone")
    try:
        (tmp_path / "gone").rmdir()
    except OSError:
        pytest.skip("the current folder cannot be taken away here")
    for command in (["sync"], ["add", str(tmp_path / "keel.md")], ["add", "--dry-run", str(tmp_path / "keel.md")]):
        with pytest.raises(SystemExit) as left:
            run(command)
        assert left.value.code == 2
        assert "name the collection with --collection" in capsys.readouterr().err
    named = ["--collection", str(tmp_path)]
    for command, code in ((["add", str(tmp_path / "keel.md")], 0), (["sync"], 0), (["remove", "nope"], 4)):
        with pytest.raises(SystemExit) as left:
            run([*command, *named])
        assert left.value.code == code
