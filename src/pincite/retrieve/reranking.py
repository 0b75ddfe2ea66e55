"""The best candidates in the order of a reranker."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pincite.errors import PinciteError
from pincite.model import Scored
from pincite.ports import Reranker

RERANKED = 50
"""So many passages, or ``k`` where that is more, are given to the reranker; the others are left out."""


def reranked(query: str, ranked: Sequence[Scored], passages: Sequence[str], reranker: Reranker) -> list[Scored]:
    """Best first by the reranker's scores; equal ones keep the order that they had.

    Raises ``PinciteError`` where the reranker does not give one finite score for each passage.
    """
    if not ranked:
        return []
    scores = reranker.rerank(query, passages)
    if len(scores) != len(ranked) or not all(math.isfinite(score) for score in scores):
        raise PinciteError(
            f"the reranker {reranker.name!r} gave {len(scores)} scores for {len(ranked)} passages, or some not finite",
            cure="Choose another one, or search without.",
        )
    paired = [Scored(hit.chunk_id, float(score)) for hit, score in zip(ranked, scores, strict=True)]
    return sorted(paired, key=lambda hit: -hit.score)
