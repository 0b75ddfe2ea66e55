from __future__ import annotations

import pytest

from pincite.chunk.sections import SectionChunker
from pincite.errors import UnknownNameError
from pincite.model import Block, Chunk, Document, Span


def document(text: str) -> Document:
    blocks: list[Block] = []
    position = 0
    for line in text.splitlines(keepends=True):
        stripped = line.strip()
        start = position + line.index(stripped)
        if stripped.startswith("#"):
            mark, _, title = stripped.partition(" ")
            blocks.append(Block("heading", Span(start, start + len(stripped)), level=len(mark), title=title))
        elif stripped:
            blocks.append(Block("paragraph", Span(start, start + len(stripped))))
        position += len(line)
    return Document(id="a.md", source="a.md", media_type="text/markdown", text=text, blocks=tuple(blocks))


def cut(text: str) -> list[Chunk]:
    return list(SectionChunker(counter="words").chunk(document(text)))


def test_text_before_the_first_heading_has_an_empty_path() -> None:
    first, second = cut("Welcome.\n\n# A\none\n")
    assert (first.text, first.headings, first.level, first.prefix) == ("Welcome.", (), 0, "")
    assert (second.text, second.headings, second.level, second.prefix) == ("one", ("A",), 1, "A")


def test_a_sub_heading_does_not_outlive_its_parent() -> None:
    chunks = cut("# A\n### Deep\none\n## B\ntwo\n# C\nthree\n")
    assert [(chunk.headings, chunk.level) for chunk in chunks] == [(("A", "Deep"), 3), (("A", "B"), 2), (("C",), 1)]


def test_sections_without_text_give_no_chunk() -> None:
    assert [chunk.headings for chunk in cut("# A\n\n \n## B\n\t\n## C\ntext\n# D")] == [("A", "C")]


def test_tokens_count_the_path() -> None:
    [chunk] = cut("# One two\nthree four five\n")
    assert (chunk.tokens, chunk.text) == (5, "three four five")


@pytest.mark.parametrize("text", ["", "\n \n", "# A", "# A\n## B\n"])
def test_without_text_there_are_no_chunks(text: str) -> None:
    assert cut(text) == []


def test_an_unknown_counter_is_refused_at_once() -> None:
    with pytest.raises(UnknownNameError):
        SectionChunker(counter="syllables")
