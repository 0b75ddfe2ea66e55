"""sentence-transformers, with a tiny model made here; where it is installed, which takes a gigabyte."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.unit.embed.tiny_transformer import save_tiny_bert

from pincite import catalogue
from pincite.errors import UsageError
from pincite.testing.embedders import check_embedder

pytest.importorskip("sentence_transformers", reason="sentence-transformers is not installed")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer

    bert = tmp_path_factory.mktemp("bert")
    save_tiny_bert(bert)
    words = Transformer(str(bert), max_seq_length=64)
    path = tmp_path_factory.mktemp("model")
    SentenceTransformer(modules=[words, Pooling(32)], device="cpu").save(str(path))
    return path


def embedder(folder: Path, **options: Any) -> Any:
    return catalogue.create("embed", "sentence-transformers", {"path": str(folder), **options})


def test_conformance(folder: Path) -> None:
    check_embedder("sentence-transformers", {"path": str(folder)})


def test_limit_and_count_are_the_models(folder: Path) -> None:
    made = embedder(folder, document_prefix="a ")
    assert (made.dimension, made.max_tokens) == (32, 64)
    assert made.count("cursor") == 4  # with the prefix and both marks
    assert made.count("cursor " * 100) > made.max_tokens
    assert made.count(" ") == 0


def test_prefixes_and_batches(folder: Path) -> None:
    made = embedder(folder, query_prefix="short ", batch_size=2)
    assert abs(made.embed_query("cursor") - made.embed(["short cursor"])[0]).max() < 1e-6
    assert made.embed([]).shape == (0, 32)
    assert made.fingerprint != embedder(folder).fingerprint


def test_names_of_models_are_errors(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="downloads nothing"):
        embedder(Path("sentence-transformers/all-MiniLM-L6-v2"))
    with pytest.raises(UsageError, match=r"modules\.json is not in it"):
        embedder(tmp_path)
    for options in ({"path": ""}, {"batch_size": 0}):
        with pytest.raises(UsageError, match=r"is needed|is at least 1"):
            embedder(tmp_path, **options)
