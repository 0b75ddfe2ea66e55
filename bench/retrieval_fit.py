"""What the scale of relevance rests on: hits of real collections, judged; see docs/decisions/0012 and 0015.

Prints hit@1, recall@5 and MRR@10 by mode, where any overlap with a judged passage is a hit, and with ``fit`` the
constants of ``retrieve/relevance.py`` from the odd questions, and how well they tell relevant hits from others on the
even ones. ``passages`` of a question take the place of ``relevant``.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy
from numpy.typing import NDArray

from pincite.config import Component, Settings
from pincite.engine import Collection
from pincite.model import PUBLIC, Hit
from pincite.retrieve.relevance import rarities, share_of

Rows = NDArray[numpy.float64]
COLUMNS = ("cosine", "share", "relevant", "even", "weight")
MOST_QUESTIONS = 500


@contextmanager
def collection_of(corpus: Path, embedder: str) -> Iterator[Collection]:
    with tempfile.TemporaryDirectory() as folder:
        # Of single chunks: what holds for them holds for several that are read as one.
        settings = Settings(embed=Component("embed", embedder), fold=False, join_tokens=0)
        with Collection(folder, create=True, settings=settings) as collection:
            collection.add([corpus])
            yield collection


def questions_of(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines[:: max(1, len(lines) // MOST_QUESTIONS)]]


def is_relevant(hit: Hit, question: Mapping[str, Any]) -> bool:
    span = hit.chunk.span
    return any(
        passage["document"] == hit.chunk.document_id and passage["start"] < span.end and span.start < passage["end"]
        for passage in question.get("passages") or question["relevant"]
    )


def hits_of(collection: Collection, question: Mapping[str, Any], mode: str) -> tuple[Hit, ...]:
    found = collection.search(question["question"], principal=PUBLIC, k=10, mode=mode, explain=True)  # type: ignore[arg-type]
    return found.hits


def figures(rankings: list[list[bool]]) -> str:
    first = [next((rank for rank, good in enumerate(found, 1) if good), 0) for found in rankings]
    hit, recall = numpy.mean([rank == 1 for rank in first]), numpy.mean([0 < rank <= 5 for rank in first])
    return (
        f"hit@1 {hit:.4f}  recall@5 {recall:.4f}  MRR@10 {numpy.mean([1 / rank if rank else 0 for rank in first]):.4f}"
    )


def shares_of(collection: Collection, hits: tuple[Hit, ...]) -> list[float]:
    """For each hit the part of the query's terms that it has."""
    known = [hit.explanation for hit in hits if hit.explanation]
    terms = sorted({term for one in known for term in (*one.terms, *one.missing)})
    with collection.store.snapshot() as snapshot:
        rarity = rarities(terms, *snapshot.document_frequencies(terms, principal=PUBLIC))
    return [share_of(rarity, one.terms) for one in known]


def fit(rows: Rows, columns: list[int]) -> Rows:
    """Logistic regression by Newton's method; relevant and irrelevant rows weigh the same in all."""
    matrix = numpy.column_stack([numpy.ones(len(rows)), rows[:, columns]])
    relevant, weight = rows[:, 2], rows[:, 4]
    balance = weight[relevant == 0].sum() / weight[relevant > 0].sum()
    weights = weight * numpy.where(relevant > 0, balance, 1.0)
    found: Rows = numpy.zeros(matrix.shape[1])
    for _ in range(50):
        chance = 1 / (1 + numpy.exp(-matrix @ found))
        slope = matrix.T @ (weights * (relevant - chance))
        curve = (matrix * (weights * chance * (1 - chance))[:, None]).T @ matrix
        found += numpy.linalg.solve(curve + 1e-9 * numpy.eye(len(found)), slope)
    return numpy.round(found, 1)


def area(scores: Rows, relevant: Rows) -> float:
    """Under the curve: how often a relevant hit scores above an irrelevant one; ties count half."""
    good, bad = scores[relevant > 0], numpy.sort(scores[relevant == 0])
    below = numpy.searchsorted(bad, good, "left") + numpy.searchsorted(bad, good, "right")
    return float(below.sum() / (2 * len(good) * len(bad)))


def report_fit(rows: Rows, columns: list[int]) -> None:
    constants = fit(rows[rows[:, 3] == 0], columns)
    even = rows[rows[:, 3] == 1]
    scores = 1 / (1 + numpy.exp(-numpy.column_stack([numpy.ones(len(even)), even[:, columns]]) @ constants))
    print(
        "intercept", *(COLUMNS[column] for column in columns), "=", *constants, f"area {area(scores, even[:, 2]):.3f}"
    )
    for least in (0.2, 0.3, 0.5, 0.7, 0.9):
        good, bad = (float(numpy.mean(scores[even[:, 2] == kind] >= least)) for kind in (1, 0))
        print(f"  from {least}: {good:.3f} of the relevant hits, {bad:.3f} of the others")


def print_hits(data: Path, names: Sequence[str], embedder: str, *, fitting: bool) -> None:
    rows: dict[str, list[list[float]]] = {"lexical": [], "hybrid": []}
    for name in names:
        questions = questions_of(data / name)
        with collection_of(data / name / "corpus", embedder) as collection:
            for mode, found in rows.items():
                rankings = []
                for number, question in enumerate(questions):
                    hits = hits_of(collection, question, mode)
                    good = [is_relevant(hit, question) for hit in hits]
                    rankings.append(good)
                    for hit, share, right in zip(hits, shares_of(collection, hits), good, strict=True):
                        found.append([hit.dense or 0.0, share, right, (number + 1) % 2, 1 / len(questions)])
                print(f"{name:20} {mode:8} {len(questions):5} questions  {figures(rankings)}", flush=True)
    if fitting:
        report_fit(numpy.array(rows["hybrid"]), [0, 1])
        report_fit(numpy.array(rows["lexical"]), [1])
