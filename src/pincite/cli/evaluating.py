"""``evaluate``: how well the present collection finds what its questions ask for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.cli import output
from pincite.cli.collections import open_collection
from pincite.cli.comparing import counts, questions_of
from pincite.cli.listing import counted
from pincite.cli.standalone import is_there
from pincite.engine.evaluation.present import NAME
from pincite.engine.evaluation.present import evaluate as evaluated
from pincite.errors import CheckFailedError, UsageError
from pincite.evaluate.metrics import DEFAULTS, HEADLINE, metric
from pincite.evaluate.questions import read_questions

if TYPE_CHECKING:
    from pincite.engine.evaluation.answers import Answers
    from pincite.engine.evaluation.comparing import Comparison

NAMES = {
    "in_passages": "expected words in the passages",
    "in_answer": "expected words in the answer",
    "precision": "citation precision",
    "recall": "citation recall",
}
MOST_ERRORS_SHOWN = 5


def evaluate(
    directory: Path | None,
    *,
    questions: Path | None,
    metrics: Sequence[str],
    fail_under: Sequence[str],
    junit: Path | None,
    answers: bool = False,
    as_json: bool,
) -> int:
    if junit:
        is_there(junit, "pincite evaluate", "--junit")
    floors = [_floor(each) for each in fail_under]
    asked_metrics = [each for name in metrics for each in name.split(",")] or [HEADLINE]
    with open_collection(directory) as collection:
        asked = read_questions(
            questions or questions_of([collection.directory, *(root.folder for root in collection.roots())])
        )
        wanted = (*asked_metrics, *(name for name, _ in floors), *DEFAULTS)
        found = evaluated(collection, asked, metrics=wanted, headline=asked_metrics[0], answers=answers)
    comparison = found.comparison
    values = comparison.values[NAME]
    missed = [(name, floor) for name, floor in floors if name not in values or values[name].value < floor]
    if junit:
        output.write_file(junit, _junit(comparison, floors, missed).encode())
    if as_json:
        output.write_json(found.to_json())
    else:
        _print_evaluation(comparison, NAME)
        if found.answers:
            _print_answers(found.answers)
        if found.since_last:
            same = found.since_last.interval.value == found.since_last.interval.error == 0
            told = "nothing changed" if same else output.safe(found.since_last.verdict)
            output.write(f"Since the last run: {told}.")
    if missed:
        name, floor = missed[0]
        value = f"{values[name].value:.3f}" if name in values else "nothing"
        raise CheckFailedError(f"{name} is {value}, below {floor}", cure="Look at the questions that fell behind.")
    return 0


def _print_evaluation(comparison: Comparison, name: str) -> None:
    rows = [
        [each, *(f"{part:.0f}" if each.startswith("tokens") else f"{part:.3f}" for part in (it.value, it.low, it.high))]
        for each, it in comparison.values[name].items()
    ]
    rows = [[each, value, f"[{low}, {high}]"] for each, value, low, high in rows]
    if rows:
        output.table(["metric", "value", "95 %"], rows, right=(1, 2))
        output.write()
    else:
        output.write(f"{comparison.verdict}.")
    output.write(counts(comparison))
    cut_off = comparison.cut_off(name)
    if cut_off:
        output.write(
            f"With --min-relevance {cut_off.threshold:.2f}, fitted on the odd questions: of the even ones "
            f"{cut_off.recall or 0:.0%} of those without an answer are refused and "
            f"{cut_off.answered} of {cut_off.of} with one are not."
        )


def _print_answers(answers: Answers) -> None:
    output.write()
    rows = [
        [NAMES[name], f"{value.value:.3f}", f"[{value.low:.3f}, {value.high:.3f}]", str(number)]
        for name, (value, number) in answers.values.items()
    ]
    if rows:
        output.table(["answers", "value", "95 %", "questions"], rows, right=(1, 2, 3))
        output.write()
    output.write(
        f"{answers.answered} of {counted(len(answers.expected), 'question')} with a known answer were answered, "
        f"{answers.refused} of {len(answers.refusing)} without one refused."
    )
    for question, error in answers.errors[:MOST_ERRORS_SHOWN]:
        output.say(f"error: {output.safe(f'question {question}: {error}')}")


def _floor(written: str) -> tuple[str, float]:
    """From ``recall@1000t=0.8``. Raises ``UsageError``."""
    name, _, value = written.partition("=")
    metric(name)
    try:
        floor = float(value)
    except ValueError:
        floor = -1.0
    if not 0 <= floor <= 1:
        raise UsageError(f"--fail-under {written!r} has no value", cure="Write --fail-under recall@1000t=0.8.")
    return name, floor


def _junit(comparison: Comparison, floors: Sequence[tuple[str, float]], missed: Sequence[tuple[str, float]]) -> str:
    """One case per floor."""
    from xml.sax.saxutils import escape, quoteattr

    cases = []
    for name, floor in floors:
        value = comparison.values[NAME].get(name)
        shown = f"{value.value:.3f}" if value else "no question scored"
        failure = f"<failure message={quoteattr(f'{shown} is below {floor}')}/>" if (name, floor) in missed else ""
        told = f"{failure}<system-out>{escape(shown)}</system-out>"
        cases.append(f'<testcase classname="pincite" name={quoteattr(name)}>{told}</testcase>')
    return (
        f'<?xml version="1.0" encoding="utf-8"?>\n<testsuite name="pincite evaluate" tests="{len(floors)}" '
        f'failures="{len(missed)}">{"".join(cases)}</testsuite>\n'
    )
