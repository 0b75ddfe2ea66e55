"""Every value goes to JSON and back without loss."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pincite.model import (
    BLOCK_KINDS,
    Answer,
    Block,
    Box,
    Chunk,
    Citation,
    Document,
    Excerpt,
    Explanation,
    Hit,
    Judgement,
    Located,
    Notice,
    Part,
    Place,
    Placement,
    Question,
    Ranking,
    Repeat,
    Run,
    Span,
    Statement,
)

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
names = st.text(min_size=1, max_size=8)
numbers = st.none() | st.integers(1, 10**6)
metadata = st.dictionaries(
    names, texts | st.integers() | st.booleans() | st.lists(texts, max_size=3).map(tuple), max_size=3
)
boxes = st.builds(
    lambda page, x, y: Box(page, x, y, x + 1, y + 2), st.integers(1, 9), st.integers(0, 99), st.integers(0, 99)
)
places = st.builds(
    Place,
    page=numbers,
    line=numbers,
    row=numbers,
    slide=numbers,
    paragraph=numbers,
    boxes=st.lists(boxes, max_size=2).map(tuple),
)
notices = st.builds(Notice, kind=names, message=texts, file=texts)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    text = draw(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40))
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=6)))
    spans = [Span(start, end) for start, end in pairwise(cuts)]
    blocks = [
        Block(
            draw(st.sampled_from(BLOCK_KINDS)),
            span,
            draw(st.integers(1, 6)),
            draw(texts),
            draw(texts),
            draw(st.sampled_from(["", "-", "1."])),
            draw(st.sampled_from([None, span])),
            columns=draw(st.lists(texts, max_size=2).map(tuple)),
        )
        for span in spans
    ]
    placements = [Placement(span, draw(places)) for span in spans]
    return Document(
        draw(names),
        draw(texts),
        "text/plain",
        text,
        tuple(blocks),
        tuple(placements),
        draw(metadata),
        tuple(draw(st.lists(notices, max_size=2))),
    )


@st.composite
def chunks(draw: st.DrawFn) -> Chunk:
    text = draw(texts) + "x"
    start = draw(st.integers(0, 99))
    return Chunk(
        id=draw(names),
        document_id=draw(names),
        number=draw(st.integers(1, 99)),
        span=Span(start, start + len(text)),
        text=text,
        prefix=draw(texts),
        headings=tuple(draw(st.lists(texts, max_size=3))),
        level=draw(st.integers(0, 6)),
        tokens=draw(st.integers(0, 999)),
        parent=draw(st.sampled_from([None, Span(0, 200)])),
    )


scores = st.floats(allow_nan=False, allow_infinity=False)
located = st.builds(Located, chunk=chunks(), place=places, metadata=metadata)


repeats = st.builds(Repeat, chunk_id=names, document_id=names, span=st.just(Span(3, 9)), place=places)
parts = st.builds(
    Part,
    rank=numbers,
    score=st.none() | scores,
    normalised=st.none() | st.floats(0, 1),
    weight=st.none() | st.floats(0, 1),
)
explanations = st.builds(
    Explanation,
    terms=st.dictionaries(names, scores, max_size=2),
    missing=st.lists(names, max_size=2).map(tuple),
    lexical=st.none() | parts,
    dense=st.none() | parts,
    fusion=st.none() | names,
    fused_rank=st.integers(1, 9),
    fused_score=scores,
    reranked=numbers,
    filters=st.dictionaries(names, st.none() | texts | st.lists(texts, max_size=2), max_size=2),
)


@st.composite
def rankings(draw: st.DrawFn) -> Ranking:
    found = draw(st.lists(located, max_size=3, unique_by=lambda one: one.chunk.id))
    hits = [
        Hit(
            located=one,
            rank=rank,
            score=draw(scores),
            lexical=draw(st.none() | scores),
            dense=draw(st.none() | scores),
            relevance=draw(st.none() | st.floats(0, 1)),
            also=tuple(draw(st.lists(repeats, max_size=2))),
            context=draw(st.none() | st.just(Excerpt(span=Span(1, 4), text="abc"))),
            explanation=draw(st.none() | explanations),
        )
        for rank, one in enumerate(found, start=1)
    ]
    return Ranking(draw(texts), tuple(hits), tuple(draw(st.lists(notices, max_size=1))))


@st.composite
def answers(draw: st.DrawFn) -> Answer:
    document = draw(documents())
    citation = Citation.cite(document, Span(0, len(document.text)))
    statements = draw(st.lists(st.builds(Statement, texts, st.just((citation,))), max_size=2))
    unsupported = Statement(draw(texts), (), "unsupported")
    return Answer(question=draw(texts), statements=(*statements, unsupported), reason=draw(texts))


judgements = st.builds(
    Judgement,
    document_id=names,
    text=texts.map(lambda text: text + "x"),
    start=numbers,
    end=numbers,
    before=texts,
    after=texts,
    grade=st.integers(1, 3),
    part=texts,
)
questions = st.builds(
    Question,
    id=names,
    question=texts,
    language=texts,
    relevant=st.lists(judgements, max_size=2).map(tuple),
    answer=texts,
    groups=st.lists(texts, max_size=2).map(tuple),
    where=texts,
)
runs = st.builds(Run, names, st.dictionaries(names, rankings(), max_size=2))
values: st.SearchStrategy[Any] = st.one_of(
    documents(), chunks(), located, rankings(), answers(), judgements, questions, runs, places, notices
)


@given(values)
def test_json_and_back(value: Any) -> None:
    assert type(value).from_json(json.loads(json.dumps(value.to_json()))) == value


@given(documents(), st.data())
def test_every_span_has_its_place_and_sections(document: Document, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(document.text) - 1))
    span = Span(start, data.draw(st.integers(start + 1, len(document.text))))
    touched = [placement for placement in document.places if placement.span.overlaps(span)]
    assert document.place(span).boxes == tuple(box for placement in touched for box in placement.place.boxes) or (
        not document.places
    )
    assert document.sections_over(span) == tuple(
        section for section in document.sections if section.span.overlaps(span)
    )
