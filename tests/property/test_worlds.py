"""As if alone: what somebody may not see changes nothing of what they get, to the last bit.

A world is a random collection with random groups. Whatever is asked of it is asked of one that holds only the asker's
documents, too, and everything that comes back is compared. A store that leaks on purpose, in one place at a time, shows
that the comparison would notice.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from tests.unit.retrieve.small import entry_of, store_of, tools_of

from pincite.errors import NothingFoundError, UsageError
from pincite.model import MODES, Principal, Scored
from pincite.ports import ContextScores, Entry, Fusion, Snapshot, Store, Vector
from pincite.retrieve.fusion import ContextFusion, MinMaxFusion
from pincite.retrieve.reasons import reason
from pincite.retrieve.request import Request
from pincite.retrieve.search import search
from pincite.retrieve.where import parse, settle
from pincite.store.memory import MemoryStore
from pincite.store.sqlite import SqliteStore
from pincite.text.counters import WordCounter

GROUPS = ("public", "red team", "blue team")
EVERYONE = Principal(frozenset(GROUPS))
WORDS = ["ferry", "noon", "bread", "Vertrag", "Mietvertrag", "ORB-4711", "leaves", "the", "cursor", "lifetime"]
QUESTIONS = [*WORDS, '"the ferry"', "ferry noon bread", "the lifetime of the cursor", "?!", "Verträge 4711"]
CONDITIONS = [None, None, "version = '2'", "has version or has hue", "price > 2 and not version = '2'", "'a' in tags"]
PRINCIPALS = [
    Principal(frozenset(groups)) for groups in (["public"], ["red team"], ["blue team", "public"], ["nobody"])
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    query: str
    where: str | None
    principal: Principal
    options: Mapping[str, Any]
    fusion: Fusion


def world_of(random: Random) -> list[Entry]:
    def text() -> str:
        return " ".join(random.choices(WORDS, k=random.randint(1, 9)))

    shared = [text() for _ in range(3)]
    entries = []
    for number in range(random.randint(1, 9)):
        metadata: dict[str, Any] = {"groups": tuple(random.sample(GROUPS, random.randint(0, 2)))}
        if random.random() < 0.5:
            metadata |= {"version": random.choice("123"), "price": random.randint(1, 4)}
        if random.random() < 0.3:
            metadata |= {"tags": ("a", "b"), "hue": "dark"}
        texts = [random.choice([text(), *shared]) for _ in range(random.randint(1, 6))]
        entries.append(entry_of(f"d{number}.md", texts, metadata=metadata, parent=random.random() < 0.5))
    return entries


def asked_of(random: Random, mode: str) -> Asked:
    options = {
        "mode": mode,
        "k": random.choice([1, 3, 20]),
        "without": tuple(random.sample(["bread", "Vertrag", "the ferry"], random.choice([0, 0, 1]))),
        "fold": random.random() < 0.5,
        "expand": random.choice([None, "parent", "neighbours"]),
        "budget_tokens": random.choice([None, None, 20]),
        "min_relevance": random.choice([0.0, 0.0, 0.3]),
        "join_tokens": random.choice([0, 0, 12]),
        "explain": True,
    }
    return Asked(
        query=random.choice(QUESTIONS),
        where=random.choice(CONDITIONS),
        principal=random.choice(PRINCIPALS),
        options=options,
        fusion=MinMaxFusion() if random.random() < 0.3 else ContextFusion(),
    )


def outcome(snapshot: Snapshot, asked: Asked, names: Sequence[str]) -> list[Any]:
    """Everything that a search and ``why`` say, errors included."""
    tools = tools_of(counter=WordCounter(), fusion=asked.fusion)
    told: list[Any] = []
    fields = snapshot.fields(principal=asked.principal)
    try:
        where = settle(parse(asked.where), fields) if asked.where else None
    except UsageError as error:
        return [str(error)]
    request = Request(query=asked.query, where=where, said=asked.where or "", **asked.options)
    told.append(search(request, snapshot=snapshot, principal=asked.principal, tools=tools).to_json())
    for name in names:
        try:
            why = reason(name, None, request, snapshot=snapshot, principal=asked.principal, tools=tools)
            told.append(why.to_json())
        except NothingFoundError as error:
            told.append(str(error))
    return told


def allowed(entries: Sequence[Entry], principal: Principal) -> list[Entry]:
    return [entry for entry in entries if principal.may_see(tuple(entry.document.metadata.get("groups", ())))]  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Leaky:
    """A snapshot that forgets in one method, ``path``, who is asking: its figures are those of all rows. What it gives
    is still only what the principal may see, as it would be with rights checked too late."""

    inner: Snapshot
    path: str

    def lexical(self, terms: Sequence[str], *, principal: Principal, limit: int, **others: Any) -> list[Scored]:
        if self.path == "lexical":
            scored = self.inner.lexical(terms, principal=EVERYONE, limit=1000, **others)
            return self._seen(scored, principal)[:limit]
        return self.inner.lexical(terms, principal=principal, limit=limit, **others)

    def dense(self, vector: Vector, *, principal: Principal, limit: int, **others: Any) -> list[Scored]:
        if self.path == "dense":  # filtered after the cut-off
            return self._seen(self.inner.dense(vector, principal=EVERYONE, limit=limit, **others), principal)
        return self.inner.dense(vector, principal=principal, limit=limit, **others)

    def context_scores(
        self, terms: Sequence[str], vector: Vector, ids: Sequence[str], *, principal: Principal, **others: Any
    ) -> ContextScores:
        if self.path != "context_scores":
            return self.inner.context_scores(terms, vector, ids, principal=principal, **others)
        scores = self.inner.context_scores(terms, vector, ids, principal=EVERYONE, **others)
        return scores.only(self.inner.located(scores.chunk_ids, principal=principal))

    def _seen(self, scored: Sequence[Scored], principal: Principal) -> list[Scored]:
        seen = self.inner.located([hit.chunk_id for hit in scored], principal=principal)
        return [hit for hit in scored if hit.chunk_id in seen]

    def __getattr__(self, name: str) -> Any:
        method = getattr(self.inner, name)

        def call(*arguments: Any, principal: Principal, **others: Any) -> Any:
            return method(*arguments, principal=EVERYONE if self.path == name else principal, **others)

        return call


def honest(snapshot: Snapshot) -> Snapshot:
    return snapshot


def leaking(path: str) -> Callable[[Snapshot], Snapshot]:
    return lambda snapshot: cast(Snapshot, Leaky(snapshot, path))


@contextmanager
def snapshot_of(kind: str, entries: Sequence[Entry]) -> Iterator[Snapshot]:
    with tempfile.TemporaryDirectory() as folder:
        store: Store = MemoryStore()
        if kind == "sqlite":
            store = SqliteStore(path=Path(folder) / ".pincite", create=True)
        store_of(*entries, store=store)
        with store.snapshot() as snapshot:
            yield snapshot
        store.close()


def worlds_that_differ(
    kind: str, mode: str, seeds: Iterable[int], through: Callable[[Snapshot], Snapshot] = honest
) -> list[int]:
    """The seeds of the worlds in which somebody gets something else than with their documents alone."""
    different = []
    for seed in seeds:
        random = Random(seed)
        entries = world_of(random)
        several = [asked_of(random, mode) for _ in range(3)]
        names = [entry.document.id for entry in random.sample(entries, min(2, len(entries)))]
        with snapshot_of(kind, entries) as whole:
            for asked in several:
                with snapshot_of(kind, allowed(entries, asked.principal)) as alone:
                    if outcome(through(whole), asked, names) != outcome(alone, asked, names):
                        different.append(seed)
    return different


@pytest.fixture(autouse=True)
def few_candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that cut-offs cut in small worlds."""
    monkeypatch.setattr("pincite.retrieve.candidates.MIN_CANDIDATES", 4)
    monkeypatch.setattr("pincite.retrieve.candidates.CANDIDATES_PER_HIT", 1)


@pytest.mark.parametrize("mode", MODES)
def test_thirty_worlds(mode: str) -> None:
    assert worlds_that_differ("memory", mode, range(20)) == []
    assert worlds_that_differ("sqlite", mode, range(20, 30)) == []


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["memory", "sqlite"])
@pytest.mark.parametrize("mode", MODES)
def test_three_hundred_worlds(kind: str, mode: str) -> None:
    assert worlds_that_differ(kind, mode, range(1000, 1300)) == []


@pytest.mark.parametrize(
    ("path", "mode"),
    [
        ("lexical", "lexical"),
        ("lexical", "hybrid"),
        ("dense", "dense"),
        ("dense", "hybrid"),
        ("context_scores", "hybrid"),
        ("term_weights", "hybrid"),
        ("document_frequencies", "hybrid"),
        ("document", "hybrid"),
        ("fields", "hybrid"),
    ],
)
def test_a_leak_is_noticed(path: str, mode: str) -> None:
    assert worlds_that_differ("memory", mode, range(20), leaking(path))


def test_the_worlds_have_something_to_hide_and_something_to_find() -> None:
    hits = folded = hidden = joined = 0
    for seed in range(60):
        random = Random(seed)
        entries = world_of(random)
        asked = replace(asked_of(random, "hybrid"), where=None)
        hidden += len(entries) - len(allowed(entries, asked.principal))
        with snapshot_of("memory", entries) as snapshot:
            [ranking, *_] = outcome(snapshot, asked, [])
        hits += len(ranking["hits"])
        folded += sum(len(hit["also"]) for hit in ranking["hits"])
        joined += sum(len(hit["joined"]) for hit in ranking["hits"])
    assert min(hits, folded, hidden, joined) > 5
