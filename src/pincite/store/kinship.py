"""How chunks that were found together stand to each other."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from pincite.ports import NEAREST_KIN, Kin
from pincite.store import nearest
from pincite.store.scoring import Part

if TYPE_CHECKING:
    from numpy.typing import NDArray


def kin_of(parts: Sequence[Part], places: Mapping[str, tuple[int, int]]) -> dict[str, Kin]:
    """``places`` has for each chunk the number of its part and its row there."""
    names = sorted(places)
    width = max((parts[number].segment.codes.shape[1] for number, _ in places.values()), default=0)
    codes, scales = np.zeros((len(names), width), dtype=np.int8), np.zeros(len(names))
    documents: dict[tuple[int, int], int] = {}
    numbers = []
    for place, name in enumerate(names):
        number, row = places[name]
        segment = parts[number].segment
        own = segment.codes[row]
        codes[place, : len(own)] = own
        scales[place] = segment.scales[row]
        numbers.append(documents.setdefault((number, int(segment.chunk_documents[row])), len(documents)))
    values = likenesses(codes, scales)
    return {name: Kin(number, value) for name, number, value in zip(names, numbers, values, strict=True)}


def likenesses(codes: NDArray[np.int8], scales: NDArray[np.float64]) -> list[float]:
    """For each row the mean cosine with those of the others that are most like it.

    Products of whole numbers do not depend on the order in which they are added up, and ``fsum`` rounds once: the same
    bits on every machine.
    """
    count = min(NEAREST_KIN, len(codes) - 1)
    if count < 1:
        return [0.0] * len(codes)
    cosines = _products(codes).astype(np.float64) * (scales[:, None] * scales)
    np.fill_diagonal(cosines, -np.inf)
    closest = np.partition(cosines, len(codes) - count, axis=1)[:, len(codes) - count :]
    return [math.fsum(several) / count for several in closest.tolist()]


def _products(codes: NDArray[np.int8]) -> NDArray[np.float32]:
    """The dot products of all rows with each other, rounded once to 32 bits."""
    if nearest.numkong is None or not codes.shape[1]:
        exact: NDArray[np.float64] = codes.astype(np.float64) @ codes.astype(np.float64).T
        return exact.astype(np.float32)
    # A BLAS spreads so small a product over several threads, whose waiting takes many times as long.
    values = np.empty((len(codes), len(codes)), dtype=np.float32)
    nearest.numkong.cdist(codes, codes, "dot", out=values)
    return values
