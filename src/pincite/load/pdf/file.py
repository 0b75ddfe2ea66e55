"""An open PDF: its pages, what it says of itself, its outline. Runs in the worker."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from contextlib import suppress
from ctypes import c_void_p
from datetime import UTC, datetime, timedelta, timezone
from functools import cached_property
from typing import Any

import pypdfium2_raw as raw

from pincite.errors import LoadError
from pincite.load.pdf import pdfium
from pincite.load.pdf.glyphs import read_page
from pincite.load.pdf.headings import Bookmark
from pincite.load.pdf.tags import tags_of
from pincite.load.pdf.words import Page
from pincite.model import MetadataValue

_MOST_BOOKMARKS = 20_000
_DATE = re.compile(
    r"(?:D:)?(\d{4})(?:(\d{2})(?:(\d{2})(?:(\d{2})(\d{2})(\d{2})?)?)?)?\s*(?:([Zz])|([+-])(\d{2})'?(\d{2})?)?"
)
_NOBODY = frozenset(["anonymous", "unknown", "unspecified", "user", "administrator", "admin"])
_PASSWORD_ERROR, _SECURITY_ERROR = 4, 5
_ENCODINGS = ("utf-8", "latin-1")


class File:
    """An open PDF. Raises ``LoadError`` (``encrypted``, ``corrupt``) where it cannot be opened."""

    def __init__(self, data: bytes, path: str, password: str) -> None:
        self.path = path
        self._data = data  # PDFium reads from it as long as the file is open
        code = 0
        for secret in _secrets(password):
            self.handle = raw.FPDF_LoadMemDocument64(data, len(data), secret)
            if self.handle:
                return
            code = raw.FPDF_GetLastError()
            if code != _PASSWORD_ERROR:
                break
        if code == _PASSWORD_ERROR:
            problem = "the password does not open the file" if password else "the file is encrypted"
            cure = "Remove the password, or pass the option password."
            raise LoadError(problem, cure=cure, kind="encrypted", file=path)
        if code == _SECURITY_ERROR:
            problem = "the file is encrypted in a way that is not supported"
            raise LoadError(problem, cure="Remove the encryption.", kind="encrypted", file=path)
        problem = "the file is damaged or cut off"
        raise LoadError(
            problem, cure="Get it anew, or save it anew in the program that made it.", kind="corrupt", file=path
        )

    def close(self) -> None:
        raw.FPDF_CloseDocument(self.handle)

    @property
    def pages(self) -> int:
        return max(0, int(raw.FPDF_GetPageCount(self.handle)))

    @cached_property
    def tagged(self) -> bool:
        return bool(raw.FPDFCatalog_IsTagged(self.handle))

    def page(self, number: int) -> Page:
        """Raises ``ValueError`` where the page is damaged."""
        handle = raw.FPDF_LoadPage(self.handle, number - 1)
        if not handle:
            raise ValueError(f"page {number} cannot be read")
        try:
            page = read_page(ctypes.cast(handle, c_void_p), number, tagged=self.tagged)
            if self.tagged:
                page.tags = tags_of(handle)
            return page
        finally:
            raw.FPDF_ClosePage(handle)

    def metadata(self) -> dict[str, MetadataValue]:
        result: dict[str, MetadataValue] = {"pages": self.pages}
        title = self._information("Title")
        if title and not re.search(
            r"\.(?:docx?|pdf|indd|tex|dvi|pages|odt|qxd|fm)$|^untitled|^microsoft word", title, re.I
        ):
            result["title"] = title
        authors = tuple(name.strip() for name in re.split(r";|,(?=\s*\S+\s)|\band\b", self._information("Author")))
        authors = tuple(name for name in authors if name and name.strip("()").lower() not in _NOBODY)
        if authors:
            result["authors"] = authors
        date = iso_date(self._information("ModDate")) or iso_date(self._information("CreationDate"))
        if date:
            result["date"] = date
        if self.language:
            result["language"] = self.language
        return result

    def _information(self, key: str) -> str:
        text = pdfium.wide(lambda buffer, size: raw.FPDF_GetMetaText(self.handle, key.encode(), buffer, size))
        return " ".join(text.split())

    @property
    def is_whole(self) -> bool:
        """Whether its end is there."""
        return b"%%EOF" in self._data[-2048:]

    @cached_property
    def language(self) -> str:
        """The tag of the language that the file says it is in, empty where it says none."""

        def read(buffer: Any, size: int) -> int:
            target = None if buffer is None else ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort))
            return int(raw.FPDFCatalog_GetLanguage(self.handle, target, size))

        language = pdfium.wide(read)
        return language if re.fullmatch(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*", language) else ""

    def outline(self) -> list[Bookmark]:
        """In order; loops and endless depths are cut."""
        result: list[Bookmark] = []
        seen: set[int] = set()
        stack: list[tuple[Any, int]] = [(raw.FPDFBookmark_GetFirstChild(self.handle, None), 1)]
        while stack and len(result) < _MOST_BOOKMARKS:
            node, depth = stack.pop()
            address = ctypes.cast(node, c_void_p).value
            if not address or address in seen:
                continue
            seen.add(address)
            result.append(Bookmark(self._title(node), depth, self._target(node)))
            stack.append((raw.FPDFBookmark_GetNextSibling(self.handle, node), depth))
            if depth < 20:
                stack.append((raw.FPDFBookmark_GetFirstChild(self.handle, node), depth + 1))
        return result

    def _title(self, node: Any) -> str:
        return pdfium.wide(lambda buffer, size: raw.FPDFBookmark_GetTitle(node, buffer, size))

    def _target(self, node: Any) -> int:
        target = raw.FPDFBookmark_GetDest(self.handle, node)
        if not target:
            action = raw.FPDFBookmark_GetAction(node)
            target = raw.FPDFAction_GetDest(self.handle, action) if action else None
        return int(raw.FPDFDest_GetDestPageIndex(self.handle, target)) + 1 if target else 0


def _secrets(password: str) -> Iterator[bytes]:
    """The ways to write the password, and none: a file that only restricts what may be done with it opens without."""
    for encoding in _ENCODINGS:
        with suppress(UnicodeEncodeError):
            yield password.encode(encoding)
    if password:
        yield b""


def iso_date(text: str) -> str:
    """A date of a PDF in ISO 8601, with the time and its zone where they are told; empty if it is none.

    >>> iso_date("D:20240331235900+02'00'"), iso_date("D:2024")
    ('2024-03-31T23:59:00+02:00', '2024')
    """
    match = _DATE.match(text.strip())
    if not match:
        return ""
    year, month, day, hour, minute, second, utc, sign, zone_hours, zone_minutes = match.groups()
    try:
        if not day:
            datetime(int(year), int(month or 1), 1, tzinfo=UTC)
            return f"{year}-{month}" if month else year
        zone = UTC if utc else None
        if sign:
            offset = timedelta(hours=int(zone_hours), minutes=int(zone_minutes or 0))
            zone = timezone(-offset if sign == "-" else offset)
        moment = datetime(
            int(year), int(month), int(day), int(hour or 0), int(minute or 0), int(second or 0), tzinfo=zone
        )
    except ValueError:
        return ""
    return moment.isoformat() if hour else moment.date().isoformat()
