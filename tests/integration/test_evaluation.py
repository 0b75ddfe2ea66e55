"""``questions``, ``compare`` and ``evaluate`` as a user runs them, and the report in a browser."""

from __future__ import annotations

import json
import re
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import pytrec_eval

ORBIT = Path(__file__).parent.parent.parent / "examples" / "orbit"
Run = Callable[..., "subprocess.CompletedProcess[str]"]
TOPICS = ("cursor", "token", "webhook", "export")


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def run_command(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-W", "error", "-m", "pincite", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)

    return run_command


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """Four documents with a question about each and one that they do not answer."""
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "pincite.toml").write_text(
        '[embed]\nname = "hashing"\n\n[collection]\nexclude = ["questions.jsonl"]\n', encoding="utf-8"
    )
    asked: list[dict[str, Any]] = [{"id": "none", "question": "Who won the cup?", "relevant": []}]
    for topic in TOPICS:
        told = "".join(f"The {topic} number {n} lives {n + 3} minutes.\n\n" for n in range(6))
        (folder / f"{topic}.md").write_text(f"# {topic}\n\n{told}", encoding="utf-8")
        quote = {"document": f"{topic}.md", "text": f"The {topic} number 2 lives 5 minutes."}
        asked.append({"id": topic, "question": f"How long does {topic} number 2 live?", "relevant": [quote]})
    (folder / "questions.jsonl").write_text("".join(json.dumps(each) + "\n" for each in asked), encoding="utf-8")
    return folder


class TestCompare:
    def test_table_verdict_and_files(self, run: Run, docs: Path, tmp_path: Path) -> None:
        cuts = ["--strategy", "structure", "--strategy", "structure:max_tokens=24,min_tokens=0"]
        done = run(
            "compare", docs, *cuts, "--cache", "cache", "--html", "r.html", "--csv", "r.csv", "--mode", "lexical"
        )
        assert done.returncode == 0, done.stderr
        assert re.search(r"^structure:max_tokens=24,min_tokens=0 +1\.000 ", done.stdout, re.MULTILINE)
        assert "4 questions scored, 1 without an answer." in done.stdout
        assert len((tmp_path / "r.csv").read_text().splitlines()) == 1 + 4 * 2
        page = (tmp_path / "r.html").read_text(encoding="utf-8")
        assert page.count("<details>") == 4
        assert page.count('<details class="passages">') == 4 * 2
        assert "<script" not in page
        assert re.findall(r'(?:src|href)="', page) == []

    def test_trec(self, run: Run, docs: Path, tmp_path: Path) -> None:
        done = run("compare", docs, "--strategy", "tokens:max_tokens=30", "--cache", "c", "--trec", "new/trec")
        assert done.returncode == 0, done.stderr
        folder = tmp_path / "new" / "trec"
        assert sorted(each.name for each in folder.iterdir()) == ["01-tokens-max_tokens=30.run", "qrels.txt"]
        with (folder / "qrels.txt").open() as judgements, (folder / "01-tokens-max_tokens=30.run").open() as rankings:
            evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(judgements), {"recip_rank"})
            found = evaluator.evaluate(pytrec_eval.parse_run(rankings))
        assert {name: each["recip_rank"] for name, each in found.items()} == dict.fromkeys(TOPICS, 1.0)
        (tmp_path / "file").write_text("x", encoding="utf-8")
        taken = run("compare", docs, "--cache", "c", "--trec", "file")
        assert (taken.returncode, "cannot be made" in taken.stderr) == (2, True)

    def test_picture(self, run: Run, docs: Path, tmp_path: Path) -> None:
        cuts = ("--strategy", "structure", "--strategy", "tokens")
        arguments = ("compare", docs, *cuts, "--cache", "c", "--png", "r.png")
        for _ in range(2):
            done = run(*arguments)
            assert done.returncode == 0, done.stderr
        data = (tmp_path / "r.png").read_bytes()
        assert data[:8] == b"\x89PNG\r\n\x1a\n"
        width, height = struct.unpack(">II", data[16:24])
        assert (width, height > 1000) == (1800, True)
        assert len(data) > 20_000  # names and lines are drawn

    def test_files_of_others_are_not_written_over(self, run: Run, docs: Path) -> None:
        before = (docs / "token.md").read_bytes()
        for option in ("--html", "--csv", "--png"):
            done = run("compare", docs, "--cache", "c", option, docs / "token.md")
            assert (done.returncode, f"Name another file for {option}." in done.stderr) == (2, True)
        run("add", docs, "--collection", docs)
        assert run("evaluate", "--collection", docs, "--junit", docs / "token.md").returncode == 2
        assert (docs / "token.md").read_bytes() == before

    def test_a_report_among_the_documents_is_none(self, run: Run, docs: Path) -> None:
        files = ("--html", docs / "r.html", "--csv", docs / "r.csv")
        first, second = [run("compare", docs, "--cache", "c", "--mode", "lexical", *files) for _ in range(2)]
        assert (first.returncode, second.returncode, second.stdout) == (0, 0, first.stdout)

    def test_json_and_the_second_run(self, run: Run, docs: Path) -> None:
        arguments = (
            "compare",
            docs,
            "--strategy",
            "structure",
            "--mode",
            "lexical",
            "--mode",
            "dense",
            "--cache",
            "c",
            "--json",
        )
        first, second = run(*arguments), run(*arguments)
        assert first.stdout == second.stdout
        data = json.loads(first.stdout)
        assert [each["configuration"] for each in data["configurations"]] == ["structure lexical", "structure dense"]
        assert data["configurations"][0]["metrics"]["hit@1"]["value"] == 1

    def test_one_question_side_by_side(self, run: Run, docs: Path) -> None:
        asked = ("compare", docs, "--strategy", "structure", "--strategy", "tokens", "--cache", "c")
        done = run(*asked, "--question", "How long does token number 2 live?")
        head, blank, first, where, *_ = done.stdout.splitlines()
        assert (head.split("  ")[0], head.split()[-3:]) == ("structure: 4 chunks", ["tokens:", "4", "chunks"])
        assert re.fullmatch(r"1\. \d\.\d{3}, \d+ tokens +1\. \d\.\d{3}, \d+ tokens", first)
        assert (blank, re.fullmatch(r"\w+\.md:\d+ +\w+\.md:\d+", where) is not None) == ("", True)
        data = json.loads(run(*asked, "--question", "token", "--json").stdout)
        assert data["question"] == "token"
        assert [len(each["passages"]) for each in data["configurations"]] == [3, 3]
        assert set(data["configurations"][0]["passages"][0]) == {"document", "start", "end", "tokens", "score"}

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (["--strategy", "nothing"], "nothing"),
            (["--metric", "quality"], "no metric is called"),
            (["--mode", "slow"], "no mode is called"),
            (["--chunks", "file.jsonl"], "has no name"),
            (["--chunks", "a=none.jsonl"], "cannot be read"),
            (["--questions", "none.jsonl"], "cannot be read"),
            (["--question", " "], "the question is empty"),
        ],
    )
    def test_usage(self, run: Run, docs: Path, arguments: list[str], words: str) -> None:
        done = run("compare", docs, "--cache", "c", *arguments)
        assert (done.returncode, words in done.stderr.splitlines()[-1]) == (2, True), done.stderr

    def test_no_questions(self, run: Run, docs: Path) -> None:
        (docs / "questions.jsonl").unlink()
        done = run("compare", docs)
        assert (done.returncode, "there is no questions.jsonl" in done.stderr) == (2, True)


SETTINGS = """\
# What is kept.
[collection]
exclude = ["questions.jsonl"]  # judgements

[embed]
name = "hashing"

[search]
join_tokens = 0

[chunk]
# whole documents
max_tokens = 700  # too much
"""


@pytest.fixture
def long_docs(tmp_path: Path) -> Path:
    """Documents of more tokens than ``recall@100t`` reads, with two questions about each."""
    folder = tmp_path / "long"
    folder.mkdir()
    (folder / "pincite.toml").write_text(SETTINGS, encoding="utf-8")
    asked = []
    for number in range(20):
        name = f"{TOPICS[number % 4]}{number}"
        told = [f"The {name} of kind {TOPICS[n % 4]}{n} lives {n + 3} minutes here." for n in range(12)]
        (folder / f"{name}.md").write_text(f"# {name}\n\n" + "\n\n".join(told), encoding="utf-8")
        for n in (2, 9):
            quote = {"document": f"{name}.md", "text": told[n]}
            question = f"How long does the {name} of kind {TOPICS[n % 4]}{n} live?"
            asked.append({"id": f"{name}-{n}", "question": question, "relevant": [quote]})
    (folder / "questions.jsonl").write_text("".join(json.dumps(each) + "\n" for each in asked), encoding="utf-8")
    return folder


class TestTune:
    def test_the_winner_is_written_and_nothing_else_changes(self, run: Run, long_docs: Path) -> None:
        arguments = ("tune", long_docs, "--metric", "recall@100t", "--cache", "c", "--minutes", "0.5")
        file = long_docs / "pincite.toml"
        first = run(*arguments)
        assert first.returncode == 0, first.stderr
        assert "20 questions to choose by, 20 held out to confirm with (shared out by documents)" in first.stdout
        assert re.search(r"^present +0\.000 +\[0\.000, 0\.000\]", first.stdout, re.MULTILINE)
        assert re.search(r"^\S.* beats present by \d+\.\d points \[", first.stdout, re.MULTILINE)
        assert "--write puts it into" in first.stdout
        assert file.read_text(encoding="utf-8") == SETTINGS
        data = json.loads(run(*arguments, "--write", "--json").stdout)
        assert data["written"] is True
        now = file.read_text(encoding="utf-8")
        assert now.startswith(SETTINGS.partition("[chunk]")[0].rstrip())
        assert "# whole documents" in now
        assert run("chunk", long_docs).returncode == 0
        winner = next(each for each in data["tried"] if each["choice"] == data["winner"])
        assert f"max_tokens = {winner['chunk'].get('max_tokens')}" in now or "max_tokens" not in winner["chunk"]

    def test_few_questions(self, run: Run, docs: Path) -> None:
        before = (docs / "pincite.toml").read_bytes()
        done = run("tune", docs, "--write", "--cache", "c")
        assert (done.returncode, done.stdout) == (
            0,
            "4 questions with a passage in these documents cannot tell; 20 are needed.\n",
        )
        assert (docs / "pincite.toml").read_bytes() == before

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (["--minutes", "0"], "--minutes is 0"),
            (["--minutes", "nan"], "--minutes is nan"),
            (["--metric", "tokens@5"], "best where nothing is found"),
            (["--metric", "quality"], "no metric is called"),
        ],
    )
    def test_usage(self, run: Run, docs: Path, arguments: list[str], words: str) -> None:
        done = run("tune", docs, "--cache", "c", *arguments)
        assert (done.returncode, words in done.stderr.splitlines()[-1]) == (2, True), done.stderr


class TestEvaluate:
    def test_figures_floors_and_the_last_run(self, run: Run, docs: Path, tmp_path: Path) -> None:
        assert run("add", docs, "--collection", docs).returncode == 0
        first = run("evaluate", "--collection", docs)
        assert first.returncode == 0, first.stderr
        assert re.search(r"^recall@1000t +1\.000 ", first.stdout, re.MULTILINE)
        assert "Since the last run" not in first.stdout
        second = run("evaluate", "--collection", docs, "--fail-under", "hit@1=0.1", "--json")
        data = json.loads(second.stdout)
        assert (second.returncode, data["last"]["value"], data["questions"]) == (0, 0, 4)
        failed = run(
            *("evaluate", "--collection", docs, "--fail-under", "IoU@5=0.9", "--fail-under", "hit@1=0"),
            *("--junit", "checks.xml"),
        )
        assert (failed.returncode, "IoU@5 is 0." in failed.stderr) == (8, True)
        suite = ElementTree.parse(tmp_path / "checks.xml").getroot()
        assert [(case.get("name"), case.find("failure") is not None) for case in suite] == [
            ("IoU@5", True),
            ("hit@1", False),
        ]

    def test_answers(self, run: Run, docs: Path) -> None:
        file = docs / "questions.jsonl"
        asked = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        lines = [json.dumps({**each, "answer": "5 minutes" if each["relevant"] else ""}) for each in asked]
        file.write_text("\n".join(lines), encoding="utf-8")
        added = run("add", docs, "--collection", docs)
        assert added.returncode == 0, added.stderr
        done = run("evaluate", "--collection", docs, "--answers")
        assert done.returncode == 0, done.stderr
        assert re.search(r"^expected words in the passages +1\.000 .* 4$", done.stdout, re.MULTILINE)
        assert re.search(r"^\d of 4 questions with a known answer were answered, [01] of 1 without", done.stdout, re.M)

    def test_usage(self, run: Run, docs: Path) -> None:
        assert run("evaluate", "--collection", docs).returncode == 5
        run("add", docs, "--collection", docs)
        for wrong in ("hit@1", "hit@1=x", "hit@1=2", "nothing=1"):
            assert run("evaluate", "--collection", docs, "--fail-under", wrong).returncode == 2


class TestQuestions:
    def test_validate(self, run: Run, docs: Path) -> None:
        sound = run("questions", "validate", docs)
        assert (sound.returncode, "5 questions, 1 of them without an answer" in sound.stdout) == (0, True)
        (docs / "token.md").write_text("# Token\n\nNothing is left of it.\n", encoding="utf-8")
        (docs / "export.md").unlink()
        wrong = run("questions", "validate", docs, "--json")
        assert wrong.returncode == 8
        data = json.loads(wrong.stdout.splitlines()[0])
        assert {(each["question"], each["kind"]) for each in data["findings"] if each["severity"] == "error"} == {
            ("token", "lost"),
            ("export", "missing_document"),
        }

    def test_draft(self, run: Run, tmp_path: Path) -> None:
        done = run("questions", "draft", ORBIT / "v3", "-n", "7", "--out", "drafts.jsonl")
        assert (done.returncode, len((tmp_path / "drafts.jsonl").read_text().splitlines())) == (0, 7)
        assert run("questions", "validate", ORBIT / "v3", "--questions", "drafts.jsonl").returncode == 0
        again = run("questions", "draft", ORBIT / "v3", "--out", "drafts.jsonl")
        assert (again.returncode, "is there already" in again.stderr) == (2, True)
        assert run("questions", "draft", ORBIT / "v3", "-n", "0").returncode == 2
        assert run("questions", "draft", ORBIT / "v3", "--max-overlap", "2").returncode == 2

    def test_draft_of_nothing(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "a.md").write_text("Hm.\n", encoding="utf-8")
        assert run("questions", "draft", "a.md").returncode == 4

    def test_find(self, run: Run, docs: Path, tmp_path: Path) -> None:
        run("add", docs, "--collection", docs)
        find = ("questions", "find", "How long does token number 2 live?", "--collection", docs, "-k", "2")
        shown = run(*find)
        assert (shown.returncode, "1. token.md" in shown.stdout) == (0, True)
        assert not (tmp_path / "questions.jsonl").exists()
        assert run(*find, "--accept", "1").returncode == 0
        kept = json.loads((tmp_path / "questions.jsonl").read_text())
        assert kept["relevant"][0]["document"] == "token.md"
        assert run("questions", "validate", docs, "--questions", "questions.jsonl").returncode == 0
        assert "is in it already" in run(*find, "--accept", "2").stderr
        assert run(*find, "--accept", "3").returncode == 2
        assert len(run(*find, "--json").stdout.splitlines()) == 2

    def test_import(self, run: Run, docs: Path, tmp_path: Path) -> None:
        quote = "The token number 2 lives 5 minutes."
        (tmp_path / "q.yaml").write_text(f"questions: [{{id: 1, query: 'How long?', gold_snippets: ['{quote}']}}]")
        done = run("questions", "import", "q.yaml", docs, "--format", "chunklab")
        assert json.loads(done.stdout)["relevant"][0]["text"] == quote
        assert run("questions", "import", "q.yaml", docs, "--format", "other").returncode == 2
