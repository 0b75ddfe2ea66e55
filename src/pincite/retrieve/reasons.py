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
from pincite.retrieve.choosing import Chooser, Passage
from pincite.retrieve.explaining import Places, missing_terms, places_in
from pincite.retrieve.query import Wish
from pincite.retrieve.request import Request, is_text
from pincite.retrieve.search import Lists, Tools, chooser_for, lists_of
from pincite.text.terms import by_word

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
    """One request with the lists that it went through: ``ranked`` as it was asked, the others, and ``all``, as if
    nothing was cut off."""

    request: Request
    reader: Reader
    tools: Tools
    wish: Wish
    all: Lists
    ranked: Places
    everything: Places
    lexical: Places
    dense: Places
    chooser: Chooser
    hits: Sequence[Passage]

    def place(self, name: str) -> tuple[int | None, float | None]:
        """Rank and score among the ranked candidates where it is one; else its rank among everything that takes
        part."""
        if name in self.ranked:
            return self.ranked[name]
        return (self.everything[name][0], None) if name in self.everything else (None, None)


def reason(
    document_id: str, line: int | None, request: Request, *, snapshot: Snapshot, principal: Principal, tools: Tools
) -> Reason:
    """Of the passage at that line of the document's text (from 1), of several the best, or of the document's best one.

    Raises ``NothingFoundError`` where there is no such passage that the principal may see, in the same words whether it
    does not exist or may not be seen.
    """
    document = snapshot.document(document_id, principal=principal) if is_text(document_id) else None
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
    everything = lists_of(request, reader, replace(tools, reranker=None), limit=max(number, 1))
    case = Case(
        request=request,
        reader=reader,
        tools=tools,
        wish=asked.wish,
        all=everything,
        ranked=places_in(asked.ranked),
        everything=places_in(everything.fused),
        lexical=places_in(everything.candidates.lexical),
        dense=places_in(everything.candidates.dense),
        chooser=chooser,
        hits=chosen,
    )
    last = len(case.everything) + 1
    best = min(chunks, key=lambda chunk: (case.place(chunk.id)[0] or last, chunk.number))
    return _of(case, document, best)


def _at_line(document: Document, chunks: Sequence[Chunk], line: int) -> list[Chunk]:
    """The chunks that have text of the line; raises where the line does not exist or stands in no chunk."""
    starts = document.line_starts
    if 1 <= line <= len(starts):
        start = starts[line - 1]
        end = starts[line] if line < len(starts) else len(document.text)
        touching = [chunk for chunk in chunks if chunk.span.start < end and start < chunk.span.end]
        if touching:
            return touching
    raise NothingFoundError(
        f"no passage stands at line {line}", cure=f"The text has {len(starts)} lines.", file=document.id
    )


def _of(case: Case, document: Document, chunk: Chunk) -> Reason:
    request, found = case.request, case.all.candidates
    reader = case.reader
    matched = reader.snapshot.term_weights(
        found.terms, [chunk.id], principal=reader.principal, where=request.where
    ).get(chunk.id, {})
    rank, score = case.place(chunk.id)
    takes_part = chunk.id in case.everything
    relevance = chooser_for(request, reader, case.tools, case.all).relevance_of(chunk.id) if takes_part else None
    verdict = _verdict(case, document, chunk, relevance)
    # What a filter leaves out was not scored, and nothing is said of terms where statistics leave the passage out.
    missing = () if verdict == "where" else missing_terms(found.terms, matched)
    better = tuple(
        hit.scored.chunk_id
        for hit in case.hits
        if hit.located.chunk.document_id == document.id and chunk.id not in hit.chunk_ids
    )
    return Reason(
        document_id=document.id,
        verdict=verdict,
        chunk=chunk,
        rank=rank,
        score=score,
        lexical=_score(case.lexical, chunk.id),
        dense=_score(case.dense, chunk.id),
        relevance=relevance,
        k=request.k,
        last=_last(case),
        better=better,
        terms=matched,
        missing=missing,
        advice=tuple(_advice(case, verdict, chunk, rank, missing, better)),
    )


def _verdict(case: Case, document: Document, chunk: Chunk, relevance: float | None) -> Verdict:
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
        case "budget":
            return "budget"
        case "irrelevant":
            return "irrelevant"
        case None if relevance is not None and relevance < request.min_relevance:
            # Below the last hit, where the search looked at nothing: more hits would not bring it up.
            return "irrelevant"
    if name not in case.everything:
        return "no_term"
    if case.tools.reranker and name not in case.ranked:
        return "not_reranked"
    return "cut"


def _unwanted(case: Case, name: str) -> list[str]:
    """The unwanted terms that the passage has."""
    if not case.wish.unwanted:
        return []
    terms = sorted(case.wish.unwanted)
    snapshot, principal = case.reader.snapshot, case.reader.principal
    return sorted(snapshot.term_weights(terms, [name], principal=principal).get(name, {}))


def _score(places: Places, name: str) -> float | None:
    return places[name][1] if name in places else None


def _document_of(case: Case, name: str) -> str:
    return case.reader.located([name])[name].chunk.document_id


def _last(case: Case) -> dict[str, Any] | None:
    """The last hit, which the passage would have to beat."""
    if not case.hits:
        return None
    name = case.hits[-1].scored.chunk_id
    return {
        "rank": len(case.hits),
        "document": _document_of(case, name),
        "chunk": name,
        "score": _score(case.ranked, name),
        "scores": {"lexical": _score(case.lexical, name), "dense": _score(case.dense, name)},
    }


def _advice(
    case: Case, verdict: Verdict, chunk: Chunk, rank: int | None, missing: Sequence[str], better: Sequence[str]
) -> list[str]:
    request = case.request
    said: list[str] = []
    match verdict:
        case "hit":
            place, hit = next((place, hit) for place, hit in enumerate(case.hits, 1) if chunk.id in hit.chunk_ids)
            if len(hit.chunk_ids) > 1:
                said.append(f"It is read as one passage of {len(hit.chunk_ids)} adjacent chunks, hit {place}.")
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
        said.append(f"It lacks these words of the query: {', '.join(word[0] for word in by_word(missing))}.")
    if verdict != "hit" and better:
        said.append("Another passage of the same document is a hit.")
    return said
