"""Questions of other tools become ours; rankings and judgements go to TREC's tools."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pincite.errors import UsageError
from pincite.evaluate.formats import imported, trec_qrels, trec_run
from pincite.model import Chunk, Document, Hit, Judgement, Located, Question, Ranking, Run, Span

TEXT = "A cursor lives for 15 minutes.\n\nA token lives\nfor an hour.\n"
DOCUMENTS = {
    name: Document(id=name, source=name, media_type="text/markdown", text=text)
    for name, text in {"docs/guide.md": TEXT, "other.md": "Nothing.\n"}.items()
}


def read(tmp_path: Path, name: str, text: str, tool: str) -> list[Question]:
    file = tmp_path / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return imported(file, DOCUMENTS, format=tool)


def quotes(question: Question) -> list[str]:
    return [DOCUMENTS[each.document_id].text[each.start : each.end] for each in question.relevant]


def test_chroma(tmp_path: Path) -> None:
    references = [{"content": "A cursor lives for 15 minutes.", "start_index": 0, "end_index": 30}]
    quoted = json.dumps(references).replace('"', '""')
    (question,) = read(tmp_path, "q.csv", f'question,references,corpus_id\nHow long?,"{quoted}",guide\n', "chroma")
    assert (question.question, quotes(question)) == ("How long?", ["A cursor lives for 15 minutes."])


def test_chunklab(tmp_path: Path) -> None:
    text = """questions:
  - id: q1
    query: How long?
    gold_snippets: ["a token lives for an hour", ["A cursor", "A token"]]
    gold_answer: An hour.
    tags: [x]
  - {id: 2, query: "And who?"}
"""
    first, second = read(tmp_path, "q.yaml", text, "chunklab")
    assert quotes(first) == ["A token lives\nfor an hour", "A cursor", "A token"]
    assert [each.part for each in first.relevant] == ["1", "2", "2"]
    assert (first.answer, second.id, second.relevant) == ("An hour.", "2", ())


RAGAS = {"user_input": "How long?", "reference_contexts": ["A cursor lives for 15 minutes."], "reference": "15 minutes"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("q.json", json.dumps([RAGAS])),
        ("q.jsonl", json.dumps(RAGAS) + "\n\n"),
        (
            "q.csv",
            "user_input,reference_contexts,reference\nHow long?,\"['A cursor lives for 15 minutes.']\",15 minutes\n",
        ),
    ],
)
def test_ragas(tmp_path: Path, name: str, text: str) -> None:
    (question,) = read(tmp_path, name, text, "ragas")
    assert quotes(question) == ["A cursor lives for 15 minutes."]
    assert question.answer == "15 minutes"


def test_beir(tmp_path: Path) -> None:
    read_from = tmp_path / "set"
    (read_from / "qrels").mkdir(parents=True)
    (read_from / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n1\tguide.md\t2\n1\tother.md\t0\n")
    (read_from / "queries.jsonl").write_text('{"_id": "1", "text": "How long?"}\n{"_id": "2", "text": "x"}\n')
    (question,) = imported(read_from, DOCUMENTS, format="beir")
    assert [(each.document_id, each.grade, each.text) for each in question.relevant] == [("docs/guide.md", 2, TEXT)]


def test_trec(tmp_path: Path) -> None:
    (tmp_path / "topics.tsv").write_text("1\tHow long?\n2\tAnd who?\n")
    first, second = read(tmp_path, "qrels.txt", "1 0 other 1\n", "trec")
    assert [each.document_id for each in first.relevant] == ["other.md"]
    assert second.relevant == ()


@pytest.mark.parametrize(
    ("tool", "name", "text"),
    [
        ("chroma", "q.csv", "a,b\n1,2\n"),
        ("chroma", "q.csv", 'question,references,corpus_id\nHow?,"[]",unknown\n'),
        ("chunklab", "q.yaml", "- a\n"),
        ("chunklab", "q.yaml", "{"),
        ("chunklab", "q.yaml", "questions: [{id: 1, query: a, gold_snippets: [This stands nowhere in them]}]"),
        ("ragas", "q.jsonl", "[]\n"),
        ("trec", "q.txt", "1 2\n"),
    ],
)
def test_what_is_none(tmp_path: Path, tool: str, name: str, text: str) -> None:
    with pytest.raises(UsageError, match=f"is no file of {tool}"):
        read(tmp_path, name, text, tool)


def test_an_unknown_format(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="There are: chroma, chunklab, ragas, beir, trec"):
        read(tmp_path, "q", "", "squad")


def test_judgements_for_trec() -> None:
    relevant = tuple(
        Judgement(document_id=name, text="A", grade=grade)
        for name, grade in [("docs/guide.md", 1), ("docs/guide.md", 3), ("gone.md", 1)]
    )
    assert trec_qrels([Question(id="q 1", question="?", relevant=relevant)], DOCUMENTS) == "q_1 0 docs/guide.md 3\n"


def test_rankings_for_trec() -> None:
    def hit(rank: int, score: float, name: str) -> Hit:
        chunk = Chunk(id=f"{rank}", document_id=name, number=rank, span=Span(0, 1), text="A", tokens=1)
        return Hit(located=Located(chunk=chunk), rank=rank, score=score)

    ranking = Ranking("?", (hit(1, 0.9, "a.md"), hit(2, 0.8, "a.md"), hit(3, 0.7, "b.md")))
    assert trec_run(Run("f1", {"q": ranking})) == "q Q0 a.md 1 0.900000 f1\nq Q0 b.md 2 0.700000 f1\n"
