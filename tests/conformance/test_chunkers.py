"""Every strategy over fixed documents, and the figures that the lesson and the chapter print."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pincite import catalogue
from pincite.model import Block, Chunk, Document, Source, Span
from pincite.testing.chunkers import check_chunker, check_other_process

HTTPX = Path(__file__).resolve().parents[2] / ".." / "shared" / "data" / "httpx-docs" / "docs"

BOATS = """\
Ahoy, all.

# Boats
Ropes first.

```sh
# untie
row
```

#### Knots
Two.

## Oars
Long ones.

Short ones.
"""

HARBOUR = """\
# Harbour

## Berths
Twelve berths.

### Depth
Four metres.

## Fees
Paid daily.

### Discounts
None.

# Storm plan
Stay ashore.
"""

RULES = """\
---
title: Rules of the quay
groups: [crew]
---
Read this first. It is short 😀.

# Rules of the quay

Überblick
---------

Everyone wears a vest. Children, dogs, and visitors (z. B. Dr. Groß) too! Who does not, stays ashore.

- Ropes
  1. Bow line, twice round the post, never knotted.
  2. Stern line.
- Fenders

| Berth | Depth | Remark                          |
| ----- | ----- | ------------------------------- |
| 1     | 4 m   | dries at spring tide            |
| 2     | 5 m   | for the ferry, e\u0301te\u0301 only        |
| 3     | 3 m   | 漢字の説明がここにあります      |

## Signals

```python
# not a heading
def horn(times):

    return "toot " * times
```

> A quoted line.
> Another one.

<!-- # hidden -->

### Empty

# Nothing else
"""

DOCUMENTS = {
    "empty": "",
    "blank": " \n\t\r\n\u00a0\n",
    "one word": "Quay",
    "heading only": "# Quay",
    "boats": BOATS,
    "harbour": HARBOUR,
    "rules": RULES,
    "rules, CRLF": RULES.replace("\n", "\r\n"),
    "unclosed fence": "# Code\n\n```\nrow = 1\n\n# still code\n",
    "flags": "🇩🇪" * 40 + "👩\u200d🌾" * 20,
}

OPTIONS: dict[str, list[dict[str, Any]]] = {
    "structure": [
        {},
        {"max_tokens": 12, "min_tokens": 0},
        {"max_tokens": 25, "min_tokens": 10, "counter": "words"},
        {"max_tokens": 90, "min_tokens": 30, "counter": "characters"},
    ],
    "hierarchy": [
        {},
        {"max_tokens": 12, "min_tokens": 0, "parent_tokens": 40},
        {"max_tokens": 90, "parent_tokens": 200, "counter": "characters"},
    ],
    "semantic": [
        {"embedder": "hashing"},
        {"max_tokens": 12, "embedder": "hashing"},
        {"max_tokens": 60, "min_tokens": 0, "border_cost": 0.5, "counter": "characters", "embedder": "hashing"},
    ],
    "adaptive": [
        {},
        {"max_tokens": 12, "embedder": "hashing"},
        {"max_tokens": 25, "preferred_tokens": 10, "counter": "words"},
        {"max_tokens": 90, "cohesion_weight": 0, "counter": "characters"},
    ],
    "code": [{}, {"max_tokens": 12, "min_tokens": 0}, {"max_tokens": 90, "counter": "characters"}],
    "sections": [{}, {"counter": "words"}],
    "tokens": [{}, {"max_tokens": 7}, {"max_tokens": 7, "overlap_tokens": 3}, {"max_tokens": 5, "counter": "words"}],
    "sentences": [
        {},
        {"max_tokens": 9, "overlap_tokens": 5},
        {"max_tokens": 12, "overlap_tokens": 6, "counter": "words"},
        {"max_tokens": 30, "overlap_tokens": 20, "counter": "characters"},
    ],
    "recursive": [
        {},
        {"max_tokens": 9, "overlap_tokens": 4},
        {"max_tokens": 6, "overlap_tokens": 2, "counter": "words", "keep_separator": "end"},
        {"max_tokens": 9, "overlap_tokens": 4, "count_pieces": "alone"},
        {"max_tokens": 30, "overlap_tokens": 15, "counter": "characters", "separators": ("\n## ", ". ", " ")},
    ],
    "characters": [{}, {"max_characters": 7, "overlap_characters": 0}, {"max_characters": 9, "overlap_characters": 8}],
    "headings": [{}, {"merge_below_characters": 50}],
    "headings-capped": [{}, {"max_characters": 60}, {"max_characters": 60, "merge_below_characters": 30}],
}


def strategies() -> list[Any]:
    return [pytest.param(row, id=row.name) for row in catalogue.rows("chunk")]


def load(text: str, name: str = "made.md") -> Document:
    document: Document = catalogue.create("load", "markdown").load(Source(name, text.encode()))
    return document


def cut(strategy: str, document: Document, **options: Any) -> list[Chunk]:
    return list(catalogue.create("chunk", strategy, options).chunk(document))


def lengths(strategy: str, document: Document, **options: Any) -> list[int]:
    return [len(chunk.embedded) for chunk in cut(strategy, document, **options)]


@pytest.mark.parametrize("row", strategies())
@pytest.mark.parametrize("name", DOCUMENTS)
def test_invariants_on_fixed_documents(row: catalogue.Row, name: str) -> None:
    document = load(DOCUMENTS[name])
    for options in OPTIONS.get(row.name, [{}]):
        check_chunker(catalogue.create("chunk", row.name, options), document, traits=catalogue.traits(row))


@pytest.mark.parametrize("row", strategies())
def test_another_process_cuts_alike(row: catalogue.Row) -> None:
    check_other_process(catalogue.create("chunk", row.name, OPTIONS.get(row.name, [{}])[-1]), load(RULES))


@pytest.mark.parametrize("row", strategies())
def test_a_strategy_says_its_name(row: catalogue.Row) -> None:
    assert catalogue.create("chunk", row.name).name == row.name


def httpx_documents() -> list[Document]:
    if not HTTPX.is_dir():
        pytest.skip(f"{HTTPX} is missing: the lesson's figures need its corpus")
    files = sorted(HTTPX.rglob("*.md"))
    return [load(file.read_text(encoding="utf-8"), file.relative_to(HTTPX).as_posix()) for file in files]


@pytest.mark.parametrize(
    ("strategy", "chunks", "total", "mean", "smallest", "largest"),
    [
        ("characters", 179, 132453, 739, 12, 800),
        ("headings-naive", 236, 116489, 493, 8, 5530),
        ("headings", 176, 116564, 662, 8, 5530),
        ("headings-capped", 196, 116984, 596, 8, 2193),
    ],
)
def test_figures_of_the_lesson(strategy: str, chunks: int, total: int, mean: int, smallest: int, largest: int) -> None:
    sizes = [size for document in httpx_documents() for size in lengths(strategy, document)]
    assert (len(sizes), sum(sizes)) == (chunks, total)
    assert (sum(sizes) // len(sizes), min(sizes), max(sizes)) == (mean, smallest, largest)


def test_half_fences_of_the_lesson() -> None:
    chunks = [chunk for document in httpx_documents() for chunk in cut("headings-capped", document)]
    halves = [chunk for chunk in chunks if sum(line.startswith("```") for line in chunk.text.splitlines()) % 2]
    assert len(halves) == 14


def test_lists_of_the_lesson() -> None:
    [timeouts] = [document for document in httpx_documents() if document.id.endswith("timeouts.md")]
    assert lengths("headings-naive", timeouts) == [153, 93, 87, 186, 87, 127, 424, 1386, 207]
    assert lengths("headings", timeouts) == [153, 586, 424, 1594]
    second = cut("characters", timeouts)[1]
    assert second.text.startswith('le.com/api/v1/example", timeou')
    assert second.text.endswith("wait until\na socket ")


def test_the_same_strategies_over_a_document_counted_by_hand() -> None:
    boats = load(BOATS)
    assert len(BOATS) == 106
    assert lengths("headings", boats) == [10, 60, 31]
    assert lengths("headings-naive", boats) == [10, 27, 32, 31]
    assert lengths("headings-capped", boats, max_characters=40) == [10, 20, 30, 24, 31]
    assert lengths("characters", boats, max_characters=40, overlap_characters=10) == [40, 40, 40, 16]


def test_the_last_window_of_characters_may_lie_inside_the_one_before() -> None:
    chunks = cut("characters", load(BOATS), max_characters=50, overlap_characters=20)
    assert [(chunk.span.start, chunk.span.end) for chunk in chunks] == [(0, 50), (30, 80), (60, 106), (90, 106)]


def test_706_tokens() -> None:
    text = "the" + " the" * 705
    assert catalogue.create("counter", "o200k_base").count(text) == 706
    document = Document(
        id="the.txt",
        source="the.txt",
        media_type="text/plain",
        text=text,
        blocks=(Block("paragraph", Span(0, len(text))),),
    )
    plain = cut("tokens", document)
    assert [chunk.tokens for chunk in plain] == [150, 150, 150, 150, 106]
    assert [start_token(chunk) for chunk in plain] == [0, 150, 300, 450, 600]
    overlapping = cut("tokens", document, overlap_tokens=30)
    assert [start_token(chunk) for chunk in overlapping] == [0, 120, 240, 360, 480, 600]
    assert [chunk.tokens for chunk in overlapping] == [150, 150, 150, 150, 150, 106]


def start_token(chunk: Chunk) -> int:
    """Every token but the first is a blank and three letters."""
    return (chunk.span.start + 1) // 4


def test_six_sections_of_which_the_first_has_no_text() -> None:
    chunks = cut("sections", load(HARBOUR))
    assert [(chunk.headings, chunk.level, chunk.text) for chunk in chunks] == [
        (("Harbour", "Berths"), 2, "Twelve berths."),
        (("Harbour", "Berths", "Depth"), 3, "Four metres."),
        (("Harbour", "Fees"), 2, "Paid daily."),
        (("Harbour", "Fees", "Discounts"), 3, "None."),
        (("Storm plan",), 1, "Stay ashore."),
    ]
    assert chunks[1].prefix == "Harbour > Berths > Depth"
    assert chunks[1].embedded == "Harbour > Berths > Depth\n\nFour metres."
