from __future__ import annotations

import pytest

from pincite import catalogue
from pincite.chunk.tokens import TokenChunker
from pincite.errors import UnknownNameError, UsageError
from pincite.model import Block, Chunk, Document, Span


def document(text: str) -> Document:
    blocks = (Block("paragraph", Span(0, len(text))),) if text.strip() else ()
    return Document(id="a.txt", source="a.txt", media_type="text/plain", text=text, blocks=blocks)


def cut(text: str, *, size: int, overlap: int = 0, counter: str = "o200k_base") -> list[Chunk]:
    chunker = TokenChunker(max_tokens=size, overlap_tokens=overlap, counter=counter)
    return list(chunker.chunk(document(text)))


@pytest.mark.parametrize(
    ("text", "size", "overlap", "expected"),
    [
        ("", 2, 0, []),
        (" \n", 2, 0, []),
        ("one two three", 2, 0, ["one two ", "three"]),
        ("one two three four", 2, 0, ["one two ", "three four"]),
        ("one two three four five", 3, 1, ["one two three ", "three four five"]),
        ("  one two ", 1, 0, ["  one ", "two "]),
        ("one two three", 2, 1, ["one two ", "two three"]),
    ],
)
def test_windows_of_words(text: str, size: int, overlap: int, expected: list[str]) -> None:
    assert [chunk.text for chunk in cut(text, size=size, overlap=overlap, counter="words")] == expected


def test_windows_end_with_the_first_that_reaches_the_end() -> None:
    chunks = cut("one two three four five six", size=4, overlap=2, counter="words")
    assert [chunk.text for chunk in chunks] == ["one two three four ", "three four five six"]


def test_blanks_at_the_ends_stay_so_that_positions_hold() -> None:
    chunks = cut("The lamp is red. The lamp is out.", size=3)
    assert "".join(chunk.text for chunk in chunks) == "The lamp is red. The lamp is out."
    assert [chunk.tokens for chunk in chunks][:-1] == [3] * (len(chunks) - 1)


def test_a_character_of_several_tokens_is_not_cut() -> None:
    counter = catalogue.create("counter", "o200k_base")
    rare = "𒀱"
    assert counter.count(rare) > 2
    chunks = cut(f"ab{rare}cd{rare}", size=2)
    assert "".join(chunk.text for chunk in chunks) == f"ab{rare}cd{rare}"
    assert all(chunk.tokens <= 2 or chunk.text == rare for chunk in chunks)


def test_a_cluster_over_the_limit_stands_alone_and_nothing_is_lost_behind_it() -> None:
    cluster = "e" + "\u0301\u0323" * 30
    chunks = cut(f"Hello there {cluster} my friend", size=4)
    assert cluster in [chunk.text.strip() for chunk in chunks]
    assert "".join(chunk.text for chunk in chunks) == f"Hello there {cluster} my friend"


def test_a_window_that_counts_more_when_it_is_cut_ends_earlier() -> None:
    # The family is one cluster of many tokens: a border moves from inside it to its start.
    text = "a 👩\u200d👩\u200d👧\u200d👦 b " * 20
    for size in range(12, 40):
        chunks = cut(text, size=size, overlap=size // 3)
        assert max(chunk.tokens for chunk in chunks) <= size
        ends = [0, *(chunk.span.end for chunk in chunks)]
        assert all(chunk.span.start <= end for chunk, end in zip(chunks, ends, strict=False))
        assert ends[-1] == len(text)


def test_front_matter_is_left_out() -> None:
    text = "---\na: b\n---\nbody text"
    blocks = (Block("metadata", Span(0, 13)), Block("paragraph", Span(13, 22)))
    front = Document(id="a.md", source="a.md", media_type="text/markdown", text=text, blocks=blocks)
    assert [chunk.text for chunk in TokenChunker().chunk(front)] == ["body text"]


@pytest.mark.parametrize(("size", "overlap"), [(0, 0), (-1, 0), (5, 5), (5, 9), (5, -1)])
def test_impossible_options_are_refused_at_once(size: int, overlap: int) -> None:
    with pytest.raises(ValueError, match="_tokens"):
        TokenChunker(max_tokens=size, overlap_tokens=overlap)
    with pytest.raises(UsageError):
        catalogue.create("chunk", "tokens", {"max_tokens": size, "overlap_tokens": overlap})


def test_an_unknown_counter_is_refused_at_once() -> None:
    with pytest.raises(UnknownNameError, match="o200k_base"):
        TokenChunker(counter="syllables")
