"""The rows of the baseline made again, and pincite's default beside them."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from bench.retrieval_anchors import without_anchors
from bench.retrieval_baseline import ORDERS, RETRIEVERS, Equals, Ranked
from bench.retrieval_peers import CUTTERS, PATH, Cut, cutter_of
from bench.retrieval_sets import METRICS, PRINTED, Asked

from pincite.config import Settings
from pincite.engine.evaluation.comparing import Comparison
from pincite.engine.evaluation.configurations import Configuration, ForeignChunks
from pincite.engine.evaluation.measuring import Asked as Found
from pincite.engine.evaluation.measuring import Measured
from pincite.evaluate.metrics import HEADLINE, metric

WITHIN = 0.005
COLUMNS = dict(zip(METRICS, ("recall_1000", "recall_k5", "hit1", "mrr10", "iou_k5"), strict=True))
DEFAULT = "pincite's default"
Published = Mapping[tuple[str, str, str, str], Mapping[str, str]]


def published(file: Path) -> Published:
    """The baseline's rows by set, language of the questions, chunker and retriever."""
    with file.open(encoding="utf-8", newline="") as lines:
        return {(row["set"], row["query_lang"], row["chunker"], row["retriever"]): row for row in csv.DictReader(lines)}


def reproduced(asked: Asked, cuts: Mapping[str, Sequence[Cut]]) -> dict[str, list[Measured]]:
    """What the baseline's ranking finds in chunks that are cut like this, by retriever, once for each order of equal
    passages."""
    shortened = without_anchors if asked.shorter else str
    made = Ranked.of(asked.texts, cuts, asked.embedder, language=asked.language, shortened=shortened)
    orders = [rankings(asked, made, equals) for equals in ORDERS]
    return {name: [order[name] for order in orders] for name in RETRIEVERS}


def rankings(asked: Asked, made: Ranked, equals: Equals) -> dict[str, Measured]:
    found: dict[str, dict[str, Found]] = {name: {} for name in RETRIEVERS}
    for judged in asked.judged:
        question = judged.question
        vector = asked.embedder.embed_query(question.question)
        for name, best in made.rankings(question.question, vector, equals=equals).items():
            found[name][question.id] = Found(tuple(best), (0.0,) * len(best))
    tokens = sum(passage.tokens for passage in made.passages)
    whole = Measured(
        asked={}, chunks=len(made.passages), tokens=tokens, index_bytes=0, index_seconds=0.0, search_seconds=0.0
    )
    return {name: replace(whole, asked=each) for name, each in found.items()}


def means(asked: Asked, measured: Measured, metrics: Sequence[str]) -> list[float]:
    """Over all questions."""
    return [
        fmean(metric(name)(measured.asked[each.question.id].passages, each.gold) for each in asked.judged)
        for name in metrics
    ]


def print_rows(asked: Asked, rows: Published, only: Sequence[str], *, cuts_too: bool) -> int:
    """Prints the table and gives how many rows are farther than half a point from the baseline. ``cuts_too``: also
    what pincite's search finds in the peers' chunks."""
    print(f"\n{asked.title}: reproduced (difference to the baseline in points), passes within {100 * WITHIN:g}")
    print(f"{'cut and search':34}" + "".join(f"{name:>20}" for name in PRINTED))
    peers: dict[str, Measured] = {}
    foreign: list[Configuration] = []
    failed = 0
    for name in (name for plain in CUTTERS for name in (plain, f"{plain}{PATH}")):
        if (asked.name, asked.asked_in, name, "dense") not in rows or (only and name not in only):
            continue
        try:
            cutter = cutter_of(name)
        except ImportError as error:
            print(f"{name:34}  not run: {error}")
            continue
        cuts = {document: cutter(document, text) for document, text in asked.texts.items()}
        given = ForeignChunks(name, cuts)
        foreign.append(Configuration(name=f"{name}, pincite's search", settings=Settings(), foreign=given))
        for retriever, orders in reproduced(asked, cuts).items():
            peers[f"{name} {retriever}"] = orders[0]
            row = rows[asked.name, asked.asked_in, name, retriever]
            verdict = print_row(f"{name} {retriever}", asked, orders, [float(row[COLUMNS[each]]) for each in METRICS])
            failed += verdict == "FAIL"
    default = Configuration(name=DEFAULT, settings=Settings())
    ours = asked.measured([default, *foreign] if cuts_too else [default])
    for name, measured in ours.items():
        print(f"{name:34}" + "".join(f"{value:>20.3f}" for value in means(asked, measured, PRINTED)))
    print_leader(asked, peers, ours)
    return failed


def print_row(name: str, asked: Asked, orders: Sequence[Measured], expected: Sequence[float]) -> str:
    """``PASS (ties)`` where the baseline's figures lie between those of the orders of equal passages."""
    by_order = [means(asked, each, METRICS) for each in orders]
    values = by_order[0]
    off = [value - wanted for value, wanted in zip(values, expected, strict=True)]
    between = all(
        min(several) - WITHIN <= wanted <= max(several) + WITHIN
        for several, wanted in zip(zip(*by_order, strict=True), expected, strict=True)
    )
    verdict = "PASS" if all(abs(each) <= WITHIN for each in off) else "PASS (ties)" if between else "FAIL"
    cells = [f"{value:>12.3f} ({100 * each:+.2f})" for value, each in zip(values, off, strict=True)]
    print(f"{name:34}{''.join(cells[: len(PRINTED)])}  {verdict}", flush=True)
    return verdict


def print_leader(asked: Asked, peers: Mapping[str, Measured], ours: Mapping[str, Measured]) -> None:
    """The best peer by the odd questions beside the default, on the even ones, for each metric."""
    if not peers:
        return
    for headline in (HEADLINE, *PRINTED):
        odd = Comparison.of(peers, asked.odd, metrics=(), headline=headline)
        best = max(peers, key=lambda name: odd.values[name][headline].value)
        pair = {DEFAULT: ours[DEFAULT], best: peers[best]}
        comparison = Comparison.of(pair, asked.even, metrics=(), headline=headline)
        figures = "; ".join(
            f"{name} {value[headline].value:.3f} [{value[headline].low:.3f}, {value[headline].high:.3f}]"
            for name, value in comparison.values.items()
        )
        difference = comparison.differences[0]
        leads = difference.first if difference.interval.value else "neither"
        print(f"  even questions, {headline}: {figures}")
        print(f"    {'A PEER LEADS' if leads == best else leads + ' leads'}: {difference.verdict}", flush=True)
