"""Questions of other tools, and rankings for them.

Other tools name the text and often not the document; it is looked for in the documents of the collection.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from pincite.errors import UsageError
from pincite.evaluate.anchoring import anchor
from pincite.evaluate.questions import lines_of
from pincite.model import Document, Judgement, Question, Run

Documents = Mapping[str, Document]


def imported(file: Path, documents: Documents, *, format: str) -> list[Question]:  # noqa: A002 - what users call it
    """The questions of a file of another tool. Raises ``UsageError``: an unknown format, or a file that is none of it.

    ``chroma``: the CSV of Chroma's chunking evaluation. ``chunklab``: its YAML. ``ragas``: JSON, JSON lines or CSV with
    ``user_input`` and ``reference_contexts``. ``beir``: a folder with ``queries.jsonl`` and ``qrels/*.tsv``, documents
    by their ids, each relevant as a whole. ``trec``: a file ``qrels.txt`` with ``topics.tsv`` beside it, the same way.
    """
    readers: dict[str, Callable[[Path, Documents], Iterable[Question]]] = {
        "chroma": _chroma,
        "chunklab": _chunklab,
        "ragas": _ragas,
        "beir": _beir,
        "trec": _trec,
    }
    if format not in readers:
        raise UsageError(f"no format is called {format!r}", cure=f"There are: {', '.join(readers)}.")
    try:
        return list(readers[format](file, documents))
    except (KeyError, TypeError, ValueError, AttributeError, yaml.YAMLError, csv.Error) as error:
        problem = f"is no file of {format} ({type(error).__name__}: {error})"
        raise UsageError(problem, cure="Check the format.", file=str(file)) from error


def _chroma(file: Path, documents: Documents) -> Iterator[Question]:
    for number, row in enumerate(_rows(file), start=1):
        name = _document_called(row["corpus_id"], documents)
        judgements = [
            Judgement(
                document_id=name,
                text=reference["content"],
                start=int(reference["start_index"]),
                end=int(reference["end_index"]),
            )
            for reference in json.loads(row["references"])
        ]
        yield Question(id=f"chroma-{number}", question=row["question"], relevant=tuple(judgements))


def _chunklab(file: Path, documents: Documents) -> Iterator[Question]:
    data = yaml.safe_load("\n".join(lines_of(file)))
    for item in data["questions"]:
        quotes = item.get("gold_snippets") or ()
        relevant = [_quoted(quote, documents, part=str(part)) for part, quote in _alternatives(quotes)]
        yield Question(
            id=str(item["id"]),
            question=item["query"],
            relevant=tuple(relevant),
            answer=item.get("gold_answer") or "",
        )


def _alternatives(quotes: Iterable[str | list[str]]) -> Iterator[tuple[int, str]]:
    """Each quote with the number of its part; a list is one part with alternatives."""
    for number, quote in enumerate(quotes, start=1):
        for each in [quote] if isinstance(quote, str) else quote:
            yield number, each


def _ragas(file: Path, documents: Documents) -> Iterator[Question]:
    if file.suffix.lower() == ".csv":
        rows: Iterable[Mapping[str, Any]] = _rows(file)
    elif file.suffix.lower() == ".json":
        rows = json.loads("\n".join(lines_of(file)))
    else:
        rows = [json.loads(line) for line in lines_of(file) if line.strip()]
    for number, row in enumerate(rows, start=1):
        contexts = row.get("reference_contexts") or ()
        if isinstance(contexts, str):
            contexts = yaml.safe_load(contexts)  # a CSV holds them as Python writes a list
        relevant = tuple(_quoted(context, documents) for context in contexts)
        question = row.get("user_input") or row["question"]
        answer = row.get("reference") or row.get("ground_truth") or ""
        yield Question(id=f"ragas-{number}", question=question, relevant=relevant, answer=answer)


def _beir(folder: Path, documents: Documents) -> Iterator[Question]:
    judgements: dict[str, list[Judgement]] = {}
    for file in sorted((folder / "qrels").glob("*.tsv")):
        for line in lines_of(file)[1:]:
            if line.strip():
                query, document, grade = line.split("\t")
                _whole(judgements, query, document, int(grade), documents)
    for line in lines_of(folder / "queries.jsonl"):
        if line.strip():
            query = json.loads(line)
            if query["_id"] in judgements:
                yield Question(id=query["_id"], question=query["text"], relevant=tuple(judgements[query["_id"]]))


def _trec(file: Path, documents: Documents) -> Iterator[Question]:
    judgements: dict[str, list[Judgement]] = {}
    for line in lines_of(file):
        if line.strip():
            query, _, document, grade = line.split()
            _whole(judgements, query, document, int(grade), documents)
    for line in lines_of(file.with_name("topics.tsv")):
        if line.strip():
            query, text = line.split("\t", 1)
            yield Question(id=query, question=text.strip(), relevant=tuple(judgements.get(query, ())))


def _whole(judgements: dict[str, list[Judgement]], query: str, document: str, grade: int, documents: Documents) -> None:
    """The document as a whole is relevant; a grade of 0 says that it was looked at and is not."""
    if grade > 0:
        name = _document_called(document, documents)
        text = documents[name].text
        whole = Judgement(document_id=name, text=text, start=0, end=len(text), grade=grade)
        judgements.setdefault(query, []).append(whole)


def _rows(file: Path) -> list[dict[str, str]]:
    csv.field_size_limit(1 << 24)
    return list(csv.DictReader(io.StringIO("\n".join(lines_of(file)), newline="")))


def _document_called(name: str, documents: Documents) -> str:
    """The id of the document of that name, with or without folder and suffix. Raises ``ValueError``."""
    if name in documents:
        return name
    stem = name.rsplit("/", 1)[-1]
    found = [each for each in documents if stem in (each.rsplit("/", 1)[-1], each.rsplit("/", 1)[-1].rsplit(".", 1)[0])]
    if len(found) != 1:
        raise ValueError(f"{'no document is' if not found else 'several documents are'} called {name!r}")
    return found[0]


def _quoted(quote: str, documents: Documents, *, part: str = "") -> Judgement:
    """In the first document that has the quote, the strictest way first. Raises ``ValueError``."""
    found = [(anchor(Judgement(document_id=name, text=quote), text.text), name) for name, text in documents.items()]
    order = ("exact", "moved", "reflowed", "reworded")
    best = min((each for each in found if each[0].span), key=lambda each: order.index(each[0].how), default=None)
    if best is None or best[0].span is None:
        raise ValueError(f"no document has the quote {quote[:60]!r}")
    span, name = best[0].span, best[1]
    return Judgement(document_id=name, text=span.of(documents[name].text), start=span.start, end=span.end, part=part)


def trec_qrels(questions: Sequence[Question], documents: Documents) -> str:
    """Judgements for tools of TREC: ``question 0 document grade``, the best grade of each document."""
    lines = []
    for question in questions:
        grades: dict[str, int] = {}
        for judgement in question.relevant:
            if judgement.document_id in documents:
                grades[judgement.document_id] = max(grades.get(judgement.document_id, 0), judgement.grade)
        lines += [f"{_token(question.id)} 0 {_token(name)} {grade}\n" for name, grade in sorted(grades.items())]
    return "".join(lines)


def trec_run(run: Run) -> str:
    """Rankings for tools of TREC: ``question Q0 document rank score name``, each document at its best chunk."""
    lines = []
    for question, ranking in sorted(run.rankings.items()):
        best: dict[str, float] = {}
        for hit in ranking.hits:
            best.setdefault(hit.located.chunk.document_id, hit.score)
        lines += [
            f"{_token(question)} Q0 {_token(name)} {rank} {score:.6f} {run.fingerprint}\n"
            for rank, (name, score) in enumerate(best.items(), start=1)
        ]
    return "".join(lines)


def _token(name: str) -> str:
    """The fields of TREC's files are separated by blanks."""
    return "_".join(name.split())
