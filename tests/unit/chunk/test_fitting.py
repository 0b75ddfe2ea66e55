"""Chunks fitted to an embedder's own limit, by named cases; the invariants are in the property tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
from tests.property.embedders import LimitedEmbedder

from pincite import catalogue
from pincite.chunk.fitting import OwnTokens, fitted, over_limit
from pincite.errors import LoadError
from pincite.model import Block, Chunk, Document, Source, Span
from pincite.ports import Vector, Vectors

WORDS = catalogue.create("counter", "words")


def load(text: str, name: str = "page.md") -> Document:
    loader = "code" if name.endswith(".py") else "markdown"
    document: Document = catalogue.create("load", loader).load(Source(name, text.encode()))
    return document


def cut(document: Document, strategy: str = "structure", **options: Any) -> list[Chunk]:
    return list(catalogue.create("chunk", strategy, {"counter": "words", "max_tokens": 99, **options}).chunk(document))


def fit(document: Document, chunks: list[Chunk], max_tokens: int, **options: Any) -> list[tuple[str, str]]:
    options = {"counter": WORDS, "heading_prefix": "path", **options}
    parts = fitted(document, chunks, LimitedEmbedder(max_tokens=max_tokens), **options)
    return [(part.prefix, part.text) for part in parts]


def test_which_chunks_are_over_the_limit() -> None:
    chunks = cut(load("# A\n\nOne two.\n\n# B\n\nThree four five six.\n"))
    assert [chunk.tokens for chunk in chunks] == [4, 6]
    assert [(over.chunk.number, over.tokens) for over in over_limit(chunks, LimitedEmbedder(max_tokens=5))] == [(2, 6)]
    assert [over.tokens for over in over_limit(chunks, LimitedEmbedder(max_tokens=5), head="v: 1")] == [6, 8]
    assert over_limit(chunks, LimitedEmbedder(max_tokens=6)) == []
    assert over_limit(chunks, LimitedEmbedder(max_tokens=None)) == []


def test_what_fits_is_left_alone() -> None:
    document = load("# A\n\nOne two.\n\n# B\n\nThree four. Five six. Seven eight.\n")
    chunks = cut(document)
    assert fitted(document, chunks, LimitedEmbedder(max_tokens=99), counter=WORDS) == chunks
    parts = fitted(document, chunks, LimitedEmbedder(max_tokens=6), counter=WORDS, heading_prefix="path")
    assert parts[0] == chunks[0]
    assert [part.number for part in parts] == [1, 2, 3]


def test_a_chunk_is_split_evenly_at_sentences_and_the_parts_say_where_they_stand() -> None:
    document = load("# Guide\n\n## Limits\n\nOne two. Three four. Five six. Seven eight. Nine ten.\n")
    [chunk] = cut(document)
    assert fit(document, [chunk], 12) == [
        ("", "# Guide\n\n## Limits\n\nOne two. Three four."),
        ("Guide > Limits", "Five six. Seven eight. Nine ten."),
    ]
    assert fit(document, [chunk], 12, heading_prefix="own")[1][0] == "Limits"
    assert fit(document, [chunk], 12, heading_prefix="off")[1][0] == ""
    assert fit(document, [chunk], 12, heading_prefix=None)[1][0] == ""


def test_a_prefix_is_at_most_half_of_what_the_embedder_reads() -> None:
    document = load("# One two three\n\n## Four\n\n### Five six\n\nA b. C d. E f. G h. I j.\n")
    assert [prefix for prefix, _ in fit(document, cut(document), 12)][1:] == ["… > Five six"]


def test_a_strategy_without_a_choice_of_prefix_keeps_what_fits_of_its_own() -> None:
    document = load("# One two three\n\n## Four\n\nA b. C d. E f. G h. I j.\n")
    chunks = list(catalogue.create("chunk", "sections", {"counter": "words"}).chunk(document))
    assert {prefix for prefix, _ in fit(document, chunks, 12, heading_prefix=None)} == {"One two three > Four"}
    assert {prefix for prefix, _ in fit(document, chunks, 8, heading_prefix=None)} == {"… > Four"}
    raw = [replace(chunk, prefix="## One two three four") for chunk in chunks]
    assert {prefix for prefix, _ in fit(document, raw, 8, heading_prefix=None)} == {""}


def test_metadata_in_front_counts() -> None:
    document = load("One two. Three four. Five six.\n")
    assert len(fit(document, cut(document), 6)) == 1
    assert fit(document, cut(document), 6, head="v: 3") == [("", "One two. Three four."), ("", "Five six.")]


def test_headings_stay_with_their_text() -> None:
    document = load("# A b\n\n# C d\n\nOne two three four. Five six seven eight.\n")
    chunks = cut(document, "recursive")
    assert fit(document, chunks, 10, heading_prefix=None) == [
        ("", "# A b\n\n# C d\n\nOne two three four."),
        ("", "Five six seven eight."),
    ]


def test_a_table_that_goes_on_has_its_header() -> None:
    rows = "\n".join(f"| r{number} | v{number} |" for number in range(6))
    document = load(f"# T\n\n| k | v |\n| - | - |\n{rows}\n")
    parts = fit(document, cut(document), 32)
    assert len(parts) > 1
    assert {prefix for prefix, _ in parts[1:]} == {"T\n\n| k | v |\n| - | - |"}
    again = cut(document, max_tokens=35)
    assert len(again) == 2
    assert {prefix for prefix, _ in fit(document, again, 26)[1:]} == {"T\n\n| k | v |\n| - | - |"}


def test_code_keeps_its_names_and_signatures() -> None:
    body = "".join(f"    s{number} = {number}\n" for number in range(8))
    document = load(f"def f(a, b):\n{body}\n\ndef g():\n    pass\n", "boats.py")
    parts = fit(document, cut(document, "code"), 24)
    assert [prefix for prefix, _ in parts] == ["boats.py", "boats.py > f\n\ndef f(a, b):"]
    assert parts[1][1].endswith("pass")
    assert [prefix for prefix, _ in fit(document, cut(document), 24)] == ["", ""]


def test_the_strategys_own_limit_holds_for_parts() -> None:
    document = load("# One two three\n\n" + "a " * 6 + "\n\n" + "b " * 6 + "\n")
    [chunk] = cut(document, max_tokens=16)
    characters = LimitedEmbedder(max_tokens=40, unit="characters")
    parts = fitted(document, [chunk], characters, counter=WORDS, max_tokens=16, heading_prefix="path")
    assert [(part.prefix, part.tokens) for part in parts] == [("", 10), ("One two three", 9)]
    tight = fitted(document, [chunk], characters, counter=WORDS, max_tokens=8, heading_prefix="path")
    assert max(part.tokens for part in tight) <= 8


def test_parts_of_overlapping_chunks_are_in_order() -> None:
    document = load("a b c d e f g h i j k l m n o p")
    chunks = cut(document, "tokens", max_tokens=8, overlap_tokens=4)
    parts = fitted(document, chunks, LimitedEmbedder(max_tokens=4), counter=WORDS)
    starts = [part.span.start for part in parts]
    assert starts == sorted(set(starts))
    assert {part.text.strip() for part in parts} == {"a b c d", "e f g h", "i j k l", "m n o p"}


def test_text_without_borders_is_cut_between_clusters() -> None:
    document = load("👩\u200d🌾" * 9)
    embedder = LimitedEmbedder(max_tokens=7, unit="characters")
    parts = fitted(document, cut(document), embedder, counter=WORDS)
    assert [part.text for part in parts] == ["👩\u200d🌾" * 2] * 4 + ["👩\u200d🌾"]


def test_marks_around_each_text_count() -> None:
    document = load("One two. Three four. Five six. Seven eight.\n")
    embedder = LimitedEmbedder(max_tokens=6, marks=2)
    parts = fitted(document, cut(document), embedder, counter=WORDS, head="v: 3")
    assert [part.text for part in parts] == ["One two.", "Three four.", "Five six.", "Seven eight."]
    assert over_limit(parts, embedder, head="v: 3") == []


@dataclass(frozen=True)
class RoundingEmbedder:
    """Counts a word, and every third word once more, so that two counts are often less than that of both together."""

    max_tokens: int = 7
    name: str = "rounding"
    dimension: int = 1
    fingerprint: str = "rounding"

    def count(self, text: str) -> int:
        words = len(text.split())
        return words + words // 3

    def embed(self, texts: Sequence[str]) -> Vectors:
        raise NotImplementedError

    def embed_query(self, text: str) -> Vector:
        raise NotImplementedError


def test_parts_fit_even_where_counts_do_not_add_up() -> None:
    document = load("One two. Three four. Five six. Seven eight.\n")
    parts = fitted(document, cut(document), RoundingEmbedder(), counter=WORDS, head="v: 3")
    assert over_limit(parts, RoundingEmbedder(), head="v: 3") == []
    assert [part.text for part in parts] == ["One two.", "Three four.", "Five six.", "Seven eight."]
    longer = load("One two three four. Five six seven eight.\n")
    parts = fitted(longer, cut(longer), RoundingEmbedder(), counter=WORDS, head="v: 3")
    assert over_limit(parts, RoundingEmbedder(), head="v: 3") == []
    assert " ".join(part.text for part in parts) == longer.text.strip()


@pytest.mark.parametrize(
    ("head", "unit", "limit"), [("", "characters", 2), ("title: much too long", "words", 4), ("a b c", "characters", 7)]
)
def test_what_cannot_fit_is_an_error(head: str, unit: str, limit: int) -> None:
    document = load("👩\u200d🌾 sows")
    embedder = LimitedEmbedder(max_tokens=limit, unit=unit)
    with pytest.raises(LoadError, match="a single character") as caught:
        fitted(document, cut(document), embedder, counter=WORDS, head=head)
    assert (caught.value.kind, caught.value.file) == ("too_large", "page.md")
    assert ("metadata" in caught.value.problem) == bool(head)


def test_an_embedder_is_a_counter() -> None:
    counter = OwnTokens(LimitedEmbedder(max_tokens=5))
    assert counter.name == "limited"
    assert (counter.marks, counter.count("one two three"), counter.count("")) == (0, 3, 0)
    assert counter.starts("one two three") == [0, 4, 9]
    assert counter.starts("") == []
    marked = OwnTokens(LimitedEmbedder(max_tokens=5, marks=2))
    assert (marked.marks, marked.count("one two three"), marked.count("")) == (2, 3, 0)


def test_blocks_around_a_chunk_are_known_wherever_it_begins() -> None:
    inner = Block("paragraph", Span(2, 13))
    outer = Block("quote", Span(0, 13))
    document = Document(
        id="q.md", source="q.md", media_type="text/markdown", text="> one two six\n\nlast", blocks=(outer, inner)
    )
    chunks = cut(document, "tokens", max_tokens=2)
    parts = fitted(document, chunks, LimitedEmbedder(max_tokens=1), counter=WORDS)
    assert [part.text.strip() for part in parts] == [">", "one", "two", "six", "last"]
