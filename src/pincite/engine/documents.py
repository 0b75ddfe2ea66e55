"""From files to documents."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pincite import catalogue
from pincite.config import FILE_NAME, Component, Settings, read_settings
from pincite.engine.files import File, Scope
from pincite.errors import LoadError, UsageError
from pincite.model import Document, Metadata, Source
from pincite.ports import Loader

COLLECTION_FOLDER = ".pincite"


def loader_for(path: Path, components: Mapping[str, Component] | None = None) -> Component:
    """The loader whose suffix the file has, with the options that ``components`` give to its name.

    Raises ``LoadError`` of kind ``unsupported``.
    """
    suffix = path.suffix.lower()
    for row in catalogue.rows("load"):
        if suffix in row.suffixes:
            return (components or {}).get(row.name) or Component("load", row.name)
    raise LoadError(
        f"the format {suffix!r} is not supported" if suffix else "a file without a suffix has no known format",
        cure="Convert it, to .md, .html, .docx, .pdf or .csv, or leave it out; `pincite doctor` lists all formats.",
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


def scope_above(path: Path) -> Scope:
    """The settings that a collection has for a file: those of the nearest folder upwards that holds one, without one
    those of the nearest ``pincite.toml``. Raises ``ConfigError``."""
    folders = path.absolute().parents
    for name in (COLLECTION_FOLDER, FILE_NAME):
        for folder in folders:
            if os.path.lexists(folder / name):
                return Scope(folder, read_settings(folder / FILE_NAME))
    return Scope(folders[0], Settings())


def load_document(
    path: Path | str,
    *,
    document_id: str = "",
    options: Mapping[str, Any] | None = None,
    password: str | None = None,
    settings: Settings | None = None,
) -> Document:
    """Loads one file; its id is its name unless another is given. ``options`` are those of its format's loader, beside
    those that ``settings`` give it; the password goes to a loader that takes one.

    Raises ``LoadError``, and ``UsageError`` for an option that the loader does not have.
    """
    path = Path(path)
    parts = {"password": password} if password else None
    component = loader_for(path, settings.load if settings else None)
    loader: Loader = catalogue.create("load", component.name, {**component.options, **(options or {})}, parts=parts)
    return load_bytes(loader, read_bytes(path, max_bytes=getattr(loader, "max_bytes", None)), document_id or path.name)


def load_text(text: str, *, document_id: str = "text.md", options: Mapping[str, Any] | None = None) -> Document:
    """A text as a document, without a file. The suffix of its id says what it is: ``.md``, ``.txt``, ``.html`` and so
    on; ``options`` and errors are as in ``load_document``.

    >>> load_text("# Limits\\n\\nAt most 500.\\n").sections[0].path
    ('Limits',)
    """
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        problem = f"half of a surrogate pair stands at {error.start}"
        raise UsageError(problem, cure="Decode the text correctly first.", file=document_id) from error
    component = loader_for(Path(document_id))
    return load_bytes(catalogue.create("load", component.name, options), data, document_id)


def draw_page(path: Path, page: int, *, password: str = "") -> bytes:
    """A page of a PDF (from 1) as a PNG with its blocks outlined. Raises ``LoadError``, and ``UsageError`` for another
    format or a page that is not there."""
    from pincite.load.pdf.draw import draw_page as draw

    if loader_for(path).name != "pdf":
        raise UsageError("only the pages of PDF files can be drawn", cure="Leave --image out.", file=str(path))
    document = load_document(path, password=password, settings=scope_above(path).settings)
    return draw(read_bytes(path), document, page, password)


def load_bytes(loader: Loader, data: bytes, document_id: str, override: Metadata | None = None) -> Document:
    """The bytes as a document of that id; ``override`` replaces what the document says of itself."""
    document = loader.load(Source(path=document_id, data=data))
    return replace(document, metadata={**document.metadata, **override}) if override else document


def load_files(files: Iterable[File], *, password: str | None = None) -> Iterator[Document | LoadError]:
    """Each file as a document or as the error that it gave, in order; with the loaders' options of its settings.
    Raises ``ConfigError``."""
    settings: dict[Path, Settings] = {}
    for file in files:
        folder = file.path.parent
        if folder not in settings:
            settings[folder] = scope_above(file.path).settings
        try:
            yield load_document(file.path, document_id=file.document_id, password=password, settings=settings[folder])
        except LoadError as error:
            yield error
