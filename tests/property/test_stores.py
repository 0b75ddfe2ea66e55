"""Whatever is put, replaced, renamed and removed: the SQLite store answers like a dict with brute force."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from pincite.model import Condition, Principal, TermFilter
from pincite.model.condition import Comparison, Contains, Not
from pincite.ports import Entry, Snapshot
from pincite.store.memory import MemoryStore
from pincite.store.sqlite import SqliteStore
from pincite.testing.stores import (
    BruteForce,
    check_context,
    check_kept,
    check_ranking,
    groups_of,
    make_entry,
    put_all,
    unit_vector,
)

GROUPS = ("public", "red team", "blue team")
names = st.sampled_from(["a.md", "b.md", "sub/c.md", "ü 😀.md"])
words = st.sampled_from(["red", "green", "blue", "漢字", "e\u0301", "\x00", "👩\u200d👧"])
texts = st.lists(words, min_size=1, max_size=6).map(" ".join)
group_lists = st.lists(st.sampled_from(GROUPS), max_size=2, unique=True)
principals = st.sets(st.sampled_from(GROUPS)).map(lambda groups: Principal(frozenset(groups)))
# A chunk of a lone control character would be blank, and those are no chunks.
entries = st.builds(
    lambda name, pieces, groups, metadata: make_entry(
        name, [f"red {piece}" for piece in pieces], groups=groups, metadata=metadata
    ),
    names,
    st.lists(texts, max_size=5),
    group_lists,
    st.sampled_from([{}, {"version": 1}, {"version": "1"}, {"version": True}, {"tags": ("api",)}]),
)
queries = st.lists(words, max_size=4)
conditions: st.SearchStrategy[Condition | None] = st.sampled_from(
    [
        None,
        Comparison("version", "=", 1),
        Comparison("version", "=", True),
        Not(Comparison("version", "=", "1")),
        Contains("tags", "api"),
    ]
)
filters = st.none() | st.builds(TermFilter, st.frozensets(words, max_size=1), st.frozensets(words, max_size=1))
SMALL = (
    ("upkeep.TAIL_CHUNKS", 4),
    ("upkeep.SEGMENT_CHUNKS", 3),
    ("merging.SMALLEST_MERGED", 3),
    ("merging.LARGEST_MERGED", 12),
    ("merging.BLOCK_ROWS", 3),
    ("merging.BLOCK_POSTINGS", 5),
    ("nearest.SCANNED_FROM", 0),
    ("nearest.APART_ROWS", 3),
    ("nearest.BLOCK_ROWS", 3),
)
"""So that a handful of chunks makes several segments, which are merged and scanned in 8 bits, and has a tail too."""


@contextmanager
def small() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in SMALL:
            patch.setattr(f"pincite.store.{name}", value)
        yield


class StoreMachine(RuleBasedStateMachine):
    @initialize()
    def open(self) -> None:
        self.patches = ExitStack()
        self.patches.enter_context(small())
        self.folder = tempfile.TemporaryDirectory()
        self.store = SqliteStore(path=Path(self.folder.name) / ".pincite", create=True)
        self.expected = BruteForce()

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            assert self.store.problems() == []
            self.store.close()
            self.folder.cleanup()
            self.patches.close()

    @rule(several=st.lists(entries, max_size=3))
    def put(self, several: list[Entry]) -> None:
        for entry in several:
            self.expected.entries[entry.document.id] = entry
        put_all(self.store, several)

    @rule(old=names, entry=entries)
    def rename(self, old: str, entry: Entry) -> None:
        self.expected.entries.pop(old, None)
        self.expected.entries[entry.document.id] = entry
        with self.store.writer() as writer:
            writer.rename(entry, old_id=old)

    @rule(name=names)
    def remove(self, name: str) -> None:
        self.expected.entries.pop(name, None)
        with self.store.writer() as writer:
            writer.remove(name)

    @rule(name=st.text(max_size=3), value=st.recursive(st.none() | st.integers() | st.text(), st.lists, max_leaves=3))
    def set(self, name: str, value: Any) -> None:
        name = name.encode("utf-8", "replace").decode()
        with self.store.writer() as writer:
            writer.write_setting(name, value)
        assert self.store.setting(name) == value

    @rule()
    def reopen(self) -> None:
        self.store.close()
        self.store = SqliteStore(path=self.store.path)

    @rule(query=queries, principal=principals, limit=st.integers(0, 12))
    def search(self, query: list[str], principal: Principal, limit: int) -> None:
        with self.store.snapshot() as snapshot:
            self.expected.check(snapshot, query, unit_vector(" ".join(query)), principal, limit)

    @rule(query=queries, principal=principals, limit=st.integers(0, 9), where=conditions, words=filters)
    def search_filtered(
        self, query: list[str], principal: Principal, limit: int, where: Condition | None, words: TermFilter | None
    ) -> None:
        vector = unit_vector(" ".join(query))
        ids = [chunk.id for entry in self.expected.entries.values() for chunk in entry.chunks]
        with self.store.snapshot() as snapshot:
            lexical = snapshot.lexical(query, principal=principal, limit=limit, where=where, words=words)
            check_ranking(lexical, self.expected.lexical(query, principal, where, words), limit)
            dense = snapshot.dense(vector, principal=principal, limit=limit, where=where, words=words)
            check_ranking(dense, self.expected.dense(vector, principal, where, words), limit)
            weights = snapshot.term_weights(query, ids, principal=principal, where=where)
            assert weights.keys() == self.expected.term_weights(query, principal, where).keys()
            for scored in lexical:
                assert sum(weights[scored.chunk_id].values(), 0.0) == scored.score

    @rule(
        query=queries,
        principal=principals,
        share=st.floats(0, 1),
        where=conditions,
        words=filters,
    )
    def read_context(
        self, query: list[str], principal: Principal, share: float, where: Condition | None, words: TermFilter | None
    ) -> None:
        vector = unit_vector(" ".join(query))
        ids = [chunk.id for entry in self.expected.entries.values() for chunk in entry.chunks]
        ids = ids[: int(len(ids) * share)]
        plain = MemoryStore()
        put_all(plain, list(self.expected.entries.values()))
        with self.store.snapshot() as snapshot, plain.snapshot() as brute_force:
            asked: dict[str, Any] = {"principal": principal, "where": where, "words": words}
            scores = snapshot.context_scores(query, vector, ids, **asked)
            check_context(scores, brute_force.context_scores(query, vector, ids, **asked))
            assert snapshot.kin(ids, principal=principal) == brute_force.kin(ids, principal=principal)
            lexical = snapshot.lexical(query, limit=1000, **asked)
            dense = snapshot.dense(vector, limit=1000, **asked)
        every = {hit.chunk_id: hit.score for hit in dense}
        having = {hit.chunk_id: hit.score for hit in lexical}
        for name, words_score, cosine in zip(scores.chunk_ids, scores.lexical, scores.dense, strict=True):
            assert (words_score, cosine) == (having.get(name, 0.0), every[name])

    @rule(several=st.lists(entries, max_size=4), remove=names)
    def rebuild_beside(self, several: list[Entry], remove: str) -> None:
        put_all(self.store.beside(), several)
        with self.store.beside().writer() as writer:
            writer.remove(remove)
        with self.store.snapshot() as old, self.store.writer() as writer:
            writer.take(self.store.beside())
            self.expected.check(old, ["red"], unit_vector("red"), Principal(frozenset(GROUPS)), 5)
        entries = {entry.document.id: entry for entry in several if entry.document.id != remove}
        self.expected = BruteForce(entries)

    @rule(several=st.lists(entries, max_size=2))
    def give_up_a_rebuild(self, several: list[Entry]) -> None:
        put_all(self.store.beside(), several)
        with self.store.writer() as writer:
            writer.drop_beside()
        assert self.store.beside().stored() == {}

    @rule(share=st.floats(0, 1))
    def lose_a_segment(self, share: float) -> None:
        folders = sorted((self.store.path / "segments").glob("[0-9]*"))
        if folders:
            shutil.rmtree(folders[int(share * (len(folders) - 1))])
            self.store.close()

    @rule(entry=entries, query=queries, principal=principals)
    def search_while_writing(self, entry: Entry, query: list[str], principal: Principal) -> None:
        with self.store.snapshot() as old, self.store.writer() as writer:
            vector = unit_vector(" ".join(query))
            self.expected.check(old, query, vector, principal, 5)
            writer.put(entry)
            before = BruteForce(dict(self.expected.entries))
            self.expected.entries[entry.document.id] = entry
            with self.store.snapshot() as new:
                self.expected.check(new, query, vector, principal, 5)
            before.check(old, query, vector, principal, 5)

    @invariant()
    def the_documents_are_those_that_were_put(self) -> None:
        if hasattr(self, "store"):
            assert list(self.store.stored()) == sorted(self.expected.entries)


TestStoreMachine = StoreMachine.TestCase
TestStoreMachine.settings = settings(
    max_examples=settings().max_examples // 8,
    stateful_step_count=16,
    suppress_health_check=[HealthCheck.too_slow],
    deadline=None,
)


@contextmanager
def snapshot_of(several: list[Entry]) -> Iterator[Snapshot]:
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(path=Path(folder), create=True)
        put_all(store, several)
        with store.snapshot() as snapshot:
            yield snapshot
        store.close()


@settings(max_examples=settings().max_examples // 13)
@given(st.lists(entries, max_size=6, unique_by=lambda entry: entry.document.id), queries, principals)
def test_scores_are_those_of_an_index_of_the_permitted_documents_alone(
    several: list[Entry], query: list[str], principal: Principal
) -> None:
    """To the last bit, so that not even the order of near-equal hits says anything of what is hidden."""
    allowed = [entry for entry in several if principal.groups & set(groups_of(entry))]
    vector = unit_vector(" ".join(query))
    ids = [chunk.id for entry in several for chunk in entry.chunks]
    with ExitStack() as stack:
        alone = stack.enter_context(snapshot_of(allowed))
        expected = answers(alone, query, vector, principal, ids)  # from memory, in 32 bits
        stack.enter_context(small())
        whole = stack.enter_context(snapshot_of(several))
        assert answers(whole, query, vector, principal, ids) == expected


def answers(snapshot: Snapshot, query: list[str], vector: Any, principal: Principal, ids: list[str]) -> list[Any]:
    return [
        *(snapshot.lexical(query, principal=principal, limit=limit) for limit in (3, 100)),
        *(snapshot.dense(vector, principal=principal, limit=limit) for limit in (3, 100)),
        snapshot.dense_scores(vector, ids, principal=principal),
        snapshot.term_weights(query, ids, principal=principal),
        snapshot.document_frequencies(query, principal=principal),
        snapshot.fields(principal=principal),
    ]


@settings(max_examples=settings().max_examples // 13)
@given(st.lists(entries, max_size=8))
def test_both_stores_keep_the_same(several: list[Entry]) -> None:
    memory = MemoryStore()
    put_all(memory, several)
    expected = BruteForce({entry.document.id: entry for entry in several})
    check_kept(memory, expected)
    texts = [text for entry in several for text in entry.embedded]
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(path=Path(folder), create=True)
        put_all(store, several)
        check_kept(store, expected)
        assert store.stored() == memory.stored()
        assert {text: row.tolist() for text, row in store.vectors(texts).items()} == {
            text: row.tolist() for text, row in memory.vectors(texts).items()
        }
