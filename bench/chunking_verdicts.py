"""The table of invariants: how often each row breaks each of them over a corpus, with examples of pincite's own."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from bench.chunking_corpus import Text
from bench.chunking_invariants import COLUMNS, Finding, applicable, check
from bench.chunking_rows import Cut, Item, Row, forget, own_cuts, own_row, prepared, strategies
from bench.chunking_truth import Truth, read

from pincite import catalogue

EXAMPLES = 3
REPEATED_EVERY = 20
SHRINKING_SECONDS = 20.0
SHORT_ENOUGH = 3000
STRUCTURE: dict[str, dict[str, Any]] = {
    "default: 400, o200k_base": {},
    "512, min 0": {"max_tokens": 512, "min_tokens": 0, "counter": "cl100k_base"},
    "100": {"max_tokens": 100, "counter": "cl100k_base"},
    "24": {"max_tokens": 24, "counter": "cl100k_base"},
}
"""Further settings of ``structure``; small limits put it under stress."""
SMALL_TOKENS, SMALL_CHARACTERS = 24, 80


@dataclass(slots=True)
class Verdict:
    row: Row
    bytes: int = 0
    chunks: int = 0
    raised: int = 0
    errors: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    totals: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[tuple[Item, Finding, Cut | None]]] = field(default_factory=dict)

    @property
    def broken(self) -> bool:
        """Whether a strategy of pincite's broke what it promises; peers only show how they compare."""
        return self.row.own and (self.raised > 0 or self.counts.total() > 0)


def stress_rows() -> list[Row]:
    """The default strategy in further settings, and every strategy with a small limit; the last see the sample."""
    traits = catalogue.traits(catalogue.find("chunk", "structure"))
    rows = [
        own_row(f"pincite structure, {name}", "structure", catalogue.create("chunk", "structure", options), traits)
        for name, options in STRUCTURE.items()
    ]
    small, _ = strategies(tokens=SMALL_TOKENS, characters=SMALL_CHARACTERS, note=", small")
    return rows + [replace(row, slow=True) for row in small if row.limit]


def judge(row: Row, items: Sequence[Item], truths: Sequence[Truth]) -> Verdict:
    verdict = Verdict(row)
    cut = cutting(row)
    for number, (item, truth) in enumerate(zip(items, truths, strict=True)):
        verdict.bytes += len(item.data)
        try:
            cuts = cut(item)
            again = cut(item) if number % REPEATED_EVERY == 0 else cuts
        except Exception as error:  # a fault is a figure, not the end of the run
            verdict.raised += 1
            verdict.errors.append(f"{item.document.id}: {type(error).__name__}: {error}")
            continue
        result = check(truth, cuts, row)
        findings = result.findings
        if again != cuts:
            findings.append(Finding("order", -1, "another result the second time"))
        verdict.chunks += result.chunks
        verdict.totals.update(result.totals)
        for finding in findings:
            verdict.counts[finding.column] += 1
            examples = verdict.examples.setdefault(finding.column, [])
            if len(examples) < EXAMPLES:
                examples.append((item, finding, cuts[finding.chunk] if finding.chunk >= 0 else None))
    forget(items)
    return verdict


def cutting(row: Row) -> Callable[[Item], list[Cut]]:
    if row.chunker:
        chunker = row.chunker
        return lambda item: own_cuts(chunker.chunk(item.document))
    work, cuts = row.make(), row.cuts
    assert cuts
    return lambda item: cuts(work(item))


def print_verdicts(verdicts: Sequence[Verdict], missing: dict[str, str]) -> None:
    print("| chunker | MB seen | chunks | raised | " + " | ".join(COLUMNS.values()) + " |")
    print("|---" * (4 + len(COLUMNS)) + "|")
    for verdict in verdicts:
        keys = applicable(verdict.row)
        cells = [_cell(verdict, key) if key in keys else "–" for key in COLUMNS]
        figures = f"{verdict.bytes / 1e6:.2f} | {verdict.chunks} | {verdict.raised}"
        print(f"| {verdict.row.name} | {figures} | {' | '.join(cells)} |")
    for name, reason in missing.items():
        print(f"| {name} | {reason} |" + " |" * (2 + len(COLUMNS)))


def _cell(verdict: Verdict, key: str) -> str:
    count = verdict.counts[key]
    if key == "offsets" and verdict.totals["no offset"]:
        none = verdict.totals["no offset"]
        return "none offered" if none == verdict.chunks else f"{count} ({none} have none)"
    return f"{count}/{verdict.totals[key]}" if key in ("fence", "block", "table") or verdict.totals[key] else str(count)


def print_examples(verdicts: Sequence[Verdict]) -> bool:
    """What pincite breaks, with the smallest input found that shows it; whether there is anything."""
    broken = [verdict for verdict in verdicts if verdict.broken]
    for verdict in broken:
        for error in verdict.errors[:EXAMPLES]:
            print(f"\n{verdict.row.name} raised: {error[:300]}")
        for key, examples in verdict.examples.items():
            print(f"\n{verdict.row.name}: {COLUMNS[key]}, {verdict.counts[key]} times")
            for item, finding, cut in examples:
                where = f" [{cut.start}, {cut.end})" if cut else ""
                print(f"  {item.document.id}, chunk {finding.chunk + 1}{where}: {finding.why[:300]}")
            print(f"  smallest input: {smallest(examples[0][0].text, verdict.row, key)!r}")
    return bool(broken)


def smallest(text: str, row: Row, column: str) -> str:
    """The text with lines and characters taken away as long as the same column is still broken."""
    end = time.process_time() + SHRINKING_SECONDS

    def breaks(shorter: str) -> bool:
        items, _ = prepared([Text("", "smallest.md", shorter)])
        if not items:
            return False
        try:
            cuts = cutting(row)(items[0])
        except Exception:  # another fault than the one that is looked for
            return False
        return any(finding.column == column for finding in check(read(shorter), cuts, row).findings)

    parts = _reduced(text.splitlines(keepends=True), breaks, end)
    parts = _reduced([word for line in parts for word in re.findall(r"\S*\s*", line) if word], breaks, end)
    if sum(map(len, parts)) < SHORT_ENOUGH:
        parts = _reduced(list("".join(parts)), breaks, end)
    return "".join(parts)


def _reduced(parts: list[str], breaks: Callable[[str], bool], end: float) -> list[str]:
    size = max(1, len(parts) // 2)
    while size and time.process_time() < end:
        start = 0
        while start < len(parts) and time.process_time() < end:
            shorter = parts[:start] + parts[start + size :]
            if shorter and breaks("".join(shorter)):
                parts = shorter
            else:
                start += size
        size //= 2
    return parts
