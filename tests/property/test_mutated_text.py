"""Text files with something broken give a document or a load error, in time, and never anything else."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from tests.property.mutations import mutated

from pincite import catalogue
from pincite.errors import LoadError
from pincite.model import Document, Source
from pincite.ports import Loader
from pincite.text.graphemes import is_border

GOLDEN = Path(__file__).parents[1] / "golden"
KINDS = {"binary", "encoding", "front_matter", "too_large", "unsafe"}
SECONDS = 5.0
CHANGED_BY_LOADING = (".csv", ".tsv")  # all other text formats keep the text
NESTS: dict[str, tuple[bytes, ...]] = {
    ".md": (b"> ", b"- ", b"[", b"![", b"*a", b"`", b"|", b"<div>\n", b"[^a]: ", b"{#", b"&", b"1. "),
    ".txt": (b"\n", b" \n\n", b"\r", b"\xcc\x81", b"\xf0\x9f\x91\xa9\xe2\x80\x8d"),
    ".csv": (b'"', b'"",', b",", b"\n", b";", b'"\n'),
    ".tsv": (b"\t", b'"', b"\n", b'"\t'),
    ".rst": (b"* ", b"- \n  ", b".. note::\n  ", b"  ", b"| ", b"+--", b"=== ", b"`", b":a: ", b"::\n\n "),
    ".adoc": (b"* ", b"====\n", b"|===\n|", b"[[", b"a:: ", b"+\n", b"image::", b"[source,", b"'''\n", b". "),
    ".json": (b"[", b'{"a":', b'"', b"\\u", b"1", b",", b"[1,"),
    ".jsonl": (b"[", b"{}\n", b'"\n', b"1"),
    ".yaml": (b"- ", b"a: ", b"  ", b"? ", b"'", b'"', b"{", b"- - ", b"a:\n "),
    ".toml": (b"[", b"[[a]]\n", b'"""', b"'''", b"a.", b"=", b"#"),
    ".py": (b"(", b"if x:\n ", b"def f(): ", b'"""', b"\\\n", b"@a\n", b"[", b"lambda: "),
    ".ts": (b"(", b"{", b"class A{", b"`${", b"/*", b"f<", b"=>"),
    ".rs": (b"(", b"{", b"mod m{", b"#[", b'r#"', b"impl A<", b"/*"),
    ".lua": (b"(", b"[[", b"function f() ", b"--[["),
}
CODE = b'''import os


class Quay:
    """Where boats lie."""

    # How deep it is.
    depth = 4.5

    def moor(self, boat: str, *, night: bool = False) -> str:
        def price() -> float:
            return 12.5 if night else 7.0

        return f"{boat}: {price():.2f} \xe2\x82\xac"


@staticmethod
def free() -> list[str]:
    return ["A1", "B\xc3\xa4r"]
'''


def originals() -> list[tuple[str, bytes]]:
    """One file of each format, the longest of its golden ones in UTF-8: a mark of UTF-16 would not outlive much."""
    found: dict[str, Path] = {}
    for file in sorted(GOLDEN.glob("*/*")):
        expected = file.suffix == ".json" and file.with_suffix("").exists()
        if file.suffix in NESTS and not expected and not file.read_bytes().startswith(b"\xff\xfe"):
            best = found.get(file.suffix)
            found[file.suffix] = file if best is None or file.stat().st_size > best.stat().st_size else best
    return [*((f"a{suffix}", file.read_bytes()) for suffix, file in sorted(found.items())), ("a.py", CODE)]


ORIGINALS = originals()
IDS = [path for path, _ in ORIGINALS]


def loader_of(path: str) -> Loader:
    suffix = path[path.rindex(".") :]
    loader: Loader = catalogue.create(
        "load", next(row.name for row in catalogue.rows("load") if suffix in row.suffixes)
    )
    return loader


def load(path: str, data: bytes) -> Document | None:
    """The document, ``None`` where the loader refuses the file as it may."""
    start = time.process_time()
    try:
        document = loader_of(path).load(Source(path, data))
    except LoadError as error:
        refusal = error
    else:
        check(document, data)
        return document
    finally:
        assert time.process_time() - start < SECONDS
    assert refusal.file == path
    assert refusal.kind in KINDS, refusal
    return None


def check(document: Document, data: bytes) -> None:
    text = document.text
    covered = 0
    for block in document.outline:
        assert not text[covered : block.span.start].strip()
        covered = block.span.end
    assert not text[covered:].strip()
    assert all(is_border(text, block.span.start) for block in document.blocks)
    if not document.id.endswith(CHANGED_BY_LOADING) and not any(w.kind == "encoding" for w in document.warnings):
        assert text == data.decode("utf-8-sig")
    assert Document.from_json(document.to_json()) == document


def campaign(path: str, data: bytes, seeds: range) -> None:
    for seed in seeds:
        load(path, mutated(data, seed, nests=NESTS[path[1:]]))


def test_each_format_has_an_original() -> None:
    assert set(IDS) == {f"a{suffix}" for suffix in NESTS}
    assert all(load(path, data) for path, data in ORIGINALS)


@pytest.mark.parametrize(("path", "data"), ORIGINALS, ids=IDS)
def test_twenty_mutations(path: str, data: bytes) -> None:
    campaign(path, data, range(20))


@pytest.mark.soak
@pytest.mark.parametrize(("path", "data"), ORIGINALS, ids=IDS)
def test_two_hundred_mutations(path: str, data: bytes) -> None:
    campaign(path, data, range(20, 220))
