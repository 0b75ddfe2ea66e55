"""Every loader's scores and costs beside its peers, one table after the other (see the scripts for what is measured),
and at the end what the project promises of them.

Run with ``make bench``; needs ``../shared/data/files`` beside the repository. Peers count where they are installed.
Usage: python bench/loaders.py [NAME]…     only some of the scripts, such as ``html markdown``
"""

from __future__ import annotations

import re
import runpy
import sys
from collections.abc import Callable, Iterable
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import TextIO

HERE = Path(__file__).parent
FILES = HERE.parent.parent / "shared" / "data" / "files"


@dataclass(frozen=True, slots=True)
class Promise:
    """Holds where ``kept`` is true of the numbers that the pattern finds in what the script prints."""

    script: str
    what: str
    needed: str
    pattern: str
    kept: Callable[[list[float]], bool]

    def row(self, printed: str) -> str:
        matches = re.findall(self.pattern, printed, re.MULTILINE)
        found = [part for match in matches for part in (match if isinstance(match, tuple) else (match,))]
        verdict = "not printed" if not found else "kept" if self.kept(list(map(float, found))) else "BROKEN"
        return f"| {self.what} | {self.needed} | {' '.join(found)} | {verdict} |"


def at_least(*floors: float) -> Callable[[list[float]], bool]:
    return lambda found: all(value >= floor for value, floor in zip(found, floors, strict=True))


def at_most(ceiling: float) -> Callable[[list[float]], bool]:
    return lambda found: max(found) <= ceiling


def all_of(found: list[float]) -> bool:
    """Pairs of how many and of how many."""
    return found[::2] == found[1::2]


def linear(found: list[float]) -> bool:
    """Costs of a piece in files that grow."""
    return max(found) <= 2 * found[0]


PROMISES = (
    Promise(
        "pdf",
        "PDF text, headings, cells",
        "at least .975 .75 .65",
        r"^pincite, mean over files\s+(\S+)\s+(\S+)\s+(\S+)",
        at_least(0.975, 0.75, 0.65),
    ),
    Promise(
        "pdf",
        "PDF CPU / pypdfium2 text, parse and whole",
        "at most 8",
        r"^all, whole in one run\s+\S+\s+(\S+)\s+(\S+)$",
        at_most(8),
    ),
    Promise("pdf", "PDF ms a page, 100 and 1,000 pages", "linear", r"^ *1000? +\S+ +(\S+) +\S+ +\S+$", linear),
    Promise(
        "docx",
        "DOCX text, headings, cells",
        "at least .96 .95 .85",
        r"^\| pincite, mean \| (\S+) \| (\S+) \| (\S+) \|",
        at_least(0.96, 0.95, 0.85),
    ),
    Promise("docx", "DOCX CPU / mammoth", "below 1", r"^CPU of pincite / mammoth: (\S+)$", at_most(1)),
    Promise("html", "HTML strings kept, dropped", "all", r"^\| pincite \| (\d+)/(\d+) \| (\d+)/(\d+) \|", all_of),
    Promise("html", "HTML CPU / trafilatura fast", "at most 1.3", r"^CPU of pincite / traf.*: (\S+)$", at_most(1.3)),
    Promise("csv", "CSV delimiters, encodings", "all", r"^all right: \w+ (\d+)/(\d+), \w+ (\d+)/(\d+)", all_of),
    Promise("markdown", "Markdown heading lists", "all", r"^\| [\w-]+ \| \d+ \| (\d+)/(\d+) \S* ?\|$", all_of),
    Promise(
        "markdown", "Markdown speed / pyromark's own", "at least .1", r"^speed of pincite / .*: (\S+)$", at_least(0.1)
    ),
    Promise("growth", "Markdown s per MB, to 20 MB", "linear", r"^\| markdown \| \d+ \| \S+ \| (\S+) \|", linear),
    Promise("growth", "HTML s per MB, to 60 MB", "linear", r"^\| html \| \d+ \| \S+ \| (\S+) \|", linear),
    Promise("growth", "HTML memory / file", "at most 25", r"^\| html \| .* \| (\S+) \| \S+ \|$", at_most(25)),
    Promise("growth", "CSV s per MB, to 100 MB", "linear", r"^\| csv \| \d+ \| \S+ \| (\S+) \|", linear),
    Promise(
        "growth",
        "CSV of 100 MB, memory MB",
        "at most 1500",
        r"^\| csv \| 1\d\d \| .* \| (\S+) \| \S+ \| \S+ \|$",
        at_most(1500),
    ),
)


class Copied(StringIO):
    """Keeps what it passes on."""

    def __init__(self, shown: TextIO) -> None:
        super().__init__()
        self._shown = shown

    def write(self, text: str) -> int:
        self._shown.write(text)
        self._shown.flush()
        return super().write(text)


def run(script: Path) -> tuple[int, str]:
    """The exit code of the script and what it printed."""
    sys.argv = [str(script)]
    with redirect_stdout(Copied(sys.stdout)) as copied:
        try:
            runpy.run_path(str(script), run_name="__main__")
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(bool(end.code))
            return code, copied.getvalue()
    return 0, copied.getvalue()


def main(arguments: Iterable[str]) -> int:
    if not FILES.is_dir():
        print(f"{FILES} is missing: there is nothing to measure with", file=sys.stderr)
        return 2
    scripts = {script.stem.removeprefix("loaders_"): script for script in sorted(HERE.glob("loaders_*.py"))}
    wanted = list(arguments) or list(scripts)
    if unknown := [name for name in wanted if name not in scripts]:
        print(f"no script {unknown[0]!r}; there are: {', '.join(scripts)}", file=sys.stderr)
        return 2
    printed: dict[str, str] = {}
    worst = 0
    for name in wanted:
        print(f"\n== {name.upper()} ==\n", flush=True)
        code, printed[name] = run(scripts[name])
        worst = max(worst, code)
    print("\n== PROMISES ==\n\n| what | needed | found | |\n|---|---|---|---|")
    for promise in PROMISES:
        if promise.script in printed:
            print(promise.row(printed[promise.script]))
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
