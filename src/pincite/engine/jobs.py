"""One file to load and cut, wherever that is done."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path

from pincite.config import Component
from pincite.engine.documents import load_bytes
from pincite.errors import LoadError
from pincite.model import Chunk, Document, Metadata
from pincite.ports import Chunker

logger = logging.getLogger("pincite.engine")


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
    """The same here and in another process: whatever goes wrong with one file is told and stops no other."""
    try:
        document = load_bytes(job.loader.create(), job.data, job.document_id, job.override)
        chunker: Chunker = job.chunker.create()
        return Loaded(document, tuple(chunker.chunk(document)))
    except LoadError as error:
        return Refused(error.kind, error.problem, error.cure, error.file)
    except Exception as error:
        logger.exception("%s could not be loaded", job.document_id)
        problem = f"it cannot be loaded because of a fault in pincite or its loader ({type(error).__name__}: {error})"
        return Refused("internal", problem, "Please report this file.", job.document_id)
