"""Passages that speak to a language model take nobody's place among the hits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pincite.answer.orders import orders_in
from pincite.model import Ranking

MOST_LOOKED_AT = 320


def beyond_orders(search: Callable[[int], Ranking], k: int) -> Ranking:
    """The hits down to the ``k``-th that has no order in it: documents that were made to be found for a question do not
    crowd out those that answer it. ``search`` gives so many hits; at most ``MOST_LOOKED_AT`` are looked at."""
    wanted = k
    while True:
        ranking = search(wanted)
        ranks = [hit.rank for hit in ranking.hits if not orders_in(hit.chunk.text)]
        if len(ranks) >= k:
            return replace(ranking, hits=ranking.hits[: ranks[k - 1]])
        if len(ranking.hits) < wanted or wanted >= MOST_LOOKED_AT:
            return ranking
        wanted = min(2 * wanted, MOST_LOOKED_AT)
