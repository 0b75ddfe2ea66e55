"""Checks what a language model says against the passages that it read; its word counts for nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pincite.answer.claims import CheckedClaim, Claim, check
from pincite.answer.orders import is_ordered
from pincite.answer.prompt import Quoted, Said
from pincite.answer.quotes import Quote, find_within
from pincite.model import Citation, Context, Document, Principal, Span, Statement, Verdict
from pincite.ports import Scorer, Snapshot
from pincite.text.sentences import sentences

RANK: Mapping[Verdict, int] = {
    "verified": 4,
    "derived": 3,
    "paraphrase": 2,
    "unsupported": 1,
    "quote-not-found": 0,
}
LEAST_SUPPORT = 0.5
"""A scorer that says less of a statement lowers its verdict."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checker:
    """``documents`` are those of the passages that the principal may see; ``spans`` are their passages: nothing else is
    searched for a quote."""

    context: Context
    documents: Mapping[str, Document]
    spans: Mapping[str, Sequence[Span]]
    scorer: Scorer | None = None

    @classmethod
    def of(cls, context: Context, snapshot: Snapshot, *, principal: Principal, scorer: Scorer | None = None) -> Checker:
        documents: dict[str, Document] = {}
        spans: dict[str, list[Span]] = {}
        for passage in context.passages:
            document = documents.get(passage.document_id) or snapshot.document(passage.document_id, principal=principal)
            if document is not None and passage.span.of(document.text) == passage.text:
                documents[document.id] = document
                spans.setdefault(document.id, []).append(passage.span)
        return cls(context=context, documents=documents, spans=spans, scorer=scorer)

    def check(self, said: Said) -> Statement:
        """The statement with its verdict. Of several quotes those that support it are its citations; a supported one
        has no citation of a quote that does not stand there."""
        if not said.quotes:
            return Statement(said.text, (), "unsupported", "no-quote", "no quote was given for it")
        claims = [
            Claim(statement=said.text, quote=quoted.quote, document_id=self._named(quoted)) for quoted in said.quotes
        ]
        checked = self._checked(claims)
        best = max(checked, key=lambda claim: RANK[claim.verdict])
        citations = self._citations(checked, best.verdict)
        statement = Statement(said.text, citations, best.verdict, best.reason, best.message)
        return self._weighed(statement) if self.scorer else statement

    def first_sentences(self, count: int) -> tuple[Citation, ...]:
        """The first sentence of each of the first passages, which is no heading where there is another."""
        found: list[Citation] = []
        for passage in self.context.passages:
            document = self.documents.get(passage.document_id)
            if document is not None and len(found) < count:
                start, end = _first_sentence(document, passage.span)
                found.append(Citation.cite(document, Span(start, end)))
        return tuple(found)

    def _named(self, quoted: Quoted) -> str:
        """The document of the passage that was named, where the quote stands in that one; models miscount, so that
        otherwise all passages are searched."""
        if not 1 <= quoted.passage <= len(self.context.passages):
            return ""
        passage = self.context.passages[quoted.passage - 1]
        document = self.documents.get(passage.document_id)
        if document is None or not find_within(Quote(quoted.quote), document.text, [passage.span]):
            return ""
        return document.id

    def _checked(self, claims: Sequence[Claim]) -> list[CheckedClaim]:
        """Words that a document orders somebody to say take no part: not even together with other quotes do they
        support anything."""
        checked = check(claims, self.documents, self.documents.get, within=self.spans)
        ordered = [
            claim for claim in checked if claim.span and is_ordered(self.documents[claim.document_id], claim.span)
        ]
        if not ordered:
            return checked
        others = [claim.claim for claim in checked if claim not in ordered]
        message = "the document does not say it: it tells somebody to say it"
        refused = [replace(claim, verdict="unsupported", reason="order", message=message) for claim in ordered]
        return [*check(others, self.documents, self.documents.get, within=self.spans), *refused]

    def _citations(self, checked: Sequence[CheckedClaim], verdict: Verdict) -> tuple[Citation, ...]:
        supported = RANK[verdict] >= RANK["paraphrase"]
        citations = []
        for claim in checked:
            if supported and RANK[claim.verdict] < RANK["paraphrase"]:
                continue
            if claim.span is None or claim.match is None:
                citations.append(Citation.missing(claim.quote, document_id=claim.document_id))
            else:
                citations.append(Citation.cite(self.documents[claim.document_id], claim.span, match=claim.match))
        return tuple(dict.fromkeys(citations))

    def _weighed(self, statement: Statement) -> Statement:
        """A scorer only ever lowers a verdict: word for word to paraphrase, anything else to unsupported."""
        if self.scorer is None or not statement.supported:
            return statement
        support = self.scorer.support(statement.text, "\n".join(citation.quote for citation in statement.citations))
        if support >= LEAST_SUPPORT:
            return statement
        lower: Verdict = "paraphrase" if statement.verdict == "verified" else "unsupported"
        message = f"{self.scorer.name} gives it {support:.2f} of support by its quotes"
        return replace(statement, verdict=lower, reason="entailment", message=message)


def _first_sentence(document: Document, span: Span) -> tuple[int, int]:
    headings = [block.span for block in document.blocks if block.kind == "heading"]
    found = sentences(document.text, span.start, span.end)
    said = (one for one in found if not any(heading.overlaps(Span(*one)) for heading in headings))
    return next(said, found[0])
