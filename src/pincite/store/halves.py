"""Vectors in 16 bits, as both stores keep them: IEEE 754 halves (binary16), little-endian."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pincite.ports import Vectors

    Halves: TypeAlias = NDArray[np.float16]

HALF = np.dtype("<f2")
LARGEST = float(np.finfo(np.float16).max)
SIGN_AND_REST = np.int32(-0x7000_0001)  # all bits but the three between a sign in 32 bits and the exponent of a half
BIASES = np.int32((127 - 15) << 23)
EXPONENT = np.uint16(0x7C00)


def halved(vectors: Vectors) -> Halves:
    """Each number rounded to the nearest half, of two to the even one. What was rounded once stays as it is."""
    return vectors.astype(HALF)


def widened(halves: Halves) -> Vectors:
    """The same finite numbers in 32 bits, as ``astype`` gives them in two or three times the time: it goes one by one.

    A half has 5 bits for the exponent and 10 for the fraction, a number in 32 bits has 8 and 23; so the bits move by
    13 and the exponent grows by the difference of the biases. Numbers below 2^-14 have another form, and are few.

    >>> widened(np.array([1.5, -65504, 2**-24, 0], dtype=HALF)).tolist()
    [1.5, -65504.0, 5.960464477539063e-08, 0.0]
    """
    narrow = np.ascontiguousarray(halves, dtype=np.float16)
    bits = narrow.view(np.int16).astype(np.int32)  # copies of the sign fill what is left of it
    bits <<= 13
    bits &= SIGN_AND_REST
    bits += BIASES
    wide: Vectors = bits.view(np.float32)
    small = np.flatnonzero((narrow.view(np.uint16) & EXPONENT) == 0)
    wide.reshape(-1)[small] = narrow.reshape(-1)[small].astype(np.float32)
    return wide
