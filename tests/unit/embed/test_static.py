"""model2vec, with a tiny model made here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy
import pytest

from pincite import catalogue
from pincite.errors import UsageError
from pincite.testing.embedders import check_embedder

model2vec = pytest.importorskip("model2vec", reason="the extra model2vec is not installed")

WORDS = ("[UNK]", "a", "cursor", "lives", "for", "15", "minutes", "short", "longer", "text", "Minuten", "Ein", "!?")
DIMENSION = 8


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace

    tokenizer = Tokenizer(WordLevel({word: number for number, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    vectors = numpy.random.default_rng(5).normal(size=(len(WORDS), DIMENSION)).astype(numpy.float32)
    path = tmp_path_factory.mktemp("model")
    model2vec.StaticModel(vectors, tokenizer, config={}).save_pretrained(path)
    return path


def embedder_in(folder: Path) -> Any:
    return catalogue.create("embed", "model2vec", {"path": str(folder)})


def test_conformance(folder: Path) -> None:
    check_embedder("model2vec", {"path": str(folder)})


def test_nothing_is_cut(folder: Path) -> None:
    embedder = embedder_in(folder)
    plain, longer = embedder.embed(["a cursor " * 2_000, "a cursor " * 2_000 + "minutes " * 2_000])
    assert float(plain @ longer) < 0.99
    assert embedder.count("a cursor " * 2_000) == 4_000


def test_text_without_known_tokens_is_the_first_axis(folder: Path) -> None:
    embedder = embedder_in(folder)
    assert embedder.embed_query("nothing known").tolist() == [1.0] + [0.0] * (DIMENSION - 1)
    assert (embedder.count("nothing known"), embedder.count(" ")) == (1, 0)


def test_fingerprint_follows_the_files_and_not_the_place(folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "elsewhere"
    copy.mkdir()
    for file in folder.iterdir():
        (copy / file.name).write_bytes(file.read_bytes())
    plain = embedder_in(folder).fingerprint
    assert embedder_in(copy).fingerprint == plain
    weights = bytearray((copy / "model.safetensors").read_bytes())
    weights[-1] ^= 1
    (copy / "model.safetensors").write_bytes(weights)
    assert embedder_in(copy).fingerprint != plain


def test_names_of_models_and_empty_folders_are_errors(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"'minishlab/potion-base-8M' is none\. .*downloads nothing"):
        catalogue.create("embed", "model2vec", {"path": "minishlab/potion-base-8M"})
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(UsageError, match=r"holds no model .*model\.safetensors, tokenizer\.json is not in it"):
        catalogue.create("embed", "model2vec", {"path": str(tmp_path)})
    with pytest.raises(UsageError, match="path is needed"):
        catalogue.create("embed", "model2vec")
