"""The folders of a collection and the ids of the documents in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any


@dataclass(frozen=True, slots=True)
class Root:
    """A folder whose files belong to the collection; all of them, or only those that were ``named``.

    ``folder`` is absolute. Names are paths relative to it, ``/``-separated.
    """

    folder: Path
    named: frozenset[str] | None = None

    def to_json(self, directory: Path) -> dict[str, Any]:
        return {
            "folder": shown_path(self.folder, directory),
            "named": sorted(self.named) if self.named is not None else None,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], directory: Path) -> Root:
        named = data["named"]
        return cls((directory / data["folder"]).resolve(), frozenset(named) if named is not None else None)


def shown_path(path: Path, directory: Path) -> str:
    """Relative to the collection's directory where it lies inside, so that a moved collection still works."""
    return path.relative_to(directory).as_posix() if path.is_relative_to(directory) else str(path)


def settled(path: Path) -> Path:
    """Absolute, with links resolved; a file that is itself a link keeps its own name."""
    return path.resolve() if path.is_dir() else path.parent.resolve() / path.name


def with_path(roots: Iterable[Root], path: Path) -> list[Root]:
    """The roots after that path was added. A folder takes in roots that lie inside it; a path inside a root that is
    taken whole changes nothing; a file makes its folder a root of which only that file belongs."""
    path = settled(path)
    roots = list(roots)
    if any(root.named is None and path.is_relative_to(root.folder) for root in roots):
        return roots
    if path.is_dir():
        return [*(root for root in roots if not root.folder.is_relative_to(path)), Root(path)]
    for index, root in enumerate(roots):
        if root.folder == path.parent:
            roots[index] = Root(root.folder, (root.named or frozenset()) | {path.name})
            return roots
    return [*roots, Root(path.parent, frozenset({path.name}))]


def id_prefixes(roots: Iterable[Root]) -> dict[Path, str]:
    """What stands before a document's path in its id: nothing with one root, else the root's name and a slash.

    Where two roots have one name, all get as many names of the folders above as tell them apart (at the top the drive,
    where there are drives); names of one length cannot begin with each other, so no two files get one id.
    """
    folders = [root.folder for root in roots]
    if len(folders) <= 1:
        return dict.fromkeys(folders, "")
    names = {folder: _names(folder) for folder in folders}
    depth = 1
    while len({names[folder][-depth:] for folder in folders}) < len(folders):
        depth += 1
    return {folder: "/".join(names[folder][-depth:]) + "/" for folder in folders}


def _names(folder: PurePath) -> tuple[str, ...]:
    drive = folder.drive.strip("\\/:")
    return (*([drive] if drive else []), *(part for part in folder.parts if part != folder.anchor))
