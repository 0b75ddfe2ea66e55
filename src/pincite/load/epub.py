"""EPUB: the pages of a book in the order of its spine, each read as HTML."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from pincite.errors import LoadError
from pincite.load.archive import Archive, Limits, open_archive
from pincite.load.html.charset import decode_page
from pincite.load.html.limits import TooMuchError, too_large
from pincite.load.html.metadata import iso_date
from pincite.load.html.page import read_page, write_page
from pincite.load.limits import at_least_one
from pincite.load.notices import unseen
from pincite.load.writer import MarkdownWriter
from pincite.load.xml import Element, parse_xml
from pincite.model import Document, MetadataValue, Notice, Source

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_XHTML = "application/xhtml+xml"
_PAGES = (_XHTML, "text/html", "text/x-oeb1-document")


@dataclass(frozen=True, slots=True, kw_only=True)
class EpubLoader:
    """Loads books of at most ``max_bytes`` bytes that expand to at most ``max_expanded_bytes``. One page has at most
    ``max_page_bytes``, ``max_elements``, ``max_blocks``, and ``max_cells`` in its tables.

    A page that cannot be read leaves a notice; the table of contents is left out. A place is the name of a page in the
    archive with the element in it.
    """

    max_bytes: int = 256 * 1024 * 1024
    max_expanded_bytes: int = 512 * 1024 * 1024
    max_page_bytes: int = 64 * 1024 * 1024
    max_elements: int = 2_000_000
    max_blocks: int = 1_000_000
    max_cells: int = 2_000_000
    name: str = "epub"

    def __post_init__(self) -> None:
        at_least_one(self, "max_bytes", "max_expanded_bytes", "max_page_bytes")
        at_least_one(self, "max_elements", "max_blocks", "max_cells")

    def load(self, source: Source) -> Document:
        limits = Limits(max_bytes=self.max_bytes, max_expanded_bytes=self.max_expanded_bytes)
        archive = open_archive(source, limits=limits)
        package_name, package = _package(archive)
        pages = list(_spine(package, package_name))
        _refuse_encrypted(archive, {page.name for page in pages})
        notices: list[Notice] = []
        writer = MarkdownWriter()
        for page in pages:
            if not page.contents:
                notices.extend(self._write(archive, page, writer))
        document = writer.document(
            id=source.path,
            source=source.path,
            media_type="application/epub+zip",
            metadata=_metadata(package),
            warnings=notices,
        )
        if document.text:
            return document
        if pages and len(notices) == len(pages):
            raise _corrupt(source.path, f"none of its {len(pages):,} pages can be read")
        empty = Notice(kind="empty", message="the book has no text", file=source.path)
        return writer.document(
            id=document.id,
            source=document.source,
            media_type=document.media_type,
            metadata=document.metadata,
            warnings=(*notices, empty),
        )

    def _write(self, archive: Archive, page: _Page, writer: MarkdownWriter) -> Iterator[Notice]:
        """Writes one page, and says what of it could not be read."""
        if page.media_type not in _PAGES:
            message = f"the page {page.name!r} has the type {page.media_type!r} and was left out"
            yield Notice(kind="unsupported", message=message, file=archive.path)
            return
        try:
            inside = Source(archive.path, archive.read(page.name))
            decoded = decode_page(inside, max_bytes=self.max_page_bytes, loader=self.name)
        except LoadError as error:
            if error.kind in ("too_large", "unsafe"):
                raise
            yield Notice(kind=error.kind, message=f"{page.name}: {error.problem}", file=archive.path)
            return
        for notice in decoded.notices:
            yield Notice(kind=notice.kind, message=f"{page.name}: {notice.message}", file=archive.path)
        try:
            content = read_page(
                decoded.text,
                main_content=False,
                xhtml=page.media_type == _XHTML,
                most_elements=self.max_elements,
                most_blocks=self.max_blocks,
            )
            if content.unseen:
                notice = unseen(content.unseen, archive.path)
                yield Notice(kind=notice.kind, message=f"{page.name}: {notice.message}", file=archive.path)
            write_page(content, writer, most_cells=self.max_cells, file=page.name)
        except TooMuchError as error:
            raise too_large(error, self, archive.path, page=page.name) from error


@dataclass(frozen=True, slots=True)
class _Page:
    """``name`` is that of a member of the archive; ``contents`` marks the table of contents."""

    name: str
    media_type: str
    contents: bool


def _package(archive: Archive) -> tuple[str, Element]:
    """The package document and its name."""
    if _CONTAINER not in archive:
        raise _corrupt(archive.path, f"there is no {_CONTAINER}: this is no EPUB")
    container = parse_xml(archive.read(_CONTAINER), path=archive.path, part=_CONTAINER)
    for rootfile in _named(container, "rootfile"):
        name = rootfile.get("full-path", "")
        if name in archive:
            return name, parse_xml(archive.read(name), path=archive.path, part=name)
    raise _corrupt(archive.path, "its package document is missing")


def _spine(package: Element, package_name: str) -> Iterator[_Page]:
    """The pages in reading order, each once."""
    folder = posixpath.dirname(package_name)
    items = {item.get("id", ""): item for manifest in _named(package, "manifest") for item in _named(manifest, "item")}
    seen = set()
    for reference in (item for spine in _named(package, "spine") for item in _named(spine, "itemref")):
        item = items.get(reference.get("idref", ""))
        if item is None or not item.get("href"):
            continue
        name = _member(folder, item.get("href", ""))
        if name not in seen:
            seen.add(name)
            yield _Page(name, item.get("media-type", ""), "nav" in item.get("properties", "").split())


def _member(folder: str, address: str) -> str:
    """The name in the archive that an address means; it is looked up there and nowhere else."""
    return posixpath.normpath(posixpath.join(folder, unquote(address.partition("#")[0])))


def _refuse_encrypted(archive: Archive, pages: set[str]) -> None:
    """Fonts are often obscured, which does not matter; pages are not."""
    if _ENCRYPTION not in archive:
        return
    root = parse_xml(archive.read(_ENCRYPTION), path=archive.path, part=_ENCRYPTION)
    hidden = {_member("", reference.get("URI", "")) for reference in _named(root, "CipherReference")}
    if hidden & pages:
        cure = "Save the book without copy protection."
        raise LoadError("the book is protected against copying", cure=cure, kind="encrypted", file=archive.path)


def _metadata(package: Element) -> dict[str, MetadataValue]:
    stated = {name: list(_texts(package, name)) for name in ("title", "creator", "language", "date", "description")}
    found: dict[str, MetadataValue] = {
        "title": next(iter(stated["title"]), ""),
        "authors": tuple(dict.fromkeys(stated["creator"])),
        "language": next((own.replace("_", "-").split("-")[0].lower() for own in stated["language"]), ""),
        "date": next(filter(None, map(_date, stated["date"])), ""),
        "description": next(iter(stated["description"]), ""),
    }
    return {name: value for name, value in found.items() if value}


def _date(text: str) -> str:
    """The date in ISO 8601; books often state the year only."""
    return text if len(text) == 4 and text.isdecimal() and text.isascii() else iso_date(text)


def _texts(package: Element, name: str) -> Iterator[str]:
    for block in _named(package, "metadata"):
        for element in _named(block, name):
            if text := " ".join("".join(map(str, element.itertext())).split()):
                yield text


def _named(root: Element, name: str) -> Iterator[Element]:
    """The elements of that name, of whatever namespace, in order."""
    return root.iter(name, f"{{*}}{name}")


def _corrupt(file: str, problem: str) -> LoadError:
    return LoadError(problem, cure="Check where the file comes from.", kind="corrupt", file=file)
