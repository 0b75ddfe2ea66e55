"""Joins the lexical and the dense ranking of one query into one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pincite.model import Scored
from pincite.ports import Normalised


@dataclass(frozen=True, slots=True, kw_only=True)
class MinMaxFusion:
    """Weighted sum of both scores, each stretched to ``[0, 1]`` over the candidates of this query.

    A lexical score is divided by the highest one (0 means that no term matched). Dense scores are stretched so that
    the highest is 1 and the lowest 0; where they differ by less than ``least_spread``, that much is stretched to 1, so
    that a difference of no importance does not decide among few candidates. A chunk without a dense score counts as
    the lowest. Where one list is empty, the other decides alone, with its full weight: a question in another language
    than the documents is not punished.

    >>> lexical, dense = [Scored("b", 8.0)], [Scored("a", 0.8), Scored("b", 0.6), Scored("c", 0.2)]
    >>> [(hit.chunk_id, round(hit.score, 3)) for hit in MinMaxFusion().fuse(lexical, dense)]
    [('b', 0.767), ('a', 0.7), ('c', 0.0)]
    """

    name: str = "minmax"
    lexical_weight: float = 0.3
    least_spread: float = 0.6

    def __post_init__(self) -> None:
        if not 0 <= self.lexical_weight <= 1:
            raise ValueError(f"lexical_weight is between 0 and 1, got {self.lexical_weight}")
        if not 0 < self.least_spread <= 2:
            raise ValueError(f"least_spread is above 0 and at most 2, got {self.least_spread}")

    def fuse(self, lexical: Sequence[Scored], dense: Sequence[Scored]) -> list[Scored]:
        """Scores in ``[0, 1]``."""
        return _joined(self.normalised(lexical, dense))

    def normalised(self, lexical: Sequence[Scored], dense: Sequence[Scored]) -> Normalised:
        words = _shares(_first_scores(_real(lexical)))
        meanings = _stretched(_first_scores(dense), self.least_spread)
        if not words or not meanings:
            return Normalised(lexical=words, dense=meanings, lexical_weight=1.0, dense_weight=1.0)
        lowest = min(meanings.values())
        return Normalised(
            lexical=words,
            dense={name: meanings.get(name, lowest) for name in {*words, *meanings}},
            lexical_weight=self.lexical_weight,
            dense_weight=1 - self.lexical_weight,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReciprocalRankFusion:
    """Sum of ``weight / (k + rank)`` over the lists that have the chunk (Cormack, Clarke and Büttcher, 2009).

    Only real lexical hits have a rank: giving one to chunks without a matching term costs a question in another
    language a third of its recall.

    >>> ranking = ReciprocalRankFusion().fuse([Scored("a", 3.1)], [Scored("b", 0.7), Scored("a", 0.2)])
    >>> [(hit.chunk_id, round(hit.score, 4)) for hit in ranking]
    [('a', 0.0325), ('b', 0.0164)]
    """

    name: str = "rrf"
    k: int = 60
    lexical_weight: float = 1.0
    dense_weight: float = 1.0

    def __post_init__(self) -> None:
        if self.k < 1:
            raise ValueError(f"k is at least 1, got {self.k}")
        if min(self.lexical_weight, self.dense_weight) < 0 or self.lexical_weight + self.dense_weight == 0:
            raise ValueError("lexical_weight and dense_weight are not below 0, and one of them is above")

    def fuse(self, lexical: Sequence[Scored], dense: Sequence[Scored]) -> list[Scored]:
        """Scores in ``(0, (lexical_weight + dense_weight) / (k + 1)]``."""
        return _joined(self.normalised(lexical, dense))

    def normalised(self, lexical: Sequence[Scored], dense: Sequence[Scored]) -> Normalised:
        return Normalised(
            lexical=self._by_rank(_real(lexical)),
            dense=self._by_rank(dense),
            lexical_weight=self.lexical_weight,
            dense_weight=self.dense_weight,
        )

    def _by_rank(self, hits: Iterable[Scored]) -> dict[str, float]:
        return {name: 1 / (self.k + rank) for rank, name in enumerate(_first_scores(hits), start=1)}


def _joined(parts: Normalised) -> list[Scored]:
    return _best_first({name: parts.score_of(name) for name in {*parts.lexical, *parts.dense}})


def _real(lexical: Iterable[Scored]) -> list[Scored]:
    return [hit for hit in lexical if hit.score > 0]


def _first_scores(hits: Iterable[Scored]) -> dict[str, float]:
    """Scores by chunk id in the order of the list; of a repeated chunk the first one counts."""
    scores: dict[str, float] = {}
    for hit in hits:
        scores.setdefault(hit.chunk_id, hit.score)
    return scores


def _shares(scores: Mapping[str, float]) -> dict[str, float]:
    highest = max(scores.values(), default=1.0)
    return {name: score / highest for name, score in scores.items()}


def _stretched(scores: Mapping[str, float], least_spread: float) -> dict[str, float]:
    if not scores:
        return {}
    highest = max(scores.values())
    spread = max(highest - min(scores.values()), least_spread)
    return {name: 1 - (highest - score) / spread for name, score in scores.items()}


def _best_first(scores: Mapping[str, float]) -> list[Scored]:
    return [Scored(name, score) for name, score in sorted(scores.items(), key=lambda item: (-item[1], item[0]))]
