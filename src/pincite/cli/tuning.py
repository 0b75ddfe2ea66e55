"""``tune``: searches for better settings and writes them where they are proven better."""

from __future__ import annotations

import math
import shutil
import tomllib
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from pincite.cli import output
from pincite.cli.comparing import cache_folder, folder_of, questions_among, questions_of, told
from pincite.cli.listing import counted
from pincite.config import FILE_NAME, read_settings
from pincite.errors import UsageError

if TYPE_CHECKING:
    from pincite.engine.evaluation.choices import Choice
    from pincite.engine.evaluation.comparing import Comparison
    from pincite.engine.evaluation.measuring import Measured
    from pincite.engine.evaluation.tuning import Tried, Tuned

SHOWN = 10
"""How many of the choices are listed, best first."""
NAMED = 5


def tune(
    paths: Sequence[Path],
    *,
    questions: Path | None,
    minutes: float,
    metric: str,
    cache: Path | None,
    write: bool,
    as_json: bool,
) -> int:
    from pincite.engine.evaluation.corpus import read_corpus
    from pincite.engine.evaluation.measuring import Bench
    from pincite.engine.evaluation.tuning import Budget, Tuning
    from pincite.engine.evaluation.vectors import cached
    from pincite.evaluate.judging import judged
    from pincite.evaluate.questions import read_questions
    from pincite.text.terms import Analyser

    if not 0 < minutes < math.inf:
        raise UsageError(f"--minutes is {minutes}", cure="It is a number above 0.")
    budget = Budget(60 * minutes)
    asked = read_questions(questions or questions_of(paths))
    home = folder_of(paths)
    file = home / FILE_NAME
    settings = read_settings(file)
    data = tomllib.loads(_text(file))
    with output.progress_on_stderr(quiet=as_json) as progress:
        excluded = questions_among(paths, questions)
        corpus = read_corpus(paths, settings, home, excluded=excluded, progress=progress)
    told(corpus, as_json=as_json)
    kept = cache or cache_folder()
    embedder = settings.embed.create()
    with cached(embedder, kept / "vectors.sqlite") as remembering, TemporaryDirectory(prefix="pincite-") as indexes:
        bench = Bench(
            corpus=corpus,
            questions=asked,
            embedder=remembering,
            analyser=Analyser(),
            kept=kept,
            indexes=Path(indexes),
        )
        found = Tuning(
            bench=bench,
            judged=[judged(question, corpus.documents) for question in asked],
            data=data,
            budget=budget,
            headline=metric,
            progress=(lambda _: None) if as_json else (lambda text: output.say(output.safe(text))),
        ).run()
    written = write and found.winner is not None
    if not as_json:
        _print_tuned(found, minutes)
    if found.winner and write:  # what was found is told, also where the file cannot be changed
        _write(file, found.winner.choice)
    if as_json:
        output.write_json({**found.to_json(), "written": written})
    else:
        _print_advice(found, data, file, written=written)
    return 3 if corpus.failed else 0


def _text(file: Path) -> str:
    """Ends of lines as they are."""
    return file.read_bytes().decode() if file.is_file() else ""


def _write(file: Path, choice: Choice) -> None:
    """Whole or not at all, into the file as it is by now. Raises ``UsageError``."""
    from pincite.engine.evaluation.settings_file import with_data

    read_settings(file)
    before = _text(file)
    text = with_data(before, choice.written(tomllib.loads(before)), file=str(file))
    there = file.resolve()
    new = there.with_name(f"{there.name}.new")
    output.write_file(new, text.encode())
    if there.exists():
        shutil.copymode(there, new)
    new.replace(there)


def _print_tuned(tuned: Tuned, minutes: float) -> None:
    parts, metric = tuned.parts, tuned.metric
    if not tuned.tried:
        output.write(output.safe(f"{tuned.verdict}."))
        return
    shared = "documents" if parts.by == "document" else "questions"
    output.write(
        f"{len(parts.training)} questions to choose by, {len(parts.held_out)} held out to confirm with "
        f"(shared out by {shared}); {tuned.seconds:.0f} of {60 * minutes:.0f} seconds."
    )
    output.write()
    rows = [_row(each, each.measured) for each in tuned.tried if each.measured]
    head = ["tried", metric, "questions", "chunks", "tokens", "index MB", "index s"]
    output.table(head, rows[: SHOWN + 1], right=range(1, len(head)))
    if len(rows) > SHOWN + 1:
        output.write(f"… and {len(rows) - SHOWN - 1} more, which were dropped earlier or found less.")
    _print_left_out(tuned)
    if tuned.confirmed:
        output.write()
        _print_confirmed(tuned.confirmed)
    output.write()
    output.write(output.safe(f"{tuned.verdict}."))


def _row(tried: Tried, measured: Measured) -> list[str]:
    return [
        output.safe(tried.name),
        f"{tried.score:.3f}",
        str(len(measured.asked)),
        f"{measured.chunks:,}",
        f"{measured.tokens:,}",
        f"{measured.index_bytes / 1e6:.1f}",
        f"{measured.index_seconds:.1f}",
    ]


def _print_left_out(tuned: Tuned) -> None:
    failed = [each for each in tuned.tried if each.error]
    for each in failed[:NAMED]:
        output.say(f"error: {output.safe(f'{each.name}: {each.error}')}")
    if tuned.cut_short:
        names = "; ".join(tuned.cut_short[:NAMED]) + ("; …" if len(tuned.cut_short) > NAMED else "")
        number = counted(len(tuned.cut_short), "choice")
        output.write(output.safe(f"The time did not suffice for {number}: {names}."))


def _print_confirmed(comparison: Comparison) -> None:
    metric = comparison.headline
    rows = []
    for name in comparison.names:
        value, measured = comparison.values[name][metric], comparison.measured[name]
        rows.append(
            [
                output.safe(name),
                f"{value.value:.3f}",
                f"[{value.low:.3f}, {value.high:.3f}]",
                f"{comparison.values[name]['tokens@5'].value:.0f}",
                f"{measured.chunks:,}",
                f"{1000 * measured.search_seconds / max(len(measured.asked), 1):.0f}",
            ]
        )
    head = ["held out", metric, "95 %", "tokens@5", "chunks", "ms a question"]
    output.table(head, rows, right=range(1, len(head)))


def _print_advice(tuned: Tuned, data: dict[str, Any], file: Path, *, written: bool) -> None:
    if written:
        output.write(output.safe(f"Written to {file}. `pincite sync` makes the index anew where that is needed."))
    elif tuned.winner:
        changed = tuned.winner.choice.written(data)
        wanted = {name: values for name, values in changed.items() if data.get(name) != values}
        output.write(output.safe(f"--write puts it into {file}: {_shown(wanted)}"))
    elif tuned.tried:
        output.write("Nothing is proven better than the present settings; nothing to write.")


def _shown(wanted: dict[str, Any]) -> str:
    sections = []
    for name, values in wanted.items():
        pairs = ", ".join(f"{key} = {value!r}" for key, value in values.items() if key != "for")
        sections.append(f"[{name}] {pairs}")
    return "; ".join(sections)
