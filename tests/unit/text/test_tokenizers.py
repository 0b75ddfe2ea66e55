"""Both tokenizers give the same tokens, whichever is asked."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.property.documents import hard_texts

from pincite.text import token_starts, tokenizers
from pincite.text.counters import ENCODINGS, TokenCounter
from pincite.text.tokenizers import MISREAD, loaded_encoding, loaded_quick

needs_both = pytest.mark.skipif(not loaded_quick("o200k_base"), reason="quicktok has no wheel for this platform")
contractions = st.lists(
    st.sampled_from((*"aSDe '’ſsK\u0301\n1", "'s", "'S", MISREAD, "'ll", "Ǆ", "ǅ", "漢", "/", "\r\n")), max_size=20
).map("".join)


@pytest.fixture
def no_quicktok(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def forget() -> None:
        loaded_quick.cache_clear()
        token_starts.loaded_starts.cache_clear()

    forget()
    monkeypatch.setitem(sys.modules, "quicktok", None)
    yield
    monkeypatch.undo()
    forget()


@needs_both
@given(st.one_of(hard_texts, contractions, st.text()), st.sampled_from(ENCODINGS))
@example("a'ſ'df", "o200k_base")
def test_the_tokens_are_those_of_the_reference(text: str, name: str) -> None:
    expected = loaded_encoding(name).encode_ordinary(tokenizers.without_surrogates(text))
    assert token_starts.encode(name, text).tolist() == expected
    assert tokenizers.count_tokens(name, text) == len(expected)


@needs_both
@pytest.mark.soak
@given(st.one_of(hard_texts, contractions, st.text(), st.text(alphabet=" \n\t'/aA1.\u00a0\u3000")).map(lambda t: t * 3))
def test_the_tokens_are_those_of_the_reference_in_long_runs(text: str) -> None:
    for name in ENCODINGS:
        expected = loaded_encoding(name).encode_ordinary(tokenizers.without_surrogates(text))
        assert token_starts.encode(name, text).tolist() == expected
        assert tokenizers.count_tokens(name, text) == len(expected)


def test_a_long_s_after_an_apostrophe_is_left_to_the_reference() -> None:
    text = "a'ſ'df"
    assert token_starts.encode("o200k_base", text).tolist() == loaded_encoding("o200k_base").encode_ordinary(text)


TEXTS = ("", "Hello, 😀 world", "Hi 𒀀!", "a\ud800b", "漢字返却", "The boats row home.\n\n- item\n" * 40)


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.usefixtures("no_quicktok")
def test_without_quicktok_nothing_is_different(name: str) -> None:
    assert loaded_quick(name) is None
    counter = TokenCounter(name)
    alone = [(counter.count(text), counter.starts(text)) for text in TEXTS]
    sys.modules.pop("quicktok")
    loaded_quick.cache_clear()
    token_starts.loaded_starts.cache_clear()
    assert [(counter.count(text), counter.starts(text)) for text in TEXTS] == alone


@pytest.mark.parametrize("name", ENCODINGS)
def test_starts_are_learned_once_and_offset(name: str) -> None:
    counter = TokenCounter(name)
    assert list(counter.places("one two 𒀀", 4)) == [4 + start for start in counter.starts("two 𒀀")]
    assert counter.starts("two two") == counter.starts("two two") == [0, 3]


def test_no_tokens_start_nowhere() -> None:
    assert token_starts.loaded_starts("o200k_base").of(token_starts.encode("o200k_base", ""), 3).tolist() == []
