"""How relevant a passage is to a query, from 0 to 1, whatever else was found.

    relevance = 1 / (1 + exp(-(intercept + by_cosine · cosine + by_share · share)))

``cosine`` is that of the vectors, in [-1, 1]. ``share`` is the part of the query's words that the passage has in any of
their forms, each weighing as much as it is rare among the chunks that the principal may see (the idf in BM25 of its
commonest form), in [0, 1]. No slope is negative, so that more of either is never less relevant. The constants are those
of a logistic regression on judged questions, one for each embedder, since cosines of two embedders do not compare; see
docs/decisions/0012-relevance.md. At 0.5 as much speaks for a passage as against it; most passages of any collection are
below 0.3.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from pincite.text.terms import by_word

Word = tuple[str, ...]
"""The terms of a query that are forms of one word."""


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


WORDS_ALONE = Scale(intercept=-2.1, by_share=4.2)
"""Where no vectors were compared."""
SCALES: Mapping[str, Scale] = {
    "use": Scale(intercept=-2.5, by_cosine=2.9, by_share=3.3),
    "hashing": Scale(intercept=-2.0, by_share=4.7),
}
"""By the name of the embedder."""


def scale_for(embedder: str | None) -> Scale | None:
    """``None`` where nobody has fitted a scale for that embedder; without an embedder the one of words alone."""
    return WORDS_ALONE if embedder is None else SCALES.get(embedder)


def rarities(terms: Iterable[str], chunks: int, frequencies: Mapping[str, int]) -> dict[Word, float]:
    """The idf of each word, ``ln(1 + (N - df + 0.5) / (df + 0.5))``, the largest for one that no chunk has. Of its
    forms the commonest counts: a stem stands in every chunk that has the word at all."""
    common = {word: max(frequencies[term] for term in word) for word in by_word(terms)}
    return {word: math.log(1 + (chunks - number + 0.5) / (number + 0.5)) for word, number in common.items()}


def share_of(rarity: Mapping[Word, float], matched: Collection[str]) -> float:
    """
    >>> share_of({("lifetime",): 3.0, ("cursors", "cursor"): 1.0}, ["lifetime"])
    0.75
    >>> share_of({("lifetime",): 3.0, ("cursors", "cursor"): 1.0}, ["cursor"])
    0.25
    """
    total = sum(rarity.values())
    had = sum(weight for word, weight in rarity.items() if any(term in matched for term in word))
    return min(1.0, had / total) if total else 0.0
