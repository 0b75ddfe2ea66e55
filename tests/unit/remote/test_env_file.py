"""Files of keys."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import ConfigError
from pincite.remote.env_file import LARGEST_BYTES, parse_env, read_env_file, use_env_file


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("A=b", "b"),
        ("A = b ", "b"),
        ("export A=b", "b"),
        ("A=b # why", "b"),
        ("A=b#c", "b#c"),
        ("A= # nothing", ""),
        ("A=", ""),
        ("A=two words  ", "two words"),
        ("A='b # $C \\n'", "b # $C \\n"),
        ('A="b # \\"c\\" \\\\ \\n" # why', 'b # "c" \\ \n'),
        ("A=it's", "it's"),
        ("\ufeff".encode().decode("utf-8-sig") + "A=b\r\n", "b"),
    ],
)
def test_values(text: str, value: str) -> None:
    assert parse_env(f"# first\n\n{text}\n") == {"A": value}


@pytest.mark.parametrize(
    "line", ["A", "=b", "1A=b", "A B=c", "A='sk-secret", 'A="sk-secret', "A='b' sk-secret", "A=#b", "A=b\0"]
)
def test_wrong_line_is_named_and_its_value_is_not_shown(line: str) -> None:
    with pytest.raises(ConfigError, match=r"^keys\.env: line 2 ") as caught:
        parse_env(f"# one\n{line}\n", file="keys.env")
    assert "secret" not in str(caught.value)
    assert caught.value.exit_code == 2


def test_same_name_twice_is_refused() -> None:
    with pytest.raises(ConfigError, match="line 3 sets A a second time"):
        parse_env("A=1\nB=2\nA=1")


@given(st.text(alphabet=st.sampled_from("AB=#'\"\\ \tn\r\n$x\0é")))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        values = parse_env(text)
    except ConfigError as error:
        assert "line " in str(error)  # noqa: PT017 - both ways are right
    else:
        assert all(name.isidentifier() for name in values)


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\0\n\r")))
def test_quoted_value_comes_back(value: str) -> None:
    quoted = value.replace("\\", "\\\\").replace('"', '\\"')
    assert parse_env(f'A="{quoted}"') == {"A": value}


def test_environment_has_the_last_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "keys.env"
    file.write_text("\ufeffFIRST_API_KEY=file\nSECOND_API_KEY=file\n", encoding="utf-8")
    monkeypatch.setenv("FIRST_API_KEY", "environment")
    monkeypatch.setenv("SECOND_API_KEY", "")
    monkeypatch.delenv("SECOND_API_KEY")
    use_env_file(file)
    assert (os.environ["FIRST_API_KEY"], os.environ["SECOND_API_KEY"]) == ("environment", "file")


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is not a file"):
        read_env_file(tmp_path)
    with pytest.raises(ConfigError, match="is not a file"):
        read_env_file(tmp_path / "missing.env")
    file = tmp_path / "keys.env"
    file.write_bytes(b"A=\xff\n")
    with pytest.raises(ConfigError, match="is not UTF-8"):
        read_env_file(file)
    file.write_bytes(b"#" * (LARGEST_BYTES + 1))
    with pytest.raises(ConfigError, match="larger than 1 MiB"):
        read_env_file(file)
    with pytest.raises(ConfigError, match="cannot be read"):
        read_env_file(tmp_path / ("x" * 300))
