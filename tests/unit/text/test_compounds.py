"""German compounds of known words, and what looks like one."""

from __future__ import annotations

import pytest

from pincite.text.compounds import nouns, parts_of
from pincite.text.folding import fold
from pincite.text.terms import Analyser


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("Heizungswartungsvertrag", ["heizung", "wartung", "vertrag", "heizungswartung", "wartungsvertrag"]),
        ("Mietverträge", ["miet", "vertrage"]),
        ("Mietvertraege", ["miet", "vertrage"]),
        ("Kundendaten", ["kunden", "daten"]),
        ("Schulbücher", ["schul", "bucher"]),
        ("Arbeitszeitkonto", ["arbeit", "zeit", "konto", "arbeitszeit", "zeitkonto"]),
        ("Datenbank", ["daten", "bank"]),
        ("Haustür", ["haus", "tur"]),
        ("Datenschutzrecht", ["datenschutz", "recht"]),
        ("Bundesregierung", ["bundes", "regierung"]),
        ("Vertrag", []),
        ("Vertragen", []),
        ("Antrag", []),
        ("ebenfalls", []),
        ("teilweise", []),
        ("folgenden", []),
        ("Support", []),
        ("Husband", []),
        ("Haus", []),
        ("A" * 70, []),
        ("haus7tur", []),
        ("Ёлка", []),
    ],
)
def test_parts(word: str, parts: list[str]) -> None:
    assert list(parts_of(fold(word))) == parts


def test_the_list_is_folded_and_no_word_begins_only_and_ends() -> None:
    first, last = nouns()
    assert last < first
    assert all(noun == fold(noun) and noun.isalpha() for noun in first)


@pytest.mark.parametrize("language", ["de", ""])
def test_parts_find_the_compound(language: str) -> None:
    analyser = Analyser()
    compound = set(analyser.document_terms("Wartungsverträge", language))
    for query in ("Wartung", "Verträge", "Vertrag"):
        assert not compound.isdisjoint(analyser.query_terms(query))
    assert analyser.query_terms("Wartungsvertrag", language) == ["wartungsvertrag"]


def test_no_compounds_in_other_languages() -> None:
    assert Analyser().document_terms("landmark", "en") == ["landmark"]
    assert Analyser().document_terms("landmark", "fr") == ["landmark"]
