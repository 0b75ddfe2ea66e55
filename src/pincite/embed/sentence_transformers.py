"""sentence-transformers: any of its models by the folder that it lies in."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy
from sentence_transformers import SentenceTransformer

from pincite.embed.folder import folder_fingerprint, model_folder
from pincite.embed.unit import unit_rows

if TYPE_CHECKING:
    from pincite.ports import Vector, Vectors

_SURROGATES = re.compile("[\ud800-\udfff]")

_using = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceTransformerEmbedder:
    """A model by the ``path`` of its folder; no code that lies in it is run, and nothing is fetched.

    ``query_prefix`` and ``document_prefix`` are what the model's authors ask for, such as "query: "; prompts in the
    model's own configuration are left alone. ``max_tokens`` is the model's, prefix and marks included. Vectors
    vary in the last digits with the texts of a batch of ``batch_size``. The fingerprint is made from the files.
    """

    path: str = ""
    query_prefix: str = ""
    document_prefix: str = ""
    batch_size: int = 32
    device: str = "cpu"
    name: str = "sentence-transformers"
    dimension: int = field(default=0, init=False)
    max_tokens: int | None = field(default=None, init=False)
    fingerprint: str = field(default="", init=False)
    _model: Any = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.path:
            raise ValueError("path is needed: the folder of the model")
        if self.batch_size < 1:
            raise ValueError(f"batch_size is at least 1, got {self.batch_size}")
        folder = model_folder(self.path, needs=("modules.json",), component="the embedder 'sentence-transformers'")
        model = SentenceTransformer(str(folder), device=self.device, local_files_only=True, trust_remote_code=False)
        dimension = model.encode([""], prompt="", show_progress_bar=False).shape[1]
        object.__setattr__(self, "_model", model)
        object.__setattr__(self, "dimension", int(dimension))
        object.__setattr__(self, "max_tokens", model.max_seq_length)
        made_of = f"{folder_fingerprint(folder)} {dimension} {self.query_prefix!r} {self.document_prefix!r}"
        object.__setattr__(self, "fingerprint", f"sentence-transformers {made_of}")

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Shape ``(len(texts), dimension)``, unit rows in the order of the texts."""
        return self._embed(texts, self.document_prefix)

    def embed_query(self, text: str) -> Vector:
        vector: Vector = self._embed([text], self.query_prefix)[0]
        return vector

    def count(self, text: str) -> int:
        """Tokens with the prefix that gives more of them and the marks around them; 0 for a blank text."""
        if not text.strip():
            return 0
        texts = [prefix + _clean(text) for prefix in {self.document_prefix, self.query_prefix}]
        return max(map(len, self._model.tokenizer(texts, truncation=False, verbose=False)["input_ids"]))

    def _embed(self, texts: Sequence[str], prefix: str) -> Vectors:
        if not texts:
            return numpy.empty((0, self.dimension), dtype=numpy.float32)
        with _using:
            rows = self._model.encode(
                [prefix + _clean(text) for text in texts],
                prompt="",
                batch_size=self.batch_size,
                show_progress_bar=False,
                convert_to_numpy=True,
            )
        return unit_rows(rows, texts, embedder=self.name, dimension=self.dimension)


def _clean(text: str) -> str:
    return _SURROGATES.sub("\ufffd", text)
