from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

import pytest

from pincite import catalogue
from pincite.chunk.assemble import Piece, assemble
from pincite.model import Block, Chunk, Document, Span, chunk_id

TEXT = "# A\n\n## B\nfour\n\n## C\nfour\n\n# D\nlast\n"


def document(text: str = TEXT) -> Document:
    blocks: list[Block] = []
    position = 0
    for line in text.splitlines(keepends=True):
        stripped = line.strip()
        span = (position, position + len(stripped))
        if stripped.startswith("#"):
            mark, _, title = stripped.partition(" ")
            blocks.append(Block("heading", Span(*span), level=len(mark), title=title))
        elif stripped:
            blocks.append(Block("paragraph", Span(*span)))
        position += len(line)
    return Document(id="made.md", source="made.md", media_type="text/markdown", text=text, blocks=tuple(blocks))


def span_of(part: str, nth: int = 0) -> Span:
    start = -1
    for _ in range(nth + 1):
        start = TEXT.index(part, start + 1)
    return Span(start, start + len(part))


def test_numbers_skip_blank_pieces_and_equal_texts_get_ids_of_their_own() -> None:
    pieces = [Piece(span_of("four")), Piece(Span(3, 5)), Piece(span_of("four", 1)), Piece(span_of("last"))]
    chunks = list(assemble(document(), pieces, catalogue.create("counter", "words")))
    assert [chunk.number for chunk in chunks] == [1, 2, 3]
    assert [chunk.id for chunk in chunks] == [
        chunk_id("made.md", "", "four", occurrence=0),
        chunk_id("made.md", "", "four", occurrence=1),
        chunk_id("made.md", "", "last", occurrence=0),
    ]


def test_the_prefix_is_part_of_the_identity_and_of_the_count() -> None:
    pieces = [Piece(span_of("four"), prefix="A > B"), Piece(span_of("four", 1))]
    first, second = assemble(document(), pieces, catalogue.create("counter", "words"))
    assert first.id == chunk_id("made.md", "A > B", "four", occurrence=0)
    assert second.id == chunk_id("made.md", "", "four", occurrence=0)
    assert (first.tokens, second.tokens) == (4, 1)


def test_a_chunk_made_here_is_one_made_by_its_class() -> None:
    """Its fields are set one by one, for speed: none may be missing, none of its checks left out."""
    piece = Piece(span_of("four"), prefix="A", headings=("Own",), level=7, parent=Span(0, 20), tokens=99)
    [chunk] = assemble(document(), [piece], catalogue.create("counter", "words"))
    assert chunk == Chunk(**{field.name: getattr(chunk, field.name) for field in fields(Chunk)})
    assert chunk == Chunk.from_json(chunk.to_json())
    with pytest.raises(ValueError, match="tokens"):
        list(assemble(document(), [piece._replace(tokens=-1)], catalogue.create("counter", "words")))
    with pytest.raises(ValueError, match="slice"):
        list(assemble(document(), [Piece(Span(4, 4_000))], catalogue.create("counter", "words")))


def test_what_a_piece_says_itself_is_kept() -> None:
    parent = Span(0, 20)
    piece = Piece(span_of("four"), headings=("Own",), level=7, parent=parent, tokens=99)
    [chunk] = assemble(document(), [piece], catalogue.create("counter", "words"))
    assert (chunk.headings, chunk.level, chunk.parent, chunk.tokens) == (("Own",), 7, parent, 99)


@pytest.mark.parametrize(
    ("span", "path", "level"),
    [
        (span_of("four"), ("A", "B"), 2),
        (span_of("B\nfour\n\n## C"), ("A",), 1),
        (span_of("A\n\n## B"), ("A",), 1),
        (span_of("four", 1), ("A", "C"), 2),
        (Span(0, len(TEXT)), (), 0),
        (Span(span_of("four", 1).start, span_of("last").end), (), 0),
        (span_of("last"), ("D",), 1),
    ],
)
def test_the_common_path_of_all_sections_under_a_span(span: Span, path: tuple[str, ...], level: int) -> None:
    assert document().path_over(span) == (path, level)


def test_text_before_the_first_heading_has_no_path() -> None:
    assert document("intro\n# A\ntext\n").path_over(Span(0, 3)) == ((), 0)


def test_a_section_of_equal_title_shares_its_path() -> None:
    assert document("# A\n## B\none\n## B\ntwo\n").path_over(Span(4, 21)) == (("A", "B"), 2)


def test_pieces_are_read_one_at_a_time() -> None:
    read: list[int] = []

    def pieces() -> Iterator[Piece]:
        for nth in range(2):
            read.append(nth)
            yield Piece(span_of("four", nth))

    chunks = assemble(document(), pieces(), catalogue.create("counter", "words"))
    next(chunks)
    assert read == [0]
