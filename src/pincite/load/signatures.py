"""What a file seems to be, whatever its name says: so that a wrong name is told from damage."""

from __future__ import annotations

import codecs
import re
from pathlib import PurePosixPath
from typing import NamedTuple

from pincite.errors import LoadError
from pincite.model import Source

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""How files of Office begin that are older than 2007 or encrypted."""
_ZIP = b"PK\x03\x04"
_ZIP_END = b"PK\x05\x06"
_MEDIA_TYPE_WITHIN = 200
_LOOKED_AT = 64 * 1024
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f]")


class Format(NamedTuple):
    """``suffixes`` are those by which pincite reads it, the usual one first; ``cure`` is for a format without one."""

    noun: str
    suffixes: tuple[str, ...] = ()
    cure: str = "Leave it out."


_UNPACK = "Unpack it."
_AS_DOCX = "Save it as .docx."
_AS_PPTX = "Save it as .pptx."
_ARCHIVE = Format("a ZIP archive", cure=_UNPACK)
_PAGE = Format("an HTML page", (".html", ".htm", ".xhtml"))
_TEXT = Format("plain text", (".txt", ".csv"))

# Only beginnings that no text has; those of the first line are also looked for in files that should be text.
_BEGINNINGS: tuple[tuple[bytes, Format], ...] = (
    (b"\x89PNG\r\n\x1a\n", Format("a PNG picture")),
    (b"\xff\xd8\xff", Format("a JPEG picture")),
    (b"GIF87a", Format("a GIF picture")),
    (b"GIF89a", Format("a GIF picture")),
    (b"II*\x00", Format("a TIFF picture")),
    (b"MM\x00*", Format("a TIFF picture")),
    (b"%PDF-", Format("a PDF document", (".pdf",))),
    (b"\x1f\x8b\x08", Format("a gzip archive", cure=_UNPACK)),
    (b"7z\xbc\xaf\x27\x1c", Format("a 7-Zip archive", cure=_UNPACK)),
    (b"Rar!\x1a\x07", Format("a RAR archive", cure=_UNPACK)),
    (b"\xfd7zXZ\x00", Format("an xz archive", cure=_UNPACK)),
    (b"\x28\xb5\x2f\xfd", Format("a Zstandard archive", cure=_UNPACK)),
    (b"\x7fELF", Format("a program")),
    (b"SQLite format 3\x00", Format("an SQLite database")),
    (b"{\\rtf", Format("an RTF document", cure=_AS_DOCX)),
)
_WORD = Format("a Word document", (".docx", ".docm", ".dotx", ".dotm"))
_BOOK = Format("an EPUB book", (".epub",))
# Members of ZIP archives; the first member of some says it by itself; the streams of OLE files.
_MEMBERS: tuple[tuple[bytes, Format], ...] = (
    (b"word/document", _WORD),
    (b"xl/workbook", Format("an Excel workbook", (".xlsx", ".xlsm"))),
    (b"ppt/presentation", Format("a PowerPoint presentation", (".pptx",))),
    (b"META-INF/container.xml", _BOOK),
)
_MEDIA_TYPES: tuple[tuple[bytes, Format], ...] = (
    (b"application/epub+zip", _BOOK),
    (b"opendocument.spreadsheet", Format("an OpenDocument spreadsheet", (".ods",))),
    (b"opendocument.text", Format("an OpenDocument text", cure=_AS_DOCX)),
    (b"opendocument.presentation", Format("an OpenDocument presentation", cure=_AS_PPTX)),
)
_STREAMS: tuple[tuple[bytes, Format], ...] = (
    ("WordDocument".encode("utf-16-le"), Format("a Word document from before 2007", cure=_AS_DOCX)),
    ("Workbook".encode("utf-16-le"), Format("an Excel workbook from before 2007", (".xls",))),
    ("PowerPoint Document".encode("utf-16-le"), Format("a presentation from before 2007", cure=_AS_PPTX)),
    ("__substg1.0_".encode("utf-16-le"), Format("an Outlook message", cure="Save it as .eml.")),
)
_OLD_OFFICE = Format("an Office file from before 2007", cure="Save it in the format of Office 2007 or later.")
_PAGE_BEGINNING = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)


def binary_format(data: bytes) -> Format | None:
    """What a file is that begins as no text does; ``None`` for any other.

    >>> binary_format(b"%PDF-1.7 ...").noun, binary_format(b"# Title")
    ('a PDF document', None)
    """
    for beginning, found in _BEGINNINGS:
        if data.startswith(beginning):
            return found
    if data.startswith(_ZIP):
        by_type = _first(_MEDIA_TYPES, data[:_MEDIA_TYPE_WITHIN])
        return by_type or _first(_MEMBERS, _directory(data)) or _ARCHIVE
    if data.startswith(OLE):
        return _first(_STREAMS, data) or _OLD_OFFICE
    return None


def _first(formats: tuple[tuple[bytes, Format], ...], data: bytes) -> Format | None:
    return next((found for sign, found in formats if sign in data), None)


def _directory(data: bytes) -> bytes:
    """The names of the members, which are never packed; archives inside do not count."""
    end = data.rfind(_ZIP_END)
    if end < 0 or end + 16 > len(data):
        return data
    size = int.from_bytes(data[end + 12 : end + 16], "little")
    return data[max(0, end - size) : end]


def misnamed(source: Source, *, kind: str = "unsupported") -> LoadError | None:
    """The error for a file that is plainly of another format than its suffix says, text included; ``None`` for one that
    may be what it says and damaged."""
    found = binary_format(source.data) or _text_format(source.data)
    suffix = PurePosixPath(source.path).suffix.lower()
    if found is None or found is _ARCHIVE or suffix in found.suffixes or (found is _OLD_OFFICE and suffix == ".xls"):
        return None
    return wrong_format(source, found, kind=kind)


def wrong_format(source: Source, found: Format, *, kind: str) -> LoadError:
    name = PurePosixPath(source.path).suffix[1:].upper() or "text"
    cure = f"Rename it to {found.suffixes[0]}." if found.suffixes else found.cure
    return LoadError(f"is no {name} file; it looks like {found.noun}", cure=cure, kind=kind, file=source.path)


def _text_format(data: bytes) -> Format | None:
    if _PAGE_BEGINNING.match(data):
        return _PAGE
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(data[:_LOOKED_AT])
    except UnicodeDecodeError:
        return None
    return _TEXT if text.strip() and not _CONTROL.search(text) else None
