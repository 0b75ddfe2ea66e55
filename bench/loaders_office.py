"""Workbooks, code, data and markup: time, and agreement with other readers where they are installed (development only).

Usage: python bench/loaders_office.py [FOLDER OF .rst FILES]
"""

from __future__ import annotations

import importlib.util
import json
import random
import resource
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

from pincite import catalogue
from pincite.model import Document, Source

REPOSITORY = Path(__file__).parents[1]
GOLDEN = REPOSITORY / "tests/golden"
MEGABYTES = 20


def f1(expected: Iterable[str], found: Iterable[str]) -> float:
    left, right = Counter(expected), Counter(found)
    total = left.total() + right.total()
    return 2 * (left & right).total() / total if total else 1.0


def cpu_seconds() -> float:
    """Of this process and of those that it started."""
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    started = cpu_seconds()
    result = work()
    return result, cpu_seconds() - started


def load(name: str, path: str, data: bytes) -> Document:
    document: Document = catalogue.create("load", name).load(Source(path, data))
    return document


def large_texts() -> Iterable[tuple[str, str, str]]:
    def filled(text: str) -> str:
        return text * (MEGABYTES * 1_000_000 // len(text) + 1)

    code = "\n".join(file.read_text("utf-8") for file in sorted((REPOSITORY / "src").rglob("*.py")))
    records = [{"id": number, "tags": ["a", "b"], "value": number / 3} for number in range(10_000)]
    yield "code", "a.py", filled(code)
    yield "code", "a.lua", filled(code)
    yield "data", "a.json", json.dumps([records] * (MEGABYTES * 1_000_000 // len(json.dumps(records))), indent=1)
    yield "data", "a.jsonl", filled(json.dumps(records[0]) + "\n")
    yield "data", "a.yaml", filled("key:\n  - name: value\n    other: 'value'\n")
    yield "rst", "a.rst", filled((GOLDEN / "rst/guide.rst").read_text("utf-8"))
    yield "asciidoc", "a.adoc", filled((GOLDEN / "asciidoc/guide.adoc").read_text("utf-8"))


def print_times() -> None:
    print(f"{'file':8} {'MB':>5} {'CPU s':>6} {'blocks':>9}")
    for name, path, text in large_texts():
        data = text.encode()
        document, seconds = timed(partial(load, name, path, data))
        print(f"{path:8} {len(data) / 1e6:5.1f} {seconds:6.2f} {len(document.blocks):9,}")


def workbook(rows: int) -> tuple[bytes, list[str]]:
    import xlsxwriter  # type: ignore[import-untyped] # ships no types

    chance = random.Random(1)
    buffer, cells = BytesIO(), []
    book = xlsxwriter.Workbook(buffer, {"in_memory": True})
    sheet = book.add_worksheet("S")
    for row in range(rows):
        texts = [f"text {chance.randrange(10**6)}" for _ in range(20)]
        values = [text if row == 0 or column % 2 else chance.randrange(10**6) / 64 for column, text in enumerate(texts)]
        sheet.write_row(row, 0, values)
        cells += [value if isinstance(value, str) else f"{value:.15g}" for value in values]
    book.close()
    return buffer.getvalue(), cells


def print_workbook() -> None:
    data, cells = workbook(20_000)
    document, seconds = timed(partial(load, "spreadsheet", "a.xlsx", data))
    found = [cell for line in document.text.splitlines()[2:] if "---" not in line for cell in line[2:-2].split(" | ")]
    print(f"\nworkbook of {len(cells):,} cells: pincite {seconds:.2f} s, cells {f1(cells, found):.4f}")
    if importlib.util.find_spec("openpyxl"):
        openpyxl: Any = importlib.import_module("openpyxl")

        def read() -> list[str]:
            sheet = openpyxl.load_workbook(BytesIO(data), read_only=True).active
            rows = sheet.iter_rows(values_only=True)
            return [value if isinstance(value, str) else f"{value:.15g}" for row in rows for value in row]

        found, seconds = timed(read)
        print(f"openpyxl, read only, cells alone: {seconds:.2f} s, cells {f1(cells, found):.4f}")


def print_headings(folder: Path) -> None:
    """Headings of real reStructuredText against docutils; unknown roles are errors to docutils and stay marked."""
    core: Any = importlib.import_module("docutils.core")
    nodes: Any = importlib.import_module("docutils.nodes")
    quiet = {"report_level": 5, "halt_level": 6, "file_insertion_enabled": False, "raw_enabled": False}
    quiet |= {"doctitle_xform": False, "docinfo_xform": False}
    scores: list[float] = []
    ours = theirs = 0.0
    for file in sorted(folder.rglob("*.rst")):
        text = file.read_text("utf-8", errors="replace")
        document, seconds = timed(partial(load, "rst", "a.rst", text.encode()))
        ours += seconds
        tree, seconds = timed(partial(core.publish_doctree, text, settings_overrides=quiet))
        theirs += seconds
        titles = (node for node in tree.findall(nodes.title) if isinstance(node.parent, nodes.section))
        expected = [" ".join(node.astext().split()) for node in titles]
        scores.append(f1(expected, (block.title for block in document.blocks if block.kind == "heading")))
    print(f"\n{len(scores)} files .rst: headings {sum(scores) / max(1, len(scores)):.4f}", end=", ")
    print(f"pincite {ours:.2f} s, docutils {theirs:.2f} s")


def main(arguments: list[str]) -> int:
    print_times()
    print_workbook()
    if arguments and importlib.util.find_spec("docutils"):
        print_headings(Path(arguments[0]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
