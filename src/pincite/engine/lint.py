"""Finding bad chunks: those that search finds badly, or that a reader cannot use alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pincite import catalogue
from pincite.engine.boilerplate import RepeatedLines
from pincite.engine.flaws import Flaw, Layout, Measure, flaws
from pincite.engine.near_duplicates import near_duplicates
from pincite.errors import UsageError
from pincite.model import Chunk, Document, Place, Span
from pincite.ports import Chunker

KINDS: Mapping[str, str] = {
    "heading-only": "nothing but headings",
    "tiny": "far below the limit of its strategy",
    "near-duplicate": "nearly the same text as an earlier chunk",
    "half-fence": "a part of a code block",
    "table-without-header": "rows of a table without the names of its columns",
    "long-prefix": "a prefix that is longer than the text",
    "boilerplate": "a line that stands in many chunks",
}
"""Every kind of finding and what it means."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What counts as bad. Raises ``UsageError``.

    ``tiny_share``: of the strategy's limit, or of the mean length where it has none, in [0, 1]; below it a chunk's text
    is tiny. ``same_share``: in [0.8, 1]; above it two chunks are near-duplicates (`near_duplicates` has the formula).
    ``boilerplate_chunks``: a line in more chunks than this is boilerplate. ``ignore``: kinds that are not looked for.
    """

    tiny_share: float = 0.05
    same_share: float = 0.9
    boilerplate_chunks: int = 10
    ignore: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if not 0 <= self.tiny_share <= 1:
            raise UsageError(f"the share below which a chunk is tiny is {self.tiny_share}", cure="Give 0 to 1.")
        if not 0.8 <= self.same_share <= 1:
            cure = "Give 0.8 to 1: below, nearly all pairs would have to be compared."
            raise UsageError(f"the share above which chunks are the same is {self.same_share}", cure=cure)
        if self.boilerplate_chunks < 1:
            raise UsageError(f"boilerplate in more than {self.boilerplate_chunks} chunks", cure="Give at least 1.")
        for kind in sorted(self.ignore - set(KINDS)):
            raise UsageError(f"no kind of finding is called {kind!r}", cure=f"There are: {', '.join(KINDS)}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A bad chunk, or a line that is bad in many, whose span and place it then has. ``message`` says what is wrong and
    ``cure`` what to do. In JSON ``line`` counts from 1 in the source; it is null where that has no lines."""

    kind: str
    message: str
    cure: str
    document_id: str
    number: int
    span: Span
    place: Place = field(default_factory=Place)

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "message": self.message,
            "cure": self.cure,
            "document": self.document_id,
            "number": self.number,
            "start": self.span.start,
            "end": self.span.end,
            "line": self.place.line,
            "place": self.place.to_json(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class LintReport:
    """All findings in the order of documents and chunks, and how much was looked at."""

    findings: tuple[Finding, ...]
    documents: int
    chunks: int

    @property
    def counts(self) -> dict[str, int]:
        """How many there are of each kind, zeros included."""
        return {kind: sum(finding.kind == kind for finding in self.findings) for kind in KINDS}

    def to_json(self) -> dict[str, Any]:
        return {
            "findings": [finding.to_json() for finding in self.findings],
            "counts": self.counts,
            "documents": self.documents,
            "chunks": self.chunks,
        }


def lint(
    documents: Iterable[Document],
    *,
    strategy: str = "structure",
    options: Mapping[str, Any] | None = None,
    rules: Rules | None = None,
) -> LintReport:
    """Cuts the documents, read one at a time, and looks at every chunk. Raises ``UsageError`` for wrong options.

    >>> lint([Document("a.txt", "a.txt", "text/plain", "A line of text.")]).findings
    ()
    """
    chunker = catalogue.create("chunk", strategy, options)
    linter = _Linter(chunker, rules or Rules())
    for document in documents:
        linter.read(document)
    return linter.report()


@dataclass(frozen=True, slots=True)
class _Seen:
    """A chunk with its place; ``alone`` where it is the only one of its document."""

    chunk: Chunk
    place: Place
    alone: bool


class _Linter:
    """Looks at one document after the other; what needs all chunks is found in the end."""

    def __init__(self, chunker: Chunker, rules: Rules) -> None:
        self._chunker = chunker
        self._rules = rules
        self._measure = Measure(chunker)
        self._lines = RepeatedLines()
        self._seen: list[_Seen] = []
        self._found: list[tuple[int, Finding]] = []
        self._documents = 0

    def read(self, document: Document) -> None:
        chunks = list(self._chunker.chunk(document))
        if "boilerplate" not in self._rules.ignore:
            self._lines.read(document, chunks, first=len(self._seen))
        layout = Layout(document)
        widest: Chunk | None = None
        for chunk in chunks:
            index = len(self._seen)
            self._seen.append(_Seen(chunk, document.place(chunk.span), alone=len(chunks) == 1))
            for flaw in flaws(chunk, layout, self._measure):
                self._find(index, flaw)
            if widest and chunk.span.end <= widest.span.end:
                message = f"lies wholly inside chunk {widest.number}"
                self._find(index, Flaw("near-duplicate", message, "Overlap less, or end with the last full chunk."))
            else:
                widest = chunk
        self._documents += 1

    def report(self) -> LintReport:
        for index, flaw in (*self._tiny(), *self._twins()):
            self._find(index, flaw)
        for line in self._lines.in_more_than(self._rules.boilerplate_chunks):
            seen = self._seen[line.index]
            self._find(line.index, line.flaw(seen.chunk), line.span, line.place(seen.chunk, seen.place))
        order = list(KINDS)
        found = sorted(self._found, key=lambda pair: (pair[0], order.index(pair[1].kind), pair[1].span))
        findings = tuple(finding for _, finding in found)
        return LintReport(findings=findings, documents=self._documents, chunks=len(self._seen))

    def _find(self, index: int, flaw: Flaw, span: Span | None = None, place: Place | None = None) -> None:
        if flaw.kind in self._rules.ignore:
            return
        seen = self._seen[index]
        finding = Finding(
            kind=flaw.kind,
            message=flaw.message,
            cure=flaw.cure,
            document_id=seen.chunk.document_id,
            number=seen.chunk.number,
            span=span or seen.chunk.span,
            place=place or seen.place,
        )
        self._found.append((index, finding))

    @property
    def _tiny_cure(self) -> str:
        if hasattr(self._chunker, "min_tokens"):
            return "Its neighbours are full or stand under other headings: try another max_tokens or more min_tokens."
        return "Merge it with a neighbour, as `structure` does."

    def _tiny(self) -> Iterator[tuple[int, Flaw]]:
        """Not the only chunk of a document: there is nothing that it could be merged with."""
        lengths = [self._measure.text(seen.chunk) for seen in self._seen]
        limit = self._measure.limit or sum(lengths) / max(1, len(lengths))
        said = f"the limit of {limit}" if self._measure.limit else f"the mean of {limit:.0f}"
        bad = {index for index, finding in self._found if finding.kind == "heading-only"}
        for index, (seen, length) in enumerate(zip(self._seen, lengths, strict=True)):
            if length < self._rules.tiny_share * limit and not seen.alone and index not in bad:
                share = f"{self._rules.tiny_share:.0%}".replace("%", " %")
                message = f"has a text of {length} {self._measure.unit}, less than {share} of {said}"
                yield index, Flaw("tiny", message, self._tiny_cure)

    def _twins(self) -> Iterator[tuple[int, Flaw]]:
        if "near-duplicate" in self._rules.ignore:
            return
        for twin in near_duplicates([seen.chunk.text for seen in self._seen], above=self._rules.same_share):
            chunk, other = self._seen[twin.index].chunk, self._seen[twin.of].chunk
            share = "the same as" if twin.sameness == 1 else f"{int(twin.sameness * 100)} % the same as"
            where = f" of {other.document_id}" if other.document_id != chunk.document_id else ""
            cure = "Keep one of them, or tell them apart by metadata."
            yield twin.index, Flaw("near-duplicate", f"is {share} chunk {other.number}{where}", cure)
