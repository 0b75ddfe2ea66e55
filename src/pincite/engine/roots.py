"""The folders of a collection and the ids of the documents in them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path, PurePath
from typing import Any

from pincite.errors import NothingFoundError

PREFIXES = "prefixes"
"""The setting that keeps, by root, what stands before the ids of its documents since the last sync."""


@dataclass(frozen=True, slots=True)
class Root:
    """A folder whose files belong to the collection; all of them, or only those that were ``named``.

    ``folder`` is absolute. Names are paths relative to it, ``/``-separated. ``also`` are files of a whole folder that
    belong to it although they are hidden or ignored, because somebody named them.
    """

    folder: Path
    named: frozenset[str] | None = None
    also: frozenset[str] = frozenset()

    def to_json(self, directory: Path) -> dict[str, Any]:
        return {
            "folder": shown_path(self.folder, directory),
            "named": sorted(self.named) if self.named is not None else None,
            **({"also": sorted(self.also)} if self.also else {}),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], directory: Path) -> Root:
        named = data["named"]
        folder = (directory / data["folder"]).resolve()
        return cls(folder, frozenset(named) if named is not None else None, frozenset(data.get("also", ())))


def is_folder(path: Path) -> bool:
    """Also where ``Path.is_dir`` raises: then it cannot be used as one."""
    return os.path.isdir(path)  # noqa: PTH112


def shown_path(path: Path, directory: Path) -> str:
    """Relative to the collection's directory where it lies inside, so that a moved collection still works."""
    return path.relative_to(directory).as_posix() if path.is_relative_to(directory) else str(path)


def settled(path: Path) -> Path:
    """Absolute, with links resolved; a file that is itself a link keeps its own name."""
    return path.resolve() if path.is_dir() else path.parent.resolve() / path.name


def with_path(roots: Iterable[Root], path: Path) -> list[Root]:
    """The roots after that path was added. A folder takes in roots that lie inside it, and the files that were named
    there stay named; a path inside a root that is taken whole changes nothing; a file makes its folder a root of which
    only that file belongs."""
    path = settled(path)
    roots = list(roots)
    if any(root.named is None and path.is_relative_to(root.folder) for root in roots):
        return roots
    if path.is_dir():
        inside = [root for root in roots if root.folder.is_relative_to(path)]
        also = {root.folder / name for root in inside for name in (root.named or root.also)}
        names = frozenset(file.relative_to(path).as_posix() for file in also if not file.is_symlink())
        return [*(root for root in roots if root not in inside), Root(path, also=names)]
    for index, root in enumerate(roots):
        if root.folder == path.parent:
            roots[index] = Root(root.folder, (root.named or frozenset()) | {path.name})
            return roots
    return [*roots, Root(path.parent, frozenset({path.name}))]


def with_also(roots: Iterable[Root], path: Path) -> list[Root]:
    """The roots after a file inside one that is taken whole was named although a walk leaves it out."""
    path = settled(path)
    return [
        replace(root, also=root.also | {path.relative_to(root.folder).as_posix()})
        if root.named is None and path.is_relative_to(root.folder)
        else root
        for root in roots
    ]


def unknown_document(document_id: str) -> NothingFoundError:
    return NothingFoundError(
        "no document of that id is in the collection", cure="`pincite status` lists the ids.", file=document_id
    )


def id_prefixes(roots: Iterable[Root]) -> dict[Path, str]:
    """What stands before a document's path in its id: nothing with one root, else the root's name and a slash.

    Where two roots have one name, all get as many names of the folders above as tell them apart (at the top the drive,
    where there are drives), and more where one prefix begins with another: no two files get one id.
    """
    folders = [root.folder for root in roots]
    if len(folders) <= 1:
        return dict.fromkeys(folders, "")
    names = {folder: _names(folder) for folder in folders}
    most = max(map(len, names.values()))
    for depth in range(1, most + 1):
        prefixes = {folder: "/".join(names[folder][-depth:]) + "/" for folder in folders}
        if _are_apart(prefixes.values()):
            break
    return prefixes


def _are_apart(prefixes: Iterable[str]) -> bool:
    """In order a text stands right before those that begin with it."""
    ordered = sorted(prefixes)
    return not any(after.startswith(before) for before, after in pairwise(ordered))


def _names(folder: PurePath) -> tuple[str, ...]:
    drive = folder.drive.strip("\\/:")
    return (*([drive] if drive else []), *(part for part in folder.parts if part != folder.anchor))
