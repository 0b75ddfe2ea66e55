"""Chunking: speed, scaling and invariants of every strategy, side by side with other packages' chunkers.

Usage: python bench/chunking.py [--megabytes 20] [--sample 2] [--rounds 5] [--only WORD …] [--quick]

All in one process, by processor time, in rounds of random order; ratios count, not single figures. Words for ``--only``
that are names of tables (speed, scaling, invariants) choose tables, others rows that have the word in their name. Peers
that are not installed are rows without figures. Ends with 1 where pincite breaks an invariant.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from bench import chunking_corpus as corpus
from bench import chunking_scaling as scaling
from bench import chunking_speed as speed
from bench import chunking_verdicts as verdicts
from bench.chunking_peers import peers
from bench.chunking_rows import Item, Row, installed, limits, prepared, strategies, with_loading
from bench.chunking_truth import read

from pincite.chunk import ruler

TABLES = ("speed", "scaling", "invariants")
LOADED_TOO = ("pincite structure", "pincite headings-capped")
SIZES = (1.0, 5.0, 20.0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=float, default=20.0, help="of the corpus")
    parser.add_argument("--sample", type=float, default=2.0, help="megabytes of it that slow peers see")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="*", default=[], metavar="WORD", help="tables, or parts of rows' names")
    parser.add_argument("--quick", action="store_true", help="2 MB, sample 0.5 MB, 2 rounds, documents up to 4 MB")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # other packages' deprecations
    if options.child:
        scaling.child()
        return 0
    if options.quick:
        options.megabytes, options.sample, options.rounds = 2.0, 0.5, 2
    tables = [table for table in TABLES if table in options.only] or TABLES
    words = [word for word in options.only if word not in TABLES]
    texts = corpus.build(options.megabytes)
    compiled = not ruler.__file__.endswith(".py")
    print(f"pincite's chunking is {'compiled' if compiled else 'plain Python (make compiled: the compiled one)'}\n")
    print("== Corpus ==\n", flush=True)
    corpus.print_make_up(texts)
    own, missing = strategies()
    there, not_there = installed([*limits(), *peers()])
    missing |= not_there
    items, refused = prepared(texts.texts)
    for line in refused:
        print(f"refused by the loader: {line}")
    sample, _ = prepared(texts.sample(options.sample))
    chosen = Chosen(own, there, missing, words)
    if "speed" in tables:
        print_speed(chosen, items, sample, options.rounds)
    if "scaling" in tables:
        print_scaling(chosen, texts.texts, [size / 5 for size in SIZES] if options.quick else SIZES)
    return int("invariants" in tables and print_invariants(chosen, items, sample))


class Chosen:
    """The rows that were asked for."""

    def __init__(self, own: list[Row], others: list[Row], missing: dict[str, str], words: list[str]) -> None:
        self.words = words
        self.own = [row for row in own if self.wanted(row.name)]
        self.others = [row for row in others if self.wanted(row.name)]
        self.missing = {name: reason for name, reason in missing.items() if self.wanted(name)}

    def wanted(self, name: str) -> bool:
        return not self.words or any(word in name for word in self.words)


def print_speed(chosen: Chosen, items: list[Item], sample: list[Item], rounds: int) -> None:
    print("\n== Speed ==\n", flush=True)
    loaded = [with_loading(row) for row in chosen.own if row.name in LOADED_TOO]
    rows = [*chosen.own, *loaded, *chosen.others]
    speeds = speed.measure(rows, items, sample, rounds=rounds)
    speed.print_speeds(rows, speeds, chosen.missing)
    print("\n== Targets of speed ==\n")
    speed.print_targets(speeds)


def print_scaling(chosen: Chosen, texts: list[corpus.Text], sizes: list[float] | tuple[float, ...]) -> None:
    print("\n== Scaling ==", flush=True)
    names = [row.name for row in chosen.own if not row.slow]
    names += [row.name for row in chosen.others if row.name in scaling.PEERS]
    for variant, costs in scaling.measure(texts, sizes, names):
        scaling.print_costs(variant, costs)


def print_invariants(chosen: Chosen, items: list[Item], sample: list[Item]) -> bool:
    """Whether pincite breaks one."""
    print("\n== Invariants ==\n", flush=True)
    stress = [row for row in verdicts.stress_rows() if chosen.wanted(row.name)]
    rows = [*chosen.own, *stress, *(row for row in chosen.others if row.cuts)]
    truths = {id(item): read(item.text) for item in [*items, *sample]}
    found = []
    for row in rows:
        some = sample if row.slow else items
        found.append(verdicts.judge(row, some, [truths[id(item)] for item in some]))
    verdicts.print_verdicts(found, chosen.missing)
    return verdicts.print_examples(found)


if __name__ == "__main__":
    sys.exit(main())
