from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from pincite.engine import Collection, chunk_document, count_tokens, load_folder, load_text, nearest_chunks, statistics
from pincite.engine.evaluation.in_one_call import compare
from pincite.errors import LoadError, NothingFoundError, UnknownNameError, UsageError
from pincite.model import Principal, Question
from pincite.ports import Vector, Vectors


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two documents, settings with a rule, questions, and two files that are no documents."""
    home = tmp_path / "handbook"
    (home / "v3").mkdir(parents=True)
    (home / "limits.md").write_text(
        "# Limits\n\nAt most 500 items on a page.\n\n## Cursors\n\nA cursor lives 15 minutes.\n"
    )
    (home / "v3" / "tokens.md").write_text("# Tokens\n\nA token lives an hour. Ask for a new one.\n")
    (home / "photo.png").write_bytes(b"\x89PNG")
    (home / ".hidden.md").write_text("# Hidden\n")
    (home / "pincite.toml").write_text(
        '[collection]\nexclude = ["*.png.txt"]\n[embed]\nname = "hashing"\n'
        '[[metadata]]\nglob = "v3/**"\nversion = "3.0"\n'
    )
    questions = [
        {"id": "q1", "question": "cursor lives?", "relevant": [{"document": "limits.md", "text": "lives 15 minutes"}]},
        {"id": "q2", "question": "token lives?", "relevant": [{"document": "v3/tokens.md", "text": "lives an hour"}]},
        {"id": "q3", "question": "parking?", "relevant": []},
    ]
    (home / "questions.jsonl").write_text("".join(json.dumps(question) + "\n" for question in questions))
    return home


def test_a_folder_has_the_documents_of_its_collection(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    documents = load_folder(folder)
    assert [document.id for document in documents] == ["limits.md", "questions.jsonl", "v3/tokens.md"]
    assert documents[2].metadata["version"] == "3.0"
    (told,) = [record for record in caplog.records if record.levelno == logging.WARNING]
    assert told.name == "pincite.folder"
    assert told.getMessage().startswith("photo.png: the format '.png' is not supported. ")
    assert len(told.getMessage()) < 200


def test_a_folder_is_relative_or_absolute_and_there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    absolute = load_folder(folder)
    monkeypatch.chdir(folder.parent)
    assert load_folder("handbook") == absolute
    for wrong in (folder / "nowhere", folder / "limits.md"):
        with pytest.raises(UsageError, match=r"is no folder\. Name a folder"):
            load_folder(wrong)
    (folder.parent / "empty").mkdir()
    with pytest.raises(NothingFoundError):
        load_folder("empty")


def test_warnings_of_documents_are_told_on_request_only(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    (folder / "wide.csv").write_text("a,b\n1,2\n3,4,5\n")
    with caplog.at_level(logging.INFO, logger="pincite.folder"):
        load_folder(folder)
    assert [record.levelname for record in caplog.records if "wide.csv" in record.getMessage()] == ["INFO"]


def test_a_text_becomes_a_document_of_the_kind_that_its_id_says() -> None:
    assert load_text("# A\n\nB.\n").text == "# A\n\nB.\n"
    assert [block.kind for block in load_text("a,b\n1,2\n", document_id="x.csv").blocks] == ["table"]
    assert load_text("# no heading\n", document_id="x.txt").sections[0].path == ()
    assert load_text("a;b\r\n1;2\r\n", document_id="t.txt").text == "a;b\r\n1;2\r\n"
    with pytest.raises(LoadError, match="no known format"):
        load_text("x", document_id="README")
    with pytest.raises(UsageError, match="half of a surrogate pair stands at 1"):
        load_text("x\ud800")
    with pytest.raises(UsageError, match="has no option 'nope'"):
        load_text("x", options={"nope": 1})


def test_a_strategy_may_carry_its_options() -> None:
    document = load_text("one two three four five six", document_id="a.txt")
    written = chunk_document(document, strategy="tokens:max_tokens=2,counter=words")
    assert written == chunk_document(document, strategy="tokens", options={"max_tokens": 2, "counter": "words"})
    both = chunk_document(document, strategy="tokens:max_tokens=2,counter=words", options={"max_tokens": 3})
    assert [chunk.tokens for chunk in both] == [3, 3]
    found = statistics([document], strategy="tokens:max_tokens=2,counter=words", unit="words")
    assert (found.strategy, found.chunks, found.mean) == ("tokens:max_tokens=2,counter=words", 3, 2)
    with pytest.raises(UnknownNameError):
        chunk_document(document, strategy="token:max_tokens=2")
    with pytest.raises(UsageError, match="no option follows"):
        chunk_document(document, strategy="tokens:")


def test_tokens_are_counted_by_name() -> None:
    assert (count_tokens("hello world"), count_tokens("né", counter="characters"), count_tokens("")) == (2, 2, 0)
    with pytest.raises(UnknownNameError):
        count_tokens("a", counter="nope")


class TwoWords:
    """Vectors that say whether a text has "left" or "right"; reads three words."""

    name, dimension, max_tokens, fingerprint = "two-words", 2, 3, "two-words 1"

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.array([self.embed_query(text) for text in texts], dtype=np.float32)

    def embed_query(self, text: str) -> Vector:
        return np.array([1, 0] if "left" in text else [0, 1], dtype=np.float32)

    def count(self, text: str) -> int:
        return len(text.split())


def test_the_nearest_chunks_come_first_and_equals_in_their_order(caplog: pytest.LogCaptureFixture) -> None:
    document = load_text("The left side. Any right side. Another left side. Her right hand side.", document_id="a.txt")
    chunks = chunk_document(document, strategy="sentences:max_tokens=4,counter=words")
    hits = nearest_chunks("right", chunks, k=3, embedder=TwoWords())
    assert [(hit.rank, hit.chunk.text, hit.score, hit.dense) for hit in hits] == [
        (1, "Any right side.", 1.0, 1.0),
        (2, "Her right hand side.", 1.0, 1.0),
        (3, "The left side.", 0.0, 0.0),
    ]
    assert [record.getMessage() for record in caplog.records] == [
        "1 of 4 chunks are over the 3 tokens that 'two-words' reads"
    ]
    assert nearest_chunks("right", chunks, k=0, embedder=TwoWords()) == []
    assert nearest_chunks("right", [], embedder="nope") == []
    with pytest.raises(UnknownNameError):
        nearest_chunks("right", chunks, embedder="nope")


def test_one_call_compares_strategies_over_the_questions_of_a_folder(folder: Path) -> None:
    comparison = compare(folder, strategies=["sections", "tokens:max_tokens=8"])
    assert comparison.names == ["sections", "tokens:max_tokens=8"]
    assert [judged.question.id for judged in comparison.scored] == ["q1", "q2"]
    assert [judged.question.id for judged in comparison.unanswerable] == ["q3"]
    assert comparison.values["sections"]["recall@1000t"].value == 1.0
    assert comparison.measured["sections"].chunks == 3  # the questions themselves are not searched
    assert comparison.verdict
    assert sorted(file.name for file in folder.iterdir()) == [
        *(".hidden.md", "limits.md", "photo.png", "pincite.toml", "questions.jsonl", "v3"),
    ]


def test_questions_modes_metric_and_cache_may_be_given(folder: Path, tmp_path: Path) -> None:
    questions = [Question.from_json(json.loads(line)) for line in (folder / "questions.jsonl").read_text().splitlines()]
    cache = tmp_path / "cache"
    first = compare(
        folder, strategies="sections", modes=["lexical", "dense"], questions=questions[:1], metric="MRR@10", cache=cache
    )
    assert first.names == ["sections lexical", "sections dense"]
    assert first.headline == "MRR@10"
    assert len(first.scored) == 1
    assert first.measured["sections lexical"].chunks > 3  # questions that were passed leave all files in
    assert (cache / "vectors.sqlite").is_file()
    other = tmp_path / "other.jsonl"
    other.write_text((folder / "questions.jsonl").read_text())
    assert compare(folder, strategies=[], questions=str(other)).names == ["structure"]


def test_what_is_wrong_is_said_before_any_work(folder: Path) -> None:
    with pytest.raises(UnknownNameError):
        compare(folder, strategies=["nope"])
    with pytest.raises(UsageError, match="metric"):
        compare(folder, strategies=["sections"], metric="nope")
    (folder / "questions.jsonl").unlink()
    with pytest.raises(
        UsageError, match=r"has no questions\.jsonl\. Pass questions=…, or draft some: pincite questions"
    ):
        compare(folder, strategies=["sections"])


def test_a_collection_in_memory_answers_and_writes_no_file(folder: Path) -> None:
    (folder / "questions.jsonl").unlink()
    before = sorted(folder.rglob("*"))
    with Collection.in_memory(folder) as collection:
        assert "limits.md" in collection.add(folder).added
        (best, *_) = collection.search("cursor lives", principal=Principal()).hits
        assert best.chunk.document_id == "limits.md"
        assert collection.status().embedder.startswith("hashing")
    assert sorted(folder.rglob("*")) == before
