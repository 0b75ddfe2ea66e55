"""What every store promises, as checks that a test of any package can call.

from pincite.testing.stores import check_store

def test_my_store(tmp_path):
    check_store(lambda: MyStore(path=tmp_path / fresh_name()), reopen=lambda store: MyStore(path=store.path))

``make_store`` gives a new, empty store each time; ``reopen`` the same store again after it was closed, ``None`` for
one that keeps nothing. Answers are compared with a search by brute force that is written here.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy

from pincite.errors import CollectionError, LockedError
from pincite.model import (
    PUBLIC,
    Block,
    Box,
    Chunk,
    Document,
    Located,
    Metadata,
    Notice,
    Place,
    Placement,
    Principal,
    Scored,
    Span,
    chunk_id,
    join_prefix,
)
from pincite.ports import Entry, Snapshot, Store

if TYPE_CHECKING:
    from pincite.ports import Vector

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

    A text's terms are its words, its vector depends on what is embedded only.
    """
    text = "\n\n".join(texts)
    chunks: list[Chunk] = []
    start = 0
    for number, piece in enumerate(texts, start=1):
        prefix = "A heading" if number % 2 == 0 else ""
        twins = sum(chunk.text == piece and chunk.prefix == prefix for chunk in chunks)
        chunks.append(
            Chunk(
                id=chunk_id(document_id, prefix, piece, occurrence=twins),
                document_id=document_id,
                number=number,
                span=Span(start, start + len(piece)),
                text=piece,
                prefix=prefix,
                headings=("A heading",) if prefix else (),
                level=1 if prefix else 0,
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
        vectors=numpy.array([unit_vector(piece, dimension) for piece in embedded], dtype=numpy.float32).reshape(
            len(chunks), dimension
        ),
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

    def permitted(self, principal: Principal) -> list[tuple[Chunk, tuple[str, ...], Vector]]:
        return [
            row
            for entry in self.entries.values()
            if principal.groups & set(groups_of(entry))
            for row in zip(entry.chunks, entry.terms, entry.vectors, strict=True)
        ]

    def lexical(self, terms: Iterable[str], principal: Principal) -> dict[str, float]:
        """BM25 with k1 = 1.2 and b = 0.75 of every chunk that has one of the terms."""
        rows = self.permitted(principal)
        scores: dict[str, float] = {}
        for term in set(terms):
            containing = sum(term in words for _, words, _ in rows)
            idf = math.log(1 + (len(rows) - containing + 0.5) / (containing + 0.5))
            for chunk, words, _ in rows:
                if term in words:
                    relative = len(words) * len(rows) / sum(len(others) for _, others, _ in rows)
                    weight = words.count(term) / (words.count(term) + 1.2 * (0.25 + 0.75 * relative))
                    scores[chunk.id] = scores.get(chunk.id, 0.0) + idf * weight
        return scores

    def dense(self, vector: Vector, principal: Principal) -> dict[str, float]:
        rows = self.permitted(principal)
        return {chunk.id: float(row.astype(float) @ vector.astype(float)) for chunk, _, row in rows}

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


MakeStore = Callable[[], Store]
Reopen = Callable[[Any], Store] | None


def check_store(make_store: MakeStore, reopen: Reopen = None) -> None:
    """All checks, each on a store of its own."""
    for check in CHECKS:
        check(make_store, reopen)


def put_all(store: Store, entries: Iterable[Entry]) -> BruteForce:
    with store.writer() as writer:
        for entry in entries:
            writer.put(entry)
    return BruteForce({entry.document.id: entry for entry in entries})


def check_kept(store: Store, expected: BruteForce) -> None:
    """The store has exactly these documents, and gives them back as they were put."""
    stored = store.stored()
    assert list(stored) == sorted(expected.entries), f"stored {list(stored)}"
    for name, entry in expected.entries.items():
        said = stored[name]
        assert (said.document_id, said.sha256, said.root, said.made_by, said.chunks, said.metadata) == (
            *(name, entry.sha256, entry.root, entry.made_by),
            *(len(entry.chunks), entry.document.metadata),
        ), f"stored says {said}"
        assert store.document(name) == entry.document, f"another document {name!r} than was put"
        assert store.chunks(name) == list(entry.chunks), f"other chunks of {name!r} than were put"
        vectors = store.vectors([*entry.embedded, "no such text"])
        assert vectors.keys() == set(entry.embedded), "vectors of other texts than those asked for"
        for text, row in zip(entry.embedded, entry.vectors, strict=True):
            assert vectors[text].dtype == numpy.float32, "a vector is not of 32 bits"
            assert (vectors[text] == row).all(), f"another vector of {text!r} than was put"
    with store.snapshot() as snapshot:
        for principal in (PUBLIC, SECRET, BOTH, NOBODY):
            for terms in (["red", "green"], ["blue"], ["red", "red", "nowhere"], []):
                for limit in (0, 1, 3, 100):
                    expected.check(snapshot, terms, unit_vector(" ".join(terms)), principal, limit)


ENTRIES = (
    make_entry("a.md", ["red green", "green green blue", "nothing here"]),
    make_entry("sub/b.md", ["red red blue green and a few words more", "red"], groups=["secret"]),
    make_entry("c.md", ["blue", "green red red"], groups=["secret", "public"], metadata={"title": "C", "pages": 3}),
    make_entry("d.md", ["red green"]),
)


def check_empty(make_store: MakeStore, _: Reopen = None) -> None:
    """An empty store answers every question with nothing."""
    store = make_store()
    check_kept(store, BruteForce())
    assert store.document("a.md") is None
    assert store.chunks("a.md") == []
    assert store.setting("nothing") is None
    store.close()


def check_put_replace_remove(make_store: MakeStore, reopen: Reopen = None) -> None:
    """What was put last is there, whole; what was removed is gone; a store that is opened again has the same."""
    store = make_store()
    expected = put_all(store, ENTRIES)
    check_kept(store, expected)
    shorter = make_entry("a.md", ["green", "a word that is new"], groups=["secret"])
    with store.writer() as writer:
        writer.put(shorter)
        writer.remove("d.md")
        writer.remove("was never here.md")
    expected.entries["a.md"] = shorter
    del expected.entries["d.md"]
    check_kept(store, expected)
    if reopen:
        store.close()
        store = reopen(store)
        check_kept(store, expected)
    with store.writer() as writer:
        for name in list(expected.entries):
            writer.remove(name)
    check_kept(store, BruteForce())
    store.close()


def check_rename(make_store: MakeStore, _: Reopen = None) -> None:
    """The old path is gone and the new one there; another document of the new path is replaced."""
    store = make_store()
    expected = put_all(store, ENTRIES)
    with store.writer() as writer:
        writer.rename(make_entry("moved/a.md", ["red green"]), old_id="a.md")
        writer.rename(make_entry("d.md", ["blue blue"]), old_id="c.md")
        writer.rename(make_entry("from-nowhere.md", ["green"]), old_id="was never here.md")
    del expected.entries["a.md"], expected.entries["c.md"]
    for entry in (
        make_entry("moved/a.md", ["red green"]),
        make_entry("d.md", ["blue blue"]),
        make_entry("from-nowhere.md", ["green"]),
    ):
        expected.entries[entry.document.id] = entry
    check_kept(store, expected)
    store.close()


def check_settings(make_store: MakeStore, reopen: Reopen = None) -> None:
    """Any JSON value comes back as JSON does it, the last one under its name; what is no JSON is refused."""
    store = make_store()
    value = {"text": "naïve 漢字 😀", "list": [1, 2.5, None, True], "deep": {"b": 1, "a": []}}
    with store.writer() as writer:
        writer.write_setting("roots", ["old"])
        writer.write_setting("roots", value)
        writer.write_setting("empty", None)
        for wrong in (object(), math.nan):
            try:
                writer.write_setting("roots", wrong)
            except (TypeError, ValueError):
                continue
            raise AssertionError(f"{wrong!r} is no JSON and was taken")
    if reopen:
        store.close()
        store = reopen(store)
    assert store.setting("roots") == value
    assert store.setting("empty") is None
    store.close()


def check_groups(make_store: MakeStore, _: Reopen = None) -> None:
    """Who may see some documents gets the very answers of a store that has only those."""
    whole, alone = make_store(), make_store()
    put_all(whole, ENTRIES)
    put_all(alone, [entry for entry in ENTRIES if "public" in groups_of(entry)])
    ids = [chunk.id for entry in ENTRIES for chunk in entry.chunks]
    with whole.snapshot() as all_of_it, alone.snapshot() as permitted:
        for terms in (["red"], ["green", "blue"], ["words"]):
            vector = unit_vector(terms[0])
            answers = [
                (
                    snapshot.lexical(terms, principal=PUBLIC, limit=10),
                    snapshot.dense(vector, principal=PUBLIC, limit=10),
                    snapshot.dense_scores(vector, ids, principal=PUBLIC),
                    snapshot.located(ids, principal=PUBLIC),
                    snapshot.document_frequencies(terms, principal=PUBLIC),
                )
                for snapshot in (all_of_it, permitted)
            ]
            assert answers[0] == answers[1], "what may not be seen changes what is seen"
    whole.close()
    alone.close()


def check_ties(make_store: MakeStore, _: Reopen = None) -> None:
    """One text in many documents: equal scores to the last bit, ordered by chunk id, however many are asked for."""
    store = make_store()
    entries = [make_entry(f"{number}.md", ["red green"] + ["blue"] * (number % 2)) for number in range(23)]
    put_all(store, entries)
    same = sorted(entry.chunks[0].id for entry in entries)
    with store.snapshot() as snapshot:
        for limit in (1, 5, 22, 23):
            vector = unit_vector("red green")
            for found in (
                snapshot.lexical(["red"], principal=PUBLIC, limit=limit),
                snapshot.dense(vector, principal=PUBLIC, limit=limit),
            ):
                assert [scored.chunk_id for scored in found] == same[:limit], "equal scores are not in the order of ids"
                assert len({scored.score for scored in found}) == 1, "equal texts have unequal scores"
        scores = snapshot.dense_scores(unit_vector("red green"), same, principal=PUBLIC)
        assert len(set(scores.values())) == 1, "equal texts have unequal scores"
    store.close()


def check_odd_documents(make_store: MakeStore, _: Reopen = None) -> None:
    """No chunks, chunks without terms, vectors of no length, another dimension, odd characters, every kind of place."""
    store = make_store()
    odd = "e\u0301 👩\u200d👧 \x00 \r\n\u2028 \ufeff שלום 漢字 \U0010ffff"
    plain = make_entry('odd/ü "quoted" \x00.md', [odd, "% _ ' \\ ;--", odd])
    document = plain.document
    expected = put_all(
        store,
        [
            make_entry("empty.md", []),
            replace(
                plain,
                document=replace(
                    document,
                    blocks=(
                        Block("paragraph", Span(0, len(odd))),
                        Block("table", Span(len(odd) + 2, len(document.text))),
                    ),
                    places=(Placement(Span(0, 3), Place(page=2, boxes=(Box(2, 1.5, 2.0, 3.25, 4.0),), row=4)),),
                    metadata={"title": odd, "authors": ("A", odd), "pages": 3, "score": 0.5, "draft": False},
                    warnings=(Notice(kind="odd", message=odd, file="x"),),
                ),
            ),
            replace(make_entry("no-terms.md", ["red"]), terms=((),)),
        ],
    )
    check_kept(store, expected)
    with store.snapshot() as snapshot:
        expected.check(snapshot, [*odd.split(), "%", "_", "'"], unit_vector(odd), PUBLIC, 10)
    put_all(store, [make_entry("other.md", ["red"], dimension=3, groups=["secret"])])
    with store.snapshot() as snapshot:
        assert snapshot.dense(unit_vector("red"), principal=PUBLIC, limit=1), "vectors that may not be seen disturb"
        kind = kind_of_error(lambda: snapshot.dense(unit_vector("red"), principal=SECRET, limit=1))
        assert kind == "mismatch", f"the query is compared with vectors of another dimension: {kind}"
    store.close()
    flat = make_store()
    put_all(flat, [make_entry("flat.md", ["red"], dimension=0)])
    with flat.snapshot() as snapshot:
        nothing = numpy.empty(0, dtype=numpy.float32)
        assert [scored.score for scored in snapshot.dense(nothing, principal=PUBLIC, limit=1)] == [0.0]
        assert len(snapshot.lexical(["red"], principal=PUBLIC, limit=1)) == 1
    flat.close()


def kind_of_error(ask: Callable[[], object]) -> str:
    try:
        ask()
    except CollectionError as error:
        return error.kind
    return "no error"


def check_refusals(make_store: MakeStore, _: Reopen = None) -> None:
    """An entry that would come back as another one is refused, and what was there stays."""
    store = make_store()
    expected = put_all(store, ENTRIES[:1])
    good = ENTRIES[0]
    first, second = good.chunks[:2]
    wrong = [
        replace(good, chunks=(second, first, good.chunks[2])),
        replace(good, chunks=(replace(first, text="RED GREEN"), *good.chunks[1:])),
        replace(good, chunks=(replace(first, document_id="other.md"), *good.chunks[1:])),
        replace(good, chunks=(replace(first, id=second.id), *good.chunks[1:])),
        replace(good, vectors=good.vectors * numpy.float32(numpy.nan)),
        replace(good, vectors=good.vectors.astype(numpy.float64)),
        replace(good, vectors=good.vectors[:, 0]),
    ]
    with store.writer() as writer:
        for entry in wrong:
            try:
                writer.put(entry)
            except ValueError:
                continue
            raise AssertionError("an entry that does not fit together was taken")
    check_kept(store, expected)
    store.close()


def check_snapshot_and_writer(make_store: MakeStore, _: Reopen = None) -> None:
    """A snapshot stays what it was; the next one sees each call of the writer at once; one writer at a time."""
    store = make_store()
    before = put_all(store, ENTRIES[:2])
    after = BruteForce(dict(before.entries))
    with store.snapshot() as old, store.writer() as writer:
        for entry in ENTRIES[2:]:
            writer.put(entry)
            after.entries[entry.document.id] = entry
            with store.snapshot() as new:
                after.check(new, ["red", "blue"], unit_vector("red"), BOTH, 4)
            assert list(store.stored()) == sorted(after.entries)
        before.check(old, ["red", "blue"], unit_vector("red"), BOTH, 4)
    check_kept(store, after)
    store.close()


def check_one_writer(make_store: MakeStore, _: Reopen = None) -> None:
    """A second writer is refused as long as the first one is there, even when that one ends with an error."""
    store = make_store()
    try:
        with store.writer() as writer:
            writer.put(ENTRIES[0])
            try:
                with store.writer():
                    raise AssertionError("two writers at a time")
            except LockedError:
                pass
            raise KeyError("the caller's own error")
    except KeyError:
        pass
    check_kept(store, BruteForce({ENTRIES[0].document.id: ENTRIES[0]}))
    check_kept(store, put_all(store, ENTRIES))
    store.close()
    store.close()


CHECKS: tuple[Callable[[MakeStore, Reopen], None], ...] = (
    check_empty,
    check_put_replace_remove,
    check_rename,
    check_settings,
    check_groups,
    check_ties,
    check_odd_documents,
    check_refusals,
    check_snapshot_and_writer,
    check_one_writer,
)
