"""What both searches bring to the fusion: exact lists of the chunks that take part."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from pincite.model import Located, Notice, Principal, Scored
from pincite.ports import Analyser, ContextScores, Embedder, Evidence, Snapshot, Vector
from pincite.retrieve.query import Wish
from pincite.retrieve.query_vector import query_vector
from pincite.retrieve.request import Request
from pincite.text.language import language_of

MIN_CANDIDATES = 100
CANDIDATES_PER_HIT = 10
"""Each search brings ``max(MIN_CANDIDATES, CANDIDATES_PER_HIT * k)`` candidates to the fusion."""
GROWTH = 4
"""By how much more is asked for when too many candidates lack the phrase."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reader:
    """One snapshot as one principal sees it; passages are read once."""

    snapshot: Snapshot
    principal: Principal
    _read: dict[str, Located] = field(init=False, default_factory=dict)

    def located(self, chunk_ids: Iterable[str]) -> dict[str, Located]:
        """The chunks by id, in the order given."""
        wanted = list(chunk_ids)
        missing = [name for name in wanted if name not in self._read]
        if missing:
            self._read.update(self.snapshot.located(missing, principal=self.principal))
        return {name: self._read[name] for name in wanted}


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """What was found, and the terms that it was asked by. In hybrid every chunk has its true dense score."""

    terms: tuple[str, ...]
    evidence: Evidence
    warnings: tuple[Notice, ...] = ()

    @property
    def lexical(self) -> Sequence[Scored]:
        return self.evidence.lexical

    @property
    def dense(self) -> Sequence[Scored]:
        return self.evidence.dense


def enough_for(k: int) -> int:
    return max(MIN_CANDIDATES, CANDIDATES_PER_HIT * k)


def gather(
    request: Request,
    wish: Wish,
    reader: Reader,
    *,
    embedder: Embedder | None,
    analyser: Analyser,
    limit: int,
    context: bool = False,
) -> Candidates:
    """At most ``limit`` chunks from each search, those that fulfil everything before anything is cut off; with
    ``context`` in hybrid also the chunks in their windows."""
    snapshot, principal = reader.snapshot, reader.principal
    where, words = request.where, wish.words
    terms = tuple(analyser.query_terms(wish.text, language_of(wish.text)))
    lexical: list[Scored] = []
    if request.mode != "dense" and terms:
        lexical = _fitting(
            lambda most: snapshot.lexical(terms, principal=principal, limit=most, where=where, words=words),
            wish,
            reader,
            limit,
        )
    if request.mode == "lexical":
        return Candidates(terms=terms, evidence=Evidence(lexical=lexical))
    if embedder is None:
        raise ValueError(f"the mode {request.mode} needs an embedder")
    vector, warnings = query_vector(wish.text, embedder)
    dense = _fitting(
        lambda most: snapshot.dense(vector, principal=principal, limit=most, where=where, words=words),
        wish,
        reader,
        limit,
    )
    if request.mode == "dense":
        evidence = Evidence(dense=dense)
    elif context:
        names = list(dict.fromkeys(hit.chunk_id for hit in (*lexical, *dense)))
        scores = snapshot.context_scores(terms, vector, names, principal=principal, where=where, words=words)
        evidence = _in_context(_only_fitting(scores, wish, reader))
    else:
        evidence = Evidence(lexical=lexical, dense=_all_scored(lexical, dense, vector, reader))
    return Candidates(terms=terms, evidence=evidence, warnings=tuple(warnings))


def _all_scored(lexical: Sequence[Scored], dense: Sequence[Scored], vector: Vector, reader: Reader) -> list[Scored]:
    """The dense list with those chunks that only the lexical search found."""
    found = {hit.chunk_id for hit in dense}
    missing = [hit.chunk_id for hit in lexical if hit.chunk_id not in found]
    if not missing:
        return list(dense)
    scores = reader.snapshot.dense_scores(vector, missing, principal=reader.principal)
    return best_first([*dense, *(Scored(name, score) for name, score in scores.items())])


def _in_context(scores: ContextScores) -> Evidence:
    words = zip(scores.chunk_ids, scores.lexical, strict=True)
    meanings = zip(scores.chunk_ids, scores.dense, strict=True)
    return Evidence(
        lexical=best_first([Scored(name, score) for name, score in words if score > 0]),
        dense=best_first([Scored(name, score) for name, score in meanings]),
        context=scores,
    )


def _only_fitting(scores: ContextScores, wish: Wish, reader: Reader) -> ContextScores:
    if not wish.exact_words:
        return scores
    return scores.only({name for name, passage in reader.located(scores.chunk_ids).items() if wish.fits(passage)})


def best_first(hits: Iterable[Scored]) -> list[Scored]:
    return sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))


def _fitting(search: Callable[[int], list[Scored]], wish: Wish, reader: Reader, limit: int) -> list[Scored]:
    """The best ``limit`` that fit, as if only those existed: more are read until there are enough or no more."""
    if not wish.exact_words:
        return search(limit)
    asked = limit
    fits: dict[str, bool] = {}
    while True:
        found = search(asked)
        located = reader.located(hit.chunk_id for hit in found if hit.chunk_id not in fits)
        fits.update((name, wish.fits(passage)) for name, passage in located.items())
        kept = [hit for hit in found if fits[hit.chunk_id]]
        if len(kept) >= limit or len(found) < asked:
            return kept[:limit]
        asked *= GROWTH
