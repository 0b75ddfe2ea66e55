"""In which language to reply."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.reply_language import reply_language_of

DATA = Path(__file__).parents[4] / "shared" / "data"
EXAMPLES = Path(__file__).parents[3] / "examples" / "orbit" / "questions.jsonl"
LEAST_RIGHT = 0.995
"""Of the questions in either language."""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Welcher Tarif erlaubt Single Sign-on?", "de"),
        ("Wie viele Anfragen pro Minute?", "de"),
        ("Ist der Support kostenlos?", "de"),
        ("Kann Orbit Messwerte direkt per OPC UA abholen?", "de"),
        ("Was hat Lady Gaga gesungen?", "de"),
        ("Welches Prinzip wurde in The Mask of Anarchy dargestellt?", "de"),
        ("Rate Limit erhöhen", "de"),
        ("WLAN-Einrichtung", "de"),
        ("WIE LANGE GILT EIN TOKEN?", "de"),
        ("Requests per minute?", ""),
        ("Which plan allows SSO?", "en"),
        ("Is support free?", "en"),
        ("Single sign-on pricing?", "en"),
        ("Where was Temüjin's patron Toghrul exiled?", "en"),
        ("Was it Max Müller who found the Häuser?", "en"),
        ("Name a common autoimmune disease.", "en"),
        ("What's ORB-4711?", "en"),
        ("Quelle est la durée du contrat de maintenance ?", ""),
        ("¿Cuál es la duración del contrato?", ""),
        ("Wat is de looptijd van het contract?", ""),
        ("Hvor er kontrakten, og hvor lenge varer den?", ""),
        ("Gdzie jest umowa?", ""),
        ("Где находится договор?", ""),
        ("東京タワーはどこですか", ""),
        ("ORB-4711", ""),
        ("", ""),
        ("\ud800\0", ""),
    ],
)
def test_reply_language(question: str, expected: str) -> None:
    assert reply_language_of(question) == expected


@pytest.mark.parametrize("name", ["xquad-de", "xquad-en", "chroma-general", "anthropic-docs", "orbit"])
def test_questions_are_replied_to_in_their_language(name: str) -> None:
    file = EXAMPLES if name == "orbit" else DATA / name / "queries.jsonl"
    if not file.exists():
        pytest.skip(f"{file} is missing")
    questions = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    known = [each for each in questions if each["lang"] in ("de", "en")]
    assert sum(reply_language_of(each["question"]) == each["lang"] for each in known) >= LEAST_RIGHT * len(known)
    other = [each for each in questions if each not in known]
    assert sum(reply_language_of(each["question"]) == "" for each in other) >= LEAST_RIGHT * len(other)


@given(st.text(max_size=100))
def test_any_text_has_one_or_none(text: str) -> None:
    assert reply_language_of(text) in ("de", "en", "")
