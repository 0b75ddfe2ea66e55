"""What every embedder promises, as checks that a test of any package can call.

from pincite.testing.embedders import check_embedder

def test_my_embedder():
    check_embedder("my-embedder")

An embedder with an attribute ``batch_invariant`` that is true promises the same bits for a text whatever stands beside
it. Search results then do not depend, not even in the last digit, on documents that somebody may not see.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import numpy

from pincite.catalogue import create
from pincite.ports import Embedder

TEXTS = (
    "A cursor lives for 15 minutes.",
    "Ein Cursor lebt 15 Minuten.",
    "short",
    "",
    " \n\t",
    "!?",
    "naïve café, re\u0301sume\u0301, 👨‍👩‍👧 and 漢字",
    "an odd \ud800 lone surrogate and a \x00 null character",
    "A longer text says the same thing many times. " * 40,
    "short",
)
BATCHES = (
    (0,),
    (1, 2, 3, 5, 6),
    (9, 8, 7, 6, 5, 4, 3, 2, 1, 0),
    (0, 8, 1),
    tuple(range(8)) * 9,
)
"""Numbers of those texts: one alone, many, backwards, beside long ones, more than a batch usually has."""
LARGEST_DIFFERENCE = 1e-5
"""How much a vector may change with the texts around it; models add up in another order in another batch."""

IN_ANOTHER_PROCESS = """
import json, sys
from pincite.catalogue import create
name, options, texts = json.load(sys.stdin)
embedder = create("embed", name, options)
print(json.dumps([embedder.fingerprint, embedder.embed(texts).tolist()]))
"""


def check_embedder(name: str, options: Mapping[str, Any] | None = None) -> None:
    """All checks on the embedder of that name."""
    embedder: Embedder = create("embed", name, options)
    check_rows(embedder)
    check_batch(embedder)
    if getattr(embedder, "batch_invariant", False):
        check_batch_invariant(embedder)
    check_query(embedder)
    check_count(embedder)
    check_other_process(name, options)


def check_rows(embedder: Embedder) -> None:
    """One float32 row of length 1 per text, in the order of the texts; no texts, no rows."""
    rows = embedder.embed(TEXTS)
    assert rows.shape == (len(TEXTS), embedder.dimension), f"shape {rows.shape}"
    assert rows.dtype == numpy.float32, f"type {rows.dtype}"
    assert numpy.allclose(numpy.linalg.norm(rows, axis=1), 1, atol=1e-5), "a row is not of length 1"
    assert embedder.embed([]).shape == (0, embedder.dimension), "no texts, but another shape than (0, dimension)"
    backwards = embedder.embed(TEXTS[::-1])
    assert numpy.abs(rows - backwards[::-1]).max() <= LARGEST_DIFFERENCE, "rows do not keep the order of the texts"


def check_batch(embedder: Embedder) -> None:
    """A batch gives what its texts give one by one, and the same again."""
    rows = embedder.embed(TEXTS)
    alone = numpy.concatenate([embedder.embed([text]) for text in TEXTS])
    assert numpy.abs(rows - alone).max() <= LARGEST_DIFFERENCE, "a vector depends on the batch"
    assert (rows == embedder.embed(TEXTS)).all(), "the same batch gave other vectors"


def check_batch_invariant(embedder: Embedder) -> None:
    """The same text has the same bits in every batch, in every place of it and alone."""
    alone = numpy.concatenate([embedder.embed([text]) for text in TEXTS])
    for batch in BATCHES:
        rows = embedder.embed([TEXTS[number] for number in batch])
        for number, row in zip(batch, rows, strict=True):
            assert row.tobytes() == alone[number].tobytes(), f"text {number} has other bits in the batch {batch[:10]}"
    query = embedder.embed_query(TEXTS[0])
    assert query.tobytes() == embedder.embed_query(TEXTS[0]).tobytes(), "the same query has other bits"


def check_query(embedder: Embedder) -> None:
    """A query's vector has the same space: it finds the passage that says the same."""
    vector = embedder.embed_query(TEXTS[0])
    assert vector.shape == (embedder.dimension,), f"shape {vector.shape}"
    assert vector.dtype == numpy.float32, f"type {vector.dtype}"
    assert abs(float(vector @ vector) - 1) <= 1e-5, "a query's vector is not of length 1"
    same, other = embedder.embed((TEXTS[0], TEXTS[2])) @ vector
    assert same > other, "a query is nearer to another text than to its own"


def check_count(embedder: Embedder) -> None:
    """Tokens: none in a blank text, some in any other, and never negative limits."""
    for text in TEXTS:
        counted = embedder.count(text)
        assert counted > 0 if text.strip() else counted == 0, f"{counted} tokens in {text!r}"
    assert embedder.max_tokens is None or embedder.max_tokens > 0, f"max_tokens {embedder.max_tokens}"
    assert embedder.fingerprint, "an embedder has a fingerprint"


def check_other_process(name: str, options: Mapping[str, Any] | None = None) -> None:
    """Another process gives the same fingerprint and the same vectors."""
    embedder: Embedder = create("embed", name, options)
    given = json.dumps([name, dict(options or {}), list(TEXTS)])
    command = [sys.executable, "-c", IN_ANOTHER_PROCESS]
    printed = subprocess.run(command, input=given, capture_output=True, text=True, check=True).stdout  # noqa: S603 - our own code
    fingerprint, rows = json.loads(printed)
    assert fingerprint == embedder.fingerprint, "another process has another fingerprint"
    difference = numpy.abs(embedder.embed(TEXTS) - numpy.array(rows, dtype=numpy.float32)).max()
    assert difference <= LARGEST_DIFFERENCE, "another process gave other vectors"
