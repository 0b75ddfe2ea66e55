"""Whatever happens to the files, one sync later the index is the one that a clean build would give."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from pincite import catalogue
from pincite.config import Component, Settings
from pincite.engine import Collection
from pincite.model import Chunk, Principal
from pincite.ports import Store

EVERYBODY = Principal(frozenset({"public", "crew"}))
STRATEGIES = ("structure", "headings", "sentences")
NAMES = st.sampled_from(("a.md", "b.md", "c.txt", "sub/a.md", "sub/d.md", "sub/deep/e.txt", "out/f.md"))
PARTS = ("# Keel\n\n", "Oak.\n\n", "The mast is tall.\n\n", "Ash 漢字.\n")
TEXTS = st.lists(st.sampled_from(PARTS), min_size=1, max_size=6).map("".join)
RULES = st.sampled_from(("", "out/\n", "*.txt\n!c.txt\n", "/sub/*\n"))


def settings_of(strategy: str) -> Settings:
    return Settings(embed=Component("embed", "hashing", {"dimension": 8}), chunk=Component("chunk", strategy))


def contents(store: Store) -> dict[str, tuple[list[Chunk], Any, list[bytes]]]:
    """Everything that a search reads."""
    result = {}
    for name, state in store.stored().items():
        chunks = store.chunks(name)
        vectors = store.vectors([chunk.embedded for chunk in chunks])
        result[name] = (chunks, state.metadata, [vectors[chunk.embedded].tobytes() for chunk in chunks])
    return result


class Folder(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.docs = self.folder / "docs"
        self.docs.mkdir()
        self.strategy = STRATEGIES[0]
        with self.opened(create=True) as collection:
            collection.add(self.docs)

    def opened(self, *, create: bool = False) -> Collection:
        return Collection(self.folder, create=create, settings=settings_of(self.strategy))

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    @rule(name=NAMES, text=TEXTS)
    def write(self, name: str, text: str) -> None:
        (self.docs / name).parent.mkdir(parents=True, exist_ok=True)
        (self.docs / name).write_text(text, encoding="utf-8")

    @rule(name=NAMES)
    def delete(self, name: str) -> None:
        (self.docs / name).unlink(missing_ok=True)

    @rule(name=NAMES, other=NAMES)
    def move(self, name: str, other: str) -> None:
        if (self.docs / name).exists():
            (self.docs / other).parent.mkdir(parents=True, exist_ok=True)
            (self.docs / name).replace(self.docs / other)

    @rule(rules=RULES)
    def ignore(self, rules: str) -> None:
        (self.docs / ".gitignore").write_text(rules)

    @rule(name=NAMES, group=st.sampled_from(("crew", "public", "")))
    def describe(self, name: str, group: str) -> None:
        side = self.docs / f"{name}.meta.toml"
        if (self.docs / name).exists():
            side.write_text(f'groups = "{group}"\n')  # without a name it is refused, and the document with it
        else:
            side.unlink(missing_ok=True)

    @rule()
    def sync(self) -> None:
        with self.opened() as collection:
            planned = collection.sync(dry_run=True)
            done = collection.sync()
            for name in ("added", "changed", "moved", "removed", "unchanged"):
                assert getattr(done, name) == getattr(planned, name), name
            self.check(collection)

    @rule(strategy=st.sampled_from(STRATEGIES))
    def rebuild(self, strategy: str) -> None:
        self.strategy = strategy
        with self.opened() as collection:
            collection.sync(rebuild=True)
            self.check(collection)

    def check(self, collection: Collection) -> None:
        clean_store: Store = catalogue.create("store", "memory")
        with Collection(self.folder / "clean", settings=collection.settings, store=clean_store) as clean:
            clean.add(self.docs)
            assert contents(collection.store) == contents(clean_store)
            for query in ("oak mast", "漢字"):
                found, expected = (
                    [
                        (hit.chunk, round(hit.score, 6))
                        for hit in each.search(query, principal=EVERYBODY, mode="lexical").hits
                    ]
                    for each in (collection, clean)
                )
                assert found == expected
        assert collection.problems() == []


TestFolder = Folder.TestCase
TestFolder.settings = settings(max_examples=25, stateful_step_count=15, deadline=None)
