"""The index equals the folders: what changed is embedded again and nothing else."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pincite.config import Component, MetadataRule, Settings
from pincite.embed.hashing import HashingEmbedder
from pincite.engine import Collection
from pincite.errors import CollectionError, ConfigError, NothingFoundError, UsageError
from pincite.model import PUBLIC, Principal
from pincite.ports import Vector, Vectors

SETTINGS = Settings(embed=Component("embed", "hashing"))


@dataclass
class CountingEmbedder:
    """The hashing embedder, and a list of every text that it was given."""

    inner: HashingEmbedder = field(default_factory=HashingEmbedder)
    seen: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.name, self.dimension = self.inner.name, self.inner.dimension
        self.max_tokens, self.fingerprint = self.inner.max_tokens, self.inner.fingerprint

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.seen.extend(texts)
        return self.inner.embed(texts)

    def embed_query(self, text: str) -> Vector:
        return self.inner.embed_query(text)

    def count(self, text: str) -> int:
        return self.inner.count(text)


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    (folder / "sub").mkdir(parents=True)
    (folder / "ropes.md").write_text(
        "# Ropes\n\n## Splice\n\nA long splice takes an hour.\n\n## Knot\n\nTie a bowline.\n"
    )
    (folder / "sub" / "keel.md").write_text("# Keel\n\nThe keel is oak.\n")
    return folder


@pytest.fixture
def embedder() -> CountingEmbedder:
    return CountingEmbedder()


@pytest.fixture
def collection(tmp_path: Path, embedder: CountingEmbedder) -> Iterator[Collection]:
    with Collection(tmp_path / "index", create=True, settings=SETTINGS, embedder=embedder) as opened:
        yield opened


def found(collection: Collection, query: str, principal: Principal = PUBLIC) -> list[str]:
    ranking = collection.search(query, principal=principal, mode="lexical")
    return sorted({hit.chunk.document_id for hit in ranking.hits})


def ids(collection: Collection) -> dict[str, list[str]]:
    documents = [document.document_id for document in collection.status().documents]
    return {name: [chunk.id for chunk in collection.chunks(name, principal=PUBLIC)] for name in documents}


def test_the_second_run_embeds_nothing(collection: Collection, embedder: CountingEmbedder, docs: Path) -> None:
    first = collection.add([docs])
    assert (first.added, first.embedded) == (["ropes.md", "sub/keel.md"], len(embedder.seen))
    before = ids(collection)
    embedder.seen.clear()
    for path in docs.rglob("*.md"):
        path.touch()
    second = collection.add([docs])
    assert (second.unchanged, second.embedded, embedder.seen) == (["ropes.md", "sub/keel.md"], 0, [])
    assert not second.added
    assert not second.changed
    assert not second.removed
    assert ids(collection) == before


def test_ids_do_not_depend_on_where_the_folder_lies(collection: Collection, docs: Path, tmp_path: Path) -> None:
    collection.add([docs])
    shutil.copytree(docs, tmp_path / "elsewhere" / "docs")
    with Collection(tmp_path / "other", create=True, settings=SETTINGS) as other:
        other.add([tmp_path / "elsewhere" / "docs"])
        assert ids(other) == ids(collection)


def test_an_edit_embeds_only_the_chunks_that_changed(tmp_path: Path, embedder: CountingEmbedder, docs: Path) -> None:
    settings = Settings(embed=SETTINGS.embed, chunk=Component("chunk", "structure", {"min_tokens": 0}))
    with Collection(tmp_path / "index", create=True, settings=settings, embedder=embedder) as collection:
        collection.add([docs])
        embedder.seen.clear()
        page = docs / "ropes.md"
        page.write_text(page.read_text().replace("Tie a bowline.", "Tie a clove hitch."))
        report = collection.sync()
        assert (report.changed, report.embedded) == (["ropes.md"], 1)
        assert [text for text in embedder.seen if "clove hitch" in text] == embedder.seen
        assert found(collection, "bowline") == []
        assert found(collection, "clove") == ["ropes.md"]


def test_a_removed_file_is_gone_and_comes_back(collection: Collection, docs: Path) -> None:
    (docs / "twin.md").write_text("# Twin\n\nThe keel is oak.\n\nA copperhead lives here.\n")
    collection.add([docs])
    (docs / "twin.md").unlink()
    assert collection.sync().removed == ["twin.md"]
    assert found(collection, "copperhead") == []
    assert found(collection, "keel") == ["sub/keel.md"]
    (docs / "twin.md").write_text("# Twin\n\nThe keel is oak.\n\nA copperhead lives here.\n")
    assert collection.sync().added == ["twin.md"]
    assert found(collection, "copperhead") == ["twin.md"]
    assert found(collection, "keel") == ["sub/keel.md", "twin.md"]


def test_a_moved_file_keeps_its_vectors(collection: Collection, embedder: CountingEmbedder, docs: Path) -> None:
    collection.add([docs])
    embedder.seen.clear()
    (docs / "ropes.md").rename(docs / "sub" / "lines.md")
    report = collection.sync()
    assert (report.moved, report.embedded) == ([("ropes.md", "sub/lines.md")], 0)
    assert found(collection, "splice") == ["sub/lines.md"]
    assert embedder.seen == []


def test_a_second_root_renames_the_documents_of_the_first(
    collection: Collection, embedder: CountingEmbedder, docs: Path, tmp_path: Path
) -> None:
    collection.add([docs])
    embedder.seen.clear()
    wiki = tmp_path / "wiki"
    wiki.mkdir()
    (wiki / "rudder.md").write_text("The rudder is ash.\n")
    report = collection.add([wiki])
    assert report.moved == [("ropes.md", "docs/ropes.md"), ("sub/keel.md", "docs/sub/keel.md")]
    assert report.added == ["wiki/rudder.md"]
    assert report.embedded == len(embedder.seen) == 1


def test_a_missing_root_keeps_its_documents(collection: Collection, docs: Path) -> None:
    collection.add([docs])
    docs.rename(docs.parent / "away")
    report = collection.sync()
    assert [notice.kind for notice in report.failed] == ["missing"]
    assert report.removed == []
    assert found(collection, "keel") == ["sub/keel.md"]


def test_failures_are_reported_and_the_rest_is_done(collection: Collection, docs: Path) -> None:
    (docs / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    (docs / "renamed.md").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    (docs / "empty.md").write_bytes(b"")
    (docs / "bad.md").write_text("---\ntitle: [open\n---\n\nText.\n")
    report = collection.add([docs, docs / "nowhere"])
    assert {Path(notice.file).name: notice.kind for notice in report.failed} == {
        "nowhere": "missing",
        "bad.md": "front_matter",
        "picture.png": "unsupported",
        "renamed.md": "binary",
    }
    assert report.added == ["empty.md", "ropes.md", "sub/keel.md"]
    assert [(notice.kind, notice.file) for notice in report.warnings] == [("empty", "empty.md")]


def test_a_document_that_can_no_longer_be_loaded_is_not_found_any_more(collection: Collection, docs: Path) -> None:
    collection.add([docs])
    (docs / "sub" / "keel.md").write_text("---\ngroups: {broken\n---\n\nThe keel is oak.\n")
    report = collection.sync()
    assert report.removed == ["sub/keel.md"]
    assert [notice.kind for notice in report.failed] == ["front_matter"]
    assert found(collection, "keel") == []


def test_remove_is_remembered_until_the_file_is_added_by_name(collection: Collection, docs: Path) -> None:
    collection.add([docs])
    assert collection.remove(["sub/keel.md", "sub/keel.md"]) == ["sub/keel.md"]
    assert found(collection, "keel") == []
    assert collection.sync().added == []
    assert collection.add([docs]).added == []
    assert len(collection.status().excluded) == 1
    assert collection.add([docs / "sub" / "keel.md"]).added == ["sub/keel.md"]
    assert collection.status().excluded == ()
    with pytest.raises(NothingFoundError, match="no document of that id"):
        collection.remove(["ropes.md", "nope.md"])
    assert found(collection, "splice") == ["ropes.md"]


def test_a_single_file_brings_in_no_neighbours(collection: Collection, docs: Path) -> None:
    assert collection.add([docs / "ropes.md"]).added == ["ropes.md"]
    assert collection.sync().unchanged == ["ropes.md"]


def test_groups_decide_who_finds_what(collection: Collection, docs: Path) -> None:
    (docs / "secret.md").write_text("---\ngroups: [support]\n---\n\n# Secret\n\nThe safe word is heliotrope.\n")
    collection.add([docs])
    support = Principal(frozenset({"public", "support"}))
    assert found(collection, "heliotrope") == []
    assert found(collection, "heliotrope", support) == ["secret.md"]
    assert all(
        hit.chunk.document_id != "secret.md" for hit in collection.search("safe word", principal=PUBLIC, k=50).hits
    )
    with pytest.raises(NothingFoundError):
        collection.document("secret.md", principal=PUBLIC)
    assert collection.document("secret.md", principal=support).metadata["groups"] == ("support",)


def test_rules_beside_the_documents_hold_wherever_the_folder_is_added(collection: Collection, docs: Path) -> None:
    (docs / "pincite.toml").write_text(
        '[collection]\nexclude = ["ropes.md"]\n[[metadata]]\nglob = "sub/**"\ngroups = ["crew"]\n'
    )
    assert collection.add([docs]).added == ["sub/keel.md"]
    assert found(collection, "keel") == []
    assert found(collection, "keel", Principal(frozenset({"crew"}))) == ["sub/keel.md"]
    (docs / "pincite.toml").write_text("")
    report = collection.sync()
    assert (report.added, report.changed) == (["ropes.md"], ["sub/keel.md"])
    assert found(collection, "keel") == ["sub/keel.md"]
    (docs / "pincite.toml").write_text("[nope]\n")
    with pytest.raises(ConfigError, match="nope"):
        collection.sync()


def test_rights_hold_when_a_folder_above_or_below_is_added(tmp_path: Path, docs: Path) -> None:
    (docs / "pincite.toml").write_text('[[metadata]]\nglob = "sub/**"\ngroups = ["crew"]\n')
    for number, paths in enumerate(
        ([docs], [docs.parent], [docs / "sub"], [docs / "sub" / "keel.md"], [docs, tmp_path])
    ):
        with Collection(tmp_path / f".index{number}", create=True, settings=SETTINGS) as collection:
            for path in paths:
                collection.add([path])
            assert found(collection, "keel") == []
            assert found(collection, "keel", Principal(frozenset({"crew"}))) != []


def test_a_root_can_be_forgotten(collection: Collection, docs: Path, tmp_path: Path) -> None:
    wiki = tmp_path / "wiki"
    wiki.mkdir()
    (wiki / "rudder.md").write_text("The rudder is ash.\n")
    collection.add([docs, wiki])
    shutil.rmtree(wiki)
    assert [notice.kind for notice in collection.sync().failed] == ["missing"]
    assert collection.remove(str(wiki)) == ["wiki/rudder.md"]
    report = collection.sync()
    assert (report.failed, report.moved) == ([], [("docs/ropes.md", "ropes.md"), ("docs/sub/keel.md", "sub/keel.md")])
    assert found(collection, "rudder") == []


def test_one_path_may_be_given_alone(collection: Collection, docs: Path) -> None:
    assert collection.add(str(docs)).added == ["ropes.md", "sub/keel.md"]
    assert collection.remove("ropes.md") == ["ropes.md"]


def test_who_asks_has_to_be_said(collection: Collection, docs: Path) -> None:
    collection.add(docs)
    for wrong in (None, "support"):
        with pytest.raises(UsageError, match="the principal is"):
            collection.search("keel", principal=wrong)  # type: ignore[arg-type] # the point of the test
        with pytest.raises(UsageError, match="the principal is"):
            collection.document("ropes.md", principal=wrong)  # type: ignore[arg-type] # the point of the test


def test_a_collection_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(UsageError, match="is a file"):
        Collection(tmp_path / "file", create=True)


def test_roots_that_cannot_be_read_are_damage(collection: Collection) -> None:
    with collection.store.writer() as writer:
        writer.write_setting("roots", [1, 2])
    with pytest.raises(CollectionError, match="the index is damaged"):
        collection.status()


def test_chosen_metadata_is_embedded_and_found(tmp_path: Path, docs: Path, embedder: CountingEmbedder) -> None:
    settings = Settings(
        embed=SETTINGS.embed,
        embed_metadata=("version", "tags", "absent"),
        rules=(MetadataRule("**", {"version": "7.1", "tags": ("deck", "sail")}),),
    )
    with Collection(tmp_path / "index", create=True, settings=settings, embedder=embedder) as collection:
        collection.add([docs])
        assert all(text.startswith("version: 7.1; tags: deck, sail\n\n") for text in embedder.seen)
        assert found(collection, "7.1") == ["ropes.md", "sub/keel.md"]


def test_another_embedder_is_refused_and_the_index_is_searched_with_its_own(tmp_path: Path, docs: Path) -> None:
    with Collection(tmp_path / "index", create=True, settings=SETTINGS) as collection:
        collection.add([docs])
        before = collection.search("oak keel", principal=PUBLIC, mode="dense").hits
    other = Settings(embed=Component("embed", "hashing", {"dimension": 96}))
    with Collection(tmp_path / "index", settings=other) as collection:
        with pytest.raises(CollectionError, match="was made with the embedder") as caught:
            collection.sync()
        assert caught.value.kind == "mismatch"
        for _ in range(2):
            assert collection.search("oak keel", principal=PUBLIC, mode="dense").hits == before
        collection.sync(rebuild=True)
        after = collection.search("oak keel", principal=PUBLIC, mode="dense").hits
        assert after[0].chunk == before[0].chunk
    given = HashingEmbedder(dimension=64)
    with (
        Collection(tmp_path / "index", settings=SETTINGS, embedder=given) as collection,
        pytest.raises(CollectionError, match="was made with the embedder"),
    ):
        collection.search("oak keel", principal=PUBLIC)


def test_rules_of_the_collection_match_the_id_the_path_in_the_root_and_the_path_from_the_directory(
    tmp_path: Path, docs: Path
) -> None:
    other = tmp_path / "wiki"
    other.mkdir()
    (other / "x.md").write_text("The anchor is iron.\n")
    for glob, hidden in (("docs/sub/**", "keel"), ("sub/keel.md", "keel"), ("wiki/*", "anchor"), ("*.md", "anchor")):
        settings = Settings(embed=SETTINGS.embed, rules=(MetadataRule(glob, {"groups": ("crew",)}),))
        directory = tmp_path / glob.replace("/", "_").replace("*", "")
        with Collection(directory, create=True, settings=settings) as collection:
            assert collection.add([docs, other]).warnings == []
            assert found(collection, hidden) == []
            assert found(collection, hidden, Principal(frozenset({"crew"}))) != []


def test_a_rule_that_matches_nothing_is_told(tmp_path: Path, docs: Path) -> None:
    settings = Settings(embed=SETTINGS.embed, rules=(MetadataRule("suport/**", {"groups": ("support",)}),))
    with Collection(tmp_path / "index", create=True, settings=settings) as collection:
        warnings = collection.add([docs]).warnings
        assert [(notice.kind, "suport/**" in notice.message) for notice in warnings] == [("unused_rule", True)]


def test_a_moved_collection_remembers_what_was_removed(tmp_path: Path, docs: Path) -> None:
    place = tmp_path / "place"
    place.mkdir()
    docs.rename(place / "docs")
    with Collection(place, create=True, settings=SETTINGS) as collection:
        collection.add([place / "docs"])
    place.rename(tmp_path / "elsewhere")
    with Collection(tmp_path / "elsewhere", settings=SETTINGS) as collection:
        collection.remove(["ropes.md"])
        report = collection.sync()
        assert (report.added, report.changed, report.unchanged) == ([], [], ["sub/keel.md"])


def test_a_file_that_is_named_is_taken_in_or_the_reason_told(collection: Collection, docs: Path) -> None:
    (docs / ".hidden.md").write_text("Below deck.\n")
    (docs / ".gitignore").write_text("drafts/\n")
    (docs / "drafts").mkdir()
    (docs / "drafts" / "sail.md").write_text("The sail is red.\n")
    (docs / "link.md").symlink_to(docs / "ropes.md")
    assert collection.add([docs]).ignored == 1
    report = collection.add([docs / ".hidden.md", docs / "drafts" / "sail.md", docs / "link.md"])
    assert report.added == [".hidden.md", "drafts/sail.md"]
    assert [(notice.kind, Path(notice.file).name) for notice in report.failed] == [("left_out", "link.md")]
    again = collection.sync()
    assert (again.removed, len(again.unchanged)) == ([], 4)


def test_a_named_file_is_found_without_a_look_at_its_neighbours(collection: Collection, docs: Path) -> None:
    (docs / "link.md").symlink_to(docs / "ropes.md")
    report = collection.add([docs / "ropes.md"])
    assert (report.added, report.warnings) == (["ropes.md"], [])


def test_a_name_that_is_no_text_stops_nothing(collection: Collection, docs: Path) -> None:
    try:
        (docs / os.fsdecode(b"caf\xe9.md")).write_text("x")
    except OSError:
        pytest.skip("this file system has only names that are text")
    report = collection.add([docs, os.fsdecode(b"\xff.md")])
    assert report.added == ["ropes.md", "sub/keel.md"]
    assert [notice.kind for notice in (*report.failed, *report.warnings)] == ["unreadable", "unreadable"]


def test_an_index_with_another_embedder_is_not_touched_by_add(tmp_path: Path, docs: Path) -> None:
    with Collection(tmp_path / "index", create=True, settings=SETTINGS) as collection:
        collection.add([docs])
    other = Settings(embed=Component("embed", "hashing", {"dimension": 96}))
    with Collection(tmp_path / "index", settings=other) as collection:
        with pytest.raises(CollectionError, match="was made with"):
            collection.add([tmp_path])
        assert [root.folder for root in collection.roots()] == [docs]


def test_a_lexical_search_needs_no_embedder(tmp_path: Path, docs: Path) -> None:
    with Collection(tmp_path / "index", create=True, settings=SETTINGS) as collection:
        collection.add([docs])
    with Collection(tmp_path / "index", settings=SETTINGS) as collection:
        assert found(collection, "keel") == ["sub/keel.md"]
        assert "embedder" not in vars(collection)


def test_a_collection_has_to_be_made_before_it_is_searched(tmp_path: Path) -> None:
    with pytest.raises(CollectionError, match="pincite add") as caught:
        Collection(tmp_path / "nothing", settings=SETTINGS)
    assert caught.value.kind == "missing"
    assert not (tmp_path / "nothing").exists()


def test_bad_queries_are_refused(collection: Collection, docs: Path) -> None:
    collection.add([docs])
    with pytest.raises(UsageError, match="the query is empty"):
        collection.search("  ", principal=PUBLIC)
    with pytest.raises(UsageError, match="k is the number of hits"):
        collection.search("keel", principal=PUBLIC, k=0)


def test_progress_names_every_document(collection: Collection, docs: Path) -> None:
    calls: list[tuple[str, int, int]] = []
    collection.add([docs], progress=lambda name, done, total: calls.append((name, done, total)))
    assert calls == [("ropes.md", 0, 2), ("sub/keel.md", 1, 2), ("", 2, 2)]


def test_the_nearest_collection_upwards_is_taken(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    assert Collection.directory_for(inner) == inner
    (tmp_path / ".pincite").mkdir()
    assert Collection.directory_for(inner) == tmp_path
