"""Vectors of cells: by words and by an embedder, and what they say of neighbours."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.documents import hard_texts, markdown_document

from pincite import catalogue
from pincite.chunk.cells import CellCutter
from pincite.chunk.cohesion import (
    BLOCK_ROWS,
    MAX_CACHED_WORDS,
    MOST_WEIGHT,
    TERM_DIMENSION,
    CellVectors,
    Coherence,
    TermVectors,
    embedded,
    likeness,
    words,
)
from pincite.chunk.packing import Packing


def made_vectors(count: int, *, dimension: int = 5, seed: int = 1) -> CellVectors:
    random = numpy.random.default_rng(seed)
    stored = random.normal(size=(count, dimension)).astype(numpy.float32)
    stored[3::7] = 0
    return CellVectors(stored, range(count), random.integers(0, 60, count).tolist())


def test_rows_have_their_weights_for_lengths_and_zeros_stay() -> None:
    vectors = made_vectors(40)
    lengths = numpy.linalg.norm(vectors.rows(0, 40), axis=1)
    assert numpy.allclose(lengths, vectors.masses)
    assert not lengths[3::7].any()
    assert vectors.weights.max() <= MOST_WEIGHT


def test_what_all_rows_share_is_mostly_taken_away() -> None:
    random = numpy.random.default_rng(2)
    shared = numpy.array([0, 0, 0, 9.0])
    vectors = CellVectors(random.normal(size=(60, 4)) + shared, range(60), [10] * 60)
    rows = vectors.rows(0, 60)
    assert vectors.plain(0, 60)[:, 3].mean() > 0.95
    assert rows[:, 3].mean() < 0.6


def test_rows_that_are_all_alike_stay_alike() -> None:
    vectors = CellVectors(numpy.array([[3.0, 4.0]]), [0] * 50, [7] * 50)
    assert numpy.allclose(vectors.rows(0, 50), [0.6, 0.8])
    assert numpy.allclose(Coherence(vectors).lengths(10, 30), numpy.arange(20, 0, -1))


def test_lengths_of_sums_over_block_borders_and_back_again() -> None:
    count = 2 * BLOCK_ROWS + 300
    vectors = made_vectors(count)
    rows = vectors.rows(0, count)
    coherence = Coherence(vectors)
    for low, end in ((0, 1), (0, 9), (BLOCK_ROWS - 4, BLOCK_ROWS + 3), (count - 5, count), (7, 20), (1500, 1501)):
        expected = [numpy.linalg.norm(rows[first:end].sum(axis=0)) for first in range(low, end)]
        assert numpy.allclose(coherence.lengths(low, end), expected)


def test_likeness_is_the_cosine_of_both_sides() -> None:
    count = BLOCK_ROWS + 50
    vectors = made_vectors(count)
    rows = vectors.rows(0, count)
    lefts, rights = [max(0, place - 6) for place in range(count)], [min(count, place + 4) for place in range(count)]
    found = likeness(vectors, lefts, rights)
    for place in (0, 1, 17, BLOCK_ROWS - 1, BLOCK_ROWS, BLOCK_ROWS + 1, count - 1):
        before, after = rows[lefts[place] : place].sum(axis=0), rows[place : rights[place]].sum(axis=0)
        lengths = numpy.linalg.norm(before) * numpy.linalg.norm(after)
        assert found[place] == pytest.approx(max(0.0, before @ after / lengths) if lengths else 0.0)


def cosine(first: str, second: str) -> float:
    rows = TermVectors().of([first, second]).astype(float)
    return float(rows[0] @ rows[1] / numpy.linalg.norm(rows[0]) / numpy.linalg.norm(rows[1]))


def test_same_words_near_vectors() -> None:
    assert cosine("The chunker cuts documents.", "Documents were cut by chunkers, cutting on.") > 0.5
    assert cosine("The chunker cuts documents.", "Meine Katze trinkt warme Milch.") < 0.2
    assert cosine("Straßen im März", "STRASSE IM MÄRZ") > 0.6
    assert cosine("漢字の説明", "これは漢字") > 0.2
    assert cosine("漢字の説明", "ここにある") < 0.2


def test_texts_without_words_are_zeros() -> None:
    rows = TermVectors().of(["the and of", "?! …", "harbour"])
    assert rows.shape == (3, TERM_DIMENSION)
    assert [bool(row.any()) for row in rows] == [False, False, True]
    assert TermVectors().of([]).shape == (0, TERM_DIMENSION)


def test_a_word_a_thousand_times_stays_in_range() -> None:
    assert set(numpy.unique(TermVectors().of(["harbour " * 1000]))) <= {-127, 0, 127}


def test_the_memory_of_words_is_bounded() -> None:
    vectors = TermVectors()
    for first in range(0, MAX_CACHED_WORDS + 20_000, 20_000):
        vectors.of([" ".join(f"w{number}" for number in range(first, first + 20_000))])
    assert len(vectors.seen) <= MAX_CACHED_WORDS
    assert numpy.array_equal(vectors.of(["w1 harbour"]), TermVectors().of(["w1 harbour"]))


@given(texts=st.lists(hard_texts, max_size=4))
def test_any_text_has_a_vector(texts: list[str]) -> None:
    rows: Any = TermVectors().of(texts)
    assert rows.shape == (len(texts), TERM_DIMENSION)
    assert numpy.array_equal(rows, TermVectors().of(texts))
    assert all(len(word) > 1 for text in texts for word in words(text))


def test_equal_cells_are_embedded_once() -> None:
    text = "One is. Two is. One is.\n\nOne is.\n"
    packing = Packing(markdown_document(text), catalogue.create("counter", "words"), max_tokens=9)
    cells = list(CellCutter(packing, grain=0).cells())
    vectors = embedded(catalogue.create("embed", "hashing"), text, cells)
    assert len(vectors.stored) == 2
    assert vectors.which.tolist() == [0, 1, 0, 0]
