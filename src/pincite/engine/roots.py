"""The folders of a collection and the ids of the documents in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Root:
    """A folder whose files belong to the collection; all of them, or only those that were ``named``.

    ``folder`` is absolute. Names are paths relative to it, ``/``-separated.
    """

    folder: Path
    named: frozenset[str] | None = None

    def to_json(self, directory: Path) -> dict[str, Any]:
        """Relative to the collection's directory where it lies inside, so that a moved collection still works."""
        inside = self.folder.is_relative_to(directory)
        return {
            "folder": self.folder.relative_to(directory).as_posix() if inside else str(self.folder),
            "named": sorted(self.named) if self.named is not None else None,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], directory: Path) -> Root:
        named = data["named"]
        return cls((directory / data["folder"]).resolve(), frozenset(named) if named is not None else None)


def with_path(roots: Iterable[Root], path: Path) -> list[Root]:
    """The roots after that path was added. A folder takes in roots that lie inside it; a path inside a root that is
    taken whole changes nothing; a file makes its folder a root of which only that file belongs."""
    path = path.resolve()
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

    Roots of the same name get as many names of the folders above as tell them apart.
    """
    folders = [root.folder for root in roots]
    if len(folders) <= 1:
        return dict.fromkeys(folders, "")
    prefixes: dict[Path, str] = {}
    for folder in folders:
        parts = [part for part in folder.parts if part != folder.anchor]
        depth = 1
        while depth < len(parts) and any(
            other != folder and other.parts[-depth:] == folder.parts[-depth:] for other in folders
        ):
            depth += 1
        prefixes[folder] = "/".join(parts[-depth:]) + "/"
    return prefixes
