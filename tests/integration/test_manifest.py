"""Each real file of the manifest gives a document or the one right error, and what is known of it is found."""

from __future__ import annotations

import csv
import hashlib
import json
import re
from collections import Counter
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from pincite import catalogue
from pincite.errors import LoadError
from pincite.load.decoding import decode
from pincite.load.dialect import find_delimiter
from pincite.model import Document, Source

SCAN = "pdf/MEDRPT-2024-PAT-3847_medical_report_scan.pdf"
# Delimiter and encoding, noted by hand; Latin-1 is read as its superset on the web.
TABLES = {
    "csv/FY09_EDU_Recipients_by_State.csv": (",", "utf-8"),
    "csv/bom.csv": (",", "utf-8-sig"),
    "csv/csv-comma-in-cell.csv": (",", "utf-8"),
    "csv/csv-inconsistent-header.csv": (",", "utf-8"),
    "csv/csv-semicolon.csv": (";", "utf-8"),
    "csv/csv-too-many-columns.csv": (",", "utf-8"),
    "csv/doublequote.csv": (",", "utf-8"),
    "csv/stanley-cups-utf-16.csv": (",", "utf-16"),
    "csv/table-with-accents.csv": (";", "cp1252"),
    "csv/test_header_newline.csv": (",", "utf-8"),
    "csv/test_mskanji.csv": (",", "cp932"),
}


@pytest.fixture(scope="module")
def folder() -> Path:
    files = Path(__file__).parents[3] / "shared/data/files"
    if not files.is_dir():
        pytest.skip("the folder shared/data/files beside the repository is missing")
    return files


def entries(folder: Path, kind: str) -> list[dict[str, Any]]:
    lines = (folder / "MANIFEST.jsonl").read_text(encoding="utf-8").splitlines()
    found = [entry for entry in map(json.loads, lines) if entry["file"].startswith(f"{kind}/")]
    assert found
    return found


def source(folder: Path, name: str) -> Source:
    return Source(name, (folder / name).read_bytes())


def load(file: Source, **options: Any) -> Document:
    suffix = Path(file.path).suffix
    loader = next(row.name for row in catalogue.rows("load") if suffix in row.suffixes)
    document: Document = catalogue.create("load", loader, options).load(file)
    return document


def expected_error(folder: Path, entry: dict[str, Any]) -> str:
    """Its kind: a file with a password is encrypted, one whose true text is empty has none."""
    if "password" in entry:
        return "encrypted"
    empty = [name for name in entry["ground_truth"] if not (folder / name).stat().st_size]
    return "no_text" if empty else ""


@pytest.mark.parametrize("kind", ["csv", "docx", "html", "md", "pdf"])
def test_each_file_gives_a_document_or_the_right_error(folder: Path, kind: str) -> None:
    errors = {}
    for entry in entries(folder, kind):
        file = source(folder, entry["file"])
        assert hashlib.sha256(file.data).hexdigest() == entry["sha256"], entry["file"]
        if wanted := expected_error(folder, entry):
            with pytest.raises(LoadError) as caught:
                load(file)
            assert (caught.value.kind, caught.value.file) == (wanted, entry["file"])
            assert caught.value.cure
            errors[entry["file"]] = wanted
            continue
        document = load(file)
        assert document.id == document.source == entry["file"]
        covered = 0
        for block in document.outline:
            assert not document.text[covered : block.span.start].strip(), entry["file"]
            covered = block.span.end
        assert document.text.strip(), entry["file"]
        assert not document.text[covered:].strip(), entry["file"]
        assert Document.from_json(json.loads(json.dumps(document.to_json()))) == document
    if kind == "pdf":
        assert sorted(errors.values()) == ["encrypted", "no_text"]
        assert SCAN in errors
    else:
        assert errors == {}


def test_passwords_open_encrypted_files(folder: Path) -> None:
    for entry in entries(folder, "pdf"):
        if "password" in entry:
            assert load(source(folder, entry["file"]), password=entry["password"]).text.strip()


def test_delimiters_encodings_and_cells_of_tables(folder: Path) -> None:
    assert sorted(TABLES) == sorted(entry["file"] for entry in entries(folder, "csv"))
    for name, (delimiter, encoding) in TABLES.items():
        file = source(folder, name)
        text = file.data.decode(encoding)
        assert decode(file, max_bytes=len(file.data), loader="csv", nul="keep").text == text, name
        assert find_delimiter(text) == delimiter, name
        rows = csv.reader(StringIO(text, newline=""), delimiter=delimiter)
        wanted = Counter(" ".join(cell.split()) for row in rows for cell in row)
        document = load(file)
        (table,) = document.blocks
        found = Counter(name for name in table.columns if not re.fullmatch(r"column \d+", name))
        for row in table.rows:
            cells = row.of(document.text).strip("|").replace("\\|", "\0").split("|")
            found.update(" ".join(cell.replace("<br>", " ").replace("\0", "|").split()) for cell in cells)
        del wanted[""], found[""]
        assert found == wanted, name
