"""Throughput of every row, in one process: rounds in which the rows come in a new random order, by processor time."""

from __future__ import annotations

import gc
import random
import statistics
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from bench.chunking_rows import Item, Row, forget

FULL, SAMPLE = "whole corpus", "sample"


@dataclass(slots=True)
class Speeds:
    """``seconds[row, set]`` has one figure for each round; ``raised`` counts documents at which a row failed."""

    bytes: dict[str, int]
    seconds: dict[tuple[str, str], list[float]] = field(default_factory=dict)
    raised: Counter[str] = field(default_factory=Counter)

    def speeds(self, row: str, on: str) -> list[float]:
        """Megabytes per second, by round."""
        return [self.bytes[on] / 1e6 / max(seconds, 1e-6) for seconds in self.seconds.get((row, on), [])]

    def ratios(self, row: str, other: str, on: str) -> list[float]:
        """How many times as fast as the other, by round."""
        pairs = zip(self.speeds(row, on), self.speeds(other, on), strict=False)
        return [speed / slower for speed, slower in pairs]

    def median(self, row: str, on: str) -> float:
        return statistics.median(self.speeds(row, on))


def measure(rows: Sequence[Row], items: Sequence[Item], sample: Sequence[Item], *, rounds: int) -> Speeds:
    sets = {FULL: items, SAMPLE: sample}
    speeds = Speeds({name: sum(len(item.data) for item in some) for name, some in sets.items()})
    tasks = [(row, name) for row in rows for name in sets if name == SAMPLE or not row.slow]
    numbers = random.Random(5)
    for item in sample[:3]:
        for row in rows:  # what is loaded at the first use is no part of the work
            _seconds(row, [item], Counter())
    gc.collect()
    gc.freeze()  # the collector would look through the corpus again and again, at random rows' expense
    for _ in range(rounds):
        numbers.shuffle(tasks)
        for row, name in tasks:
            seconds = _seconds(row, sets[name], speeds.raised)
            speeds.seconds.setdefault((row.name, name), []).append(seconds)
    gc.unfreeze()
    return speeds


def _seconds(row: Row, items: Sequence[Item], raised: Counter[str]) -> float:
    forget(items)
    work = row.make()
    gc.collect()
    start = time.process_time()
    for item in items:
        try:
            work(item)
        except Exception:  # a peer's fault is a figure, not the end of the run
            raised[row.name] += 1
    return time.process_time() - start


def print_speeds(rows: Sequence[Row], speeds: Speeds, missing: dict[str, str]) -> None:
    sizes = {name: size / 1e6 for name, size in speeds.bytes.items()}
    heads = " | ".join(f"{name} ({size:.1f} MB): median | best" for name, size in sizes.items())
    print(f"MB/s of processor time, UTF-8.\n\n| family | row | {heads} |\n|---|---|---|---|---|---|")
    families = list(dict.fromkeys(row.family for row in rows))
    for row in sorted(rows, key=lambda row: (families.index(row.family), -speeds.median(row.name, SAMPLE))):
        cells = []
        for name in speeds.bytes:
            figures = speeds.speeds(row.name, name)
            cells += [f"{statistics.median(figures):.2f}", f"{max(figures):.2f}"] if figures else ["–", "–"]
        note = f" (raised at {speeds.raised[row.name]} documents)" if speeds.raised[row.name] else ""
        print(f"| {row.family} | {row.name}{note} | {' | '.join(cells)} |")
    for name, reason in missing.items():
        print(f"| | {name} | {reason[:100]} | | | |")


@dataclass(frozen=True, slots=True)
class Target:
    """``row`` is to be ``factor`` times as fast as ``other``; without ``factor`` it is a remark."""

    row: str
    other: str
    factor: float | None
    on: str = SAMPLE
    loading: bool = False
    """Whether the row exists with loading, too."""


STRUCTURE, WITH_LOADING = "pincite structure", ", with loading"
TARGETS = (
    Target(STRUCTURE, "bpe-openai, one pass", 0.8, FULL, loading=True),
    Target(STRUCTURE, "semantic-text-splitter Markdown (its own tiktoken)", 8, loading=True),
    Target(STRUCTURE, "semantic-text-splitter Markdown (bpe-openai)", 8, loading=True),
    Target(STRUCTURE, "LangChain MarkdownHeader+Recursive (tiktoken)", 5, loading=True),
    Target(STRUCTURE, "LangChain MarkdownHeader+Recursive (bpe-openai)", 5, loading=True),
    Target("pincite tokens", "LangChain TokenText (tiktoken)", 2),
    Target("pincite tokens", "LangChain split_text_on_tokens (bpe-openai)", None),
    Target("pincite recursive", "LangChain Recursive", 1),
    Target("pincite recursive", "LangChain Recursive, with starts", 1),
    Target("pincite headings-capped", "LangChain MarkdownHeader", 3, loading=True),
)
FASTEST_CHARACTERS = 100.0
BARE_CHUNKS = "the same with id and Chunk"


FAIRNESS = """
Which is fair: semantic-text-splitter and LangChain's Markdown splitters read a text and find its structure in the same
call, so pincite with loading is like for like (its loader also gives lists, tables, titles and front matter). Chunking
alone is what another strategy or size costs once a document is loaded, and like for like with the token pass and with
the chunkers that look for no structure (tokens, recursive, characters)."""


def print_targets(speeds: Speeds) -> None:
    """Median of the rounds' ratios, lowest to highest in brackets."""
    print("| target | chunking alone | met | with loading | met |\n|---|---|---|---|---|")
    for target in TARGETS:
        wanted = f"at least {target.factor:g} ×" if target.factor is not None else "(for comparison)"
        label = f"{target.row} {wanted} {target.other}"
        cells = _figure(speeds, target, target.row)
        loaded = target.row + WITH_LOADING
        cells += _figure(speeds, target, loaded) if target.loading else ["–", "–"]
        print(f"| {label} | {' | '.join(cells)} |")
    figures = speeds.speeds("pincite characters", FULL)
    if figures and speeds.speeds(BARE_CHUNKS, FULL):
        speed, bare = statistics.median(figures), speeds.median(BARE_CHUNKS, FULL)
        share = f"{speed:.0f} MB/s, {speed / bare:.0%} of slicing and making the chunks ({bare:.0f} MB/s)"
        label = "pincite characters at least 100 MB/s, or bound by memory"
        print(f"| {label} | {share} | {_met(speed, FASTEST_CHARACTERS)} | – | – |")
    print(FAIRNESS)


def _figure(speeds: Speeds, target: Target, row: str) -> list[str]:
    ratios = speeds.ratios(row, target.other, target.on)
    if not ratios:
        return ["not measured", ""]
    ratio = statistics.median(ratios)
    return [f"{ratio:.2f} ({min(ratios):.2f}–{max(ratios):.2f})", _met(ratio, target.factor)]


def _met(value: float, wanted: float | None) -> str:
    return "" if wanted is None else "yes" if value >= wanted else "no"
