"""The passages that an answerer reads, chosen from a ranking within a budget of tokens."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import takewhile

from pincite import catalogue
from pincite.model import Document, Hit, Principal, Ranking, Span
from pincite.model.context import NONCE_DIGITS, Context, Cut, CutReason, Passage
from pincite.ports import Counter, Snapshot
from pincite.text.graphemes import trim
from pincite.text.sameness import Wording
from pincite.text.sentences import sentences

NEARLY_SAME = 0.9
"""Two passages say the same from this share of common pairs of words on, where no number or negation differs."""
SEPARATOR = "\n\n"
PLACEHOLDER = "0" * NONCE_DIGITS


def build_context(
    question: str, ranking: Ranking, snapshot: Snapshot, *, principal: Principal, budget: int, counter: str
) -> Context:
    """The passages of the best hits that fit, best first; only text of documents that the principal may see.

    A hit is read with what the search put around it (``Hit.context``), else with its chunk's parent, where that fits,
    else alone. Passages of one document that overlap, or have nothing but white space between them, become one, at the
    place of the better one. What nearly repeats a passage is left out, unless the versions of their documents differ:
    that both say the same is then worth knowing. Where not even the best hit fits alone, its first sentences are taken.
    ``budget`` counts the rendered passages by the counter of that catalogue name. Raises ``ValueError`` for a budget
    below 1 and ``UsageError`` for an unknown counter.
    """
    if budget < 1:
        raise ValueError(f"a budget is at least 1, got {budget}")
    builder = Builder(budget=budget, counter=catalogue.create("counter", counter))
    documents: dict[str, Document | None] = {}
    for hit in ranking.hits:
        name = hit.chunk.document_id
        if name not in documents:
            documents[name] = snapshot.document(name, principal=principal)
        document = documents[name]
        if document is not None:
            builder.take(document, hit)
    return builder.context(question, counter)


@dataclass(slots=True)
class Draft:
    """A passage that may still grow."""

    document: Document
    span: Span
    tokens: int
    wording: Wording

    def passage(self, number: int) -> Passage:
        return _passage(self.document, self.span, number, self.tokens)


@dataclass(slots=True, kw_only=True)
class Builder:
    budget: int
    counter: Counter
    drafts: list[Draft] = field(default_factory=list)
    cut: list[tuple[Document, Span, CutReason, Draft | None]] = field(default_factory=list)

    def take(self, document: Document, hit: Hit) -> None:
        """Takes the widest reading of the hit that fits and adds anything."""
        readings = list(dict.fromkeys(_readings(document, hit)))
        for reading in readings:
            if self._join(document, reading) or self._repeats(document, reading) or self._add(document, reading):
                return
        alone = readings[-1]
        if not self.drafts and (short := self._shortened(document, alone)):
            self._add(document, short)
        self.cut.append((document, alone, "budget", None))

    def _join(self, document: Document, span: Span) -> bool:
        """Makes the passages that the span touches and itself one, where that fits."""
        near = [
            draft for draft in self.drafts if draft.document.id == document.id and _touch(document, draft.span, span)
        ]
        if not near:
            return False
        spans = [span, *(draft.span for draft in near)]
        joined = self._draft(document, Span(min(one.start for one in spans), max(one.end for one in spans)))
        if joined.span != near[0].span and self._total(without=near, plus=joined) > self.budget:
            return False
        first, *others = near
        first.span, first.tokens, first.wording = joined.span, joined.tokens, joined.wording
        self.drafts = [draft for draft in self.drafts if not any(draft is other for other in others)]
        self.cut = [(*one[:3], first if any(one[3] is other for other in others) else one[3]) for one in self.cut]
        self.cut += [(document, one, "overlap", first) for one in (*(other.span for other in others), span)]
        return True

    def _repeats(self, document: Document, span: Span) -> bool:
        wording = Wording.of(span.of(document.text))
        for draft in self.drafts:
            same_version = _said(draft.document, "version") == _said(document, "version")
            if same_version and draft.wording.nearly_same(wording, share=NEARLY_SAME):
                self.cut.append((document, span, "near-duplicate", draft))
                return True
        return False

    def _add(self, document: Document, span: Span) -> bool:
        draft = self._draft(document, span)
        if any(one.document.id == document.id and one.span.overlaps(span) for one in self.drafts):
            return False  # it would say again what is there, and joined it did not fit
        if self._total(plus=draft) > self.budget:
            return False
        self.drafts.append(draft)
        return True

    def _shortened(self, document: Document, span: Span) -> Span | None:
        """The longest beginning of whole sentences that fits alone."""
        ends = [end for _, end in sentences(document.text, span.start, span.end) if end > span.start]
        fitting = [end for end in ends if self._draft(document, Span(span.start, end)).tokens <= self.budget]
        return Span(span.start, max(fitting)) if fitting else None

    def _draft(self, document: Document, span: Span) -> Draft:
        # The number is that of a later passage, so that renumbering makes none longer.
        rendered = _passage(document, span, 99, 0).fenced(PLACEHOLDER) + SEPARATOR
        return Draft(document, span, self.counter.count(rendered), Wording.of(span.of(document.text)))

    def _total(self, *, plus: Draft, without: list[Draft] | None = None) -> int:
        kept = [draft for draft in self.drafts if not any(draft is other for other in without or ())]
        return sum(draft.tokens for draft in kept) + plus.tokens

    def context(self, question: str, counter: str) -> Context:
        numbers = {id(draft): number for number, draft in enumerate(self.drafts, start=1)}
        return Context(
            question=question,
            passages=tuple(draft.passage(numbers[id(draft)]) for draft in self.drafts),
            cut=tuple(
                Cut(document_id=document.id, span=span, reason=reason, into=numbers[id(into)] if into else 0)
                for document, span, reason, into in self.cut
            ),
            tokens=sum(draft.tokens for draft in self.drafts),
            budget=self.budget,
            counter=counter,
        )


def _readings(document: Document, hit: Hit) -> Iterator[Span]:
    """What may be read of the hit, the widest first; each without the white space at its ends."""
    chunk = hit.chunk
    for span in (hit.context.span if hit.context else None, chunk.parent, chunk.span):
        if span:
            wide = min(span.start, chunk.span.start), max(span.end, chunk.span.end)
            yield Span(*trim(document.text, *wide))  # never blank, since no chunk is


def _passage(document: Document, span: Span, number: int, tokens: int) -> Passage:
    sections = document.sections_over(span)
    return Passage(
        number=number,
        document_id=document.id,
        span=span,
        text=span.of(document.text),
        headings=_common([section.path for section in sections]),
        columns=_columns(document, span.start),
        version=_said(document, "version"),
        date=_said(document, "date"),
        tokens=tokens,
    )


def _common(paths: list[tuple[str, ...]]) -> tuple[str, ...]:
    """The headings that stand over all of them.

    >>> _common([("Guide", "Limits"), ("Guide", "Errors")])
    ('Guide',)
    """
    same = takewhile(lambda titles: len(set(titles)) == 1, zip(*paths, strict=False))
    return tuple(titles[0] for titles in same)


def _columns(document: Document, start: int) -> tuple[str, ...]:
    """Those of the table that begins before ``start`` and goes on behind it."""
    last = bisect_left(document.blocks, start, key=lambda block: block.span.start)
    first = bisect_left(document.outline, start + 1, key=lambda block: block.span.end)
    outer = document.outline[first].span if first < len(document.outline) else None
    for block in reversed(document.blocks[:last]):
        if outer is None or block.span.start < outer.start:
            break
        if block.kind == "table" and block.span.end > start:
            return block.columns
    return ()


def _said(document: Document, key: str) -> str | None:
    return str(document.metadata.get(key, "")) or None


def _touch(document: Document, one: Span, other: Span) -> bool:
    """Whether they overlap or have only white space between them."""
    first, second = sorted((one, other))
    return first.end >= second.start or not document.text[first.end : second.start].strip()
