"""Files with something broken, the same ones on every run: for campaigns against the loaders."""

from __future__ import annotations

import random
from collections.abc import Sequence


def mutated(data: bytes, seed: int, *, nests: Sequence[bytes] = ()) -> bytes:
    """The data with pieces cut out, repeated up to 2,000 times or moved, or its end cut off; now and then with bits
    flipped, bytes at random or a NUL, which make most text binary. One of ``nests``, pieces that open something, may be
    repeated 3,000 times."""
    chance = random.Random(seed)
    result = bytearray(data)
    kinds = ["cut", "repeat", "move", "end"] * 3 + ["flip", "swap", "nul"] + ["nest"] * (3 if nests else 0)
    for _ in range(chance.randint(1, 6)):
        at, size = chance.randrange(len(result)), chance.randint(1, 40)
        kind = chance.choice(kinds)
        if kind == "flip":
            result[at] ^= 1 << chance.randrange(8)
        elif kind == "cut":
            del result[at : at + size]
        elif kind == "repeat":
            result[at:at] = bytes(result[at : at + size]) * chance.randint(2, 2000)
        elif kind == "move":
            piece = bytes(result[at : at + size])
            del result[at : at + size]
            to = chance.randrange(len(result) + 1)
            result[to:to] = piece
        elif kind == "nest":
            result[at:at] = chance.choice(nests) * 3000
        elif kind == "end":
            del result[max(at, 1) :]
        elif kind == "swap":
            result[at : at + size] = bytes(chance.randrange(256) for _ in range(size))
        else:
            result[at:at] = b"\0"
        if not result:
            result += b"\n"
    return bytes(result)
