"""What a sync decides: dry runs, rebuilds, strategies by glob, metadata in side files."""

from __future__ import annotations

import json
import re
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite import catalogue
from pincite.config import ChunkRule, Component, Settings, parse_settings, read_settings
from pincite.embed.hashing import HashingEmbedder
from pincite.engine import Collection, SyncReport
from pincite.engine.recipe import SETTING, algorithm_of, differences, recipe_of
from pincite.engine.side_files import side_metadata
from pincite.errors import CollectionError, ConfigError, LoadError, UsageError
from pincite.model import PUBLIC, Chunk, Metadata, Principal, metadata_from_json, metadata_to_json
from pincite.ports import Store, Vectors
from pincite.text.terms import Analyser

HASHING = Component("embed", "hashing")
SETTINGS = Settings(embed=HASHING)


@dataclass
class CountingEmbedder:
    """The hashing embedder, and a list of every text that it was given. ``stop_after`` texts it is interrupted."""

    inner: HashingEmbedder = field(default_factory=HashingEmbedder)
    seen: list[str] = field(default_factory=list)
    stop_after: int | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.seen.extend(texts)
        if self.stop_after is not None and len(self.seen) > self.stop_after:
            raise KeyboardInterrupt
        return self.inner.embed(texts)


@pytest.fixture(params=["sqlite", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    options = {"path": tmp_path / "index" / ".pincite", "create": True} if request.param == "sqlite" else {}
    made: Store = catalogue.create("store", request.param, options)
    yield made
    made.close()


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "ropes.md").write_text(
        "# Ropes\n\n## Splice\n\nA long splice takes an hour.\n\n## Knot\n\nTie a bowline.\n"
    )
    (folder / "keel.md").write_text("# Keel\n\nThe keel is oak.\n")
    return folder


def opened(store: Store, tmp_path: Path, settings: Settings = SETTINGS, embedder: Any = None) -> Collection:
    return Collection(tmp_path / "index", settings=settings, store=store, embedder=embedder)


def contents(collection: Collection) -> dict[str, list[tuple[Chunk, bytes]]]:
    """Everything that a search reads, by document."""
    result: dict[str, list[tuple[Chunk, bytes]]] = {}
    for name in collection.store.stored():
        chunks = collection.store.chunks(name)
        vectors = collection.store.vectors([chunk.embedded for chunk in chunks])
        result[name] = [(chunk, vectors[chunk.embedded].tobytes()) for chunk in chunks]
    return result


def without_lists(report: SyncReport) -> dict[str, Any]:
    data = report.to_json()
    return {name: data[name] for name in ("added", "changed", "moved", "removed", "unchanged", "documents")}


def test_a_dry_run_tells_what_a_sync_then_does(store: Store, tmp_path: Path, docs: Path) -> None:
    with opened(store, tmp_path) as collection:
        first = collection.add(docs, dry_run=True)
        assert (first.added, first.dry_run, first.embedded) == (["keel.md", "ropes.md"], True, 0)
        assert collection.status().documents == ()
        assert collection.roots() == []
        collection.add(docs)
        (docs / "mast.md").write_text("The mast is tall.\n")
        (docs / "keel.md").rename(docs / "hull.md")
        (docs / "ropes.md").write_text("# Ropes\n\nAll new.\n")
        (docs / "x.png").write_bytes(b"\x89PNG")
        before = contents(collection)
        planned = collection.sync(dry_run=True)
        assert contents(collection) == before
        assert (planned.added, planned.changed, planned.moved) == (["mast.md"], ["ropes.md"], [("keel.md", "hull.md")])
        done = collection.sync()
        assert without_lists(done) == without_lists(planned)
        assert done.failed == planned.failed
        (docs / "mast.md").unlink()
        assert collection.sync(dry_run=True).removed == ["mast.md"]
        assert collection.sync(dry_run=True).unchanged == ["hull.md", "ropes.md"]


def test_a_dry_run_waits_for_no_writer(store: Store, tmp_path: Path, docs: Path) -> None:
    with opened(store, tmp_path) as collection, store.writer():
        assert len(collection.add(docs, dry_run=True).added) == 2


def test_other_settings_are_refused_until_everything_is_made_anew(store: Store, tmp_path: Path, docs: Path) -> None:
    embedder = CountingEmbedder()
    with opened(store, tmp_path, embedder=embedder) as collection:
        collection.add(docs)
    (docs / "mast.md").write_text("The mast is tall.\n")
    before = len(embedder.seen)
    other = replace(SETTINGS, chunk=Component("chunk", "headings"))
    with opened(store, tmp_path, other, embedder) as collection:
        acts: list[Callable[[], SyncReport]] = [
            collection.sync,
            lambda: collection.sync(dry_run=True),
            lambda: collection.add(docs),
        ]
        for act in acts:
            with pytest.raises(CollectionError, match="'headings', it was 'structure'") as caught:
                act()
            assert (caught.value.kind, "sync --rebuild" in caught.value.cure) == ("mismatch", True)
        assert collection.status().redo == ("[chunk] strategy is 'headings', it was 'structure'",)
        assert collection.status().strategy == "structure"
        assert list(contents(collection)) == ["keel.md", "ropes.md"]
        report = collection.sync(rebuild=True)
        assert (report.added, report.changed, report.removed) == (["mast.md"], ["keel.md", "ropes.md"], [])
        assert report.embedded == len(embedder.seen) - before
        assert not any("The keel is oak" in text for text in embedder.seen[before:])  # cut alike by both
        assert (collection.status().redo, collection.status().strategy) == ((), "headings")
        assert collection.sync().unchanged == ["keel.md", "mast.md", "ropes.md"]
        rebuilt = contents(collection)
    with opened(catalogue.create("store", "memory"), tmp_path, other) as clean:
        clean.add(docs)
        assert contents(clean) == rebuilt


def test_an_interrupted_rebuild_leaves_the_old_index_and_goes_on(
    store: Store, tmp_path: Path, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pincite.engine.sync.EMBED_TOGETHER", 1)
    with opened(store, tmp_path) as collection:
        collection.add(docs)
        old = contents(collection)
    wider = replace(SETTINGS, embed=Component("embed", "hashing", {"dimension": 96}))
    embedder = CountingEmbedder(HashingEmbedder(dimension=96), stop_after=1)
    with opened(store, tmp_path, wider, embedder) as collection:
        with pytest.raises(KeyboardInterrupt):
            collection.sync(rebuild=True)
        assert contents(collection) == old
        with pytest.raises(CollectionError, match="was made with the embedder"):
            collection.sync()
        embedder.seen.clear()
        embedder.stop_after = None
        report = collection.sync(rebuild=True)
        assert report.changed == ["keel.md", "ropes.md"]
        assert len(embedder.seen) == report.embedded == 1
        assert {len(row[-1]) for rows in contents(collection).values() for row in rows} == {96 * 4}
        assert collection.problems() == []


def test_what_was_begun_with_yet_other_settings_is_thrown_away(
    store: Store, tmp_path: Path, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pincite.engine.sync.EMBED_TOGETHER", 1)
    with opened(store, tmp_path) as collection:
        collection.add(docs)
    for dimension, stop_after in ((96, 1), (128, None)):
        settings = replace(SETTINGS, embed=Component("embed", "hashing", {"dimension": dimension}))
        embedder = CountingEmbedder(HashingEmbedder(dimension=dimension), stop_after=stop_after)
        with opened(store, tmp_path, settings, embedder) as collection, suppress(KeyboardInterrupt):
            collection.sync(rebuild=True)
        assert embedder.seen
    with opened(store, tmp_path, settings) as collection:
        assert {len(row[-1]) for rows in contents(collection).values() for row in rows} == {128 * 4}
        assert len(collection.sync().unchanged) == 2


def test_what_an_interrupted_rebuild_has_left_keeps_no_text(
    store: Store, tmp_path: Path, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pincite.engine.sync.EMBED_TOGETHER", 1)
    with opened(store, tmp_path) as collection:
        collection.add(docs)
    settings = replace(SETTINGS, embed=Component("embed", "hashing", {"dimension": 96}))
    for _ in range(2):
        embedder = CountingEmbedder(HashingEmbedder(dimension=96), stop_after=1)
        with opened(store, tmp_path, settings, embedder) as collection, suppress(KeyboardInterrupt):
            collection.sync(rebuild=True)
        assert list(store.beside().stored()) == ["keel.md"]
        with opened(store, tmp_path) as collection:
            collection.remove("keel.md")
            assert list(store.beside().stored()) == []
            collection.add(docs / "keel.md")
    with opened(store, tmp_path, settings, embedder) as collection, suppress(KeyboardInterrupt):
        embedder.seen.clear()
        collection.sync(rebuild=True)
    assert list(store.beside().stored()) == ["keel.md"]
    with opened(store, tmp_path) as collection:
        assert len(collection.sync().unchanged) == 2
    assert list(store.beside().stored()) == []
    assert store.setting("rebuilding") is False


def test_a_rebuild_tells_moved_and_removed_and_loses_no_root(store: Store, tmp_path: Path, docs: Path) -> None:
    with opened(store, tmp_path) as collection:
        collection.add(docs)
        (docs / "keel.md").rename(docs / "hull.md")
        (docs / "ropes.md").unlink()
        report = collection.sync(rebuild=True)
        assert (report.moved, report.removed, report.embedded) == ([("keel.md", "hull.md")], ["ropes.md"], 0)
        assert list(contents(collection)) == ["hull.md"]
        docs.rename(tmp_path / "away")
        with pytest.raises(LoadError, match="would be lost by a rebuild") as caught:
            collection.sync(rebuild=True)
        assert caught.value.kind == "missing"
        assert list(contents(collection)) == ["hull.md"]
        with pytest.raises(UsageError, match="no dry run"):
            collection.sync(rebuild=True, dry_run=True)


def test_differences_name_what_is_not_as_it_was() -> None:
    def recipe(text: str) -> tuple[Settings, Any]:
        settings = parse_settings(tomllib.loads(text))
        return settings, recipe_of(settings, settings.embed.create(), Analyser())

    rule = '[[chunk.for]]\nglob = "*.py"\n'
    base = recipe(f'[embed]\nname = "hashing"\n{rule}max_tokens = 300\n')[1]
    settings, now = recipe(f'[embed]\nname = "hashing"\nmetadata = ["title"]\n{rule}max_tokens = 200\n')
    assert differences(base, settings, now) == [
        "[[chunk.for]] *.py: max_tokens is 200, it was 300",
        "[embed] metadata is ['title'], it was []",
    ]
    settings, now = recipe('[embed]\nname = "hashing"\n[chunk]\nmax_tokens = 50\n')
    assert differences(base, settings, now) == [
        "[chunk] max_tokens is 50, it was 100",
        "other files have a strategy of their own in [[chunk.for]]",
    ]
    assert differences(now, settings, now) == []
    assert differences({**now, "analyser": "x"}, settings, now) == ["words are analysed in another way"]
    assert differences({**now, "max_tokens": 7}, settings, now) == ["the embedder reads None tokens of a text, not 7"]


def test_a_new_version_forces_nothing_unless_it_cuts_in_another_way() -> None:
    settings = Settings(embed=HASHING)
    now = recipe_of(settings, HASHING.create(), Analyser())
    options = {name: value for name, value in now["chunk"]["options"].items() if name != "min_tokens"}
    assert differences({**now, "chunk": {**now["chunk"], "options": options}}, settings, now) == []
    earlier = {**now, "chunk": {**now["chunk"], "algorithm": 0}}
    assert ["cuts in another way" in line for line in differences(earlier, settings, now)] == [True]
    given = replace(settings, chunk=Component("chunk", "structure", {**settings.chunk.options, "min_tokens": 5}))
    found = differences(
        {**now, "chunk": {**now["chunk"], "options": options}}, given, recipe_of(given, HASHING.create(), Analyser())
    )
    assert found == ["[chunk] min_tokens is 5, there was no such option"]

    class Second:
        algorithm = 2

    assert (algorithm_of(Second()), algorithm_of(object())) == (2, 1)


def test_an_index_without_a_recipe_is_checked_by_its_embedder(store: Store, tmp_path: Path, docs: Path) -> None:
    with opened(store, tmp_path) as collection:
        collection.add(docs)
        with store.writer() as writer:
            writer.write_setting(SETTING, None)
        assert collection.status().redo == ()
        assert len(collection.sync().unchanged) == 2
        with store.writer() as writer:
            writer.write_setting(SETTING, None)
            writer.write_setting("embedder", "another")
        with pytest.raises(CollectionError, match="with the embedder another, not with hashing"):
            collection.sync()


def test_kinds_of_files_have_strategies_of_their_own(store: Store, tmp_path: Path, docs: Path) -> None:
    (docs / "log.txt").write_text("one two three four five six seven eight nine ten\n" * 4)
    rule = ChunkRule("*.txt", Component("chunk", "tokens", {"max_tokens": 12, "overlap_tokens": 0}))
    unused = ChunkRule("*.py", Component("chunk", "code"))
    with opened(store, tmp_path, replace(SETTINGS, chunk_rules=(rule, unused))) as collection:
        report = collection.add(docs)
        assert [(notice.kind, "'*.py'" in notice.message) for notice in report.warnings] == [("unused_rule", True)]
        assert len(collection.chunks("log.txt", principal=PUBLIC)) > 3
        assert max(chunk.tokens for chunk in collection.chunks("log.txt", principal=PUBLIC)) <= 12
        assert len(collection.chunks("keel.md", principal=PUBLIC)) == 1
        (docs / "log.txt").rename(docs / "log.md")  # the same bytes, cut as other files are
        assert collection.sync().moved == [("log.txt", "log.md")]
        assert len(collection.chunks("log.md", principal=PUBLIC)) == 1


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        ('[[chunk.for]]\nstrategy = "code"\n', "has no glob"),
        ('[[chunk.for]]\nglob = "*.py"\nstrategy = "kode"\n', "'\\*.py'.*kode"),
        ('[[chunk.for]]\nglob = "*.py"\nmax_tokens = 0\n', "'\\*.py'"),
        ('[chunk.for]\nglob = "*.py"\n', r"Write \[\[chunk.for\]\]"),
    ],
)
def test_a_wrong_strategy_is_told_before_any_work(tmp_path: Path, toml: str, said: str) -> None:
    (tmp_path / "pincite.toml").write_text(toml)
    with pytest.raises(ConfigError, match=said):
        read_settings(tmp_path / "pincite.toml")


def test_a_rule_without_a_strategy_changes_sizes_only() -> None:
    settings = parse_settings(
        {
            "chunk": {
                "max_tokens": 200,
                "for": [
                    {"glob": "*.md", "min_tokens": 7},
                    {"glob": "a.md", "strategy": "tokens"},
                ],
            }
        }
    )
    assert settings.chunk_of(["b.md"]) == Component("chunk", "structure", {"max_tokens": 200, "min_tokens": 7})
    assert settings.chunk_of(["a.md"]) == Component("chunk", "tokens", {})
    assert settings.chunk_of(["a.txt"]) == settings.chunk == Component("chunk", "structure", {"max_tokens": 200})


def test_metadata_in_a_side_file(store: Store, tmp_path: Path, docs: Path) -> None:
    side = docs / "keel.md.meta.toml"
    side.write_text('groups = ["crew"]\npages = 3\nratio = 0.5\nok = true\ndate = 2025-01-31\ntags = ["a", "b"]\n')
    (docs / "keel.md").write_text("---\ntags: [old]\nauthor: Ann\n---\n# Keel\n\nThe keel is oak.\n")
    (docs / ".pinciteignore").write_text("*.toml\n")  # a side file is metadata whatever is ignored
    (docs / "gone.md.meta.toml").write_text("pages = 1\n")
    crew = Principal(frozenset({"crew"}))
    with opened(store, tmp_path) as collection:
        report = collection.add(docs)
        assert report.added == ["keel.md", "ropes.md"]
        assert [(notice.kind, notice.file) for notice in report.warnings] == [("side_file", "gone.md.meta.toml")]
        metadata = collection.document("keel.md", principal=crew).metadata
        assert {**metadata} == {
            "authors": ("Ann",),
            "groups": ("crew",),
            "pages": 3,
            "ratio": 0.5,
            "ok": True,
            "date": "2025-01-31",
            "tags": ("a", "b"),
        }
        assert [state.document_id for state in collection.status(principal=PUBLIC).documents] == ["ropes.md"]
        side.write_text('groups = ["public"]\n')
        assert collection.sync().changed == ["keel.md"]
        assert collection.document("keel.md", principal=PUBLIC).metadata["tags"] == ("old",)
        side.unlink()
        assert collection.sync().changed == ["keel.md"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"groups = [", "is not valid TOML"),
        (b"groups = []", "groups is"),
        (b"\xff", "is not UTF-8"),
        (b"x = nan", "x is no number"),
        (b"x = 9223372036854775808", "x is no number"),
        (b"x = " + b"9" * 5000, "not valid TOML"),
        (b"x = {y = 1}", "x is"),
        (b"version = 3", "version is 3"),
        (b"#" * 70_000, "more than"),
        (b"x = " + b"[" * 5000, "nested|not valid"),
    ],
)
def test_a_broken_side_file_takes_its_document_out(
    store: Store, tmp_path: Path, docs: Path, data: bytes, said: str
) -> None:
    with opened(store, tmp_path) as collection:
        collection.add(docs)
        (docs / "keel.md.meta.toml").write_bytes(data)
        report = collection.sync()
        assert (report.removed, report.unchanged) == (["keel.md"], ["ropes.md"])
        ((kind, file, message),) = [(notice.kind, notice.file, notice.message) for notice in report.failed]
        assert (kind, file, "keel.md.meta.toml" in message) == ("side_file", "keel.md", True)
        assert re.search(said, message)


def test_a_side_file_is_a_plain_file(store: Store, tmp_path: Path, docs: Path) -> None:
    (tmp_path / "elsewhere.toml").write_text('groups = ["public"]\n')
    (docs / "keel.md.meta.toml").symlink_to(tmp_path / "elsewhere.toml")
    with opened(store, tmp_path) as collection:
        report = collection.add(docs)
        assert [(notice.kind, notice.file) for notice in report.failed] == [("side_file", "keel.md")]
        assert "not a regular file" in report.failed[0].message


def test_rules_have_the_last_word_over_side_files(store: Store, tmp_path: Path, docs: Path) -> None:
    (docs / "keel.md.meta.toml").write_text('groups = ["public"]\nversion = "2"\n')
    settings = parse_settings({"embed": {"name": "hashing"}, "metadata": [{"glob": "keel.md", "groups": ["crew"]}]})
    with opened(store, tmp_path, settings) as collection:
        collection.add(docs)
        metadata = collection.document("keel.md", principal=Principal(frozenset({"crew"}))).metadata
        assert (metadata["groups"], metadata["version"]) == (("crew",), "2")


def test_a_file_stays_named_when_its_folder_is_added(store: Store, tmp_path: Path, docs: Path) -> None:
    (docs / ".gitignore").write_text("*.md\n")
    (docs / "log.txt").write_text("Nothing happened.\n")
    (docs / "log.txt.meta.toml").write_text("pages = 1\n")
    with opened(store, tmp_path) as collection:
        report = collection.add([docs / "keel.md", docs / "log.txt.meta.toml"])
        assert report.added == ["keel.md"]
        assert [(notice.kind, Path(notice.file).name) for notice in report.failed] == [
            ("left_out", "log.txt.meta.toml")
        ]
        report = collection.add(docs)
        assert (report.added, report.unchanged) == (["log.txt"], ["keel.md"])
        assert collection.remove("keel.md") == ["keel.md"]
        assert collection.sync().added == []


def test_excludes_of_a_collection_hold_for_folders_outside_of_it(store: Store, tmp_path: Path, docs: Path) -> None:
    with opened(store, tmp_path, replace(SETTINGS, exclude=("docs/keel.md", "ropes.md"))) as collection:
        report = collection.add(docs)
        assert (report.added, report.ignored) == (["keel.md"], 1)
        assert collection.add(docs / "ropes.md").added == ["ropes.md"]
        assert collection.sync().unchanged == ["keel.md", "ropes.md"]


def test_status_tells_of_another_embedder(store: Store, tmp_path: Path, docs: Path) -> None:
    with opened(store, tmp_path) as collection:
        collection.add(docs)
    with opened(store, tmp_path, Settings(embed=Component("embed", "hashing", {"dimension": 96}))) as collection:
        ((reason,), now) = collection.status().redo, collection.embedder.fingerprint
        assert reason.startswith("the index was made with the embedder")
        assert reason.endswith(f"not with {now}")


@given(data=st.one_of(st.binary(), st.text().map(str.encode)))
def test_any_side_file_is_read_or_refused(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "a.md.meta.toml").write_bytes(data)
        metadata: Metadata = {}
        kind = ""
        try:
            metadata = side_metadata(Path(folder, "a.md"))
        except LoadError as error:
            kind = error.kind
        assert kind in ("", "side_file")
        assert metadata_from_json(json.loads(json.dumps(metadata_to_json(metadata)))) == dict(metadata)
