"""How relevant a passage is to a query, from 0 to 1, whatever else was found.

    relevance = 1 / (1 + exp(-(intercept + by_cosine · cosine + by_share · share)))

``cosine`` is that of the vectors, in [-1, 1]. ``share`` is the part of the query's terms that the passage has, each
weighing as much as it is rare among the chunks that the principal may see (its idf in BM25), in [0, 1]. No slope is
negative, so that more of either is never less relevant. The constants are those of a logistic regression on judged
questions, one for each embedder, since cosines of two embedders do not compare; see docs/decisions/0012-relevance.md.
At 0.5 as much speaks for a passage as against it; most passages of any collection are below 0.3.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    intercept: float
    by_cosine: float = 0.0
    by_share: float

    def of(self, *, cosine: float, share: float) -> float:
        """
        >>> Scale(intercept=-2.0, by_cosine=2.0, by_share=2.0).of(cosine=0.5, share=0.5)
        0.5
        """
        return 1 / (1 + math.exp(-(self.intercept + self.by_cosine * cosine + self.by_share * share)))


WORDS_ALONE = Scale(intercept=-2.0, by_share=4.8)
"""Where no vectors were compared."""
SCALES: Mapping[str, Scale] = {
    "use": Scale(intercept=-2.6, by_cosine=3.3, by_share=3.7),
    "hashing": Scale(intercept=-2.0, by_share=5.4),
}
"""By the name of the embedder."""


def scale_for(embedder: str | None) -> Scale | None:
    """``None`` where nobody has fitted a scale for that embedder; without an embedder the one of words alone."""
    return WORDS_ALONE if embedder is None else SCALES.get(embedder)


def rarities(terms: Collection[str], chunks: int, frequencies: Mapping[str, int]) -> dict[str, float]:
    """The idf of each term: ``ln(1 + (N - df + 0.5) / (df + 0.5))``, the largest for one that no chunk has."""
    return {term: math.log(1 + (chunks - frequencies[term] + 0.5) / (frequencies[term] + 0.5)) for term in terms}


def share_of(rarity: Mapping[str, float], matched: Collection[str]) -> float:
    """
    >>> share_of({"lifetime": 3.0, "cursor": 1.0}, ["lifetime"])
    0.75
    """
    total = sum(rarity.values())
    return min(1.0, sum(rarity[term] for term in rarity if term in matched) / total) if total else 0.0
