"""Every strategy, over random documents, with limits so small that it has to cut."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.documents import (
    markdown_document,
    markdown_documents,
    markdown_texts,
    plain_documents,
    source_documents,
)

from pincite import catalogue
from pincite.model import Document
from pincite.testing.chunkers import check_chunker, check_local

HALF = settings(max_examples=settings().max_examples // 2)
QUARTER = settings(max_examples=settings().max_examples // 4)
"""Shares of the profile's examples, so that a strategy has as many as the profile says over plain text and Markdown."""

SEPARATORS = ("\n\n", "\n", "\r\n", "\r", ". ", " ", "\u3000", "a", "aa", "\u0301", "\u200d", "🇩🇪", "漢字")
counters = st.sampled_from(("words", "characters", "o200k_base"))
limits = st.sampled_from((1, 2, 3, 5, 8, 13, 30, 80))
factors = st.sampled_from((1, 1.5, 4))
merging = st.sampled_from((0, 0, 10, 50))


@st.composite
def window_options(draw: st.DrawFn, unit: str) -> dict[str, Any]:
    limit = draw(limits)
    return {f"max_{unit}": limit, f"overlap_{unit}": draw(st.sampled_from((0, 0, limit // 3, limit - 1)))}


@st.composite
def packing_options(draw: st.DrawFn) -> dict[str, Any]:
    limit = draw(limits)
    options = {
        "max_tokens": limit,
        "min_tokens": draw(st.sampled_from((0, limit // 3, limit))),
        "overlap_tokens": draw(st.sampled_from((0, 0, limit // 3, limit - 1))),
        "heading_prefix": draw(st.sampled_from(("path", "path", "own", "off"))),
        "counter": draw(counters),
    }
    if draw(st.integers(0, 3)) == 0:
        options["keep_whole"] = {draw(st.sampled_from(("code", "table", "list", "paragraph"))): draw(factors)}
    return options


@st.composite
def recursive_options(draw: st.DrawFn) -> dict[str, Any]:
    kept = draw(st.sampled_from(("start", "start", "end")))
    options = {**draw(window_options("tokens")), "counter": draw(counters), "keep_separator": kept}
    options["count_pieces"] = draw(st.sampled_from(("together", "together", "alone")))
    if draw(st.integers(0, 2)) == 0:
        options["separators"] = draw(st.lists(st.sampled_from(SEPARATORS), max_size=4, unique=True).map(tuple))
    return options


@st.composite
def code_options(draw: st.DrawFn) -> dict[str, Any]:
    options = draw(packing_options())
    return {name: value for name, value in options.items() if name not in ("overlap_tokens", "keep_whole")}


@st.composite
def hierarchy_options(draw: st.DrawFn) -> dict[str, Any]:
    options = draw(code_options())
    return {**options, "parent_tokens": options["max_tokens"] * draw(st.sampled_from((1, 2, 5, 20)))}


@st.composite
def semantic_options(draw: st.DrawFn) -> dict[str, Any]:
    limit = draw(limits)
    return {
        "max_tokens": limit,
        "min_tokens": draw(st.sampled_from((0, limit // 3, limit))),
        "border_cost": draw(st.sampled_from((0.0, 0.3, 1.2, 5.0))),
        "heading_prefix": draw(st.sampled_from(("path", "path", "own", "off"))),
        "counter": draw(counters),
        "embedder": "hashing",
    }


@st.composite
def adaptive_options(draw: st.DrawFn) -> dict[str, Any]:
    limit = draw(limits)
    weights = st.sampled_from((0, 0.5, 1, 3))
    return {
        "max_tokens": limit,
        "preferred_tokens": draw(st.sampled_from((None, 1, (limit + 1) // 2, limit))),
        "border_weight": draw(weights),
        "size_weight": draw(weights),
        "cohesion_weight": draw(weights),
        "heading_prefix": draw(st.sampled_from(("path", "path", "own", "off"))),
        "counter": draw(counters),
        "embedder": draw(st.sampled_from(("", "", "hashing"))),
    }


OPTIONS: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "characters": window_options("characters"),
    "tokens": st.builds(lambda options, counter: {**options, "counter": counter}, window_options("tokens"), counters),
    "sentences": st.builds(
        lambda options, counter: {**options, "counter": counter}, window_options("tokens"), counters
    ),
    "recursive": recursive_options(),
    "headings-naive": st.just({}),
    "headings": st.fixed_dictionaries({"merge_below_characters": merging}),
    "headings-capped": st.fixed_dictionaries({"max_characters": limits, "merge_below_characters": merging}),
    "sections": st.fixed_dictionaries({"counter": counters}),
    "structure": packing_options(),
    "semantic": semantic_options(),
    "adaptive": adaptive_options(),
    "hierarchy": hierarchy_options(),
    "code": code_options(),
}
"""Small limits for the strategies that have some; a strategy that is not here runs with its defaults."""

OF_THE_WHOLE = {"semantic", "adaptive"}
"""Strategies that look for the best cut of the whole document: they say that its end may change all of it."""

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
@given(data=st.data(), document=source_documents())
def test_source_code(row: catalogue.Row, data: st.DataObject, document: Document) -> None:
    check(row, document, data.draw(OPTIONS.get(row.name, st.just({})), label="options"))


@pytest.mark.parametrize("row", [row for row in strategies() if row.id not in OF_THE_WHOLE])
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
    chunks = list(chunker.chunk(document))
    if document.outline and longer.outline[len(document.outline) - 1] != document.outline[-1]:
        # A fence that nothing closes takes the new text in: it may have to be cut now, and the chunk before it, which
        # had no room for all of it, may have room for its first piece.
        last_block = max([chunk.span.start for chunk in chunks if chunk.span.end <= last_block], default=0)
    check_local(chunks, list(chunker.chunk(longer)), last_block=last_block)
