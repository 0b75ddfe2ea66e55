"""Vectors of spans from sums over their document are those of their texts."""

from __future__ import annotations

import time
from pathlib import Path
from types import SimpleNamespace

import numpy
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pincite.embed import use, use_spans
from pincite.embed.use import UniversalSentenceEncoder
from pincite.model import Span, join_prefix
from pincite.ports import SpanEmbedder

CLOSE = 1e-5
WORDS = [
    "harbour",
    "tide",
    "Hafengebühr",
    "漢字仮名",
    "👨\u200d👩\u200d👧",
    "12.5",
    "e\u0301te\u0301",
    "—",
    "maxTokens=4",
    "ﬁn",
    "¨x",
    "½",
]
ODD = ["\u00a0", "\u3000", "\t", "\n\n", "\x00", "\u200b", "\ud800", "ﷺ", "<unk>", "…", "\u2028", "\u0308"]
TEXTS = st.lists(
    st.one_of(st.sampled_from(WORDS).map(" {}".format), st.sampled_from(ODD), st.text(max_size=6)), max_size=60
).map("".join)
PREFIXES = st.sampled_from(["", "Guide > Limits", " ", "Tarife > Häfen und\u00a0Kais\n", "\ud800"])


@st.composite
def asked(draw: st.DrawFn) -> tuple[str, list[Span], list[str]]:
    text = draw(TEXTS) * draw(st.sampled_from([1, 1, 3]))
    place = st.integers(0, len(text))
    pairs = draw(st.lists(st.tuples(place, place).filter(lambda pair: pair[0] != pair[1]), max_size=4 if text else 0))
    spans = [Span(*sorted(pair)) for pair in pairs]
    return text, spans, draw(st.lists(PREFIXES, min_size=len(spans), max_size=len(spans)))


def largest_difference(text: str, spans: list[Span], prefixes: list[str]) -> float:
    embedder = UniversalSentenceEncoder(threads=1)
    rows = embedder.embed_spans(text, spans, prefixes)
    plain = embedder.embed(
        [join_prefix(prefix, text[span.start : span.end]) for prefix, span in zip(prefixes, spans, strict=True)]
    )
    assert rows.dtype == plain.dtype
    return float(numpy.abs(rows - plain).max(initial=0.0))


@given(asked())
@example((" \n ", [Span(0, 3), Span(1, 2)], ["", "Guide"]))
@example((" harbour tide\ufdfa", [Span(0, 13)], [""]))
@example(("a literal \u2581 mark", [Span(0, 16)], [""]))
@example(("a mark in front", [Span(2, 15)], ["\u2581\u2581"]))
def test_spans_are_their_texts(given: tuple[str, list[Span], list[str]]) -> None:
    assert largest_difference(*given) <= CLOSE


@pytest.mark.soak
@given(asked())
def test_spans_are_their_texts_in_long_campaigns(given: tuple[str, list[Span], list[str]]) -> None:
    assert largest_difference(*given) <= CLOSE


def test_a_long_document_with_spans_of_all_sizes() -> None:
    """Spans that begin and end in several stretches, one of them longer than what the encoder reads at a time."""
    text = " ".join(
        f"Berth {number} takes ships of {number % 7 * 40} m; fees rise by {number / 3:.2f}." for number in range(220)
    )
    spans = [
        Span(start, min(start + size, len(text))) for size in (90, 400, 1700, 5000) for start in range(0, 9000, 1301)
    ]
    assert len(use._tokenizer().encode(text)) > 3 * use_spans.STRETCH
    assert largest_difference(text, spans, ["Harbour > Berths"] * len(spans)) <= CLOSE


def test_a_span_does_not_depend_on_the_rest_of_its_document() -> None:
    embedder = UniversalSentenceEncoder(threads=1)
    inner = "The pilot boards two miles out, where the channel is marked by a red and a green buoy. " * 3
    texts = [inner, "Secret fees. " * 150 + inner, inner + "Other matters."]
    rows = [
        embedder.embed_spans(text, [Span(text.index("The"), text.index("The") + len(inner))], [""])[0] for text in texts
    ]
    assert numpy.abs(numpy.array(rows) - rows[0]).max() <= CLOSE


def test_cut_words_and_no_spans() -> None:
    text = "Anlegestelle Nord: Gebührenordnung für Fähren und Frachtschiffe im Winterfahrplan der Hafenverwaltung"
    assert largest_difference(text, [Span(3, len(text) - 5), Span(20, 25), Span(12, 13)], [""] * 3) <= CLOSE
    assert UniversalSentenceEncoder().embed_spans(text, [], []).shape == (0, use.DIMENSION)
    with pytest.raises(ValueError, match="argument"):
        UniversalSentenceEncoder().embed_spans(text, [Span(0, 3)], [])


def test_another_version_of_the_package_is_embedded_text_by_text(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "A cursor lives for 15 minutes. " * 10
    expected = UniversalSentenceEncoder().embed([text[31:150]])
    monkeypatch.setattr(use_spans, "NEEDED", ("an_array_of_another_version",))
    found = UniversalSentenceEncoder().embed_spans(text, [Span(31, 150)], [""])
    assert found.tobytes() == expected.tobytes()
    assert use_spans.SpanNetwork.of(SimpleNamespace()) is None


def test_it_is_a_span_embedder() -> None:
    assert isinstance(UniversalSentenceEncoder(), SpanEmbedder)


def test_several_sizes_cost_little_more_than_one(shared: Path) -> None:
    """Cutting a document in four sizes takes at most as long as embedding two of them text by text."""
    file = shared / "data/fastapi-en/corpus"
    text = max((each.read_text(encoding="utf-8") for each in file.iterdir()), key=len)[:40_000]
    spans = [
        Span(start, min(start + size, len(text)))
        for size in (400, 800, 1600, 3200)
        for start in range(0, len(text), size)
    ]
    embedder = UniversalSentenceEncoder(threads=1)
    embedder.embed(["loaded"])
    start = time.process_time()
    embedder.embed_spans(text, spans, [""] * len(spans))
    together = time.process_time() - start
    start = time.process_time()
    embedder.embed([text[span.start : span.end] for span in spans])
    assert together < 0.5 * (time.process_time() - start)
