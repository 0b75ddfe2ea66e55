"""The scripts of examples/lab print what the teaching texts print; the notebook runs and shows its pictures."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

LAB = Path(__file__).parent.parent.parent / "examples" / "lab"
NOTEBOOK = LAB / "tour.ipynb"
MOST_LINES = 40


def run(tmp_path: Path, name: str, *arguments: str) -> str:
    """What the script prints, called from an empty directory, which it leaves empty."""
    script = next(LAB.glob(f"{name}_*.py"))
    call = [sys.executable, "-W", "error", str(script), *arguments]
    finished = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, check=False, encoding="utf-8")
    assert finished.returncode == 0, finished.stderr
    assert finished.stderr == ""
    assert list(tmp_path.iterdir()) == []
    return finished.stdout


def test_there_is_one_script_for_each_experiment_and_the_lesson() -> None:
    assert [script.name[:2] for script in sorted(LAB.glob("*.py"))] == [f"{number:02}" for number in range(1, 11)]


@pytest.mark.parametrize("script", sorted(LAB.glob("*.py")), ids=lambda script: script.name[:2])
def test_scripts_are_short_and_import_pincite_only(script: Path) -> None:
    text = script.read_text(encoding="utf-8")
    if not script.name.startswith("10"):
        assert len(text.splitlines()) <= MOST_LINES
    for node in ast.walk(ast.parse(text)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        for name in names:
            package = name.partition(".")[0]
            assert package == "pincite" or package in sys.stdlib_module_names, name


def test_every_script_is_in_the_readme() -> None:
    text = (LAB / "README.md").read_text(encoding="utf-8")
    for script in LAB.glob("*.py"):
        assert f"]({script.name})" in text
    assert NOTEBOOK.name in text


def test_links_of_the_readme_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)]+)\)", (LAB / "README.md").read_text(encoding="utf-8")):
        assert (LAB / target).exists(), target


def test_01_name_characters_and_beginning(tmp_path: Path) -> None:
    printed = run(tmp_path, "01")
    assert "Document:   authentication.md\nCharacters: 3882\nUnchanged:  True\n" in printed
    original = (LAB.parent / "orbit" / "v3" / "authentication.md").read_text(encoding="utf-8")
    assert printed.endswith(f"\n\n{original[:1000]}\n")


def test_02_sections_in_order_with_lengths_and_paths(tmp_path: Path) -> None:
    printed = run(tmp_path, "02")
    rows = re.findall(r"^ +(\d)  +(\d+)  +(\d+)  (.+)$", printed, re.MULTILINE)
    assert [(int(level), int(length), path.split(" > ")[-1]) for level, _, length, path in rows] == [
        (1, 274, "Authentication"),
        (2, 0, "Access tokens"),
        (3, 685, "Requesting a token"),
        (3, 1013, "Lifetime and renewal"),
        (3, 611, "Scopes"),
        (2, 554, "Scoped API keys"),
        (2, 287, "Clients and secrets"),
        (2, 175, "Clock differences"),
    ]
    assert "Authentication > Access tokens > Scopes\n" in printed
    assert "3 lines begin with '# ', 1 of them is a heading" in printed


def test_03_706_tokens_give_five_chunks(tmp_path: Path) -> None:
    printed = run(tmp_path, "03")
    assert "706 tokens in o200k_base, 3036 characters\n709 tokens in cl100k_base" in printed
    rows = re.findall(r"^ +(\d)  +(\d+)  +(\d+)  (\d+)-(\d+)", printed, re.MULTILINE)
    assert [int(row[1]) for row in rows] == [150, 150, 150, 150, 106]
    assert [int(row[2]) for row in rows] == [0, 150, 300, 450, 600]
    assert [row[4] for row in rows[:-1]] == [row[3] for row in rows[1:]]


def test_04_overlap_brings_a_sixth_chunk(tmp_path: Path) -> None:
    printed = run(tmp_path, "04")
    assert "without overlap: 5 chunks of [150, 150, 150, 150, 106], starting at [0, 150, 300, 450, 600];" in printed
    assert "6 chunks of [150, 150, 150, 150, 150, 106], starting at [0, 120, 240, 360, 480, 600];" in printed
    assert re.findall(r"(\d and \d): 30 tokens", printed) == ["1 and 2", "2 and 3", "3 and 4", "4 and 5", "5 and 6"]
    assert "150 tokens are stored twice" in printed


def test_05_six_sections_one_without_text_give_five_chunks(tmp_path: Path) -> None:
    printed = run(tmp_path, "05")
    assert "6 sections, 1 of them without text ['Access tokens']: 5 chunks\n" in printed
    first, second = printed.split("The default strategy")
    assert re.findall(r"^\d\. level (\d)", first, re.MULTILINE) == ["1", "3", "3", "3", "2"]
    assert "3. level 3, 248 tokens: Authentication > Access tokens > Lifetime and renewal" in first
    sizes = [int(size) for size in re.findall(r"^\d\. level \d, +(\d+)", second, re.MULTILINE)]
    assert len(sizes) == 4
    assert max(sizes) <= 300


def test_06_three_best_of_each_and_a_verdict_over_all_questions(tmp_path: Path) -> None:
    printed = run(tmp_path, "06")
    scores = [
        [float(score) for score in re.findall(r"\d\.\d{3}", line)]
        for line in re.findall(r"^   [123]  .+", printed, re.M)
    ]
    assert scores[0] == pytest.approx([0.413, 0.419, 0.388], abs=0.002)
    assert [len(row) for row in scores] == [3, 3, 3]
    assert all(first > second > third for first, second, third in zip(*scores, strict=True))
    assert "0.388 What a cursor is bound to" in printed
    values = re.findall(r"^(\S+) +recall@1000t (\S+) \[(\S+), (\S+)\], (\d+) chunks", printed, re.MULTILINE)
    assert [(name, int(chunks)) for name, *_, chunks in values] == [
        ("tokens", 173),
        ("tokens:overlap_tokens=30", 208),
        ("sections", 251),
    ]
    for _, value, low, high, _ in values:
        assert 0.6 < float(low) < float(value) < float(high) < 1
    assert " are a tie: they differ by " in printed  # the table in README.md says so


def test_07_a_chunk_its_prefix_and_what_is_only_stored(tmp_path: Path) -> None:
    printed = run(tmp_path, "07")
    chunk = json.loads(printed[printed.index("{") : printed.index("}") + 1])
    assert (chunk["document"], chunk["number"], chunk["level"]) == ("v3/pagination.md", 5, 2)
    assert chunk["headings"] == ["Pagination", "Lifetime"]
    assert "    Pagination > Lifetime\n    \n    In Orbit 3.0 a cursor lives for 15 minutes" in printed
    assert "version: 3.0\n    groups: ('public',)\n    language: en\n    place: v3/pagination.md, line 54\n" in printed
    assert f"The id {chunk['id']} is made from document, prefix and text: the same again is True." in printed


def test_08_four_formats_keep_columns_headings_and_places(tmp_path: Path) -> None:
    printed = run(tmp_path, "08")
    assert re.findall(r"^== (\S+), ", printed, re.MULTILINE) == [
        "device-models.csv",
        "billing.html",
        "service-level-agreement.docx",
        "edge-gateway-manual.pdf",
    ]
    assert "columns: | Method | Available for | Due |\n   a row:   | Credit card | Starter, Team |" in printed
    assert "a row:   | Ingestion | 99.7 percent | 99.95 percent |\n   which stands at: row 1, paragraph 13" in printed
    assert "'Edge gateway EG-200 > Safety'" in printed
    assert "The PDF has 3 pages; running heads and page numbers in its text: none.\n" in printed
    repeated = printed[printed.index("A table that is cut") :]
    assert "\n    | model | family | radio |" in repeated
    assert "\n    | EN-200 |" in repeated


@pytest.mark.parametrize("model", ["extractive", "fake"])
def test_09_the_answer_cites_both_documents(tmp_path: Path, model: str) -> None:
    if model == "fake":
        pytest.importorskip("pydantic_ai", reason="a language model needs the extra llm")
    printed = run(tmp_path, "09", "--model", model)
    assert "Indexed: 31 documents, 410 chunks\n" in printed
    ranks = re.findall(r"^  (\d)\. (\d\.\d{3})  (\S+)", printed, re.MULTILINE)
    assert [rank for rank, *_ in ranks] == ["1", "2", "3"]
    assert {"v3/pagination.md", "v3/authentication.md"} <= {document for *_, document in ranks}
    assert ("begin passage 1" in printed) == (model == "fake")
    answer = printed[printed.index("\nAnswer by ") :]
    assert "a cursor lives for 15 minutes" in answer
    assert "token is valid for 60 minutes" in answer
    assert "does not renew a cursor" in answer
    assert "[v3/pagination.md, line 54] Pagination > Lifetime\n    exact: " in answer
    assert "[v3/authentication.md, line 36] Authentication > Access tokens > Lifetime and renewal\n" in answer
    assert set(re.findall(r"^    (\w\S*)$", answer, re.MULTILINE)) == {"verified"}


LESSON = {
    "characters": [179, 739, 12, 800],
    "headings-naive": [236, 493, 8, 5530],
    "headings": [176, 662, 8, 5530],
    "headings-capped": [196, 596, 8, 2193],
}


def rows_of(printed: str) -> dict[str, list[int]]:
    rows = re.findall(r"^(\S.*?|    .+?) +(\d+) +(\d+) +(\d+) +(\d+)$", printed, re.MULTILINE)
    return {name.strip(): [int(number) for number in numbers] for name, *numbers in rows}


def test_10_the_sixteen_figures_of_the_lesson_and_the_blocks_of_its_document(tmp_path: Path, shared: Path) -> None:
    printed = run(tmp_path, "10", str(shared / "data" / "httpx-docs" / "docs"))
    assert printed.startswith("21 documents; ")
    assert rows_of(printed.partition("\n\nadvanced/")[0]) == LESSON
    assert "timeouts.md by headings-naive: [153, 93, 87, 186, 87, 127, 424, 1386, 207]\n" in printed
    assert "timeouts.md by headings: [153, 586, 424, 1594]\n" in printed
    assert "    3     87  # Using the top-level API:\n" in printed


def test_10_its_exercises(tmp_path: Path) -> None:
    folder, apart = tmp_path / "docs", tmp_path / "empty"
    folder.mkdir()
    apart.mkdir()
    own = folder / "own.md"
    own.write_text(
        "# Title\n\n## One\n\nFirst.\n\n```python\n# a comment\n```\n\n## Two\n\nSecond.\n", encoding="utf-8"
    )
    size = "characters:max_characters=20,overlap_characters=5"
    printed = run(apart, "10", str(folder), "--merge", "--strategy", size, "--document", str(own))
    rows = rows_of(printed.partition("\n\nown.md")[0])
    assert rows["headings"] == [3, 21, 7, 41]
    assert rows["1 of only a heading joined with the next"] == [2, 31, 15, 48]
    assert rows[size][0] == 5
    assert "own.md by headings: [7, 41, 15]\n" in printed
    assert "             | # a comment\n" in printed


def shown(cells: list[str], namespace: dict[str, Any]) -> list[str]:
    """Runs the cells as a notebook does and gives the HTML of each last value that has some."""
    found = []
    for number, source in enumerate(cells, start=1):
        tree = ast.parse(source, f"<cell {number}>")
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, f"<cell {number}>", "exec"), namespace)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"<cell {number}>", "eval"), namespace)
            if hasattr(value, "_repr_html_"):
                found.append(value._repr_html_())
    return found


def test_the_notebook_runs_and_is_kept_without_outputs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
    assert len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])
    before = sorted(LAB.rglob("*"))
    monkeypatch.chdir(LAB)
    pictures = shown(["".join(cell["source"]) for cell in code], {"__name__": "__main__"})
    assert sorted(LAB.rglob("*")) == before
    windows, sections, packed, table, plot = pictures
    assert [picture.count("<b>[") for picture in (windows, sections, packed)] == [6, 5, 4]
    assert windows.count("repeating-linear-gradient") == 5
    assert table.count("<td") == 9
    assert "0.388 What a cursor is bound to" in table
    assert plot.startswith('<img alt="')
    printed = capsys.readouterr().out
    assert "An Orbit 3.0 access token is valid for 60 minutes" in printed
    assert "v3/pagination.md line 54 ('Pagination', 'Lifetime')" in printed
