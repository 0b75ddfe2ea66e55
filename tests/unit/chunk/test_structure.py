"""``structure``: what the conformance kit does not say, by named cases; the httpx documentation against an oracle."""

from __future__ import annotations

from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from tests.timing import fastest

from pincite import catalogue
from pincite.chunk.structure import StructureChunker
from pincite.errors import UsageError
from pincite.load.markdown import MarkdownLoader
from pincite.model import Chunk, Document, Source
from pincite.testing.chunkers import check_chunker


def load(text: str) -> Document:
    return MarkdownLoader().load(Source(path="page.md", data=text.encode()))


def cut(text: str, **options: object) -> list[Chunk]:
    chunker: StructureChunker = catalogue.create("chunk", "structure", {"counter": "words", **options})
    return list(chunker.chunk(load(text)))


def test_a_section_is_one_chunk_with_its_parents_in_the_prefix() -> None:
    chunks = cut("# Guide\n\nIntro here.\n\n## Limits\n\nAt most 500.\n", max_tokens=20, min_tokens=0)
    assert [(chunk.prefix, chunk.text) for chunk in chunks] == [
        ("", "# Guide\n\nIntro here."),
        ("Guide", "## Limits\n\nAt most 500."),
    ]
    assert [chunk.headings for chunk in chunks] == [("Guide",), ("Guide", "Limits")]
    assert [chunk.level for chunk in chunks] == [1, 2]
    assert [chunk.tokens for chunk in chunks] == [4, 6]


def test_a_continuation_has_its_own_heading_in_the_prefix() -> None:
    chunks = cut("# Guide\n\nOne two three.\n\nFour five six.\n", max_tokens=6, min_tokens=0)
    assert [(chunk.prefix, chunk.text) for chunk in chunks] == [
        ("", "# Guide\n\nOne two three."),
        ("Guide", "Four five six."),
    ]


def test_a_heading_without_text_goes_in_front_of_the_section_below() -> None:
    (chunk,) = cut("# Guide\n\n## Limits\n\nAt most 500.\n", max_tokens=20, min_tokens=0)
    assert chunk.text == "# Guide\n\n## Limits\n\nAt most 500."
    assert (chunk.prefix, chunk.headings, chunk.level) == ("", ("Guide", "Limits"), 2)


def test_a_heading_without_text_before_a_sibling_stands_alone_or_joins_it() -> None:
    text = "# Guide\n\nIntro.\n\n## Empty\n\n## Full\n\nText.\n"
    assert [chunk.text for chunk in cut(text, max_tokens=9, min_tokens=0)] == [
        "# Guide\n\nIntro.",
        "## Empty",
        "## Full\n\nText.",
    ]
    assert [chunk.text for chunk in cut(text, max_tokens=9, min_tokens=5)] == [
        "# Guide\n\nIntro.\n\n## Empty\n\n## Full\n\nText."
    ]


@pytest.mark.parametrize("strategy", ["structure", "hierarchy", "code"])
@pytest.mark.parametrize("rest", ["  * a", "  * a\n\n*"])  # a loose list has paragraphs in its items
def test_a_heading_keeps_the_first_sentence_of_an_item_that_is_cut_anyway(rest: str, strategy: str) -> None:
    text = f"# \n* Vgü stn (dlle? Pn-**atypn*ezuehrn:\n{rest}"
    chunker = catalogue.create("chunk", strategy, {"max_tokens": 24, "counter": "cl100k_base"})
    first, second, *_ = chunker.chunk(load(text))
    assert first.text == "# \n* Vgü stn (dlle?"
    assert second.text.startswith("Pn-**atypn*ezuehrn:\n  * a")


def test_a_heading_stands_alone_before_what_does_not_fit_with_it_and_is_not_cut() -> None:
    def parts(text: str) -> list[str]:
        return [chunk.text for chunk in cut(text, max_tokens=6, min_tokens=0)]

    assert parts("# G\n\n* one two. Three four\n  * five\n") == ["# G\n\n* one two.", "Three four\n  * five"]
    assert parts("# G\n\n* one two. Three four\n") == ["# G", "* one two. Three four"]  # a whole item
    assert parts("# G\n\n* one two three four five\n  * six\n") == ["# G", "* one two three four five", "* six"]
    assert parts("# G\n\n* one two three four. Five\n  * six\n") == ["# G", "* one two three four. Five", "* six"]
    assert parts("# G\n\none two, three four five\n") == ["# G", "one two, three four five"]


def test_small_neighbours_join_within_a_section_before_across_siblings() -> None:
    text = "# G\n\n## A\n\n" + "w " * 14 + "\n\nx y z\n\n## B\n\none two\n"
    chunks = cut(text, max_tokens=19, min_tokens=5)
    assert [chunk.text.split()[-1] for chunk in chunks] == ["w", "two"]
    assert chunks[1].text.startswith("x y z")
    assert chunks[1].headings == ("G",)
    assert chunks[1].prefix == "G > A"


def test_closest_relations_join_first() -> None:
    text = "# G\n\n## A\n\n### A1\n\none two\n\n### A2\n\nthree four\n\n## B\n\nfive six\n"
    chunks = cut(text, max_tokens=14, min_tokens=6)
    assert [chunk.headings for chunk in chunks] == [("G", "A"), ("G", "B")]


def test_outermost_headings_never_share_a_chunk() -> None:
    chunks = cut("before\n\n# A\n\none\n\n# B\n\ntwo\n", max_tokens=50, min_tokens=50)
    assert [chunk.text for chunk in chunks] == ["before", "# A\n\none", "# B\n\ntwo"]


def test_a_fence_that_fits_is_never_cut() -> None:
    fence = "```python\n# no heading\n\nprint(1)\n\nprint(2)\n```"
    chunks = cut(f"# Code\n\nSome words before it.\n\n{fence}\n\nAfter.\n", max_tokens=9, min_tokens=0)
    assert [fence in chunk.text for chunk in chunks].count(True) == 1


def test_a_fence_over_the_limit_is_cut_at_blank_lines() -> None:
    code = "```\na b c\n\nd e f\n\ng h i\n```"
    chunks = cut(f"# Code\n\n{code}\n", max_tokens=6, min_tokens=0)
    assert [chunk.text for chunk in chunks] == ["# Code\n\n```\na b c", "d e f", "g h i\n```"]


def test_a_table_over_the_limit_repeats_its_header() -> None:
    rows = "".join(f"| r{number} | v{number} |\n" for number in range(6))
    chunks = cut(f"# T\n\n| k | v |\n| - | - |\n{rows}", max_tokens=24, min_tokens=0)
    header = "| k | v |\n| - | - |"
    assert chunks[0].text.startswith("# T\n\n| k | v |")
    assert len(chunks) > 2
    assert all(chunk.prefix == f"T\n\n{header}" for chunk in chunks[1:])


def test_the_header_goes_with_the_first_row_even_under_a_tight_limit() -> None:
    chunks = cut("| k | v |\n| - | - |\n| a | b |\n| c | d |\n", max_tokens=15, min_tokens=0)
    assert chunks[0].text == "| k | v |\n| - | - |\n| a | b |"


def test_a_list_over_the_limit_is_cut_between_items_and_then_inside_one() -> None:
    text = "- one two\n- three four\n  - five six\n  - seven eight\n- nine\n"
    assert [chunk.text for chunk in cut(text, max_tokens=9, min_tokens=0)] == [
        "- one two",
        "- three four\n  - five six\n  - seven eight",
        "- nine",
    ]
    assert [chunk.text for chunk in cut(text, max_tokens=4, min_tokens=0)] == [
        "- one two",
        "- three four",
        "- five six",
        "- seven eight",
        "- nine",
    ]


def test_a_paragraph_over_the_limit_is_cut_between_sentences_then_clauses_then_words() -> None:
    text = "One two three. Four five six, seven eight nine. " + "w" * 30 + "\n"
    assert [chunk.text for chunk in cut(text, max_tokens=3, min_tokens=0)] == [
        "One two three.",
        "Four five six,",
        "seven eight nine.",
        "w" * 30,
    ]
    letters = cut("abcdefghij", max_tokens=4, min_tokens=0, counter="characters")
    assert [chunk.text for chunk in letters] == ["abcd", "efgh", "ij"]


def test_a_long_path_shrinks_from_its_middle_to_half_the_limit() -> None:
    text = "# a b\n\n## c d\n\n### e f\n\n#### g h\n\none two three four\n\nfive six seven eight\n"
    chunks = cut(text, max_tokens=16, min_tokens=0)
    assert chunks[-1].prefix == "a b > … > g h"


def test_the_prefix_shrinks_before_a_sentence_is_cut() -> None:
    text = "# a b\n\n## c d\n\none two three four five six seven\n\n" + "w " * 9 + "\n"
    chunks = cut(text, max_tokens=10, min_tokens=0)
    assert chunks[-1].text.split() == ["w"] * 9
    assert chunks[-1].prefix == ""


def test_parts_of_a_cut_heading_have_the_path_of_their_own_section() -> None:
    chunks = cut("# Tools\n\nOver\n===\n\n## Tools ##", max_tokens=2, min_tokens=0, counter="o200k_base")
    paths = {chunk.text: chunk.headings for chunk in chunks}
    assert paths["##"] == ("Over", "Tools")


def test_front_matter_is_no_chunk() -> None:
    assert [chunk.text for chunk in cut("---\ntitle: x\n---\n\nBody.\n", max_tokens=9, min_tokens=0)] == ["Body."]


def test_text_outside_of_any_block_is_kept() -> None:
    document = Document("a", "a", "text/plain", "no blocks at all")
    assert [chunk.text for chunk in StructureChunker(counter="words").chunk(document)] == ["no blocks at all"]


def test_a_small_limit_brings_its_own_smaller_one() -> None:
    assert all(chunk.tokens <= 8 for chunk in cut("# A\n\none two three\n\nfour five six\n", max_tokens=8))


def test_a_large_table_takes_time_in_proportion() -> None:
    def seconds(rows: int) -> float:
        table = "| a | b |\n| - | - |\n" + "".join(f"| row {number} | some words |\n" for number in range(rows))
        document = load(table)
        assert len(list(StructureChunker().chunk(document))) > rows / 100
        return fastest(lambda: list(StructureChunker().chunk(document)))

    few, many = seconds(3_000), seconds(30_000)
    assert many < 25 * few + 0.1  # a hundred times the work where it is quadratic


def test_many_small_items_fill_their_chunks() -> None:
    sizes = [chunk.tokens for chunk in StructureChunker().chunk(load("- item number N\n" * 600))]
    assert min(sizes[:-1]) > 380
    many = "\n\n".join(f"word {number} foo" for number in range(8000))
    assert len(list(StructureChunker(max_tokens=20_000).chunk(load(many)))) == 3


def test_a_blank_document_has_no_chunks() -> None:
    assert cut(" \n\n\t\n") == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_tokens": 0}, "max_tokens is at least 1"),
        ({"min_tokens": -1}, "min_tokens lies between"),
        ({"max_tokens": 10, "min_tokens": 11}, "min_tokens lies between"),
        ({"max_tokens": 10, "overlap_tokens": 10}, "overlap_tokens lies between"),
        ({"keep_whole": {"heading": 2}}, "keep_whole knows the kinds"),
        ({"keep_whole": {"code": 0.5}}, "factors from 1"),
        ({"keep_whole": {"code": True}}, "factors from 1"),
        ({"keep_whole": 3}, "table of names and values"),
        ({"heading_prefix": "none"}, "path"),
    ],
)
def test_impossible_options_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError) as refused:
        catalogue.create("chunk", "structure", options)
    assert message in f"{refused.value.problem} {refused.value.cure}"


def oracle_paths(text: str) -> dict[int, list[str]]:
    """The heading path in force on each line, by markdown-it-py."""
    body = text
    tokens = MarkdownIt("commonmark").enable("table").parse(body)
    path: list[tuple[int, str]] = []
    starts: dict[int, list[str]] = {0: []}
    for index, token in enumerate(tokens):
        if token.type == "heading_open" and token.level == 0 and token.map:
            level = int(token.tag[1])
            inline = tokens[index + 1]
            title = "".join(
                " " if child.type in ("softbreak", "hardbreak") else child.content for child in inline.children or []
            )
            path = [entry for entry in path if entry[0] < level] + [(level, " ".join(title.split()))]
            starts[token.map[0]] = [name for _, name in path]
    lines: dict[int, list[str]] = {}
    current: list[str] = []
    for line in range(body.count("\n") + 1):
        current = starts.get(line, current)
        lines[line] = current
    return lines


@pytest.mark.parametrize("min_tokens", [0, 100])
def test_the_httpx_documentation_is_cut_as_promised(shared: Path, min_tokens: int) -> None:
    pages = sorted((shared / "data" / "httpx-docs" / "docs").rglob("*.md"))
    if not pages:
        pytest.skip("the httpx documentation is missing")
    chunker = StructureChunker(min_tokens=min_tokens)
    counter = catalogue.create("counter", chunker.counter)
    for page in pages:
        text = page.read_text(encoding="utf-8")
        document = load(text)
        paths = oracle_paths(text)
        chunks = list(chunker.chunk(document))
        fences = [block for block in document.blocks if block.kind == "code"]
        headings = {section.heading: section for section in document.sections if section.heading}
        for chunk in chunks:
            assert counter.count(chunk.embedded) <= 400, page
            for fence in fences:
                if chunk.span.overlaps(fence.span) and not chunk.span.contains(fence.span):
                    assert counter.count(fence.span.of(text)) > 400, (page, fence)
            lines = range(text.count("\n", 0, chunk.span.start), text.count("\n", 0, chunk.span.end) + 1)
            rest = chunk.text
            for heading in headings:
                if heading and chunk.span.contains(heading):
                    rest = rest.replace(heading.of(text), "", 1)
            if not rest.strip():
                (section,) = document.sections_over(chunk.span)[-1:]
                assert not (section.body and section.body.of(text).strip()), (page, chunk)
            covered = [paths[line] for line in lines]
            with_text = [path for path, line in zip(covered, lines, strict=True) if _is_text(text, line)]
            expected = _common(with_text or covered)
            assert list(chunk.headings) == expected, (page, chunk)


def _is_text(text: str, line: int) -> bool:
    content = text.splitlines()[line] if line < len(text.splitlines()) else ""
    return bool(content.strip()) and not content.startswith("#")


def _common(paths: list[list[str]]) -> list[str]:
    shared = paths[0]
    for path in paths[1:]:
        length = 0
        while length < min(len(shared), len(path)) and shared[length] == path[length]:
            length += 1
        shared = shared[:length]
    return shared


CODE = "# Tool\n\nRun it like this.\n\n```sh\na b c\n\nd e f\n\ng h i\n```\n\nThen wait.\n"


def test_code_is_kept_whole_up_to_its_factor_together_with_its_heading() -> None:
    assert [chunk.text for chunk in cut(CODE, max_tokens=8, min_tokens=0)][1:] == [
        "```sh\na b c\n\nd e f",
        "g h i\n```\n\nThen wait.",
    ]
    chunks = cut(CODE, max_tokens=8, min_tokens=0, keep_whole={"code": 2})
    assert [chunk.text for chunk in chunks] == [
        "# Tool\n\nRun it like this.",
        "```sh\na b c\n\nd e f\n\ng h i\n```",
        "Then wait.",
    ]
    assert [chunk.tokens for chunk in chunks] == [6, 12, 3]
    (first, *_) = cut("# Tool\n\n```sh\na b c\n\nd e f\n```\n", max_tokens=8, min_tokens=0, keep_whole={"code": 2})
    assert first.text == "# Tool\n\n```sh\na b c\n\nd e f\n```"


def test_code_over_its_factor_is_cut_all_the_same() -> None:
    chunks = cut(CODE, max_tokens=8, min_tokens=0, keep_whole={"code": 1.2})
    assert max(chunk.tokens for chunk in chunks) <= 9
    assert sum("```" in chunk.text for chunk in chunks) == 2


def test_the_declared_limit_rises_with_the_factor() -> None:
    assert StructureChunker(max_tokens=8).limit == 8
    assert StructureChunker(max_tokens=8, keep_whole={"code": 2.5, "table": 1}).limit == 20


def test_the_heading_prefix_can_be_the_own_heading_or_none() -> None:
    text = "# Guide\n\n## Limits\n\nOne two three.\n\nFour five six.\n"
    prefixes = {
        kind: [chunk.prefix for chunk in cut(text, max_tokens=9, min_tokens=0, heading_prefix=kind)]
        for kind in ("path", "own", "off")
    }
    assert prefixes == {"path": ["", "Guide > Limits"], "own": ["", "Limits"], "off": ["", ""]}
    below = "# Guide\n\nIntro.\n\n## Limits\n\nOne two three.\n"
    assert [chunk.prefix for chunk in cut(below, max_tokens=9, min_tokens=0, heading_prefix="own")] == ["", ""]
    assert [chunk.prefix for chunk in cut(below, max_tokens=9, min_tokens=0)] == ["", "Guide"]


@pytest.mark.parametrize(
    "text",
    [
        " Ottan(1500-1928)  Osh(1500-1928)  I|H|",
        " brieano <gaiel@KED> (h: @brlBiai) *D*",
        "n|'j['%s.%s'  (e,me) omeilfnspli')])\n",
        "# Cgog\n## [3.5.3s//gthOuret/rsealzmpre/3.5.2.3.5.3) 2026-1-3\n### C\nFas",
        "# tte\n## Hddesrctooe\n### Ns  a grefr  Jvte\n#### l\ne.ckd vae. Fc",
        "# a rse\ns\n## 4.  tceg\n###  1:Coecrmlstf s\ne t.",
    ],
)
@pytest.mark.parametrize("strategy", ["structure", "hierarchy", "code", "adaptive"])
def test_blanks_that_count_with_a_word_and_headings_in_a_row_keep_the_promises(strategy: str, text: str) -> None:
    """Without its blanks a text may have more tokens than with them; of headings that do not all fit, those that do
    stay with their text."""
    chunker = catalogue.create("chunk", strategy, {"max_tokens": 24, "counter": "cl100k_base"})
    check_chunker(chunker, load(text), traits=catalogue.traits(catalogue.find("chunk", strategy)))
