"""An answer whose every citation is a proof."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from pincite.model.document import Document, Notice
from pincite.model.place import Place
from pincite.model.span import Span
from pincite.model.trace import Trace

Verdict = Literal["verified", "paraphrase", "derived", "unsupported", "quote-not-found"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
Refusal = Literal["nothing-relevant", "insufficient", "other-version"]
"""``nothing-relevant``: nothing is about it. ``insufficient``: something is, and does not say what was asked.
``other-version``: only documents of another version than the one that was asked for say it."""
REFUSALS: tuple[Refusal, ...] = get_args(Refusal)
Match = Literal["exact", "normalised", "similar", "ellipsis"]
"""How a quote was found, the strictest way first; ``answer/quotes.py`` says what each means."""
MATCHES: tuple[Match, ...] = get_args(Match)


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A quote and where it stands. Made by ``cite`` only from a document that holds the quote at the span.

    ``match`` says how near to ``quote``, which is the document's own text at the span, the words were that somebody
    quoted; ``exact`` means character for character. Made by ``missing`` it has neither: the quote was not found, and
    ``document_id`` is where it was said to stand, if anywhere.
    """

    document_id: str
    span: Span | None
    quote: str
    match: Match | None = "exact"
    place: Place = field(default_factory=Place)
    headings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.match is not None and self.match not in MATCHES:
            raise ValueError(f"no match {self.match!r}; there are: {', '.join(MATCHES)}")
        if (self.span is None) != (self.match is None):
            raise ValueError("a quote that was found has a span and a match, one that was not has neither")
        if self.span is not None and len(self.quote) != len(self.span):
            raise ValueError(f"a quote is the document's text at its span: {len(self.quote)} characters at {self.span}")

    @property
    def found(self) -> bool:
        return self.span is not None

    @classmethod
    def missing(cls, quote: str, *, document_id: str = "") -> Citation:
        """A quote that stands nowhere."""
        return cls(document_id=document_id, span=None, quote=quote, match=None)

    @classmethod
    def cite(cls, document: Document, span: Span, *, match: Match = "exact") -> Citation:
        """The citation of that span; place and headings are the document's own."""
        if span.end > len(document.text):
            raise ValueError(f"{span} reaches out of the text of {document.id}")
        sections = document.sections_over(span)
        return cls(
            document_id=document.id,
            span=span,
            quote=span.of(document.text),
            match=match,
            place=document.place(span),
            headings=sections[0].path if sections else (),
        )

    def holds_in(self, document: Document) -> bool:
        """Whether the document has exactly this quote at this span."""
        if self.span is None or document.id != self.document_id:
            return False
        return self.span.of(document.text) == self.quote

    def to_json(self) -> dict[str, Any]:
        return {
            "document": self.document_id,
            "start": self.span.start if self.span else None,
            "end": self.span.end if self.span else None,
            "quote": self.quote,
            "match": self.match,
            "place": self.place.to_json(),
            "headings": list(self.headings),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Citation:
        return cls(
            document_id=data["document"],
            span=None if data["start"] is None else Span(data["start"], data["end"]),
            quote=data["quote"],
            match=data["match"],
            place=Place.from_json(data["place"]),
            headings=tuple(data["headings"]),
        )


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence of an answer with what supports it. Where it was judged, ``reason`` says why in one word for
    programs, and ``message`` in a line for people."""

    text: str
    citations: tuple[Citation, ...]
    verdict: Verdict = "verified"
    reason: str = ""
    message: str = ""

    def __post_init__(self) -> None:
        if self.verdict not in VERDICTS:
            raise ValueError(f"no verdict {self.verdict!r}; there are: {', '.join(VERDICTS)}")
        if self.supported and not any(citation.found for citation in self.citations):
            raise ValueError(f"a {self.verdict} statement has a citation of a quote that was found")

    @property
    def supported(self) -> bool:
        """Whether the verdict is none of ``unsupported`` and ``quote-not-found``."""
        return self.verdict in ("verified", "paraphrase", "derived")

    def to_json(self) -> dict[str, Any]:
        """``reason`` and ``message`` are only there where the statement was judged."""
        judged = {"reason": self.reason, "message": self.message} if self.reason else {}
        return {
            "text": self.text,
            "verdict": self.verdict,
            "citations": [citation.to_json() for citation in self.citations],
            **judged,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Statement:
        citations = tuple(Citation.from_json(citation) for citation in data["citations"])
        reason, message = data.get("reason", ""), data.get("message", "")
        return cls(data["text"], citations, data["verdict"], reason, message)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Statements with citations, or, where the documents do not say it, none and the ``reason``.

    ``kind`` says for programs what kind of reason it is, and ``nearest`` cites what comes nearest to an answer: both
    are for answers without statements, and what the asker may not see has no part in them.
    ``confidence`` is how sure the answerer is that there is an answer, by a scale of its own, where it has one.
    ``trace`` says how it came about, where that was asked for.
    """

    question: str
    statements: tuple[Statement, ...] = ()
    reason: str = ""
    warnings: tuple[Notice, ...] = ()
    kind: Refusal | None = None
    nearest: tuple[Citation, ...] = ()
    confidence: float | None = None
    trace: Trace | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if not self.statements and not self.reason:
            raise ValueError("an answer without statements says why")
        if self.kind not in (None, *REFUSALS):
            raise ValueError(f"no kind of refusal is called {self.kind!r}; there are: {', '.join(REFUSALS)}")
        if self.statements and (self.kind or self.nearest):
            raise ValueError("what has statements is no refusal")

    @property
    def answered(self) -> bool:
        return bool(self.statements)

    def to_json(self) -> dict[str, Any]:
        return {
            "question": self.question,
            "answered": self.answered,
            "statements": [statement.to_json() for statement in self.statements],
            "reason": self.reason,
            "kind": self.kind,
            "nearest": [citation.to_json() for citation in self.nearest],
            "confidence": self.confidence,
            "warnings": [warning.to_json() for warning in self.warnings],
            **({"trace": self.trace.to_json()} if self.trace else {}),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Answer:
        return cls(
            question=data["question"],
            statements=tuple(Statement.from_json(statement) for statement in data["statements"]),
            reason=data["reason"],
            warnings=tuple(Notice.from_json(warning) for warning in data["warnings"]),
            kind=data.get("kind"),
            nearest=tuple(Citation.from_json(citation) for citation in data.get("nearest", ())),
            confidence=data.get("confidence"),
            trace=Trace.from_json(data["trace"]) if "trace" in data else None,
        )
