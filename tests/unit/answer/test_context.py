"""The passages that an answerer reads: within the budget, each text once, each fenced."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.answer.collection import SmallCollection, document_of

from pincite.answer.context import build_context
from pincite.embed.hashing import HashingEmbedder
from pincite.errors import UnknownNameError
from pincite.model import Chunk, Context, Cut, Document, Excerpt, Hit, Located, Passage, Principal, Ranking, Span
from pincite.text.counters import TokenCounter

GUIDE = """# Guide

## Cursors

A cursor lives for 15 minutes. An expired cursor cannot be revived.

It belongs to one reader.

## Tokens

A token lives for 60 minutes, and a new one is a call away.
"""
TABLE = "code,meaning\nORB-1,The token has expired.\nORB-2,The scope is missing.\n"


def hits_of(*places: tuple[Document, str] | tuple[Document, str, str]) -> Ranking:
    """A hit for each slice of a document, in that order; the third member is what is to be read around it."""
    hits = []
    for rank, (document, text, *around) in enumerate(places, start=1):
        start = document.text.index(text)
        span = Span(start, start + len(text))
        chunk = Chunk(id=f"c{rank}", document_id=document.id, number=rank, span=span, text=text, tokens=1)
        context = None
        if around:
            first = document.text.index(around[0])
            context = Excerpt(span=Span(first, first + len(around[0])), text=around[0])
        hits.append(Hit(located=Located(chunk=chunk), rank=rank, score=1 / rank, context=context))
    return Ranking("q", tuple(hits))


def context_of(documents: Sequence[Document], ranking: Ranking, *, budget: int = 1000, **options: Any) -> Context:
    collection = SmallCollection({}, embedder=HashingEmbedder(dimension=16))
    for document in documents:
        collection.put(document)
    principal = options.pop("principal", Principal())
    with collection.store.snapshot() as snapshot:
        made = build_context(
            "q", ranking, snapshot, principal=principal, budget=budget, counter=options.pop("counter", "o200k_base")
        )
    texts = {document.id: document.text for document in documents}
    for passage in made.passages:
        assert passage.text == passage.span.of(texts[passage.document_id])
    assert Context.from_json(made.to_json()) == made
    assert made.tokens == sum(passage.tokens for passage in made.passages) <= budget
    return made


def guide(**metadata: Any) -> Document:
    return document_of("guide.md", GUIDE, **metadata)


def test_a_passage_says_where_it_stands() -> None:
    document = guide(version="3.0", date="2025-11-18")
    (passage,) = context_of([document], hits_of((document, "A cursor lives for 15 minutes."))).passages
    assert (passage.number, passage.document_id, passage.headings) == (1, "guide.md", ("Guide", "Cursors"))
    assert (passage.version, passage.date) == ("3.0", "2025-11-18")
    assert passage.fenced("12345678") == (
        '<<<begin passage 1 12345678>>>\ndocument: "guide.md"\nsection: "Guide > Cursors"\nversion: "3.0"\n'
        'date: "2025-11-18"\n\nA cursor lives for 15 minutes.\n<<<end passage 1 12345678>>>'
    )


def test_passages_that_overlap_or_touch_are_one() -> None:
    document = guide()
    first, second = "A cursor lives for 15 minutes. An expired", "An expired cursor cannot be revived."
    made = context_of(
        [document],
        hits_of((document, first), (document, "60 minutes"), (document, second), (document, "It belongs")),
    )
    assert [passage.text for passage in made.passages] == [
        "A cursor lives for 15 minutes. An expired cursor cannot be revived.\n\nIt belongs",
        "60 minutes",
    ]
    assert [(cut.reason, cut.into) for cut in made.cut] == [("overlap", 1), ("overlap", 1)]


def test_a_hit_between_two_passages_joins_them() -> None:
    document = guide()
    left, right, middle = "A cursor lives for 15 minutes.", "It belongs to one reader.", "An expired cursor cannot be"
    made = context_of([document], hits_of((document, left), (document, right), (document, f"{middle} revived.")))
    assert [(passage.number, passage.text[:8], passage.text[-7:]) for passage in made.passages] == [
        (1, "A cursor", "reader.")
    ]
    assert {cut.reason for cut in made.cut} == {"overlap"}
    assert len(made.cut) == 2


def test_headings_over_several_sections_are_those_that_all_have() -> None:
    document = guide()
    made = context_of([document], hits_of((document, GUIDE[GUIDE.index("It belongs") :].strip())))
    assert made.passages[0].headings == ("Guide",)


def test_a_table_that_is_cut_keeps_the_names_of_its_columns() -> None:
    document = document_of("codes.csv", TABLE)
    row = next(line for line in document.text.splitlines() if "ORB-2" in line)
    (passage,) = context_of([document], hits_of((document, row))).passages
    assert passage.columns == ("code", "meaning")
    assert 'columns of this table: "code | meaning"' in passage.fenced("12345678")
    (whole,) = context_of([document], hits_of((document, document.text.strip()))).passages
    assert whole.columns == ()


def test_columns_are_those_of_a_table_in_a_list_too() -> None:
    text = "# T\n\nBefore.\n\n- item\n\n  | a | b |\n  | - | - |\n  | one | two |\n  | three | four |\n\nAfter.\n"
    document = document_of("t.md", text)
    assert any(block.kind == "table" for block in document.blocks)
    made = context_of([document], hits_of((document, "| three | four |"), (document, "After.")), budget=2000)
    assert [passage.columns for passage in made.passages if "three" in passage.text] == [("a", "b")]


def test_what_the_search_put_around_a_hit_is_read_where_it_fits() -> None:
    document = guide()
    around = GUIDE[GUIDE.index("## Cursors") : GUIDE.index("## Tokens")]
    ranking = hits_of((document, "It belongs to one reader.", around))
    assert context_of([document], ranking).passages[0].text == around.strip()
    assert context_of([document], ranking, budget=50).passages[0].text == "It belongs to one reader."


def test_the_parent_is_read_where_the_strategy_made_one() -> None:
    document = guide()
    (hit,) = hits_of((document, "It belongs to one reader.")).hits
    start = GUIDE.index("A cursor")
    chunk = Chunk.from_json({**hit.chunk.to_json(), "parent": [start, hit.chunk.span.end]})
    ranking = Ranking("q", (Hit(located=Located(chunk=chunk), rank=1, score=1.0),))
    assert context_of([document], ranking).passages[0].span == Span(start, hit.chunk.span.end)


def test_what_does_not_fit_is_left_out_and_smaller_passages_still_come_in() -> None:
    document = guide()
    other = document_of("other.md", "# Long\n\n" + "Much is said of very many things here. " * 40)
    ranking = hits_of((document, "A cursor lives"), (other, other.text[8:].strip()), (document, "60 minutes"))
    made = context_of([document, other], ranking, budget=90)
    assert [passage.text for passage in made.passages] == ["A cursor lives", "60 minutes"]
    assert [(cut.document_id, cut.reason, cut.into) for cut in made.cut] == [("other.md", "budget", 0)]


def test_of_a_best_hit_that_is_too_long_the_first_sentences_are_taken() -> None:
    document = document_of("long.md", "# Long\n\n" + " ".join(f"Thing number {n} is here." for n in range(60)))
    made = context_of([document], hits_of((document, document.text[8:].strip())), budget=80)
    assert made.passages[0].text.startswith("Thing number 0 is here. Thing number 1 is here.")
    assert made.passages[0].text.endswith(" is here.")
    assert [cut.reason for cut in made.cut] == ["budget"]
    assert context_of([document], hits_of((document, document.text[8:].strip())), budget=5).passages == ()


def test_two_passages_that_cannot_be_joined_are_not_repeated() -> None:
    document = document_of("long.md", "# Long\n\n" + " ".join(f"Thing number {n} is here." for n in range(60)))
    first, second = "Thing number 0 is here.", document.text[document.text.index("0 is here.") :].strip()
    made = context_of([document], hits_of((document, first), (document, second)), budget=100)
    assert [passage.text for passage in made.passages] == [first]
    assert [cut.reason for cut in made.cut] == ["budget"]


def test_near_duplicates_are_left_out_unless_their_versions_differ() -> None:
    text = "# C\n\nA cursor lives for 15 minutes, counted from the response that delivered it to the reader of it.\n"
    near = text.replace("reader of it", "reader of them")
    other_number = text.replace("15", "20")
    documents = [
        document_of("a.md", text, version="2.0"),
        document_of("b.md", near, version="2.0"),
        document_of("c.md", near, version="3.0"),
        document_of("d.md", other_number, version="2.0"),
    ]
    made = context_of(documents, hits_of(*((document, document.text[5:].strip()) for document in documents)))
    assert [passage.document_id for passage in made.passages] == ["a.md", "c.md", "d.md"]
    assert [(cut.document_id, cut.reason, cut.into) for cut in made.cut] == [("b.md", "near-duplicate", 1)]


def test_only_what_the_principal_may_see_is_read() -> None:
    document = guide(groups=("staff",))
    ranking = hits_of((document, "A cursor lives for 15 minutes."))
    assert context_of([document], ranking).to_json() == context_of([], Ranking("q", ())).to_json()
    assert context_of([document], ranking, principal=Principal(frozenset({"staff"}))).passages


def test_refusals() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        context_of([], Ranking("q", ()), budget=0)
    with pytest.raises(UnknownNameError):
        context_of([], Ranking("q", ()), counter="bushels")
    with pytest.raises(ValueError, match="numbered"):
        Context(question="q", budget=9, counter="words", passages=(passage_of(number=2),))
    with pytest.raises(ValueError, match="budget"):
        Context(question="q", budget=9, counter="words", tokens=10)
    with pytest.raises(ValueError, match="its slice"):
        passage_of(text="longer")
    with pytest.raises(ValueError, match="from 1"):
        passage_of(number=0)
    with pytest.raises(ValueError, match="nothing is cut for"):
        Cut(document_id="a.md", span=Span(0, 1), reason="whim")  # type: ignore[arg-type] # a wrong one on purpose


def passage_of(*, number: int = 1, text: str = "text", **options: Any) -> Passage:
    return Passage(number=number, document_id=options.pop("document_id", "a.md"), span=Span(0, 4), text=text, **options)


@pytest.mark.parametrize("nonce", ["1234567", "12345678 ", "<12345678", "x" * 65, "ABCDEFGH", "abcdefgh"])
def test_a_nonce_that_cannot_be(nonce: str) -> None:
    document = document_of("a.md", "# A\n\nIt says Abcdefgh.\n")
    made = context_of([document], hits_of((document, "It says Abcdefgh.")))
    assert not made.allows(nonce)
    with pytest.raises(ValueError, match="nonce"):
        made.fenced(nonce)


fences = st.sampled_from(
    ["<<<end passage 1 ", "<<<begin passage 2 ", ">>>", "\n", "\r", "\u2028", "</document>", "[1]", "0" * 18]
)
texts = st.lists(fences | st.text(max_size=12), max_size=8).map("".join).filter(str.strip)


@given(st.lists(st.tuples(texts, texts, texts), min_size=1, max_size=4))
def test_no_text_ends_its_fence(said: list[tuple[str, str, str]]) -> None:
    """The lines with the nonce are exactly the fences, and between them stands what the documents say."""
    passages = tuple(
        Passage(
            number=number,
            document_id=name,
            span=Span(0, len(text)),
            text=text,
            headings=(heading,),
            columns=(heading,),
            version=heading,
            date=name,
        )
        for number, (name, heading, text) in enumerate(said, start=1)
    )
    made = Context(question="q", passages=passages, budget=1, counter="words")
    assert made.allows(made.nonce)
    assert Context.from_json(made.to_json()) == made
    rendered = made.fenced()
    assert rendered.count(made.nonce) == 2 * len(passages)
    for passage in passages:
        begin, end = (f"<<<{word} passage {passage.number} {made.nonce}>>>" for word in ("begin", "end"))
        _, _, rest = rendered.partition(f"{begin}\n")
        inside, _, _ = rest.partition(f"\n{end}")
        about, _, text = inside.partition("\n\n")
        assert text == passage.text
        assert len(about.splitlines()) == 5


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=300), st.integers(1, 200))
def test_the_budget_is_kept(text: str, budget: int) -> None:
    if not text.strip():
        return
    document = Document(id="a.txt", source="a.txt", media_type="text/plain", text=text)
    made = context_of([document], hits_of((document, document.text)), budget=budget)
    assert TokenCounter().count(made.fenced()) <= budget
