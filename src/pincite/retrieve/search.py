"""One query over one snapshot of a store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pincite.model import Hit, Located, Notice, Principal, Ranking, Scored
from pincite.ports import Analyser, Counter, Embedder, Fusion, Reranker, Snapshot
from pincite.retrieve.candidates import Candidates, Reader, enough_for, gather
from pincite.retrieve.choosing import Chooser, Passage
from pincite.retrieve.explaining import HitExplainer
from pincite.retrieve.query import Wish, read_query
from pincite.retrieve.relevance import scale_for
from pincite.retrieve.request import Request
from pincite.retrieve.reranking import RERANKED, reranked

NO_PHRASE = Notice(
    kind="no_phrase",
    message="no passage has every phrase in quotes; their words were looked for like the others of the query",
)


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
    """The ``k`` best chunks that the principal may see, fewer when there are fewer; best first. Adjacent chunks that
    rank high together are one hit, with the scores of the best of them.

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
        hits = _explained(hits, chosen, lists, request, principal, tools)
    return Ranking(request.query, tuple(hits), (*lists.candidates.warnings, *_warnings(request, chosen)))


def lists_of(request: Request, reader: Reader, tools: Tools, *, limit: int | None = None) -> Lists:
    """``limit``: how many candidates each search brings, by default as many as ``k`` hits need."""
    wish = read_query(request.query, request.without)
    limit = limit or enough_for(request.k)
    found = _gathered(request, wish, reader, tools, limit)
    loosened = wish.loosened
    if loosened and not found.lexical and not found.dense:
        again = _gathered(request, loosened, reader, tools, limit)
        if again.lexical or again.dense:
            wish, found = loosened, replace(again, warnings=(*again.warnings, NO_PHRASE))
    if request.mode == "hybrid" and (names := tools.fusion.to_compare(found.evidence)):
        kin = reader.snapshot.kin(names, principal=reader.principal)
        found = replace(found, evidence=replace(found.evidence, kin=kin))
    fused = _fused(found, request, tools.fusion)
    ranked = fused
    if tools.reranker:
        ranked = fused[: max(RERANKED, request.k)]
        located = reader.located(hit.chunk_id for hit in ranked)
        passages = [passage.chunk.embedded for passage in located.values()]
        ranked = reranked(wish.text, ranked, passages, tools.reranker)
    return Lists(wish=wish, candidates=found, fused=fused, ranked=ranked)


def _gathered(request: Request, wish: Wish, reader: Reader, tools: Tools, limit: int) -> Candidates:
    return gather(
        request,
        wish,
        reader,
        embedder=tools.embedder,
        analyser=tools.analyser,
        limit=limit,
        context=tools.fusion.reads_context,
    )


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
        return fusion.fuse(found.evidence)
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
            joined=passage.chunk_ids if len(passage.chunk_ids) > 1 else (),
            also=tuple(passage.also),
            context=passage.context,
        )
        for rank, passage in enumerate(chosen, start=1)
    ]


def _explained(
    hits: Sequence[Hit],
    chosen: Sequence[Passage],
    lists: Lists,
    request: Request,
    principal: Principal,
    tools: Tools,
) -> list[Hit]:
    explainer = HitExplainer.of(
        request, lists.wish, lists.candidates, lists.fused, fusion=tools.fusion, principal=principal
    )
    return [
        replace(
            hit,
            explanation=explainer.explanation(
                passage.scored.chunk_id,
                matched=passage.matched,
                shown=passage.terms,
                reranked_to=passage.rank if tools.reranker else None,
            ),
        )
        for hit, passage in zip(hits, chosen, strict=True)
    ]


def _warnings(request: Request, chosen: Sequence[Passage]) -> list[Notice]:
    if request.expand != "parent" or not chosen or any(_has_parent(passage.located) for passage in chosen):
        return []
    message = "the passages have no parents to expand to; the strategy `hierarchy` makes them"
    return [Notice(kind="no_parents", message=message)]


def _has_parent(located: Located) -> bool:
    return located.chunk.parent is not None
