"""Questions with known relevant passages, and the rankings that a configuration gave them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pincite.model.ranking import Ranking


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A passage that is relevant to a question, anchored by its quote so that it survives re-chunking and edits.

    ``start`` and ``end`` are code points of the document's text when it was judged, ``None`` where only the quote is
    known. ``before`` and ``after`` are a little context. Judgements with the same ``part`` are alternatives.
    """

    document_id: str
    text: str
    start: int | None = None
    end: int | None = None
    before: str = ""
    after: str = ""
    grade: int = 1
    part: str = ""

    def __post_init__(self) -> None:
        if not self.text.strip():
            raise ValueError("a judgement quotes its passage")
        if self.grade < 1:
            raise ValueError(f"a relevant passage has a grade from 1, got {self.grade}")

    def to_json(self) -> dict[str, Any]:
        return {
            "document": self.document_id,
            "start": self.start,
            "end": self.end,
            "text": self.text,
            "before": self.before,
            "after": self.after,
            "grade": self.grade,
            "part": self.part,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Judgement:
        return cls(
            document_id=data["document"],
            text=data["text"],
            start=data.get("start"),
            end=data.get("end"),
            before=data.get("before") or "",
            after=data.get("after") or "",
            grade=data.get("grade", 1),
            part=data.get("part") or "",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question with its judgements; without any it has no answer in the documents.

    ``groups`` and ``where`` say as whom and with which filter it is asked.
    """

    id: str
    question: str
    language: str = ""
    relevant: tuple[Judgement, ...] = ()
    answer: str = ""
    groups: tuple[str, ...] = ()
    where: str = ""

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "question": self.question,
            "lang": self.language,
            "relevant": [judgement.to_json() for judgement in self.relevant],
            "answer": self.answer,
            "as": list(self.groups),
            "where": self.where,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Question:
        return cls(
            id=data["id"],
            question=data["question"],
            language=data.get("lang") or "",
            relevant=tuple(Judgement.from_json(judgement) for judgement in data["relevant"]),
            answer=data.get("answer") or "",
            groups=tuple(data.get("as") or ()),
            where=data.get("where") or "",
        )


@dataclass(frozen=True, slots=True)
class Run:
    """Rankings by question id, with the fingerprint of the configuration that made them."""

    fingerprint: str
    rankings: Mapping[str, Ranking] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        rankings = {name: ranking.to_json() for name, ranking in sorted(self.rankings.items())}
        return {"fingerprint": self.fingerprint, "rankings": rankings}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Run:
        return cls(data["fingerprint"], {name: Ranking.from_json(r) for name, r in data["rankings"].items()})
