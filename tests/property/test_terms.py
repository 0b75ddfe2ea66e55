from unicodedata import normalize

from hypothesis import given
from hypothesis import strategies as st

from pincite.text.compounds import parts_of
from pincite.text.folding import fold_digraphs
from pincite.text.language import language_of
from pincite.text.terms import MAX_TERM_CHARS, Analyser, word_forms

ALPHABET = (
    "abAB.,-_/:@+'’#%&äÄaeueoeßſłİı\u0301\u0308\u0345\u00ad\u200b\u200d²½Ａ１ﬁ１23東京タがกำิ한हि😀\r\n \t\u00a0\0\ud800"
)
WORDS = ["Haus", "Häuser", "the", "der", "XK-7/204.B", "maxTokens", "C++", "東京", "don't", "a_b", "3.14", "guest"]
texts = st.one_of(
    st.text(max_size=80),
    st.text(alphabet=st.characters(), max_size=80),
    st.text(alphabet=st.sampled_from(ALPHABET), max_size=120),
    st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join),
)
languages = st.sampled_from(["", "de", "en", "fr"])
SHARED = Analyser()


@given(texts, languages)
def test_terms_are_well_formed_and_the_same_again(text: str, language: str) -> None:
    for analyse in (Analyser().document_terms, Analyser().query_terms):
        found = analyse(text, language)
        assert all(term and not any(character.isspace() for character in term) for term in found)
        assert all(len(term) <= MAX_TERM_CHARS + 2 for term in found)
        assert found == analyse(text, language)
    assert Analyser().document_terms(text, language) == SHARED.document_terms(text, language)


@given(texts, languages, languages)
def test_what_stands_in_a_document_finds_it(text: str, document_language: str, query_language: str) -> None:
    found = set(SHARED.document_terms(text, document_language))
    for word in text.split():
        query = SHARED.query_terms(word, query_language)
        assert not query or found.intersection(query), word


@given(texts, languages)
def test_a_query_in_the_documents_language_is_part_of_it(text: str, language: str) -> None:
    # With an unknown language query and document agree, both asking the same text.
    assert set(SHARED.query_terms(text, language)) <= set(SHARED.document_terms(text, language))


@given(texts, languages)
def test_composed_and_decomposed_text_give_the_same_terms(text: str, language: str) -> None:
    composed, decomposed = normalize("NFC", text), normalize("NFD", text)
    assert SHARED.document_terms(composed, language) == SHARED.document_terms(decomposed, language)
    assert SHARED.query_terms(composed, language) == SHARED.query_terms(decomposed, language)
    assert language_of(composed) == language_of(decomposed)


@given(texts | st.text(alphabet="abenrstu", max_size=24))
def test_parts_of_compounds_stand_in_the_word(text: str) -> None:
    parts = parts_of(text)
    assert all(part in fold_digraphs(text) for part in parts)
    assert len(parts) != 1
    assert text not in parts


@given(texts)
def test_forms_of_any_word_are_terms_of_a_text_with_it(text: str) -> None:
    forms = word_forms(text)
    assert all(0 < len(form) <= MAX_TERM_CHARS + 2 for form in forms)
    for language in ("", "de", "en", "fr"):
        terms = Analyser().document_terms(text, language)
        assert not forms or not forms.isdisjoint(terms)
