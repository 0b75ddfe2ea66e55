"""The floors of ``bench/answers.py`` over the sample corpus."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bench.answers import DEFAULT, orbit

from pincite.answer.extractive import ExtractiveAnswerer
from pincite.evaluate.refusing import refusals

WRITTEN = Path(__file__).parents[3] / "bench" / "answers_fastapi.jsonl"


@pytest.mark.soak
def test_refusals_and_answers_of_the_sample_corpus() -> None:
    asked = orbit()
    even = refusals([each.decision for each in asked][1::2], DEFAULT)
    assert (even.recall or 0) >= 0.9
    assert even.answered >= 0.88 * even.of
    held = refusals([each.decision for each in asked], DEFAULT)
    assert (held.recall or 0) >= 0.94
    assert held.answered >= 0.89 * held.of
    several = [each for each in asked if len(each.documents) > 1]
    assert sum(each.right for each in several) >= 15
    assert sum(each.quoted for each in asked) >= 68


def test_the_default_is_the_one_that_was_measured() -> None:
    field = ExtractiveAnswerer.__dataclass_fields__["min_confidence"]
    assert field.default == DEFAULT


def test_the_written_questions_are_of_both_kinds() -> None:
    lines = [json.loads(line) for line in WRITTEN.read_text(encoding="utf-8").splitlines()]
    assert len({line["id"] for line in lines}) == len(lines) == 60
    assert sum(not line["documents"] for line in lines) == 20
