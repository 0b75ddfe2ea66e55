"""``hierarchy``: which span is read around which chunk, by named cases."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from pincite import catalogue
from pincite.chunk.hierarchy import HierarchyChunker
from pincite.errors import UsageError
from pincite.load.markdown import MarkdownLoader
from pincite.load.plain import PlainTextLoader
from pincite.model import Chunk, Document, Source, Span
from pincite.testing.chunkers import check_chunker, check_parents

WHOLE_BLOCKS = frozenset({"capped", "whole-blocks"})


def load(text: str) -> Document:
    return MarkdownLoader().load(Source(path="page.md", data=text.encode()))


def cut(document: Document, **options: object) -> list[Chunk]:
    chunker: HierarchyChunker = catalogue.create("chunk", "hierarchy", {"counter": "words", **options})
    return check_chunker(chunker, document, traits=WHOLE_BLOCKS)


def parents(document: Document, **options: object) -> list[str]:
    """The first two words of each chunk, and of its parent the first and the last, with its size in words."""
    result = []
    for chunk in cut(document, **options):
        assert chunk.parent
        words = chunk.parent.of(document.text).split()
        result.append(f"{' '.join(chunk.text.split()[:2])}: {words[0]} … {words[-1]} {len(words)}")
    return result


def words(name: str, number: int) -> str:
    return f"{name} " + " ".join(["w"] * (number - 2)) + f" {name}."


def test_parents_have_eight_times_the_limit_unless_told_otherwise() -> None:
    assert catalogue.create("chunk", "hierarchy").parent_limit == 1024
    assert catalogue.create("chunk", "hierarchy", {"max_tokens": 1600}).parent_limit == 12_800
    assert catalogue.create("chunk", "hierarchy", {"max_tokens": 10, "parent_tokens": 10}).parent_limit == 10
    text = "\n\n".join(f"## P\n\n{words('p', 8)}" for _ in range(20))
    sizes = [len(chunk.parent.of(text).split()) for chunk in cut(load(text), max_tokens=10) if chunk.parent]
    assert 40 < max(sizes) <= 80


def test_chunks_are_those_of_structure() -> None:
    document = load(f"# A\n\n{words('a', 9)}\n\n## B\n\n{words('b', 30)}\n\n## C\n\n{words('c', 5)}\n")
    structure = catalogue.create("chunk", "structure", {"counter": "words", "max_tokens": 12}).chunk(document)
    own = cut(document, max_tokens=12, parent_tokens=40)
    assert [(chunk.span, chunk.prefix, chunk.id) for chunk in own] == [
        (chunk.span, chunk.prefix, chunk.id) for chunk in structure
    ]


def test_the_parent_is_the_widest_section_that_fits() -> None:
    text = (
        f"# A\n\n{words('a', 8)}\n\n## B\n\n{words('b', 8)}\n\n### C\n\n{words('c', 8)}\n\n## D\n\n{words('d', 28)}\n"
    )
    assert parents(load(text), max_tokens=10, min_tokens=0, parent_tokens=40)[:3] == [
        "# A: # … a. 10",
        "## B: ## … c. 20",
        "### C: ## … c. 20",
    ]
    assert set(parents(load(text), max_tokens=10, min_tokens=0, parent_tokens=70)) == {
        "# A: # … d. 60",
        "## B: # … d. 60",
        "### C: # … d. 60",
        "## D: # … d. 60",
        "w w: # … d. 60",
    }


def test_small_sections_are_read_with_their_neighbours() -> None:
    text = "# A\n\n" + "".join(f"## Q{number}\n\n{words(str(number), 5)}\n\n" for number in range(9))
    found = parents(load(text), max_tokens=8, min_tokens=0, parent_tokens=29)
    assert len({line.split(": ")[1] for line in found}) == 3


def test_windows_of_one_section_are_equally_large_and_end_with_blocks() -> None:
    text = "# A\n\n" + "\n\n".join(words(f"p{number}", 10) for number in range(6))
    assert parents(load(text), max_tokens=12, min_tokens=0, parent_tokens=50) == [
        "# A: # … p2. 32",
        "p1 w: # … p2. 32",
        "p2 w: # … p2. 32",
        "p3 w: p3 … p5. 30",
        "p4 w: p3 … p5. 30",
        "p5 w: p3 … p5. 30",
    ]


def test_a_chunk_in_two_windows_is_read_with_both_its_blocks() -> None:
    sentence = "One two three four five six."
    paragraph = " ".join([sentence] * 3)
    document = load(f"{paragraph}\n\n{paragraph}\n\n{paragraph}\n")
    chunks = cut(document, max_tokens=12, min_tokens=0, parent_tokens=40)
    assert [len(chunk.text.split()) for chunk in chunks] == [12, 12, 12, 12, 6]
    found = [chunk.parent for chunk in chunks]
    assert found[0] == found[1] != found[3] == found[4]
    assert all(parent and document.text[parent.start] == "O" for parent in found)


def test_a_block_over_the_limit_is_read_in_parts_of_whole_sentences() -> None:
    sentence = "One two three four five six."
    document = load(" ".join([sentence] * 9))
    chunks = cut(document, max_tokens=3, min_tokens=0, parent_tokens=20)
    assert {chunk.parent for chunk in chunks} == {
        chunk.parent for chunk in chunks if chunk.parent and chunk.parent.of(document.text).endswith("six.")
    }
    assert len({chunk.parent for chunk in chunks}) == 3


def test_blocks_that_do_not_fit_together_are_read_from_chunk_to_chunk() -> None:
    sentence = "One two three four five six."
    paragraph = " ".join([sentence] * 3)
    document = load(f"{paragraph}\n\n{paragraph}\n")
    chunks = cut(document, max_tokens=12, min_tokens=0, parent_tokens=20)
    across = next(chunk for chunk in chunks if "\n\n" in chunk.text)
    assert across.parent
    assert len(across.parent.of(document.text).split()) <= 20


def test_a_chunk_over_two_sections_is_read_with_what_is_around_both() -> None:
    text = f"# A\n\n## B\n\n{words('b', 30)}\n\n## C\n\n{words('c', 3)}\n\n## D\n\n{words('d', 30)}\n"
    document = load(text)
    for limit, wanted in ((40, text[text.index("b w") : text.index("\n\n## D")]), (99, text.strip())):
        chunks = cut(document, max_tokens=12, min_tokens=8, parent_tokens=limit)
        both = next(chunk for chunk in chunks if "## C" in chunk.text)
        assert both.text.startswith("w w b.")
        assert both.parent
        assert both.parent.of(text) == wanted


def test_the_document_is_the_outermost_section() -> None:
    text = f"before it\n\n# A\n\none\n\n# B\n\n{words('b', 30)}\n\n# C\n\ntwo\n\n# D\n\nthree\n"
    assert set(parents(load(text), max_tokens=9, parent_tokens=90)) == {
        "before it: before … three 43",
        "# A: before … three 43",
        "# B: before … three 43",
        "w w: before … three 43",
        "b w: before … three 43",
        "# C: before … three 43",
        "# D: before … three 43",
    }
    assert parents(load(text), max_tokens=40, min_tokens=0, parent_tokens=40) == [
        "before it: before … one 5",
        "# A: before … one 5",
        "# B: # … b. 32",
        "# C: # … three 6",
        "# D: # … three 6",
    ]


def test_every_counter_measures_parents() -> None:
    document = load("# A\n\n" + "Ein Satz über 漢字 und 😀. " * 40)
    for counter in ("characters", "o200k_base"):
        chunks = cut(document, counter=counter, max_tokens=50, parent_tokens=150)
        assert len({chunk.parent for chunk in chunks}) < len(chunks)


def test_text_at_the_end_leaves_chunks_alone_but_not_parents() -> None:
    text = f"# A\n\n{words('a', 9)}\n\n## B\n\n{words('b', 9)}\n"
    before = cut(load(text), max_tokens=12, min_tokens=0, parent_tokens=30)
    after = cut(load(f"{text}\n## C\n\n{words('c', 20)}\n"), max_tokens=12, min_tokens=0, parent_tokens=30)
    assert [chunk.id for chunk in before] == [chunk.id for chunk in after][: len(before)]
    assert before[0].parent != after[0].parent


@pytest.mark.parametrize(
    "options",
    [
        {"max_tokens": 0},
        {"max_tokens": 10, "min_tokens": 11},
        {"max_tokens": 10, "min_tokens": -1},
        {"max_tokens": 10, "parent_tokens": 9},
        {"counter": "nothing"},
    ],
)
def test_impossible_options(options: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        catalogue.create("chunk", "hierarchy", options)


def test_time_is_linear_in_one_long_section() -> None:
    sentence = "One two three four five six. "
    texts = [f"# A\n\n{sentence * (count // 9)}\n\n" * 9 for count in (4_000, 32_000)]
    seconds = []
    for text in texts:
        document = PlainTextLoader().load(Source("a.txt", text.encode()))
        chunker = HierarchyChunker(counter="words")
        started = time.process_time()
        list(chunker.chunk(document))
        seconds.append(time.process_time() - started)
    assert seconds[1] < seconds[0] * 8 * 2.5


def test_the_kit_finds_wrong_parents() -> None:
    document = load("# A\n\nOne two three.\n\nFour five six.\n\nSeven eight nine.\n")
    counter = catalogue.create("counter", "words")
    chunks = cut(document, max_tokens=5, min_tokens=0, parent_tokens=5)
    check_parents(document, chunks, limit=5, counter=counter)
    end = len(document.text) - 1
    wrong = [
        [*chunks[:-1], replace(chunks[-1], parent=None)],
        [replace(chunks[0], parent=Span(4, 10)), *chunks[1:]],
        [replace(chunk, parent=Span(0, end)) for chunk in chunks],
        [replace(chunks[0], parent=Span(0, end + 9)), *chunks[1:]],
        [chunks[0], replace(chunks[1], parent=Span(0, chunks[1].span.end)), *chunks[2:]],
        [*chunks[:-1], replace(chunks[-1], parent=Span(chunks[-1].span.start - 3, chunks[-1].span.end))],
    ]
    for several in wrong:
        with pytest.raises(AssertionError):
            check_parents(document, several, limit=5, counter=counter)
