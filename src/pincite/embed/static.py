"""model2vec: static models, a table of token vectors whose mean is the text's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy
from model2vec import StaticModel

from pincite.embed.folder import folder_fingerprint, model_folder
from pincite.embed.unit import unit_rows

if TYPE_CHECKING:
    from pincite.ports import Vector, Vectors

FILES = ("config.json", "model.safetensors", "tokenizer.json")

_SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class StaticEmbedder:
    """A model2vec model by the ``path`` of its folder; a relative one starts at the working directory.

    All tokens are read (``max_tokens`` is ``None``), the package's own cut at 512 is off. A text without any known
    token is the first axis. The fingerprint is made from the files, so that the folder may move.
    """

    path: str = ""
    name: str = "model2vec"
    dimension: int = field(default=0, init=False)
    max_tokens: int | None = field(default=None, init=False)
    batch_invariant: bool = field(default=True, init=False)
    fingerprint: str = field(default="", init=False)
    _model: Any = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.path:
            raise ValueError("path is needed: the folder of the model")
        folder = model_folder(self.path, needs=FILES, component="the embedder 'model2vec'")
        model = StaticModel.from_pretrained(folder, normalize=False, max_length=None, force_download=False)
        object.__setattr__(self, "_model", model)
        object.__setattr__(self, "dimension", int(model.dim))
        object.__setattr__(self, "fingerprint", f"model2vec {folder_fingerprint(folder)} {model.dim}")

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Shape ``(len(texts), dimension)``, unit rows in the order of the texts."""
        if not texts:
            return numpy.empty((0, self.dimension), dtype=numpy.float32)
        # The package's threads are for more texts than ever come at once, and they change a global variable.
        rows = self._model.encode([_clean(text) for text in texts], max_length=None, use_multiprocessing=False)
        rows = numpy.asarray(rows, dtype=numpy.float32)
        rows[~rows.any(axis=1), 0] = 1
        return unit_rows(rows, texts, embedder=self.name, dimension=self.dimension)

    def embed_query(self, text: str) -> Vector:
        vector: Vector = self.embed([text])[0]
        return vector

    def count(self, text: str) -> int:
        """Tokens that the model knows, at least 1; 0 for a blank text."""
        return max(len(self._model.tokenize([_clean(text)])[0]), 1) if text.strip() else 0


def _clean(text: str) -> str:
    return _SURROGATES.sub("\ufffd", text)
