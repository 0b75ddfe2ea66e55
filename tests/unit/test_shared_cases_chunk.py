"""Kinds of faults that chunkers are reported for: the shared cases, and twins of our own."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.timing import fastest

from pincite import catalogue
from pincite.model import Chunk, Document, Source

CASES = Path(__file__).resolve().parents[2] / ".." / "shared" / "cases" / "cases.jsonl"
STRATEGIES = {"sentence": "sentences"}
COUNTERS = {"chars": "characters", "words": "words"}
GENERATED = {"C072": "x1y2z3" * 400_000 + "\nLast words: quiet heron.\n"}
"""Inputs that are described in words."""


def shared_cases() -> list[Any]:
    if not CASES.is_file():
        return [pytest.param({}, id="missing", marks=pytest.mark.skip(reason=f"{CASES} is missing"))]
    lines = CASES.read_text(encoding="utf-8").splitlines()
    return [pytest.param(case, id=case["id"]) for case in map(json.loads, lines) if case["area"] == "chunk"]


def load(name: str, data: bytes) -> Document:
    [row] = [row for row in catalogue.rows("load") if Path(name).suffix in row.suffixes]
    document: Document = catalogue.create("load", row.name).load(Source(name, data))
    return document


def strategy_of(options: dict[str, Any]) -> str:
    """The name of the case's strategy; the test is skipped where there is none yet."""
    name: str = STRATEGIES.get(options["strategy"], options["strategy"])
    rows = [row for row in catalogue.rows("chunk") if row.name == name]
    if not rows:
        pytest.skip(f"the strategy {name!r} does not exist yet")
    return name


def cut(document: Document, options: dict[str, Any]) -> list[Chunk]:
    name = strategy_of(options)
    given = {"max_tokens": options["max"], "counter": COUNTERS[options["unit"]]}
    if options.get("overlap"):
        given["overlap_tokens"] = options["overlap"]
    if name == "structure":
        given["min_tokens"] = options.get("min", 0)
    return list(catalogue.create("chunk", name, given).chunk(document))


def all_text(chunks: list[Chunk]) -> str:
    return "\n\0\n".join(chunk.text for chunk in chunks)


def with_text(chunks: list[Chunk], part: str) -> list[Chunk]:
    found = [chunk for chunk in chunks if part in chunk.text]
    assert found, f"no chunk has {part!r}"
    return found


def has_paths(document: Document, chunks: list[Chunk], paths: dict[str, list[str]]) -> None:
    for part, path in paths.items():
        assert [list(chunk.headings) for chunk in with_text(chunks, part)] == [path], part


def has_headings(document: Document, chunks: list[Chunk], headings: list[list[Any]]) -> None:
    assert [[block.level, block.title] for block in document.blocks if block.kind == "heading"] == headings


def has_spans(document: Document, chunks: list[Chunk], spans: dict[str, list[int]]) -> None:
    for part, (start, end) in spans.items():
        assert document.text[start:end] == part
        assert any(chunk.span.start <= start and end <= chunk.span.end for chunk in with_text(chunks, part))


def has_in_one_chunk(document: Document, chunks: list[Chunk], groups: list[list[str]]) -> None:
    for group in groups:
        assert any(all(part in chunk.text for part in group) for chunk in chunks), group


def has_once(document: Document, chunks: list[Chunk], parts: list[str]) -> None:
    for part in parts:
        assert sum(chunk.embedded.count(part) for chunk in chunks) == 1, part


def covers(document: Document, chunks: list[Chunk], wanted: bool) -> None:
    covered = {offset for chunk in chunks for offset in range(chunk.span.start, chunk.span.end)}
    lost = [offset for offset, character in enumerate(document.text) if character.strip() and offset not in covered]
    assert (not lost) == wanted


def joins_to(document: Document, chunks: list[Chunk], span: list[int]) -> None:
    start, end = span
    parts = [document.text[max(start, chunk.span.start) : min(end, chunk.span.end)] for chunk in chunks]
    assert "".join(parts) == document.text[start:end]


def has_texts(document: Document, chunks: list[Chunk], parts: list[str]) -> None:
    for part in parts:
        with_text(chunks, part)


def starts_rise(document: Document, chunks: list[Chunk], wanted: bool) -> None:
    assert all(left.span.start < right.span.start for left, right in pairwise(chunks)) == wanted


def shares_at_most(document: Document, chunks: list[Chunk], most: int) -> None:
    assert all(left.span.end - right.span.start <= most for left, right in pairwise(chunks))


def has_at_least(document: Document, chunks: list[Chunk], number: int) -> None:
    assert len(chunks) >= number


def has_at_most(document: Document, chunks: list[Chunk], number: int) -> None:
    assert len(chunks) <= number


def has_no_more_words(document: Document, chunks: list[Chunk], most: int) -> None:
    assert max(len(chunk.embedded.split()) for chunk in chunks) <= most


def has_no_more_characters(document: Document, chunks: list[Chunk], most: int) -> None:
    assert max(len(chunk.embedded) for chunk in chunks) <= most


def ends_at_least_at(document: Document, chunks: list[Chunk], end: int) -> None:
    assert max(chunk.span.end for chunk in chunks) >= end


CHECKS: dict[str, Callable[[Document, list[Chunk], Any], None]] = {
    "paths": has_paths,
    "headings": has_headings,
    "span_includes": has_spans,
    "same_chunk": has_in_one_chunk,
    "once": has_once,
    "each_once": has_once,
    "text_has": has_texts,
    "covers_nonspace": covers,
    "concat_span": joins_to,
    "strictly_increasing": starts_rise,
    "max_overlap_chars": shares_at_most,
    "min_chunks": has_at_least,
    "max_chunks": has_at_most,
    "max_words": has_no_more_words,
    "max_chars": has_no_more_characters,
    "last_end_at_least": ends_at_least_at,
}
TIMED = {"seconds", "ratio_10x_max"}


@pytest.mark.parametrize("case", shared_cases())
def test_shared_case(case: dict[str, Any]) -> None:
    options, check = case["options"], case["check"]
    strategy_of(options)
    assert check.keys() <= CHECKS.keys() | TIMED, "a key that nobody evaluates"
    if case["id"] in GENERATED:
        document = load("generated.txt", GENERATED[case["id"]].encode())
    else:
        document = load(case["input"], (CASES.parent / case["input"]).read_bytes())
    started = time.process_time()
    chunks = cut(document, options)
    seconds = time.process_time() - started
    assert seconds <= check.get("seconds", seconds)
    for key in check.keys() - TIMED:
        CHECKS[key](document, chunks, check[key])
    assert all(chunk.text == chunk.span.of(document.text) for chunk in chunks)
    if "ratio_10x_max" in check:
        tenth = load("generated.txt", GENERATED[case["id"]][: len(document.text) // 10].encode())
        started = time.process_time()
        cut(tenth, options)
        assert seconds <= check["ratio_10x_max"] * (time.process_time() - started)


# Twins: the same kinds of faults in texts of our own.


def structure(text: str, *, words: int) -> tuple[Document, list[Chunk]]:
    document = load("twin.md", text.encode())
    return document, cut(document, {"strategy": "structure", "unit": "words", "max": words})


def windows(text: str, strategy: str, **options: Any) -> list[Chunk]:
    return list(catalogue.create("chunk", strategy, options).chunk(load("twin.txt", text.encode())))


def test_a_separator_inside_a_heading_makes_no_level() -> None:
    text = "## Pier 1 > 2 / East\n\nOpen at noon.\n\n### [Crane](https://x.test/a) > B\n\nKeep off.\n"
    document, chunks = structure(text, words=40)
    paths = {"Open at noon.": ["Pier 1 > 2 / East"], "Keep off.": ["Pier 1 > 2 / East", "Crane > B"]}
    has_paths(document, chunks, paths)


def test_front_matter_is_no_heading_and_an_underlined_line_is() -> None:
    front = "---\ntitle: Log\nowner: pier office\n---\n"
    text = f"{front}Daily log\n=========\n\nTide low.\n\nNight\n-----\n\n```\n# no\n``` x\n# no\n```\n"
    document, chunks = structure(text, words=60)
    has_headings(document, chunks, [[1, "Daily log"], [2, "Night"]])
    assert document.metadata["title"] == "Log"
    has_paths(document, chunks, {"Tide low.": ["Daily log"], "# no": ["Daily log", "Night"]})
    assert not any("owner:" in chunk.text for chunk in chunks if chunk.headings)


def test_code_that_is_never_closed_is_not_lost() -> None:
    document, chunks = structure("# Query\n\n```sql\nSELECT a\n\nFROM b\n# WHERE c", words=60)
    has_in_one_chunk(document, chunks, [["SELECT a", "FROM b", "# WHERE c"]])
    ends_at_least_at(document, chunks, len(document.text))


def test_a_cut_table_keeps_its_header_and_whole_rows() -> None:
    rows = [f"| gate {number} | opens at dawn \\| dusk, closes for storms of force nine |" for number in range(9)]
    text = "# Gates\n\n| Gate | Rule |\n| :--- | ---: |\n" + "\n".join(rows) + "\n"
    document, chunks = structure(text, words=50)
    assert len(chunks) > 2
    for row in rows:
        [chunk] = with_text(chunks, row)
        assert "| Gate | Rule |\n| :--- | ---: |" in chunk.embedded
    has_no_more_words(document, chunks, 50)


@pytest.mark.parametrize(("strategy", "unit"), [("characters", "characters"), ("tokens", "tokens")])
def test_text_without_any_blank_keeps_to_the_limit(strategy: str, unit: str) -> None:
    text = "Key: " + "q7" * 450 + "\nEnd."
    chunks = windows(text, strategy, **{f"max_{unit}": 40, f"overlap_{unit}": 0})
    assert "".join(chunk.text for chunk in chunks) == text
    assert all(chunk.tokens <= 40 for chunk in chunks)


@pytest.mark.parametrize("strategy", ["recursive", "sentences"])
def test_what_stands_between_the_blanks_is_not_lost_either(strategy: str) -> None:
    key = "q7" * 450
    chunks = windows(f"Key: {key}\nEnd.", strategy, max_tokens=40, counter="characters")
    assert "".join("".join(chunk.text.split()) for chunk in chunks) == f"Key:{key}End."
    assert all(chunk.tokens <= 40 for chunk in chunks)


WINDOWS = [("characters", "characters"), ("tokens", "tokens"), ("recursive", "tokens"), ("sentences", "tokens")]


@pytest.mark.parametrize(("strategy", "unit"), WINDOWS)
def test_repeated_sentences_keep_their_own_offsets(strategy: str, unit: str) -> None:
    chunks = windows("Mind the gap. " * 12, strategy, **{f"max_{unit}": 30, f"overlap_{unit}": 14})
    spans = [chunk.span for chunk in chunks]
    assert len(set(spans)) == len(spans)
    assert len({chunk.id for chunk in chunks}) == len(chunks)
    assert all(left.start < right.start <= left.end for left, right in pairwise(spans))


def test_windows_always_advance() -> None:
    cluster = "e" + "\u0301" * 20
    chunks = windows(f"{cluster} {cluster} {cluster}", "characters", max_characters=5, overlap_characters=4)
    assert [chunk.text for chunk in chunks].count(cluster) == 3
    assert len(chunks) <= 5


def test_offsets_are_code_points_after_emoji_and_other_scripts() -> None:
    text = "# 🛶🛶 Verleih\n\nBis 18 Uhr, sagt Zoe\u0308.\n\n## 返却 👩\u200d🔧\n\nDas Paddel liegt rechts.\n"
    document, chunks = structure(text, words=40)
    start = text.index("Das Paddel")
    has_spans(document, chunks, {"Das Paddel liegt rechts.": [start, start + 24]})
    has_paths(document, chunks, {"Das Paddel liegt rechts.": ["🛶🛶 Verleih", "返却 👩\u200d🔧"]})
    has_texts(document, chunks, ["Zoe\u0308"])


@pytest.mark.parametrize(("strategy", "unit"), WINDOWS)
def test_one_very_long_line_takes_time_in_proportion(strategy: str, unit: str) -> None:
    def seconds(text: str) -> float:
        document = load("twin.txt", text.encode())
        chunker = catalogue.create("chunk", strategy, {f"max_{unit}": 200})
        assert list(chunker.chunk(document))[-1].text.endswith("heron.")
        return fastest(lambda: list(chunker.chunk(document)))

    short, long = seconds("z9y8" * 10_000 + " heron."), seconds("z9y8" * 100_000 + " heron.")
    assert long <= 40 * short + 0.1  # a hundred times where it is quadratic


def test_words_of_the_cases_are_those_of_our_counter() -> None:
    text = "a\u00a0b c\u2009d\n\te"
    assert catalogue.create("counter", "words").count(text) == len(text.split()) == len(re.findall(r"\S+", text))
