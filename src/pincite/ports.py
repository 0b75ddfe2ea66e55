"""What a step may expect of a component: one Protocol per kind. Nothing inherits from them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

from pincite.model import (
    Answer,
    Chunk,
    Condition,
    Document,
    FieldKind,
    Located,
    Metadata,
    Principal,
    Ranking,
    Scored,
    Source,
    Span,
    Statement,
    TermFilter,
)

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

Vectors: TypeAlias = "NDArray[numpy.float32]"
"""Shape ``(n, dimension)``, every row of length 1."""
Vector: TypeAlias = "NDArray[numpy.float32]"
"""Shape ``(dimension,)``, of length 1."""


class Loader(Protocol):
    """Turns a source of one format into a document. Raises ``LoadError`` and nothing else, whatever the bytes."""

    @property
    def name(self) -> str: ...

    def load(self, source: Source) -> Document: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """A picture in grey: one byte for each pixel, row by row from above, 0 black and 255 white; ``dpi`` pixels to the
    inch."""

    width: int
    height: int
    dpi: int
    pixels: bytes = field(repr=False)

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1 or len(self.pixels) != self.width * self.height:
            raise ValueError(f"{self.width} x {self.height} pixels are not {len(self.pixels)} bytes")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecognisedWord:
    """A word without blanks. The box is in pixels from the image's top left corner; ``confidence`` is in [0, 1].
    Words with the same ``line`` stand on one line, as far as the recogniser tells; 0 where it does not."""

    text: str
    x0: float
    top: float
    x1: float
    bottom: float
    confidence: float = 1.0
    line: int = 0

    def __post_init__(self) -> None:
        if not self.text or self.text.split() != [self.text]:
            raise ValueError(f"a recognised word has no blanks, got {self.text!r}")
        if not (self.x0 < self.x1 and self.top < self.bottom and 0 <= self.confidence <= 1):
            raise ValueError(f"a word needs x0 < x1, top < bottom and a confidence in [0, 1], got {self}")


@runtime_checkable
class Recogniser(Protocol):
    """Reads text in images. Raises ``LoadError`` (its ``file`` is empty) and nothing else."""

    @property
    def name(self) -> str: ...

    def recognise(self, image: Image, languages: Sequence[str]) -> list[RecognisedWord]:
        """The words in reading order. ``languages`` are tags such as ``de`` or ``en-GB``, the likeliest first; with
        none of them the recogniser takes its own default."""
        ...


class Counter(Protocol):
    """Measures text in a named unit."""

    @property
    def name(self) -> str: ...

    def count(self, text: str) -> int: ...

    def starts(self, text: str) -> list[int]:
        """The code point at which each unit starts, ascending; as many as ``count`` says."""
        ...


class Chunker(Protocol):
    """Cuts one document into chunks, in reading order. Refuses impossible options when it is made."""

    @property
    def name(self) -> str: ...

    def chunk(self, document: Document) -> Iterator[Chunk]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """The next best way to cut what two neighbouring chunks have: at ``offset``, or not at all where that is ``None``.

    ``costs`` are those of the resulting chunks, by part; ``lost_by`` is how much more they are in sum, from 0.
    """

    offset: int | None
    kind: str
    costs: Mapping[str, float]
    lost_by: float

    def to_json(self) -> dict[str, Any]:
        return {"offset": self.offset, "kind": self.kind, "costs": dict(self.costs), "lost_by": self.lost_by}


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedCut:
    """A border between two chunks and why it is there.

    ``offset``: the code point at which the later chunk starts. ``kind``: what begins there, as the strategy calls it.
    ``costs``: what the cut cost, by part, less is better; empty where there was no choice. ``alternative`` is ``None``
    where no other cut was possible.
    """

    offset: int
    kind: str
    costs: Mapping[str, float] = field(default_factory=dict)
    alternative: Alternative | None = None

    def to_json(self) -> dict[str, Any]:
        alternative = self.alternative.to_json() if self.alternative else None
        return {"offset": self.offset, "kind": self.kind, "costs": dict(self.costs), "alternative": alternative}


@runtime_checkable
class Explainer(Protocol):
    """A chunker that says why it cuts where it does."""

    def explain(self, document: Document) -> Iterator[ExplainedCut]:
        """One for each chunk of ``chunk`` but the first, in their order."""
        ...


class Analyser(Protocol):
    """Turns text into the terms that lexical search compares."""

    @property
    def name(self) -> str: ...

    @property
    def fingerprint(self) -> str: ...

    def document_terms(self, text: str, language: str = "") -> list[str]: ...

    def query_terms(self, text: str, language: str = "") -> list[str]: ...


class Embedder(Protocol):
    """Turns texts into unit vectors. ``max_tokens`` is what it reads of one text, ``None`` without a limit."""

    @property
    def name(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    @property
    def max_tokens(self) -> int | None: ...

    @property
    def fingerprint(self) -> str: ...

    def embed(self, texts: Sequence[str]) -> Vectors: ...

    def embed_query(self, text: str) -> Vector: ...

    def count(self, text: str) -> int:
        """The text's length in the embedder's own tokens."""
        ...


@runtime_checkable
class SpanEmbedder(Protocol):
    """An embedder that has the vectors of many spans of one text for little more than the cost of that text."""

    def embed_spans(self, text: str, spans: Sequence[Span], prefixes: Sequence[str]) -> Vectors:
        """As ``embed`` of each span with its prefix in front (see ``join_prefix``), within 1e-5."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Everything that a store keeps of one document, replaced as a whole.

    For each chunk, ``embedded`` has the text that was embedded (chosen metadata, prefix, text), ``terms`` one tuple and
    ``vectors`` one row.
    ``sha256`` is that of the source's bytes; ``root`` names the folder that the document came from;
    ``made_by`` is the fingerprint of the settings that cut it.
    """

    document: Document
    chunks: tuple[Chunk, ...]
    embedded: tuple[str, ...]
    terms: tuple[tuple[str, ...], ...]
    vectors: Vectors
    sha256: str
    root: str = ""
    made_by: str = ""

    def __post_init__(self) -> None:
        lengths = {len(self.chunks), len(self.embedded), len(self.terms), len(self.vectors)}
        if len(lengths) != 1:
            raise ValueError(f"embedded texts, terms and vectors are as many as the chunks, got {sorted(lengths)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """What a store says of one document without reading it."""

    document_id: str
    sha256: str
    root: str
    made_by: str
    chunks: int
    metadata: Metadata


REACH = 2
"""How many chunks on each side of one are its window."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextScores:
    """How well chunks, and what stands around them in their documents, fit a query: in each column one figure for each
    of ``chunk_ids``.

    ``lexical`` and ``dense`` are the chunk's own scores, as ``Snapshot.lexical`` (0.0 without a term) and
    ``Snapshot.dense`` give them. ``window`` is BM25 of the chunk and up to ``REACH`` chunks on each side of it, read as
    one text. The others are cosines: ``neighbours`` the mean of the chunk, the one before and the one after it,
    ``section`` the mean of the chunks in a row that have the same headings, ``document`` the best of the document;
    they are those of vectors in 8 bits, which no more than about 0.01 lies between and the exact ones.

    ``total`` is the idf of all terms of the query in sum, also of those that occur nowhere: no score in words reaches
    it.
    """

    chunk_ids: Sequence[str]
    lexical: Sequence[float]
    dense: Sequence[float]
    window: Sequence[float]
    neighbours: Sequence[float]
    section: Sequence[float]
    document: Sequence[float]
    total: float

    def only(self, chunk_ids: Collection[str]) -> ContextScores:
        """Without the other chunks."""
        kept = [number for number, name in enumerate(self.chunk_ids) if name in chunk_ids]
        columns = {name: [getattr(self, name)[number] for number in kept] for name in CONTEXT_COLUMNS}
        return ContextScores(chunk_ids=[self.chunk_ids[number] for number in kept], **columns, total=self.total)


CONTEXT_COLUMNS = ("lexical", "dense", "window", "neighbours", "section", "document")
NEAREST_KIN = 10
"""How many of the others a chunk is compared with."""


@dataclass(frozen=True, slots=True)
class Kin:
    """How a chunk stands to those that it was found with.

    ``document`` is the same number for chunks of one document. ``likeness`` is the mean cosine of the chunk with the
    ``NEAREST_KIN`` others that are most like it, with all others where there are fewer, and 0.0 without any; of vectors
    in 8 bits. It is the local similarity of CSLS (Conneau et al. 2018, "Word translation without parallel data"), which
    takes the ten nearest, too; here among what one query found.
    """

    document: int
    likeness: float


class Snapshot(Protocol):
    """One consistent version of a store for reading. Only rows that the principal may see take part, in every
    figure: term statistics, too, are those of the permitted rows. Equal scores are ordered by chunk id."""

    def lexical(
        self,
        terms: Sequence[str],
        *,
        principal: Principal,
        limit: int,
        where: Condition | None = None,
        words: TermFilter | None = None,
    ) -> list[Scored]:
        """BM25, best first, only chunks that have at least one of the terms. With ``where`` only documents that fulfil
        the condition take part, in the statistics too; ``words`` leaves chunks out of the ranking only."""
        ...

    def dense(
        self,
        vector: Vector,
        *,
        principal: Principal,
        limit: int,
        where: Condition | None = None,
        words: TermFilter | None = None,
    ) -> list[Scored]:
        """Cosine in [-1, 1], best first, exact; ``where`` and ``words`` as in ``lexical``."""
        ...

    def context_scores(
        self,
        terms: Sequence[str],
        vector: Vector,
        chunk_ids: Sequence[str],
        *,
        principal: Principal,
        where: Condition | None = None,
        words: TermFilter | None = None,
    ) -> ContextScores:
        """Of those of the chunks that take part, and of the chunks in their windows, each once, in order of ids;
        ``where`` and ``words`` as in ``lexical``. A chunk that ``words`` leaves out is still context of others."""
        ...

    def kin(self, chunk_ids: Sequence[str], *, principal: Principal) -> dict[str, Kin]:
        """Of those of the chunks that the principal may see, in order of ids, among each other; documents are numbered
        from 0 in this order."""
        ...

    def term_weights(
        self, terms: Sequence[str], chunk_ids: Sequence[str], *, principal: Principal, where: Condition | None = None
    ) -> dict[str, dict[str, float]]:
        """What each term adds to the lexical score, for those of the chunks that take part; only terms that occur in
        the chunk. Added up from 0.0 in the order given back, they are the score that ``lexical`` reports, to the bit.
        """
        ...

    def fields(self, *, principal: Principal) -> Mapping[str, frozenset[FieldKind]]:
        """The metadata that the documents have, by name, and of which kinds."""
        ...

    def dense_scores(self, vector: Vector, chunk_ids: Sequence[str], *, principal: Principal) -> dict[str, float]: ...

    def located(self, chunk_ids: Sequence[str], *, principal: Principal) -> dict[str, Located]: ...

    def document(self, document_id: str, *, principal: Principal) -> Document | None: ...

    def text(self, document_id: str, *, principal: Principal) -> str | None:
        """That of ``document``, which costs more to read."""
        ...

    def chunks(self, document_id: str, *, principal: Principal) -> list[Chunk]:
        """The document's chunks in order; none where the principal may not see it."""
        ...

    def document_frequencies(self, terms: Sequence[str], *, principal: Principal) -> tuple[int, dict[str, int]]:
        """The number of permitted chunks, and in how many of them each term occurs."""
        ...

    def setting(self, name: str) -> Any:
        """``Store.setting`` as it was in this version."""
        ...


class Writer(Protocol):
    """The one writer of a store. Each call is one atomic commit; readers see it whole or not at all."""

    def put(self, entry: Entry) -> None:
        """Adds the document, or replaces it with all its chunks, terms and vectors."""
        ...

    def remove(self, document_id: str) -> None: ...

    def rename(self, entry: Entry, *, old_id: str) -> None:
        """The same content under another path: one commit takes the old one away and puts the new one."""
        ...

    def write_setting(self, name: str, value: Any) -> None:
        """Keeps a JSON value under a name."""
        ...

    def take(self, other: Store) -> None:
        """Replaces all documents, vectors, terms and settings by those of ``other``, a store that ``beside`` gave, in
        one commit; ``other`` is taken away after it. Before the commit the old version stands and ``other`` is as it
        was; what a process that is killed after it leaves, the next writer takes away."""
        ...

    def drop_beside(self) -> None:
        """Takes away what the store that ``beside`` gives has, whatever state it is in; nothing when there is none.
        Raises ``LockedError`` when somebody writes to it."""
        ...


class Store(Protocol):
    """Keeps documents, chunks, terms and vectors; any number of readers, one writer at a time."""

    @property
    def name(self) -> str: ...

    def stored(self) -> dict[str, Stored]:
        """Every document by id, in order of ids."""
        ...

    def document(self, document_id: str) -> Document | None: ...

    def chunks(self, document_id: str) -> list[Chunk]: ...

    def vectors(self, texts: Sequence[str]) -> Mapping[str, Vector]:
        """The vectors of those embedded texts that the store has, whatever document they stand in: float32, as they
        are kept. A store may round each number once, to 16 bits at the coarsest; put again it stays as it is."""
        ...

    def setting(self, name: str) -> Any:
        """The JSON value kept under that name, ``None`` when there is none."""
        ...

    def writer(self) -> AbstractContextManager[Writer]:
        """Raises ``LockedError`` when another process writes."""
        ...

    def snapshot(self) -> AbstractContextManager[Snapshot]: ...

    def beside(self) -> Store:
        """A store of the same kind beside this one, opened, or made when there is none: a rebuild fills it while
        this one is still searched, and ``Writer.take`` puts it in this one's place."""
        ...

    def problems(self) -> list[str]:
        """Reads everything that is stored and says what is damaged; empty when all is well."""
        ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Weighed:
    """One kind of score of the chunks, made comparable with the others, and how much it counts."""

    values: Mapping[str, float]
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What is known of the candidates of one query: both lists best first, and the scores in context where the fusion
    reads them. Each chunk of ``context`` is in ``dense``, and in ``lexical`` where it has one of the terms. ``kin`` has
    the best of them, once they are known, where the fusion compares them."""

    lexical: Sequence[Scored] = ()
    dense: Sequence[Scored] = ()
    context: ContextScores | None = None
    kin: Mapping[str, Kin] = field(default_factory=dict)


class Fusion(Protocol):
    """Joins what both searches found for one query."""

    @property
    def name(self) -> str: ...

    @property
    def reads_context(self) -> bool:
        """Whether it needs ``Evidence.context``."""
        ...

    def to_compare(self, evidence: Evidence, /) -> Sequence[str]:
        """The chunks of which it wants ``Evidence.kin`` before ``fuse``: the best of them, or none."""
        ...

    def fuse(self, evidence: Evidence) -> list[Scored]:
        """Each chunk once, best first, equal scores ordered by chunk id."""
        ...

    def normalised(self, evidence: Evidence) -> Mapping[str, Weighed]:
        """What ``fuse`` adds up, by the name of the score: ``lexical``, ``dense``, columns of ``ContextScores``,
        ``likeness`` and ``best``. A chunk that is not listed counts 0."""
        ...


class Reranker(Protocol):
    """Reads the query together with each of the best passages and scores them anew."""

    @property
    def name(self) -> str: ...

    def rerank(self, query: str, passages: Sequence[str]) -> list[float]:
        """One score per passage, in their order; higher is better, any range, finite."""
        ...


class Answerer(Protocol):
    """Answers a question from a ranking of passages, or says that they do not hold the answer. Where its class has
    fields ``embedder`` and ``analyser``, it is made with those of the collection."""

    @property
    def name(self) -> str: ...

    def answer(self, question: str, ranking: Ranking, snapshot: Snapshot, *, principal: Principal) -> Answer: ...


class Scorer(Protocol):
    """An entailment model that somebody brings: how much a quote supports a statement, in [0, 1]. It can only lower
    the verdict that the rules give."""

    @property
    def name(self) -> str: ...

    def support(self, statement: str, quote: str) -> float: ...


class Listener(Protocol):
    """Hears of an answer while a language model still writes it, in the thread that asked or one of its own."""

    def hear(self, statement: Statement) -> None:
        """A statement that is complete and checked. A later one may be left out of the answer again, or be new in it,
        where the model is asked once more."""
        ...

    def wants_more(self) -> bool:
        """Whether anybody still waits; where not, the answer is given up with ``RemoteError`` of the kind
        ``stopped``."""
        ...
