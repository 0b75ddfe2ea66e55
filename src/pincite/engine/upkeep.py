"""Keeps a collection's index equal to its folders: what ``add``, ``sync``, ``remove`` and ``status`` do."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from pincite.config import FILE_NAME, Settings, glob_matches
from pincite.engine.files import is_left_out, problem_with
from pincite.engine.recipe import SETTING, Known, Recipe, differences, fingerprint, name_and_options, recipe_of
from pincite.engine.report import Progress, SyncReport
from pincite.engine.roots import Root, id_prefixes, settled, shown_path, unknown_document, with_also, with_path
from pincite.engine.sync import Syncer
from pincite.errors import CollectionError, LoadError
from pincite.model import Notice
from pincite.ports import Analyser, Embedder, Store, Stored, Writer

REBUILDING = "rebuilding"
"""The setting that says that a rebuild has begun; the store that takes the old one's place has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Upkeep:
    """The writing side of one collection. ``folder`` is the one that errors name."""

    store: Store
    settings: Settings
    directory: Path
    folder: Path
    embedder: Embedder
    analyser: Analyser

    def add(self, paths: Iterable[Path], progress: Progress | None, *, dry_run: bool) -> SyncReport:
        """A path that does not exist is reported as failed."""
        problems = {path: problem_with(path) for path in paths}
        named = [path for path, problem in problems.items() if problem is None]
        files = {settled(path) for path in named}
        with nullcontext() if dry_run else self.store.writer() as writer:
            syncer = self._syncer(self._recipe(), progress)
            roots = self.roots()
            for path in named:
                roots = self._with_path(roots, path)
            excluded = self.excluded() - files
            if writer is None:
                report = syncer.preview(roots, excluded)
            else:
                self._give_up_rebuild(writer)
                write_roots(writer, self.directory, roots, excluded)
                report = syncer.run(roots, excluded, writer)
        failed = [problem for problem in problems.values() if problem]
        failed.extend(left_out(path) for path in sorted(files) if path.is_file() and path not in syncer.paths)
        report.failed[:0] = failed
        return report

    def sync(self, progress: Progress | None, *, dry_run: bool) -> SyncReport:
        with nullcontext() if dry_run else self.store.writer() as writer:
            syncer = self._syncer(self._recipe(), progress)
            if writer is None:
                return syncer.preview(self.roots(), self.excluded())
            self._give_up_rebuild(writer)
            return syncer.run(self.roots(), self.excluded(), writer)

    def rebuild(self, progress: Progress | None) -> SyncReport:
        """Everything anew, in a store beside this one, which is searched until the new one takes its place in one
        commit. One that was interrupted goes on. Raises ``LoadError`` before any work where a root is missing."""
        recipe = recipe_of(self.settings, self.embedder, self.analyser)
        with self.store.writer() as writer:
            roots, excluded = self.roots(), self.excluded()
            for root in roots:
                if not os.path.isdir(root.folder):  # noqa: PTH112 - it says no where Path.is_dir raises
                    raise lost_root(root.folder)
            writer.write_setting(REBUILDING, True)
            beside = self.store.beside()
            try:
                with beside.writer() as other:
                    if fingerprint(beside.setting(SETTING)) != fingerprint(recipe):
                        for name in beside.stored():
                            other.remove(name)
                    write_roots(other, self.directory, roots, excluded)
                    report = self._syncer(recipe, progress, beside).run(roots, excluded, other)
                writer.take(beside)
            finally:
                beside.close()
        return report

    def _give_up_rebuild(self, writer: Writer) -> None:
        """What an interrupted rebuild has left is of no use once a sync goes through: the settings are as they were.
        It must not keep the text of documents that are removed from now on."""
        if self.store.setting(REBUILDING):
            clear_beside(self.store, None)
            writer.write_setting(REBUILDING, False)

    def roots(self) -> list[Root]:
        return read_roots(self.store, self.directory, self.folder)

    def excluded(self) -> set[Path]:
        return read_excluded(self.store, self.directory)

    def _with_path(self, roots: list[Root], path: Path) -> list[Root]:
        """A file that a walk would leave out is taken in when it is named, but not a link: its target is."""
        after = with_path(roots, path)
        named = settled(path)
        for root in after:
            if root.named is None and named.is_file() and not named.is_symlink() and named.is_relative_to(root.folder):
                names = (named.relative_to(root.folder).as_posix(), shown_path(named, self.directory))
                excluded = any(glob_matches(glob, name) for glob in self.settings.exclude for name in names)
                if excluded or is_left_out(root.folder, named):
                    return with_also(after, named)
        return after

    def _syncer(self, recipe: Recipe, progress: Progress | None, beside: Store | None = None) -> Syncer:
        return Syncer(
            beside or self.store,
            self.settings,
            directory=self.directory,
            embedder=self.embedder,
            analyser=self.analyser,
            recipe=recipe,
            old=self.store if beside else None,
            progress=progress,
        )

    def _recipe(self) -> Recipe:
        """How documents are made now. Raises ``CollectionError`` where that is not how the stored ones were made."""
        recipe = recipe_of(self.settings, self.embedder, self.analyser)
        found = changes(self.store, self.settings, recipe)
        if found and self.store.stored():
            raise CollectionError(
                "; ".join(found),
                cure="`pincite sync --rebuild` makes every document anew; until it is done the old index is searched. "
                f"Or set {FILE_NAME} back.",
                kind="mismatch",
                file=str(self.folder),
            )
        return recipe


def changes(store: Store, settings: Settings, recipe: Recipe) -> list[str]:
    """What a rebuild would have to make anew, in words."""
    made_with = store.setting(SETTING)
    if isinstance(made_with, dict):
        return differences(made_with, settings, recipe)
    embedder = store.setting("embedder")
    if embedder in (None, recipe["embedder"]):
        return []
    return differences({**recipe, "embedder": embedder}, settings, recipe)


def status_changes(store: Store, settings: Settings, analyser: Analyser) -> list[str]:
    """The same without a look at the embedder, as far as its name and options tell."""
    made_with = store.setting(SETTING)
    if not isinstance(made_with, dict) or not store.stored():
        return []
    if made_with.get("embed") != name_and_options(settings.embed):
        return differences(made_with, settings, recipe_of(settings, settings.embed.create(), analyser))
    known = Known(fingerprint=str(made_with.get("embedder")), max_tokens=made_with.get("max_tokens"))
    return differences(made_with, settings, recipe_of(settings, known, analyser))


def read_roots(store: Store, directory: Path, folder: Path) -> list[Root]:
    """The collection's roots. Raises ``CollectionError`` for what no version of pincite has written; ``folder`` is
    named then."""
    try:
        return [Root.from_json(data, directory) for data in store.setting("roots") or ()]
    except (TypeError, KeyError, AttributeError) as error:
        raise CollectionError(
            f"the index is damaged (its roots cannot be read: {error})",
            cure=f"Delete {folder} and add the documents again.",
            file=str(folder),
        ) from error


def read_excluded(store: Store, directory: Path) -> set[Path]:
    """The files that were removed by hand."""
    return {directory / name for name in store.setting("excluded") or ()}


def write_roots(writer: Writer, directory: Path, roots: Iterable[Root], excluded: Iterable[Path]) -> None:
    writer.write_setting("roots", [root.to_json(directory) for root in roots])
    writer.write_setting("excluded", sorted(shown_path(path, directory) for path in excluded))


def remove(store: Store, directory: Path, folder: Path, names: Iterable[str]) -> list[str]:
    """Takes documents, by id, or whole roots, by folder, out of the collection; returns the ids of the documents.

    Raises ``NothingFoundError`` for an unknown name, before anything is removed.
    """
    with store.writer() as writer:
        stored, excluded = store.stored(), read_excluded(store, directory)
        before = read_roots(store, directory, folder)
        roots = list(before)
        removed: dict[str, None] = {}
        for name in names:
            root = next((root for root in roots if _is_called(root, name, directory)), None)
            if name in stored:
                removed[name] = None
                excluded.add(_path_of(stored[name], before, directory))
            elif root:
                roots.remove(root)
                shown = shown_path(root.folder, directory)
                removed.update(dict.fromkeys(other for other, state in stored.items() if state.root == shown))
            else:
                raise unknown_document(name)
        write_roots(writer, directory, roots, excluded)
        for name in removed:
            writer.remove(name)
        if store.setting(REBUILDING):
            clear_beside(store, removed)
    return list(removed)


def clear_beside(store: Store, names: Iterable[str] | None) -> None:
    """Takes these documents, or all, out of what an interrupted rebuild has left."""
    beside = store.beside()
    try:
        with beside.writer() as writer:
            for name in beside.stored() if names is None else names:
                writer.remove(name)
    finally:
        beside.close()


def _is_called(root: Root, name: str, directory: Path) -> bool:
    """Whether the root is meant: by the name that ``status`` shows, or by a path."""
    return name.rstrip("/\\") == shown_path(root.folder, directory) or Path(name).resolve() == root.folder


def _path_of(stored: Stored, roots: list[Root], directory: Path) -> Path:
    """The file of a stored document."""
    for root, prefix in id_prefixes(roots).items():
        if shown_path(root, directory) == stored.root:
            return root / stored.document_id.removeprefix(prefix)
    return directory / stored.root / stored.document_id


def lost_root(folder: Path) -> LoadError:
    return LoadError(
        "the folder is not there, and its documents would be lost by a rebuild",
        cure="Bring it back, or take it out with `pincite remove FOLDER`.",
        kind="missing",
        file=str(folder),
    )


def left_out(path: Path) -> Notice:
    message = "is a link, settings or metadata in a folder that belongs to the collection; nothing was added"
    return Notice(kind="left_out", message=message, file=str(path))
