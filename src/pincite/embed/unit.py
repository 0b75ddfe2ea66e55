"""Checks what every embedder promises of its rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy

from pincite.errors import PinciteError

if TYPE_CHECKING:
    from pincite.ports import Vectors

SHORTEST_LENGTH = 1e-6
"""A row shorter than this has no direction left in float32."""
SHOWN_CHARACTERS = 60


def unit_rows(rows: Vectors, texts: Sequence[str], *, embedder: str) -> Vectors:
    """The rows as float32 with length 1. A row that is not finite or is zero is an error that names its text.

    >>> unit_rows(numpy.array([[3, 4]]), ["three, four"], embedder="example").tolist()
    [[0.6..., 0.8...]]
    """
    rows = numpy.asarray(rows, dtype=numpy.float32)
    lengths = numpy.linalg.norm(rows, axis=1)
    for index in numpy.flatnonzero(~(lengths > SHORTEST_LENGTH) | ~numpy.isfinite(lengths)):
        raise PinciteError(
            f"the embedder {embedder!r} gave no direction for the text {texts[int(index)][:SHOWN_CHARACTERS]!r}",
            cure="Leave that text out, or choose another embedder.",
            kind="embedding",
        )
    result: Vectors = rows / lengths[:, None]
    return result
