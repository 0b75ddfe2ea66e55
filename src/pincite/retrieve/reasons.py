"""Why a passage is among the hits of a query or not, and what would bring it up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from pincite.errors import NothingFoundError
from pincite.model import Chunk, Document, Principal
from pincite.model.condition import fulfils
from pincite.ports import Snapshot
from pincite.retrieve.candidates import Reader
from pincite.retrieve.choosing import Chooser
from pincite.retrieve.query import Wish
from pincite.retrieve.request import Request
from pincite.retrieve.search import Lists, Tools, chooser_for, lists_of, place_in

Verdict = Literal[
    "hit", "folded", "where", "not", "phrase", "no_term", "irrelevant", "budget", "cut", "not_reranked", "not_indexed"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """What became of one passage. ``rank`` is its place among all that take part, from 1, ``None`` where it takes no
    part; ``k`` is how many hits were asked for and ``last`` the last of them. ``advice`` are sentences for people."""

    document_id: str
    verdict: Verdict
    chunk: Chunk | None = None
    rank: int | None = None
    score: float | None = None
    lexical: float | None = None
    dense: float | None = None
    relevance: float | None = None
    k: int
    last: Mapping[str, Any] | None = None
    better: tuple[str, ...] = ()
    terms: Mapping[str, float] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "document": self.document_id,
            "chunk": self.chunk.id if self.chunk else None,
            "start": self.chunk.span.start if self.chunk else None,
            "end": self.chunk.span.end if self.chunk else None,
            "verdict": self.verdict,
            "found": self.verdict == "hit",
            "rank": self.rank,
            "score": self.score,
            "scores": {"lexical": self.lexical, "dense": self.dense},
            "relevance": self.relevance,
            "k": self.k,
            "last": dict(self.last) if self.last else None,
            "better": list(self.better),
            "terms": dict(self.terms),
            "missing": list(self.missing),
            "advice": list(self.advice),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One request with the lists that it went through as it was asked, ``asked``, and as if nothing was cut off."""

    request: Request
    reader: Reader
    tools: Tools
    wish: Wish
    asked: Lists
    all: Lists
    chooser: Chooser
    hits: Sequence[str]


def reason(
    document_id: str, line: int | None, request: Request, *, snapshot: Snapshot, principal: Principal, tools: Tools
) -> Reason:
    """Of the passage at that line of the document's text (from 1), or of the document's best one.

    Raises ``NothingFoundError`` where there is no such passage that the principal may see, in the same words whether it
    does not exist or may not be seen.
    """
    document = snapshot.document(document_id, principal=principal)
    if document is None:
        raise NothingFoundError(
            "there is no such document that you may see", cure="`pincite status` lists the ids.", file=document_id
        )
    chunks = snapshot.chunks(document_id, principal=principal)
    if line is not None:
        chunks = _at_line(document, chunks, line)
    if not chunks:
        return Reason(
            document_id=document_id, verdict="not_indexed", k=request.k, advice=("It has no text to search.",)
        )
    reader = Reader(snapshot=snapshot, principal=principal)
    asked = lists_of(request, reader, tools)
    chooser = chooser_for(request, reader, tools, asked)
    chosen = chooser.choose(asked.ranked)
    number, _ = snapshot.document_frequencies([], principal=principal)
    case = Case(
        request=request,
        reader=reader,
        tools=tools,
        wish=asked.wish,
        asked=asked,
        all=lists_of(request, reader, replace(tools, reranker=None), limit=max(number, 1)),
        chooser=chooser,
        hits=[passage.scored.chunk_id for passage in chosen],
    )
    places = {chunk.id: _rank(case, chunk.id) for chunk in chunks}
    best = min(chunks, key=lambda chunk: (places[chunk.id] or len(case.all.fused) + 1, chunk.number))
    return _of(case, document, best)


def _at_line(document: Document, chunks: Sequence[Chunk], line: int) -> list[Chunk]:
    """The chunk that has the line's text; raises where the line does not exist or stands in no chunk."""
    starts = document.line_starts
    if 1 <= line <= len(starts):
        start = starts[line - 1]
        end = starts[line] if line < len(starts) else len(document.text)
        touching = [chunk for chunk in chunks if chunk.span.start < end and start < chunk.span.end]
        if touching:
            return touching[:1]
    raise NothingFoundError(
        f"no passage stands at line {line}", cure=f"The text has {len(starts)} lines.", file=document.id
    )


def _rank(case: Case, name: str) -> int | None:
    """Among the ranked candidates where it is one, else among everything that takes part."""
    return place_in(case.asked.ranked, name)[0] or place_in(case.all.fused, name)[0]


def _of(case: Case, document: Document, chunk: Chunk) -> Reason:
    request, found = case.request, case.all.candidates
    reader = case.reader
    matched = reader.snapshot.term_weights(
        found.terms, [chunk.id], principal=reader.principal, where=request.where
    ).get(chunk.id, {})
    rank = _rank(case, chunk.id)
    verdict = _verdict(case, document, chunk)
    # What a filter leaves out was not scored, and nothing is said of terms where statistics leave the passage out.
    missing = () if verdict == "where" else tuple(term for term in found.terms if term not in matched)
    better = tuple(name for name in case.hits if _document_of(case, name) == document.id and name != chunk.id)
    return Reason(
        document_id=document.id,
        verdict=verdict,
        chunk=chunk,
        rank=rank,
        score=place_in(case.asked.ranked, chunk.id)[1] if rank else None,
        lexical=place_in(found.lexical, chunk.id)[1],
        dense=place_in(found.dense, chunk.id)[1],
        relevance=case.chooser.relevances.get(chunk.id),
        k=request.k,
        last=_last(case),
        better=better,
        terms=matched,
        missing=missing,
        advice=tuple(_advice(case, verdict, chunk, rank, missing, better)),
    )


def _verdict(case: Case, document: Document, chunk: Chunk) -> Verdict:
    request, wish, name = case.request, case.wish, chunk.id
    if request.where is not None and not fulfils(document.metadata, request.where):
        return "where"
    located = case.reader.located([name])[name]
    if _unwanted(case, name) or not replace(wish, phrases=()).fits(located):
        return "not"
    if not wish.fits(located):
        return "phrase"
    match case.chooser.fates.get(name):
        case "hit":
            return "hit"
        case "folded":
            return "folded"
        case "irrelevant":
            return "irrelevant"
        case "budget":
            return "budget"
    if place_in(case.all.fused, name)[0] is None:
        return "no_term"
    if case.tools.reranker and place_in(case.asked.ranked, name)[0] is None:
        return "not_reranked"
    return "cut"


def _unwanted(case: Case, name: str) -> list[str]:
    """The unwanted terms that the passage has."""
    if not case.wish.unwanted:
        return []
    terms = sorted(case.wish.unwanted)
    snapshot, principal = case.reader.snapshot, case.reader.principal
    return sorted(snapshot.term_weights(terms, [name], principal=principal).get(name, {}))


def _document_of(case: Case, name: str) -> str:
    return case.reader.located([name])[name].chunk.document_id


def _last(case: Case) -> dict[str, Any] | None:
    """The last hit, which the passage would have to beat."""
    if not case.hits:
        return None
    name = case.hits[-1]
    found = case.all.candidates
    return {
        "rank": len(case.hits),
        "document": _document_of(case, name),
        "chunk": name,
        "score": place_in(case.asked.ranked, name)[1],
        "scores": {"lexical": place_in(found.lexical, name)[1], "dense": place_in(found.dense, name)[1]},
    }


def _advice(
    case: Case, verdict: Verdict, chunk: Chunk, rank: int | None, missing: Sequence[str], better: Sequence[str]
) -> list[str]:
    request = case.request
    said: list[str] = []
    match verdict:
        case "where":
            said.append(f"Its metadata do not fulfil the condition: drop or widen --where {request.said!r}.")
        case "not":
            said.append(f"It has a word that was to be left out: drop --not {' '.join(request.without)}.")
        case "phrase":
            said.append("A phrase in quotes does not stand in it as such: ask without the quotes.")
        case "no_term":
            said.append("It shares no word with the query: ask in its words, or search in the mode hybrid or dense.")
        case "irrelevant":
            said.append(f"Its relevance is below {request.min_relevance:g}: lower --min-relevance.")
        case "budget":
            said.append("It does not fit into what is left of the budget: raise --budget-tokens.")
        case "folded":
            twin = _document_of(case, case.chooser.folded_into[chunk.id])
            said.append(f"It says nearly the same as a better hit in {twin}, which lists it.")
        case "not_reranked":
            said.append("It is not among the candidates that the reranker reads: search without, or with a higher k.")
        case "cut":
            said.append(f"It is cut off: it ranks at {rank} and {request.k} hits were asked for; -k {rank} shows it.")
    if verdict in ("cut", "not_reranked", "no_term", "irrelevant") and missing:
        said.append(f"It lacks these terms of the query: {', '.join(missing)}.")
    if verdict != "hit" and better:
        said.append("Another passage of the same document is a hit.")
    return said
