"""Metrics of one question, by the names that people write: ``recall@1000t``, ``nDCG@10``.

Every metric takes the passages in rank order and the gold of a question that has an answer, and is in [0, 1], except
``tokens@k``; ``P-omega`` takes all chunks. A passage that is returned twice counts once. Characters of passages that
overlap count once, too.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TypeAlias

from pincite.errors import UsageError
from pincite.evaluate.gold import Covered, Gold, Passage, characters, chosen, distinct, found_parts

Metric: TypeAlias = Callable[[Sequence[Passage], Gold], float]

HEADLINE = "recall@1000t"
OMEGA = "P-omega"
"""The one metric that looks at all chunks and not at what a search returned."""
DEFAULTS = (
    *("recall@1000t", "recall@1000t-stop", "recall@5", "precision@5", "IoU@5", OMEGA),
    *("hit@1", "MRR@10", "nDCG@10", "MAP@10", "redundancy@5", "tokens@5"),
)


def recall_within(passages: Sequence[Passage], gold: Gold, *, tokens: int, stop: bool = False) -> float:
    """The share of relevant characters in the passages that fit into so many tokens, taken in rank order. A passage
    that does not fit is passed over; with ``stop`` it is the end."""
    return recall(within(passages, tokens, stop=stop), gold)


def within(passages: Sequence[Passage], tokens: int, *, stop: bool = False) -> list[Passage]:
    """Those that fit into the budget together."""
    taken: list[Passage] = []
    for passage in distinct(passages):
        if passage.tokens <= tokens:
            tokens -= passage.tokens
            taken.append(passage)
        elif stop:
            break
    return taken


def recall(passages: Sequence[Passage], gold: Gold) -> float:
    """The share of the relevant characters that the passages cover. Of alternatives the one counts of which they cover
    the largest share; together they weigh as much as the shortest of them, so that another passage never lowers it."""
    covered = Covered(passages)
    weights = [min(len(span.span) for span in part) for part in gold]
    shares = [covered.of(span) / len(span.span) for span in chosen(gold, covered)]
    return sum(weight * share for weight, share in zip(weights, shares, strict=True)) / sum(weights)


def recall_at(passages: Sequence[Passage], gold: Gold, *, k: int) -> float:
    return recall(distinct(passages)[:k], gold)


def precision_at(passages: Sequence[Passage], gold: Gold, *, k: int) -> float:
    """The share of the first ``k`` passages' characters that are relevant, to any alternative; 0 without a passage."""
    first = distinct(passages)[:k]
    covered = Covered(first)
    return covered.common(span for part in gold for span in part) / max(sum(len(each.span) for each in first), 1)


def iou_at(passages: Sequence[Passage], gold: Gold, *, k: int) -> float:
    """Intersection over union: the relevant characters found, by those found or relevant or both."""
    first = distinct(passages)[:k]
    covered = Covered(first)
    spans = chosen(gold, covered)
    common = covered.common(spans)
    return common / (sum(len(passage.span) for passage in first) + characters(spans) - common)


def hit_at(passages: Sequence[Passage], gold: Gold, *, k: int) -> float:
    """1 where one of the first ``k`` passages holds at least half of a relevant span."""
    return float(any(position <= k for position, _ in found_parts(passages, gold)))


def reciprocal_rank_at(passages: Sequence[Passage], gold: Gold, *, k: int) -> float:
    """1 by the rank of the first passage that finds something; 0 where that is beyond ``k``."""
    position = next((position for position, _ in found_parts(passages, gold)), k + 1)
    return 1 / position if position <= k else 0.0


def ndcg_at(passages: Sequence[Passage], gold: Gold, *, k: int) -> float:
    """The discounted cumulative gain, ``grade / log2(1 + position)`` summed over the parts found, by that of the best
    order (Järvelin and Kekäläinen, 2002)."""
    gain = sum(grade / math.log2(1 + position) for position, grade in found_parts(passages, gold) if position <= k)
    grades = sorted((max(span.grade for span in part) for part in gold), reverse=True)
    ideal = sum(grade / math.log2(1 + position) for position, grade in enumerate(grades[:k], start=1))
    return min(gain / ideal, 1.0)


def average_precision_at(passages: Sequence[Passage], gold: Gold, *, k: int) -> float:
    """The mean over all parts of the precision at the part's position, 0 for a part beyond ``k``."""
    positions = [position for position, _ in found_parts(passages, gold) if position <= k]
    return sum(number / position for number, position in enumerate(positions, start=1)) / len(gold)


def redundancy_at(passages: Sequence[Passage], _: Gold, *, k: int) -> float:
    """The share of the first ``k`` passages' characters that an earlier one of them holds already."""
    first = passages[:k]
    total = sum(len(passage.span) for passage in first)
    return 1 - Covered(first).characters() / total if total else 0.0


def tokens_at(passages: Sequence[Passage], _: Gold, *, k: int) -> float:
    """How many tokens the first ``k`` passages have together."""
    return float(sum(passage.tokens for passage in distinct(passages)[:k]))


_AT: dict[str, Callable[..., float]] = {
    "recall": recall_at,
    "precision": precision_at,
    "IoU": iou_at,
    "hit": hit_at,
    "MRR": reciprocal_rank_at,
    "nDCG": ndcg_at,
    "MAP": average_precision_at,
    "redundancy": redundancy_at,
    "tokens": tokens_at,
}
_NAME = re.compile(r"(\w+)@([1-9]\d{0,8})(t|t-stop)?")


def metric(name: str) -> Metric:
    """The metric of that name; any number may stand behind the ``@``. Raises ``UsageError``.

    >>> metric("recall@5").keywords
    {'k': 5}
    """
    if name == OMEGA:
        return precision_omega
    match = _NAME.fullmatch(name)
    if match and match[3] and match[1] == "recall":
        return partial(recall_within, tokens=int(match[2]), stop=match[3] == "t-stop")
    if match and match[1] in _AT and not match[3]:
        return partial(_AT[match[1]], k=int(match[2]))
    known = ", ".join(["recall@1000t", "recall@1000t-stop", *(f"{known}@5" for known in _AT), OMEGA])
    raise UsageError(f"no metric is called {name!r}", cure=f"There are, with any number: {known}.")


def higher_is_better(name: str) -> bool:
    return not name.startswith(("redundancy", "tokens"))


def precision_omega(passages: Iterable[Passage], gold: Gold, *, touching: bool = False) -> float:
    """The precision of a perfect search: the relevant characters, by those of all chunks that hold some of them.

    It measures the cuts alone. ``passages`` are all chunks of the corpus. With ``touching`` a chunk that only ends
    where a relevant span begins counts as well, as in the evaluation of Smith and Troynikov, Evaluating Chunking
    Strategies for Retrieval (2024).
    """
    spans = [span for part in gold for span in part[:1]]
    margin = 1 if touching else 0
    holding = [
        passage
        for passage in passages
        if any(
            passage.document_id == span.document_id
            and passage.span.start < span.span.end + margin
            and span.span.start < passage.span.end + margin
            for span in spans
        )
    ]
    covered = Covered(holding)
    return covered.common(spans) / max(covered.characters(), 1)
