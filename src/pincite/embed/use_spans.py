"""Vectors of many spans of one document in little more than one pass over its text.

Up to its output network the Universal Sentence Encoder adds up features of tokens, each of which sees four neighbours
on either side. The sum over a span is therefore a difference of running sums over the document, but for the four tokens
at each edge, which see other neighbours in the document than in the span alone. Only these are computed anew, together
with what stands around them in the span: the start mark and a prefix, the end mark, and words that the span cuts off.

Tokens never reach over white space, so that a word has the same ones in the document and in the span.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pincite.model import Span
    from pincite.ports import Vectors

    Rows = NDArray[numpy.float32]
    Sums = NDArray[numpy.float64]
    Tokenize = Callable[[str], list[int]]

WORD = re.compile("[^ \t\n\r\u00a0\u3000]+")
"""What the tokenizer takes for white space and no longer character begins with; other such characters may stand within
a word."""
START, END, UNKNOWN = 1, 2, 0
"""Tokens."""
REACH = 4
"""How many neighbours on either side a token's features depend on: two in each of two convolutions of five tokens."""
STRETCH = 384
"""Features of so many tokens are computed at a time: 2 MB, which stay in a processor's cache."""
TOGETHER = 384
"""Edges are computed together up to about so many tokens; fewer, larger products take less time."""
NEEDED = (
    *("table", "scale", "lo", "proj_W", "proj_b", "ln_g_all", "ln_b_all", "w1", "b1", "w2", "b2", "ln_g", "ln_b"),
    *("cnn_W", "cnn_b", "d0", "d1", "d2", "d3", "p1", "p3", "eps"),
)


@dataclass(frozen=True, slots=True)
class Words:
    """The runs between white space of a text: where each starts and ends, and the number of its first token, with the
    number of all tokens at the end."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]
    firsts: Sequence[int]
    tokens: Sequence[int]

    @classmethod
    def of(cls, text: str, tokenize: Tokenize) -> Words:
        starts, ends, firsts, tokens = [], [], [0], []
        for word in WORD.finditer(text):
            starts.append(word.start())
            ends.append(word.end())
            tokens += tokenize(word[0])
            firsts.append(len(tokens))
        return cls(text, starts, ends, firsts, tokens)

    def within(self, span: Span) -> tuple[int, int]:
        """The first whole word of the span and the one behind its last."""
        return bisect_left(self.starts, span.start), bisect_right(self.ends, span.end)


@dataclass(frozen=True, slots=True)
class Piece:
    """Tokens whose features are computed anew: those from ``first`` up to ``last`` count, for the span of that
    number; the others are only their neighbours."""

    span: int
    tokens: Sequence[int]
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What the sums of all spans are made of. ``inner`` has for each span the tokens of the document, from the first
    up to the one behind the last, whose features are the same in the span and in the document; ``lengths`` counts a
    span's tokens with its marks."""

    pieces: Sequence[Piece]
    inner: NDArray[numpy.int64]
    lengths: Rows

    @classmethod
    def of(cls, words: Words, spans: Sequence[Span], heads: Sequence[Sequence[int]], cut: Tokenize) -> Plan:
        """``heads`` has the tokens of what stands before each span, ``cut`` gives those of words that are cut off."""
        pieces: list[Piece] = []
        inner = numpy.zeros((len(spans), 2), dtype=numpy.int64)
        lengths = numpy.zeros(len(spans), dtype=numpy.float32)
        for number, (span, head) in enumerate(zip(spans, heads, strict=True)):
            before, begin, end, behind = _parts(words, span, cut)
            before, behind = [START, *head, *before], [*behind, END]
            if len(before) + end - begin + len(behind) == 2:
                before.append(UNKNOWN)  # what the model sees of a text without anything
            lengths[number] = len(before) + end - begin + len(behind)
            if end - begin <= 4 * REACH:
                whole = [*before, *words.tokens[begin:end], *behind]
                pieces.append(Piece(number, whole, 0, len(whole)))
                continue
            inner[number] = begin + REACH, end - REACH
            left = [*before, *words.tokens[begin : begin + 2 * REACH]]
            right = [*words.tokens[end - 2 * REACH : end], *behind]
            pieces += [Piece(number, left, 0, len(left) - REACH), Piece(number, right, REACH, len(right))]
        return cls(pieces, inner, lengths)


def _parts(words: Words, span: Span, cut: Tokenize) -> tuple[list[int], int, int, list[int]]:
    """Tokens of the word that the span cuts off at its start, the tokens of the document up to the one behind the last,
    tokens of the word that it cuts off at its end."""
    first, last = words.within(span)
    if first >= last:
        return cut(words.text[span.start : span.end]), 0, 0, []
    before = words.text[span.start : words.starts[first]]
    behind = words.text[words.ends[last - 1] : span.end]
    return cut(before), words.firsts[first], words.firsts[last], cut(behind)


@dataclass(frozen=True, slots=True)
class SpanNetwork:
    """The encoder's network in two halves: the sum of features over tokens, and the vector of such a sum. ``weights``
    is the numpy model of the package with its arrays."""

    weights: Any

    @classmethod
    def of(cls, model: Any) -> SpanNetwork | None:
        """``None`` where the package's model does not have the arrays that are known here."""
        weights = getattr(model, "_model", None)
        return cls(weights) if all(hasattr(weights, name) for name in NEEDED) else None

    def vectors(self, plan: Plan, tokens: Sequence[int]) -> Vectors:
        """One row for each span, not yet of length 1."""
        sums = self._inner_sums(plan.inner, tokens)
        for pieces in _batches(plan.pieces):
            for piece, total in zip(pieces, self._sums(pieces), strict=True):
                sums[piece.span] += total
        return self._vectors(sums.astype(numpy.float32), plan.lengths)

    def _inner_sums(self, inner: NDArray[numpy.int64], tokens: Sequence[int]) -> Sums:
        """Each is a difference of running sums at places where a span begins or ends."""
        sums = numpy.zeros((len(inner), len(self.weights.ln_g)), dtype=numpy.float64)
        for start in range(0, len(tokens), STRETCH):
            end = min(start + STRETCH, len(tokens))
            bounds = numpy.clip(inner, start, end) - start
            [here] = numpy.nonzero(bounds[:, 1] > bounds[:, 0])
            if len(here):
                left, right = max(0, start - REACH), min(len(tokens), end + REACH)
                features = self.features([tokens[left:right]])[start - left : end - left]
                places, numbers = numpy.unique(bounds[here], return_inverse=True)
                between = numpy.add.reduceat(features[: places[-1]], places[:-1], axis=0)
                running = numpy.zeros((len(places), features.shape[1]), dtype=numpy.float64)
                numpy.cumsum(between, axis=0, dtype=numpy.float64, out=running[1:])
                numbers = numbers.reshape(-1, 2)
                sums[here] += running[numbers[:, 1]] - running[numbers[:, 0]]
        return sums

    def _sums(self, pieces: Sequence[Piece]) -> Iterator[Sums]:
        features = self.features([piece.tokens for piece in pieces])
        place = 0
        for piece in pieces:
            yield features[place + piece.first : place + piece.last].sum(axis=0, dtype=numpy.float64)
            place += len(piece.tokens)

    def features(self, sequences: Sequence[Sequence[int]]) -> Rows:
        """One row for each token, of all sequences one behind the other. Beyond the ends of a sequence there is
        nothing."""
        weights = self.weights
        lengths = [len(sequence) for sequence in sequences]
        tokens = numpy.fromiter((token for one in sequences for token in one), dtype=numpy.int64, count=sum(lengths))
        block = tokens % len(weights.scale)
        embedded = weights.table[tokens].astype(numpy.float32) * weights.scale[block, None] + weights.lo[block, None]
        projected = _standardised(
            embedded @ weights.proj_W + weights.proj_b, weights.ln_g_all, weights.ln_b_all, weights.eps
        )
        # Each sequence stands between rows of zeros, which are what a convolution sees beyond its ends.
        rows = numpy.concatenate(
            [numpy.arange(size) + before for size, before in zip(lengths, _offsets(lengths), strict=True)]
        )
        parts = [embedded]
        width = projected.shape[1] // len(weights.w1)
        for branch, (first, second) in enumerate(zip(weights.w1, weights.w2, strict=True)):
            padded = numpy.zeros((sum(lengths) + REACH * (len(lengths) + 1), width), dtype=numpy.float32)
            padded[rows] = projected[:, branch * width : (branch + 1) * width]
            padded[rows] = _convolved(padded, rows, first, weights.b1[branch])
            parts.append(_convolved(padded, rows, second, weights.b2[branch]))
        return _standardised(numpy.hstack(parts), weights.ln_g, weights.ln_b, weights.eps)

    def _vectors(self, sums: Rows, lengths: Rows) -> Vectors:
        weights = self.weights
        hidden = (sums @ weights.cnn_W + lengths[:, None] * weights.cnn_b) / numpy.sqrt(lengths)[:, None]
        hidden = _positive(hidden @ weights.p1 + _positive(hidden @ weights.d0) @ weights.d1)
        result: Vectors = numpy.tanh(hidden @ weights.p3 + _positive(hidden @ weights.d2) @ weights.d3)
        return result


def _batches(pieces: Iterable[Piece]) -> Iterator[list[Piece]]:
    batch: list[Piece] = []
    size = 0
    for piece in pieces:
        if batch and size + len(piece.tokens) > TOGETHER:
            yield batch
            batch, size = [], 0
        batch.append(piece)
        size += len(piece.tokens)
    if batch:
        yield batch


def _offsets(lengths: Sequence[int]) -> Iterator[int]:
    """Where each sequence begins when ``REACH`` empty rows stand before, between and behind them."""
    place = REACH
    for length in lengths:
        yield place
        place += length + REACH


def _convolved(padded: Rows, rows: NDArray[numpy.int64], weights: Rows, bias: Rows) -> Rows:
    """Each row with what a layer finds in its window; windows of an even size reach farther to the right."""
    order = len(weights) // padded.shape[1]
    left = (order - 1) // 2
    windows = numpy.hstack([padded[rows + shift] for shift in range(-left, order - left)])
    result: Rows = _positive(windows @ weights + bias) + padded[rows]
    return result


def _standardised(rows: Rows, gain: Rows, bias: Rows, least: float) -> Rows:
    """Each row with mean 0 and variance 1, scaled and moved."""
    rows = rows - rows.mean(axis=1, keepdims=True)
    variance = numpy.mean(rows * rows, axis=1, keepdims=True)
    result: Rows = rows / numpy.sqrt(variance + numpy.float32(least)) * gain + bias
    return result


def _positive(rows: Rows) -> Rows:
    result: Rows = numpy.maximum(rows, 0)
    return result
