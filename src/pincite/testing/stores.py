"""What every store promises, as checks that a test of any package can call.

from pincite.testing.stores import check_store

def test_my_store(tmp_path):
    check_store(lambda: MyStore(path=tmp_path / fresh_name()), reopen=lambda store: MyStore(path=store.path))

``make_store`` gives a new, empty store each time; ``reopen`` the same store again after it was closed, ``None`` for
one that keeps nothing. Answers are compared with the search by brute force in ``store_reference``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy

from pincite.errors import CollectionError, LockedError, UsageError
from pincite.model import PUBLIC, Block, Box, Notice, Place, Placement, Span
from pincite.ports import Store
from pincite.store.memory import MemoryStore
from pincite.testing.store_filters import FILTER_CHECKS
from pincite.testing.store_reference import (
    BOTH,
    ENTRIES,
    NOBODY,
    SECRET,
    BruteForce,
    MakeStore,
    Reopen,
    check_context,
    check_ranking,
    groups_of,
    make_entry,
    put_all,
    unit_vector,
)

__all__ = [
    "BOTH",
    "CHECKS",
    "ENTRIES",
    "NOBODY",
    "SECRET",
    "BruteForce",
    "MakeStore",
    "Reopen",
    "check_context",
    "check_kept",
    "check_ranking",
    "check_store",
    "groups_of",
    "make_entry",
    "put_all",
    "unit_vector",
]


def check_store(make_store: MakeStore, reopen: Reopen = None) -> None:
    """All checks, each on a store of its own."""
    for check in CHECKS:
        check(make_store, reopen)


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
    check_same_vectors(store, expected)
    with store.snapshot() as snapshot:
        for principal in (PUBLIC, SECRET, BOTH, NOBODY):
            for terms in (["red", "green"], ["blue"], ["red", "red", "nowhere"], []):
                for limit in (0, 1, 3, 100):
                    expected.check(snapshot, terms, unit_vector(" ".join(terms)), principal, limit)


def check_same_vectors(store: Store, expected: BruteForce) -> None:
    for entry in expected.entries.values():
        vectors = store.vectors([*entry.embedded, "no such text"])
        assert vectors.keys() == set(entry.embedded), "vectors of other texts than those asked for"
        for text, row in zip(entry.embedded, entry.vectors, strict=True):
            assert vectors[text].dtype == numpy.float32, "a vector is not of 32 bits"
            assert (vectors[text] == row).all(), f"another vector of {text!r} than was put"


def check_empty(make_store: MakeStore, _: Reopen = None) -> None:
    """An empty store answers every question with nothing."""
    store = make_store()
    check_kept(store, BruteForce())
    assert store.document("a.md") is None
    assert store.chunks("a.md") == []
    assert store.setting("nothing") is None
    store.close()


def check_context_scores(make_store: MakeStore, _: Reopen = None) -> None:
    """What stands around a chunk is scored as the store in memory scores it, one row at a time."""
    store, plain = make_store(), MemoryStore()
    long = make_entry("long.md", ["red green", "blue", "green", "red red blue", "green", "blue", "red"])
    for other in (store, plain):
        put_all(other, [*ENTRIES, long])
    ids = [chunk.id for entry in (*ENTRIES, long) for chunk in entry.chunks]
    with store.snapshot() as snapshot, plain.snapshot() as expected:
        for principal in (PUBLIC, SECRET, BOTH, NOBODY):
            for terms in (["red"], ["green", "blue", "nowhere"], []):
                for asked in (ids, ids[-1:], ids[::3], []):
                    query = (terms, unit_vector(" ".join(terms)), asked)
                    check_context(
                        snapshot.context_scores(*query, principal=principal),
                        expected.context_scores(*query, principal=principal),
                    )
    store.close()


def check_kin(make_store: MakeStore, _: Reopen = None) -> None:
    """How chunks stand to each other depends on nothing but those that are asked for and may be seen."""
    store, plain = make_store(), MemoryStore()
    long = make_entry("long.md", [f"green {number}" for number in range(14)])
    for other in (store, plain):
        put_all(other, [*ENTRIES, long])
    ids = [chunk.id for entry in (*ENTRIES, long) for chunk in entry.chunks]
    with store.snapshot() as snapshot, plain.snapshot() as expected:
        for principal in (PUBLIC, SECRET, BOTH, NOBODY):
            for asked in (ids, ids[-1:], ids[::-2], ["no such chunk"], []):
                found = snapshot.kin(asked, principal=principal)
                assert list(found) == sorted(found), "not in order of ids"
                assert found == expected.kin(asked, principal=principal), f"kin of {asked} as {principal.groups}"
        twins = snapshot.kin([long.chunks[0].id, long.chunks[1].id, ENTRIES[0].chunks[0].id], principal=PUBLIC)
        numbers = {name: one.document for name, one in twins.items()}
        assert numbers[long.chunks[0].id] == numbers[long.chunks[1].id] != numbers[ENTRIES[0].chunks[0].id]
        assert snapshot.kin([ids[0]], principal=PUBLIC)[ids[0]].likeness == 0.0
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
    with store.snapshot() as snapshot, store.writer() as writer:
        writer.write_setting("roots", "newer")
        writer.write_setting("other", 1)
        assert snapshot.setting("roots") == value, "a setting is of another version than the snapshot"
        assert (snapshot.setting("empty"), snapshot.setting("other")) == (None, None)
        with store.snapshot() as newer:
            assert (newer.setting("roots"), newer.setting("other")) == ("newer", 1)
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


def check_fine_vectors(make_store: MakeStore, _: Reopen = None) -> None:
    """A number of a vector is rounded once, to no less than 16 bits: what comes back is put again as it is, and it is
    what scores are computed from."""
    store = make_store()
    fine = numpy.array([unit_vector(name, 3) for name in ("red", "green", "blue")], dtype=numpy.float32)
    entry = replace(make_entry("a.md", ["red", "green", "blue"], dimension=3), vectors=fine)
    put_all(store, [entry])
    kept = store.vectors(entry.embedded)
    rows = numpy.array([kept[text] for text in entry.embedded])
    assert (abs(rows - fine) <= abs(fine - fine.astype(numpy.float16))).all(), "a number lost more than 16 bits lose"
    expected = put_all(store, [replace(entry, vectors=rows)])
    check_same_vectors(store, expected)
    with store.snapshot() as snapshot:
        query = unit_vector("red", 3)
        check_ranking(snapshot.dense(query, principal=PUBLIC, limit=3), expected.dense(query, PUBLIC), 3)
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


def check_take(make_store: MakeStore, reopen: Reopen = None) -> None:
    """The store beside is another one until it is taken; then it is this one, whole, settings too, and gone."""
    store = make_store()
    old = put_all(store, ENTRIES[:3])
    with store.writer() as writer:
        writer.write_setting("roots", ["old"])
        writer.write_setting("only old", 1)
    put_all(store.beside(), [make_entry("a.md", ["green green"]), ENTRIES[3]])
    with store.beside().writer() as filler:
        filler.write_setting("roots", ["new"])
        filler.put(make_entry("z.md", ["red", "a word that is new"], groups=["secret"], dimension=3))
        filler.put(make_entry("z.md", ["red blue", "another new word"], groups=["secret"]))
    check_kept(store, old)
    new = BruteForce({"a.md": make_entry("a.md", ["green green"]), "d.md": ENTRIES[3]})
    new.entries["z.md"] = make_entry("z.md", ["red blue", "another new word"], groups=["secret"])
    check_kept(store.beside(), new)
    with store.snapshot() as before, store.writer() as writer:
        assert before.setting("roots") == ["old"]
        try:
            writer.take(store)
        except UsageError:
            pass
        else:
            raise AssertionError("a store took itself")
        writer.take(store.beside())
        old.check(before, ["red", "green"], unit_vector("red"), BOTH, 5)
        assert before.setting("roots") == ["old"], "a setting and the documents are of two versions"
        check_kept(store, new)
        writer.put(ENTRIES[2])
        new.entries["c.md"] = ENTRIES[2]
    check_kept(store, new)
    assert (store.setting("roots"), store.setting("only old")) == (["new"], None)
    if reopen:
        store.close()
        store = reopen(store)
        check_kept(store, new)
    check_kept(store.beside(), BruteForce())
    with store.writer() as writer:
        writer.take(store.beside())
    check_kept(store, BruteForce())
    check_kept(store, put_all(store, ENTRIES))
    store.close()


def check_drop_beside(make_store: MakeStore, reopen: Reopen = None) -> None:
    """What the store beside had is gone with its settings, and this one is as it was."""
    store = make_store()
    kept = put_all(store, ENTRIES[:2])
    with store.writer() as writer:
        writer.drop_beside()
        with store.beside().writer() as filler:
            filler.put(ENTRIES[2])
            filler.write_setting("roots", ["new"])
            try:
                writer.drop_beside()
            except LockedError:
                pass
            else:
                raise AssertionError("a store was dropped while somebody wrote to it")
        writer.drop_beside()
        check_kept(store.beside(), BruteForce())
        assert store.beside().setting("roots") is None
        writer.put(ENTRIES[3])
    kept.entries["d.md"] = ENTRIES[3]
    if reopen:
        store.close()
        store = reopen(store)
    check_kept(store, kept)
    check_kept(store.beside(), BruteForce())
    with store.writer() as writer:
        writer.take(store.beside())
    check_kept(store, BruteForce())
    store.close()


CHECKS: tuple[Callable[[MakeStore, Reopen], None], ...] = (
    check_empty,
    check_context_scores,
    check_kin,
    check_put_replace_remove,
    check_rename,
    check_settings,
    check_groups,
    check_ties,
    check_odd_documents,
    check_fine_vectors,
    check_refusals,
    check_snapshot_and_writer,
    check_one_writer,
    check_take,
    check_drop_beside,
    *FILTER_CHECKS,
)
