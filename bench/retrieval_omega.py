"""The precision of a perfect search by the definition of Chroma's harness, beside what that harness gives.

The harness looks for each chunk's text and takes the first place where it stands. A window of tokens can hold a text
that stands earlier as well, above all in tables and chat logs, and is counted there then. Both are printed: with the
places where chunks were cut, which is the truth, and with the first places, which are the harness's figures. Recursive
chunks are hardly ever the same twice, so that both ways give the same figures for them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any, NamedTuple

from bench.retrieval_peers import langchain, located

from pincite import catalogue
from pincite.engine.documents import load_document
from pincite.evaluate.gold import Gold, GoldSpan, Passage
from pincite.evaluate.metrics import precision_omega
from pincite.model import Document, Span

ENCODING = "cl100k_base"
SEPARATORS = ("\n\n", "\n", ".", "?", "!", " ", "")
Places = Mapping[str, Sequence[tuple[int, int]]]


class Expected(NamedTuple):
    """What the harness gives: mean and population deviation in points, and the number of chunks."""

    size: int
    overlap: int
    mean: float
    deviation: float
    chunks: int


TOKENS = (Expected(800, 400, 4.7, 3.3, 819), Expected(400, 0, 12.5, 8.4, 824), Expected(200, 0, 20.9, 12.0, 1644))
RECURSIVE = (
    Expected(800, 400, 6.6, 5.3, 704),
    Expected(400, 200, 13.9, 10.6, 1412),
    Expected(400, 0, 17.7, 14.5, 1187),
    Expected(200, 0, 30.4, 18.8, 2386),
)


def print_omega(home: Path) -> int:
    """Prints the table and gives how many rows differ from the harness in what it prints."""
    documents = [load_document(path) for path in sorted((home / "corpus").iterdir())]
    lines = [json.loads(line) for line in (home / "queries.jsonl").read_text(encoding="utf-8").splitlines()]
    print(f"\nP-omega by Chroma's definition, {len(lines)} questions, {ENCODING}: mean ± population deviation")
    print(f"{'cut':32}{'chunks':>8}{'where they were cut':>22}{'first place of text':>22}{'the harness':>22}")
    failed = 0
    for name, expected in [("tokens", each) for each in TOKENS] + [
        (name, each) for each in RECURSIVE for name in ("recursive", "LangChain recursive")
    ]:
        try:
            places = cut(name, expected, documents)
        except ImportError as error:
            print(f"{name:32} not run: {error}")
            continue
        true, first = omega(lines, places), omega(lines, first_places(documents, places))
        number = sum(map(len, places.values()))
        passed = number == expected.chunks and shown(*first) == shown(expected.mean, expected.deviation)
        failed += not passed
        harness = f"{shown(expected.mean, expected.deviation)} ({expected.chunks})"
        print(
            f"{f'{name} {expected.size}/{expected.overlap}':32}{number:>8}{shown(*true):>22}{shown(*first):>22}"
            f"{harness:>22}  {'PASS' if passed else 'FAIL'}",
            flush=True,
        )
    return failed


def cut(name: str, expected: Expected, documents: Iterable[Document]) -> Places:
    if name == "LangChain recursive":
        size, overlap = expected.size, expected.overlap
        split = langchain(size, encoding=ENCODING, overlap=overlap, separators=list(SEPARATORS))

        def places(text: str) -> list[tuple[int, int]]:
            return [found[:2] for found in located(text, split(text), overlapping=overlap > 0)]

        return {each.id: places(each.text) for each in documents}
    options: dict[str, Any] = {"max_tokens": expected.size, "overlap_tokens": expected.overlap, "counter": ENCODING}
    if name == "recursive":
        options |= {"separators": SEPARATORS, "count_pieces": "alone"}
    chunker = catalogue.create("chunk", name, options)
    return {each.id: [(chunk.span.start, chunk.span.end) for chunk in chunker.chunk(each)] for each in documents}


def first_places(documents: Iterable[Document], places: Places) -> Places:
    found = {}
    for document in documents:
        text = document.text
        firsts = [(text.find(text[start:end]), end - start) for start, end in places[document.id]]
        found[document.id] = [(start, start + length) for start, length in firsts]
    return found


def omega(lines: Iterable[Mapping[str, Any]], places: Places) -> tuple[float, float]:
    """Mean and population deviation in points."""
    passages = {name: [Passage(name, Span(start, end)) for start, end in several] for name, several in places.items()}
    values = []
    for line in lines:
        gold: Gold = tuple((GoldSpan(each["document"], Span(each["start"], each["end"])),) for each in line["relevant"])
        near = [passage for name in {part[0].document_id for part in gold} for passage in passages[name]]
        values.append(100 * precision_omega(near, gold, touching=True))
    return fmean(values), pstdev(values)


def shown(mean: float, deviation: float) -> str:
    return f"{mean:.1f} ± {deviation:.1f}"
