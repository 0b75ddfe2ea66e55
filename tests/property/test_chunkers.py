"""Every strategy, over random documents, with limits so small that it has to cut."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.documents import markdown_document, markdown_documents, markdown_texts, plain_documents

from pincite import catalogue
from pincite.model import Document
from pincite.testing.chunkers import check_chunker, check_local

HALF = settings(max_examples=settings().max_examples // 2)
QUARTER = settings(max_examples=settings().max_examples // 4)
"""Shares of the profile's examples, so that a strategy has as many as the profile says over plain text and Markdown."""

counters = st.sampled_from(("words", "characters", "o200k_base"))
limits = st.sampled_from((1, 2, 3, 5, 8, 13, 30, 80))
merging = st.sampled_from((0, 0, 10, 50))


@st.composite
def window_options(draw: st.DrawFn, unit: str) -> dict[str, Any]:
    limit = draw(limits)
    return {f"max_{unit}": limit, f"overlap_{unit}": draw(st.sampled_from((0, 0, limit // 3, limit - 1)))}


@st.composite
def packing_options(draw: st.DrawFn) -> dict[str, Any]:
    limit = draw(limits)
    return {"max_tokens": limit, "min_tokens": draw(st.sampled_from((0, limit // 3, limit))), "counter": draw(counters)}


OPTIONS: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "characters": window_options("characters"),
    "tokens": st.builds(lambda options, counter: {**options, "counter": counter}, window_options("tokens"), counters),
    "headings-naive": st.just({}),
    "headings": st.fixed_dictionaries({"merge_below_characters": merging}),
    "headings-capped": st.fixed_dictionaries({"max_characters": limits, "merge_below_characters": merging}),
    "sections": st.fixed_dictionaries({"counter": counters}),
    "structure": packing_options(),
}
"""Small limits for the strategies that have some; a strategy that is not here runs with its defaults."""

NOT_LOCAL = {"min_tokens"}
"""Options that let the end of a document reach back: a small chunk joins the neighbour that has room."""


def strategies() -> list[Any]:
    return [pytest.param(row, id=row.name) for row in catalogue.rows("chunk")]


def check(row: catalogue.Row, document: Document, options: dict[str, Any]) -> None:
    check_chunker(catalogue.create("chunk", row.name, options), document, traits=catalogue.traits(row))


@pytest.mark.parametrize("row", strategies())
@HALF
@given(data=st.data(), document=plain_documents)
def test_plain_text(row: catalogue.Row, data: st.DataObject, document: Document) -> None:
    check(row, document, data.draw(OPTIONS.get(row.name, st.just({})), label="options"))


@pytest.mark.parametrize("row", strategies())
@HALF
@given(data=st.data(), document=markdown_documents)
def test_markdown(row: catalogue.Row, data: st.DataObject, document: Document) -> None:
    check(row, document, data.draw(OPTIONS.get(row.name, st.just({})), label="options"))


@pytest.mark.parametrize("row", strategies())
@QUARTER
@given(data=st.data(), text=markdown_texts())
def test_text_at_the_end_changes_nothing_before_the_last_block(
    row: catalogue.Row, data: st.DataObject, text: str
) -> None:
    options = data.draw(OPTIONS.get(row.name, st.just({})), label="options")
    chunker = catalogue.create("chunk", row.name, {**options, **dict.fromkeys(options.keys() & NOT_LOCAL, 0)})
    document, longer = markdown_document(text), markdown_document(f"{text}\n\nOne more. It stands at the end.\n")
    *before, last = document.outline or (None,)
    while last and before and before[-1].kind == "heading":  # a heading goes with the block after it
        last = before.pop()
    last_block = last.span.start if last else 0
    check_local(list(chunker.chunk(document)), list(chunker.chunk(longer)), last_block=last_block)
