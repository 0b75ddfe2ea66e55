"""What both searches bring to the fusion: exact lists of the chunks that take part."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from pincite.model import Located, Notice, Principal, Scored
from pincite.ports import Analyser, Embedder, Snapshot
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
    """Both lists best first, and what they were asked for. In hybrid every chunk has its true dense score."""

    terms: tuple[str, ...]
    lexical: Sequence[Scored] = ()
    dense: Sequence[Scored] = ()
    warnings: tuple[Notice, ...] = ()


def enough_for(k: int) -> int:
    return max(MIN_CANDIDATES, CANDIDATES_PER_HIT * k)


def gather(
    request: Request, wish: Wish, reader: Reader, *, embedder: Embedder | None, analyser: Analyser, limit: int
) -> Candidates:
    """At most ``limit`` chunks from each search, those that fulfil everything before anything is cut off."""
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
        return Candidates(terms=terms, lexical=lexical)
    if embedder is None:
        raise ValueError(f"the mode {request.mode} needs an embedder")
    vector, warnings = query_vector(wish.text, embedder)
    dense = _fitting(
        lambda most: snapshot.dense(vector, principal=principal, limit=most, where=where, words=words),
        wish,
        reader,
        limit,
    )
    found = {hit.chunk_id for hit in dense}
    missing = [hit.chunk_id for hit in lexical if hit.chunk_id not in found]
    if missing:
        scores = snapshot.dense_scores(vector, missing, principal=principal)
        dense = sorted(
            [*dense, *(Scored(name, score) for name, score in scores.items())],
            key=lambda hit: (-hit.score, hit.chunk_id),
        )
    return Candidates(terms=terms, lexical=lexical, dense=dense, warnings=tuple(warnings))


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
