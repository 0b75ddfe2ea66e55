"""From documents and questions to figures: on small corpora whose truth is known."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pincite import catalogue
from pincite.config import Component, Settings
from pincite.engine.evaluation.comparing import Comparison
from pincite.engine.evaluation.configurations import configurations, foreign_chunks
from pincite.engine.evaluation.corpus import Corpus, read_corpus
from pincite.engine.evaluation.measuring import Asked, Bench, Measured
from pincite.engine.evaluation.vectors import CachedEmbedder, cached
from pincite.errors import NothingFoundError, UsageError
from pincite.evaluate.gold import Passage
from pincite.evaluate.judging import judged
from pincite.evaluate.questions import question_of
from pincite.model import Question, Span
from pincite.text.terms import Analyser

SETTINGS = Settings(embed=Component("embed", "hashing"), join_tokens=0)
TOPICS = ("cursor", "token", "webhook", "export", "gateway", "sensor", "invoice", "quota")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    home = tmp_path / "docs"
    home.mkdir()
    for topic in TOPICS:
        text = f"# {topic}\n\n" + "".join(f"The {topic} number {n} lives {n + 3} minutes.\n\n" for n in range(6))
        (home / f"{topic}.md").write_text(text, encoding="utf-8")
    (home / "secret.md").write_text("---\ngroups: [staff]\n---\n\nThe vault opens at noon.\n", encoding="utf-8")
    return home


def questions() -> list[Question]:
    asked = [
        {
            "id": topic,
            "question": f"How long does {topic} number 2 live?",
            "relevant": [{"document": f"{topic}.md", "text": f"The {topic} number 2 lives 5 minutes."}],
        }
        for topic in TOPICS
    ]
    vault = {"document": "secret.md", "text": "The vault opens at noon."}
    asked += [
        {"id": "vault", "question": "When does the vault open?", "relevant": [vault], "as": ["staff"]},
        {"id": "vault-public", "question": "When does the vault open?", "relevant": [vault]},
        {"id": "none", "question": "Who won?", "relevant": []},
        {"id": "gone", "question": "What?", "relevant": [{"document": "cursor.md", "text": "No such words in there."}]},
        {"id": "wrong", "question": "How?", "relevant": [vault], "where": "no_such_field = 1"},
    ]
    return [question_of(each) for each in asked]


def bench(corpus: Corpus, kept: Path | None = None, asked: Sequence[Question] | None = None) -> Bench:
    embedder = catalogue.create("embed", "hashing")
    return Bench(corpus=corpus, questions=asked or questions(), embedder=embedder, analyser=Analyser(), kept=kept)


def corpus_of(folder: Path) -> Corpus:
    return read_corpus([folder], SETTINGS, folder)


def two(corpus: Corpus, kept: Path | None = None) -> Comparison:
    small = Component("chunk", "structure", {"max_tokens": 24, "min_tokens": 0})
    large = Component("chunk", "structure", {"max_tokens": 400})
    chosen = configurations(SETTINGS, [("small", small), ("large", large)], ["lexical"])
    measured = bench(corpus, kept).measure(chosen)
    found = [judged(question, corpus.documents) for question in questions()]
    return Comparison.of(measured, found, metrics=["hit@1", "precision@1", "tokens@5"])


class TestComparison:
    def test_the_figures(self, folder: Path) -> None:
        comparison = two(corpus_of(folder))
        assert [len(comparison.scored), len(comparison.unanswerable), len(comparison.lost)] == [11, 1, 1]
        assert comparison.measured["large"].chunks == 9
        assert comparison.measured["small"].chunks > 2 * 9
        for name in ("small", "large"):
            scores = comparison.scores_of(name, "hit@1")
            found = {each.question.id: score for each, score in zip(comparison.scored, scores, strict=True)}
            assert found["vault"] == 1
            assert found["vault-public"] == 0  # who may not see it does not find it
            assert found["wrong"] == 0
            assert sum(found[topic] for topic in TOPICS) == 8
        assert comparison.values["small"]["precision@1"].value > 2 * comparison.values["large"]["precision@1"].value
        assert {name for name, question, _ in comparison.errors if question == "wrong"} == {"small", "large"}
        assert "no_such_field" in comparison.errors[0][2]

    def test_as_json(self, folder: Path) -> None:
        data = json.loads(json.dumps(two(corpus_of(folder)).to_json(), allow_nan=False))
        assert [each["configuration"] for each in data["configurations"]] == ["small", "large"]
        assert set(data["configurations"][0]["metrics"]) == {"recall@1000t", "hit@1", "precision@1", "tokens@5"}
        assert (data["questions"], data["unanswerable"], data["lost"]) == (11, 1, ["gone"])
        assert len(data["differences"]) == 1

    def test_groups(self, folder: Path) -> None:
        comparison = two(corpus_of(folder))
        assert comparison.by("document")["cursor.md"]["small"][0] == 1
        assert set(comparison.by("language")) == {"unknown"}

    def test_an_unknown_metric_is_refused_before_any_work(self) -> None:
        with pytest.raises(UsageError, match="no metric"):
            Comparison.of({}, [], headline="quality@5")

    def test_nothing_to_score(self) -> None:
        comparison = Comparison.of({"a": measured({})}, [])
        assert "nothing can be compared" in comparison.verdict
        assert (comparison.differences, comparison.values) == ([], {"a": {}})


def found_one(document_id: str) -> Asked:
    return Asked((Passage(document_id, Span(0, 10), 5),), (0.5,))


def measured(scores: dict[str, bool]) -> Measured:
    """A configuration that finds the passage of these questions, or not."""
    asked = {name: found_one("a.md") if found else Asked() for name, found in scores.items()}
    return Measured(asked=asked, chunks=1, tokens=5, index_bytes=1, index_seconds=0.0, search_seconds=0.0)


class TestVerdicts:
    def verdict(self, **columns: list[bool]) -> str:
        number = len(next(iter(columns.values())))
        asked = [
            question_of({"id": str(n), "question": "?", "relevant": [{"document": f"{n}.md", "text": "0123456789"}]})
            for n in range(number)
        ]
        documents = {"a.md": text_document("a.md")} | {f"{n}.md": text_document(f"{n}.md") for n in range(number)}
        found = [replace(judged(question, documents)) for question in asked]
        per_name = {}
        for name, column in columns.items():
            passages = {str(n): found_one(f"{n}.md") if hit else Asked() for n, hit in enumerate(column)}
            per_name[name] = replace(measured({}), asked=passages)
        return Comparison.of(per_name, found, metrics=["hit@1"]).verdict

    def test_one_winner(self) -> None:
        good, bad = [True] * 60, [True, False] * 30
        assert self.verdict(a=bad, b=good).startswith("b beats a by 50.0 points [")
        assert self.verdict(a=bad, b=good, c=bad[::-1]).startswith("b beats")
        assert "and all 1 others" in self.verdict(a=bad, b=good, c=bad[::-1])

    def test_none(self) -> None:
        verdict = self.verdict(a=[True, False] * 30, b=[False, True] * 30)
        assert "tie" in verdict or "no winner" in verdict

    def test_a_tie_at_the_top(self) -> None:
        good, bad = [True] * 59 + [False], [True, False] * 30
        assert "of the others" in self.verdict(a=good, b=[True] * 60, c=bad)

    def test_one_configuration(self) -> None:
        assert self.verdict(a=[True] * 30).startswith("a: recall@1000t 1.000")


def text_document(name: str) -> Any:
    from pincite.model import Document

    return Document(id=name, source=name, media_type="text/plain", text="0123456789")


class TestKeeping:
    def test_what_was_measured_is_not_measured_again(self, folder: Path, tmp_path: Path) -> None:
        corpus, kept = corpus_of(folder), tmp_path / "kept"
        first = two(corpus, kept)
        assert len(list((kept / "runs").iterdir())) == 2
        said: list[str] = []
        again = replace(bench(corpus, kept), progress=lambda name, *_: said.append(name))
        chosen = configurations(
            SETTINGS, [("renamed", Component("chunk", "structure", {"max_tokens": 400}))], ["lexical"]
        )
        assert again.measure(chosen)["renamed"] == first.measured["large"]
        assert said == []

    def test_other_documents_questions_or_settings_are_measured(self, folder: Path, tmp_path: Path) -> None:
        kept = tmp_path / "kept"
        two(corpus_of(folder), kept)
        (folder / "cursor.md").write_text("# Cursor\n\nNothing.\n", encoding="utf-8")
        two(corpus_of(folder), kept)
        assert len(list((kept / "runs").iterdir())) == 4

    def test_a_damaged_file_is_measured_again(self, folder: Path, tmp_path: Path) -> None:
        corpus, kept = corpus_of(folder), tmp_path / "kept"
        first = two(corpus, kept)
        for file in (kept / "runs").iterdir():
            file.write_text("{", encoding="utf-8")
        assert two(corpus, kept).values == first.values

    def test_there_and_back(self) -> None:
        one = measured({"a": True, "b": False})
        assert Measured.from_json(json.loads(json.dumps(one.to_json()))) == one


class TestVectors:
    def test_known_texts_are_not_embedded_again(self, tmp_path: Path) -> None:
        embedder = catalogue.create("embed", "hashing")
        with cached(embedder, tmp_path / "v" / "vectors.sqlite") as first:
            vectors = first.embed(["a", "b", "a"])
        assert np.array_equal(vectors, embedder.embed(["a", "b", "a"]))
        second = CachedEmbedder(embedder, tmp_path / "v" / "vectors.sqlite")
        assert np.array_equal(second.embed(["b", "c"]), embedder.embed(["b", "c"]))
        assert second.embedded == 1
        assert np.array_equal(second.embed_query("q"), second.embed_query("q"))
        assert second.count("two words") == embedder.count("two words")
        second.close()

    def test_another_embedder_has_its_own(self, tmp_path: Path) -> None:
        file = tmp_path / "vectors.sqlite"
        CachedEmbedder(catalogue.create("embed", "hashing", {"dimension": 64}), file).embed(["a"])
        other = CachedEmbedder(catalogue.create("embed", "hashing", {"dimension": 32}), file)
        assert other.embed(["a"]).shape == (1, 32)
        assert other.embedded == 1

    def test_a_damaged_file_is_made_anew(self, tmp_path: Path) -> None:
        file = tmp_path / "vectors.sqlite"
        file.write_bytes(b"no database" * 1000)
        assert CachedEmbedder(catalogue.create("embed", "hashing"), file).embed(["a"]).shape[0] == 1

    def test_without_a_file(self) -> None:
        embedder = catalogue.create("embed", "hashing")
        with cached(embedder, None) as same:
            assert same is embedder


class TestConfigurations:
    def test_modes_are_named_where_there_are_several(self) -> None:
        cuts = [("structure", Component("chunk", "structure"))]
        assert [each.name for each in configurations(SETTINGS, cuts, ["dense"])] == ["structure"]
        several = configurations(SETTINGS, cuts, ["dense", "lexical"])
        assert [each.name for each in several] == ["structure dense", "structure lexical"]
        assert several[0].cut == several[1].cut

    def test_a_name_that_stands_twice(self) -> None:
        with pytest.raises(UsageError, match="two configurations"):
            configurations(SETTINGS, [("a", SETTINGS.chunk), ("a", SETTINGS.chunk)], ["dense"])

    def test_chunks_cut_elsewhere(self, folder: Path, tmp_path: Path) -> None:
        corpus = corpus_of(folder)
        file = tmp_path / "chunks.jsonl"
        lines = [
            {"document": name, "start": start, "end": min(start + 40, len(document.text)), "prefix": name}
            for name, document in corpus.documents.items()
            for start in range(0, len(document.text), 40)
        ]
        file.write_text("\n".join(map(json.dumps, lines)) + "\n\n", encoding="utf-8")
        chosen = configurations(SETTINGS, [("windows", foreign_chunks(file, corpus.documents))], ["lexical"])
        found = bench(corpus).measure(chosen)["windows"]
        assert found.chunks == len(lines)
        assert {len(each.span) for each in found.asked["cursor"].passages} <= set(range(1, 41))

    @pytest.mark.parametrize(
        "line",
        [
            "{",
            "[]",
            '{"document": "cursor.md", "start": 0}',
            '{"document": "none.md", "start": 0, "end": 1}',
            '{"document": "cursor.md", "start": 5, "end": 5}',
            '{"document": "cursor.md", "start": 0, "end": 99999}',
            '{"document": "cursor.md", "start": "0", "end": 1}',
        ],
    )
    def test_lines_that_are_no_chunk(self, folder: Path, tmp_path: Path, line: str) -> None:
        file = tmp_path / "chunks.jsonl"
        file.write_text(f"\n{line}\n", encoding="utf-8")
        with pytest.raises(UsageError, match="line 2"):
            foreign_chunks(file, corpus_of(folder).documents)

    def test_a_file_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match="cannot be read"):
            foreign_chunks(tmp_path / "none", {})


class TestCorpus:
    def test_rules_hold_as_in_a_collection(self, folder: Path) -> None:
        (folder / "pincite.toml").write_text('[[metadata]]\nglob = "cursor.md"\ngroups = ["api"]\n', encoding="utf-8")
        from pincite.config import read_settings

        corpus = read_corpus([folder], read_settings(folder / "pincite.toml"), folder)
        assert corpus.documents["cursor.md"].metadata["groups"] == ("api",)
        assert corpus.documents["secret.md"].metadata["groups"] == ("staff",)

    def test_what_cannot_be_loaded_is_told(self, folder: Path) -> None:
        (folder / "bad.md").write_bytes(b"\0\1\2\xff" * 100)
        corpus = read_corpus([folder, folder / "none"], SETTINGS, folder)
        assert [notice.kind for notice in corpus.failed] == ["missing", "binary"]
        assert len(corpus.documents) == 9

    def test_no_document(self, tmp_path: Path) -> None:
        with pytest.raises(NothingFoundError, match="no document"):
            read_corpus([tmp_path], SETTINGS, tmp_path)
