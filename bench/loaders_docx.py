"""Scores the DOCX loader, and others beside it, on the files with ground truth in `../shared/data/files`.

Text: normalised Indel similarity of the text without markup and with single blanks. Headings and cells: F1 over the
multisets of their texts (blank cells are none). Each figure of the last line is the mean over the files that have such
a score. CPU: the best of five rounds over all files in which all readers take turns. Usage: python
bench/loaders_docx.py [FOLDER]
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from importlib import import_module
from io import BytesIO
from pathlib import Path

from lxml import html
from rapidfuzz import fuzz

from pincite.load.docx.loader import DocxLoader
from pincite.model import Document, Source

FILES = Path(__file__).resolve().parents[2] / "shared" / "data" / "files"
ROUNDS = 5
_MARKUP = re.compile(r"<!--.*?-->|\[\^\w+\]:?|^\s*(?:>\s*)*(?:#{1,6} |- |> )+|\*+|\\(?=[^\w\s])", re.MULTILINE)
_RULE = re.compile(r"^\|(?: ?:?-+:? ?\|)+$", re.MULTILINE)


@dataclass
class Read:
    """What a reader makes of a file, or what is true of it."""

    text: str = ""
    headings: list[str] = field(default_factory=list)
    cells: list[str] = field(default_factory=list)


def plain(markdown: str) -> str:
    """Without markup, blanks single."""
    lines = _RULE.sub("", markdown.replace("<br>", " "))
    return " ".join(_MARKUP.sub("", lines).replace("|", " ").split())


def of_markdown(text: str) -> Read:
    headings = [plain(line) for line in text.splitlines() if re.match(r"#{1,6} ", line)]
    rows = [line for line in text.splitlines() if line.startswith("|") and not _RULE.fullmatch(line)]
    cells = [" ".join(cell.split()) for row in rows for cell in re.split(r"(?<!\\)\|", row)[1:-1]]
    return Read(plain(text), headings, [cell for cell in cells if cell])


def of_native(text: str) -> Read:
    """A document tree of pandoc: its words, and its headings."""

    def words(part: str) -> str:
        tokens = re.findall(r'Str "((?:\\.|[^"\\])*)"|(Space|Break|Para|Plain|Header|Note)', part)
        joined = "".join(re.sub(r"\\(\d+)&?", lambda m: chr(int(m[1])), word) if word else " " for word, _ in tokens)
        return " ".join(joined.split())

    headings = [words(part.split("\n,")[0]) for part in text.split("Header ")[1:]]
    return Read(words(text), headings)


def of_document(document: Document) -> Read:
    read = of_markdown(document.text)
    made_up = {name for block in document.blocks for name in block.columns if re.fullmatch(r"column \d+", name)}
    read.headings = [block.title for block in document.blocks if block.kind == "heading"]
    read.cells = [cell for cell in read.cells if cell not in made_up]
    return read


def of_html(text: str) -> Read:
    tree = html.fromstring(f"<div>{text}</div>")
    for block in tree.iter("p", "li", "td", "th", "h1", "h2", "h3", "h4", "h5", "h6", "br"):
        block.tail = " " + (block.tail or "")
    clean = [" ".join(element.text_content().split()) for element in tree.iter("td", "th")]
    headings = [" ".join(element.text_content().split()) for element in tree.iter("h1", "h2", "h3", "h4", "h5", "h6")]
    return Read(" ".join(tree.text_content().split()), headings, [cell for cell in clean if cell])


def ours(file: Path) -> Read:
    return of_document(DocxLoader().load(Source(file.name, file.read_bytes())))


def mammoth(file: Path) -> Read:
    peer = import_module("mammoth")
    return of_html(peer.convert_to_html(BytesIO(file.read_bytes())).value)


def markitdown(file: Path) -> Read:
    peer = import_module("markitdown")
    return of_markdown(peer.MarkItDown().convert_local(str(file)).text_content)


READERS: dict[str, Callable[[Path], Read]] = {"pincite": ours, "mammoth": mammoth, "markitdown": markitdown}


def f1(found: Iterable[str], true: Iterable[str]) -> float:
    one, two = Counter(found), Counter(true)
    return 2 * (one & two).total() / max(one.total() + two.total(), 1)


def scores(read: Read, truth: Read) -> tuple[float, float | None, float | None]:
    return (
        fuzz.ratio(read.text, truth.text) / 100,
        f1(read.headings, truth.headings) if truth.headings else None,
        f1(read.cells, truth.cells) if truth.cells else None,
    )


def truths(folder: Path) -> list[tuple[Path, Read]]:
    lines = map(json.loads, (folder / "MANIFEST.jsonl").read_text(encoding="utf-8").splitlines())
    result = []
    for line in lines:
        if line["file"].endswith(".docx") and line["ground_truth"]:
            truth = folder / line["ground_truth"][0]
            text = truth.read_text(encoding="utf-8")
            result.append((folder / line["file"], of_markdown(text) if truth.suffix == ".md" else of_native(text)))
    return result


def cpu_seconds(readers: Iterable[str], files: list[Path]) -> dict[str, float]:
    best = dict.fromkeys(readers, float("inf"))
    for _ in range(ROUNDS):
        for name in best:
            start = time.process_time()
            for file in files:
                READERS[name](file)
            best[name] = min(best[name], time.process_time() - start)
    return best


def cell(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def main(arguments: list[str]) -> int:
    folder = Path(arguments[0]) if arguments else FILES
    files = truths(folder)
    print("| file | text | headings | cells |\n|---|---|---|---|")
    means: dict[str, list[float]] = {}
    for name, reader in READERS.items():
        try:
            rows = [scores(reader(file), truth) for file, truth in files]
        except ImportError:
            continue
        if name == "pincite":
            for (file, _), row in zip(files, rows, strict=True):
                print(f"| {file.name} | {' | '.join(map(cell, row))} |")
        columns = [[value for value in column if value is not None] for column in zip(*rows, strict=True)]
        means[name] = [sum(values) / len(values) for values in columns]
    seconds = cpu_seconds(means, [file for file, _ in files])
    print("\n| reader, mean over files | text | headings | cells | CPU s |\n|---|---|---|---|---|")
    for name in READERS:
        if name in means:
            print(f"| {name}, mean | {' | '.join(map(cell, means[name]))} | {seconds[name]:.3f} |")
        else:
            print(f"| {name} | not installed | | | |")
    if "mammoth" in seconds:
        print(f"\nCPU of pincite / mammoth: {seconds['pincite'] / seconds['mammoth']:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
