"""The kit finds every kind of fault: each test hands it chunks, or a strategy, with one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path

import pytest

from pincite import catalogue
from pincite.model import Block, Chunk, Document, Span, chunk_id, join_prefix
from pincite.testing import chunkers as kit

TEXT = "# A\n\nOne two. Three four.\n\n| N | V |\n| - | - |\n| a | 1 |\n| b | 2 |\n\n## B\n\nfive e\u0301\n"
SENTENCES = TEXT.index("One"), TEXT.index("Three"), TEXT.index("\n\n|")
TABLE = TEXT.index("| N"), TEXT.index("| a"), TEXT.index("| b"), TEXT.index("\n\n## B")
SECOND = TEXT.index("## B")
LAST = TEXT.index("five")
END = len(TEXT) - 1
WORDS = catalogue.create("counter", "words")


def sample() -> Document:
    header = Span(TABLE[0], TABLE[1] - 1)
    rows = (Span(TABLE[1], TABLE[2] - 1), Span(TABLE[2], TABLE[3]))
    blocks = (
        Block("heading", Span(0, 3), level=1, title="A"),
        Block("paragraph", Span(SENTENCES[0], SENTENCES[2])),
        Block("table", Span(TABLE[0], TABLE[3]), header=header, rows=rows, columns=("N", "V")),
        Block("heading", Span(SECOND, SECOND + 4), level=2, title="B"),
        Block("paragraph", Span(LAST, END)),
    )
    return Document(id="a.md", source="a.md", media_type="text/markdown", text=TEXT, blocks=blocks)


def made(number: int, start: int, end: int, prefix: str = "", path: tuple[str, ...] = ("A",)) -> Chunk:
    text = TEXT[start:end]
    return Chunk(
        id=chunk_id("a.md", prefix, text, occurrence=0),
        document_id="a.md",
        number=number,
        span=Span(start, end),
        text=text,
        prefix=prefix,
        headings=path,
        level=len(path),
        tokens=WORDS.count(join_prefix(prefix, text)),
    )


def right() -> list[Chunk]:
    return [
        made(1, 0, SENTENCES[2]),
        made(2, *TABLE[::3], prefix="A"),
        made(3, SECOND, END, prefix="A", path=("A", "B")),
    ]


def check(chunks: list[Chunk], *, traits: str = "", limit: int = 30, overlap: int = 0) -> None:
    """Through the front door, with a strategy that gives these chunks for the sample."""

    @dataclass(frozen=True)
    class Given:
        max_tokens: int = limit
        overlap_tokens: int = overlap
        counter: str = "words"
        name: str = "given"

        def chunk(self, document: Document) -> Iterator[Chunk]:
            return iter(chunks)

    kit.check_chunker(Given(), sample(), traits=frozenset(traits.split()))


def test_right_chunks_pass() -> None:
    check(right(), traits="capped whole-blocks")


def test_a_text_that_is_not_its_slice() -> None:
    first, *rest = right()
    with pytest.raises(AssertionError, match="not its slice"):
        check([replace(first, text=first.text.replace("One", "Own")), *rest])


def test_a_span_beyond_the_text() -> None:
    *rest, last = right()
    beyond = replace(last, span=Span(last.span.start, last.span.end + 9), text=last.text + "!" * 9)
    with pytest.raises(AssertionError, match="out of the text"):
        check([*rest, beyond])


def test_another_documents_chunk() -> None:
    first, *rest = right()
    with pytest.raises(AssertionError, match="another document"):
        check([replace(first, document_id="b.md"), *rest])


def test_wrong_numbers_and_equal_ids() -> None:
    first, second, third = right()
    with pytest.raises(AssertionError, match="1, 2, 3"):
        check([first, second, replace(third, number=4)])
    with pytest.raises(AssertionError, match="same id"):
        check([first, second, replace(third, id=first.id)])


def test_starts_that_do_not_rise() -> None:
    first, second, third = right()
    with pytest.raises(AssertionError, match="does not start after"):
        check([first, replace(third, number=2), replace(second, number=3)])


def test_overlap_that_nobody_asked_for() -> None:
    chunks = [made(1, 0, TABLE[0] + 4), *right()[1:]]
    with pytest.raises(AssertionError, match="overlaps"):
        check(chunks)
    check(chunks, overlap=3)


def test_lost_text() -> None:
    first, second, _ = right()
    with pytest.raises(AssertionError, match=r"no chunk of 'a\.md' has the text"):
        check([first, second])


def test_lost_headings_where_headings_do_not_stand_apart() -> None:
    chunks = [made(1, SENTENCES[0], TABLE[3]), made(2, LAST, END, path=("A", "B"))]
    check(chunks, traits="headings-apart")
    with pytest.raises(AssertionError, match="'# A"):
        check(chunks)


def test_front_matter_may_be_lost() -> None:
    document = Document(
        id="a.md",
        source="a.md",
        media_type="text/markdown",
        text="---\na: b\n---\n",
        blocks=(Block("metadata", Span(0, 12)),),
    )
    kit.check_coverage(document, [])


def test_a_border_inside_a_cluster() -> None:
    first, second, _ = right()
    halves = [made(3, SECOND, END - 1, path=("A", "B")), made(4, END - 1, END, path=("A", "B"))]
    with pytest.raises(AssertionError, match="inside a grapheme cluster"):
        check([first, second, *halves])


def test_a_path_that_is_not_the_common_one() -> None:
    first, second, third = right()
    for wrong in (("A",), ("A", "C"), ()):
        with pytest.raises(AssertionError, match="should have the headings"):
            check([first, second, replace(third, headings=wrong)])
    with pytest.raises(AssertionError, match="level 2"):
        check([first, second, replace(third, level=1)])
    over_both = made(1, 0, END, path=("A", "B"))
    with pytest.raises(AssertionError, match=r"should have the headings \('A',\)"):
        check([over_both])


@pytest.mark.parametrize("prefix", ["A > B", "B", "… > B", "## B"])
def test_a_prefix_that_repeats_the_heading(prefix: str) -> None:
    first, second, _ = right()
    with pytest.raises(AssertionError, match="repeats the heading"):
        check([first, second, made(3, SECOND, END, prefix=prefix, path=("A", "B"))])


def test_wrong_tokens() -> None:
    first, second, third = right()
    with pytest.raises(AssertionError, match="in truth"):
        check([first, second, replace(third, tokens=third.tokens - 1)])


def test_a_chunk_over_the_limit() -> None:
    with pytest.raises(AssertionError, match="over the limit of 8 words"):
        check(right(), traits="capped", limit=8)
    check(right(), limit=8)


def test_the_prefix_counts() -> None:
    longest = max(chunk.tokens for chunk in right())
    check(right(), traits="capped", limit=longest)
    with pytest.raises(AssertionError, match="over the limit"):
        check(right(), traits="capped", limit=longest - 1)


def test_a_prefix_over_half_the_limit() -> None:
    chunks = [made(1, 0, TABLE[3]), made(2, SECOND, END, prefix="A " * 16, path=("A", "B"))]
    with pytest.raises(AssertionError, match="over half the limit"):
        check(chunks, traits="capped")


def test_a_single_cluster_may_be_over_the_limit() -> None:
    text = "e" + "\u0301" * 9
    document = Document(id="a.md", source="a.md", media_type="text/plain", text=text)
    [chunk] = catalogue.create("chunk", "characters").chunk(document)
    characters = catalogue.create("counter", "characters")
    kit.check_limit([chunk], limit=3, counter=characters)
    with pytest.raises(AssertionError, match="over the limit"):
        kit.check_limit([replace(chunk, prefix="A")], limit=3, counter=characters)


def test_a_sentence_that_is_cut() -> None:
    middle = TEXT.index("two")
    chunks = [made(1, 0, middle), made(2, middle, TABLE[3]), replace(right()[2], number=3)]
    with pytest.raises(AssertionError, match=r"a sentence of 2 .* is cut"):
        check(chunks, traits="whole-blocks")
    check(chunks, traits="capped")


def test_a_sentence_over_the_limit_may_be_cut() -> None:
    middle = TEXT.index("two")
    chunks = [made(1, 0, middle), made(2, middle, SENTENCES[2])]
    kit.check_whole_blocks(sample(), chunks, limit=1, counter=WORDS)


def test_a_table_row_that_is_cut() -> None:
    middle = TABLE[1] + 4
    chunks = [made(1, 0, middle), made(2, middle, TABLE[3]), replace(right()[2], number=3)]
    with pytest.raises(AssertionError, match=r"a table row of 5 .* is cut"):
        check(chunks, traits="whole-blocks")


@pytest.mark.parametrize(("kind", "noun"), [("code", "code block"), ("item", "list item")])
def test_code_and_items_that_are_cut(kind: str, noun: str) -> None:
    block = Block("code", Span(0, 7)) if kind == "code" else Block("item", Span(0, 7), level=1)
    document = Document(id="a.md", source="a.md", media_type="text/markdown", text="one two", blocks=(block,))
    chunks = list(catalogue.create("chunk", "tokens", {"max_tokens": 1, "counter": "words"}).chunk(document))
    with pytest.raises(AssertionError, match=noun):
        kit.check_whole_blocks(document, chunks, limit=2, counter=WORDS)
    kit.check_whole_blocks(document, chunks, limit=1, counter=WORDS)


def test_a_continued_table_without_its_header() -> None:
    first, _, third = right()
    header = "| N | V |\n| - | - |"
    front = made(2, TABLE[0], TABLE[2] - 1)
    with pytest.raises(AssertionError, match="without its header"):
        check([first, front, made(3, TABLE[2], TABLE[3], prefix="A"), replace(third, number=4)], traits="whole-blocks")
    repeated = made(3, TABLE[2], TABLE[3], prefix=f"A\n\n{header}")
    check([first, front, repeated, replace(third, number=4)], traits="whole-blocks")


def test_a_header_over_half_the_limit_need_not_be_repeated() -> None:
    chunks = [made(1, TABLE[0], TABLE[2] - 1), made(2, TABLE[2], TABLE[3])]
    kit.check_table_headers(sample(), chunks, limit=19, counter=WORDS)
    with pytest.raises(AssertionError, match="without its header"):
        kit.check_table_headers(sample(), chunks, limit=20, counter=WORDS)


def test_a_chunk_that_is_only_a_heading() -> None:
    first, second, _ = right()
    chunks = [first, second, made(3, SECOND, SECOND + 4, path=("A", "B")), made(4, LAST, END, path=("A", "B"))]
    with pytest.raises(AssertionError, match="is only headings"):
        check(chunks, traits="whole-blocks")
    kit.check_headings_have_text(sample(), chunks, limit=3, counter=WORDS)


def test_a_heading_without_text_may_stand_alone() -> None:
    text = "# A\n\n# B\n"
    blocks = (Block("heading", Span(0, 3), level=1, title="A"), Block("heading", Span(5, 8), level=1, title="B"))
    document = Document(id="a.md", source="a.md", media_type="text/markdown", text=text, blocks=blocks)
    chunks = list(catalogue.create("chunk", "headings").chunk(document))
    assert [chunk.text for chunk in chunks] == ["# A", "# B"]
    kit.check_headings_have_text(document, chunks, limit=30, counter=WORDS)


def test_text_at_the_end_that_changes_the_beginning() -> None:
    chunks = right()
    kit.check_local(chunks, [*chunks[:2], made(3, SECOND, SECOND + 4, path=("A", "B"))], last_block=LAST)
    with pytest.raises(AssertionError, match="changed"):
        kit.check_local(chunks, [made(1, 0, TABLE[3])], last_block=LAST)
    with pytest.raises(AssertionError, match="took chunks away"):
        kit.check_local(chunks, chunks[:1], last_block=LAST)


@dataclass(frozen=True, kw_only=True)
class Moody:
    """Cuts otherwise at every call."""

    name: str = "moody"

    def chunk(self, document: Document) -> Iterator[Chunk]:
        CALLS.append(document.id)
        yield from right() if len(CALLS) % 2 else [made(1, 0, END)]


CALLS: list[str] = []


def test_a_strategy_that_does_not_repeat_itself() -> None:
    with pytest.raises(AssertionError, match="in two ways"):
        kit.check_chunker(Moody(), sample(), counter=WORDS)


def test_another_process_that_cuts_otherwise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "hashed.py").write_text(HASHED, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    chunker = import_module("hashed").Hashed()
    with pytest.raises(AssertionError, match="otherwise in another process"):
        kit.check_other_process(chunker, sample(), seeds=(1, 2, 3))


HASHED = """
from dataclasses import dataclass
from pincite.chunk.characters import CharacterChunker

@dataclass(frozen=True, kw_only=True)
class Hashed:
    name: str = "hashed"

    def chunk(self, document):
        size = 5 + hash(document.text) % 50
        return CharacterChunker(max_characters=size, overlap_characters=0).chunk(document)
"""


def test_a_chunker_without_a_limit_needs_one_from_the_caller() -> None:
    with pytest.raises(ValueError, match="give its limit"):
        kit.limit_of(catalogue.create("chunk", "headings"))
