"""Claims from anywhere (another product's answer, a draft) checked against documents.

Each is a statement with the quote that is to support it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pincite.answer.evidence import Evidence
from pincite.answer.judged import Judged
from pincite.answer.judging import judge, speaks_of
from pincite.answer.quotes import STRICTNESS, Found, Page, Quote, find, find_within
from pincite.model import Document, Match, Span, Verdict

MOST_CONSIDERED = 12
"""A quote may stand at many places, in several versions of a document: so many are judged and the best one is taken."""
_RANK: Mapping[str, int] = {
    name: rank for rank, name in enumerate(("quote-not-found", "unsupported", "paraphrase", "derived", "verified"))
}
NOT_FOUND: Mapping[str, str] = {
    "empty": "there is no quote",
    "too-short": "the quote is too short to prove anything",
    "not-in-document": "the quote does not stand in that document",
    "not-in-documents": "the quote stands in no document",
    "no-such-document": "there is no such document",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """``document_id`` is where the quote is said to stand, if anywhere; ``other`` has what else the line said."""

    statement: str
    quote: str
    document_id: str = ""
    other: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def from_json(cls, data: Any) -> Claim:
        """Raises ``ValueError`` where the data make no claim."""
        if not isinstance(data, Mapping):
            raise ValueError(f"a JSON object is needed, not {type(data).__name__}")
        for name in ("statement", "quote"):
            if not isinstance(data.get(name), str):
                raise ValueError(f"{name!r} is missing or no text")
        document = data.get("document")
        if document is not None and not isinstance(document, str):
            raise ValueError(f"'document' is a text, got {document!r}")
        other = {name: value for name, value in data.items() if name not in _FIELDS}
        return cls(statement=data["statement"], quote=data["quote"], document_id=document or "", other=other)


_FIELDS = frozenset(["statement", "quote", "document", "verdict", "start", "end", "match", "reason", "message"])


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedClaim:
    """A claim with its verdict. ``quote`` is the text of ``document_id`` at ``span``, and ``match`` how it was found;
    where it was not, the quote is the claim's and ``span`` and ``match`` are ``None``. ``reason`` is one word for
    programs, ``message`` a line for people."""

    claim: Claim
    verdict: Verdict
    reason: str
    message: str
    document_id: str = ""
    span: Span | None = None
    quote: str = ""
    match: Match | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            **self.claim.other,
            "statement": self.claim.statement,
            "quote": self.quote,
            "document": self.document_id or None,
            "start": self.span.start if self.span else None,
            "end": self.span.end if self.span else None,
            "match": self.match,
            "verdict": self.verdict,
            "reason": self.reason,
            "message": self.message,
        }


@dataclass(frozen=True, slots=True)
class Located:
    """A place of a quote with the evidence that it gives."""

    document_id: str
    found: Found
    quote: str
    evidence: Evidence


def check(
    claims: Sequence[Claim],
    document_ids: Iterable[str],
    read: Callable[[str], Document | None],
    *,
    within: Mapping[str, Sequence[Span]] | None = None,
) -> list[CheckedClaim]:
    """The claims with their verdicts, in their order. Each document is read at most once, one at a time.

    ``read`` gives nothing for a document that is not there, or not for the one who asks. ``within`` has for each
    document the spans in which quotes are looked for, by default all of it. Claims with the same statement support it
    together: what no quote says alone, several may.
    """
    known = set(document_ids)
    quotes = [Quote(claim.quote) for claim in claims]
    places: list[list[Located]] = [[] for _ in claims]
    wanted = {claim.document_id for claim in claims}
    for document_id in sorted(known) if "" in wanted else sorted(known & wanted):
        asked = [index for index, claim in enumerate(claims) if claim.document_id in ("", document_id)]
        document = read(document_id) if asked else None
        if document is None:
            known.discard(document_id)
            continue
        page = Page(document.text)
        for index in asked:
            if within is None:
                found = find(quotes[index], page)
            else:
                found = find_within(quotes[index], document.text, within.get(document_id, ()))
            _add(places[index], document, found, page)
    statements: dict[str, list[int]] = {}
    for index, claim in enumerate(claims):
        statements.setdefault(claim.statement.strip(), []).append(index)
    alone = [_alone(claim, quotes[index], places[index], known) for index, claim in enumerate(claims)]
    for together in statements.values():
        _join(together, alone)
    return [checked for checked, _ in alone]


Checked = tuple[CheckedClaim, Located | None]


def _add(places: list[Located], document: Document, found: Sequence[Found], page: Page) -> None:
    """Keeps only the places of the strictest match of all documents."""
    for each in found:
        strictness = STRICTNESS.index(each.match)
        best = STRICTNESS.index(places[0].found.match) if places else len(STRICTNESS)
        if strictness > best or (strictness == best and len(places) >= MOST_CONSIDERED):
            continue
        if strictness < best:
            places.clear()
        evidence = Evidence.of(document, each.pieces)
        places.append(Located(document.id, each, each.span.of(page.text), evidence))


def _alone(claim: Claim, quote: Quote, places: Sequence[Located], known: set[str]) -> Checked:
    if not places:
        reason = quote.weakness or _missing(claim.document_id, known)
        return CheckedClaim(
            claim=claim,
            verdict="quote-not-found",
            reason=reason,
            message=NOT_FOUND[reason],
            document_id=claim.document_id,
            quote=claim.quote,
        ), None
    judged = [(judge(claim.statement, [place.evidence]), place) for place in places]
    best, place = max(judged, key=lambda pair: _RANK[pair[0].verdict])
    return _checked(claim, best, place), place


def _missing(document_id: str, known: set[str]) -> Literal["not-in-documents", "not-in-document", "no-such-document"]:
    if not document_id:
        return "not-in-documents"
    return "not-in-document" if document_id in known else "no-such-document"


def _checked(claim: Claim, judged: Judged, place: Located) -> CheckedClaim:
    return CheckedClaim(
        claim=claim,
        verdict=judged.verdict,
        reason=judged.reason,
        message=judged.message,
        document_id=place.document_id,
        span=place.found.span,
        quote=place.quote,
        match=place.found.match,
    )


def _join(indices: Sequence[int], checked: list[Checked]) -> None:
    """Gives the lines of one statement its verdict: that of all its quotes together or of the best one alone. A quote
    that has nothing to do with the statement does not take part."""
    places = {index: place for index in indices if (place := checked[index][1])}
    if len(places) < 2:
        return
    statement = checked[indices[0]][0].claim.statement
    related = {index: place for index, place in places.items() if speaks_of(statement, place.evidence)}
    together = [judge(statement, [place.evidence for place in related.values()])] if len(related) > 1 else []
    alone = [
        Judged(claim.verdict, claim.reason, claim.message)
        for index, (claim, _) in enumerate(checked)
        if index in places
    ]
    best = max((*alone, *together), key=lambda judged: _RANK[judged.verdict])
    for index, place in related.items():
        checked[index] = _checked(checked[index][0].claim, best, place), place
