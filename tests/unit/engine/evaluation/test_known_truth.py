"""Whole comparisons and tunings where the truth is known: how often a winner is named that is none."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest

from pincite.config import Component, Settings, parse_settings
from pincite.engine.evaluation.choices import Choice
from pincite.engine.evaluation.comparing import Comparison
from pincite.engine.evaluation.configurations import Configuration, ForeignChunks
from pincite.engine.evaluation.corpus import Corpus
from pincite.engine.evaluation.measuring import Bench, Measured
from pincite.engine.evaluation.tuning import Budget, Tuning
from pincite.evaluate.judging import judged
from pincite.evaluate.questions import question_of
from pincite.model import Document, Question
from pincite.ports import Vector, Vectors
from pincite.text.terms import Analyser

DOCUMENTS, FACTS, ASKED = 24, 10, 2
Spans = list[tuple[int, int, str]]


@dataclass(frozen=True, slots=True)
class Chance:
    """An embedder that knows nothing: a vector of chance for each text, always the same one for the same seed."""

    seed: int
    name: str = "chance"
    dimension: int = 16
    max_tokens: int | None = None

    @property
    def fingerprint(self) -> str:
        return f"chance-{self.seed}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.array([self.embed_query(text) for text in texts], dtype=np.float32).reshape(-1, self.dimension)

    def embed_query(self, text: str) -> Vector:
        digest = hashlib.sha256(f"{self.seed}\0{text}".encode()).digest()
        vector = np.random.default_rng(list(digest)).normal(size=self.dimension).astype(np.float32)
        return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)

    def count(self, text: str) -> int:
        return len(text.split())


def world(seed: int, *, kin: bool) -> tuple[Corpus, list[Question]]:
    """Documents of facts of invented words, and questions that share words with their facts, or (``kin`` is false) none
    with any."""
    random = Random(seed)

    def word() -> str:
        return "".join(random.choice("bdfgklmnprst") + random.choice("aeiou") for _ in range(3))

    documents: dict[str, Document] = {}
    questions = []
    for number in range(DOCUMENTS):
        name = f"{number}.txt"
        facts = [" ".join(word() for _ in range(8)) + "." for _ in range(FACTS)]
        documents[name] = Document(id=name, source=name, media_type="text/plain", text="\n\n".join(facts))
        for place in random.sample(range(FACTS), ASKED):
            asked = " ".join(random.sample(facts[place].rstrip(".").split(), 2)) if kin else word() + "x"
            relevant = [{"document": name, "text": facts[place]}]
            questions.append(question_of({"id": f"{name}-{place}", "question": asked, "relevant": relevant}))
    return Corpus(documents), questions


def by_chance(corpus: Corpus, seed: int) -> ForeignChunks:
    """Cuts between words, each as likely as any other."""
    random = Random(seed)
    spans: dict[str, Spans] = {}
    for name, document in corpus.documents.items():
        blanks = [place for place, character in enumerate(document.text) if character == " "]
        borders = [0, *sorted(random.sample(blanks, 7)), len(document.text)]
        spans[name] = [(start, end, "") for start, end in pairwise(borders)]
    return ForeignChunks(f"chance-{seed}", spans)


def by_fact(corpus: Corpus) -> ForeignChunks:
    """One chunk for each fact: what a question asks for, and nothing else."""
    spans: dict[str, Spans] = {}
    for name, document in corpus.documents.items():
        place, spans[name] = 0, []
        for fact in document.text.split("\n\n"):
            spans[name].append((place, place + len(fact), ""))
            place += len(fact) + 2
    return ForeignChunks("facts", spans)


def compared(seed: int, *, equal: bool) -> str:
    """The winner that is named, or nothing. Where the two are not equal, a is better."""
    corpus, questions = world(seed, kin=True)
    first = by_chance(corpus, 2 * seed) if equal else by_fact(corpus)
    chunks = {"a": first, "b": by_chance(corpus, 2 * seed + 1)}
    cuts = [Configuration(name=name, settings=Settings(mode="lexical"), foreign=each) for name, each in chunks.items()]
    bench = Bench(corpus=corpus, questions=questions, embedder=Chance(seed), analyser=Analyser())
    found = [judged(question, corpus.documents) for question in questions]
    comparison = Comparison.of(bench.measure(cuts), found, metrics=(), headline="recall@40t")
    return comparison.differences[0].winner


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedBench(Bench):
    """Each configuration takes a second of its clock."""

    clock: Clock = field(default_factory=Clock)

    def measure(
        self, configurations: Sequence[Configuration], questions: Sequence[Question] | None = None
    ) -> dict[str, Measured]:
        self.clock.now += len(configurations)
        return Bench.measure(self, configurations, questions)


def tuned(seed: int, indexes: Path) -> bool:
    """Whether a winner would be written, where every choice finds by chance alone."""
    corpus, questions = world(seed, kin=False)
    present = {"chunk": {"strategy": "tokens", "max_tokens": 40}}
    bench = TimedBench(
        corpus=corpus,
        questions=questions,
        embedder=Chance(seed),
        analyser=Analyser(),
        indexes=indexes / str(seed),
    )
    found = [judged(question, corpus.documents) for question in questions]
    choice = Choice.of(parse_settings(present))
    choices = [
        replace(choice, chunk=Component("chunk", "tokens", {"max_tokens": size})) for size in (24, 28, 32, 36, 44, 48)
    ]
    run = Tuning(bench=bench, judged=found, data=present, budget=Budget(24, bench.clock), headline="recall@1000t").run(
        choices
    )
    assert run.confirmed is not None
    assert len(run.tried) > len(choices)
    return run.winner is not None


class TestQuick:
    """The same with few seeds."""

    def test_the_better_one_is_named(self) -> None:
        assert {compared(seed, equal=False) for seed in range(5)} == {"a"}

    def test_of_equals_none_is(self) -> None:
        assert sum(bool(compared(seed, equal=True)) for seed in range(10)) <= 1

    def test_nothing_is_written_where_all_are_equal(self, tmp_path: Path) -> None:
        assert sum(tuned(seed, tmp_path) for seed in range(3)) == 0


@pytest.mark.soak
class TestHundredSeeds:
    def test_the_better_one_is_named(self) -> None:
        assert [compared(seed, equal=False) for seed in range(100)].count("a") >= 95

    def test_of_equals_none_is(self) -> None:
        assert sum(bool(compared(seed, equal=True)) for seed in range(100)) <= 5

    def test_nothing_is_written_where_all_are_equal(self, tmp_path: Path) -> None:
        assert sum(tuned(seed, tmp_path) for seed in range(100)) <= 5
