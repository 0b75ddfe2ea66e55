"""What a search gives back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pincite.model.chunk import Chunk
from pincite.model.document import Notice
from pincite.model.metadata import Metadata, metadata_from_json, metadata_to_json
from pincite.model.place import Place
from pincite.model.ranking_explanation import Explanation
from pincite.model.span import Span

Mode = Literal["hybrid", "lexical", "dense"]
MODES: tuple[Mode, ...] = ("hybrid", "lexical", "dense")


@dataclass(frozen=True, slots=True)
class Principal:
    """Who asks: the groups that they belong to. A document without groups belongs to ``public``.

    Takes any collection of names and keeps a frozen set; a lone text is refused, since its letters are no groups.
    """

    groups: frozenset[str] = frozenset({"public"})

    def __post_init__(self) -> None:
        given: object = self.groups
        if not isinstance(given, (frozenset, set, list, tuple)) or not all(
            isinstance(group, str) and group.strip() for group in given
        ):
            raise ValueError(f"a principal has a set of group names, got {given!r}")
        object.__setattr__(self, "groups", frozenset(given))

    def may_see(self, groups: tuple[str, ...]) -> bool:
        """
        >>> Principal().may_see(()), Principal().may_see(("support",))
        (True, False)
        """
        return bool(self.groups & set(groups or ("public",)))


PUBLIC = Principal()


@dataclass(frozen=True, slots=True)
class Scored:
    """A chunk's id and its score; a higher score is better, everywhere."""

    chunk_id: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """A chunk as a store keeps it: with its place in the source and its document's metadata."""

    chunk: Chunk
    place: Place = field(default_factory=Place)
    metadata: Metadata = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {
            **self.chunk.to_json(),
            "place": self.place.to_json(),
            "metadata": metadata_to_json(self.metadata),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Located:
        return cls(
            chunk=Chunk.from_json(data),
            place=Place.from_json(data["place"]),
            metadata=metadata_from_json(data["metadata"]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """A stretch of a document's text, to be read around a hit."""

    span: Span
    text: str = field(repr=False)

    def __post_init__(self) -> None:
        if len(self.text) != len(self.span):
            raise ValueError(f"an excerpt's text is its slice: {len(self.text)} characters at {self.span}")

    def to_json(self) -> dict[str, Any]:
        return {"start": self.span.start, "end": self.span.end, "text": self.text}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Excerpt:
        return cls(span=Span(data["start"], data["end"]), text=data["text"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat:
    """Where nearly the same text as that of a hit stands too: a chunk of its own, which can be cited."""

    chunk_id: str
    document_id: str
    span: Span
    place: Place = field(default_factory=Place)

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.chunk_id,
            "document": self.document_id,
            "start": self.span.start,
            "end": self.span.end,
            "place": self.place.to_json(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Repeat:
        return cls(
            chunk_id=data["id"],
            document_id=data["document"],
            span=Span(data["start"], data["end"]),
            place=Place.from_json(data["place"]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A chunk that was found, or several adjacent ones that are read as one passage: then ``joined`` has their ids, and
    ``located`` is the passage, with number, headings and prefix of the first one and their tokens in sum.

    ``rank`` counts from 1; ``lexical`` and ``dense`` are the raw scores of the two searches, ``None`` where that search
    did not run (hybrid: 0.0 lexical where no term matched).

    ``relevance`` in [0, 1] says how likely the chunk is about the query, whatever else was found; ``None`` where there
    is no such scale for the embedder. ``also`` lists the chunks with nearly the same text that were folded into this
    hit, ``context`` is what is to be read around it, ``explanation`` is there where it was asked for.
    """

    located: Located
    rank: int
    score: float
    lexical: float | None = None
    dense: float | None = None
    relevance: float | None = None
    joined: tuple[str, ...] = ()
    also: tuple[Repeat, ...] = ()
    context: Excerpt | None = None
    explanation: Explanation | None = None

    def __post_init__(self) -> None:
        if self.rank < 1:
            raise ValueError(f"ranks count from 1, got {self.rank}")
        if self.relevance is not None and not 0 <= self.relevance <= 1:
            raise ValueError(f"relevance is in [0, 1], got {self.relevance}")

    @property
    def chunk(self) -> Chunk:
        return self.located.chunk

    def to_json(self) -> dict[str, Any]:
        """``explain`` is only there where an explanation was asked for."""
        explain = {"explain": self.explanation.to_json()} if self.explanation else {}
        return {
            **self.located.to_json(),
            "rank": self.rank,
            "score": self.score,
            "scores": {"lexical": self.lexical, "dense": self.dense},
            "relevance": self.relevance,
            "joined": list(self.joined),
            "also": [repeat.to_json() for repeat in self.also],
            "context": self.context.to_json() if self.context else None,
            **explain,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Hit:
        return cls(
            located=Located.from_json(data),
            rank=data["rank"],
            score=data["score"],
            lexical=data["scores"]["lexical"],
            dense=data["scores"]["dense"],
            relevance=data["relevance"],
            joined=tuple(data.get("joined", ())),
            also=tuple(Repeat.from_json(repeat) for repeat in data["also"]),
            context=Excerpt.from_json(data["context"]) if data["context"] else None,
            explanation=Explanation.from_json(data["explain"]) if "explain" in data else None,
        )


@dataclass(frozen=True, slots=True)
class Ranking:
    """The hits of one query, best first, ranks 1, 2, 3, … and each chunk once."""

    query: str
    hits: tuple[Hit, ...] = ()
    warnings: tuple[Notice, ...] = ()

    def __post_init__(self) -> None:
        if [hit.rank for hit in self.hits] != list(range(1, len(self.hits) + 1)):
            raise ValueError("the ranks of a ranking are 1, 2, 3, …")
        if len({hit.chunk.id for hit in self.hits}) != len(self.hits):
            raise ValueError("a ranking has each chunk once")

    def to_json(self) -> dict[str, Any]:
        return {
            "query": self.query,
            "hits": [hit.to_json() for hit in self.hits],
            "warnings": [warning.to_json() for warning in self.warnings],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Ranking:
        return cls(
            query=data["query"],
            hits=tuple(Hit.from_json(hit) for hit in data["hits"]),
            warnings=tuple(Notice.from_json(warning) for warning in data["warnings"]),
        )
