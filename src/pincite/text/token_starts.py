"""Where the tokens of a text start, all of them at once."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

import numpy

from pincite.text.tokenizers import MISREAD, loaded_encoding, loaded_quick, without_surrogates

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Tokens = NDArray[numpy.uint32]

CONTINUATION_BYTES: Final = bytes(range(0x80, 0xC0))
UNKNOWN: Final = 0xFFFF


def encode(name: str, text: str) -> Tokens:
    """The tokens, shape ``(n,)``; a surrogate is U+FFFD. At most 50,000 code points at once."""
    quick = loaded_quick(name)
    if quick is None or MISREAD in text:
        return numpy.array(loaded_encoding(name).encode_ordinary(without_surrogates(text)), dtype=numpy.uint32)
    try:
        tokens: Tokens = quick.encode_batch([text], 1)[0]
    except TypeError:
        tokens = quick.encode_batch([without_surrogates(text)], 1)[0]
    return tokens


class TokenStarts:
    """Where the tokens of one encoding start, from what is known of each: how many code points begin in it, and
    whether its first byte goes on with one. Learned from the tokens that are met: to look at all 200,000 would take a
    tenth of a second.
    """

    def __init__(self, name: str) -> None:
        self._encoding = loaded_quick(name) or loaded_encoding(name)
        self._known = numpy.full(self._encoding.max_token_value + 1, UNKNOWN, dtype=numpy.uint16)

    def of(self, tokens: Tokens, offset: int) -> NDArray[numpy.uint32]:
        """Code point offset of each token, where the first one starts at ``offset``. Tokens that share a character
        share its offset."""
        if not len(tokens):
            return tokens
        known = self._known.take(tokens, mode="clip")
        if known.max() == UNKNOWN:
            self._learn(numpy.unique(tokens[known == UNKNOWN]).tolist())
            known = self._known.take(tokens, mode="clip")
        starts = numpy.empty(len(tokens), dtype=numpy.uint32)
        starts[0] = offset
        numpy.right_shift(known[:-1], 1, out=starts[1:])
        starts.cumsum(out=starts)
        starts -= known & 1
        return starts

    def _learn(self, tokens: list[int]) -> None:
        for token in tokens:
            data = self._encoding.decode_single_token_bytes(token)
            begun = len(data.translate(None, CONTINUATION_BYTES))
            self._known[token] = begun << 1 | (0x80 <= data[0] < 0xC0)


@cache
def loaded_starts(name: str) -> TokenStarts:
    return TokenStarts(name)
