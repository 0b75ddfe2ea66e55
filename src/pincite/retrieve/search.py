"""One query over one snapshot of a store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pincite.errors import UsageError
from pincite.model import MODES, Condition, Hit, Located, Mode, Notice, Principal, Ranking, Scored
from pincite.ports import Analyser, Embedder, Fusion, Snapshot
from pincite.retrieve.query_vector import query_vector
from pincite.text.language import language_of

MIN_CANDIDATES = 100
CANDIDATES_PER_HIT = 10
"""Each search brings ``max(MIN_CANDIDATES, CANDIDATES_PER_HIT * k)`` candidates to the fusion."""


def search(
    query: str,
    *,
    snapshot: Snapshot,
    embedder: Embedder | None,
    analyser: Analyser,
    fusion: Fusion,
    principal: Principal,
    k: int = 5,
    mode: Mode = "hybrid",
    where: Condition | None = None,
) -> Ranking:
    """The ``k`` best chunks that the principal may see, fewer when there are fewer; best first.

    ``lexical`` finds only chunks that share a term with the query. In ``hybrid`` every candidate has its true dense
    score, also one that only the lexical search found. Raises ``UsageError`` for a blank query, ``k`` below 1 or an
    unknown mode. ``embedder`` may be ``None`` where the mode is ``lexical``. A query longer than the embedder reads
    is embedded in parts, with a warning. ``where``: only documents that fulfil the condition take part; the cut-off
    comes after.
    """
    _check(query, k, mode)
    candidates = max(MIN_CANDIDATES, CANDIDATES_PER_HIT * k)
    lexical: list[Scored] = []
    dense: list[Scored] = []
    warnings: list[Notice] = []
    if mode != "dense":
        terms = analyser.query_terms(query, language_of(query))
        lexical = snapshot.lexical(terms, principal=principal, limit=candidates, where=where) if terms else []
    if mode != "lexical":
        if embedder is None:
            raise ValueError(f"the mode {mode} needs an embedder")
        vector, warnings = query_vector(query, embedder)
        dense = snapshot.dense(vector, principal=principal, limit=candidates, where=where)
        found = {hit.chunk_id for hit in dense}
        missing = [hit.chunk_id for hit in lexical if hit.chunk_id not in found]
        if missing:
            scores = snapshot.dense_scores(vector, missing, principal=principal)
            dense = sorted(
                [*dense, *(Scored(name, score) for name, score in scores.items())],
                key=lambda hit: (-hit.score, hit.chunk_id),
            )
    ranked = fusion.fuse(lexical, dense) if mode == "hybrid" else lexical or dense
    best = ranked[:k]
    located = snapshot.located([hit.chunk_id for hit in best], principal=principal)
    return Ranking(query, _hits(best, located, mode, lexical, dense), tuple(warnings))


def _check(query: str, k: int, mode: str) -> None:
    if mode not in MODES:
        raise UsageError(f"no mode is called {mode!r}", cure=f"There are: {', '.join(MODES)}.")
    if k < 1:
        raise UsageError(f"k is the number of hits and at least 1, got {k}", cure="Ask for at least one hit.")
    if not query.strip():
        raise UsageError("the query is empty", cure="Ask for at least one word.")


def _hits(
    best: Sequence[Scored],
    located: Mapping[str, Located],
    mode: Mode,
    lexical: Sequence[Scored],
    dense: Sequence[Scored],
) -> tuple[Hit, ...]:
    lexical_scores = {hit.chunk_id: hit.score for hit in lexical}
    dense_scores = {hit.chunk_id: hit.score for hit in dense}
    return tuple(
        Hit(
            located=located[hit.chunk_id],
            rank=rank,
            score=hit.score,
            lexical=None if mode == "dense" else lexical_scores.get(hit.chunk_id, 0.0),
            dense=None if mode == "lexical" else dense_scores[hit.chunk_id],
        )
        for rank, hit in enumerate(best, start=1)
    )
