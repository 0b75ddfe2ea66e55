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


def unit_rows(
    rows: Vectors, texts: Sequence[str], *, embedder: str, dimension: int | None = None, first: int = 0
) -> Vectors:
    """The rows as float32 with length 1. A wrong number of rows, another dimension, a row that is not finite or is
    zero is an error that names the embedder and the text, by its number from 1,
    before which there were ``first`` others.

    >>> unit_rows(numpy.array([[3, 4]]), ["three, four"], embedder="example").tolist()
    [[0.6..., 0.8...]]
    """
    rows = numpy.asarray(rows, dtype=numpy.float32)
    dimension = dimension or rows.shape[-1]
    if rows.shape != (len(texts), dimension):
        raise embedding_error(
            f"the embedder {embedder!r} gave vectors of shape {rows.shape} for {len(texts)} texts; expected "
            f"{(len(texts), dimension)}",
            cure="Check the model and its option `dimension`.",
        )
    with numpy.errstate(over="ignore", invalid="ignore"):
        lengths = numpy.linalg.norm(rows, axis=1)
    for index in numpy.flatnonzero(~(lengths > SHORTEST_LENGTH) | ~numpy.isfinite(lengths)):
        number = first + int(index) + 1
        raise embedding_error(
            f"the embedder {embedder!r} gave no direction for text {number}, {texts[int(index)][:SHOWN_CHARACTERS]!r}",
            cure="Leave that text out, or choose another embedder.",
        )
    result: Vectors = rows / lengths[:, None]
    return result


def embedding_error(problem: str, *, cure: str) -> PinciteError:
    return PinciteError(problem, cure=cure, kind="embedding")
