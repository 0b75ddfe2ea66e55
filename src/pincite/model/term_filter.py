"""Which chunks a ranking may have, by the terms in them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TermFilter:
    """A chunk takes part in a ranking only where it has all ``required`` terms and none of the ``excluded``.

    It leaves the statistics of lexical search (the number of chunks, their average length, document frequencies)
    alone: a word that is filtered out does not change what the other words weigh.
    """

    required: frozenset[str] = frozenset()
    excluded: frozenset[str] = frozenset()

    def allows(self, terms: Collection[str]) -> bool:
        """Whether a chunk with these terms takes part.

        >>> [TermFilter(frozenset({"red"}), frozenset({"blue"})).allows(terms) for terms in (["red"], ["red", "blue"])]
        [True, False]
        """
        return self.required.issubset(terms) and self.excluded.isdisjoint(terms)
