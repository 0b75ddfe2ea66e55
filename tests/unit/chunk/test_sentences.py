from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.documents import markdown_documents, plain_documents

from pincite import catalogue
from pincite.chunk.sentences import SentenceChunker, sentence_borders
from pincite.errors import UnknownNameError, UsageError
from pincite.model import Block, Chunk, Document, Source, Span


def document(text: str, **metadata: str) -> Document:
    blocks = (Block("paragraph", Span(0, len(text))),) if text.strip() else ()
    return Document(id="a.txt", source="a.txt", media_type="text/plain", text=text, blocks=blocks, metadata=metadata)


def markdown(text: str) -> Document:
    made: Document = catalogue.create("load", "markdown").load(Source("a.md", text.encode()))
    return made


def cut(made: Document, *, size: int, overlap: int = 0, counter: str = "words") -> list[Chunk]:
    chunker = SentenceChunker(max_tokens=size, overlap_tokens=overlap, counter=counter)
    return list(chunker.chunk(made))


def texts(text: str, *, size: int, overlap: int = 0, counter: str = "words") -> list[str]:
    return [chunk.text for chunk in cut(document(text), size=size, overlap=overlap, counter=counter)]


def sentences_of(made: Document) -> list[str]:
    borders = [made.body_start, *sentence_borders(made, made.body_start, len(made.text)), len(made.text)]
    return [made.text[start:end].strip() for start, end in pairwise(borders)]


@pytest.mark.parametrize(
    ("text", "size", "overlap", "expected"),
    [
        ("", 2, 0, []),
        (" \n\n ", 2, 0, []),
        ("We row. You rest. He eats.", 4, 0, ["We row. You rest.", "He eats."]),
        ("We row. You rest. He eats.", 5, 0, ["We row. You rest.", "He eats."]),
        ("We row. You rest. He eats.", 4, 2, ["We row. You rest.", "You rest. He eats."]),
        (
            "We row. You rest. He eats.",
            5,
            3,
            ["We row. You rest.", "You rest. He eats."],
        ),  # one sentence, not one and a half
        ("We row. You rest now. He eats too much.", 5, 4, ["We row. You rest now.", "He eats too much."]),  # no room
        ("One. Two three four five. Six.", 3, 0, ["One.", "Two three four", "five. Six."]),  # the rest goes on
        ("One, two three. Four.", 2, 0, ["One,", "two three.", "Four."]),
        ("One, two three four, five. Six.", 3, 2, ["One,", "two three four,", "five. Six."]),
        ("\n\n  We row.\n\n\n", 2, 0, ["We row."]),
    ],
)
def test_sentences_are_packed_whole(text: str, size: int, overlap: int, expected: list[str]) -> None:
    assert texts(text, size=size, overlap=overlap) == expected


def test_blanks_around_a_chunk_do_not_count() -> None:
    assert texts("Abc.  Def.   ", size=4, counter="characters") == ["Abc.", "Def."]
    assert texts("Abc. Def.   Ghi.", size=9, counter="characters") == ["Abc. Def.", "Ghi."]


def test_a_word_over_the_limit_is_cut_between_clusters() -> None:
    assert texts("Go abcdefgh now. Yes.", size=3, counter="characters") == [
        "Go",
        "abc",
        "def",
        "gh",
        "now",
        ".",
        "Yes",
        ".",
    ]
    assert texts("e\u0301\u0323e\u0301.", size=2, counter="characters") == ["e\u0301\u0323", "e\u0301", "."]


def test_a_sentence_over_the_limit_is_cut_at_clauses_first() -> None:
    text = "When the tide turns, all boats leave; those that stay, stay until the night."
    expected = ["When the tide turns,", "all boats leave;", "those that stay,", "stay until the night."]
    assert texts(text, size=5) == expected


def test_no_part_of_a_sentence_is_repeated() -> None:
    chunks = cut(document("One two, three four, five six, seven eight. Nine."), size=4, overlap=3)
    assert [chunk.text for chunk in chunks] == ["One two, three four,", "five six, seven eight.", "Nine."]


def test_a_sentence_that_does_not_fit_beside_the_overlap_goes_without() -> None:
    three = [f"{name} {'very ' * 8}late." for name in ("One", "Two", "Three")]
    assert texts(" ".join(three), size=10, overlap=9) == three


def test_blocks_end_sentences_however_they_end() -> None:
    made = markdown(
        "---\ntitle: x\n---\n\n# On top\n\nText one. Text\ntwo\n- item\n  goes on. More\n  - deep\n\n  again\n\n"
        "| a | b |\n|---|---|\n| 1. Row. Yes | 2 |\n| 3 | 4 |\n\n```\n# One. Two\n\nthree\n```\n\nEnd\n===\nLast"
    )
    assert sentences_of(made) == [
        "# On top",
        "Text one.",
        "Text\ntwo",
        "- item\n  goes on.",
        "More",
        "- deep",
        "again",
        "| a | b |\n|---|---|",
        "| 1. Row.",
        "Yes | 2 |",
        "| 3 | 4 |",
        "```",
        "# One. Two",
        "three",
        "```",
        "End\n===",
        "Last",
    ]


def test_code_inside_code_and_text_behind_a_block_are_found() -> None:
    text = "def f():\r\n  def g():\r\n    x\r\nText. More.\r\rEnd"
    inner = Block("code", Span(12, 27))
    blocks = (Block("code", Span(0, 27)), inner, Block("quote", Span(29, 40)), Block("paragraph", Span(29, 34)))
    made = Document(id="a", source="a", media_type="text/plain", text=text, blocks=blocks)
    assert sentences_of(made) == ["def f():", "def g():", "x", "Text.", "More.", "End"]


def test_lines_that_end_with_a_carriage_return() -> None:
    made = Document(
        id="a",
        source="a",
        media_type="text/plain",
        text="Head\rText goes\ron",
        blocks=(Block("heading", Span(0, 4), 1, "Head"), Block("paragraph", Span(5, 17))),
    )
    assert sentences_of(made) == ["Head", "Text goes\ron"]


def test_the_language_of_the_document_decides() -> None:
    text = "Das war am 3. Oktober war es kalt."
    assert len(sentences_of(document(text, language="de"))) == 1
    assert len(sentences_of(document(text, language="en"))) == 2


@pytest.mark.parametrize("options", [{"max_tokens": 0}, {"overlap_tokens": 400}, {"overlap_tokens": -1}])
def test_impossible_options_are_refused_at_once(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="_tokens"):
        SentenceChunker(**options)
    with pytest.raises(UsageError):
        catalogue.create("chunk", "sentences", options)


def test_an_unknown_counter_is_refused_at_once() -> None:
    with pytest.raises(UnknownNameError, match="o200k_base"):
        SentenceChunker(counter="syllables")


@given(
    st.one_of(plain_documents, markdown_documents),
    st.sampled_from((3, 8, 20, 60)),
    st.sampled_from((0, 1, 3, 7, 19)),
    st.sampled_from(("o200k_base", "words", "characters", "use")),
)
def test_chunks_begin_and_end_with_sentences_wherever_they_can(
    made: Document, size: int, overlap: int, counter: str
) -> None:
    count = catalogue.create("counter", counter).count
    overlap = min(overlap, size - 1)
    chunks = cut(made, size=size, overlap=overlap, counter=counter)
    spans = _sentence_spans(made)
    fitting = [span for span in spans if count(span.of(made.text)) <= size]
    for chunk in chunks:
        for span in fitting:
            assert not span.start < chunk.span.start < span.end
            assert not span.start < chunk.span.end < span.end
    for left, right in pairwise(chunks):
        assert left.span.end < right.span.end, "a chunk lies inside the one before"
        if right.span.start < left.span.end:
            assert right.span.start in {span.start for span in spans}
            assert count(made.text[right.span.start : left.span.end]) <= overlap


def _sentence_spans(made: Document) -> list[Span]:
    borders = [made.body_start, *sentence_borders(made, made.body_start, len(made.text)), len(made.text)]
    spans = []
    for begin, end in pairwise(borders):
        part = made.text[begin:end]
        assert part.strip() or len(borders) == 2, "a sentence is blank"
        if part.strip():
            start = begin + len(part) - len(part.lstrip())
            spans.append(Span(start, start + len(part.strip())))
    return spans
