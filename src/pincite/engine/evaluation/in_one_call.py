"""A comparison of ways of cutting from Python, in one call."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pincite.config import FILE_NAME, Component, read_settings
from pincite.engine.evaluation.comparing import Comparison
from pincite.engine.evaluation.configurations import configurations
from pincite.engine.evaluation.measuring import Bench
from pincite.engine.evaluation.vectors import cached
from pincite.engine.folder import corpus_in
from pincite.engine.strategy import strategy_of
from pincite.errors import UsageError
from pincite.evaluate.judging import judged
from pincite.evaluate.metrics import DEFAULTS, HEADLINE
from pincite.evaluate.questions import read_questions
from pincite.model import Mode, Question
from pincite.text.terms import Analyser

QUESTIONS = "questions.jsonl"


def compare(
    folder: Path | str,
    *,
    strategies: Sequence[str] | str,
    questions: Sequence[Question] | Path | str | None = None,
    modes: Sequence[Mode] = (),
    metric: str = HEADLINE,
    cache: Path | str | None = None,
) -> Comparison:
    """Which of these ways of cutting finds more in that folder's documents, and whether that is proven.

    ``strategies`` are written as for ``chunk_document``; ``questions`` are those of a file, by default of the folder's
    ``questions.jsonl``, which is no document then; ``modes`` are ways of searching. Where there are no strategies or
    modes, those of the folder's ``pincite.toml`` hold. ``metric`` is the one that the verdict is about. In the folder
    ``cache`` vectors and measurements stay for the next call.

    The result has ``verdict``, ``values[name][metric]`` with ``value``, ``low`` and ``high``, and ``differences``.
    Raises ``UsageError`` for an unknown name and for questions that cannot be read.
    """
    folder = Path(folder).resolve()
    settings = read_settings(folder / FILE_NAME)
    given = folder / QUESTIONS if questions is None else questions
    asked = _read(given, folder)
    chosen = [strategy_of(written) for written in ([strategies] if isinstance(strategies, str) else strategies)]
    cuts = [(each.label, Component("chunk", each.name, dict(each.options))) for each in chosen]
    cuts = cuts or [(settings.chunk.name, settings.chunk)]
    ways = configurations(settings, cuts, list(modes) or [settings.mode])
    corpus = corpus_in(folder, excluded=frozenset({Path(given)} if isinstance(given, (str, Path)) else ()))
    kept = Path(cache) if cache is not None else None
    with cached(settings.embed.create(), kept / "vectors.sqlite" if kept else None) as embedder:
        bench = Bench(corpus=corpus, questions=asked, embedder=embedder, analyser=Analyser(), kept=kept)
        measured = bench.measure(ways)
    found = [judged(question, corpus.documents) for question in asked]
    return Comparison.of(measured, found, metrics=(metric, *DEFAULTS), headline=metric)


def _read(given: Sequence[Question] | Path | str, folder: Path) -> Sequence[Question]:
    if not isinstance(given, (str, Path)):
        return given
    if given == folder / QUESTIONS and not given.is_file():
        cure = f"Pass questions=…, or draft some: pincite questions draft {folder.name} --out {QUESTIONS}."
        raise UsageError(f"has no {QUESTIONS}", cure=cure, file=str(folder))
    return read_questions(Path(given))
