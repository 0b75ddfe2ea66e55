"""Follows the folders of a collection and syncs when something has changed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path

import watchfiles

from pincite.config import FILE_NAME, Settings, read_settings
from pincite.engine.collection import Collection
from pincite.engine.ignore import GIT_FILE, OWN_FILE
from pincite.engine.report import Progress, SyncReport
from pincite.engine.roots import Root
from pincite.engine.side_files import SUFFIX
from pincite.errors import LockedError, PinciteError

DEBOUNCE_MS = 1600
"""At most so long are changes gathered while more of them come in."""
STEP_MS = 100
"""So long must it be quiet before a sync."""
TICK_MS = 500
"""So often is it looked whether settings, or the folders themselves, are others now."""

Tell = Callable[[SyncReport | PinciteError], None]


class Watch:
    """``tell`` gets the report of every sync, or the error that stopped it; neither ends the watch."""

    def __init__(self, directory: Path, tell: Tell, *, progress: Progress | None = None) -> None:
        self.directory = directory
        self.tell = tell
        self.progress = progress
        self._collection: Collection | None = None
        self._settings: Settings | None = None

    def run(self) -> None:
        """Until ``KeyboardInterrupt``. Raises ``CollectionError`` where there is no collection."""
        try:
            while True:
                self._follow(folders_of(self._roots()))
        finally:
            self._close()

    def _follow(self, folders: tuple[Path, ...]) -> None:
        """Watches these folders from before the first sync on, so that no change falls between the two; returns when
        other folders have to be watched."""
        stamps: object = None
        changes = watchfiles.watch(
            *(folders or (self.directory,)),
            watch_filter=lambda _change, path: is_of_interest(Path(path), folders),
            debounce=DEBOUNCE_MS,
            step=STEP_MS,
            rust_timeout=TICK_MS,
            yield_on_timeout=True,
            recursive=bool(folders),
        )
        with closing(changes):
            for changed in changes:
                found = self._stamps(folders)
                if changed or found != stamps:
                    stamps = found
                    self._sync()
                if folders_of(self._roots()) != folders:
                    return

    def _sync(self) -> None:
        while True:
            try:
                self.tell(self._opened().sync(progress=self.progress))
            except LockedError:
                continue  # the store has waited for some time; this goes on until it is free
            except PinciteError as error:
                self.tell(error)
            self.progress = None
            return

    def _opened(self) -> Collection:
        """The collection with its settings as they are now; its embedder is loaded anew only when they have changed."""
        settings = read_settings(self.directory / FILE_NAME)
        if self._collection is None or settings != self._settings:
            self._close()
            self._collection, self._settings = Collection(self.directory, settings=settings), settings
        return self._collection

    def _close(self) -> None:
        if self._collection:
            self._collection.close()
        self._collection = None

    def _roots(self) -> list[Root]:
        if self._collection is not None:
            return self._collection.roots()
        with Collection(self.directory, settings=Settings()) as collection:
            return collection.roots()

    def _stamps(self, folders: tuple[Path, ...]) -> object:
        """Size and time of files that nobody tells of: those that decide what belongs to the collection outside of its
        folders, and those that were named one by one. They only say that it is worth a look; what has changed is
        decided by content."""
        above = {self.directory, *(parent for folder in folders for parent in folder.parents)}
        files = [folder / name for folder in above for name in (FILE_NAME, GIT_FILE, OWN_FILE)]
        for root in self._roots():
            for name in root.named or root.also:
                files += [root.folder / name, root.folder / (name + SUFFIX)]
        return {file: stamp_of(file) for file in files}


def folders_of(roots: Iterable[Root]) -> tuple[Path, ...]:
    """The folders that belong to the collection with all that is in them, and are there."""
    return tuple(sorted(root.folder for root in roots if root.named is None and root.folder.is_dir()))


def stamp_of(file: Path) -> tuple[int, int, int] | None:
    try:
        details = os.stat(file)  # noqa: PTH116 - as everywhere here, a folder that is closed is no error
    except OSError:
        return None
    return details.st_size, details.st_mtime_ns, details.st_ino


def is_of_interest(path: Path, folders: tuple[Path, ...]) -> bool:
    """Not what is hidden, and so not the index itself; only that ignore rules are hidden files, too."""
    for folder in folders:
        if path.is_relative_to(folder):
            *above, name = path.relative_to(folder).parts or ("",)
            hidden = name.startswith(".") and name not in (GIT_FILE, OWN_FILE)
            if not hidden and not any(part.startswith(".") for part in above):
                return True
    return False
