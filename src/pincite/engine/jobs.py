"""One file to load and cut, wherever that is done."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pincite.config import Component
from pincite.engine.documents import load_bytes
from pincite.errors import LoadError
from pincite.model import Chunk, Document, Metadata
from pincite.ports import Chunker


@dataclass(frozen=True, slots=True)
class Job:
    """Everything in it can be sent to another process."""

    path: Path
    document_id: str
    data: bytes
    loader: Component
    chunker: Component
    override: Metadata


@dataclass(frozen=True, slots=True)
class Loaded:
    document: Document
    chunks: tuple[Chunk, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """A ``LoadError`` on its way: exceptions with arguments of their own do not survive pickling."""

    kind: str
    problem: str
    cure: str
    file: str

    def error(self) -> LoadError:
        return LoadError(self.problem, cure=self.cure, kind=self.kind, file=self.file)


def run(job: Job) -> Loaded | Refused:
    try:
        document = load_bytes(job.loader.create(), job.data, job.document_id, job.override)
    except LoadError as error:
        return Refused(error.kind, error.problem, error.cure, error.file)
    chunker: Chunker = job.chunker.create()
    return Loaded(document, tuple(chunker.chunk(document)))
