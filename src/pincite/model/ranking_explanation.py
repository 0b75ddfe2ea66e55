"""Why a hit stands where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What one list gave to a chunk: its ``rank`` in it from 1 and raw ``score`` (``None``: not in the list), the
    score ``normalised`` by the fusion, and the fusion's ``weight``; the part of the fused score is their product."""

    rank: int | None = None
    score: float | None = None
    normalised: float | None = None
    weight: float | None = None

    def to_json(self) -> dict[str, Any]:
        return {"rank": self.rank, "score": self.score, "normalised": self.normalised, "weight": self.weight}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Part:
        return cls(**{name: data[name] for name in ("rank", "score", "normalised", "weight")})


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """``terms`` are the query's terms that the chunk has with their BM25 weights, which add up to the lexical score;
    ``missing`` those of the words that the hit has in no form. ``context`` is what stands around the chunk, by kind,
    without rank and raw score. ``fused_rank`` counts before reranking, folding and every later filter, ``reranked`` is
    the rank that a reranker gave. ``filters`` names what was in force.

    Of a hit that was joined from several chunks it is the best of them that is explained."""

    terms: Mapping[str, float] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    lexical: Part | None = None
    dense: Part | None = None
    context: Mapping[str, Part] = field(default_factory=dict)
    fusion: str | None = None
    fused_rank: int
    fused_score: float
    reranked: int | None = None
    filters: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {
            "terms": dict(self.terms),
            "missing": list(self.missing),
            "lexical": self.lexical.to_json() if self.lexical else None,
            "dense": self.dense.to_json() if self.dense else None,
            "context": {name: part.to_json() for name, part in self.context.items()},
            "fusion": self.fusion,
            "fused_rank": self.fused_rank,
            "fused_score": self.fused_score,
            "reranked": self.reranked,
            "filters": dict(self.filters),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Explanation:
        return cls(
            terms=dict(data["terms"]),
            missing=tuple(data["missing"]),
            lexical=Part.from_json(data["lexical"]) if data["lexical"] else None,
            dense=Part.from_json(data["dense"]) if data["dense"] else None,
            context={name: Part.from_json(part) for name, part in data.get("context", {}).items()},
            fusion=data["fusion"],
            fused_rank=data["fused_rank"],
            fused_score=data["fused_score"],
            reranked=data["reranked"],
            filters=dict(data["filters"]),
        )
