from __future__ import annotations

import pytest

from pincite.chunk.headings import CappedHeadingChunker, HeadingChunker, NaiveHeadingChunker
from pincite.model import Chunk, Document
from pincite.ports import Chunker


def cut(text: str, chunker: Chunker) -> list[Chunk]:
    return list(chunker.chunk(Document(id="a.md", source="a.md", media_type="text/markdown", text=text)))


def texts(text: str, chunker: Chunker) -> list[str]:
    return [chunk.text for chunk in cut(text, chunker)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("\n\n", []),
        ("text", ["text"]),
        ("# A\n# B", ["# A", "# B"]),
        ("\n# A\none\n\n## B\ntwo\n", ["# A\none", "## B\ntwo"]),
        ("# A\n#### B\n", ["# A\n#### B"]),
        ("# A\n#B\n##\n", ["# A\n#B\n##"]),
        ("text # A\n # B\n", ["text # A\n # B"]),
        ("#\tA\n###\tB", ["#\tA", "###\tB"]),
        ("# A\r\none\r\n# B\rtwo\r# C", ["# A\r\none", "# B\rtwo", "# C"]),
        ("---\n# note\n---\n# A", ["---", "# note\n---", "# A"]),
        ("# e\u0301\n\u0301\n## B", ["# e\u0301\n\u0301", "## B"]),
    ],
)
def test_both_cut_before_headings_of_level_1_to_3(text: str, expected: list[str]) -> None:
    assert texts(text, HeadingChunker()) == expected
    assert texts(text, NaiveHeadingChunker()) == expected


@pytest.mark.parametrize(
    ("text", "naive", "right"),
    [
        ("```\n# no\n```\n# A", 3, ["```\n# no\n```", "# A"]),
        ("```py\n# no\n```py\n# A", 3, ["```py\n# no\n```py", "# A"]),
        ("````\n# no\n```\n# A", 3, ["````\n# no\n```", "# A"]),
        (" ```\n# A\n", 2, [" ```".strip(), "# A"]),
        ("x ``` y\n# A\n", 2, ["x ``` y", "# A"]),
        ("```\n# no\n# never closed", 3, ["```\n# no\n# never closed"]),
        ("~~~\n# taken for a heading\n~~~", 2, ["~~~", "# taken for a heading\n~~~"]),
    ],
)
def test_three_backticks_at_a_line_start_open_and_close_code(text: str, naive: int, right: list[str]) -> None:
    assert texts(text, HeadingChunker()) == right
    assert len(texts(text, NaiveHeadingChunker())) == naive


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("## H\n\naaaa\n\nbbbb", ["## H\n\naaaa", "## H\n\nbbbb"]),
        ("## H\naaaa\n\nbbbb\n\ncc", ["## H\naaaa", "## H\n\nbbbb\n\ncc"]),
        ("## H\n\n" + "a" * 30, ["## H", "## H\n\n" + "a" * 30]),
        ("aaaa aaaa\n\nbbbb\n\ncc", ["aaaa aaaa", "bbbb\n\ncc"]),
        ("## H\n\naaaa\n\n    bbbb", ["## H\n\naaaa", "## H\n\n    bbbb"]),
        ("aaaa aaaa\n\n    bbbb", ["aaaa aaaa", "bbbb"]),
        ("## H\r\n\r\naaaa\r\n \r\nbbbb", ["## H\r\n\r\naaaa", "## H\n\nbbbb"]),
        ("## H\n\naaaaaaaa", ["## H\n\naaaaaaaa"]),
    ],
)
def test_sections_over_the_limit_are_cut_at_blank_lines(text: str, expected: list[str]) -> None:
    assert [chunk.embedded for chunk in cut(text, CappedHeadingChunker(max_characters=13))] == expected


def test_a_paragraph_with_which_the_piece_reaches_the_limit_begins_a_new_one() -> None:
    """Piece and paragraph are added; the blank line between them is not counted."""
    assert texts("# H\nab\n\ncd", CappedHeadingChunker(max_characters=9)) == ["# H\nab\n\ncd"]
    assert texts("# H\nab\n\ncde", CappedHeadingChunker(max_characters=9)) == ["# H\nab", "cde"]


BOATS = "Ahoy, all.\n\n# Boats\nRopes first.\n\n## Oars\nLong ones.\n\n## Nets\n"


@pytest.mark.parametrize(
    ("below", "expected"),
    [
        (0, ["Ahoy, all.", "# Boats\nRopes first.", "## Oars\nLong ones.", "## Nets"]),
        (10, ["Ahoy, all.", "# Boats\nRopes first.", "## Oars\nLong ones.\n\n## Nets"]),
        (11, ["Ahoy, all.\n\n# Boats\nRopes first.", "## Oars\nLong ones.\n\n## Nets"]),
        (40, ["Ahoy, all.\n\n# Boats\nRopes first.\n\n## Oars\nLong ones.\n\n## Nets"]),
        (999, ["Ahoy, all.\n\n# Boats\nRopes first.\n\n## Oars\nLong ones.\n\n## Nets"]),
    ],
)
def test_short_pieces_join_the_next_and_the_last_the_one_before(below: int, expected: list[str]) -> None:
    assert texts(BOATS, HeadingChunker(merge_below_characters=below)) == expected


def test_short_pieces_of_a_cut_section_join_too() -> None:
    text = "## H\n\n" + "a" * 30 + "\n\nbbb\n\n# Next"
    chunks = cut(text, CappedHeadingChunker(max_characters=20, merge_below_characters=10))
    assert [chunk.embedded for chunk in chunks] == ["## H\n\n" + "a" * 30, "## H\n\nbbb\n\n# Next"]


@pytest.mark.parametrize("limit", [0, -3])
def test_a_limit_below_one_is_refused_at_once(limit: int) -> None:
    with pytest.raises(ValueError, match="max_characters"):
        CappedHeadingChunker(max_characters=limit)


@pytest.mark.parametrize("chunker", [HeadingChunker, CappedHeadingChunker])
def test_a_negative_threshold_is_refused_at_once(chunker: type[HeadingChunker | CappedHeadingChunker]) -> None:
    with pytest.raises(ValueError, match="merge_below_characters"):
        chunker(merge_below_characters=-1)
