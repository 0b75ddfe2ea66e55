"""PDF files, read in a process apart that has limits."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pincite import catalogue
from pincite.errors import LoadError
from pincite.load.apart import Job, run
from pincite.load.limits import check_size
from pincite.load.pdf.recognised import Recognised
from pincite.load.pdf.transfer import unpacked
from pincite.model import Document, Source
from pincite.ports import Image, Recogniser

_MIB = 1024 * 1024
_HEAD_BYTES = 1024  # where the signature may stand (ISO 32000-1, implementation note 13)
_DPI = 300  # what recognisers are made for
_POINTS_PER_INCH = 72


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfLoader:
    """Loads PDF files.

    Limits: ``max_bytes`` of the file, ``max_pages``, ``max_characters`` of its text, ``timeout_s`` of wall clock for
    reading the file and for drawing each page that is recognised, and ``max_memory_bytes`` of address space (where the
    system can limit it) for the process that does it: a thousand pages of text take 450 MB, a thousand of nothing but
    dense tables 1.8 GB. A file that exceeds one is refused as ``too_large`` and the message names the limit.

    ``password`` opens encrypted files; files that only restrict what may be done with them open without.

    ``ocr`` is a recogniser or its name in the catalogue. It reads the pages that have no text, in the languages
    ``ocr_languages`` (such as ``("de", "en")``; without any, in the one that the file says it has). Without it such
    pages are named in a warning, and a file that has nothing else is refused as ``no_text``.
    """

    password: str = ""
    ocr: str | Recogniser = ""
    ocr_languages: tuple[str, ...] = ()
    max_bytes: int = 256 * _MIB
    max_pages: int = 10_000
    max_characters: int = 20_000_000
    timeout_s: float = 120.0
    max_memory_bytes: int = 2048 * _MIB
    name: str = "pdf"

    def __post_init__(self) -> None:
        for option in ("max_bytes", "max_pages", "max_characters", "timeout_s", "max_memory_bytes"):
            if getattr(self, option) <= 0:
                raise ValueError(f"{option} must be greater than 0, got {getattr(self, option)}")
        if isinstance(self.ocr, str) and self.ocr:
            catalogue.find("ocr", self.ocr)

    def load(self, source: Source) -> Document:
        check_size(source, self.max_bytes)
        if b"%PDF-" not in source.data[:_HEAD_BYTES]:
            raise LoadError(
                "the file is no PDF, whatever its name says",
                cure="Leave it out, or give it the suffix of its format.",
                kind="corrupt",
                file=source.path,
            )
        recogniser = self._recogniser()
        found = self._read(source, recogniser.name if recogniser else "", {})
        if recogniser and "unread" in found:
            languages = self.ocr_languages or tuple(filter(None, [found["language"]]))
            pages = {page: self._recognised(source, page, recogniser, languages) for page in found["unread"]}
            found = self._read(source, ", ".join([recogniser.name, *languages]), pages)
        return unpacked(found["document"])

    def _recogniser(self) -> Recogniser | None:
        if isinstance(self.ocr, str):
            made: Recogniser | None = catalogue.create("ocr", self.ocr) if self.ocr else None
            return made
        return self.ocr

    def _read(self, source: Source, ocr: str, pages: Mapping[int, Recognised]) -> dict[str, Any]:
        found: dict[str, Any] = self._run(
            "load",
            source,
            {
                "max_pages": self.max_pages,
                "max_characters": self.max_characters,
                "ocr": ocr,
                "recognised": {number: page.to_json() for number, page in pages.items()},
            },
        )
        return found

    def _recognised(self, source: Source, page: int, recogniser: Recogniser, languages: Sequence[str]) -> Recognised:
        drawn = self._run("render", source, {"page": page, "scale": _DPI / _POINTS_PER_INCH})
        image = Image(
            width=drawn["width"],
            height=drawn["height"],
            dpi=round(drawn["scale"] * _POINTS_PER_INCH),
            pixels=zlib.decompress(base64.b64decode(drawn["pixels"])),
        )
        try:
            words = recogniser.recognise(image, languages)
        except LoadError as error:
            problem = f"page {page}: {error.problem}"
            raise LoadError(problem, cure=error.cure, kind=error.kind, file=source.path) from error
        return Recognised(tuple(words), drawn["scale"])

    def _run(self, function: str, source: Source, arguments: Mapping[str, Any]) -> Any:
        job = Job(
            target=f"pincite.load.pdf.worker:{function}",
            file=source.path,
            timeout_s=self.timeout_s,
            max_memory_bytes=self.max_memory_bytes,
            arguments={"path": source.path, "password": self.password, **arguments},
        )
        (result,) = run(job, source.data)
        return result
