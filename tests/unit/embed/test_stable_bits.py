"""The same text gives the same bits, whatever stands beside it: what nobody may see changes no score."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from threadpoolctl import ThreadpoolController, threadpool_limits

from pincite.embed import use
from pincite.embed.one_thread import ONE_THREAD, OneThread
from pincite.embed.use import UniversalSentenceEncoder
from pincite.engine.collection import Collection
from pincite.errors import PinciteError
from pincite.model import Principal

WORDS = [
    "harbour",
    "tide",
    "Schiff",
    "漢字",
    "👨\u200d👩\u200d👧",
    "crane",
    "12.5",
    "é\u0301",
    "berth\nquay",
    "—",
    "of",
]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=60).map(" ".join)


@given(st.lists(TEXTS, min_size=1, max_size=8), st.randoms(use_true_random=False), st.integers(1, 4))
@settings(max_examples=60)
def test_a_vector_does_not_depend_on_its_batch(texts: list[str], random: Any, threads: int) -> None:
    check_bits(texts, random, threads)


def check_bits(texts: list[str], random: Any, threads: int) -> None:
    embedder = UniversalSentenceEncoder(threads=threads)
    rows = embedder.embed(texts)
    order = random.sample(range(len(texts)), len(texts))
    assert embedder.embed([texts[number] for number in order]).tobytes() == rows[order].tobytes()
    some = sorted(order[: len(texts) // 2 + 1])
    assert embedder.embed([texts[number] for number in some]).tobytes() == rows[some].tobytes()
    for text, row in zip(texts, rows, strict=True):
        assert embedder.embed([text])[0].tobytes() == embedder.embed_query(text).tobytes() == row.tobytes()


@pytest.mark.soak
@given(st.lists(TEXTS, min_size=1, max_size=20), st.randoms(use_true_random=False), st.integers(1, 4))
def test_a_vector_does_not_depend_on_its_batch_in_long_campaigns(texts: list[str], random: Any, threads: int) -> None:
    check_bits(texts, random, threads)


def test_long_text_has_the_same_bits_beside_others() -> None:
    embedder = UniversalSentenceEncoder()
    long = "The crane lifts. " * 600
    assert len(long) > 2 * use.PART_CHARACTERS
    beside = embedder.embed(["short", long, long + "end", "", long])
    assert beside[1].tobytes() == beside[4].tobytes() == embedder.embed_query(long).tobytes()


def test_number_of_threads_that_a_program_has_set_changes_nothing() -> None:
    embedder = UniversalSentenceEncoder()
    text = "The berth is free until the tide turns. " * 20
    vectors = set()
    for limit in (1, 2, 3):
        with threadpool_limits(limits=limit, user_api="blas"):
            vectors.add(embedder.embed_query(text).tobytes())
    assert len(vectors) == 1


def test_batches_at_the_same_time_disturb_nothing() -> None:
    embedder = UniversalSentenceEncoder()
    texts = [f"{'berth ' * number}number {number}" for number in range(24)]
    right = embedder.embed(texts)
    with ThreadPoolExecutor(4) as threads:
        for rows in threads.map(lambda _: embedder.embed(texts), range(8)):
            assert rows.tobytes() == right.tobytes()


def blas_threads() -> list[int]:
    return [library["num_threads"] for library in ThreadpoolController().select(user_api="blas").info()]


def test_limit_is_taken_away_by_the_last_one_out() -> None:
    if not blas_threads():
        pytest.skip("numpy's matrix library cannot be limited here")
    with threadpool_limits(limits=2, user_api="blas"):
        limit = OneThread()
        with limit:
            with limit:
                assert set(blas_threads()) == {1}
            assert set(blas_threads()) == {1}
        assert set(blas_threads()) == {2}
        with pytest.raises(ValueError, match="in the middle"), limit:
            raise ValueError("in the middle")
        assert set(blas_threads()) == {2}


def test_failure_does_not_wait_for_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []
    lock = threading.Lock()

    class Broken:
        """A model whose weights are damaged."""

        def encode(self, text: str) -> Any:
            with lock:
                begun.append(text)
            time.sleep(0.01)
            return numpy.full(use.DIMENSION, numpy.nan, dtype=numpy.float32)

    monkeypatch.setattr(use, "_model", Broken)
    with pytest.raises(PinciteError, match="the embedder 'use' gave no direction for text 1"):
        UniversalSentenceEncoder(threads=2).embed(["x"] * 500)
    assert len(begun) < 400
    assert ONE_THREAD._inside == 0


def test_processors_are_counted_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 1 <= use._usable_processors() <= use.MOST_THREADS
    monkeypatch.delattr("os.sched_getaffinity", raising=False)
    monkeypatch.setattr("os.cpu_count", lambda: None)
    assert use._usable_processors() == 1


def test_documents_that_somebody_may_not_see_change_no_score_of_theirs(tmp_path: Path) -> None:
    """Through the whole way: embedded in the same batches, and searched in the same index."""
    opened = {f"open{number}.md": f"# Berth {number}\n\n{'The tide turns. ' * number}\n" for number in range(1, 6)}
    hidden = {f"hidden{number}.md": f"---\ngroups: [staff]\n---\nA secret of {number} words.\n" for number in range(9)}
    public = Principal(frozenset({"public"}))
    found = []
    for name, files in (("alone", opened), ("beside", opened | hidden)):
        folder = tmp_path / name
        (folder / "docs").mkdir(parents=True)
        for file, text in files.items():
            (folder / "docs" / file).write_text(text)
        with Collection(folder, create=True) as collection:
            collection.add(folder / "docs")
            hits = collection.search("when does the tide turn", principal=public, k=20, mode="dense").hits
        found.append([(hit.located.chunk.id, hit.score) for hit in hits])
    assert len(found[0]) >= 5
    assert found[0] == found[1]
