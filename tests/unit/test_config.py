"""``pincite.toml`` is checked whole, and every fault is one line that says what there is."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.config import Component, glob_matches, read_settings
from pincite.errors import ConfigError


def settings_of(tmp_path: Path, text: str) -> object:
    (tmp_path / "pincite.toml").write_text(text, encoding="utf-8")
    return read_settings(tmp_path / "pincite.toml")


def test_no_file_means_the_defaults(tmp_path: Path) -> None:
    settings = read_settings(tmp_path / "pincite.toml")
    assert settings.chunk == Component("chunk", "structure", {"max_tokens": 100})
    assert settings.embed == Component("embed", "use")
    assert (settings.mode, settings.k) == ("hybrid", 5)


def test_everything_that_can_be_said(tmp_path: Path) -> None:
    settings = settings_of(
        tmp_path,
        """
        [collection]
        exclude = ["drafts/**"]
        [load.csv]
        max_bytes = 1000
        [chunk]
        strategy = "tokens"
        max_tokens = 99
        [embed]
        name = "hashing"
        dimension = 64
        metadata = ["title"]
        [search]
        mode = "lexical"
        k = 7
        fusion = "rrf"
        [answer]
        name = "extractive"
        [[metadata]]
        glob = "support/**"
        groups = "support"
        version = "3.0"
        date = 2025-01-31
        tags = ["a", "b"]
        """,
    )
    assert settings.exclude == ("drafts/**",)  # type: ignore[attr-defined]
    assert settings.load == {"csv": Component("load", "csv", {"max_bytes": 1000})}  # type: ignore[attr-defined]
    assert settings.chunk == Component("chunk", "tokens", {"max_tokens": 99})  # type: ignore[attr-defined]
    assert settings.embed == Component("embed", "hashing", {"dimension": 64})  # type: ignore[attr-defined]
    assert settings.fusion.name == "rrf"  # type: ignore[attr-defined]
    assert settings.rules[0].metadata == {  # type: ignore[attr-defined]
        "groups": ("support",),
        "version": "3.0",
        "date": "2025-01-31",
        "tags": ("a", "b"),
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[chunks]\n", "There are: collection, load, chunk, embed, search, rerank, answer, metadata"),
        ("[collection]\nexcludes = []\n", "There are: exclude"),
        ("[collection]\nexclude = 'x'\n", "a list of texts"),
        ("[chunk]\nstrategy = 'nope'\n", "no strategy is called 'nope'"),
        ("[chunk]\nstrategy = 3\n", "a name in quotes"),
        ("[chunk]\nmax_token = 3\n", "no option 'max_token'"),
        ("[chunk]\nmax_tokens = 'many'\n", "a whole number"),
        ("[search]\nmode = 'fuzzy'\n", "hybrid, lexical, dense"),
        ("[search]\nk = 0\n", "a whole number from 1"),
        ("[search]\nk = true\n", "a whole number from 1"),
        ("chunk = 3\n", "Make it a section: [chunk]"),
        ("metadata = 3\n", "[[metadata]]"),
        ("[[metadata]]\nversion = '1'\n", "has no glob"),
        ("[[metadata]]\nglob = '*'\nnested = {a = 1}\n", "Use text, a number"),
        ("[[metadata]]\nglob = '*'\ngroups = 3\n", "a list of texts"),
        ("[[metadata]]\nglob = '*'\ngroups = []\n", "at least one name"),
        ("[[metadata]]\nglob = '*'\nGroups = ['']\n", "at least one name"),
        ("[[metadata]]\nglob = '*'\ngroups = 'a'\nGroups = 'b'\n", "set twice"),
        ("[[metadata]]\nglob = '*'\nversion = 3.10\n", "Write it in quotes"),
        ("[chunk]\nname = 'tokens'\n", "no option 'name'"),
        ("[answer]\nembedder = 'x'\n", "no option 'embedder'"),
        ("[chunk]\nmax_tokens = 0\n", "max_tokens is at least 1"),
        ("[chunk]\ncounter = 'nope'\n", "no counter is called 'nope'"),
        ("[load.nope]\n", "no loader is called 'nope'"),
        ("[load.csv]\nmax_bytes = 0\n", "max_bytes must be at least 1"),
        ("[load]\ncsv = 3\n", "Make it a section"),
        ("not toml", "is not valid TOML"),
    ],
)
def test_faults_are_one_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        settings_of(tmp_path, text)
    assert said in str(caught.value)
    assert "pincite.toml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_text(tmp_path: Path) -> None:
    (tmp_path / "pincite.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="cannot be read"):
        read_settings(tmp_path / "pincite.toml")


@pytest.mark.parametrize(
    ("glob", "path", "matches"),
    [
        ("support/**", "support/a.md", True),
        ("support/**", "supporting/a.md", False),
        ("**/internal/*.md", "a/b/internal/c.md", True),
        ("**/internal/*.md", "internal/c.md", True),
        ("*.md", "a/b/c.md", True),
        ("/*.md", "c.md", True),
        ("/srv/docs/**", "/srv/docs/c.md", True),
        ("a?.md", "ab.md", True),
        ("v3/*.md", "v3/x/y.md", False),
        ("a+b.md", "aab.md", False),
        ("**", "x/y", True),
    ],
)
def test_globs(glob: str, path: str, matches: bool) -> None:
    assert glob_matches(glob, path) is matches
