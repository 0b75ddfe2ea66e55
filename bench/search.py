"""Search at 200,000 chunks: recall, processor time, memory, updates; beside LanceDB and Qdrant Edge where these are
installed.

Usage: python bench/search.py FOLDER [--chunks 200000] [--queries 30] [--rounds 5] [--updates 1000]

FOLDER keeps what is built (about 5 GB) for the next run; an index that the updates of an earlier run have changed is
made again from a copy. Words are as frequent as in the texts of ``../shared/data``. All in one process by processor
time of all its threads, engines in random order within each query; each round asks every query once, and its figure is
the median of these. What is printed is the median of the rounds, with the least and the most of them in brackets. What
a fresh process takes, in one, as often. Ends with 1 where a promise is not kept.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parent.parent))
sys.path.insert(0, str(Path(__file__).parent.parent / "src"))

from bench.search_engines import TOP, Engine, Filter, Lance, Pincite, Place
from bench.search_ranking import MOST_TIMES, print_ranking
from bench.search_rows import CHUNKS, Rows

from pincite.ports import Entry
from pincite.store.sqlite import SqliteStore

Result = TypeVar("Result")
DATA = Path(__file__).parent.parent.parent / "shared" / "data"
CLASSES: dict[str, Filter] = {
    "no filter": None,
    "10 %": ("tenth", 3),
    "1 %": ("percent", 3),
    "0.1 %": ("thousandth", 3),
    "1 % by topic": ("topic", 3),
}
HYBRID_MS = {"no filter": 35.0, "10 %": 20.0, "1 %": 8.0}
SHARE_OF_LANCE = 2 / 3
GROWTH = 1.5
MEMORY_MB = 300
UPDATE_MS = 30.0
Times = dict[str, list[float]]
Promise = tuple[str, bool]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--chunks", type=int, default=200_000)
    parser.add_argument("--queries", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--updates", type=int, default=1000)
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    rows, documents = Rows(DATA), options.chunks // CHUNKS
    if options.child:
        print(json.dumps(fresh(options.child, rows, options.queries)))
        return 0
    home = options.folder / f"pincite-{documents}"
    if not home.exists():
        build(home, rows, documents)
    engines: list[Engine] = [Pincite(SqliteStore(path=home))]
    if importlib.util.find_spec("lancedb"):
        engines.append(Lance.opened(options.folder / f"lance-{documents}", rows, documents))
    if importlib.util.find_spec("qdrant_edge"):
        from bench.search_qdrant import Qdrant

        engines.append(Qdrant.opened(options.folder / f"qdrant-{documents}", rows, documents))
    promises: list[Promise] = []
    compare(engines, rows, documents, options, promises)
    times = print_ranking(SqliteStore(path=home), list(rows.queries(options.queries)), options.rounds)
    promises.append((f"scores in context, joined: {times:.2f} times the plain ranking, at most 2", times <= MOST_TIMES))
    before = in_fresh_processes(home, options)
    print("fresh process: " + "; ".join(f"{name} {shown(values)}" for name, values in before.items()))
    most = max(before["memory MB"])
    promises.append((f"searching process {most:.0f} MB under {MEMORY_MB}", most < MEMORY_MB))
    update(home, rows, documents, options, promises)
    for text, kept in promises:
        print("PASS" if kept else "FAIL", text)
    return 0 if all(kept for _, kept in promises) else 1


def build(home: Path, rows: Rows, documents: int) -> None:
    spent = 0.0
    with SqliteStore(path=home, create=True).writer() as writer:
        for number in range(documents):
            entry = rows.entry(number)
            spent += timed(writer.put, entry)[0]
    size = sum(file.stat().st_size for file in home.rglob("*") if file.is_file())
    print(f"built {documents * CHUNKS} chunks: {spent / 1000:.0f} s of processor time, {size / 1e6:.0f} MB")


def timed(work: Callable[..., Result], *arguments: Any) -> tuple[float, Result]:
    """Milliseconds of processor time, and what came of them."""
    start = time.process_time()
    result = work(*arguments)
    return (time.process_time() - start) * 1000, result


def compare(
    engines: list[Engine], rows: Rows, documents: int, options: argparse.Namespace, promises: list[Promise]
) -> None:
    queries = list(rows.queries(options.queries))
    truth = exact(rows, documents, np.stack([vector for _, vector in queries]))
    print(f"{'':14}{'engine':12}{'recall@10':>9}{'dense ms':>20}{'hybrid ms':>20}   (processor time)")
    for label, where in CLASSES.items():
        figures = {engine.name: Figures() for engine in engines}
        for number in range(options.rounds):
            one_round(engines, queries, truth[label], where, figures, random.Random(number))
        for name, found in figures.items():
            recall = float(np.mean(found.recall))
            print(f"{label:14}{name:12}{recall:9.3f}{shown(found.dense):>20}{shown(found.hybrid):>20}")
        ours = figures["pincite"]
        recall, hybrid = float(np.mean(ours.recall)), float(np.median(ours.hybrid))
        promises.append((f"{label}: recall@10 {recall:.3f} at least .99", recall >= 0.99))
        if label in HYBRID_MS:
            limit = HYBRID_MS[label]
            promises.append((f"{label}: hybrid {shown(ours.hybrid)} ms at most {limit}", hybrid <= limit))
        if "lancedb" in figures:
            shares = [one / other for one, other in zip(ours.hybrid, figures["lancedb"].hybrid, strict=True)]
            kept = float(np.median(shares)) <= SHARE_OF_LANCE
            promises.append((f"{label}: {shown(shares, 2)} of LanceDB's time, at most 0.67", kept))


@dataclass
class Figures:
    """Of one engine under one filter: a median of milliseconds for each round, the recall of each query."""

    dense: list[float] = field(default_factory=list)
    hybrid: list[float] = field(default_factory=list)
    recall: list[float] = field(default_factory=list)


def one_round(
    engines: list[Engine],
    queries: list[tuple[list[str], NDArray[np.float32]]],
    truth: list[set[Place]],
    where: Filter,
    figures: dict[str, Figures],
    chance: random.Random,
) -> None:
    dense: Times = {engine.name: [] for engine in engines}
    hybrid: Times = {engine.name: [] for engine in engines}
    for (terms, vector), best in zip(queries, truth, strict=True):
        for engine in chance.sample(engines, len(engines)):
            spent, found = timed(engine.dense, vector, where)
            dense[engine.name].append(spent)
            figures[engine.name].recall.append(len(set(found) & best) / len(best))
            hybrid[engine.name].append(timed(engine.hybrid, terms, vector, where)[0])
    for name, values in figures.items():
        values.dense.append(float(np.median(dense[name])))
        values.hybrid.append(float(np.median(hybrid[name])))


def shown(values: list[float], digits: int = 1) -> str:
    low, high = min(values), max(values)
    return f"{np.median(values):.{digits}f} ({low:.{digits}f}-{high:.{digits}f})"


def exact(rows: Rows, documents: int, queries: NDArray[np.float32]) -> dict[str, list[set[Place]]]:
    """The ten best of each query under each filter, by scoring everything."""
    scores = np.empty((documents * CHUNKS, len(queries)), dtype=np.float32)
    for number in range(documents):
        scores[number * CHUNKS : (number + 1) * CHUNKS] = rows.vectors(number) @ queries.T
    numbers = np.repeat(np.arange(documents), CHUNKS)
    fields = {"tenth": numbers % 10, "percent": numbers % 100, "thousandth": numbers % 1000}
    fields["topic"] = np.repeat([rows.topic(number) for number in range(documents)], CHUNKS)
    result = {}
    for label, where in CLASSES.items():
        allowed = np.arange(len(scores)) if where is None else np.flatnonzero(fields[where[0]] == where[1])
        best = [allowed[np.argsort(-scores[allowed, index])[:TOP]] for index in range(len(queries))]
        result[label] = [{(int(row) // CHUNKS, int(row) % CHUNKS + 1) for row in found} for found in best]
    return result


def fresh(home: Path, rows: Rows, number: int) -> dict[str, float]:
    """What the first and the later queries take, and the memory at the end of them."""
    engine = Pincite(SqliteStore(path=home))
    queries = list(rows.queries(number))
    first = timed(engine.hybrid, *queries[0], None)[0]
    times = [timed(engine.hybrid, terms, vector, where)[0] for terms, vector in queries for where in CLASSES.values()]
    others = [timed(engine.hybrid, *queries[0], ("percent", value))[0] for value in range(50, 70)]
    return {
        "first ms": first,
        "hybrid ms": float(np.median(times[:: len(CLASSES)])),
        "first of a filter ms": float(np.median(others)),
        "memory MB": memory_mb(),
    }


def memory_mb() -> float:
    """The most that was resident, Linux only; elsewhere not a number, which keeps no promise."""
    status = Path("/proc/self/status")
    if not status.exists():
        return float("nan")
    (line,) = (line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def in_fresh_processes(home: Path, options: argparse.Namespace) -> dict[str, list[float]]:
    """One after the other, as many as there are rounds."""
    command = [sys.executable, __file__, options.folder, "--queries", options.queries, "--child", home]
    figures: dict[str, list[float]] = {}
    for _ in range(options.rounds):
        done = subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True)
        for name, value in json.loads(done.stdout).items():
            figures.setdefault(name, []).append(value)
    return figures


def replace(store: SqliteStore, entry: Entry) -> None:
    with store.writer() as writer:
        writer.put(entry)


def update(
    home: Path,
    rows: Rows,
    documents: int,
    options: argparse.Namespace,
    promises: list[Promise],
) -> None:
    """Replaces one document after another, each in a writing session of its own, in a copy of the index."""
    copy = home.with_name(f"{home.name}-updated")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(home, copy)
    before = in_fresh_processes(copy, options)  # a copy is laid out otherwise in the system's memory
    others, chance, times = Rows(rows.data, seed=1), random.Random(1), []
    store, same = SqliteStore(path=copy), Pincite(SqliteStore(path=copy))
    for _ in range(options.updates):
        entry = others.entry(chance.randrange(documents))
        times.append(timed(replace, store, entry)[0])
    middle, mean, p95 = float(np.median(times)), float(np.mean(times)), float(np.percentile(times, 95))
    print(f"replacing one document: {middle:.1f} ms median, {mean:.1f} mean, {p95:.1f} p95, {max(times):.0f} at most")
    promises.append(
        (f"replacing one document {mean:.1f} ms under {UPDATE_MS:.0f} (mean, merges too)", mean < UPDATE_MS)
    )
    queries = list(rows.queries(options.queries))
    same.hybrid(*queries[0], None)
    here = [float(np.median([timed(same.hybrid, *query, None)[0] for query in queries])) for _ in range(options.rounds)]
    after = in_fresh_processes(copy, options)
    print("after them, fresh process: " + "; ".join(f"{name} {shown(values)}" for name, values in after.items()))
    for label, values, old in (
        ("hybrid", here, before["hybrid ms"]),
        ("hybrid in a fresh process", after["hybrid ms"], before["hybrid ms"]),
        ("first query of a fresh process", after["first ms"], before["first ms"]),
    ):
        text = f"{label} after {options.updates} updates {shown(values)} ms, within 1.5 times of {shown(old)}"
        promises.append((text, float(np.median(values)) <= GROWTH * float(np.median(old))))


def with_one_thread() -> None:
    """Starts this script anew: idle threads of a BLAS spin, which would count, and read their number once."""
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    if any(os.environ.get(name) != "1" for name in names):
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **dict.fromkeys(names, "1")})


if __name__ == "__main__":
    with_one_thread()
    sys.exit(main())
