"""Files of questions: JSON lines, one question each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pincite.errors import UsageError
from pincite.model import Question

_TEXTS = ("id", "question", "lang", "answer", "where")
_JUDGEMENT_TEXTS = ("document", "text", "before", "after", "part")


def read_questions(file: Path) -> list[Question]:
    """The questions in order. Raises ``UsageError`` that names the file and the line: no JSON object, a field that is
    missing or of the wrong type, an id that stands twice."""
    questions: dict[str, Question] = {}
    for number, line in enumerate(lines_of(file), start=1):
        if not line.strip():
            continue
        where = f"{file} line {number}"
        try:
            question = question_of(json.loads(line))
        except (ValueError, RecursionError) as error:
            raise UsageError(f"is no question ({error})", cure="Mend that line.", file=where) from error
        if question.id in questions:
            raise UsageError(f"has the id {question.id!r} again", cure="Give it another id.", file=where)
        questions[question.id] = question
    if not questions:
        raise UsageError("has no question", cure="Write one JSON object a line.", file=str(file))
    return list(questions.values())


def lines_of(file: Path) -> list[str]:
    """Raises ``UsageError`` where the file cannot be read."""
    try:
        return file.read_text(encoding="utf-8-sig").split("\n")
    except OSError as error:
        raise UsageError(f"cannot be read ({error.strerror})", cure="Check the path.", file=str(file)) from error
    except UnicodeDecodeError as error:
        raise UsageError(f"is not UTF-8 (byte {error.start})", cure="Save it as UTF-8.", file=str(file)) from error


def question_of(data: Any) -> Question:
    """Raises ``ValueError`` where the data do not make a question."""
    if not isinstance(data, Mapping):
        raise ValueError(f"a JSON object is needed, not {type(data).__name__}")
    _check_texts(data, _TEXTS, needed=("id", "question"))
    relevant = data.get("relevant")
    if not isinstance(relevant, list):
        raise ValueError("'relevant' is a list, empty where the documents do not answer")
    for each in relevant:
        if not isinstance(each, Mapping):
            raise ValueError("'relevant' is a list of objects with 'document' and 'text'")
        _check_texts(each, _JUDGEMENT_TEXTS, needed=("document", "text"))
        for name in ("start", "end", "grade"):
            value = each.get(name)
            if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 0):
                raise ValueError(f"{name!r} is a whole number from 0, got {value!r}")
    groups = data.get("as")
    if groups is not None and not (isinstance(groups, list) and all(isinstance(name, str) for name in groups)):
        raise ValueError("'as' is a list of group names")
    return Question.from_json(data)


def _check_texts(data: Mapping[str, Any], names: Iterable[str], *, needed: Iterable[str]) -> None:
    for name in needed:
        value = data.get(name)
        if not isinstance(value, str) or not value.strip():
            raise ValueError(f"{name!r} is missing or no text")
    for name in names:
        if data.get(name) is not None and not isinstance(data[name], str):
            raise ValueError(f"{name!r} is a text, got {data[name]!r}")


def written(questions: Iterable[Question]) -> str:
    """The questions as a file; fields without a value are left out."""
    return "".join(json.dumps(_bare(question.to_json()), ensure_ascii=False) + "\n" for question in questions)


def _bare(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            name: _bare(item)
            for name, item in value.items()
            if name == "relevant" or not (item is None or item in ("", []) or (name, item) == ("grade", 1))
        }
    return [_bare(item) for item in value] if isinstance(value, list) else value
