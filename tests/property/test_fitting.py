"""Chunks of every strategy, fitted to embedders that read only a few tokens."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.documents import markdown_documents, plain_documents, source_documents
from tests.property.embedders import LimitedEmbedder
from tests.property.test_chunkers import OPTIONS, counters, strategies

from pincite import catalogue
from pincite.chunk.fitting import fitted, over_limit
from pincite.errors import LoadError
from pincite.model import Document, join_prefix
from pincite.testing import chunkers as kit

HALF = settings(max_examples=settings().max_examples // 2)

documents = st.one_of(plain_documents, markdown_documents, source_documents())
embedders = st.builds(
    LimitedEmbedder,
    max_tokens=st.sampled_from((6, 9, 15, 40, 100)),
    unit=counters,
    marks=st.sampled_from((0, 0, 1, 2)),
)
heads = st.sampled_from(("", "", "", "", "v: 3", "title: Ein Tor; v: 3"))


@pytest.mark.parametrize("row", strategies())
@HALF
@given(data=st.data(), document=documents, embedder=embedders, head=heads)
def test_nothing_is_over_the_embedders_limit(
    row: catalogue.Row, data: st.DataObject, document: Document, embedder: LimitedEmbedder, head: str
) -> None:
    chunker = catalogue.create("chunk", row.name, data.draw(OPTIONS.get(row.name, st.just({})), label="options"))
    traits = catalogue.traits(row)
    chunks = list(chunker.chunk(document))
    counter = kit.counter_of(chunker)
    limit = getattr(chunker, "limit", kit.limit_of(chunker)) if "capped" in traits else None
    options: dict[str, Any] = {
        "counter": counter,
        "max_tokens": limit,
        "heading_prefix": getattr(chunker, "heading_prefix", None),
        "head": head,
    }
    over = {chunk.id for chunk, _ in over_limit(chunks, embedder, head=head)}
    clusters = kit.CLUSTER.findall(document.text)
    if not over:
        assert fitted(document, chunks, embedder, **options) == chunks
        return
    reads = embedder.max_tokens or 0
    if any(embedder.count(join_prefix(head, cluster)) > reads for cluster in clusters):
        try:
            parts = fitted(document, chunks, embedder, **options)
        except LoadError:
            return
    else:
        parts = fitted(document, chunks, embedder, **options)
    assert not over_limit(parts, embedder, head=head)
    alone = {replace(part, id="", number=1) for part in parts}
    assert alone >= {replace(chunk, id="", number=1) for chunk in chunks if chunk.id not in over}
    kit.check_slices(document, parts)
    kit.check_numbers(document, parts)
    kit.check_order(parts)
    kit.check_clusters(document, parts)
    kit.check_coverage(document, parts, headings_apart="headings-apart" in traits)
    kit.check_paths(document, parts)
    kit.check_prefixes(document, parts)
    kit.check_tokens(parts, counter)
    if not kit.overlap_of(chunker):
        kit.check_disjoint(parts)
    if limit:
        kit.check_limit(parts, limit=limit, counter=counter)
