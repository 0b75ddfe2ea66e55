"""A phrase cut out of a text stands in it, and the index has what is required of every such text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pincite.retrieve.query import read_query
from pincite.text.phrases import required_terms, stands_in, words_of
from pincite.text.terms import Analyser

pieces = st.sampled_from(
    [
        *("The", "Verträge", "ORB-4711", "XK-7/204.B", "C++", "50%", "3.14", "1,5", "maxTokens", "client_id", "漢字"),
        *("かな漢", "don't", "cursor's", "guest", "Maerz", "ﬁne", "x", "é", "e\u0301", "👩\u200d👧", "-", '"', "״"),
        *("한국", "A" * 70),
    ]
)
written = st.lists(pieces, max_size=12).map(" ".join)
anything = st.text(max_size=60)


@given(text=written | anything, data=st.data())
def test_a_phrase_of_the_text_stands_in_it_and_is_in_its_terms(text: str, data: st.DataObject) -> None:
    words = words_of(text)
    if not words:
        return
    start = data.draw(st.integers(0, len(words) - 1))
    phrase = words[start : data.draw(st.integers(start + 1, len(words)))]
    assert stands_in(phrase, words)
    for language in ("", "de", "en", "fr"):
        assert required_terms(phrase) <= set(Analyser().document_terms(text, language))


@given(query=st.text(alphabet=st.sampled_from('ab "“”„«»-\n漢'), min_size=1, max_size=30))
def test_any_query_is_read(query: str) -> None:
    if not query.strip():
        return
    wish = read_query(query)
    assert all(wish.phrases)
    if not wish.phrases:
        assert wish.text == query
    for phrase in wish.phrases:
        assert stands_in(phrase, words_of(query))
