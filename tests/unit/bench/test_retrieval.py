"""What the retrieval bench computes itself: where peers' chunks stand, the baseline's fusion, greedy cuts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from bench.retrieval_anchors import Shorter, without_anchors
from bench.retrieval_baseline import reciprocal, scaled
from bench.retrieval_omega import first_places, omega
from bench.retrieval_peers import fixed, located, paths, sections, with_path
from bench.retrieval_rows import published
from bench.retrieval_sets import names_of, sets
from bench.retrieval_twins import packing_twin, percentile_twin

from pincite import catalogue
from pincite.model import Document, Source, Span

TEXT = (
    "Before.\n\n# Guide { #guide }\n\nText.\n\n## Cutting\n\n```sh\n# no heading\n```\n\n#### Deep\n\nMore.\n\n# End\n"
)


def markdown(text: str) -> Document:
    document: Document = catalogue.create("load", "markdown").load(Source("a.md", text.encode()))
    return document


def test_sections_end_at_headings_of_three_levels_but_not_in_code() -> None:
    firsts = [TEXT[start:end].splitlines()[0] for start, end, _ in sections(TEXT)]
    assert firsts == ["Before.", "# Guide { #guide }", "## Cutting", "# End"]
    assert TEXT[slice(*sections(TEXT)[2][:2])].endswith("More.")


def test_a_path_has_the_titles_down_to_the_section_in_which_a_cut_begins() -> None:
    deepest = ("Guide", "Cutting", "Deep")
    assert [path for _, path in paths(TEXT)] == [(), ("Guide",), ("Guide", "Cutting"), deepest, ("End",)]
    deep = TEXT.index("More.")
    assert with_path(lambda _: [(0, 5, ""), (deep, deep + 5, "")])(TEXT) == [
        (0, 5, ""),
        (deep, deep + 5, "Guide > Cutting > Deep"),
    ]


def test_windows_go_on_as_long_as_they_begin_inside_the_text() -> None:
    assert fixed("x" * 1500) == [(0, 800, ""), (700, 1500, ""), (1400, 1500, "")]


def test_pieces_are_found_behind_the_ones_before() -> None:
    assert list(located("ab ab ab", ["ab", " ", "ab"])) == [(0, 2, ""), (3, 5, "")]
    assert list(located("aaaa", ["aa", "aa"], overlapping=True)) == [(0, 2, ""), (1, 3, "")]
    with pytest.raises(ValueError, match="not found"):
        list(located("ab", ["b", "a"]))


def test_scores_are_scaled_to_one_and_ranks_end() -> None:
    assert scaled(np.array([1.0, 3.0, 2.0])).tolist() == [0, 1, 0.5]
    assert scaled(np.array([2.0, 2.0])).tolist() == [0, 0]
    ranks = reciprocal(np.arange(150.0))
    assert ranks[-1] == 1 / 61
    assert ranks[50] == 1 / 160
    assert not ranks[:50].any()


def test_the_first_place_of_a_text_is_what_the_harness_counts() -> None:
    document = Document(id="a", source="a", media_type="text/plain", text="row row end")
    places = {"a": [(0, 4), (4, 8), (8, 11)]}
    assert first_places([document], places) == {"a": [(0, 4), (0, 4), (8, 11)]}
    line = {"relevant": [{"document": "a", "start": 5, "end": 7}]}
    assert omega([line], places) == (50.0, 0.0)
    assert omega([line], first_places([document], places)) == (0.0, 0.0)


def test_greedy_twins_fill_their_chunks() -> None:
    text = "# A\n\n" + "".join(f"Sentence {number} says something about ropes. " for number in range(200))
    document = markdown(text)
    embedder = catalogue.create("embed", "hashing")
    packed = packing_twin(document)
    cut = percentile_twin(document, embedder, 80)
    count = catalogue.create("counter", "o200k_base").count
    assert all(300 < count(text[start:end]) <= 400 for start, end, _ in packed[:-1])
    assert len(cut) > len(packed)
    for spans in (packed, cut):
        assert " ".join(text[start:end] for start, end, _ in spans).split() == text.split()
    assert packing_twin(markdown("")) == []


def test_sets_and_rows_are_read(tmp_path: Path) -> None:
    corpus = tmp_path / "small" / "corpus"
    corpus.mkdir(parents=True)
    (corpus / "a.txt").write_text("The gate opens at nine.", encoding="utf-8")
    line = '{"id": "%s", "question": "When?", "lang": "%s", "relevant": [%s]}'
    gold = '{"document": "a.txt", "start": 18, "end": 22, "text": "nine"}'
    questions = "\n".join(line % (f"q{number}", language, gold) for number, language in enumerate(["en", "zh", "en"]))
    (tmp_path / "small" / "queries.jsonl").write_text(questions, encoding="utf-8")
    (asked,) = sets(tmp_path, ["small"], catalogue.create("embed", "hashing"))
    assert asked.texts == {"a.txt": "The gate opens at nine."}
    assert [each.question.id for each in asked.odd] == ["q0"]
    assert [each.question.id for each in asked.even] == ["q2"]
    assert asked.judged[0].gold[0][0].span.of(asked.texts["a.txt"]) == "nine"
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "queries.jsonl").write_text(line % ("q", "en", '{"document": "a.pdf", "start": null}'), encoding="utf-8")
    assert names_of(tmp_path) == ["small"]
    table = tmp_path / "rows.csv"
    table.write_text("set,query_lang,chunker,retriever,hit1\nsmall,en,fixed,bm25,0.5\n", encoding="utf-8")
    assert published(table)["small", "en", "fixed", "bm25"]["hit1"] == "0.5"


def test_places_in_a_text_without_anchors_are_found_in_the_whole_one() -> None:
    text = "# One { #one }\n\nText.\n\n## Two { #two }\nMore. { #x }"
    shorter = Shorter.of(text)
    assert shorter.text == "# One\n\nText.\n\n## Two\nMore."
    for words in ("# One", "Text.", "## Two", "More.", "Two\nMore."):
        start = shorter.text.index(words)
        span = shorter.original(Span(start, start + len(words)))
        assert without_anchors(span.of(text)) == words
        assert not span.of(text).endswith("}")
    assert Shorter.of("none").original(Span(1, 3)) == Span(1, 3)
