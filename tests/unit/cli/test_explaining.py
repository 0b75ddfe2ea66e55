"""Why each chunk begins where it does, in lines and as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.property.documents import markdown_document

from pincite.cli.explaining import explainer_of, print_cuts, write_cuts
from pincite.cli.looking import embedded_metadata, show_chunks
from pincite.cli.strategy import strategy
from pincite.errors import UsageError
from pincite.model import Document

PROSE = "The lamp is red. It stands on the pier. Boats see it from afar."
TEXT = f"# T\n\n{PROSE}\n\n{PROSE}\n\n## A\n\n{PROSE}\n\n- {PROSE}\n- {PROSE}\n\n# U\n\n{PROSE}\n"
OPTIONS = {"max_tokens": 40, "preferred_tokens": 25, "counter": "words"}


def told(document: Document, capsys: pytest.CaptureFixture[str], **options: Any) -> str:
    print_cuts(document, explainer_of(strategy("adaptive", {**OPTIONS, **options})))
    return capsys.readouterr().out


def test_a_cut_with_its_costs_and_the_next_best(capsys: pytest.CaptureFixture[str]) -> None:
    document = markdown_document(TEXT)
    chunks = list(strategy("adaptive", OPTIONS).chunker.chunk(document))
    lines = told(document, capsys).splitlines()
    assert lines[0] == f"made.md: {len(chunks) - 1} cuts"
    heads = [line for line in lines[1:] if not line.startswith(" " * 6)]
    assert [int(line.split()[0]) for line in heads] == [chunk.number for chunk in chunks[1:]]
    places = [document.place(chunk.span).line for chunk in chunks[1:]]
    assert [int(line.split("line ")[1].split(",")[0]) for line in heads] == places
    assert any("before a heading: ## A" in line for line in heads)
    assert any("at an outermost heading, which is always one: # U" in line for line in heads)
    for line in lines:
        if "border" in line:
            parts, total = line.split(" = ")
            costs = [float(part.split()[1]) for part in parts.split(" + ")]
            assert float(total) == pytest.approx(sum(costs), abs=0.03)
    assert any("next best: " in line for line in lines)


def test_what_begins_at_a_cut_is_said_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    listed = markdown_document("".join(f"- {PROSE}\n" for _ in range(9)))
    assert "before a list item: - The lamp" in told(listed, capsys)
    long = markdown_document(f"# T\n\n{'word ' * 120}\n")
    assert "inside what is over the limit by itself: word" in told(long, capsys)
    alone = markdown_document(f"{'a ' * 39}b.\n\n{'c ' * 39}d.\n")
    assert "no other cut fits the limit" in told(alone, capsys)


def test_json_has_the_chunk_and_the_lines(capsys: pytest.CaptureFixture[str]) -> None:
    document = markdown_document(TEXT)
    chosen = strategy("adaptive", OPTIONS)
    write_cuts(document, explainer_of(chosen))
    cuts = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    chunks = list(chosen.chunker.chunk(document))
    assert [(cut["number"], cut["offset"]) for cut in cuts] == [
        (chunk.number, chunk.span.start) for chunk in chunks[1:]
    ]
    assert [cut["line"] for cut in cuts] == [document.place(chunk.span).line for chunk in chunks[1:]]
    others = [cut["alternative"] for cut in cuts if cut["alternative"] and cut["alternative"]["offset"] is not None]
    assert others
    assert all(document.line_starts[other["line"] - 1] <= other["offset"] for other in others)


def test_only_a_strategy_that_weighs_its_cuts_explains_them() -> None:
    with pytest.raises(UsageError, match=r"'structure' does not explain its cuts\. Those that do: adaptive\."):
        explainer_of(strategy("structure", {}))


def run(path: Path, name: str, **given: Any) -> int:
    views = {"other": None, "page": None, "explain": False, "embedder": None, **given}
    return show_chunks([path], strategy(name, {}), **views, full=False, password=None, as_json=False)


def test_the_command_shows_one_view_at_a_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.md"
    file.write_text(f"# A\n\n{PROSE}\n\n# B\n\n{PROSE}\n", encoding="utf-8")
    assert run(file, "adaptive", explain=True) == 0
    assert capsys.readouterr().out.startswith("a.md: 1 cut\n   2  line 5, at an outermost heading")
    with pytest.raises(UsageError, match="--diff and --explain do not go together"):
        run(file, "adaptive", explain=True, other="tokens")
    with pytest.raises(UsageError, match="--diff and --html do not go together"):
        run(file, "adaptive", other="tokens", page=tmp_path / "page.html")
    assert (
        show_chunks(
            [file],
            strategy("adaptive", {}),
            other=None,
            page=None,
            explain=True,
            embedder=None,
            full=False,
            password=None,
            as_json=True,
        )
        == 0
    )
    assert json.loads(capsys.readouterr().out)["kind"] == "heading"


def test_an_embedder_reads_the_metadata_that_the_collection_embeds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert embedded_metadata() == ()
    (tmp_path / "pincite.toml").write_text('[embed]\nmetadata = ["title", "version"]\n', encoding="utf-8")
    assert embedded_metadata() == ("title", "version")
