"""Kinds of faults that search is reported for: the shared cases, through collections and the command."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pincite import catalogue
from pincite.config import Component, Settings
from pincite.engine import Collection
from pincite.errors import UsageError
from pincite.model import MODES, PUBLIC, Scored
from pincite.ports import Evidence

SETTINGS = Settings(embed=Component("embed", "hashing"))
MODES_OF = {"vector": "dense", "lexical": "lexical", "hybrid": "hybrid"}


def case_of(shared: Path, name: str) -> dict[str, Any]:
    lines = (shared / "cases" / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    case: dict[str, Any] = next(case for case in map(json.loads, lines) if case["id"] == name)
    return case


@contextmanager
def collection_of(shared: Path, name: str, folder: Path, settings: Settings = SETTINGS) -> Iterator[Collection]:
    """One document for each line of the case's input, named by its id, its ``meta`` as front matter."""
    documents = folder / "docs"
    documents.mkdir()
    for line in map(json.loads, (shared / "cases" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()):
        meta = "".join(f"{key}: {value}\n" for key, value in line.get("meta", {}).items())
        front = f"---\n{meta}---\n" if meta else ""
        (documents / f"{line['id']}.md").write_text(front + line["text"], encoding="utf-8")
    with Collection(folder, create=True, settings=settings) as collection:
        collection.add([documents])
        yield collection


def found(collection: Collection, query: str, **options: Any) -> list[str]:
    hits = collection.search(query, principal=PUBLIC, **options).hits
    return [hit.chunk.document_id.removesuffix(".md") for hit in hits]


def test_c046_codes(shared: Path, tmp_path: Path) -> None:
    case = case_of(shared, "C046")
    with collection_of(shared, "C046", tmp_path) as collection:
        for mode in case["options"]["mode"]:
            for query, first in case["check"]["top1"].items():
                assert found(collection, query, mode=mode, k=6)[0] == first, (mode, query)
            for query, wanted in case["check"]["contains"].items():
                assert set(wanted) <= set(found(collection, query, mode=mode, k=6)), (mode, query)
            assert set(found(collection, "XK-7", mode=mode, k=6)[:2]) == {"m1", "m2"}
            for blank in ("", " "):
                with pytest.raises(UsageError, match="the query is empty"):
                    found(collection, blank, mode=mode, k=6)


def test_c048_compounds(shared: Path, tmp_path: Path) -> None:
    case = case_of(shared, "C048")
    with collection_of(shared, "C048", tmp_path) as collection:
        for query, first in case["check"]["top1"].items():
            assert found(collection, query, mode="lexical", k=4)[0] == first, query
        for query, wanted in case["check"]["contains"].items():
            assert set(wanted) <= set(found(collection, query, mode="lexical", k=4)), query
        for query in case["options"]["queries"]:
            assert found(collection, query, mode="lexical", k=4)[:1] != ["h4"]


CONDITIONS = ("price >= 10", "date >= 2031-02-10", "price <= 2", "price < 50 and date < 2031-02-10")
"""The filters of case C050 in the language of --where."""


def test_c050_filters(shared: Path, tmp_path: Path) -> None:
    case = case_of(shared, "C050")
    query, sizes = case["options"]["query"], case["options"]["k"]
    with collection_of(shared, "C050", tmp_path) as collection:
        for mode in MODES:
            hits = [
                found(collection, query, mode=mode, where=where, k=k, fold=False)
                for where, k in zip(CONDITIONS, sizes, strict=True)
            ]
            assert all(set(names) <= set(right) for names, right in zip(hits, case["check"]["allowed"], strict=True))
            assert set(hits[0]) == {"p2", "p3"}
            assert hits[1][0] == "p1"
            assert set(hits[3]) == {"p2"}
            assert hits[2] == ([] if mode == "lexical" else ["p4"])
        with pytest.raises(UsageError, match="2031-2-31"):
            found(collection, query, where="date >= 2031-2-31")


def test_c052_repeats_do_not_count(shared: Path) -> None:
    case = case_of(shared, "C052")
    fusion = catalogue.create("fusion", "rrf", {"k": case["options"]["k_rrf"]})
    dense = [Scored(name, 0.9 - place / 10) for place, name in enumerate(["c5", "c2", "c8"])]
    lexical = [Scored("c8", 4.0), Scored("c8", 3.0), Scored("c8", 2.0), Scored("c5", 1.0)]
    fused = fusion.fuse(Evidence(lexical=lexical, dense=dense))
    assert [hit.chunk_id for hit in fused] == case["check"]["order"]
    assert {hit.chunk_id: hit.score for hit in fused} == pytest.approx(case["check"]["scores"], abs=1e-6)


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-m", "pincite", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)


def test_c074_a_failed_search_is_not_a_search_without_hits(shared: Path, tmp_path: Path) -> None:
    case_of(shared, "C074")
    (tmp_path / "pincite.toml").write_text('[embed]\nname = "hashing"\n')
    (tmp_path / "a.md").write_text("# Ferries\n\nThe ferry leaves at noon.\n" * 200)
    assert run(tmp_path, "add", "a.md").returncode == 0
    sound = run(tmp_path, "search", "lantern", "--mode", "lexical", "--json")
    assert (sound.returncode, sound.stdout, sound.stderr) == (0, "", "")
    [file] = [file for file in (tmp_path / ".pincite").iterdir() if file.suffix in (".db", ".sqlite", ".sqlite3")]
    data = file.read_bytes()
    file.write_bytes(data[: len(data) // 2])
    for mode in ("lexical", "hybrid"):
        cut = run(tmp_path, "search", "lantern", "--mode", mode, "--json")
        assert cut.returncode == 5
        assert json.loads(cut.stdout)["error"]["kind"] == "damaged"
        assert "damaged" in cut.stderr
    for option in (["--mode", "fuzzy"], ["--expand", "up"], ["--nosuch"]):
        wrong = run(tmp_path, "search", "lantern", *option)
        assert wrong.returncode == 2
        assert {"--mode": "hybrid, lexical, dense", "--expand": "parent, neighbours"}.get(
            option[0], "--mode"
        ) in wrong.stderr
