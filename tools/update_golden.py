"""Writes the expected document of every golden input anew: `make golden`, then look at the difference.

Usage: python tools/update_golden.py [FOLDER]

An input ``<format>/<name>.<suffix>`` has its document in ``<name>.<suffix>.json`` beside it. Refuses to run where the
environment variable CI is set, so that a golden test can never mend itself there.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from pincite import catalogue
from pincite.model import Document, Source

GOLDEN = Path(__file__).parents[1] / "tests/golden"


def inputs(folder: Path) -> list[Path]:
    """Files that a loader takes, without the expected documents: JSON beside the input that it is named after."""
    suffixes = {suffix for row in catalogue.rows("load") for suffix in row.suffixes}
    return [
        file
        for file in sorted(folder.glob("*/*"))
        if file.suffix in suffixes and not (file.suffix == ".json" and file.with_suffix("").exists())
    ]


def document_of(file: Path) -> Document:
    loaders = [row.name for row in catalogue.rows("load") if file.suffix in row.suffixes]
    document = catalogue.create("load", loaders[0]).load(Source(file.name, file.read_bytes()))
    assert isinstance(document, Document)
    return document


def as_json(document: Document) -> str:
    return json.dumps(document.to_json(), ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def main(arguments: list[str]) -> int:
    if os.environ.get("CI"):
        print("golden files are not rewritten in CI: run this at your desk and look at the difference", file=sys.stderr)
        return 2
    folder = Path(arguments[0]) if arguments else GOLDEN
    for file in inputs(folder):
        Path(f"{file}.json").write_bytes(as_json(document_of(file)).encode())
        print(file.relative_to(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
