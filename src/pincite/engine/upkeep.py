"""Keeps a collection's index equal to its folders: what ``add``, ``sync``, ``remove`` and ``status`` do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path

from pincite.config import FILE_NAME, Settings
from pincite.engine.files import is_excluded, is_left_out, is_text, problem_with, unreadable_name
from pincite.engine.recipe import SETTING, Known, Recipe, differences, fingerprint, name_and_options, recipe_of
from pincite.engine.report import Progress, SyncReport
from pincite.engine.roots import (
    PREFIXES,
    Root,
    id_prefixes,
    is_folder,
    settled,
    shown_path,
    unknown_document,
    with_also,
    with_path,
)
from pincite.engine.sync import Syncer
from pincite.engine.tightening import tighten
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
        problems = {path: problem_with(path) or self._problem_with_name(path) for path in paths}
        named = [path for path, problem in problems.items() if problem is None]
        paths = {settled(path) for path in named}
        files = {path for path in paths if not path.is_dir()}
        with nullcontext() if dry_run else self.store.writer() as writer:
            syncer = self._syncer(self._recipe(writer), progress)
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
        failed.extend(left_out_folder(path) for path in sorted(paths - files) if self._leaves_out(roots, path))
        report.failed[:0] = failed
        return report

    def sync(self, progress: Progress | None, *, dry_run: bool) -> SyncReport:
        with nullcontext() if dry_run else self.store.writer() as writer:
            syncer = self._syncer(self._recipe(writer), progress)
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
            check_roots(roots)
            writer.write_setting(REBUILDING, True)
            before = self.store.stored()
            tighten(self._syncer(recipe, None, rights_only=True), roots, excluded, writer)
            beside = self._beside(recipe, writer)
            try:
                with beside.writer() as other:
                    write_roots(other, self.directory, roots, excluded)
                    syncer = self._syncer(recipe, progress, beside)
                    syncer.before = before
                    report = syncer.run(roots, excluded, other)
                check_roots(roots)
                writer.take(beside)
            finally:
                beside.close()
        return report

    def _beside(self, recipe: Recipe, writer: Writer) -> Store:
        """What an interrupted rebuild has left is of use if it was made in the same way and is not damaged."""
        with suppress(CollectionError):
            beside = self.store.beside()
            if fingerprint(beside.setting(SETTING)) == fingerprint(recipe):
                return beside
            beside.close()
        writer.drop_beside()
        return self.store.beside()

    def _give_up_rebuild(self, writer: Writer) -> None:
        """What an interrupted rebuild has left is of no use once a sync goes through: the settings are as they were.
        It must not keep the text of documents that are removed from now on."""
        if self.store.setting(REBUILDING):
            writer.drop_beside()
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
                name = named.relative_to(root.folder).as_posix()
                names = (id_prefixes(after)[root.folder] + name, name, shown_path(named, self.directory))
                if is_excluded(self.settings.exclude, names, name) or is_left_out(root.folder, named):
                    return with_also(after, named)
        return after

    def _leaves_out(self, roots: Iterable[Root], folder: Path) -> bool:
        """Whether a folder that was named lies in a root whose walk does not come to it."""
        inside = (root for root in roots if root.named is None and folder != root.folder)
        return any(
            folder.is_relative_to(root.folder) and is_left_out(root.folder, folder, is_folder=True) for root in inside
        )

    def _problem_with_name(self, path: Path) -> Notice | None:
        """A root has a name in the index, with the folders above it where it lies outside of the collection."""
        name = shown_path(settled(path), self.directory)
        return None if is_text(name) else unreadable_name(name)

    def _syncer(
        self, recipe: Recipe, progress: Progress | None, beside: Store | None = None, *, rights_only: bool = False
    ) -> Syncer:
        return Syncer(
            beside or self.store,
            self.settings,
            directory=self.directory,
            embedder=self.embedder,
            analyser=self.analyser,
            recipe=recipe,
            old=self.store if beside else None,
            rights_only=rights_only,
            progress=progress,
        )

    def _recipe(self, writer: Writer | None) -> Recipe:
        """How documents are made now. Raises ``CollectionError`` where that is not how the stored ones were made; with
        a writer, what must not be found any more is taken out before."""
        recipe = recipe_of(self.settings, self.embedder, self.analyser)
        found = changes(self.store, self.settings, recipe)
        if found and self.store.stored():
            if writer:
                found.extend(self._tightened(recipe, writer))
            raise CollectionError(
                "; ".join(found),
                cure="`pincite sync --rebuild` makes every document anew; until it is done the old index is searched. "
                f"Or set {FILE_NAME} back.",
                kind="mismatch",
                file=str(self.folder),
            )
        return recipe

    def _tightened(self, recipe: Recipe, writer: Writer) -> list[str]:
        """In words how many documents were taken out; nothing where none was."""
        syncer = self._syncer(recipe, None, rights_only=True)
        taken_out = tighten(syncer, self.roots(), self.excluded(), writer)
        if taken_out and self.store.setting(REBUILDING):
            clear_beside(self.store, writer, taken_out)
        if not taken_out:
            return []
        number = f"{len(taken_out)} document{'s' if len(taken_out) > 1 else ''}"
        return [f"what is gone, cannot be loaded or may be seen by fewer people was taken out ({number})"]


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
    if not store.stored():
        return []
    if not isinstance(made_with, dict):  # the index is of a version that kept no recipe
        return changes(store, settings, recipe_of(settings, settings.embed.create(), analyser))
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
        prefixes = store.setting(PREFIXES) or {}
        roots = list(before)
        removed: dict[str, None] = {}
        for name in names:
            root = next((root for root in roots if _is_called(root, name, directory)), None)
            if name in stored:
                removed[name] = None
                excluded.add(_path_of(stored[name], before, directory, prefixes))
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
            clear_beside(store, writer, removed)
    return list(removed)


def clear_beside(store: Store, writer: Writer, names: Iterable[str]) -> None:
    """Takes these documents out of what an interrupted rebuild has left, or all where it is damaged."""
    try:
        beside = store.beside()
        with closing(beside), beside.writer() as other:
            for name in names:
                other.remove(name)
    except CollectionError:
        writer.drop_beside()


def _is_called(root: Root, name: str, directory: Path) -> bool:
    """Whether the root is meant: by the name that ``status`` shows, or by a path."""
    if name.rstrip("/\\") == shown_path(root.folder, directory):
        return True
    with suppress(OSError, ValueError):  # without a current folder, or with a NUL, it is no path
        return Path(name).resolve() == root.folder
    return False


def _path_of(stored: Stored, roots: list[Root], directory: Path, prefixes: Mapping[str, str]) -> Path:
    """The file of a stored document; ``prefixes`` are those of the last sync, by root."""
    for root, prefix in id_prefixes(roots).items():
        if shown_path(root, directory) == stored.root:
            return root / stored.document_id.removeprefix(prefixes.get(stored.root, prefix))
    return directory / stored.root / stored.document_id


def check_roots(roots: Iterable[Root]) -> None:
    """Raises ``LoadError`` where one is not there: a rebuild would lose its documents."""
    for root in roots:
        if not is_folder(root.folder):
            raise LoadError(
                "the folder is not there, and its documents would be lost by a rebuild",
                cure="Bring it back, or take it out with `pincite remove FOLDER`.",
                kind="missing",
                file=str(root.folder),
            )


def left_out_folder(folder: Path) -> Notice:
    message = "is hidden or ignored in a folder that belongs to the collection; nothing was added. Name its files"
    return Notice(kind="left_out", message=message, file=str(folder))


def left_out(path: Path) -> Notice:
    message = "is a link, settings or metadata in a folder that belongs to the collection; nothing was added"
    return Notice(kind="left_out", message=message, file=str(path))
