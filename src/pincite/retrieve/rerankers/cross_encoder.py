"""A cross-encoder of sentence-transformers by the folder that it lies in."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sentence_transformers import CrossEncoder

from pincite.errors import UsageError

_SURROGATES = re.compile("[\ud800-\udfff]")

_using = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossEncoderReranker:
    """A model by the ``path`` of its folder; no code that lies in it is run, and nothing is fetched. It reads only the
    beginning of a passage that is longer than the model's limit."""

    path: str = ""
    batch_size: int = 16
    device: str = "cpu"
    name: str = "cross-encoder"
    _model: Any = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.path:
            raise ValueError("path is needed: the folder of the model")
        if self.batch_size < 1:
            raise ValueError(f"batch_size is at least 1, got {self.batch_size}")
        folder = Path(self.path).expanduser()
        if not (folder / "config.json").is_file():
            raise UsageError(
                f"the reranker 'cross-encoder' has its model in a folder, and {self.path!r} holds none",
                cure="Give the path of a folder that holds the model; pincite downloads nothing.",
                kind="missing_model",
            )
        model = CrossEncoder(
            str(folder), num_labels=1, device=self.device, local_files_only=True, trust_remote_code=False
        )
        object.__setattr__(self, "_model", model)

    def rerank(self, query: str, passages: Sequence[str]) -> list[float]:
        """One score per passage, in their order; higher is better."""
        if not passages:
            return []
        pairs = [(_clean(query), _clean(passage)) for passage in passages]
        with _using:
            scores = self._model.predict(pairs, batch_size=self.batch_size, show_progress_bar=False)
        return [float(score) for score in scores]


def _clean(text: str) -> str:
    return _SURROGATES.sub("\ufffd", text)
