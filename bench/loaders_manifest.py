"""What becomes of each file of the manifest: its document or its error, and the CPU time, in this process.

Usage: python bench/loaders_manifest.py [FOLDER]     FOLDER: files with MANIFEST.jsonl, by default ../shared/data/files
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from pathlib import Path

from pincite import catalogue
from pincite.errors import LoadError
from pincite.model import Source

FILES = Path(__file__).parents[1].parent / "shared/data/files"


def outcome(loader: str, source: Source) -> tuple[str, str]:
    try:
        document = catalogue.create("load", loader).load(source)
    except LoadError as error:
        return error.kind, ""
    warnings = Counter(warning.kind for warning in document.warnings)
    said = ", ".join(f"{kind} {count}" if count > 1 else kind for kind, count in warnings.items())
    return f"{len(document.blocks):,} blocks", said


def main(arguments: list[str]) -> int:
    folder = Path(arguments[0]) if arguments else FILES
    if not (folder / "MANIFEST.jsonl").is_file():
        print(f"no MANIFEST.jsonl in {folder}", file=sys.stderr)
        return 2
    loaders = {suffix: row.name for row in reversed(catalogue.rows("load")) for suffix in row.suffixes}
    print("| file | loader | outcome | warnings | CPU ms |\n|---|---|---|---|---|")
    for line in (folder / "MANIFEST.jsonl").read_text(encoding="utf-8").splitlines():
        name = json.loads(line)["file"]
        loader = loaders[Path(name).suffix]
        start = time.process_time()
        found, warnings = outcome(loader, Source(name, (folder / name).read_bytes()))
        print(f"| {name} | {loader} | {found} | {warnings} | {(time.process_time() - start) * 1000:.1f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
