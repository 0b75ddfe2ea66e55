"""CSV: delimiters, encodings and cells of real files, beside other sniffers.

Usage: python bench/loaders_csv.py [FOLDER]     FOLDER: files with csv/, by default ../shared/data/files

What is true of each file was noted by hand and is read with the standard library's reader. cells: F1 over the multisets
of the texts of all cells, blank ones are none.
"""

from __future__ import annotations

import csv
import importlib
import re
import sys
import time
from collections import Counter
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

from pincite.load.decoding import decode
from pincite.load.dialect import find_delimiter
from pincite.load.table import TableLoader
from pincite.model import Document, Source

_MADE_UP = re.compile(r"column \d+")
FILES = Path(__file__).parents[1].parent / "shared/data/files"
# Delimiter and encoding; Latin-1 is read as its superset on the web.
TRUTH = {
    "csv-semicolon.csv": (";", "utf-8"),
    "csv-comma-in-cell.csv": (",", "utf-8"),
    "csv-inconsistent-header.csv": (",", "utf-8"),
    "csv-too-many-columns.csv": (",", "utf-8"),
    "stanley-cups-utf-16.csv": (",", "utf-16"),
    "test_mskanji.csv": (",", "cp932"),
    "test_header_newline.csv": (",", "utf-8"),
    "FY09_EDU_Recipients_by_State.csv": (",", "utf-8"),
    "bom.csv": (",", "utf-8-sig"),
    "table-with-accents.csv": (";", "cp1252"),
    "doublequote.csv": (",", "utf-8"),
}


def cells(document: Document) -> Counter[str]:
    found: Counter[str] = Counter()
    for table in document.blocks:
        for line in (row.of(document.text) for row in table.rows):
            found.update(plain(cell) for cell in line.strip("|").replace("\\|", "\0").split("|"))
        found.update(plain(name) for name in table.columns if not _MADE_UP.fullmatch(name))
    found.pop("", None)
    return found


def plain(cell: str) -> str:
    return " ".join(cell.replace("<br>", " ").replace("\0", "|").replace("\\\\", "\\").split())


def true_cells(text: str, delimiter: str) -> Counter[str]:
    rows = csv.reader(StringIO(text, newline=""), delimiter=delimiter)
    found = Counter(" ".join(cell.split()) for row in rows for cell in row)
    found.pop("", None)
    return found


def f1(found: Counter[str], wanted: Counter[str]) -> float:
    return 2 * (found & wanted).total() / (found.total() + wanted.total())


def sniffer(text: str) -> str:
    try:
        return csv.Sniffer().sniff(text).delimiter
    except csv.Error:
        return ""


def clevercsv(text: str) -> str:
    package: Any = importlib.import_module("clevercsv")
    dialect = package.Sniffer().sniff(text)
    return dialect.delimiter if dialect else ""


SNIFFERS: dict[str, Callable[[str], str]] = {
    "pincite": find_delimiter,
    "csv.Sniffer": sniffer,
    "clevercsv": clevercsv,
}


def print_sniffers(texts: dict[str, str]) -> None:
    print("\n| sniffer | delimiters right | CPU ms |\n|---|---|---|")
    for name, sniff in SNIFFERS.items():
        start = time.process_time()
        try:
            right = sum(sniff(text) == TRUTH[file][0] for file, text in texts.items())
        except ImportError:
            print(f"| {name} | not installed | |")
            continue
        print(f"| {name} | {right}/{len(texts)} | {(time.process_time() - start) * 1000:.1f} |")


def main(arguments: list[str]) -> int:
    folder = (Path(arguments[0]) if arguments else FILES) / "csv"
    if not folder.is_dir():
        print(f"{folder} is missing", file=sys.stderr)
        return 2
    right: Counter[str] = Counter()
    texts: dict[str, str] = {}
    print("| file | delimiter | encoding | cells F1 |\n|---|---|---|---|")
    for name, (delimiter, encoding) in TRUTH.items():
        source = Source(name, (folder / name).read_bytes())
        texts[name] = source.data.decode(encoding)
        decoded = decode(source, max_bytes=len(source.data), loader="csv", nul="keep")
        document = TableLoader().load(source)
        found = find_delimiter(decoded.text)
        score = f1(cells(document), true_cells(texts[name], delimiter))
        print(f"| {name} | {found} | {decoded.encoding} | {score:.3f} |")
        right.update(delimiters=found == delimiter, encodings=decoded.text == texts[name], tables=score == 1)
    print(f"\nall right: {', '.join(f'{what} {count}/{len(TRUTH)}' for what, count in right.items())}")
    print_sniffers(texts)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
