"""What each part of pincite's default is worth: heading path, overlap, fusion, and the search for the best cut."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bench.retrieval_rows import DEFAULT, means
from bench.retrieval_sets import Asked
from bench.retrieval_twins import packing_twin, percentile_twin

from pincite import catalogue
from pincite.config import DEFAULT_JOIN_TOKENS, Component, Settings, chunk_component
from pincite.engine.evaluation.comparing import Comparison
from pincite.engine.evaluation.configurations import Configuration, ForeignChunks
from pincite.engine.evaluation.measuring import Measured
from pincite.evaluate.metrics import HEADLINE
from pincite.model import Mode

GOALS = {("xquad-en", "en"): 0.90, ("xquad-en", "de"): 0.70}
PERCENTILES = (80, 95)
AROUND = {
    "window": "words of the window",
    "neighbours": "neighbours",
    "section": "section",
    "document": "best of the document",
}
"""What stands around a chunk, by the name of its weight."""
COMPARED = {"likeness": "likeness taken off", "best": "best score of the document"}
"""What comparing the best chunks adds, by the name of its weight."""


def of(
    name: str,
    *,
    mode: Mode = "hybrid",
    fusion: str = "",
    weights: Mapping[str, float] | None = None,
    join: int = DEFAULT_JOIN_TOKENS,
    **options: Any,
) -> Configuration:
    """``options`` are those of the strategy, and ``strategy`` its name."""
    fused = Component("fusion", fusion or catalogue.DEFAULTS["fusion"], weights or {})
    settings = Settings(chunk=chunk_component(options), fusion=fused, mode=mode, join_tokens=join)
    return Configuration(name=name, settings=settings)


def variants() -> list[Configuration]:
    """Those with the same cuts share an index."""
    return [
        of(DEFAULT),
        of("hits not joined", join=0),
        *(of(f"no {label}", weights={name: 0.0}) for name, label in AROUND.items()),
        *(of(f"no {label}", weights={name: 0.0}) for name, label in COMPARED.items()),
        of("not compared", weights=dict.fromkeys(COMPARED, 0.0)),
        of("no context", weights=dict.fromkeys([*AROUND, *COMPARED], 0.0)),
        of("fusion minmax", fusion="minmax"),
        of("fusion rrf", fusion="rrf"),
        of("lexical only", mode="lexical"),
        of("dense only", mode="dense"),
        of("chunks of 200 tokens", max_tokens=200),
        of("chunks of 400 tokens", max_tokens=400),
        of("minmax, chunks of 400 tokens", fusion="minmax", max_tokens=400),
        of("no heading path", heading_prefix="off"),
        of("nearest heading only", heading_prefix="own"),
        of("overlap of 25", overlap_tokens=25),
    ]


def print_variants(asked: Asked) -> None:
    print(f"\n{asked.title}: each part of the default, {HEADLINE} of the even ones")
    print_beside(asked, asked.measured(variants()), DEFAULT)


def print_twins(asked: Asked) -> None:
    """The twin of ``semantic`` has the percentile that is better on the odd questions."""
    documents = asked.corpus.documents
    packing = {name: packing_twin(document) for name, document in documents.items()}
    foreign: list[Configuration] = [foreign_of("greedy packing", packing)]
    for percentile in PERCENTILES:
        spans = {name: percentile_twin(document, asked.embedder, percentile) for name, document in documents.items()}
        foreign.append(foreign_of(f"percentile {percentile}", spans))
    twins = [of(name, strategy=name) for name in ("semantic", "adaptive")]
    measured = asked.measured([of(DEFAULT), *twins, *foreign])
    percentiles = {each.name: measured[each.name] for each in foreign[1:]}
    odd = Comparison.of(percentiles, asked.odd, metrics=())
    twin = max(percentiles, key=lambda name: odd.values[name][HEADLINE].value)
    print(f"\n{asked.title}: the best cut beside greedy ones of the same units, {HEADLINE} of the even ones")
    print_beside(asked, {name: measured[name] for name in ("semantic", twin)}, twin)
    print_beside(asked, {name: measured[name] for name in ("adaptive", "greedy packing")}, "greedy packing")
    print_beside(asked, {name: measured[name] for name in (DEFAULT, "semantic", "adaptive")}, DEFAULT)


def foreign_of(name: str, spans: Mapping[str, Sequence[tuple[int, int, str]]]) -> Configuration:
    return Configuration(name=name, settings=Settings(), foreign=ForeignChunks(name, spans))


def print_beside(asked: Asked, measured: Mapping[str, Measured], first: str) -> None:
    """Every configuration with its interval and its difference to ``first``."""
    comparison = Comparison.of(measured, asked.even, metrics=())
    against = {
        other: each.verdict
        for each in comparison.differences
        for other in (each.first, each.second)
        if first in (each.first, each.second) and other != first
    }
    for name, each in measured.items():
        value = comparison.values[name][HEADLINE]
        (all_questions,) = means(asked, each, (HEADLINE,))
        print(
            f"{name:24}{each.chunks:>7} chunks {value.value:.3f} [{value.low:.3f}, {value.high:.3f}]"
            f" (all {all_questions:.3f})  {against.get(name, '')}",
            flush=True,
        )


def print_goals(asked: Asked) -> int:
    """hit@1 of the default where the project has set one; gives how many are missed."""
    goal = GOALS.get((asked.name, asked.asked_in))
    if goal is None:
        return 0
    measured = asked.measured([of(DEFAULT)])
    (all_questions,) = means(asked, measured[DEFAULT], ("hit@1",))
    even = Comparison.of(measured, asked.even, metrics=(), headline="hit@1").values[DEFAULT]["hit@1"]
    passed = all_questions >= goal
    print(
        f"\n{asked.title}: hit@1 {all_questions:.3f}, of the even ones {even.value:.3f} "
        f"[{even.low:.3f}, {even.high:.3f}];"
        f" asked for {goal:.2f}: {'PASS' if passed else 'FAIL'}",
        flush=True,
    )
    return int(not passed)
