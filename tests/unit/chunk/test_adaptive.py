"""``adaptive``: where it cuts, how it explains that, and that a long document is cut like a short one."""

from __future__ import annotations

import json
import time
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.documents import markdown_document, markdown_documents, plain_documents

from pincite import catalogue
from pincite.chunk.adaptive import AdaptiveChunker
from pincite.chunk.cells import CellBorder
from pincite.chunk.packing import Packing
from pincite.chunk.portions import PORTION_CELLS, Portions
from pincite.chunk.weighing import Weights, cut_cost, kept_cost
from pincite.errors import UnknownNameError, UsageError
from pincite.model import Chunk, Document
from pincite.ports import ExplainedCut

PROSE = "The lamp turns red when the battery is low, and green once it is full."  # 15 words
CODE = "```\nlamp = battery.level()\nlamp.turn(red if lamp.low else green)\nlamp.wait()\n```"


def make(**options: Any) -> AdaptiveChunker:
    chunker: AdaptiveChunker = catalogue.create("chunk", "adaptive", {"counter": "words", **options})
    return chunker


def cut(text: str, **options: Any) -> list[Chunk]:
    return list(make(**options).chunk(markdown_document(text)))


def explain(text: str, **options: Any) -> list[ExplainedCut]:
    return list(make(**options).explain(markdown_document(text)))


def texts(text: str, **options: Any) -> list[str]:
    return [chunk.text for chunk in cut(text, **options)]


def test_cuts_before_headings_rather_than_at_the_preferred_size() -> None:
    text = f"# T\n\n{PROSE}\n\n{PROSE}\n\n## A\n\n{PROSE}\n\n{PROSE} {PROSE}\n"
    chunks = texts(text, max_tokens=80, preferred_tokens=40)
    assert [chunk.split("\n")[0] for chunk in chunks] == ["# T", "## A"]


def test_text_stays_with_the_code_that_it_announces() -> None:
    text = f"# T\n\n{PROSE}\n\n{PROSE}\n\nDo it like this:\n\n{CODE}\n\n{PROSE}\n\n{PROSE}\n"
    for size in (35, 40, 45, 50):
        chunks = texts(text, max_tokens=size + 15, preferred_tokens=size)
        assert len(chunks) > 1
        assert not any(chunk.endswith("this:") for chunk in chunks)


def test_a_picture_stays_with_what_it_shows() -> None:
    text = f"{PROSE}\n\n{PROSE}\n\n![The lamp](lamp.png)\n\n{PROSE}\n\n{PROSE}\n"
    chunks = texts(text, max_tokens=50, preferred_tokens=31)
    assert [chunk.endswith("(lamp.png)") for chunk in chunks] == [True, False]


def test_a_paragraph_is_cut_between_sentences_only_where_it_must_be() -> None:
    paragraph = " ".join([PROSE] * 3)
    assert texts(f"{paragraph}\n\n{paragraph}\n", max_tokens=50) == [paragraph, paragraph]
    assert texts(f"{paragraph}\n", max_tokens=40) == [PROSE, f"{PROSE} {PROSE}"]


def test_no_orphan_is_left_behind() -> None:
    text = "# T\n\n" + f"{PROSE}\n\n" * 4 + "See the rest.\n"
    assert min(chunk.tokens for chunk in cut(text, max_tokens=63, preferred_tokens=50)) > 20


def test_small_sections_join_the_closest_relations() -> None:
    long = f"{PROSE} {PROSE} {PROSE}"
    text = f"# T\n\n## A\n\n{long}\n\n## B\n\n{PROSE}\n\n### B1\n\n{PROSE}\n\n## C\n\n{long}\n"
    chunks = cut(text, max_tokens=80, preferred_tokens=50)
    assert [chunk.headings for chunk in chunks] == [("T", "A"), ("T", "B"), ("T", "C")]


def test_cuts_where_the_subject_changes() -> None:
    boat = (
        "The boat has two sails and a motor.\n\nSailors check the sails of the boat.\n\nThe boat leaves the pier.\n\n"
    )
    bread = "Knead the dough for the bread.\n\nThe dough rests by the oven.\n\nBake the bread in the hot oven.\n"
    options = {"max_tokens": 36, "preferred_tokens": 20}
    assert texts(boat + bread, **options) == [boat.strip(), bread.strip()]
    assert texts(boat + bread, embedder="hashing", **options) == [boat.strip(), bread.strip()]


def test_weights_of_zero_leave_the_other_parts() -> None:
    text = f"# T\n\n## A\n\n{PROSE}\n\n## B\n\n{PROSE} {PROSE}\n"
    by_size = cut(text, max_tokens=60, preferred_tokens=30, border_weight=0, cohesion_weight=0)
    assert [chunk.tokens for chunk in by_size] == [19, 33]
    by_border = cut(text, max_tokens=60, size_weight=0, cohesion_weight=0)
    assert [chunk.headings for chunk in by_border] == [("T", "A"), ("T", "B")]


def test_without_any_cost_chunks_are_as_long_as_they_may_be() -> None:
    options = {"border_weight": 0, "size_weight": 0, "cohesion_weight": 0}
    assert len(cut(f"{PROSE}\n\n" * 4, max_tokens=31, **options)) == 2


def test_blank_documents_have_neither_chunks_nor_cuts() -> None:
    assert cut(" \n") == []
    assert explain(" \n") == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"max_tokens": 0}, "max_tokens is at least 1"),
        ({"max_tokens": 5, "preferred_tokens": 6}, "preferred_tokens lies between 1 and max_tokens"),
        ({"preferred_tokens": 0}, "preferred_tokens lies between"),
        ({"border_weight": -1}, "border_weight lies between"),
        ({"size_weight": float("nan")}, "size_weight lies between"),
        ({"cohesion_weight": 101}, "cohesion_weight lies between"),
    ],
)
def test_impossible_options_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        make(**options)


def test_an_unknown_embedder_is_refused_before_any_work() -> None:
    with pytest.raises(UnknownNameError, match="no embedder is called 'wishes'"):
        make(embedder="wishes")


def test_figures_of_borders() -> None:
    worse = [
        CellBorder("heading", 2),
        CellBorder("heading", 4),
        CellBorder("block", before="code", after="paragraph", blank=True),
        CellBorder("block", before="paragraph", after="code", blank=True),
        CellBorder("item", 1),
        CellBorder("item", 3),
        CellBorder("block", before="paragraph", after="code", blank=True, leads=True),
        CellBorder("inside"),
        CellBorder("text"),
    ]
    costs = [cut_cost(border) for border in worse]
    assert costs == sorted(costs)
    assert len(set(costs)) == len(costs)
    plain = CellBorder("block", before="paragraph", after="paragraph", blank=True)
    assert cut_cost(plain) < cut_cost(plain._replace(blank=False)) < cut_cost(plain._replace(after="picture"))
    assert cut_cost(CellBorder("item", 99)) == cut_cost(CellBorder("item", 5))
    assert [kept_cost(CellBorder("heading", level)) for level in (2, 3, 5)] == [0.6, 0.3, 0.15]


def test_a_cut_tells_its_costs_and_what_it_was_better_than() -> None:
    text = f"# T\n\n{PROSE}\n\n{PROSE}\n\n## A\n\n{PROSE}\n\n{PROSE}\n"
    chunks = cut(text, max_tokens=60, preferred_tokens=35)
    (why,) = explain(text, max_tokens=60, preferred_tokens=35)
    assert (why.offset, why.kind) == (chunks[1].span.start, "heading")
    assert list(why.costs) == ["border", "across", "size", "inside"]
    assert why.costs["border"] == 0
    other = why.alternative
    assert other
    assert (other.offset, other.kind) == (None, "") or text[other.offset :].startswith("The lamp")
    assert other.lost_by == pytest.approx(sum(other.costs.values()) - sum(why.costs.values()), abs=5e-4)
    assert other.lost_by > 0


def test_one_chunk_of_both_may_be_the_alternative() -> None:
    (why,) = explain(f"# T\n\n## A\n\n{PROSE}\n\n## B\n\n{PROSE}\n", max_tokens=60, preferred_tokens=18)
    assert why.alternative
    assert (why.alternative.offset, why.alternative.kind) == (None, "")
    assert why.alternative.costs["inside"] >= 0.6


def test_outermost_headings_leave_no_choice() -> None:
    (why,) = explain("# A\n\nOne.\n\n# B\n\nTwo.\n")
    assert why.to_json() == {"offset": 11, "kind": "heading", "costs": {}, "alternative": None}


def test_two_cells_too_large_for_one_chunk_have_no_alternative() -> None:
    (why,) = explain(f"{CODE}\n\n{CODE}\n", max_tokens=15)
    assert why.kind == "block"
    assert why.costs
    assert why.alternative is None


def test_tokens_that_do_not_add_up_are_a_reason() -> None:
    """Thai writes no blanks, so that tokens reach over every cut."""
    text = "ก็ดี" * 20
    options = {"counter": "o200k_base", "border_weight": 0, "size_weight": 0, "cohesion_weight": 0}
    found: set[str] = set()
    for size in range(2, 12):
        chunks, whys = cut(text, max_tokens=size, **options), explain(text, max_tokens=size, **options)
        assert [why.offset for why in whys] == [chunk.span.start for chunk in chunks[1:]]
        assert all(why.alternative is None for why in whys if why.kind == "limit")
        found |= {why.kind for why in whys}
    assert found == {"inside", "limit"}


@given(
    document=st.one_of(markdown_documents, plain_documents),
    max_tokens=st.sampled_from((2, 5, 13, 40)),
    cohesion=st.sampled_from((0, 1)),
)
def test_every_border_is_explained(document: Document, max_tokens: int, cohesion: int) -> None:
    chunker = make(max_tokens=max_tokens, cohesion_weight=cohesion)
    whys = list(chunker.explain(document))
    assert [why.offset for why in whys] == [chunk.span.start for chunk in list(chunker.chunk(document))[1:]]
    for why in whys:
        assert json.loads(json.dumps(why.to_json()))["offset"] == why.offset
        if why.alternative:
            assert why.alternative.lost_by == pytest.approx(
                max(0.0, sum(why.alternative.costs.values()) - sum(why.costs.values())), abs=1e-3
            )
            assert why.alternative.offset != why.offset


def portioned(text: str, weights: Weights, *, portion_cells: int, max_tokens: int = 60) -> list[int]:
    """Where chunks begin, in cells' offsets, with portions of that size; what is in common is that of the whole."""
    packing = Packing(markdown_document(text), catalogue.create("counter", "words"), max_tokens=max_tokens)
    portions = Portions(packing, weights, preferred=max_tokens // 2, embedder="", portion_cells=portion_cells)
    whole = Portions(packing, weights, preferred=max_tokens // 2, embedder="")
    if weights.cohesion:
        [portion] = list(whole)
        whole.vectors(portion.cells)
        portions.common = whole.common
    packing = Packing(markdown_document(text), catalogue.create("counter", "words"), max_tokens=max_tokens)
    portions.packing = packing
    return [portion.cells[first].span.start for portion in portions for first in portion.cuts[:-1]]


@pytest.mark.parametrize("cohesion", [0.0, 1.0])
def test_pages_are_cut_as_the_whole_document_is(cohesion: float) -> None:
    words = PROSE.split()
    sections = []
    for number in range(60):
        size = 3 + number * 7 % 11
        body = "\n\n".join(
            " ".join(words[number * 3 % 9 :][:size]).capitalize() + "." for _ in range(1 + number * 5 % 8)
        )
        sections.append(f"{'#' * (2 + number % 2)} Part {number}\n\n{body}")
    text = "# All\n\n" + "\n\n".join(sections) + "\n"
    weights = Weights(1.0, 1.0, cohesion)
    expected = portioned(text, weights, portion_cells=PORTION_CELLS)
    assert len(expected) > 40
    for portion_cells in (1, 10, 33, 80):
        assert portioned(text, weights, portion_cells=portion_cells) == expected


def test_text_that_repeats_itself_is_settled_without_reading_it_all() -> None:
    text = "So it is here. " * 3_000
    packing = Packing(markdown_document(text), catalogue.create("counter", "words"), max_tokens=40)
    sizes = [
        len(portion.cells)
        for portion in Portions(packing, Weights(1, 1, 1), preferred=20, embedder="", portion_cells=200)
    ]
    assert len(sizes) > 10
    assert max(sizes) < 500


def test_pages_grow_to_several_chunks() -> None:
    text = f"{PROSE}\n\n" * 300
    packing = Packing(markdown_document(text), catalogue.create("counter", "words"), max_tokens=600)
    portions = list(Portions(packing, Weights(1, 1, 1), preferred=300, embedder="", portion_cells=8))
    assert 5 < sum(len(portion.cuts) - 1 for portion in portions) < 16
    assert len({cell.span for portion in portions for cell in portion.cells}) == 300


def test_a_document_of_several_pages_keeps_its_text() -> None:
    text = "".join(f"# Part {number}\n\n{PROSE}\n\n" for number in range(PORTION_CELLS + 100))
    chunks = cut(text)
    assert len(chunks) == PORTION_CELLS + 100
    assert all(earlier.span.end + 2 == later.span.start for earlier, later in pairwise(chunks))


@pytest.mark.soak
@pytest.mark.parametrize("part", ["So it is. Or not! ", "- a\n", f"## A\n\n{PROSE}\n\n", "x\n\n"])
def test_cost_is_in_proportion(part: str) -> None:
    seconds = []
    for characters in (100_000, 400_000):
        document = markdown_document(part * (characters // len(part)))
        start = time.process_time()
        assert list(make(counter="o200k_base").chunk(document))
        seconds.append(time.process_time() - start)
    assert seconds[1] < 4 * 1.5 * seconds[0]
