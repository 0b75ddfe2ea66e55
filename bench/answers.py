"""How often ``extractive`` answers and refuses rightly.

    python bench/answers.py [SHARED_DATA]

Over the sample corpus, and, where the folder is given, over the English documentation of FastAPI with the questions in
``answers_fastapi.jsonl``. The cut-off is the default, and one fitted on the questions at odd places; figures of the
fitted one are those of the even places, which had no part in it. A question counts as rightly answered when a document
is cited that was expected; of one with several parts each part has to be cited.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from pincite.engine import Collection
from pincite.engine.evaluation.vectors import cached
from pincite.engine.finding import Options
from pincite.evaluate.questions import read_questions
from pincite.evaluate.refusing import Decision, fitted_threshold, refusals
from pincite.model import Answer, Judgement, Principal, Question

HERE = Path(__file__).parent
ORBIT = HERE.parent / "examples" / "orbit"
DEFAULT = 0.53


@dataclass(frozen=True, slots=True)
class Asked:
    """One question with its answer; ``documents`` have for each part the documents that may be cited for it, ``quotes``
    the passages where they are known."""

    question: Question
    answer: Answer
    documents: tuple[frozenset[str], ...]

    @property
    def decision(self) -> Decision:
        return Decision(min(max(self.answer.confidence or 0.0, 0.0), 1.0), bool(self.documents), self.right)

    @property
    def right(self) -> bool:
        cited = {citation.document_id for each in self.answer.statements for citation in each.citations}
        return bool(self.documents) and all(part & cited for part in self.documents)

    @property
    def quoted(self) -> bool:
        """Whether each part is answered by a passage that was judged to be relevant."""
        cited = [citation for each in self.answer.statements for citation in each.citations]
        parts = {judgement.part for judgement in self.question.relevant if judgement.part or judgement.grade > 1}
        found = {
            judgement.part
            for judgement in self.question.relevant
            if any(_same(judgement, citation.document_id, citation.quote) for citation in cited)
        }
        return bool(parts) and parts <= found


def _same(judgement: Judgement, document_id: str, quote: str) -> bool:
    one, other = _flat(judgement.text), _flat(quote)
    return judgement.document_id == document_id and (one in other or other in one)


def _flat(text: str) -> str:
    return " ".join(text.replace("|", " ").replace("**", "").replace("`", "").split())


def ask_all(collection: Collection, questions: Iterable[tuple[Question, tuple[frozenset[str], ...]]]) -> list[Asked]:
    with (
        TemporaryDirectory() as folder,
        cached(collection.finder.embedder(), Path(folder) / "vectors.sqlite") as remembering,
        collection.store.snapshot() as snapshot,
    ):
        finder = replace(collection.finder, embedder=lambda: remembering)
        found = []
        for question, documents in questions:
            principal = Principal(frozenset(question.groups) | {"public"})
            options = Options(where=question.where or None)
            answer = finder.ask(
                question.question, options, answerer="extractive", snapshot=snapshot, principal=principal
            )
            found.append(Asked(question, answer, documents))
        return found


def orbit() -> list[Asked]:
    with TemporaryDirectory() as folder:
        shutil.copytree(ORBIT, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".pincite"))
        questions = []
        for question in read_questions(ORBIT / "questions.jsonl"):
            parts: dict[str, set[str]] = {}
            for judgement in question.relevant:
                parts.setdefault(judgement.part, set()).add(judgement.document_id)
            questions.append((question, tuple(map(frozenset, parts.values()))))
        with Collection(folder, create=True) as collection:
            collection.add(folder)
            return ask_all(collection, questions)


def fastapi(shared: Path) -> list[Asked]:
    lines = (HERE / "answers_fastapi.jsonl").read_text(encoding="utf-8").splitlines()
    questions = []
    for line in map(json.loads, lines):
        question = Question(id=line["id"], question=line["question"], language=line["lang"], answer=line["answer"])
        questions.append((question, (frozenset(line["documents"]),) if line["documents"] else ()))
    with TemporaryDirectory() as folder:
        shutil.copytree(shared / "fastapi-en" / "corpus", folder, dirs_exist_ok=True)
        with Collection(folder, create=True) as collection:
            collection.add(folder)
            return ask_all(collection, questions)


def report(name: str, asked: Sequence[Asked]) -> None:
    decisions = [each.decision for each in asked]
    odd, even = decisions[::2], decisions[1::2]
    fitted = fitted_threshold(odd)
    print(f"{name}: {len(asked)} questions, {sum(not each.documents for each in asked)} without an answer")
    for label, threshold, among in (
        ("default", DEFAULT, decisions),
        ("default, even questions", DEFAULT, even),
        ("fitted on the odd, even questions", fitted, even),
    ):
        if threshold is not None:
            held = refusals(among, threshold)
            without = len(among) - held.of
            print(
                f"  {label} ({threshold:.3f}): refused {round((held.recall or 0) * without)} of {without} without an "
                f"answer, {held.of - held.answered} of {held.of} with one"
            )
    answered = [each for each in asked if each.documents and each.answer.answered]
    print(f"  of {len(answered)} answered {sum(each.right for each in answered)} cite the expected documents")
    several = [each for each in asked if len(each.documents) > 1]
    if several:
        print(f"  of {len(several)} with several parts {sum(each.right for each in several)} cite a document for each")
        with_parts = sum(each.quoted for each in several)
        print(f"  and {with_parts} a relevant passage for each; of all {sum(each.quoted for each in asked)}")


if __name__ == "__main__":
    report("sample corpus", orbit())
    if len(sys.argv) > 1:
        report("fastapi-en", fastapi(Path(sys.argv[1])))
