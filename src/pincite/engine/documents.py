"""From files to documents."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pincite import catalogue
from pincite.config import FILE_NAME, Component, Settings, glob_matches, read_settings
from pincite.engine.roots import Root, id_prefixes, with_path
from pincite.errors import LoadError, UsageError
from pincite.model import Document, Metadata, Notice, Source
from pincite.ports import Loader


@dataclass(frozen=True, slots=True)
class Scope:
    """The settings in the ``pincite.toml`` of a folder: its excludes and rules hold for every file below it."""

    folder: Path
    settings: Settings

    def name_of(self, path: Path) -> str:
        return path.relative_to(self.folder).as_posix()

    def excludes(self, path: Path) -> bool:
        return any(glob_matches(glob, self.name_of(path)) for glob in self.settings.exclude)


@dataclass(frozen=True, slots=True)
class File:
    """A file that was found. ``document_id`` is its path relative to where the search began, ``/``-separated;
    ``scopes`` are those of the folders above it, outermost first."""

    path: Path
    document_id: str
    scopes: tuple[Scope, ...] = ()


@dataclass(frozen=True, slots=True)
class Walk:
    """The files under a folder in order of their ids, and what was left out and why."""

    files: tuple[File, ...]
    notices: tuple[Notice, ...]


def scopes_above(folder: Path) -> tuple[Scope, ...]:
    """The scopes of a folder and of all folders above it, outermost first. Raises ``ConfigError``."""
    return tuple(scope for parent in reversed((folder, *folder.parents)) for scope in scope_of(parent))


def scope_of(folder: Path) -> tuple[Scope, ...]:
    settings = read_settings(folder / FILE_NAME)
    return (Scope(folder, settings),) if settings.exclude or settings.rules else ()


def walk(root: Path) -> Walk:
    """All files under the folder but hidden ones, ``pincite.toml`` and those that a scope excludes.

    Symbolic links are not followed, so that the walk ends and no file is found twice; each gives a notice, and so does
    a folder that cannot be read. Raises ``ConfigError`` for a ``pincite.toml`` that is wrong.
    """
    root = root.resolve()
    files: list[File] = []
    notices: list[Notice] = []
    folders = [(root, "", scopes_above(root))]
    while folders:
        folder, prefix, scopes = folders.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            message = f"the folder cannot be read ({error.strerror}); its files are left out"
            notices.append(Notice(kind="unreadable", message=message, file=prefix.rstrip("/") or str(root)))
            continue
        for entry in entries:
            path, document_id = Path(entry.path), prefix + entry.name
            if entry.name.startswith(".") or entry.name == FILE_NAME:
                continue
            if not is_text(entry.name):
                notices.append(unreadable_name(document_id))
            elif any(scope.excludes(path) for scope in scopes):
                continue
            elif entry.is_symlink():
                notices.append(Notice(kind="link", message="a symbolic link is not followed", file=document_id))
            elif entry.is_dir(follow_symlinks=False):
                folders.append((path, document_id + "/", scopes + scope_of(path)))
            else:
                files.append(File(path, document_id, scopes))
    files.sort(key=lambda file: file.document_id)
    return Walk(tuple(files), tuple(notices))


def find_files(paths: Iterable[Path]) -> Walk:
    """The files at those paths, folders walked; a path that is missing or cannot be reached is a notice.

    Ids are those that the documents would have in a collection of these paths.
    """
    roots: list[Root] = []
    notices: list[Notice] = []
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
        files.extend(replace(file, document_id=prefixes[root.folder] + file.document_id) for file in found.files)
    return Walk(tuple(files), tuple(notices))


def files_of(root: Root) -> Walk:
    """The root's files, ids relative to it: all that a walk finds, or those that were named, whatever they are like."""
    if root.named is None:
        return walk(root.folder)
    scopes = scopes_above(root.folder)
    named = [File(root.folder / name, name, scopes) for name in sorted(root.named)]
    return Walk(tuple(file for file in named if os.path.lexists(file.path)), ())


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


def loader_for(path: Path, components: Mapping[str, Component] | None = None) -> Component:
    """The loader whose suffix the file has, with the options that ``components`` give to its name.

    Raises ``LoadError`` of kind ``unsupported`` that names all suffixes.
    """
    suffix = path.suffix.lower()
    suffixes: list[str] = []
    for row in catalogue.rows("load"):
        if suffix in row.suffixes:
            return (components or {}).get(row.name) or Component("load", row.name)
        suffixes.extend(row.suffixes)
    raise LoadError(
        f"the format {suffix!r} is not supported" if suffix else "a file without a suffix has no known format",
        cure=f"Supported are: {', '.join(suffixes)}.",
        kind="unsupported",
        file=str(path),
    )


def read_bytes(path: Path, *, max_bytes: int | None = None) -> bytes:
    """The file's bytes. Raises ``LoadError`` where it is no regular file, cannot be read or is too large."""
    try:
        details = path.stat()
        if not stat.S_ISREG(details.st_mode):
            raise LoadError("is not a regular file", cure="Leave it out.", kind="unreadable", file=str(path))
        if max_bytes is not None and details.st_size > max_bytes:
            raise too_large(details.st_size, max_bytes, str(path))
        return path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a name with a NUL
        cure = "Give yourself the right to read it." if isinstance(error, PermissionError) else "Check the file."
        raise LoadError(
            f"cannot be read ({getattr(error, 'strerror', None) or error})",
            cure=cure,
            kind="unreadable",
            file=str(path),
        ) from error


def too_large(size: int, max_bytes: int, file: str) -> LoadError:
    return LoadError(
        f"has {size:,} bytes, more than the limit of {max_bytes:,}",
        cure="Split the file, or raise the loader's max_bytes.",
        kind="too_large",
        file=file,
    )


def load_document(
    path: Path | str,
    *,
    document_id: str = "",
    options: Mapping[str, Any] | None = None,
    password: str | None = None,
) -> Document:
    """Loads one file; its id is its name unless another is given. ``options`` are those of its format's loader, the
    password goes to a loader that takes one.

    Raises ``LoadError``, and ``UsageError`` for an option that the loader does not have.
    """
    path = Path(path)
    parts = {"password": password} if password else None
    loader: Loader = catalogue.create("load", loader_for(path).name, options, parts=parts)
    return load_bytes(loader, read_bytes(path, max_bytes=getattr(loader, "max_bytes", None)), document_id or path.name)


def draw_page(path: Path, page: int, *, password: str = "") -> bytes:
    """A page of a PDF (from 1) as a PNG with its blocks outlined. Raises ``LoadError``, and ``UsageError`` for another
    format or a page that is not there."""
    from pincite.load.pdf.draw import draw_page as draw

    if loader_for(path).name != "pdf":
        raise UsageError("only the pages of PDF files can be drawn", cure="Leave --image out.", file=str(path))
    document = load_document(path, password=password)
    return draw(read_bytes(path), document, page, password)


def load_bytes(loader: Loader, data: bytes, document_id: str, override: Metadata | None = None) -> Document:
    """The bytes as a document of that id; ``override`` replaces what the document says of itself."""
    document = loader.load(Source(path=document_id, data=data))
    return replace(document, metadata={**document.metadata, **override}) if override else document


def load_files(files: Iterable[File], *, password: str | None = None) -> Iterator[Document | LoadError]:
    """Each file as a document or as the error that it gave, in order."""
    for file in files:
        try:
            yield load_document(file.path, document_id=file.document_id, password=password)
        except LoadError as error:
            yield error
