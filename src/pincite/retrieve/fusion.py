"""Joins what both searches found for one query into one ranking."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum
from operator import neg

from pincite.model import Scored
from pincite.ports import ContextScores, Evidence, Kin, Weighed

COMPARED = 100
"""So many of the best candidates are compared with each other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextFusion:
    """The weighted mean of the scores of a chunk and of what stands around it; see ``ContextScores``.

    Scores in words are divided by the idf of all words of the query, those included that occur nowhere. A question in
    another language than the documents, of which the index knows little, so leaves the decision to the cosines,
    without anybody telling languages apart, and nothing depends on what else was found.

    The best of them are then compared with each other; see ``Kin``. What is like many others says little that is of
    this query, so ``likeness`` is taken off; and a chunk gains by the ``best`` one of its document. The weights are
    those of docs/decisions/0021-context-in-the-score.md; each may be off by half and costs half a point at most.

    >>> from pincite.ports import ContextScores
    >>> own = {"chunk_ids": ["a", "b"], "lexical": [0.0, 3.0], "dense": [0.8, 0.6]}
    >>> around = {"window": [0.0, 3.0], "neighbours": [0.4, 0.6], "section": [0.4, 0.6], "document": [0.8, 0.8]}
    >>> fused = ContextFusion().fuse(Evidence(context=ContextScores(**own, **around, total=4.0)))
    >>> [(hit.chunk_id, round(hit.score, 3)) for hit in fused]
    [('b', 0.702), ('a', 0.277)]
    """

    name: str = "context"
    words: float = 1.0
    window: float = 2.0
    neighbours: float = 0.3
    section: float = 0.5
    document: float = 0.4
    likeness: float = 0.5
    best: float = 0.3

    def __post_init__(self) -> None:
        wrong = [name for name in CONTEXT_WEIGHTS if not 0 <= getattr(self, name) <= MOST_WEIGHT]
        if wrong:
            raise ValueError(f"{wrong[0]} is between 0 and {MOST_WEIGHT:g}, got {getattr(self, wrong[0])}")

    @property
    def reads_context(self) -> bool:
        return True

    def to_compare(self, evidence: Evidence, /) -> list[str]:
        if not self.likeness and not self.best:
            return []
        scores = _added(self._columns(replace(evidence, kin={})))
        best = sorted(zip(map(neg, scores), _context_of(evidence).chunk_ids, strict=True))[:COMPARED]
        return [name for _, name in best]

    def fuse(self, evidence: Evidence) -> list[Scored]:
        """Scores in ``[-1, 1]``."""
        context = _context_of(evidence)
        return _best_first(dict(zip(context.chunk_ids, _added(self._columns(evidence)), strict=True)))

    def normalised(self, evidence: Evidence) -> dict[str, Weighed]:
        context = _context_of(evidence)
        return {
            name: Weighed(dict(zip(context.chunk_ids, column.values, strict=True)), column.weight)
            for name, column in self._columns(evidence).items()
        }

    def _columns(self, evidence: Evidence) -> dict[str, Column]:
        context = _context_of(evidence)
        weights = {
            "lexical": self.words,
            "dense": 1.0,
            "window": self.window,
            "neighbours": self.neighbours,
            "section": self.section,
            "document": self.document,
        }
        columns = {}
        for name, weight in weights.items():
            divisor = (context.total or 1.0) if name in ("lexical", "window") else 1.0
            columns[name] = Column([value / divisor for value in getattr(context, name)], weight)
        if evidence.kin:
            columns["likeness"] = Column(_likenesses(context.chunk_ids, evidence.kin), -self.likeness)
        together = sum(abs(column.weight) for column in columns.values())
        columns = {name: Column(column.values, column.weight / together) for name, column in columns.items()}
        if not evidence.kin:
            return columns
        best = Column(_best_of_documents(context.chunk_ids, _added(columns), evidence.kin), self.best)
        return {
            name: Column(column.values, column.weight / (1 + self.best))
            for name, column in {**columns, "best": best}.items()
        }


@dataclass(frozen=True, slots=True)
class Column:
    """One figure for each of the candidates, and how much it counts."""

    values: Sequence[float]
    weight: float


CONTEXT_WEIGHTS = ("words", "window", "neighbours", "section", "document", "likeness", "best")
MOST_WEIGHT = 100.0


def _context_of(evidence: Evidence) -> ContextScores:
    if evidence.context is None:
        raise ValueError("this fusion needs the scores in context")
    return evidence.context


def _added(columns: Mapping[str, Column]) -> list[float]:
    """Weighted, in the order of the columns."""
    first, *others = columns.values()
    totals = [first.weight * value for value in first.values]
    for column in others:
        weight = column.weight
        totals = [total + weight * value for total, value in zip(totals, column.values, strict=True)]
    return totals


def _likenesses(chunk_ids: Sequence[str], kin: Mapping[str, Kin]) -> list[float]:
    """A chunk that was not compared has the mean of those that were."""
    mean = fsum(one.likeness for one in kin.values()) / len(kin)
    return [kin[name].likeness if name in kin else mean for name in chunk_ids]


def _best_of_documents(chunk_ids: Sequence[str], scores: Sequence[float], kin: Mapping[str, Kin]) -> list[float]:
    """The best score of each chunk's document among those compared; a chunk that was not has its own."""
    best: dict[int, float] = {}
    for name, score in zip(chunk_ids, scores, strict=True):
        if name in kin:
            document = kin[name].document
            best[document] = max(score, best.get(document, score))
    return [best[kin[name].document] if name in kin else score for name, score in zip(chunk_ids, scores, strict=True)]


@dataclass(frozen=True, slots=True, kw_only=True)
class MinMaxFusion:
    """Weighted sum of both scores, each stretched to ``[0, 1]`` over the candidates of this query.

    A lexical score is divided by the highest one (0 means that no term matched). Dense scores are stretched so that
    the highest is 1 and the lowest 0; where they differ by less than ``least_spread``, that much is stretched to 1, so
    that a difference of no importance does not decide among few candidates. A chunk without a dense score counts as
    the lowest. Where one list is empty, the other decides alone, with its full weight: a question in another language
    than the documents is not punished.

    >>> lexical, dense = [Scored("b", 8.0)], [Scored("a", 0.8), Scored("b", 0.6), Scored("c", 0.2)]
    >>> fused = MinMaxFusion().fuse(Evidence(lexical=lexical, dense=dense))
    >>> [(hit.chunk_id, round(hit.score, 3)) for hit in fused]
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

    @property
    def reads_context(self) -> bool:
        return False

    def to_compare(self, _: Evidence, /) -> list[str]:
        return []

    def fuse(self, evidence: Evidence) -> list[Scored]:
        """Scores in ``[0, 1]``."""
        return _joined(self.normalised(evidence))

    def normalised(self, evidence: Evidence) -> dict[str, Weighed]:
        words = _shares(_first_scores(_real(evidence.lexical)))
        meanings = _stretched(_first_scores(evidence.dense), self.least_spread)
        if not words or not meanings:
            return {"lexical": Weighed(words, 1.0), "dense": Weighed(meanings, 1.0)}
        lowest = min(meanings.values())
        everything = {name: meanings.get(name, lowest) for name in {*words, *meanings}}
        return {
            "lexical": Weighed(words, self.lexical_weight),
            "dense": Weighed(everything, 1 - self.lexical_weight),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ReciprocalRankFusion:
    """Sum of ``weight / (k + rank)`` over the lists that have the chunk (Cormack, Clarke and Büttcher, 2009).

    Only real lexical hits have a rank: giving one to chunks without a matching term costs a question in another
    language a third of its recall.

    >>> evidence = Evidence(lexical=[Scored("a", 3.1)], dense=[Scored("b", 0.7), Scored("a", 0.2)])
    >>> [(hit.chunk_id, round(hit.score, 4)) for hit in ReciprocalRankFusion().fuse(evidence)]
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

    @property
    def reads_context(self) -> bool:
        return False

    def to_compare(self, _: Evidence, /) -> list[str]:
        return []

    def fuse(self, evidence: Evidence) -> list[Scored]:
        """Scores in ``(0, (lexical_weight + dense_weight) / (k + 1)]``."""
        return _joined(self.normalised(evidence))

    def normalised(self, evidence: Evidence) -> dict[str, Weighed]:
        return {
            "lexical": Weighed(self._by_rank(_real(evidence.lexical)), self.lexical_weight),
            "dense": Weighed(self._by_rank(evidence.dense), self.dense_weight),
        }

    def _by_rank(self, hits: Iterable[Scored]) -> dict[str, float]:
        return {name: 1 / (self.k + rank) for rank, name in enumerate(_first_scores(hits), start=1)}


def _joined(parts: Mapping[str, Weighed]) -> list[Scored]:
    """Added up in the order of the parts."""
    scores: dict[str, float] = {}
    for part in parts.values():
        for name, value in part.values.items():
            scores[name] = scores.get(name, 0.0) + part.weight * value
    return _best_first(scores)


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
    ordered = sorted(zip(map(neg, scores.values()), scores, strict=True))
    return [Scored(name, -score) for score, name in ordered]
