"""Sets of documents with judged questions, and what is measured on them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.retrieval_anchors import WITHOUT_ANCHORS, Shorter

from pincite.config import Settings
from pincite.engine.evaluation.configurations import Configuration
from pincite.engine.evaluation.corpus import Corpus, read_corpus
from pincite.engine.evaluation.measuring import Bench, Measured
from pincite.evaluate.gold import GoldSpan, Passage
from pincite.evaluate.judging import Judged
from pincite.evaluate.questions import question_of
from pincite.model import Span
from pincite.ports import Embedder
from pincite.text.terms import Analyser

METRICS = ("recall@1000t-stop", "recall@5", "hit@1", "MRR@10", "IoU@5")
"""Those of the baseline, the first of them the one that decides."""
PRINTED = METRICS[:4]
LANGUAGES = ("en", "de")
"""Of questions; the baseline has no others."""


@dataclass(frozen=True)
class Asked:
    """One corpus and the questions of one language about it. ``language`` is that of the documents. Where ``shorter``
    has a document, it is cut and judged as it is and indexed without its anchors."""

    name: str
    language: str
    asked_in: str
    corpus: Corpus
    judged: Sequence[Judged]
    embedder: Embedder
    shorter: Mapping[str, Shorter] = field(default_factory=dict)

    @cached_property
    def texts(self) -> Mapping[str, str]:
        return {name: document.text for name, document in self.corpus.documents.items()}

    @property
    def title(self) -> str:
        return f"{self.name}, {len(self.judged)} questions in {self.asked_in}"

    @property
    def odd(self) -> Sequence[Judged]:
        """For choosing."""
        return self.judged[::2]

    @property
    def even(self) -> Sequence[Judged]:
        """For reporting."""
        return self.judged[1::2]

    def measured(self, configurations: Sequence[Configuration]) -> dict[str, Measured]:
        """By pincite's own search. Places are those of the documents as they are."""
        questions = [each.question for each in self.judged]
        corpus = self._without_anchors() if self.shorter else self.corpus
        bench = Bench(corpus=corpus, questions=questions, embedder=self.embedder, analyser=Analyser())
        found = bench.measure(configurations)
        return {name: self._as_they_are(each) for name, each in found.items()} if self.shorter else found

    def _without_anchors(self) -> Corpus:
        with TemporaryDirectory() as folder:
            for name, shorter in self.shorter.items():
                (Path(folder) / name).write_bytes(shorter.text.encode())
            return read_corpus([Path(folder)], Settings(), Path(folder))

    def _as_they_are(self, measured: Measured) -> Measured:
        def place(passage: Passage) -> Passage:
            return replace(passage, span=self.shorter[passage.document_id].original(passage.span))

        asked = {
            name: replace(each, passages=tuple(place(passage) for passage in each.passages))
            for name, each in measured.asked.items()
        }
        return replace(measured, asked=asked)


def names_of(data: Path) -> list[str]:
    """The sets that are there whose questions say at which characters their passages stand, not only on which page."""
    return sorted(
        file.parent.name
        for file in data.glob("*/queries.jsonl")
        if '"start": null' not in file.read_text(encoding="utf-8")
    )


def sets(data: Path, names: Sequence[str], embedder: Embedder) -> Iterator[Asked]:
    """Each set once per language of its questions. Gold spans are taken as they stand in the file. A name that ends
    with ``-noanchor`` is the set without its anchors in what is indexed."""
    for name in names:
        home = data / name.removesuffix(WITHOUT_ANCHORS)
        lines = [json.loads(line) for line in (home / "queries.jsonl").read_text(encoding="utf-8").splitlines()]
        corpus = read_corpus([home / "corpus"], Settings(), home / "corpus")
        shorter = {}
        if home.name != name:
            shorter = {each: Shorter.of(document.text) for each, document in corpus.documents.items()}
        for language in LANGUAGES:
            judged = [
                Judged(
                    question_of(line),
                    tuple((GoldSpan(span["document"], Span(span["start"], span["end"])),) for span in line["relevant"]),
                )
                for line in lines
                if line["lang"] == language
            ]
            if judged:
                of_documents = "de" if home.name.endswith("-de") else "en"
                yield Asked(name, of_documents, language, corpus, judged, embedder, shorter)
