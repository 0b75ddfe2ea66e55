"""A cross-encoder, with a tiny model made here; where sentence-transformers is installed, which takes a gigabyte."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from tests.unit.embed.tiny_transformer import save_tiny_bert

from pincite import catalogue
from pincite.errors import UsageError

pytest.importorskip("sentence_transformers", reason="sentence-transformers is not installed")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model")
    save_tiny_bert(path, labels=1)
    return path


def test_one_score_for_each_passage_in_order(folder: Path) -> None:
    reranker = catalogue.create("rerank", "cross-encoder", {"path": str(folder), "batch_size": 2})
    passages = ["a cursor lives", "15 minutes", "short \ud800", ""]
    scores = reranker.rerank("cursor", passages)
    assert len(scores) == 4
    assert all(math.isfinite(score) for score in scores)
    assert reranker.rerank("cursor", passages[::-1]) == pytest.approx(scores[::-1], abs=1e-5)
    assert reranker.rerank("cursor", []) == []


def test_names_of_models_are_errors(tmp_path: Path) -> None:
    for path in ("cross-encoder/ms-marco-MiniLM-L6-v2", str(tmp_path)):
        with pytest.raises(UsageError, match="downloads nothing"):
            catalogue.create("rerank", "cross-encoder", {"path": path})
    for options in ({"path": ""}, {"path": str(tmp_path), "batch_size": 0}):
        with pytest.raises(UsageError, match=r"is needed|is at least 1"):
            catalogue.create("rerank", "cross-encoder", options)
