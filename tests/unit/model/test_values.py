"""Values refuse to be wrong at birth."""

from __future__ import annotations

import pytest

from pincite.model import (
    Answer,
    Block,
    Box,
    Chunk,
    Citation,
    Document,
    Excerpt,
    Hit,
    Judgement,
    Located,
    Place,
    Placement,
    Principal,
    Ranking,
    Section,
    Span,
    Statement,
    chunk_id,
)


def a_chunk(text: str = "abc", start: int = 0) -> Chunk:
    return Chunk(
        id=f"id{start}", document_id="d", number=1, span=Span(start, start + len(text)), text=text, tokens=len(text)
    )


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (3, 3), (4, 2)])
def test_spans_are_never_empty_or_negative(start: int, end: int) -> None:
    with pytest.raises(ValueError, match="a span needs"):
        Span(start, end)


def test_spans_know_their_neighbours() -> None:
    assert len(Span(2, 5)) == 3
    assert Span(2, 5).contains(Span(3, 5))
    assert not Span(2, 5).contains(Span(3, 6))
    assert Span(2, 5).overlaps(Span(4, 9))
    assert not Span(2, 5).overlaps(Span(5, 9))


@pytest.mark.parametrize(
    "block",
    [
        {"kind": "chapter", "span": Span(0, 1)},
        {"kind": "heading", "span": Span(0, 1)},
        {"kind": "item", "span": Span(0, 1)},
        {"kind": "table", "span": Span(0, 5), "rows": (Span(4, 6),)},
        {"kind": "table", "span": Span(0, 9), "header": Span(0, 4), "rows": (Span(3, 6),)},
    ],
)
def test_blocks_that_cannot_be(block: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"block kind|needs a level|header and rows"):
        Block(**block)  # type: ignore[arg-type] # the point of the test


def a_document(*blocks: Block, text: str = "0123456789", places: tuple[Placement, ...] = ()) -> Document:
    return Document("d", "d", "text/plain", text, blocks, places)


def test_blocks_are_in_order_and_nest() -> None:
    quote, inner = Block("quote", Span(0, 6)), Block("paragraph", Span(2, 6))
    assert a_document(quote, inner, Block("paragraph", Span(7, 9))).outline == (
        quote,
        Block("paragraph", Span(7, 9)),
    )
    with pytest.raises(ValueError, match="not in order"):
        a_document(inner, quote)
    with pytest.raises(ValueError, match="reaches out"):
        a_document(quote, Block("paragraph", Span(4, 7)))
    with pytest.raises(ValueError, match="reaches out"):
        a_document(Block("paragraph", Span(4, 11)))
    with pytest.raises(ValueError, match="needs an id"):
        Document("", "", "text/plain", "")


def test_places_are_disjoint_and_inside() -> None:
    first, second = Placement(Span(0, 4), Place(row=1)), Placement(Span(3, 6), Place(row=2))
    with pytest.raises(ValueError, match="overlap"):
        a_document(places=(first, second))
    with pytest.raises(ValueError, match="out of the text"):
        a_document(places=(Placement(Span(8, 12), Place(row=1)),))


def test_a_place_is_noted_or_counted() -> None:
    text = "one\r\ntwo\rthree\nfour"
    document = a_document(text=text)
    assert [document.place(Span(text.index(word), text.index(word) + 1)).line for word in text.split()] == [1, 2, 3, 4]
    boxes = (Box(1, 0, 0, 5, 5), Box(2, 0, 0, 5, 5))
    noted = a_document(
        places=(
            Placement(Span(0, 3), Place(page=1, boxes=boxes[:1])),
            Placement(Span(5, 8), Place(page=2, boxes=boxes[1:])),
        )
    )
    assert noted.place(Span(1, 6)) == Place(page=1, boxes=boxes)
    assert noted.place(Span(6, 7)).page == 2
    assert noted.place(Span(3, 5)) == Place()


@pytest.mark.parametrize("place", [{"page": 0}, {"line": -1}])
def test_places_count_from_one(place: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="counts from 1"):
        Place(**place)  # type: ignore[arg-type] # the point of the test


def test_boxes_have_an_area() -> None:
    with pytest.raises(ValueError, match="a box needs"):
        Box(1, 5, 0, 5, 9)


def test_sections_follow_outermost_headings() -> None:
    text = "intro\n# A\na\n### B\n> # Q\n## C\nc"

    def heading(line: str, level: int) -> Block:
        start = text.index(line)
        return Block("heading", Span(start, start + len(line)), level, line.strip("# "))

    quote = text.index("> # Q")
    blocks = (
        Block("paragraph", Span(0, 5)),
        heading("# A", 1),
        Block("paragraph", Span(text.index("\na") + 1, text.index("\na") + 2)),
        heading("### B", 3),
        Block("quote", Span(quote, quote + 5)),
        Block("heading", Span(quote + 2, quote + 5), 1, "Q"),
        heading("## C", 2),
    )
    document = a_document(*blocks, text=text)
    assert [(section.path, section.levels, section.level, section.title) for section in document.sections] == [
        ((), (), 0, ""),
        (("A",), (1,), 1, "A"),
        (("A", "B"), (1, 3), 3, "B"),
        (("A", "C"), (1, 2), 2, "C"),
    ]
    assert document.sections[0].body == Span(0, 6)
    assert document.sections[3].body is not None
    assert document.sections[3].body.of(text) == "\nc"
    assert [section.title for section in document.sections_over(Span(0, 8))] == ["", "A"]
    assert Section(("A",), (1,), Span(0, 3), Span(0, 3)).body is None


def test_front_matter_is_not_the_body() -> None:
    document = a_document(Block("metadata", Span(0, 4)), text="----\nbody")
    assert document.body_start == 4
    assert [section.span for section in document.sections] == [Span(4, 9)]


@pytest.mark.parametrize(
    "change", [{"text": "abcd"}, {"text": "   "}, {"number": 0}, {"tokens": -1}], ids=lambda change: str(change)
)
def test_chunks_that_cannot_be(change: dict[str, object]) -> None:
    values = {"id": "x", "document_id": "d", "number": 1, "span": Span(0, 3), "text": "abc", "tokens": 1, **change}
    with pytest.raises(ValueError, match="a chunk"):
        Chunk(**values)  # type: ignore[arg-type] # the point of the test


def test_chunk_ids_tell_parts_and_occurrences_apart() -> None:
    ids = {
        chunk_id("a", "b", "c", occurrence=0),
        chunk_id("a", "b", "c", occurrence=1),
        chunk_id("a", "", "bc", occurrence=0),
        chunk_id("ab", "", "c", occurrence=0),
        chunk_id("a", "b\0", "c", occurrence=0),
        chunk_id("a", "b", "\0c", occurrence=0),
    }
    assert len(ids) == 6
    assert chunk_id("a", "", "\ud800", occurrence=0)


def test_a_citation_is_a_proof() -> None:
    document = a_document(text="# A\n\nThe cat sat.")
    citation = Citation.cite(document, Span(5, 12))
    assert citation.quote == "The cat"
    assert citation.place == Place(line=3)
    assert citation.holds_in(document)
    assert not citation.holds_in(a_document(text="# A\n\nThe dog sat."))
    with pytest.raises(ValueError, match="out of the text"):
        Citation.cite(document, Span(5, 99))
    with pytest.raises(ValueError, match="a quote is"):
        Citation(document_id="d", span=Span(0, 3), quote="four")


def test_answers_say_something() -> None:
    with pytest.raises(ValueError, match="says why"):
        Answer(question="q")
    with pytest.raises(ValueError, match="has a citation"):
        Statement("text", ())
    with pytest.raises(ValueError, match="no verdict"):
        Statement("text", (), "certain")  # type: ignore[arg-type] # the point of the test
    assert not Answer(question="q", reason="nothing there").answered


def test_rankings_count_from_one_and_have_each_chunk_once() -> None:
    first, second = (Hit(located=Located(chunk=a_chunk(start=start)), rank=start + 1, score=1) for start in (0, 1))
    assert Ranking("q", (first, second)).hits[1].chunk.id == "id1"
    with pytest.raises(ValueError, match="1, 2, 3"):
        Ranking("q", (second,))
    with pytest.raises(ValueError, match="each chunk once"):
        Ranking("q", (first, Hit(located=first.located, rank=2, score=0)))
    with pytest.raises(ValueError, match="count from 1"):
        Hit(located=first.located, rank=0, score=0)
    with pytest.raises(ValueError, match=r"relevance is in \[0, 1\]"):
        Hit(located=first.located, rank=1, score=0, relevance=1.5)
    with pytest.raises(ValueError, match="an excerpt's text is its slice"):
        Excerpt(span=Span(0, 3), text="ab")


def test_documents_without_groups_are_public() -> None:
    assert Principal().may_see(())
    assert Principal(frozenset({"support"})).may_see(("security", "support"))
    assert not Principal(frozenset({"support"})).may_see(())


@pytest.mark.parametrize("groups", ["support", None, frozenset({1}), frozenset({""}), frozenset({"a", " "})])
def test_a_lone_text_is_no_set_of_groups(groups: object) -> None:
    with pytest.raises(ValueError, match="a principal has a set"):
        Principal(groups)  # type: ignore[arg-type] # the point of the test


def test_groups_come_in_any_collection() -> None:
    assert Principal(["a", "b"]) == Principal(frozenset({"a", "b"}))  # type: ignore[arg-type] # taken all the same


def test_judgements_quote_something_relevant() -> None:
    with pytest.raises(ValueError, match="quotes"):
        Judgement(document_id="d", text=" ")
    with pytest.raises(ValueError, match="grade"):
        Judgement(document_id="d", text="x", grade=0)
