"""What goes wrong around a collection: folders that come and go, names, rights that change while nothing can be cut."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.unit.remote.model_server import Behaviour, Reply, embeddings, good, serving

from pincite import catalogue
from pincite.config import Component, MetadataRule, Settings
from pincite.embed.hashing import HashingEmbedder
from pincite.engine import Collection
from pincite.engine.roots import Root, id_prefixes
from pincite.errors import CollectionError, LoadError, NothingFoundError, RemoteError
from pincite.model import PUBLIC, Principal
from pincite.ports import Store

SETTINGS = Settings(embed=Component("embed", "hashing"))
OTHER = replace(SETTINGS, chunk=Component("chunk", "headings"))
CREW = Principal(frozenset({"public", "crew"}))
NAMES = ("keel.md", "mast.md", "oar.md")


@pytest.fixture(params=["sqlite", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    options = {"path": tmp_path / ".pincite", "create": True} if request.param == "sqlite" else {}
    made: Store = catalogue.create("store", request.param, options)
    yield made
    made.close()


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    return folder_of(tmp_path / "docs")


def folder_of(folder: Path, names: tuple[str, ...] = NAMES) -> Path:
    folder.mkdir(parents=True)
    for name in names:
        (folder / name).write_text(f"# {name}\n\nThe oak of {folder.name}/{name}.\n")
    return folder


def opened(store: Store, tmp_path: Path, settings: Settings = SETTINGS) -> Collection:
    return Collection(tmp_path, settings=settings, store=store)


def found(collection: Collection, principal: Principal = PUBLIC) -> list[str]:
    ranking = collection.search("oak", principal=principal, mode="lexical", k=50)
    return sorted({hit.chunk.document_id for hit in ranking.hits})


def test_a_document_is_removed_also_when_a_root_was_taken_out_before(store: Store, tmp_path: Path, docs: Path) -> None:
    other = folder_of(tmp_path / "other")
    with opened(store, tmp_path) as collection:
        collection.add([docs, other])
        collection.remove("other")
        assert collection.remove("docs/keel.md") == ["docs/keel.md"]
        assert collection.status().excluded == ("docs/keel.md",)
        assert collection.sync().added == []
        assert found(collection) == ["mast.md", "oar.md"]


def test_a_folder_that_a_walk_leaves_out_is_told_when_it_is_named(store: Store, tmp_path: Path, docs: Path) -> None:
    (docs / ".gitignore").write_text("build/\n")
    for name in (".hidden", "build", "open"):
        folder_of(docs / name)
    with opened(store, tmp_path) as collection:
        report = collection.add([docs, docs / ".hidden", docs / "build", docs / "open"])
        assert [(notice.kind, Path(notice.file).name) for notice in report.failed] == [
            ("left_out", ".hidden"),
            ("left_out", "build"),
        ]
        assert len(report.added) == 6
        assert len(collection.add([docs / "build" / "oar.md"]).added) == 1


def test_a_root_whose_name_is_no_text_is_refused_by_name(
    store: Store, tmp_path: Path, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    try:
        docs.rename(folder)
    except OSError:
        pytest.skip("this file system has only names that are text")
    monkeypatch.chdir(folder)
    with opened(store, tmp_path / "index") as collection:
        assert [notice.kind for notice in collection.add(".").failed] == ["unreadable"]
        assert collection.roots() == []
        assert collection.sync().failed == []


def test_what_a_walk_cannot_read_has_failed(store: Store, tmp_path: Path, docs: Path) -> None:
    try:
        (docs / os.fsdecode(b"caf\xe9.md")).write_text("x")
    except OSError:
        pytest.skip("this file system has only names that are text")
    with opened(store, tmp_path) as collection:
        report = collection.add(docs)
        assert ([notice.kind for notice in report.failed], report.warnings) == (["unreadable"], [])


def test_metadata_that_is_not_read_is_no_document_and_told(store: Store, tmp_path: Path, docs: Path) -> None:
    (docs / "keel.md.META.toml").write_text('groups = ["crew"]\n')
    with opened(store, tmp_path) as collection:
        report = collection.add(docs)
        assert report.added == list(NAMES)
        assert [(notice.kind, notice.file) for notice in report.warnings] == [("side_file", "keel.md.META.toml")]
        assert "small letters" in report.warnings[0].message


def test_an_excluded_folder_is_out_wherever_it_lies(store: Store, tmp_path: Path, docs: Path) -> None:
    other = folder_of(tmp_path / "other")
    folder_of(docs / "drafts" / "deep")
    folder_of(other / "docs")
    for exclude in ("drafts", "docs/drafts", str(docs / "drafts"), "deep", "drafts/deep"):
        with opened(
            catalogue.create("store", "memory"), tmp_path / "index", replace(SETTINGS, exclude=(exclude,))
        ) as one:
            assert one.add([docs, other]).ignored == 3
            assert len(one.add(docs / "drafts" / "deep" / "oar.md").added) == 1
            assert len(one.sync().unchanged) == 10
    with opened(store, tmp_path / "index", replace(SETTINGS, exclude=("index", "docs", tmp_path.name))) as collection:
        assert len(collection.add([docs, other]).added) == 9  # a root is there because somebody named it


def test_no_prefix_begins_with_another() -> None:
    roots = [Root(Path("/data")), Root(Path("/srv/data/data")), Root(Path("/srv/x"))]
    prefixes = sorted(id_prefixes(roots).values())
    assert prefixes == ["data/", "srv/data/data/", "srv/x/"]


def test_a_root_that_is_not_there_is_told_with_what_becomes_of_it(store: Store, tmp_path: Path, docs: Path) -> None:
    with opened(store, tmp_path) as collection:
        collection.add(docs)
        docs.rename(tmp_path / "away")
        docs.write_text("a file now")
        (failed,) = collection.sync().failed
        assert "its documents stay as they were" in failed.message
        with pytest.raises(NothingFoundError):
            collection.remove("no\0name")


def test_status_of_an_index_without_a_recipe_tells_of_another_embedder(
    store: Store, tmp_path: Path, docs: Path
) -> None:
    with opened(store, tmp_path) as collection:
        collection.add(docs)
        with store.writer() as writer:
            writer.write_setting("recipe", None)
            writer.write_setting("embedder", "hashing 0 256")
        assert "hashing 0 256" in collection.status().redo[0]


@pytest.mark.parametrize("rebuild", [False, True])
def test_a_root_that_goes_away_meanwhile_keeps_its_documents(
    store: Store, tmp_path: Path, docs: Path, *, rebuild: bool
) -> None:
    other = folder_of(tmp_path / "other")
    with opened(store, tmp_path) as collection:
        collection.add([docs, other])
        (other / "keel.md").unlink()

        def away(_: str, done: int, __: int) -> None:
            if done == 1:
                docs.rename(tmp_path / "away")

        if rebuild:
            with pytest.raises(LoadError, match="would be lost"):
                collection.sync(rebuild=True, progress=away)
        else:
            report = collection.sync(progress=away)
            assert report.removed == ["other/keel.md"]
            assert any("stay as they were" in notice.message for notice in report.failed)
        assert found(collection) == ["docs/keel.md", "docs/mast.md", "docs/oar.md", "other/mast.md", "other/oar.md"]
        (tmp_path / "away").rename(docs)
        assert len(collection.sync().unchanged) == 5


class TestWaitingForARebuild:
    def test_what_must_not_be_found_is_taken_out(self, store: Store, tmp_path: Path) -> None:
        docs = folder_of(tmp_path / "docs", (*NAMES, "rope.md", "sail.md", "tide.md"))
        with opened(store, tmp_path) as collection:
            collection.add(docs)
        (docs / "keel.md").unlink()
        (docs / "mast.md.meta.toml").write_text('groups = ["crew"]\n')
        (docs / "oar.md").write_text("---\ngroups: [open\n---\n\nOak.\n")
        (docs / "rope.md").write_text("---\ngroups: crew\n---\n\nOak.\n")
        (docs / "sail.md").write_text("An oak of another text.\n")
        (docs / "new.md").write_text("A new oak.\n")
        with opened(store, tmp_path, OTHER) as collection:
            with pytest.raises(CollectionError, match=r"taken out \(4 documents\)") as caught:
                collection.sync()
            assert caught.value.kind == "mismatch"
            assert found(collection, CREW) == ["sail.md", "tide.md"]
            with pytest.raises(CollectionError) as again:
                collection.add(docs)
            assert "taken out" not in again.value.problem
            collection.sync(rebuild=True)
            assert found(collection, CREW) == ["mast.md", "new.md", "rope.md", "sail.md", "tide.md"]
            assert found(collection) == ["new.md", "sail.md", "tide.md"]

    def test_a_rebuild_takes_it_out_before_it_begins(
        self, store: Store, tmp_path: Path, docs: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with opened(store, tmp_path) as collection:
            collection.add(docs)
        (docs / "keel.md").unlink()
        (docs / "mast.md.meta.toml").write_text('groups = ["crew"]\n')

        def interrupted(*_: object) -> None:
            raise KeyboardInterrupt

        wide = replace(OTHER, embed=Component("embed", "hashing", {"dimension": 96}))
        with opened(store, tmp_path, wide) as collection:
            with monkeypatch.context() as patched:
                patched.setattr(HashingEmbedder, "embed", interrupted)
                with pytest.raises(KeyboardInterrupt):
                    collection.sync(rebuild=True)
            assert found(collection, CREW) == ["oar.md"]
        (docs / "keel.md").write_text("The oak is back.\n")
        (docs / "oar.md").unlink()
        with opened(store, tmp_path, OTHER) as collection:
            report = collection.sync(rebuild=True)
            assert (report.added, report.removed) == (["keel.md", "mast.md"], ["oar.md"])

    def test_what_has_moved_stays_unless_fewer_may_see_it(self, store: Store, tmp_path: Path, docs: Path) -> None:
        rules = (MetadataRule("crew/**", {"groups": ("crew",)}),)
        with opened(store, tmp_path, replace(SETTINGS, rules=rules)) as collection:
            collection.add(docs)
        (docs / "crew").mkdir()
        (docs / "keel.md").rename(docs / "crew" / "keel.md")
        (docs / "mast.md").rename(docs / "spar.md")
        shutil.copy(docs / "spar.md", docs / "topmast.md")
        with opened(store, tmp_path, replace(OTHER, rules=rules)) as collection:
            with pytest.raises(CollectionError, match=r"taken out \(1 document\)"):
                collection.sync()
            assert found(collection, CREW) == ["mast.md", "oar.md"]

    def test_nothing_is_loaded_that_cannot_have_changed(
        self, store: Store, tmp_path: Path, docs: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with opened(store, tmp_path) as collection:
            collection.add(docs)
        monkeypatch.setattr("pincite.load.markdown.MarkdownLoader.load", None)
        with opened(store, tmp_path, OTHER) as collection:
            with pytest.raises(CollectionError) as caught:
                collection.sync()
            assert "taken out" not in caught.value.problem
            assert found(collection) == list(NAMES)

    def test_an_interrupted_rebuild_keeps_nothing_of_it(
        self, store: Store, tmp_path: Path, docs: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with opened(store, tmp_path) as collection:
            collection.add(docs)
        with monkeypatch.context() as patched, opened(store, tmp_path, OTHER) as collection:
            patched.setattr(type(store.writer().__enter__()), "take", None)
            with pytest.raises(TypeError):
                collection.sync(rebuild=True)
        assert list(store.beside().stored()) == list(NAMES)
        (docs / "keel.md").unlink()
        yet_other = replace(SETTINGS, chunk=Component("chunk", "sentences"))
        with (
            opened(store, tmp_path, yet_other) as collection,
            pytest.raises(CollectionError, match=r"taken out \(1 document\)"),
        ):
            collection.sync()
        assert list(store.beside().stored()) == ["mast.md", "oar.md"]


def test_a_damaged_rest_of_a_rebuild_stops_nothing(tmp_path: Path, docs: Path) -> None:
    beside = tmp_path / ".pincite" / "next"
    for act in ("sync", "remove", "rebuild"):
        with Collection(tmp_path, create=True, settings=SETTINGS) as collection:
            collection.add(docs)
            with collection.store.writer() as writer:
                writer.write_setting("rebuilding", True)
            beside.mkdir()
            (beside / "index.sqlite").write_bytes(b"no index " * 1000)
            if act == "remove":
                collection.remove("oar.md")
            else:
                collection.sync(rebuild=act == "rebuild")
            assert not (beside / "index.sqlite").exists()
            assert found(collection) == (list(NAMES) if act == "sync" else ["keel.md", "mast.md"])


def failing_at(*words: str) -> Behaviour:
    def behaviour(_: int, body: Any) -> Reply:
        said = " ".join(body["input"])
        return Reply({"error": "no"}, status=400) if any(word in said for word in words) else Reply(embeddings(body))

    return behaviour


def test_a_model_server_that_fails_holds_up_no_deletion(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pincite.engine.sync.EMBED_TOGETHER", 1)
    docs = folder_of(tmp_path / "docs", (*NAMES, "rope.md", "sail.md", "tide.md"))
    with serving(good) as server:
        options = {"model": "m", "base_url": server.url, "dimension": 16, "max_tokens": 100}
        options |= {"batch_size": 1, "concurrency": 1, "attempts": 1}
        settings = Settings(embed=Component("embed", "openai", options))
        with opened(store, tmp_path, settings) as collection:
            collection.add(docs)
            server.behaviour = failing_at("")
            (docs / "a.md").write_text("A new oak.\n")
            (docs / "keel.md").write_text("A changed oak.\n")
            (docs / "mast.md").write_text("---\ngroups: crew\n---\n\nA changed oak for few.\n")
            (docs / "oar.md").unlink()
            (docs / "rope.md.meta.toml").write_text('groups = ["crew"]\n')
            (docs / "sail.md").rename(docs / "spar.md")
            asked = len(server.asked)
            with pytest.raises(RemoteError):
                collection.sync()
            assert len(server.asked) == asked + 1
            assert found(collection) == ["keel.md", "spar.md", "tide.md"]
            assert found(collection, CREW) == ["keel.md", "rope.md", "spar.md", "tide.md"]
            server.behaviour = good
            report = collection.sync()
            assert (report.added, report.changed, report.embedded) == (["a.md", "mast.md"], ["keel.md"], 3)
            assert found(collection) == ["a.md", "keel.md", "spar.md", "tide.md"]


def test_deletions_come_before_what_is_new(
    store: Store, tmp_path: Path, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(store, tmp_path) as collection:
        collection.add(docs)
        (docs / "keel.md").unlink()
        (docs / "mast.md").rename(docs / "spar.md")
        (docs / "a.md").write_text("A new oak.\n")

        def interrupted(*_: object) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as patched:
            patched.setattr(HashingEmbedder, "embed", interrupted)
            with pytest.raises(KeyboardInterrupt):
                collection.sync()
        assert found(collection) == ["mast.md", "oar.md"]
        report = collection.sync()
        assert (report.added, report.moved, report.embedded) == (["a.md"], [("mast.md", "spar.md")], 1)


def test_a_search_takes_embedder_and_rows_from_one_version(
    store: Store, tmp_path: Path, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rebuild takes the old index's place between the search's first look and its second."""
    wide = replace(SETTINGS, embed=Component("embed", "hashing", {"dimension": 96}))
    with opened(store, tmp_path) as collection:
        collection.add(docs)
        whole = type(store).snapshot

        def straddling(of: Any) -> Any:
            monkeypatch.setattr(type(store), "snapshot", whole)

            class Straddling:
                def __enter__(self) -> Any:
                    self.snapshot = whole(of)
                    entered = self.snapshot.__enter__()
                    with opened(store, tmp_path, wide) as other:
                        other.sync(rebuild=True)
                    return entered

                def __exit__(self, *error: Any) -> None:
                    self.snapshot.__exit__(*error)

            return Straddling()

        monkeypatch.setattr(type(store), "snapshot", straddling)
        ranking = collection.search("oak", principal=PUBLIC, mode="dense")
        assert sorted(hit.chunk.document_id for hit in ranking.hits) == list(NAMES)
