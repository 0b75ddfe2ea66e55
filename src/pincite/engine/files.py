"""Which files belong to a folder: the walk, with everything that leaves a file out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pincite.config import FILE_NAME, Settings, glob_matches, read_settings
from pincite.engine.ignore import Rule, decision, rules_in
from pincite.engine.roots import Root, id_prefixes, with_path
from pincite.engine.side_files import is_side_file, problem_with_side_file
from pincite.model import Notice

REPOSITORY_FOLDER = ".git"


@dataclass(frozen=True, slots=True)
class Scope:
    """What the files of a folder say of everything below it: the excludes and rules of its ``pincite.toml``, and its
    ignore rules."""

    folder: Path
    settings: Settings
    ignored: tuple[Rule, ...] = ()

    def name_of(self, path: Path) -> str:
        return path.relative_to(self.folder).as_posix()

    def excludes(self, path: Path) -> bool:
        return any(glob_matches(glob, self.name_of(path)) for glob in self.settings.exclude)

    def decision(self, path: Path, *, is_folder: bool) -> bool | None:
        if not self.ignored:
            return None
        return decision(self.ignored, path.relative_to(self.folder).parts, is_folder=is_folder)


@dataclass(frozen=True, slots=True)
class File:
    """A file that was found. ``document_id`` is its path relative to where the search began, ``/``-separated;
    ``scopes`` are those of the folders above it, outermost first."""

    path: Path
    document_id: str
    scopes: tuple[Scope, ...] = ()


@dataclass(frozen=True, slots=True)
class Walk:
    """The files under a folder in order of their ids, what was left out and why, and how many files and folders ignore
    rules and excludes left out."""

    files: tuple[File, ...]
    notices: tuple[Notice, ...]
    ignored: int = 0


def scopes_above(folder: Path) -> tuple[Scope, ...]:
    """The scopes of a folder and of all folders above it, outermost first. Raises ``ConfigError``.

    A ``.gitignore`` above the folder counts only within the same repository.
    """
    parents = (folder, *folder.parents)
    inside = next((depth for depth, parent in enumerate(parents) if os.path.lexists(parent / REPOSITORY_FOLDER)), 0)
    above = ((parent, depth <= inside) for depth, parent in enumerate(parents))
    return tuple(scope for parent, with_git in reversed(list(above)) for scope in scope_of(parent, with_git=with_git))


def scope_of(folder: Path, *, with_git: bool = True) -> tuple[Scope, ...]:
    settings = read_settings(folder / FILE_NAME)
    ignored = rules_in(folder, with_git=with_git)
    return (Scope(folder, settings, ignored),) if settings.exclude or settings.rules or ignored else ()


def is_excluded(globs: Iterable[str], names: Sequence[str], document_id: str) -> bool:
    """Whether a glob matches a file, or a folder between it and its root. ``names`` are what the file is called, each
    with ``document_id``, its path in the root, at its end."""
    folders = document_id.count("/")
    called = [name.rsplit("/", above)[0] for name in names for above in range(folders + 1)]
    return any(glob_matches(glob, name) for glob in globs for name in called)


def is_ignored(path: Path, scopes: Sequence[Scope], *, is_folder: bool) -> bool:
    """By an exclude of any scope, or by the ignore rules of the innermost folder that have something to say."""
    if any(scope.excludes(path) for scope in scopes):
        return True
    decisions = (scope.decision(path, is_folder=is_folder) for scope in reversed(scopes))
    return next((found for found in decisions if found is not None), False)


def walk(root: Path) -> Walk:
    """All files under the folder but hidden ones, ``pincite.toml``, side files and those that are ignored.

    Symbolic links are not followed, so that the walk ends and no file is found twice; each gives a notice, and so does
    a folder that cannot be read. Raises ``ConfigError`` for a ``pincite.toml`` that is wrong.
    """
    root = root.resolve()
    files: list[File] = []
    notices: list[Notice] = []
    ignored = 0
    folders = [(root, "", scopes_above(root))]
    while folders:
        folder, prefix, scopes = folders.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            message = f"the folder cannot be read ({error.strerror}); its files are left out"
            notices.append(Notice(kind="unreadable", message=message, file=prefix.rstrip("/") or str(root)))
            continue
        names = {entry.name for entry in entries}
        for entry in entries:
            path, document_id = Path(entry.path), prefix + entry.name
            if entry.name.startswith(".") or entry.name == FILE_NAME:
                continue
            is_folder = entry.is_dir(follow_symlinks=False)
            if not is_text(entry.name):
                notices.append(unreadable_name(document_id))
            elif is_side_file(entry.name) and not is_folder:
                message = problem_with_side_file(entry.name, names)
                if message:
                    notices.append(Notice(kind="side_file", message=message, file=document_id))
            elif is_ignored(path, scopes, is_folder=is_folder):
                ignored += 1
            elif entry.is_symlink():
                notices.append(link(path, root, document_id))
            elif is_folder:
                folders.append((path, document_id + "/", scopes + scope_of(path)))
            else:
                files.append(File(path, document_id, scopes))
    files.sort(key=lambda file: file.document_id)
    return Walk(tuple(files), tuple(notices), ignored)


def link(path: Path, root: Path, document_id: str) -> Notice:
    """What becomes of a symbolic link: its target belongs to the folder anyway, or is not taken in."""
    target = Path(os.path.realpath(path))
    if target != root and not target.is_relative_to(root):
        message = "a link that leads out of the folder is not followed"
    elif not os.path.lexists(target) or target == path:
        message = "a link that leads nowhere is left out"
    else:
        shown = target.relative_to(root).as_posix()
        message = f"a link to {shown if target != root else 'the folder itself'}; what is there is not taken in twice"
    return Notice(kind="link", message=message, file=document_id)


def find_files(paths: Iterable[Path]) -> Walk:
    """The files at those paths, folders walked; a path that is missing or cannot be reached is a notice.

    Ids are those that the documents would have in a collection of these paths.
    """
    roots: list[Root] = []
    notices: list[Notice] = []
    ignored = 0
    for path in paths:
        problem = problem_with(path)
        if problem:
            notices.append(problem)
        else:
            roots = with_path(roots, path)
    prefixes = id_prefixes(roots)
    files: list[File] = []
    for root in roots:
        found = files_of(root)
        notices.extend(found.notices)
        ignored += found.ignored
        files.extend(replace(file, document_id=prefixes[root.folder] + file.document_id) for file in found.files)
    return Walk(tuple(files), tuple(notices), ignored)


def files_of(root: Root) -> Walk:
    """The root's files, ids relative to it: all that a walk finds, and those that were named, whatever they are
    like."""
    found = walk(root.folder) if root.named is None else Walk((), ())
    missing_names = (root.named or root.also) - {file.document_id for file in found.files}
    paths = {name: root.folder / name for name in missing_names if not is_side_file(name)}
    paths = {name: path for name, path in paths.items() if os.path.lexists(path)}
    scopes = {folder: scopes_above(folder) for folder in {path.parent for path in paths.values()}}
    named = [File(path, name, scopes[path.parent]) for name, path in paths.items()]
    files = sorted((*found.files, *named), key=lambda file: file.document_id)
    return Walk(tuple(files), found.notices, found.ignored)


def is_left_out(root: Path, path: Path, *, is_folder: bool = False) -> bool:
    """Whether a walk of ``root`` leaves this file (or folder) out because it, or a folder above it, is hidden or
    ignored."""
    parts = path.relative_to(root).parts
    for depth in range(1, len(parts) + 1):
        inner = root.joinpath(*parts[:depth])
        inner_is_folder = is_folder or depth < len(parts)
        if inner.name.startswith(".") or is_ignored(inner, scopes_above(inner.parent), is_folder=inner_is_folder):
            return True
    return False


def problem_with(path: Path) -> Notice | None:
    """Why a path that was named cannot be used; ``None`` when it is there."""
    if not is_text(str(path)):
        return unreadable_name(str(path))
    try:
        return None if path.exists() else missing(path)
    except OSError as error:
        return Notice(kind="unreadable", message=f"cannot be reached ({error.strerror})", file=str(path))


def is_text(name: str) -> bool:
    """Whether a file name is text; one that is not has no place in an id or in JSON."""
    return not any("\ud800" <= character <= "\udfff" for character in name)


def unreadable_name(name: str) -> Notice:
    shown = name.encode("utf-8", "backslashreplace").decode()
    return Notice(kind="unreadable", message="the file name is not UTF-8; rename the file", file=shown)


def missing(path: Path) -> Notice:
    return Notice(kind="missing", message="no such file or folder; check the path", file=str(path))
