"""Asks all questions of one configuration and keeps what was found."""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

import numpy

from pincite import catalogue
from pincite.config import Component, Settings
from pincite.engine.chunking import fitted_chunks
from pincite.engine.entries import embedded_texts, entry_of
from pincite.engine.evaluation.configurations import Configuration, foreign_of
from pincite.engine.evaluation.corpus import Corpus
from pincite.engine.finding import Finder, Options
from pincite.engine.report import Progress
from pincite.errors import PinciteError
from pincite.evaluate.gold import Passage
from pincite.model import Chunk, Document, Principal, Question, Span
from pincite.ports import Analyser, Chunker, Counter, Embedder, Snapshot, Store

DEPTH = 100
"""How many passages are asked for: enough small ones to fill a budget of 1,000 tokens."""
ALGORITHM_VERSION = 2
"""Raised when the same configuration may give other rankings, so that kept ones are not used."""
DESCRIPTION = "description.json"
CHARACTERS_A_QUESTION = 1000


Cuts: TypeAlias = Mapping[str, Sequence[tuple[int, int]]]


@dataclass(frozen=True, slots=True)
class Asked:
    """What one question brought, best first, with one score per passage; ``relevance`` of the first passage. ``error``
    is why it failed."""

    passages: tuple[Passage, ...] = ()
    scores: tuple[float, ...] = ()
    relevance: float | None = None
    error: str = ""

    def to_json(self) -> dict[str, Any]:
        rows = [
            [each.document_id, each.span.start, each.span.end, each.tokens, score]
            for each, score in zip(self.passages, self.scores, strict=True)
        ]
        return {"passages": rows, "relevance": self.relevance, "error": self.error}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Asked:
        rows = data["passages"]
        passages = tuple(Passage(name, Span(start, end), tokens) for name, start, end, tokens, _ in rows)
        return cls(passages, tuple(row[-1] for row in rows), data["relevance"], data["error"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """All questions of one configuration, by id, and what it cost. Seconds are CPU time of the run that measured it;
    ``tokens`` are over all chunks, in o200k_base. ``cuts`` has start and end of every chunk, by document."""

    asked: Mapping[str, Asked]
    chunks: int
    tokens: int
    index_bytes: int
    index_seconds: float
    search_seconds: float
    cuts: Cuts = field(default_factory=dict)

    def chunked(self, names: Collection[str]) -> list[Passage]:
        """All chunks of these documents."""
        return [Passage(name, Span(*each)) for name in names for each in self.cuts.get(name, ())]

    def to_json(self) -> dict[str, Any]:
        names = ("chunks", "tokens", "index_bytes", "index_seconds", "search_seconds")
        costs = {name: getattr(self, name) for name in names}
        return {**costs, "cuts": self.cuts, "asked": {name: each.to_json() for name, each in self.asked.items()}}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Measured:
        costs = {name: value for name, value in data.items() if name not in ("asked", "cuts")}
        cuts = {name: [(start, end) for start, end in several] for name, several in data["cuts"].items()}
        return cls(asked={name: Asked.from_json(each) for name, each in data["asked"].items()}, cuts=cuts, **costs)


@dataclass(slots=True)
class Index:
    """The index of one way of cutting, which several configurations search."""

    store: Store
    chunks: int
    tokens: int
    seconds: float
    size: int
    lengths: dict[str, int] = field(default_factory=dict)
    """Tokens of each chunk's text alone, by chunk id, in o200k_base."""
    cuts: dict[str, list[tuple[int, int]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """Measures configurations on one corpus. ``kept`` is the folder where measurements are kept, ``indexes`` that where
    indexes stay for further questions; ``None`` for none."""

    corpus: Corpus
    questions: Sequence[Question]
    embedder: Embedder
    analyser: Analyser
    kept: Path | None = None
    indexes: Path | None = None
    progress: Progress = lambda *_: None
    """Work is counted in questions to ask; cutting and embedding so many characters takes about as long as one."""

    def measure(
        self, configurations: Sequence[Configuration], questions: Sequence[Question] | None = None
    ) -> dict[str, Measured]:
        """By name; ``questions`` where not all are asked. Configurations that cut the same way share an index; what was
        measured before is not measured again."""
        asked = self.questions if questions is None else questions
        files = {each.name: self._file(each, asked) for each in configurations}
        found = {name: measured for name, file in files.items() if (measured := _remembered(file))}
        by_cut: dict[str, list[Configuration]] = {}
        for each in configurations:
            if each.name not in found:
                by_cut.setdefault(each.cut, []).append(each)
        work = _Work(self.progress, self._total(by_cut, len(asked)))
        for cut, several in by_cut.items():
            with self._indexed(several[0], cut, work) as index:
                for each in several:
                    found[each.name] = self._searched(each, index, asked, work)
                    _remember(files[each.name], found[each.name])
        return {each.name: found[each.name] for each in configurations}

    def _file(self, configuration: Configuration, questions: Sequence[Question]) -> Path | None:
        if self.kept is None:
            return None
        asked = [[each.id, each.question, list(each.groups), each.where] for each in questions]
        parts = [self.corpus.fingerprint, configuration.fingerprint(self.embedder), self.analyser.fingerprint, asked]
        text = json.dumps([ALGORITHM_VERSION, DEPTH, *parts], sort_keys=True)
        return self.kept / "runs" / f"{hashlib.sha256(text.encode()).hexdigest()[:32]}.json"

    def _total(self, by_cut: Mapping[str, Sequence[Configuration]], questions: int) -> int:
        new = [cut for cut in by_cut if not self.indexes or _described(self.indexes / f"index-{cut}") is None]
        filling = len(new) * sum(map(_work_of, self.corpus.documents.values()))
        return filling + questions * sum(map(len, by_cut.values()))

    @contextmanager
    def _indexed(self, configuration: Configuration, cut: str, work: _Work) -> Iterator[Index]:
        with TemporaryDirectory(prefix="pincite-") as folder:
            home = (self.indexes or Path(folder)) / f"index-{cut}"
            known = _described(home)
            if known is None:
                shutil.rmtree(home, ignore_errors=True)
            start = time.process_time()
            store: Store = catalogue.create("store", "sqlite", {"path": home, "create": known is None})
            try:
                if known is None:
                    index = self._filled(configuration, store, work)
                    index.seconds = time.process_time() - start
                    index.size = sum(file.stat().st_size for file in home.rglob("*") if file.is_file())
                    _describe(home, index)
                else:
                    index = Index(store, **known)
                yield index
            finally:
                store.close()

    def _filled(self, configuration: Configuration, store: Store, work: _Work) -> Index:
        counter: Counter = catalogue.create("counter", "o200k_base")
        settings = configuration.settings
        names = settings.embed_metadata
        chunkers = Chunkers(settings)
        index = Index(store, 0, 0, 0.0, 0)
        with store.writer() as writer:
            for document in self.corpus.documents.values():
                work.begin(f"cutting {configuration.name}", _work_of(document))
                if configuration.foreign:
                    chunks: Sequence[Chunk] = foreign_of(document, configuration.foreign, counter.count)
                else:
                    chunker = chunkers.of(self.corpus.names_of(document.id))
                    cut = list(chunker.chunk(document))
                    chunks, _ = fitted_chunks(document, cut, chunker, self.embedder, metadata=names)
                texts = embedded_texts(document, chunks, names)
                vectors = self.embedder.embed(texts) if texts else numpy.zeros((0, self.embedder.dimension), "float32")
                sha256 = hashlib.sha256(document.text.encode("utf-8", "surrogatepass")).hexdigest()
                writer.put(entry_of(document, chunks, texts, vectors, analyser=self.analyser, sha256=sha256))
                index.chunks += len(chunks)
                index.lengths.update((chunk.id, counter.count(chunk.text)) for chunk in chunks)
                index.cuts[document.id] = [(chunk.span.start, chunk.span.end) for chunk in chunks]
        index.tokens = sum(index.lengths.values())
        return index

    def _searched(
        self, configuration: Configuration, index: Index, questions: Sequence[Question], work: _Work
    ) -> Measured:
        finder = Finder(settings=configuration.settings, analyser=self.analyser, embedder=lambda: self.embedder)
        with index.store.snapshot() as snapshot:
            asked, seconds = ask_all(
                questions,
                finder,
                snapshot,
                lengths_in(index.lengths),
                lambda: work.begin(f"asking {configuration.name}", 1),
            )
        return Measured(
            asked=asked,
            chunks=index.chunks,
            tokens=index.tokens,
            index_bytes=index.size,
            index_seconds=index.seconds,
            search_seconds=seconds,
            cuts=index.cuts,
        )


class _Work:
    """Counts what is done of all there is to do."""

    def __init__(self, progress: Progress, total: int) -> None:
        self._progress, self._total, self._done = progress, total, 0

    def begin(self, name: str, amount: int) -> None:
        self._progress(name, self._done, self._total)
        self._done += amount


def _work_of(document: Document) -> int:
    return 1 + len(document.text) // CHARACTERS_A_QUESTION


class Chunkers:
    """Those of some settings; one is made for each way of cutting."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._made: list[tuple[Component, Chunker]] = []

    def of(self, names: Sequence[str]) -> Chunker:
        """That for the document that goes by these names."""
        component = self._settings.chunk_of(names)
        made = next((chunker for known, chunker in self._made if known == component), None)
        if made is None:
            made = component.create()
            self._made.append((component, made))
        return made


def _remembered(file: Path | None) -> Measured | None:
    try:
        return Measured.from_json(json.loads(file.read_text(encoding="utf-8"))) if file else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _remember(file: Path | None, measured: Measured) -> None:
    if file:
        file.parent.mkdir(parents=True, exist_ok=True)
        new = file.with_suffix(".new")
        new.write_text(json.dumps(measured.to_json()), encoding="utf-8")
        new.replace(file)


def _described(home: Path) -> dict[str, Any] | None:
    """What is known of the index in that folder; ``None`` where there is no whole one."""
    try:
        known: dict[str, Any] = json.loads((home / DESCRIPTION).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return known


def _describe(home: Path, index: Index) -> None:
    known = {name: getattr(index, name) for name in ("chunks", "tokens", "seconds", "size", "lengths", "cuts")}
    (home / DESCRIPTION).write_text(json.dumps(known), encoding="utf-8")


def lengths_in(known: dict[str, int]) -> Callable[[str, str], int]:
    """The tokens of a passage's text by its id; those that are not known are counted once, such as of joined chunks."""
    counter: Counter = catalogue.create("counter", "o200k_base")

    def length(name: str, text: str) -> int:
        if name not in known:
            known[name] = counter.count(text)
        return known[name]

    return length


def ask_all(
    questions: Sequence[Question],
    finder: Finder,
    snapshot: Snapshot,
    length: Callable[[str, str], int],
    begin: Callable[[], None] = lambda: None,
) -> tuple[dict[str, Asked], float]:
    """What every question brings, and the CPU seconds of it all. ``length`` gives the tokens of a chunk's text, by its
    id and the text; ``begin`` is called before each question."""
    start = time.process_time()
    asked = {}
    for each in questions:
        begin()
        asked[each.id] = _ask(each, finder, snapshot, length)
    return asked, time.process_time() - start


def _ask(question: Question, finder: Finder, snapshot: Snapshot, length: Callable[[str, str], int]) -> Asked:
    """A question that fails is an answer, too: it scores 0 and is listed."""
    principal = Principal(frozenset(question.groups) | {"public"})
    options = Options(k=DEPTH, where=question.where or None, fold=False)
    try:
        ranking = finder.search(question.question, options, snapshot=snapshot, principal=principal)
    except PinciteError as error:
        return Asked(error=str(error))
    passages = tuple(
        Passage(hit.chunk.document_id, hit.chunk.span, length(hit.chunk.id, hit.chunk.text)) for hit in ranking.hits
    )
    scores = tuple(hit.score for hit in ranking.hits)
    return Asked(passages, scores, ranking.hits[0].relevance if ranking.hits else None)
