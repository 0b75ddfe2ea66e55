"""Whether time and memory stay in proportion to the size of a file: Markdown, HTML and CSV, each in its own process.

Usage: python bench/loaders_growth.py [FORMAT MEGABYTES]     with both: loads one such file and prints its figures

Files are real ones from ../shared/data over and over (CSV: rows of random numbers and words). Memory is what the
process needs at its peak beyond the file itself. The growth of PDF is in loaders_pdf.py.
"""

from __future__ import annotations

import json
import random
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from pincite import catalogue
from pincite.model import Source

DATA = Path(__file__).parents[1].parent / "shared/data"
SIZES = {"markdown": (1, 5, 20), "html": (4, 16, 60), "csv": (1, 10, 100)}
_BODY = re.compile(r"<body[^>]*>(.*)</body>", re.DOTALL | re.IGNORECASE)


def filled(text: str, megabytes: int) -> bytes:
    unit = text.encode()
    return unit * (megabytes * 1_000_000 // len(unit) + 1)


def markdown(megabytes: int) -> bytes:
    files = sorted((DATA / "fastapi-en").rglob("*.md"))
    return filled("\n\n".join(file.read_text("utf-8") for file in files), megabytes)


def html(megabytes: int) -> bytes:
    texts = (file.read_text("utf-8", errors="replace") for file in sorted((DATA / "files/html").iterdir()))
    return b"<html><body>" + filled("".join(page[1] for page in map(_BODY.search, texts) if page), megabytes)


def table(megabytes: int) -> bytes:
    chance = random.Random(1)
    names = [f"column_{number}" for number in range(12)]
    rows = [",".join(names)]
    for number in range(10_000):
        values = [f"{chance.random():.6f}" if number % 2 else chance.choice(names) for number in range(11)]
        rows.append(",".join([str(number), *values]))
    return filled("\n".join(rows) + "\n", megabytes)


MAKERS: dict[str, Callable[[int], bytes]] = {"markdown": markdown, "html": html, "csv": table}


def peak_bytes() -> int:
    """Of this process since it began its program; the peak that `getrusage` tells of is the parent's to begin with."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text().partition("VmHWM:")[2].split()[0]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def measure(name: str, megabytes: int) -> dict[str, float]:
    source = Source(f"large.{name}", MAKERS[name](megabytes))
    loader = catalogue.create("load", name)
    before, start = peak_bytes(), time.process_time()
    document = loader.load(source)
    seconds = time.process_time() - start
    return {
        "megabytes": len(source.data) / 1e6,
        "seconds": seconds,
        "memory": (peak_bytes() - before) / 1e6,
        "blocks": len(document.blocks),
    }


def main(arguments: list[str]) -> int:
    if arguments:
        print(json.dumps(measure(arguments[0], int(arguments[1]))))
        return 0
    print(
        "| format | MB | CPU s | s per MB | peak memory MB | times the file | blocks |\n|---|---|---|---|---|---|---|"
    )
    for name, sizes in SIZES.items():
        for megabytes in sizes:
            command = [sys.executable, __file__, name, str(megabytes)]
            found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            size, seconds, memory = found["megabytes"], found["seconds"], found["memory"]
            costs = f"{seconds:.2f} | {seconds / size:.3f} | {memory:.0f} | {memory / size:.1f}"
            print(f"| {name} | {size:.0f} | {costs} | {found['blocks']:,} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
