"""Workbooks, presentations and notebooks on any input: bytes at random, and good files with something broken."""

from __future__ import annotations

import json
import random
import warnings
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.errors import LoadError
from pincite.load.notebook import NotebookLoader
from pincite.load.slides import SlideLoader
from pincite.load.spreadsheet import SpreadsheetLoader
from pincite.model import Document, Source
from pincite.ports import Loader

GOLDEN = Path(__file__).parents[1] / "golden"
CASES: tuple[tuple[Loader, str], ...] = (
    (SpreadsheetLoader(timeout_s=20, max_memory_bytes=1024**3), "spreadsheet/berths.xlsx"),
    (SpreadsheetLoader(timeout_s=20, max_memory_bytes=1024**3), "spreadsheet/tides.ods"),
    (SpreadsheetLoader(timeout_s=20, max_memory_bytes=1024**3), "spreadsheet/buoys.xls"),
    (SlideLoader(), "slides/tour.pptx"),
    (NotebookLoader(), "notebook/tides.ipynb"),
)
IDS = [file.rpartition(".")[2] for _, file in CASES]
KINDS = {"corrupt", "unsafe", "too_large", "encrypted", "unsupported", "binary", "encoding"}
TORN = (b"<", b">", b'"', b"\xff\xff", b"-1", b"99999999999", b"A1048577", b"\0", b"&x;", b"<a>" * 300)


def load(loader: Loader, path: str, data: bytes) -> Document | None:
    """The document, ``None`` where the loader refuses the file as it may."""
    try:
        document = loader.load(Source(path, data))
    except LoadError as error:
        refusal = error
        assert refusal.file == path
        assert refusal.kind in KINDS, refusal
        return None
    assert Document.from_json(document.to_json()) == document
    covered = 0
    for block in document.outline:
        assert not document.text[covered : block.span.start].strip()
        covered = block.span.end
        assert document.place(block.span).to_json() or block.kind == "heading"
    assert not document.text[covered:].strip()
    return document


def broken(data: bytes, seed: int) -> bytes:
    """A member of the archive (or the file itself) torn, cut, repeated or with bits turned."""
    chance = random.Random(seed)
    if not data.startswith(b"PK") or chance.random() < 0.2:
        return torn(data, chance)
    buffer = BytesIO()
    with zipfile.ZipFile(BytesIO(data)) as old, zipfile.ZipFile(buffer, "w") as new, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        names = old.namelist()
        content = [name for name in names if name.endswith((".xml", ".rels"))]
        victims = {chance.choice(content) for _ in range(chance.randint(1, 2))}
        for name in names:
            if name not in victims:
                new.writestr(name, old.read(name))
            elif chance.random() < 0.9:
                new.writestr(name, torn(old.read(name), chance))
    return buffer.getvalue()


def torn(data: bytes, chance: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(changed)) if changed else 0
        way = chance.randrange(5)
        if way == 0 and changed:
            changed[at] ^= 1 << chance.randrange(8)
        elif way == 1:
            del changed[at : at + chance.randint(1, 200)]
        elif way == 2:
            changed[at:at] = chance.choice(TORN)
        elif way == 3:
            changed[at:at] = changed[at : at + chance.randint(1, 2000)]
        else:
            numbers = [i for i in range(len(changed)) if 48 <= changed[i] < 58]
            if numbers:
                changed[chance.choice(numbers)] = 48 + chance.randrange(10)
    if chance.random() < 0.1:
        del changed[chance.randrange(len(changed) + 1) :]
    return bytes(changed)


@pytest.mark.parametrize(("loader", "file"), CASES, ids=IDS)
class TestAnyInput:
    def test_the_whole_file_loads(self, loader: Loader, file: str) -> None:
        document = load(loader, file, (GOLDEN / file).read_bytes())
        assert document
        assert document.blocks

    @given(data=st.binary(max_size=300))
    @settings(max_examples=10)
    def test_any_bytes_give_a_document_or_a_load_error(self, loader: Loader, file: str, data: bytes) -> None:
        load(loader, file, data)

    @given(seed=st.integers(0, 2**32))
    @settings(max_examples=20)
    def test_broken_files(self, loader: Loader, file: str, seed: int) -> None:
        load(loader, file, broken((GOLDEN / file).read_bytes(), seed))

    @pytest.mark.soak
    def test_many_broken_files(self, loader: Loader, file: str) -> None:
        data = (GOLDEN / file).read_bytes()
        for seed in range(200):
            load(loader, file, broken(data, seed))


KEYS = st.sampled_from(
    [
        *("cells", "cell_type", "source", "outputs", "output_type", "text", "data", "text/plain", "text/markdown"),
        *("nbformat", "metadata", "worksheets", "input", "level", "traceback", "kernelspec", "language", "name"),
        "language_info",
    ]
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["", "# a", "\ud800", "\x1b[0m", "a\n```\n", "\0"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=6),
    max_leaves=25,
)
cells = st.fixed_dictionaries(
    {"cell_type": st.sampled_from(["markdown", "code", "raw", "heading", 1]), "source": json_values},
    optional={
        "outputs": st.lists(json_values, max_size=3) | json_values,
        "metadata": json_values,
        "level": json_values,
    },
)


@given(cells=st.lists(cells | json_values, max_size=4) | json_values, metadata=json_values)
@settings(max_examples=100)
def test_any_json_as_a_notebook(cells: object, metadata: object) -> None:
    load(NotebookLoader(), "a.ipynb", json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4}).encode())
