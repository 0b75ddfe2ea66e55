"""Sync: what an unchanged folder costs, what one changed document costs, and how much of adding is embedding.

Usage: python bench/sync.py [--documents 10000] [--added 300] [--rounds 3] [--quick]

Times are processor time of the process that embeds and writes; files are loaded in others beside it. Raw throughput is
that of the embedder alone over the same texts, measured in turn with adding. Ends with 1 where a limit is missed.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pincite import catalogue
from pincite.config import Component, Settings
from pincite.engine import Collection
from pincite.ports import Embedder, Vector, Vectors

REPOSITORY = Path(__file__).parent.parent
UNCHANGED_SECONDS = 5.0
ONE_CHANGED_SECONDS = 1.0
EMBEDDING_SHARE = 0.9


@dataclass
class Timed:
    """An embedder that knows how long it has worked, and on what."""

    inner: Embedder
    texts: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def __post_init__(self) -> None:
        self.name, self.dimension = self.inner.name, self.inner.dimension
        self.max_tokens, self.fingerprint = self.inner.max_tokens, self.inner.fingerprint

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.texts.extend(texts)
        start = time.process_time()
        vectors = self.inner.embed(texts)
        self.seconds += time.process_time() - start
        return vectors

    def embed_query(self, text: str) -> Vector:
        return self.inner.embed_query(text)

    def count(self, text: str) -> int:
        return self.inner.count(text)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=10_000, help="of the folder that is synced")
    parser.add_argument("--added", type=int, default=300, help="documents that are added with the default embedder")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="1,000 documents, 100 added, 2 rounds")
    options = parser.parse_args()
    if options.quick:
        options.documents, options.added, options.rounds = 1000, 100, 2
    with tempfile.TemporaryDirectory() as folder:
        passed = [*_syncs(Path(folder), options.documents, options.rounds)]
        passed += _adding(Path(folder), options.added, options.rounds)
    return 0 if all(passed) else 1


def _syncs(folder: Path, documents: int, rounds: int) -> Iterator[bool]:
    docs = folder / "docs"
    write_documents(docs, documents, sections=1)
    settings = Settings(embed=Component("embed", "hashing"))
    embedder = Timed(settings.embed.create())
    with Collection(folder / "index", create=True, settings=settings, embedder=embedder) as collection:
        print(f"== {documents:,} documents ==\n\nfirst add: {cpu(lambda: collection.add(docs)):.2f} s")
        unchanged, changed = [], []
        page = docs / "0" / "0.md"
        for number in range(rounds):
            before = len(embedder.texts)
            unchanged.append(cpu(collection.sync))
            assert len(embedder.texts) == before, "something was embedded"
            page.write_text(f"# Changed\n\nFor the {number + 1}. time.\n")
            changed.append(cpu(collection.sync))
            assert len(embedder.texts) == before + 1
    base = statistics.median(unchanged)
    more = statistics.median(changed) - base
    yield verdict("unchanged", base, UNCHANGED_SECONDS)
    yield verdict("one changed, more than that", more, ONE_CHANGED_SECONDS)


def _adding(folder: Path, documents: int, rounds: int) -> Iterator[bool]:
    docs = folder / "added"
    write_documents(docs, documents, sections=12)
    settings = Settings()
    inner: Embedder = catalogue.create("embed", settings.embed.name)
    inner.embed(["warm"])
    shares, inside = [], []
    for number in range(rounds):
        embedder = Timed(inner)
        directory = folder / f"added-index-{number}"
        with Collection(directory, create=True, settings=settings, embedder=embedder) as collection:
            adding = cpu(lambda collection=collection: collection.add(docs))  # type: ignore[misc]
        texts, seconds = embedder.texts, embedder.seconds
        raw = cpu(lambda texts=texts: [inner.embed(texts[start : start + 256]) for start in range(0, len(texts), 256)])  # type: ignore[misc]
        print(f"adding {len(texts):,} texts: {adding:.2f} s; embedding them in it {seconds:.2f} s, alone {raw:.2f} s")
        shares.append(raw / adding)
        inside.append(seconds / adding)
    share = statistics.median(shares)
    print(f"share of embedding in adding, as measured within: {statistics.median(inside):.2f}")
    passed = share >= EMBEDDING_SHARE
    print(f"throughput of adding: {share:.2f} of raw, at least {EMBEDDING_SHARE}: {'PASS' if passed else 'FAIL'}")
    yield passed


def write_documents(folder: Path, documents: int, *, sections: int) -> None:
    """With the sentences of the sample corpus, in another order in each."""
    chance = random.Random(documents)
    texts = [path.read_text(encoding="utf-8") for path in sorted((REPOSITORY / "examples" / "orbit").rglob("*.md"))]
    sentences = [line for text in texts for line in text.splitlines() if len(line) > 40 and not line.startswith("#")]
    for number in range(documents):
        path = folder / str(number % 100) / f"{number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        parts = [f"# Document {number}"]
        for section in range(sections):
            parts.append(f"## Section {section} of {number}")
            parts.extend(chance.sample(sentences, 4))
        path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def cpu(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def verdict(name: str, seconds: float, limit: float) -> bool:
    passed = seconds < limit
    print(f"{name}: {seconds:.2f} s, under {limit:.0f}: {'PASS' if passed else 'FAIL'}", flush=True)
    return passed


if __name__ == "__main__":
    sys.exit(main())
