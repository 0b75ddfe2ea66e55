"""The command as a user runs it: exit codes, stdout and stderr apart."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]

FAST = '[embed]\nname = "hashing"\n'


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs ``pincite`` in the test's folder, whose collection uses the embedder that needs no model."""
    (tmp_path / "pincite.toml").write_text(FAST)

    def run_command(*arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-W", "error", "-m", "pincite", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, cwd=cwd or tmp_path, check=False)

    return run_command


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "limits.md").write_text(
        "# Limits\n\n## Cursors\n\nA cursor lives 15 minutes. After that it cannot be used any more.\n\n"
        "## Pages\n\nA page has 100 items unless you ask for more.\n"
    )
    (folder / "people.csv").write_text("name,room\nporter,12\ncook,3\n")
    return folder


def lines(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


def test_help_and_version(run: Run) -> None:
    helped = run("--help")
    assert helped.returncode == 0
    for command in (
        "chunk",
        "lint",
        "stats",
        "show",
        "add",
        "sync",
        "status",
        "remove",
        "search",
        "why",
        "ask",
        "doctor",
    ):
        assert command in helped.stdout
        assert run(command, "--help").returncode == 0
    assert run("--version").stdout.startswith("pincite ")
    assert run().stdout == helped.stdout


def test_chunk_prints_a_line_each(run: Run, docs: Path) -> None:
    printed = run("chunk", docs, "--strategy", "headings")
    assert printed.returncode == 0
    assert "limits.md: 3 chunks" in printed.stdout
    assert "## Cursors" in printed.stdout
    chunks = lines(run("chunk", docs / "limits.md", "--strategy", "headings", "--json").stdout)
    text = (docs / "limits.md").read_text()
    assert [chunk["number"] for chunk in chunks] == [1, 2, 3]
    assert all(chunk["text"] == text[chunk["start"] : chunk["end"]] for chunk in chunks)
    assert chunks[1]["place"] == {"line": 3}
    assert set(chunks[0]) == {
        *("id", "document", "number", "start", "end", "text", "prefix", "headings"),
        *("level", "tokens", "parent", "place", "metadata"),
    }


def test_chunk_takes_sizes_and_options(run: Run, docs: Path) -> None:
    chunks = lines(
        run(
            *("chunk", docs / "limits.md", "--strategy", "tokens", "--max-tokens", "9"),
            *("--overlap-tokens", "3", "--counter", "words", "--json"),
        ).stdout
    )
    assert max(chunk["tokens"] for chunk in chunks) == 9
    assert chunks[1]["start"] < chunks[0]["end"]
    wide = run("chunk", docs / "limits.md", "--strategy", "characters", "--option", "max_characters=5000", "--full")
    assert "limits.md: 1 chunk of" in wide.stdout
    assert "A cursor lives 15 minutes." in wide.stdout


def test_chunk_shows_the_headings_above_each_chunk(run: Run, docs: Path) -> None:
    finished = run("chunk", docs / "limits.md", "--strategy", "headings")
    assert (finished.returncode, finished.stderr) == (0, "")
    assert finished.stdout.splitlines()[1:] == [
        "   1      8          # Limits",
        "   2     77  Limits  ## Cursors",
        "   3     55  Limits  ## Pages",
    ]


@pytest.mark.skipif(os.name == "nt", reason="there are no such terminals there")
def test_a_terminal_gets_dim_headings(run: Run, docs: Path, tmp_path: Path) -> None:
    import pty

    def seen(**environment: str) -> str:
        ours, theirs = pty.openpty()
        command = [sys.executable, "-m", "pincite", "chunk", "docs/limits.md", "--strategy", "headings"]
        kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
        subprocess.run(command, stdout=theirs, cwd=tmp_path, env={**kept, **environment}, check=True)
        os.close(theirs)
        data = b""
        try:
            while part := os.read(ours, 4096):
                data += part
        except OSError:  # how Linux says that the other end is closed
            pass
        os.close(ours)
        return data.decode()

    assert "\x1b[2mLimits\x1b[0m  ## Cursors" in seen(TERM="xterm")
    assert "Limits  ## Cursors" in seen(TERM="dumb")


def test_two_strategies_side_by_side(run: Run, docs: Path) -> None:
    other = "sections:counter=words"
    finished = run("chunk", docs, "--strategy", "headings", "--diff", other)
    assert (finished.returncode, finished.stderr) == (0, "")
    assert "limits.md: 0 cuts in common, 2 only in A, 1 only in B" in finished.stdout
    assert "people.csv: 0 cuts in common, 0 only in A, 0 only in B" in finished.stdout
    assert f"  B  {other}: 2 chunks" in finished.stdout
    borders = lines(run("chunk", docs, "--strategy", "headings", "--diff", other, "--json").stdout)
    assert {border["document"] for border in borders} == {"limits.md", "people.csv"}
    assert borders[1] == {
        "document": "limits.md",
        "start": 10,
        "line": 3,
        "strategies": ["headings"],
        "first": 2,
        "second": None,
    }


def test_a_page_with_the_chunks(run: Run, docs: Path, tmp_path: Path) -> None:
    finished = run("chunk", docs, "--html", "out.html")
    assert (finished.returncode, finished.stderr) == (0, "")
    assert finished.stdout == "out.html: 2 chunks of 2 documents\n"
    written = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert "A cursor lives 15 minutes." in written
    assert "| porter | 12 |" in written
    told = lines(run("chunk", docs, "missing.md", "--html", "out.html", "--json").stdout)
    assert told[0]["error"]["kind"] == "missing"
    assert told[1] == {"html": "out.html", "documents": 2, "chunks": 2}
    assert "missing.md: no such file" in (tmp_path / "out.html").read_text(encoding="utf-8")
    assert run("chunk", "missing.md", "--html", "none.html").returncode == 3
    assert not (tmp_path / "none.html").exists()


def test_lint(run: Run, docs: Path, tmp_path: Path) -> None:
    clean = run("lint", docs)
    assert (clean.returncode, clean.stdout, clean.stderr) == (0, "no bad chunks (2 chunks of 2 documents)\n", "")
    assert lines(run("lint", docs, "--json").stdout)[0]["findings"] == []
    bad = run("lint", docs, "--strategy", "headings")
    assert (bad.returncode, bad.stderr) == (8, "")
    assert bad.stdout.splitlines() == [
        "docs/limits.md:1: heading-only: chunk 1 has nothing but headings.",
        "    Merge it with what follows (`structure` does, where it fits), or write text under the heading.",
        "1 finding in 4 chunks of 2 documents: 1 heading-only",
    ]
    assert run("lint", docs, "--strategy", "headings", "--ignore", "heading-only").returncode == 0
    (report,) = lines(run("lint", docs, "--strategy", "headings", "--json").stdout)
    assert (report["counts"]["heading-only"], report["warnings"], report["failed"]) == (1, [], [])
    assert {"kind", "message", "document", "number", "start", "end", "line"} < set(report["findings"][0])
    windows = ("--strategy", "tokens", "--max-tokens", "9", "--overlap-tokens", "3", "--counter", "words")
    assert run("lint", docs / "limits.md", *windows, "--tiny-share", "0.9", "--json").returncode == 8
    outside = tmp_path / "elsewhere"
    outside.mkdir()
    seen_from_there = run("lint", docs, "--strategy", "headings", cwd=outside)
    assert seen_from_there.stdout.startswith(f"{docs / 'limits.md'}:1: ")


def test_lint_with_files_that_cannot_be_read(run: Run, docs: Path) -> None:
    (docs / "picture.md").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0")
    (docs / "empty.md").write_bytes(b"")
    finished = run("lint", docs, "--json")
    (report,) = lines(finished.stdout)
    assert finished.returncode == 3
    assert finished.stderr.startswith("error: picture.md: ")
    assert [failed["kind"] for failed in report["failed"]] == ["binary"]
    assert [warning["kind"] for warning in report["warnings"]] == ["empty"]
    printed = run("lint", docs)
    assert (printed.returncode, printed.stdout) == (3, "no bad chunks (2 chunks of 3 documents)\n")
    assert "warning: empty.md: " in printed.stderr
    assert run("lint", docs, "--strategy", "headings").returncode == 8  # what was found weighs more
    alone = run("lint", docs / "picture.md", "--json")
    assert (alone.returncode, lines(alone.stdout)[0]["error"]["kind"]) == (3, "binary")
    assert run("lint", docs / "picture.md").stdout == ""


def test_stats_counts_every_strategy(run: Run, docs: Path) -> None:
    (rows,) = lines(run("stats", docs, "--json").stdout)
    assert {row["strategy"] for row in rows} >= {"structure", "sections", "tokens", "characters", "headings-capped"}
    (rows,) = lines(run("stats", docs / "limits.md", "--strategy", "headings", "--json").stdout)
    assert rows == [
        {"strategy": "headings", "chunks": 3, "mean": 46, "min": 8, "max": 77, "unit": "characters"},
    ]
    (words,) = lines(run("stats", docs / "limits.md", "--strategy", "headings", "--counter", "words", "--json").stdout)
    assert (words[0]["unit"], words[0]["max"]) == ("words", 15)
    assert "headings" in run("stats", docs).stdout


def test_show_draws_what_was_understood(run: Run, docs: Path) -> None:
    assert "heading 2" in run("show", docs / "limits.md", "--blocks").stdout
    assert "Cursors" in run("show", docs / "limits.md", "--sections").stdout
    assert "## Cursors" in run("show", docs / "limits.md").stdout
    assert "limits.md: 1 chunk of" in run("show", docs / "limits.md", "--chunks").stdout
    (document,) = lines(run("show", docs / "people.csv", "--json").stdout)
    assert "| porter | 12 |" in document["text"]
    blocks = lines(run("show", docs / "people.csv", "--blocks", "--json").stdout)
    assert (blocks[0]["kind"], blocks[0]["columns"]) == ("table", ["name", "room"])
    sections = lines(run("show", docs / "limits.md", "--sections", "--json").stdout)
    assert [section["headings"] for section in sections] == [["Limits"], ["Limits", "Cursors"], ["Limits", "Pages"]]
    both = run("show", docs / "limits.md", "--blocks", "--text")
    assert both.returncode == 2


def test_add_search_ask_and_remove(run: Run, docs: Path) -> None:
    added = run("add", docs, "--json")
    assert (added.returncode, added.stderr) == (0, "")
    (report,) = lines(added.stdout)
    assert (report["added"], report["failed"], report["embedded"]) == (2, [], 2)
    again = run("add", docs)
    assert "nothing had to be embedded" in again.stdout
    inside = docs / "sub"
    inside.mkdir()
    hits = lines(run("search", "cursor minutes", "-k", "1", "--json", cwd=inside).stdout)
    assert hits[0]["document"] == "limits.md"
    assert (hits[0]["rank"], set(hits[0]["scores"])) == (1, {"lexical", "dense"})
    assert "limits.md, line" in run("search", "cursor minutes").stdout
    lexical = lines(run("search", "porter", "--mode", "lexical", "--json").stdout)
    assert lexical[0]["document"] == "people.csv"
    (answer,) = lines(run("ask", "How long does a cursor live?", "--json").stdout)
    assert answer["answered"]
    citation = answer["statements"][0]["citations"][0]
    text = (docs / "limits.md").read_text()
    assert citation["quote"] == text[citation["start"] : citation["end"]]
    assert "15 minutes" in citation["quote"]
    assert citation["headings"] == ["Limits", "Cursors"]
    assert "[limits.md, line 5] Limits > Cursors" in run("ask", "How long does a cursor live?").stdout
    assert "limits.md" in run("show", "limits.md", "--chunks").stdout
    (status,) = lines(run("status", "--json").stdout)
    assert (status["documents"], status["strategy"]) == (2, "structure")
    assert "people.csv" in run("status").stdout
    assert lines(run("remove", "people.csv", "--json").stdout) == [{"removed": ["people.csv"]}]
    assert "1 documents removed" in run("remove", "limits.md").stdout
    (synced,) = lines(run("sync", "--json").stdout)
    assert (synced["added"], synced["removed"]) == (0, 0)
    assert run("search", "porter").stdout == "no hits\n"


def test_search_explains_itself(run: Run, docs: Path) -> None:
    (docs / "copy.md").write_text((docs / "limits.md").read_text())
    run("add", docs)
    shown = run("search", "cursor nonsense", "--explain", "--not", "porter").stdout
    assert "   also in limits.md" in shown
    for part in ("1. copy.md", "lexical: ", " × weight 0.135", "dense: ", "fused rank 1", "terms: cursor ", "not por"):
        assert part in shown
    around = (
        r"\n   around it: window [\d.]+ × 0\.270, neighbours .* × 0\.040, section .*, document .*, "
        r"likeness .* × -0\.067, best .*\n"
    )
    assert re.search(around, shown)
    assert "   missing: nonsense\n" in shown
    (hit, *_) = lines(run("search", '"cursor lives"', "--explain", "--expand", "neighbours", "--json").stdout)
    assert hit["explain"]["filters"] == {
        "groups": ["public"],
        "min_relevance": None,
        "not": [],
        "phrases": ["cursor lives"],
        "where": None,
    }
    assert sum(hit["explain"]["terms"].values()) == hit["scores"]["lexical"]
    assert [repeat["document"] for repeat in hit["also"]] == ["limits.md"]
    assert hit["context"]["text"].startswith("# Limits")
    assert 0 <= hit["relevance"] <= 1
    assert "A cursor lives" in run("search", "cursor", "--expand", "neighbours", "-k", "1").stdout
    assert "explain" not in lines(run("search", "cursor", "--json").stdout)[0]
    assert run("search", "cursor", "--budget-tokens", "2").stdout == "no hits\n"
    assert run("search", "cursor", "--min-relevance", "1").stdout == "no hits\n"
    assert "people.csv" not in run("search", "porter", "--not", "cook").stdout
    for refused in (("--as", "caf\udce9"), ("--where", "title = 'caf\udce9'")):
        assert run("search", "cursor", *refused).returncode == 2


def test_why(run: Run, docs: Path) -> None:
    run("add", docs)
    told = run("why", "people.csv", "cursor minutes", "-k", "1")
    assert told.returncode == 0
    assert told.stdout.startswith("people.csv: below the cut-off, rank 2\n")
    assert "the last hit is limits.md, rank 1" in told.stdout
    assert "-k 2 shows it" in told.stdout
    (hit,) = lines(run("why", "limits.md:5", "cursor", "--json").stdout)
    assert (hit["verdict"], hit["rank"], hit["found"]) == ("hit", 1, True)
    assert "limits.md: left out by --not" in run("why", "limits.md", "cursor", "--not", "cursors").stdout
    for place in ("limits.md:0", "limits.md:99", "nowhere.md", "nowhere.md:1", "limits.md:x", "caf\udce9.md"):
        refused = run("why", place, "cursor", "--json")
        assert refused.returncode == 4
        assert lines(refused.stdout)[0]["error"]["kind"] == "not_found"


def test_a_question_outside_of_the_documents_is_not_answered(run: Run, docs: Path) -> None:
    run("add", docs)
    finished = run("ask", "What is the capital of Peru?", "--json")
    (answer,) = lines(finished.stdout)
    assert finished.returncode == 0
    assert answer["answered"] is False
    assert answer["statements"] == []
    assert "not in the documents" in answer["reason"]
    assert "not in the documents" in run("ask", "What is the capital of Peru?").stdout


@pytest.mark.parametrize(
    ("arguments", "code", "kind", "said"),
    [
        (["chunk", "docs", "--strategy", "nope"], 2, "unknown_name", "There are: structure"),
        (["chunk", "docs", "--max-tokens", "0"], 2, "usage", "max_tokens is at least 1"),
        (["chunk", "docs", "--counter", "nope"], 2, "unknown_name", "There are: o200k_base"),
        (["chunk", "docs", "--option", "x"], 2, "usage", "NAME=VALUE"),
        (
            ["chunk", "docs", "--strategy", "tokens", "--max-tokens", "5", "--overlap-tokens", "5"],
            2,
            "usage",
            "max_tokens - 1 (4), got 5",
        ),
        (["chunk", "docs", "--diff", "nope"], 2, "unknown_name", "There are: structure"),
        (["chunk", "docs", "--diff", "tokens:max_tokens"], 2, "usage", "NAME:OPTION=VALUE"),
        (["chunk", "docs", "--diff", "tokens:size=3"], 2, "usage", "It has: max_tokens"),
        (["chunk", "docs", "--diff", "tokens", "--html", "x.html"], 2, "usage", "do not go together"),
        (["chunk", "docs", "--html", "nowhere/x.html"], 2, "usage", "nowhere/x.html: cannot be written"),
        (["chunk", "docs", "--html", "docs"], 2, "usage", "docs: cannot be written"),
        (["chunk", "docs", "--html", "docs/limits.md"], 2, "usage", "docs/limits.md: is there already and was not"),
        (["lint", "docs", "--strategy", "nope"], 2, "unknown_name", "There are: structure"),
        (["lint", "docs", "--ignore", "nope"], 2, "usage", "There are: heading-only, tiny"),
        (["lint", "docs", "--same-share", "0.1"], 2, "usage", "0.8 to 1"),
        (["lint", "docs", "--tiny-share", "x"], 2, "usage", "Invalid value for '--tiny-share'"),
        (["lint"], 2, "usage", "Missing argument"),
        (["stats", "docs", "--strategy", "nope"], 2, "unknown_name", "There are: structure"),
        (["search", "x", "--mode", "fuzzy"], 2, "usage", "hybrid, lexical, dense"),
        (["search", ""], 2, "usage", "the query is empty"),
        (["search", "x", "--near", "support"], 2, "usage", "The options of `pincite search` are: -k"),
        (["serach", "x"], 2, "usage", "The commands are: add, ask, chunk"),
        (["chunk"], 2, "usage", "Missing argument"),
        (["ask", "x", "--model", "oracle"], 2, "unknown_name", "There are: extractive"),
        (["remove", "nope.md"], 4, "not_found", "pincite status"),
        (["show", "nope.md"], 4, "not_found", "pincite status"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_wrong_calls_have_one_line_and_their_code(
    run: Run, docs: Path, arguments: list[str], code: int, kind: str, said: str
) -> None:
    run("add", docs)
    finished = run(*arguments, "--json")
    assert finished.returncode == code
    (error,) = finished.stderr.splitlines()
    assert error.startswith("error: ")
    assert said in error
    (printed,) = lines(finished.stdout)
    assert printed["error"]["kind"] == kind
    assert set(printed["error"]) == {"kind", "message", "cure", "file"}


def test_bad_files_do_not_stop_the_rest(run: Run, docs: Path) -> None:
    (docs / "picture.md").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0")
    (docs / "empty.md").write_bytes(b"")
    (docs / "front.md").write_text("---\ntitle: [x\n---\n\nText.\n")
    (docs / "sheet.xyz").write_text("x")
    finished = run("add", docs, "missing-folder", "--json")
    (report,) = lines(finished.stdout)
    assert finished.returncode == 3
    assert report["added"] == 3
    assert {Path(failed["file"]).name: failed["kind"] for failed in report["failed"]} == {
        "missing-folder": "missing",
        "picture.md": "binary",
        "front.md": "front_matter",
        "sheet.xyz": "unsupported",
    }
    assert [warning["kind"] for warning in report["warnings"]] == ["empty"]
    printed = run("add", docs)
    assert printed.returncode == 3
    assert printed.stderr.count("failed (") == 3
    cut = run("chunk", docs, "missing-folder", "--json")
    assert cut.returncode == 3
    errors = [line["error"]["kind"] for line in lines(cut.stdout) if "error" in line]
    assert sorted(errors) == ["binary", "front_matter", "missing", "unsupported"]
    assert {line["document"] for line in lines(cut.stdout) if "error" not in line} == {"limits.md", "people.csv"}
    assert sum(line.startswith("error: ") for line in cut.stderr.splitlines()) == 4
    (warning,) = [json.loads(line) for line in cut.stderr.splitlines() if line.startswith("{")]
    assert (warning["kind"], warning["file"]) == ("empty", "empty.md")
    counted = run("stats", docs / "picture.md", "--json")
    assert (counted.returncode, lines(counted.stdout)[0]["error"]["kind"]) == (3, "binary")


def test_an_empty_file_alone_is_a_warning(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty.md").write_bytes(b"")
    finished = run("chunk", "empty.md")
    assert finished.returncode == 0
    assert finished.stderr.startswith("warning: empty.md: ")


@pytest.fixture
def shared_folder() -> Iterator[Path]:
    """A folder that other users can reach, as pytest's own are not."""
    folder = Path(tempfile.mkdtemp(prefix="pincite-rights-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def as_another_user(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs ``pincite`` as a user who is not the superuser, who may do everything; skips where that cannot be."""
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        pytest.skip("there is no way here to give up rights")
    plain = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
    kept = {name: value for name, value in os.environ.items() if not name.startswith("COV")}  # it may not write there
    environment = {**kept, "HOME": str(folder)}

    def run_python(*words: str) -> subprocess.CompletedProcess[str]:
        command = [*plain, sys.executable, *words]
        return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=folder, check=False)

    if run_python("-c", "import pincite").returncode:
        pytest.skip("another user cannot run this Python")
    return run_python("-m", "pincite", *arguments)


@pytest.mark.skipif(os.name == "nt", reason="rights work otherwise there")
def test_a_file_without_read_rights(shared_folder: Path) -> None:
    (shared_folder / "closed.md").write_text("# Closed\n")
    (shared_folder / "closed.md").chmod(0)
    (shared_folder / "open.md").write_text("# Open\n")
    finished = as_another_user(shared_folder, "chunk", str(shared_folder))
    assert finished.returncode == 3
    assert "open.md: 1 chunk of" in finished.stdout
    assert "closed.md: cannot be read (Permission denied). Give yourself the right to read it." in finished.stderr
    named = as_another_user(shared_folder, "chunk", str(shared_folder / "closed.md"), str(shared_folder / "open.md"))
    assert (named.returncode, named.stdout) == (3, finished.stdout)
    (shared_folder / "shut").mkdir(mode=0)
    beyond = as_another_user(
        shared_folder, "chunk", str(shared_folder / "shut" / "x.md"), str(shared_folder / "open.md")
    )
    assert (beyond.returncode, beyond.stdout) == (3, finished.stdout)
    assert "cannot be reached (Permission denied)" in beyond.stderr
    walked = as_another_user(shared_folder, "chunk", str(shared_folder))
    assert (walked.returncode, walked.stdout) == (3, finished.stdout)
    assert "shut: the folder cannot be read (Permission denied); its files are left out" in walked.stderr


@pytest.mark.skipif(os.name == "nt", reason="rights work otherwise there")
def test_a_collection_that_may_only_be_read(run: Run, docs: Path, shared_folder: Path) -> None:
    (shared_folder / "pincite.toml").write_text(FAST)
    run("add", docs, "--collection", shared_folder)
    for path in (shared_folder, *shared_folder.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        finished = as_another_user(shared_folder, "search", "cursor", "--json")
        assert (finished.returncode, finished.stderr) == (0, "")
        assert lines(finished.stdout)[0]["document"] == "limits.md"
        refused = as_another_user(shared_folder, "sync")
        assert refused.returncode == 5
        assert "cannot be written to (Permission denied)" in refused.stderr
    finally:
        for path in (shared_folder, *shared_folder.rglob("*")):
            path.chmod(0o755)


@pytest.mark.skipif(os.name == "nt", reason="rights work otherwise there")
def test_folders_that_may_not_be_read(run: Run, docs: Path, shared_folder: Path) -> None:
    (shared_folder / "pincite.toml").write_text(FAST)
    shutil.copytree(docs, shared_folder / "docs")
    (shared_folder / "docs" / "shut").mkdir()
    (shared_folder / "docs" / "shut" / "keel.md").write_text("# Keel\n")
    run("add", shared_folder / "docs", "--collection", shared_folder)
    for path in (shared_folder / ".pincite", *(shared_folder / ".pincite").rglob("*")):
        path.chmod(0o777)
    (shared_folder / "docs" / "shut").chmod(0)
    finished = as_another_user(shared_folder, "sync", "--json")
    assert finished.returncode == 3
    report = json.loads(finished.stdout)
    assert (report["documents"]["removed"], [notice["kind"] for notice in report["failed"]]) == (
        ["shut/keel.md"],
        ["unreadable"],
    )
    (shared_folder / ".pincite").chmod(0)
    for command in (["status"], ["sync"], ["add", "docs"]):
        refused = as_another_user(shared_folder, *command)
        assert refused.returncode == 5
        assert ".pincite: the collection cannot be read (Permission denied)" in refused.stderr


@pytest.mark.skipif(os.name == "nt", reason="there is no such limit there")
def test_a_disk_that_is_full_from_the_beginning(docs: Path, tmp_path: Path) -> None:
    command = f"ulimit -f 100; exec {shlex.quote(sys.executable)} -m pincite add docs"
    finished = subprocess.run(["sh", "-c", command], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert finished.returncode == 5
    assert "Check the disk's free space" in finished.stderr


def test_adding_nothing_makes_no_collection(run: Run, tmp_path: Path) -> None:
    assert run("add", "nowhere").returncode == 3
    assert not (tmp_path / ".pincite").exists()


def test_json_is_json_on_every_terminal(run: Run, tmp_path: Path) -> None:
    (tmp_path / "umlaut.md").write_text("# Größe 😀\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    command = [sys.executable, "-m", "pincite", "chunk", "umlaut.md", "--json"]
    finished = subprocess.run(command, capture_output=True, cwd=tmp_path, env=environment, check=True)
    assert json.loads(finished.stdout.decode("cp1252"))["text"] == "# Größe 😀"


def many_notes(docs: Path) -> None:
    """So many documents that a search segment is made of them."""
    for number in range(40):
        (docs / f"note{number}.md").write_text(f"# Note {number}\n\nThe harbour has {number} berths.\n")


def test_doctor_sees_a_damaged_segment(run: Run, docs: Path, tmp_path: Path) -> None:
    many_notes(docs)
    run("add", docs)
    assert "the index is sound" in run("doctor").stdout
    (vectors,) = (tmp_path / ".pincite" / "segments").rglob("vectors.bin")
    data = bytearray(vectors.read_bytes())
    data[-8:] = b"\xff" * 8
    vectors.write_bytes(bytes(data))
    finished = run("doctor")
    assert finished.returncode == 8
    assert "FAILED  collection" in finished.stdout


def test_no_collection_and_a_damaged_one(run: Run, docs: Path, tmp_path: Path) -> None:
    for command in (["search", "x"], ["ask", "x"], ["sync"], ["status"], ["remove", "x"]):
        finished = run(*command, "--json")
        assert finished.returncode == 5
        assert lines(finished.stdout)[0]["error"]["kind"] == "missing"
        assert "pincite add" in finished.stderr
    assert not (tmp_path / ".pincite").exists()
    many_notes(docs)
    run("add", docs)
    database = tmp_path / ".pincite" / "index.sqlite"
    whole = database.read_bytes()
    (rows,) = (tmp_path / ".pincite" / "segments").rglob("chunk_rows.bin")
    rows.write_bytes(rows.read_bytes()[:-16] + b"\x7f" * 16)
    mended = run("search", "cursor", "--json")
    assert (mended.returncode, lines(mended.stdout)[0]["document"]) == (0, "limits.md")
    database.write_bytes(whole[: len(whole) // 2])
    finished = run("search", "cursor", "--json")
    assert finished.returncode == 5
    assert lines(finished.stdout)[0]["error"]["kind"] == "damaged"
    assert len(finished.stderr.splitlines()) == 1


def test_documents_of_other_groups_are_not_shown(run: Run, docs: Path) -> None:
    (docs / "secret.md").write_text("---\ngroups: [support]\n---\n\n# Secret\n\nThe safe word is heliotrope.\n")
    run("add", docs)
    for arguments, code in (
        (["search", "heliotrope safe word cursor"], 0),
        (["ask", "What is the safe word?"], 0),
        (["show", "secret.md"], 4),
    ):
        finished = run(*arguments)
        assert finished.returncode == code
        assert "heliotrope." not in finished.stdout
    assert "limits.md" in run("search", "heliotrope safe word cursor").stdout


def test_text_from_documents_does_not_steer_the_terminal(run: Run, tmp_path: Path) -> None:
    (tmp_path / "evil.md").write_text("# \x1b[31mRed\x1b]0;title\x07\n\nbell \x07 and \u202eback\n")
    for arguments in (["chunk", "evil.md", "--full"], ["show", "evil.md"], ["show", "evil.md", "--blocks"]):
        printed = run(*arguments).stdout
        assert "Red" in printed
        assert not any(character in printed for character in "\x1b\x07\u202e")


def test_a_reader_that_stops_early_is_no_error(run: Run, docs: Path, tmp_path: Path) -> None:
    (docs / "long.md").write_text("word " * 200_000)
    command = f"{sys.executable} -m pincite chunk docs/long.md --json | head -n 1; echo ${{PIPESTATUS[0]}} >&2"
    finished = subprocess.run(["bash", "-c", command], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert finished.stderr == "0\n"
    assert len(finished.stdout.splitlines()) == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_a_full_disk_behind_stdout_is_one_line(run: Run, docs: Path, tmp_path: Path) -> None:
    with open("/dev/full", "w") as full:  # noqa: PTH123 - a device
        finished = subprocess.run(
            [sys.executable, "-m", "pincite", "chunk", "docs"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            check=False,
        )
    assert finished.returncode == 1
    assert finished.stderr.startswith("error: cannot write to standard output (No space left on device)")
    assert len(finished.stderr.splitlines()) == 1


@pytest.mark.skipif(os.name == "nt", reason="other streams there")
def test_a_terminal_that_knows_no_unicode(run: Run, tmp_path: Path) -> None:
    (tmp_path / "umlaut.md").write_text("# Größe 😀\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    finished = subprocess.run(
        [sys.executable, "-m", "pincite", "chunk", "umlaut.md"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment,
        check=False,
    )
    assert finished.returncode == 0
    assert "# Gr\\xf6\\xdfe \\U0001f600" in finished.stdout


def test_doctor_finds_everything(run: Run) -> None:
    finished = run("doctor")
    assert finished.returncode == 0, finished.stdout
    assert "FAILED" not in finished.stdout
    assert all(check["ok"] for check in lines(run("doctor", "--json").stdout)[0]["checks"])


def test_a_dry_run_writes_nothing(run: Run, docs: Path, tmp_path: Path) -> None:
    shown = run("add", docs, "--dry-run")
    assert shown.returncode == 0
    assert "  added limits.md\n  added people.csv\n" in shown.stdout
    assert "dry run: 2 added, 0 changed" in shown.stdout
    assert not (tmp_path / ".pincite").exists()
    assert run("add", docs).returncode == 0
    (docs / "people.csv").rename(docs / "staff.csv")
    (docs / "limits.md").unlink()
    (docs / "bad.xyz").write_text("x")
    planned = run("sync", "--dry-run", "--json")
    report = json.loads(planned.stdout)
    assert planned.returncode == 3
    assert report["dry_run"] is True
    assert [notice["kind"] for notice in report["failed"]] == ["unsupported"]
    assert report["documents"]["moved"] == [["people.csv", "staff.csv"]]
    assert "  moved people.csv to staff.csv\n  removed limits.md\n" in run("sync", "--dry-run").stdout
    assert json.loads(run("status", "--json").stdout)["documents"] == 2
    assert run("sync", "--dry-run", "--collection", tmp_path / "docs").returncode == 5


def test_a_report_has_sums_and_what_was_ignored(run: Run, docs: Path) -> None:
    (docs / ".gitignore").write_text("*.csv\nbuild/\n")
    (docs / "build").mkdir()
    (docs / "build" / "x.md").write_text("Built.\n")
    added = run("add", docs)
    assert added.stdout.startswith("1 added, 0 changed, 0 moved, 0 removed, 0 unchanged, 0 failed, 2 ignored; ")
    assert added.stderr == "1/1 limits.md\n"
    named = json.loads(run("add", docs / "people.csv", "--json").stdout)
    assert named["documents"]["added"] == ["people.csv"]
    assert set(named) >= {"added", "changed", "moved", "removed", "unchanged", "failed", "embedded", "ignored"}


def test_other_settings_need_a_rebuild(run: Run, docs: Path, tmp_path: Path) -> None:
    run("add", docs)
    (tmp_path / "pincite.toml").write_text(FAST + "[chunk]\nmax_tokens = 200\n")
    refused = run("sync", "--json")
    error = json.loads(refused.stdout)["error"]
    assert (refused.returncode, error["kind"]) == (5, "mismatch")
    assert error["message"] == "[chunk] max_tokens is 200, it was 100"
    assert "pincite sync --rebuild" in error["cure"]
    assert json.loads(run("status", "--json").stdout)["redo"] == ["[chunk] max_tokens is 200, it was 100"]
    assert "`pincite sync --rebuild`: [chunk] max_tokens" in run("status").stdout
    rebuilt = run("sync", "--rebuild")
    assert rebuilt.returncode == 0
    assert rebuilt.stdout.startswith("0 added, 2 changed")
    assert json.loads(run("status", "--json").stdout)["redo"] == []
    assert run("sync").stdout.startswith("0 added, 0 changed, 0 moved, 0 removed, 2 unchanged")
    assert run("sync", "--rebuild", "--dry-run").returncode == 2


def test_status_for_a_group(run: Run, docs: Path) -> None:
    (docs / "secret.md").write_text("---\ngroups: [crew]\n---\n# Secret\n\nThe vault.\n")
    run("add", docs)
    assert "secret.md" in run("status").stdout
    assert "secret.md" not in run("status", "--as", "public").stdout
    assert "secret.md" in run("status", "--as", "crew").stdout
    assert json.loads(run("status", "--as", "public", "--json").stdout)["documents"] == 2


def test_files_are_looked_at_with_the_settings_above_them(run: Run, docs: Path, tmp_path: Path) -> None:
    before = len(lines(run("show", docs / "limits.md", "--chunks", "--json").stdout))
    (tmp_path / "pincite.toml").write_text(
        FAST + '[load.csv]\nmax_bytes = 10\n[[chunk.for]]\nglob = "docs/*.md"\nstrategy = "sentences"\nmax_tokens = 9\n'
    )
    assert len(lines(run("show", docs / "limits.md", "--chunks", "--json").stdout)) > before
    for command in (["show", docs / "people.csv"], ["chunk", docs]):
        refused = run(*command)
        assert refused.returncode == 3
        assert "more than the limit of 10" in refused.stderr
    (docs / "pincite.toml").write_text("[load.csv]\nmax_bytes = 1000\n")
    assert run("show", docs / "people.csv").returncode == 0
    (docs / "nothing.md.meta.toml").write_text("pages = 1\n")
    looked = run("chunk", docs)
    assert looked.returncode == 0
    assert "there is no document nothing.md" in looked.stderr
    run("add", docs / "limits.md")  # now the collection's settings hold
    assert run("show", docs / "people.csv").returncode == 3
