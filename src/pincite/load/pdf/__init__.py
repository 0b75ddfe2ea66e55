"""PDF. The file is read in a process of its own that has limits and is gone when the document is there."""

from __future__ import annotations

from dataclasses import dataclass

from pincite.errors import LoadError
from pincite.load.pdf.process import Request, run
from pincite.model import Document, Source

_MIB = 1024 * 1024
_HEAD_BYTES = 1024  # where the signature may stand (ISO 32000-1, implementation note 13)


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfLoader:
    """Loads PDF files with a text layer.

    Limits: ``max_bytes`` of the file, ``max_pages``, ``max_characters`` of its text, ``timeout_s`` of wall clock for
    the whole file and ``max_memory_bytes`` of address space (where the system can limit it) for the process that
    reads it. A file that exceeds one is refused as ``too_large`` and the message names the limit.

    ``password`` opens encrypted files; files that only restrict what may be done with them open without. A file
    without text is refused as ``no_text``: let a text recognition add a text layer first.
    """

    password: str = ""
    max_bytes: int = 256 * _MIB
    max_pages: int = 10_000
    max_characters: int = 20_000_000
    timeout_s: float = 120.0
    max_memory_bytes: int = 4096 * _MIB
    name: str = "pdf"

    def __post_init__(self) -> None:
        for option in ("max_bytes", "max_pages", "max_characters", "timeout_s", "max_memory_bytes"):
            if getattr(self, option) <= 0:
                raise ValueError(f"{option} must be greater than 0, got {getattr(self, option)}")

    def load(self, source: Source) -> Document:
        if len(source.data) > self.max_bytes:
            raise LoadError(
                f"the file has {len(source.data):,} bytes, the loader takes {self.max_bytes:,} (max_bytes)",
                cure="Split the file, or raise max_bytes.",
                kind="too_large",
                file=source.path,
            )
        if b"%PDF-" not in source.data[:_HEAD_BYTES]:
            raise LoadError(
                "the file is no PDF, whatever its name says",
                cure="Leave it out, or give it the suffix of its format.",
                kind="corrupt",
                file=source.path,
            )
        request = Request(
            task="load",
            path=source.path,
            password=self.password,
            max_pages=self.max_pages,
            max_characters=self.max_characters,
            timeout_s=self.timeout_s,
            max_memory_bytes=self.max_memory_bytes,
        )
        return Document.from_json(run(request, source.data))
