"""Small entries for tests of stores, and the plainest search over them, with which a store's answers are compared."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy

from pincite.model import (
    Chunk,
    Condition,
    Document,
    Located,
    Metadata,
    Principal,
    Scored,
    Span,
    TermFilter,
    chunk_id,
    join_prefix,
)
from pincite.model.condition import fulfils
from pincite.ports import CONTEXT_COLUMNS, ContextScores, Entry, Snapshot, Store

if TYPE_CHECKING:
    from pincite.ports import Vector

MakeStore: TypeAlias = Callable[[], Store]
"""Gives a new, empty store each time."""
Reopen: TypeAlias = Callable[[Any], Store] | None
"""Gives the same store again after it was closed; ``None`` for a kind that keeps nothing."""
DIMENSION = 8
TOLERANCE = 1e-5
"""How much a score may differ from ours: stores add up in another order, and in 32 bits."""
SECRET = Principal(frozenset({"secret"}))
BOTH = Principal(frozenset({"public", "secret"}))
NOBODY = Principal(frozenset())


def make_entry(
    document_id: str,
    texts: Sequence[str],
    *,
    groups: Sequence[str] = (),
    metadata: Metadata | None = None,
    dimension: int = DIMENSION,
) -> Entry:
    """An entry with one chunk per text; the document is the texts, a blank line between them.

    A text's terms are its words, its vector depends on what is embedded only and has numbers that 16 bits hold.
    """
    text = "\n\n".join(texts)
    chunks: list[Chunk] = []
    start = 0
    for number, piece in enumerate(texts, start=1):
        prefix = "A heading" if number % 2 == 0 else ""
        headings = ("A heading",) if number % 4 in (2, 3) else ()
        twins = sum(chunk.text == piece and chunk.prefix == prefix for chunk in chunks)
        chunks.append(
            Chunk(
                id=chunk_id(document_id, prefix, piece, occurrence=twins),
                document_id=document_id,
                number=number,
                span=Span(start, start + len(piece)),
                text=piece,
                prefix=prefix,
                headings=headings,
                level=len(headings),
                tokens=len(piece.split()),
                parent=Span(0, len(text)) if number % 3 == 0 else None,
            )
        )
        start += len(piece) + 2
    known: dict[str, Any] = {**(metadata or {}), **({"groups": tuple(groups)} if groups else {})}
    embedded = tuple(join_prefix(chunk.prefix, chunk.text) for chunk in chunks)
    return Entry(
        document=Document(id=document_id, source=document_id, media_type="text/plain", text=text, metadata=known),
        chunks=tuple(chunks),
        embedded=embedded,
        terms=tuple(tuple(piece.split()) for piece in texts),
        vectors=numpy.array([unit_vector(piece, dimension) for piece in embedded], dtype=numpy.float16)
        .astype(numpy.float32)
        .reshape(len(chunks), dimension),
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        root="docs",
        made_by="the kit",
    )


def unit_vector(text: str, dimension: int = DIMENSION) -> Vector:
    """A direction that depends on the text only."""
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    vector = numpy.random.default_rng(seed).standard_normal(dimension)
    return (vector / numpy.linalg.norm(vector)).astype(numpy.float32)


@dataclass(slots=True)
class BruteForce:
    """Entries by document id, and the plainest way to search in them."""

    entries: dict[str, Entry] = field(default_factory=dict)

    def permitted(
        self, principal: Principal, where: Condition | None = None
    ) -> list[tuple[Chunk, tuple[str, ...], Vector]]:
        return [
            row
            for entry in self.entries.values()
            if principal.groups & set(groups_of(entry)) and (where is None or fulfils(entry.document.metadata, where))
            for row in zip(entry.chunks, entry.terms, entry.vectors, strict=True)
        ]

    def lexical(
        self,
        terms: Iterable[str],
        principal: Principal,
        where: Condition | None = None,
        words: TermFilter | None = None,
    ) -> dict[str, float]:
        """BM25 of every chunk that has one of the terms."""
        allowed = self.dense(numpy.zeros(0, dtype=numpy.float32), principal, where, words)
        weights = self.term_weights(terms, principal, where)
        return {name: sum(found.values()) for name, found in weights.items() if found and name in allowed}

    def term_weights(
        self, terms: Iterable[str], principal: Principal, where: Condition | None = None
    ) -> dict[str, dict[str, float]]:
        """BM25 with k1 = 1.2 and b = 0.75, term by term, of every chunk that takes part."""
        rows = self.permitted(principal, where)
        weights: dict[str, dict[str, float]] = {chunk.id: {} for chunk, _, _ in rows}
        for term in set(terms):
            containing = sum(term in held for _, held, _ in rows)
            idf = math.log(1 + (len(rows) - containing + 0.5) / (containing + 0.5))
            for chunk, held, _ in rows:
                if term in held:
                    relative = len(held) * len(rows) / sum(len(others) for _, others, _ in rows)
                    weight = held.count(term) / (held.count(term) + 1.2 * (0.25 + 0.75 * relative))
                    weights[chunk.id][term] = idf * weight
        return weights

    def dense(
        self,
        vector: Vector,
        principal: Principal,
        where: Condition | None = None,
        words: TermFilter | None = None,
    ) -> dict[str, float]:
        """The cosine of every chunk that takes part, within [-1, 1]; with a query of no length 0."""
        return {
            chunk.id: min(1.0, max(-1.0, float(row[: len(vector)].astype(float) @ vector.astype(float))))
            for chunk, held, row in self.permitted(principal, where)
            if words is None or (words.required <= set(held) and not words.excluded & set(held))
        }

    def check(self, snapshot: Snapshot, terms: Sequence[str], vector: Vector, principal: Principal, limit: int) -> None:
        """Every method of the snapshot says of this query what brute force says."""
        lexical = self.lexical(terms, principal)
        dense = self.dense(vector, principal)
        check_ranking(snapshot.lexical(terms, principal=principal, limit=limit), lexical, limit)
        check_ranking(snapshot.dense(vector, principal=principal, limit=limit), dense, limit)
        everything = [chunk for entry in self.entries.values() for chunk in entry.chunks]
        ids = [chunk.id for chunk in everything] + ["no such chunk"]
        scores = snapshot.dense_scores(vector, ids, principal=principal)
        assert scores.keys() == dense.keys(), "dense_scores has other chunks than those that may be seen"
        assert all(abs(scores[name] - dense[name]) <= TOLERANCE for name in dense), "dense_scores differs from dense"
        located = {
            chunk.id: Located(chunk=chunk, place=entry.document.place(chunk.span), metadata=entry.document.metadata)
            for entry in self.entries.values()
            for chunk in entry.chunks
            if chunk.id in dense
        }
        assert snapshot.located(ids, principal=principal) == located, "located differs from what was put"
        for name, entry in self.entries.items():
            seen = entry.document if principal.groups & set(groups_of(entry)) else None
            assert snapshot.document(name, principal=principal) == seen, f"document({name!r}) as {principal.groups}"
        words = [row[1] for row in self.permitted(principal)]
        counted = {term: sum(term in others for others in words) for term in terms}
        found = snapshot.document_frequencies(terms, principal=principal)
        assert found == (len(words), counted), f"document_frequencies {found}, expected {(len(words), counted)}"


def groups_of(entry: Entry) -> tuple[str, ...]:
    groups = entry.document.metadata.get("groups", ())
    assert isinstance(groups, tuple), "the kit's entries have groups as tuples"
    return groups or ("public",)


def check_ranking(found: list[Scored], expected: dict[str, float], limit: int) -> None:
    """As many as there can be, scored as expected, best first, equal ones by id, and none better left out."""
    assert len(found) == min(max(limit, 0), len(expected)), f"{len(found)} of {len(expected)} with limit {limit}"
    assert len({scored.chunk_id for scored in found}) == len(found), "a chunk was found twice"
    for scored in found:
        assert scored.chunk_id in expected, f"{scored.chunk_id} must not be found"
        difference = abs(scored.score - expected[scored.chunk_id])
        assert difference <= TOLERANCE, f"{scored.chunk_id} scores {scored.score}, not {expected[scored.chunk_id]}"
    ordered = sorted(found, key=lambda scored: (-scored.score, scored.chunk_id))
    assert found == ordered, "not the best first, or equal scores not by chunk id"
    if found:
        left = expected.keys() - {scored.chunk_id for scored in found}
        best = max((expected[name] for name in left), default=-math.inf)
        assert best <= found[-1].score + TOLERANCE, "a better chunk was left out"


def check_context(found: ContextScores, expected: ContextScores) -> None:
    """The same chunks in the same order, and each figure as expected."""
    assert list(found.chunk_ids) == list(expected.chunk_ids), f"{found.chunk_ids} instead of {expected.chunk_ids}"
    assert abs(found.total - expected.total) <= TOLERANCE, f"all terms weigh {found.total}, not {expected.total}"
    for column in CONTEXT_COLUMNS:
        figures = zip(expected.chunk_ids, getattr(found, column), getattr(expected, column), strict=True)
        for name, one, other in figures:
            assert abs(one - other) <= TOLERANCE, f"{column} of {name} is {one}, not {other}"


def put_all(store: Store, entries: Iterable[Entry]) -> BruteForce:
    with store.writer() as writer:
        for entry in entries:
            writer.put(entry)
    return BruteForce({entry.document.id: entry for entry in entries})


ENTRIES = (
    make_entry("a.md", ["red green", "green green blue", "nothing here"]),
    make_entry("sub/b.md", ["red red blue green and a few words more", "red"], groups=["secret"]),
    make_entry("c.md", ["blue", "green red red"], groups=["secret", "public"], metadata={"title": "C", "pages": 3}),
    make_entry("d.md", ["red green"]),
)
