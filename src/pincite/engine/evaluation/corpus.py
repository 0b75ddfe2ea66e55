"""The documents that questions are asked about, loaded once for all configurations."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from pincite.config import Settings
from pincite.engine.documents import load_bytes, loader_for, read_bytes
from pincite.engine.files import problem_with
from pincite.engine.members import MemberFinder
from pincite.engine.report import Progress, SyncReport
from pincite.engine.roots import Root, id_prefixes, shown_path, with_path
from pincite.engine.side_files import side_metadata
from pincite.errors import LoadError, NothingFoundError
from pincite.model import Document, Notice


@dataclass(frozen=True)
class Corpus:
    """Documents by id, and what was said while they were loaded. ``names`` are all that a document goes by, for
    rules."""

    documents: Mapping[str, Document]
    failed: tuple[Notice, ...] = ()
    warnings: tuple[Notice, ...] = ()
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def names_of(self, document_id: str) -> tuple[str, ...]:
        return self.names.get(document_id, (document_id,))

    @cached_property
    def fingerprint(self) -> str:
        """Of all texts, blocks and metadata."""
        total = hashlib.sha256()
        for name, document in sorted(self.documents.items()):
            total.update(json.dumps([name, document.to_json()], sort_keys=True).encode())
        return total.hexdigest()[:16]


def read_corpus(
    paths: Iterable[Path],
    settings: Settings,
    directory: Path,
    *,
    excluded: frozenset[Path] = frozenset(),
    progress: Progress | None = None,
) -> Corpus:
    """The documents that a collection in ``directory`` would have of these paths, with the metadata that its rules give
    them; ``excluded`` are absolute paths. Raises ``NothingFoundError`` where there is not one."""
    roots: list[Root] = []
    failed: list[Notice] = []
    for path in paths:
        problem = problem_with(path)
        if problem:
            failed.append(problem)
        else:
            roots = with_path(roots, path)
    return load_corpus(roots, settings, directory, excluded=excluded, failed=failed, progress=progress)


def load_corpus(
    roots: Sequence[Root],
    settings: Settings,
    directory: Path,
    *,
    excluded: frozenset[Path] = frozenset(),
    failed: Sequence[Notice] = (),
    progress: Progress | None = None,
) -> Corpus:
    report = SyncReport()
    members = MemberFinder(settings, directory, report).find(roots, excluded, {})
    prefixes = {shown_path(folder, directory): prefix for folder, prefix in id_prefixes(roots).items()}
    documents: dict[str, Document] = {}
    names: dict[str, tuple[str, ...]] = {}
    problems = [*failed, *report.failed]
    warnings = list(report.warnings)
    for number, member in enumerate(members.values()):
        if progress:
            progress(member.document_id, number, len(members))
        try:
            loader = loader_for(member.path, settings.load).create()
            data = read_bytes(member.path, max_bytes=getattr(loader, "max_bytes", None))
            document = load_bytes(loader, data, member.document_id, {**side_metadata(member.path), **member.rules})
        except LoadError as error:
            problems.append(Notice(kind=error.kind, message=f"{error.problem}. {error.cure}", file=member.document_id))
            continue
        documents[member.document_id] = document
        within = member.document_id.removeprefix(prefixes[member.root])
        names[member.document_id] = (member.document_id, within, shown_path(member.path, directory))
        warnings.extend(document.located_warnings())
    if not documents:
        raise NothingFoundError("there is no document to ask about", cure="Name files or folders with documents.")
    return Corpus(documents, tuple(problems), tuple(warnings), names)
