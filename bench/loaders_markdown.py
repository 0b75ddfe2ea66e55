"""Markdown: heading lists beside those of another parser, and speed beside that of the parser underneath and of others.

Usage: python bench/loaders_markdown.py [FOLDER]     FOLDER: with files/MANIFEST.jsonl, by default ../shared/data

headings: files whose list of levels and titles is that of markdown-it-py (without front matter, and without attribute
lists, which it leaves in titles). CPU: of each reader the least of several rounds in which all take turns.
"""

from __future__ import annotations

import importlib
import re
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyromark
from markdown_it import MarkdownIt
from markdown_it.token import Token

from pincite.load.front_matter import read_front_matter
from pincite.load.markdown import MarkdownLoader
from pincite.model import Source

DATA = Path(__file__).parents[1].parent / "shared/data"
CORPORA = ("files", "fastapi-en", "fastapi-de", "httpx-docs", "anthropic-docs")
ROUNDS = 3
OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_FOOTNOTES
    | pyromark.Options.ENABLE_STRIKETHROUGH
    | pyromark.Options.ENABLE_TASKLISTS
)
_ATTRIBUTES = re.compile(r"\s*\{:?\s*[#.][^{}]*\}$")
Heading = tuple[int, str]
Reader = Callable[[str], object]


def sources(folder: Path) -> Iterator[tuple[str, str]]:
    for file in sorted(folder.rglob("*.md")):
        if "truth" not in file.parts:
            document = MarkdownLoader().load(Source(file.name, file.read_bytes()))
            yield file.name, document.text


def ours(text: str) -> list[Heading]:
    document = MarkdownLoader().load(Source("a.md", text.encode()))
    return [(block.level, block.title) for block in document.blocks if block.kind == "heading"]


def shown(token: Token) -> str:
    if token.type in ("softbreak", "hardbreak"):
        return " "
    if token.type == "image":
        return "".join(map(shown, token.children or ()))
    return token.content if token.type in ("text", "code_inline") else ""


def theirs(text: str) -> list[Heading]:
    front = read_front_matter(text, "a.md")
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text[front.body :] if front else text)
    found = []
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            title = " ".join("".join(map(shown, inline.children or ())).split())
            found.append((int(opening.tag[1]), _ATTRIBUTES.sub("", title)))
    return found


def print_headings(folder: Path) -> None:
    print("| corpus | headings | files with the same list |\n|---|---|---|")
    for corpus in CORPORA:
        same = headings = 0
        texts = list(sources(folder / corpus))
        different = []
        for name, text in texts:
            found = ours(text)
            headings += len(found)
            if found == theirs(text):
                same += 1
            else:
                different.append(name)
        print(f"| {corpus} | {headings} | {same}/{len(texts)} {' '.join(different)} |")


def load(text: str) -> object:
    return MarkdownLoader().load(Source("a.md", text.encode()))


def iterate(text: str) -> object:
    return deque(pyromark.events_with_range(text, options=OPTIONS), maxlen=0)


def render(text: str) -> object:
    return pyromark.html(text, options=OPTIONS)


def markdown_it(text: str) -> object:
    return MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)


def mistune(text: str) -> object:
    package: Any = importlib.import_module("mistune")
    return package.create_markdown(renderer=None)(text)


READERS: dict[str, Reader] = {
    "pincite, blocks": load,
    "pyromark, events with ranges": iterate,
    "pyromark, HTML": render,
    "markdown-it-py, tokens": markdown_it,
    "mistune, tokens": mistune,
}


def print_speed(folder: Path) -> None:
    texts = [text for corpus in CORPORA for _, text in sources(folder / corpus)]
    megabytes = sum(len(text.encode()) for text in texts) / 1e6
    best: dict[str, float] = {}
    for _ in range(ROUNDS):
        for name, read in READERS.items():
            start = time.process_time()
            try:
                for text in texts:
                    read(text)
            except ImportError:
                continue
            best[name] = min(best.get(name, float("inf")), time.process_time() - start)
    print(f"\n| reader ({megabytes:.1f} MB of documentation) | MB/s | times pincite |\n|---|---|---|")
    for name in READERS:
        if name in best:
            print(f"| {name} | {megabytes / best[name]:.1f} | {best['pincite, blocks'] / best[name]:.2f} |")
        else:
            print(f"| {name} | not installed | |")
    ratio = best["pyromark, events with ranges"] / best["pincite, blocks"]
    print(f"\nspeed of pincite / pyromark's own: {ratio:.2f}")


def main(arguments: list[str]) -> int:
    folder = Path(arguments[0]) if arguments else DATA
    if not folder.is_dir():
        print(f"{folder} is missing", file=sys.stderr)
        return 2
    print_headings(folder)
    print_speed(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
