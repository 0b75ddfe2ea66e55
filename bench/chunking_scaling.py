"""Cost and memory of one large document, by its size: each strategy and size in a process of its own.

A child process reads one text and forks for each row, so that every row starts from the same memory; the fork loads
the text, cuts it and keeps the chunks. Peak memory is the resident set over that before loading, as a multiple of the
text's UTF-8 bytes; the text itself is four bytes a character in Python as soon as it has one emoji.
"""

from __future__ import annotations

import gc
import json
import math
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from bench.chunking_corpus import Text
from bench.chunking_peers import peers
from bench.chunking_rows import Item, Row, forget, strategies

from pincite.load.markdown import MarkdownLoader
from pincite.model import Document, Source

MOST_SECONDS = 90
SHORTEST_SECONDS = 0.5
PEERS = (
    "LangChain Recursive",
    "LangChain TokenText (tiktoken)",
    "LangChain MarkdownHeader",
    "LangChain MarkdownHeader+Recursive (bpe-openai)",
    "semantic-text-splitter Markdown (bpe-openai)",
    "semchunk, characters",
)
PEERS_AT = ("as it is", "one heading")
LONGEST = 300_000
"""Longer documents are left out, in bytes: one would be a fifth of the smallest size."""
EXPONENT, MULTIPLE = 1.1, 12.0
PAGE = resource.getpagesize()

VARIANTS: dict[str, tuple[Callable[[str], str], str]] = {
    "as it is": (lambda text: text, "\n\n"),
    "no blank line": (lambda text: re.sub(r"\n\s*\n", "\n", text.replace("|", "/")), "\n"),
    "one heading": (lambda text: re.sub(r"(?m)^\s*(?:#+|=+\s*$|-+\s*$)", "", text), "\n\n"),
    "one line": (lambda text: " ".join(text.split()), " "),
    "no white space": (lambda text: "".join(text.split()), ""),
}
"""What is done to each document, and what comes between them. Lines without blank ones between them must not become
the rows of one table, which the loader refuses."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one row and size. Memory in bytes: ``loading_peak`` and ``loaded`` over the start, at most and in the end, and
    ``peak`` of chunking over what is loaded."""

    row: str
    size: int
    seconds: float = math.nan
    loading: float = math.nan
    peak: float = 0
    loading_peak: float = 0
    loaded: float = 0
    failed: str = ""


def document_of(texts: Sequence[Text], size: int, variant: str) -> str:
    """Documents in a row up to that many bytes of UTF-8, made into the variant."""
    change, joint = VARIANTS[variant]
    parts: list[str] = []
    total = 0
    while total < size:  # a small corpus comes round again
        for text in texts:
            parts.append(change(text.text))
            total += len(parts[-1].encode()) + len(joint)
            if total >= size:
                break
    opening = {"one heading": "# Only\n\n", "one line": "Words, and no heading: "}.get(variant, "")
    return (opening + joint.join(parts)).encode()[:size].decode("utf-8", "ignore")


def measure(texts: Sequence[Text], sizes: Sequence[float], rows: Sequence[str]) -> Iterator[tuple[str, list[Cost]]]:
    """The costs of one variant after the other; the sizes are megabytes. A row that fails at a size is not tried at
    the larger ones."""
    texts = [text for text in texts if text.bytes < LONGEST]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "document.md"
        for variant in VARIANTS:
            costs: list[Cost] = []
            for megabytes in sizes:
                file.write_bytes(document_of(texts, int(megabytes * 1e6), variant).encode())
                with_peers = variant in PEERS_AT and megabytes in sizes[:2]
                failed = {cost.row for cost in costs if cost.failed}
                names = [name for name in rows if name not in failed and (with_peers or name.startswith("pincite"))]
                done = subprocess.run(
                    [sys.executable, "-W", "ignore", str(Path(__file__).with_name("chunking.py")), "--child"],
                    input=json.dumps({"file": str(file), "rows": names}),
                    capture_output=True,
                    encoding="utf-8",
                    check=True,
                )
                costs += [Cost(**cost) for cost in json.loads(done.stdout)]
            yield variant, costs


def child() -> None:
    """Reads a task from stdin and prints the costs of its rows."""
    task = json.load(sys.stdin)
    known = {row.name: row for row in [*strategies()[0], *peers()]}
    small = _item(b"# A\n\nSome text, and more of it.\n")
    works: list[tuple[Row, Callable[[Item], Any]]] = []
    for name in task["rows"]:
        try:
            work = known[name].make()
            work(small)
            works.append((known[name], work))
        except ImportError:
            continue
    data = Path(task["file"]).read_bytes()
    gc.collect()
    gc.freeze()
    print(json.dumps([asdict(_cost(row, work, data)) for row, work in works]))


def _text_only(data: bytes) -> Item:
    """What a peer starts from."""
    text = data.decode()
    return Item(text, Document(id="document.md", source="", media_type="text/markdown", text=""), data, ())


def _item(data: bytes) -> Item:
    document = MarkdownLoader().load(Source("document.md", data))
    return Item(document.text, document, data, ())


def _forked(run: Callable[[], dict[str, float]]) -> dict[str, float] | str:
    """What the function gives in a process of its own, or why it gives nothing."""
    reading, writing = os.pipe()
    process = os.fork()
    if not process:
        os.close(reading)
        resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS + 1))
        answer: dict[str, float] | str
        try:
            answer = run()
        except BaseException as error:  # a forked process must not go on in its parent's code
            answer = f"{type(error).__name__}: {error}"[:200]
        os.write(writing, json.dumps(answer).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        sent = pipe.read()
    os.waitpid(process, 0)
    return json.loads(sent) if sent else f"over {MOST_SECONDS} s"


def _cost(row: Row, work: Callable[[Item], Any], data: bytes) -> Cost:
    """Loading in one process, chunking in a fork of it, whose peak of memory begins at what is loaded."""

    def whole() -> dict[str, float]:
        before = _resident()
        start = time.process_time()
        item = _item(data) if row.own else _text_only(data)
        loading = time.process_time() - start
        gc.collect()
        loading_peak, loaded = _peak() - before, _resident() - before
        chunking = _forked(lambda: _chunking(row, work, item))
        if isinstance(chunking, str):
            raise RuntimeError(chunking)
        return {"loading": loading, "loading_peak": loading_peak, "loaded": loaded, **chunking}

    answer = _forked(whole)
    if isinstance(answer, str):
        return Cost(row.name, len(data), failed=answer.removeprefix("RuntimeError: "))
    return replace(Cost(row.name, len(data)), **answer)  # type: ignore[arg-type] # its fields that are figures


def _chunking(row: Row, work: Callable[[Item], Any], item: Item) -> dict[str, float]:
    before = _resident()
    chunker = row.chunker
    start = time.process_time()
    kept = list(chunker.chunk(item.document)) if chunker else work(item)
    seconds = time.process_time() - start
    peak = _peak() - before
    del kept
    repeats = int(SHORTEST_SECONDS / max(seconds, 0.001))
    if repeats:  # small documents many times, for a steady figure
        total = 0.0
        for _ in range(repeats):
            forget([item])
            start = time.process_time()
            work(item)
            total += time.process_time() - start
        seconds = total / repeats
    return {"seconds": seconds, "peak": peak}


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * PAGE


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def print_costs(variant: str, costs: Sequence[Cost]) -> None:
    sizes = sorted({cost.size for cost in costs})
    heads = " | ".join(f"{size / 1e6:.1f} MB" for size in sizes)
    memory = "loading, peak | loaded | chunking, peak over that | all, peak | chunking at most 12 | all at most 12"
    print(f"\nOne document, {variant}: seconds of processor time; memory as a multiple of the document\n")
    print(f"| row | {heads} | exponent | at most 1.1 | {memory} |")
    print("|---" * (len(sizes) + 9) + "|")
    for name in dict.fromkeys(cost.row for cost in costs):
        own = {cost.size: cost for cost in costs if cost.row == name}
        print(f"| {name} | " + " | ".join(_seconds(own.get(size)) for size in sizes) + f" | {_rest(own)} |")
    loading = [_loading([cost for cost in costs if cost.size == size]) for size in sizes]
    print(f"| (loading Markdown) | {' | '.join(loading)} | | | | | | | | |", flush=True)


def _seconds(cost: Cost | None) -> str:
    if not cost:
        return "–"
    return cost.failed or f"{cost.seconds:.3g}"


def _loading(costs: Sequence[Cost]) -> str:
    own = [cost.loading for cost in costs if cost.row.startswith("pincite") and not cost.failed]
    return f"{min(own):.3g}" if own else "–"


def _rest(costs: dict[int, Cost]) -> str:
    good = [cost for cost in costs.values() if not cost.failed]
    if not good:
        return "– | | | | | | | "
    largest = max(good, key=lambda cost: cost.size)
    power = exponent([(cost.size, cost.seconds) for cost in good])
    judged = largest.row.startswith("pincite")
    whole = max(largest.loading_peak, largest.loaded + largest.peak) / largest.size
    parts = (largest.loading_peak / largest.size, largest.loaded / largest.size, largest.peak / largest.size, whole)
    memory = " | ".join(f"{part:.1f} ×" for part in parts)
    verdicts = [power <= EXPONENT, largest.peak / largest.size <= MULTIPLE, whole <= MULTIPLE]
    all_sizes = len(good) == len(costs)
    fits = [("yes" if verdict and all_sizes else "no") if judged else "" for verdict in verdicts]
    return f"{power:.2f} | {fits[0]} | {memory} | {fits[1]} | {fits[2]}"


def exponent(points: Sequence[tuple[float, float]]) -> float:
    """The slope of the line through the logarithms of sizes and seconds, by least squares.

    >>> round(exponent([(1, 2.0), (2, 8.0), (4, 32.0)]), 2)
    2.0
    """
    if len(points) < 2:
        return math.nan
    logs = [(math.log(size), math.log(max(seconds, 1e-6))) for size, seconds in points]
    mean_x = sum(x for x, _ in logs) / len(logs)
    mean_y = sum(y for _, y in logs) / len(logs)
    return sum((x - mean_x) * (y - mean_y) for x, y in logs) / sum((x - mean_x) ** 2 for x, _ in logs)
