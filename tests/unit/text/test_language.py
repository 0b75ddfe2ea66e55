import pytest

from pincite.text.language import SAMPLE_CHARS, language_of, sample


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Wie schalte ich Timeouts ab?", "de"),
        ("How do I turn timeouts off?", "en"),
        ("Was ist ORB-4711?", "de"),
        ("What's ORB-4711?", "en"),
        ("Der Mietvertrag für die Garage liegt vor.", "de"),
        ("Valve XK-7/204.B needs oil of grade 3 in the cold.", "en"),
        ("WO IST DER SCHLÜSSEL", "de"),
        ("Häuser und Dächer", "de"),
        ("fu\u0308r Ha\u0308user", "de"),
        ("Häuser", "de"),
        ("How is the café in São Paulo?", "en"),
        ("I don’t know where they went", "en"),
        ("Quelle est la durée du contrat de maintenance ?", ""),
        ("¿Cuál es la duración del contrato?", ""),
        ("Wat is de looptijd van het contract?", ""),
        ("Hvor er kontrakten, og hvor lenge varer den?", ""),
        ("Gdzie jest umowa?", ""),
        ("東京タワーはどこですか", ""),
        ("Где находится договор?", ""),
        ("timeouts", ""),
        ("ORB-4711", ""),
        ("", ""),
        (" \n", ""),
        ("\ud800\0", ""),
        ("alpha beta gamma delta " * 10 + "the", ""),
    ],
)
def test_language_of(text: str, expected: str) -> None:
    assert language_of(text) == expected


def test_the_default_is_for_the_undecided_only() -> None:
    assert language_of("timeouts", default="en") == "en"
    assert language_of("Wo ist der Schlüssel?", default="en") == "de"


def test_start_and_middle_of_a_long_text_are_looked_at() -> None:
    short = "x" * 2 * SAMPLE_CHARS
    assert sample(short) == short
    long = "x" * 2 * SAMPLE_CHARS + "y" * 2 * SAMPLE_CHARS
    assert sample(long) == "x" * SAMPLE_CHARS + " " + "y" * SAMPLE_CHARS


def test_cost_does_not_grow_with_the_text() -> None:
    long = "Der Vertrag für die Heizung. " * 200_000
    assert len(sample(long)) == 2 * SAMPLE_CHARS + 1
    assert language_of(long) == "de"
