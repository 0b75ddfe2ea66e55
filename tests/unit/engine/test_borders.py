"""Bands tile the text; borders of two strategies meet where their text does."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.property.documents import markdown_documents, plain_document, plain_documents

from pincite.engine.borders import bands, compared
from pincite.engine.chunking import chunk_document
from pincite.model import Chunk, Document

documents = st.one_of(markdown_documents, plain_documents)
OPTIONS = {"max_characters": 9, "overlap_characters": 5}


@given(documents)
def test_bands_tile_the_text_and_name_their_chunks(document: Document) -> None:
    chunks = chunk_document(document, strategy="characters", options=OPTIONS)
    found = list(bands(document, chunks))
    assert "".join(band.span.of(document.text) for band in found) == document.text
    for band in found:
        around = [chunk for chunk in chunks if chunk.span.start <= band.span.start and band.span.end <= chunk.span.end]
        assert list(band.chunks) == around
        touched = [chunk for chunk in chunks if chunk.span.overlaps(band.span)]
        assert touched == around


def test_an_empty_text_has_no_band() -> None:
    assert list(bands(plain_document(""), [])) == []


@given(documents)
def test_borders_are_where_chunks_begin(document: Document) -> None:
    first, second = chunk_document(document), chunk_document(document, strategy="characters", options=OPTIONS)
    borders = compared(document, first, second)
    starts = [border.start for border in borders]
    assert starts == sorted(set(starts))
    for side, chunks in (("first", first), ("second", second)):
        numbers = [number for border in borders if (number := getattr(border, side))]
        assert numbers == sorted(numbers)
        begins = {begin(chunk) for chunk in chunks}
        assert {border.start for border in borders if getattr(border, side)} == begins
    for border in borders:
        assert border.first or border.second
        assert border.line == document.text[: border.start].replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1


def begin(chunk: Chunk) -> int:
    return next(
        index for index in range(chunk.span.start, chunk.span.end) if not chunk.text[index - chunk.span.start].isspace()
    )


def test_a_strategy_beside_itself_has_all_borders_in_common() -> None:
    document = plain_document("one\n\ntwo\n\nthree")
    chunks = chunk_document(document, strategy="characters", options={"max_characters": 6, "overlap_characters": 0})
    assert all(border.first == border.second for border in compared(document, chunks, chunks))
