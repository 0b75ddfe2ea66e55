"""How well the confidence of ``extractive`` tells questions with an answer from near misses.

    python bench/answers_near_misses.py SHARED_DATA [NAME…]

Questions of the shared sets are asked twice: as they are, and by somebody who may not see the documents that answer
them, so that all else, word counts too, is as it would be without these documents. ``answers_unanswerable.jsonl`` has
questions about some of the sets that were written to have no answer. Of the sample corpus only the questions at odd
places are asked. For each set: the share of pairs in which the question with an answer has the higher confidence (the
area under the curve), and at what cut-off the share of answered plus that of refused ones is largest. The default
cut-off comes from these figures; docs/answers.md has them.
"""

from __future__ import annotations

import json
import random
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.answers import ORBIT

from pincite.engine import Collection
from pincite.engine.evaluation.vectors import cached
from pincite.engine.finding import Options
from pincite.evaluate.questions import question_of, read_questions
from pincite.evaluate.refusing import Decision, fitted_threshold, refusals
from pincite.model import Principal, Question

HERE = Path(__file__).parent
SETS = ("xquad-en", "xquad-de", "chroma-general", "anthropic-docs", "anthropic-codebase")
SAMPLE = "orbit"
MOST = 120
"""So many questions of a set and language."""
SHOWN = (0.48, 0.50, 0.52, 0.54, 0.56)


def questions_of(name: str, data: Path) -> list[Question]:
    if name == SAMPLE:
        return list(read_questions(ORBIT / "questions.jsonl"))[::2]
    lines = (data / name / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    found = [question_of(line) for line in map(json.loads, lines) if line["relevant"] and line["lang"] in ("en", "de")]
    asked = []
    for language in ("en", "de"):
        own = [question for question in found if question.language == language]
        asked += random.Random(7).sample(own, min(MOST, len(own)))
    return asked


def written(name: str) -> list[Question]:
    lines = (HERE / "answers_unanswerable.jsonl").read_text(encoding="utf-8").splitlines()
    return [
        Question(id=str(number), question=line["question"], language=line["lang"])
        for number, line in enumerate(map(json.loads, lines))
        if line["set"] == name
    ]


def confidences(name: str, data: Path) -> dict[str, list[float]]:
    """By kind: ``answerable``, ``hidden`` (the same, without the documents that answer them), ``unanswerable``."""
    home = ORBIT if name == SAMPLE else data / name / "corpus"
    found: dict[str, list[float]] = {}
    with TemporaryDirectory() as folder:
        shutil.copytree(home, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".pincite"))
        groups = _one_group_each(Path(folder))
        with (
            Collection(folder, create=True) as collection,
            cached(collection.finder.embedder(), Path(folder) / ".pincite" / "vectors.sqlite") as remembering,
        ):
            collection.add(folder)
            finder = replace(collection.finder, embedder=lambda: remembering)
            with collection.store.snapshot() as snapshot:
                for kind, question, hidden in _asked(name, data):
                    visible = {groups[each] for each in groups if each not in hidden and _may_see(name, question, each)}
                    answer = finder.ask(
                        question.question,
                        Options(where=question.where or None),
                        answerer="extractive",
                        snapshot=snapshot,
                        principal=Principal(frozenset(visible | {"nobody"})),
                    )
                    found.setdefault(kind, []).append(answer.confidence or 0.0)
    return found


def _asked(name: str, data: Path) -> Iterator[tuple[str, Question, frozenset[str]]]:
    for question in questions_of(name, data):
        answering = frozenset(judgement.document_id for judgement in question.relevant)
        yield "answerable" if answering else "unanswerable", question, frozenset()
        if answering:
            yield "hidden", question, answering
    for question in written(name):
        yield "unanswerable", question, frozenset()


def _one_group_each(folder: Path) -> dict[str, str]:
    """Rules that give each file a group of its own, by which it can be hidden."""
    settings = folder / "pincite.toml"
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    groups = {name: f"reader-{number}" for number, name in enumerate(files)}
    rules = [f'\n[[metadata]]\nglob = "{name}"\ngroups = ["{group}"]\n' for name, group in groups.items()]
    before = settings.read_text(encoding="utf-8") if settings.is_file() else ""
    settings.write_text(before + "".join(rules), encoding="utf-8")
    return groups


def _may_see(name: str, question: Question, document: str) -> bool:
    folder = document.split("/")[0]
    return name != SAMPLE or folder not in ("support", "security") or folder in question.groups


def area(higher: Sequence[float], lower: Sequence[float]) -> float:
    """The share of pairs in which the first is larger; equal ones count half."""
    won = sum((one > other) + (one == other) / 2 for one in higher for other in lower)
    return won / (len(higher) * len(lower))


def report(name: str, found: dict[str, list[float]]) -> None:
    answerable = found["answerable"]
    for kind in ("hidden", "unanswerable"):
        others = found.get(kind, [])
        if not others:
            continue
        decisions = [Decision(each, True, True) for each in answerable] + [Decision(e, False, False) for e in others]
        shown = []
        for threshold in SHOWN:
            held = refusals(decisions, threshold)
            shown.append(f"{threshold:.2f}: {held.recall or 0:.0%} and {1 - held.answered / held.of:.0%}")
        print(
            f"{name}, {len(answerable)} answerable and {len(others)} {kind}: area {area(answerable, others):.3f}, "
            f"cut-off {fitted_threshold(decisions):.3f}; refused of both at {', '.join(shown)}",
            flush=True,
        )


if __name__ == "__main__":
    for each in sys.argv[2:] or (SAMPLE, *SETS):
        report(each, confidences(each, Path(sys.argv[1])))
