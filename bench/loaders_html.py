"""HTML: what stays and goes on real pages, likeness to reviewed transcripts, and CPU time, beside other extractors.

Usage: python bench/loaders_html.py [FOLDER]     FOLDER: files with MANIFEST.jsonl, by default ../shared/data/files

text: normalised Indel similarity of the texts without markup and layout; headings, cells: F1 over multisets of exact
texts. CPU: of each page the least of several rounds in which all extractors take turns, summed.
"""

from __future__ import annotations

import gc
import importlib
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rapidfuzz import fuzz

from pincite.load.html.loader import HtmlLoader
from pincite.model import Source

FILES = Path(__file__).parents[1].parent / "shared/data/files"
ROUNDS = 7
Extract = Callable[[bytes], str]

_MARKUP = re.compile(
    r"<!--.*?-->|^\s*\|?(?:\s*:?-{3,}:?\s*\|)+\s*$|\[([^\]]*)\]\([^)]*\)|```\w*|[*_`|#>\\~]|<[^>]+>", re.M | re.S
)
_HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*$", re.M)
_ROW = re.compile(r"^\s*\|(.*)\|\s*$", re.M)
_FORMULA = re.compile(r"\$[^$]+\$")
_RULE = re.compile(r"[\s|:-]+")


def plain(text: str) -> str:
    return " ".join(_MARKUP.sub(lambda match: match[1] or " ", text).split())


def f1(found: Counter[str], wanted: Counter[str]) -> float | None:
    if not wanted:
        return None
    both = (found & wanted).total()
    return 2 * both / (found.total() + wanted.total())


def headings(text: str) -> Counter[str]:
    return Counter(plain(match[1]) for match in _HEADING.finditer(text))


def cells(text: str) -> Counter[str]:
    rows = (row[1] for row in _ROW.finditer(text) if not _RULE.fullmatch(row[1]))
    found = (plain(cell) for row in rows for cell in re.split(r"(?<!\\)\|", row))
    return Counter(cell for cell in found if cell)


def own(data: bytes) -> str:
    return HtmlLoader().load(Source("page.html", data)).text


def everything(data: bytes) -> str:
    return HtmlLoader(main_content=False).load(Source("page.html", data)).text


def trafilatura_fast(data: bytes) -> str:
    trafilatura = importlib.import_module("trafilatura")
    return trafilatura.extract(data, fast=True, include_comments=False, include_tables=True) or ""


def trafilatura_markdown(data: bytes) -> str:
    trafilatura = importlib.import_module("trafilatura")
    return trafilatura.extract(data, fast=True, include_comments=False, output_format="markdown") or ""


def html_to_markdown(data: bytes) -> str:
    result: Any = importlib.import_module("html_to_markdown").convert(data.decode("utf-8", errors="replace"))
    return str(getattr(result, "content", result))


def markdownify(data: bytes) -> str:
    return str(importlib.import_module("markdownify").markdownify(data, heading_style="ATX"))


def markitdown(data: bytes) -> str:
    io, package = importlib.import_module("io"), importlib.import_module("markitdown")
    return str(package.MarkItDown().convert_stream(io.BytesIO(data), file_extension=".html").text_content)


EXTRACTORS: dict[str, Extract] = {
    "pincite": own,
    "pincite, main_content=False": everything,
    "trafilatura fast": trafilatura_fast,
    "trafilatura fast, markdown": trafilatura_markdown,
    "html-to-markdown": html_to_markdown,
    "markdownify": markdownify,
    "markitdown": markitdown,
}


def entries(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "MANIFEST.jsonl").read_text(encoding="utf-8").splitlines()
    return [entry for entry in map(json.loads, lines) if entry["file"].startswith("html/")]


def cpu_seconds(extractors: dict[str, Extract], pages: list[bytes]) -> dict[str, float]:
    gc.collect()
    gc.freeze()  # or whoever makes objects pays for looking through those that all the imports have made
    totals = dict.fromkeys(extractors, 0.0)
    for data in pages:
        best = dict.fromkeys(extractors, float("inf"))
        for _ in range(ROUNDS):
            for name, extract in extractors.items():
                start = time.process_time()
                extract(data)
                best[name] = min(best[name], time.process_time() - start)
        totals = {name: total + best[name] for name, total in totals.items()}
    return totals


def mean(values: list[float]) -> str:
    return f"{sum(values) / len(values):.3f}" if values else "-"


def scores(extract: Extract, pages: list[dict[str, Any]], folder: Path) -> str:
    kept = dropped = must_keep = must_drop = 0
    texts: list[float] = []
    titles: list[float] = []
    values: list[float] = []
    for entry in pages:
        data = (folder / entry["file"]).read_bytes()
        text = extract(data)
        flat = plain(text)
        bare = " ".join(_FORMULA.sub(" ", flat).split())  # the strings were noted from texts without formulas
        truth = entry.get("truth", {})
        kept += sum(plain(string) in flat or plain(string) in bare for string in truth.get("must_contain", ()))
        must_keep += len(truth.get("must_contain", ()))
        dropped += sum(plain(string) not in flat for string in truth.get("must_not_contain", ()))
        must_drop += len(truth.get("must_not_contain", ()))
        for file in entry["ground_truth"]:
            wanted = (folder / file).read_text(encoding="utf-8")
            texts.append(fuzz.ratio(flat, plain(wanted)) / 100)
            for scores, read in ((titles, headings), (values, cells)):
                score = f1(read(text), read(wanted))
                if score is not None:
                    scores.append(score)
    shares = f"{kept}/{must_keep} | {dropped}/{must_drop}"
    return f"{shares} | {mean(texts)} | {mean(titles)} | {mean(values)}"


def main(arguments: list[str]) -> int:
    folder = Path(arguments[0]) if arguments else FILES
    if not (folder / "MANIFEST.jsonl").is_file():
        print(f"no MANIFEST.jsonl in {folder}", file=sys.stderr)
        return 2
    pages = entries(folder)
    found: dict[str, str] = {}
    for name, extract in EXTRACTORS.items():
        try:
            found[name] = scores(extract, pages, folder)
        except ImportError:
            continue
    data = [(folder / entry["file"]).read_bytes() for entry in pages]
    seconds = cpu_seconds({name: EXTRACTORS[name] for name in found}, data)
    print("| extractor | kept | dropped | text | headings | cells | CPU ms |\n|---|---|---|---|---|---|---|")
    for name in EXTRACTORS:
        line = f"{found[name]} | {seconds[name] * 1000:.1f}" if name in found else "not installed | | | | |"
        print(f"| {name} | {line} |")
    print(f"\nCPU of pincite / trafilatura fast: {seconds['pincite'] / seconds['trafilatura fast']:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
