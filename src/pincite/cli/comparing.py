"""``compare``: which way of cutting and searching finds more, and whether that is proven."""

from __future__ import annotations

import csv
import io
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.cli import output
from pincite.cli.picture import MARK, drawing
from pincite.cli.side_by_side import print_side_by_side
from pincite.cli.standalone import generator, is_there
from pincite.cli.strategy import strategy_of
from pincite.config import FILE_NAME, Component, Settings, read_settings
from pincite.errors import UsageError
from pincite.model import MODES, Mode

if TYPE_CHECKING:
    from pincite.engine.evaluation.comparing import Comparison
    from pincite.engine.evaluation.configurations import Configuration
    from pincite.engine.evaluation.corpus import Corpus
    from pincite.engine.evaluation.measuring import Measured
    from pincite.model import Question

QUESTIONS = "questions.jsonl"
SHOWN = ("recall@5", "hit@1", "MRR@10", "nDCG@10")
"""The columns of the table beside the headline."""
MOST_LOST_SHOWN = 5
ALONE = "question"
"""The id of a question that is asked without judgements."""
COLUMNS = ("question", "document", "language", "configuration")
"""The first ones of the CSV; metrics follow."""


def compare(
    paths: Sequence[Path],
    *,
    questions: Path | None,
    strategies: Sequence[str],
    chunks: Sequence[str],
    modes: Sequence[str],
    metrics: Sequence[str],
    cache: Path | None,
    html: Path | None,
    table: Path | None,
    png: Path | None = None,
    trec: Path | None = None,
    question: str | None,
    as_json: bool,
) -> int:
    """With ``question`` the best passages of each configuration for it side by side, and no figures."""
    from pincite.engine.evaluation.comparing import Comparison
    from pincite.engine.evaluation.corpus import read_corpus
    from pincite.evaluate.judging import judged
    from pincite.evaluate.metrics import DEFAULTS, HEADLINE, metric
    from pincite.evaluate.questions import read_questions

    asked_metrics = [each for name in metrics for each in name.split(",")] or [HEADLINE]
    for name in asked_metrics:
        metric(name)
    draw = drawing() if png else None
    files = ((html, generator("compare"), "--html"), (table, ",".join(COLUMNS), "--csv"), (png, MARK, "--png"))
    written = frozenset(file.resolve() for file, mark, option in files if file and is_there(file, mark, option))
    no_documents = written | questions_among(paths, questions)
    asked = [_alone(question)] if question is not None else read_questions(questions or questions_of(paths))
    home = folder_of(paths)
    settings = read_settings(home / FILE_NAME)
    with output.progress_on_stderr(quiet=as_json) as progress:
        corpus = read_corpus(paths, settings, home, excluded=no_documents, progress=progress)
    told(corpus, as_json=as_json)
    found = [judged(question, corpus.documents) for question in asked]
    chosen = _configurations(settings, corpus, strategies, chunks, modes)
    measured = _measured(chosen, asked, corpus, settings, cache or cache_folder(), as_json=as_json)
    if question is not None:
        print_side_by_side(asked[0], measured, corpus, as_json=as_json)
        return 3 if corpus.failed else 0
    comparison = Comparison.of(measured, found, metrics=(*asked_metrics, *DEFAULTS), headline=asked_metrics[0])
    _write_files(comparison, corpus, html=html, table=table, png=(png, draw), trec=trec)
    if as_json:
        output.write_json(comparison.to_json())
    else:
        print_comparison(comparison)
    return 3 if corpus.failed else 0


def _measured(
    chosen: Sequence[Configuration],
    asked: Sequence[Question],
    corpus: Corpus,
    settings: Settings,
    kept: Path,
    *,
    as_json: bool,
) -> dict[str, Measured]:
    from pincite.engine.evaluation.measuring import Bench
    from pincite.engine.evaluation.vectors import cached
    from pincite.text.terms import Analyser

    with (
        cached(settings.embed.create(), kept / "vectors.sqlite") as embedder,
        output.progress_on_stderr(quiet=as_json) as progress,
    ):
        bench = Bench(
            corpus=corpus, questions=asked, embedder=embedder, analyser=Analyser(), kept=kept, progress=progress
        )
        return bench.measure(chosen)


def _write_files(
    comparison: Comparison,
    corpus: Corpus,
    *,
    html: Path | None,
    table: Path | None,
    png: tuple[Path | None, Callable[[str], bytes] | None],
    trec: Path | None,
) -> None:
    """``png`` is the file and what draws it."""
    from pincite.cli.report import picture, report

    if html:
        output.write_file(html, report(comparison, corpus.documents).encode())
    file, draw = png
    if file and draw:
        output.write_file(file, draw(picture(comparison)))
    if table:
        output.write_file(table, as_csv(comparison).encode())
    if trec:
        _write_trec(trec, comparison, corpus)


def _write_trec(folder: Path, comparison: Comparison, corpus: Corpus) -> None:
    from pincite.engine.evaluation.trec import trec_files

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot be made ({error.strerror})", cure="Name another folder.", file=str(folder)) from error
    for name, text in trec_files(comparison, corpus.documents).items():
        output.write_file(folder / name, text.encode("utf-8", "surrogatepass"))


def _configurations(
    settings: Settings, corpus: Corpus, strategies: Sequence[str], chunks: Sequence[str], modes: Sequence[str]
) -> list[Configuration]:
    from pincite.engine.evaluation.configurations import ForeignChunks, configurations, foreign_chunks

    cuts: list[tuple[str, Component | ForeignChunks]] = []
    for written in strategies:
        strategy = strategy_of(written)
        cuts.append((strategy.label, Component("chunk", strategy.name, dict(strategy.options))))
    for pair in chunks:
        name, equals, file = pair.partition("=")
        if not equals or not name:
            raise UsageError(f"--chunks {pair!r} has no name", cure="Write --chunks NAME=FILE.")
        cuts.append((name, foreign_chunks(Path(file), corpus.documents)))
    if not cuts:
        cuts = [(settings.chunk.name, settings.chunk)]
    return configurations(settings, cuts, [_mode(name) for name in modes] or [settings.mode])


def _alone(question: str) -> Question:
    from pincite.model import Question

    if not question.strip():
        raise UsageError("the question is empty", cure="Ask for at least one word.")
    return Question(id=ALONE, question=question)


def _mode(name: str) -> Mode:
    found = next((mode for mode in MODES if mode == name), None)
    if found is None:
        raise UsageError(f"no mode is called {name!r}", cure=f"There are: {', '.join(MODES)}.")
    return found


def folder_of(paths: Sequence[Path]) -> Path:
    """Whose settings hold: the folder that was named, where it is one, else the current one."""
    return paths[0].resolve() if len(paths) == 1 and paths[0].is_dir() else Path.cwd()


def questions_of(paths: Sequence[Path]) -> Path:
    """The file of questions beside the documents, else in the current folder. Raises ``UsageError``."""
    for folder in (*(path for path in paths if path.is_dir()), Path()):
        if (folder / QUESTIONS).is_file():
            return folder / QUESTIONS
    raise UsageError(
        f"there is no {QUESTIONS}", cure="Name it with --questions, or draft some: `pincite questions draft`."
    )


def questions_among(paths: Sequence[Path], questions: Path | None) -> frozenset[Path]:
    """The files that have questions and are no documents: whoever searched them would find every question word for
    word."""
    files = [questions] if questions else [folder / QUESTIONS for folder in paths]
    return frozenset(file.resolve() for file in files)


def cache_folder() -> Path:
    """Where this system keeps what can be made again."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "pincite" / "evaluation"


def told(corpus: Corpus, *, as_json: bool) -> None:
    output.warn([*corpus.failed, *corpus.warnings], as_json=as_json)


def print_comparison(comparison: Comparison) -> None:
    headline = comparison.headline
    columns = [name for name in SHOWN if name != headline]
    rows = []
    order = sorted(comparison.names, key=lambda name: -_value(comparison, name, headline))
    for name in order:
        values, measured = comparison.values[name], comparison.measured[name]
        if headline in values:
            value = values[headline]
            shown = [f"{value.value:.3f}", f"[{value.low:.3f}, {value.high:.3f}]"]
            shown += [f"{values[column].value:.3f}" for column in columns if column in values]
            shown += [f"{values['tokens@5'].value:.0f}"] if "tokens@5" in values else []
            rows.append([output.safe(name), *shown, f"{measured.chunks:,}", f"{measured.index_seconds:.1f}"])
    if rows:
        head = ["configuration", headline, "95 %", *columns, "tokens@5", "chunks", "index s"]
        output.table(head, rows, right=range(1, len(head)))
        output.write()
    output.write(output.safe(f"{comparison.verdict}."))
    output.write(counts(comparison))
    for name, question, error in comparison.errors[:MOST_LOST_SHOWN]:
        output.say(f"error: {output.safe(f'{name}: question {question}: {error}')}")


def _value(comparison: Comparison, name: str, headline: str) -> float:
    return comparison.values[name][headline].value if headline in comparison.values[name] else 0.0


def counts(comparison: Comparison) -> str:
    parts = [f"{len(comparison.scored)} questions scored"]
    if comparison.unanswerable:
        parts.append(f"{len(comparison.unanswerable)} without an answer")
    if comparison.lost:
        names = ", ".join(judged.question.id for judged in comparison.lost[:MOST_LOST_SHOWN])
        parts.append(f"{len(comparison.lost)} whose passages are gone ({names})")
    if comparison.errors:
        parts.append(f"{len(comparison.errors)} searches failed")
    return output.safe(", ".join(parts) + ".")


def as_csv(comparison: Comparison) -> str:
    """One row per question and configuration."""
    written = io.StringIO(newline="")
    writer = csv.writer(written)
    writer.writerow([*COLUMNS, *comparison.metrics])
    columns = {name: [comparison.scores_of(name, metric) for metric in comparison.metrics] for name in comparison.names}
    for number, judged in enumerate(comparison.scored):
        for name in comparison.names:
            scores = [f"{column[number]:.6f}" for column in columns[name]]
            writer.writerow([judged.question.id, judged.cluster, judged.question.language, name, *scores])
    return written.getvalue()
