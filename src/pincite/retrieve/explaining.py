"""Why each hit stands where it stands."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pincite.model import Explanation, Part, Principal, Scored
from pincite.ports import Fusion, Weighed
from pincite.retrieve.candidates import Candidates
from pincite.retrieve.query import Wish
from pincite.retrieve.request import Request
from pincite.text.terms import by_word

Places = Mapping[str, tuple[int, float]]
"""Rank from 1 and score in one list, by chunk id."""


def places_in(several: Sequence[Scored]) -> Places:
    return {hit.chunk_id: (rank, hit.score) for rank, hit in enumerate(several, start=1)}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HitExplainer:
    """Explains the hits of one search. The places in its lists are looked up once for all hits."""

    terms: Sequence[str]
    lexical: Places | None
    dense: Places | None
    fused: Places
    fusion: str | None
    parts: Mapping[str, Weighed]
    filters: Mapping[str, Any]

    @classmethod
    def of(
        cls,
        request: Request,
        wish: Wish,
        found: Candidates,
        fused: Sequence[Scored],
        *,
        fusion: Fusion,
        principal: Principal,
    ) -> HitExplainer:
        hybrid = request.mode == "hybrid"
        return cls(
            terms=found.terms,
            lexical=None if request.mode == "dense" else places_in(found.lexical),
            dense=None if request.mode == "lexical" else places_in(found.dense),
            fused=places_in(fused),
            fusion=fusion.name if hybrid else None,
            parts=fusion.normalised(found.evidence) if hybrid else {},
            filters=filters_of(request, wish, principal),
        )

    def explanation(
        self, name: str, *, matched: Mapping[str, float], shown: Collection[str], reranked_to: int | None
    ) -> Explanation:
        """Of a chunk that is in the fused list; ``matched`` are the weights of the terms that it has, ``shown`` the
        terms of all that is read together with it: those are not missing."""
        rank, score = self.fused[name]
        return Explanation(
            terms=dict(matched),
            missing=missing_terms(self.terms, shown),
            lexical=_part(name, self.lexical, self.parts.get("lexical")),
            dense=_part(name, self.dense, self.parts.get("dense")),
            context={
                kind: Part(normalised=part.values.get(name, 0.0), weight=part.weight)
                for kind, part in self.parts.items()
                if kind not in ("lexical", "dense")
            },
            fusion=self.fusion,
            fused_rank=rank,
            fused_score=score,
            reranked=reranked_to,
            filters=dict(self.filters),
        )


def missing_terms(terms: Sequence[str], matched: Collection[str]) -> tuple[str, ...]:
    """Those of the words that the passage has in none of their forms."""
    lacking = [word for word in by_word(terms) if not any(term in matched for term in word)]
    return tuple(term for word in lacking for term in word)


def filters_of(request: Request, wish: Wish, principal: Principal) -> dict[str, Any]:
    """What was in force, as it was asked for."""
    return {
        "groups": sorted(principal.groups),
        "where": request.said or None,
        "phrases": [" ".join(phrase) for phrase in wish.phrases],
        "not": list(request.without),
        "min_relevance": request.min_relevance or None,
    }


def _part(name: str, places: Places | None, fused: Weighed | None) -> Part | None:
    if places is None:
        return None
    rank, score = places.get(name, (None, None))
    if fused is None:
        return Part(rank=rank, score=score)
    return Part(rank=rank, score=score, normalised=fused.values.get(name, 0.0), weight=fused.weight)
