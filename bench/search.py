"""Search at 200,000 chunks: recall, processor time, memory, updates; beside LanceDB where that is installed.

Usage: python bench/search.py FOLDER [--chunks 200000] [--queries 30] [--updates 1000]

FOLDER keeps what is built (about 3 GB) for the next run; an index that the updates of an earlier run have changed is
made again from a copy. Words are as frequent as in the texts of ``../shared/data``. All in one process by processor
time, engines in random order within each query; what a fresh process takes, in one. Ends with 1 where a promise is
not kept.
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
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parent.parent))
sys.path.insert(0, str(Path(__file__).parent.parent / "src"))

from bench.search_engines import TOP, Engine, Filter, Lance, Pincite, Place
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--chunks", type=int, default=200_000)
    parser.add_argument("--queries", type=int, default=30)
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
    promises: list[tuple[str, bool]] = []
    compare(engines, rows, documents, options.queries, promises)
    before = in_a_fresh_process(home, options)
    print(
        f"fresh process: first hybrid {before['first']:.0f} ms, then {before['hybrid']:.1f}; {before['memory']:.0f} MB"
    )
    promises.append((f"searching process {before['memory']:.0f} MB under {MEMORY_MB}", before["memory"] < MEMORY_MB))
    update(home, rows, documents, options, before, promises)
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


def compare(engines: list[Engine], rows: Rows, documents: int, number: int, promises: list[tuple[str, bool]]) -> None:
    queries = list(rows.queries(number))
    truth = exact(rows, documents, np.stack([vector for _, vector in queries]))
    print(f"{'':14}{'engine':10}{'recall@10':>10}{'dense ms':>10}{'hybrid ms':>10}{'p95':>8}   (processor time)")
    for label, where in CLASSES.items():
        dense: Times = {engine.name: [] for engine in engines}
        hybrid: Times = {engine.name: [] for engine in engines}
        recall: Times = {engine.name: [] for engine in engines}
        for index, (terms, vector) in enumerate(queries):
            for engine in random.Random(index).sample(engines, len(engines)):
                spent, found = timed(engine.dense, vector, where)
                dense[engine.name].append(spent)
                recall[engine.name].append(len(set(found) & truth[label][index]) / len(truth[label][index]))
                hybrid[engine.name].append(timed(engine.hybrid, terms, vector, where)[0])
        medians = {engine.name: float(np.median(hybrid[engine.name])) for engine in engines}
        for engine in engines:
            figures = np.mean(recall[engine.name]), np.median(dense[engine.name]), medians[engine.name]
            p95 = np.percentile(hybrid[engine.name], 95)
            print(f"{label:14}{engine.name:10}{figures[0]:10.3f}{figures[1]:10.1f}{figures[2]:10.1f}{p95:8.1f}")
        ours = float(np.mean(recall["pincite"]))
        promises.append((f"{label}: recall@10 {ours:.3f} at least .99", ours >= 0.99))
        if label in HYBRID_MS:
            limit = HYBRID_MS[label]
            promises.append(
                (f"{label}: hybrid {medians['pincite']:.1f} ms at most {limit}", medians["pincite"] <= limit)
            )
        if "lancedb" in medians:
            share = medians["pincite"] / medians["lancedb"]
            promises.append((f"{label}: {share:.2f} of LanceDB's time, at most 0.67", share <= SHARE_OF_LANCE))


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
    unfiltered = float(np.median(times[:: len(CLASSES)]))
    return {"first": first, "hybrid": unfiltered, "all": float(np.sum(times)), "memory": memory_mb()}


def memory_mb() -> float:
    """The most that was resident, Linux only; elsewhere not a number, which keeps no promise."""
    status = Path("/proc/self/status")
    if not status.exists():
        return float("nan")
    (line,) = (line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def in_a_fresh_process(home: Path, options: argparse.Namespace) -> dict[str, float]:
    command = [sys.executable, __file__, options.folder, "--queries", options.queries, "--child", home]
    done = subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True)
    result: dict[str, float] = json.loads(done.stdout)
    return result


def replace(store: SqliteStore, entry: Entry) -> None:
    with store.writer() as writer:
        writer.put(entry)


def update(
    home: Path,
    rows: Rows,
    documents: int,
    options: argparse.Namespace,
    before: dict[str, float],
    promises: list[tuple[str, bool]],
) -> None:
    """Replaces one document after another, each in a writing session of its own, in a copy of the index."""
    copy = home.with_name(f"{home.name}-updated")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(home, copy)
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
    here = float(np.median([timed(same.hybrid, *query, None)[0] for query in queries]))
    after = in_a_fresh_process(copy, options)
    print(f"after them: {here:.1f} ms; fresh process: first {after['first']:.0f} ms, then {after['hybrid']:.1f}")
    for label, value, old in (
        ("hybrid", here, before["hybrid"]),
        ("hybrid in a fresh process", after["hybrid"], before["hybrid"]),
        ("first query of a fresh process", after["first"], before["first"]),
    ):
        text = f"{label} after {options.updates} updates {value:.1f} ms, within 1.5 times of {old:.1f}"
        promises.append((text, value <= GROWTH * old))


def with_one_thread() -> None:
    """Starts this script anew: idle threads of a BLAS spin, which would count, and read their number once."""
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    if any(os.environ.get(name) != "1" for name in names):
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **dict.fromkeys(names, "1")})


if __name__ == "__main__":
    with_one_thread()
    sys.exit(main())
