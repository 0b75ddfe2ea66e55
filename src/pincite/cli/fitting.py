"""``evaluate --fit-answers``: the confidence that an answer needs, fitted and, where wanted, kept."""

from __future__ import annotations

import tomllib
from pathlib import Path

from pincite.cli import output
from pincite.cli.collections import open_collection
from pincite.cli.comparing import questions_of
from pincite.config import FILE_NAME
from pincite.engine.answer_cut_off import KEY, CutOff, fit_cut_off
from pincite.engine.evaluation.settings_file import with_data
from pincite.errors import UsageError
from pincite.evaluate.questions import read_questions
from pincite.evaluate.refusing import Refusals


def fit_answers(
    directory: Path | None, *, questions: Path | None, write: bool, most_refused: float | None, as_json: bool
) -> int:
    """``write`` puts the cut-off into the collection's ``pincite.toml``, where ``ask`` reads it."""
    if most_refused is not None and not 0 <= most_refused < 1:
        raise UsageError(f"--most-refused is {most_refused}", cure="It is a share from 0 to below 1, such as 0.05.")
    with open_collection(directory) as collection:
        file = collection.directory / FILE_NAME
        asked = read_questions(
            questions or questions_of([collection.directory, *(root.folder for root in collection.roots())])
        )
        found = fit_cut_off(collection, asked, most_refused=most_refused)
    if write:
        _write(found, file)
    if as_json:
        output.write_json({**found.to_json(), "written": str(file) if write else None})
        return 0
    output.write(f"{KEY} = {found.threshold}")
    output.write(f"of the odd questions, which it was fitted on, {_told(found.fitted)}")
    output.write(f"of the even ones {_told(found.held_out)}")
    output.write(output.safe(f"Written to {file}." if write else f"--write puts it into [answer] of {file}."))
    return 0


def _write(found: CutOff, file: Path) -> None:
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    changed = with_data(text, found.written(tomllib.loads(text)), file=str(file))
    output.write_file(file, changed.encode())


def _told(held: Refusals) -> str:
    recall = "none is without an answer" if held.recall is None else f"{held.recall:.0%} without an answer are refused"
    return f"{recall}, and {held.of - held.answered} of {held.of} with one."
