from __future__ import annotations

import pytest

from pincite import catalogue
from pincite.chunk.characters import CharacterChunker
from pincite.errors import UsageError
from pincite.model import Block, Document, Span


def document(text: str) -> Document:
    blocks = (Block("paragraph", Span(0, len(text))),) if text.strip() else ()
    return Document(id="a.txt", source="a.txt", media_type="text/plain", text=text, blocks=blocks)


def texts(text: str, *, size: int, overlap: int) -> list[str]:
    chunker = CharacterChunker(max_characters=size, overlap_characters=overlap)
    return [chunk.text for chunk in chunker.chunk(document(text))]


@pytest.mark.parametrize(
    ("text", "size", "overlap", "expected"),
    [
        ("", 3, 0, []),
        (" \n ", 3, 0, []),
        ("abcdef", 3, 0, ["abc", "def"]),
        ("abcdefg", 3, 0, ["abc", "def", "g"]),
        ("abcdef", 4, 2, ["abcd", "cdef", "ef"]),
        ("ab   cd", 2, 0, ["ab", " c", "d"]),
        (" a ", 9, 0, [" a "]),
        ("a\r\nb", 2, 0, ["a", "b"]),
        ("e\u0301x", 1, 0, ["e\u0301", "x"]),
        ("x👩\u200d🌾y", 2, 0, ["x", "👩\u200d🌾", "y"]),
        ("🇩🇪🇫🇷🇮🇹", 3, 1, ["🇩🇪", "🇫🇷", "🇮🇹"]),
        ("ab👩\u200d🌾", 4, 3, ["ab", "b👩\u200d🌾", "👩\u200d🌾"]),
    ],
)
def test_windows(text: str, size: int, overlap: int, expected: list[str]) -> None:
    assert texts(text, size=size, overlap=overlap) == expected


def test_front_matter_is_cut_too() -> None:
    text = "---\na: b\n---\nbody"
    blocks = (Block("metadata", Span(0, 13)), Block("paragraph", Span(13, 17)))
    front = Document(id="a.md", source="a.md", media_type="text/markdown", text=text, blocks=blocks)
    assert [chunk.text for chunk in CharacterChunker().chunk(front)] == [text]


@pytest.mark.parametrize(("size", "overlap"), [(0, 0), (-1, 0), (5, 5), (5, 6), (5, -1)])
def test_impossible_options_are_refused_at_once(size: int, overlap: int) -> None:
    with pytest.raises(ValueError, match="_characters"):
        CharacterChunker(max_characters=size, overlap_characters=overlap)
    with pytest.raises(UsageError):
        catalogue.create("chunk", "characters", {"max_characters": size, "overlap_characters": overlap})
