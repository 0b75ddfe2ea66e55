"""Phrases: which texts they stand in, and which terms the index has wherever they do."""

from __future__ import annotations

import pytest

from pincite.text.phrases import required_terms, stands_in, words_of
from pincite.text.terms import Analyser, word_forms


@pytest.mark.parametrize(
    ("phrase", "text", "stands"),
    [
        ("lifetime of the cursor", "The LIFETIME of the\n cursor is 5 minutes.", True),
        ("lifetime of the cursor", "The cursor and its lifetime.", False),
        ("lifetime of the cursor", "The lifetimes of the cursors.", False),
        ("ORB 4711", "error orb-4711 again", True),
        ("ORB-4711", "ORB 4711", True),
        ("204.B", "Valve XK-7/204.B needs oil.", True),
        ("maxTokens", "max tokens", True),
        ("cursor", "The cursor's end.", True),
        ("C++", "The C tool", False),
        ("C++", "The C++ tool", True),
        ("C", "The C++ tool", False),
        ("3.14", "version 3.14", True),
        ("version 3", "version 3.14", False),
        ("3 14", "3.14", False),
        ("Maerz", "März", True),
        ("漢字", "の漢字だ", True),
        ("字漢", "漢字", False),
        ("a-漢字", "a 漢字", True),
        ("x", "", False),
    ],
)
def test_where_a_phrase_stands(phrase: str, text: str, stands: bool) -> None:
    assert stands_in(words_of(phrase), words_of(text)) is stands


def test_a_hash_sum_is_one_word() -> None:
    code = "ab12-" + "f00ba4d1" * 6 + "9z8y7x6w5v4u"
    assert len(words_of(code)) == 1
    assert required_terms(words_of(code)) <= set(Analyser().document_terms(code))


def test_required_terms_leave_out_what_is_not_always_indexed() -> None:
    assert required_terms(words_of("a x-1 のか 漢")) == {"1", "漢"}


@pytest.mark.parametrize(
    ("word", "forms"),
    [
        ("Verträge", {"vertrage", "vertrag"}),
        ("renewing", {"renewing", "renew"}),
        ("ORB-4711", {"orb4711"}),
        ("Wartungsvertrag", {"wartungsvertrag"}),
        ("?!", set()),
    ],
)
def test_forms_of_a_word(word: str, forms: set[str]) -> None:
    assert word_forms(word) == forms
