"""Overlap of ``structure``: whole sentences and items of the same section, never more than asked for."""

from __future__ import annotations

import pytest

from pincite import catalogue
from pincite.chunk.structure import StructureChunker
from pincite.load.markdown import MarkdownLoader
from pincite.model import Chunk, Document, Source


def cut(text: str, **options: object) -> list[Chunk]:
    document: Document = MarkdownLoader().load(Source(path="page.md", data=text.encode()))
    chunker: StructureChunker = catalogue.create("chunk", "structure", {"counter": "words", "min_tokens": 0, **options})
    return list(chunker.chunk(document))


def test_the_last_sentences_are_repeated_where_a_section_is_cut() -> None:
    text = "# Boats\n\nOne is red. Two is blue. Three is green. Four is black.\n"
    chunks = cut(text, max_tokens=9, overlap_tokens=3)
    assert [(chunk.prefix, chunk.text, chunk.tokens) for chunk in chunks] == [
        ("", "# Boats\n\nOne is red. Two is blue.", 8),
        ("Boats", "Two is blue. Three is green.", 7),
        ("Boats", "Three is green. Four is black.", 7),
    ]


def test_paragraphs_before_the_cut_are_repeated_from_a_sentence_on() -> None:
    chunks = cut("Up we go. Down we go.\n\nLeft.\n\nRight is where we end today.\n", max_tokens=10, overlap_tokens=4)
    assert [chunk.text for chunk in chunks] == [
        "Up we go. Down we go.\n\nLeft.",
        "Down we go.\n\nLeft.\n\nRight is where we end today.",
    ]


def test_nothing_is_repeated_over_a_heading() -> None:
    text = "# A\n\nOne two three four.\n\n# B\n\nFive six seven eight.\n"
    assert [chunk.text for chunk in cut(text, max_tokens=7, overlap_tokens=4)] == [
        "# A\n\nOne two three four.",
        "# B\n\nFive six seven eight.",
    ]


def test_less_is_repeated_where_the_chunk_would_be_over_the_limit() -> None:
    text = "One two. Three four. Five six seven eight nine ten.\n"
    chunks = cut(text, max_tokens=6, overlap_tokens=5)
    assert [chunk.text for chunk in chunks] == ["One two. Three four.", "Five six seven eight nine ten."]


def test_whole_items_are_repeated_and_an_item_inside_one_never_alone() -> None:
    text = "- one a\n- two b\n  - deep c\n- three d\n- four e\n"
    chunks = cut(text, max_tokens=12, overlap_tokens=4)
    assert [chunk.text for chunk in chunks] == ["- one a\n- two b\n  - deep c\n- three d", "- three d\n- four e"]


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("Look here now.\n\n```\nrow a b\n```\n\nAfter it all ends.\n", "```\nrow a b\n```\n\nAfter it all ends."),
        ("```\na b c\n\nd e f\n\ng h i\n```\n", "g h i\n```"),
        ("| a | b |\n|---|---|\n| 1 2 3 | 4 |\n| 5 6 7 8 9 | 8 |\n", "| 5 6 7 8 9 | 8 |"),
    ],
)
def test_code_is_repeated_whole_or_not_at_all_and_nothing_inside_code_or_tables(text: str, last: str) -> None:
    chunks = cut(text, max_tokens=10, overlap_tokens=5)
    assert len(chunks) > 1
    assert chunks[-1].text == last


def test_starts_always_rise() -> None:
    chunks = cut("One up. Two up. Six up. Ten up. All up.\n", max_tokens=6, overlap_tokens=4)
    starts = [chunk.span.start for chunk in chunks]
    assert starts == sorted(set(starts))
    assert chunks[1].text == "Two up. Six up. Ten up."
