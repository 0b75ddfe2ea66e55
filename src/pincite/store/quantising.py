"""Vectors in 8 bits, each row scaled by its own largest number, and how far off such a row is at most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pincite.ports import Vectors

LARGEST = 127
ROUNDING = 1 + 1e-6
"""What is computed in 64 bits and kept in 32 is made larger by this, so that a bound stays one."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Codes:
    """``n`` rows ``v``, of which ``scale * code`` is the nearest that 8 bits give.

    codes    (n, d)  int8
    scales   (n,)    float32
    errors   (n,)    float32, at least the length of ``v - scale * code``
    reaches  (n,)    float32, at least the length of ``scale * code``
    """

    codes: NDArray[np.int8]
    scales: NDArray[np.float32]
    errors: NDArray[np.float32]
    reaches: NDArray[np.float32]


def quantised(vectors: Vectors) -> Codes:
    largest = np.abs(vectors).max(axis=1, initial=0)
    scales = (largest / LARGEST).astype(np.float32)
    divisors = np.where(scales > 0, scales, 1)[:, None]
    codes = np.clip(np.rint(vectors / divisors), -LARGEST, LARGEST).astype(np.int8)
    near = codes * scales.astype(np.float64)[:, None]
    errors = np.linalg.norm(vectors - near, axis=1) * ROUNDING
    reaches = np.linalg.norm(near, axis=1) * ROUNDING
    return Codes(codes=codes, scales=scales, errors=errors.astype(np.float32), reaches=reaches.astype(np.float32))
