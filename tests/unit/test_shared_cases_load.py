"""Files that loaders are reported to fail on: every shared case of the area ``load``, and the hostile ones, through the
loader that the catalogue names and the default strategy."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token
from tests.unit.test_shared_cases_chunk import CASES, has_headings, has_in_one_chunk, has_paths

from pincite import catalogue
from pincite.chunk.structure import StructureChunker
from pincite.engine.documents import load_document
from pincite.errors import LoadError
from pincite.model import Chunk, Document, Source

SUFFIXES = {suffix for row in catalogue.rows("load") for suffix in row.suffixes}


def cases(*ids: str) -> list[Any]:
    if not CASES.is_file():
        return [pytest.param({}, id="missing", marks=pytest.mark.skip(reason=f"{CASES} is missing"))]
    lines = map(json.loads, CASES.read_text(encoding="utf-8").splitlines())
    chosen = [case for case in lines if (case["id"] in ids if ids else case["area"] == "load")]
    return [pytest.param(case, id=case["id"]) for case in chosen]


def files_of(case: dict[str, Any]) -> list[Path]:
    path = CASES.parent / case["input"]
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    for file in files:
        if file.suffix not in SUFFIXES:
            pytest.skip(f"{file.suffix} cannot be loaded yet")
    return files


def load_all(files: list[Path]) -> tuple[dict[str, Document], dict[str, LoadError]]:
    loaded, refused = {}, {}
    for file in files:
        try:
            loaded[file.name] = load_document(file)
        except LoadError as error:
            refused[file.name] = error
    return loaded, refused


def single_blanks(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("case", cases())
def test_every_file_is_understood(case: dict[str, Any]) -> None:
    check = case["check"]
    loaded, refused = load_all(files_of(case))
    assert {name: error.kind for name, error in refused.items()} == check.get("problem", {})
    assert all(name in str(error) for name, error in refused.items())
    chunks = [chunk for document in loaded.values() for chunk in StructureChunker().chunk(document)]
    text = "\n".join(document.text for document in loaded.values())
    covered = single_blanks("\n".join(chunk.text for chunk in chunks))
    known = {"problem", "text_has", "text_lacks", "once", "count", "order_norm", "paths", "headings", "same_chunk"}
    assert set(check) <= {*known, "n_records"}
    for part in check.get("text_has", ()):
        assert single_blanks(part) in covered
    for part in check.get("text_lacks", ()):
        assert part not in text
    for part, count in {**dict.fromkeys(check.get("once", ()), 1), **check.get("count", {})}.items():
        assert covered.count(part) == count, part
    positions = [covered.index(single_blanks(part)) for part in check.get("order_norm", ())]
    assert positions == sorted(positions)
    for document in loaded.values():
        check_structure(document, chunks, check)


def check_structure(document: Document, chunks: list[Chunk], check: dict[str, Any]) -> None:
    if "headings" in check:
        has_headings(document, chunks, check["headings"])
    if "paths" in check:  # sections apart, so that each text stands under its own path
        apart = list(StructureChunker(max_tokens=40, min_tokens=0, counter="words").chunk(document))
        has_paths(document, apart, check["paths"])
    if "same_chunk" in check:
        has_in_one_chunk(document, chunks, check["same_chunk"])
    if "n_records" in check:
        (table,) = [block for block in document.blocks if block.kind == "table"]
        assert len(table.rows) == check["n_records"]


@pytest.mark.parametrize("case", cases("C064"))
def test_a_hostile_archive_reaches_nothing(
    case: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    loaded, refused = load_all([file for file in files_of({**case, "input": "C064"}) if file.suffix == ".docx"])
    assert set(loaded) | set(refused) == {"names.docx", "xxe.docx"}
    assert "CANARY-5150" not in "".join(document.text for document in loaded.values())
    assert all(error.kind == "unsafe" for error in refused.values())
    if "names.docx" in loaded:
        assert "Plain words of the safe part." in loaded["names.docx"].text
    assert not list(tmp_path.rglob("*"))
    assert not (CASES.parent / "climbed.txt").exists()


@pytest.mark.parametrize("case", cases("C068"))
def test_slightly_damaged_files_are_read_or_told(case: dict[str, Any]) -> None:
    loaded, refused = load_all(files_of({**case, "input": "C068"}))
    text = "\n".join(document.text for document in loaded.values())
    assert all(part in text for part in case["check"]["text_has"])
    assert "\0" not in text
    told = {**{name: str(error) for name, error in refused.items()}}
    told |= {name: str(document.warnings) for name, document in loaded.items() if document.warnings}
    assert "28" in told["b.md"]
    assert "line 3" in told["a.csv"]


@pytest.mark.parametrize("case", cases("C062"))
def test_words_in_a_document_stay_words(case: dict[str, Any]) -> None:
    (file,) = files_of(case)
    assert load_document(file).text == file.read_text(encoding="utf-8")


ENCODINGS = {"table-with-accents.csv": "cp1252", "test_mskanji.csv": "cp932"}


def test_delimiters_and_encodings_of_real_tables(shared: Path) -> None:
    """As the manifest describes the files: what is not comma-separated UTF-8 is found out."""
    folder = shared / "data" / "files" / "csv"
    for file in sorted(folder.iterdir()):
        document = load_document(file)
        (table,) = document.blocks
        assert len(table.columns) > 1, file.name
        told = " ".join(warning.message for warning in document.warnings if warning.kind == "encoding")
        assert ENCODINGS.get(file.name, "") in told
        assert bool(told) == (file.name in ENCODINGS), file.name


def test_heading_lists_of_real_pages_are_exact(shared: Path) -> None:
    folder = shared / "data" / "files" / "md"
    for file in sorted(folder.iterdir()):
        document: Document = catalogue.create("load", "markdown").load(Source(file.name, file.read_bytes()))
        body = document.text[document.body_start :]
        tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(body)
        headings = [
            (int(token.tag[1]), plain(tokens[index + 1]))
            for index, token in enumerate(tokens)
            if token.type == "heading_open" and token.level == 0
        ]
        assert [(block.level, block.title) for block in document.outline if block.kind == "heading"] == headings


def plain(inline: Token) -> str:
    """Without the attribute list that some of these tools write after a title, which is no part of CommonMark."""
    parts = [" " if part.type in ("softbreak", "hardbreak") else part.content for part in inline.children or ()]
    return re.sub(r"\s*\{ ?#[\w-]+ ?\}$", "", " ".join("".join(parts).split()))
