"""What a search gives back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pincite.model.chunk import Chunk
from pincite.model.document import Notice
from pincite.model.metadata import Metadata, metadata_from_json, metadata_to_json
from pincite.model.place import Place

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
class Hit:
    """A chunk that was found. ``rank`` counts from 1; ``lexical`` and ``dense`` are the raw scores of the two
    searches, ``None`` where that search did not run (hybrid: 0.0 lexical where no term matched)."""

    located: Located
    rank: int
    score: float
    lexical: float | None = None
    dense: float | None = None

    def __post_init__(self) -> None:
        if self.rank < 1:
            raise ValueError(f"ranks count from 1, got {self.rank}")

    @property
    def chunk(self) -> Chunk:
        return self.located.chunk

    def to_json(self) -> dict[str, Any]:
        return {
            **self.located.to_json(),
            "rank": self.rank,
            "score": self.score,
            "scores": {"lexical": self.lexical, "dense": self.dense},
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Hit:
        return cls(
            located=Located.from_json(data),
            rank=data["rank"],
            score=data["score"],
            lexical=data["scores"]["lexical"],
            dense=data["scores"]["dense"],
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
