"""Tuning on small corpora whose best settings are known, with a clock of its own."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from pincite import catalogue
from pincite.config import Component, Settings, parse_settings
from pincite.engine.evaluation.choices import (
    Choice,
    counters_that_matter,
    first_choices,
    neighbours,
    other_searches,
)
from pincite.engine.evaluation.configurations import Configuration
from pincite.engine.evaluation.corpus import read_corpus
from pincite.engine.evaluation.measuring import Bench, Measured
from pincite.engine.evaluation.parts import parts_of, slices
from pincite.engine.evaluation.tuning import PRESENT, Budget, Tried, Tuned, Tuning
from pincite.errors import LoadError, UsageError
from pincite.evaluate.judging import Judged, judged
from pincite.evaluate.questions import question_of
from pincite.model import Document, Question
from pincite.text.terms import Analyser

DATA = {"embed": {"name": "hashing"}, "chunk": {"max_tokens": 400}, "search": {"join_tokens": 0}}
"""Hits are not joined, so that every chunk counts as it was cut."""
PRESENT_CHOICE = Choice.of(parse_settings(DATA))
WORDS = ("cursor", "token", "webhook", "export", "gateway", "sensor", "invoice", "quota")


class Clock:
    """Goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingBench(Bench):
    """Remembers what was asked; each measurement takes ``seconds`` by its clock. ``broken`` cannot be measured."""

    asked: list[tuple[tuple[str, ...], frozenset[str]]] = field(default_factory=list)
    clock: Clock = field(default_factory=Clock)
    seconds: float = 1.0
    broken: str = ""

    def measure(
        self, configurations: Sequence[Configuration], questions: Sequence[Question] | None = None
    ) -> dict[str, Measured]:
        names = tuple(each.name for each in configurations)
        self.asked.append((names, frozenset(each.id for each in questions or ())))
        self.clock.now += self.seconds * len(names)
        if self.broken in names:
            raise LoadError("cannot be cut", cure="Nothing.", file="a.md")
        return Bench.measure(self, configurations, questions)


Make = Callable[..., tuple[RecordingBench, list[Judged]]]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    def made(
        *, documents: int = 20, facts: int = 6, questions: int = 2, **options: Any
    ) -> tuple[RecordingBench, list[Judged]]:
        """Documents of ``facts`` sentences of about 12 tokens each, and as many questions about each."""
        home = tmp_path / "docs"
        home.mkdir(exist_ok=True)
        asked = []
        for number in range(documents):
            name = f"{WORDS[number % 8]}{number}"
            told = [f"The {name} of kind {WORDS[n % 8]}{n} lives {n + 3} minutes here." for n in range(facts)]
            (home / f"{name}.md").write_text(f"# {name}\n\n" + "\n\n".join(told) + "\n", encoding="utf-8")
            for n in range(questions):
                fact = 5 * n % facts
                asked.append(
                    question_of(
                        {
                            "id": f"{name}-{n}",
                            "question": f"How long does the {name} of kind {WORDS[fact % 8]}{fact} live?",
                            "relevant": [{"document": f"{name}.md", "text": told[fact]}],
                        }
                    )
                )
        corpus = read_corpus([home], Settings(), home)
        bench = RecordingBench(
            corpus=corpus,
            questions=asked,
            embedder=catalogue.create("embed", "hashing"),
            analyser=Analyser(),
            indexes=tmp_path,
            **options,
        )
        return bench, [judged(question, corpus.documents) for question in asked]

    return made


def tuning(
    bench: RecordingBench, questions: Sequence[Judged], *, data: Any = None, seconds: float = 20, headline: str = ""
) -> Tuning:
    return Tuning(
        bench=bench,
        judged=questions,
        data=DATA if data is None else data,
        budget=Budget(seconds, bench.clock),
        headline=headline or "recall@60t",
    )


def cuts(*components: tuple[str, dict[str, Any]]) -> list[Choice]:
    return [replace(PRESENT_CHOICE, chunk=Component("chunk", name, options)) for name, options in components]


SMALL = cuts(("structure", {"max_tokens": 40, "min_tokens": 0}), ("structure", {"max_tokens": 800}))


class TestTuning:
    def test_what_is_better_by_construction_wins(self, make: Make) -> None:
        """The present chunks are whole documents, of more tokens than the metric reads: they cannot find anything."""
        bench, questions = make()
        found = tuning(bench, questions).run(SMALL)
        assert found.tried[0].name == PRESENT
        assert found.tried[0].score == 0
        assert found.winner is not None
        assert found.winner.choice.chunk.options["max_tokens"] < 100
        assert f"{found.winner.name} beats present by" in found.verdict
        held_out = found.confirmed
        assert held_out is not None
        assert held_out.values[found.winner.name]["recall@60t"].value > 0.9
        assert json.loads(json.dumps(found.to_json(), allow_nan=False))["winner"] == found.winner.name

    def test_the_held_out_part_is_asked_once_and_last(self, make: Make) -> None:
        bench, questions = make()
        found = tuning(bench, questions).run(SMALL)
        held_out = {each.question.id for each in found.parts.held_out}
        training = {each.question.id for each in found.parts.training}
        assert len(held_out) == len(training) == 20
        *before, (finalists, last) = bench.asked
        assert last == held_out
        assert finalists[0] == PRESENT
        assert 2 <= len(finalists) <= 4
        assert len(before) > 8
        assert frozenset.union(*(asked for _, asked in before)) == training

    def test_no_question_is_asked_twice(self, make: Make) -> None:
        bench, questions = make(questions=4)
        tuning(bench, questions).run(SMALL)
        asked = [(name, each) for names, several in bench.asked for name in names for each in several]
        assert len(asked) == len(set(asked))

    def test_where_nothing_differs_nothing_wins(self, make: Make) -> None:
        """Documents of one short sentence are one chunk each, however they are cut."""
        bench, questions = make(facts=1, questions=1, documents=40)
        found = tuning(bench, questions).run(cuts(("tokens", {"max_tokens": 200}), ("sentences", {})))
        assert {each.score for each in found.tried if each.choice.mode == "hybrid"} == {1.0}
        assert found.winner is None
        assert "are a tie" in found.verdict

    def test_worse_is_told(self, make: Make) -> None:
        bench, questions = make()
        data = {**DATA, "chunk": {"max_tokens": 40, "min_tokens": 0}}
        run = tuning(bench, questions, data=data)
        present = run._present()
        run._narrowed(cuts(("structure", {"max_tokens": 400})), until=1)
        found = run._confirmed(present, run._finalists(present))
        assert [each.name for each in found.tried] == [PRESENT, "structure:max_tokens=400"]
        assert found.winner is None
        assert found.verdict.startswith("the present settings are better than all that was confirmed: present beats")

    @pytest.mark.parametrize(("documents", "words"), [(19, "19 questions"), (1, "1 question")])
    def test_few_questions_cannot_tell(self, make: Make, documents: int, words: str) -> None:
        bench, questions = make(documents=documents, questions=1)
        found = tuning(bench, questions).run(SMALL)
        assert (found.winner, found.tried, bench.asked) == (None, [], [])
        assert found.verdict == f"{words} with a passage in these documents cannot tell; 20 are needed"

    def test_questions_without_a_passage_do_not_count(self, make: Make) -> None:
        bench, questions = make(documents=19, questions=1)
        nowhere = judged(question_of({"id": "none", "question": "Who won?", "relevant": []}), {})
        assert "cannot tell" in tuning(bench, [*questions, nowhere]).run(SMALL).verdict

    @pytest.mark.parametrize("seconds", [12, 30])
    def test_the_time_is_kept(self, make: Make, seconds: float) -> None:
        bench, questions = make(seconds=1.5)
        found = tuning(bench, questions, seconds=seconds).run()
        assert found.seconds <= seconds
        assert found.confirmed is not None
        assert found.cut_short
        assert not {each.name for each in found.tried} & set(found.cut_short)

    def test_no_time_at_all(self, make: Make) -> None:
        bench, questions = make(seconds=10.0)
        found = tuning(bench, questions, seconds=5).run(SMALL)
        assert found.verdict == "there was not enough time to try anything else"
        assert "structure:max_tokens=40,min_tokens=0" in found.cut_short
        assert (found.winner, found.confirmed) == (None, None)

    def test_an_interrupted_run_goes_on(self, make: Make, tmp_path: Path) -> None:
        said: list[str] = []
        bench, questions = make(kept=tmp_path / "kept", progress=lambda name, *_: said.append(name))
        first = tuning(bench, questions).run(SMALL)
        asked = len([text for text in said if text.startswith("asking")])
        assert asked == sum(len(names) * len(questions) for names, questions in bench.asked)
        said.clear()
        again = tuning(bench, questions).run(SMALL)
        assert said == []
        assert again.verdict == first.verdict

    def test_what_cannot_be_measured_is_told(self, make: Make) -> None:
        bench, questions = make(broken="structure:max_tokens=800")
        found = tuning(bench, questions).run(SMALL)
        broken = next(each for each in found.tried if each.error)
        assert (broken.name, "cannot be cut" in broken.error) == (bench.broken, True)
        assert broken.to_json()["training_score"] is None
        assert found.winner is not None

    def test_present_settings_that_cannot_be_measured(self, make: Make) -> None:
        bench, questions = make(broken=PRESENT)
        with pytest.raises(UsageError, match="the present settings cannot be measured"):
            tuning(bench, questions).run(SMALL)

    def test_rules_for_some_files_hold_while_tuning(self, make: Make) -> None:
        bench, questions = make()
        data = {**DATA, "chunk": {"max_tokens": 400, "for": [{"glob": "*.md", "max_tokens": 40, "min_tokens": 0}]}}
        found = tuning(bench, questions, data=data).run(SMALL)
        assert found.tried[0].score >= 0.9
        measured = found.tried[0].measured
        assert measured is not None
        assert measured.chunks >= 60
        # A size above 40 for the rest of the files changes nothing, so it is not tried again under another name.
        assert "structure:max_tokens=800" in {each.name for each in found.tried}
        assert found.winner is None

    def test_what_the_file_may_not_say_is_not_tried(self, make: Make) -> None:
        bench, questions = make()
        data = {**DATA, "chunk": {"for": [{"glob": "*.md", "max_tokens": 40, "heading_prefix": "own"}]}}
        found = tuning(bench, questions, data=data, seconds=8).run(
            cuts(("structure", {"overlap_tokens": 200}))
        )  # more than the rule's limit
        assert "structure:overlap_tokens=200" not in {each.name for each in found.tried}

    def test_metrics_that_are_best_where_nothing_is_found(self, make: Make) -> None:
        bench, questions = make(documents=2)
        with pytest.raises(UsageError, match="tokens@5 is best where nothing is found"):
            tuning(bench, questions, headline="tokens@5")

    def test_no_time(self) -> None:
        with pytest.raises(ValueError, match="above 0"):
            Budget(0)

    def test_a_smaller_index_is_told_where_it_finds_as_much(self, make: Make) -> None:
        bench, questions = make(facts=1, questions=1, documents=40)
        run = tuning(bench, questions)
        present = tried("present", size=1000)
        several = [tried("as large", size=1000), tried("smaller", size=700)]
        told = run._confirmed(present, several)
        assert told.winner is None
        assert told.verdict.endswith("; smaller found as much with an index 30% smaller")


def tried(name: str, *, size: int, score: float = 0.5) -> Tried:
    measured = Measured(asked={}, chunks=1, tokens=1, index_bytes=size, index_seconds=0.0, search_seconds=0.0)
    return Tried(PRESENT_CHOICE, Configuration(name=name, settings=parse_settings(DATA)), measured, score=score)


class TestEquals:
    def test_the_cheaper_comes_first(self) -> None:
        several = [
            tried("large", size=900, score=0.501),
            tried("small", size=300),
            tried("better", size=999, score=0.6),
            tried("worse", size=1, score=0.4),
        ]
        ordered = sorted(several, key=lambda each: each.rank)
        assert [each.name for each in ordered] == ["better", "small", "large", "worse"]

    def test_one_search_is_cheaper_than_two(self) -> None:
        both = tried("both", size=5)
        one = Tried(replace(PRESENT_CHOICE, mode="dense"), both.configuration, both.measured, score=both.score)
        assert one.rank < both.rank


def some(clusters: Sequence[int]) -> list[Judged]:
    """So many questions about each document."""
    return [
        judged(question_of({"id": f"{d}-{n}", "question": "?", "relevant": [{"document": f"{d}.md", "text": "x"}]}), {})
        for d, number in enumerate(clusters)
        for n in range(number)
    ]


class TestParts:
    def test_documents_stay_together(self) -> None:
        parts = parts_of(some([9, 1, 3, 3, 7, 2, 5]))
        assert parts.by == "document"
        one, other = ({each.cluster for each in part} for part in (parts.training, parts.held_out))
        assert not one & other
        assert len(parts.training) == len(parts.held_out) == 15
        assert parts_of(list(reversed(some([9, 1, 3, 3, 7, 2, 5])))).by == "document"

    def test_the_order_of_the_questions_does_not_matter(self) -> None:
        questions = some([4, 4, 4, 4, 2, 2])
        one, other = parts_of(questions), parts_of(questions[::-1])
        assert {each.question.id for each in one.training} == {each.question.id for each in other.training}

    def test_one_document_with_most_of_the_questions(self) -> None:
        parts = parts_of(some([30, 2, 1]))
        assert (parts.by, len(parts.training), len(parts.held_out)) == ("question", 17, 16)
        assert not {id(each) for each in parts.training} & {id(each) for each in parts.held_out}

    @pytest.mark.parametrize(
        ("number", "sizes"), [(10, [10]), (20, [20]), (33, [20, 13]), (70, [20, 20, 30]), (200, [50, 50, 100])]
    )
    def test_slices(self, number: int, sizes: list[int]) -> None:
        found = slices(some([number]))
        assert [len(each) for each in found] == sizes
        assert len({each.question.id for several in found for each in several}) == number


def document(name: str, text: str) -> Document:
    return Document(id=name, source=name, media_type="text/plain", text=text)


class TestChoices:
    def test_labels(self) -> None:
        assert PRESENT_CHOICE.label == "structure:max_tokens=400"
        assert replace(PRESENT_CHOICE, mode="dense").label == "structure:max_tokens=400, dense"
        rrf = replace(PRESENT_CHOICE, fusion=Component("fusion", "rrf", {"k": 20}))
        assert rrf.label == "structure:max_tokens=400, rrf:k=20"

    def test_all_of_them_can_be_made_and_differ(self) -> None:
        documents = {"a.py": document("a.py", "x = 1"), "b.md": document("b.md", "b")}
        first = first_choices(PRESENT_CHOICE, documents)
        assert {each.chunk.name for each in first} >= {"structure", "semantic", "code", "sections", "tokens"}
        several = [*first, *other_searches(PRESENT_CHOICE)]
        for each in first:
            several.extend(neighbours(each, {"words": 0.7, "characters": 4.1}))
        for each in several:
            each.chunk.create()
            each.fusion.create()
        assert len({each.label for each in first}) == len(first)
        assert "code" not in {each.chunk.name for each in first_choices(PRESENT_CHOICE, {"b.md": documents["b.md"]})}

    def test_neighbours_differ_in_one_option(self) -> None:
        choice = replace(PRESENT_CHOICE, chunk=Component("chunk", "structure", {"max_tokens": 200}))
        found = [dict(each.chunk.options) for each in neighbours(choice, {"characters": 4.25})]
        assert found == [
            {"max_tokens": 150},
            {"max_tokens": 270},
            {"max_tokens": 200, "min_tokens": 0},
            {"max_tokens": 200, "min_tokens": 100},
            {"max_tokens": 200, "overlap_tokens": 25},
            {"max_tokens": 200, "overlap_tokens": 50},
            {"max_tokens": 200, "heading_prefix": "own"},
            {"max_tokens": 200, "heading_prefix": "off"},
            {"max_tokens": 850, "counter": "characters"},
        ]
        capped = replace(PRESENT_CHOICE, chunk=Component("chunk", "headings-capped"))
        assert [dict(each.chunk.options) for each in neighbours(capped, {})] == [
            {"max_characters": 1100},
            {"max_characters": 2000},
        ]

    def test_weights_keep_the_other_options_of_the_fusion(self) -> None:
        fusion = Component("fusion", "minmax", {"least_spread": 0.4})
        found = [each.fusion for each in other_searches(replace(PRESENT_CHOICE, fusion=fusion))]
        assert Component("fusion", "minmax", {"least_spread": 0.4, "lexical_weight": 0.1}) in found
        fusion = Component("fusion", "context", {"section": 0.1, "window": 3.0})
        found = [each.fusion for each in other_searches(replace(PRESENT_CHOICE, fusion=fusion))]
        assert Component("fusion", "context", {"section": 0.1, "words": 0.5, "window": 1.5}) in found
        assert Component("fusion", "minmax", {"lexical_weight": 0.1}) in found

    def test_the_other_modes_come_last(self) -> None:
        found = other_searches(PRESENT_CHOICE)
        assert [each.mode for each in found[-2:]] == ["lexical", "dense"]

    def test_counters_matter_where_documents_differ(self) -> None:
        alike = [document(f"{n}", f"The cursor lives {n} minutes.") for n in range(4)]
        assert counters_that_matter(alike) == {}
        assert counters_that_matter([]) == {}
        digits = [document(f"d{n}", f"{n}0123456789 " * 40) for n in range(4)]
        found = counters_that_matter([*alike, *digits])
        assert set(found) == {"words", "characters"}
        assert found["characters"] > found["words"]

    def test_as_the_file_would_say(self) -> None:
        data = {
            "chunk": {"strategy": "tokens", "max_tokens": 90, "for": [{"glob": "*.csv"}]},
            "search": {"k": 7, "fusion": "minmax", "lexical_weight": 0.4},
            "collection": {"exclude": ["a"]},
        }
        present = Choice.of(parse_settings(data))
        assert present.written(data) == data
        chosen = Choice(
            chunk=Component("chunk", "structure", {"max_tokens": 200}), fusion=Component("fusion", "rrf"), mode="dense"
        )
        assert chosen.written(data) == {
            "chunk": {"strategy": "structure", "max_tokens": 200, "for": [{"glob": "*.csv"}]},
            "search": {"k": 7, "fusion": "rrf", "mode": "dense"},
            "collection": {"exclude": ["a"]},
        }
        assert Choice.of(parse_settings(chosen.written(data))) == chosen
        assert Choice.of(parse_settings(chosen.written({}))) == chosen


def test_empty_runs_are_json() -> None:
    run = Tuned(metric="hit@1", parts=parts_of([]), tried=[], verdict="nothing", seconds=0.0)
    assert run.to_json()["confirmed"] == []
