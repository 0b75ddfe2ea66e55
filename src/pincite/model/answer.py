"""An answer whose every citation is a proof."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from pincite.model.document import Document, Notice
from pincite.model.place import Place
from pincite.model.span import Span

Verdict = Literal["verified", "paraphrase", "derived", "unsupported", "quote-not-found"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A quote and where it stands. Made by ``cite`` only from a document that holds the quote at the span.

    ``match`` says how the quote was found: ``exact`` means character for character.
    """

    document_id: str
    span: Span
    quote: str
    match: Literal["exact"] = "exact"
    place: Place = field(default_factory=Place)
    headings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(self.quote) != len(self.span):
            raise ValueError(f"a quote is the document's text at its span: {len(self.quote)} characters at {self.span}")

    @classmethod
    def cite(cls, document: Document, span: Span) -> Citation:
        """The citation of that span; place and headings are the document's own."""
        if span.end > len(document.text):
            raise ValueError(f"{span} reaches out of the text of {document.id}")
        sections = document.sections_over(span)
        return cls(
            document_id=document.id,
            span=span,
            quote=span.of(document.text),
            place=document.place(span),
            headings=sections[0].path if sections else (),
        )

    def holds_in(self, document: Document) -> bool:
        """Whether the document has exactly this quote at this span."""
        return document.id == self.document_id and self.span.of(document.text) == self.quote

    def to_json(self) -> dict[str, Any]:
        return {
            "document": self.document_id,
            "start": self.span.start,
            "end": self.span.end,
            "quote": self.quote,
            "match": self.match,
            "place": self.place.to_json(),
            "headings": list(self.headings),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Citation:
        return cls(
            document_id=data["document"],
            span=Span(data["start"], data["end"]),
            quote=data["quote"],
            match=data["match"],
            place=Place.from_json(data["place"]),
            headings=tuple(data["headings"]),
        )


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence of an answer with what supports it."""

    text: str
    citations: tuple[Citation, ...]
    verdict: Verdict = "verified"

    def __post_init__(self) -> None:
        if self.verdict not in VERDICTS:
            raise ValueError(f"no verdict {self.verdict!r}; there are: {', '.join(VERDICTS)}")
        if self.verdict == "verified" and not self.citations:
            raise ValueError("a verified statement has a citation")

    def to_json(self) -> dict[str, Any]:
        return {
            "text": self.text,
            "verdict": self.verdict,
            "citations": [citation.to_json() for citation in self.citations],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Statement:
        citations = tuple(Citation.from_json(citation) for citation in data["citations"])
        return cls(data["text"], citations, data["verdict"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Statements with citations, or, where the documents do not say it, none and the ``reason``."""

    question: str
    statements: tuple[Statement, ...] = ()
    reason: str = ""
    warnings: tuple[Notice, ...] = ()

    def __post_init__(self) -> None:
        if not self.statements and not self.reason:
            raise ValueError("an answer without statements says why")

    @property
    def answered(self) -> bool:
        return bool(self.statements)

    def to_json(self) -> dict[str, Any]:
        return {
            "question": self.question,
            "answered": self.answered,
            "statements": [statement.to_json() for statement in self.statements],
            "reason": self.reason,
            "warnings": [warning.to_json() for warning in self.warnings],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Answer:
        return cls(
            question=data["question"],
            statements=tuple(Statement.from_json(statement) for statement in data["statements"]),
            reason=data["reason"],
            warnings=tuple(Notice.from_json(warning) for warning in data["warnings"]),
        )
