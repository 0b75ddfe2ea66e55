"""How well the present collection answers its questions, beside its last run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.engine.collection import FOLDER, Collection
from pincite.engine.evaluation.answers import Answers, checked_answers
from pincite.engine.evaluation.comparing import Comparison
from pincite.engine.evaluation.measuring import Asked, Measured, ask_all, lengths_in
from pincite.evaluate.bootstrap import Sample
from pincite.evaluate.judging import Judged, judged
from pincite.evaluate.metrics import DEFAULTS, HEADLINE
from pincite.evaluate.verdicts import Difference, differences
from pincite.model import Document, Question

if TYPE_CHECKING:
    pass

NAME = "present"
LAST = Path(FOLDER) / "evaluation" / "last.json"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The figures of now, the difference to the last run where both have the same questions, and the answers where
    they were asked for."""

    comparison: Comparison
    since_last: Difference | None
    answers: Answers | None = None

    def to_json(self) -> dict[str, Any]:
        result = self.comparison.to_json()
        since = self.since_last.to_json() if self.since_last else None
        return {
            **result["configurations"][0],
            **{k: v for k, v in result.items() if k != "configurations"},
            "last": since,
            **({"answers": self.answers.to_json()} if self.answers else {}),
        }


def evaluate(
    collection: Collection,
    questions: Sequence[Question],
    *,
    metrics: Sequence[str] = DEFAULTS,
    headline: str = HEADLINE,
    keep: bool = True,
    answers: bool = False,
) -> Evaluation:
    """Asks all questions of the collection as it is. With ``keep`` the scores are kept for the next run, with
    ``answers`` the answerer is asked as well."""
    documents = stored_documents(collection, questions)
    asked = _asked(collection, questions)
    found = [judged(question, documents) for question in questions]
    comparison = Comparison.of({NAME: asked}, found, metrics=metrics, headline=headline)
    file = collection.directory / LAST
    since = _since(_last(file), comparison)
    if keep and comparison.scored:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(_scores(comparison)), encoding="utf-8")
    return Evaluation(comparison, since, checked_answers(collection, found, asked.asked) if answers else None)


def stored_documents(collection: Collection, questions: Sequence[Question]) -> dict[str, Document]:
    """The documents that are judged, as they are indexed. Judgements are the evaluator's, who sees all documents."""
    found = {name: collection.store.document(name) for name in judged_documents(questions)}
    return {name: document for name, document in found.items() if document is not None}


def judged_documents(questions: Sequence[Question]) -> list[str]:
    return list(dict.fromkeys(each.document_id for question in questions for each in question.relevant))


def _asked(collection: Collection, questions: Sequence[Question]) -> Measured:
    lengths: dict[str, int] = {}
    asked: Mapping[str, Asked]
    with collection.store.snapshot() as snapshot:
        asked, seconds = ask_all(questions, collection.finder, snapshot, lengths_in(lengths))
    stored = collection.store.stored().values()
    return Measured(
        asked=asked,
        chunks=sum(each.chunks for each in stored),
        tokens=sum(lengths.values()),
        index_bytes=sum(file.stat().st_size for file in (collection.directory / FOLDER).rglob("*") if file.is_file()),
        index_seconds=0.0,
        search_seconds=seconds,
        cuts={name: _cuts(collection, name) for name in judged_documents(questions)},
    )


def _cuts(collection: Collection, name: str) -> list[tuple[int, int]]:
    return [(chunk.span.start, chunk.span.end) for chunk in collection.store.chunks(name)]


def _scores(comparison: Comparison) -> dict[str, Any]:
    values = comparison.scores_of(NAME, comparison.headline)
    return {
        "headline": comparison.headline,
        "scores": {each.question.id: value for each, value in zip(comparison.scored, values, strict=True)},
    }


def _last(file: Path) -> dict[str, Any] | None:
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return data if isinstance(data, dict) and isinstance(data.get("scores"), dict) else None


def _since(last: dict[str, Any] | None, comparison: Comparison) -> Difference | None:
    """Over the questions that both runs have."""
    if last is None or last["headline"] != comparison.headline:
        return None
    both: list[Judged] = [each for each in comparison.scored if each.question.id in last["scores"]]
    if not both:
        return None
    now = dict(
        zip(
            (each.question.id for each in comparison.scored),
            comparison.scores_of(NAME, comparison.headline),
            strict=True,
        )
    )
    rows = [[now[each.question.id], float(last["scores"][each.question.id])] for each in both]
    return differences(["this run", "the last run"], Sample.of(rows, [each.cluster for each in both]))[0]
