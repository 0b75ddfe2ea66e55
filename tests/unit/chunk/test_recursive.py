from __future__ import annotations

import time
import tracemalloc
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.property.documents import plain_documents

from pincite import catalogue
from pincite.chunk.recursive import RecursiveChunker
from pincite.errors import UnknownNameError, UsageError
from pincite.model import Block, Chunk, Document, Span


def document(text: str) -> Document:
    blocks = (Block("paragraph", Span(0, len(text))),) if text.strip() else ()
    return Document(id="a.txt", source="a.txt", media_type="text/plain", text=text, blocks=blocks)


def cut(text: str, *, size: int, overlap: int = 0, counter: str = "characters", **options: Any) -> list[Chunk]:
    chunker = RecursiveChunker(max_tokens=size, overlap_tokens=overlap, counter=counter, **options)
    return list(chunker.chunk(document(text)))


def texts(text: str, **options: Any) -> list[str]:
    return [chunk.text for chunk in cut(text, **options)]


@pytest.mark.parametrize(
    ("text", "size", "overlap", "expected"),
    [
        ("", 5, 0, []),
        (" \n\n ", 2, 0, []),
        ("all of it", 9, 0, ["all of it"]),
        ("one\n\ntwo\n\nsix", 9, 0, ["one\n\ntwo", "six"]),  # "\n\ntwo" counts with its separator: 3 + 5 <= 9
        ("one\n\ntwo\n\nsix", 7, 0, ["one", "two", "six"]),
        ("one\ntwo\n\nsix", 7, 0, ["one\ntwo", "six"]),
        ("one two\n\nsix", 5, 0, ["one", "two", "six"]),  # what is cut finer is not joined to what is not
        ("abcdefg hi", 3, 0, ["abc", "def", "g", "hi"]),
        ("one two six ten", 8, 4, ["one two", "two six", "six ten"]),
        ("one two three", 8, 4, ["one two", "three"]),  # nothing is repeated beside which the next piece has no room
        ("a b c d e f", 5, 2, ["a b c", "c d", "d e", "e f"]),  # " c" is two: only one piece is repeated
        ("abcdef", 4, 2, ["abcd", "cdef"]),
        ("\n\n\nab", 2, 0, ["a", "b"]),  # "\nab" counts three: blanks count where they stand
    ],
)
def test_pieces_are_joined_up_to_the_limit(text: str, size: int, overlap: int, expected: list[str]) -> None:
    assert texts(text, size=size, overlap=overlap) == expected


@pytest.mark.parametrize(
    ("separators", "keep", "expected"),
    [
        (("|", ""), "start", ["ab", "|cd", "|ef"]),
        (("|", ""), "end", ["ab|", "cd|", "ef"]),
        (("x",), "start", ["ab|", "cd|", "ef"]),  # without a separator that helps the limit still holds
        ((), "start", ["ab|", "cd|", "ef"]),
        (("b", "|"), "end", ["ab", "|", "cd|", "ef"]),
        (("d|", "|"), "start", ["ab", "|c", "d", "|ef"]),
    ],
)
def test_separators_stay_where_they_are_told_to(separators: tuple[str, ...], keep: str, expected: list[str]) -> None:
    assert texts("ab|cd|ef", size=3, separators=separators, keep_separator=keep) == expected


def test_separators_may_come_as_a_list() -> None:
    chunker = catalogue.create("chunk", "recursive", {"separators": ["|", " "], "max_tokens": 3, "counter": "words"})
    assert chunker == RecursiveChunker(separators=("|", " "), max_tokens=3, counter="words")


@pytest.mark.parametrize(
    ("text", "size", "expected"),
    [
        ("ab\r\ncd", 3, ["ab", "cd"]),
        ("\r\n\r\nab\r\n", 1, ["a", "b"]),
        ("ab \u0301c d", 5, ["ab \u0301c", "d"]),  # the blank is the base of an accent, so it stays
        ("\u0600 ab", 2, ["\u0600 ", "ab"]),  # the blank belongs to the number sign
        ("\u0600 \u0600 \u0600 a b", 4, ["\u0600 \u0600 ", "\u0600 a", "b"]),
        ("e\u0301\u0323x", 2, ["e\u0301\u0323", "x"]),
        ("👩\u200d🌾👩\u200d🌾", 4, ["👩\u200d🌾", "👩\u200d🌾"]),
    ],
)
def test_no_cluster_is_cut(text: str, size: int, expected: list[str]) -> None:
    assert texts(text, size=size) == expected


def test_of_chunks_that_begin_at_one_place_the_longer_is_left() -> None:
    # Pieces "ab", "\n", "\ncd", "\nef": the second and third chunk are "\n\ncd" and "\ncd\nef" with their blanks.
    assert texts("ab\n\ncd\nef", size=6, overlap=5, separators=("\n",)) == ["ab\n\ncd", "cd\nef"]
    assert texts("  ab   cd", size=5, overlap=4) == ["ab", "cd"]  # "  ab " and " ab  "


def test_chunks_of_tokens_are_as_long_as_they_count_whole() -> None:
    counter = catalogue.create("counter", "o200k_base")
    text = "Internationalisation is a long word; unbelievably so. " * 30
    chunks = cut(text, size=40, counter="o200k_base")
    assert all(chunk.tokens == counter.count(chunk.text) <= 40 for chunk in chunks)
    assert sum(chunk.tokens for chunk in chunks) / len(chunks) > 37


def test_letters_without_a_blank_are_cut_by_tokens_not_by_letters() -> None:
    chunks = cut("international" * 40, size=10, counter="o200k_base")
    assert "".join(chunk.text for chunk in chunks) == "international" * 40
    assert max(chunk.tokens for chunk in chunks) <= 10
    assert len(chunks) < 10  # 520 letters


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        ("a bc d e f", {"size": 3}, ["a bc d", "e f"]),
        ("a b-c d-e f", {"size": 3, "separators": ("-", " ", "")}, ["a b", "-c d", "-e f"]),
        ("a b c d", {"size": 3, "overlap": 1}, ["a b c", "c d"]),
        ("a b c d", {"size": 3, "overlap": 2}, ["a b c", "b c d"]),
        ("abc", {"size": 3, "counter": "characters", "separators": ("|",)}, ["abc"]),
        ("abcd", {"size": 3, "counter": "characters", "separators": ("|",)}, ["abc", "d"]),  # the limit holds
        ("one two\n\nsix", {"size": 2, "separators": ("\n\n",)}, ["one two", "six"]),
        ("one two\n\nsix", {"size": 2, "separators": ("\n\n", "")}, ["on", "e t", "wo", "six"]),  # a finer level
        (" \n\n ", {"size": 2}, []),
    ],
)
def test_pieces_counted_alone(text: str, options: dict[str, Any], expected: list[str]) -> None:
    options = {"counter": "words", **options}
    assert texts(text, count_pieces="alone", **options) == expected


def test_pieces_counted_alone_fill_a_chunk_less() -> None:
    text = "One.\n\n" * 50  # the mark and the blank line are one token together
    options: dict[str, Any] = {"size": 20, "counter": "o200k_base"}
    assert len(texts(text, count_pieces="alone", **options)) > len(texts(text, **options))


def test_what_is_over_the_limit_whole_is_cut_again() -> None:
    """A word has more tokens where the blank in front of it is left out."""
    count = catalogue.create("counter", "o200k_base").count
    text = " geothermal" * 12
    assert count(text[1:]) == count(text) + 1 == 13
    chunks = cut(text, size=6, counter="o200k_base", count_pieces="alone")
    assert all(chunk.tokens == count(chunk.text) <= 6 for chunk in chunks)
    assert "".join(chunk.text for chunk in chunks).count("geothermal") == 12


def test_front_matter_is_left_out() -> None:
    text = "---\na: b\n---\nbody text"
    blocks = (Block("metadata", Span(0, 13)), Block("paragraph", Span(13, 22)))
    front = Document(id="a.md", source="a.md", media_type="text/markdown", text=text, blocks=blocks)
    assert [chunk.text for chunk in RecursiveChunker().chunk(front)] == ["body text"]


@pytest.mark.parametrize(
    "options",
    [
        {"max_tokens": 0},
        {"max_tokens": 5, "overlap_tokens": 5},
        {"max_tokens": 5, "overlap_tokens": -1},
        {"separators": ("", "\n")},
    ],
)
def test_impossible_options_are_refused_at_once(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"_tokens|separator"):
        RecursiveChunker(**options)
    with pytest.raises(UsageError):
        catalogue.create("chunk", "recursive", options)


def test_an_unknown_counter_is_refused_at_once() -> None:
    with pytest.raises(UnknownNameError, match="o200k_base"):
        RecursiveChunker(counter="syllables")


@given(
    plain_documents, st.sampled_from((8, 20, 50)), st.integers(1, 7), st.sampled_from(("o200k_base", "words", "use"))
)
def test_no_more_is_repeated_than_was_allowed(text: Document, size: int, overlap: int, counter: str) -> None:
    count = catalogue.create("counter", counter).count
    chunks = list(RecursiveChunker(max_tokens=size, overlap_tokens=overlap, counter=counter).chunk(text))
    for left, right in pairwise(chunks):
        assert count(text.text[right.span.start : max(left.span.end, right.span.start)]) <= overlap


# The baseline: LangChain's splitter, where it is installed.


def baseline(text: str, *, size: int, overlap: int, **options: Any) -> list[str]:
    """Its chunks without those that are blank; it leaves blanks at the ends of a chunk of a single piece."""
    peer = pytest.importorskip("langchain_text_splitters", reason="langchain-text-splitters is not installed")
    splitter = peer.RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=overlap, **options)
    return [chunk.strip() for chunk in splitter.split_text(text) if chunk.strip()]


def counted(counter: str, text: str, *, size: int, overlap: int = 0, **options: Any) -> list[str]:
    count = catalogue.create("counter", counter).count
    return baseline(text, size=size, overlap=overlap, length_function=count, **options)


def longest_from_each_start(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    result: list[tuple[int, int]] = []
    for start, end in spans:
        if result and result[-1][0] == start:
            end = max(end, result.pop()[1])
        result.append((start, end))
    return result


blanks = st.sampled_from((" ", " ", "  ", "\n", "\n\n", "\n\n\n", "\n\n\n\n", "\t", " \n", "\n "))
runs = st.one_of(blanks, st.integers(1, 4), st.integers(1, 40))


@given(
    st.lists(runs, max_size=60),
    st.sampled_from((1, 2, 3, 5, 8, 13, 20, 40, 100)),
    st.integers(0, 99),
    st.sampled_from(("start", "end")),
)
@example(parts=[3, "\n\n", 3, "\n\n\n", 3, " ", 9], size=8, overlap=0, keep="start")
@example(parts=[1, "\n\n", 8], size=8, overlap=3, keep="start")
def test_plain_text_is_cut_as_by_the_baseline(parts: list[Any], size: int, overlap: int, keep: str) -> None:
    """Every letter occurs once, so that a chunk of the baseline, which is a text only, tells where it stands."""
    overlap %= size
    letters = iter(range(0x4E00, 0x9FFF))
    text = "".join(
        part if isinstance(part, str) else "".join(chr(next(letters)) for _ in range(part)) for part in parts
    )
    place = {letter: offset for offset, letter in enumerate(text)}
    expected = [
        (place[chunk[0]], place[chunk[-1]] + 1)
        for chunk in baseline(text, size=size, overlap=overlap, keep_separator=keep)
    ]
    chunks = cut(text, size=size, overlap=overlap, keep_separator=keep)
    assert [(chunk.span.start, chunk.span.end) for chunk in chunks] == longest_from_each_start(expected)


@given(
    st.lists(st.sampled_from(("a", "b", "|", "||", "-", "->", ". ", " ", "\n", "word")), max_size=50).map("".join),
    st.lists(st.sampled_from(("|", "||", "->", ". ", " ", "a", "ab")), min_size=1, max_size=4, unique=True),
    st.sampled_from((2, 5, 9, 20)),
    st.sampled_from(("start", "end")),
)
def test_any_separators_cut_as_in_the_baseline(text: str, separators: list[str], size: int, keep: str) -> None:
    expected = baseline(text, size=size, overlap=0, separators=[*separators, ""], keep_separator=keep)
    ours = texts(text, size=size, separators=(*separators, ""), keep_separator=keep)
    assert ours == expected


words = st.sampled_from(
    (" ", " ", "  ", "\n", "\n\n", ". ", "! ", "-", "word", "geothermal", "Über", "1234", "(x)", "don't")
)


@given(
    st.lists(words, max_size=80).map("".join),
    st.sampled_from(("o200k_base", "words", "characters", "use")),
    st.sampled_from((("\n\n", "\n", ".", "?", "!", " ", ""), ("\n\n", "\n", " ", ""), ("\n\n", " "), ("-",))),
    st.sampled_from((1, 2, 3, 5, 8, 13, 20, 40)),
    st.integers(0, 40),
    st.sampled_from(("start", "end")),
)
@example("don't-don't", "o200k_base", ("-",), 3, 0, "start")
def test_pieces_counted_alone_are_joined_as_by_the_baseline(
    text: str, counter: str, separators: tuple[str, ...], size: int, overlap: int, keep: str
) -> None:
    overlap %= size
    options: dict[str, Any] = {"size": size, "overlap": overlap, "separators": separators, "keep_separator": keep}
    count = catalogue.create("counter", counter).count
    ours = texts(text, counter=counter, count_pieces="alone", **options)
    assert all(count(chunk) <= size or len(chunk) == 1 for chunk in ours)
    expected = counted(counter, text, **{**options, "separators": list(separators)})
    if all(count(chunk) <= size for chunk in expected):
        assert_same_but_for_starts(expected, ours)


@given(plain_documents, st.sampled_from((1, 3, 8, 50)), st.integers(0, 49))
def test_characters_are_as_many_alone_as_together(text: Document, size: int, overlap: int) -> None:
    options: dict[str, Any] = {"max_tokens": size, "overlap_tokens": overlap % size, "counter": "characters"}
    alone = RecursiveChunker(count_pieces="alone", **options)
    assert list(alone.chunk(text)) == list(RecursiveChunker(**options).chunk(text))


@pytest.mark.parametrize(("size", "overlap"), [(400, 0), (200, 0), (400, 200)])
def test_real_documents_are_cut_by_tokens_as_by_the_baseline(shared: Path, size: int, overlap: int) -> None:
    files = sorted((shared / "data/chroma-general/corpus").iterdir())
    separators = ("\n\n", "\n", ".", "?", "!", " ", "")
    for file in files:
        text = file.read_bytes().decode()
        expected = counted("cl100k_base", text, size=size, overlap=overlap, separators=list(separators))
        options = {"counter": "cl100k_base", "separators": separators, "count_pieces": "alone"}
        assert texts(text, size=size, overlap=overlap, **options) == expected


@pytest.mark.parametrize(("size", "overlap"), [(200, 40), (1000, 0), (1000, 200)])
def test_real_documents_are_cut_as_by_the_baseline(shared: Path, size: int, overlap: int) -> None:
    files = sorted((shared / "data").rglob("*.md"))
    assert files
    unlike = 0
    for file in files:
        text = file.read_bytes().decode("utf-8", "replace")
        expected = baseline(text, size=size, overlap=overlap)
        ours = texts(text, size=size, overlap=overlap)
        unlike += ours != expected
        assert_same_but_for_starts(expected, ours)
    assert unlike <= (len(files) // 50 if overlap else 0)


def assert_same_but_for_starts(expected: list[str], ours: list[str]) -> None:
    """The same chunks; left out are only those with which a neighbour begins."""
    index = 0
    for chunk in expected:
        if index < len(ours) and ours[index] == chunk:
            index += 1
            continue
        beside = ours[max(0, index - 1) : index + 1]
        assert any(neighbour.startswith(chunk) for neighbour in beside), f"{chunk!r} is missing near {beside}"
    assert index == len(ours)


# Cost.


HOSTILE = {
    "no blank": "x1y2z3" * 20,
    "blanks": "ab" + " " * 118,
    "blank lines": "\n" * 120,
    "words": "word and " * 13,
    "marks": "e" + "\u0301" * 119,
    "flags": "🇩🇪" * 60,
    "number signs": "\u0600 " * 60,
    "lines": "a\r\n" * 40,
}


def seconds(strategy: str, text: str, options: dict[str, Any]) -> float:
    chunker = catalogue.create("chunk", strategy, options)
    made = document(text)
    started = time.process_time()
    for _ in chunker.chunk(made):
        pass
    return time.process_time() - started


@pytest.mark.parametrize("strategy", ["recursive", "sentences"])
@pytest.mark.parametrize("counter", ["characters", "o200k_base"])
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_takes_time_in_proportion(strategy: str, counter: str, name: str) -> None:
    options = {"counter": counter, "max_tokens": 50, "overlap_tokens": 10}
    assert_time_in_proportion(strategy, name, options)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_counted_by_pieces_takes_time_in_proportion(name: str) -> None:
    options = {"counter": "o200k_base", "max_tokens": 50, "overlap_tokens": 10, "count_pieces": "alone"}
    assert_time_in_proportion("recursive", name, options)


def assert_time_in_proportion(strategy: str, name: str, options: dict[str, Any]) -> None:
    short = min(seconds(strategy, HOSTILE[name] * 40, options) for _ in range(3))
    assert seconds(strategy, HOSTILE[name] * 400, options) <= 40 * short + 0.1  # a hundred times where it is quadratic


@pytest.mark.soak
@pytest.mark.parametrize("strategy", ["recursive", "sentences"])
@pytest.mark.parametrize("counter", ["characters", "o200k_base"])
def test_one_big_document_takes_time_and_memory_in_proportion(strategy: str, counter: str) -> None:
    paragraph = "The lamp is red. It burns, as z. B. Dr. Groß says, all night; nobody knows why.\nRows\n- of lines\n\n"
    options = {"counter": counter, "max_tokens": 300, "overlap_tokens": 40}
    short, long = paragraph * 5_000, paragraph * 50_000
    tenth = min(seconds(strategy, short, options) for _ in range(3))  # first: the encoding is loaded once
    assert seconds(strategy, long, options) <= 14 * tenth
    chunker = catalogue.create("chunk", strategy, options)
    made = document(short)
    tracemalloc.start()
    for _ in chunker.chunk(made):
        pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak <= 12 * len(short.encode())
