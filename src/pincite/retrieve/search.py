"""One query over one snapshot of a store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pincite.model import Explanation, Hit, Located, Notice, Part, Principal, Ranking, Scored
from pincite.ports import Analyser, Counter, Embedder, Fusion, Normalised, Reranker, Snapshot
from pincite.retrieve.candidates import Candidates, Reader, enough_for, gather
from pincite.retrieve.choosing import Chooser, Passage
from pincite.retrieve.query import Wish, read_query
from pincite.retrieve.relevance import scale_for
from pincite.retrieve.request import Request
from pincite.retrieve.reranking import RERANKED, reranked


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """The components that a search works with. ``embedder`` may be ``None`` where the mode is ``lexical``; ``counter``
    measures a budget of tokens."""

    embedder: Embedder | None
    analyser: Analyser
    fusion: Fusion
    reranker: Reranker | None = None
    counter: Counter | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Lists:
    """The lists that one search went through: both searches, their fusion, the reranker's order (or the same)."""

    wish: Wish
    candidates: Candidates
    fused: Sequence[Scored]
    ranked: Sequence[Scored]


def search(request: Request, *, snapshot: Snapshot, principal: Principal, tools: Tools) -> Ranking:
    """The ``k`` best chunks that the principal may see, fewer when there are fewer; best first.

    ``lexical`` finds only chunks that share a term with the query. In ``hybrid`` every candidate has its true dense
    score, also one that only the lexical search found. A query longer than the embedder reads is embedded in parts,
    with a warning. Conditions, phrases and unwanted words decide who takes part; the cut-off comes after. With a
    reranker a hit's score is the reranker's. Raises ``UsageError`` for a request that cannot be.
    """
    reader = Reader(snapshot=snapshot, principal=principal)
    lists = lists_of(request, reader, tools)
    chosen = chooser_for(request, reader, tools, lists).choose(lists.ranked)
    hits = _hits(chosen, lists, request)
    if request.explain:
        hits = [
            _explained(hit, passage, lists, request, reader, tools) for hit, passage in zip(hits, chosen, strict=True)
        ]
    return Ranking(request.query, tuple(hits), (*lists.candidates.warnings, *_warnings(request, chosen)))


def lists_of(request: Request, reader: Reader, tools: Tools, *, limit: int | None = None) -> Lists:
    """``limit``: how many candidates each search brings, by default as many as ``k`` hits need."""
    wish = read_query(request.query, request.without)
    limit = limit or enough_for(request.k)
    found = gather(request, wish, reader, embedder=tools.embedder, analyser=tools.analyser, limit=limit)
    fused = _fused(found, request, tools.fusion)
    ranked = fused
    if tools.reranker:
        ranked = fused[: max(RERANKED, request.k)]
        located = reader.located(hit.chunk_id for hit in ranked)
        passages = [passage.chunk.embedded for passage in located.values()]
        ranked = reranked(wish.text, ranked, passages, tools.reranker)
    return Lists(wish=wish, candidates=found, fused=fused, ranked=ranked)


def chooser_for(request: Request, reader: Reader, tools: Tools, lists: Lists) -> Chooser:
    embedder = None if request.mode == "lexical" or tools.embedder is None else tools.embedder.name
    return Chooser(
        request=request,
        reader=reader,
        scale=scale_for(embedder),
        terms=lists.candidates.terms,
        cosines={hit.chunk_id: hit.score for hit in lists.candidates.dense},
        counter=tools.counter,
    )


def _fused(found: Candidates, request: Request, fusion: Fusion) -> Sequence[Scored]:
    if request.mode == "hybrid":
        return fusion.fuse(found.lexical, found.dense)
    return found.lexical or found.dense


def _hits(chosen: Sequence[Passage], lists: Lists, request: Request) -> list[Hit]:
    lexical = {hit.chunk_id: hit.score for hit in lists.candidates.lexical}
    dense = {hit.chunk_id: hit.score for hit in lists.candidates.dense}
    return [
        Hit(
            located=passage.located,
            rank=rank,
            score=passage.scored.score,
            lexical=None if request.mode == "dense" else lexical.get(passage.scored.chunk_id, 0.0),
            dense=None if request.mode == "lexical" else dense[passage.scored.chunk_id],
            relevance=passage.relevance,
            also=tuple(passage.also),
            context=passage.context,
        )
        for rank, passage in enumerate(chosen, start=1)
    ]


def _explained(hit: Hit, passage: Passage, lists: Lists, request: Request, reader: Reader, tools: Tools) -> Hit:
    return replace(
        hit,
        explanation=explanation_of(
            hit.chunk.id,
            lists,
            request,
            tools,
            matched=passage.matched,
            principal=reader.principal,
            reranked_to=passage.rank if tools.reranker else None,
        ),
    )


def explanation_of(
    name: str,
    lists: Lists,
    request: Request,
    tools: Tools,
    *,
    matched: Mapping[str, float],
    principal: Principal,
    reranked_to: int | None,
) -> Explanation:
    """Of a chunk that is in the fused list."""
    found = lists.candidates
    hybrid = request.mode == "hybrid"
    normalised = tools.fusion.normalised(found.lexical, found.dense) if hybrid else None
    rank, scored = place_in(lists.fused, name)
    return Explanation(
        terms=dict(matched),
        missing=tuple(term for term in found.terms if term not in matched),
        lexical=None if request.mode == "dense" else _part(name, found.lexical, normalised, "lexical"),
        dense=None if request.mode == "lexical" else _part(name, found.dense, normalised, "dense"),
        fusion=tools.fusion.name if hybrid else None,
        fused_rank=rank or 0,
        fused_score=scored or 0.0,
        reranked=reranked_to,
        filters=filters_of(request, lists.wish, principal),
    )


def place_in(several: Sequence[Scored], name: str) -> tuple[int | None, float | None]:
    """Rank from 1 and score in a list, twice nothing where it is not in it."""
    return next(((rank, hit.score) for rank, hit in enumerate(several, start=1) if hit.chunk_id == name), (None, None))


def filters_of(request: Request, wish: Wish, principal: Principal) -> dict[str, Any]:
    """What was in force, as it was asked for."""
    return {
        "groups": sorted(principal.groups),
        "where": request.said or None,
        "phrases": [" ".join(phrase) for phrase in wish.phrases],
        "not": list(request.without),
        "min_relevance": request.min_relevance or None,
    }


def _part(name: str, several: Sequence[Scored], normalised: Normalised | None, which: str) -> Part:
    rank, score = place_in(several, name)
    if normalised is None:
        return Part(rank=rank, score=score)
    values = normalised.lexical if which == "lexical" else normalised.dense
    weight = normalised.lexical_weight if which == "lexical" else normalised.dense_weight
    return Part(rank=rank, score=score, normalised=values.get(name, 0.0), weight=weight)


def _warnings(request: Request, chosen: Sequence[Passage]) -> list[Notice]:
    if request.expand != "parent" or not chosen or any(_has_parent(passage.located) for passage in chosen):
        return []
    message = "the passages have no parents to expand to; the strategy `hierarchy` makes them"
    return [Notice(kind="no_parents", message=message)]


def _has_parent(located: Located) -> bool:
    return located.chunk.parent is not None
